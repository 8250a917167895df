"""What several trainings say of a method."""

import pytest

from plywise.arena.seeds import Interval, mean_over_seeds, student_quantile
from plywise.errors import PlywiseError


@pytest.mark.parametrize(
    ("freedom", "quantile"), [(1, 12.706), (2, 4.303), (4, 2.776), (9, 2.262), (1000, 1.962)]
)
def test_students_quantiles_are_those_of_the_tables(freedom: int, quantile: float) -> None:
    assert student_quantile(freedom) == pytest.approx(quantile, abs=1e-3)


def test_one_training_has_the_interval_of_its_games() -> None:
    one = Interval(0.4, 0.6, 0.7)
    assert mean_over_seeds([one]) == one


def test_trainings_that_differ_are_judged_by_their_spread() -> None:
    found = mean_over_seeds([Interval(v - 0.01, v, v + 0.01) for v in (0.5, 0.6, 0.7)])
    assert found.value == pytest.approx(0.6)
    assert found.width / 2 == pytest.approx(4.303 * 0.1 / 3**0.5, rel=1e-3)


def test_trainings_that_happen_to_agree_keep_the_error_of_their_games() -> None:
    found = mean_over_seeds([Interval(0.5, 0.6, 0.7)] * 4)
    assert found.width / 2 == pytest.approx(0.05)


def test_no_training_has_no_mean() -> None:
    with pytest.raises(PlywiseError, match="at least one"):
        mean_over_seeds([])
