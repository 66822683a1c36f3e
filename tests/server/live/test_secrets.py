"""P9: nobody but its owner learns a pattern. What others get does not depend on it by a single byte."""

import base64
import json
import re

import numpy as np
import pytest

import triskele

COMMON = ["=GGR", "=BWY"]
AFTER = ["Re5", ".", "Ge6", "?1=WWW", "Bd4", ".", "Yc2", ".", "Wf5", "?3=BBB", "Rg7", "."]
PERSONAL = re.compile(r'"(table|key|watch|date)":\s?"[^"]*"|"(ms|opened|time|seed)":\s?\d+')


def cleaned(written):
    """Leave out what differs between any two tables."""
    return PERSONAL.sub("", written)


@pytest.fixture
def told(visitor, kit):
    """Play a game in which the third seat's pattern is given; return all that everyone else was told."""

    def run(pattern, after=AFTER):
        people = [visitor() for _ in range(3)]
        watcher = visitor()
        opened = people[0].open("tryptic", "me", "link", "link", options={"players": 3})
        table = opened["table"]
        for seat in (1, 2):
            people[seat].post(f"/tables/{table}/seats", key=opened["seats"][seat]["key"])
        watcher.post(f"/tables/{table}/seats", key=opened["watch"])
        games = [kit.Game(person.live(), table) for person in people]
        watching = kit.Game(watcher.live(), table)
        for move in [*COMMON, f"={pattern}", *after]:
            mover = next(game for game in games if game.to_act() is not None)
            at = len(mover.moves)
            mover.move(move)
            for game in [*games, watching]:
                while len(game.moves) == at:
                    game.listen()
        heard = {}
        for name, person, live in (
            (0, people[0], games[0].live),
            (1, people[1], games[1].live),
            ("watcher", watcher, watching.live),
        ):
            with pytest.raises(kit.Refused):
                live.ask("complete", table=table, seat=2, tokens=["R"])
            with pytest.raises(kit.Refused):
                live.ask("move", table=table, seat=2, move=".", at=len(games[0].moves))
            pages = [
                person.http.get(f"/tables/{table}{page}").text
                for page in ("", "/record", "/at/3", "/at/7", "/picture.svg", "/picture.svg?at=3", "/proof")
            ]
            # What goes to an engine in the page, and what trying out a move would show.
            engines = [f"/state{at}" for at in ("", *(f"?at={at}" for at in range(len(games[0].moves))))]
            pages += [person.http.get(f"/tables/{table}{page}").text for page in (*engines, "/at/3?line=Re5")]
            assert '"code":"secret"' in pages[-1]
            others = [person.http.get(f"/tables/{table}/{page}", params={"seat": 2}) for page in ("at/3", "state")]
            heard[name] = [*live.raw, *pages, *(other.text for other in others)]
        return heard, games[2]

    return run


def test_P9_nothing_that_others_get_depends_on_a_pattern(told, server):
    one, owner = told("BRY")
    other, _ = told("RRW")
    assert owner.moves[2] == "=BRY"
    for who in one:
        assert [cleaned(text) for text in one[who]] == [cleaned(text) for text in other[who]]
    assert len(one[0]) > 15
    log = server.log.read_text()
    assert "BRY" not in log
    assert "RRW" not in log


def test_P9_the_words_for_an_engine_hold_one_s_own_pattern_only(told):
    _, owner = told("BRY")
    http, table = owner.live.visitor.http, owner.table
    one = http.get(f"/tables/{table}/state").json()
    assert one["seat"] == 2
    spectator = triskele.new("tryptic", players=3)
    for move in [*COMMON, "=BRY", *AFTER]:
        spectator.push(move)
    known = np.frombuffer(base64.b64decode(one["state"]), dtype="<i8")
    assert one["history"] == [-1, -1, *(move.code for move in spectator.moves[2:])]
    assert known.tolist() == spectator.seen_by(2).state.tolist()
    assert known.tolist() != spectator.seen_by(None).state.tolist()


def test_P9_a_pattern_is_told_when_its_owner_is_out(told):
    heard, _ = told("BRY", [*AFTER, "?3=BRY"])
    last = [json.loads(text) for text in heard["watcher"] if text.startswith("{")]
    tables = [message for message in last if message.get("type") == "table"]
    assert tables[0]["moves"] == []
    assert tables[-1]["moves"][2]["move"] == "=BRY"  # the past is told again, since it has changed
    assert tables[-1]["moves"][0]["move"] == "=***"


def test_P9_at_one_screen_the_move_list_is_a_spectator_s(visitor, kit):
    person = visitor()
    game = kit.Game(person.live(), person.open("tryptic", "me", "here")["table"])
    game.move("=BGR")
    game.move("=WWY")
    assert game.moves == ["=***", "=***"]
    assert [move["move"] for move in person.get(f"/tables/{game.table}")["moves"]] == game.moves
    assert "BGR" in json.dumps(game.looks[0]["scene"])
    assert "BGR" not in json.dumps(game.looks[1]["scene"])
    with pytest.raises(kit.Refused) as refused:
        person.get(f"/tables/{game.table}/at/1", seat=5)
    assert refused.value.code == "seat"


def test_P9_no_undo_against_engines(visitor, kit):
    person = visitor()
    game = kit.Game(person.live(), person.open("tryptic", "me", "engine1")["table"])
    game.move("=BGR")
    with pytest.raises(kit.Refused) as refused:
        game.live.ask("undo", table=game.table, seat=0)
    assert refused.value.code == "no-undo"


@pytest.mark.parametrize("how", ["undo", "offer"])
def test_P9_no_undo_against_engines_with_a_second_device_or_a_friend(visitor, kit, refused, how):
    """Whoever consents may be the same person: a guess that is taken back would cost nothing."""
    ann, phone, friend = visitor(), visitor(), visitor()
    at_one_screen = ann.open("tryptic", "me", "here", "engine1", options={"players": 3})["table"]
    own = ann.get(f"/tables/{at_one_screen}")["seats"][0]["key"]
    assert phone.post(f"/tables/{at_one_screen}/seats", key=own) == {"seat": 0}
    invited = ann.open("tryptic", "me", "link", "engine1", options={"players": 3})
    friend.post(f"/tables/{invited['table']}/seats", key=invited["seats"][1]["key"])
    for person, table in ((ann, at_one_screen), (phone, at_one_screen), (ann, invited["table"])):
        live = person.live()
        game = kit.Game(live, table)
        if not game.moves:
            game.move("=BGR")
        asked = {"what": "undo"} if how == "offer" else {}
        assert refused(live.ask, how, table=table, seat=0, **asked) == "no-undo"
        assert not person.get(f"/tables/{table}")["offers"]


def test_P9_undo_among_persons_takes_their_consent(pair):
    ann, bob = pair("tryptic")
    ann.move("=BGR")
    ann.live.ask("undo", table=ann.table, seat=0)
    bob.live.wait("offered")
    bob.live.ask("answer", table=ann.table, seat=1, what="undo", accept=True)
    assert ann.live.wait("table")["moves"] == []


def test_P9_nobody_takes_two_seats_of_a_game_with_secrets(visitor, refused):
    ann, eve, bob = visitor(), visitor(), visitor()
    opened = ann.open("tryptic", "me", "link", "link", options={"players": 3}, private=False)
    seats = f"/tables/{opened['table']}/seats"
    keys = [seat["key"] for seat in opened["seats"]]
    assert eve.post(seats, name="Eve") == {"seat": 1}
    assert refused(eve.post, seats, name="Eve again") == "one-seat"
    assert refused(eve.post, seats, key=keys[2]) == "one-seat"
    assert refused(ann.post, seats, key=keys[2]) == "one-seat"
    assert eve.post(seats, key=keys[1]) == {"seat": 1}  # hers, as ever
    anns_own = ann.get(f"/tables/{opened['table']}")["seats"][0]["key"]
    assert refused(eve.post, seats, key=anns_own) == "one-seat"
    assert len(eve.get(f"/tables/{opened['table']}")["mine"]) == 1
    assert bob.post(seats, name="Bob") == {"seat": 2}


def test_P9_at_one_screen_all_seats_there_come_along_to_another_device(visitor, refused):
    ann, phone = visitor(), visitor()
    opened = ann.open("tryptic", "me", "here", "link", options={"players": 3})
    seats = f"/tables/{opened['table']}/seats"
    own = [seat.get("key") for seat in ann.get(f"/tables/{opened['table']}")["seats"]]
    assert [phone.post(seats, key=own[seat]) for seat in (0, 1)] == [{"seat": 0}, {"seat": 1}]
    assert refused(phone.post, seats, key=own[2]) == "one-seat"


def test_without_secrets_one_visitor_may_take_several_seats(visitor):
    ann = visitor()
    opened = ann.open("yinsh", "me", "link")
    assert ann.post(f"/tables/{opened['table']}/seats", key=opened["seats"][1]["key"]) == {"seat": 1}


def test_seeds_are_secret_until_all_are_given(visitor, kit):
    ann, bob = visitor(), visitor()
    opened = ann.open("tryad", "me", "link")
    table = opened["table"]
    before = ann.live().join(table)
    assert before["dice"]["seeds"] == [None, None]
    live = ann.live()
    live.join(table)
    live.ask("seed", table=table, seat=0, seed="ann's own seed")
    told = live.wait("dice")["dice"]
    assert told["seeds"] == [None, None]
    assert told["seed_hashes"][0]
    assert "secret" not in told
    assert told["commitment"] == before["dice"]["commitment"]
    with pytest.raises(kit.Refused):
        live.ask("seed", table=table, seat=0, seed="another")
    bob.post(f"/tables/{table}/seats", key=opened["seats"][1]["key"])
    bobs = bob.live()
    bobs.join(table)
    bobs.say("seed", table=table, seat=1, seed="bob's")
    assert live.wait("moved")["seat"] == "chance"
    closed = live.wait("dice")["dice"]
    assert closed["seeds"][0] == "ann's own seed"
    assert "secret" not in closed
    live.ask("resign", table=table, seat=0)
    assert live.wait("dice")["dice"]["secret"]
    proof = bob.get(f"/tables/{table}/proof")
    assert proof["proved"]
    assert proof["commitment"] == before["dice"]["commitment"]
