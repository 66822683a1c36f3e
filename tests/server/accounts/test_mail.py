"""Mail: confirmed by a link, forgotten passwords, and mail servers that fail; an SMTP server of our own on loopback."""

import argparse
import contextlib
import email
import email.policy
import re
import socket
import threading
import time

import pytest
from aiosmtpd.controller import Controller

from triskele.core.errors import TriskeleError
from triskele.server import command
from triskele.server.mail import Mailer, MailServer, is_address

PASSWORD = "seven violet otters"
PATIENCE = 30.0


class PostOffice:
    """Keeps the mails that it gets."""

    def __init__(self):
        self.mails = []

    async def handle_DATA(self, server, session, envelope):
        mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
        self.mails.append((envelope.rcpt_tos[0], mail["Subject"], mail.get_content()))
        return "250 OK"


def until(holds, what="something"):
    deadline = time.monotonic() + PATIENCE
    while not (found := holds()):
        assert time.monotonic() < deadline, f"waited in vain for {what}"
        time.sleep(0.02)
    return found


@pytest.fixture
def office():
    """Run an SMTP server of our own."""
    kept = PostOffice()
    controller = Controller(kept, hostname="127.0.0.1", port=0)
    with contextlib.closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        controller.port = free.getsockname()[1]
    controller.start()
    kept.port = controller.port
    yield kept
    controller.stop()


@pytest.fixture
def posting(start, office, person):
    """Start a server that sends mail, and return a function that makes people there."""
    options = ("--mail", f"smtp://127.0.0.1:{office.port}", "--mail-from", "club@play.example")
    server = start("--url", "https://play.example", *options)

    def new():
        made = person(server, host="play.example", origin="https://play.example")
        # The browser would send a cookie that is for HTTPS; this client speaks HTTP.
        made.http.event_hooks["response"].append(lambda answer: _keep(made, answer))
        return made

    new.server = server
    return new


def _keep(person, answer):
    for cookie in answer.headers.get_list("set-cookie"):
        name, _, rest = cookie.partition("=")
        if name.startswith("__Host-"):
            person.http.headers["Cookie"] = f"{name}={rest.split(';')[0]}"


def mails_to(office, address, subject):
    return [text for to, about, text in list(office.mails) if (to, about) == (address, subject)]


def mail_to(office, address, subject):
    return until(lambda: mails_to(office, address, subject), f"a mail about {subject}")[0]


def link_in(text):
    return re.search(r"https://play\.example/[\w-]+#\w+=([\w-]{43})", text)[1]


def test_an_address_is_confirmed_by_a_link_that_works_once(posting, office, refusal):
    ann = posting().sign_up()
    ann.post("/account/mail", mail="ann@mail.example")
    assert (ann.account["mail"], ann.account["mail_confirmed"]) == ("ann@mail.example", False)
    link = link_in(mail_to(office, "ann@mail.example", "Confirm your email address"))
    stranger = posting()
    stranger.post("/account/mail/confirm", link=link)  # in any browser
    assert ann.account["mail_confirmed"] is True
    assert refusal(stranger.post, "/account/mail/confirm", link=link) == "link"


def test_a_forgotten_password_is_set_anew_by_a_link_that_works_once(posting, office, refusal):
    ann = posting().sign_up("Ann")
    ann.post("/account/mail", mail="ann@mail.example")
    ann.post("/account/mail/confirm", link=link_in(mail_to(office, "ann@mail.example", "Confirm your email address")))
    lost = posting()
    lost.post("/account/recover", mail="ANN@mail.example")
    link = link_in(mail_to(office, "ann@mail.example", "A new password"))
    assert refusal(lost.post, "/account/reset", link=link, password="short") == "password-length"
    assert lost.post("/account/reset", link=link, password="nine amber herons")["name"] == "Ann"
    assert lost.account["name"] == "Ann"
    assert ann.account is None  # all other sessions have ended
    assert refusal(posting().post, "/account/reset", link=link, password="other words here") == "link"
    assert refusal(posting().sign_in, "Ann") == "sign-in"
    posting().sign_in("Ann", "nine amber herons")
    mail_to(office, "ann@mail.example", "Your password was changed")


def test_a_newer_link_replaces_the_older_and_a_new_password_ends_both(posting, office, refusal):
    ann = posting().sign_up("Ann")
    ann.post("/account/mail", mail="ann@mail.example")
    ann.post("/account/mail/confirm", link=link_in(mail_to(office, "ann@mail.example", "Confirm your email address")))
    links = []
    for number in (1, 2):
        posting().post("/account/recover", mail="ann@mail.example")
        mails = until(lambda n=number: mails_to(office, "ann@mail.example", "A new password")[n - 1 :], "the link")
        links.append(link_in(mails[0]))
    assert refusal(posting().post, "/account/reset", link=links[0], password="other words here") == "link"
    ann.post("/account/password", current=PASSWORD, password="nine amber herons")
    assert refusal(posting().post, "/account/reset", link=links[1], password="other words here") == "link"


def test_asking_for_a_link_tells_nothing_about_who_exists(posting, office):
    ann, ben = posting().sign_up("Ann"), posting().sign_up("Ben")
    ann.post("/account/mail", mail="ann@mail.example")  # not confirmed
    ben.post("/account/mail", mail="ben@mail.example")
    ben.post("/account/mail/confirm", link=link_in(mail_to(office, "ben@mail.example", "Confirm your email address")))
    mails = ("ann@mail.example", "ben@mail.example", "nobody@mail.example")
    answers = {posting().http.post("/account/recover", json={"mail": mail}).text for mail in mails}
    assert len(answers) == 1
    mail_to(office, "ben@mail.example", "A new password")
    assert not [to for to, about, _ in office.mails if about == "A new password" and to != "ben@mail.example"]


def test_links_and_mails_are_hashed_or_absent_where_nobody_may_read_them(posting, office):
    ann = posting().sign_up("Ann")
    ann.post("/account/mail", mail="ann@mail.example")
    link = link_in(mail_to(office, "ann@mail.example", "Confirm your email address"))
    for path in posting.server.data.glob("tables.sqlite3*"):
        assert link.encode() not in path.read_bytes()
    assert "ann@mail.example" not in posting.server.log.read_text()


def test_mails_are_in_the_person_s_language(posting, office):
    ann = posting()
    ann.http.headers["Accept-Language"] = "de"
    ann.sign_up("Ann")
    ann.post("/account/mail", mail="ann@mail.example")
    assert "Hallo Ann," in mail_to(office, "ann@mail.example", "Bestätige deine Mailadresse")


def test_mails_to_an_address_are_limited(posting, office):
    ann = posting().sign_up("Ann")
    for _ in range(15):
        ann.post("/account/mail", mail="victim@mail.example")
    ann.post("/account/mail", mail="other@mail.example")
    mail_to(office, "other@mail.example", "Confirm your email address")
    assert sum(to == "victim@mail.example" for to, _, _ in office.mails) == 10


@pytest.fixture
def hanging():
    """Run a mail server that takes connections and never says a word."""
    with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as listening:
        taken = []

        def accept():
            with contextlib.suppress(OSError):
                while True:
                    taken.append(listening.accept()[0])

        threading.Thread(target=accept, daemon=True).start()
        yield listening.getsockname()[1]
        for each in taken:
            each.close()


def test_a_mail_server_that_hangs_harms_nobody(start, hanging, person):
    options = ("--mail", f"smtp://127.0.0.1:{hanging}", "--mail-from", "club@play.example")
    limits = ("--limit", "mail_seconds=0.5", "--limit", "mails_waiting=3", "--limit", "mails_per_hour=1000")
    server = start("--url", "http://localhost", *options, *limits)
    ann = person(server, host="localhost").sign_up()
    for number in range(12):
        ann.post("/account/mail", mail=f"ann{number}@mail.example")
    assert ann.account["mail_confirmed"] is False
    until(lambda: "mails are dropped" in server.log.read_text(), "a line in the log")
    until(lambda: "a mail was not sent" in server.log.read_text(), "another line in the log")
    ann.post("/tables", game="yinsh", seats=[{"kind": "me"}, {"kind": "here"}])
    began = time.monotonic()
    server.stop()
    assert time.monotonic() - began < PATIENCE


def test_mails_are_sent_again_after_an_outage(office):
    with contextlib.closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        nowhere = free.getsockname()[1]
    mailer = Mailer(MailServer("smtp", "127.0.0.1", nowhere, "club@play.example"), 1.0, 10)
    mailer.start()
    assert mailer.send("a@mail.example", "one", "x")
    until(lambda: mailer._failing, "the failure")
    mailer.server = MailServer("smtp", "127.0.0.1", office.port, "club@play.example")
    assert mailer.send("a@mail.example", "two", "x")
    until(lambda: office.mails, "the mail")
    until(lambda: mailer.sent == 1, "the mailer to hear that it was taken")
    mailer.stop()


@pytest.mark.parametrize(
    "written",
    ["", "a", "a@b", "a@b..c", "a b@c.de", "a@b.c\nBcc: d@e.fg", "a@-b.de", "<a@b.de>", "a@b.de,c@d.ef", "ä@b.de"],
)
def test_what_is_no_mail_address_is_refused(written):
    assert not is_address(written)


def test_a_mail_server_is_named_by_its_url():
    found = MailServer.parse("smtps://club%40play.example:s%3Acret@mail.example", None)
    assert (found.host, found.port, found.user, found.password) == ("mail.example", 465, "club@play.example", "s:cret")
    assert found.sender == "club@play.example"
    assert "s:cret" not in repr(found)
    for url in ("http://mail.example", "smtp://", "smtp://mail.example", "smtp://mail.example:0", "smtp://[x"):
        with pytest.raises(TriskeleError) as error:
            MailServer.parse(url, None)
        assert "mail.example" not in str(error.value)


def test_no_password_goes_over_a_connection_that_is_not_encrypted(office, monkeypatch):
    monkeypatch.setattr("triskele.server.mail._is_here", lambda host: False)
    server = MailServer("smtp", "127.0.0.1", office.port, "club@play.example", "club", "secret")
    mailer = Mailer(server, 2.0, 10)
    mailer.start()
    mailer.send("a@mail.example", "one", "x")
    until(lambda: mailer._failing, "the refusal")
    assert office.mails == []
    mailer.stop()


def test_mail_needs_the_address_of_the_site():
    parser = argparse.ArgumentParser()
    command.add_arguments(parser, "en")
    chosen = parser.parse_args(["--mail", "smtp://127.0.0.1:1", "--mail-from", "club@play.example"])
    with pytest.raises(TriskeleError, match="--mail needs --url"):
        command.settings_of(chosen)
