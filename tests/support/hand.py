"""A second live connection of somebody whose page is open: it makes moves faster than clicks do."""

import itertools
import json
import random
from collections.abc import Mapping, Sequence
from typing import Any

from websockets.sync.client import connect

PATIENCE = 60.0


class Hand:
    """Moves at a table for the visitor whose cookies it has."""

    def __init__(self, base: str, cookies: Mapping[str, str], table: str) -> None:
        """Follow a table, without its scenes."""
        address = base.replace("http", "ws", 1) + "/api/v1/live"
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())}
        self._opened = connect(
            address, additional_headers=headers, max_size=2**24, open_timeout=PATIENCE, compression=None
        )
        self.socket = self._opened.__enter__()
        self.table = table
        self.numbers = itertools.count(1)
        self.made, self.over = 0, False
        self.looks: dict[int, dict[str, Any]] = {}
        self.say("join", scene=False)
        while not self.looks:
            self.listen()

    def say(self, kind: str, **more: Any) -> None:
        self.socket.send(json.dumps({"type": kind, "id": f"h{next(self.numbers)}", "table": self.table, **more}))

    def listen(self) -> None:
        """Take the next message in."""
        message = json.loads(self.socket.recv(PATIENCE))
        assert message["type"] != "refused", message
        if message["type"] == "table":
            self.made, self.over = len(message["moves"]), message["outcome"] is not None
        elif message["type"] == "moved":
            self.made = message["at"] + 1
        elif message["type"] == "ended":
            self.over = True
        for look in message.get("mine", ()):
            self.looks[look["seat"]] = look

    def to_act(self) -> int | None:
        """Return the seat of mine that is to act."""
        return next((seat for seat, look in self.looks.items() if look["moves"]), None)

    def choices(self) -> list[str]:
        """Return the moves of the seat of mine that is to act."""
        return sorted(str(move[0]) for look in self.looks.values() for move in look["moves"])

    def move(self, text: str) -> None:
        """Make a move, and wait until it is told."""
        made = self.made
        self.say("move", seat=self.to_act(), move=text, at=made)
        while self.made == made:
            self.listen()

    def close(self) -> None:
        self.socket.close()


def play_on(hands: Sequence[Hand], seed: int = 5) -> None:
    """Let them move at random until the game is over."""
    chance = random.Random(seed)
    while not all(hand.over for hand in hands):
        newest = max(hand.made for hand in hands)
        late = [hand for hand in hands if not hand.over and (hand.made < newest or any(each.over for each in hands))]
        acting = next((hand for hand in hands if hand.to_act() is not None), None)
        if late:
            late[0].listen()
        elif acting is None:  # dice, or the end, or an engine
            hands[0].listen()
        else:
            acting.move(chance.choice(acting.choices()))
