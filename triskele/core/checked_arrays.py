"""Plain rules and programs on arrays that refuse negative indices.

In Python a negative index counts from the end. WebAssembly modules do not know that: it would cost them a tenth of
their speed (``docs/wasm.md``). So rules and programs use none, which is checked here.
"""

import types
from collections.abc import Callable
from typing import Any

import numpy as np

from triskele.core.link import Program, link_plain


class CheckedArray(np.ndarray[Any, np.dtype[Any]]):
    """An array whose indices are not negative; a view of another one, ``array.view(CheckedArray)``."""

    def __getitem__(self, key: Any) -> Any:
        """Return an item or a part; ``IndexError`` for a negative index."""
        _check(key)
        return super().__getitem__(key)

    def __setitem__(self, key: Any, value: Any) -> None:
        """Set an item or a part; ``IndexError`` for a negative index."""
        _check(key)
        super().__setitem__(key, value)


def _check(key: Any) -> None:
    for part in key if isinstance(key, tuple) else (key,):
        if isinstance(part, int | np.integer) and part < 0:
            raise IndexError(f"the index {part} is negative")


def link_checked(program: Program, rules: types.ModuleType) -> Callable[..., Any]:
    """Return a program linked to ``rules`` as ordinary Python, with tables that refuse negative indices."""
    linked = link_plain(program, rules)
    assert isinstance(linked, types.FunctionType)
    _check_tables(linked, set())
    return linked


def _check_tables(function: types.FunctionType, seen: set[types.FunctionType]) -> None:
    """Exchange the tables that a clone and the clones it calls know as global names."""
    seen.add(function)
    for name, value in function.__globals__.items():
        if isinstance(value, np.ndarray):
            function.__globals__[name] = value.view(CheckedArray)
        elif isinstance(value, types.FunctionType) and value not in seen and "__name__" not in value.__globals__:
            _check_tables(value, seen)  # a clone; primitives, which are not cloned, have the names of their module
