"""Who may move for whom: where several people play, a seat belongs to the browser that took it.

A browser has a secret key, which it sends with its requests. A board keeps no keys but badges made
of them, and shows those to everybody: a badge tells a page its seats, and opens nothing.
A key that was lost blocks no seat: others who play may free it while its browser is away.
"""

import hashlib
import re
from collections.abc import Collection, Sequence

from plywise.errors import PlywiseError
from plywise.live.saves import HUMAN

FREE = ""  # the badge of a seat that nobody has taken
KEY = r"^[A-Za-z0-9]{16,64}$"


class Taken(PlywiseError):
    """A seat that another browser has."""


def badge_of(board: str, key: str | None) -> str:
    """Return the badge by which a board knows whoever has a key, FREE without one."""
    return hashlib.sha256(f"{board}:{key}".encode()).hexdigest()[:24] if key else FREE


def is_key(text: object) -> bool:
    """Return whether something is a key, as browsers make them."""
    return isinstance(text, str) and re.fullmatch(KEY, text) is not None


def is_shared(seats: Sequence[str]) -> bool:
    """Return whether several people play; a single person may go on in any browser."""
    return sum(seat == HUMAN for seat in seats) > 1


def with_taken(seats: Sequence[str], holders: Sequence[str], seat: int, badge: str) -> list[str]:
    """Return the holders after somebody took a seat; raise if it is not there to be taken."""
    if not 0 <= seat < len(seats) or seats[seat] != HUMAN:
        raise PlywiseError("This is no seat of a person.")
    if not is_shared(seats):
        return list(holders)
    if holders[seat] not in (FREE, badge):
        raise Taken("This seat is taken by another browser.")
    return [badge if one == seat else holder for one, holder in enumerate(holders)]


def with_freed(
    holders: Sequence[str], seat: int, badge: str, present: Collection[str]
) -> list[str]:
    """Return the holders after a seat was freed: by its holder, or by others while it is away."""
    if not 0 <= seat < len(holders) or holders[seat] == FREE:
        raise PlywiseError("Nobody has this seat.")
    if badge == FREE or badge not in holders:
        raise Taken("Only those who play may free a seat.")
    if badge != holders[seat] and holders[seat] in present:
        raise Taken("Whoever has this seat is here, and can give it up.")
    return [FREE if one == seat else holder for one, holder in enumerate(holders)]


def require_seated(seats: Sequence[str], holders: Sequence[str], badge: str) -> None:
    """Raise if seats are taken where several people play, and none of them by this browser."""
    taken = [holder for holder in holders if holder != FREE]
    if is_shared(seats) and taken and badge not in taken:
        raise Taken("Only those who play may do this: take a free seat first.")
