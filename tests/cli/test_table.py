"""Who sits where, random movers, dice and taking back."""

import random
import sys

import pytest

import triskele
from tests.support.games import quick
from triskele.cli.seats import LEVELS, PERSON, RANDOM, parse_seats, seat_from_record
from triskele.cli.table import Refused, Table, new_table, random_interrupt, random_move
from triskele.core.contract import CHANCE
from triskele.core.contract.levels import TOP
from triskele.core.game import Game, game, games


def table_of(name: str, *occupants: str, seed: int = 1, **options: object) -> Table:
    table = new_table(game(name).variant(options), occupants, random.Random(seed), repeatable=True)
    if table.dice is not None:
        table.dice.close()
    return table


def advance(table: Table, rng: random.Random) -> None:
    while (move := table.automatic_move(rng)) is not None:
        table.push(move)


def rolls_of(table: Table) -> list[str]:
    made = zip(table.position.moves, table.position.movers, strict=True)
    return [move.text for move, mover in made if mover == CHANCE]


def test_seats_are_read():
    yinsh, tryptic = game("yinsh"), game("tryptic")
    assert parse_seats(None, yinsh, 2) == (PERSON, PERSON)
    assert parse_seats("person,random", tryptic, 4) == (PERSON, RANDOM, RANDOM, RANDOM)
    assert parse_seats("r, P", yinsh, 2) == (RANDOM, PERSON)
    assert parse_seats("10, person", yinsh, 2) == ("triskele:level=10", PERSON)
    assert parse_seats("p,uct:seconds=1,memory=64", yinsh, 2) == (PERSON, "uct:seconds=1,memory=64")
    program = f"cmd@seconds=1,depth=4:{sys.executable} -c pass"
    assert parse_seats(f"{program},greedy", tryptic, 3) == (program, "greedy", "greedy")


@pytest.mark.parametrize(
    "written",
    [
        "cat",
        "person,",
        "random,random,random",
        ",",
        "personx",
        "0",
        "11",
        "greedy",
        "uct:level=11",
        "cmd:no/such/program",
    ],
)
def test_seats_that_cannot_be_are_refused(written: str):
    with pytest.raises(triskele.OptionError):
        parse_seats(written, game("yinsh"), 2)


def test_every_level_can_be_seated():
    assert [parse_seats(level, game("yinsh"), 1)[0] for level in LEVELS] == [
        f"triskele:level={number}" for number in range(1, TOP + 1)
    ]


def test_who_sat_on_a_seat_sits_there_again():
    people = ("person", "Ada", "ran", "7", "greedy", "triskele:level=99")
    assert {seat_from_record(name, game("yinsh")) for name in people} == {PERSON}
    assert [seat_from_record(name, game("yinsh")) for name in ("random", "uct:nodes=9")] == [RANDOM, "uct:nodes=9"]
    assert seat_from_record(f"cmd:{sys.executable}", game("yinsh")) is None


@pytest.mark.parametrize("declared", games(), ids=lambda declared: declared.name)
def test_engines_play_whole_games_beside_random_movers(declared: Game):
    table = table_of(declared.name, "triskele:level=1", RANDOM, seed=4, **quick(declared))
    advance(table, random.Random(4))
    assert table.over
    assert table.record().seats == ("triskele:level=1", RANDOM)
    table.engines.close()


@pytest.mark.parametrize("declared", games(), ids=lambda declared: declared.name)
def test_random_movers_play_whole_games_the_same_way_again(declared: Game):
    ended = []
    for _ in range(2):
        table = table_of(declared.name, RANDOM, RANDOM, **quick(declared))
        advance(table, random.Random(5))
        assert table.over
        ended.append(str(table.position))
    assert ended[0] == ended[1]


def test_undo_goes_back_to_the_decision_of_a_person():
    rng = random.Random(2)
    table = table_of("yinsh", PERSON, RANDOM)
    table.push("e5")
    before = str(table.position)
    advance(table, rng)
    table.push("f6")
    advance(table, rng)
    assert [move.text for move in table.undo()][-1] == "f6"
    assert table.position.movers == [0, 1]
    table.undo()
    assert table.position.moves == []
    with pytest.raises(Refused):
        table.undo()
    table.push("e5")
    assert str(table.position) == before


def test_undo_does_not_take_back_what_random_movers_began():
    table = table_of("yinsh", RANDOM, PERSON)
    advance(table, random.Random(2))
    with pytest.raises(Refused):
        table.undo()
    assert len(table.position.moves) == 1


def test_undo_past_a_roll_brings_the_same_roll():
    rng = random.Random(3)
    table = table_of("tryad", PERSON, PERSON)
    advance(table, rng)
    table.push(table.position.legal_moves[0])
    advance(table, rng)
    rolls = rolls_of(table)
    assert len(rolls) >= 2
    table.undo()
    table.push(table.position.legal_moves[-1])
    advance(table, rng)
    assert rolls_of(table)[: len(rolls)] == rolls


def test_undo_is_refused_where_it_could_tell_a_secret():
    table = table_of("tryptic", PERSON, PERSON)
    table.push("=BGR")
    with pytest.raises(Refused, match="hidden information"):
        table.undo()
    assert len(table.position.moves) == 1


def test_undo_is_refused_when_the_dice_lie_open():
    rng = random.Random(4)
    table = table_of("tryad", PERSON, PERSON)
    while not table.over:
        advance(table, rng)
        if not table.over:
            table.push(random_move(table.position, table.position.turn, rng))
    with pytest.raises(Refused, match="over"):
        table.undo()


def tryptic_with_points(owner: int) -> triskele.Position:
    """Return a position in which a seat has the points, seat 0 to act, and nobody has announced."""
    position = triskele.new("tryptic", goal=1)
    for pattern in ("=BGR", "=YYY") if owner == 0 else ("=YYY", "=BGR"):
        position.push(pattern)
    for move in ("Ba1", ".", "Ga2", ".", "Ra3", ".", "We5", "."):
        position.push(move)
    assert position.turn == 0
    return position


def test_a_random_mover_announces_what_it_has_and_never_for_another():
    rng = random.Random(1)
    others = tryptic_with_points(1)
    assert random_interrupt(others, 1, rng).text == "!2"
    for _ in range(50):
        assert random_move(others, 0, rng).text[0] not in "!?"
    own = tryptic_with_points(0)
    assert random_move(own, 0, rng).text == "!1"
    assert random_interrupt(own, 1, rng) is None


def test_a_random_mover_interrupts_a_person():
    table = Table(tryptic_with_points(1), (PERSON, RANDOM))
    assert table.automatic_move(random.Random(1)).text == "!2"
    assert Table(tryptic_with_points(1), (PERSON, PERSON)).automatic_move(random.Random(1)) is None


def test_records_tell_no_secret_before_the_end():
    table = table_of("tryptic", PERSON, PERSON)
    table.push("=BGR")
    assert "BGR" not in table.record().to_json()
    rolled = table_of("tryad", PERSON, PERSON)
    advance(rolled, random.Random(1))
    assert rolled.dice.dice.secret.hex() not in rolled.record().to_json()
