"""A bot that plays at the seat of a link, or takes games in the lobby under a bot account.

    python examples/bot.py http://127.0.0.1:8000/table/TABLE#KEY
    python examples/bot.py http://127.0.0.1:8000 TOKEN_FILE

It needs the package ``websockets`` (``pip install websockets``; ``triskele[server]`` has it) and nothing of Triskele.
"""

import asyncio
import itertools
import json
import pathlib
import random
import sys
import urllib.request
from urllib.parse import urlsplit

from websockets.asyncio.client import connect


def choose(look):
    """Return the text of a move. Here goes what makes a bot good; ``look["view"]`` is all it may know."""
    return random.choice(look["moves"])[0]


def post(url, body=None, headers=None):
    """Send a request with a JSON body; return the answer. An error of the server raises ``HTTPError``."""
    headers = {"Content-Type": "application/json", **(headers or {})}
    with urllib.request.urlopen(urllib.request.Request(url, json.dumps(body or {}).encode(), headers)) as answer:
        return json.load(answer)


class Bot:
    """A live connection, and what the bot says over it."""

    def __init__(self, live):
        """Speak over a connection."""
        self.live = live
        self.numbers = map(str, itertools.count())

    async def say(self, kind, **fields):
        """Send a message."""
        await self.live.send(json.dumps({"type": kind, "id": next(self.numbers), **fields}))

    async def move(self, message):
        """Make the moves that a message about a table asks for."""
        at = len(message["moves"]) if message["type"] == "table" else message["at"] + 1
        for look in message["mine"]:
            if look["moves"]:  # it is this seat's turn
                await self.say("move", table=message["table"], seat=look["seat"], move=choose(look), at=at)

    async def play(self, table):
        """Play at a table until the game is over."""
        await self.say("join", table=table, scene=False)
        async for written in self.live:
            message = json.loads(written)
            if message.get("table", table) != table:
                continue
            if message["type"] == "refused" or message.get("outcome"):
                print(message["text"])
                break
            if message["type"] in ("table", "moved"):
                await self.move(message)

    async def find_game(self):
        """Take the first game that somebody offers in the lobby to everybody or to this bot, and return its table."""
        await self.say("lobby")
        async for written in self.live:
            message = json.loads(written)
            if message["type"] == "begun":
                await self.say("leave-lobby")
                return message["table"]
            offered = message["seeks"] if message["type"] in ("lobby", "lobby-changed") else []
            if message["type"] == "sought" and message["state"] == "challenged":
                offered = [message["seek"]]
            for seek in offered[:1]:  # refused if somebody else was faster; then another one comes
                await self.say("accept", seek=seek["seek"])
        return None


async def main(address, token_file=None):
    """Take the seat of a link, or with a token a game of the lobby, and play until it is over."""
    place = urlsplit(address)
    site, table = f"{place.scheme}://{place.netloc}/api/v1", place.path.rpartition("/")[2]
    if token_file:
        who = {"Authorization": f"Bearer {pathlib.Path(token_file).read_text().strip()}"}
    else:
        who = {"Authorization": f"Bearer {post(f'{site}/visitors')['visitor']}"}
        post(f"{site}/tables/{table}/seats", {"key": place.fragment, "name": "Bot"}, who)
    async with connect(site.replace("http", "ws", 1) + "/live", additional_headers=who) as live:
        bot = Bot(live)
        await bot.play(await bot.find_game() if token_file else table)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
