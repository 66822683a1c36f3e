"""The rules of Tryad, by number."""

import math
import random
import re

import numpy as np
import pytest

import triskele
from tests.games.tryad.helpers import FULL, LAYOUTS, MIXED, ONES, at, play, sums_to, tied_for_fewest
from triskele.games.tryad import GAME, rules
from triskele.games.tryad.card import FIELDS, STANDARD, read_layout


def texts(pos):
    return [str(move) for move in pos.legal_moves]


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
