"""Link generic programs to a game's rules.

A *program* is a plain function that uses names of a contract, that is of a module listed in ``CONTRACTS``. Linking
clones it with new globals, in which those names are one game's functions. The plain link made here runs as ordinary
Python: it serves until the compiled twin of :mod:`triskele.core.compile` is ready, and tests and debuggers use it.
"""

import builtins
import hashlib
import importlib
import importlib.metadata
import importlib.util
import sys
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from triskele.core import bits
from triskele.core.contract import aims, evaluation, texts
from triskele.core.contract import rules as contract
from triskele.core.workspace import field_types

FORMAT = 1
"""The version of the linking itself: raise it when a change in this module alters what gets compiled."""

INLINE_LIMIT = 1000
"""Functions of up to this many bytes of bytecode are inlined into their callers."""

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
    "chance_weight": "int64(int64[::1], int64)",
    "redact": "void(int64[::1], int64)",
    "rollout_count": "int64(int64[::1], int64[::1])",
    "rollout_nth": "int64(int64[::1], int64[::1], int64)",
}
"""The rule functions of the contract and their signatures."""

TEXTS: Mapping[str, str] = {
    "write_move": "int64(int64[::1], int64, uint8[::1])",
    "read_position": "int64(uint8[::1], int64, int64[::1])",
}
"""The functions of texts and their signatures."""

CONTRACTS: Mapping[str, str] = {
    contract.__name__: "rules",
    evaluation.__name__: "evaluation",
    texts.__name__: "texts",
    aims.__name__: "puzzles",
}
"""The modules that state a contract, each with the name of the module in a game's folder that implements it.

A name that a program imports from a contract's module becomes, once linked, the function of that name in the game's
module, or the contract's own function as the default.
"""

_CONSTANTS = ("SIZE", "LOG", "MOVES", "ACTIONS")


@dataclass(frozen=True)
class Program:
    """A generic function to be linked to games, with the Numba signature of its compiled twin.

    ``workspaces`` are the classes of :mod:`triskele.core.workspace` that the signature names.
    """

    function: Callable[..., Any]
    signature: str
    workspaces: tuple[type, ...] = ()

    @property
    def path(self) -> str:
        """Where a second process finds it again: ``module:NAME`` of this very program."""
        module = sys.modules[self.function.__module__]
        for name, value in vars(module).items():
            if isinstance(value, Program) and value == self:
                return f"{module.__name__}:{name}"
        raise LookupError(f"no module-level Program in {module.__name__} holds {self.function.__name__}")


def rule_programs() -> dict[str, Program]:
    """Return one program for each rule function of the contract."""
    return {name: Program(getattr(contract, name), signature) for name, signature in RULES.items()}


def text_programs(rules: types.ModuleType) -> dict[str, Program]:
    """Return one program for each function of texts that a game has."""
    found = {name: Program(getattr(texts, name), signature) for name, signature in TEXTS.items()}
    return {name: program for name, program in found.items() if entry_function(program, rules) != program.function}


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
    chance_weight: Callable[[contract.State, int], int]
    redact: Callable[[contract.State, int], None]
    rollout_count: Callable[[contract.State, contract.Moves], int]
    rollout_nth: Callable[[contract.State, contract.Moves, int], int]

    def __init__(self, functions: Mapping[str, Callable[..., Any]], compiled: bool) -> None:
        """Hold ``functions`` by the contract's names; ``compiled`` is whether they are compiled."""
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


def resolve(function: types.FunctionType, rules: types.ModuleType) -> dict[str, Any]:
    """Return the value of each global name in ``function`` when it is linked to ``rules``."""
    meaning: dict[str, Any] = {}
    for name in sorted(_code_names(function.__code__)):
        if name not in function.__globals__:
            continue  # a builtin, or an attribute such as .shape
        value = function.__globals__[name]
        if isinstance(value, types.FunctionType):
            value = _implementation(value, rules)
        elif name in _CONSTANTS and function.__module__ != rules.__name__:
            value = getattr(rules, name)
        elif name == "WEIGHTED_CHANCE":
            value = hasattr(rules, "chance_weight")  # a constant: where it is False, no code for weights is compiled
        meaning[name] = value
    return meaning


def _implementation(function: types.FunctionType, rules: types.ModuleType) -> types.FunctionType:
    """Return the game's implementation of a contract's function; any other function as it is."""
    name = CONTRACTS.get(function.__module__)
    if name is None:
        return function
    module = rules if name == "rules" else _sibling(rules, name)
    found: types.FunctionType = getattr(module, function.__name__, function)
    return found


def _sibling(rules: types.ModuleType, name: str) -> types.ModuleType | None:
    """Return another module of the game's folder, ``None`` if there is none."""
    assert rules.__package__ is not None
    return optional_module(rules.__package__, name)


def optional_module(package: str, name: str) -> types.ModuleType | None:
    """Import and return a module of a package, ``None`` if there is none."""
    full = f"{package}.{name}"
    return importlib.import_module(full) if importlib.util.find_spec(full) is not None else None


def entry_function(program: Program, rules: types.ModuleType) -> types.FunctionType:
    """Return the function behind a program: the game's own for a rule, else the generic one."""
    if not isinstance(program.function, types.FunctionType):
        raise TypeError(f"{program.function!r} is not a plain function")
    return _implementation(program.function, rules)


def link_plain(program: Program, rules: types.ModuleType) -> Callable[..., Any]:
    """Return the program as an ordinary Python function, linked to ``rules``."""
    return _clone_plain(entry_function(program, rules), rules, {})


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
        for name, value in resolve(function, rules).items():
            is_function = isinstance(value, types.FunctionType)
            scope[name] = _clone_plain(value, rules, made) if is_function else value
    return made[function]


# --- hashing ------------------------------------------------------------------------------------


def _feed_code(digest: Any, code: types.CodeType) -> None:
    """Hash what a code object does, but not its file and line numbers."""
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


_UNFINISHED = "unfinished"


class Hasher:
    """Hashes functions with all that they call. One serves all programs of a game, so that callees are hashed once."""

    def __init__(self, rules: types.ModuleType) -> None:
        self.rules = rules
        self.known: dict[types.FunctionType, str] = {}
        versions = [importlib.metadata.version(package) for package in ("numba", "numpy")]
        # With the module's name, because what Numba loads from the cache imports its module by name.
        self.base = repr((FORMAT, INLINE_LIMIT, versions, sys.version_info[:3], rules.__name__))

    def of(self, function: types.FunctionType) -> str:
        """Return the hash of a function and everything it uses. ``TypeError`` on recursion."""
        if function not in self.known:
            self.known[function] = _UNFINISHED
            digest = hashlib.sha256(self.base.encode())
            digest.update(function.__name__.encode())
            _feed_code(digest, function.__code__)
            digest.update(repr(function.__defaults__).encode())
            for name, value in resolve(function, self.rules).items():
                if isinstance(value, types.FunctionType):
                    digest.update(name.encode() + self.of(value).encode())
                else:
                    _feed_value(digest, name, value)
            self.known[function] = digest.hexdigest()[:24]
        elif self.known[function] == _UNFINISHED:
            raise TypeError(f"{function.__module__}.{function.__name__} calls itself: rules and programs may not")
        return self.known[function]

    def of_entry(self, program: Program) -> str:
        """Return the hash of a program as linked to the game, its signature included."""
        digest = hashlib.sha256(f"{self.of(entry_function(program, self.rules))}{program.signature}".encode())
        for workspace in program.workspaces:
            # The order of fields matters, and the class's own place: what is loaded from the cache looks it up again.
            fields = tuple(zip(workspace.__annotations__, field_types(workspace), strict=True))
            digest.update(repr((workspace.__module__, workspace.__qualname__, fields)).encode())
        return digest.hexdigest()[:24]
