"""Alpha-beta against MCTS with early playout termination: the two decisions of paper 000.

The same network judges for both; and the champions of two runs, one for each decision, meet.
"""

import json
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import evolution
import numpy as np
import report
from evolution import Study
from experiment import Job
from rerun import console, meet
from results import Measured, match_measured

from plywise.arena import Match, MatchResult, play_match
from plywise.evaluators.model import Model
from plywise.games import load_game
from plywise.learners import champion_model
from plywise.learners.shared.openings import random_opening
from plywise.players import SearchPlayer, find_model
from plywise.reports.run_report import OPENING_PLIES, TABLE_BITS, test_table
from plywise.search.limits import Limit
from plywise.search.mcts import MctsOptions
from plywise.search.options import Options
from plywise.search.searchers import AlphaBeta, Mcts

STRONG = "blondie"  # a network that ships and beats material
CAP = 6  # plies of a playout, as in the paper
POSITIONS, TRIAL = 20, 2000  # to measure a rate: positions, and nodes in each
HEADER = ["network and budget", "W-D-L of alpha-beta", "points", "Elo", ""]


@dataclass(frozen=True)
class Budget:
    """What a move may cost, and how many games are played for each row."""

    games: int
    seconds: float  # for a move, by processor time
    nodes: int  # for a move: positions of alpha-beta, simulations of MCTS


BUDGETS = {
    "minute": Budget(games=100, seconds=0.002, nodes=200),
    "hour": Budget(games=200, seconds=0.01, nodes=1000),
    "paper": Budget(games=400, seconds=0.05, nodes=10_000),
}


def alphabeta(model: Model, limit: Limit) -> SearchPlayer:
    """Return a network that decides by alpha-beta, with the options it was trained with."""
    options = Options(**model.card["options"])
    name = "alpha-beta"
    return SearchPlayer(name, partial(AlphaBeta, model, options, TABLE_BITS), limit)


def ept(model: Model, cap: int, limit: Limit) -> SearchPlayer:
    """Return a network that decides by MCTS and judges at the end of short playouts."""
    name = "MCTS-EPT"
    return SearchPlayer(name, partial(Mcts, model, MctsOptions(cap=cap)), limit)


def rate(player: SearchPlayer) -> float:
    """Return the positions or simulations that a player searches in a second of processor time."""
    generator = np.random.default_rng(1)
    records = [
        random_opening(load_game(evolution.GAME), 2 * n, generator) for n in range(POSITIONS)
    ]
    player.choose(records[0])  # compile, or load
    before = time.process_time()
    nodes = sum(player.choose(record).nodes for record in records)
    return nodes / (time.process_time() - before)


Pairing = tuple[str, SearchPlayer, SearchPlayer]  # what is compared, alpha-beta, MCTS


def at_budgets(name: str, models: tuple[Model, Model], cap: int, budget: Budget) -> list[Pairing]:
    """Return the matches of two networks, one for each decision, at equal time and equal counts.

    Time is turned into counts by the rates measured beforehand, so that games do not depend on
    what else the machine is doing.
    """
    trial = Limit(nodes=TRIAL)
    rates = rate(alphabeta(models[0], trial)), rate(ept(models[1], cap, trial))
    positions, simulations = (max(1, round(budget.seconds * speed)) for speed in rates)
    counts = {
        f"{1000 * budget.seconds:g} ms a move ({positions} positions, {simulations} simulations)": (
            positions,
            simulations,
        ),
        f"{budget.nodes} positions or simulations": (budget.nodes, budget.nodes),
    }
    return [
        (
            f"{name}, {what}",
            alphabeta(models[0], Limit(nodes=first)),
            ept(models[1], cap, Limit(nodes=second)),
        )
        for what, (first, second) in counts.items()
    ]


def pairings(
    studies: tuple[Study, Study], models: tuple[Model, Model], budget: Budget
) -> list[Pairing]:
    """Return all matches; the studies and their champions come in the order alpha-beta, MCTS."""
    cap = studies[1].settings.cap
    strong = find_model(STRONG, load_game(evolution.GAME))
    networks = {
        "champion of alpha-beta": (models[0], models[0]),
        "champion of MCTS": (models[1], models[1]),
        STRONG: (strong, strong),
        "each its own champion": models,
    }
    found = [
        pairing
        for name, both in networks.items()
        for pairing in at_budgets(name, both, cap, budget)
    ]
    depth, simulations = studies[0].settings.depth, studies[1].settings.simulations
    as_trained = (
        f"each its own champion as trained: {depth} plies, {simulations} simulations",
        alphabeta(models[0], Limit(depth=depth)),
        ept(models[1], cap, Limit(nodes=simulations)),
    )
    return [*found, as_trained]


def measure(job: Job) -> dict[str, Measured]:
    """Return how MCTS-EPT does against alpha-beta with a good network, by time and by counts."""
    budget = BUDGETS[job.scale]
    strong = find_model(STRONG, load_game(evolution.GAME))
    found = {}
    pairs = at_budgets(STRONG, (strong, strong), CAP, budget)
    for part, (what, first, second) in zip(("time", "counts"), pairs, strict=True):
        console.print(what)
        result = meet(evolution.GAME, (second, first), budget.games, job.seed, job.workers.jobs)
        found[f"decision-{part}"] = match_measured(result)
    return found


def compare(studies: tuple[Study, Study], size: str, out: Path) -> dict[str, MatchResult]:
    """Train or resume both studies, play all matches and write the page."""
    out.mkdir(parents=True, exist_ok=True)
    runs = [evolution.run_study(study, out / f"{study.name}-{size}") for study in studies]
    models = (champion_model(runs[0]), champion_model(runs[1]))
    results = {}
    for what, first, second in pairings(studies, models, BUDGETS[size]):
        console.print(what)
        match = Match(
            load_game(evolution.GAME),
            (first, second),
            games=BUDGETS[size].games,
            openings="random",
            opening_plies=OPENING_PLIES,
            seed=4,
        )
        results[what] = play_match(match)
    rows = test_table(results)
    for row in rows:
        console.print("  ".join(row))
    write(studies, size, out, rows)
    numbers = {what: result.summary() for what, result in results.items()}
    (out / f"decisions-{size}.json").write_text(json.dumps(numbers, indent=2))
    return results


def write(studies: tuple[Study, Study], size: str, out: Path, rows: list[list[str]]) -> None:
    """Write the page."""
    settings, mcts = (study.settings for study in studies)
    page = out / f"decisions-{size}.html"
    parts = [
        f"<p>Made by <code>python papers/nguyen.py --compare --scale {size} --generations "
        f"{settings.generations}</code>.</p>",
        f"<p>Two runs of {settings.generations} generations, alike but for the decision: "
        f"alpha-beta of {settings.depth} plies, or MCTS with {mcts.simulations} simulations and "
        f"playouts of {mcts.cap} plies that the network judges. Alpha-beta without "
        f"quiescence, as trained; <code>{STRONG}</code> with it. Milliseconds are those of the "
        "processor, turned into counts by rates measured beforehand. "
        f"{BUDGETS[size].games} games over paired random openings for each row; Elo with 95 % "
        "error bars from pairs.</p>",
        report.table(HEADER, rows),
    ]
    report.write_page(page, "Alpha-beta against MCTS-EPT", parts)
    console.print(f"{page}")
