"""``triskele bot``: bring an engine that speaks the protocol to a server, where it takes games in the lobby.

It plays under a bot account, with a token of its own: everybody sees that it is a bot. One game at a time. After a
lost connection it comes back, and goes on with its game.
"""

import argparse
import asyncio
import base64
import contextlib
import itertools
import json
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import numpy as np

from triskele.arena.contestants import COMMAND, Contestant, read_seconds
from triskele.cli.terminal import Terminal
from triskele.core.arguments import help_text
from triskele.core.contract.engine import Engine, Limits
from triskele.core.errors import TriskeleError
from triskele.core.game import game, games
from triskele.core.position import KnownPosition
from triskele.core.words import text
from triskele.server import command

_RETRY_SECONDS = 3.0
_HTTP_SECONDS = 30.0
_OPEN_SECONDS = 20.0
_CHECK_SECONDS = 1.0
"""How often the bot looks whether a seek has waited long enough."""
_UNSEEN = ""
"""Stands for a move that the seat has not seen, in a game with secrets."""
Json = dict[str, Any]


def add_arguments(parser: argparse.ArgumentParser, language: str) -> None:
    """Add the arguments of ``triskele bot``."""

    def words(key: str) -> str:
        return help_text(f"cli.help.{key}", language)

    parser.add_argument("--server", metavar="URL", required=True, help=words("bot-server"))
    parser.add_argument("--engine", metavar="CMD", required=True, help=words("bot-engine"))
    parser.add_argument("--token-file", metavar="FILE", type=Path, required=True, help=words("bot-token"))
    parser.add_argument("--game", metavar="GAME", action="append", default=[], help=words("bot-game"))
    parser.add_argument("--seconds", metavar="S", default="1", help=words("bot-seconds"))
    parser.add_argument("--wait", metavar="S", default="5", help=words("bot-wait"))
    parser.add_argument("--games", metavar="N", type=int, help=words("bot-games"))


def run(chosen: argparse.Namespace) -> int:
    """Play until interrupted, or as many games as are asked for."""
    server = chosen.server.rstrip("/")
    if urlsplit(server).scheme not in ("http", "https"):
        raise TriskeleError(text("cli.admin-bad-server", server=server[:100]))
    try:
        token = chosen.token_file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise TriskeleError(text("cli.bot-no-token", path=str(chosen.token_file), why=why)) from None
    names = [game(name).name for name in chosen.game] or [each.name for each in games()]
    contestant = Contestant.parse(f"{COMMAND}:{chosen.engine}")
    contestant.check(game(names[0]))
    limits = Limits(seconds=read_seconds(chosen.seconds))
    wait = 0.0 if chosen.wait == "0" else read_seconds(chosen.wait)
    bot = Bot(server, token, contestant, limits, frozenset(names), wait, chosen.games, Terminal(chosen.language))
    with command.extra_needed(), contextlib.suppress(KeyboardInterrupt):
        asyncio.run(bot.run())
    return 0


@dataclass
class Bot:
    """A bot at a server."""

    server: str
    token: str
    contestant: Contestant
    limits: Limits
    names: frozenset[str]
    wait: float
    games: int | None
    terminal: Terminal
    seen: dict[str, float] = field(default_factory=dict)
    """The seeks that it could take, and since when it knows them."""
    table: str | None = None
    engine: Engine | None = None
    numbers: "itertools.count[int]" = field(default_factory=lambda: itertools.count(1))

    async def run(self) -> None:
        """Play, and come back after a lost connection; a refused token ends it."""
        from websockets.asyncio.client import connect
        from websockets.exceptions import InvalidStatus, WebSocketException

        address = f"{self.server.replace('http', 'ws', 1)}/api/v1/live"
        headers = {"Authorization": f"Bearer {self.token}"}
        try:
            while self.games is None or self.games > 0:
                try:
                    async with connect(
                        address, additional_headers=headers, max_size=2**24, open_timeout=_OPEN_SECONDS
                    ) as live:
                        await self._serve(live)
                except InvalidStatus as error:
                    if error.response.status_code in (401, 403):
                        raise TriskeleError(text("cli.bot-refused", server=self.server)) from None
                    await self._later(error)
                except (OSError, WebSocketException, TimeoutError) as error:
                    await self._later(error)
        finally:
            if self.engine is not None:
                self.engine.close()

    async def _later(self, error: Exception) -> None:
        self.terminal.note(self.terminal.words("bot-lost", why=str(error)[:200] or type(error).__name__))
        await asyncio.sleep(_RETRY_SECONDS)

    # --- the lobby ------------------------------------------------------------------------------

    async def _serve(self, live: Any) -> None:
        self.seen.clear()
        await self._say(live, "lobby")
        if self.table is not None:  # the game that was on when the connection was lost
            await self._join(live, self.table)
        while self.games is None or self.games > 0:
            try:
                async with asyncio.timeout(_CHECK_SECONDS):
                    message = json.loads(await live.recv())
            except TimeoutError:
                message = {"type": "nothing"}
            await self._hear(live, message)
            await self._take(live)

    async def _hear(self, live: Any, message: Json) -> None:
        match message["type"]:
            case "lobby" | "lobby-changed":
                for seek in message["seeks"]:
                    if seek["game"] in self.names:
                        self.seen.setdefault(seek["seek"], time.monotonic())
                for gone in message.get("seeks_gone", ()):
                    self.seen.pop(gone, None)
            case "sought" if message["state"] == "challenged":
                fits = message["seek"]["game"] in self.names and self.table is None
                await self._say(live, "accept" if fits else "withdraw", seek=message["seek"]["seek"])
            case "begun":
                await self._join(live, message["table"])
            case "table" | "moved" | "ended" | "gone" if message.get("table") == self.table:
                await self._at_table(live, message)
            case "refused" if message["code"] in ("token", "scope", "banned", "account-needed"):
                raise TriskeleError(text("cli.bot-refused-why", why=str(message["text"])[:200]))

    async def _take(self, live: Any) -> None:
        """Take a seek that has waited long enough for a person."""
        if self.table is not None:
            return
        ready = [seek for seek, since in self.seen.items() if time.monotonic() - since >= self.wait]
        for seek in ready[:1]:
            del self.seen[seek]
            await self._say(live, "accept", seek=seek)  # refused if somebody was faster, or it is not for bots

    async def _say(self, live: Any, kind: str, **more: Any) -> None:
        await live.send(json.dumps({"type": kind, "id": f"b{next(self.numbers)}", **more}))

    # --- the table ------------------------------------------------------------------------------

    async def _join(self, live: Any, table: str) -> None:
        if self.table != table:
            self.terminal.write(self.terminal.words("bot-plays", table=f"{self.server}/table/{table}"))
        self.table = table
        await self._say(live, "join", table=table, scene=False)

    async def _at_table(self, live: Any, message: Json) -> None:
        if message["type"] == "gone" or message.get("outcome") is not None:
            self._over(message)
            return
        if message["type"] == "ended":
            return
        at = len(message["moves"]) if message["type"] == "table" else message["at"] + 1
        for look in message["mine"]:
            move = await self._decide(look)
            if move is not None:
                await self._say(live, "move", table=self.table, seat=look["seat"], move=move, at=at)

    def _over(self, message: Json) -> None:
        self.terminal.write(str(message.get("text") or ""))
        self.table = None
        if self.games is not None:
            self.games -= 1

    async def _decide(self, look: Json) -> str | None:
        """Return the move of a seat that is to act, or one out of turn that its engine wants to make."""
        if look["seat"] is None:
            return None
        if look["moves"]:
            return await self._choose(look)
        return await self._interrupt(look["seat"]) if look["interrupts"] else None

    async def _choose(self, look: Json) -> str:
        """Return the engine's move; if the engine fails, some move, so that the opponent is not kept waiting."""
        moves = [str(move[0]) for move in look["moves"]]
        if len(moves) == 1:
            return moves[0]
        try:
            return await asyncio.to_thread(self._engine_move, look["seat"])
        except (TriskeleError, OSError, urllib.error.URLError, ValueError) as error:
            self.terminal.note(self.terminal.words("bot-failed", why=str(error)[:200]))
            return moves[0]

    async def _interrupt(self, seat: int) -> str | None:
        """Return the move that the engine makes out of turn, if it makes any."""
        try:
            return await asyncio.to_thread(self._engine_interrupt, seat)
        except (TriskeleError, OSError, urllib.error.URLError, ValueError) as error:
            self.terminal.note(self.terminal.words("bot-failed", why=str(error)[:200]))
            return None

    def _engine_move(self, seat: int) -> str:
        engine, position = self._question(seat)
        return engine.choose(position, self.limits, seat=seat).text

    def _engine_interrupt(self, seat: int) -> str | None:
        engine, position = self._question(seat)
        move = engine.interrupt(position, self.limits, seat)
        return None if move is None else move.text

    def _question(self, seat: int) -> tuple[Engine, KnownPosition]:
        """Return the engine for the game at the table, and the position as a seat knows it."""
        assert self.table is not None
        about = self._get(f"/tables/{quote(self.table)}")
        known = self._get(f"/tables/{quote(self.table)}/state?seat={seat}")
        variant = game(about["game"]).variant(about["options"])
        state = np.frombuffer(base64.b64decode(known["state"]), dtype="<i8").astype(np.int64)
        seen = [variant.move(code).text if code >= 0 else _UNSEEN for code in known["history"]]
        position = KnownPosition(variant, state, seen)
        if self.engine is None or self.engine.game is not variant.game:
            if self.engine is not None:
                self.engine.close()
            self.engine = self.contestant.create_engine(variant.game, seed=1)
        return self.engine, position

    def _get(self, path: str) -> Json:
        headers = {"Authorization": f"Bearer {self.token}"}
        request = urllib.request.Request(f"{self.server}/api/v1{path}", headers=headers)
        with urllib.request.urlopen(request, timeout=_HTTP_SECONDS) as answer:
            found: Json = json.load(answer)
            return found
