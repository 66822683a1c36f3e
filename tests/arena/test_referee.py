"""One game: whatever an engine does, the game is played or lost, and nothing stays behind."""

import itertools
import random
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

import pytest

from tests.support.processes import Program
from triskele.arena import referee
from triskele.arena.contestants import Contestant
from triskele.arena.match import Plan
from triskele.arena.openings import dice, opening
from triskele.arena.referee import CUT_OFF, Step, Terms, play
from triskele.core.contract import CHANCE
from triskele.core.contract.engine import Engine, Info, Limits, Task
from triskele.core.game import Game, game, games
from triskele.core.moves import Move
from triskele.core.position import Position
from triskele.engines import registry

TERMS = Terms(Limits(nodes=5), patience=0.3)


class Stub(Engine):
    """Plays the last move, unless a test says otherwise."""

    name: ClassVar[str] = "stub"

    def think(self, task: Task) -> Iterator[Info]:
        yield self.answer(task.position, task.position.legal_moves[-1].text)

    def answer(self, position: Position, text: str) -> Info:
        return Info(0, 0, 0.0, (0.0,) * position.variant.seats, ((text,),))


class Crashing(Stub):
    def think(self, task: Task) -> Iterator[Info]:
        raise ZeroDivisionError("by zero")


class Unready(Stub):
    def get_ready(self) -> None:
        raise RuntimeError("no weights")


class Hanging(Stub):
    def think(self, task: Task) -> Iterator[Info]:
        while True:
            time.sleep(0.01)
        yield


class Deaf(Stub):
    """Hangs where no exception reaches it, for a while."""

    def think(self, task: Task) -> Iterator[Info]:
        time.sleep(3)
        yield self.answer(task.position, task.position.legal_moves[-1].text)


class Silent(Stub):
    def think(self, task: Task) -> Iterator[Info]:
        yield from ()


class Cheating(Stub):
    """Plays for somebody else, after spoiling the position that it was given."""

    def think(self, task: Task) -> Iterator[Info]:
        move = next(iter(task.position.interrupts), None)
        text = "nonsense" if move is None else move.text
        task.position.push(task.position.legal_moves[0])
        yield self.answer(task.position, text)


class Late(Stub):
    def think(self, task: Task) -> Iterator[Info]:
        time.sleep(0.15)
        yield from super().think(task)


@pytest.fixture(autouse=True)
def stubs(monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in (Stub, Crashing, Unready, Hanging, Deaf, Silent, Cheating, Late):
        monkeypatch.setitem(registry._factories, kind.__name__.lower(), kind)


def contestants(*written: str) -> list[Contestant]:
    return [Contestant.parse(each) for each in written]


def test_a_game_is_played_to_its_end(tryad: Game) -> None:
    steps: list[Step] = []
    texts: list[str] = []

    def watch(step: Step) -> None:
        steps.append(step)
        texts.append(str(step.position))

    variant = tryad.variant()
    played = play(variant, contestants("uct", "random"), TERMS, dice=dice(1, 1), watch=watch)
    assert played.failure is None
    position = Position(variant)
    for move, text, step in zip(played.moves, texts, steps, strict=True):
        assert str(position) == text
        assert step.seat == position.turn
        position.push(move)
    outcome = position.outcome()
    assert outcome is not None
    assert (played.winners, played.scores, played.reason) == (outcome.winners, outcome.scores, outcome.reason)
    assert sum(played.shares) == pytest.approx(1)
    assert {step.info is not None for step in steps if step.seat == CHANCE} == {False}


def test_equal_seeds_give_equal_games(tryad: Game) -> None:
    variant = tryad.variant({"players": 3})
    seated = contestants("uct", "random", "uct")
    games = [play(variant, seated, TERMS, dice=dice(1, n), seed=n).moves for n in (4, 4, 5)]
    assert games[0] == games[1] != games[2]


def test_an_engine_in_a_process_of_its_own_plays_the_same(tryad: Game) -> None:
    variant = tryad.variant()
    seated = contestants("uct", "uct:nodes=9")
    here = play(variant, seated, TERMS, dice=dice(1, 1), seed=3)
    there = play(variant, seated, TERMS, dice=dice(1, 1), seed=3, isolated=True)
    assert here.failure is None
    assert there.moves == here.moves


@pytest.mark.parametrize(
    ("name", "kind"),
    [("crashing", "crash"), ("unready", "crash"), ("hanging", "hang"), ("silent", "illegal"), ("cheating", "illegal")],
)
@pytest.mark.parametrize("seat", [0, 1])
def test_who_does_not_play_properly_loses(name: str, kind: str, seat: int, tryad: Game) -> None:
    seated = ["random", "random"]
    seated[seat] = f"{name}:seconds=0.05"
    played = play(tryad.variant(), contestants(*seated), TERMS, dice=dice(1, 2))
    assert played.failure is not None
    assert (played.failure.seat, played.failure.kind) == (seat, kind)
    assert played.shares[seat] == 0.0
    assert played.winners == (1 - seat,)
    assert played.reason == kind
    assert not referee.has_abandoned_thread()


def test_the_others_share_what_a_failure_leaves(tryad: Game) -> None:
    seated = contestants("random", "crashing", "random")
    played = play(tryad.variant({"players": 3}), seated, TERMS)
    assert played.shares == (0.5, 0.0, 0.5)


def test_a_thread_that_cannot_be_ended_spoils_the_process(tryad: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee, "_abandoned_thread", False)
    played = play(tryad.variant(), contestants("deaf:seconds=0.05", "random"), TERMS)
    assert played.failure is not None
    assert played.failure.kind == "hang"
    assert referee.has_abandoned_thread()


def test_who_is_late_is_counted_and_not_punished(tryad: Game) -> None:
    played = play(tryad.variant(), contestants("late:seconds=0.01", "random"), Terms(patience=30), dice=dice(1, 3))
    assert played.failure is None
    assert played.late[0] > 0
    assert played.late[1] == 0
    assert played.seconds[0] > 0.15


def test_a_program_that_hangs_loses_and_is_ended(tryad: Game, program: Program) -> None:
    command = program("for word, _ in heard():\n    if word == 'go': time.sleep(60)\n")
    hanging = Contestant("hanging", command=command, seconds=0.05)
    played = play(tryad.variant(), [hanging, *contestants("random")], TERMS)
    assert played.failure is not None
    assert played.failure.kind == "hang"


def test_an_endless_game_is_given_up(tryad: Game) -> None:
    played = play(tryad.variant(), contestants("random", "random"), Terms(plies=3))
    assert played.reason == CUT_OFF
    assert played.shares == (0.5, 0.5)
    assert len(played.moves) == 3


# --- out of turn ----------------------------------------------------------------------------------


class Announcing(Stub):
    """Announces as soon as it is asked, in turn or not."""

    def think(self, task: Task) -> Iterator[Info]:
        texts = [move.text for move in task.position.legal_moves]
        own = f"!{task.seat + 1}"
        yield self.answer(task.position, own if own in texts else texts[-1])

    def interrupt(self, position: Position, limits: Limits, seat: int) -> Move | None:
        return next(move for move in position.interrupts if move.text == f"!{seat + 1}")


OPENED = ("=GGR", "=BWY", "=BGR", "Re5")
"""Three players of TRYPTIC have patterns; seat 0 has placed and may still challenge."""


def announced(*written: str) -> list[str]:
    """Return who announced, in their order. It is never true here, so each puts its owner out."""
    variant = game("tryptic").variant({"players": 3})
    played = play(variant, contestants(*written), Terms(plies=10), opening=OPENED)
    return [move for move in played.moves if move.startswith("!")]


@pytest.mark.parametrize(
    ("seated", "expected"),
    [
        (("announcing", "announcing", "announcing"), ["!1", "!2"]),
        (("stub", "announcing", "announcing"), ["!2", "!3"]),
        (("stub", "stub", "announcing"), ["!3"]),
    ],
)
def test_P6_the_seat_to_act_announces_first_then_clockwise(
    seated: tuple[str, ...], expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(registry._factories, "announcing", Announcing)
    assert announced(*seated)[: len(expected)] == expected


class Meddling(Stub):
    """Announces for somebody else."""

    def interrupt(self, position: Position, limits: Limits, seat: int) -> Move | None:
        return next((m for m in position.interrupts if position.interrupt_owner(m) != seat), None)


def test_an_interrupt_for_somebody_else_loses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._factories, "meddling", Meddling)
    variant = game("tryptic").variant({"players": 3})
    played = play(variant, contestants("stub", "meddling", "stub"), TERMS, opening=OPENED)
    assert played.failure is not None
    assert (played.failure.seat, played.failure.kind) == (1, "illegal")


# --- openings -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [declared.name for declared in games()])
def test_an_opening_is_legal_repeatable_and_ends_with_a_turn(name: str) -> None:
    variant = game(name).variant()
    drawn = [opening(variant, 4, 1, number) for number in range(4)]
    assert drawn[0] == opening(variant, 4, 1, 0)
    assert len(set(drawn)) > 1
    for moves in drawn:
        position = Position(variant)
        for move in moves:
            position.push(move)
        decisions = [mover for mover in position.movers if mover != CHANCE]
        assert len(decisions) >= 4
        assert position.turn is not None
        assert position.turn != decisions[-1]
    assert opening(variant, 0, 1, 1) == ()


@pytest.mark.parametrize("declared", games(), ids=lambda declared: declared.name)
def test_games_begin_with_random_decisions_unless_dice_make_them_differ(declared: Game) -> None:
    plies = 0 if declared.chance else 4
    plan = Plan(declared.name, {}, ("random", "random"))
    assert plan.document()["openings"] == plies
    assert bool(plan.opening(0)) == (plies > 0)
    assert plan.opening(3) == opening(plan.variant, plies, plan.seed, 3)
    assert replace(plan, openings=2).opening(3) == opening(plan.variant, 2, plan.seed, 3) != ()


@pytest.mark.parametrize("plies", [2, 3])
@pytest.mark.parametrize("name", [declared.name for declared in games() if not declared.chance])
def test_an_opening_gives_everybody_as_many_random_turns(name: str, plies: int) -> None:
    variant = game(name).variant()
    for number in range(4):
        position = Position(variant)
        for move in opening(variant, plies, 1, number):
            position.push(move)
        assert position.turn == Position(variant).turn
        turns = [mover for mover, _ in itertools.groupby(position.movers)]
        assert turns.count(0) == turns.count(1)


def test_an_opening_never_ends_the_game() -> None:
    variant = game("tryad").variant({"mode": "practice", "players": 1})
    for number in range(3):
        position = Position(variant)
        for move in opening(variant, 12, 1, number):
            position.push(move)
        assert position.turn is not None


def test_dice_are_the_same_for_a_group() -> None:
    assert [dice(1, 2).random() for _ in range(2)] == [dice(1, 2).random()] * 2
    assert dice(1, 2).random() != dice(1, 3).random()
    assert isinstance(dice(1, 2), random.Random)
