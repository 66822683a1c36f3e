"""What people see when the host of the server deletes their table, frees their seat or bans them."""

import pytest

from triskele.cli import commands
from triskele.core.words import say, text


@pytest.fixture
def admin(server, capsys):
    def run(*arguments: str) -> None:
        chosen = commands.parse(["admin", *arguments, "--server", server.url, "--data", str(server.data)])
        assert chosen.run(chosen) == 0

    return run


def words(code: str) -> str:
    """Return the German words of a refusal without the first letter, which is a capital on the page."""
    return say(text(f"server.{code}"), "de")[1:]


def test_a_deleted_table_says_so_and_leads_home(visit, admin):
    ada = visit(locale="de-DE")
    opened = ada.open("yinsh", [{"kind": "me"}, {"kind": "here"}])
    admin("delete", opened["table"])
    ada.sees(words("deleted"))
    ada.page.get_by_role("link", name=say(text("web.home"), "de")).click()
    ada.page.locator("main h1").first.wait_for()


def test_who_loses_a_seat_and_who_is_banned_is_told_so(visit, admin):
    ada, ben = visit(locale="de-DE"), visit(locale="de-DE")
    ben.excused = ("status of 403",)
    opened = ada.open("yinsh", [{"kind": "me"}, {"kind": "link"}])
    ben.join(opened["table"], opened["seats"][1]["key"])
    admin("free", opened["table"], "2")
    ben.sees(words("removed"))
    again = ben.open("yinsh", [{"kind": "me"}, {"kind": "here"}])
    cookie = next(each["value"] for each in ben.context.cookies() if each["name"] == "triskele")
    who = cookie.partition(".")[0]
    admin("ban", who)
    ben.sees(words("banned"))
    admin("lift", who)
    ben.join(again["table"])
