"""One expert for all endgames: what training from boards of 12 pieces is worth, and by what rule.

python papers/endgame_expert.py --discount 0.98
"""

from typing import Annotated

import numpy as np
import typer
from rerun import choose, console
from rich.console import Console
from rich.progress import track

from plywise.evaluators.model import Model
from plywise.game import Rows
from plywise.games import load_game
from plywise.learners.mp.learner import Mp
from plywise.learners.mp.settings import MpSettings
from plywise.learners.td.settings import TdSettings
from plywise.learners.td.training import TdState, Training
from plywise.players import find_model
from plywise.search.duel import play_duel
from plywise.search.options import Options

GAME = "draughts"
BASE = "vision"  # the first agent, a model that ships
OTHERS = 77  # the seed of boards that nobody was trained on
NO_MOVES = np.zeros(0, np.uint64)


def boards_of(count: int, depth: int, seed: int) -> Rows:
    """Return positions with 12 pieces from games of the first agent against itself."""
    learner = Mp(GAME, MpSettings(base=BASE, boards=count, depth=depth, seed=seed))
    return learner.collect(learner.base_vector(learner.begin()))


def points(expert: Model, base: Model, boards: Rows, depth: int) -> tuple[float, float]:
    """Return the expert's mean points a game from boards with both colours, and its 95 % error."""
    options, found = Options(quiescence=False), []
    for board in boards:
        first = play_duel((expert, base), options, depth, 150, NO_MOVES, board).result
        second = play_duel((base, expert), options, depth, 150, NO_MOVES, board).result
        found.append((first - second) / 2)
    return float(np.mean(found)), float(1.96 * np.std(found) / np.sqrt(len(found)))


def main(
    discount: Annotated[float, typer.Option(help="Gamma of the expert.")] = 0.98,
    rate: Annotated[float, typer.Option(help="Its learning rate.")] = 1.0,
    first: Annotated[str, typer.Option(help="What it begins as: base or random.")] = "base",
    features: Annotated[str, typer.Option(help="What it sees, see td.")] = "vision",
    sets: Annotated[int, typer.Option(min=1, help="Sets of games.")] = 10,
    games: Annotated[int, typer.Option(min=1, help="Games of a set.")] = 250,
    depth: Annotated[int, typer.Option(min=1, help="Plies of the search.")] = 4,
    boards: Annotated[int, typer.Option(min=25, help="For training; half as many test.")] = 1000,
) -> None:
    """Train an expert and print its points a game against the first agent."""
    choose("first player", first, dict.fromkeys(("base", "random")))
    game = load_game(GAME)
    base = find_model(BASE, game)
    trained = boards_of(boards, depth, 1)
    fresh = boards_of(max(25, boards // 2), depth, OTHERS)
    settings = TdSettings(
        features=features,
        discount=discount,
        rate=rate,
        sets=sets,
        games=games,
        depth=depth,
        opening_plies=2,
    )
    training = Training(GAME, settings, starts=trained)
    state = training.begin()
    if first == "base":
        vector = training.layout.vector(base.weights)
        state = TdState(vector, vector, vector[None])
    for number in track(range(sets), "training", console=console):
        state, _ = training.advance(state, number)
    players = {"as it is in the end": state.vector}
    if len(state.clones):
        players["best of its clones"] = state.clones[training.choose_champion(state)]
    for name, vector in players.items():
        mean, error = points(training.layout.model(vector), base, fresh, depth)
        Console().print(f"{name}: {mean:+.3f} +- {error:.3f} points a game")


if __name__ == "__main__":
    typer.run(main)
