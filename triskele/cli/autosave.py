"""Autosave: writes a game to its file while it is played, so that nothing is lost."""

import contextlib
import time
from pathlib import Path

from triskele.cli import save_files
from triskele.cli.table import Refused, Table
from triskele.cli.terminal import Terminal
from triskele.core.errors import TriskeleError
from triskele.core.words import text

SAVE_SECONDS = 0.5
"""While engines and random movers play, the game is written about this often; before every prompt in any case."""


class Autosave:
    """Writes a table's game to a file after every change. Set ``changed`` when there was one."""

    def __init__(self, table: Table, terminal: Terminal, path: Path | None = None) -> None:
        """Write to ``path``; without one, to a new file in the data folder if people play, else not at all."""
        self.table = table
        self.terminal = terminal
        self.changed = False
        if path is None and table.people:
            path = save_files.fresh_path(table.variant.game.name)
        self._path = path
        self._written_at = 0.0

    @property
    def path(self) -> Path | None:
        """The file that holds the game now; ``None`` if it is not saved."""
        if self._path is None:
            return None
        return save_files.finished_path(self._path) if self.table.over else self._path

    def write(self) -> None:
        """Write the game if it has changed. When the file cannot be written, say so once and stop saving."""
        if self._path is None or self.path is None or not self.changed:
            return
        try:
            with contextlib.suppress(OSError):
                self.path.parent.mkdir(parents=True, exist_ok=True)
            save_files.save(self.table, self.path)
            self._remove_all_but(self.path)
        except TriskeleError as error:
            self.terminal.refuse(error)
            self.terminal.tell("not-kept")
            self._path = None
        self.changed = False
        self._written_at = time.monotonic()

    def write_if_due(self) -> None:
        """Write the game, unless that was done less than ``SAVE_SECONDS`` ago."""
        if time.monotonic() - self._written_at > SAVE_SECONDS:
            self.write()

    def save_as(self, written: str) -> None:
        """Save a copy to a file that a person names. ``TriskeleError`` says why it cannot be written."""
        if not written:
            raise Refused(text("cli.save-where"))
        target = Path(written).expanduser()
        save_files.check_target(target)
        save_files.save(self.table, target)
        self.terminal.tell("saved-over" if self.table.over else "saved", path=written)

    def leave(self) -> None:
        """Ask what to do with an unfinished game when people leave; without an answer it stays saved."""
        self.write()
        if self.table.over or not self.table.people or not self.table.position.moves:
            return
        if self.terminal.interactive:
            with contextlib.suppress(EOFError, KeyboardInterrupt):
                self._ask()
        self.tell_where()

    def tell_where(self) -> None:
        """Say where the game is saved, if it is."""
        if self.path is not None:
            self.terminal.tell("kept", path=str(self.path))

    def _ask(self) -> None:
        terminal = self.terminal
        while True:
            question = "leave-not-kept" if self.path is None else "leave-kept"
            answer = terminal.ask(f"{terminal.words(question)} ", remember=False).strip()
            if answer.lower() in ("", "y", "yes", *terminal.words("answers-yes").split()):
                return
            if answer.lower() in ("n", "no", *terminal.words("answers-no").split()):
                self._discard()
                return
            try:
                self.save_as(answer)
                return
            except TriskeleError as error:
                terminal.refuse(error)

    def _discard(self) -> None:
        self._remove_all_but(None)
        self._path = None
        self.terminal.tell("thrown-away")

    def _remove_all_but(self, current: Path | None) -> None:
        """Remove the other file of the game: it changes folders when the game ends, or when its end is undone."""
        for path in (self._path, save_files.finished_path(self._path)) if self._path is not None else ():
            if path != current:
                with contextlib.suppress(OSError):
                    path.unlink(missing_ok=True)
