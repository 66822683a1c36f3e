"""The texts of Tryad: moves, positions, and what is refused."""

import itertools
import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import triskele
from tests.games.tryad.helpers import FULL, LONE, at, play, tied_for_fewest
from tests.support.fuzz import read_or_refuse
from triskele.games.tryad import GAME
from triskele.games.tryad.card import FIELDS

EMPTY = "./.../...../......."


@pytest.mark.parametrize("options", GAME.option_sets, ids=str)
def test_positions_are_read_as_they_are_written(options):
    rng = random.Random(7)
    for _ in range(3):
        pos = triskele.new("tryad", **options)
        while True:
            again = triskele.position(str(pos))
            assert str(again) == str(pos)
            assert again.state.tolist() == pos.state.tolist()
            if pos.turn is None:
                break
            pos.push(rng.choice(pos.legal_moves))


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (f"tryad: {FULL}", "a position is 2 cards and then what is asked"),
        (f"tryad: {FULL} {FULL}", "a position is 2 cards and then what is asked"),
        (f"tryad: {FULL} {FULL} {FULL} roll 1", "cannot be what is asked"),
        (f"tryad: {FULL} 3/213/31412/4121314 roll 1", "player 2’s card 3/213"),
        (f"tryad: {FULL}. {FULL} roll 1", "player 1’s card"),
        (f"tryad: {FULL.replace('/', '.')} {FULL} roll 1", "player 1’s card"),
        (f"tryad: {FULL}x {FULL} roll 2", "player 1 cannot be out"),
        (f"tryad: {EMPTY}x {FULL} roll 2", "player 1 cannot be out"),
        (f"tryad: {LONE}xx {FULL} roll 2", "player 1’s card"),
        (f"tryad: {FULL} {FULL} roll", "“roll” cannot"),
        (f"tryad: {FULL} {FULL} roll 0", "“roll 0” cannot"),
        (f"tryad: {FULL} {FULL} roll 3", "“roll 3” cannot"),
        (f"tryad: {FULL} {FULL} roll 01", "“roll 01” cannot"),
        (f"tryad: {FULL} {FULL} roll ²", "“roll ²” cannot"),
        (f"tryad: {FULL} {FULL} roll 1 ", "cannot be what is asked"),
        (f"tryad: {FULL} {FULL}  roll 1", "cannot be what is asked"),
        (f"tryad: {FULL} {FULL} take 1", "“take 1” cannot"),
        (f"tryad: {FULL} {FULL} take 1 5", "“take 1 5” cannot"),
        (f"tryad: {FULL} {FULL} take 1 0", "“take 1 0” cannot"),
        (f"tryad: {LONE} {FULL} take 1 3", "“take 1 3” cannot"),  # he would be out
        (f"tryad: {LONE}x {FULL} roll 1", "“roll 1” cannot"),  # he is out
        (f"tryad: {FULL} {EMPTY} roll 1", "“roll 1” cannot"),  # the game ended with the round before
        (f"tryad: {EMPTY} {FULL} roll 1", "“roll 1” cannot"),
        (f"tryad: {LONE}x {LONE}x roll 1", "“roll 1” cannot"),  # all are out
        (f"tryad: {FULL} {FULL} end 1", "“end 1” cannot"),
        (f"tryad: {EMPTY} {FULL} end 2", "“end 2” cannot"),
        (f"tryad: {EMPTY} {FULL} end -", "“end -” cannot"),
        (f"tryad: {EMPTY} {FULL} end", "“end” cannot"),
        (f"tryad: {EMPTY} {EMPTY} end 2+1", "cannot"),
        (f"tryad: {EMPTY} {EMPTY} end 1+1", "cannot"),
        (f"tryad: {EMPTY} {FULL} off 1 -", "“off 1 -” cannot"),  # nobody is tied
        (f"tryad: {EMPTY} {EMPTY} off 1 1", "“off 1 1” cannot"),  # he has not rolled yet
        (f"tryad: {EMPTY} {EMPTY} off 2 2", "“off 2 2” cannot"),
        (f"tryad: {EMPTY} {EMPTY} off 3 -", "“off 3 -” cannot"),
        (f"tryad: {EMPTY} {EMPTY} off 1", "“off 1” cannot"),
        (f"tryad: {FULL} {FULL} wait", "“wait” cannot"),
        (f"tryad mode=bingo: {FULL} {FULL} roll 1", "“roll 1” cannot"),
        (f"tryad mode=bingo: {EMPTY} {FULL} roll", "“roll” cannot"),
        (f"tryad mode=bingo: {LONE}x {LONE}x roll", "“roll” cannot"),
        (f"tryad mode=bingo: {FULL} {LONE} take 1 3", "“take 1 3” cannot"),  # seat 2 would be out
        (f"tryad players=1 mode=practice: {LONE}x end 1", "“end 1” cannot"),
        (f"tryad players=1 mode=practice: {EMPTY} end -", "“end -” cannot"),
    ],
)
def test_positions_that_cannot_be_are_refused(line, reason):
    with pytest.raises(triskele.RecordError, match=re.escape(reason)):
        # The core strips what is around a position; the game sees the rest as it is.
        GAME.notation.read(GAME.variant(options_of(line)).options, body_of(line), first_of(line))


def options_of(line):
    return GAME.parse_options(line.partition(": ")[0].split()[1:])


def body_of(line):
    return line.partition(": ")[2]


def first_of(line):
    return GAME.variant(options_of(line)).first_state()


def test_positions_with_a_shared_end_and_a_bingo_roll_are_read():
    for line in (
        f"tryad: {EMPTY} {EMPTY} end 1+2",
        f"tryad mode=bingo: {LONE}x {FULL} roll",
        f"tryad mode=bingo: {EMPTY} {LONE} take 2 4",
        f"tryad players=1 mode=practice: {LONE}x end -",
    ):
        assert str(triskele.position(line)) == line


MARKS = st.sampled_from([*"1234./x", " ", "roll", "take", "off", "end", "-", "+", FULL, EMPTY, LONE, "é", "²", "\n"])


@settings(max_examples=300, deadline=None)
@given(st.lists(MARKS, max_size=12).map("".join), st.sampled_from(GAME.option_sets))
def test_reading_untrusted_text_never_breaks(body, options):
    variant = GAME.variant(options)
    state = read_or_refuse(lambda text: GAME.notation.read(variant.options, text, variant.first_state()), body)
    assert state is None or GAME.notation.write(variant.options, state) == body


@pytest.mark.parametrize("options", GAME.option_sets, ids=str)
def test_a_position_with_a_slip_of_the_pen_is_refused_or_can_be_played_on(options):
    rng = random.Random(str(options))
    variant, accepted = GAME.variant(options), 0
    for _ in range(60):
        pos = triskele.new("tryad", **options)
        for _ in range(rng.randrange(40)):
            if pos.turn is not None:
                pos.push(rng.choice(pos.legal_moves))
        body = body_of(str(pos))
        where = rng.randrange(len(body))
        body = body[:where] + rng.choice(["", *"1234./x +-"]) + body[where + rng.randrange(2) :]
        state = read_or_refuse(lambda text: GAME.notation.read(variant.options, text, variant.first_state()), body)
        if state is None:
            assert body != body_of(str(pos))
            continue
        accepted += 1
        assert GAME.notation.write(variant.options, state) == body
        pos = triskele.Position(variant, state)
        while pos.turn is not None:
            pos.push(rng.choice(pos.legal_moves))
        assert pos.variant.seats == 1 or sum(pos.outcome().scores) == pytest.approx(0)
    assert 0 < accepted < 60


def test_takes_are_entered_field_by_field_in_any_order():
    pos = play(triskele.new("tryad"), "4")
    assert set(pos.complete([]).next) == set(FIELDS)
    assert pos.complete(["c2", "b1"]).next == ("b2", "c4", "d2", "d4", "d6")
    for order in itertools.permutations(("b1", "c2", "d6")):
        assert str(pos.complete(order).move) == "-b1+c2+d6"
    assert str(triskele.new("tryad").complete(["3"]).move) == "3"


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("-b1+b2", "these add up to 3, but the roll is 4"),
        ("-a1+b1", "these add up to 6, but the roll is 4"),
        ("-c2+d5", "no coin is left on c2"),
        ("-e1", "the card has no field e1"),
        ("-b4+d2", "the card has no field b4"),
        ("-d5+b2", "fields are written in alphabetical order: -b2+d5"),
        ("-d2+d2+b1", "d2 can be taken only once"),
        ("3", "the die has been rolled; take coins that add up to 4"),
        ("b1", "like -b1+c2"),
        ("", "like -b1+c2"),
        ("-" + "a1+" * 5000, "like -b1+c2"),
    ],
)
def test_illegal_takes_say_why(written, reason):
    pos = at(f"4/213/3.412/4121314 {FULL} take 1 4")
    before = str(pos)
    with pytest.raises(triskele.IllegalMove, match=re.escape(reason)):
        pos.push(written)
    assert str(pos) == before


def test_illegal_rolls_say_why():
    for written in ("5", "-a1", "0"):
        with pytest.raises(triskele.IllegalMove, match="roll the die first"):
            triskele.new("tryad").push(written)


@pytest.mark.parametrize(
    ("tokens", "reason"),
    [
        (["c2"], "no coin is left on c2"),
        (["z9"], "the card has no field z9"),
        (["b1", "b1"], "b1 can be taken only once"),
        (["b1", "b3"], "that would make 5, but the roll is 4"),
        (["4"], "the die has been rolled"),
        (["b1", "c5", "d2"], "-b1+c5 is already a complete move"),
    ],
)
def test_tokens_that_cannot_come_say_why(tokens, reason):
    assert reason in at(f"4/213/3.412/4121314 {FULL} take 1 4").complete(tokens).reason


def test_a_field_that_nothing_completes_says_so():
    pos = at(f"4/2.3/...../....... {FULL} take 1 4")
    assert "that makes 3, and nothing left on the card brings it to 4" in pos.complete(["b3"]).reason


def test_what_is_asked():
    assert triskele.new("tryad").ask() == "player 1 rolls the die"
    assert triskele.new("tryad", mode="bingo").ask() == "roll the die, for everyone"
    assert triskele.new("tryad", mode="practice", players=1).ask() == "roll the die"
    assert play(triskele.new("tryad"), "3").ask() == "take coins that add up to 3"
    assert tied_for_fewest().ask() == "roll-off: player 1 rolls; a 4 wins"
