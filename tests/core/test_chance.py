"""Chance of any size: a six-sided die, and draws whose number of outcomes and weights change during the game."""

import importlib.util
import json
import random
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import triskele
from triskele.arena.contestants import Contestant
from triskele.arena.openings import dice, opening
from triskele.arena.recorder import random_games
from triskele.arena.referee import Terms
from triskele.arena.referee import play as referee_play
from triskele.core.bits import seed as new_rng
from triskele.core.chance import pick
from triskele.core.compile import Linker, Program
from triskele.core.contract import CHANCE
from triskele.core.dice import DiceBox, DiceError, verify
from triskele.core.errors import IllegalMove
from triskele.core.game import Game
from triskele.core.playout import playout, random_move
from triskele.core.position import Position
from triskele.core.records import Record, load
from triskele.engines import Limits
from triskele.testing import check_game

OLD = Path(__file__).parents[1] / "support" / "unchanged_dice"
SECRET = bytes(range(32))
ONE_PLAYOUT = Program(playout, "int64(int64[::1], int64[::1], uint64[::1], int64)")

# The value that chi-square exceeds once in 10,000 with so many degrees of freedom. All seeds are fixed, so nothing here
# fails by chance.
LIMITS = {1: 15.14, 2: 18.42, 3: 21.11, 5: 25.74}


def fits(counts: Mapping[Any, int], weights: Mapping[Any, int]) -> bool:
    """Whether counts are what these weights let one expect."""
    assert set(counts) <= set(weights)
    total, weight = sum(counts.values()), sum(weights.values())
    expected = {key: total * share / weight for key, share in weights.items()}
    statistic = sum((counts.get(key, 0) - number) ** 2 / number for key, number in expected.items())
    return statistic < LIMITS[len(weights) - 1]


def at(variant_of: Game, *moves: str, **options: object) -> Position:
    position = Position(variant_of.variant(options))
    for move in moves:
        position.push(move)
    return position


BALLS = ("red", "black")
DIE = {"d1": 1, "d2": 1, "d3": 1, "d4": 1, "d5": 1, "d6": 1}


def nodes_of_chance(pig: Game, urn: Game) -> list[tuple[Position, dict[str, int]]]:
    """Return positions where chance acts, and how much each outcome weighs."""
    return [
        (at(pig, "roll"), DIE),
        (at(urn, "draw"), {"red": 3, "black": 1}),
        (at(urn, "draw", "red", "draw"), {"red": 2, "black": 1}),
        (at(urn, "draw", red=10, black=4), {"red": 10, "black": 4}),
        (at(urn, "draw", "black", "draw"), {"red": 3}),
    ]


# --- what the rules say ---------------------------------------------------------------------------


def test_outcomes_have_their_weights_in_the_order_of_their_codes(pig: Game, urn: Game) -> None:
    for position, weights in nodes_of_chance(pig, urn):
        outcomes = position.chance_outcomes()
        assert {move.text: weight for move, weight in outcomes} == weights
        assert [move.code for move, _ in outcomes] == sorted(move.code for move, _ in outcomes)
        position.push(outcomes[0][0])
        assert position.chance_outcomes() == []
        with pytest.raises(IllegalMove, match="nothing is to be rolled or drawn now"):
            position.draw(lambda n: 0)


def test_a_number_below_the_sum_of_the_weights_decides() -> None:
    assert [pick((3, 1, 2), lambda n, k=k: k) for k in range(6)] == [0, 0, 0, 1, 2, 2]  # type: ignore[misc]
    with pytest.raises(ValueError, match="not below the sum"):
        pick((3, 1), lambda n: n)


def test_both_games_conform(pig: Game, urn: Game) -> None:
    for declared in (pig, urn):
        for options in declared.option_sets:
            check_game(declared.name, games=2, **options)


# --- random play ----------------------------------------------------------------------------------


@pytest.fixture(params=["plain", "compiled"])
def one_move(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Return a playout of one move."""
    if request.param == "compiled":
        monkeypatch.setenv("TRISKELE_PLAIN", "0")
        monkeypatch.setenv("TRISKELE_CACHE", str(tmp_path))
    return lambda declared: Linker(declared.rules_module).program(ONE_PLAYOUT)


def test_playouts_draw_by_the_weights(pig: Game, urn: Game, one_move: Callable[..., Any]) -> None:
    linked = {declared: one_move(declared) for declared in (pig, urn)}
    for position, weights in nodes_of_chance(pig, urn):
        variant, first, rng = position.variant, position.state, new_rng(5)
        after = {}
        for move, _ in position.chance_outcomes():
            trial = position.copy()
            trial.push(move)
            after[trial.state.tobytes()] = move.text
        moves = np.zeros(variant.moves_limit, dtype=np.int64)
        counts: Counter[str] = Counter()
        for _ in range(4000):
            state = first.copy()
            assert linked[variant.game](state, moves, rng, 1) == 1
            counts[after[state.tobytes()]] += 1
        assert len(weights) == 1 or fits(counts, weights), (weights, counts)


def test_whole_random_games_have_the_exact_probabilities(urn: Game) -> None:
    """Of four balls drawn without replacement, each place is as likely for the black one."""
    columns = random_games(urn.variant({}), np.arange(3000, dtype=np.uint64), 100, with_states=False, with_legal=False)
    balls = [code for code, seat in zip(columns["move"].tolist(), columns["seat"].tolist(), strict=True) if seat < 0]
    places = Counter(at % 4 for at, code in enumerate(balls) if code == 2)
    assert len(balls) == 12_000
    assert fits(places, {0: 1, 1: 1, 2: 1, 3: 1}), places


def test_random_moves_and_the_referee_draw_by_the_weights(urn: Game) -> None:
    rng = random.Random(2)
    counts = Counter(random_move(at(urn, "draw"), rng).text for _ in range(2000))
    assert fits(counts, {"red": 3, "black": 1}), counts
    variant = urn.variant({"red": 1, "black": 3})
    seated = [Contestant.parse("random")] * 2
    terms = Terms(Limits(nodes=1))
    games = [referee_play(variant, seated, terms, dice=dice(1, number)).moves for number in range(400)]
    firsts = Counter(next(move for move in moves if move in BALLS) for moves in games)
    assert fits(firsts, {"red": 1, "black": 3}), firsts
    assert opening(urn.variant({"red": 20, "black": 20}), 4, 1, 1)


def test_a_batch_draws_by_the_weights(urn: Game) -> None:
    batch = triskele.batch("urn", 3000, seed=4)
    actions = np.zeros(3000, dtype=np.int64)  # all draw
    batch.step(actions)
    left = Counter(batch.observations()[:, 1].tolist())
    assert fits(left, {2: 3, 3: 1}), left


def test_all_that_used_fair_dice_still_draws_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRISKELE_PLAIN", "1")
    spec = importlib.util.spec_from_file_location("draws", OLD / "draws.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.draws() == json.loads((OLD / "draws.json").read_text())


# --- dice that prove themselves -------------------------------------------------------------------


@pytest.mark.parametrize("name", ["tryad", "conquest"])
def test_a_record_of_the_code_before_weights_is_proved(name: str) -> None:
    written = (OLD / f"{name}.json").read_text()
    record = load(OLD / f"{name}.json")
    assert record.to_json() == written
    proof = verify(record)
    assert proof.proved
    assert proof.rolls > 10


def sealed(declared: Game, seed: int = 3, **options: object) -> Record:
    """Return the record of a random game whose dice are in a box, with the secret disclosed."""
    position, rng = Position(declared.variant(options)), random.Random(seed)
    box = DiceBox(2, faces=declared.die, secret=SECRET, id="table-9", seeds=("Ann's", None))
    while position.turn is not None:
        position.push(box.roll(position) if position.turn == CHANCE else rng.choice(position.legal_moves))
    return Record.from_json(box.disclose(Record.of(position, dice=box.block())).to_json())


def with_text(record: Record, number: int, text: str) -> Record:
    moves = list(record.moves)
    moves[number] = replace(moves[number], text=text)
    return replace(record, moves=tuple(moves))


@pytest.mark.parametrize("name", ["pig", "urn"])
def test_a_game_with_a_dice_box_is_proved_and_every_forged_roll_is_found(
    name: str, request: pytest.FixtureRequest
) -> None:
    declared: Game = request.getfixturevalue(name)
    record = sealed(declared, **({"red": 6, "black": 4} if name == "urn" else {}))
    assert record.dice is not None
    assert record.dice.faces == declared.die
    assert verify(record).proved
    texts = list(DIE) if name == "pig" else list(BALLS)
    rolls = [number for number, move in enumerate(record.moves) if move.seat == CHANCE]
    assert len(rolls) >= 8
    for index, number in enumerate(rolls):
        due = record.moves[number].text
        for other in texts:
            if other != due:
                said = f"roll {index + 1} (move {number + 1}) should be {due}, the record says {other}"
                assert [str(fault) for fault in verify(with_text(record, number, other)).faults][:1] == [said]


def test_a_forger_who_makes_new_tags_cannot_change_a_draw(urn: Game) -> None:
    record = sealed(urn, red=6, black=4)
    assert record.dice is not None
    box = DiceBox(2, secret=SECRET, id="table-9", seeds=record.dice.seeds, closed=True)
    first, second = [number for number, move in enumerate(record.moves) if move.seat == CHANCE][:2]
    swapped = with_text(record, first, "black" if record.moves[first].text == "red" else "red")
    forged = box.disclose(with_text(swapped, second, "black" if record.moves[second].text == "red" else "red"))
    assert [str(fault)[:6] for fault in verify(forged).faults] == ["roll 1", "roll 2"]


def test_draws_of_the_box_are_exactly_as_likely_as_their_weights(urn: Game) -> None:
    position = at(urn, "draw", red=7, black=3)
    counts = Counter(DiceBox(2, secret=SECRET, id=str(n)).roll(position) for n in range(4000))
    assert fits(counts, {"red": 7, "black": 3}), counts


def test_a_die_with_other_faces_than_the_game_s_is_a_fault(pig: Game, urn: Game) -> None:
    for declared, stated in ((pig, 2), (pig, 20), (urn, 2)):
        record = sealed(declared)
        assert record.dice is not None
        box = DiceBox(2, faces=stated, secret=SECRET, id="table-9", seeds=record.dice.seeds, closed=True)
        faults = verify(box.disclose(record)).faults
        wanted = f"dice.faces: the record says {stated}, for this game it must be {declared.die}"
        assert [str(fault) for fault in faults] == [wanted]


def test_a_box_rolls_only_what_is_due(pig: Game, urn: Game) -> None:
    with pytest.raises(DiceError, match="no roll of a die with 4 faces"):
        DiceBox(2, faces=4).roll(at(pig, "roll"))
    with pytest.raises(DiceError, match="no roll of a die with 2 faces"):
        DiceBox(2, faces=2).roll(at(urn, "draw"))
    with pytest.raises(DiceError, match="nothing is to be rolled or drawn now"):
        DiceBox(2).roll(at(urn))


def test_faces_of_a_record_are_none_or_at_least_two(urn: Game) -> None:
    record = sealed(urn)
    document = record.document()
    for stated in (1, -1, False, 0.0, "0"):
        document["dice"] = {**document["dice"], "faces": stated}
        with pytest.raises(triskele.RecordError, match=r"dice.faces: expected a whole number from 2 to 1000000"):
            Record.from_json(json.dumps(document))
