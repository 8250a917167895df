"""The API as programs use it."""

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import connect

from conftest import EXAMPLES
from plywise.players.level_strength import level_strengths
from plywise.web.documents import render
from plywise.web.reports import POLICY
from web.conftest import PATIENCE, Api


def test_all_games_are_listed_with_those_of_files(api: Api) -> None:
    assert {"tictactoe", "draughts", "hex"} <= {one["name"] for one in api.get("/games")}


def test_a_game_tells_its_picture_and_players(api: Api) -> None:
    game = api.get("/games/hex")
    assert game["sides"] == ["red", "blue"]
    assert len(game["picture"]["cells"]) == 49
    assert len(game["picture"]["cells"][0]["polygon"]) == 6


def test_a_position_has_its_legal_moves(api: Api) -> None:
    position = api.post("/positions", game="tictactoe", moves=["b2"])
    assert position["side"] == 1
    assert len(position["moves"]) == 8
    assert position["codes"][4] == 1
    assert position["last"]["text"] == "b2"


def test_apply_plays_a_move(api: Api) -> None:
    after = api.post("/positions/apply", game="tictactoe", moves=["b2"], move="A1")
    assert after["history"] == ["b2", "a1"]


def test_frames_are_all_positions_of_a_game(api: Api) -> None:
    frames = api.post("/positions", game="tictactoe", moves=["b2", "a1"], frames=True)["frames"]
    assert [frame["move"] for frame in frames] == ["", "b2", "a1"]


def test_a_won_game_says_who_won(api: Api) -> None:
    moves = ["a1", "a2", "b1", "b2", "c1"]
    position = api.post("/positions", game="tictactoe", moves=moves)
    assert position["ending"]["sentence"] == "Game over after 5 moves: x won."
    assert position["moves"] == []


def test_a_board_set_up_by_hand_is_a_position(api: Api) -> None:
    codes = [0, 0, 0, 0, 1, 0, -1, 0, 0]
    text = api.post("/positions/edit", game="tictactoe", codes=codes, side=0)["text"]
    assert api.post("/positions", game="tictactoe", start=text)["codes"] == codes


def test_a_player_chooses_a_legal_move(api: Api) -> None:
    chosen = api.post("/choose", game="hex", player="random")
    assert chosen["move"] in [one["text"] for one in api.post("/positions", game="hex")["moves"]]


def test_an_analysis_finds_the_winning_move(api: Api) -> None:
    moves = ["a1", "a3", "b1", "b3"]
    found = api.post("/analyse", game="tictactoe", moves=moves, player="alphabeta", seconds=0.1)
    assert found["lines"][0]["move"] == "c1"
    assert found["lines"][0]["words"] == "wins in 1 ply"


def test_explaining_tells_what_pieces_are_worth(api: Api) -> None:
    told = api.post("/explain", game="kalah", player="patterns")
    assert told["evaluator"] == "patterns"
    assert len(told["pieces"]) >= 12
    assert all(len(one["cells"]) > 1 for one in told["patterns"])


# ---------------------------------------------------------------- boards


def test_a_program_answers_on_a_board(api: Api) -> None:
    board = api.post("/boards", game="tictactoe", seats=["human", "random"])
    api.post(f"/boards/{board['id']}/moves", move="b2", ply=0)
    view = wait_for(api, board["id"], lambda view: len(view["moves"]) == 2)
    assert view["movers"] == [0, 1]


def test_undo_takes_back_to_the_person(api: Api) -> None:
    board = api.post("/boards", game="tictactoe", seats=["human", "random"])
    api.post(f"/boards/{board['id']}/moves", move="b2")
    wait_for(api, board["id"], lambda view: len(view["moves"]) == 2)
    assert api.post(f"/boards/{board['id']}/undo")["moves"] == []


def test_a_move_that_comes_too_late_is_refused(api: Api) -> None:
    board = api.post("/boards", game="tictactoe", seats=["human", "human"])
    api.post(f"/boards/{board['id']}/moves", move="b2", ply=0)
    sentence = api.refused(f"/boards/{board['id']}/moves", 409, move="a1", ply=0)
    assert sentence == "The game has gone on: look at the board again."


def test_a_person_can_resign(api: Api) -> None:
    board = api.post("/boards", game="hex", seats=["human", "human"])
    view = api.post(f"/boards/{board['id']}/resign", seat=1)
    assert view["ending"]["sentence"] == "blue resigns, red wins."
    assert view["ending"]["score"] == 1


def test_a_clock_that_runs_out_ends_the_game(api: Api) -> None:
    board = api.post("/boards", game="hex", seats=["human", "human"], clock={"seconds": 1})
    api.post(f"/boards/{board['id']}/moves", move="d4")
    view = wait_for(api, board["id"], lambda view: view["ending"] is not None)
    assert view["ending"]["reason"] == "time"
    assert view["ending"]["sentence"] == "blue runs out of time, red wins."


def test_clocks_start_with_the_first_move(api: Api) -> None:
    board = api.post("/boards", game="hex", seats=["human", "human"], clock={"seconds": 60})
    path = f"/boards/{board['id']}"
    assert api.get(path)["left"] == [60.0, 60.0]
    assert api.post(f"{path}/moves", move="d4")["left"][0] == 60.0
    assert api.get(path)["left"][1] < 60.0


def test_programs_play_each_other_to_the_end(api: Api) -> None:
    board = api.post("/boards", game="tictactoe", seats=["random", "random"])
    assert wait_for(api, board["id"], lambda view: view["ending"] is not None)["ending"]


def test_another_player_can_take_a_seat(api: Api) -> None:
    board = api.post("/boards", game="tictactoe", seats=["human", "human"])
    api.post(f"/boards/{board['id']}/seats", seats=["random", "human"])
    assert wait_for(api, board["id"], lambda view: len(view["moves"]) == 1)


def wait_for(api: Api, board: str, is_done: Any) -> Any:
    """Return a board as soon as something is true of it."""
    for _ in range(900):
        view = api.get(f"/boards/{board}")
        assert view["problem"] == ""
        if is_done(view):
            return view
        time.sleep(0.1)
    raise AssertionError(view)


# ---------------------------------------------------------------- seats

ANNA, BERT = ({"plywise-key": letter * 32} for letter in "ab")


def test_a_taken_seat_is_moved_only_with_its_key(api: Api) -> None:
    path = f"/api/boards/{api.post('/boards', game='tictactoe', seats=['human', 'human'])['id']}"
    taken = api.client.post(f"{path}/take", json={"seat": 0}, headers=ANNA).json()
    assert taken["holders"] == [taken["badge"], ""]
    for headers in (BERT, {}):
        refused = api.client.post(f"{path}/moves", json={"move": "b2"}, headers=headers)
        assert refused.status_code == 403
        assert refused.json()["error"] == "This seat is taken by another browser."
    assert api.client.post(f"{path}/moves", json={"move": "b2"}, headers=ANNA).is_success


def test_a_move_takes_a_free_seat(api: Api) -> None:
    path = f"/api/boards/{api.post('/boards', game='tictactoe', seats=['human', 'human'])['id']}"
    for move, headers in (("b2", ANNA), ("a1", BERT)):
        assert api.client.post(f"{path}/moves", json={"move": move}, headers=headers).is_success
    assert api.client.post(f"{path}/take", json={"seat": 1}, headers=ANNA).status_code == 403
    assert api.client.post(f"{path}/moves", json={"move": "c1"}, headers=BERT).status_code == 403


@pytest.mark.parametrize(
    ("path", "body"), [("undo", {}), ("resign", {}), ("seats", {"seats": ["random", "random"]})]
)
def test_only_those_who_play_may_end_or_change_a_game(
    api: Api, path: str, body: dict[str, Any]
) -> None:
    board = api.post("/boards", game="tictactoe", seats=["human", "human"])["id"]
    api.client.post(f"/api/boards/{board}/moves", json={"move": "b2"}, headers=ANNA)
    refused = api.client.post(f"/api/boards/{board}/{path}", json=body, headers=BERT)
    assert refused.status_code == 403
    assert api.client.post(f"/api/boards/{board}/{path}", json=body, headers=ANNA).is_success


def test_nobody_resigns_for_another(api: Api) -> None:
    path = f"/api/boards/{api.post('/boards', game='hex', seats=['human', 'human'])['id']}"
    for seat, headers in enumerate((ANNA, BERT)):
        api.client.post(f"{path}/take", json={"seat": seat}, headers=headers)
    assert api.client.post(f"{path}/resign", json={"seat": 0}, headers=BERT).status_code == 403
    view = api.client.post(f"{path}/resign", json={}, headers=BERT).json()
    assert view["ending"]["sentence"] == "blue resigns, red wins."


def test_a_single_person_goes_on_in_any_browser(api: Api) -> None:
    board = api.post("/boards", game="tictactoe", seats=["human", "random"])["id"]
    api.client.post(f"/api/boards/{board}/take", json={"seat": 0}, headers=ANNA)
    assert api.post(f"/boards/{board}/moves", move="b2")["moves"][0] == "b2"


def test_a_seat_is_given_up_for_another_to_take(api: Api) -> None:
    path = f"/api/boards/{api.post('/boards', game='tictactoe', seats=['human', 'human'])['id']}"
    api.client.post(f"{path}/take", json={"seat": 0}, headers=ANNA)
    freed = api.client.post(f"{path}/free", json={"seat": 0}, headers=ANNA).json()
    assert freed["holders"] == ["", ""]
    assert api.client.post(f"{path}/take", json={"seat": 0}, headers=BERT).is_success


def test_a_seat_is_freed_by_those_who_play_while_its_browser_is_away(server: str, api: Api) -> None:
    board = api.post("/boards", game="tictactoe", seats=["human", "human"])["id"]
    free = f"/api/boards/{board}/free"
    api.client.post(f"/api/boards/{board}/take", json={"seat": 0}, headers=ANNA)
    refused = api.client.post(free, json={"seat": 0}, headers=BERT)
    assert (refused.status_code, refused.json()["error"]) == (
        403,
        "Only those who play may free a seat.",
    )
    api.client.post(f"/api/boards/{board}/take", json={"seat": 1}, headers=BERT)
    with connect(f"{server.replace('http', 'ws')}/socket") as socket:
        socket.send(json.dumps({"join": f"board:{board}", "key": ANNA["plywise-key"]}))
        socket.recv(PATIENCE)
        assert api.client.get(f"/api/boards/{board}").json()["present"] == [True, False]
        refused = api.client.post(free, json={"seat": 0}, headers=BERT)
        assert refused.json()["error"] == "Whoever has this seat is here, and can give it up."
    while api.client.get(f"/api/boards/{board}").json()["present"][0]:
        pass
    assert api.client.post(free, json={"seat": 0}, headers=BERT).json()["holders"][0] == ""
    refused = api.client.post(free, json={"seat": 0}, headers=BERT)
    assert refused.json()["error"] == "Nobody has this seat."


def test_keys_are_not_kept(server: str, api: Api) -> None:
    board = api.post("/boards", game="tictactoe", seats=["human", "human"])["id"]
    api.client.post(f"/api/boards/{board}/take", json={"seat": 0}, headers=ANNA)
    assert ANNA["plywise-key"] not in api.client.get(f"/api/boards/{board}").text


# ---------------------------------------------------------------- contests


def test_a_stopped_contest_goes_on_where_it_was(api: Api) -> None:
    players = ["mcts,seconds=0.02,solver=off", "random"]  # slow enough to be stopped
    form = {"game": "tictactoe", "players": players, "games": 10_000}
    path = f"/contests/{api.post('/contests', **form)['name']}"
    before = stopped_games(api, path)
    assert before
    assert api.post(f"{path}/resume")["standing"]["state"] == "starting"
    assert "that was stopped" in api.refused(f"{path}/resume")
    after = stopped_games(api, path, len(before))
    assert [one["number"] for one in after] == list(range(len(after), 0, -1))
    assert [one["moves"] for one in after[-len(before) :]] == [one["moves"] for one in before]


def stopped_games(api: Api, path: str, least: int = 0) -> Any:
    """Return the games of a contest that is stopped when it has more than some."""
    state = "starting"
    while state != "stopped":
        standing = api.get(path)["standing"]
        state = standing["state"]
        if state == "running" and standing["games"] > least:
            api.post(f"{path}/stop")
        time.sleep(0.05)
    return api.get(f"{path}/games")


# ---------------------------------------------------------------- records


def test_a_game_is_exported_and_imported(api: Api) -> None:
    moves = ["11-15", "22-17", "8-11"]
    text = api.post("/records/export", game="draughts", moves=moves, format=".pdn")["text"]
    assert '[GameType "21"]' in text
    (game,) = api.post("/records/import", game="draughts", text=text, format=".pdn")["games"]
    assert game["moves"] == moves


def test_an_illegal_move_in_a_text_is_told(api: Api) -> None:
    text = '[Event "x"]\n\n1. b2 b2 *\n'
    (game,) = api.post("/records/import", game="tictactoe", text=text, format=".pgn")["games"]
    assert "ply 2" in game["error"]


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("path", "body", "words"),
    [
        ("/positions", {"game": "tictactoe", "moves": ["z9"]}, "'z9' is not a legal move here"),
        ("/positions", {"game": "tictactoe", "start": "xx"}, "is not 3 rows of 3 cells"),
        ("/positions", {"game": "tictactoe", "more": 1}, "more: Extra inputs"),
        ("/choose", {"game": "hex", "player": "uci:sh -c id"}, "no player called"),
        ("/choose", {"game": "hex", "player": "../x.safetensors"}, "no player called"),
        ("/choose", {"game": "hex", "player": "alphabeta,model=/etc/x.safetensors"}, "is named"),
        ("/choose", {"game": "hex", "player": "alphabeta,seconds=1e9"}, "at most 60"),
        ("/choose", {"game": "hex", "player": "alphabeta,eval=mlp:hidden=99999"}, "at most 4096"),
        ("/choose", {"game": "hex", "player": "run:../../etc"}, "letters, digits"),
        ("/choose", {"game": "hex", "player": "engine:fish"}, "no engine called"),
        ("/analyse", {"game": "hex", "seconds": 1e9}, "seconds:"),
        ("/boards", {"game": "hex", "seats": ["human"]}, "has 2 players"),
        ("/runs", {"game": "hex", "learner": "x.py"}, "The learners here are"),
        ("/runs", {"game": "hex", "name": "../x"}, "name:"),
        ("/runs", {"game": "hex", "settings": {"nothing": "1"}}, "no setting called"),
        ("/runs", {"game": "hex", "settings": {"evaluator": "/etc/x"}}, "may name a file"),
        ("/runs", {"game": "hex", "settings": {"evaluator": "x.safetensors"}}, "may name a file"),
        ("/contests", {"game": "hex", "players": ["random", "uci:x"]}, "no player called"),
        ("/contests", {"game": "hex", "players": ["random"] * 2, "games": 3}, "games:"),
    ],
)
def test_what_is_wrong_is_told_in_a_sentence(
    api: Api, path: str, body: dict[str, Any], words: str
) -> None:
    assert words in api.refused(path, **body)


def test_malformed_json_is_a_bad_request(api: Api) -> None:
    headers = {"content-type": "application/json"}
    answer = api.client.post("/api/positions", content="{", headers=headers)
    assert answer.status_code == 400
    assert "JSON" in answer.json()["error"]


@pytest.mark.parametrize(
    "path", ["/games/no", "/boards/nothing", "/boards/..%2Fx", "/contests/no", "/documents/x"]
)
def test_what_is_not_there_is_not_found(api: Api, path: str) -> None:
    answer = api.client.get(f"/api{path}")
    assert answer.status_code == 404
    assert answer.json()["error"]


def test_the_example_client_plays_a_game(server: str, api: Api) -> None:
    program = [sys.executable, str(EXAMPLES / "web_client.py"), server]
    done = subprocess.run(program, capture_output=True, text=True, check=True)
    assert "Game over after" in done.stdout


def test_the_pages_about_papers_are_there(api: Api) -> None:
    names = [one["name"] for one in api.get("/documents")]
    assert "strength" in names
    assert "<table>" in api.get("/documents/strength")["html"]
    assert names[0] == "papers"
    assert "001-mp-vision" in api.get("/documents/papers")["html"]
    assert "patterns" in [one["name"] for one in api.get("/strength/connect4")["models"]]


def test_drawings_of_a_page_become_part_of_it(tmp_path: Path) -> None:
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "a-1.svg").write_text("<svg/>")
    html = render("![A](images/a-1.svg) ![B](images/b.svg)", tmp_path)
    assert 'src="data:image/svg+xml;base64,PHN2Zy8+"' in html
    assert 'src="data:image/svg+xml;base64,"' in html


def test_reports_are_listed_and_run_no_script(api: Api, web_folder: Path) -> None:
    inner = web_folder / "runs" / "papers" / "mp-quick"
    inner.mkdir(parents=True)
    (inner / "report.html").write_text("<title>Paper 1 &amp; 2</title><script>bad()</script>")
    (inner / "link.html").symlink_to("/etc/passwd")
    assert {"name": "mp-quick/report.html", "title": "Paper 1 & 2"} in api.get("/reports")
    answer = api.client.get("/reports/mp-quick/report.html")
    assert answer.headers.get_list("content-security-policy") == [POLICY]
    assert POLICY.startswith("sandbox;")
    assert "script" not in POLICY
    for name in ("mp-quick/link.html", "..%2Fx.html", "none.html", "mp-quick/config.toml"):
        assert api.client.get(f"/reports/{name}").status_code == 404


def test_levels_tell_their_measured_strength(api: Api) -> None:
    first = api.get("/games/draughts")["strengths"]["patterns"][0]
    assert first == vars(level_strengths("draughts")["patterns"][0])
    assert api.get("/strength/draughts")["strengths"]["patterns"][0] == first


def test_every_answer_has_a_strict_policy(api: Api) -> None:
    answer = api.client.get("/")
    policy = answer.headers["content-security-policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy


def test_nothing_on_the_page_comes_from_elsewhere(api: Api) -> None:
    page = api.client.get("/").text
    assert "http://" not in page
    assert "https://" not in page


# ---------------------------------------------------------------- who may ask


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://elsewhere.example"},
        {"host": "elsewhere.example"},
        {"sec-fetch-site": "cross-site", "sec-fetch-mode": "cors"},
    ],
)
def test_other_sites_are_refused(api: Api, headers: dict[str, str]) -> None:
    assert api.client.get("/api/games", headers=headers).status_code == 403


def test_a_body_that_is_too_large_is_refused(api: Api) -> None:
    answer = api.client.post("/api/positions", content=b"x" * (1 << 21))
    assert answer.status_code == 413


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--host", "0.0.0.0"], "say --token"),
        (["nothing.py"], "There is no file nothing.py"),
        (["--engine", "fish"], "An engine is written NAME=PLAYER"),
    ],
)
def test_what_cannot_be_served_is_told_before_it_starts(arguments: list[str], words: str) -> None:
    program = [sys.executable, "-c", "from plywise.cli import main; main()", "serve"]
    done = subprocess.run([*program, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert words in done.stderr


def test_a_token_opens_the_door(tmp_path: Any) -> None:
    from web.conftest import serving

    with serving(tmp_path, "--token", "very-secret") as address:
        assert httpx.get(f"{address}/api/games").status_code == 401
        bearer = {"authorization": "Bearer very-secret"}
        assert httpx.get(f"{address}/api/games", headers=bearer).status_code == 200
        with httpx.Client(base_url=address) as client:
            assert client.get("/?token=very-secret").status_code == 303
            assert client.get("/api/games").status_code == 200
