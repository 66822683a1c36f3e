"""A bot takes the seat of a link and plays: ``python examples/bot.py http://127.0.0.1:8000/table/TABLE#KEY``.

It needs the package ``websockets`` (``pip install websockets``; ``triskele[server]`` has it) and nothing of Triskele.
"""

import asyncio
import itertools
import json
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


async def play(link):
    """Take the seat that a link gives, and play until the game is over."""
    address = urlsplit(link)
    site, table = f"{address.scheme}://{address.netloc}/api/v1", address.path.rpartition("/")[2]
    who = {"Authorization": f"Bearer {post(f'{site}/visitors')['visitor']}"}
    post(f"{site}/tables/{table}/seats", {"key": address.fragment, "name": "Bot"}, who)
    async with connect(site.replace("http", "ws", 1) + "/live", additional_headers=who) as live:
        numbers = map(str, itertools.count())
        await live.send(json.dumps({"type": "join", "id": next(numbers), "table": table, "scene": False}))
        async for written in live:
            message = json.loads(written)
            if message["type"] == "refused" or message.get("outcome"):
                print(message["text"])
                break
            if message["type"] in ("table", "moved"):
                at = len(message["moves"]) if message["type"] == "table" else message["at"] + 1
                for look in message["mine"]:
                    if look["moves"]:  # it is this seat's turn
                        move = {"type": "move", "table": table, "seat": look["seat"], "move": choose(look), "at": at}
                        await live.send(json.dumps({**move, "id": next(numbers)}))


if __name__ == "__main__":
    asyncio.run(play(sys.argv[1]))
