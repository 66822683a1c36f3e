"""From a game's programs to a WebAssembly object file: what the child process of a build does.

Each program is lowered by :mod:`triskele.core.jit` without optimisation; all are retargeted, linked into one LLVM
module, given exports that JavaScript can call, and optimised together for WebAssembly.

An export takes the program's arguments in order. An array is a pointer (a byte offset in the module's memory) and its
length along each dimension, 32-bit numbers. An integer is a 64-bit number (``BigInt`` in JavaScript), a truth value a
32-bit one. A record is its members one after the other. A Python exception traps.
"""

import importlib
import re
import types
from collections.abc import Iterator, Sequence
from typing import Any

from triskele.core import mathematics
from triskele.core.jit import STATUS_DONE, Array, Compiler, Fields, Kind, Lowered, Scalar
from triskele.core.link import Program
from triskele.core.wasm.errors import WasmError
from triskele.core.wasm.inlining import large_functions
from triskele.core.words import text

TRIPLE = "wasm32-unknown-unknown"

FEATURES = "+bulk-memory,+bulk-memory-opt,+mutable-globals,+nontrapping-fptoint,+sign-ext,+simd128"
"""What a browser must offer: Chrome 91, Firefox 89 and Safari 16.4 do.

SIMD makes the alpha-beta search 4 to 10 per cent faster, because every node copies a position twice
(``benchmarks/wasm.py``). What was tried beside it is in ``docs/wasm.md``.
"""

LIBRARY: dict[str, Program] = {
    "log": Program(mathematics.log, "float64(float64)"),
    "exp": Program(mathematics.exp, "float64(float64)"),
}
"""Functions of the C library that the module brings itself, so that it needs none of JavaScript's."""

INSTRUCTIONS = ("ceil", "fabs", "floor", "sqrt", "trunc")
"""Functions of the C library that are one instruction of WebAssembly."""

DATA = "search_data"
"""The export that says where the data of a search lies in memory."""

_PREFIX = "triskele."
"""Before the names of the functions in ``LIBRARY``: LLVM must not take them for the C library's."""

_FLOATS = ("float32", "float64")


def emit_object(rules: types.ModuleType, programs: Sequence[Program], data: bytes = b"") -> tuple[bytes, list[Lowered]]:
    """Return the object file of the programs linked to ``rules`` with some data, and what each export takes and gives.

    ``WasmError`` when something in them cannot be in a module. Takes seconds. ``NUMBA_OPT=0`` must be set.
    """
    llvm: Any = importlib.import_module("llvmlite.binding")
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(
        cpu="generic", features=FEATURES, opt=3, reloc="static"
    )
    layout = str(machine.target_data)
    compiler = Compiler(rules, large_functions(rules, programs))
    lowered = [compiler.lower(program) for program in programs]
    library = [compiler.lower(program) for program in LIBRARY.values()]
    exports = [function.name for function in lowered]
    whole = _parse(llvm, layout, "")
    for function in [*lowered, *library]:
        module = _parse(llvm, layout, function.ir)
        for defined in _defined(module.functions):
            # Many modules hold the same function; Numba's linkage would drop those that this module does not call.
            defined.linkage = "weak_odr"
        whole.link_in(module)
    wrappers = [_wrapper(function, function.name) for function in lowered]
    wrappers += [_wrapper(function, _PREFIX + name) for name, function in zip(LIBRARY, library, strict=True)]
    for wrapper in wrappers:
        whole.link_in(_parse(llvm, layout, wrapper))
    whole = _parse(llvm, layout, _with_own_library(str(whole)))
    for defined in _defined(whole.functions):
        if defined.name not in exports:
            defined.linkage = "internal"
    for variable in _defined(whole.global_variables):
        variable.linkage = "internal"
    whole.link_in(_parse(llvm, layout, _constant(data)))
    whole.verify()
    _optimise(llvm, machine, whole)
    check_portable(str(whole))
    return machine.emit_object(whole), lowered


def _parse(llvm: Any, layout: str, ir: str) -> Any:
    """Return a module for WebAssembly from the text of one for this machine."""
    ir = re.sub(r"^target (datalayout|triple) = .*$", "", ir, flags=re.MULTILINE)
    return llvm.parse_assembly(f'target datalayout = "{layout}"\ntarget triple = "{TRIPLE}"\n{ir}')


def _constant(data: bytes) -> str:
    """Return a module that holds some data."""
    escaped = "".join(f"\\{byte:02X}" for byte in data)
    return f'@{DATA} = constant [{len(data)} x i8] c"{escaped}", align 16\n'


def _defined(values: Any) -> Iterator[Any]:
    return (value for value in values if not value.is_declaration)


def _optimise(llvm: Any, machine: Any, module: Any) -> None:
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    builder = llvm.create_pass_builder(machine, options)
    # What the first run inlines the second one simplifies.
    for _ in range(2):
        builder.getModulePassManager().run(module, builder)


def _with_own_library(ir: str) -> str:
    """Return a module whose calls of the C library's functions are calls of ours, or instructions."""
    for name in LIBRARY:
        for theirs in (f"llvm.{name}.f64", name):
            ir = _with_calls_of(ir, theirs, f'"{_PREFIX}{name}"')
    for name in INSTRUCTIONS:
        instruction = f"llvm.{name}.f64"
        ir = _with_calls_of(ir, name, instruction)
        ir = _with_calls_of(ir, instruction, instruction) + f"\ndeclare double @{instruction}(double)\n"
    return ir


def _with_calls_of(ir: str, old: str, new: str) -> str:
    """Return a module that calls ``new`` instead of ``old``, which is no longer declared."""
    ir = re.sub(rf"^declare [^\n]*@{re.escape(old)}\([^\n]*\n", "", ir, flags=re.MULTILINE)
    return re.sub(rf"@{re.escape(old)}(?=\()", f"@{new}", ir)


def check_portable(ir: str) -> None:
    """Refuse an optimised module that would need something of the machine that built it.

    That is an address (Numba refers to large tables and to its own helpers by where they are in memory), or a function
    that is neither in the module nor an instruction.
    """
    used = re.search(r"@(numba\.dynamic\.globals\.\w+)|inttoptr \(i\d+ -?\d{4,}|inttoptr i\d+ -?\d{4,}", ir)
    if used is not None:
        raise WasmError(text("core.wasm-address", where=used[0]))
    declared = re.findall(r"^declare [^@]*@(?!llvm\.)\"?([\w.$]+)", ir, flags=re.MULTILINE)
    missing = sorted(name for name in declared if len(re.findall(rf"@\"?{re.escape(name)}\b", ir)) > 1)
    if missing:
        raise WasmError(text("core.wasm-undefined", names=", ".join(missing)))


# --- exports ----------------------------------------------------------------------------------------


class _Wrapper:
    """Writes the function in LLVM's language that takes what JavaScript gives and calls a lowered function."""

    def __init__(self) -> None:
        self.parameters: list[str] = []
        self.body: list[str] = []
        self.passed: list[str] = ["ptr %result", "ptr %error"]

    def _parameter(self, kind: str) -> str:
        name = f"%p{len(self.parameters)}"
        self.parameters.append(f"{kind} {name}")
        return name

    def _value(self, expression: str) -> str:
        name = f"%v{len(self.body)}"
        self.body.append(f"{name} = {expression}")
        return name

    def take(self, kind: Kind) -> None:
        """Take one argument and pass it on."""
        if isinstance(kind, Fields):
            for _, member in kind.members:
                self.take(member)
        elif isinstance(kind, Array):
            self._take_array(kind)
        else:
            native = _native(kind.number)
            taken = native if kind.number in _FLOATS else "i32" if kind.number == "bool" else "i64"
            value = self._parameter(taken)
            if kind.number == "bool":
                value = self._value(f"icmp ne i32 {value}, 0")
                value = self._value(f"zext i1 {value} to i8")
            elif taken != native:
                value = self._value(f"trunc i64 {value} to {native}")
            self.passed.append(f"{native} {value}")

    def _take_array(self, array: Array) -> None:
        data = self._parameter("ptr")
        lengths = [
            self._value(f"zext i32 {self._parameter('i32')} to i64")  # a module's memory has 32-bit addresses
            for _ in range(array.dimensions)
        ]
        strides = [str(array.item_size)]
        for length in reversed(lengths[1:]):
            strides.insert(0, self._value(f"mul i64 {strides[0]}, {length}"))
        items = lengths[0]
        for length in lengths[1:]:
            items = self._value(f"mul i64 {items}, {length}")
        counts = [items, str(array.item_size)]
        self.passed += ["ptr null", "ptr null", *(f"i64 {count}" for count in counts), f"ptr {data}"]
        self.passed += [f"i64 {number}" for number in (*lengths, *strides)]


def _wrapper(function: Lowered, name: str) -> str:
    """Return a module with the export of a lowered function."""
    wrapper = _Wrapper()
    for _, kind in function.arguments:
        wrapper.take(kind)
    declared = ", ".join(argument.rsplit(" ", 1)[0] for argument in wrapper.passed)
    if declared != ", ".join(_parameter_types(function)):
        raise TypeError(f"{function.name} does not take its arguments as it should: {declared}")
    given, back = _returned(function.result)
    return f"""
declare i32 @{function.symbol}({declared})
declare void @llvm.trap()

define {given} @"{name}"({", ".join(wrapper.parameters)}) {{
  %result = alloca i64, align 8
  %error = alloca ptr, align 8
  {chr(10).join(wrapper.body)}
  %status = call i32 @{function.symbol}({", ".join(wrapper.passed)})
  %done = icmp eq i32 %status, {STATUS_DONE[0]}
  %nothing = icmp eq i32 %status, {STATUS_DONE[1]}
  %good = or i1 %done, %nothing
  br i1 %good, label %fine, label %failed
failed:
  call void @llvm.trap()
  unreachable
fine:
  {back}
}}
"""


def _parameter_types(function: Lowered) -> list[str]:
    """Return the types of the arguments in the definition of a lowered function."""
    found = re.search(rf"^define [^\n]*@{re.escape(function.symbol)}\((.*)\)[^)]*{{$", function.ir, flags=re.MULTILINE)
    return [] if found is None else [argument.split(" ", 1)[0] for argument in found[1].split(", ")]


def _native(scalar: str) -> str:
    """Return LLVM's name of a number's type."""
    named = {"float64": "double", "float32": "float", "bool": "i8"}
    return named.get(scalar) or "i" + scalar.lstrip("uint")


def _returned(result: Scalar | None) -> tuple[str, str]:
    """Return the type that an export returns, and the instructions that return it."""
    if result is None:
        return "void", "ret void"
    if result.number in _FLOATS:
        native = _native(result.number)
        return native, f"%out = load {native}, ptr %result\n  ret {native} %out"
    if result.number == "bool":
        return "i32", "%out = load i8, ptr %result\n  %wide = zext i8 %out to i32\n  ret i32 %wide"
    native = _native(result.number)
    if native == "i64":
        return "i64", "%out = load i64, ptr %result\n  ret i64 %out"
    widen = "zext" if result.number.startswith("u") else "sext"
    return "i64", f"%out = load {native}, ptr %result\n  %wide = {widen} {native} %out to i64\n  ret i64 %wide"
