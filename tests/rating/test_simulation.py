"""A small club; ``python benchmarks/ratings.py`` simulates the large one whose figures are in docs/ratings.md."""

import pytest

from triskele.rating.simulation import Club, simulate


@pytest.fixture(scope="module", params=["two", "several"])
def club(request: pytest.FixtureRequest) -> Club:
    seats = (2,) if request.param == "two" else (3, 4, 5, 6)
    return simulate(players=400, rounds=100, seats=seats, seed=1)


def test_simulated_players_end_in_the_right_order(club: Club) -> None:
    assert club.correlation >= 0.95


def test_intervals_hold_what_they_promise(club: Club) -> None:
    assert club.held() >= 0.93  # 95 % are promised; with 400 players one standard error is 1.1 %


def test_intervals_are_not_wider_than_they_need_to_be(club: Club) -> None:
    assert club.deviation <= 1.5 * club.error
