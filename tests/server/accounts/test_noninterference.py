"""P9: what others learn depends on no pattern and no plan: at the table, in the lobby, profiles, lists, exports."""

import contextlib
import itertools
import json
import re

import pytest

PATIENCE = 30.0
TOLD = ("table", "moved", "ended", "offered", "answered", "dice", "refused", "done")
"""The messages that are compared one by one; when somebody comes or goes is told when it happens."""
PERSONAL = re.compile(
    r'"(table|key|watch|date|id|address|seek|visitor|next_table)":\s?"[^"]*"|\d{9,}'
    r'|"(ms|time|spent|charged|lag|absent)":\s?-?\d+|"seats":\s?\[\[[\d, \[\]]*\]\]'
)
UNUSED = ["Gd4", ".", "Gf5", "."]
"""A plan for what the opponent does not do."""


class Ear:
    """A live connection that keeps all it hears."""

    def __init__(self, live):
        self.live = live
        self.numbers = itertools.count(1)
        self.heard = []

    def ask(self, kind, **fields):
        number = f"e{next(self.numbers)}"
        self.live.send(json.dumps({"type": kind, "id": number, **fields}))
        while True:
            written = self.live.recv(PATIENCE)
            message = json.loads(written)
            if message["type"] in TOLD:
                self.heard.append(written)
            if message.get("id") == number:
                return message

    def lists(self, kind):
        """Return the names in a list of the lobby, with all that changed until now."""
        self.ask("leave-lobby")
        number = f"e{next(self.numbers)}"
        self.live.send(json.dumps({"type": "lobby", "id": number}))
        while (message := json.loads(self.live.recv(PATIENCE)))["type"] != "lobby":
            pass
        return message[kind]


@pytest.fixture
def world(start, person):
    """Play a game over days between Ann, whose pattern and plan are given, and Ben; return all that others learn."""
    numbers = itertools.count(1)

    def run(pattern, plan, end=False):
        server = start(name=f"world{next(numbers)}")
        ann, ben, eve = (person(server).sign_up(name) for name in ("Ann", "Ben", "Eve"))
        seats = [{"kind": "me"}, {"kind": "link"}]
        opened = ann.post("/tables", game="tryptic", seats=seats, private=False, rated=True, clock="3d")
        table = opened["table"]
        ben.post(f"/tables/{table}/seats", key=opened["seats"][1]["key"])
        with contextlib.ExitStack() as open_ones:
            anns, bens, eves = (Ear(open_ones.enter_context(each.live())) for each in (ann, ben, eve))
            for ear in (anns, bens, eves):
                assert ear.ask("join", table=table)["type"] == "done"

            def play(*moves):
                for ear, seat, move, at in moves:
                    answer = ear.ask("move", table=table, seat=seat, move=move, at=at)
                    assert answer["type"] == "done", answer

            play((anns, 0, pattern, 0), (bens, 1, "=WYY", 1), (anns, 0, "Be5", 2), (anns, 0, ".", 3))
            if plan:
                ann.post(f"/tables/{table}/conditional", seat=0, lines=[plan])
            pages = _pages(ben, eve, table)
            play((bens, 1, "Re4", 4), (bens, 1, ".", 5))
            pages += _pages(ben, eve, table)
            lobby = json.dumps([eves.lists(kind) for kind in ("people", "seeks", "games")])
            for ear in (bens, eves):
                ear.ask("ping")
            log = server.log.read_text()
            return [PERSONAL.sub("", text) for text in (*bens.heard, *eves.heard, *pages, lobby)], log

    def _pages(ben, eve, table):
        own = [ben.http.get(path).text for path in ("/tables", "/account/data", "/vacation")]
        public = (
            "",
            "/record",
            "/at/2",
            "/at/4",
            "/state",
            "/picture.svg",
            "/ratings",
            "/proof",
            "/conditional?seat=0",
        )
        paths = [f"/tables/{table}{part}" for part in public]
        paths += ["/tables", "/people/Ann", "/people/Ann/ratings", "/leaderboards/tryptic?pace=days"]
        paths.append(f"/tables/{table}/conditional?seat=0")
        return own + [each.http.get(path).text for each in (ben, eve) for path in paths]

    return run


def surroundings(one, other):
    """Return where two texts begin to differ."""
    at = next((n for n, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), 0)
    return one[:60], one[max(0, at - 80) : at + 80], other[max(0, at - 80) : at + 80]


def test_P9_nothing_that_others_learn_depends_on_a_pattern_or_a_plan(world):
    first, log = world("=BGR", UNUSED)
    for pattern, plan in (("=GGW", None), ("=BGR", None)):
        other, other_log = world(pattern, plan)
        assert [surroundings(*pair) for pair in zip(first, other, strict=True) if pair[0] != pair[1]] == []
        assert not [secret for secret in ("BGR", "GGW", "Gf5") if secret in log + other_log]
    assert len(first) > 50
    assert any('"moved"' in text for text in first)
    assert any('"learned"' in text for text in first), "the profile"
