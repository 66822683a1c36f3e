"""Compiled twins of linked programs, and when to use them. The only place that knows Numba.

The compiled twin of a program is the same code as its plain link, through Numba, cached on disk
under a hash of everything it depends on. Nobody waits for a compiler: :class:`Linker` answers with
plain functions at once and changes over when a background thread has the compiled ones. With a cold
cache that thread lets a second process compile, which keeps this process quick, and then loads the
result.

Two facts about Numba 0.68 are relied on here and nowhere else: the undocumented options
``_nrt=False`` (no reference counting, so no allocation) and ``forceinline=True`` (together a third
of the speed), and that its cache files are keyed by ``__qualname__``, which is why the hash goes in
there. The version is pinned for this.
"""

import builtins
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

import numpy as np
import platformdirs

from triskele.core import bits
from triskele.core.link import (
    CONTRACTS,
    INLINE_LIMIT,
    Hasher,
    Program,
    Rules,
    entry_function,
    link_plain,
    resolve,
    rule_programs,
)

__all__ = ["CONTRACTS", "Linker", "Program", "Rules", "cache_folder", "link_plain", "plain_only"]

KEEP_DAYS = 30
"""Compiled functions not loaded for so long are removed when something new is compiled."""

PATIENCE = 100
"""After so many moves with plain rules a process begins to compile by itself."""

# --- compiling ----------------------------------------------------------------------------------


def cache_folder() -> Path:
    """Return where compiled functions are kept; ``TRISKELE_CACHE`` names another place."""
    named = os.environ.get("TRISKELE_CACHE")
    return Path(named) if named else Path(platformdirs.user_cache_dir("triskele", appauthor=False)) / "compiled"


def _marker(rules: types.ModuleType, program: Program, entry_hash: str) -> Path:
    game = rules.__name__.split(".")[-2]
    return cache_folder() / f"{game}.{program.function.__name__}.{entry_hash}.ready"


class _Compiler:
    """Compiles programs for one game. Making one imports Numba, which takes a moment."""

    def __init__(self, rules: types.ModuleType) -> None:
        self.rules = rules
        self.numba: Any = importlib.import_module("numba")  # by name: the options used are not in its types
        self.hasher = Hasher(rules)
        self.built: dict[types.FunctionType, Any] = {}
        self.primitives = _compiled_bits(self.numba)
        self.cache_class = _cache_class(cache_folder())

    def entry(self, program: Program) -> Callable[..., Any]:
        """Return the compiled twin of a program, from the disk cache if it is there."""
        function = entry_function(program, self.rules)
        entry_hash = self.hasher.of_entry(program)
        clone = self._clone(function, f"{function.__name__}_{entry_hash}")
        try:
            cache_folder().mkdir(parents=True, exist_ok=True)
            dispatcher = self._compiled(clone, program.signature, cached=True)
        except Exception:
            # Nowhere to write, or a file there that does not load: compiled for this process only. What
            # is wrong with the function itself comes up here again.
            dispatcher = self._compiled(clone, program.signature, cached=False)
        with contextlib.suppress(OSError):
            _marker(self.rules, program, entry_hash).touch()
        twin: Callable[..., Any] = dispatcher
        return twin

    def _compiled(self, clone: types.FunctionType, signature: str, *, cached: bool) -> Any:
        dispatcher: Any = self.numba.njit(nogil=True, _nrt=False)(clone)
        if cached:
            dispatcher._cache = self.cache_class(clone)
        dispatcher.compile(signature)
        dispatcher.disable_compile()
        return dispatcher

    def _clone(self, function: types.FunctionType, qualname: str) -> types.FunctionType:
        scope: dict[str, Any] = {"__builtins__": builtins}
        for name, value in resolve(function, self.rules).items():
            if isinstance(value, types.FunctionType):
                scope[name] = self._inner(value)
            else:
                scope[name] = value
        clone = types.FunctionType(function.__code__, scope, function.__name__, function.__defaults__)
        clone.__qualname__ = qualname
        clone.__module__ = function.__module__  # Numba looks it up when it loads from the cache
        return clone

    def _inner(self, function: types.FunctionType) -> Any:
        if function.__module__ == bits.__name__:
            return self.primitives[function.__name__]
        if function not in self.built:
            clone = self._clone(function, f"{function.__name__}_{self.hasher.of(function)}")
            small = len(function.__code__.co_code) <= INLINE_LIMIT
            self.built[function] = self.numba.njit(nogil=True, _nrt=False, forceinline=small)(clone)
        return self.built[function]


def _cache_class(folder: Path) -> Any:
    """Return a class for Numba's disk cache that keeps everything in one folder.

    Its stamp is constant: the hash in a function's name already says all about freshness, while
    Numba's own stamp would compile everything anew after a changed comment.
    """
    caching: Any = importlib.import_module("numba.core.caching")
    locator = type(
        "Locator",
        (caching._CacheLocator,),
        {
            "get_cache_path": lambda self: str(folder),
            "get_source_stamp": lambda self: "hash-in-name",
            "get_disambiguator": lambda self: "",
            "from_function": classmethod(lambda cls, function, file: cls()),
        },
    )
    implementation = type("Implementation", (caching.CompileResultCacheImpl,), {"_locator_classes": [locator]})
    return type("Cache", (caching.FunctionCache,), {"_impl_class": implementation})


def _instruction(numba: Any, emit: Callable[[Any, Any], Any]) -> Any:
    """Return a compiled function of one word that is what ``emit(builder, word)`` builds."""
    extending: Any = importlib.import_module("numba.extending")
    word_type = numba.types.int64

    def primitive(typing_context: Any, word: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return emit(builder, arguments[0])

        return word_type(word_type), codegen

    return extending.intrinsic(primitive)


def _compiled_bits(numba: Any) -> dict[str, Any]:
    """Return the compiled twins of :mod:`triskele.core.bits`."""
    ir: Any = importlib.import_module("llvmlite.ir")
    inline = numba.njit(nogil=True, _nrt=False, forceinline=True)
    # The second operand says that zero is not asked for, which saves an instruction.
    undefined_at_zero = ir.IntType(1)(1)
    ctz = _instruction(numba, lambda builder, word: builder.cttz(word, undefined_at_zero))
    msb = _instruction(numba, lambda builder, word: builder.sub(word.type(63), builder.ctlz(word, undefined_at_zero)))
    popcount = _instruction(numba, lambda builder, word: builder.ctpop(word))

    def select(word: Any, k: Any) -> Any:
        index = 0
        low = popcount(word & 0xFFFFFFFF)
        if k >= low:
            k -= low
            word >>= 32
            index = 32
        low = popcount(word & 0xFFFF)
        if k >= low:
            k -= low
            word >>= 16
            index += 16
        low = popcount(word & 0xFF)
        if k >= low:
            k -= low
            word >>= 8
            index += 8
        for _ in range(k):
            word &= word - 1
        return index + ctz(word)

    step = np.uint64(0x9E3779B97F4A7C15)
    first = np.uint64(0xBF58476D1CE4E5B9)
    second = np.uint64(0x94D049BB133111EB)

    def below(rng: Any, n: Any) -> Any:
        value = rng[0] + step
        rng[0] = value
        value = (value ^ (value >> np.uint64(30))) * first
        value = (value ^ (value >> np.uint64(27))) * second
        return np.int64(((value >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))

    return {"ctz": ctz, "msb": msb, "popcount": popcount, "select": inline(select), "below": inline(below)}


def _prune() -> None:
    """Remove compiled functions that nobody has loaded for a long time."""
    horizon = time.time() - KEEP_DAYS * 86400
    with contextlib.suppress(OSError):
        for marker in cache_folder().glob("*.ready"):
            if marker.stat().st_mtime < horizon:
                entry_hash = marker.name.split(".")[-2]
                for stale in cache_folder().glob(f"*{entry_hash}*"):
                    stale.unlink(missing_ok=True)


# --- one game's functions, getting faster ---------------------------------------------------------


class Linker:
    """A game's linked functions: plain at first, compiled as soon as that can be had.

    ``rules`` is always the best set of rule functions at the moment; a state works with either.
    """

    def __init__(self, module: types.ModuleType) -> None:
        """Link the rules in ``module`` plainly. Compiles nothing."""
        self.module = module
        self._programs = rule_programs()
        functions = {name: link_plain(program, module) for name, program in self._programs.items()}
        self.plain = Rules(functions, compiled=False)
        self.rules = self.plain
        self._lock = threading.Lock()
        self._compiler: _Compiler | None = None
        self._compiled: dict[Program, Callable[..., Any]] = {}
        self._background: threading.Thread | None = None
        self._compiling_elsewhere = False
        self._plain_moves = 0
        self._wanted: set[Program] = set()

    @property
    def compiled(self) -> bool:
        """Whether the rule functions are compiled by now."""
        return self.rules.compiled

    def prepare(self, programs: Sequence[Program] = ()) -> None:
        """Begin to compile the rules, then ``programs``, in the background; returns at once.

        Programs must be module-level objects of the module that defines their function.
        """
        with self._lock:
            wanted = [p for p in programs if p not in self._wanted]
            self._wanted.update(wanted)
            idle = self._background is None
            if plain_only() or (self.compiled and not wanted) or (not idle and not wanted):
                return
            previous = self._background
            self._background = threading.Thread(
                target=self._prepare, args=(wanted, previous), name="triskele-compile", daemon=True
            )
            self._background.start()

    def warm(self) -> None:
        """Note that plain rules made a move; a process that makes many of them gets compiled ones."""
        self._plain_moves += 1
        if self._plain_moves == PATIENCE:
            self.prepare()

    def _prepare(self, programs: Sequence[Program], previous: threading.Thread | None) -> None:
        if previous is not None:
            previous.join()
        if self._is_cold([*self._programs.values(), *programs]):
            self._compiling_elsewhere = True
            _compile_elsewhere(self.module.__name__, [program.path for program in programs])
            self._compiling_elsewhere = False
        try:
            self.compile_rules()
            for program in programs:
                self.program(program)
        except Exception as error:  # whatever it is, plain rules still serve
            sys.stderr.write(f"triskele: playing with plain rules, compiling them failed: {error}\n")

    def ready(self, program: Program) -> Callable[..., Any] | None:
        """Return the compiled twin of a program if it is there already, else ``None``."""
        return self._compiled.get(program)

    def loading(self, program: Program) -> bool:
        """Return whether the compiled twin of a program is on its way from the cache, and soon here."""
        busy = self._background is not None and self._background.is_alive() and not self._compiling_elsewhere
        return busy and program in self._wanted and program not in self._compiled

    def _is_cold(self, programs: list[Program]) -> bool:
        hasher = Hasher(self.module)
        return any(not _marker(self.module, p, hasher.of_entry(p)).exists() for p in programs)

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
                    self._compiler = _Compiler(self.module)
                self._compiled[program] = self._compiler.entry(program)
            return self._compiled[program]


def plain_only() -> bool:
    """Whether the environment asks for plain functions throughout (``TRISKELE_PLAIN=1``)."""
    return os.environ.get("TRISKELE_PLAIN", "") not in ("", "0")


def _compile_elsewhere(module: str, paths: list[str]) -> None:
    """Compile in another process, so that this one stays quick, and wait for it (in a thread)."""
    command = [sys.executable, "-m", "triskele.core.compile", module, *paths]
    options: dict[str, Any] = {
        "stdin": subprocess.PIPE,  # which closes when this process ends, however it does; then the compiler ends too
        "stdout": subprocess.DEVNULL,
        "stderr": subprocess.DEVNULL,
        "start_new_session": True,  # Ctrl-C at the prompt is for the player, not for the compiler
    }
    with contextlib.suppress(OSError), subprocess.Popen(command, **options) as compiler:
        compiler.wait()


def _programs_at(paths: list[str]) -> Iterator[Program]:
    for path in paths:
        module, name = path.split(":")
        yield getattr(importlib.import_module(module), name)


def _end_with_input() -> None:
    # What is finished by then stays in the cache, so that the next process goes on from there.
    sys.stdin.buffer.read()
    os._exit(1)


def main(arguments: list[str]) -> None:
    """Compile a game's rules and the programs named after them into the cache, and prune it.

    Ends at once when standard input does: whoever asked for it has gone.
    """
    threading.Thread(target=_end_with_input, daemon=True).start()
    with contextlib.suppress(OSError):
        os.nice(5)
    linker = Linker(importlib.import_module(arguments[0]))
    linker.compile_rules()
    for program in _programs_at(arguments[1:]):
        linker.program(program)
    _prune()


if __name__ == "__main__":
    main(sys.argv[1:])
