"""A player's page computes the moves of the engines: where it may, and who moves when it does not."""

import base64
import random

import numpy as np
import pytest

import triskele
from tests.support.games import quick
from triskele.core.position import Position


def computing(kit, person, table):
    """Sit down at a table whose engines' moves this page computes."""
    game = kit.Game(person.live(), table)
    game.live.ask("compute", table=table, on=True)
    return game


def told_seats(game):
    """Wait for the next message about the seats."""
    return game.until(lambda message: message["type"] == "seats")["seats"]


def answer(game, seat):
    """Make a move of an engine's seat, as the page does that has computed it."""
    at = len(game.moves)
    position = triskele.new(game.state["game"], **game.state["options"])
    for move in game.moves:
        position.push(move)
    move = position.legal_moves[-1].text
    game.live.ask("move", table=game.table, seat=seat, move=move, at=at)
    while len(game.moves) == at:
        game.listen()
    return move


@pytest.fixture
def alone(visitor, kit):
    """Open a table against an engine, whose moves the page computes."""

    def begin(person=None):
        person = person or visitor()
        game = computing(kit, person, person.open("yinsh", "me", "engine9")["table"])
        assert [seat["page"] for seat in told_seats(game)] == [False, True]
        return game

    return begin


def test_a_page_that_computes_makes_the_engine_s_move_and_the_server_does_not(alone, refused):
    game = alone()
    game.move("e5")
    assert game.until(lambda message: message["type"] == "thinking")["seat"] == 1
    move = answer(game, 1)
    assert game.moves == ["e5", move]
    assert game.to_act() == 0
    assert refused(game.live.ask, "move", table=game.table, seat=1, move="a2", at=2) == "turn"


def test_an_illegal_move_of_a_page_is_refused_like_any_other(alone, refused):
    game = alone()
    game.move("e5")
    ask = game.live.ask
    assert refused(ask, "move", table=game.table, seat=1, move="e5", at=1) == "illegal"
    assert refused(ask, "move", table=game.table, seat=1, move="f6", at=0) == "stale"
    assert refused(ask, "resign", table=game.table, seat=1) == "seat"


def test_everybody_at_the_table_is_told_and_only_the_opener_s_page_may_move(alone, visitor, kit, refused):
    person, other = visitor(), visitor()
    game = alone(person)
    table = person.get(f"/tables/{game.table}")
    assert [seat["page"] for seat in table["seats"]] == [False, True]
    other.post(f"/tables/{game.table}/seats", key=table["watch"])
    watching = kit.Game(other.live(), game.table)
    assert watching.state["seats"][1]["page"]
    game.move("e5")
    assert refused(watching.live.ask, "move", table=game.table, seat=1, move="f6", at=1) == "seat"
    second = kit.Game(person.live(), game.table)  # another window of the same visitor, which does not compute
    assert refused(second.live.ask, "move", table=game.table, seat=1, move="f6", at=1) == "seat"


@pytest.mark.parametrize("how", ["gives up", "leaves the table", "is closed"])
def test_the_server_s_engine_moves_when_the_page_does_not_any_more(alone, visitor, kit, how):
    person = visitor()
    game = alone(person)
    watching = kit.Game(person.live(), game.table)
    game.move("e5")
    if how == "gives up":
        game.live.ask("compute", table=game.table, on=False)
    elif how == "leaves the table":
        game.live.ask("leave", table=game.table)
    else:
        game.live.close()
    watching.until(lambda message: message["type"] == "moved" and message["seat"] == 1)
    assert not any(seat["page"] for seat in person.get(f"/tables/{game.table}")["seats"])


@pytest.mark.parametrize(
    ("kinds", "name", "more"),
    [
        (("me", "engine1"), "tryptic", {}),
        (("me", "engine1"), "tryad", {}),
        (("engine1", "engine1"), "yinsh", {}),
        (("me", "link", "engine1"), "tryptic", {"options": {"players": 3}}),
    ],
    ids=["secrets", "dice", "nobody plays", "another person"],
)
def test_no_page_computes_where_it_would_not_be_fair(visitor, kit, refused, name, kinds, more):
    person = visitor()
    game = kit.Game(person.live(), person.open(name, *kinds, **more)["table"])
    assert refused(game.live.ask, "compute", table=game.table, on=True) == "not-alone"
    assert not any(seat["page"] for seat in person.get(f"/tables/{game.table}")["seats"])


def test_no_page_computes_at_a_table_that_waits_for_another_person(visitor, kit, refused):
    ann, bob = visitor(), visitor()
    opened = ann.open("yinsh", "me", "link")
    game = kit.Game(ann.live(), opened["table"])
    assert refused(game.live.ask, "compute", table=game.table, on=True) == "not-alone"
    bob.post(f"/tables/{game.table}/seats", key=opened["seats"][1]["key"])
    bobs = kit.Game(bob.live(), game.table)
    assert refused(bobs.live.ask, "compute", table=game.table, on=True) == "not-alone"


def test_only_who_has_joined_computes(visitor, refused):
    person = visitor()
    table = person.open("yinsh", "me", "engine1")["table"]
    assert refused(person.live().ask, "compute", table=table, on=True) == "not-alone"


def test_joining_again_on_the_same_connection_changes_nothing(alone):
    game = alone()
    again = game.live.join(game.table)
    assert [seat["page"] for seat in again["seats"]] == [False, True]


# --- the state for the page -----------------------------------------------------------------------


@pytest.mark.parametrize("declared", triskele.games(), ids=lambda declared: declared.name)
def test_a_page_gets_the_words_of_every_position_as_its_seat_may_know_it(visitor, kit, declared):
    person = visitor()
    seats = declared.seats or 2
    opened = person.open(declared.name, "me", *["here"] * (seats - 1), options=quick(declared))
    game = kit.Game(person.live(), opened["table"])
    kit.play([game], random.Random(1), most=12, quiet="?!")
    made = [move["move"] for move in person.get(f"/tables/{game.table}")["moves"]]
    for seat in (0, seats - 1):
        for at in (0, len(made) // 2, len(made)):
            known = person.get(f"/tables/{game.table}/state", at=at, seat=seat)
            words = np.frombuffer(base64.b64decode(known["state"]), dtype="<i8")
            position = Position(declared.variant(game.state["options"]), words.copy())
            assert known["at"] == at
            assert position.turn == {"chance": -1}.get(known["turn"], known["turn"])
            if known["moves"]:
                assert [text for text, _ in known["moves"]] == [move.text for move in position.legal_moves]
            if not declared.hidden and at == 0:
                assert position == triskele.new(declared.name, **game.state["options"])
