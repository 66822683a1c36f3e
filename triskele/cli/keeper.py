"""Keeping a game in its file while it is played, so that nothing is lost."""

import contextlib
import time
from pathlib import Path

from triskele.cli import saves
from triskele.cli.table import Refused, Table
from triskele.cli.terminal import Terminal
from triskele.core.errors import TriskeleError
from triskele.core.words import text

SAVE_SECONDS = 0.5
"""While random movers play on, the game is written about this often; before every prompt in any case."""


class Keeper:
    """Writes a table's game to a file after every change. Set ``changed`` when there was one."""

    def __init__(self, table: Table, terminal: Terminal, path: Path | None = None) -> None:
        """Keep the game in ``path``; without one, in a file of its own if people play, else not at all."""
        self.table = table
        self.terminal = terminal
        self.changed = False
        if path is None and table.people:
            path = saves.fresh_path(table.variant.game.name)
        self._path = path
        self._kept_at = 0.0

    @property
    def path(self) -> Path | None:
        """The file in which the game is now; ``None`` if it is not kept."""
        if self._path is None:
            return None
        return saves.finished_path(self._path) if self.table.over else self._path

    def keep(self) -> None:
        """Write the game if it has changed. A file that cannot be written is named once, and given up."""
        if self._path is None or self.path is None or not self.changed:
            return
        try:
            with contextlib.suppress(OSError):
                self.path.parent.mkdir(parents=True, exist_ok=True)
            saves.save(self.table, self.path)
            self._remove_all_but(self.path)
        except TriskeleError as error:
            self.terminal.refuse(error)
            self.terminal.tell("not-kept")
            self._path = None
        self.changed = False
        self._kept_at = time.monotonic()

    def keep_now_and_then(self) -> None:
        """Write the game if that was not done a moment ago."""
        if time.monotonic() - self._kept_at > SAVE_SECONDS:
            self.keep()

    def save_as(self, written: str) -> None:
        """Save a copy in a file that a person names. ``TriskeleError`` says why it cannot be."""
        if not written:
            raise Refused(text("cli.save-where"))
        target = Path(written).expanduser()
        saves.check_target(target)
        saves.save(self.table, target)
        self.terminal.tell("saved-over" if self.table.over else "saved", path=written)

    def leave(self) -> None:
        """Let people decide about a game that is on when they get up; without an answer it stays kept."""
        self.keep()
        if self.table.over or not self.table.people or not self.table.position.moves:
            return
        if self.terminal.interactive:
            with contextlib.suppress(EOFError, KeyboardInterrupt):
                self._ask()
        self.tell_where()

    def tell_where(self) -> None:
        """Say where the game is kept, if it is."""
        if self.path is not None:
            self.terminal.tell("kept", path=str(self.path))

    def _ask(self) -> None:
        terminal = self.terminal
        while True:
            question = "leave-not-kept" if self.path is None else "leave-kept"
            answer = terminal.ask(f"{terminal.words(question)} ", remember=False).strip()
            if answer.lower() in ("", "y", "yes"):
                return
            if answer.lower() in ("n", "no"):
                self._throw_away()
                return
            try:
                self.save_as(answer)
                return
            except TriskeleError as error:
                terminal.refuse(error)

    def _throw_away(self) -> None:
        self._remove_all_but(None)
        self._path = None
        self.terminal.tell("thrown-away")

    def _remove_all_but(self, current: Path | None) -> None:
        """Remove the game from where it was before it ended, or before its end was taken back."""
        for path in (self._path, saves.finished_path(self._path)) if self._path is not None else ():
            if path != current:
                with contextlib.suppress(OSError):
                    path.unlink(missing_ok=True)
