"""Numba, and the only place that knows it: what turns linked functions into machine code or into LLVM's language.

:class:`Compiler` clones a function and all that it calls over one game's names and gives the clones to Numba. Two
back ends use it: :mod:`triskele.core.compile` for this machine, :mod:`triskele.core.wasm` for WebAssembly.

Facts about Numba 0.68 that are relied on here and nowhere else; the version is pinned for them:

- the undocumented options ``_nrt=False`` (no reference counting, so no allocation) and ``forceinline=True``,
  together a third of the speed;
- its cache files are keyed by ``__qualname__``, which is why the hash goes in there;
- how a compiled function takes its arguments (:class:`Lowered`);
- what a library of code does when it is finalized and linked, and what lowering leaves behind (:func:`_pipelines`);
- that ``numba.np.arrayobj.fix_integer_index`` lets negative indices count from the end.
"""

import builtins
import functools
import importlib
import re
import sys
import types
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from triskele.core import bits
from triskele.core.link import INLINE_LIMIT, Hasher, Program, entry_function, resolve
from triskele.core.workspace import field_types

# --- what a lowered function takes ----------------------------------------------------------------


@dataclass(frozen=True)
class Scalar:
    """A number; ``number`` is Numba's name of its type, such as ``int64`` or ``float64``."""

    number: str


@dataclass(frozen=True)
class Array:
    """A C-contiguous array of numbers, each of Numba's type ``number``."""

    number: str
    item_size: int
    dimensions: int


@dataclass(frozen=True)
class Fields:
    """A tuple with named members (by their index in a plain tuple)."""

    members: "tuple[tuple[str, Kind], ...]"


Kind = Scalar | Array | Fields
"""What an argument is."""


@dataclass(frozen=True)
class Lowered:
    """A function of a game in LLVM's language, not optimised, with everything that it calls.

    The function ``symbol`` returns a status (``STATUS_DONE`` are the good ones) and takes: a pointer to its result, a
    pointer to a pointer for details of an error, and its arguments. A scalar is one value; an array is two pointers
    that are not used here, the number of items, the size of an item, the pointer to the data, the length and the stride
    in bytes along each dimension, all counts 64 bits wide; a record is its members one after the other.
    """

    name: str
    symbol: str
    ir: str
    arguments: tuple[tuple[str, Kind], ...]
    result: Scalar | None


STATUS_DONE = (0, -2)
"""What a lowered function returns when all went well: there is a result, or there is none."""


# --- compiling --------------------------------------------------------------------------------------


class Compiler:
    """Compiles programs for one game. Creating one imports Numba, which takes a moment.

    Functions that are ``called`` are not inlined, however small they are by themselves.
    """

    def __init__(self, rules: types.ModuleType, called: frozenset[types.FunctionType] = frozenset()) -> None:
        self.rules = rules
        self.called = called
        self.numba: Any = importlib.import_module("numba")  # by name: the options used here are not in its type stubs
        self.hasher = Hasher(rules)
        self.built: dict[types.FunctionType, Any] = {}
        self.primitives = _compiled_bits(self.numba)

    def compile(self, program: Program, cache: Path | None = None) -> Callable[..., Any]:
        """Return the compiled twin of a program; from the folder ``cache`` if it is there, else it is put there."""
        function = entry_function(program, self.rules)
        clone = self._clone(function, f"{function.__name__}_{self.hasher.of_entry(program)}")
        dispatcher: Any = self.numba.njit(nogil=True, _nrt=False, **_pipelines().entry)(clone)
        if cache is not None:
            dispatcher._cache = _cache_class(cache)(clone)
        dispatcher.compile(self._signature(program))
        dispatcher.disable_compile()
        twin: Callable[..., Any] = dispatcher
        return twin

    def lower(self, program: Program) -> Lowered:
        """Return a program linked to the game in LLVM's language.

        Numba must not optimise it for this machine: in a process that lowers, ``NUMBA_OPT=0`` is set from the start.
        """
        if int(self.numba.config.OPT) != 0:
            raise RuntimeError("lowering needs NUMBA_OPT=0 from the start of the process")
        _take_indices_as_they_are()
        function = entry_function(program, self.rules)
        dispatcher = self._inner(function)
        wanted = self._signature(program)
        dispatcher.compile(wanted)
        arguments, _ = self.numba.core.sigutils.normalize_signature(wanted)
        compiled = dispatcher.overloads[tuple(arguments)]
        names = function.__code__.co_varnames
        kinds = [_kind(self.numba.types, argument) for argument in compiled.signature.args]
        returned = compiled.signature.return_type
        result = None if returned == self.numba.types.none else Scalar(str(returned))
        ir = _without_wrappers(compiled.library.get_llvm_str())
        signature = tuple(zip(names, kinds, strict=False))
        return Lowered(program.function.__name__, compiled.fndesc.mangled_name, ir, signature, result)

    def _signature(self, program: Program) -> Any:
        """Return a program's signature with Numba's types and its workspaces' instead of their names."""
        known = dict(vars(self.numba.types))
        for workspace in program.workspaces:
            fields = [eval(field, {}, known) for field in field_types(workspace)]
            known[workspace.__name__] = self.numba.types.NamedTuple(fields, workspace)
        return eval(program.signature, {}, known)

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
            small = len(function.__code__.co_code) <= INLINE_LIMIT and function not in self.called
            compiled = self.numba.njit(nogil=True, _nrt=False, forceinline=small, **_pipelines().inner)
            self.built[function] = compiled(clone)
        return self.built[function]


class _Pipelines(NamedTuple):
    """Options that name Numba's compiler: for a program, and for the functions that programs call."""

    entry: dict[str, Any]
    inner: dict[str, Any]


@functools.cache
def _pipelines() -> _Pipelines:
    """Return pipelines by which a program is optimised once, together with all that it calls.

    Numba's own pipeline optimises each function with all that it calls, and so again in each of its callers, and makes
    machine code and wrappers for Python of each. Where nothing is optimised, to be lowered, it serves as it is.
    """
    numba: Any = importlib.import_module("numba")
    if int(numba.config.OPT) == 0:
        return _Pipelines({}, {})
    compiler: Any = importlib.import_module("numba.core.compiler")
    machinery: Any = importlib.import_module("numba.core.compiler_machinery")
    codegen: Any = importlib.import_module("numba.core.codegen")
    passes: Any = importlib.import_module("numba.core.typed_passes")
    functions: Any = importlib.import_module("numba._dynfunc")

    def finalize_inner(library: Any) -> None:
        library._finalized = True  # neither linked, nor optimised, nor made machine code

    def link(library: Any, other: Any) -> None:
        """Link a library, and what that one would have linked; Numba's own last, of which only what is used is."""
        other._ensure_finalized()
        for each in (other, *other._linking_libraries) if isinstance(other, inner_library) else (other,):
            if each not in library._linking_libraries:
                library._linking_libraries.insert(0 if isinstance(each, inner_library) else sys.maxsize, each)

    def optimise(library: Any) -> None:
        """Optimise all that was linked as one; nobody else calls the inner functions here."""
        for other in library._linking_libraries:
            if isinstance(other, inner_library):
                for function in other.get_defined_functions():
                    library._final_module.get_function(function.name).linkage = "internal"
        codegen.JITCodeLibrary._optimize_final_module(library)

    entry_library: Any = type(
        "EntryLibrary", (codegen.JITCodeLibrary,), {"add_linking_library": link, "_optimize_final_module": optimise}
    )
    inner_library: Any = type(
        "InnerLibrary",
        (codegen.JITCodeLibrary,),
        {
            "add_linking_library": link,
            "finalize": finalize_inner,
            "_get_module_for_linking": lambda library: library._final_module,
        },
    )

    def callable_from_compiled_code(_: Any, state: Any) -> bool:
        """Register a function that has no machine code, which Numba knows by an object of Python, never called."""
        lowered = state["cr"]
        name = lowered.fndesc.qualname
        known = functions.make_function(lowered.fndesc.lookup_module(), name, name, 0, lowered.env, (state.library,))
        state.targetctx.insert_user_function(known, lowered.fndesc, [state.library])
        state["cr"] = lowered._replace(cfunc=known)
        return True

    registration = machinery.register_pass(mutates_CFG=False, analysis_only=False)(
        type(
            "RegisterInner",
            (machinery.LoweringPass,),
            {"__init__": lambda _: None, "_name": "register_inner", "run_pass": callable_from_compiled_code},
        )
    )

    def define(pipeline: Any, library: Any) -> Any:
        state = pipeline.state
        state.library = library(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return compiler.DefaultPassBuilder.define_nopython_pipeline(state)

    def define_entry(pipeline: Any) -> list[Any]:
        return [define(pipeline, entry_library)]

    def define_inner(pipeline: Any) -> list[Any]:
        flags = pipeline.state.flags
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        passes_of_inner = define(pipeline, inner_library)
        passes_of_inner.add_pass_after(registration, passes.NativeLowering)
        passes_of_inner.finalize()
        return [passes_of_inner]

    entry, inner = (
        type(name, (compiler.CompilerBase,), {"define_pipelines": defined})
        for name, defined in (("EntryCompiler", define_entry), ("InnerCompiler", define_inner))
    )
    return _Pipelines({"pipeline_class": entry}, {"pipeline_class": inner})


@functools.cache
def _take_indices_as_they_are() -> None:
    """Let negative indices no longer count from the end, in this process, which lowers and does nothing else.

    Rules and programs use none (:mod:`triskele.core.checked_arrays`). WebAssembly, whose addresses are half as wide as
    the indices, is 8 to 9 per cent faster without the test (``docs/wasm.md``).
    """
    arrays: Any = importlib.import_module("numba.np.arrayobj")
    word: Any = importlib.import_module("numba.core.types").intp
    arrays.fix_integer_index = lambda context, builder, kind, index, size: context.cast(builder, index, kind, word)


def _kind(types: Any, argument: Any) -> Kind:
    """Return what a Numba type is as an argument; ``TypeError`` for one that is not taken apart here."""
    if isinstance(argument, types.Array):
        if argument.layout != "C":
            raise TypeError(f"an array must be C-contiguous, not {argument}")
        return Array(str(argument.dtype), argument.dtype.bitwidth // 8, argument.ndim)
    if isinstance(argument, types.BaseTuple):
        names = getattr(argument, "fields", range(len(argument)))
        return Fields(tuple((str(name), _kind(types, member)) for name, member in zip(names, argument, strict=True)))
    if isinstance(argument, types.Integer | types.Float | types.Boolean):
        return Scalar(str(argument))
    raise TypeError(f"{argument} cannot be an argument")


def _without_wrappers(ir: str) -> str:
    """Return a module without the wrappers that CPython would call: they would drag in its C interface."""
    return re.sub(r"^define [^\n]*@(?:_ZN7cpython|cfunc\.)[^\n]*{\n.*?^}\n", "", ir, flags=re.MULTILINE | re.DOTALL)


@functools.cache
def _cache_class(folder: Path) -> Any:
    """Return a class for Numba's disk cache that keeps everything in one folder.

    Its source stamp is constant: the hash in a function's name identifies what was compiled, while Numba's own
    stamp would recompile everything after a changed comment.
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
    """Return a compiled function of one word whose body ``emit(builder, word)`` builds."""
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
    # The second operand says that the word is not zero, which saves an instruction.
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
