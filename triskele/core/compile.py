"""Offer a game's linked programs compiled, and decide when the compiled ones are used.

The compiled twin of a program is the same code as its plain link, compiled by Numba (:mod:`triskele.core.jit`) and
cached on disk under a hash of everything it depends on. Nobody waits for a compiler: :class:`Linker` offers plain
functions at once and switches to compiled ones when a background thread has them. With a cold cache that thread starts
a second process to compile, which keeps this one responsive, and then loads the result from the cache.
"""

import contextlib
import importlib
import os
import subprocess
import sys
import threading
import time
import types
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import platformdirs

from triskele.core.compiler_lock import compiler_lock
from triskele.core.jit import Compiler
from triskele.core.link import Hasher, Program, Rules, link_plain, rule_programs
from triskele.core.words import reader_language, say, text

__all__ = ["Linker", "Program", "Rules", "cache_folder", "keep_plain", "link_plain", "plain_only"]

KEEP_DAYS = 30
"""Compiled functions that no process has loaded for this many days are removed from the cache."""

COMPILE_AFTER_MOVES = 100
"""After this many moves with plain rules a process begins to compile by itself."""

_SAID = "TRISKELE_CACHE_SAID"
"""In the environment when a process has said that the cache cannot be written."""

# --- compiling ----------------------------------------------------------------------------------


def cache_folder() -> Path:
    """Return the folder of compiled functions; ``TRISKELE_CACHE`` names another one."""
    named = os.environ.get("TRISKELE_CACHE")
    return Path(named) if named else Path(platformdirs.user_cache_dir("triskele", appauthor=False)) / "compiled"


def _marker(rules: types.ModuleType, program: Program, entry_hash: str) -> Path:
    return cache_folder() / f"{rules.__package__}.{program.function.__name__}.{entry_hash}.ready"


def _entry(compiler: Compiler, program: Program) -> Callable[..., Any]:
    """Return the compiled twin of a program, from the disk cache if it is there."""
    marker = _marker(compiler.rules, program, compiler.hasher.of_entry(program))
    # Loading waits for nobody.
    with contextlib.nullcontext() if marker.exists() else compiler_lock(cache_folder()):
        try:
            cache_folder().mkdir(parents=True, exist_ok=True)
            twin = compiler.compile(program, cache_folder())
        except Exception:
            # Nowhere to write, or a file there that does not load: compiled for this process only. What
            # is wrong with the function itself comes up here again.
            twin = compiler.compile(program)
    try:
        marker.touch()
    except OSError as error:
        if not marker.exists():  # else it can be read, and there is nothing to write
            _say_unwritable(error)
    return twin


def _say_unwritable(error: OSError) -> None:
    """Say on standard error that nothing can be cached, once for this process and those that it starts from now on."""
    if _SAID not in os.environ:
        os.environ[_SAID] = "1"
        why = text("core.cache-unwritable", folder=str(cache_folder()), why=error.strerror or str(error))
        sys.stderr.write(f"triskele: {say(why, reader_language())}\n")


def _prune() -> None:
    """Remove compiled functions that no process has loaded for ``KEEP_DAYS``."""
    horizon = time.time() - KEEP_DAYS * 86400
    with contextlib.suppress(OSError):
        for marker in cache_folder().glob("*.ready"):
            if marker.stat().st_mtime < horizon:
                entry_hash = marker.name.split(".")[-2]
                for stale in cache_folder().glob(f"*{entry_hash}*"):
                    stale.unlink(missing_ok=True)


# --- the functions of one game --------------------------------------------------------------------


class Linker:
    """A game's linked functions: plain at first, compiled as soon as those are ready.

    ``rules`` are the compiled rule functions if they are ready, else the plain ones; a state works with both.
    """

    def __init__(self, module: types.ModuleType) -> None:
        """Link the rules in ``module`` as plain Python. Compiles nothing."""
        self.module = module
        self._programs = rule_programs()
        functions = {name: link_plain(program, module) for name, program in self._programs.items()}
        self.plain = Rules(functions, compiled=False)
        self.rules = self.plain
        self._lock = threading.Lock()
        self._compiler: Compiler | None = None
        self._compiled: dict[Program, Callable[..., Any]] = {}
        self._plain: dict[Program, Callable[..., Any]] = {}
        self._background: threading.Thread | None = None
        self._compiling_elsewhere = False
        self._plain_moves = 0
        self._wanted: set[Program] = set()

    @property
    def compiled(self) -> bool:
        """Whether ``rules`` are the compiled ones."""
        return self.rules.compiled

    def prepare(self, programs: Sequence[Program] = ()) -> None:
        """Begin to compile the rules, then ``programs``, in the background; returns at once.

        Programs must be module-level objects of the module that defines their function: a second process imports them.
        """
        with self._lock:
            wanted = [p for p in programs if p not in self._wanted]
            self._wanted.update(wanted)
            idle = self._background is None
            if _kept_plain or plain_only() or (self.compiled and not wanted) or (not idle and not wanted):
                return
            previous = self._background
            self._background = threading.Thread(
                target=self._prepare, args=(wanted, previous), name="triskele-compile", daemon=True
            )
            self._background.start()

    def warm(self) -> None:
        """Count a move made with plain rules; after ``COMPILE_AFTER_MOVES`` of them compiling begins."""
        self._plain_moves += 1
        if self._plain_moves == COMPILE_AFTER_MOVES:
            self.prepare()

    def _prepare(self, programs: Sequence[Program], previous: threading.Thread | None) -> None:
        if previous is not None:
            previous.join()
        if self.is_cold(programs):
            self._compiling_elsewhere = True
            _compile_elsewhere(self.module.__name__, [program.path for program in programs])
            self._compiling_elsewhere = False
        try:
            self.compile_rules()
            for program in programs:
                self.program(program)
        except Exception as error:  # whatever failed, plain rules still work
            sys.stderr.write(f"triskele: playing with plain rules, compiling them failed: {error}\n")

    def ready(self, program: Program) -> Callable[..., Any] | None:
        """Return the compiled twin of a program if it is ready, else ``None``."""
        return self._compiled.get(program)

    def best(self, program: Program) -> Callable[..., Any]:
        """Return a program compiled if that is ready, else plain."""
        found = self._compiled.get(program) or self._plain.get(program)
        if found is None:
            found = self._plain[program] = link_plain(program, self.module)
        return found

    def loading(self, program: Program) -> bool:
        """Return whether the compiled twin of a program is being loaded from the cache, which takes a moment."""
        busy = self._background is not None and self._background.is_alive() and not self._compiling_elsewhere
        return busy and program in self._wanted and program not in self._compiled

    def is_cold(self, programs: Sequence[Program]) -> bool:
        """Return whether some of the rules or of ``programs`` are not in the cache."""
        hasher = Hasher(self.module)
        wanted = [*self._programs.values(), *programs]
        return any(not _marker(self.module, p, hasher.of_entry(p)).exists() for p in wanted)

    def compile_rules(self) -> Rules:
        """Compile (or load) the rule functions now, and return them. Takes seconds with a cold cache."""
        if not self.compiled:
            functions = {name: self.program(program) for name, program in self._programs.items()}
            self.rules = Rules(functions, compiled=True)
        return self.rules

    def program(self, program: Program) -> Callable[..., Any]:
        """Return the compiled twin of a program for this game, compiling or loading it now.

        Under ``TRISKELE_PLAIN=1`` it is the plain link instead.
        """
        if plain_only():
            return link_plain(program, self.module)
        with self._lock:
            if program not in self._compiled:
                if self._compiler is None:
                    self._compiler = Compiler(self.module)
                self._compiled[program] = _entry(self._compiler, program)
            return self._compiled[program]


_kept_plain = False


def keep_plain() -> None:
    """Stay with plain functions in this process: nothing is compiled or loaded in the background from now on.

    For a process that only referees. A move by plain rules takes 0.07 ms at most, by compiled ones 0.03; Numba and
    the compiled rules take 125 MB, and while they are loaded no other thread gets on for most of a second.
    """
    global _kept_plain  # noqa: PLW0603 (a property of the process)
    _kept_plain = True


def plain_only() -> bool:
    """Whether the environment asks for plain functions throughout (``TRISKELE_PLAIN=1``)."""
    return os.environ.get("TRISKELE_PLAIN", "") not in ("", "0")


def _compile_elsewhere(module: str, paths: list[str]) -> None:
    """Compile in another process, so that this one stays responsive, and wait for it. Call it in a thread."""
    command = [sys.executable, "-m", "triskele.core.compile", module, *paths]
    options: dict[str, Any] = {
        "stdin": subprocess.PIPE,  # closed when this process ends, however it ends; then the compiler ends too
        "stdout": subprocess.DEVNULL,
        "stderr": subprocess.DEVNULL,
        "start_new_session": True,  # Ctrl-C at the prompt is for the player, not for the compiler
    }
    with contextlib.suppress(OSError), subprocess.Popen(command, **options) as compiler:
        compiler.wait()


def programs_at(paths: list[str]) -> Iterator[Program]:
    """Yield the programs with these paths (:attr:`Program.path`)."""
    for path in paths:
        module, name = path.split(":")
        yield getattr(importlib.import_module(module), name)


def _end_with_input() -> None:
    # What is compiled by then is in the cache: the next process continues from there. Unbuffered, because a thread that
    # waits in a buffered read keeps the interpreter from ending in order.
    while os.read(0, 4096):
        pass
    os._exit(1)


def main(arguments: list[str]) -> None:
    """Compile a game's rules and the programs named after them into the cache, and prune it.

    Waits while another process compiles, which may be doing the same. Exits at once when standard input is closed: the
    process that started this one has ended.
    """
    threading.Thread(target=_end_with_input, daemon=True).start()
    with contextlib.suppress(OSError):
        os.nice(5)
    linker = Linker(importlib.import_module(arguments[0]))
    programs = list(programs_at(arguments[1:]))
    with compiler_lock(cache_folder()):
        if linker.is_cold(programs):
            linker.compile_rules()
            for program in programs:
                linker.program(program)
    _prune()


if __name__ == "__main__":
    main(sys.argv[1:])
