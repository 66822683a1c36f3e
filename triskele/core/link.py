"""Linking generic programs to a game's rules.

A *program* is a plain function that uses names of a contract: of :mod:`triskele.core.contract`, or of
another module listed in ``CONTRACTS``. Linking clones it over fresh globals in which those names are
one game's functions. The plain link made here runs as ordinary Python: it serves until the compiled
twin of :mod:`triskele.core.compile` is ready, and tests and debuggers use it.
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

from triskele.core import bits, contract

FORMAT = 1
"""Version of the linking itself: raise it when a change here alters what gets compiled."""

INLINE_LIMIT = 1000
"""Functions of up to so many bytes of bytecode are inlined into their callers."""

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

CONTRACTS: dict[str, str] = {contract.__name__: "rules"}
"""Modules that state a contract -> the module in a game's folder that fulfils it.

A name that a program takes from a contract's module means, once linked, what the game's module says
under that name, and the contract's own function where the game says nothing. The engines add one.
"""

_CONSTANTS = ("SIZE", "LOG", "MOVES", "ACTIONS")


@dataclass(frozen=True)
class Program:
    """A generic function to be linked to games, with the Numba signature of its compiled twin."""

    function: Callable[..., Any]
    signature: str

    @property
    def path(self) -> str:
        """Where a second process finds it again: ``module:NAME`` of this very program."""
        module = sys.modules[self.function.__module__]
        for name, value in vars(module).items():
            if isinstance(value, Program) and value == self:
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


def resolve(function: types.FunctionType, rules: types.ModuleType) -> dict[str, Any]:
    """Return what each global name in ``function`` means when linked to ``rules``."""
    meaning: dict[str, Any] = {}
    for name in sorted(_code_names(function.__code__)):
        if name not in function.__globals__:
            continue  # a builtin, or an attribute such as .shape
        value = function.__globals__[name]
        if isinstance(value, types.FunctionType):
            value = _fulfilled(value, rules)
        elif name in _CONSTANTS and function.__module__ != rules.__name__:
            value = getattr(rules, name)
        meaning[name] = value
    return meaning


def _fulfilled(function: types.FunctionType, rules: types.ModuleType) -> types.FunctionType:
    """Return what the game of ``rules`` offers for a function of a contract; any other one as it is."""
    room = CONTRACTS.get(function.__module__)
    if room is None:
        return function
    fulfilling = rules if room == "rules" else _sibling(rules, room)
    found: types.FunctionType = getattr(fulfilling, function.__name__, function)
    return found


def _sibling(rules: types.ModuleType, room: str) -> types.ModuleType | None:
    """Return another module of the game's folder, if the game has it."""
    name = f"{rules.__package__}.{room}"
    if importlib.util.find_spec(name) is None:
        return None
    return importlib.import_module(name)


def entry_function(program: Program, rules: types.ModuleType) -> types.FunctionType:
    """Return the function behind a program: the game's own for a rule, else the generic one."""
    if not isinstance(program.function, types.FunctionType):
        raise TypeError(f"{program.function!r} is not a plain function")
    return _fulfilled(program.function, rules)


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


_UNFINISHED = "unfinished"


class Hasher:
    """Hashes functions with all that they call; one for a game, so that callees are done once."""

    def __init__(self, rules: types.ModuleType) -> None:
        self.rules = rules
        self.known: dict[types.FunctionType, str] = {}
        versions = [importlib.metadata.version(package) for package in ("numba", "numpy")]
        # The module's name belongs to it: what is loaded from the cache looks its module up again.
        self.base = repr((FORMAT, INLINE_LIMIT, versions, sys.version_info[:3], rules.__name__))

    def of(self, function: types.FunctionType) -> str:
        """Return the hash of a function and all that it uses."""
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
        function = entry_function(program, self.rules)
        return hashlib.sha256(f"{self.of(function)}{program.signature}".encode()).hexdigest()[:24]
