"""Which steps of courses were solved at this terminal, kept in the data folder."""

import json
from pathlib import Path

from triskele.cli.terminal import Terminal, uninterrupted
from triskele.core.document import read_json
from triskele.core.errors import RecordError
from triskele.core.files import FileError, read_limited, write_atomic
from triskele.core.folders import data_folder
from triskele.core.words import say, text

FORMAT = "triskele-lessons/1"
_BYTES_LIMIT = 1_000_000
Solved = dict[str, list[str]]
"""The ids of solved steps by the name of a game; also those of games and steps that are not there now."""


LESSONS, PUZZLES = "lessons", "puzzles"
"""What progress is kept of, each in a file of its own."""


def progress_path(what: str = LESSONS) -> Path:
    """Return the file with the solved steps, or puzzles."""
    return data_folder() / f"{what}.json"


class Progress:
    """The solved steps, or puzzles. What is wrong with their file is said once; solving goes on without it."""

    def __init__(self, terminal: Terminal, what: str = LESSONS) -> None:
        """Read the file, if there is one. A damaged one is renamed, so that nothing in it is lost."""
        self._terminal = terminal
        self._path = progress_path(what)
        self._kept = True
        self._solved: Solved = {}
        self._read()

    def solved(self, game: str) -> frozenset[str]:
        """Return the ids of a game's solved steps."""
        return frozenset(self._solved.get(game, ()))

    def add(self, game: str, step: str) -> None:
        """Note a solved step, and write the file at once."""
        self._read()  # another terminal may have written since
        steps = self._solved.setdefault(game, [])
        if step in steps:
            return
        steps.append(step)
        if not self._kept:
            return
        document = {"format": FORMAT, "solved": self._solved}
        try:
            with uninterrupted():
                self._path.parent.mkdir(parents=True, exist_ok=True)
                write_atomic(self._path, json.dumps(document, ensure_ascii=False, indent=1) + "\n")
        except FileError as error:
            self._not_kept(say(error.text, self._terminal.language))
        except OSError as error:
            self._not_kept(f"{self._path.parent}: {error.strerror}")

    def _not_kept(self, why: str) -> None:
        self._kept = False
        self._terminal.tell("learn-not-kept", why=why)

    def _read(self) -> None:
        """Add what is in the file to what is known."""
        try:
            if not self._kept or not self._path.exists():
                return
            found = _parsed(read_limited(self._path, _BYTES_LIMIT))
        except RecordError as error:
            self._set_aside(say(error.text, self._terminal.language))
            return
        except FileError as error:  # it may be fine, so it must stay where it is
            self._not_kept(say(error.text, self._terminal.language))
            return
        except OSError as error:  # a folder that must not be looked into
            self._not_kept(f"{self._path}: {error.strerror}")
            return
        for game, steps in found.items():
            known = self._solved.setdefault(game, [])
            known += [step for step in steps if step not in known]

    def _set_aside(self, why: str) -> None:
        number = 1
        while (beside := self._path.with_name(f"lessons-damaged-{number}.json")).exists():
            number += 1
        try:
            self._path.rename(beside)
        except OSError as error:
            self._not_kept(f"{self._path}: {why}; {error.strerror}")
            return
        self._terminal.tell("learn-damaged", path=str(self._path), why=why, kept=str(beside))


def _parsed(data: bytes) -> Solved:
    """Return the solved steps in a file. ``RecordError`` says what is wrong with it."""
    parts = read_json(data, _BYTES_LIMIT, _BYTES_LIMIT).fields({"format", "solved"})
    solved = parts["solved"].value
    if parts["format"].value != FORMAT or not isinstance(solved, dict):
        raise RecordError(text("cli.learn-file-form"))
    if not all(isinstance(steps, list) and all(isinstance(step, str) for step in steps) for steps in solved.values()):
        raise RecordError(text("cli.learn-file-form"))
    return {game: list(steps) for game, steps in solved.items()}
