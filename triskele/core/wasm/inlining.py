"""Which functions of a module are called rather than inlined: large rules, of which the module has one copy anyway.

Native code inlines them wherever they are used, which is a little faster. A module would have a copy of them in every
program, and pages load modules: calling them makes Conquest's a third smaller.
"""

import dis
import types
from collections.abc import Iterable

from triskele.core import bits
from triskele.core.link import INLINE_LIMIT, Program, entry_function, resolve

LARGE = 8000
"""Functions with more bytecode than this, that of what they inline included, are called if they are exported, too."""


def large_functions(rules: types.ModuleType, programs: Iterable[Program]) -> frozenset[types.FunctionType]:
    """Return the functions behind some programs that are large."""
    sizes: dict[types.FunctionType, int] = {}
    entries = {entry_function(program, rules) for program in programs}
    return frozenset(entry for entry in entries if _expanded_size(entry, rules, sizes) > LARGE)


def _expanded_size(
    function: types.FunctionType, rules: types.ModuleType, sizes: dict[types.FunctionType, int]
) -> int:  # fmt: skip
    """Return the bytes of a function's bytecode and of all that it inlines, each as often as it is called."""
    if function.__module__ == bits.__name__:
        return 0  # an instruction or two
    if function not in sizes:
        meaning = resolve(function, rules)
        size = len(function.__code__.co_code)
        for instruction in dis.get_instructions(function.__code__):
            called = meaning.get(instruction.argval) if instruction.opname == "LOAD_GLOBAL" else None
            if isinstance(called, types.FunctionType) and len(called.__code__.co_code) <= INLINE_LIMIT:
                size += _expanded_size(called, rules, sizes)
        sizes[function] = size
    return sizes[function]
