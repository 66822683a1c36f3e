import pytest

from triskele.core.moves import Outcome
from triskele.rating import plackett_luce
from triskele.rating.results import Pool, Result, Standing, fold, places, rate
from triskele.rating.scale import PERIOD_MS, Rating


def outcome(winners: tuple[int, ...], *scores: float) -> Outcome:
    return Outcome(winners=winners, scores=scores, reason="test")


def test_winners_come_first_and_the_others_by_their_scores() -> None:
    assert places(outcome((2,), -0.5, 0.0, 1.0, -0.5)) == (2, 1, 0, 2)
    assert places(outcome((), 0.0, 0.0)) == (0, 0)


def test_who_quits_is_last_and_several_quitters_share_the_last_place() -> None:
    assert places(outcome((0,), 1.0, 0.0, -1.0, 0.0), quitters=[3]) == (0, 1, 2, 3)
    assert places(outcome((0,), 1.0, 0.0, -1.0, 0.0), quitters=[1, 3]) == (0, 2, 1, 2)


def test_a_stand_in_that_wins_for_a_quitter_does_not_save_the_quitter() -> None:
    assert places(outcome((0,), 1.0, -0.3, -0.7), quitters=[0]) == (2, 0, 1)


def test_a_draw_between_equals_changes_only_the_certainty() -> None:
    after = rate(Result("t", 0, ("a", "b"), (0, 0)), [Standing(), Standing()])
    assert [each.rating.value for each in after] == pytest.approx([1500, 1500])
    assert all(each.rating.deviation < 350 and each.games == 1 for each in after)


def test_places_of_six_order_the_ratings_of_equals() -> None:
    after = plackett_luce.update([Rating()] * 6, [3, 0, 5, 1, 4, 2])
    ordered = sorted(range(6), key=lambda seat: -after[seat].value)
    assert ordered == [1, 3, 5, 0, 4, 2]
    assert all(each.deviation < 350 for each in after)


def test_shared_places_of_equals_give_equal_ratings() -> None:
    after = plackett_luce.update([Rating()] * 4, [0, 1, 1, 1])
    assert after[0].value > after[1].value
    assert after[1] == after[2] == after[3]


def test_the_same_results_give_the_same_ratings_to_the_last_bit() -> None:
    results = [Result(str(at), at * 1000, ("a", "b", "c")[: 2 + at % 2], (0, 1, 2)[: 2 + at % 2]) for at in range(20)]
    assert list(fold(results, {})) == list(fold(results, {}))


def test_a_rating_is_less_certain_after_a_long_time() -> None:
    standing = Standing(Rating(1700, 60), games=50, time=0)
    assert standing.now(73 * PERIOD_MS).deviation == pytest.approx(107, abs=1)
    assert Standing().now(73 * PERIOD_MS) == Rating()


def test_two_and_several_seats_are_rated_apart() -> None:
    assert Pool.of("x", "live", 2) != Pool.of("x", "live", 3)
    assert Pool.of("x", "live", 3) == Pool.of("x", "live", 6)
