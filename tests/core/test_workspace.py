"""Workspaces: arrays of a program as one argument, plain and in what identifies a compiled program."""

from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

import triskele
from triskele.core.game import game
from triskele.core.link import Hasher, Program
from triskele.core.workspace import Int32Vector, Matrix, Vector, field_types


class Pair(NamedTuple):
    numbers: Vector
    table: Matrix


class Swapped(NamedTuple):
    table: Matrix
    numbers: Vector


class Untyped(NamedTuple):
    numbers: NDArray[np.int64]


def total(ws: Pair, factor: int) -> int:
    return int(ws.numbers[0] + ws.table[1, 1]) * factor


def test_a_workspace_says_the_types_of_its_fields() -> None:
    assert field_types(Pair) == ("int64[::1]", "int64[:,::1]")


def test_a_field_without_a_type_of_its_own_is_refused() -> None:
    with pytest.raises(TypeError, match=r"Untyped\.numbers"):
        field_types(Untyped)


def test_other_fields_are_another_program() -> None:
    class Other(NamedTuple):
        numbers: Int32Vector
        table: Matrix

    hasher = Hasher(game("tryad").rules_module)
    signature = "int64(Pair, int64)"
    hashes = {hasher.of_entry(Program(total, signature, (fields,))) for fields in (Pair, Swapped, Other)}
    assert len(hashes) == 3


def test_compiled_and_plain_programs_take_the_same_workspace() -> None:
    declared = triskele.games()[0]
    program = Program(total, "int64(Pair, int64)", (Pair,))
    ws = Pair(np.array([3]), np.array([[1, 2], [3, 4]]))
    for function in (declared.linker.best(program), declared.linker.program(program)):
        assert function(ws, 6) == 42
