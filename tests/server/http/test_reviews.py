"""Reviews over HTTP: worked out in parts, refused while a game is on, and mistakes that are tried again."""

import base64
import random

import numpy as np
import pytest

import triskele
from triskele.core.contract import CHANCE
from triskele.core.playout import random_move
from triskele.core.record_parts import Ended
from triskele.reviewing.review import review


def finished(name, seed=2, moves=None, **options):
    """Return the record of a random game; after some moves it is resigned: a long review takes long here."""
    rng = random.Random(seed)
    position = triskele.new(name, **options)
    while position.turn is not None and len(position.moves) != moves:
        position.push(random_move(position, rng))
    ended = None if position.turn is None else Ended("resign", 0)
    return triskele.Record.of(position, seats=["Ann", "Ben"], ended=ended)


def brought_in(person, record):
    return person.http.post("/records", content=record.to_json()).json()["table"]


def reviewed(person, table):
    """Ask until the review has come to its end."""
    while (found := person.get(f"/tables/{table}/review"))["done"] < found["of"]:
        pass
    return found["review"]


def test_a_review_on_the_server_is_that_of_the_library(visitor):
    person, record = visitor(), finished("tryad")
    found = reviewed(person, brought_in(person, record))
    expected = review(record).document()
    assert found["moves"] == expected["moves"]
    assert [player["sum"] for player in found["players"]] == pytest.approx(record.outcome.scores, abs=1e-9)


def test_a_review_comes_in_parts_and_is_kept(visitor):
    person, record = visitor(), finished("tryptic", moves=6)
    table = brought_in(person, record)
    first = person.get(f"/tables/{table}/review")
    assert first["of"] == len(record.moves) + 1
    assert first["done"] >= 1
    whole = reviewed(person, table)
    assert reviewed(person, table) == whole


def test_a_mistake_is_tried_again_and_nothing_is_stored(visitor, refused):
    person, record = visitor(), finished("tryad")
    table = brought_in(person, record)
    worst = max(review(record).moves, key=lambda move: move.loss)
    path = f"/tables/{table}/review/{worst.number}"
    asked = person.post(path, decisions=[])
    assert asked["status"] == "going"
    assert worst.better[0] in {move[0] for move in asked["frames"][-1]["look"]["moves"]}
    assert person.post(path, decisions=[worst.better[0]])["status"] == "solved"
    assert person.post(path, decisions=["nonsense"])["status"] == "refused"
    roll = next(number for number, move in enumerate(record.moves, 1) if move.seat == CHANCE)
    assert refused(person.post, f"/tables/{table}/review/{roll}", decisions=[]) == "unknown"
    assert refused(person.post, f"/tables/{table}/review/100000", decisions=[]) == "unknown"


def test_a_game_between_people_is_reviewed_only_when_it_is_over(pair, refused):
    ada, _ = pair()
    person, table = ada.live.visitor, ada.table
    for path in ("review", "review/positions"):
        assert refused(person.get, f"/tables/{table}/{path}") == "on"
    assert refused(person.get, "/tables/nowhere/review") == "unknown"


def test_positions_for_the_page_are_what_the_player_knew_who_decided(visitor):
    person = visitor()
    record = finished("tryptic", goal=1)
    asked = person.get(f"/tables/{brought_in(person, record)}/review/positions")["positions"]
    position = record.first_position()
    for move, question in zip(record.moves, asked, strict=False):
        if question is not None:
            assert question["seat"] == move.seat
            words = np.frombuffer(base64.b64decode(question["state"]), dtype="<i8")
            assert words.tolist() == position.seen_by(move.seat).state.tolist()
            assert question["history"] == position.codes_seen_by(move.seat)
        position.push(move.text)
    assert any(question and -1 in question["history"] for question in asked), "others' patterns are unknown"
    open_game = finished("trypsylon")
    found = person.get(f"/tables/{brought_in(person, open_game)}/review/positions")
    assert len(found["positions"]) == len(open_game.moves) + 1
    assert found["end"] == [1.0 if seat in open_game.outcome.winners else 0.0 for seat in (0, 1)]
    assert found["nodes"] > 0


def test_a_game_of_too_many_moves_is_refused_with_the_reason(start, visitor, refused):
    server = start("--limit", "review_moves=3")
    person = visitor(server)
    table = brought_in(person, finished("tryad"))
    assert refused(person.get, f"/tables/{table}/review") == "too-large"


def test_a_file_of_another_site_can_be_brought_in(visitor):
    from triskele.adapters import boardspace

    person, record = visitor(), finished("yinsh")
    opened = person.http.post("/records", content=boardspace.dumps([record]).encode())
    assert opened.status_code == 200
    shown = person.get(f"/tables/{opened.json()['table']}")
    assert [move["move"] for move in shown["moves"]] == [move.text for move in record.moves]
    assert person.http.post("/records", content=b"(;GM[1").status_code in (400, 409)


def test_why_tokens_do_not_fit_a_mistake_that_is_tried_again(visitor, refused):
    person, record = visitor(), finished("tryad")
    table = brought_in(person, record)
    worst = max(review(record).moves, key=lambda move: move.loss)
    position = triskele.new("tryad")
    for move in record.moves[: worst.number - 1]:
        position.push(move.text)
    path = f"/tables/{table}/review/{worst.number}/tokens"
    assert person.post(path, decisions=[], tokens=["z9"])["reason"] == position.complete(("z9",)).why
    good = position.find(worst.better[0]).tokens
    assert person.post(path, decisions=[], tokens=list(good))["reason"] == ""
    assert refused(person.post, f"/tables/{table}/review/100000/tokens", decisions=[], tokens=[]) == "unknown"
