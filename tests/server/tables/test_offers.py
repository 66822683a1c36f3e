"""Takebacks, draws, resigning and rematches."""

import random

import pytest


def test_undo_at_once_where_nobody_else_plays(visitor, refused, kit):
    person = visitor()
    game = kit.Game(person.live(), person.open("trypsylon", "me", "engine1")["table"])
    assert refused(game.live.ask, "undo", table=game.table, seat=0) == "nothing"
    kit.play([game], random.Random(1), most=4)
    while game.to_act() is None:
        game.listen()
    before = list(game.moves)
    game.live.ask("undo", table=game.table, seat=0)
    while game.moves == before:
        game.listen()
    assert game.moves == before[: len(game.moves)]
    assert game.to_act() == 0
    game.move(game.choices()[0])


def test_takeback_by_consent(pair, refused, kit):
    ann, bob = pair()
    ann.move("a2")
    ann.live.ask("undo", table=ann.table, seat=0)
    offered = bob.live.wait("offered")
    assert offered["what"] == "undo"
    assert refused(ann.live.ask, "answer", table=ann.table, seat=0, what="undo", accept=True) == "no-offer"
    bob.live.ask("answer", table=ann.table, seat=1, what="undo", accept=False)
    assert ann.live.wait("answered")["accept"] is False
    ann.live.ask("offer", table=ann.table, seat=0, what="undo")
    bob.live.ask("answer", table=ann.table, seat=1, what="undo", accept=True)
    told = ann.live.wait("table")
    assert told["moves"] == []
    assert told["turn"] == 0


def test_offers_end_with_the_next_move(pair, refused, kit):
    ann, bob = pair()
    ann.live.ask("offer", table=ann.table, seat=0, what="draw")
    assert refused(ann.live.ask, "offer", table=ann.table, seat=0, what="draw") == "offered"
    ann.move("a2")
    assert refused(bob.live.ask, "answer", table=ann.table, seat=1, what="draw", accept=True) == "no-offer"


def test_a_draw_is_agreed(pair, refused, kit):
    ann, bob = pair()
    ann.live.ask("offer", table=ann.table, seat=0, what="draw")
    bob.live.ask("offer", table=ann.table, seat=1, what="draw")  # to offer the same is to accept
    ended = ann.live.wait("ended")
    assert ended["outcome"]["winners"] == []
    assert ended["ended"] == {"kind": "agreed"}
    assert refused(ann.live.ask, "move", table=ann.table, seat=0, move="a2", at=0) == "over"
    assert refused(ann.live.ask, "resign", table=ann.table, seat=0) == "over"


def test_engines_decline_draws(visitor, kit):
    person = visitor()
    game = kit.Game(person.live(), person.open("yinsh", "me", "engine1")["table"])
    game.live.ask("offer", table=game.table, seat=0, what="draw")
    assert game.live.wait("answered")["accept"] is False


def test_resigning_and_a_rematch_with_the_seats_swapped(pair, refused, kit):
    ann, bob = pair()
    assert refused(ann.live.ask, "offer", table=ann.table, seat=0, what="rematch") == "on"
    ann.live.ask("resign", table=ann.table, seat=0)
    ended = bob.live.wait("ended")
    assert ended["outcome"]["winners"] == [1]
    assert ended["text"]
    bob.live.ask("offer", table=ann.table, seat=1, what="rematch")
    ann.live.ask("answer", table=ann.table, seat=0, what="rematch", accept=True)
    following = bob.live.wait(lambda m: m.get("next_table"))["next_table"]
    assert following == ann.live.wait(lambda m: m.get("next_table"))["next_table"]
    assert sorted(kit.Game(ann.live, following).looks) == [1]  # swapped
    assert sorted(kit.Game(bob.live, following).looks) == [0]
    assert refused(ann.live.ask, "offer", table=ann.table, seat=0, what="rematch") == "rematched"
    assert ann.live.join(ann.table)["next_table"] == following


@pytest.mark.parametrize(("series", "seat"), [("loser", 0), ("same", 0), ("swap", 1)])
def test_who_begins_a_rematch(pair, kit, series, seat):
    ann, bob = pair(series=series)
    ann.live.ask("resign", table=ann.table, seat=0)
    bob.live.ask("offer", table=ann.table, seat=1, what="rematch")
    ann.live.ask("answer", table=ann.table, seat=0, what="rematch", accept=True)
    following = ann.live.wait(lambda m: m.get("next_table"))["next_table"]
    assert sorted(kit.Game(ann.live, following).looks) == [seat]


def test_the_rulebook_says_who_begins_unless_somebody_else_does(visitor):
    person = visitor()
    for options, series in (({}, "loser"), ({"expert": True}, "swap")):
        table = person.open("trypsylon", "me", "here", options=options)["table"]
        assert person.get(f"/tables/{table}")["series"] == series
