"""The texts of Conquest Tryad: moves, positions, and what is refused."""

import itertools
import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import triskele
from tests.games.conquest.helpers import EMPTY, HELD, SETS, TRIPLES, after, at, body, random_move
from tests.support.fuzz import read_or_refuse


@pytest.mark.parametrize("options", SETS)
def test_texts_and_tokens_along_random_games(options, compiled):
    rng = random.Random(8)
    position = triskele.new("conquest", **options)
    for ply in range(250):
        if position.turn is None:
            break
        assert triskele.position(str(position)).state.tolist() == position.state.tolist()
        if ply % 10 == 0:
            spellings = sorted(spelling for move in position.legal_moves for spelling in move.spellings)
            for one, two in itertools.pairwise(spellings):
                assert two[: len(one)] != one
            move = rng.choice(position.legal_moves)
            for spelling in move.spellings:
                assert position.complete(spelling).move == move
                assert spelling[-1] in position.complete(spelling[:-1]).next
        position.push(random_move(position, rng))


def test_tokens_are_what_a_person_points_at():
    def spellings(position, move):
        return {" ".join(s) for s in position.find(move).spellings}

    line = "1 84 1b1*4 1c1*4 1c3*4 / 2 96 2c3*4 / pot 4 / round 2 / conquer 1 first 1"
    assert spellings(at(line), "1c2<1b1*1+1c1*2") == {
        "1c2 1b1 1c1 1c1 go",
        "1c2 1c1 1b1 1c1 go",
        "1c2 1c1 1c1 1b1 go",
    }
    assert "1c1 1c2 3" in spellings(at(line), "1c2<1c1*3")
    assert spellings(at(TRIPLES), "t1a1+1d1+1d7>1d1*4") == {"t 1d1 1a1 1d7 4", "t 1d1 1d7 1a1 4"}
    assert spellings(at(TRIPLES), "h1c3") == {"1c3"}
    taken = after(at(EMPTY), "1c4<1c3*2", "4", "3", "2")
    assert spellings(taken, "+1c3*5") == {"1c3 5"}
    assert spellings(taken, "stay") == {"stay"}
    line = "1 90 1c3*3 1c4*1 1d2*2 / 2 96 2c3*4 / pot 4 / round 2 / advantage 1 first 1"
    assert spellings(at(line), "v1c3>1c4*2") == {"1c3 1c4 2"}


@pytest.mark.parametrize(
    ("line", "tokens", "why"),
    [
        (EMPTY, "1c3 1c3", "1c3 is yours already"),
        (EMPTY, "1c3 2c3", "do not share a side"),
        (EMPTY, "2c3", "none of your fields can attack 2c3"),
        (EMPTY, "1c4 1b3", "you have no token on 1b3"),
        (EMPTY, "1c4 1c3 1c3 1c3 1c3", "one to three tokens"),
        (HELD, "2b1 1c3", "do not share a side"),
        (HELD, "7a1", "possible:"),
        (TRIPLES, "1d1", "1d1 is not connected to your home 1c3 by fields of your own"),
        (TRIPLES, "t 1b1", "you have no token on 1b1"),
        (TRIPLES, "t 1a1 1d2", "do not have the same number"),
        (TRIPLES, "t 1a1 1d1 1d7 1c3", "the triple’s own fields, and 1c3 is not one of them"),
        (TRIPLES.replace("reinforce", "advantage"), "1c3 1d2", "do not share a side"),
    ],
)
def test_tokens_that_cannot_be_have_a_reason(line, tokens, why):
    assert why in at(line).complete(tokens.split()).reason


@pytest.mark.parametrize(
    ("line", "move", "why"),
    [
        (EMPTY, "h1c3", "not now; first: "),
        (EMPTY, "3", "not now; first: "),
        (EMPTY, "1c4<1c3*4", "one to three tokens attack at a time"),
        (EMPTY, "1c4<1c3*0", "one to three tokens attack at a time"),
        (EMPTY, "nonsense", "legal moves: "),
        (TRIPLES, "t1a1+1d1+1d2>1a1*1", "do not have the same number"),
        (TRIPLES, "t1d1+1a1+1d7>1a1*1", "alphabetical order"),
        (TRIPLES, "t1a1+1d1+1d7>1c3*1", "1c3 is not one of them"),
        (TRIPLES, "t1a1+1d1+1d7>1a1*5", "gives 1 to 4 tokens"),
        (TRIPLES, "t1d2+1d4+1d6>1d2*2", "this triple gives 1 token"),
        (TRIPLES, "h1d1", "not connected to your home"),
        (TRIPLES, "h2d1", "you have no token on 2d1"),
        (TRIPLES, "t1a1+1a1+1d7>1a1*1", "1a1 is there twice"),
    ],
)
def test_illegal_moves_have_a_reason_and_change_nothing(line, move, why):
    position = at(line)
    with pytest.raises(triskele.IllegalMove, match=re.escape(why)):
        position.push(move)
    assert body(position) == line


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("nothing", "it has 5 parts"),
        (EMPTY.replace("pot 12", "pot 13"), "there are 201 chits instead of 200"),
        (EMPTY.replace("1c3*8", "1c3*08"), "not written the way"),
        (EMPTY.replace("1c3*8", "1c3*0"), "0 is not a number"),
        (EMPTY.replace("1c3*8", "3c3*8"), "there is no field 3c3"),
        (EMPTY.replace("1c3*8", "1c3*4 1c3*4"), "1c3 is there twice"),
        (EMPTY.replace("1c3*8", "1c4*4 1c3*4"), "not written the way"),
        (EMPTY.replace("1 80 1c3*8", "1 88"), "player 1 has no tokens and is not out"),
        (EMPTY.replace("1 80 1c3*8", "1 88 out"), "exactly when only one player is in"),
        (EMPTY.replace("1c3*8", "1c3*4 2c3*4"), "2c3 is there twice"),
        (EMPTY.replace("2c3*4", "2d4*4").replace("1c3*8", "2c3*8"), "player 2 is in, but another holds the home"),
        (EMPTY.replace("round 2", "round 201"), "the rounds are 1 to 200"),
        (EMPTY.replace("pot 12", "pot ²"), "is not a number"),
        (EMPTY.replace("pot 12", "bank 12"), "begins with “pot”"),
        (EMPTY.replace("conquer 1", "conquer 3"), "player 3 cannot be here"),
        (EMPTY.replace("conquer 1", "dance 1"), "begins with one of"),
        (EMPTY + " first 2", "pairs"),
        (EMPTY + " dice 2", "no attack that this belongs to"),
        (EMPTY + " home 2", "home does not belong here"),
        (EMPTY + " attack 1c4<1c3*2 dice 1+2+3", "not the dice"),
        (EMPTY + " attack 1c4<1c3*2 dice 5", "not the dice"),
        (EMPTY + " attack 1c4<1c3*2 defence 1", "nobody can defend like this"),
        (EMPTY + " attack 1c4<1c3*4", "not an attack"),
        (EMPTY + " attack 1c4<1c5*1", "not an attack"),
        (EMPTY + " attack 1c3<1c3*1", "not an attack"),
        (EMPTY + " repulsed 1c3>1c4*3 attack 1c4<1c3*1", "not an attack"),
        (EMPTY + " repulsed 1c4>1c3*1", "not a border with repulses"),
        (EMPTY + " repulsed 1c3>1c4*4", "not a border with repulses"),
        (EMPTY + " taken 1c4<1c3*2", "not a field just taken"),
        (HELD + " attack 2b1<1b3*2 dice 1", "not the dice"),
        (HELD + " attack 2b1<1b3*2 defence 4", "nobody can defend like this"),
        (TRIPLES + " home 4", "has given 1 to 3 tokens"),
        (TRIPLES + " home 1 used 1a1+1c3+1d1", "1c3 cannot have been used"),
        (TRIPLES + " used 1a1+1d1", "do not make up triples"),
        (TRIPLES + " used 1b1+1b2+1b3", "1b1 cannot have been used"),
        (TRIPLES.replace("reinforce 1 first 1", "over last"), "exactly when only one player is in"),
        (TRIPLES.replace("reinforce 1 first 1", "over rounds"), "the game ends after round 200"),
        (TRIPLES.replace("reinforce 1 first 1", "over"), "the game ends with one of"),
        (TRIPLES.replace("reinforce 1 first 1", "initiative 1=3 2=4"), "not all have rolled"),
        (TRIPLES.replace("reinforce 1 first 1", "initiative 1=? 2=4"), "in the order of their seats"),
        (TRIPLES.replace("reinforce 1 first 1", "initiative 1=? 3=?"), "not a roll of a player who is in"),
    ],
)
def test_positions_that_cannot_be_are_refused(line, why):
    with pytest.raises(triskele.RecordError, match=re.escape(why)):
        at(line)


WRITTEN = [EMPTY, HELD, TRIPLES, EMPTY + " attack 1c4<1c3*2 dice 1+2", HELD + " attack 2b1<1b3*2 defence 2 dice 4"]


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(WRITTEN),
    st.integers(0, 200),
    st.integers(0, 3),
    st.text("0123456789abcd <>+*=?/outhmef", max_size=4),
)
def test_spoilt_positions_are_read_exactly_or_refused(line, place, cut, put):
    spoilt = line[:place] + put + line[place + cut :]
    position = read_or_refuse(at, spoilt)
    if position is None:
        assert spoilt != line
    else:
        assert body(position) == spoilt.strip()
        assert position.outcome() is not None or position.legal_moves
