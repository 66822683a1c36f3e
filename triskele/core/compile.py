"""Linking generic programs to a game's rules, plain or compiled. The only place that knows Numba.

A *program* is a plain function that uses names of :mod:`triskele.core.contract`. Linking clones it
over fresh globals in which those names are one game's functions. The plain link runs as ordinary
Python: it serves until the compiled twin is ready, and tests and debuggers use it. The compiled
twin is the same code through Numba, cached on disk under a hash of everything it depends on.

Nobody waits for a compiler: :class:`Linker` answers with plain functions at once and changes over
when a background thread has the compiled ones. With a cold cache that thread lets a second process
compile, which keeps this process quick, and then loads the result.

Two facts about Numba 0.68 are relied on here and nowhere else: the undocumented options
``_nrt=False`` (no reference counting, so no allocation) and ``forceinline=True`` (together a third
of the speed), and that its cache files are keyed by ``__qualname__``, which is why the hash goes in
there. The version is pinned for this.
"""

import atexit
import builtins
import contextlib
import hashlib
import importlib
import importlib.metadata
import os
import subprocess
import sys
import threading
import time
import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs

from triskele.core import bits, contract

FORMAT = 1
"""Version of the linking itself: raise it when a change here alters what gets compiled."""

INLINE_LIMIT = 1000
"""Functions of up to so many bytes of bytecode are inlined into their callers."""

KEEP_DAYS = 30
"""Compiled functions not loaded for so long are removed when something new is compiled."""

PATIENCE = 100
"""After so many moves with plain rules a process begins to compile by itself."""

RULES: Mapping[str, str] = {
    "start": "void(int64[::1], int64[::1])",
    "actor": "int64(int64[::1])",
    "legal": "int64(int64[::1], int64[::1])",
    "apply": "void(int64[::1], int64)",
    "winners": "int64(int64[::1])",
    "scores": "void(int64[::1], float64[::1])",
    "reason": "int64(int64[::1])",
    "count": "int64(int64[::1], int64[::1])",
    "nth": "int64(int64[::1], int64[::1], int64)",
    "interrupts": "int64(int64[::1], int64[::1])",
    "redact": "void(int64[::1], int64)",
    "rollout_count": "int64(int64[::1], int64[::1])",
    "rollout_nth": "int64(int64[::1], int64[::1], int64)",
}
"""The rule functions of the contract and their signatures."""

_CONSTANTS = ("SIZE", "LOG", "MOVES", "ACTIONS")


@dataclass(frozen=True)
class Program:
    """A generic function to be linked to games, with the Numba signature of its compiled twin."""

    function: Callable[..., Any]
    signature: str

    @property
    def path(self) -> str:
        """Where a second process finds it again: ``module:NAME`` of this very object."""
        module = sys.modules[self.function.__module__]
        for name, value in vars(module).items():
            if value is self:
                return f"{module.__name__}:{name}"
        raise LookupError(f"no module-level Program in {module.__name__} holds {self.function.__name__}")


def rule_programs() -> dict[str, Program]:
    """Return the programs that are just the contract's own functions."""
    return {name: Program(getattr(contract, name), signature) for name, signature in RULES.items()}


class Rules:
    """A game's rule functions, linked: ``rules.legal(state, moves)`` and so on, and the constants."""

    start: Callable[[contract.State, contract.Moves], None]
    actor: Callable[[contract.State], int]
    legal: Callable[[contract.State, contract.Moves], int]
    apply: Callable[[contract.State, int], None]
    winners: Callable[[contract.State], int]
    scores: Callable[[contract.State, contract.Scores], None]
    reason: Callable[[contract.State], int]
    count: Callable[[contract.State, contract.Moves], int]
    nth: Callable[[contract.State, contract.Moves, int], int]
    interrupts: Callable[[contract.State, contract.Moves], int]
    redact: Callable[[contract.State, int], None]
    rollout_count: Callable[[contract.State, contract.Moves], int]
    rollout_nth: Callable[[contract.State, contract.Moves, int], int]

    def __init__(self, functions: Mapping[str, Callable[..., Any]], compiled: bool) -> None:
        """Hold ``functions`` by the contract's names; ``compiled`` says which kind they are."""
        self.compiled = compiled
        for name in RULES:
            setattr(self, name, functions[name])


# --- linking ------------------------------------------------------------------------------------


def _code_names(code: types.CodeType) -> set[str]:
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names |= _code_names(constant)
    return names


def _resolve(function: types.FunctionType, rules: types.ModuleType) -> dict[str, Any]:
    """Return what each global name in ``function`` means when linked to ``rules``."""
    meaning: dict[str, Any] = {}
    for name in sorted(_code_names(function.__code__)):
        if name not in function.__globals__:
            if not hasattr(builtins, name):
                continue  # an attribute such as .shape, not a global
            continue
        value = function.__globals__[name]
        if name in RULES and value is getattr(contract, name):
            value = getattr(rules, name, value)
        elif name in _CONSTANTS and function.__module__ != rules.__name__:
            value = getattr(rules, name)
        meaning[name] = value
    return meaning


def _entry(program: Program, rules: types.ModuleType) -> types.FunctionType:
    """Return the function behind a program: the game's own for a rule, else the generic one."""
    function = program.function
    if function.__module__ == contract.__name__:
        function = getattr(rules, function.__name__, function)
    if not isinstance(function, types.FunctionType):
        raise TypeError(f"{function!r} is not a plain function")
    return function


def link_plain(program: Program, rules: types.ModuleType) -> Callable[..., Any]:
    """Return the program as an ordinary Python function, linked to ``rules``."""
    return _clone_plain(_entry(program, rules), rules, {})


def _clone_plain(
    function: types.FunctionType, rules: types.ModuleType, made: dict[types.FunctionType, types.FunctionType]
) -> types.FunctionType:
    if function.__module__ == bits.__name__:
        return function
    if function not in made:
        scope: dict[str, Any] = {"__builtins__": builtins}
        clone = types.FunctionType(function.__code__, scope, function.__name__, function.__defaults__)
        clone.__module__ = function.__module__
        made[function] = clone
        for name, value in _resolve(function, rules).items():
            is_function = isinstance(value, types.FunctionType)
            scope[name] = _clone_plain(value, rules, made) if is_function else value
    return made[function]


# --- hashing ------------------------------------------------------------------------------------


def _feed_code(digest: Any, code: types.CodeType) -> None:
    """Hash what a code object does, without where it stands in its file."""
    digest.update(repr((code.co_code, code.co_names, code.co_varnames, code.co_argcount, code.co_flags)).encode())
    for constant in code.co_consts[1:] if code.co_consts and isinstance(code.co_consts[0], str) else code.co_consts:
        if isinstance(constant, types.CodeType):
            _feed_code(digest, constant)
        else:
            digest.update(repr(constant).encode())


def _feed_value(digest: Any, name: str, value: Any) -> None:
    digest.update(name.encode())
    if isinstance(value, np.ndarray):
        digest.update(repr((value.dtype.str, value.shape)).encode() + np.ascontiguousarray(value).tobytes())
    elif isinstance(value, types.ModuleType):
        digest.update(value.__name__.encode())
    else:
        digest.update(repr(value).encode())


class _Hasher:
    """Hashes functions with all that they call; one for a game, so that callees are done once."""

    def __init__(self, rules: types.ModuleType) -> None:
        self.rules = rules
        self.known: dict[types.FunctionType, str] = {}
        versions = [importlib.metadata.version(package) for package in ("numba", "numpy")]
        self.base = repr((FORMAT, INLINE_LIMIT, versions, sys.version_info[:3]))

    def of(self, function: types.FunctionType) -> str:
        if function not in self.known:
            digest = hashlib.sha256(self.base.encode())
            digest.update(function.__name__.encode())
            _feed_code(digest, function.__code__)
            digest.update(repr(function.__defaults__).encode())
            for name, value in _resolve(function, self.rules).items():
                if isinstance(value, types.FunctionType):
                    digest.update(name.encode() + self.of(value).encode())
                else:
                    _feed_value(digest, name, value)
            self.known[function] = digest.hexdigest()[:24]
        return self.known[function]

    def of_entry(self, program: Program) -> str:
        function = _entry(program, self.rules)
        return hashlib.sha256(f"{self.of(function)}{program.signature}".encode()).hexdigest()[:24]


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
        import numba
        from numba.core import caching, types as numba_types
        from numba.extending import intrinsic

        self.rules = rules
        self.numba = numba
        self.hasher = _Hasher(rules)
        self.built: dict[types.FunctionType, Any] = {}
        self.primitives = _compiled_bits(numba, intrinsic, numba_types)
        folder = cache_folder()

        class Locator(caching._CacheLocator):  # type: ignore[misc]
            """Keeps everything in one folder; the hash in the name says all about freshness."""

            def get_cache_path(self) -> str:
                return str(folder)

            def get_source_stamp(self) -> str:
                return "hash-in-name"

            def get_disambiguator(self) -> str:
                return ""

            @classmethod
            def from_function(cls, py_func: Any, py_file: str) -> "Locator":
                return cls()

        class Impl(caching.CompileResultCacheImpl):  # type: ignore[misc]
            _locator_classes = [Locator]  # noqa: RUF012 (Numba's own name and kind)

        class Cache(caching.FunctionCache):  # type: ignore[misc]
            _impl_class = Impl

        self.cache_class = Cache

    def entry(self, program: Program) -> Callable[..., Any]:
        """Return the compiled twin of a program, from the disk cache if it is there."""
        function = _entry(program, self.rules)
        entry_hash = self.hasher.of_entry(program)
        clone = self._clone(function, f"{function.__name__}_{entry_hash}")
        dispatcher = self.numba.njit(nogil=True, _nrt=False)(clone)
        try:
            cache_folder().mkdir(parents=True, exist_ok=True)
            dispatcher._cache = self.cache_class(clone)
        except OSError:
            pass  # nowhere to write: compiled for this process only
        dispatcher.compile(program.signature)
        dispatcher.disable_compile()
        with contextlib.suppress(OSError):
            _marker(self.rules, program, entry_hash).touch()
        return dispatcher  # type: ignore[no-any-return]

    def _clone(self, function: types.FunctionType, qualname: str) -> types.FunctionType:
        scope: dict[str, Any] = {"__builtins__": builtins}
        for name, value in _resolve(function, self.rules).items():
            if isinstance(value, types.FunctionType):
                scope[name] = self._inner(value)
            else:
                scope[name] = value
        clone = types.FunctionType(function.__code__, scope, function.__name__, function.__defaults__)
        clone.__qualname__ = qualname
        clone.__module__ = "triskele.compiled"
        return clone

    def _inner(self, function: types.FunctionType) -> Any:
        if function.__module__ == bits.__name__:
            return self.primitives[function.__name__]
        if function not in self.built:
            clone = self._clone(function, f"{function.__name__}_{self.hasher.of(function)}")
            small = len(function.__code__.co_code) <= INLINE_LIMIT
            self.built[function] = self.numba.njit(nogil=True, _nrt=False, forceinline=small)(clone)
        return self.built[function]


def _compiled_bits(numba: Any, intrinsic: Any, nbtypes: Any) -> dict[str, Any]:
    """Return the compiled twins of :mod:`triskele.core.bits`."""

    def unary(emit: Callable[[Any, Any], Any]) -> Any:
        @intrinsic  # type: ignore[untyped-decorator]
        def primitive(typing_context: Any, word: Any) -> Any:
            def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
                return emit(builder, arguments[0])

            return nbtypes.int64(nbtypes.int64), codegen

        return primitive

    from llvmlite import ir

    # The second operand says that zero is not asked for, which saves an instruction.
    undefined_at_zero = ir.IntType(1)(1)

    def emit_ctz(builder: Any, word: Any) -> Any:
        return builder.cttz(word, undefined_at_zero)

    def emit_msb(builder: Any, word: Any) -> Any:
        return builder.sub(word.type(63), builder.ctlz(word, undefined_at_zero))

    ctz = unary(emit_ctz)
    msb = unary(emit_msb)
    popcount = unary(lambda builder, word: builder.ctpop(word))
    options = {"nogil": True, "_nrt": False, "forceinline": True}

    @numba.njit(**options)  # type: ignore[untyped-decorator]
    def select(word: int, k: int) -> int:
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

    @numba.njit(**options)  # type: ignore[untyped-decorator]
    def below(rng: Any, n: int) -> int:
        value = rng[0] + step
        rng[0] = value
        value = (value ^ (value >> np.uint64(30))) * first
        value = (value ^ (value >> np.uint64(27))) * second
        return np.int64(((value >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))

    return {"ctz": ctz, "msb": msb, "popcount": popcount, "select": select, "below": below}


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
        self._plain_moves = 0

    @property
    def compiled(self) -> bool:
        """Whether the rule functions are compiled by now."""
        return self.rules.compiled

    def prepare(self) -> None:
        """Begin to compile the rules in the background; returns at once, does nothing the second time."""
        if self._background is None and not self.compiled and not plain_only():
            with self._lock:
                if self._background is None:
                    self._background = threading.Thread(target=self._prepare, name="triskele-compile", daemon=True)
                    self._background.start()

    def warm(self) -> None:
        """Note that plain rules made a move; a process that makes many of them gets compiled ones."""
        self._plain_moves += 1
        if self._plain_moves == PATIENCE:
            self.prepare()

    def _prepare(self) -> None:
        programs = list(self._programs.values())
        if self._is_cold(programs):
            _compile_elsewhere(self.module.__name__, [])
        try:
            self.compile_rules()
        except Exception as error:  # whatever it is, plain rules still serve
            sys.stderr.write(f"triskele: playing with plain rules, compiling them failed: {error}\n")

    def _is_cold(self, programs: list[Program]) -> bool:
        hasher = _Hasher(self.module)
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


_children: set[subprocess.Popen[bytes]] = set()


def _compile_elsewhere(module: str, paths: list[str]) -> None:
    """Compile in another process, so that this one stays quick, and wait for it (in a thread)."""
    command = [sys.executable, "-m", "triskele.core.compile", module, *paths]
    try:
        # A session of its own: Ctrl-C at the prompt is for the player, not for the compiler.
        child = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError:
        return
    _children.add(child)
    child.wait()
    _children.discard(child)


@atexit.register
def _end_children() -> None:
    # What it has finished stays in the cache, so the next process goes on from there.
    for child in list(_children):
        child.terminate()


def _programs_at(paths: list[str]) -> Iterator[Program]:
    for path in paths:
        module, name = path.split(":")
        yield getattr(importlib.import_module(module), name)


def main(arguments: list[str]) -> None:
    """Compile a game's rules and the programs named after them into the cache, and prune it."""
    with contextlib.suppress(OSError):
        os.nice(5)
    linker = Linker(importlib.import_module(arguments[0]))
    linker.compile_rules()
    for program in _programs_at(arguments[1:]):
        linker.program(program)
    _prune()


if __name__ == "__main__":
    main(sys.argv[1:])
