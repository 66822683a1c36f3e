"""Games that are installed beside the package, at a real server: with any chance, and from another package."""

import json
import random

import pytest

from triskele.core.dice import verify
from triskele.core.records import Record


def play_between_two(running, kit, name, options):
    """Play a whole game between two visitors; return its table as one of them sees it, and its record."""
    people = [running.visitor() for _ in range(2)]
    try:
        opened = people[0].open(name, "me", "link", options=options)
        people[1].post(f"/tables/{opened['table']}/seats", key=opened["seats"][1]["key"], name="Ann")
        games = [kit.Game(person.live(), opened["table"]) for person in people]
        kit.play(games, random.Random(name))
        now = people[1].get(f"/tables/{opened['table']}")
        assert [move["move"] for move in now["moves"]] == games[0].moves == games[1].moves
        return now, people[1].http.get(f"/tables/{opened['table']}/record").content
    finally:
        for person in people:
            person.close()


@pytest.mark.parametrize(("name", "options"), [("pig", {"goal": 12}), ("urn", {"red": 6, "black": 3})])
def test_chance_of_any_size_is_rolled_and_proved(name, options, start, kit, chance_games, request):
    declared = request.getfixturevalue(name)
    now, written = play_between_two(start(PYTHONPATH=chance_games["PYTHONPATH"]), kit, name, options)
    assert now["outcome"] is not None
    record = Record.from_json(written)
    assert record.dice.faces == declared.die
    assert verify(record).proved
    assert verify(record).rolls >= (9 if name == "urn" else 3)


def test_a_game_of_another_package_is_served(start, kit, chomp_installed):
    running = start(PYTHONPATH=chomp_installed["PYTHONPATH"])
    person = running.visitor()
    (found,) = [game for game in person.get("/games", language="de") if game["name"] == "chomp"]
    assert found["tagline"].startswith("Eat the chocolate")
    assert found["seats"] == [2]
    assert "chomp-square" in person.get("/games/chomp/sprites.svg")
    assert ".chomp-brown" in person.get("/games/chomp/sprites.css")
    assert person.get("/games/chomp/picture.svg").startswith("<svg")
    assert "poisoned" in person.get("/games/chomp/help", language="pl")
    person.close()
    now, written = play_between_two(running, kit, "chomp", {"columns": 4})
    assert now["outcome"]["reason"] == "poison"
    assert now["text"]
    record = json.loads(written)
    assert record["game"] == "chomp"
    assert record["outcome"]["reason"] == "poison"


def test_an_engine_plays_a_game_of_another_package(start, kit, chomp_installed):
    running = start(PYTHONPATH=chomp_installed["PYTHONPATH"])
    person = running.visitor()
    opened = person.open("chomp", "me", "engine1")
    game = kit.Game(person.live(), opened["table"])
    kit.play([game], random.Random(3))
    assert game.over
    person.close()
