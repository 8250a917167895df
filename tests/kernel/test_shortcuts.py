"""Settings of Numba's compiler are told apart as Numba does it."""

import itertools

from numba.core.compiler import Flags  # noqa: TID251

from plywise.kernel.shortcuts import equal_option_by_option


def flags(**options: bool) -> Flags:
    made = Flags()
    for name, value in options.items():
        setattr(made, name, value)
    return made


SETTINGS = [
    flags(),
    flags(nrt=False),  # as it is anyway
    flags(nrt=True),
    flags(nrt=True, release_gil=True),
    flags(release_gil=True, nrt=True),
]


def test_settings_are_equal_where_all_options_are() -> None:
    verdicts = []
    for one, other in itertools.product(SETTINGS, repeat=2):
        verdicts.append(one == other)
        assert verdicts[-1] == equal_option_by_option(one, other)
    assert sum(verdicts) == 4 + 1 + 4


def test_equal_settings_have_the_same_hash() -> None:
    assert {hash(one) for one in SETTINGS} == {hash(tuple(sorted(Flags().values())))}


def test_settings_are_not_equal_to_something_else() -> None:
    assert flags() != "nrt"
