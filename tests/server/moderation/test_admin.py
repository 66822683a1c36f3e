"""``triskele admin`` on running servers: one with SQLite, and two that share a PostgreSQL and a Valkey."""

import json
import re
import time
from collections.abc import Callable

import pytest

from triskele.cli import commands
from triskele.cli.admin_output import printable
from triskele.core.errors import TriskeleError
from triskele.core.words import LANGUAGES, say, text

PATIENCE = 30.0


class Club:
    """A server, or several that share everything: what the host asks the first, all do."""

    def __init__(self, servers, secret: str | None) -> None:
        self.servers = servers
        self.secret = secret

    def admin(self, *arguments: str):
        """Run the command, and return what it writes as JSON."""
        first = self.servers[0]
        chosen = commands.parse(
            ["admin", *arguments, "--server", first.base, "--data", str(first.data), "--json", "--language", "en"]
        )
        assert chosen.run(chosen) == 0


@pytest.fixture(params=["sqlite", "postgresql and valkey"])
def club(request, monkeypatch) -> Club:
    if request.param == "sqlite":
        return Club([request.getfixturevalue("server")], None)
    options_and_secret = request.getfixturevalue("shared")
    monkeypatch.setenv("TRISKELE_SECRET", options_and_secret[1])
    return Club(request.getfixturevalue("both"), options_and_secret[1])


@pytest.fixture
def admin(club, capsys) -> Callable[..., object]:
    def ask(*arguments: str):
        capsys.readouterr()
        club.admin(*arguments)
        return json.loads(capsys.readouterr().out)

    return ask


def words(code: str, **values: str) -> str:
    """Return the words of a refusal, to be matched."""
    return re.escape(say(text(f"server.{code}", **values)))


def until(holds: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)


def two_at(club, visitor, kit, game="yinsh", **more):
    """Let two visitors sit at a table, each at another process if there are several."""
    ann, bob = visitor(club.servers[0]), visitor(club.servers[-1])
    opened = ann.open(game, "me", "link", **more)
    bob.post(f"/tables/{opened['table']}/seats", key=opened["seats"][1]["key"], name="Bob")
    return ann, bob, opened, [kit.Game(each.live(), opened["table"]) for each in (ann, bob)]


def test_a_table_is_listed_and_shown_with_its_visitors_and_chat(club, admin, visitor, kit):
    _ann, bob, opened, (anns, _bobs) = two_at(club, visitor, kit)
    anns.live.ask("chat", table=opened["table"], seat=0, text="hello")
    listed = {each["table"]: each for each in admin("list", "--state", "on", "--game", "yinsh")}
    assert listed[opened["table"]]["moves"] == 0
    shown = admin("show", opened["table"])
    assert [seat["name"] for seat in shown["seats"]] == ["", "Bob"]
    assert [line["text"] for line in shown["chat"]] == ["hello"]
    bobs_id = shown["seats"][1]["visitors"][0]
    assert bobs_id == bob.token.partition(".")[0]
    assert [each["table"] for each in admin("list", "--visitor", bobs_id)] == [opened["table"]]
    assert not {"view", "scene", "position"} & shown.keys()


def test_a_game_that_the_host_ends_has_no_winner_and_everybody_hears_of_it(club, admin, visitor, kit):
    _ann, bob, opened, games = two_at(club, visitor, kit)
    admin("end", opened["table"], "--reason", "nobody plays")
    for game in games:
        ended = game.live.wait("ended")
        assert ended["ended"] == {"kind": "stopped"}
        assert ended["outcome"]["winners"] == []
        assert ended["text"] == say(text("core.reason.stopped"))
    record = bob.get(f"/tables/{opened['table']}/record")
    assert json.loads(record)["ended"] == {"kind": "stopped"} if isinstance(record, str) else record["ended"]
    entry = admin("audit", "--limit", "1")[0]
    assert (entry["action"], entry["target"], entry["detail"]) == ("end", opened["table"], {"reason": "nobody plays"})
    with pytest.raises(TriskeleError, match=words("over")):
        admin("end", opened["table"])


def test_deleting_a_table_that_is_played_tells_its_subscribers(club, admin, visitor, kit, refused):
    ann, bob, opened, (anns, bobs) = two_at(club, visitor, kit)
    table = opened["table"]
    anns.move(anns.choices()[0])
    bobs.until(lambda message: message["type"] == "moved")
    admin("delete", table)
    for game in (anns, bobs):
        gone = game.live.wait("gone")
        assert (gone["table"], gone["code"]) == (table, "deleted")
        assert gone["text"] == say(text("server.deleted"))
    for game in (anns, bobs):
        assert refused(game.live.ask, "move", table=table, seat=0, move="a2", at=1) == "unknown"
        assert refused(game.live.ask, "join", table=table) == "unknown"
    for person in (ann, bob):
        assert refused(person.get, f"/tables/{table}") == "unknown"
        assert table not in [each["table"] for each in person.get("/tables")["mine"]]
    with pytest.raises(TriskeleError, match=words("unknown")):
        admin("show", table)
    entry = admin("audit", "--limit", "1")[0]
    assert (entry["action"], entry["target"], entry["detail"]["moves"]) == ("delete", table, 1)


def test_a_freed_seat_is_taken_by_somebody_else_with_a_new_link(club, admin, visitor, kit, refused):
    _ann, bob, opened, (anns, bobs) = two_at(club, visitor, kit)
    table = opened["table"]
    anns.move(anns.choices()[0])
    bobs.until(lambda message: message["type"] == "moved")
    link = admin("free", table, "2", "--reason", "gone for weeks")["link"]
    assert bobs.live.wait("gone")["code"] == "removed"  # the table is private: it is not for Bob any more
    free = anns.live.wait(lambda message: message["type"] == "seats" and not message["seats"][1]["taken"])
    assert free["seats"][1]["name"] == ""
    assert refused(bobs.live.ask, "move", table=table, seat=1, move="a2", at=1) == "unknown"
    cleo = visitor(club.servers[-1])
    place, _, key = link.partition("#")
    assert place.endswith(f"/table/{table}")
    old = opened["seats"][1]["key"]
    assert refused(bob.post, f"/tables/{table}/seats", key=old, name="Bob") == "unknown"
    assert cleo.post(f"/tables/{table}/seats", key=key, name="Cleo") == {"seat": 1}
    cleos = kit.Game(cleo.live(), table)
    assert cleos.moves == anns.moves
    cleos.move(cleos.choices()[0])
    with pytest.raises(TriskeleError, match=words("no-seat")):
        admin("free", table, "9")


def test_a_silenced_visitor_plays_and_does_not_write(club, admin, visitor, kit, refused):
    _ann, bob, opened, (anns, bobs) = two_at(club, visitor, kit)
    table, who = opened["table"], bob.token.partition(".")[0]
    made = admin("silence", who, "--for", "2d", "--reason", "rude")
    assert made[0]["target"] == who
    assert made[0]["until"] - made[0]["since"] == pytest.approx(2 * 86_400_000, abs=1000)
    until(lambda: _refused_chat(bobs, table))
    anns.live.ask("chat", table=table, seat=0, text="I may")
    anns.move(anns.choices()[0])
    bobs.until(lambda message: message["type"] == "moved")
    bobs.move(bobs.choices()[0])
    admin("lift", who)
    until(lambda: not _refused_chat(bobs, table))
    with pytest.raises(TriskeleError, match=words("unknown")):
        admin("lift", who)
    assert [entry["action"] for entry in admin("audit", "--limit", "2")] == ["lift", "silence"]


def test_the_audit_log_names_the_person_who_used_sudo(admin, monkeypatch):
    monkeypatch.setenv("SUDO_USER", "anna")
    admin("silence", "203.0.113.9", "--for", "1h")
    admin("lift", "203.0.113.9")
    assert [entry["actor"] for entry in admin("audit", "--limit", "2")] == ["anna", "anna"]


def _refused_chat(game, table) -> bool:
    number = game.live.say("chat", table=table, seat=1, text="may I?")
    answer = game.live.wait(lambda message: message.get("id") == number)
    if answer["type"] == "refused":
        assert answer["code"] == "silenced"
        assert re.search(r"20\d\d-\d\d-\d\d \d\d:\d\d UTC", answer["text"])
    return answer["type"] == "refused"


def test_a_banned_visitor_is_told_so_everywhere_and_comes_back_when_it_is_lifted(club, admin, visitor, kit, refused):
    ann, bob, opened, (_anns, bobs) = two_at(club, visitor, kit)
    table, who = opened["table"], bob.token.partition(".")[0]
    admin("ban", who)
    assert bobs.live.closed_with() == 1013  # the page connects anew, and hears why nothing works
    until(lambda: bob.http.get("/tables").status_code == 403)
    again = bob.live()
    assert refused(again.ask, "join", table=table) == "banned"
    assert refused(bob.open, "yinsh", "me", "here") == "banned"
    said = set()
    for language in LANGUAGES:
        answer = bob.http.get(f"/tables/{table}", headers={"Accept-Language": language})
        assert answer.status_code == 403
        said.add(answer.json()["error"]["text"])
    assert len(said) == len(LANGUAGES)
    assert bob.http.get("/words/de").status_code == 200  # so that the page can say it
    assert ann.get(f"/tables/{table}")["table"] == table
    assert who in [each["target"] for each in admin("sanctions")]
    admin("lift", who)
    until(lambda: bob.http.get("/tables").status_code == 200)
    again.ask("join", table=table)


def test_an_address_and_a_network_are_banned(club, admin, visitor, kit):
    ann = visitor(club.servers[-1])

    def status(address: str) -> int:
        return ann.http.get("/tables", headers={"X-Forwarded-For": address}).status_code

    for target, inside, outside in (
        ("203.0.113.7", "203.0.113.7", "203.0.113.8"),
        ("198.51.100.0/24", "198.51.100.200", "198.51.101.1"),
        ("2001:db8::1", "2001:db8::ffff", "2001:db8:0:1::1"),
    ):
        kept = admin("ban", target)[0]["target"]
        until(lambda inside=inside: status(inside) == 403)
        assert status(outside) == 200
        admin("lift", kept)
        until(lambda inside=inside: status(inside) == 200)


@pytest.mark.parametrize("target", ["127.0.0.1", "::1", "somebody", "", "10.0.0.0/8/9", "a" * 21])
def test_a_target_that_is_none_is_refused(club, admin, target):
    with pytest.raises(TriskeleError, match=f"{words('target', target=target)}|{words('form')}"):
        admin("ban", target)


def test_old_finished_games_are_deleted_and_others_stay(club, admin, visitor, kit):
    ann = visitor(club.servers[0])
    done, on = (ann.open("yinsh", "me", "here")["table"] for _ in range(2))
    followed = ann.open("yinsh", "me", "here")["table"]
    live = ann.live()
    for table in (done, followed):
        live.join(table)
        live.ask("resign", table=table, seat=0)
    live.ask("leave", table=done)
    assert admin("retention", "--days", "1")["tables"] == 0
    time.sleep(0.01)
    counted = admin("retention", "--days", "0", "--trial")["tables"]
    assert counted >= 2
    deleted = admin("retention", "--days", "0")["tables"]
    assert 1 <= deleted < counted
    assert {each["table"] for each in ann.get("/tables")["mine"]} == {on, followed}
    entry = admin("audit", "--limit", "1")[0]
    assert (entry["action"], entry["detail"]["tables"]) == ("retention", deleted)


def test_who_is_connected_is_shown_with_the_address(club, admin, visitor, kit):
    ann = visitor(club.servers[0])
    table = ann.open("yinsh", "me", "here")["table"]
    ann.live().join(table)
    who = ann.token.partition(".")[0]
    found = [each for each in admin("connections") if each["visitor"] == who]
    assert [(each["address"], each["tables"]) for each in found] == [("127.0.0.1", [table])]


def test_in_words_and_columns_nothing_that_visitors_wrote_changes_the_terminal(server, visitor, kit, capsys):
    ann = visitor(server)
    opened = ann.open("yinsh", "me", "link")
    bob = visitor(server)
    bob.post(f"/tables/{opened['table']}/seats", key=opened["seats"][1]["key"], name="Bob")
    live = bob.live()
    live.join(opened["table"])
    live.ask("chat", table=opened["table"], seat=1, text="caf\u00e9")
    common = ["--server", server.base, "--data", str(server.data)]
    chosen = commands.parse(["admin", "show", opened["table"], *common, "--language", "de"])
    assert chosen.run(chosen) == 0
    shown = capsys.readouterr().out
    assert [line.split()[0] for line in shown.splitlines() if line][:3] == ["Tisch", opened["table"], "Platz"]
    assert "caf\u00e9" in shown
    assert printable("a\x1b[31mb\u202e") == "a\ufffd[31mb\ufffd"
    chosen = commands.parse(["admin", "retention", "--days", "30000", "--trial", *common, "--language", "pl"])
    assert chosen.run(chosen) == 0
    assert "0" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["list", "--server", "nowhere"], "http://127.0.0.1:8000"),
        (["list", "--server", "http://127.0.0.1:9"], "--server"),
        (["list", "--limit", "0"], "from 1 to 1000"),
        (["ban", "1.2.3.4", "--for", "soon"], "12h"),
        (["ban", "1.2.3.4", "--for", "99999w"], "12h"),
        (["free", "abc", "x"], "SEAT"),
    ],
)
def test_wrong_arguments_are_refused_with_what_is_allowed(server, arguments, why):
    chosen = commands.parse(["admin", *arguments, "--data", str(server.data), "--language", "en"])
    with pytest.raises(TriskeleError, match=re.escape(why)):
        chosen.run(chosen)


def test_without_the_secret_nothing_is_asked(server, tmp_path):
    chosen = commands.parse(["admin", "list", "--server", server.base, "--data", str(tmp_path), "--language", "en"])
    with pytest.raises(TriskeleError, match=re.escape(str(tmp_path / "secret"))):
        chosen.run(chosen)
