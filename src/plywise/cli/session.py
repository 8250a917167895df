"""A game at the terminal: the conversation, and the commands."""

import difflib
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path

from rich.text import Text

from plywise.cli.console import INTERRUPTED, err, has_colour, out, stoppable
from plywise.errors import PlywiseError, UnknownName
from plywise.game import Game
from plywise.game.record import Ending, Record
from plywise.live.live_game import LiveGame
from plywise.live.saves import BadSave, autosave_path, read_save, write_save
from plywise.live.wording import (
    format_count,
    format_end,
    format_rate,
    format_score,
    format_value,
)
from plywise.picture.terminal import draw_board, draw_legend, spell_out
from plywise.picture.theme import theme_of
from plywise.players import Player
from plywise.search.limits import Found

SHOWN_PLIES = 8  # of a line


class Session:
    """Talks with the person: shows the board, asks for moves, obeys commands."""

    def __init__(self, sitting: LiveGame) -> None:
        self.sitting = sitting
        self.theme = theme_of(sitting.game) if has_colour(out()) else None
        self.is_autosaved = True
        self.is_leaving = False
        self.is_shown = False  # whether the board on the screen is the present one
        self.commands: dict[str, tuple[Callable[[str], None], str, str]] = {
            "hint": (self.hint, "", "show the best line"),
            "undo": (self.undo, "", "take back your last move"),
            "moves": (self.moves, "", "list the legal moves"),
            "board": (self.show_board, "", "draw the board"),
            "switch": (self.switch, "", "change sides with the opponent"),
            "level": (self.level, "SECONDS", "set the opponent's time for a move"),
            "resign": (self.resign, "", "give up"),
            "new": (self.new, "", "begin again"),
            "save": (self.save, "FILE", "save the game"),
            "load": (self.load, "FILE", "go on with a saved game"),
            "help": (self.help, "", "show this"),
            "quit": (self.quit, "", "leave; the game is kept"),
        }
        self.aliases = {"q": "quit", "exit": "quit", "?": "help", "h": "help"}

    @property
    def game(self) -> Game:
        return self.sitting.game

    @property
    def record(self) -> Record:
        return self.sitting.record

    def run(self) -> int:
        """Play until the person leaves; return the exit code."""
        self._greet()
        while not self.is_leaving:
            ending = self.sitting.ending()
            try:
                if ending is None and not self.sitting.is_human():
                    if not self._let_program_move():
                        return self._leave(INTERRUPTED)
                    continue
                self._show_if_new()
                if ending is not None and not self.sitting.humans:
                    return 0
                line = self._ask()
                if line is None:
                    return self._leave(0)
                self._obey(line)
            except KeyboardInterrupt:
                self._say("")
                return self._leave(INTERRUPTED)
        return self._leave(0)

    # ------------------------------------------------------------ talking

    def _say(self, text: str | Text, style: str = "") -> None:
        out().print(text, style=style, soft_wrap=True)

    def _greet(self) -> None:
        seats = [
            f"{self.game.sides[side]}: "
            f"{'you' if side in self.sitting.humans else self.sitting.opponent.text}"
            for side in (0, 1)
        ]
        self._say(f"{self.game.name}  ({', '.join(seats)})", "bold")
        if self.sitting.humans:
            self._say("Type a move, or help.", "dim")

    def _ask(self) -> str | None:
        """Return the line that the person types, None at the end of the input."""
        prompt = f"{self.game.sides[self.record.side]}> "
        if self.sitting.ending() is not None:
            prompt = "(new, undo, save or quit)> "
        if not sys.stdin.isatty():
            line = sys.stdin.readline()
            if line:
                self._say(f"{prompt}{line.rstrip()}")
            return line or None
        _offer_completions([*self.commands, *self._legal_texts()])
        try:
            return input(prompt)
        except EOFError:
            self._say("")
            return None

    def _obey(self, line: str) -> None:
        """Play the move, or carry out the command, that a line says."""
        text = line.strip()
        if not text:
            return
        word, _, argument = text.partition(" ")
        name = self.aliases.get(word.lower(), word.lower())
        try:
            is_move = text.lower() in (legal.lower() for legal in self._legal_texts())
            if name in self.commands and not is_move:
                self.commands[name][0](argument.strip())
            else:
                self._play(text)
        except PlywiseError as error:
            self._say(str(error), "red")

    def _play(self, text: str) -> None:
        if self.sitting.ending() is not None:
            near = difflib.get_close_matches(text, self.commands, n=1)
            raise PlywiseError(
                f"There is no command {text!r}; did you mean {near[0]}?"
                if near
                else "The game is over: undo, new, load or quit."
            )
        near = difflib.get_close_matches(text.partition(" ")[0], self.commands, n=1, cutoff=0.7)
        if near and not any(character.isdigit() for character in text):
            raise UnknownName("move or command", text, self.commands)
        self.record.play(self.game.parse_move(self.record.position, text))
        self._moved()

    def _legal_texts(self) -> list[str]:
        if self.sitting.ending() is not None:
            return []
        position = self.record.position
        return [self.game.format_move(position, move) for move in self.record.legal_moves()]

    # ------------------------------------------------------------ the board

    def show_board(self, _: str = "") -> None:
        """Draw the board with the last move marked, and say who is to move."""
        record = self.record
        before = record.positions[-2] if record.moves else None
        self._say("")
        encoding = out().encoding
        board = draw_board(self.game, record.position, before, self.theme)
        self._say(spell_out(board, encoding))
        status = [spell_out(draw_legend(self.game, record.position, self.theme), encoding)]
        if record.moves:
            last = self.game.format_move(record.positions[-2], record.moves[-1])
            status.append(Text(f"last move {last}"))
        ending = self.sitting.ending()
        if ending is None:
            mover = self.game.sides[record.side]
            status.append(Text(f"{mover} to move", "bold" if self.theme else ""))
        self._say(Text("   ").join(part for part in status if part))
        self.is_shown = True
        if ending is not None:
            self._say(describe_ending(self.sitting, ending), "bold")

    def _show_if_new(self) -> None:
        if not self.is_shown:
            self.show_board()

    def _moved(self) -> None:
        """Keep the game, and draw the board anew when its time comes."""
        self.is_shown = False
        self._autosave()

    # ------------------------------------------------------------ programs

    def _let_program_move(self) -> bool:
        """Let the program at the table move; return whether the game shall go on."""
        if not self.sitting.humans:
            self._show_if_new()
        side = self.record.side
        found, was_stopped = self._think(
            lambda: self.sitting.engine(side), f"{self.game.sides[side]} is thinking"
        )
        text = self.game.format_move(self.record.position, found.move)
        self._say(f"{self.game.sides[side]} plays {text}{_judgement(self.record, found)}")
        self.record.play(found.move)
        self._moved()
        return bool(self.sitting.humans) or not was_stopped

    def _think(self, make_player: Callable[[], Player], what: str) -> tuple[Found, bool]:
        """Return what a program finds; Ctrl-C makes it answer at once."""
        with _waiting("getting ready (Ctrl-C: leave)"):
            player = make_player()
        hint = "Ctrl-C: move now" if self.sitting.humans else "Ctrl-C: stop"
        with _waiting(f"{what} ({hint})"):
            return stoppable(player.search.stop, partial(player.choose, self.record))

    # ------------------------------------------------------------ commands

    def hint(self, _: str) -> None:
        """Show the best line."""
        if self.sitting.ending() is not None:
            raise PlywiseError("There is no hint: the game is over.")
        found, _stopped = self._think(self.sitting.adviser, "looking for a hint")
        move = self.game.format_move(self.record.position, found.move)
        self._say(f"Hint: {move}{_judgement(self.record, found)}", "green")

    def undo(self, _: str) -> None:
        count = self.sitting.undo()
        self._say(f"Took back {count} {'move' if count == 1 else 'moves'}." if count else "Go on.")
        self._moved()

    def moves(self, _: str) -> None:
        texts = self._legal_texts()
        self._say(f"{len(texts)} legal: {' '.join(texts)}" if texts else "The game is over.")

    def switch(self, _: str) -> None:
        self.sitting.switch()
        side = min(self.sitting.humans)
        self._say(f"You play {self.game.sides[side]} now.")
        self.is_shown = False

    def level(self, argument: str) -> None:
        try:
            seconds = float(argument)
        except ValueError:
            raise PlywiseError(
                f"A level is seconds for a move, like level 2, not {argument!r}."
            ) from None
        self.sitting.set_level(seconds)
        self._say(f"The opponent is {self.sitting.opponent.text} now.")

    def resign(self, _: str) -> None:
        if self.sitting.ending() is not None:
            raise PlywiseError("The game is over already.")
        self.sitting.resigned = self.record.side
        self.is_shown = False

    def new(self, _: str) -> None:
        self.sitting.begin(self.record.start)
        self._moved()

    def save(self, argument: str) -> None:
        if not argument:
            raise PlywiseError("Say where: save mygame.json, for example.")
        path = Path(argument).expanduser()
        write_save(self.sitting.save(), path)
        self._say(f"Saved to {path}.")

    def load(self, argument: str) -> None:
        if not argument:
            raise PlywiseError("Say which file: load mygame.json, for example.")
        self.sitting.restore(read_save(Path(argument).expanduser()))
        self._greet()
        self._moved()

    def help(self, _: str) -> None:
        example = (self._legal_texts() or ["(none now)"])[0]
        self._say(f"A move is written as in `moves`, for example {example}. Or say:")
        for name, (_do, argument, meaning) in self.commands.items():
            self._say(f"  {name + ' ' + argument:<16} {meaning}")
        self._say(
            "Ctrl-C makes the opponent move at once; at the prompt it leaves, as Ctrl-D does."
        )

    def quit(self, _: str) -> None:
        self.is_leaving = True

    # ------------------------------------------------------------ leaving

    def _autosave(self) -> None:
        path = autosave_path(self.game.name)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_save(self.sitting.save(), path)
        except (BadSave, OSError) as error:
            if self.is_autosaved:
                self._say(f"The game is not kept automatically: {error}", "yellow")
            self.is_autosaved = False

    def _leave(self, code: int) -> int:
        """Say how to go on with a game that is not over; return the exit code."""
        if self.record.moves and self.sitting.ending() is None and self.is_autosaved:
            path = autosave_path(self.game.name)
            self._say(f"The game is kept; go on with: plywise play --load {path}")
        return code


def describe_ending(sitting: LiveGame, ending: Ending) -> str:
    """Return who won and why."""
    game, record = sitting.game, sitting.record
    plies = len(record.moves)
    after = f"after {plies} {'move' if plies == 1 else 'moves'}"
    if ending.score == 0:
        return f"Game over {after}: a draw, {_draw_reason(record)}."
    winner, loser = (0, 1) if ending.score > 0 else (1, 0)
    if ending.reason == "resignation":
        return f"Game over {after}: {game.sides[loser]} resigns, {game.sides[winner]} wins."
    return f"Game over {after}: {game.sides[winner]} wins."


def _draw_reason(record: Record) -> str:
    game = record.game
    if record.is_repeated():
        return f"the position has occurred {game.repetitions} times"
    limit = game.rules.clock_limit
    if limit and game.clock(record.position) >= limit:
        return f"nothing irreversible has happened for {limit} plies"
    return "by the rules"


def _judgement(record: Record, found: Found) -> str:
    """Return in brackets what a program thinks of its move, nothing if it did not think."""
    if found.nodes <= 1:
        return ""
    texts = record.game.format_line(record.position, found.line[:SHOWN_PLIES])
    parts = [
        format_end(found) or f"{format_value(found.value)}, {format_score(found.value)}",
        f"depth {found.depth}",
        f"{format_count(found.nodes)} nodes at {format_rate(found.nodes, found.seconds)}",
        " ".join(texts),
    ]
    return f"  ({'; '.join(parts)})"


def _waiting(what: str) -> AbstractContextManager[object]:
    """Show what the person waits for, on a terminal."""
    return err().status(what) if err().is_terminal else nullcontext()


def _offer_completions(words: list[str]) -> None:
    """Let the Tab key complete commands and moves, where the terminal can edit lines."""
    try:
        import readline
    except ImportError:
        return
    readline.set_completer_delims(" ")
    readline.set_completer(
        lambda text, state: [*(word for word in words if word.startswith(text)), None][state]
    )
    readline.parse_and_bind("tab: complete")
