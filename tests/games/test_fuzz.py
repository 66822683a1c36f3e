"""Parsers take anything: damaged texts are refused with a reason, or read to a sound position."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import triskele
from tests.support.fuzz import read_or_refuse
from triskele.core.game import games
from triskele.testing import random_move

VARIANTS = [(game.name, options) for game in games() for options in game.option_sets]


def some_lines(name, options, seed):
    """Return the texts of a few positions of a random game, from the start to the end."""
    rng = random.Random(seed)
    pos = triskele.new(name, **options)
    lines = [str(pos)]
    while pos.outcome() is None and len(lines) < 400:
        pos.push(random_move(pos, rng))
        lines.append(str(pos))
    return [lines[0], lines[-1], *rng.sample(lines, min(len(lines), 6))]


LINES = [line for number, (name, options) in enumerate(VARIANTS) for line in some_lines(name, options, number)]


def damaged(line, rng):
    """Return a text with a few characters changed, dropped, doubled, or exchanged with another text."""
    characters = list(line)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(characters))
        kind = rng.randrange(5)
        if kind == 0:
            characters[at] = rng.choice(rng.choice(LINES))
        elif kind == 1:
            del characters[at]
        elif kind == 2:
            characters.insert(at, rng.choice("0123456789 .:/-=,*xX\t\u00e9"))
        elif kind == 3:
            characters = characters[:at] or [" "]
        else:
            other = rng.randrange(len(characters))
            characters[at], characters[other] = characters[other], characters[at]
        if not characters:
            return ""
    return "".join(characters)


def is_read(line):
    """Return whether a text is read. Then it is what the position writes, to the letter, and can be played on from."""
    pos = read_or_refuse(triskele.position, line)
    if pos is None:
        return False
    assert str(pos).partition(": ")[2] == line.strip().partition(": ")[2]
    again = triskele.position(str(pos))
    assert again == pos
    assert str(again) == str(pos)
    if pos.turn is not None:
        pos.push(pos.legal_moves[0])
        assert triskele.position(str(pos)) == pos
    return True


@pytest.mark.parametrize("seed", range(40))
def test_damaged_position_texts(seed):
    rng = random.Random(seed)
    lines = [damaged(rng.choice(LINES), rng) for _ in range(60)]
    known = {line.strip() for line in LINES}
    read = [line for line in lines if is_read(line)]
    assert len(read) < len(lines) / 2
    assert known & set(lines) <= {line.strip() for line in read}


@given(st.text(max_size=300))
@settings(max_examples=300, deadline=None)
def test_any_text_is_refused_with_a_reason(line):
    assert not is_read(line)


@given(st.sampled_from([name for name, _ in VARIANTS]), st.text(max_size=200))
@settings(max_examples=300, deadline=None)
def test_any_text_behind_a_game_s_name(name, body):
    assert not is_read(f"{name}: {body}")


def test_every_text_of_a_game_reads_back():
    assert all(is_read(line) for line in LINES)


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_any_move_text_is_legal_or_refused_and_changes_nothing(data):
    line = data.draw(st.sampled_from(LINES))
    pos = triskele.position(line)
    before = pos.state
    legal = {move.text for move in (*pos.legal_moves, *pos.interrupts)}
    written = data.draw(st.one_of(st.text(max_size=30), st.sampled_from(sorted(legal) or [""]).map(lambda t: t[::-1])))
    if written in legal:
        pos.push(written)
        assert pos.pop().text == written
        assert str(pos) == line
    else:
        with pytest.raises(triskele.IllegalMove):
            pos.push(written)
        assert np.array_equal(pos.state, before)


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_any_tokens_are_completed_or_refused(data):
    pos = triskele.position(data.draw(st.sampled_from(LINES)))
    tokens = data.draw(st.lists(st.one_of(st.text(max_size=6), st.sampled_from(["f6", "b3", "1c3", "R"])), max_size=4))
    answer = pos.complete(tokens)
    spellings = {s: move for move in (*pos.legal_moves, *pos.interrupts) for s in move.spellings}
    following = {s[len(tokens)] for s in spellings if s[: len(tokens)] == tuple(tokens) and len(s) > len(tokens)}
    assert answer.move == spellings.get(tuple(tokens))
    assert answer.next == (tuple(sorted(following)) if answer.move is None else ())
    assert bool(answer.reason) == (answer.move is None and not following)


def test_wrong_options_say_what_is_allowed():
    for game in games():
        with pytest.raises(triskele.OptionError, match=game.options[0].name):
            triskele.new(game.name, no_such_option=1)
        for option in game.options:
            for wrong in (None, 10**12, -1, "nonsense", 1.5, [], {}):
                with pytest.raises(triskele.OptionError, match=option.name):
                    game.variant({option.name: wrong})
    with pytest.raises(triskele.OptionError, match="yinsh"):
        triskele.new("chess")
