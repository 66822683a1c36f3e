"""Linking and compiling: the cache, what goes wrong with it, and that nobody waits."""

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from triskele.core import bits
from triskele.core import compile as compile_module
from triskele.core.compile import Linker, Program, cache_folder
from triskele.core.compiler_lock import compiler_lock
from triskele.core.game import game
from triskele.core.link import Hasher, link_plain
from triskele.core.playout import PLAYOUTS
from triskele.engines import engine
from triskele.games.yinsh import rules

FIRST_MOVE = """
import sys, triskele
pos = triskele.new("yinsh")
pos.push("f6")
print(pos.legal_moves[0], "numba" in sys.modules)
"""


FIRST_SEARCH = """
import triskele
from triskele.core.compile import Linker
def compiled_only(linker, program):
    assert linker.ready(program) is not None, "searched with plain code"
    return linker.ready(program)
Linker.best = compiled_only
print(triskele.best_move(triskele.new("yinsh"), nodes=3000))
"""


def run(code: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    return done.stdout + done.stderr


@pytest.mark.parametrize("word", [1, 2, 3, 0b1011000, (1 << 62) | 1, (1 << 63) - 1])
def test_compiled_bits_equal_plain_ones(word):
    linker = Linker(rules)
    linker.program(PLAYOUTS)
    primitives = linker._compiler.primitives
    numba = linker._compiler.numba
    for name in ("ctz", "msb", "popcount"):
        primitive = primitives[name]
        compiled = numba.njit(lambda value, primitive=primitive: primitive(value))
        assert compiled(word) == getattr(bits, name)(word)
    for k in range(word.bit_count()):
        assert primitives["select"](word, k) == bits.select(word, k)


def test_random_numbers_are_the_same_plain_and_compiled():
    linker = Linker(rules)
    linker.program(PLAYOUTS)
    below = linker._compiler.primitives["below"]
    one, other = bits.seed(99), bits.seed(99)
    assert [bits.below(one, n) for n in range(1, 400)] == [int(below(other, n)) for n in range(1, 400)]
    assert one[0] == other[0]


def test_a_new_process_moves_before_anything_is_compiled(tmp_path):
    assert run(FIRST_MOVE, TRISKELE_CACHE=str(tmp_path / "cold")).split() == ["a2", "False"]


def test_a_cache_folder_that_cannot_be_written_does_no_harm(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    code = """
import json
from triskele.core.game import game
rules = game("tryad").linker.compile_rules()
print(json.dumps(rules.compiled))
"""
    result, *said = run(code, TRISKELE_CACHE=str(blocked / "cache")).splitlines()
    assert json.loads(result) is True
    assert len(said) == 1
    assert str(blocked / "cache") in said[0]
    assert blocked.read_text() == "in the way"


def test_a_cache_that_cannot_be_written_is_said_once(tmp_path, monkeypatch, capfd):
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    monkeypatch.setenv("TRISKELE_CACHE", str(blocked / "cache"))
    code = """
import subprocess, sys
from triskele.core.game import game
linker = game("tryad").linker
some = list(linker._programs.values())[:2]
for program in some:
    linker.program(program)
if len(sys.argv) == 1:
    subprocess.run([sys.executable, __file__, "again"], check=True)
"""
    script = tmp_path / "script.py"
    script.write_text(code)
    subprocess.run([sys.executable, str(script)], check=True, env={**os.environ, "LC_ALL": "C"})
    (line,) = capfd.readouterr().err.splitlines()
    assert line.startswith(f"triskele: compiled rules cannot be kept in {blocked / 'cache'} (Not a directory)")


def test_a_search_waits_for_compiled_code_that_only_has_to_be_loaded():
    engine("alphabeta", "yinsh").get_ready()
    assert len(run(FIRST_SEARCH).split()) == 1


def test_damaged_cache_files_are_compiled_anew(tmp_path):
    code = """
import json
from triskele.core.compile import Program
from triskele.core import contract
from triskele.core.game import game
print(json.dumps(int(game("tryad").linker.program(Program(contract.actor, "int64(int64[::1])"))(
    game("tryad").variant().first_state()))))
"""
    first = run(code, TRISKELE_CACHE=str(tmp_path))
    damaged = list(tmp_path.glob("*.nb*"))
    assert damaged
    for path in damaged:
        path.write_bytes(b"no compiled function")
    assert run(code, TRISKELE_CACHE=str(tmp_path)) == first


def test_the_hash_changes_with_a_constant_and_a_callee_but_not_with_a_comment(monkeypatch):
    before = Hasher(rules).of_entry(PLAYOUTS)
    assert Hasher(rules).of_entry(PLAYOUTS) == before
    with monkeypatch.context() as patch:
        patch.setattr(rules, "MARKERS", 50)
        assert Hasher(rules).of(rules.start) != Hasher(rules).of(rules.apply)
        changed = Hasher(rules).of(rules.start)
    assert Hasher(rules).of(rules.start) != changed
    assert Hasher(rules).of_entry(PLAYOUTS) == before


def test_a_function_that_calls_itself_is_refused_clearly():
    with pytest.raises(TypeError, match="calls itself"):
        Hasher(rules).of(_endless)


def _endless(n: int) -> int:
    return _endless(n - 1) if n else 0


def test_programs_can_be_prepared_in_the_background(tmp_path, monkeypatch):
    monkeypatch.setenv("TRISKELE_CACHE", str(tmp_path))
    linker = Linker(game("tryad").rules_module)
    assert linker.ready(PLAYOUTS) is None
    linker.prepare([PLAYOUTS])
    linker._background.join(timeout=240)
    assert linker.compiled
    assert linker.ready(PLAYOUTS) is not None
    assert list(Path(tmp_path).glob("triskele.games.tryad.playouts.*.ready"))


def test_machine_code_is_made_of_programs_and_not_of_the_functions_they_call(tmp_path, monkeypatch):
    monkeypatch.setenv("TRISKELE_CACHE", str(tmp_path))
    codegen = importlib.import_module("numba.core.codegen")
    made: list[str] = []
    add_module = codegen.JITCPUCodegen._add_module
    monkeypatch.setattr(
        codegen.JITCPUCodegen, "_add_module", lambda its, module: (made.append(module.name), add_module(its, module))[1]
    )
    linker = Linker(game("tryad").rules_module)
    linker.program(PLAYOUTS)
    assert linker._compiler.built
    assert sum(name.startswith("playouts_") for name in made) == 1
    assert not [
        name for name in made for function in linker._compiler.built if name.startswith(f"{function.__name__}_")
    ]


def test_processes_compile_one_after_the_other(tmp_path, monkeypatch):
    """Nothing is compiled while another process holds the lock; who waited finds everything in the cache."""
    monkeypatch.setenv("TRISKELE_CACHE", str(tmp_path))
    command = [sys.executable, "-m", "triskele.core.compile", "triskele.games.tryad.rules"]
    with compiler_lock(tmp_path), compiler_lock(tmp_path):  # one process may take it twice
        waiting = [subprocess.Popen(command, stdin=subprocess.PIPE) for _ in range(2)]
        with pytest.raises(subprocess.TimeoutExpired):
            waiting[0].wait(timeout=3)
        assert not list(tmp_path.glob("*.nb*"))
    for process in waiting:
        assert process.wait(timeout=240) == 0
        process.stdin.close()
    assert not Linker(game("tryad").rules_module).is_cold([])


def test_what_is_in_the_cache_is_loaded_while_another_process_compiles():
    linker = Linker(game("tryad").rules_module)
    linker.program(PLAYOUTS)
    code = "from triskele.core.game import game; game('tryad').linker.compile_rules(); print('loaded')"
    linker.compile_rules()
    with compiler_lock(cache_folder()):
        assert run(code) == "loaded\n"


def test_plain_only_keeps_to_plain_functions(monkeypatch):
    monkeypatch.setenv("TRISKELE_PLAIN", "1")
    linker = Linker(rules)
    linker.prepare()
    assert linker._background is None
    assert not linker.compile_rules().compiled or linker._compiler is None
    variant = game("yinsh").variant({})
    moves = np.zeros(variant.moves_limit, dtype=np.int64)
    made = linker.program(PLAYOUTS)(variant.first_state(), variant.first_state(), moves, bits.seed(1), 1, 1000)
    again = link_plain(PLAYOUTS, rules)(variant.first_state(), variant.first_state(), moves, bits.seed(1), 1, 1000)
    assert made == again


def test_a_program_that_no_module_holds_cannot_be_prepared_elsewhere():
    with pytest.raises(LookupError, match="no module-level Program"):
        _ = Program(_endless, "int64(int64)").path


def test_a_compiler_ends_with_the_process_that_wanted_it(tmp_path):
    command = [sys.executable, "-m", "triskele.core.compile", "triskele.games.conquest.rules"]
    environment = {**os.environ, "TRISKELE_CACHE": str(tmp_path)}
    compiler = subprocess.Popen(command, stdin=subprocess.PIPE, env=environment)
    with pytest.raises(subprocess.TimeoutExpired):
        compiler.wait(2)
    compiler.stdin.close()  # as happens when that process dies
    assert compiler.wait(20) == 1


def test_a_process_that_only_referees_stays_with_plain_rules(monkeypatch):
    monkeypatch.delenv("TRISKELE_PLAIN", raising=False)
    monkeypatch.setattr(compile_module, "_kept_plain", False)
    compile_module.keep_plain()
    linker = Linker(rules)
    for _ in range(2 * compile_module.COMPILE_AFTER_MOVES):
        linker.warm()
    linker.prepare()
    assert linker._background is None
    assert not linker.compiled
