"""Puzzles of Conquest Tryad: the search leaves out what cannot win, and nothing else."""

import random
from collections.abc import Iterator
from fractions import Fraction

import pytest

import triskele
from triskele.core.playout import random_move
from triskele.core.position import Position
from triskele.games.conquest.puzzles import chances
from triskele.games.conquest.puzzles.chances import chances_to_win, is_out_of_reach, spare_tokens
from triskele.games.conquest.rules import CONQUER, PHASE


def attacks(games: int, purse: int) -> Iterator[Position]:
    """Yield the positions of random games in which a seat may attack."""
    for number in range(games):
        rng = random.Random(number)
        position = triskele.new("conquest", purse=purse, rounds=8)
        while position.turn is not None:
            if position.state[PHASE] == CONQUER:
                yield position
            position.push(random_move(position, rng))


def test_C7_C8_what_is_out_of_reach_wins_in_no_way(monkeypatch: pytest.MonkeyPatch) -> None:
    small = []
    for position in attacks(60, 12):
        assert position.turn is not None
        state = position.state
        if is_out_of_reach(state, position.turn) and 0 < spare_tokens(state, position.turn) <= 2:
            small.append(Position(position.variant, state))
    assert len(small) >= 10
    monkeypatch.setattr(chances, "is_out_of_reach", lambda state, seat: False)
    tried = 0
    for position in small[:: max(1, len(small) // 12)]:
        try:
            values = chances_to_win(position, 4_000)
        except chances.TooManyStates:
            continue
        assert max(values.values()) == Fraction()
        tried += 1
    assert tried >= 3
