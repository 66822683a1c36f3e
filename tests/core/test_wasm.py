"""WebAssembly modules: every answer of a module is that of the plain rules, for all games and option sets."""

import importlib
import importlib.util
import json
import math
import random
import shutil
import sys
import types
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import triskele
from tests.support.wasm import POSITIONS, Comparison, compare
from triskele.core import bits, mathematics
from triskele.core.compile import Linker
from triskele.core.game import Game
from triskele.core.game import game as game_by_name
from triskele.core.link import link_plain
from triskele.core.perft import PERFT
from triskele.core.playout import PLAYOUTS
from triskele.core.wasm.build import build_module, find_linker, source_hash
from triskele.core.wasm.errors import WasmError
from triskele.core.wasm.lowering import check_portable
from triskele.core.wasm.runtime import Instance

GAMES = [game.name for game in triskele.games()]


@pytest.fixture(scope="module")
def race_comparison(race: Game) -> Comparison:
    return compare(race)


@pytest.mark.parametrize("name", GAMES)
def test_all_option_sets_play_as_in_plain_python(name):
    assert compare(game_by_name(name)).all_sets(POSITIONS) >= POSITIONS


def test_a_game_of_another_package_plays_as_in_plain_python(race_comparison):
    assert race_comparison.all_sets(POSITIONS) >= POSITIONS


def test_outcomes_of_chance_have_the_weights_of_plain_python(registered):
    with registered(Path(__file__).parents[1] / "support" / "urn") as urn:
        assert compare(urn).all_sets(200) >= 200


@pytest.mark.parametrize("name", GAMES)
def test_random_games_with_a_seed_are_those_of_the_native_program(name):
    game = game_by_name(name)
    native = game.linker.program(PLAYOUTS)
    module = Instance(build_module(game))
    for options in game.option_sets:
        variant = game.variant(options)
        first = variant.first_state()
        states = [np.zeros(variant.size + 6000 * variant.log, dtype=np.int64) for _ in range(2)]
        generators = [bits.seed(7), bits.seed(7)]
        moves = np.zeros(variant.moves_limit, dtype=np.int64)
        made = [
            play(first, state, moves, generator, 3, 20_000)
            for play, state, generator in zip((native, module.playouts), states, generators, strict=True)
        ]
        assert made[0] == made[1] > 0
        assert states[0].tobytes() == states[1].tobytes()
        assert generators[0] == generators[1]


def test_counting_all_sequences_of_moves_gives_the_known_numbers(race_comparison):
    race = race_comparison.game
    state = race.variant().first_state()
    for depth in (1, 2, 3, 5):
        scratch = [np.zeros((depth, width), dtype=np.int64) for width in (len(state), race.rules_module.MOVES)]
        cursor = np.zeros(2 * depth, dtype=np.int64)
        plain = link_plain(PERFT, race.rules_module)(state, depth, *scratch, cursor)
        assert race_comparison.module.perft(state, depth, *scratch, cursor) == plain


# --- the comparison itself: it must find what is wrong ------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "mutant"),
    [
        ("move + 1, state[ROLLED]", "move + 2, state[ROLLED]"),
        ("if other != seat and", "if other > seat and"),
        ("else -1.0 / (state[PLAYERS] - 1)", "else -1.0 / state[PLAYERS]"),
    ],
)
def test_a_mutated_rule_is_caught(race_comparison, registered, tmp_path, rule, mutant):
    folder = tmp_path / "mutant"
    shutil.copytree(race_comparison.game.folder, folder)
    declaration = (folder / "__init__.py").read_text(encoding="utf-8")
    (folder / "__init__.py").write_text(declaration.replace('name="race"', 'name="mutant"'), encoding="utf-8")
    source = (folder / "rules.py").read_text(encoding="utf-8")
    assert rule in source
    (folder / "rules.py").write_text(source.replace(rule, mutant), encoding="utf-8")
    with registered(folder) as changed:
        module = Instance(build_module(changed))
    with pytest.raises(AssertionError):
        Comparison(race_comparison.game, module).all_sets(POSITIONS)


def test_rules_that_were_changed_in_memory_only_are_not_built(race, monkeypatch):
    monkeypatch.setattr(race.rules_module, "PICK", 7)
    with pytest.raises(WasmError, match="not the same in a file and in memory"):
        build_module(race)


# --- the build ----------------------------------------------------------------------------------------


def test_two_builds_are_the_same_bytes_and_import_nothing(race):
    first, second = (build_module(race, cached=False) for _ in range(2))
    assert first == second
    assert build_module(race) == first
    wasmtime = importlib.import_module("wasmtime")
    assert not wasmtime.Module(wasmtime.Engine(), first.wasm).imports


def test_a_build_comes_from_the_cache_the_second_time(race, monkeypatch):
    made = build_module(race)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert build_module(race) == made


def test_without_a_linker_it_says_what_to_install(race, monkeypatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(WasmError, match=r"lld.*ziglang"):
        build_module(race, cached=False)
    with pytest.raises(WasmError, match=r"lld.*ziglang"):
        find_linker()


def test_a_missing_linker_can_be_pypis(monkeypatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: object())
    assert find_linker() == [sys.executable, "-m", "ziglang", "wasm-ld"]


def test_two_programs_of_one_name_are_refused(race):
    with pytest.raises(WasmError, match="the same name: playouts"):
        build_module(race, [PLAYOUTS])


@pytest.mark.parametrize(
    ("ir", "reason"),
    [
        ("@numba.dynamic.globals.7f00 = internal global ptr null", "an address of this machine"),
        ("%1 = load i64, ptr inttoptr (i64 140230123 to ptr)", "an address of this machine"),
        ("%1 = inttoptr i64 140230123 to ptr", "an address of this machine"),
        ("declare double @pow(double, double)\n%1 = call double @pow(double %0, double %0)", "pow"),
    ],
)
def test_what_belongs_to_the_building_machine_is_refused(ir, reason):
    with pytest.raises(WasmError, match=reason):
        check_portable(ir)


def test_the_description_says_what_a_page_needs(race):
    said = build_module(race).description
    json.dumps(said)
    assert said["game"] == "race"
    assert said["source"] == source_hash(race.rules_module, [PLAYOUTS, PERFT])
    assert said["constants"]["SIZE"] == race.rules_module.SIZE
    assert said["constants"]["REASONS"] == list(race.rules_module.REASONS)
    assert list(said["option_sets"]) == ["default", "players=3", "rolls=4"]
    assert said["option_sets"]["players=3"]["encoded"] == [3, 10, 40]
    assert said["option_sets"]["players=3"]["seats"] == 3
    assert [option["name"] for option in said["options"]] == ["players", "goal", "rolls"]
    legal = next(export for export in said["exports"] if export["name"] == "legal")
    assert legal["arguments"][1] == {"name": "moves", "kind": "array", "type": "int64", "dimensions": 1}
    assert legal["result"] == "int64"


# --- arguments of all kinds, and our own mathematics ----------------------------------------------------


@pytest.fixture(scope="module")
def programs() -> Iterator[types.ModuleType]:
    """The programs in ``tests/support``, where a second process finds them too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(Path(__file__).parents[1] / "support"))
        yield importlib.import_module("wasm_programs")
        del sys.modules["wasm_programs"]


@pytest.fixture(scope="module")
def probe(race: Game, programs: types.ModuleType) -> Instance:
    """A module of Race with the programs for tests."""
    names = ("WEIGH", "IS_ABOVE", "LIBRARY_LOG", "LIBRARY_EXP", "OWN_LOG", "OWN_EXP", "REMAINDER")
    return Instance(build_module(race, [getattr(programs, name) for name in names]))


def test_records_of_arrays_and_all_kinds_of_numbers_can_be_arguments(probe, programs):
    arrays = (np.array([3, -(1 << 40), 5]), np.array([[0.5, 1e-9, 2.0], [7.0, 0.0, -1.0]]))
    for twice in (False, True):
        for least in (-(1 << 60), 1 << 60):
            assert probe.weigh(arrays, 0.1, least, twice) == programs.weigh(arrays, 0.1, least, twice)
    for small in (-128, 0, 127):
        assert bool(probe.is_above(small, 0.5, 100)) == programs.is_above(small, 0.5, 100)


def test_log_and_exp_are_the_same_bits_everywhere(probe, race, programs, monkeypatch):
    monkeypatch.delenv("TRISKELE_PLAIN")  # native code too
    linker = Linker(race.rules_module)
    chooser = random.Random(3)
    for name, ours, theirs in (("log", mathematics.log, math.log), ("exp", mathematics.exp, math.exp)):
        native = linker.program(getattr(programs, f"OWN_{name.upper()}"))
        for _ in range(2000):
            scale = chooser.choice((1.0, 30.0, 700.0))
            x = chooser.uniform(-scale, scale) if name == "exp" else math.exp(chooser.uniform(-scale, scale))
            value = ours(x)
            assert value == native(x) == getattr(probe, f"own_{name}")(x) == getattr(probe, f"library_{name}")(x)
            assert abs(value - theirs(x)) <= math.ulp(theirs(x))
    assert mathematics.log(0.0) == -math.inf
    assert math.isnan(mathematics.log(-1.0))
    assert mathematics.log(math.inf) == mathematics.exp(math.inf) == math.inf
    assert math.isnan(mathematics.exp(math.nan))
    assert mathematics.exp(-math.inf) == mathematics.exp(-746.0) == 0.0
    assert mathematics.exp(-745.0) == math.exp(-745.0) > 0.0
    assert mathematics.exp(710.0) == math.inf


def test_a_function_of_the_c_library_without_a_twin_of_ours_is_refused(race, programs):
    with pytest.raises(WasmError, match="pow"):
        build_module(race, [programs.POWER])


def test_an_error_in_a_module_is_a_trap(probe):
    with pytest.raises(Exception, match=r"divide|unreachable"):
        probe.remainder(7, 0)
    assert probe.remainder(7, 4) == 3
