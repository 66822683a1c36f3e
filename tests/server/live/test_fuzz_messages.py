"""Whatever is sent, there is exactly one answer, and the connection lives."""

import json
from typing import get_args

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from triskele.server.live.protocol import ClientMessage

FIELDS = {
    kind.__struct_config__.tag: [f.name for f in msgspec.structs.fields(kind) if f.required and f.name != "id"]
    for kind in get_args(ClientMessage)
}
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=30)
)
ANYTHING = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
)
MOVES = st.sampled_from(["a2", "b1", "g6", "f6-f9", "=BGR", "!1", "", "\x00", "a2 "])


def field(name):
    likely = {
        "seat": st.sampled_from([0, 1, 2, -1, 63]),
        "at": st.integers(0, 4),
        "move": MOVES,
        "tokens": st.lists(MOVES, max_size=3),
        "what": st.sampled_from(["draw", "undo", "rematch", "money"]),
        "accept": st.booleans(),
        "text": st.text(max_size=40),
        "seed": st.text(max_size=70),
        "since": st.integers(0, 10),
        "scene": st.booleans(),
        "language": st.sampled_from(["de", "en", "xx"]),
        "series": st.sampled_from(["swap", "loser", "none"]),
    }
    return likely.get(name, ANYTHING) | ANYTHING


@st.composite
def messages(draw):
    kind = draw(st.sampled_from(sorted(FIELDS)))
    names = [*FIELDS[kind], *draw(st.lists(st.sampled_from(["since", "scene", "language", "series", "x"]), max_size=2))]
    message = {"type": kind}
    for name in names:
        if name == "table":
            message["table"] = draw(st.sampled_from(["HERE"] * 8 + ["nowhere"]) | ANYTHING)
        elif draw(st.integers(0, 9)):
            message[name] = draw(field(name))
    return message


@pytest.fixture
def wire(visitor):
    person = visitor()
    table = person.open("yinsh", "me", "here")["table"]
    live = person.live()
    live.join(table)
    return live, table


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(message=messages() | ANYTHING)
def test_one_answer_to_each_message(wire, message):
    live, table = wire
    number = f"f{next(live.count)}"
    if isinstance(message, dict):
        message = {**message, "id": number}
        if message.get("table") == "HERE":
            message["table"] = table
    live.socket.send(json.dumps(message))
    expected = number if isinstance(message, dict) else None
    while "id" not in (answer := live.receive()):
        pass
    assert answer["id"] == expected
    assert answer["type"] in ("done", "refused")
    if answer["type"] == "refused":
        assert answer["code"] != "failed", message
        assert answer["text"]
    assert live.ask("ping")["type"] == "done"
