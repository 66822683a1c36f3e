"""The payload cache, and the audience that it belongs to."""

import gc
import json

import pytest

import triskele
from triskele.server.live.payloads import PayloadCache, difference
from triskele.server.live.protocol import _encoder
from triskele.server.live.subscribers import Audiences, Subscriber
from triskele.server.tables.entries import MOVE
from triskele.server.tables.table import Table


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    monkeypatch.setenv("TRISKELE_PLAIN", "1")


@pytest.fixture
def table():
    row = {"id": "t", "opened": 0, "opener": "ann", "private": True, "rated": False, "series": "swap"}
    seats = [{"seat": n, "kind": "here", "level": None, "name": ""} for n in range(2)]
    made = Table({**row, "game": "yinsh", "options": "{}", "dice_secret": None}, seats)
    made.set_holders([{"seat": 0, "visitor": "ann"}])
    return made


class Silent:
    def send(self, message):
        raise AssertionError("nothing is sent here")


def test_a_look_is_what_the_position_says(table):
    cache, position = PayloadCache(table), triskele.new("yinsh")
    for text in (None, "a2", "b1"):
        if text is not None:
            table.apply(table.entry(MOVE, table.turn, text, 0))
            position.push(text)
        for seat in (0, 1, None):
            look = json.loads(_encoder.encode(cache.look(seat, "de", scenes=True)))
            expected = json.loads(json.dumps(position.view_without_moves(seat)))
            assert look["view"] == expected
            assert [move for move, _ in look["moves"]] == [move.text for move in position.moves_of(seat)]
            assert look["scene"] == json.loads(json.dumps(position.scene(seat, "de").data()))
            assert look["ask"] == (position.ask("de") if position.turn == seat else "")


def test_a_difference_needs_the_scene_before(table):
    cache = PayloadCache(table)
    assert cache.look_since(0, "en", 0) is None
    before = table.position.scene(0, "en")
    table.apply(table.entry(MOVE, 0, "a2", 0))
    change = json.loads(bytes(cache.look_since(0, "en", 7).scene))
    assert change.pop("base") == 7
    assert change == json.loads(_encoder.encode(difference(before, table.position.scene(0, "en"))))
    assert cache.look_since(0, "de", 7) is None, "nobody was shown the scene in German"


def test_subscribers_are_present_until_they_go(table):
    audiences = Audiences()
    subscriber = Subscriber(table, Silent(), "ann", "en", scenes=True)
    audiences.of(table).subscribers.add(subscriber)
    audiences.of(table).payloads.look(0, "en", scenes=True)
    assert audiences.has_subscribers(table)
    assert audiences.of(table).present(table) == {0}
    audiences.of(table).subscribers.discard(subscriber)
    assert not audiences.has_subscribers(table)


def test_an_audience_does_not_keep_its_table_in_memory():
    audiences = Audiences()
    row = {"id": "t", "opened": 0, "opener": "ann", "private": True, "rated": False, "series": "swap"}
    made = Table({**row, "game": "yinsh", "options": "{}", "dice_secret": None}, [])
    audiences.of(made).payloads.look(None, "en", scenes=True)
    assert len(audiences._audiences) == 1
    del made
    gc.collect()
    assert len(audiences._audiences) == 0
