"""Many games at once: the same games, masks and observations as one by one; compiled as plain."""

import numpy as np
import pytest

from tests.support.games import quick
from triskele.core import batch as module
from triskele.core.batch import batch
from triskele.core.contract import OVER
from triskele.core.decisions import WHO_IS_ASKED
from triskele.core.errors import IllegalMove, OptionError
from triskele.core.game import game, games

NAMES = [declared.name for declared in games()]


def asked(words):
    return bool(words[0] >> WHO_IS_ASKED & 1)


@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize("name", NAMES)
def test_each_game_goes_as_it_would_alone(name):
    declared = game(name)
    several = batch(name, 3, seed=5, **quick(declared))
    finished = 0
    for step in range(2000):
        if step >= 40 and finished:
            break
        before = [several.position(i) for i in range(3)]
        masks, words, actions = several.masks(), several.observations(), several.sample()
        for i, position in enumerate(before):
            seat = int(several.turns[i])
            legal = {several.text(code) for code in np.flatnonzero(masks[i]).tolist()}
            assert several.text(int(actions[i])) in legal
            if asked(words[i]):
                assert "wait" in legal
            else:
                assert legal == {move.text for move in position.legal_moves}
                assert seat == position.turn
            known = position.seen_by(seat).state
            assert words[i, 1:].tolist() == known[1 : declared.rules_module.SIZE].tolist()
        scores, done = several.step(actions)
        finished += done.sum()
        for i, position in enumerate(before):
            written = several.text(int(actions[i]))
            if written != "wait":
                position.push(written)
            if done[i]:
                assert abs(scores[i].sum()) < 1e-9
                assert position.outcome() is None or position.outcome().scores == tuple(scores[i])
                assert not asked(several.observations()[i])
            else:
                assert not scores[i].any()
                if not declared.chance:
                    assert several.position(i) == position
    assert several.turns.min() >= 0
    assert finished


@pytest.mark.usefixtures("plain")
def test_finished_games_are_scored_and_begin_anew():
    several = batch("tryad", 6, seed=1)
    first = batch("tryad", 1).position(0)
    ended = np.zeros(6, dtype=int)
    for _ in range(60):
        scores, done = several.step(several.sample())
        ended += done
        assert (np.abs(scores).sum(axis=1) > 0)[done].any() or not done.any()
        for i in np.flatnonzero(done):
            assert several.position(int(i)).state[15:17].tolist() == first.state[15:17].tolist()
    assert (ended > 0).all()


@pytest.mark.usefixtures("plain")
def test_without_beginning_anew_all_games_come_to_their_ends():
    several = batch("tryad", 5, seed=3, anew=False, players=3)
    played = several.play(10_000)
    assert (several.turns == OVER).all()
    assert played.ended.tolist() == [1] * 5
    assert np.allclose(played.scores.sum(axis=1), 0)
    for i in range(5):
        assert several.position(i).outcome().scores == pytest.approx(tuple(played.scores[i]))
    assert not several.masks().any()
    assert (several.sample() == -1).all()
    again = several.step(several.sample())
    assert not again.done.any()
    assert several.play(10).ended.tolist() == [0] * 5
    several.reset([1, 3])
    assert (several.turns >= 0).tolist() == [False, True, False, True, False]


@pytest.mark.usefixtures("plain")
def test_an_illegal_action_is_refused_and_nothing_changes():
    several = batch("yinsh", 4, seed=2)
    several.play(7)
    states, turns = several._states.copy(), several.turns.copy()
    actions = several.sample()
    taken = int(several.position(2).state[12])
    actions[2] = taken
    with pytest.raises(IllegalMove, match=rf"game 2: action {taken} is not legal here; legal actions: \d+ \("):
        several.step(actions)
    for wrong in (actions[:3], actions.astype(float), actions[None], [True] * 4, "abcd"):
        with pytest.raises(IllegalMove, match="whole numbers, one for each of the 4 games, and not "):
            several.step(wrong)
    assert np.array_equal(several._states, states)
    assert np.array_equal(several.turns, turns)


@pytest.mark.parametrize("n", [0, -1, 1_000_001, True, 2.5, "3"])
def test_how_many_games_there_can_be(n):
    with pytest.raises(OptionError, match="use 1 to 1000000"):
        batch("yinsh", n)


def test_options_and_seats_are_checked():
    with pytest.raises(OptionError, match="columns cannot be 7"):
        batch("trypsylon", 2, columns=7)
    with pytest.raises(OptionError, match="there is no game"):
        batch("chess", 2)


@pytest.mark.usefixtures("plain")
def test_a_seat_sees_what_it_may_and_no_more():
    several = batch("tryptic", 2, players=3)
    codes = {several.text(code): code for code in range(several.actions)}
    for one, other in (("=BBB", "=BBB"), ("=GGG", "=WWY"), ("=RRR", "=GGY")):
        several.step([codes[one], codes[other]])
    seen = several.observations(seat=0)
    assert np.array_equal(seen[0], seen[1])
    for seat in (1, 2):
        seen = several.observations(seat=seat)
        assert not np.array_equal(seen[0], seen[1])
    with pytest.raises(IllegalMove, match="seat"):
        several.observations(seat=3)


@pytest.mark.usefixtures("plain")
def test_a_log_grows_as_far_as_it_must(monkeypatch):
    monkeypatch.setattr(module, "INITIAL_LOG_MOVES", 1)
    several = batch("trypsylon", 3, seed=9)
    other = batch("trypsylon", 3, seed=9)
    several.play(120)
    monkeypatch.setattr(module, "INITIAL_LOG_MOVES", 500)
    roomy = batch("trypsylon", 3, seed=9)
    roomy.play(120)
    for i in range(3):
        assert several.position(i) == roomy.position(i)
    for _ in range(30):
        other.step(other.sample())
    assert other._states.shape[1] > game("trypsylon").rules_module.SIZE + 5


@pytest.mark.parametrize(("name", "options"), [("tryad", {"players": 3}), ("tryptic", {"players": 3, "goal": 2})])
def test_compiled_and_plain_play_the_same_games(name, options, monkeypatch):
    compiled = batch(name, 5, seed=11, **options)
    monkeypatch.setenv("TRISKELE_PLAIN", "1")
    plain = batch(name, 5, seed=11, **options)
    for _ in range(60):
        for look in ("masks", "observations", "sample"):
            assert np.array_equal(getattr(compiled, look)(), getattr(plain, look)()), look
        actions = compiled.sample()
        assert np.array_equal(plain.sample(), actions)
        for one, other in zip(compiled.step(actions), plain.step(actions), strict=True):
            assert np.array_equal(one, other)
        assert np.array_equal(compiled.turns, plain.turns)
    for one, other in zip(compiled.play(100), plain.play(100), strict=True):
        assert np.array_equal(one, other)
    assert all(compiled.position(i) == plain.position(i) for i in range(5))


@pytest.mark.usefixtures("plain")
def test_children_are_all_actions_taken_once():
    several = batch("trypsylon", 4, seed=6)
    several.play(11)
    before = [several.position(i) for i in range(4)]
    grown = several.children()
    assert len(grown.batch) == sum(len(position.legal_moves) for position in before) == several.masks().sum()
    for k, (parent, action) in enumerate(zip(grown.parents.tolist(), grown.actions.tolist(), strict=True)):
        position = before[parent].copy()
        position.push(several.text(action))
        assert grown.batch.position(k) == position
        assert grown.batch.turns[k] == (OVER if position.turn is None else position.turn)
        assert grown.done[k] == (position.turn is None)
    assert [several.position(i) for i in range(4)] == before
    some = several.children([2])
    assert set(some.parents.tolist()) == {2}
    assert some.actions.tolist() == grown.actions[grown.parents == 2].tolist()
    with pytest.raises(OptionError, match="a batch cannot have 0 games"):
        several.children(np.zeros(4, dtype=bool))


@pytest.mark.usefixtures("plain")
def test_children_that_end_the_game_are_scored():
    several = batch("tryad", 200, seed=4, anew=False)
    several.play(15)
    grown = several.children()
    assert grown.done.any()
    assert (grown.batch.turns[grown.done] == OVER).all()
    assert np.abs(grown.scores[grown.done]).sum() > 0
    assert np.allclose(grown.scores.sum(axis=1), 0)
    assert not grown.scores[~grown.done].any()


@pytest.mark.usefixtures("plain")
def test_equal_seeds_give_equal_games_and_others_do_not():
    def played(seed):
        several = batch("tryad", 4, seed=seed)
        several.play(9)
        return [str(several.position(i)) for i in range(4)]

    assert played(1) == played(1)
    assert played(1) != played(2)


@pytest.mark.usefixtures("plain")
def test_arrays_can_be_used_again():
    several = batch("trypsylon", 3)
    masks, words = several.masks(), several.observations()
    several.step(several.sample())
    assert several.masks(out=masks) is masks
    assert several.observations(out=words) is words
    assert np.array_equal(masks, several.masks())
    assert np.array_equal(words, several.observations())
    assert len(several) == 3
    for wrong in (masks[:2], masks.astype(np.uint8), masks[:, ::2], np.asfortranarray(masks), [True], words):
        with pytest.raises(OptionError, match=r"must be bool \(3, 133\), contiguous"):
            several.masks(out=wrong)
    for wrong in (words[:2], words.astype(float), masks):
        with pytest.raises(OptionError, match=r"must be int64 \(3, 21\)"):
            several.observations(out=wrong)
    words.flags.writeable = False
    with pytest.raises(OptionError, match="contiguous and writable"):
        several.observations(out=words)
