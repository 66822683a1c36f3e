"""The rules of TRYPTIC, by number."""

import random

import numpy as np
import pytest

import triskele
from tests.games.tryptic.helpers import (
    COLOURS,
    FIVE,
    FULL,
    HEXES,
    PATTERNS,
    RUNS,
    Referee,
    at,
    careless_move,
    play,
    points,
)
from triskele.core import bits
from triskele.core.compile import link_plain
from triskele.core.game import game
from triskele.core.playout import PLAYOUTS
from triskele.games.tryptic import notation, rules


def texts(pos, first=""):
    return [str(move) for move in pos.legal_moves if str(move).startswith(first)]


def refusal(pos, move):
    before = str(pos)
    with pytest.raises(triskele.IllegalMove) as error:
        pos.push(move)
    assert str(pos) == before
    return str(error.value)


# --- an independent referee, slow and simple ------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_P1_to_P10_agree_with_an_independent_referee(players):
    ends = set()
    for number in range(12):
        rng = random.Random(f"{players} {number}")
        goal = rng.choice((1, 2, 3, 5))
        referee = Referee(players, goal)
        pos = triskele.new("tryptic", players=players, goal=goal)
        while not referee.end:
            assert pos.turn == referee.turn
            assert texts(pos) == referee.legal()
            assert [str(move) for move in pos.interrupts] == referee.interrupts()
            move = careless_move(referee, rng)
            referee.push(move)
            pos.push(move)
            for seat in range(len(referee.patterns)):
                assert points(pos, seat) == referee.points(seat)
        outcome = pos.outcome()
        assert (outcome.reason, set(outcome.winners)) == referee.end
        ends.add(outcome.reason)
    assert len(ends) >= 2


# --- P1 to P3: board, tiles, patterns -------------------------------------------------------------


def test_P1_board_has_61_hexes_five_a_side():
    assert list(notation.NAMES) == HEXES
    assert len(HEXES) == 61
    assert [text[1:] for text in texts(play("=BBB =BBB"), "B")] == HEXES


def test_P1_lines_run_along_letters_numbers_and_both():
    assert len(RUNS) == 129
    for run in (("e1", "e2", "e3"), ("c4", "d4", "e4"), ("c3", "d4", "e5")):
        pos = at(dict(zip(run, "BGR", strict=True)), "2", "BGR,WWW")
        assert points(pos, 0) == 1, run
    assert points(at({"c5": "B", "d4": "G", "e3": "R"}, "2", "BGR,WWW"), 0) == 0


def test_P2_two_to_five_players():
    for players in (2, 3, 4, 5):
        assert triskele.new("tryptic", players=players).variant.seats == players
    for players in (1, 6, 7):
        with pytest.raises(triskele.OptionError, match="from 2 to 5"):
            triskele.new("tryptic", players=players)


def test_P2_thirty_tiles_of_each_colour():
    tiles = dict(zip(HEXES, "B" * 29 + "GRWY" * 6, strict=False))
    pos = at(tiles, "2", "GGG,WWW")
    assert len(texts(pos, "B")) == 61 - len(tiles)
    pos.push("Bi9")
    pos.push(".")
    assert texts(pos, "B") == []
    assert "no tile of this colour is left: blue" in refusal(pos, "Bi8")
    assert "blue" in pos.complete(["B"]).reason


def test_P3_75_patterns_written_as_the_smaller_of_both_directions():
    pos = triskele.new("tryptic")
    assert texts(pos) == ["=" + pattern for pattern in PATTERNS]
    assert len(PATTERNS) == 75
    assert "it is written BGG" in refusal(pos, "=GGB")
    assert str(pos.complete(["G", "G", "B"]).move) == str(pos.complete(["B", "G", "G"]).move) == "=BGG"
    assert pos.complete(["R", "W", "R"]).move.spellings == (("R", "W", "R"),)


def test_P3_patterns_are_chosen_in_seat_order_and_may_be_equal():
    pos = triskele.new("tryptic", players=3)
    for seat in range(3):
        assert pos.turn == seat
        pos.push("=BGR")
    assert pos.turn == 0
    assert texts(pos, "=") == []
    assert "all patterns are chosen" in refusal(pos, "=BGR")


def test_P3_pattern_tiles_come_out_of_the_150():
    tiles = dict(zip(HEXES, "B" * 26 + "GRWY" * 6, strict=False))
    pos = at(tiles, "1", "BBB,GGW")
    assert "Bi8" in texts(pos)
    pos.push("Bi9")
    assert notation.colours_gone(pos.state) == [0]
    pos.push(".")
    assert texts(pos, "B") == []


def test_P3_tiles_of_players_who_are_out_stay_out():
    tiles = dict(zip(HEXES, "B" * 26 + "GRWY" * 6, strict=False))
    pos = at(tiles, "2", "bbb,GGW,WWW")
    pos.push("Bi9")
    assert notation.colours_gone(pos.state) == [0]


# --- P4: the turn ---------------------------------------------------------------------------------


def test_P4_place_then_challenge_or_end():
    pos = play("=BGR =GGY Re5")
    assert pos.turn == 0
    assert texts(pos) == ["!1", ".", *(f"?2={pattern}" for pattern in PATTERNS)]
    assert "already" in refusal(pos, "Re6")
    pos.push("?2=BBB")
    assert pos.turn == 1


def test_P4_challenge_first_then_placing_ends_the_turn():
    pos = play("=BGR =GGY")
    assert "place a tile first" in refusal(pos, ".")
    pos.push("?2=BBB")
    assert pos.turn == 0
    assert texts(pos, "?") == []
    assert texts(pos, ".") == []
    assert "you have already challenged this turn" in refusal(pos, "?2=BBG")
    pos.push("Re5")
    assert pos.turn == 1


def test_P4_any_colour_on_any_empty_hex_only():
    pos = play("=BGR =GGY Re5 .")
    assert len([text for text in texts(pos) if text[0] in COLOURS]) == 5 * 60
    assert "e5 is taken" in refusal(pos, "Be5")
    assert "no such hex" in refusal(pos, "Bf1")
    assert "no such colour" in refusal(pos, "Pe6")
    assert pos.complete(["R"]).next == tuple(sorted(set(HEXES) - {"e5"}))
    assert "e5 is taken" in pos.complete(["R", "e5"]).reason
    assert "first choose a colour" in pos.complete(["e6"]).reason


# --- P5: points -----------------------------------------------------------------------------------


def test_P5_points_whoever_places():
    pos = play("=GGR =BBW Ge5 . Ge6 . Wa1 . Re7 .")
    assert points(pos, 0) == 1
    assert points(pos, 1) == 0


@pytest.mark.parametrize(
    ("pattern", "shown", "expected"),
    [
        ("GGY", "YGGY", 2),
        ("RWR", "RWR", 1),
        ("RWR", "RWRWR", 2),
        ("BBB", "BBBB", 2),
        ("BGR", "RGB", 1),
        ("BGR", "BRG", 0),
    ],
)
def test_P5_overlaps_count_and_palindromes_once(pattern, shown, expected):
    tiles = dict(zip(HEXES[26:], shown, strict=False))
    pos = at(tiles, str(len(shown) % 2 + 1), f"{pattern},WWW")
    assert points(pos, 0) == expected


def test_P5_a_tile_can_complete_nine_runs():
    around = [
        f"{chr(ord('e') + up * step)}{5 + right * step}"
        for up, right in ((0, 1), (1, 0), (1, 1))
        for step in (-2, -1, 1, 2)
    ]
    pos = at(dict.fromkeys(around, "G"), "1", "GGG,WWW")
    assert points(pos, 0) == 0
    pos.push("Ge5")
    assert points(pos, 0) == 9


# --- P6: announcing -------------------------------------------------------------------------------


def test_P6_announcing_with_the_points_wins_in_turn():
    pos = at(FIVE, "2", "WWW,GGG")
    pos.push("!2")
    assert pos.outcome() == triskele.Outcome((1,), (-1.0, 1.0), "points")


def test_P6_announcing_wins_out_of_turn_and_in_the_middle_of_a_turn():
    pos = at(FIVE | {"a1": "W"}, "1", "WWW,GGG")
    assert [str(move) for move in pos.interrupts] == ["!2"]
    pos.push("Ra2")
    assert [str(move) for move in pos.interrupts] == ["!2"]
    pos.push("!2")
    assert pos.outcome().winners == (1,)


def test_P6_announcing_falsely_puts_out_and_the_turn_goes_on():
    pos = play("=BGR =GGY =WWW !1", players=3)
    assert pos.turn == 1
    pos.push("Ra1")
    pos.push("!3")
    assert pos.outcome() == triskele.Outcome((1,), (-0.5, 1.0, -0.5), "last")


def test_P6_a_false_announcement_out_of_turn_leaves_the_turn_as_it_is():
    pos = play("=BGR =GGY =WWW Ra1 !2", players=3)
    assert pos.turn == 0
    assert "." in texts(pos)
    pos.push(".")
    assert pos.turn == 2


def test_P6_nobody_has_to_announce_and_the_first_to_do_so_wins():
    pos = at(FIVE, "2", "GGG,GGG")
    pos.push("Wa1")
    pos.push(".")
    assert pos.turn == 0
    pos.push("!2")
    assert pos.outcome().winners == (1,)


def test_P6_more_points_than_needed_and_a_goal_of_ones_own():
    assert play("=GGG =WWW", goal=1).variant.options["goal"] == 1
    pos = at(FIVE, "2", "WWW,GGG", goal=6)
    pos.push("!2")
    assert pos.outcome().winners == (0,)
    pos = at(FIVE, "2", "WWW,GGG", goal=3)
    pos.push("!2")
    assert pos.outcome().winners == (1,)


@pytest.mark.parametrize(("turn", "expected"), [("1", "!2"), ("2", "!2"), ("3", "!1")])
def test_P6_between_programs_the_seat_to_act_announces_first_then_clockwise(turn, expected):
    pos = at(FIVE, turn, "GGG,GGG,WWW,bbb")
    if turn == "1":
        pos = at(FIVE, turn, "WWW,GGG,GGG,bbb")
    buffer = np.zeros(rules.MOVES, dtype=np.int64)
    assert rules.rollout_count(pos.state, buffer) == 1
    assert notation.move_text({}, rules.rollout_nth(pos.state, buffer, 0)) == expected


def test_P6_random_players_never_challenge_nor_announce_falsely():
    variant = game("tryptic").variant({"players": 3, "goal": 2})
    buffer = np.zeros(variant.moves_limit, dtype=np.int64)
    announced = 0
    for number in range(40):
        rng, state = random.Random(number), variant.first_state()
        while rules.actor(state) != rules.OVER:
            code = rules.rollout_nth(state, buffer, rng.randrange(rules.rollout_count(state, buffer)))
            assert not rules.CHALLENGE <= code < rules.END
            if code >= rules.ANNOUNCE:
                assert rules.points(state, code - rules.ANNOUNCE) >= 2
                announced += 1
            rules.apply(state, code)
    assert announced > 10


# --- P7, P8: challenges, the last one in -----------------------------------------------------------


def test_P7_a_right_guess_puts_out_and_gains_two_points():
    pos = play("=BGR =GGY =WWW ?2=GGY", players=3)
    assert points(pos, 0) == 2
    assert texts(pos, "?") == []
    assert [str(move) for move in pos.interrupts] == ["!3"]
    pos.push("Ra1")
    assert pos.turn == 2
    assert "player 2 is out" in refusal(pos, "?2=BBB")
    assert "player 2 is out" in refusal(pos, "!2")
    assert "player 2 is out" in pos.complete(["?2"]).reason


def test_P7_a_guess_counts_in_either_direction():
    pos = play("=BGR =GGY")
    move = pos.complete(["?2", "Y", "G", "G"]).move
    assert str(move) == "?2=GGY"
    pos.push(move)
    assert pos.outcome().winners == (0,)


def test_P7_a_wrong_guess_costs_one_and_gives_one():
    pos = play("=BGR =GGY =WWW ?3=GGY", players=3)
    assert [points(pos, seat) for seat in range(3)] == [-1, 0, 1]
    assert notation.wrong_guesses(pos.state, 2) == ["GGY"]


def test_P7_points_by_challenges_count_for_announcing():
    pos = play("=BGR =GGY ?2=BBB Ra1 !2", goal=1)
    assert pos.outcome().winners == (1,)
    pos = play("=BGR =GGY =WWW ?2=GGY !1", players=3, goal=2)
    assert pos.outcome().winners == (0,)


def test_P7_no_challenge_of_oneself_of_nobody_or_with_no_pattern():
    pos = play("=BGR =GGY")
    assert "you cannot challenge yourself" in refusal(pos, "?1=BBB")
    assert "there is no player 3" in refusal(pos, "?3=BBB")
    assert "three of the letters" in refusal(pos, "?2=BXB")
    assert "three of the letters" in refusal(pos, "?2=BB")
    assert "it is written GGY" in refusal(pos, "?2=YGG")
    assert "yourself" in pos.complete(["?1"]).reason


def test_P8_the_last_one_in_wins_with_few_points():
    pos = play("=BGR =GGY ?2=BBB Ra1 Rb1 ?1=BGR")
    assert pos.outcome() == triskele.Outcome((1,), (-1.0, 1.0), "last")


# --- P9: secrecy ----------------------------------------------------------------------------------


SECRET = "=BGR ={} =WWW Re5 . Ge6 ?3=GGG Bd4 . Yb2 ?2=BBB"


def told(pos, seat):
    """Everything that a seat or a spectator can get out of a position."""
    asked = ["", "!1", "!9", "?1=BBB", "?2=GGG", "?2=XYZ", "Re5", "Zz1", ".", "=GGG", "=***"]
    reasons = []
    for move in asked:
        try:
            pos.find(move)
            reasons.append("legal")
        except triskele.IllegalMove as error:
            reasons.append(str(error))
    tokens = [pos.complete([token]) for token in ("e5", "?1", "?2", "?4", "!1", ".", "R", "nonsense")]
    notes = [pos.note(move) for move in [*pos.legal_moves, *pos.interrupts]]
    view = pos.view(seat)
    return (view, pos.scene(seat).data(), pos.moves_seen_by(seat), texts(pos), reasons, tokens, notes, pos.ask())


@pytest.mark.parametrize("seat", [0, 2, None])
def test_P9_nothing_told_to_others_depends_on_a_pattern(seat):
    for length in range(2, len(SECRET.split()) + 1):
        moves = " ".join(SECRET.split()[:length])
        one, other = play(moves.format("GGR"), players=3), play(moves.format("YYY"), players=3)
        assert str(one) != str(other)
        assert told(one, seat) == told(other, seat)
        assert one.view(1) != other.view(1)
        assert one.scene(1) != other.scene(1)


def test_P9_moves_are_seen_by_others_as_stars_until_out():
    pos = play("=BGR =GGY =WWW Ra1 .", players=3)
    assert pos.moves_seen_by(0)[:3] == ["=BGR", "=***", "=***"]
    assert pos.moves_seen_by(None)[:3] == ["=***", "=***", "=***"]
    pos.push("?3=WWW")
    assert pos.moves_seen_by(0)[:3] == ["=BGR", "=***", "=WWW"]
    pos.push("!2")
    assert pos.outcome().winners == (0,)
    assert pos.moves_seen_by(None)[:3] == ["=BGR", "=GGY", "=WWW"]


def test_P9_views_hide_patterns_until_out_or_over():
    pos = play("=BGR =GGY =WWW Ra1 ?3=WWW", players=3)
    assert " ***,***,www " in str(pos.seen_by(None))
    assert " BGR,***,www " in str(pos.seen_by(0))
    assert " ***,GGY,www " in str(pos.seen_by(1))
    pos.push("!1")
    assert pos.outcome() is not None
    assert " bgr,GGY,www " in str(pos.seen_by(None))


def test_P9_who_has_chosen_is_public():
    pos = play("=BGR", players=3)
    assert " ***,---,--- " in str(pos.seen_by(1))
    assert " BGR,---,--- " in str(pos.seen_by(0))
    assert triskele.position(str(pos.seen_by(None))).turn == 1


def test_P9_an_empty_pile_is_public_and_survives_hiding():
    tiles = dict(zip(HEXES, "B" * 26 + "GRWY" * 6, strict=False))
    pos = at(tiles, "1", "BBB,GGW")
    pos.push("Bi9")
    pos.push(".")
    for seat in (1, None):
        seen = triskele.position(str(pos.seen_by(seat)))
        assert seen == pos.seen_by(seat)
        assert texts(seen) == texts(pos)
        assert "no tiles left: blue" in [fact.words for fact in pos.scene(seat).facts]


def test_P9_a_hidden_state_serves_all_functions():
    state = play("=BGR =GGY =WWW Ra1", players=3).state
    full = state.copy()
    rules.redact(state, -1)
    assert state[rules.PATTERN : rules.PATTERN + 3].tolist() == [0, 0, 0]
    one, other = (np.zeros(rules.MOVES, dtype=np.int64) for _ in range(2))
    assert rules.actor(state) == rules.actor(full)
    for function in (rules.legal, rules.interrupts):
        assert function(state, one) == function(full, other)
        assert np.array_equal(one, other)
    assert rules.count(state, one) == rules.count(full, other)
    assert not any(rules.has_points(state, seat) for seat in range(3))
    rules.apply(state, rules.CHALLENGE + rules.PATTERNS)
    assert rules.actor(state) == 1


def test_P9_own_interrupts_only():
    pos = play("=BGR =GGY =WWW", players=3)
    assert pos.view(0)["interrupts"] == []
    assert pos.view(2)["interrupts"] == ["!3"]
    assert pos.view(None)["interrupts"] == []


# --- P10: a full board ----------------------------------------------------------------------------


def test_P10_on_a_full_board_a_turn_is_a_challenge_or_a_pass():
    pos = at(FULL, "1", "BBB,GGG,WWW")
    assert len(texts(pos)) == 2 * 75 + 2
    assert "no hex is empty" in refusal(pos, "Be5")
    pos.push("?2=BBB")
    assert pos.turn == 1
    pos.push(".")
    assert pos.turn == 2


def test_P10_all_have_passed_in_a_row():
    pos = at(FULL, "1", "BBB,GGG,WWW")
    for move in (".", ".", "?1=GGG", ".", "."):
        pos.push(move)
        assert pos.outcome() is None
    pos.push(".")
    assert pos.outcome() == triskele.Outcome((), (0.0, 0.0, 0.0), "full")


def test_P10_ending_the_turn_that_filled_the_board_is_no_pass():
    pos = at(FULL[:60] + ".", "1", "BBB,GGG")
    pos.push("Wi9")
    pos.push(".")
    pos.push(".")
    assert pos.outcome() is None
    pos.push(".")
    assert pos.outcome().reason == "full"


def test_P10_a_draw_with_players_out_is_lost_for_these():
    pos = at(FULL, "3", "bbb,ggg,WWW,RRR,BGB")
    for _ in range(3):
        pos.push(".")
    assert pos.outcome().winners == ()
    assert pos.outcome().scores == pytest.approx((-1 / 2, -1 / 2, 1 / 3, 1 / 3, 1 / 3))


def test_P10_a_false_announcement_can_leave_only_players_who_have_passed():
    pos = at(FULL, "1", "BBB,GGG,WWW")
    pos.push(".")
    pos.push(".")
    pos.push("!3")
    assert pos.outcome() == triskele.Outcome((), (0.5, 0.5, -1.0), "full")
    pos.pop()
    pos.push("!2")
    assert pos.outcome() is None
    assert pos.turn == 2
    pos.push(".")
    assert pos.outcome().scores == (0.5, -1.0, 0.5)


def test_P10_announcing_is_possible_on_a_full_board():
    pos = at(FULL, "1", "BBB,GGG", changes="-5,5", wrong="-,BBB")
    assert [str(move) for move in pos.interrupts] == ["!2"]
    pos.push("!2")
    assert pos.outcome().winners == (1,)


# --- choosing patterns ----------------------------------------------------------------------------


def test_nothing_but_choosing_before_all_patterns_are_chosen():
    pos = play("=BGR")
    assert pos.interrupts == []
    assert "not all patterns are chosen yet" in refusal(pos, "!1")
    assert "not all patterns are chosen yet" in refusal(pos, "!2")
    assert "not all patterns are chosen yet" in refusal(pos, "?1=BGR")
    assert "first everyone chooses" in refusal(pos, "Re5")
    assert "first everyone chooses" in refusal(pos, ".")
    assert "three of the letters" in refusal(pos, "=BG")
    assert "first everyone chooses" in pos.complete(["e5"]).reason


def test_what_is_asked_and_noted():
    assert "secret pattern" in play("=BGR").ask()
    assert "or challenge someone first" in play("=BGR =GGY").ask()
    assert "you have already challenged" in play("=BGR =GGY ?2=BBB").ask()
    assert "end your turn" in play("=BGR =GGY Re5").ask()
    assert "challenge someone or pass" in at(FULL, "1", "BBB,GGG").ask()
    pos = play("=BGR =GGY ?2=BBB Re5 Re6 .")
    assert "74 patterns are still possible" in pos.note("?2=BBG")
    assert "wrong before" in pos.note("?2=BBB")
    assert "5 points" in pos.note("!1")
    assert pos.note("Re7") == ""


# --- plain and compiled, facts ----------------------------------------------------------------------


def test_plain_and_compiled_rules_agree():
    linker = game("tryptic").linker
    compiled, plain = linker.compile_rules(), linker.plain
    for number in range(150):
        rng = random.Random(number)
        variant = game("tryptic").variant({"players": 2 + number % 4, "goal": rng.choice((1, 3, 5))})
        one, other = variant.first_state(), variant.first_state()
        buffers = [np.zeros(variant.moves_limit, dtype=np.int64) for _ in range(2)]
        while compiled.actor(one) != rules.OVER:
            for name in ("legal", "interrupts", "count", "rollout_count"):
                n = getattr(compiled, name)(one, buffers[0])
                assert n == getattr(plain, name)(other, buffers[1])
                assert np.array_equal(*buffers)
                if name == "count":
                    k = rng.randrange(n)
                    code = compiled.nth(one, buffers[0], k)
                    assert code == plain.nth(other, buffers[1], k)
            if rng.random() < 0.95:
                k = rng.randrange(n)
                code = compiled.rollout_nth(one, buffers[0], k)
                assert code == plain.rollout_nth(other, buffers[1], k)
            compiled.apply(one, code)
            plain.apply(other, code)
            assert np.array_equal(one, other)
            hidden = [state.copy() for state in (one, other)]
            compiled.redact(hidden[0], number % 3 - 1)
            plain.redact(hidden[1], number % 3 - 1)
            assert np.array_equal(*hidden)
        assert compiled.winners(one) == plain.winners(other)
        assert compiled.reason(one) == plain.reason(other)
        scores = np.zeros((2, variant.seats))
        compiled.scores(one, scores[0])
        plain.scores(other, scores[1])
        assert np.array_equal(*scores)
        assert scores[0].sum() == pytest.approx(0)


def test_plain_and_compiled_playouts_agree():
    variant = game("tryptic").variant({"players": 3})
    results = []
    for function in (link_plain(PLAYOUTS, rules), game("tryptic").linker.program(PLAYOUTS)):
        scratch, moves = variant.first_state(), np.zeros(variant.moves_limit, dtype=np.int64)
        made = function(variant.first_state(), scratch, moves, bits.seed(3), 20, 1000)
        results.append((made, scratch.tolist()))
    assert results[0] == results[1]


def test_random_play_mostly_fills_the_board():
    variant = game("tryptic").variant({})
    playouts = game("tryptic").linker.program(PLAYOUTS)
    first, scratch = variant.first_state(), variant.first_state()
    moves, rng = np.zeros(variant.moves_limit, dtype=np.int64), bits.seed(7)
    assert playouts(first, scratch, moves, rng, 5000, 1000) / 5000 == pytest.approx(124.5, abs=0.3)
    reasons = [0, 0, 0]
    for _ in range(3000):
        playouts(first, scratch, moves, rng, 1, 1000)
        reasons[scratch[rules.REASON]] += 1
    assert reasons[rules.LAST] == 0
    assert reasons[rules.POINTS] / 3000 == pytest.approx(0.08, abs=0.04)


def test_the_example_is_a_game_that_can_be_played():
    example = game("tryptic").example
    pos = play(" ".join(example.moves), **example.options)
    assert pos.outcome() is None
    assert len(pos.moves) == len(example.moves)
