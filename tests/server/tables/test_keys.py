"""Keys of seats, and signatures of visitors."""

from triskele.server.tables.keys import Keys
from triskele.server.tables.visitors import Visitors


def test_keys_and_signatures_follow_from_the_secret():
    one, other = Keys(b"a" * 32), Keys(b"b" * 32)
    assert one.invitation("t", 0) == Keys(b"a" * 32).invitation("t", 0)
    made = {one.invitation("t", 0), one.invitation("t", 1), one.own("t", 0, "v"), one.watch("t"), other.watch("t")}
    assert len(made) == 5
    visitors = Visitors(b"a" * 32)
    visitor = visitors.new()
    assert visitors.read(visitors.signed(visitor)) == visitor
    assert visitors.read(visitors.signed(visitor)[:-1]) is None
    assert visitors.of([(b"cookie", b"x=1; triskele=" + visitors.signed(visitor).encode())]) == visitor


def test_no_visitor_is_taken_for_an_option_of_a_command(monkeypatch):
    made = iter([b"\xf8" + bytes(15), b"\xfb" + bytes(15), b"\x00" * 16])
    monkeypatch.setattr("triskele.server.tables.visitors.secrets.token_bytes", lambda size: next(made))
    visitor = Visitors(b"a" * 32).new()
    assert visitor == "A" * 22
