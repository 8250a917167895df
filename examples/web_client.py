"""A client of the web app's API: plays a whole game. Start `plywise serve`, then run this file."""

import json
import sys
import urllib.request

SERVER = sys.argv[1].rstrip("/") if len(sys.argv) > 1 else "http://127.0.0.1:8000"


def post(path, **body):
    data, kind = json.dumps(body).encode(), {"content-type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(SERVER + path, data, kind)) as answer:
        return json.load(answer)


game, moves = "tictactoe", []
position = post("/api/positions", game=game)
while position["ending"] is None:
    player = "alphabeta,depth=2" if position["side"] == 0 else "random"
    chosen = post("/api/choose", game=game, moves=moves, player=player)
    moves.append(chosen["move"])
    position = post("/api/positions", game=game, moves=moves)
print(" ".join(moves), "-", position["ending"]["sentence"])
