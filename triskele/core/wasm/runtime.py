"""A module in Python: its exports take NumPy arrays and numbers, as the native functions do.

For tests and benchmarks; needs PyPI's ``wasmtime``.
"""

import ctypes
import importlib
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from triskele.core.contract.search_program import Field, SearchProgram
from triskele.core.search_driver import SearchDriver
from triskele.core.wasm.build import Module
from triskele.core.wasm.description import search_data
from triskele.core.wasm.lowering import DATA

PAGE = 65_536
_ALIGNMENT = 64


class Instance:
    """A module with its memory. ``instance.legal(state, moves)`` and so on call its exports.

    Arrays that :meth:`array` made lie in the module's memory and are passed as they are; others are copied in and
    back at every call. All arrays of one instance must fit into ``memory`` bytes.
    """

    def __init__(self, module: Module, memory: int = 1 << 26) -> None:
        """Instantiate ``module``, which may not import anything."""
        wasmtime: Any = importlib.import_module("wasmtime")
        self._store: Any = wasmtime.Store(wasmtime.Engine())
        exports = wasmtime.Instance(self._store, wasmtime.Module(self._store.engine, module.wasm), []).exports(
            self._store
        )
        self._exports: Mapping[str, Any] = exports
        held: Any = exports["memory"]
        held.grow(self._store, -(-memory // PAGE))
        size = held.data_len(self._store)
        pointer = ctypes.cast(held.data_ptr(self._store), ctypes.POINTER(ctypes.c_ubyte))
        self.memory = np.ctypeslib.as_array(pointer, (size,))
        """All of the module's memory as bytes."""
        self._start = self.memory.__array_interface__["data"][0]
        self._top = int(exports["__heap_base"].value(self._store))
        self._data = int(exports[DATA].value(self._store))
        self._arguments = {export["name"]: export["arguments"] for export in module.description["exports"]}

    def array(self, shape: int | tuple[int, ...], dtype: Any = np.int64) -> Any:
        """Return a new array of zeros in the module's memory; ``MemoryError`` when that is full."""
        lengths = (shape,) if isinstance(shape, int) else shape
        size = int(np.prod(lengths)) * np.dtype(dtype).itemsize
        begin = -(-self._top // _ALIGNMENT) * _ALIGNMENT
        if begin + size > len(self.memory):
            raise MemoryError("the module's memory is full")
        self._top = begin + size
        made = self.memory[begin : self._top].view(dtype).reshape(lengths)
        made[...] = 0
        return made

    def driver(self, program: SearchProgram) -> SearchDriver:
        """Return a driver of the module's search, with all arrays in the module's memory."""
        offsets = search_data(program)[1]

        def data(field: Field) -> Any:
            begin = self._data + offsets[field.name]
            shape = [length for length in field.shape if isinstance(length, int)]
            size = int(np.prod(shape)) * np.dtype(field.dtype).itemsize
            return self.memory[begin : begin + size].view(field.dtype).reshape(shape)

        return SearchDriver(program, self.array, data)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """Return an export as a function."""
        if name not in self.__dict__.get("_arguments", {}):
            raise AttributeError(f"the module has no export {name}")

        def call(*arguments: Any) -> Any:
            return self._call(name, arguments)

        setattr(self, name, call)
        return call

    def _call(self, name: str, arguments: tuple[Any, ...]) -> Any:
        flat: list[Any] = []
        copied: list[tuple[Any, Any]] = []
        before = self._top
        for kind, value in zip(self._arguments[name], arguments, strict=True):
            self._pass(kind, value, flat, copied)
        result = self._exports[name](self._store, *flat)
        for original, copy in copied:
            if original.flags.writeable:
                original[...] = copy
        self._top = before
        return result

    def _pass(self, kind: Any, value: Any, flat: list[Any], copied: list[tuple[Any, Any]]) -> None:
        """Add to ``flat`` what the export takes for one argument."""
        if kind["kind"] == "record":
            for member, part in zip(kind["members"], value, strict=True):
                self._pass(member, part, flat, copied)
        elif kind["kind"] == "array":
            if value.dtype != np.dtype(kind["type"]) or value.ndim != kind["dimensions"]:
                raise TypeError(f"{kind['name']} is an array of {kind['type']} with {kind['dimensions']} dimensions")
            at = value.__array_interface__["data"][0] - self._start
            if not 0 <= at < len(self.memory):
                copy = self.array(value.shape, value.dtype)
                copy[...] = value
                copied.append((value, copy))
                at = copy.__array_interface__["data"][0] - self._start
            flat.extend((at, *value.shape))
        else:
            flat.append(float(value) if kind["type"].startswith("float") else int(value))
