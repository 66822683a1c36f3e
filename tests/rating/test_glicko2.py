import pytest

from triskele.rating import glicko2
from triskele.rating.scale import DEVIATION, LEAST_DEVIATION, Rating


def test_the_papers_worked_example() -> None:
    opponents = [(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)]
    after = glicko2.update(Rating(1500, 200, 0.06), opponents)
    # The paper rounds on its way: 1464.06, 151.52 and 0.05999.
    assert after.value == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.005)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_a_period_without_games_makes_a_rating_less_certain() -> None:
    before = Rating(1700, 60)
    after = glicko2.update(before, [])
    assert after.value == before.value
    assert after.deviation > before.deviation
    assert before.aged(1e9).deviation == DEVIATION


def test_a_win_against_a_stronger_player_gains_more() -> None:
    gained = [glicko2.update(Rating(1500, 80), [(Rating(value, 80), 1.0)]).value for value in (1300, 1500, 1700)]
    assert 1500 < gained[0] < gained[1] < gained[2]


def test_a_surprise_raises_the_volatility() -> None:
    expected = glicko2.update(Rating(2000, 50), [(Rating(1200, 50), 1.0)] * 5)
    surprising = glicko2.update(Rating(2000, 50), [(Rating(1200, 50), 0.0)] * 5)
    assert surprising.volatility > expected.volatility


def test_no_rating_is_more_certain_than_the_least_deviation() -> None:
    after = glicko2.update(Rating(1500, LEAST_DEVIATION), [(Rating(1500, 30), 1.0), (Rating(1500, 30), 0.0)] * 500)
    assert after.deviation == LEAST_DEVIATION
