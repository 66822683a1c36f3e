"""What visitors who analyse in their browsers cost the server: its CPU time with and without them.

    python benchmarks/server_load.py --analysing 200 --seconds 60

Each visitor opens a table, follows it live and asks for the position, as a page does whose analysis is switched on; the
search itself is in the visitor's browser. Every ``--every`` seconds each looks at another position of their game.
"""

import asyncio
import os
import tempfile
import time
from http.cookiejar import DefaultCookiePolicy

import httpx
from deployments import Deployment
from live_players import Load, Player, Table

import triskele


class Visitor(Player):
    """Somebody who sits alone at a table and moves nothing."""

    def think(self, looks):
        """Leave the position as it is."""


class LonelyTable(Table):
    """A table at which one visitor plays both sides."""

    def __init__(self, load, game, number=0):
        super().__init__(load, game, number)
        self.players = [Visitor(self, 0)]

    async def open(self, client):
        visitor = self.players[0]
        visitor.token = (await client.post("/api/v1/visitors", headers=visitor.address)).json()["visitor"]
        body = {"game": self.game, "seats": [{"kind": "me"}, {"kind": "here"}]}
        self.id = (await client.post("/api/v1/tables", json=body, headers=visitor.headers)).json()["table"]

    async def look(self, client):
        """Ask for the position, as the page does for its engine."""
        answer = await client.get(f"/api/v1/tables/{self.id}/state?at=0", headers=self.players[0].headers)
        answer.raise_for_status()


async def _measured(deployment, seconds):
    before, began = deployment.cpu_seconds(), time.perf_counter()
    await asyncio.sleep(seconds)
    lasted = time.perf_counter() - began
    return sum(after - before[name] for name, after in deployment.cpu_seconds().items()) / lasted


async def run(asked, limits):
    """Measure the server without visitors, with visitors who analyse, and with such who look at another position."""
    os.environ["TRISKELE_PLAIN"] = "1"  # nothing is compiled meanwhile
    load = Load(asked.every)
    games = [each.name for each in triskele.games() if each.name in asked.games and not each.hidden] or asked.games
    with tempfile.TemporaryDirectory(prefix="triskele-load-") as folder:
        deployment = Deployment(folder, limits=limits)
        try:
            load.bases = deployment.bases
            load.up.set()
            await asyncio.sleep(asked.warm)
            idle = await _measured(deployment, asked.seconds)
            tables = [LonelyTable(load, games[i % len(games)], i) for i in range(asked.analysing)]
            async with httpx.AsyncClient(base_url=load.bases[0], timeout=60) as client:
                client.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=[]))  # each is somebody else
                for table in tables:
                    await table.open(client)
                    await table.players[0].connect()
                    await table.look(client)
                await asyncio.sleep(asked.warm)
                analysing = await _measured(deployment, asked.seconds)
                looking = asyncio.create_task(_look_around(tables, client, asked.every))
                browsing = await _measured(deployment, asked.seconds)
                looking.cancel()
            load.ending = True
        finally:
            await asyncio.to_thread(deployment.stop)
    print(f"CPU of the server without visitors: {idle:.2%} of a core")
    print(f"with {len(tables)} visitors who analyse a position: {analysing:.2%}")
    print(f"with {len(tables)} visitors who look at another position every {asked.every:g} s: {browsing:.2%}")


async def _look_around(tables, client, every):
    """Let each visitor look at a position every few seconds, one after the other."""
    while True:
        for table in tables:
            await table.look(client)
            await asyncio.sleep(every / len(tables))
