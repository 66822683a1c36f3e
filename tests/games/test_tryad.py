"""The rules of Tryad, by number."""

import functools
import itertools
import math
import random
import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import triskele
from triskele.core.draw import svg
from triskele.core.draw import text as terminal
from triskele.core.words import LANGUAGES
from triskele.games.tryad import GAME, rules
from triskele.games.tryad.card import FIELDS, STANDARD, field_names, read_layout
from triskele.games.tryad.solution import Solution, solve

FULL = STANDARD
EMPTY = "./.../...../......."
ONES = "1/111/11111/1111111"
TWOS = "2/222/22222/2222222"
MIXED = "1/234/12341/2341234"
LAYOUTS = (STANDARD, MIXED, ONES, TWOS, "4/444/44444/4444444", "1/333/33333/4444422")


def at(cards, **options):
    written = "".join(f" {name}={value}" for name, value in options.items())
    return triskele.position(f"tryad{written}: {cards}")


def texts(pos):
    return [str(move) for move in pos.legal_moves]


def play(pos, *moves):
    for move in moves:
        pos.push(move)
    return pos


def bits_of(names):
    return sum(1 << FIELDS.index(name) for name in names)


# --- A1 and A2: the card --------------------------------------------------------------------------


def test_A1_fields_are_named_in_rows_of_1_3_5_7():
    assert " ".join(FIELDS) == "a1 b1 b2 b3 c1 c2 c3 c4 c5 d1 d2 d3 d4 d5 d6 d7"


def test_A1_standard_card_is_the_same_from_all_three_sides():
    numbers = read_layout(STANDARD)
    spots = {}
    for name, number in zip(FIELDS, numbers, strict=True):
        row, column = "abcd".index(name[0]), int(name[1]) - 1
        x, y = (column - row) / 2, (row + (1 / 3 if column % 2 else 2 / 3)) * math.sqrt(3) / 2
        spots[x, y - 4 / math.sqrt(3)] = number  # around the middle of the card
    cosine, sine = math.cos(2 * math.pi / 3), math.sin(2 * math.pi / 3)
    for (x, y), number in spots.items():
        turned = (x * cosine - y * sine, x * sine + y * cosine)
        nearest = min(spots, key=lambda spot: math.dist(spot, turned))
        assert math.dist(nearest, turned) < 1e-9
        assert spots[nearest] == number
    assert numbers[FIELDS.index("c3")] == 4
    assert all(numbers.count(number) >= 3 for number in (1, 2, 3, 4))


@pytest.mark.parametrize(
    "layout",
    [
        "",
        "4",
        "4/213/31412/412131",
        "4/213/31412/41213144",
        "4/213/31412/4121315",
        "0/213/31412/4121314",
        "42/13/31412/4121314",
        "4213314124121314",
        "4/213/31412/4121314/",
        "4/21x/31412/4121314",
        "\uff14/213/31412/4121314",
    ],
)
def test_A1_layout_with_wrong_rows_or_digits_is_refused(layout):
    with pytest.raises(triskele.OptionError, match="four rows of 1, 3, 5 and 7 digits from 1 to 4"):
        triskele.new("tryad", layout=layout)


def test_A1_layout_changes_what_can_be_taken():
    pos = play(triskele.new("tryad", layout=MIXED), "1")
    assert texts(pos) == ["-a1", "-c1", "-c5", "-d4"]


@pytest.mark.parametrize("players", [2, 7, 12])
def test_A2_everyone_covers_every_number(players):
    pos = triskele.new("tryad", players=players)
    assert str(pos).endswith(" ".join([FULL] * players) + " roll 1")
    assert pos.turn == triskele.CHANCE


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"players": 0}, "from 1 to 12"),
        ({"players": 13}, "from 1 to 12"),
        ({"players": -1}, "from 1 to 12"),
        ({"stake": 0}, "from 1 to 1000"),
        ({"stake": 1001}, "from 1 to 1000"),
        ({"mode": "solo"}, "table, bingo, practice"),
        ({"mode": "practice"}, "practice is for one player, not for 2: choose one player"),
        ({"mode": "practice", "players": 3}, "practice is for one player, not for 3"),
        ({"players": 1}, "choose two players or more, or mode=practice"),
        ({"players": 1, "mode": "bingo"}, "one player cannot play in the mode bingo"),
        ({"bank": 3}, "players, stake, layout, mode"),
    ],
)
def test_options_that_are_refused_say_why(options, reason):
    with pytest.raises(triskele.OptionError, match=re.escape(reason)):
        triskele.new("tryad", **options)


# --- A3 and A4: a round ---------------------------------------------------------------------------


def sums_to(layout, covered, roll):
    """Return all sets of covered fields that add up to a roll, by trying every set."""
    numbers = dict(zip(FIELDS, read_layout(layout), strict=True))
    found = set()
    for size in range(1, 5):
        for names in itertools.combinations(covered, size):
            if sum(numbers[name] for name in names) == roll:
                found.add("-" + "+".join(names))
    return found


def test_A3_any_set_that_adds_up_can_be_taken():
    pos = play(triskele.new("tryad"), "4")
    assert set(texts(pos)) == sums_to(STANDARD, FIELDS, 4)
    assert {"-a1", "-b1+c5", "-b2+b3", "-b1+b2+d6", "-b2+c2+c4+d6"} <= set(texts(pos))
    assert len(texts(pos)) == 4 + 3 * 6 + 3 + 3 * 15 + 15


@pytest.mark.parametrize("layout", LAYOUTS)
def test_A3_takes_agree_with_trying_every_set(layout):
    rng = random.Random(layout)
    digits = layout.replace("/", "")
    for _ in range(40):
        covered = [name for name in FIELDS if rng.random() < rng.choice((0.3, 0.6, 0.9))] or ["a1"]
        card = "".join(d if name in covered else "." for name, d in zip(FIELDS, digits, strict=True))
        card = "/".join((card[:1], card[1:4], card[4:9], card[9:]))
        for roll in (1, 2, 3, 4):
            expected = sums_to(layout, covered, roll)
            pos = at(f"{card} {layout} roll 1", layout=layout)
            pos.push(str(roll))
            if expected:
                assert (pos.turn, set(texts(pos))) == (0, expected)
            else:
                assert str(pos).endswith(f"{card}x {layout} roll 2")


def test_A3_moves_are_counted_and_picked_in_the_order_they_are_listed():
    rng = random.Random(3)
    for options in GAME.option_sets:
        pos = triskele.new("tryad", **options)
        while pos.turn is not None:
            state, moves = pos.state, np.zeros(rules.MOVES, dtype=np.int64)
            number = rules.legal(state, moves)
            assert number == rules.count(state, moves)
            picked = [rules.nth(state, moves, k) for k in range(number)]
            assert picked == moves[:number].tolist()
            pos.push(rng.choice(pos.legal_moves))


def test_A3_most_takes_are_those_of_a_card_of_ones():
    assert len(texts(play(triskele.new("tryad", layout=ONES), "4"))) == rules.MOVES == 1820


def test_A3_every_code_is_one_set_of_up_to_four_fields():
    sets = rules.TAKEN[4:].tolist()
    assert len(set(sets)) == len(sets) == rules.ACTIONS - 4
    assert {fields.bit_count() for fields in sets} == {1, 2, 3, 4}
    assert [rules.take_code(fields) for fields in sets] == list(range(4, rules.ACTIONS))


def test_A3_seat_after_seat_rolls_and_takes():
    pos = triskele.new("tryad", players=3)
    turns = []
    for move in ("1", "-b2", "2", "-b1", "3", "-b3", "4", "-a1"):
        turns.append(pos.turn)
        pos.push(move)
    assert turns == [triskele.CHANCE, 0, triskele.CHANCE, 1, triskele.CHANCE, 2, triskele.CHANCE, 0]
    assert str(pos).endswith("roll 2")


def test_A3_chance_has_the_four_faces():
    assert texts(triskele.new("tryad")) == ["1", "2", "3", "4"]


def test_A4_who_cannot_match_is_out_at_once():
    pos = at(f"4/.../..4../4.....4 {FULL} roll 1")
    pos.push("3")
    assert str(pos) == f"tryad: 4/.../..4../4.....4x {FULL} roll 2"


def test_A4_who_is_out_rolls_no_more():
    pos = at(f"{FULL} 4/.../...../.......x {FULL} roll 1", players=3)
    play(pos, "4", "-a1")
    assert str(pos).endswith("roll 3")
    play(pos, "4", "-a1")
    assert str(pos).endswith("roll 1")


# --- A5: Tryad ------------------------------------------------------------------------------------


def test_A5_others_pay_triple_what_is_left():
    pos = at("4/.../...../....... ./213/3..../....... 4/.../..4../4.....4x roll 1", players=3, stake=2)
    play(pos, "4", "-a1")
    assert pos.outcome() is None  # seat 2 is still to roll in this round
    play(pos, "3", "-b3")
    outcome = pos.outcome()
    assert (outcome.winners, outcome.reason) == ((0,), "tryad")
    # 3 and 4 fields left, 2 coins on each, three times
    assert outcome.scores == (42.0, -18.0, -24.0)


def test_A5_wins_even_if_others_go_out_in_the_same_round():
    pos = play(at("4/.../...../....... 4/.../...../....... roll 1"), "4", "-a1", "3")
    assert (pos.outcome().winners, pos.outcome().scores) == ((0,), (3.0, -3.0))


def test_A5_the_last_in_the_round_ends_the_game_by_clearing():
    pos = play(at(f"{FULL} 4/.../...../....... roll 2"), "4", "-a1")
    assert (pos.outcome().winners, pos.outcome().scores) == ((1,), (-48.0, 48.0))


# --- A6: nobody clears ----------------------------------------------------------------------------


def test_A6_the_last_one_in_goes_on_alone():
    pos = at("4/.../..4../4.....4 4/.../..4../......4x roll 1")
    play(pos, "4", "-a1", "4", "-c3")
    assert pos.outcome() is None  # already ahead, but still in
    play(pos, "4", "-d1", "4", "-d7")
    assert (pos.outcome().reason, pos.outcome().scores) == ("tryad", (9.0, -9.0))


def test_A6_the_fewest_coins_collect_what_the_others_left():
    pos = at("4/.../...../4......x 4/.../..4../4.....4x 4/.../..4../4...... roll 3", players=3, stake=5)
    pos.push("1")
    outcome = pos.outcome()
    assert (outcome.winners, outcome.reason) == ((0,), "fewest")
    assert outcome.scores == (35.0, -20.0, -15.0)


# --- A7: ties -------------------------------------------------------------------------------------


def tied_for_fewest():
    pos = at("4/.../...../4......x 4/.../..4../4......x 4/.../..4../......4x 4/.../...../4...... roll 4", players=4)
    pos.push("1")
    return pos


def test_A7_the_tied_roll_in_seat_order_until_one_rolls_a_four():
    pos = tied_for_fewest()
    assert str(pos).endswith("off 1 -")
    assert (pos.turn, texts(pos)) == (triskele.CHANCE, ["1", "2", "3", "4"])
    pos.push("3")
    assert str(pos).endswith("off 4 -")
    pos.push("1")
    assert str(pos).endswith("off 1 -")  # nobody: again
    play(pos, "2", "4")
    outcome = pos.outcome()
    assert (outcome.winners, outcome.reason) == ((3,), "fewest")
    assert outcome.scores == (-2.0, -3.0, -3.0, 8.0)  # who lost the roll-off leaves his coins too


def test_A7_a_four_does_not_win_before_the_round_of_rolls_is_over():
    pos = play(tied_for_fewest(), "4")
    assert str(pos).endswith("off 4 1")
    assert play(pos, "3").outcome().winners == (0,)


def test_A7_several_fours_in_one_round_share_equally():
    outcome = play(tied_for_fewest(), "4", "4").outcome()
    assert outcome.winners == (0, 3)
    assert outcome.scores == (3.0, -3.0, -3.0, 3.0)


def test_A7_two_tryads_roll_off_and_pay_each_other_nothing():
    last = "4/.../...../......."
    pos = at(f"{last} {last} {FULL} {FULL} roll 1", players=4)
    play(pos, "4", "-a1", "4", "-a1", "4", "-a1", "4", "-a1")
    assert str(pos).endswith("off 1 -")
    outcome = play(pos.copy(), "1", "4").outcome()
    assert (outcome.winners, outcome.reason) == ((1,), "tryad")
    assert outcome.scores == (0.0, 90.0, -45.0, -45.0)
    assert play(pos, "4", "4").outcome().scores == (45.0, 45.0, -45.0, -45.0)


def test_A7_shares_of_three_add_up_to_zero():
    last = "4/.../...../......."
    pos = at(f"{last} {last} {last} 4/.../...../4......x roll 1", players=4)
    play(pos, *["4", "-a1"] * 3, "4", "4", "4")
    outcome = pos.outcome()
    assert outcome.winners == (0, 1, 2)
    assert outcome.scores == pytest.approx((2.0, 2.0, 2.0, -6.0))


# --- A8: bingo and practice -----------------------------------------------------------------------


def test_A8_bingo_one_roll_counts_for_everyone():
    pos = triskele.new("tryad", mode="bingo", players=3)
    pos.push("4")
    turns = []
    for take in ("-a1", "-b2+b3", "-b1+c5"):
        turns.append(pos.turn)
        pos.push(take)
    assert turns == [0, 1, 2]
    assert pos.turn == triskele.CHANCE
    assert str(pos).endswith(" roll")


def test_A8_bingo_puts_out_all_who_cannot_match_at_once():
    pos = at(f"4/.../...../....... {FULL} ./.../..4../....... roll", players=3, mode="bingo")
    pos.push("3")
    assert pos.turn == 1
    assert str(pos).endswith(f"4/.../...../.......x {FULL} ./.../..4../.......x take 2 3")
    pos.push("-b3")
    assert pos.turn == triskele.CHANCE


def test_A8_bingo_ends_when_nobody_can_match():
    pos = play(at("4/.../...../....... 4/.../..4../....... roll", mode="bingo"), "2")
    assert (pos.outcome().winners, pos.outcome().scores) == ((0,), (2.0, -2.0))


def test_A8_bingo_tryads_of_one_round_tie():
    pos = play(at("4/.../...../....... ./.../..4../....... roll", mode="bingo"), "4", "-a1", "-c3")
    assert str(pos).endswith("off 1 -")


def test_A8_practice_cleared_scores_the_stake_on_the_card():
    pos = play(at("4/.../...../....... roll 1", players=1, mode="practice", stake=3), "4", "-a1")
    outcome = pos.outcome()
    assert (outcome.winners, outcome.scores, outcome.reason) == ((0,), (48.0,), "tryad")


def test_A8_practice_missed_scores_minus_the_coins_left():
    pos = play(at("4/.../...../4...... roll 1", players=1, mode="practice", stake=3), "1")
    outcome = pos.outcome()
    assert (outcome.winners, outcome.scores, outcome.reason) == ((), (-6.0,), "missed")


# --- a second referee -----------------------------------------------------------------------------


class Referee:
    """The rules once more, slowly and another way: a generator that is sent moves and tells what is asked."""

    def __init__(self, players=2, stake=1, layout=STANDARD, mode="table"):
        self.numbers = dict(zip(FIELDS, read_layout(layout), strict=True))
        self.layout, self.stake, self.mode = layout, stake, mode
        self.cards = [set(FIELDS) for _ in range(players)]
        self.still_in = list(range(players))
        self.result = None
        self.asked = None
        self.game = self.run()
        self.push(None)

    def push(self, move):
        try:
            self.asked = self.game.send(move)
        except StopIteration as stop:
            self.asked, self.result = None, stop.value

    def takes(self, seat, roll):
        return sums_to(self.layout, sorted(self.cards[seat]), roll)

    def turn(self, seat, roll):
        takes = self.takes(seat, roll)
        if not takes:
            self.still_in.remove(seat)
            return
        take = yield seat, takes
        self.cards[seat] -= set(take[1:].split("+"))

    def run(self):
        dice = (triskele.CHANCE, {"1", "2", "3", "4"})
        while self.still_in and all(self.cards):
            if self.mode == "bingo":
                roll = yield dice
                # All are judged when the die falls, before anybody takes.
                self.still_in = [seat for seat in self.still_in if self.takes(seat, int(roll))]
            for seat in list(self.still_in):
                if self.mode != "bingo":
                    roll = yield dice
                yield from self.turn(seat, int(roll))
        left = [len(card) for card in self.cards]
        if self.mode == "practice":
            return ((0,), (16.0 * self.stake,)) if not left[0] else ((), (-left[0] * float(self.stake),))
        tied = [seat for seat, coins in enumerate(left) if coins == min(left)]
        while len(tied) > 1:
            fours = []
            for seat in tied:
                roll = yield dice
                if roll == "4":
                    fours.append(seat)
            if fours:
                tied = fours
                break
        paid = [0 if seat in tied else (1 if min(left) else 3) * coins for seat, coins in enumerate(left)]
        share = sum(paid) * self.stake / len(tied)
        return tuple(tied), tuple(
            share if seat in tied else -float(coins * self.stake) for seat, coins in enumerate(paid)
        )


@pytest.mark.parametrize("options", GAME.option_sets, ids=str)
def test_games_agree_with_a_second_referee(options):
    rng = random.Random(str(options))
    for _ in range(6):
        pos, referee = triskele.new("tryad", **options), Referee(**options)
        while pos.turn is not None:
            assert referee.asked == (pos.turn, set(texts(pos)))
            move = rng.choice(texts(pos))
            pos.push(move)
            referee.push(move)
        assert referee.asked is None
        assert referee.result == (pos.outcome().winners, pos.outcome().scores)


@pytest.mark.parametrize("options", GAME.option_sets, ids=str)
def test_plain_and_compiled_rules_agree(options):
    plain, compiled = GAME.linker.plain, GAME.linker.compile_rules()
    variant, rng = GAME.variant(options), random.Random(1)
    buffers = [np.zeros(rules.MOVES, dtype=np.int64) for _ in range(2)]
    for _ in range(8):
        states = [np.zeros(rules.SIZE, dtype=np.int64) for _ in range(2)]
        for side, state in zip((plain, compiled), states, strict=True):
            state[0] = rules.SIZE
            side.start(state, variant.encoded)
        while plain.actor(states[0]) != rules.OVER:
            number = plain.legal(states[0], buffers[0])
            assert number == compiled.legal(states[1], buffers[1]) == compiled.count(states[1], buffers[1])
            assert buffers[0][:number].tolist() == buffers[1][:number].tolist()
            k = rng.randrange(number)
            assert compiled.nth(states[1], buffers[1], k) == buffers[0][k]
            for side, state in zip((plain, compiled), states, strict=True):
                side.apply(state, buffers[0][k])
            assert states[0].tolist() == states[1].tolist()
            assert plain.actor(states[0]) == compiled.actor(states[1])
        assert plain.winners(states[0]) == compiled.winners(states[1])
        assert plain.reason(states[0]) == compiled.reason(states[1])
        paid = [np.zeros(variant.seats) for _ in range(2)]
        plain.scores(states[0], paid[0])
        compiled.scores(states[1], paid[1])
        assert paid[0].tolist() == paid[1].tolist()


# --- texts ----------------------------------------------------------------------------------------


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


LONE = "4/.../...../......."


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (f"tryad: {FULL}", "a position is 2 cards and then what is asked"),
        (f"tryad: {FULL} {FULL}", "a position is 2 cards and then what is asked"),
        (f"tryad: {FULL} {FULL} {FULL} roll 1", "cannot be what is asked"),
        (f"tryad: {FULL} 3/213/31412/4121314 roll 1", "seat 2's card 3/213"),
        (f"tryad: {FULL}. {FULL} roll 1", "seat 1's card"),
        (f"tryad: {FULL.replace('/', '.')} {FULL} roll 1", "seat 1's card"),
        (f"tryad: {FULL}x {FULL} roll 2", "seat 1 cannot be out"),
        (f"tryad: {EMPTY}x {FULL} roll 2", "seat 1 cannot be out"),
        (f"tryad: {LONE}xx {FULL} roll 2", "seat 1's card"),
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
    try:
        state = GAME.notation.read(variant.options, body, variant.first_state())
    except triskele.RecordError:
        return
    assert GAME.notation.write(variant.options, state) == body


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
        try:
            state = GAME.notation.read(variant.options, body, variant.first_state())
        except triskele.RecordError:
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
        ("-b1+b2", "the fields add up to 3, the roll is 4"),
        ("-a1+b1", "the fields add up to 6, the roll is 4"),
        ("-c2+d5", "no coin is left on c2"),
        ("-e1", "the card has no field e1"),
        ("-b4+d2", "the card has no field b4"),
        ("-d5+b2", "fields are written in alphabetical order: -b2+d5"),
        ("-d2+d2+b1", "d2 can be taken only once"),
        ("3", "the die has been rolled; take fields that add up to 4"),
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
        with pytest.raises(triskele.IllegalMove, match="the die is to be rolled"):
            triskele.new("tryad").push(written)


@pytest.mark.parametrize(
    ("tokens", "reason"),
    [
        (["c2"], "no coin is left on c2"),
        (["z9"], "the card has no field z9"),
        (["b1", "b1"], "b1 can be taken only once"),
        (["b1", "b3"], "that would add up to 5, the roll is 4"),
        (["4"], "the die has been rolled"),
        (["b1", "c5", "d2"], "-b1+c5 is a whole move already"),
    ],
)
def test_tokens_that_cannot_come_say_why(tokens, reason):
    assert reason in at(f"4/213/3.412/4121314 {FULL} take 1 4").complete(tokens).reason


def test_a_field_that_nothing_completes_says_so():
    pos = at(f"4/2.3/...../....... {FULL} take 1 4")
    assert "that makes 3, and nothing left on the card makes it up to 4" in pos.complete(["b3"]).reason


def test_what_is_asked():
    assert triskele.new("tryad").ask() == "seat 1 rolls the die"
    assert triskele.new("tryad", mode="bingo").ask() == "roll the die, for everyone"
    assert triskele.new("tryad", mode="practice", players=1).ask() == "roll the die"
    assert play(triskele.new("tryad"), "3").ask() == "take fields that add up to 3"
    assert tied_for_fewest().ask() == "roll-off: seat 1 rolls, a 4 wins"


# --- the solution ---------------------------------------------------------------------------------


def every_set(layout):
    """Return chance and fields left for all 65,536 sets of fields, without using that equal numbers are alike."""
    numbers = read_layout(layout)
    masks = np.arange(1 << 16)
    size = np.bitwise_count(masks).astype(np.int64)
    takes = {
        roll: [
            sum(1 << bit for bit in bits)
            for count in range(1, 5)
            for bits in itertools.combinations(range(16), count)
            if sum(numbers[bit] for bit in bits) == roll
        ]
        for roll in (1, 2, 3, 4)
    }
    chance, left = np.zeros(1 << 16), np.zeros(1 << 16)
    chance[0] = 1.0
    for level in range(1, 17):
        here = masks[size == level]
        total_chance, total_left = np.zeros(len(here)), np.zeros(len(here))
        for roll in (1, 2, 3, 4):
            best, least = np.zeros(len(here)), np.full(len(here), float(level))
            for take in takes[roll]:
                has = (here & take) == take
                rest = here[has] ^ take
                best[has] = np.maximum(best[has], chance[rest])
                least[has] = np.minimum(least[has], left[rest])
            total_chance += best
            total_left += least
        chance[here], left[here] = total_chance / 4, total_left / 4
    return chance, left


@pytest.mark.parametrize("layout", [STANDARD, MIXED])
def test_solution_is_exact_for_every_set_of_fields(layout):
    solution = solve(layout)
    chance, left = every_set(layout)
    assert [solution.clear_chance(fields) for fields in range(1 << 16)] == chance.tolist()
    assert [solution.expected_left(fields) for fields in range(1 << 16)] == left.tolist()


@pytest.mark.parametrize("layout", LAYOUTS)
def test_solution_agrees_with_fractions_on_small_sets(layout):
    numbers = read_layout(layout)

    @functools.cache
    def value(fields, aim):
        if not fields:
            return Fraction(aim == "clear")
        bits = [bit for bit in range(16) if fields >> bit & 1]
        total = Fraction(0)
        for roll in (1, 2, 3, 4):
            rests = [
                value(fields & ~sum(1 << bit for bit in taken), aim)
                for size in range(1, 5)
                for taken in itertools.combinations(bits, size)
                if sum(numbers[bit] for bit in taken) == roll
            ]
            if aim == "clear":
                total += max(rests, default=Fraction(0))
            else:
                total += min(rests, default=Fraction(len(bits)))
        return total / 4

    solution, rng = solve(layout), random.Random(2)
    for _ in range(12):
        fields = sum(1 << bit for bit in rng.sample(range(16), rng.randint(1, 8)))
        assert Fraction(solution.clear_chance(fields)) == value(fields, "clear")
        assert Fraction(solution.expected_left(fields)) == value(fields, "fewest")


def test_solution_best_takes_are_legal_and_lead_to_the_values():
    solution, rng = solve(STANDARD), random.Random(5)
    for _ in range(200):
        fields = rng.randrange(1, 1 << 16)
        takes = [solution.best_take(fields, roll, "clear") for roll in (1, 2, 3, 4)]
        assert sum(take.odds.chance for take in takes if take) / 4 == solution.clear_chance(fields)
        for roll, take in zip((1, 2, 3, 4), takes, strict=True):
            legal = sums_to(STANDARD, field_names(fields), roll)
            assert (take is None) == (not legal)
            assert take is None or "-" + "+".join(field_names(take.fields)) in legal


def one_of_each_kind():
    """Return sets of fields of the standard card, one for each choice of how many of every number."""
    alike = [[bit for bit, n in enumerate(read_layout(STANDARD)) if n == number] for number in (1, 2, 3, 4)]
    counts = itertools.product(*(range(len(bits) + 1) for bits in alike))
    return [sum(1 << bit for bits, k in zip(alike, many, strict=True) for bit in bits[:k]) for many in counts]


def test_solution_where_the_two_aims_are_farthest_apart():
    # A 4 and four 1s before a 4. With n ones left the chance is p(n) = (p(n-1) + ... + p(n-4)) / 4, p(0) = 1.
    both = solve(STANDARD).compare(bits_of(["a1", "b2", "c2", "c4", "d2"]), 4)
    assert field_names(both.clear.fields) == ["a1"]
    assert field_names(both.fewest.fields) == ["b2", "c2", "c4", "d2"]
    assert (both.clear.odds.chance, both.fewest.odds.chance) == (0.48828125, 0.25)
    assert (both.clear.odds.left, both.fewest.odds.left) == (0.79296875, 0.75)
    assert (both.chance_lost, both.coins_lost) == (0.23828125, 0.04296875)
    everywhere = [solve(STANDARD).compare(fields, roll) for fields in one_of_each_kind() for roll in (1, 2, 3, 4)]
    gaps = [(gap.chance_lost, gap.coins_lost) for gap in everywhere if gap]
    assert min(min(gap) for gap in gaps) == 0
    assert max(gaps)[0] == both.chance_lost


def test_solution_a_matching_field_is_always_right_for_clearing_the_standard_card():
    numbers = read_layout(STANDARD)
    tried = 0
    for fields in one_of_each_kind():
        for roll in (1, 2, 3, 4):
            if any(numbers[bit] == roll and fields >> bit & 1 for bit in range(16)):
                assert solve(STANDARD).best_take(fields, roll, "clear").fields.bit_count() == 1
                tried += 1
    assert tried > 1500


@pytest.mark.parametrize("aim", ["clear", "fewest"])
def test_solution_comes_true_when_it_is_played(aim):
    solution, rng, games = solve(STANDARD), random.Random(11), 20_000
    best = {}
    cleared, left = 0, []
    for _ in range(games):
        fields = rules.FULL
        while fields:
            key = fields, rng.randint(1, 4)
            if key not in best:
                best[key] = solution.best_take(*key, aim)
            if best[key] is None:
                break
            fields ^= best[key].fields
        cleared += not fields
        left.append(fields.bit_count())
    odds = solution.odds(rules.FULL, aim)
    sigma = math.sqrt(odds.chance * (1 - odds.chance) / games)
    assert abs(cleared / games - odds.chance) < 4 * sigma
    assert abs(np.mean(left) - odds.left) < 4 * np.std(left) / math.sqrt(games)


def test_solution_of_the_standard_card_is_what_the_help_says():
    solution, page = solve(STANDARD), (GAME.folder / "help" / "en.md").read_text(encoding="utf-8")
    for played, aim in (("to clear the card", "clear"), ("for few coins", "fewest")):
        odds = solution.odds(rules.FULL, aim)
        assert f"| {played} | {100 * odds.chance:.1f}% | {odds.left:.2f} |" in page


def test_solution_is_kept_and_refuses_what_is_no_card():
    assert solve(STANDARD) is solve(STANDARD)
    with pytest.raises(triskele.OptionError, match="four rows"):
        Solution("4/213")
    with pytest.raises(ValueError, match="65536"):
        solve(STANDARD).clear_chance(1 << 16)
    assert solve(TWOS).best_take(rules.FULL, 3, "clear") is None
    assert solve(TWOS).compare(rules.FULL, 1) is None


def test_note_compares_a_take_with_the_best_for_either_aim():
    pos = at(f"4/.../...../....... {FULL} take 1 4", stake=2)
    best = "Chance to clear after this: 100.0% (no take is better for that). "
    assert pos.note("-a1") == best + "Coins expected to be left: 0.00 (no take is better for that)."
    pos = play(triskele.new("tryad", stake=2), "2")
    solution, rest = solve(STANDARD), rules.FULL ^ bits_of(["b2", "c2"])
    both = solution.compare(rules.FULL, 2)
    assert pos.note("-b2+c2") == (
        f"Chance to clear after this: {100 * solution.clear_chance(rest):.1f}% "
        f"(the best is -b1: {100 * both.clear.odds.chance:.1f}%). "
        f"Coins expected to be left: {2 * solution.expected_left(rest):.2f} "
        f"(the best is -b1: {2 * both.fewest.odds.left:.2f})."
    )
    assert re.search(r"\d,\d\u00a0%", pos.note("-b1", "de"))
    assert triskele.new("tryad").note("3") == ""


# --- the scene ------------------------------------------------------------------------------------


def ids_of(scene):
    return [piece.id for piece in scene.pieces]


@pytest.mark.parametrize("options", GAME.option_sets, ids=str)
def test_scene_draws_every_position_with_sprites_that_exist(options):
    artwork = (GAME.folder / "sprites.svg").read_text(encoding="utf-8")
    rng = random.Random(4)
    pos = triskele.new("tryad", **options)
    while True:
        seat = rng.choice([None, *range(pos.variant.seats)])
        scene = pos.scene(seat, rng.choice(LANGUAGES))
        assert len(set(ids_of(scene))) == len(scene.pieces)
        assert all(f'id="{piece.sprite}"' in artwork for piece in scene.pieces)
        assert all(0 < piece.x < scene.width and 0 < piece.y < scene.height for piece in scene.pieces)
        tokens = {token for move in pos.legal_moves for token in move.tokens} if pos.turn not in (None, -1) else set()
        assert {place.token for place in scene.places} == tokens
        assert not any("tryad." in words for words in (scene.title, *(fact.words for fact in scene.facts)))
        if pos.turn is None:
            break
        pos.push(rng.choice(pos.legal_moves))


def test_scene_puts_the_viewers_own_card_first():
    pos = triskele.new("tryad", players=5)
    for seat in (0, 3):
        cards = {piece.id: (piece.y, piece.x) for piece in pos.scene(seat).pieces if piece.id.startswith("card-")}
        assert min(cards, key=cards.get) == f"card-{seat}"


def test_scene_shows_coins_going_out_and_coming_back():
    pos = play(triskele.new("tryad"), "3")
    coin = {piece.id: piece for piece in pos.scene().pieces}["coin-0-b3"]
    assert (coin.sprite, coin.label) == ("tryad-coin-1", "3")
    pos.push("-b3")
    pieces = {piece.id: piece for piece in pos.scene().pieces}
    assert pieces["coin-0-b3"].sprite == "tryad-back-1"
    assert pieces["field-0-b3"].label == "3"
    assert "trace-0-b3" in pieces
    assert pieces["die"].label == "3"


def test_scene_keeps_the_die_that_put_somebody_out():
    pos = play(at(f"{LONE} {FULL} roll 1"), "2")
    pieces = {piece.id: piece for piece in pos.scene().pieces}
    assert pieces["die"].label == "2"
    assert "out-0" in pieces
    assert pieces["plaque-0"].label == "Seat 1: out, 1 coin left"
    assert pieces["turn"].x > pieces["plaque-0"].x  # beside the card of seat 2


def test_scene_in_a_terminal_is_a_triangle_of_numbers():
    pos = at(f"4/2.3/3.412/41213.4 {FULL} take 1 4")
    rows = [line[:38].rstrip() for line in terminal(pos.scene()).splitlines() if line.strip()]
    assert rows == [
        "                a  (4)         [4]",
        "            b  (2)  1  (3)",
        "        c  (3)  1  (4) (1) (2)",
        "    d  (4) (1) (2) (1) (3)  1  (4)",
        "  >         Seat 1: 13 coins",
    ]
    assert svg(pos.scene(), "dark").startswith("<svg")


def test_scene_in_practice_shows_how_far_apart_the_aims_are():
    pos = triskele.new("tryad", mode="practice", players=1)
    words = [fact.words for fact in pos.scene().facts]
    assert words == [
        "16 coins on the card",
        "Played to clear: 16.5% to clear, 2.19 coins left on average.",
        "Played for few coins: 15.1% to clear, 2.12 coins left on average.",
        "Apart by 1.4% and 0.07 coins.",
    ]


def test_scene_tells_what_was_won_and_lost():
    pos = play(tied_for_fewest(), "4", "4")
    words = [(fact.seat, fact.words) for fact in pos.scene().facts]
    assert (0, "won 3 coins") in words
    assert (1, "lost 3 coins") in words
    assert {"star-0", "star-3"} <= set(ids_of(pos.scene()))


def test_example_can_be_played():
    pos = play(triskele.new("tryad", **GAME.example.options), *GAME.example.moves)
    assert pos.turn == 1
