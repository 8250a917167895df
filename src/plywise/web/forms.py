"""What programs and pages may ask: the bodies of requests, with bounds on everything."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Name = Annotated[str, Field(min_length=1, max_length=80, pattern=r"^[A-Za-z0-9._-]+$")]
MoveText = Annotated[str, Field(min_length=1, max_length=200)]
PlayerText = Annotated[str, Field(min_length=1, max_length=200)]
PositionText = Annotated[str, Field(min_length=1, max_length=4000)]
Moves = Annotated[list[MoveText], Field(max_length=2000)]
Lines = Annotated[int, Field(ge=1, le=8)]
Seconds = Annotated[float, Field(gt=0, le=60)]


class Form(BaseModel):
    """A request; what it does not know is refused."""

    model_config = ConfigDict(extra="forbid")


class PositionForm(Form):
    """A position: where a game began, and the moves since."""

    game: Name
    start: PositionText = "start"
    moves: Moves = Field(default_factory=list)


class LookForm(PositionForm):
    """A position to look at."""

    frames: bool = Field(False, description="Also tell all positions before it.")


class ApplyForm(PositionForm):
    """A position and a move in it."""

    move: MoveText


class EditForm(Form):
    """A board set up by hand."""

    game: Name
    codes: Annotated[list[Annotated[int, Field(ge=-128, le=127)]], Field(max_length=1000)]
    side: Literal[0, 1] = 0


class ChooseForm(PositionForm):
    """A position in which a player is asked for a move."""

    player: PlayerText = "alphabeta,nodes=10000"


class AnalyseForm(PositionForm):
    """A position to be judged; without a player the best one at hand judges."""

    player: PlayerText | None = None
    seconds: Seconds = 1.0
    lines: Lines = 1


class ExplainForm(PositionForm):
    """A position whose static value shall be explained."""

    player: PlayerText | None = None


class ClockForm(Form):
    """A playing clock."""

    seconds: Annotated[float, Field(ge=1, le=86_400)]
    increment: Annotated[float, Field(ge=0, le=3600)] = 0.0


class BoardForm(PositionForm):
    """A new board: who sits where, `human` or a player's text, and a clock if wanted."""

    seats: Annotated[list[PlayerText], Field(max_length=6)] | None = None
    clock: ClockForm | None = None


class MoveForm(Form):
    """A move of a person."""

    move: MoveText
    ply: Annotated[int, Field(ge=0, le=2000)] | None = Field(
        None, description="After how many moves it is meant; a board that has gone on refuses."
    )


class TakeForm(Form):
    """A seat that somebody takes."""

    seat: Annotated[int, Field(ge=0, le=5)]


class FreeForm(Form):
    """A seat that shall be nobody's."""

    seat: Annotated[int, Field(ge=0, le=5)]


class ResignForm(Form):
    """A person gives up."""

    seat: Annotated[int, Field(ge=0, le=5)] | None = None


class SeatsForm(Form):
    """Who plays from here on."""

    seats: Annotated[list[PlayerText], Field(max_length=6)]


class ImportForm(Form):
    """A text with games."""

    game: Name
    text: Annotated[str, Field(max_length=500_000)]
    format: Literal[".pdn", ".pgn", ".jsonl"] = ".pgn"


class ExportForm(PositionForm):
    """A game to be written as text."""

    format: Literal[".pdn", ".pgn", ".jsonl"] = ".pgn"
    players: Annotated[list[PlayerText], Field(min_length=2, max_length=2)] = Field(
        default_factory=lambda: ["first", "second"]
    )
    score: Literal[-1, 0, 1] | None = None
    reason: Annotated[str, Field(max_length=100)] = ""


class TrainForm(Form):
    """A training: the learner's settings are texts, as on the command line."""

    game: Name
    learner: Name = "patterns"
    settings: Annotated[
        dict[Name, Annotated[str, Field(max_length=200)]], Field(max_length=100)
    ] = Field(default_factory=dict)
    minutes: Annotated[float, Field(gt=0, le=10_000)] | None = None
    name: Annotated[str, Field(max_length=80, pattern=r"^[A-Za-z0-9._-]*$")] = ""


class ResumeForm(Form):
    """A run that goes on."""

    minutes: Annotated[float, Field(gt=0, le=10_000)] | None = None


class ContestForm(Form):
    """A match of two players or a tournament of more."""

    game: Name
    players: Annotated[list[PlayerText], Field(min_length=2, max_length=16)]
    games: Annotated[int, Field(ge=2, le=10_000, multiple_of=2)] = 20
    sprt: (
        Annotated[
            list[Annotated[float, Field(ge=-1000, le=1000)]], Field(min_length=2, max_length=2)
        ]
        | None
    ) = None
    is_gauntlet: bool = False
    seed: Annotated[int, Field(ge=0, le=2**31 - 1)] = 0


class Error(BaseModel):
    """What is wrong with a request, in one sentence."""

    error: str
