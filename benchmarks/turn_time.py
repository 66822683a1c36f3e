"""How long the turns of a computer player take at a table of a real server.

    python benchmarks/turn_time.py conquest --level 10 --turns 20

Starts a server of its own in a temporary folder, with its defaults, and plays at random against one computer player.
A turn lasts from the moment when the computer is to decide until the other player's own turn begins; what the other
decides meanwhile (a defence) is answered at once. Prints how many decisions the turns had and how long they took, and
the time that a turn may take by the level and the server's setting.
"""

import argparse
import itertools
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile

import httpx
from websockets.sync.client import connect

from triskele.core.contract.engine import Limits, allowed_seconds, level_of
from triskele.core.game import game
from triskele.server.settings import Settings

REPLIES = 1
"""One decision between two of the computer's is a reply (a defence), and does not end its turn."""


def start(folder):
    """Return a server and its address."""
    command = [sys.executable, "-m", "triskele.server", "--host", "127.0.0.1", "--port", "0", "--data", folder]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=dict(os.environ))
    return server, server.stdout.readline().split()[-1].rstrip("/")


class Player:
    """A player of random moves, who notes how long the computer took for each decision."""

    def __init__(self, socket, table, seed):
        """Follow a table over a connection to the server."""
        self.chance = random.Random(seed)
        self.socket, self.table = socket, table
        self.decisions = []  # (whose, seconds)
        self.numbers = itertools.count()
        self.ask("join", scene=False)

    def ask(self, kind, **more):
        """Send a request."""
        self.socket.send(json.dumps({"type": kind, "id": f"q{next(self.numbers)}", "table": self.table, **more}))

    def play(self, turns):
        """Play until the computer has had some turns or the game is over; return the turns' lists of seconds."""
        at = 0
        while len(self.turns()) <= turns:
            message = json.loads(self.socket.recv())
            if message["type"] == "ended" or message.get("outcome"):
                break
            if message["type"] == "refused":
                raise RuntimeError(message["text"])
            if message["type"] == "moved":
                at = message["at"] + 1
                if message["seat"] != "chance":
                    self.decisions.append((message["seat"], message["ms"] / 1000))
            elif message["type"] == "table":
                at = len(message["moves"])
            moves = [move for look in message.get("mine", []) for move, _ in look["moves"]]
            if moves and message["turn"] == 0:
                self.ask("move", seat=0, move=self.chance.choice(moves), at=at)
        return self.turns()[:turns]

    def turns(self):
        """Return the seconds of the computer's decisions, a list for each of its turns."""
        found, replies = [], REPLIES + 1
        for seat, seconds in self.decisions:
            if seat == 0:
                replies += 1
                continue
            if replies > REPLIES:
                found.append([])
            found[-1].append(seconds)
            replies = 0
        return found


def play(base, name, level, seed, turns):
    """Play a game against the computer, until it has had some turns; return the turns' lists of seconds."""
    with httpx.Client(base_url=base) as client:
        visitor = {"Authorization": f"Bearer {client.post('/api/v1/visitors').json()['visitor']}"}
        seats = [{"kind": "me"}, {"kind": "engine", "level": level}]
        opened = client.post("/api/v1/tables", json={"game": name, "seats": seats}, headers=visitor)
        table = opened.raise_for_status().json()["table"]
    with connect(base.replace("http", "ws") + "/api/v1/live", additional_headers=visitor) as socket:
        return Player(socket, table, seed).play(turns)


def main():
    """Print the times."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--level", type=int, default=10)
    parser.add_argument("--turns", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    limits = Limits(seconds=Settings().engine_seconds)
    allowed = allowed_seconds(limits, level_of(game(arguments.game), arguments.level))
    turns = []
    with tempfile.TemporaryDirectory() as folder:
        server, base = start(folder)
        try:
            for seed in itertools.count(arguments.seed):
                turns += play(base, arguments.game, arguments.level, seed, arguments.turns - len(turns))
                if len(turns) >= arguments.turns:
                    break
        finally:
            server.terminate()
            server.wait()
    whole = sorted(sum(turn) for turn in turns)
    counts = [len(turn) for turn in turns]
    print(f"{arguments.game}, level {arguments.level}: {len(turns)} turns of {min(counts)} to {max(counts)} decisions")
    print(
        f"a turn may take {allowed:.2f} s; it took {statistics.median(whole):.2f} s (median), {whole[-1]:.2f} s at most"
    )
    print(f"later than that: {sum(seconds > allowed for seconds in whole)} turns")


if __name__ == "__main__":
    main()
