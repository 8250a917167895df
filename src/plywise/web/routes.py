"""The API: games, positions, analyses, boards, records, trainings, contests, documents."""

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Path, Request

from plywise.errors import PlywiseError
from plywise.games import BUILT_IN
from plywise.learners import BUILT_IN as LEARNERS
from plywise.live.saves import HUMAN
from plywise.web import documents, forms, reports
from plywise.web.board import Board, Sheet
from plywise.web.seating import KEY, badge_of
from plywise.web.state import State

MOST_IMPORTED = 500  # games of a text
RECENT = 12
COMPILING = 180.0  # seconds that may pass before a search begins

Answer = dict[str, Any]
GameName = Annotated[str, Path(max_length=80)]
Id = Annotated[str, Path(max_length=80)]
Key = Annotated[
    str | None,
    Header(
        alias="plywise-key",
        pattern=KEY,
        description="A secret of whoever plays: a seat taken with it is moved only with it.",
    ),
]


def _state(request: Request) -> State:
    state: State = request.app.state.plywise
    return state


Here = Annotated[State, Depends(_state)]

WRONG: dict[int | str, dict[str, Any]] = {
    400: {"model": forms.Error, "description": "Something in the request is wrong."},
    401: {"model": forms.Error, "description": "The token is missing."},
    403: {"model": forms.Error, "description": "Asked from another site, or for another's seat."},
    404: {"model": forms.Error, "description": "There is no such thing."},
    409: {"model": forms.Error, "description": "It came too late."},
    413: {"model": forms.Error, "description": "The request is too large."},
    500: {"model": forms.Error, "description": "A worker process failed."},
    503: {"model": forms.Error, "description": "Too much is asked for at once."},
}
router = APIRouter(prefix="/api", responses=WRONG)


# ---------------------------------------------------------------- games and positions


@router.get("/games", tags=["games"])
async def list_games(here: Here) -> list[Answer]:
    """List the games that are served."""
    return [
        {"name": name, "title": BUILT_IN.get(name, f"{name}, from a file")}
        for name in here.offices.sources
    ]


@router.get("/games/{game}", tags=["games"])
async def get_game(game: GameName, here: Here) -> Answer:
    """Return a game: sides, picture, players and levels, models with their measurements."""
    engines = [f"engine:{name}" for name in here.options.engines]
    return {**await here.offices.game(game), "engines": engines}


@router.post("/positions", tags=["positions"])
async def look(form: forms.LookForm, here: Here) -> Answer:
    """Return a position with its legal moves."""
    await here.offices.game(form.game)
    return await here.offices.ask_rules("position", **form.model_dump())


@router.post("/positions/apply", tags=["positions"])
async def apply(form: forms.ApplyForm, here: Here) -> Answer:
    """Return the position after a move."""
    return await here.offices.position(form.game, form.start, [*form.moves, form.move])


@router.post("/positions/edit", tags=["positions"])
async def edit(form: forms.EditForm, here: Here) -> Answer:
    """Return the text of the position with these codes on its cells."""
    return await here.offices.ask_rules("edit", **form.model_dump())


# ---------------------------------------------------------------- players


@router.post("/choose", tags=["players"])
async def choose(form: forms.ChooseForm, here: Here) -> Answer:
    """Return the move that a player chooses."""
    await here.offices.game(form.game)
    return await here.offices.choose(form.model_dump(), lambda news: None, COMPILING)


@router.post("/analyse", tags=["players"])
async def analyse(form: forms.AnalyseForm, here: Here) -> Answer:
    """Return the best lines of a position."""
    await here.offices.game(form.game)
    seconds = COMPILING + form.seconds
    found = await here.offices.analyse("analyse", form.model_dump(), None, seconds)
    analysis: Answer = found["analysis"]
    return analysis


@router.post("/explain", tags=["players"])
async def explain(form: forms.ExplainForm, here: Here) -> Answer:
    """Return what the pieces and patterns of a position are worth to an evaluator."""
    return await here.offices.analyse("explain", form.model_dump(), None, COMPILING)


# ---------------------------------------------------------------- boards


@router.get("/boards", tags=["boards"])
async def recent_boards(here: Here) -> list[Answer]:
    """List the boards that were played on last."""
    return here.boards.recent(RECENT)


@router.post("/boards", tags=["boards"], status_code=201)
async def new_board(form: forms.BoardForm, here: Here, key: Key = None) -> Answer:
    """Set up a new board; without seats a person plays the best player at hand."""
    game = await here.offices.game(form.game)
    seats = form.seats or [HUMAN] * (game["players"] - 1) + [f"{game['opponent']},level=3"]
    _require_seats(seats, game["players"])

    def fill(sheet: Sheet) -> None:
        sheet.start, sheet.moves = form.start, list(form.moves)
        sheet.movers = [ply % game["players"] for ply in range(len(form.moves))]
        if form.clock is not None:
            sheet.clock = [form.clock.seconds, form.clock.increment]
            sheet.left = [form.clock.seconds] * game["players"]

    return _shown(await here.boards.create(fill, form.game, seats), key)


def _shown(board: Board, key: str | None) -> Answer:
    """Return a board with the badge of whoever looks at it."""
    return {**board.view(), "badge": badge_of(board.sheet.id, key)}


def _require_seats(seats: list[str], players: int) -> None:
    if len(seats) != players:
        raise PlywiseError(f"This game has {players} players, not {len(seats)}.")


@router.get("/boards/{board}", tags=["boards"])
async def get_board(board: Id, here: Here, key: Key = None) -> Answer:
    """Return a board as it is now."""
    return _shown(await here.boards.get(board), key)


@router.post("/boards/{board}/moves", tags=["boards"])
async def move(board: Id, form: forms.MoveForm, here: Here, key: Key = None) -> Answer:
    """Play the move of a person."""
    found = await here.boards.get(board)
    await found.play(form.move, form.ply, badge_of(board, key))
    return found.view()


@router.post("/boards/{board}/take", tags=["boards"])
async def take_seat(board: Id, form: forms.TakeForm, here: Here, key: Key = None) -> Answer:
    """Take a seat of a person: where several play, nobody without the key moves for it any more."""
    found = await here.boards.get(board)
    if key is None:
        raise PlywiseError("A seat is taken with a key: send a header plywise-key.")
    found.take(form.seat, badge_of(board, key))
    return _shown(found, key)


@router.post("/boards/{board}/free", tags=["boards"])
async def free_seat(board: Id, form: forms.FreeForm, here: Here, key: Key = None) -> Answer:
    """Free an own seat, or that of a browser which does not look at the board."""
    found = await here.boards.get(board)
    found.free(form.seat, badge_of(board, key))
    return _shown(found, key)


@router.post("/boards/{board}/undo", tags=["boards"])
async def undo(board: Id, here: Here, key: Key = None) -> Answer:
    """Take back to where a person was last to move."""
    found = await here.boards.get(board)
    await found.undo(badge_of(board, key))
    return found.view()


@router.post("/boards/{board}/resign", tags=["boards"])
async def resign(board: Id, form: forms.ResignForm, here: Here, key: Key = None) -> Answer:
    """Give up."""
    found = await here.boards.get(board)
    await found.resign(form.seat, badge_of(board, key))
    return found.view()


@router.post("/boards/{board}/seats", tags=["boards"])
async def seat(board: Id, form: forms.SeatsForm, here: Here, key: Key = None) -> Answer:
    """Let others play from here on."""
    found = await here.boards.get(board)
    _require_seats(form.seats, len(found.sheet.seats))
    for text in {text for text in form.seats if text != HUMAN}:
        await here.offices.check_player(found.sheet.game, text)
    await found.seat(form.seats, badge_of(board, key))
    return found.view()


# ---------------------------------------------------------------- records


@router.post("/records/import", tags=["records"])
async def import_games(form: forms.ImportForm, here: Here) -> Answer:
    """Return the games in a text, each played through."""
    return await here.offices.ask_rules("import", **form.model_dump(), most=MOST_IMPORTED)


@router.post("/records/export", tags=["records"])
async def export_game(form: forms.ExportForm, here: Here) -> Answer:
    """Return a game as PGN, PDN or a line of JSON."""
    return await here.offices.ask_rules("export", **form.model_dump())


# ---------------------------------------------------------------- learners and runs


@router.get("/learners", tags=["runs"])
async def list_learners() -> list[Answer]:
    """List the learners."""
    return [{"name": name, "title": title} for name, title in LEARNERS.items()]


@router.get("/learners/{learner}", tags=["runs"])
async def get_learner(learner: GameName, here: Here) -> Answer:
    """Return the settings of a learner."""
    _require_learner(learner)
    return await here.offices.ask_rules("learner", learner=learner)


def _require_learner(name: str) -> None:
    """Raise unless a learner ships: a file would be code from the network."""
    if name not in LEARNERS:
        raise PlywiseError(f"The learners here are {', '.join(LEARNERS)}.")


@router.get("/runs", tags=["runs"])
async def list_runs(here: Here) -> Answer:
    """List all runs, the newest first."""
    return await here.jobs.ask_runs("list")


@router.post("/runs", tags=["runs"], status_code=201)
async def train(form: forms.TrainForm, here: Here) -> Answer:
    """Start a training."""
    _require_learner(form.learner)
    given = (form.game, form.learner, form.settings, form.minutes, form.name)
    return await here.jobs.train(*given)


@router.get("/runs/{run}", tags=["runs"])
async def get_run(run: Id, here: Here) -> Answer:
    """Return a run with its settings and curves."""
    return await here.jobs.ask_runs("run", run)


@router.post("/runs/{run}/stop", tags=["runs"])
async def stop_run(run: Id, here: Here) -> Answer:
    """Ask a run to stop after its step."""
    return await here.jobs.ask_runs("stop", run)


@router.post("/runs/{run}/resume", tags=["runs"])
async def resume_run(run: Id, form: forms.ResumeForm, here: Here) -> Answer:
    """Let a stopped run go on."""
    return await here.jobs.resume(run, form.minutes)


# ---------------------------------------------------------------- contests


@router.get("/contests", tags=["contests"])
async def list_contests(here: Here) -> list[Answer]:
    """List all matches and tournaments, the newest first."""
    return here.jobs.contests()


@router.post("/contests", tags=["contests"], status_code=201)
async def new_contest(form: forms.ContestForm, here: Here) -> Answer:
    """Start a match of two players, or a tournament of more."""
    if form.sprt is not None and (len(form.players) != 2 or form.sprt[0] >= form.sprt[1]):
        raise PlywiseError("SPRT takes two players and two Elo numbers, the smaller one first.")
    await here.offices.game(form.game)
    for player in set(form.players):
        await here.offices.check_player(form.game, player)
    asked = form.model_dump()
    return here.jobs.start_contest({**asked, "name": asked.pop("game")})


@router.get("/contests/{contest}", tags=["contests"])
async def get_contest(contest: Id, here: Here) -> Answer:
    """Return a contest and what it proves so far."""
    return here.jobs.contest(contest)


@router.get("/contests/{contest}/games", tags=["contests"])
async def contest_games(contest: Id, here: Here) -> list[Answer]:
    """List the finished games of a contest, the last one first."""
    return here.jobs.contest_games(contest)


@router.post("/contests/{contest}/stop", tags=["contests"])
async def stop_contest(contest: Id, here: Here) -> Answer:
    """Stop a contest; its finished games are kept."""
    return here.jobs.stop_contest(contest)


@router.post("/contests/{contest}/resume", tags=["contests"])
async def resume_contest(contest: Id, here: Here) -> Answer:
    """Let a contest go on that was stopped."""
    return here.jobs.resume_contest(contest)


# ---------------------------------------------------------------- documents


@router.get("/documents", tags=["documents"])
async def list_documents() -> list[Answer]:
    """List the pages about papers and strength."""
    return documents.list_documents()


@router.get("/documents/{name}", tags=["documents"])
async def get_document(name: GameName) -> Answer:
    """Return a page as HTML."""
    return documents.document(name)


@router.get("/reports", tags=["documents"])
async def list_reports(here: Here) -> list[Answer]:
    """List the report pages of reruns of papers; each is at /reports/NAME."""
    return await asyncio.to_thread(reports.list_reports, here.options.runs)


@router.get("/strength/{game}", tags=["documents"])
async def strength(game: GameName, here: Here) -> Answer:
    """Return what was measured of a game's models and levels, and what the documents tell."""
    known = await here.offices.game(game)
    told = {name: known[name] for name in ("models", "strengths")}
    return {"game": game, **told, "html": documents.sections_about(game)}
