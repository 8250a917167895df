"""A game at the terminal: the conversation, and the commands."""

import difflib
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from rich.text import Text

from plywise.cli.console import INTERRUPTED, WRONG_INPUT, complain, err, has_colour, out
from plywise.errors import Forfeit, PlywiseError, UnknownName
from plywise.game import Game
from plywise.game.record import Record
from plywise.live.formatting import format_ending, format_judgement
from plywise.live.live_game import LiveGame
from plywise.live.saves import (
    BadSave,
    autosave_path,
    is_game_file,
    read_save,
    read_transcript,
    write_save,
    write_transcript,
)
from plywise.picture.terminal import draw_board, draw_legend, spell_out
from plywise.picture.theme import theme_of
from plywise.players.levels import read_level
from plywise.search.limits import Found
from plywise.settings.options import read_seconds
from plywise.system.background import Background, on_interrupt
from plywise.system.stopping import StopToken
from plywise.system.user_files import is_user_file

AFTER_THE_END = "undo, new, save, load or quit"  # what can be said when a game is over


class Session:
    """Talks with the person: shows the board, asks for moves, obeys commands."""

    def __init__(self, live: LiveGame) -> None:
        self.live = live
        self.theme = theme_of(live.game) if has_colour(out()) else None
        self.is_autosaved = True
        self.is_leaving = False
        self.is_shown = False  # whether the board on the screen is the present one
        self.commands: dict[str, tuple[Callable[[str], None], str, str]] = {
            "hint": (self.hint, "", "show the best line"),
            "undo": (self.undo, "", "take back your last move"),
            "moves": (self.moves, "", "list the legal moves"),
            "board": (self.show_board, "", "draw the board"),
            "switch": (self.switch, "", "change sides with the opponent"),
            "level": (self.level, "1-10", "make the opponent weaker or stronger"),
            "seconds": (self.seconds, "NUMBER", "set the opponent's time for a move"),
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
        return self.live.game

    @property
    def record(self) -> Record:
        return self.live.record

    def run(self) -> int:
        """Play until the person leaves; return the exit code."""
        try:
            return self._run()
        finally:
            self.live.close()

    def _run(self) -> int:
        self._greet()
        while not self.is_leaving:
            ending = self.live.ending()
            try:
                if ending is None and not self.live.is_human():
                    if not self._let_program_move():
                        return self._leave(INTERRUPTED)
                    continue
                self._show_if_new()
                if ending is not None and not self.live.humans:
                    return 0
                line = self._ask()
                if line is None:
                    return self._leave(0)
                self._obey(line)
            except KeyboardInterrupt:
                self._say("")
                return self._leave(INTERRUPTED)
            except Forfeit as error:  # the program at the other end has failed, not the game
                complain(f"The opponent forfeits: {error}.")
                return self._leave(WRONG_INPUT)
        return self._leave(0)

    # ------------------------------------------------------------ talking

    def _say(self, text: str | Text, style: str = "") -> None:
        out().print(text, style=style, soft_wrap=True)

    def _say_words(self, text: str, style: str = "") -> None:
        """Say something that is broken between words only, where a line is full."""
        out().print(text, style=style, no_wrap=False)

    def _greet(self) -> None:
        seats = [
            f"{self.game.sides[side]}: "
            f"{'you' if side in self.live.humans else self.live.opponent.name}"
            for side in (0, 1)
        ]
        self._say(f"{self.game.name}  ({', '.join(seats)})", "bold")
        if self.live.humans:
            self._say("Type a move, or help.", "dim")

    def _ask(self) -> str | None:
        """Return the line that the person types, None at the end of the input."""
        prompt = f"{self.game.mover(self.record.position)}> "
        if self.live.ending() is not None:
            prompt = f"({AFTER_THE_END})> "
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
            if name in self.commands and not self._is_move(text):
                self.commands[name][0](argument.strip())
            else:
                self._play(text)
        except PlywiseError as error:
            self._say(str(error), "red")

    def _is_move(self, text: str) -> bool:
        """Return whether a text is a legal move's, to the letter or but for the case of one."""
        alike = [legal for legal in self._legal_texts() if legal.lower() == text.lower()]
        return text in alike or len(alike) == 1

    def _play(self, text: str) -> None:
        if self.live.ending() is not None:
            near = difflib.get_close_matches(text, self.commands, n=1)
            raise PlywiseError(
                f"There is no command {text!r}; did you mean {near[0]}?"
                if near
                else f"The game is over: {AFTER_THE_END}."
            )
        near = difflib.get_close_matches(text.partition(" ")[0], self.commands, n=1, cutoff=0.7)
        has_digit = any(character.isdigit() for character in text)
        if near and not has_digit and not self._is_move(text):
            raise UnknownName("move or command", text, self.commands)
        self.record.play(self.game.parse_move(self.record.position, text))
        self._moved()

    def _legal_texts(self) -> list[str]:
        if self.live.ending() is not None:
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
        board = draw_board(self.game, record.position, before, self.theme, self._seat())
        self._say(spell_out(board, encoding))
        status = [spell_out(draw_legend(self.game, record.position, self.theme), encoding)]
        if record.moves:
            last = self.game.format_move(record.positions[-2], record.moves[-1])
            status.append(Text(f"last move {last}"))
        ending = self.live.ending()
        if ending is None:
            mover = self.game.mover(record.position)
            status.append(Text(f"{mover} to move", "bold" if self.theme else ""))
        self._say(Text("   ").join(part for part in status if part))
        self.is_shown = True
        if ending is not None:
            self._say(format_ending(record, ending), "bold")

    def _seat(self) -> int:
        """Return the owner of pieces from whose seat the person looks: the first of the side."""
        picture = self.game.picture
        if picture is None or not self.live.humans:
            return 0
        return next(owner for owner in picture.owners if picture.side_of(owner) in self.live.humans)

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
        if not self.live.humans:
            self._show_if_new()
        side = self.record.side
        with _waiting("getting ready (Ctrl-C: leave)"):
            player = Background(lambda: self.live.engine(side)).answer()
        mover = self.game.sides[side]
        found, was_stopped = self._wait_for(
            lambda stop: player.choose(self.record, stop=stop), f"waiting for {mover}"
        )
        text = self.game.format_move(self.record.position, found.move)
        self._say_words(f"{mover} played {text}{self._judgement(found)}")
        self.record.play(found.move)
        self._moved()
        return bool(self.live.humans) or not was_stopped

    def _wait_for(self, ask: Callable[[StopToken], Found], what: str) -> tuple[Found, bool]:
        """Return what a program finds, and whether Ctrl-C made it answer at once."""
        stop = StopToken()
        hint = "Ctrl-C: move now" if self.live.humans else "Ctrl-C: stop"
        with _waiting(f"{what} ({hint})"), on_interrupt(stop.set):
            found = Background(lambda: ask(stop)).answer()
        return found, stop.is_set()

    def _judgement(self, found: Found) -> str:
        judgement = format_judgement(found, self.record)
        return f"  ({judgement})" if judgement else ""

    # ------------------------------------------------------------ commands

    def hint(self, _: str) -> None:
        """Show the best line."""
        if self.live.ending() is not None:
            raise PlywiseError("There is no hint: the game is over.")
        found, _is_early = self._wait_for(self.live.advise, "looking for a hint")
        move = self.game.format_move(self.record.position, found.move)
        self._say_words(f"Hint: {move}{self._judgement(found)}", "green")

    def undo(self, _: str) -> None:
        count = self.live.undo()
        self._say(f"Took back {count} {'move' if count == 1 else 'moves'}." if count else "Go on.")
        self._moved()

    def moves(self, _: str) -> None:
        texts = self._legal_texts()
        self._say_words(f"{len(texts)} legal: {' '.join(texts)}" if texts else "It is over.")

    def switch(self, _: str) -> None:
        self.live.switch()
        side = min(self.live.humans)
        self._say(f"You play {self.game.sides[side]} now.")
        self.is_shown = False

    def level(self, argument: str) -> None:
        try:
            level = read_level(argument)
        except ValueError as error:
            raise PlywiseError(f"A level is {error}, like level 3, not {argument!r}.") from None
        self.live.set_level(level)
        self._say(f"The opponent is {self.live.opponent.name} now.")

    def seconds(self, argument: str) -> None:
        try:
            seconds = read_seconds(argument)
        except ValueError as error:
            raise PlywiseError(f"A time is {error}, like seconds 2, not {argument!r}.") from None
        self.live.set_seconds(seconds)
        self._say(f"The opponent is {self.live.opponent.name} now.")

    def resign(self, _: str) -> None:
        if self.live.ending() is not None:
            raise PlywiseError("The game is over already.")
        self.live.resigned = self.record.side
        self.is_shown = False

    def new(self, _: str) -> None:
        self.live.begin(self.record.start)
        self._moved()

    def save(self, argument: str) -> None:
        if not argument:
            raise PlywiseError("Say where: save mygame.json, or .pgn, .pdn, .jsonl.")
        path = _path_of(argument)
        if is_game_file(path):
            write_transcript(self.live.transcript(), path, self.game)
        else:
            write_save(self.live.save(), path)
        self._say(f"Saved to {path}.")

    def load(self, argument: str) -> None:
        if not argument:
            raise PlywiseError("Say which file: load mygame.json, for example.")
        path = _path_of(argument)
        is_foreign = is_game_file(path)
        self.live.restore(read_transcript(path, self.game) if is_foreign else read_save(path))
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
            write_save(self.live.save(), path)
        except (BadSave, OSError) as error:
            if self.is_autosaved:
                self._say(f"The game is not kept automatically: {error}", "yellow")
            self.is_autosaved = False

    def _leave(self, code: int) -> int:
        """Say how to go on with a game that is not over; return the exit code."""
        if self.record.moves and self.live.ending() is None and self.is_autosaved:
            path = autosave_path(self.game.name)
            source = self.live.source if is_user_file(self.live.source) else ""
            command = " ".join(filter(None, ["plywise play", source, "--load", str(path)]))
            self._say(f"The game is kept; go on with: {command}")
        return code


def _path_of(text: str) -> Path:
    """Return the file that a text names; ~ is the person's own folder."""
    try:
        return Path(text).expanduser()
    except RuntimeError:
        raise PlywiseError(f"There is no folder {text.partition('/')[0]}.") from None


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
