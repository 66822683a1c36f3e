"""The fenced blocks of the project's pages, and how they are run: every command and every piece of Python.

A page is a Markdown file. Its blocks run from top to bottom in one temporary folder, and its Python in one scope. What
a test has to know stands in a comment right before a block, one directive a line (or one, after ``<!-- test:``)::

    <!-- test
    needs game.json my_engine
    replace --games 200 => --games 2
    -->

``replace A => B``  runs the block with B for every A: smaller numbers, addresses of this machine. A must be there
``needs FILE …``    makes files before the block runs: those in :data:`FILES`
``input TEXT``      what the commands of the block read, a line; without it they read nothing
``in FOLDER``       runs the block in a folder of the page's folder
``file NAME``       writes a block that is not a program to a file, for a later block
``not-run REASON``  does not run the block. Only for commands that change the machine: see :data:`PRIVILEGED`

Commands run in bash, which stops at the first that fails. ``triskele`` and ``python`` are those of this checkout.
``pip`` checks that the package and its extras exist (``tests/test_packaging.py`` installs it), ``make`` says what it
would do (``-n``), and ``until_ready COMMAND`` starts a server, waits until it serves, and ends it as Ctrl-C does.
"""

import contextlib
import doctest
import io
import os
import re
import shutil
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from unittest import mock

from markdown_it import MarkdownIt

from tests.support.games import last_of, random_positions
from triskele.core.records import Record
from triskele.games.yinsh import boardspace

ROOT = Path(__file__).parents[2]
RUN = {"sh", "python", "js"}
"""Languages of blocks that run."""
SHOWN = {"text", "caddy", "ini", "json", "nginx", "toml", "yaml"}
"""Languages of blocks that do not: what a program says, and files of settings."""
INCLUDED = {"{include}", "{literalinclude}", "{toctree}"}
"""What Sphinx puts there itself, from files that have tests of their own."""
PRIVILEGED = {"sudo", "apt", "apt-get", "systemctl", "certbot", "docker", "ssh", "scp", "rsync"}
"""The first words of commands that change or need more than a test may."""
_COMMAND = re.compile(r"\s*(?:\$\s*)?(?:triskele|python3?|pip|make|node|sudo|apt-get|curl) [\w./\"'-]")
_REASON_LETTERS = 10
_SECONDS = 120

_SHIMS = {
    "triskele": '#!/bin/sh\nexec "{python}" -m triskele "$@"\n',
    "python": '#!/bin/sh\nexec "{python}" "$@"\n',
    "pip": '#!/bin/sh\nexec "{python}" -m tests.support.checked_install "$@"\n',
    "make": '#!/bin/sh\nexec /usr/bin/env PATH="{path}" make --no-print-directory -n -C "{root}" "$@"\n',
    "until_ready": '#!/bin/sh\nexec "{python}" -m tests.support.until_ready "$@"\n',
}


class FragmentError(AssertionError):
    """A block of a page that does not run, or cannot be tested: where it is, and why."""


@dataclass
class Fragment:
    """A fenced block of a page, with the directives of its comment."""

    page: Path
    line: int
    language: str
    text: str
    directives: list[tuple[str, str]] = field(default_factory=list)

    @property
    def place(self) -> str:
        """Where it is: page and line."""
        name = self.page.relative_to(ROOT) if self.page.is_relative_to(ROOT) else self.page.name
        return f"{name}:{self.line}"

    def directive(self, name: str) -> str | None:
        """Return the argument of the first directive with a name, if there is one."""
        return next((argument for found, argument in self.directives if found == name), None)

    def replaced(self) -> str:
        """Return the text to run: with the replacements that its directives name."""
        text = self.text
        for name, argument in self.directives:
            if name == "replace":
                old, arrow, new = argument.partition("=>")
                if not arrow or not old.strip() or old.strip() not in text:
                    raise FragmentError(f"{self.place}: nothing to replace: {argument!r}")
                text = text.replace(old.strip(), new.strip())
        return text


def pages() -> list[Path]:
    """Return all pages: the README and its neighbours, ``docs/``, and the games' help in English."""
    return sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("triskele/games/*/help/en.md")])


def fragments(page: Path) -> list[Fragment]:
    """Return the blocks of a page in their order; ``FragmentError`` if one could neither run nor be passed over."""
    found, comment = [], ""
    for token in MarkdownIt("commonmark").parse(page.read_text(encoding="utf-8")):
        if token.type == "code_block" and token.map:
            raise FragmentError(f"{page.name}:{token.map[0] + 1}: an indented block: fence it, and say its language")
        if token.type == "fence" and token.map:
            language = (token.info.split() or [""])[0]
            fragment = Fragment(page, token.map[0] + 1, language, token.content, _directives(page, comment))
            _check(fragment)
            found.append(fragment)
        comment = token.content if token.type == "html_block" else ""
    return found


def inline_commands(page: Path) -> Iterator[tuple[int, str]]:
    """Yield the commands of this project inside the sentences of a page, each with its line."""
    for token in MarkdownIt("commonmark").enable("table").parse(page.read_text(encoding="utf-8")):
        for child in token.children or []:
            if child.type == "code_inline" and re.match(r"(triskele|python|make|pip) [a-z\"-]", child.content):
                yield (token.map[0] + 1 if token.map else 0), child.content


def _directives(page: Path, comment: str) -> list[tuple[str, str]]:
    begun = re.match(r"<!--\s*test(?::|\s*\n)(.*?)-->\s*\Z", comment, re.DOTALL)
    if begun is None:
        return []
    lines = [line.strip() for line in begun[1].splitlines() if line.strip()]
    known = {"replace", "needs", "input", "in", "file", "not-run"}
    for line in lines:
        if line.split()[0] not in known:
            raise FragmentError(f"{page.name}: no directive: {line!r}; there are {', '.join(sorted(known))}")
    return [(line.split()[0], line.partition(" ")[2].strip()) for line in lines]


def _check(fragment: Fragment) -> None:
    """Raise ``FragmentError`` for a block that would escape: of an unknown language, or not run without need."""
    if fragment.language in INCLUDED:
        return
    if fragment.language not in RUN | SHOWN:
        allowed = ", ".join(sorted(RUN | SHOWN))
        raise FragmentError(
            f"{fragment.place}: a block of {fragment.language or 'no'} language; it is one of {allowed}"
        )
    lines = fragment.text.splitlines()
    if fragment.language in SHOWN and any(_COMMAND.match(line) for line in lines) and not fragment.directive("file"):
        raise FragmentError(f"{fragment.place}: commands in a block of {fragment.language}: they are sh")
    reason = fragment.directive("not-run")
    if reason is not None:
        commands = [line for line in lines if line.strip() and not line.startswith(("#", " "))]
        ours = [line for line in commands if line.split()[0] not in PRIVILEGED]
        if len(reason) < _REASON_LETTERS or fragment.language != "sh" or ours:
            raise FragmentError(f"{fragment.place}: can be run, or has no reason: {ours[:1] or reason}")


# --- files that blocks need -----------------------------------------------------------------------


def _record_with_dice(path: Path) -> None:
    command = [sys.executable, "-m", "triskele", "play", "tryad", "--seats", "1,1", "--seed", "3", "--save", str(path)]
    subprocess.run(command, check=True, capture_output=True, env=_environment(path.parent), timeout=_SECONDS)


def _sgf(path: Path) -> None:
    played = [Record.of(last_of(random_positions("yinsh", seed, blitz=True))) for seed in (1, 2)]
    boardspace.save(played if path.stem == "games" else played[:1], path)


def _program(path: Path) -> None:
    path.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{ROOT}/examples/engine_in_30_lines.py" "$@"\n')
    path.chmod(0o755)


FILES: dict[str, Callable[[Path], None]] = {
    "game.json": _record_with_dice,
    "boardspace.sgf": _sgf,
    "games.sgf": _sgf,
    "my_engine": _program,
}
"""What ``needs`` can make: a finished game with dice, games of Boardspace, a program that plays."""


# --- running --------------------------------------------------------------------------------------


def run_page(page: Path, folder: Path) -> int:
    """Run the blocks of a page in an empty folder; return how many ran. ``FragmentError`` says which one fails."""
    shims = folder / ".bin"
    shims.mkdir(parents=True)
    for name, script in _SHIMS.items():
        (shims / name).write_text(script.format(python=sys.executable, root=ROOT, path=os.environ["PATH"]))
        (shims / name).chmod(0o755)
    for name in ("examples", "benchmarks", "triskele"):
        (folder / name).symlink_to(ROOT / name)
    with mock.patch.dict(os.environ, _environment(folder)):
        return _run_all(page, folder)


def _run_all(page: Path, folder: Path) -> int:
    scope: dict[str, object] = {"__name__": "__page__"}
    ran = 0
    for fragment in fragments(page):
        name = fragment.directive("file")
        if name is not None:
            (folder / name).write_text(fragment.replaced(), encoding="utf-8")
        if fragment.language not in RUN or fragment.directive("not-run") is not None:
            continue
        for wanted in (fragment.directive("needs") or "").split():
            FILES[wanted](folder / wanted)
        {"sh": _run_shell, "python": _run_python, "js": _run_script}[fragment.language](fragment, folder, scope)
        ran += 1
    return ran


def _environment(folder: Path) -> dict[str, str]:
    return {
        **os.environ,
        "PATH": os.pathsep.join([str(folder / ".bin"), os.environ["PATH"]]),
        "PYTHONPATH": str(ROOT),
        "TRISKELE_DATA": str(folder / "data"),
        "TRISKELE_PLAIN": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def _run_shell(fragment: Fragment, folder: Path, scope: dict[str, object]) -> None:
    _run_process(fragment, ["bash", "-euo", "pipefail", "-c", fragment.replaced()], folder)


def _run_script(fragment: Fragment, folder: Path, scope: dict[str, object]) -> None:
    place = folder / (fragment.directive("in") or ".") / "fragment.mjs"
    place.write_text(fragment.replaced(), encoding="utf-8")
    _run_process(fragment, [shutil.which("node") or "node", str(place)], folder)


def _run_process(fragment: Fragment, command: list[str], folder: Path) -> None:
    said = (fragment.directive("input") or "") + "\n"
    where = folder / (fragment.directive("in") or ".")
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=where,
        env=_environment(folder),
        start_new_session=True,
    )
    try:
        output, _ = process.communicate(said.encode(), timeout=_SECONDS)
    except subprocess.TimeoutExpired:
        raise FragmentError(f"{fragment.place}: still running after {_SECONDS} s") from None
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # what it left behind
        process.communicate()
    if process.returncode:
        raise FragmentError(f"{fragment.place}: exit code {process.returncode}:\n{output.decode()[-3000:]}")


def _run_python(fragment: Fragment, folder: Path, scope: dict[str, object]) -> None:
    text = fragment.replaced()
    said = io.StringIO()
    with contextlib.chdir(folder / (fragment.directive("in") or ".")):
        if ">>> " in text:
            test = doctest.DocTestParser().get_doctest(text, scope, fragment.place, str(fragment.page), fragment.line)
            runner = doctest.DocTestRunner(verbose=False)
            runner.run(test, out=said.write, clear_globs=False)
            if runner.failures:
                raise FragmentError(f"{fragment.place}:\n{said.getvalue()}")
            scope.update(test.globs)
            return
        try:
            with contextlib.redirect_stdout(said):
                # Line numbers of the page, so that a traceback leads there.
                exec(compile("\n" * fragment.line + text, str(fragment.page), "exec"), scope)
        except Exception:
            raise FragmentError(f"{fragment.place}:\n{traceback.format_exc()[-3000:]}") from None
