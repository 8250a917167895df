"""The text shared by PGN and PDN: tag pairs in brackets, then moves with numbers and a result.

    [Event "match"]
    [Result "1-0"]

    1. 9-13 21-17 {a comment} 2. 5-9! (2. 6-9 a variation) $3 1-0

Comments, variations, numeric glyphs, move numbers and marks of strength are skipped.
"""

import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from plywise.formats.transcript import SCORES, BadTranscript

WIDTH = 79

_TOKEN = re.compile(
    r"""
    (?P<space>    \s+ | ^%[^\n]*                     )
  | (?P<comment>  \{[^}]*\} | ;[^\n]*                )
  | (?P<tag>      \[\s*(?P<name>\w+)\s+"(?P<value>(?:\\.|[^"\\])*)"\s*\] )
  | (?P<open>     \(                                 )
  | (?P<close>    \)                                 )
  | (?P<glyph>    \$\d+ | [!?]+                      )
  | (?P<result>   (?:1-0|0-1|1/2-1/2|\*)(?![^\s{(;]) )
  | (?P<number>   \d+\.+ | \.+                       )
  | (?P<move>     [^\s{}()\[\];$]+                   )
    """,
    re.VERBOSE | re.MULTILINE,
)


@dataclass
class TaggedGame:
    """One game as it stands in a file: tags, moves, and the result behind the moves."""

    tags: dict[str, str] = field(default_factory=dict)
    moves: list[str] = field(default_factory=list)
    result: str | None = None

    @property
    def has_begun(self) -> bool:
        """Return whether a tag can no longer belong to this game."""
        return bool(self.moves) or self.result is not None


def parse_tagged(text: str) -> list[TaggedGame]:
    """Return the games in a text."""
    games = [TaggedGame()]
    depth = place = 0
    while place < len(text):
        token = _TOKEN.match(text, place)
        if token is None:
            line = text.count("\n", 0, place) + 1
            raise BadTranscript(f"Line {line} cannot be read from {text[place : place + 20]!r} on.")
        place = token.end()
        if token.lastgroup in ("open", "close"):
            depth = max(0, depth + (1 if token.lastgroup == "open" else -1))
        elif depth == 0:
            _take(token, games)
    return [game for game in games if game.tags or game.has_begun]


def _take(token: re.Match[str], games: list[TaggedGame]) -> None:
    """Add what a token says to the last game, or begin the next one with it."""
    kind = token.lastgroup
    if kind not in ("tag", "result", "move"):
        return
    if games[-1].result is not None or (kind == "tag" and games[-1].has_begun):
        games.append(TaggedGame())
    if kind == "tag":
        games[-1].tags[token["name"]] = unescaped(token["value"])
    elif kind == "result":
        games[-1].result = token[0]
    else:
        games[-1].moves.append(token[0].rstrip("!?*"))


def format_tagged(tags: Mapping[str, str], moves: Sequence[str], first_turn: int) -> str:
    """Return a game as text that `parse_tagged` reads back; it needs a tag `Result`."""
    head = "".join(f'[{name} "{_escaped(value)}"]\n' for name, value in tags.items())
    words = [*_numbered(moves, first_turn), tags["Result"]]
    body = textwrap.fill(" ".join(words), WIDTH, break_long_words=False, break_on_hyphens=False)
    read = parse_tagged(body)
    if len(read) != 1 or read[0].moves != list(moves):
        raise BadTranscript("These moves cannot be told apart in PGN or PDN: save them as .jsonl.")
    return f"{head}\n{body}\n"


_TAG = re.compile(r'\[\s*([^\s"]+)\s+"((?:\\.|[^\\\n])*?)"\s*\]')


def parse_tags(text: str) -> dict[str, str]:
    """Return the tags in a text that has nothing else but comments; a value may have quotes."""
    return {name: unescaped(value) for name, value in _TAG.findall(text)}


def unescaped(value: str) -> str:
    """Return a tag's value as it is meant, without the backslashes before quotes."""
    return re.sub(r"\\(.)", r"\1", value) if "\\" in value else value


def _escaped(value: str) -> str:
    plain = " ".join(value.split())
    return plain.replace("\\", "\\\\").replace('"', '\\"')


def _numbered(moves: Sequence[str], first_turn: int) -> list[str]:
    """Return the moves with their numbers; one that begins with side 1 begins with `1...`."""
    words = [f"{first_turn // 2 + 1}..."] if first_turn % 2 == 1 and moves else []
    for turn, move in enumerate(moves, first_turn):
        if turn % 2 == 0:
            words.append(f"{turn // 2 + 1}.")
        words.append(move)
    return words


def result_of(game: TaggedGame) -> str:
    """Return the result of a game: its tag's, or where that says nothing the one at the end."""
    tagged = game.tags.get("Result", "*")
    if tagged == "*" or tagged not in SCORES:
        return game.result or "*"
    return tagged
