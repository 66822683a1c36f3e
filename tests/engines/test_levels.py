"""Weak levels and the attentive beginner: what they see, what they miss, and when."""

import itertools
import random
from dataclasses import astuple, replace

import pytest

import triskele
from triskele.core.contract.levels import FULL, LEVELS, TOP, Level, level_table
from triskele.core.game import Game, games
from triskele.core.position import Position
from triskele.engines import Limits, engine, level_of
from triskele.engines.alphabeta import AlphaBeta

pytestmark = pytest.mark.usefixtures("plain")

FEW = 60


def midgames(number: int) -> list[Position]:
    """Return positions of YINSH from random games in which there is something to see."""
    rng = random.Random(5)
    found = []
    while len(found) < number:
        position = triskele.new("yinsh")
        for _ in range(rng.randrange(24, 40)):
            position.push(rng.choice(position.legal_moves))
        found.append(position)
    return found


def played(level: Level, positions: list[Position], monkeypatch: pytest.MonkeyPatch, limits: Limits) -> list[str]:
    """Return the moves that alpha-beta makes with a level of its own."""
    game = positions[0].variant.game
    levels = level_table(*TOP * [astuple(level)[1:]])
    monkeypatch.setitem(vars(game), "evaluation", replace(game.evaluation, levels=levels))
    return [AlphaBeta(game).choose(position, limits).text for position in positions]


@pytest.mark.parametrize("game", games(), ids=lambda game: game.name)
def test_levels_of_every_game_rise(game: Game) -> None:
    levels = [level_of(game, number) for number in range(1, TOP + 1)]
    assert [level.number for level in levels] == list(range(1, TOP + 1))
    for weaker, stronger in itertools.pairwise(levels[:-1]):
        assert (weaker.seconds or 0) <= (stronger.seconds or 0) < 1
        assert weaker.lapses >= stronger.lapses
    assert (levels[0].seconds or 1) <= 0.2
    assert levels[-1] == FULL


def test_a_level_that_never_lapses_has_only_time_and_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    positions = midgames(4)
    weak = Level(5, None, FEW, 1, 6000, 900, lapses=0)
    seen = played(weak, positions, monkeypatch, Limits(level=5))
    assert seen == played(weak.attentive, positions, monkeypatch, Limits(level=5))
    assert weak.attentive == Level(5, None, FEW, lapses=0)


def test_attention_lapses_as_often_as_it_should(monkeypatch: pytest.MonkeyPatch) -> None:
    positions = midgames(40)
    half = Level(5, None, FEW, 1, 6000, 900, lapses=500)
    kinds = [replace(half, lapses=lapses) for lapses in (0, 500, 1000)]
    moves = [played(kind, positions, monkeypatch, Limits(level=5)) for kind in kinds]
    told_apart = [(a, h, w) for a, h, w in zip(*moves, strict=True) if a != w]
    assert all(h in (a, w) for a, h, w in told_apart)
    lapsed = sum(h == w for _, h, w in told_apart)
    assert len(told_apart) > 20
    assert 0.25 < lapsed / len(told_apart) < 0.75


def test_a_seed_decides_what_is_overlooked(monkeypatch: pytest.MonkeyPatch) -> None:
    positions = midgames(6)
    games_by_seed = [played(LEVELS[0], positions, monkeypatch, Limits(level=1, seed=seed)) for seed in (1, 1, 2)]
    assert games_by_seed[0] == games_by_seed[1] != games_by_seed[2]


@pytest.mark.parametrize(("size", "taken"), [(2, "2"), (3, "3"), (5, "1")])
def test_the_novice_takes_a_win_and_sees_the_answer(heap: Game, size: int, taken: str) -> None:
    assert engine("novice", heap).choose(triskele.new("heap", size=size), Limits()).text == taken


def test_the_novice_answers_however_little_time_there_is(heap: Game) -> None:
    assert engine("novice", heap).choose(triskele.new("heap", size=9), Limits(seconds=0.0)).text in "123"


def test_the_novice_is_not_offered_where_it_cannot_play(race: Game) -> None:
    with pytest.raises(triskele.TriskeleError, match="novice"):
        engine("novice", race)
