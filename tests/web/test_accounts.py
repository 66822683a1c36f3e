"""Accounts in a real browser: signing up by passkey and by password, and what people see of each other."""

import json
import os
import re
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe

import triskele
from triskele.cli import commands

WEB = Path(triskele.__file__).parent / "web"
PASSWORD = "seven violet otters"
SERIOUS = ("critical", "serious", "moderate")


def unique(name):
    return f"{name} {os.getpid()}{time.time_ns() % 10**6}"


@pytest.fixture
def person(visit, server):
    """Return a function that makes people at ``localhost``: there browsers make passkeys, at a number they do not."""

    def new(**context):
        made = visit(**context)
        made.base = server.url.replace("127.0.0.1", "localhost")
        made.excused = ("status of 40", "status of 429")
        return made

    return new


def sign_up(somebody, name, password=PASSWORD):
    somebody.page.goto("about:blank")  # to the same address again would not load the page anew
    somebody.go("/sign-in#new")
    somebody.page.get_by_label("Name").fill(name)
    somebody.page.get_by_label("Password", exact=True).fill(password)
    somebody.button("Create the account").click()
    somebody.sees(f"Welcome, {name}!")


def test_sign_up_and_sign_in_by_passkey(person, authenticator):
    ann, name = person(), unique("Ann")
    authenticator(ann)
    ann.go("/sign-in#new")
    ann.page.get_by_label("Name").fill(name)
    ann.button("Create the account with a passkey").click()
    ann.sees(f"Welcome, {name}!")
    ann.page.get_by_role("link", name=f"Account of {name}").click()
    ann.page.get_by_role("heading", name="Passkey").first.wait_for()
    ann.button("Sign out").first.click()
    ann.page.get_by_role("link", name="Sign in").click()
    ann.button("Sign in with a passkey").click()
    ann.sees(f"Welcome, {name}!")


def test_an_authenticator_that_does_not_know_the_person_opens_nothing(person, authenticator):
    ann, name = person(), unique("Ann")
    session, device = authenticator(ann)
    ann.go("/sign-in#new")
    ann.page.get_by_label("Name").fill(name)
    ann.button("Create the account with a passkey").click()
    ann.sees(f"Welcome, {name}!")
    ann.go("/account")
    ann.button("Sign out").first.click()
    ann.page.get_by_role("link", name="Sign in").wait_for()
    session.send("WebAuthn.setUserVerified", {"authenticatorId": device, "isUserVerified": False})
    ann.go("/sign-in")
    ann.button("Sign in with a passkey").click()
    ann.sees("No passkey was used.")


def test_a_passkey_s_answer_works_once(person, authenticator):
    ann, name = person(), unique("Ann")
    authenticator(ann)
    ann.go("/sign-in#new")
    ann.page.get_by_label("Name").fill(name)
    with ann.page.expect_request(lambda request: request.url.endswith("/api/v1/accounts")) as first:
        ann.button("Create the account with a passkey").click()
    ann.sees(f"Welcome, {name}!")
    ann.go("/account")
    ann.button("Sign out").first.click()
    ann.go("/sign-in")
    with ann.page.expect_request(lambda request: request.url.endswith("/api/v1/sessions")) as second:
        ann.button("Sign in with a passkey").click()
    ann.sees(f"Welcome, {name}!")
    thief = person()
    for request, path in ((first.value, "accounts"), (second.value, "sessions")):
        again = thief.page.request.post(f"{thief.base}/api/v1/{path}", data=json.loads(request.post_data))
        assert again.status in (403, 409)
    assert thief.page.request.get(f"{thief.base}/api/v1/account").json()["account"] is None


def test_a_password_can_be_pasted_shown_and_changed(person):
    ann, name = person(), unique("Ann")
    ann.go("/sign-in#new")
    field = ann.page.get_by_label("Password", exact=True)
    assert field.get_attribute("type") == "password"
    assert field.get_attribute("autocomplete") == "new-password"
    field.fill("x")
    ann.button("Show the password").click()
    assert field.get_attribute("type") == "text"
    sign_up(ann, name)
    ann.go("/account")
    ann.page.locator("summary", has_text="Change the password").click()
    ann.page.get_by_label("Current password").fill("wrong")
    ann.page.get_by_label("New password").fill("nine amber herons")
    ann.button("Set the password").click()
    ann.sees("The password is wrong")
    ann.page.get_by_label("Current password").fill(PASSWORD)
    ann.page.get_by_label("New password").fill("nine amber herons")
    ann.button("Set the password").click()
    ann.sees("The password is set.")


def test_games_of_the_browser_come_along_and_names_come_from_accounts(person):
    ann, ben = person(), person()
    opened = ann.open("yinsh", [{"kind": "me", "name": "somebody"}, {"kind": "link"}])
    name, other = unique("Ann"), unique("Ben")
    ann.go("/sign-in#new")
    ann.sees("1 game of this browser comes along.")
    sign_up(ann, name)
    ann.go("/mine")
    ann.page.locator(".resume li").first.wait_for()
    sign_up(ben, other)
    ben.join(opened["table"], opened["seats"][1]["key"])
    assert [seat.get("account") for seat in ben.table["seats"]] == [name, other]
    link = ben.page.get_by_role("link", name=name)
    link.first.click()
    ben.page.get_by_role("heading", name=name).wait_for()


def test_muted_people_are_not_read_and_reports_reach_a_moderator(person, server, capsys):
    ann, ben = person(), person()
    names = unique("Ann"), unique("Ben")
    for somebody, name in zip((ann, ben), names, strict=True):
        sign_up(somebody, name)
    opened = ann.open("yinsh", [{"kind": "me"}, {"kind": "link"}])
    ben.join(opened["table"], opened["seats"][1]["key"])
    ann.page.get_by_role("tab", name="Chat").click()
    ben.page.get_by_role("tab", name="Chat").click()

    def write(words):
        ben.page.get_by_role("textbox", name="Say").fill(words)
        ben.page.get_by_role("textbox", name="Say").press("Enter")

    write("you are slow")
    ann.sees("you are slow")
    ann.page.get_by_role("tab", name="Table").click()
    ann.page.get_by_role("button", name=f"About {names[1]}").click()
    ann.button("Report").click()
    ann.page.get_by_label("What happened?").fill("He is rude.")
    ann.page.locator("dialog").get_by_role("button", name="Report").click()
    ann.sees("Thank you")
    ann.page.get_by_role("button", name=f"About {names[1]}").click()
    ann.button("Mute").click()
    ann.sees(f"{names[1]} is muted.")
    write("very slow")
    ben.sees("very slow")
    write("good night")
    ben.sees("good night")
    assert not [frame for frame in ann.frames if "very slow" in frame or "good night" in frame]
    # the moderator
    eve, moderator = person(), unique("Eve")
    sign_up(eve, moderator)
    assert eve.page.request.get(f"{eve.base}/api/v1/moderation/reports").status == 403
    arguments = ["admin", "moderator", moderator, "--server", server.url, "--data", str(server.data)]
    chosen = commands.parse(arguments)
    assert chosen.run(chosen) == 0
    capsys.readouterr()
    eve.go("/account")
    eve.page.get_by_role("link", name="Moderation").click()
    report = eve.page.locator(".report", has_text="He is rude.")
    report.get_by_role("button", name="Table and chat").click()
    eve.sees("you are slow")
    eve.page.keyboard.press("Escape")
    report.get_by_role("button", name="Silence").click()
    eve.page.locator("dialog").get_by_role("button", name="Silence").click()
    eve.sees("Done.")
    write("am I heard?")
    ben.sees("has silenced you")
    report.get_by_role("button", name="Close the report").click()
    eve.page.get_by_label("What was done").fill("silenced for a day")
    eve.page.locator("dialog").get_by_role("button", name="Close the report").click()
    eve.until(lambda: not report.count(), "the report to be closed")
    eve.page.get_by_role("link", name="Log").click()
    eve.sees(f"{moderator} · Close the report")
    eve.sees(f"{moderator} · silence")


def test_a_guest_is_marked_and_a_deleted_account_leaves_no_name_in_the_chat(person):
    ann, name = person(), unique("Ann")
    sign_up(ann, name)
    guest, alike = person(), name.replace("A", "\u0410")  # a Cyrillic letter that looks the same
    opened = ann.open("yinsh", [{"kind": "me"}, {"kind": "link"}])
    guest.join(opened["table"], opened["seats"][1]["key"], name=alike)
    strips = [ann.page.locator('.strip[data-seat="1"] .name'), guest.page.locator('.strip[data-seat="0"] .name')]
    ann.until(lambda: alike in strips[0].inner_text(), "the guest")
    assert strips[0].locator(".guest").count() == 1
    assert strips[1].locator(".guest").count() == 0
    assert name in strips[1].inner_text()
    for somebody in (ann, guest):
        somebody.page.get_by_role("tab", name="Chat").click()
    ann.page.get_by_role("textbox", name="Say").fill("good luck")
    ann.page.get_by_role("textbox", name="Say").press("Enter")
    guest.sees("good luck")
    chat = guest.page.locator("ol.chat")
    assert name in chat.inner_text()
    assert ann.page.request.post(f"{ann.base}/api/v1/account/delete", data={}).ok
    guest.until(lambda: name not in chat.inner_text(), "the name to go")
    assert "good luck" in chat.inner_text()
    assert name not in guest.page.locator("main").inner_text()


def test_what_was_learned_is_kept_with_the_account(person):
    ann, name = person(), unique("Ann")
    ann.go("/")
    ann.page.evaluate("localStorage.triskele = JSON.stringify({lessons: {yinsh: ['a', 'b']}})")
    sign_up(ann, name)
    other = person()
    other.go("/sign-in")
    other.page.get_by_label("Name").fill(name)
    other.page.get_by_label("Password", exact=True).fill(PASSWORD)
    kept = f"{ann.base}/api/v1/people/{name}"
    ann.until(lambda: ann.page.request.get(kept).json()["learned"]["lessons"], "what was learned to be kept")
    other.button("Sign in").last.click()
    other.sees(f"Welcome, {name}!")
    other.until(lambda: "yinsh" in other.page.evaluate("localStorage.triskele ?? ''"), "what was learned")
    other.go(f"/people/{name}")
    other.sees("2 steps of the course")


def test_deletion_asks_and_then_the_name_is_gone(person):
    ann, name = person(), unique("Ann")
    sign_up(ann, name)
    ann.go("/account")
    with ann.page.expect_download() as download:
        ann.button("Download my data").click()
    assert json.loads(download.value.path().read_text())["account"]["name"] == name
    ann.button("Delete my account").click()
    ann.page.locator("dialog").get_by_role("button", name="Delete my account").click()
    ann.sees("Your account is deleted.")
    ann.go(f"/people/{name}")
    ann.sees("Not found")


def test_what_only_the_person_may_change_asks_who_it_is(person):
    ann, name = person(), unique("Ann")
    sign_up(ann, name)
    ann.go("/account")
    ann.page.locator("h1", has_text=name).wait_for()
    asked = []

    def refuse_once(route):
        if asked:
            return route.continue_()
        asked.append(True)
        body = {"error": {"code": "prove", "text": "please confirm that it is you"}}
        return route.fulfill(status=403, content_type="application/json", body=json.dumps(body))

    ann.page.route("**/api/v1/account/bots", refuse_once)
    ann.page.locator("summary", has_text="Create a bot").click()
    ann.page.get_by_label("Name of the bot").fill(f"{name[-10:]} bot")
    ann.page.get_by_role("button", name="Create a bot").click()
    ann.page.locator("dialog").get_by_label("Password", exact=True).fill(PASSWORD)
    ann.button("Confirm").click()
    ann.page.get_by_role("link", name=f"{name[-10:]} bot").wait_for()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_the_pages_of_accounts_are_accessible(person, theme, width):
    ann, name = person(viewport={"width": width, "height": 800}, color_scheme=theme), unique("Ann")
    problems = []

    def check(where):
        found = Axe().run(ann.page).response["violations"]
        serious = [each for each in found if each["impact"] in SERIOUS]
        problems.extend((where, each["id"], each["nodes"][0]["html"][:200]) for each in serious)
        assert ann.page.evaluate("document.documentElement.scrollWidth") <= width, where

    ann.go("/sign-in")
    ann.page.get_by_label("Name").wait_for()
    check("sign-in")
    sign_up(ann, name)
    ann.go("/account")
    ann.page.locator("h1", has_text=name).wait_for()
    for summary in ann.page.locator("summary").all():
        summary.click()
    check("account")
    ann.go(f"/people/{name}")
    ann.page.locator("h1", has_text=name).wait_for()
    check("profile")
    assert problems == []


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_the_pages_of_moderators_are_accessible(person, server, capsys, theme, width):
    ann, eve = person(), person(viewport={"width": width, "height": 800}, color_scheme=theme)
    reported, moderator = unique("Ann"), unique("Eve")
    sign_up(ann, reported)
    sign_up(eve, moderator)
    table = ann.open("yinsh", [{"kind": "me"}, {"kind": "here"}])["table"]
    words = f"Rude in the chat {reported}"
    report = {"name": reported, "why": "chat", "text": words, "table": table}
    assert eve.page.request.post(f"{eve.base}/api/v1/reports", data=report).ok
    chosen = commands.parse(["admin", "moderator", moderator, "--server", server.url, "--data", str(server.data)])
    assert chosen.run(chosen) == 0
    capsys.readouterr()

    def check():
        found = Axe().run(eve.page).response["violations"]
        assert not [(each["id"], [node["target"] for node in each["nodes"]]) for each in found]
        assert eve.page.evaluate("document.documentElement.scrollWidth") <= width

    eve.go("/moderation")
    shown = eve.page.locator(".report", has_text=words)
    shown.wait_for()
    check()
    for name in ("Table and chat", "Silence", "Close the report"):
        shown.get_by_role("button", name=name).click()
        eve.page.locator("dialog[open]").wait_for()
        check()
        eve.page.keyboard.press("Escape")
        eve.page.locator("dialog[open]").wait_for(state="detached")
    eve.page.get_by_role("link", name="Log").click()
    eve.page.locator(".entries").get_by_text("· moderator").first.wait_for()
    check()


def test_nothing_of_accounts_is_in_the_first_load(visit):
    ada = visit()
    ada.go("/")
    ada.page.locator(".game").first.wait_for()
    assert not [url for url in ada.requested if "/accounts" in urlsplit(url).path or "/api/v1/account" in url]


def test_every_word_of_accounts_is_there_and_used():
    source = "".join(path.read_text() for path in (WEB / "accounts").glob("*.js"))
    written = set(re.findall(r'\btext\(\s*"([a-z0-9-]+)"', source))
    written |= {word for pair in re.findall(r'\? "([a-z-]+)" : "([a-z-]+)"\)', source) for word in pair}
    families = re.findall(r"\btext\(`([a-z-]+)\$\{", source)
    words = set(json.loads((WEB / "accounts" / "words" / "en.json").read_text()))
    results = {"win", "draw", "loss"}
    assert written <= words
    assert words - written - results == {word for word in words - written - results if word.startswith(tuple(families))}
