"""Bounds on what a visitor can make the server keep: moves of a record, rows of a table's log, lines of chat."""

import json

import httpx
import pytest

from triskele.core.game import game
from triskele.core.position import Position
from triskele.core.records import Record
from triskele.server.refusal import Refusal
from triskele.server.settings import Limits
from triskele.server.tables.validation import check_record_length


def test_moving_and_undoing_comes_to_an_end(start, visitor, kit, refused):
    server = start("--limit", "table_rows=20")
    person = visitor(server)
    table = person.open("yinsh", "me", "here")["table"]
    game = kit.Game(person.live(), table)
    for _ in range(10):
        game.move(game.choices()[0])
        game.live.ask("undo", table=table, seat=0)
        game.until(lambda message: message["type"] == "table")
    assert refused(game.move, game.choices()[0]) == "full"
    assert refused(game.live.ask, "offer", table=table, seat=0, what="draw") == "full"
    assert refused(game.live.ask, "undo", table=table, seat=0) == "full"
    game.live.ask("resign", table=table, seat=0)


def test_chat_comes_to_an_end(start, visitor, refused):
    server = start("--limit", "table_rows=3")
    person = visitor(server)
    table = person.open("yinsh", "me", "link")["table"]
    live = person.live()
    for number in range(3):
        live.ask("chat", table=table, seat=0, text=str(number))
    assert refused(live.ask, "chat", table=table, seat=0, text="more") == "full"


def test_a_record_with_too_many_moves_is_refused_before_it_is_read(server, visitor):
    record = {"format": "triskele-record/1", "moves": [{"text": "a1", "seat": 0}] * 100_000}
    body = json.dumps(record).encode()
    assert len(body) < Limits().record_bytes
    answer = httpx.post(f"{server.base}/api/v1/records", content=body, timeout=30)
    assert answer.status_code == 409
    assert answer.json()["error"]["code"] == "long-record"
    assert "20000" in answer.json()["error"]["text"]


@pytest.mark.parametrize("filler", [b"[],", b"{},", b"0,"])
def test_other_long_documents_are_refused_too(filler):
    with pytest.raises(Refusal):
        check_record_length(b'{"moves": [' + filler * 130_000 + b"0]}", 20_000)


def test_long_games_are_far_below_the_bounds():
    position = Position(game("yinsh").variant({}))
    for _ in range(10):
        position.push(position.legal_moves[0])
    written = Record.of(position, seats=["{" * 40, "[,{" * 10]).to_json().encode()
    check_record_length(written, 0)
    check_record_length(b'{"moves": [' + b'{"text": "a1,b2", "seat": 0, "ms": 1, "tag": ""},' * 20_000 + b"0]}", 20_000)
