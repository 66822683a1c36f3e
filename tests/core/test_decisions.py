"""Games as sequences of decisions: who is asked when, what is seen, and that it is still the same game."""

import random
from dataclasses import replace

import numpy as np
import pytest

from triskele.core.contract import CHANCE, OVER
from triskele.core.decisions import ASKED, Decisions, bits, new_window, owners_of
from triskele.core.errors import IllegalMove
from triskele.core.game import Game, game, games
from triskele.core.position import Position
from triskele.games.tryptic import rules as tryptic

pytestmark = pytest.mark.usefixtures("plain")

CHOSEN = ("=BBB", "=GGG", "=RRR")


class Sequence:
    """One game that is decided step by step, in texts."""

    def __init__(self, played: str | Game, **options: object) -> None:
        declared = game(played) if isinstance(played, str) else played
        self.decisions = Decisions(declared.variant(options))
        self.state = self.decisions.variant.first_state()
        self.window = new_window()

    @property
    def decider(self) -> int:
        return self.decisions.decider(self.state, self.window)

    @property
    def asked(self) -> bool:
        return bool(self.window[ASKED] >= 0)

    @property
    def texts(self) -> list[str]:
        return [self.decisions.text(code) for code in self.decisions.choices(self.state, self.window)]

    @property
    def position(self) -> Position:
        return Position(self.decisions.variant, self.state[: self.state[0]].copy())

    def take(self, written: str) -> None:
        codes = self.decisions.choices(self.state, self.window)
        action = codes[self.texts.index(written)]
        if self.state[0] + self.decisions.variant.log > len(self.state):
            self.state = np.concatenate([self.state, np.zeros_like(self.state)])
        self.decisions.decide(self.state, self.window, action)

    def wait(self) -> None:
        while self.asked:
            self.take("wait")

    def random(self, rng: random.Random) -> str:
        written = rng.choice(self.texts)
        self.take(written)
        return written


def begun(*patterns: str, goal: int = 5) -> Sequence:
    table = Sequence("tryptic", players=len(patterns), goal=goal)
    for pattern in patterns:
        table.take(pattern)
    table.wait()
    return table


def with_a_row(*patterns: str) -> Sequence:
    """Return a game in which the last tile of a row of three has just been placed, before anybody is asked."""
    table = begun(*patterns, goal=1)
    for move in ("Ba1", ".", "Ba2", "."):
        table.take(move)
        table.wait()
    table.take("Ba3")
    return table


def test_nobody_is_asked_while_there_is_nothing_to_interrupt():
    table = Sequence("tryptic", players=3)
    for seat, pattern in enumerate(CHOSEN):
        assert table.decider == seat
        assert not table.asked
        assert len(table.texts) == 75
        table.take(pattern)


def test_after_a_move_the_seat_to_act_is_asked_first_and_then_clockwise():
    table = begun(*CHOSEN)
    table.take("Bb1")  # seat 0 is still to act: it may challenge or end its turn
    asked = []
    while table.asked:
        asked.append((table.decider, table.texts))
        table.take("wait")
    assert asked == [(0, ["!1", "wait"]), (1, ["!2", "wait"]), (2, ["!3", "wait"])]
    assert table.decider == 0
    table.take(".")
    asked = []
    while table.asked:
        asked.append(table.decider)
        table.take("wait")
    assert asked == [1, 2, 0]
    assert table.decider == 1


def test_P6_of_two_who_have_the_points_the_seat_to_act_is_first():
    table = with_a_row("=BBB", "=BBB")
    assert table.asked
    assert table.decider == 0
    table.take("!1")
    assert table.position.outcome().winners == (0,)
    assert table.decider == OVER
    assert table.texts == []


def test_a_seat_not_to_act_announces_before_it_can_be_challenged():
    table = with_a_row("=GGG", "=BBB")
    table.take("wait")
    assert table.decider == 1
    table.take("!2")
    assert table.position.outcome().winners == (1,)


def test_a_false_announcement_puts_out_and_the_others_are_asked_on():
    table = begun(*CHOSEN)
    table.take("Bb1")
    table.take("wait")
    table.take("!2")
    assert table.decider == 2
    assert table.asked
    assert table.position.turn == 0
    table.take("wait")
    assert table.decider == 0
    assert not table.asked
    table.take(".")
    assert table.decider == 2  # seat 1 is out: neither asked nor to act


def test_nobody_is_asked_where_everybody_sees_that_it_is_hopeless(monkeypatch):
    def hopeless(state, move):
        return bool(state[tryptic.USED] < 3)

    monkeypatch.setattr(tryptic, "hopeless", hopeless, raising=False)
    table = Sequence(replace(game("tryptic")))  # a declaration of its own is linked anew
    for move in ("=BBB", "=GGG", "Ba1", ".", "Ba2", "."):
        assert not table.asked
        table.take(move)
    assert not table.asked
    table.take("Ba3")
    assert table.asked


@pytest.mark.parametrize("seed", range(5))
def test_who_is_asked_tells_nothing_of_the_secrets(seed):
    rng = random.Random(seed)
    one, other = begun("=BBB", "=GGG", "=RRR", goal=2), begun("=BBB", "=WWY", "=GGY", goal=2)
    for _ in range(200):
        assert one.decider == other.decider
        assert one.asked == other.asked
        assert one.texts == other.texts
        seen = [t.decisions.observe(t.state, t.window, 0) for t in (one, other)]
        assert np.array_equal(*seen)
        written = rng.choice([text for text in one.texts if text[0] not in "!?"])
        one.take(written)
        other.take(written)


@pytest.mark.parametrize("name", [declared.name for declared in games()])
def test_it_is_the_same_game_as_pushing_moves(name):
    rng = random.Random(name)
    for options in game(name).option_sets[:3]:
        table = Sequence(name, **options)
        position = Position(table.decisions.variant)
        for _ in range(300):
            if table.decider == OVER:
                break
            if table.asked:
                assert table.texts[-1] == "wait"
            else:
                assert sorted(table.texts) == [move.text for move in position.legal_moves]
                assert table.decider == position.turn
            written = table.random(rng)
            if written != "wait":
                position.push(written)
            assert table.position == position
        assert (table.decider == OVER) == (position.turn is None)


def test_games_without_interrupts_have_no_more_actions_than_codes():
    for declared in games():
        variant = declared.variant()
        decisions = Decisions(variant)
        asks = declared.notation.interrupt_owner is not None
        assert decisions.actions == declared.rules_module.ACTIONS + asks
        assert (decisions.wait is not None) == asks
        assert len(owners_of(variant)) == (declared.rules_module.ACTIONS if asks else 0)


def test_an_observation_says_who_looks_who_decides_and_whether_it_is_asked():
    table = begun(*CHOSEN)
    table.take("Bb1")
    table.take("wait")
    word = int(table.decisions.observe(table.state, table.window, 2)[0])
    assert word == 1 << 2 | 1 << 16 + 1 | 1 << 32
    assert int(table.decisions.observe(table.state, table.window, None)[0]) == 1 << 16 + 1 | 1 << 32
    dice = Sequence("tryad")
    assert dice.decider == CHANCE
    assert int(dice.decisions.observe(dice.state, dice.window, 0)[0]) == 1


def test_bits_lose_nothing():
    words = np.array([[0, 1, -1], [2**62, 5, -(2**63)]], dtype=np.int64)
    unpacked = bits(words)
    assert unpacked.shape == (2, 3, 64)
    assert set(np.unique(unpacked)) == {0, 1}
    back = [[sum(int(bit) << i for i, bit in enumerate(row)) for row in rows] for rows in unpacked]
    assert [[value - (value >> 63 << 64) for value in row] for row in back] == words.tolist()


def test_replaying_stops_at_the_first_action_that_cannot_be():
    table = begun("=BBB", "=GGG")
    decisions = table.decisions
    codes = {decisions.text(code): code for code in range(decisions.actions)}
    actions = [codes[text] for text in ("=BBB", "=GGG", "wait", "wait", "Ba1", "wait", "wait", "Ba1")]
    state, window = decisions.variant.first_state(), new_window()
    assert decisions.replay(state, window, actions) == 7
    assert str(Position(decisions.variant, state)).split()[2] == "1p"


def test_a_refusal_names_what_is_legal():
    table = begun("=BBB", "=GGG")
    error = table.decisions.refusal(3, table.state, table.window)
    assert isinstance(error, IllegalMove)
    assert str(error).startswith("action 3 is not legal here; legal actions: 75 (Ba1), 76 (Ba2)")
    assert str(error).endswith("…")
