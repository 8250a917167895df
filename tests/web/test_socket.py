"""The socket of a page, as a program uses it."""

import json
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from web.conftest import PATIENCE, Api


def opened(server: str, **options: Any) -> ClientConnection:
    socket: ClientConnection = connect(f"{server.replace('http', 'ws')}/socket", **options)
    return socket


def heard(socket: ClientConnection, topic: str) -> Any:
    """Return the next news of a topic."""
    while True:
        message = json.loads(socket.recv(PATIENCE))
        if message["on"] == topic:
            return message["data"]


def test_a_board_tells_of_its_moves(server: str, api: Api) -> None:
    board = api.post("/boards", game="tictactoe", seats=["human", "human"])["id"]
    with opened(server) as socket:
        socket.send(json.dumps({"join": f"board:{board}"}))
        assert heard(socket, f"board:{board}")["moves"] == []
        api.post(f"/boards/{board}/moves", move="b2")
        assert heard(socket, f"board:{board}")["moves"] == ["b2"]


def test_an_analysis_ends_when_it_is_cancelled(server: str, api: Api) -> None:
    form = {"game": "tictactoe", "player": "alphabeta", "seconds": 60}
    with opened(server) as socket:
        socket.send(json.dumps({"analyse": form, "as": "mine"}))
        while "analysis" not in heard(socket, "mine"):
            pass
    found = api.post("/analyse", game="tictactoe", player="alphabeta", seconds=0.1)
    assert found["lines"][0]["move"]


@pytest.mark.parametrize(
    "text",
    ["no json", "[]", "{}", '{"join": "nothing:x"}', '{"join": "board:../x"}', '{"analyse": 3}'],
)
def test_a_wrong_message_is_answered_with_a_sentence(server: str, text: str) -> None:
    with opened(server) as socket:
        socket.send(text)
        assert heard(socket, "error")["error"]


def test_pages_of_other_sites_get_no_socket(server: str) -> None:
    with pytest.raises(InvalidStatus):
        opened(server, origin="https://elsewhere.example")
