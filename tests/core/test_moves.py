"""Moves are values: equal and in order by their texts."""

from triskele.core.moves import Completion, Move


def test_moves_are_equal_sorted_and_hashed_by_their_texts():
    one, same, other = Move("b2", 7, (("b", "2"), ("b2",))), Move("b2", 8, ()), Move("a9", 9, (("a9",),))
    assert one == same
    assert len({one, same, other}) == 2
    assert sorted([one, other]) == [other, one]
    assert max(one, other) is one
    assert str(one) == "b2"
    assert one.tokens == ("b", "2")
    assert one != "b2"


def test_nothing_entered_is_nothing_answered():
    assert Completion() == Completion(move=None, next=(), reason="")
