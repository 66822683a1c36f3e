"""Games over days: conditional moves, vacations, and the list of games that wait."""

import time

import pytest

from triskele.core.time_control import DAY

PATIENCE = 60.0


@pytest.fixture
def couple(visitor, kit):
    """Let two visitors sit down at a table over days."""

    def sit(name="yinsh", clock="3d", **more):
        ann, bob = visitor(), visitor()
        opened = ann.open(name, "me", "link", clock=clock, **more)
        bob.post(f"/tables/{opened['table']}/seats", key=opened["seats"][1]["key"], name="Bob")
        return kit.Game(ann.live(), opened["table"]), kit.Game(bob.live(), opened["table"])

    return sit


def put(game, seat, *lines):
    return game.live.visitor.post(f"/tables/{game.table}/conditional", seat=seat, lines=[list(line) for line in lines])


def kept(game, seat):
    return game.live.visitor.get(f"/tables/{game.table}/conditional", seat=seat)["lines"]


def test_a_conditional_move_is_made_as_soon_as_its_condition_holds(couple):
    ann, bob = couple()
    ann.move("e5")
    put(ann, 0, ("f6", "d4", "g7", "h8"), ("f7", "d5"))
    assert kept(ann, 0) == [["f6", "d4", "g7", "h8"], ["f7", "d5"]]
    bob.until(lambda message: message["type"] == "moved")
    bob.move("f6")
    assert bob.until(lambda message: message["type"] == "moved" and message["at"] == 2)["move"] == "d4"
    assert kept(ann, 0) == [["g7", "h8"]]
    bob.move("g7")
    assert bob.until(lambda message: message["type"] == "moved" and message["at"] == 4)["move"] == "h8"
    assert kept(ann, 0) == []
    record = ann.live.visitor.get(f"/tables/{ann.table}/record")
    assert record["moves"][2]["charged"] < 10_000


def test_another_way_leaves_them_unused(couple):
    ann, bob = couple()
    ann.move("e5")
    put(ann, 0, ("f6", "d4"))
    bob.until(lambda message: message["type"] == "moved")
    bob.move("g7")
    ann.until(lambda message: message["type"] == "moved" and message["at"] == 1)
    assert ann.to_act() == 0
    assert kept(ann, 0) == []


def test_they_are_checked_by_the_rules(couple, refused):
    ann, bob = couple()
    assert refused(put, ann, 0, ("e5", "f6")) == "own-turn"
    ann.move("e5")
    assert refused(put, ann, 0, ("e5", "d4")) == "illegal"
    assert refused(put, ann, 0, ("f6",)) == "conditional-open"
    assert refused(put, ann, 0, ("f6", "d4"), ("f6", "d5")) == "conditional-twice"
    assert refused(put, ann, 0, *[("f6", "d4")] * 150) == "conditional-many"
    assert refused(put, ann, 1, ("f6", "d4")) == "seat"
    assert refused(put, bob, 0, ("f6", "d4")) == "seat"
    assert kept(ann, 0) == []


def test_live_games_have_none(pair, refused):
    ann, _ = pair(clock="5+3")
    ann.move("e5")
    assert refused(put, ann, 0, ("f6", "d4")) == "not-days"


def test_nobody_else_hears_of_them(couple):
    ann, bob = couple()
    ann.move("e5")
    bob.until(lambda message: message["type"] == "moved")
    put(ann, 0, ("f6", "d4"))
    bob.live.ask("ping")
    assert bob.live.heard == []
    assert "d4" not in bob.live.visitor.http.get(f"/tables/{bob.table}/record").text
    assert "conditional" not in "".join(bob.live.raw)


def test_with_secrets_a_plan_is_answered_the_same_whatever_the_others_hide(couple):
    """What is accepted, refused and shown follows from the seat's own view alone."""
    answers = []
    for pattern in ("=GGR", "=WYY"):
        ann, bob = couple("tryptic", options={"players": 2})
        ann.move("=BBB")
        bob.until(lambda message: message["type"] == "moved")
        bob.move(pattern)
        ann.until(lambda message: message["type"] == "moved" and message["at"] == 1)
        ann.move("Be5")
        ann.move(".")
        shown = ann.live.visitor.post(f"/tables/{ann.table}/conditional/position", seat=0, line=[])
        assert shown["turn"] == 1
        told = [text for text, _ in shown["look"]["moves"]]
        for line in (["Re4", ".", "Gf5", "."], ["!1", "Gf5"], [pattern, "Gf5"]):
            try:
                told.append(str(put(ann, 0, line)))
            except Exception as refusal:
                told.append(f"{refusal.code} {refusal}".replace(pattern, "PATTERN"))
        answers.append(told)
    assert answers[0] == answers[1]


def test_a_vacation_stops_the_clock_and_has_an_end(couple, refused):
    ann, bob = couple()
    ann.move("e5")
    person = bob.live.visitor
    assert person.get("/vacation") == {"until": None, "days_left": 30}
    begun = person.post("/vacation", days=10)
    assert begun["days_left"] == 20
    assert abs(begun["until"] - time.time() * 1000 - 10 * DAY) < 60_000
    assert refused(person.post, "/vacation", days=5) == "vacation"
    shown = person.get(f"/tables/{bob.table}")["clock"]
    assert (shown["running"], shown["resting"]) == (1, True)
    assert person.post("/vacation/end") == {"until": None, "days_left": 29}
    assert not person.get(f"/tables/{bob.table}")["clock"]["resting"]
    assert refused(person.post, "/vacation", days=31) == "vacation"


def test_live_clocks_know_no_vacation(pair):
    ann, _ = pair(clock="5+3")
    ann.live.visitor.post("/vacation", days=1)
    assert not ann.live.visitor.get(f"/tables/{ann.table}")["clock"]["resting"]


def test_the_list_tells_when_time_is_up(couple):
    ann, bob = couple()
    ann.move("e5")
    (listed,) = bob.live.visitor.get("/tables")["mine"]
    assert listed["clock"] == "3d"
    assert abs(listed["due"] - time.time() * 1000 - 3 * DAY) < 60_000
