"""Everything that the five papers claim, row by row, and the experiments that answer."""

from functools import partial

import blondie24
import decisions
import deepchess
import duchess
import faults
import mp_draughts
import nguyen
import nhb
import procedure
import treestrap
import variations
import visiondraughts
from experiment import Claim, Experiment, difference, from_score, from_share

from plywise.arena.seeds import Interval

TITLES = {
    "000": "Playing Draughts using Neural Networks and Genetic Algorithms (Nguyen)",
    "001": "MP-Draughts: a Multiagent Reinforcement Learning System (Duarte, Julia et al. 2009)",
    "002": "DeepChess: End-to-End Deep Neural Network for Automatic Learning in Chess (2016)",
    "003": "Neural Learning of Heuristic Functions for General Game Playing (2016)",
    "004": "Learning a Multi-Player Chess Game with TreeStrap (Real and Blair 2015)",
}
ABOUT = {
    "000": "A report without a section of results: it names its tests and leaves their outcomes "
    "out. The curves are those of the author's public archive, 30 games for each champion, 100 "
    "generations. Blondie24 and Anaconda, on which it builds, stand beside it.",
    "001": "Twenty games for each match of Table I. Endgame loops are games in which a player is "
    "ahead and that lead nowhere.",
    "002": "The paper sets positions aside, not games, so that siblings of a tested position were "
    "learned from. Both splits are measured here.",
    "003": "Every row of both tables is a network after some training games, against untrained "
    "opponents with the same time: 200 games each in Connect Four, 100 in Reversi.",
    "004": "One hundred games for each match. TreeStrap against its relatives is what the paper "
    "cites of Veness et al. (2009).",
}

DRAUGHTS = "src/plywise/games/draughts"
SHARED = "src/plywise/learners/shared"
EVOLVE = (DRAUGHTS, SHARED, "src/plywise/learners/evolve", "papers/evolution.py")
MP = (DRAUGHTS, SHARED, *(f"src/plywise/learners/{name}" for name in ("td", "ls", "mp")))
NHB = ("src/plywise/learners/nhb", "papers/nhb.py")
TREESTRAP = "src/plywise/learners/treestrap"
FIVE = (1, 2, 3, 4, 5)
EVEN = 0.5  # of the points

# ---------------------------------------------------------------- paper 000

GA = Experiment("ga", nguyen.measure, nguyen.TRIALS, (*EVOLVE, "papers/nguyen.py"))
ARCHIVE = Experiment(
    "archive",
    nguyen.measure_archive,
    nguyen.ARCHIVES,
    (*EVOLVE, "papers/nguyen.py"),
    seeds={"hour": FIVE, "paper": FIVE},
)
DECISIONS = Experiment(
    "decisions", decisions.measure, decisions.BUDGETS, (*EVOLVE, "papers/decisions.py")
)
EVOLVED = {
    name: Experiment(
        name, partial(blondie24.measure, name), trials, (*EVOLVE, "papers/blondie24.py")
    )
    for name, trials in blondie24.TRIALS.items()
}


def archived(name: str, what: str, mean: float) -> Claim:
    """Return the mean over 100 generations, whose values have a standard error of 0.14 each."""
    error = 1.96 * 0.14 / 10
    return Claim(
        f"000-archive-{name}",
        what,
        ARCHIVE,
        told=f"{mean:+.3f}",
        theirs=Interval(mean - error, mean, mean + error),
        even=0.0,
        unit="score",
        table="A champion against the previous five, from -1 to 1",
    )


ARCHIVED = [
    archived("subsquares", "sums of sub-squares, 1 ply: champions improve", 0.217),
    archived("inputs", "32 inputs, 1 ply: champions improve", 0.135),
    archived("sampling", "sampling instead of minimax: champions improve", 0.062),
]
CHAMPION = "The champion of the genetic algorithm"
NGUYEN = [
    Claim(
        "000-ga-untrained",
        "a network without training plays considerably better than random moves",
        GA,
        even=EVEN,
        table=CHAMPION,
    ),
    Claim(
        "000-ga-random",
        "the champion beats random moves",
        GA,
        even=EVEN,
        table=CHAMPION,
        time="20 hours on 128 cores",
        note="their time is that of 200 generations at 6 plies",
    ),
    Claim(
        "000-ga-mcts",
        "the champion beats pure Monte-Carlo tree search",
        GA,
        even=EVEN,
        table=CHAMPION,
    ),
    Claim(
        "000-ga-half-way",
        "the champion beats the one of half the generations",
        GA,
        even=EVEN,
        table=CHAMPION,
    ),
    Claim(
        "000-ga-material",
        "the champion beats alpha-beta that counts pieces, at equal depth (our question)",
        GA,
        even=EVEN,
        table=CHAMPION,
    ),
    Claim(
        "000-ga-rising",
        "ratings of champions rise, Elo of the last quarter above the first",
        GA,
        even=0.0,
        unit="elo",
        table=CHAMPION,
    ),
]
VARY = Experiment(
    "variations",
    variations.measure,
    variations.SCALES,
    (*EVOLVE, "papers/nguyen.py", "papers/variations.py"),
)
VARIED = [
    Claim(
        f"000-vary-{name}",
        variation.what,
        VARY,
        told="-",
        even=EVEN,
        table="What holds it back (our question): a variation against the paper's own",
    )
    for name, variation in variations.VARIATIONS.items()
]
DECIDED = [
    Claim(
        f"000-decision-{part}",
        f"MCTS with early playout termination does better than alpha-beta, at equal {part}",
        DECISIONS,
        even=EVEN,
        table="Two ways to decide, with the network `blondie`",
    )
    for part in ("time", "counts")
]
BLONDIE = [
    Claim(
        f"000-{name}-{part}",
        f"{title}: {what}",
        EVOLVED[name],
        told=told,
        even=even,
        unit=unit,
        table="Blondie24 and Anaconda (Chellapilla and Fogel)",
    )
    for name, title, told in (
        ("blondie", "Blondie24, 250 generations", "Class A, 90 games on the internet"),
        ("anaconda", "Anaconda, 850 generations", "an expert by the title of its paper"),
        ("anaconda-es", "Anaconda by an evolution strategy (ours)", "-"),
    )
    for part, what, even, unit in (
        ("random", "the champion beats random moves", EVEN, "points"),
        ("mcts", "it beats pure Monte-Carlo tree search", EVEN, "points"),
        ("half-way", "it beats the champion of half the generations", EVEN, "points"),
        ("material", "it beats alpha-beta that counts pieces, at equal depth", EVEN, "points"),
        ("rising", "ratings rise, Elo of the last quarter above the first", 0.0, "elo"),
    )
]

PATTERNS = "src/plywise/learners/patterns"


def by_procedure(paper: str, network: str, title: str, sources: tuple[str, ...]) -> Claim:
    """Return our question to a paper: is its procedure what holds its network back?"""
    experiment = Experiment(
        f"procedure-{network}",
        partial(procedure.measure, network),
        procedure.SCALES[network],
        (*sources, PATTERNS, "papers/procedure.py"),
    )
    return Claim(
        f"{paper}-procedure-{network}",
        f"the network of {title} by our pattern learner's targets beats the same as published",
        experiment,
        told="-",
        even=EVEN,
        table="Procedure or network (our question)",
    )


PROCEDURE_000 = by_procedure("000", "blondie", "Blondie24", (*EVOLVE, "papers/blondie24.py"))

# ---------------------------------------------------------------- paper 001

TABLE_I = Experiment(
    "mp-draughts", mp_draughts.measure, mp_draughts.SCALES, (*MP, "papers/mp_draughts.py")
)
SAVING = Experiment(
    "saving",
    visiondraughts.measure,
    visiondraughts.SCALES,
    (DRAUGHTS, "papers/visiondraughts.py"),
)
MP_DRAUGHTS = [
    Claim(
        f"001-{first}-{second}",
        f"{mp_draughts.TITLES[first]} beats {mp_draughts.TITLES[second]}",
        TABLE_I,
        told=f"{wins}-{draws}-{losses}",
        theirs=from_score(wins, draws, losses),
        even=EVEN,
        table="Table I, at equal depth; LS-Draughts from its introduction",
    )
    for (first, second), (wins, draws, losses, _) in mp_draughts.TABLE_1.items()
]
FAULTS = Experiment("faults", faults.measure, faults.SCALES, (*MP, "papers/faults.py"))
FAULTY = [
    Claim(
        f"001-faults-{name}",
        f"VisionDraughts beats itself trained with {what}",
        FAULTS,
        told="-",
        even=EVEN,
        table="What the published programs' own faults cost (our question)",
    )
    for name, what in faults.FAULTS.items()
]
OTHERS_001 = [
    Claim(
        "001-loops",
        "of the endgame loops between MP-Draughts and VisionDraughts, more are Vision's",
        TABLE_I,
        told="loops in 25 % of Vision x Neuro, 0 % of MP x Neuro, 10 % of MP x Vision",
        even=EVEN,
        table="Endgame loops and time",
    ),
    Claim(
        "001-saving",
        "alpha-beta with table and iterative deepening saves 95 % of the time",
        SAVING,
        told="95 %, depth not named",
        theirs=Interval(0.945, 0.95, 0.955),
        table="Endgame loops and time",
    ),
]

PROCEDURE_001 = by_procedure("001", "vision", "VisionDraughts", (*MP, "papers/faults.py"))

# ---------------------------------------------------------------- paper 002

DEEPCHESS = Experiment(
    "deepchess",
    deepchess.measure,
    deepchess.SCALES,
    ("src/plywise/learners/deepchess", "src/plywise/games/chess", "papers/deepchess.py"),
    needs_data=True,
)
VALIDATED = 100_000  # positions of each kind were set aside; the number of pairs is not told


def accuracy(stage: str, prefix: str, split: str) -> Claim:
    """Return a row of Table 1, by one of the splits."""
    share = deepchess.TABLE_1[stage]
    return Claim(
        f"002-{prefix}{stage}",
        f"{deepchess.TITLES[stage]}, {split}",
        DEEPCHESS,
        told=f"{share:.1%}",
        theirs=from_share(round(share * VALIDATED), VALIDATED),
        table="Table 1, accuracy on pairs",
    )


ACCURACIES = [
    accuracy(stage, prefix, split)
    for prefix, split in (("leaky-", "split by position as in the paper"), ("", "unseen games"))
    for stage in deepchess.TABLE_1
]
DISTILLED = Claim(
    "002-distillation",
    "a small network that mimics a large one is better than one from scratch, unseen games",
    DEEPCHESS,
    told="97.1 % against 95.4 %",
    theirs=difference(from_share(97_100, VALIDATED), from_share(95_400, VALIDATED)),
    even=0.0,
    unit="lead",
    table="Table 1, accuracy on pairs",
)
UNDERSTOOD = [
    Claim(
        f"002-{part}",
        what,
        DEEPCHESS,
        even=EVEN,
        table="Section 5.1, static understanding",
    )
    for part, what in (
        ("pieces", "of two positions that differ in a piece it prefers the better one"),
        ("position", "of two that differ in king safety, pawns, mobility and so on, too"),
        ("sacrifices", "where it prefers the side with less material, that side wins"),
    )
]
MATCHES_002 = [
    Claim(
        f"002-{part}",
        what,
        DEEPCHESS,
        told=told,
        theirs=from_score(*score),
        even=even,
        table="Table 2, matches of 100 games; draws are not told",
        note=note,
    )
    for part, what, told, score, even, note in (
        (
            "engine",
            "on a par with the handmade judgement of the engine it is put into, equal time",
            "51.5-48.5 Falcon",
            (51, 1, 48),
            None,
            "ours: `comparison` against `alphabeta` with `classic`",
        ),
        (
            "engine-4",
            "beats it with four times the time",
            "63.5-36.5 Falcon",
            (63, 1, 36),
            EVEN,
            "ours: `comparison` against `alphabeta` with `classic`",
        ),
        (
            "other-engine",
            "beats another engine, equal time",
            "59.0-41.0 Crafty",
            (59, 0, 41),
            EVEN,
            "ours: against Sjeng",
        ),
    )
]

# ---------------------------------------------------------------- paper 003

CONNECT4 = {
    seconds: Experiment(
        f"connect4-{seconds:g}s",
        partial(nhb.measure_connect4, seconds),
        nhb.ROWS,
        (*NHB, "src/plywise/games/connect4"),
    )
    for seconds in nhb.TABLE_1
}
REVERSI = Experiment("reversi", nhb.measure_reversi, nhb.ROWS, (*NHB, "src/plywise/games/reversi"))


def nhb_row(
    name: str, what: str, experiment: Experiment, row: tuple[int, int, int], table: str
) -> Claim:
    """Return a row of a table, which lists losses first."""
    losses, draws, wins = row
    score = (wins, draws, losses)
    told = "-".join(map(str, score))
    return Claim(name, what, experiment, told=told, theirs=from_score(*score), table=table)


TABLE_1 = [
    nhb_row(
        f"003-connect4-{seconds:g}s-{cycle}",
        f"{round(20 * cycle * 0.25 / seconds)} training games",
        CONNECT4[seconds],
        row,
        f"Table 1, Connect Four, {seconds:g} s a move",
    )
    for seconds, rows in nhb.TABLE_1.items()
    for cycle, row in enumerate(rows, 1)
]
REVERSI_TABLE = "Table 2, Reversi"
TABLE_2 = [
    nhb_row(f"003-reversi-{games}", f"{games} training games", REVERSI, row, REVERSI_TABLE)
    for games, row in zip(nhb.TABLE_2_GAMES, nhb.TABLE_2, strict=True)
]
HEURISTICS = [
    nhb_row(f"003-reversi-{name}", what, REVERSI, nhb.TABLE_2_BASELINES[name], REVERSI_TABLE)
    for name, what in (("pieces", "the heuristic of pieces"), ("positional", "the positional one"))
]
LEAD = Claim(
    "003-reversi-lead",
    "the network is better than the positional heuristic",
    REVERSI,
    told="74 % against 73 %",
    theirs=difference(from_score(72, 4, 24), from_score(72, 2, 26)),
    even=0.0,
    unit="lead",
    table=REVERSI_TABLE,
    note="theirs: the best of ten rows; ours: the last one",
)

# ---------------------------------------------------------------- paper 004

STAGES = Experiment(
    "duchess",
    duchess.measure,
    {scale: duchess.SCALES[scale] for scale in ("minute", "hour", "paper")},
    (TREESTRAP, "src/plywise/games/duchess", "papers/duchess.py"),
)
RELATIVES = Experiment(
    "treestrap",
    treestrap.measure,
    treestrap.SCALES,
    (TREESTRAP, DRAUGHTS, "papers/treestrap.py"),
    seeds={"hour": FIVE, "paper": FIVE},
)
STAGE_TIMES = "8, 20 and 4 hours of training"
DUCHESS = [
    Claim(
        f"004-{part}",
        what,
        STAGES,
        told=told,
        theirs=from_score(*score) if score else None,
        even=EVEN,
        table="Duchess in three stages",
        time=STAGE_TIMES,
    )
    for part, what, told, score in (
        ("stage2", "attack and defence beat material alone", "85-2-13", (85, 2, 13)),
        ("stage3", "squares beat attack and defence", "53-9-38", (53, 9, 38)),
        ("staged", "stage by stage beats attack and defence learned at once", "no figure", None),
    )
] + [
    Claim(
        "004-order",
        "of two kinds of pieces the same one is worth more as in Table I",
        STAGES,
        told="Q .13, F .12, D .11, R .09, B .07, W .06, P .06, N .05",
        even=EVEN,
        table="Duchess in three stages",
        time="8 hours, 140 games",
        note="chance would be one half",
    )
]
VENESS = [
    Claim(
        f"004-treestrap-{other}",
        f"TreeStrap is stronger than {title}, Elo",
        RELATIVES,
        told=f"{treestrap.PUBLISHED['treestrap'] - treestrap.PUBLISHED[other]:+} in chess",
        even=0.0,
        unit="elo",
        table="TreeStrap and its relatives, on draughts here (Veness et al. 2009)",
    )
    for other, title in (
        ("untrained", "what it began as"),
        ("tdleaf", "TD-Leaf"),
        ("rootstrap", "RootStrap"),
        ("minimax", "the same with minimax"),
    )
]

CLAIMS: dict[str, Claim] = {
    claim.name: claim
    for claim in (
        *ARCHIVED,
        *NGUYEN,
        *VARIED,
        *DECIDED,
        *BLONDIE,
        PROCEDURE_000,
        *MP_DRAUGHTS,
        *OTHERS_001,
        *FAULTY,
        PROCEDURE_001,
        *ACCURACIES,
        DISTILLED,
        *UNDERSTOOD,
        *MATCHES_002,
        *TABLE_1,
        *TABLE_2,
        *HEURISTICS,
        LEAD,
        *DUCHESS,
        *VENESS,
    )
}
