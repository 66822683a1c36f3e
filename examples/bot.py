"""A bot takes the seat of a link and plays: ``python examples/bot.py http://127.0.0.1:8000/table/TABLE#KEY``."""

import asyncio
import itertools
import json
import random
import sys
from urllib.parse import urlsplit

import httpx
from websockets.asyncio.client import connect


def choose(look):
    """Return the text of a move. Here goes what makes a bot good; ``look["view"]`` is all it may know."""
    return random.choice(look["moves"])[0]


async def play(link):
    """Take the seat that a link gives, and play until the game is over."""
    address = urlsplit(link)
    site, table = f"{address.scheme}://{address.netloc}/api/v1", address.path.rpartition("/")[2]
    async with httpx.AsyncClient() as http:
        visitor = (await http.post(f"{site}/visitors")).raise_for_status().json()["visitor"]
        who = {"Authorization": f"Bearer {visitor}"}
        body = {"key": address.fragment, "name": "Bot"}
        (await http.post(f"{site}/tables/{table}/seats", json=body, headers=who)).raise_for_status()
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
