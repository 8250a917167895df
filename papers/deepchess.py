"""Paper 002, "DeepChess: End-to-End Deep Neural Network for Automatic Learning in Chess", rerun.

python papers/deepchess.py --data data/games --scale hour

The data set is made by `plywise dataset chess FILES... --out data/games`.
"""

import json
import shutil
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import report
import typer
from experiment import Job, difference
from rerun import OUT, Folder, Size, choose, console, train
from results import Measured, match_measured, share_measured

from plywise.arena import Match, play_match
from plywise.datasets import DataSet, open_data_set
from plywise.evaluators import make_evaluator
from plywise.evaluators.model import Model, read_card, save_model
from plywise.games import load_game
from plywise.learners import champion_model
from plywise.learners.deepchess.settings import DeepchessSettings
from plywise.players import make_player
from plywise.reports.pair_report import leads_by, report_pairs, turned_pairs
from plywise.reports.plots import pyplot
from plywise.reports.understanding import sacrifices, understanding
from plywise.runs import Run

TABLE_1 = {"siamese": 0.980, "distilling": 0.971, "control": 0.954}  # validation accuracy
TITLES = {"siamese": "uncompressed", "distilling": "compressed", "control": "small, from scratch"}
TABLE_2 = "DeepChess 59.0-41.0 Crafty, +63 Elo; 51.5-48.5 Falcon, +10"
ENGINES = {  # Table 2 with what Debian has
    "sjeng": "cecp:sjeng",
    "phalanx": "cecp:phalanx -b-",
    "gnuchess": "uci:gnuchess --uci",
}
STOCKFISH = "uci:stockfish,nodes=3000"


@dataclass(frozen=True)
class Scale:
    """How large a rerun is."""

    comparator: DeepchessSettings
    scalar: DeepchessSettings
    pairs: int  # by which judges are measured
    engine_pairs: int
    games: int  # of each match
    seconds: float  # for a move


def _sized(pairs: int, epochs: int, **more: Any) -> tuple[DeepchessSettings, DeepchessSettings]:
    """Return the settings of both kinds for so many pairs an epoch."""
    return (
        DeepchessSettings(pairs=pairs, epochs=epochs, **more),
        DeepchessSettings(kind="scalar", pairs=pairs, epochs=epochs, pairings=8, tested=2000),
    )


_SHORT = {"control": 2, "mimicking": 1, "distilling": 3, "tested": 2000}
SCALES = {
    "minute": Scale(*_sized(40_000, 4, **_SHORT), 2000, 40, 4, 0.05),
    "hour": Scale(
        DeepchessSettings(),
        DeepchessSettings(kind="scalar", epochs=24, pairings=8),
        20_000,
        500,
        100,
        0.2,
    ),
    "paper": Scale(
        DeepchessSettings(preset="paper"),
        DeepchessSettings(kind="scalar", epochs=100, pairings=8),
        20_000,
        2000,
        100,
        1.0,
    ),
}


def trained(folder: Path, settings: DeepchessSettings, data: Path) -> Run:
    """Return the finished run of a folder."""
    return train(folder, "deepchess", "chess", replace(settings, data=str(data)))


@dataclass(frozen=True)
class Trained:
    """The runs of the comparator and of the scalar, by name, with their models and files."""

    runs: dict[str, Run]
    models: dict[str, Model]
    files: dict[str, Path]


def train_both(scale: Scale, data: Path, out: Path, size: str, seed: int = 1) -> Trained:
    """Train both kinds; their models are written beside the runs, with how they play best."""
    kinds = {"deepchess": scale.comparator, "deepchess-scalar": scale.scalar}
    found = Trained({}, {}, {})
    for name, settings in kinds.items():
        run = trained(out / f"{name}-{size}", replace(settings, seed=seed), data)
        model, path = champion_model(run), out / f"{name}-{size}.safetensors"
        search = "comparison" if name == "deepchess" else "alphabeta"
        card = {**read_card(run.model_path), "search": search}
        save_model(Model(model.evaluator, model.weights, card), path)
        found.runs[name], found.models[name], found.files[name] = run, model, path
    return found


def table_1(run: Run) -> dict[str, dict[str, float]]:
    """Return the last accuracies of the three networks, on unseen games and by the leaky split."""
    last = {line["stage"]: line for line in run.metrics() if "unseen" in line}
    return {
        stage: {"unseen": last[stage]["unseen"], "leaky": last[stage]["leaky"], "paper": paper}
        for stage, paper in TABLE_1.items()
        if stage in last
    }


def judges(models: dict[str, Model], data: DataSet, scale: Scale) -> dict[str, Any]:
    """Return what pairs say of the models, of material and, where it is there, of Stockfish."""
    chess = data.game
    known = {
        "material": Model(make_evaluator("material", chess)),
        "classic": Model(make_evaluator("classic", chess)),
        **models,
    }
    found = {
        name: {
            **report_pairs(leads_by(model, data), data, scale.pairs).as_values(),
            "turned": turned_pairs(model, data, scale.pairs),
        }
        for name, model in known.items()
    }
    if shutil.which("stockfish"):
        player = make_player(STOCKFISH, chess)
        try:
            leads = leads_by(player, data)
            shown = report_pairs(leads, data, scale.engine_pairs, is_thorough=False)
            found["stockfish, 3000 nodes"] = shown.as_values()
        finally:
            player.close()
    return found


def table_2(files: dict[str, Path], scale: Scale) -> dict[str, Any]:
    """Return the matches at equal time against other judgements and against engines."""
    ours = f"{files['deepchess']},seconds={scale.seconds}"
    others = {
        "alphabeta with material": f"alphabeta,eval=material,seconds={scale.seconds}",
        "alphabeta with classic": f"alphabeta,seconds={scale.seconds}",
        "alphabeta with the scalar": f"{files['deepchess-scalar']},seconds={scale.seconds}",
        "alphabeta with the comparator": f"{files['deepchess']},search=alphabeta,"
        f"seconds={scale.seconds}",
    }
    for name, command in ENGINES.items():
        if shutil.which(name):
            others[name] = f"{command},seconds={scale.seconds}"
    found = {}
    for name, text in others.items():
        console.print(f"deepchess against {name}")
        match = Match(load_game("chess"), (ours, text), games=scale.games)
        found[name] = play_match(match, jobs=1).summary()
    return found


# ---------------------------------------------------------------- for the page of all papers

MATERIAL = 9  # the first concepts of section 5.1 are about pieces, the others about position
SPLITS = {"unseen": "", "leaky": "leaky-"}  # how games or positions were held out


def measure(job: Job) -> dict[str, Measured]:
    """Train; return Table 1 by both splits, section 5.1, and matches as in Table 2."""
    assert job.data is not None
    scale, data = SCALES[job.scale], open_data_set(job.data, load_game("chess"))
    both = train_both(scale, job.data, job.folder, job.scale, job.seed)
    found = accuracies_measured(both.runs["deepchess"])
    lead = difference(found["distilling"].interval, found["control"].interval)
    games = found["control"].games
    found["distillation"] = Measured(lead.value, lead.low, lead.high, games)
    model = both.models["deepchess"]
    known = understanding(model, data)
    for part, concepts in (("pieces", known[:MATERIAL]), ("position", known[MATERIAL:])):
        right = round(sum(one.right * one.pairs for one in concepts))
        found[part] = share_measured(right, sum(one.pairs for one in concepts))
    given = sacrifices(model, data)
    found["sacrifices"] = share_measured(given.won, given.preferred)
    return {**found, **matches_measured(both.files["deepchess"], scale, job)}


def accuracies_measured(run: Run) -> dict[str, Measured]:
    """Return the last accuracies of the three networks, by both splits."""
    tested = run.settings()["tested"]
    return {
        f"{prefix}{stage}": share_measured(round(row[split] * tested), tested)
        for stage, row in table_1(run).items()
        for split, prefix in SPLITS.items()
    }


def matches_measured(file: Path, scale: Scale, job: Job) -> dict[str, Measured]:
    """Return matches against the handmade judgement of our own search, and an engine.

    With four times the time as well, for that is how much slower the paper's network was.
    """
    opponents = {"engine": (f"alphabeta,seconds={scale.seconds}", 1)}
    opponents["engine-4"] = (opponents["engine"][0], 4)
    if shutil.which("sjeng"):
        opponents["other-engine"] = (f"{ENGINES['sjeng']},seconds={scale.seconds}", 1)
    found = {}
    for part, (text, factor) in opponents.items():
        ours = f"{file},seconds={factor * scale.seconds:g}"
        match = Match(load_game("chess"), (ours, text), games=scale.games, seed=job.seed)
        found[part] = match_measured(play_match(match, jobs=1))
    return found


# ---------------------------------------------------------------- the report page


def accuracy_plot(run: Run) -> str:
    """Return the accuracies of all networks over epochs."""
    figure, axis = pyplot().subplots(figsize=(8, 3.4))
    for colour, (stage, title) in zip(("C0", "C1", "C2"), TITLES.items(), strict=True):
        lines = [line for line in run.metrics() if line["stage"] == stage]
        epochs = [line["epoch"] + 1 for line in lines]
        axis.plot(epochs, [line["unseen"] for line in lines], color=colour, label=title)
        axis.plot(epochs, [line["leaky"] for line in lines], "--", color=colour)
    axis.set_xlabel("epoch (dashed: unseen positions of games that were learned from)")
    axis.set_ylabel("share of pairs")
    axis.legend()
    figure.tight_layout()
    return report.picture(figure)


def page_of(numbers: dict[str, Any], run: Run) -> list[str]:
    """Return the parts of the report."""
    percent = "{:.1%}".format
    first = [
        [TITLES[stage], percent(row["unseen"]), percent(row["leaky"]), percent(row["paper"])]
        for stage, row in numbers["table 1"].items()
    ]
    judged = [
        [
            name,
            str(row["pairs"]),
            f"{row['unseen']:.1%} ± {row['error']:.1%}",
            percent(row["leaky"]),
        ]
        for name, row in numbers["judges"].items()
    ]
    known = [
        [row["concept"], str(row["pairs"]), percent(row["right"]), f"{row['lead']:+.2f}"]
        for row in numbers["understanding"]
    ]
    matches = [
        [name, f"{row['wins']}-{row['draws']}-{row['losses']}", elo(row)]
        for name, row in numbers["table 2"].items()
    ]
    given = numbers["sacrifices"]
    return [
        "<h2>Table 1: accuracy, and the leak</h2>",
        report.table(["network", "unseen games", "leaky split", "the paper (leaky)"], first),
        accuracy_plot(run),
        report.table(["judge", "pairs", "unseen games", "leaky split"], judged),
        "<h2>Section 5.1: static understanding</h2>",
        report.table(["better has", "pairs", "preferred", "mean lead"], known),
        f"<p>In {given['looked_at']:,} positions of unseen games one side has less material. The "
        f"compressed network prefers it in {given['preferred']:,}, and it won {given['won']:,} of "
        "these games.</p>",
        "<h2>Table 2: matches</h2>",
        report.table(["deepchess against", "W-D-L", "Elo"], matches),
        f"<p>The paper: {TABLE_2}.</p>",
    ]


def elo(row: dict[str, Any]) -> str:
    """Return a difference in Elo with its 95 % interval, as far as it is known."""
    texts = ["?" if row[key] is None else f"{row[key]:+.0f}" for key in ("elo_low", "elo_high")]
    middle = "?" if row["elo"] is None else f"{row['elo']:+.0f}"
    return f"{middle} [{', '.join(texts)}]"


def main(
    data: Annotated[Path, typer.Option(help="A data set of chess.")],
    scale: Size = "minute",
    out: Folder = OUT,
) -> None:
    """Rerun both tables and section 5.1 and write a report page."""
    size = choose("scale", scale, SCALES)
    opened = open_data_set(data, load_game("chess"))
    both = train_both(size, data, out, scale)
    model = both.models["deepchess"]
    numbers: dict[str, Any] = {
        "table 1": table_1(both.runs["deepchess"]),
        "judges": judges(both.models, opened, size),
        "understanding": [asdict(one) for one in understanding(model, opened)],
        "sacrifices": asdict(sacrifices(model, opened)),
        "table 2": table_2(both.files, size),
    }
    (out / f"deepchess-{scale}.json").write_text(json.dumps(numbers, indent=2))
    page = [f"<p>Made by <code>python papers/deepchess.py --scale {scale}</code>.</p>"]
    page += page_of(numbers, both.runs["deepchess"])
    report.write_page(out / f"deepchess-{scale}.html", "Paper 002, rerun", page)
    console.print(str(out / f"deepchess-{scale}.html"))


if __name__ == "__main__":
    typer.run(main)
