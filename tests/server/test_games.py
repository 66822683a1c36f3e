"""Whole games over the wire, from the first click to the record."""

import json
import random

import pytest

import triskele
from tests.support.games import quick
from triskele.core.dice import verify
from triskele.core.records import Record


@pytest.mark.parametrize("declared", triskele.games(), ids=lambda declared: declared.name)
def test_a_whole_game_between_visitors(visitor, kit, declared):
    name, options, seats = declared.name, quick(declared), declared.seats or 3
    people = [visitor() for _ in range(seats)]
    opened = people[0].open(name, "me", *["link"] * (seats - 1), options=options)
    for number, person in enumerate(people[1:], 1):
        taken = person.post(f"/tables/{opened['table']}/seats", key=opened["seats"][number]["key"], name=f"P{number}")
        assert taken == {"seat": number}
    games = [kit.Game(person.live(), opened["table"]) for person in people]

    kit.play(games, random.Random(name), quiet="?!")

    for game, person in zip(games, people, strict=True):
        now = person.get(f"/tables/{opened['table']}")
        assert [move["move"] for move in now["moves"]] == game.moves
        assert now["outcome"] is not None
        assert now["text"]
        for look in now["mine"]:  # what the page pieced together from differences is what there is
            assert kit.same_scene(look["scene"], game.looks[look["seat"]]["scene"])
            assert look["view"] == game.looks[look["seat"]]["view"]
    record = Record.from_json(people[-1].http.get(f"/tables/{opened['table']}/record").content)
    assert [move.text for move in record.moves] == games[0].moves
    assert record.replay().outcome() == record.outcome
    assert record.seats[1] == "P1 (guest)"
    if record.dice is not None:
        assert verify(record).proved


def test_a_game_at_one_screen(visitor, kit):
    person = visitor()
    opened = person.open("trypsylon", "me", "here")
    game = kit.Game(person.live(), opened["table"])
    assert sorted(game.looks) == [0, 1]
    kit.play([game], random.Random(3))
    assert game.over


def test_an_engine_plays_its_seat(visitor, kit):
    person = visitor()
    opened = person.open("trypsylon", "engine1", "me")
    game = kit.Game(person.live(), opened["table"])
    kit.play([game], random.Random(4), most=6)
    movers = [move["seat"] for move in person.get(f"/tables/{opened['table']}")["moves"]]
    assert {0, 1} <= set(movers)


def test_engines_announce_and_play_in_a_game_with_secrets(visitor, kit):
    person = visitor()
    opened = person.open("tryptic", "me", "engine1", "engine1", options={"goal": 20})
    game = kit.Game(person.live(), opened["table"])
    kit.play([game], random.Random(5), most=3, quiet="?!")
    assert game.moves[1:3] == ["=***", "=***"]


def test_an_engine_announces_as_soon_as_it_has_the_points(visitor, kit):
    person = visitor()
    opened = person.open("tryptic", "me", "engine1", options={"goal": 1})
    game = kit.Game(person.live(), opened["table"])
    kit.play([game], random.Random(6), quiet="?!", interrupted=True)
    assert game.moves[-1] == "!2"


def test_views_are_what_the_position_gives(visitor, kit):
    person = visitor()
    opened = person.open("yinsh", "me", "here")
    game = kit.Game(person.live(), opened["table"])
    position = triskele.new("yinsh")
    for move in ("a2", "k9", "b1"):
        game.move(move)
        position.push(move)
    for seat, look in game.looks.items():
        expected = position.view(seat)
        for name in ("moves", "legal_moves", "interrupts"):  # these stand beside it
            del expected[name]
        assert look["view"] == json.loads(json.dumps(expected))
        assert kit.same_scene(look["scene"], json.loads(json.dumps(position.scene(seat).data())))
        legal = position.legal_moves if position.turn == seat else []
        assert look["moves"] == [[move.text, [list(way) for way in move.spellings]] for move in legal]
        assert look["ask"] == (position.ask() if position.turn == seat else "")


def test_half_entered_moves(visitor, kit):
    person = visitor()
    live = person.live()
    game = kit.Game(live, person.open("yinsh", "me", "here")["table"])

    def complete(seat, *tokens):
        return live.ask("complete", table=game.table, seat=seat, tokens=list(tokens))

    assert complete(0, "a2")["move"] == "a2"
    assert "a2" in complete(0)["next"]
    assert complete(0, "z9")["reason"]
    with pytest.raises(kit.Refused) as refused:
        complete(1, "a2")
    assert refused.value.code == "turn"


def test_what_a_move_would_do_is_told_only_without_secrets(visitor, kit):
    person = visitor()
    live = person.live()
    open_game = kit.Game(live, person.open("trypsylon", "me", "here")["table"])
    open_game.move("c3")
    asked = {"table": open_game.table, "seat": 0, "tokens": ["Nc", "SW"]}
    assert "scene" not in live.ask("complete", **asked)
    told = live.ask("complete", scene=True, **asked)["scene"]
    open_game.move("Nc/SW")
    assert kit.same_scene(told, open_game.looks[0]["scene"])
    secret = kit.Game(live, person.open("tryptic", "me", "here")["table"])
    secret.move("=BGR")
    secret.move("=BGY")
    for tokens in (["!1"], ["?2", "B", "G", "Y"], ["R", "e5"]):
        answer = live.ask("complete", table=secret.table, seat=0, tokens=tokens, scene=True)
        assert answer["move"]
        assert "scene" not in answer


def test_words_in_the_reader_s_language(visitor):
    person = visitor()
    opened = person.open("yinsh", "me", "here")
    german = person.live().join(opened["table"], language="de")["mine"][0]
    english = person.live().join(opened["table"], language="en")["mine"][0]
    assert german["ask"] != english["ask"]
    assert german["scene"]["facts"] != english["scene"]["facts"]
    assert german["view"] == english["view"]


def test_bots_get_no_scenes(visitor):
    person = visitor()
    opened = person.open("yinsh", "me", "here")
    live = person.live()
    assert live.join(opened["table"], scene=False)["mine"][0]["scene"] is None
    live.ask("move", table=opened["table"], seat=0, move="a2", at=0)
    assert live.wait("moved")["mine"][0]["scene"] is None
