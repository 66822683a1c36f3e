"""People with accounts who play rated games, for ``server_load.py --rated``: is any result or rating lost or twice?"""

import asyncio
import random
import secrets
import time
from collections import Counter

from clock_players import HURRIED, ClockedPlayer, ClockedTable
from sqlalchemy import create_engine, func, insert, select

from triskele.server.accounts.credentials import hashed
from triskele.server.accounts.names import folded, skeleton
from triskele.server.accounts.tokens import PREFIX, SCOPES
from triskele.server.ratings.recompute import recompute
from triskele.server.storage import schema

RESIGNS = 1 / 15
"""How often a player gives up instead of making a move, so that results are acknowledged often enough."""
SETTLED_SECONDS = 60.0


class RatedTable(ClockedTable):
    """A table with rated games, which end often: by time, by giving up, or by the rules."""

    def __init__(self, load, game, number, url):
        super().__init__(load, game, number, hurried=True)
        self.url = url
        self.players = [RatedPlayer(self, 0), RatedPlayer(self, 1)]
        self.body = {"rated": True, "clock": HURRIED}

    async def make_visitors(self, client):
        await super().make_visitors(client)
        await asyncio.to_thread(enroll, self.url, self.players)


class RatedPlayer(ClockedPlayer):
    """A player who notes how each game ended that the server said was over."""

    def move(self, choice, at):
        if self.wire is not None and not self.load.ending and self.load.measuring and random.random() < RESIGNS:
            self.ask("resign", seat=self.mine)
            return
        super().move(choice, at)

    def on_done(self, message):
        asked, _ = self.pending.get(message["id"], (None, 0))
        if asked is not None and asked["type"] == "resign":
            self.load.resigned.add((asked["table"], asked["seat"]))
        super().on_done(message)

    def on_refused(self, message):
        asked, _ = self.pending.get(message["id"], (None, 0))
        if message["code"] == "over" and self.load.outages:
            self.pending.pop(message["id"], None)  # it ended meanwhile, or was given up before the server died
            asyncio.get_running_loop().call_later(0.2, self.join)
            return
        super().on_refused(message)
        if asked is not None and asked["type"] == "resign" and message["code"] == "stale":
            self.join()

    def on_table(self, message):
        if message["outcome"]:
            self.note_end(message)
        super().on_table(message)

    def on_ended(self, message):
        self.note_end(message)
        super().on_ended(message)

    def note_end(self, message):
        told = self.load.results.setdefault(message["table"], message["outcome"])
        if told != message["outcome"]:
            self.load.errors["another outcome than told"] += 1


def enroll(url, players):
    """Give guests accounts, with access tokens: hashing passwords is not what is measured here."""
    engine = create_engine(url)
    now = time.time_ns() // 1_000_000
    accounts, tokens = [], []
    for player in players:
        name = f"Rated {player.table.number} {player.seat}"
        known = {"folded": folded(name), "skeleton": skeleton(name), "bot": False, "moderator": False}
        about = {"name": name, "created": now, "language": "en", "learned": "{}", **known}
        player.visitor = player.token[:22]
        accounts.append({"id": secrets.token_hex(8), "visitor": player.visitor, **about})
        player.token = PREFIX + secrets.token_urlsafe(24)
        token = {"hash": hashed(player.token), "id": secrets.token_hex(8), "account": accounts[-1]["id"]}
        tokens.append({**token, "name": "load", "scopes": " ".join(SCOPES), "created": now})
    with engine.begin() as connection:
        connection.execute(insert(schema.accounts), accounts)
        connection.execute(insert(schema.tokens), tokens)
    engine.dispose()


def settled(url):
    """Wait until all results have their ratings."""
    engine = create_engine(url)
    until = time.monotonic() + SETTLED_SECONDS
    while time.monotonic() < until:
        with engine.connect() as connection:
            counting = schema.results.c.players != "[]"
            results = connection.execute(select(func.count()).select_from(schema.results).where(counting)).scalar()
            query = select(func.count(schema.rating_steps.c.table_id.distinct()))
            rated = connection.execute(query).scalar()
        if results == rated:
            break
        time.sleep(0.2)
    engine.dispose()


def report_ratings(load, tables, url):
    """Print whether results or ratings are missing, differ from what was told, or were counted twice."""
    engine = create_engine(url)
    kinds = (schema.tables, schema.results, schema.rating_steps, schema.log)
    with engine.connect() as connection:
        stored, results, steps, log = ([dict(row) for row in connection.execute(select(k)).mappings()] for k in kinds)
    engine.dispose()
    rated = {row["id"]: row for row in stored if row["rated"]}
    by_table = {row["table_id"]: row for row in results}
    problems = Counter()
    for table, outcome in load.results.items():
        winners = sum(1 << seat for seat in outcome["winners"])
        problems["told as over, and has no result"] += table not in by_table
        problems["ended otherwise than told"] += rated[table]["winners"] != winners or not rated[table]["over"]
    ends = {row["table_id"]: row for row in log if row["kind"] == "end"}
    for table, seat in load.resigned:
        end = ends.get(table)
        problems["given up, and not in the log"] += end is None or end["seat"] is None
        problems["given up by one, and stored for the other"] += end is not None and end["seat"] != seat
    over = {table for table, row in rated.items() if row["over"]}
    problems["over without a result, or the reverse"] += len(over ^ by_table.keys())
    times_ended = Counter(row["table_id"] for row in log if row["kind"] == "end")
    problems["ended twice in the log"] += sum(number > 1 for number in times_ended.values())
    counted = {(row["table_id"], seat) for row in results if row["players"] != "[]" for seat in range(2)}
    rating_steps = Counter((row["table_id"], row["seat"]) for row in steps)
    problems["rated twice, or not at all"] += len(counted ^ {*rating_steps}) + sum(n > 1 for n in rating_steps.values())
    differing = sum(wrong for _, _, wrong in recompute(url))
    problems["rows that `triskele ratings recompute` finds otherwise"] += differing
    found = {problem: number for problem, number in problems.items() if number}
    void = len(results) - sum(row["players"] != "[]" for row in results)
    print(
        f"rated: {len(results)} results of {len(rated)} games at {len(tables)} tables ({void} called off), "
        f"{len(load.resigned)} acknowledged as given up, {len(load.results)} told as over; "
        f"{len(rating_steps)} steps of ratings; wrong: {found or 'none'}"
    )
    load.lost += sum(found.values())
