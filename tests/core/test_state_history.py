"""The states that a position came through."""

import copy
import pickle
import random

import numpy as np
import pytest

import triskele
from triskele.core.state_history import StateHistory


def test_states_come_back_as_they_were():
    history, states = StateHistory(), [np.arange(5) * 2**40 - at for at in range(4)]
    for state in states:
        history.push(state)
    states[0][0] = 99  # what was pushed is a copy
    assert history[0].tolist()[0] == 0
    twin, part = history.copy(), history.first(2)
    assert history.pop().tolist() == states[3].tolist()
    assert (len(history), len(twin), len(part)) == (3, 4, 2)
    assert twin[-1].tolist() == states[3].tolist()
    assert pickle.loads(pickle.dumps(part))[1].tolist() == states[1].tolist()


def test_any_order_of_adding_removing_and_reading_is_that_of_a_list():
    rng, numbers = random.Random(3), np.random.default_rng(3)
    history, states = StateHistory(), []
    for _ in range(2_000):
        if states and rng.random() < 0.4:
            assert history.pop().tolist() == states.pop().tolist()
        else:
            states.append(numbers.integers(-(2**62), 2**62, 6))
            history.push(states[-1])
        if states:
            at = rng.randrange(-len(states), len(states))
            assert history[at].tolist() == states[at].tolist()
        if rng.random() < 0.2:
            history.pack()
        if rng.random() < 0.05:
            number = rng.randint(0, len(states))
            history, states = rng.choice((history.first(number), history.first(number).copy())), states[:number]
    assert len(history) == len(states)
    with pytest.raises(IndexError):
        history[len(states)]


@pytest.mark.parametrize("name", [game.name for game in triskele.games()])
def test_pieces_keep_their_ids_on_every_way_to_a_position(name):
    """Ids are kept for some moves only: taking back, copying and going on again must give the same ones."""
    rng = random.Random(4)
    position = triskele.new(name)
    seen = [position.scene()]
    while position.turn is not None and len(seen) < 75:
        roll = position.turn == triskele.CHANCE
        position.push(position.draw(rng.randrange) if roll else rng.choice(position.legal_moves))
        seen.append(position.scene())
        if rng.random() < 0.5:
            position.pack()
    for at in (len(seen) - 1, 64, 33, 32, 31, 5, 0):
        if at < len(seen):
            assert position.copy(at).scene() == seen[at]
    shallow = copy.copy(position)
    for at in range(len(seen) - 2, max(len(seen) - 40, 0), -1):
        position.pop()
        assert position.scene() == seen[at]
    assert len(shallow.moves) == len(seen) - 1
    assert shallow.scene() == seen[-1]
