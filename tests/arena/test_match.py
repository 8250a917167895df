"""Matches are fair, repeatable and keep what was played."""

import json
import os
import signal
import threading
from pathlib import Path
from typing import Any

import pytest

from arena.doubles import Double, Staller, crash, first_move, illegal
from plywise.arena import GameLimits, Match, MatchResult, Scoreboard, Sprt, play_match
from plywise.arena.match import paired_fixtures
from plywise.arena.scheduler import in_order, numbered
from plywise.arena.statistics import Pentanomial, Score
from plywise.errors import PlywiseError
from plywise.formats import Transcript, read_games, replay
from plywise.game import Game
from plywise.game.record import Record
from plywise.games import load_game
from plywise.system.parallel import run_tasks, worker_count


@pytest.fixture(scope="module")
def draughts() -> Game:
    return load_game("draughts")


@pytest.fixture(scope="module")
def connect4() -> Game:
    return load_game("connect4")


def test_every_opening_is_played_twice_with_colours_reversed(connect4: Game) -> None:
    result = play_match(Match(connect4, ("random", "alphabeta,depth=1"), games=8), jobs=1)
    assert [record.number for record in result.records] == [*range(1, 9)]
    for first, second in zip(result.records[::2], result.records[1::2], strict=True):
        assert first.players == second.players[::-1]
        assert first.start == second.start
        plies = first.opening_plies
        assert plies == 4
        assert first.moves[:plies] == second.moves[:plies]
    assert len({record.moves[:4] for record in result.records}) == 4


@pytest.mark.parametrize("count", [0, 3, 8])
def test_a_match_that_was_broken_off_goes_on_to_the_same_games(
    connect4: Game, tmp_path: Path, count: int
) -> None:
    match = Match(connect4, ("random", "alphabeta,depth=1"), games=8)
    whole = play_match(match, jobs=1)
    resumed = play_match(match, 2, tmp_path / "games.jsonl", played=whole.records[:count])
    assert [one.moves for one in resumed.records] == [one.moves for one in whole.records]
    assert (resumed.score, resumed.pentanomial) == (whole.score, whole.pentanomial)
    assert len(read_games(tmp_path / "games.jsonl", connect4)) == 8


@pytest.mark.parametrize("name", ["draughts", "connect4", "reversi"])
def test_a_player_against_itself_comes_out_even_in_every_pair(name: str) -> None:
    players = ("alphabeta,depth=3", "alphabeta,depth=3")
    result = play_match(Match(load_game(name), players, games=12))
    assert result.players == ("alphabeta,depth=3", "alphabeta,depth=3 #2")
    assert result.pentanomial == Pentanomial(even=6)
    assert result.score.wins == result.score.losses
    assert result.estimate.elo == 0
    assert result.los == 0.5


def test_a_stronger_player_beats_a_weaker_one(draughts: Game) -> None:
    result = play_match(Match(draughts, ("alphabeta,depth=5", "random"), games=20))
    assert result.score == Score(wins=20)
    assert result.estimate.low > 100
    assert result.los > 0.99
    swapped = play_match(Match(draughts, ("random", "alphabeta,depth=5"), games=4))
    assert swapped.score == Score(losses=4)


@pytest.mark.parametrize(
    "players",
    [
        ("alphabeta,depth=4", "alphabeta,nodes=500"),
        ("mcts,nodes=150", "random"),
        ("mcts,nodes=100,reuse=off", "mcts,nodes=150,cap=3,eval=material"),
    ],
)
def test_one_and_two_workers_play_the_same_games(draughts: Game, players: tuple[str, str]) -> None:
    match = Match(draughts, players, games=8, limits=GameLimits(max_plies=80), seed=11)
    one, two = play_match(match, jobs=1), play_match(match, jobs=2)
    assert one.records == two.records
    assert len({record.seed for record in one.records}) == 8


def test_another_seed_gives_other_games(connect4: Game) -> None:
    one, two = (
        play_match(Match(connect4, ("random", "random"), games=2, seed=seed)) for seed in (1, 2)
    )
    assert one.records != two.records


def test_faults_are_counted_and_told(connect4: Game) -> None:
    players = (Double(crash, "crasher"), Double(illegal, "cheat"))
    result = play_match(Match(connect4, players, games=4), jobs=2)
    assert result.score == Score(wins=2, losses=2)
    assert result.reasons == {"crash": 2, "illegal move": 2}
    assert result.faults == [
        "Game 1: crasher: crash: RuntimeError: out of ideas",
        "Game 2: cheat: illegal move: 99",
        "Game 3: crasher: crash: RuntimeError: out of ideas",
        "Game 4: cheat: illegal move: 99",
    ]


def test_a_player_that_went_wrong_is_replaced_by_another_twin(connect4: Game) -> None:
    crasher = Double(crash, "crasher")
    play_match(Match(connect4, (crasher, "random"), games=4), jobs=1)
    assert len(crasher.twins) == 4  # one for every game


@pytest.mark.parametrize("act", [first_move, crash])
def test_a_match_closes_the_twins_it_made_and_no_others(connect4: Game, act: Any) -> None:
    double = Double(act)
    play_match(Match(connect4, (double, "random"), games=4), jobs=2)
    assert double.twins
    assert all(twin.is_closed for twin in double.twins)
    assert not double.is_closed


def test_players_are_closed_when_a_match_fails(connect4: Game) -> None:
    double = Double()

    def tell(board: Scoreboard) -> None:
        raise RuntimeError("no paper left")

    with pytest.raises(RuntimeError):
        play_match(Match(connect4, (double, "random"), games=4), jobs=2, tell=tell)
    assert all(twin.is_closed for twin in double.twins)


def test_games_at_once_have_players_of_their_own(connect4: Game) -> None:
    busy: set[int] = set()
    lock = threading.Lock()

    class Lonely(Double):
        def choose(self, record: Record, *arguments: Any) -> Any:
            with lock:
                assert id(self) not in busy
                busy.add(id(self))
            try:
                return first_move(record)
            finally:
                with lock:
                    busy.remove(id(self))

        def twin(self) -> "Lonely":
            self.twins.append(Lonely(name=self.name))
            return Lonely(name=self.name)

    lonely = Lonely()
    result = play_match(Match(connect4, (lonely, Lonely()), games=20), jobs=3)
    assert result.faults == []
    assert 1 <= len(lonely.twins) <= 3


def test_a_player_that_cannot_begin_is_told_before_any_game(connect4: Game) -> None:
    class Missing(Double):
        def new_game(self, seed: int) -> None:
            raise PlywiseError("There is no such engine.")

        def twin(self) -> "Missing":
            return Missing()

    with pytest.raises(PlywiseError, match="no such engine"):
        play_match(Match(connect4, ("random", Missing())))


def test_long_games_are_draws_and_counted_as_such(draughts: Game) -> None:
    match = Match(draughts, ("random", "random"), games=4, limits=GameLimits(max_plies=10))
    result = play_match(match)
    assert result.score == Score(draws=4)
    assert result.reasons == {"too long": 4}


def test_a_sequential_test_ends_a_match_at_the_same_game_for_any_number_of_workers(
    connect4: Game,
) -> None:
    match = Match(connect4, ("alphabeta,depth=4", "random"), games=400, sprt=Sprt(0, 200))
    one, two = play_match(match, jobs=1), play_match(match, jobs=2)
    assert one.decision == "accept"
    assert 2 <= one.score.games < 100
    assert one.records == two.records
    assert one.score.games == 2 * one.pentanomial.samples
    test = one.summary()["sprt"]
    assert test["llr"] >= test["bounds"][1]


def test_games_are_on_disk_when_they_are_told(connect4: Game, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    lines: list[int] = []

    def tell(board: Scoreboard) -> None:
        lines.append(len(path.read_text().splitlines()))
        assert board.score.games == len(lines)

    result = play_match(Match(connect4, ("random", "random"), games=6), save=path, tell=tell)
    assert lines == [1, 2, 3, 4, 5, 6]
    assert tuple(read_games(path, connect4)) == result.records


@pytest.mark.parametrize("ending", ["pdn", "pgn", "jsonl"])
def test_saved_games_can_be_read_and_replayed(draughts: Game, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"games.{ending}"
    match = Match(draughts, ("alphabeta,depth=2", "random"), games=4)
    result = play_match(match, save=path)
    games = read_games(path, draughts)
    assert tuple(games) == result.records
    for transcript in games:
        record = replay(transcript, draughts)
        ending_by_rule = record.ending()
        assert ending_by_rule is not None
        assert ending_by_rule.score == transcript.score


def test_a_file_that_holds_something_is_not_written_over(connect4: Game, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text("precious")
    with pytest.raises(PlywiseError, match="name a new file"):
        play_match(Match(connect4, ("random", "random"), games=2), save=path)
    assert path.read_text() == "precious"


def interrupting_match(game: Game, path: Path, jobs: int) -> MatchResult:
    """Play a match in which Ctrl-C comes when the fourth game is told, others under way."""

    def tell(board: Scoreboard) -> None:
        if board.score.games == 4:
            os.kill(os.getpid(), signal.SIGINT)

    match = Match(game, ("alphabeta,depth=3", "random"), games=1000)
    return play_match(match, jobs=jobs, save=path, tell=tell)


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_keeps_all_finished_games(connect4: Game, tmp_path: Path, jobs: int) -> None:
    before = signal.getsignal(signal.SIGINT)
    path = tmp_path / "games.jsonl"
    result = interrupting_match(connect4, path, jobs)
    assert result.is_interrupted
    assert 4 <= result.score.games < 100
    assert tuple(read_games(path, connect4)) == result.records
    assert result.summary()["is_interrupted"] is True
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_stops_searches_under_way(connect4: Game, jobs: int) -> None:
    staller = Staller()

    def send() -> None:
        assert staller.is_thinking.wait(60)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=send, daemon=True).start()
    result = play_match(Match(connect4, (staller, "random")), jobs=jobs)
    assert result.is_interrupted
    assert result.score == Score()
    assert result.summary()["elo"] == 0
    assert result.summary()["elo_error"] is None


def test_an_error_in_the_middle_of_a_match_is_not_hidden(connect4: Game) -> None:
    def tell(board: Scoreboard) -> None:
        raise RuntimeError("no paper left")

    with pytest.raises(RuntimeError, match="no paper left"):
        play_match(Match(connect4, ("random", "random"), games=20), jobs=1, tell=tell)


def test_a_game_without_its_partner_counts_in_the_score_only() -> None:
    board = Scoreboard("a")
    board.add(Transcript("connect4", ("a", "b"), score=1, number=1))
    board.add(Transcript("connect4", ("b", "a"), score=1, number=2))
    board.add(Transcript("connect4", ("a", "b"), score=1, number=3))
    assert board.score == Score(wins=2, losses=1)
    assert board.pentanomial == Pentanomial(even=1)


def test_the_summary_is_json_even_if_elo_is_infinite(connect4: Game) -> None:
    result = play_match(Match(connect4, ("alphabeta,depth=4", Double(illegal)), games=4))
    summary = json.loads(json.dumps(result.summary(), allow_nan=False))
    assert {key: summary[key] for key in ("wins", "draws", "losses", "elo", "elo_error")} == {
        "wins": 4,
        "draws": 0,
        "losses": 0,
        "elo": None,
        "elo_error": None,
    }
    assert summary["elo_low"] < 0  # two pairs prove little
    assert summary["elo_high"] is None
    assert summary["pentanomial"] == [0, 0, 0, 0, 2]


@pytest.mark.parametrize("games", [-2, 0, 1, 7])
def test_the_number_of_games_is_even(connect4: Game, games: int) -> None:
    with pytest.raises(PlywiseError, match="even"):
        Match(connect4, ("random", "random"), games=games)


def test_a_match_of_too_many_games_is_refused(connect4: Game) -> None:
    with pytest.raises(PlywiseError, match="at most 100,000,000 games"):
        Match(connect4, ("random", "random"), games=10**26)


def test_bad_players_are_told_before_any_game(connect4: Game) -> None:
    with pytest.raises(PlywiseError, match="no player called 'randm'"):
        play_match(Match(connect4, ("randm", "random")))
    with pytest.raises(PlywiseError, match="is for reversi"):
        play_match(Match(connect4, ("random", "alphabeta,eval=positional")))


def test_equal_names_are_numbered() -> None:
    names = numbered(["random", "random", "mcts", "random"])
    assert names == ("random", "random #2", "mcts", "random #3")


def test_fixtures_pair_openings() -> None:
    fixtures = [(each.number, each.sides, each.opening) for each in paired_fixtures(2)]
    assert fixtures == [(1, (0, 1), 0), (2, (1, 0), 0), (3, (0, 1), 1), (4, (1, 0), 1)]


def test_games_come_in_order_and_gaps_are_left_out_at_the_end() -> None:
    shuffled = [Transcript("g", ("a", "b"), number=number) for number in (2, 1, 5, 3, 7)]
    assert [each.number for each in in_order(shuffled)] == [1, 2, 3, 5, 7]


@pytest.mark.parametrize("jobs", [1, 3])
def test_every_task_is_answered(jobs: int) -> None:
    answers = run_tasks(lambda task: task * task, range(20), jobs)
    assert sorted(answers) == [task * task for task in range(20)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_so_many_tasks_run_at_once(jobs: int) -> None:
    running, most = 0, 0
    lock = threading.Lock()

    def work(task: int) -> None:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        threading.Event().wait(0.001)
        with lock:
            running -= 1

    assert len([*run_tasks(work, range(30), jobs)]) == 30
    assert 1 <= most <= jobs


def test_an_error_in_a_task_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        list(run_tasks(lambda task: 1 // task, [2, 1, 0], jobs=2))


def test_the_number_of_jobs_is_not_negative() -> None:
    assert worker_count(3) == 3
    assert worker_count() >= 1
    with pytest.raises(PlywiseError, match="0 \\(all cores\\) to"):
        worker_count(-1)


def test_a_match_needs_no_main_thread(connect4: Game) -> None:
    results: list[MatchResult] = []
    match = Match(connect4, (Double(first_move), "random"), games=2)
    worker = threading.Thread(target=lambda: results.append(play_match(match, jobs=2)))
    worker.start()
    worker.join()
    assert results[0].score.games == 2


def test_every_game_begins_with_a_record_of_its_opening(connect4: Game) -> None:
    lengths: set[int] = set()

    def note(record: Record) -> Any:
        lengths.add(len(record.moves))
        return first_move(record)

    match = Match(connect4, (Double(note), Double(note)), games=4, opening_plies=5)
    play_match(match, jobs=1)
    assert min(lengths) == 5
