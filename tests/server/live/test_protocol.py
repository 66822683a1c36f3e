"""The types of the live protocol: what is decoded, what is malformed, and the page that describes it."""

import importlib.util
import json
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from triskele.server.http import models
from triskele.server.live import protocol
from triskele.server.live.protocol import Malformed, decode, encode

DOCS = Path(__file__).parents[3] / "docs"
SEAT = {"id": "1", "table": "t", "seat": 0}
VALID = [
    ({"type": "join", "id": "1", "table": "t"}, protocol.Join("1", "t")),
    (
        {"type": "join", "id": "1", "table": "t", "since": 3, "scene": False, "language": "de"},
        protocol.Join("1", "t", 3, False, "de"),
    ),
    ({"type": "join", "id": "1", "table": "t", "since": None, "language": None}, protocol.Join("1", "t")),
    ({"type": "leave", "id": "1", "table": "t"}, protocol.Leave("1", "t")),
    ({"type": "compute", "id": "1", "table": "t", "on": True}, protocol.Compute("1", "t", True)),
    ({"type": "move", **SEAT, "move": "a2", "at": 0}, protocol.Move("1", "t", 0, "a2", 0)),
    ({"type": "complete", **SEAT, "tokens": ["a2"]}, protocol.Complete("1", "t", 0, ["a2"])),
    ({"type": "undo", **SEAT}, protocol.Undo("1", "t", 0)),
    ({"type": "offer", **SEAT, "what": "rematch", "series": "same"}, protocol.Offer("1", "t", 0, "rematch", "same")),
    ({"type": "answer", **SEAT, "what": "draw", "accept": True}, protocol.Answer("1", "t", 0, "draw", True)),
    ({"type": "resign", **SEAT}, protocol.Resign("1", "t", 0)),
    ({"type": "claim", **SEAT, "engine": True}, protocol.Claim("1", "t", 0, True)),
    ({"type": "back", **SEAT}, protocol.Back("1", "t", 0)),
    ({"type": "chat", **SEAT, "text": "hello"}, protocol.Chat("1", "t", 0, "hello")),
    ({"type": "seed", **SEAT, "seed": "x"}, protocol.Seed("1", "t", 0, "x")),
    ({"type": "lobby", "id": "1", "name": "Ann"}, protocol.EnterLobby("1", "Ann")),
    ({"type": "leave-lobby", "id": "1"}, protocol.LeaveLobby("1")),
    ({"type": "seek", "id": "1", "game": "g", "seats": 3}, protocol.Seek("1", "g", 3)),
    ({"type": "accept", "id": "1", "seek": "s"}, protocol.Accept("1", "s")),
    ({"type": "agree", "id": "1", "seek": "s"}, protocol.Agree("1", "s")),
    ({"type": "withdraw", "id": "1", "seek": "s"}, protocol.Withdraw("1", "s")),
    ({"type": "notices", "id": "1", "language": "de"}, protocol.FollowNotices("1", "de")),
    ({"type": "looking", "id": "1", "table": "t", "on": False}, protocol.Looking("1", "t", False)),
    ({"type": "ping", "id": "1", "whatever": [1, {"a": None}]}, protocol.Ping("1")),
]


@pytest.mark.parametrize(("document", "message"), VALID, ids=lambda value: type(value).__name__)
def test_a_valid_message_is_decoded(document, message):
    assert decode(json.dumps(document)) == message


def test_every_type_of_message_is_in_the_test_above():
    assert {type(message) for _, message in VALID} == set(get_args(protocol.ClientMessage))


@pytest.mark.parametrize(
    "changed",
    [
        {"type": "nonsense"},
        {"type": None},
        {"table": ""},
        {"table": "x" * 17},
        {"seat": -1},
        {"seat": 64},
        {"seat": True},
        {"seat": "0"},
        {"move": ""},
        {"move": "x" * 201},
        {"at": 1.0},
        {"at": 10**9 + 1},
        {"at": None},
    ],
)
def test_a_malformed_message_keeps_its_id(changed):
    assert decode(json.dumps({"type": "move", **SEAT, "move": "a2", "at": 0, **changed})) == Malformed("1")


@pytest.mark.parametrize("kind", [kind for kind in get_args(protocol.ClientMessage) if kind is not protocol.Ping])
def test_a_message_without_its_fields_is_malformed(kind):
    tag = kind.__struct_config__.tag
    required = [field.name for field in msgspec.structs.fields(kind) if field.required]
    document = next(document for document, _ in VALID if document["type"] == tag)
    for name in required:
        if name != "id":
            assert decode(json.dumps({key: document[key] for key in document if key != name})) == Malformed("1")


@pytest.mark.parametrize(
    "written",
    [
        *(None, "", "null", "[]", "{}", '{"type": "ping"}', '{"type": "ping", "id": 4}', '{"type": "ping", "id": ""}'),
        *('{"type": "ping", "id": "' + "x" * 65 + '"}', "[" * 15_000, '{"type": "ping", "id": "x"'),
        '{"id": "1", "type": "ping", "x": ' + "[" * 15_000,
    ],
)
def test_what_has_no_usable_id_is_malformed_without_one(written):
    assert decode(written) == Malformed(None)


def test_fields_that_are_not_set_are_not_sent():
    assert json.loads(encode(protocol.Done("1"))) == {"type": "done", "id": "1"}
    answered = protocol.Answered("t", 3, 0, "draw", False, [])
    assert "next_table" not in json.loads(encode(answered))
    assert json.loads(encode(protocol.Refused(None, "form", "why")))["id"] is None


def test_http_describes_the_same_table():
    for model, kind in (
        (models.TableShown, protocol.TableDocument),
        (models.TableShown.model_fields["seats"].annotation.__args__[0], protocol.SeatShown),
    ):
        assert list(model.model_fields) == [field.name for field in msgspec.structs.fields(kind)]


def test_the_tables_of_messages_in_the_docs_are_up_to_date():
    spec = importlib.util.spec_from_file_location("live_tables", DOCS / "live_tables.py")
    live_tables = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(live_tables)
    page = (DOCS / "live.md").read_text(encoding="utf-8")
    assert live_tables.updated(page) == page, "run python docs/live_tables.py"
    assert all(f"| `{live_tables.tag(kind)}` |" in page for kind in get_args(protocol.ServerMessage))
