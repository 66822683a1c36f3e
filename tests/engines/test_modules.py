"""The searches in WebAssembly modules: the same question gets the same answer as in native code, down to the tables."""

import gzip
import os
import random
import zlib
from collections.abc import Iterator

import numpy as np
import pytest

import triskele
from triskele.core.checksum import crc32
from triskele.core.contract.engine import level_of
from triskele.core.contract.levels import FULL
from triskele.core.contract.search_program import MOST_LINES, SETTLED, SPENT, Capacity, question_words
from triskele.core.game import Game, game
from triskele.core.position import Position
from triskele.core.search_driver import Found, SearchDriver
from triskele.core.wasm.runtime import Instance
from triskele.engines.modules import engine_module, engine_programs, engine_search

SEARCHED = [declared.name for declared in triskele.games() if engine_search(declared) is not None]
POSITIONS = 5
"""Positions of each option set that are searched."""
CAPACITY = 1 << 12
SLICES = 5
"""Slices of a search; the budget of each is some milliseconds."""


def positions(declared: Game, options: dict[str, object], number: int) -> Iterator[Position]:
    """Yield positions of random games with a choice to make."""
    chooser = random.Random(f"{declared.name} {sorted(options.items())}")
    while number > 0:
        position = Position(declared.variant(options))
        for _ in range(chooser.randrange(2, 60)):
            if position.turn is None:
                break
            position.push(chooser.choice(position.legal_moves))
        if position.turn is not None and position.turn >= 0 and len(position.legal_moves) > 1:
            number -= 1
            yield position


class Side:
    """One of the two sides that are compared: a driver with its functions."""

    def __init__(self, driver: SearchDriver, start: object, resume: object) -> None:
        self.driver, self._start, self._resume = driver, start, resume
        self._slice = driver.program.first_slice * 7 // 5

    def ask(self, root: np.ndarray, question: np.ndarray) -> list[tuple[int, Found]]:
        """Return every answer on the way to the last one, with its status."""
        self.driver.provide(len(root), CAPACITY)
        self.driver.start(self._start, root, question)
        answers = []
        status = 0
        while status not in (SETTLED, SPENT):
            status = self.driver.resume(self._resume, self._slice)
            answers.append((status, self.driver.found()))
        return answers


@pytest.mark.parametrize("name", SEARCHED)
def test_a_search_in_a_module_is_the_native_search(name):
    declared = game(name)
    search = engine_search(declared)
    instance = Instance(engine_module(declared), memory=1 << 26)
    native = Side(SearchDriver(search), *map(declared.linker.program, search.programs))
    module = Side(
        instance.driver(search), *(getattr(instance, program.function.__name__) for program in search.programs)
    )
    compared = 0
    for options in declared.option_sets:
        for number, position in enumerate(positions(declared, options, POSITIONS)):
            level = FULL if number % 2 == 0 else level_of(declared, 1 + (compared * 3) % 9)
            question = question_words(
                level,
                seat=position.turn,
                nodes=SLICES * search.first_slice,
                seed=number * 77,
                lines=1 + number % MOST_LINES,
            )
            answers = [side.ask(position.state, question) for side in (native, module)]
            assert answers[0] == answers[1]
            compared += 1
    assert compared >= POSITIONS * len(declared.option_sets)
    for here, there in zip(native.driver.workspace, module.driver.workspace, strict=True):
        assert here.tobytes() == there.tobytes()


@pytest.mark.parametrize("name", SEARCHED)
def test_a_module_with_its_engine_is_small_enough_for_a_page(name):
    assert len(gzip.compress(engine_module(game(name)).wasm)) < 60_000


def test_a_mutated_weight_changes_what_a_search_finds():
    searches = {name: engine_search(game(name)) for name in SEARCHED}
    name = next(name for name, search in searches.items() if search.capacity is not None)
    declared, search = game(name), searches[name]
    (weights,) = [field.initial for field in search.fields if field.name == "weights"]
    position = next(positions(declared, {}, 1))
    question = question_words(FULL, seat=position.turn, nodes=2500, seed=0)
    functions = [declared.linker.program(program) for program in search.programs]
    found = []
    for _ in range(2):
        found.append(Side(SearchDriver(search), *functions).ask(position.state, question))
        weights[weights != 0] += 40
    assert found[0] != found[1]


def test_asking_for_an_engines_programs_compiles_nothing_and_leaves_the_environment_as_it_was(monkeypatch):
    monkeypatch.delenv("TRISKELE_PLAIN", raising=False)
    for declared in triskele.games():
        before = declared.linker._background
        assert engine_programs(declared)
        assert declared.linker._background is before
    assert "TRISKELE_PLAIN" not in os.environ


def test_the_checksum_is_that_of_zlib():
    words = np.array([0, 1, -1, 1 << 62, -(1 << 63), 77], dtype=np.int64)
    for length in range(len(words) + 1):
        for before in (0, 5, 0x7FFFFFFF):
            assert crc32(words, length, before) == zlib.crc32(words[:length].tobytes(), before)


def test_the_capacity_follows_from_nodes_memory_and_time():
    table = Capacity(item_bytes=16, least=1 << 12, usual=1 << 16, most=1 << 26, nodes_per_second=1_500_000)
    assert table.wanted(256, 1000) == 1 << 16
    assert table.wanted(256, 100_000) == 1 << 16
    assert table.wanted(256, 140_000) == 1 << 17
    assert table.wanted(256, None, 1.0) == 1 << 20
    assert table.wanted(256, None) == 1 << 23
    assert table.wanted(64, None) == 1 << 21
    assert table.wanted(0, None) == 1 << 12
