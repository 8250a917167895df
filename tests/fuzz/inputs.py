"""Inputs that nobody meant: made of good ones, or of nothing but spite, the same for each seed."""

import random
from collections.abc import Callable, Sequence

SPITE = (
    *(
        "",
        " ",
        "\t",
        "\n",
        "\x00",
        "\x1b[31m",
        "'",
        '"',
        "\\",
        "/",
        ".",
        "..",
        "-",
        "--",
        "~",
        "$HOME",
    ),
    *("0", "1", "-1", "2", "7", "99", "1e9", "1e999", "-0", "0.0", "1.5", "1_0", "+1", "0x10", "٣"),
    *("nan", "inf", "-inf", "NaN", "1e-320", "9" * 20, "9" * 400, "-" + "9" * 20, "2147483648"),
    *("None", "null", "true", "on", "off", "[]", "{}", "()", "[[[[", '{"a": 1}', "=", "==", "a=b"),
    *(
        ",",
        ",,",
        ":",
        "::",
        "+",
        "++",
        "%s",
        "{0}",
        "$(ls)",
        "`",
        "é",
        "ß",
        "🎲",
        "\ud800",
        "\u202e",
    ),
    *(
        "a" * 300,
        "x" * 5000,
        "start",
        "random",
        "human",
        "--help",
        "-h",
        "*",
        "?",
        "#",
        "e4",
        "1-0",
    ),
)


class Inputs(random.Random):
    """A source of inputs."""

    def spite(self) -> str:
        """Return something that is hardly ever right."""
        return self.choice(SPITE)

    def number(self) -> str:
        """Return a number, in range or not."""
        exact = str(self.randint(-3, 40))
        return self.choice((exact, exact, f"{self.uniform(-2, 3):.3g}", self.spite()))

    def spoilt(self, text: str) -> str:
        """Return a text with one to three things changed in it, now and then none."""
        for _ in range(self.choice((0, 1, 1, 1, 2, 3))):
            text = self.choice(CHANGES)(self, text)
        return text

    def spoilt_bytes(self, data: bytes) -> bytes:
        """Return bytes of which some are changed, lost or doubled."""
        changed = bytearray(data)
        for _ in range(self.choice((1, 1, 2, 5))):
            place = self.randrange(len(changed) + 1)
            kind = self.randrange(5)
            if kind == 0:
                del changed[place:]
            elif kind == 1:
                del changed[place : place + self.randrange(1, 9)]
            elif kind == 2:
                changed[place:place] = self.randbytes(self.randrange(1, 9))
            elif kind == 3 and place < len(changed):
                changed[place] ^= 1 << self.randrange(8)
            else:
                changed[place:place] = self.spite().encode(errors="replace")
        return bytes(changed)


def _insert(source: Inputs, text: str) -> str:
    place = source.randrange(len(text) + 1)
    return text[:place] + source.spite() + text[place:]


def _cut(source: Inputs, text: str) -> str:
    return text[: source.randrange(len(text) + 1)]


def _drop(source: Inputs, text: str) -> str:
    place = source.randrange(len(text) + 1)
    return text[:place] + text[place + source.randrange(1, 4) :]


def _swap(source: Inputs, text: str) -> str:
    letters = list(text)
    if len(letters) > 1:
        one, other = source.sample(range(len(letters)), 2)
        letters[one], letters[other] = letters[other], letters[one]
    return "".join(letters)


def _double(source: Inputs, text: str) -> str:
    place = source.randrange(len(text) + 1)
    return text[:place] + text[place // 2 : place] + text[place:]


def _renumber(source: Inputs, text: str) -> str:
    places = [place for place, letter in enumerate(text) if letter.isdigit()]
    if not places:
        return text
    place = source.choice(places)
    return text[:place] + source.number() + text[place + 1 :]


CHANGES: Sequence[Callable[[Inputs, str], str]] = (_insert, _cut, _drop, _swap, _double, _renumber)
