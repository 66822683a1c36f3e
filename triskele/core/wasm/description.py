"""The JSON beside a module: all that a page must know to call it."""

import dataclasses
import hashlib
import importlib
import importlib.metadata
import inspect
import platform
from collections.abc import Iterable
from typing import Any

import numpy as np

from triskele.core.contract import CHANCE, OVER
from triskele.core.contract.search_program import (
    F_DEPTH,
    F_LINES,
    F_NODES,
    F_SEATS,
    L_CODES,
    L_LENGTH,
    L_PROVEN,
    MOST_LINES,
    QUESTION,
    QUESTION_WORDS,
    REPORT,
    RUNNING,
    SETTLED,
    SPENT,
    Field,
    SearchProgram,
)
from triskele.core.game import Game
from triskele.core.jit import Array, Fields, Kind, Lowered
from triskele.core.link import Program
from triskele.core.options import Choice, Flag, Number, Option, Pattern, Value

DEFAULT = "default"
"""The name of the option set with everything at its default."""

_ALIGNMENT = 16
"""Where arrays may begin in a module's data."""

_EXACT = 1 << 53
"""Whole numbers from here on are written as strings: JavaScript would round them."""


def export_of(program: Program, function: Lowered) -> dict[str, Any]:
    """Return what an export takes and gives, as plain data."""
    about = (inspect.getdoc(program.function) or "").partition("\n")[0]
    return {
        "name": function.name,
        "about": about,
        "arguments": [{"name": name, **_kind(kind)} for name, kind in function.arguments],
        "result": None if function.result is None else function.result.number,
    }


def _kind(kind: Kind) -> dict[str, Any]:
    if isinstance(kind, Fields):
        return {"kind": "record", "members": [{"name": name, **_kind(member)} for name, member in kind.members]}
    if isinstance(kind, Array):
        return {"kind": "array", "type": kind.number, "dimensions": kind.dimensions}
    return {"kind": "scalar", "type": kind.number}


def describe(
    game: Game, exports: list[Any], hashes: dict[str, Any], wasm: bytes, search: SearchProgram | None = None
) -> dict[str, Any]:
    """Return the description of a game's module; ``search`` is the search that it contains."""
    rules = game.rules_module
    packages = ("numba", "llvmlite", "numpy")
    constants = {name: getattr(rules, name) for name in ("SIZE", "LOG", "MOVES", "ACTIONS")}
    return {
        **hashes,
        "sha256": hashlib.sha256(wasm).hexdigest(),
        "game": game.name,
        "title": game.title,
        "versions": {
            "triskele": importlib.import_module("triskele").__version__,
            "rules": rules.VERSION,
            "python": platform.python_version(),
            **{package: importlib.metadata.version(package) for package in packages},
        },
        "hidden": game.hidden,
        "chance": game.chance,
        "constants": {**constants, "CHANCE": CHANCE, "OVER": OVER, "REASONS": list(rules.REASONS)},
        "seats": game.seats or None,
        "options": [_option(game, option) for option in game.options],
        "option_sets": {_set_name(game, chosen): _option_set(game, chosen) for chosen in game.option_sets},
        "search": None if search is None else _search(game, search),
        "exports": exports,
    }


def search_data(search: SearchProgram) -> tuple[bytes, dict[str, int]]:
    """Return the arrays of a search that never change, as one piece of data, and where each begins."""
    data = b""
    offsets = {}
    for field in search.fields:
        if isinstance(field.initial, np.ndarray):
            offsets[field.name] = len(data)
            data += field.initial.tobytes()
            data += bytes(-len(data) % _ALIGNMENT)
    return data, offsets


def _search(game: Game, search: SearchProgram) -> dict[str, Any]:
    """Return how a search is driven: see :mod:`triskele.core.contract.search_program`."""
    offsets = search_data(search)[1]
    capacity = search.capacity
    return {
        "name": search.name,
        "start": search.start.function.__name__,
        "resume": search.resume.function.__name__,
        "statuses": {"RUNNING": RUNNING, "REPORT": REPORT, "SETTLED": SETTLED, "SPENT": SPENT},
        "question": {"length": QUESTION, "words": list(QUESTION_WORDS)},
        "found": {"DEPTH": F_DEPTH, "NODES": F_NODES, "LINES": F_LINES, "SEATS": F_SEATS},
        "line": {"LENGTH": L_LENGTH, "PROVEN": L_PROVEN, "CODES": L_CODES},
        "most_lines": MOST_LINES,
        "first_slice": search.first_slice,
        "sampled": search.sampled,
        "history": search.history,
        "seed": search.seed,
        "appraises": search.appraises,
        "exact": search.exact,
        "capacity": None if capacity is None else dataclasses.asdict(capacity),
        "fields": [_field(field, offsets) for field in search.fields],
        "levels": [dataclasses.asdict(level) for level in game.evaluation.levels],
    }


def _field(field: Field, offsets: dict[str, int]) -> dict[str, Any]:
    shape = [part if isinstance(part, int) else {"size": part.name, "plus": part.plus} for part in field.shape]
    initial = {"data": offsets[field.name]} if isinstance(field.initial, np.ndarray) else {"fill": field.initial}
    return {"name": field.name, "type": field.dtype, "shape": shape, **initial}


def _option(game: Game, option: Option) -> dict[str, Any]:
    """Return an option with how its values are encoded: the rules get numbers."""
    document: dict[str, Any] = {"name": option.name, "default": option.default}
    if isinstance(option, Flag):
        return {**document, "kind": "flag"}
    if isinstance(option, Choice):
        return {**document, "kind": "choice", "choices": list(option.choices)}
    if isinstance(option, Number):
        allowed = {"only": list(option.only)} if option.only else {"low": option.low, "high": option.high}
        return {**document, "kind": "number", **allowed}
    if isinstance(option, Pattern) and option.rows:
        return {**document, "kind": "digits", "rows": list(option.rows), "high": option.high}
    # What another text means only Python can work out: the values in use are listed.
    used: set[Value] = {chosen.get(option.name, option.default) for chosen in ({}, *game.option_sets)}
    encodings = {option.write(value): _numbers(option.encode(value)) for value in sorted(used, key=str)}
    return {**document, "kind": "listed", "encodings": encodings}


def _set_name(game: Game, chosen: Any) -> str:
    return " ".join(f"{name}={game.option(name).write(value)}" for name, value in chosen.items()) or DEFAULT


def _option_set(game: Game, chosen: Any) -> dict[str, Any]:
    variant = game.variant(chosen)
    return {"options": dict(variant.options), "encoded": _numbers(variant.encoded.tolist()), "seats": variant.seats}


def _numbers(numbers: Iterable[int]) -> list[int | str]:
    return [int(number) if abs(number) < _EXACT else str(number) for number in numbers]
