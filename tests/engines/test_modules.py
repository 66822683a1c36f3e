"""The searches in WebAssembly modules: the same question gets the same answer as in native code, down to the tables."""

import os
import zlib

import numpy as np
import pytest

import triskele
from tests.support.searches import SEARCHED, SearchComparison, Side, random_positions, root_of
from triskele.core.checked_arrays import CheckedArray, link_checked
from triskele.core.checksum import crc32
from triskele.core.contract.levels import FULL
from triskele.core.contract.search_program import Capacity, question_words
from triskele.core.game import game
from triskele.core.search_driver import SearchDriver
from triskele.engines.modules import engine_programs, engine_search

POSITIONS = 5
"""Positions of each option set that are searched; ``tests/support/searches.py`` compares any number of them."""


@pytest.mark.parametrize("name", SEARCHED)
def test_a_search_in_a_module_is_the_native_search(name):
    comparison = SearchComparison(game(name))
    sets = game(name).option_sets
    assert sum(comparison.positions(options, POSITIONS) for options in sets) == POSITIONS * len(sets)
    comparison.workspaces()


@pytest.mark.parametrize("name", [name for name in SEARCHED if engine_search(game(name)).appraises])
def test_what_a_move_was_worth_is_the_same_in_a_module(name):
    comparison = SearchComparison(game(name))
    assert sum(comparison.appraisals(options, POSITIONS) for options in game(name).option_sets) > 0


def test_a_question_about_an_interrupt_gets_the_native_answer():
    answered = 0
    for declared in (game(name) for name in SEARCHED):
        if declared.hidden:
            comparison = SearchComparison(declared)
            answered += sum(comparison.interrupts(options, 10) for options in declared.option_sets)
    assert answered > 0


@pytest.mark.parametrize("name", SEARCHED)
def test_no_search_uses_a_negative_index(name):
    """In a module it would not count from the end."""
    declared = game(name)
    search = engine_search(declared)
    start, resume = (link_checked(program, declared.rules_module) for program in search.programs)
    for options in declared.option_sets[:3]:
        (position,) = random_positions(declared, options, 1)
        driver = SearchDriver(search, lambda shape, dtype: np.zeros(shape, dtype).view(CheckedArray))
        root = root_of(position, position.turn)
        driver.provide(len(root), 1 << 12)
        driver.start(start, root, question_words(FULL, seat=position.turn, nodes=100, seed=1))
        for _ in range(3):
            driver.resume(resume, max(1, search.first_slice // 50))


def test_a_mutated_weight_changes_what_a_search_finds():
    searches = {name: engine_search(game(name)) for name in SEARCHED}
    name = next(name for name, search in searches.items() if search.capacity is not None)
    declared, search = game(name), searches[name]
    (weights,) = [field.initial for field in search.fields if field.name == "weights"]
    position = next(random_positions(declared, {}, 1))
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
