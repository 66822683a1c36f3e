"""Giving up with three or more seats: the game goes on (P11, A9, C18)."""

import random

import pytest

from triskele.core.records import Record


@pytest.fixture
def circle(visitor, kit):
    """Let three visitors sit down at a table of theirs."""

    def sit(name, **options):
        people = [visitor() for _ in range(3)]
        opened = people[0].open(name, "me", "link", "link", options={"players": 3, **options})
        for person, seat in zip(people[1:], opened["seats"][1:], strict=True):
            person.post(f"/tables/{opened['table']}/seats", key=seat["key"], name=f"Guest {seat['seat']}")
        return [kit.Game(person.live(), opened["table"]) for person in people]

    return sit


def _told(game, wanted):
    return game.until(lambda message: message["type"] == "table" and wanted(message))


def _move(game, text):
    while game.to_act() is None:
        game.listen()
    game.move(text)


def _choose_patterns(games, patterns=("=BBB", "=GGR", "=RWY")):
    for game, pattern in zip(games, patterns, strict=True):
        _move(game, pattern)


def test_P11_who_gives_up_is_out_the_pattern_is_shown_and_the_others_play_on(circle, refused):
    ann, bob, cid = circle("tryptic")
    _choose_patterns([ann, bob, cid])
    bob.live.ask("resign", table=bob.table, seat=1)
    for game in (ann, cid):
        told = _told(game, lambda message: message["seats"][1]["resigned"])
        assert told["outcome"] is None
        assert [move["move"] for move in told["moves"]][1] == "=GGR"
        hidden = [move["move"] for move in told["moves"]][2 if game is ann else 0]
        assert hidden == "=***"
        assert told["seats"][1]["stand_in"] is None
    assert refused(bob.live.ask, "resign", table=bob.table, seat=1) == "gave-up"
    assert refused(bob.live.ask, "move", table=bob.table, seat=1, move="!2", at=4) == "gave-up"
    assert refused(bob.live.ask, "offer", table=bob.table, seat=1, what="draw") == "gave-up"
    _move(ann, "Be5")
    _move(ann, ".")
    while cid.to_act() is None:
        cid.listen()
    assert cid.to_act() == 2, "seat 1 is passed over"


def test_P11_the_last_one_in_wins_and_all_patterns_are_shown(circle, visitor):
    ann, bob, cid = circle("tryptic")
    _choose_patterns([ann, bob, cid])
    ann.live.ask("resign", table=ann.table, seat=0)
    cid.live.ask("resign", table=cid.table, seat=2)
    told = _told(bob, lambda message: message["outcome"] is not None)
    assert told["outcome"] == {"winners": [1], "scores": [-0.5, 1.0, -0.5], "reason": "last"}
    assert [move["move"] for move in told["moves"]] == ["=BBB", "=GGR", "=RWY", "x1", "x3"]
    record = Record.from_json(ann.live.visitor.http.get(f"/tables/{ann.table}/record").content)
    assert record.replay().outcome() == record.outcome
    again = visitor().http.post("/records", content=record.to_json())
    assert again.status_code == 200, again.text


def test_P9_an_end_by_agreement_or_resignation_of_two_shows_all_patterns(pair):
    for ends in ("resign", "draw"):
        ann, bob = pair("tryptic", options={"players": 2})
        _choose_patterns([ann, bob], ("=BBB", "=GGR"))
        if ends == "resign":
            ann.live.ask("resign", table=ann.table, seat=0)
        else:
            ann.live.ask("offer", table=ann.table, seat=0, what="draw")
            bob.live.ask("answer", table=bob.table, seat=1, what="draw", accept=True)
        for game in (ann, bob):
            told = _told(game, lambda message: message["outcome"] is not None)
            assert [move["move"] for move in told["moves"]] == ["=BBB", "=GGR"]
            assert "BBB,GGR" in told["mine"][0]["view"]["position"]
            assert told["outcome"]["winners"] == ([1] if ends == "resign" else [])
            assert not [p for p in told["mine"][0]["scene"]["pieces"] if "button" in p["sprite"]], "nothing looks live"


@pytest.mark.parametrize("name", ["tryad", "conquest"])
def test_A9_C18_an_engine_that_everybody_sees_plays_on_and_who_gave_up_is_last(name, circle, kit, refused, visitor):
    games = circle(name)
    ann, bob, cid = games
    kit.play(games, random.Random(3), most=3)
    bob.live.ask("resign", table=bob.table, seat=1)
    for game in games:
        told = _told(game, lambda message: message["seats"][1]["resigned"])
        assert told["outcome"] is None
        assert told["seats"][1]["stand_in"] == 5
        assert told["seats"][1]["present"]
    assert bob.looks[1]["moves"] == []
    assert refused(bob.live.ask, "resign", table=bob.table, seat=1) == "gave-up"
    made = len(ann.moves)
    kit.play([ann, cid], random.Random(4), most=6)
    while not any(move["seat"] == 1 for move in ann.live.visitor.get(f"/tables/{ann.table}")["moves"][made:]):
        kit.play([ann, cid], random.Random(5), most=2)
    cid.live.ask("resign", table=cid.table, seat=2)
    ended = ann.until(lambda message: message["type"] == "ended")
    assert ended["outcome"]["winners"] == [0], "only one has not given up"
    record = Record.from_json(ann.live.visitor.http.get(f"/tables/{ann.table}/record").content)
    assert [each.seat for each in record.resigned] == [1]
    record.replay()
    brought = visitor()
    opened = brought.http.post("/records", content=record.to_json()).json()
    shown = brought.get(f"/tables/{opened['table']}")
    assert shown["outcome"] == ended["outcome"]
    assert shown["seats"][1]["resigned"]


def test_a_stand_in_plays_on_after_a_crash(start, kit):
    server = start()
    people = [server.visitor() for _ in range(3)]
    opened = people[0].open("tryad", "me", "link", "link", options={"players": 3})
    for person, seat in zip(people[1:], opened["seats"][1:], strict=True):
        person.post(f"/tables/{opened['table']}/seats", key=seat["key"])
    games = [kit.Game(person.live(), opened["table"]) for person in people]
    while not any(game.to_act() is not None for game in games):
        games[0].listen()
        for game in games[1:]:
            while len(game.moves) < len(games[0].moves):
                game.listen()
    acting = next(game for game in games if game.to_act() is not None)
    seat, made = acting.to_act(), len(acting.moves)
    acting.live.ask("resign", table=acting.table, seat=seat)
    server.kill()
    again = start(port=server.port)
    person = again.visitor()
    person.token = people[0].token
    watching = kit.Game(kit.Live(person), opened["table"])
    watching.until(lambda message: len(watching.moves) > made)
    assert watching.state["seats"][seat]["resigned"]
    watching.live.close()
    for somebody in (*people, person):
        somebody.close()


def test_undo_is_a_turn_but_never_what_came_to_light(pair, refused):
    ann, bob = pair("tryptic", options={"players": 2})
    _choose_patterns([ann, bob], ("=BBB", "=GGR"))
    _move(ann, "Be5")
    _move(ann, ".")
    ann.live.ask("undo", table=ann.table, seat=0)
    bob.live.ask("answer", table=bob.table, seat=1, what="undo", accept=True)
    told = _told(ann, lambda message: len(message["moves"]) == 2)
    assert told["turn"] == 0, "the tile is taken back with the end of the turn"
    _move(ann, "?2=WWW")
    assert refused(ann.live.ask, "undo", table=ann.table, seat=0) == "revealed"
    _move(ann, "Be5")
    ann.live.ask("undo", table=ann.table, seat=0)
    bob.live.ask("answer", table=bob.table, seat=1, what="undo", accept=True)
    assert len(_told(ann, lambda message: len(message["moves"]) == 3)["moves"]) == 3, "the challenge stays"


def test_hints_between_people_are_off_unless_the_opener_wants_them_and_then_told(pair, visitor, refused):
    ann, _ = pair()
    assert refused(ann.live.visitor.post, f"/tables/{ann.table}/hint", seat=0) == "no-hints"
    ann, bob = pair(hints=True)
    ann.live.visitor.post(f"/tables/{ann.table}/hint", seat=0)
    told = bob.until(lambda message: message["type"] == "seats" and message["seats"][0]["hints"])
    assert [seat["hints"] for seat in told["seats"]] == [1, 0]
    alone = visitor()
    table = alone.open("yinsh", "me", "engine1")["table"]
    alone.post(f"/tables/{table}/hint", seat=0)
    assert alone.get(f"/tables/{table}")["seats"][0]["hints"] == 0


def test_an_offer_can_be_withdrawn(pair, refused):
    ann, bob = pair()
    _move(ann, "a2")
    ann.live.ask("undo", table=ann.table, seat=0)
    ann.live.ask("answer", table=ann.table, seat=0, what="undo", accept=False)
    told = bob.until(lambda message: message["type"] == "answered")
    assert told["seat"] == 0
    assert told["offers"] == []
    assert refused(bob.live.ask, "answer", table=bob.table, seat=1, what="undo", accept=True) == "no-offer"
