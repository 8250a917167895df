"""One word for a published figure and ours, from nothing but their 95 % intervals.

An *effect* has a number that would mean "no effect" (`even`: half of the points, an Elo difference
of 0), and says that the truth is above it. A *figure* has none, and says what a number is.

    passed                       ours is above theirs, beyond both errors
    reproduced                   effect: theirs and ours both prove it; figure: ours agrees and is
                                 known about as well as theirs
    reproduced with more games   ours proves an effect that theirs, with few games, did not
    not reproduced               effect: ours is below "no effect", or does not prove it and is
                                 below theirs; figure: ours is below theirs, beyond both errors
    too early to say             ours is too uncertain for any of these, or would be "not
                                 reproduced" by an experiment that is shorter than theirs
"""

from typing import Literal

from plywise.arena.seeds import Interval

Verdict = Literal[
    "passed", "reproduced", "reproduced with more games", "not reproduced", "too early to say"
]
COARSER = 2.0  # an interval so many times as wide as theirs proves no agreement


def verdict(
    theirs: Interval | None, ours: Interval, even: float | None = None, is_short: bool = False
) -> Verdict:
    """Return the word for a claim; an effect may have been published without a figure.

    What is shorter than the published experiment can confirm a claim, but not refute it.
    """
    word = _judged(theirs, ours, even)
    return "too early to say" if is_short and word == "not reproduced" else word


def _judged(theirs: Interval | None, ours: Interval, even: float | None) -> Verdict:
    if theirs is not None and ours.low > theirs.high:
        return "passed"
    if even is not None:
        return _effect(theirs, ours, even)
    if theirs is None:
        raise ValueError("A claim without a figure needs a number that would mean no effect.")
    return _figure(theirs, ours)


def _effect(theirs: Interval | None, ours: Interval, even: float) -> Verdict:
    if ours.low > even:
        is_new = theirs is not None and theirs.low <= even
        return "reproduced with more games" if is_new else "reproduced"
    if ours.high < even or (theirs is not None and ours.high < theirs.value):
        return "not reproduced"
    return "too early to say"


def _figure(theirs: Interval, ours: Interval) -> Verdict:
    if ours.high < theirs.low:
        return "not reproduced"
    return "reproduced" if ours.width <= COARSER * theirs.width else "too early to say"
