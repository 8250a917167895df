"""The promise of the project, at a small scale: a game that Plywise has never seen, learned from
nothing in seconds, against players that know nothing and against plain MCTS at equal time.
"""

from functools import partial

from conftest import EXAMPLES
from plywise.arena import Match, play_match
from plywise.arena.statistics import Score, p_value
from plywise.learners.nhb.games import meet_untrained
from plywise.learners.nhb.learner import Nhb, weights_of
from plywise.learners.nhb.settings import NhbSettings
from plywise.players import SearchPlayer
from plywise.search.limits import Limit
from plywise.search.options import Options
from plywise.search.searchers import AlphaBeta

BREAKTHROUGH = EXAMPLES / "breakthrough.py"
SETTINGS = NhbSettings(matches=16, first_matches=16, nodes=300, hidden=64, backward_nodes=2000)
NODES, SIMULATIONS = 3000, 100  # take about the same time: 900 k nodes/s and 31 k simulations/s


def test_an_unknown_game_is_learned_from_nothing() -> None:
    learner = Nhb(str(BREAKTHROUGH), SETTINGS)
    state = learner.begin()
    for step in range(5):
        state = learner.advance(state, step).state
    model = learner.model(weights_of(state))

    results = meet_untrained(model, 40, Limit(nodes=300))
    score = Score(results.count(1), results.count(0), results.count(-1))
    assert score.mean > 0.5
    assert p_value(score) < 0.01

    player = SearchPlayer("nhb", partial(AlphaBeta, model, Options(), 14), Limit(nodes=NODES))
    pair = (player, f"mcts,nodes={SIMULATIONS}")
    match = play_match(Match(learner.game, pair, games=30, openings="random", opening_plies=4))
    assert match.estimate.low > 0
