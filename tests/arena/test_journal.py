"""Results on disk: what is written stays, whatever happens next."""

import errno
import json
import os
import tracemalloc
from pathlib import Path

import pytest

from triskele.arena.journal import Journal
from triskele.core.errors import RecordError
from triskele.core.files import FileError

HEADER = {"format": "test/1", "seed": 1}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "results.jsonl"


def filled(path: Path, numbers: range = range(3)) -> None:
    with Journal(path, HEADER) as journal:
        for number in numbers:
            journal.add(number, {"score": number / 2})


def test_what_was_added_is_there_the_next_time(path: Path) -> None:
    filled(path)
    with Journal(path, HEADER) as journal:
        assert {number: result["score"] for number, result in journal.results.items()} == {0: 0.0, 1: 0.5, 2: 1.0}
        journal.add(7, {"score": 9})
    assert len(path.read_text().splitlines()) == 5


def test_a_result_that_is_there_already_stays(path: Path) -> None:
    filled(path)
    before = path.read_bytes()
    with Journal(path, HEADER) as journal:
        journal.add(1, {"score": 100})
        assert journal.results[1]["score"] == 0.5
    assert path.read_bytes() == before


@pytest.mark.parametrize("cut", range(1, 22))
def test_half_a_line_at_the_end_is_dropped(cut: int, path: Path) -> None:
    filled(path)
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    with Journal(path, HEADER) as journal:
        assert set(journal.results) == {0, 1}
        journal.add(2, {"score": 1.0})
    assert path.read_bytes() == whole


def test_half_a_header_is_as_good_as_none(path: Path) -> None:
    path.write_bytes(b'{"format": "te')
    filled(path)
    with Journal(path, HEADER) as journal:
        assert len(journal.results) == 3


def test_results_of_something_else_are_refused(path: Path) -> None:
    filled(path)
    before = path.read_bytes()
    with pytest.raises(RecordError, match="seed"):
        Journal(path, {**HEADER, "seed": 2})
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "something",
    [b"my notes", b"my notes\nand more", b'{"format": "other', b"\0" * 1000, b"\n\n", b"[" * 100_000],
    ids=lambda data: repr(data[:20]),
)
def test_a_file_of_something_else_stays_as_it_is(something: bytes, path: Path) -> None:
    path.write_bytes(something)
    with pytest.raises(RecordError, match="something else"):
        Journal(path, HEADER)
    assert path.read_bytes() == something


@pytest.mark.parametrize("block", [os.urandom(1 << 20), bytes(1 << 20)], ids=["random", "zeros"])
def test_100_mb_of_noise_are_refused_in_bounded_memory(block: bytes, path: Path) -> None:
    with path.open("wb") as file:
        for _ in range(100):
            file.write(block)
    tracemalloc.start()
    try:
        with pytest.raises(RecordError, match="something else"):
            Journal(path, HEADER)
        assert tracemalloc.get_traced_memory()[1] < 64 << 20
    finally:
        tracemalloc.stop()
    assert path.stat().st_size == 100 << 20


@pytest.mark.parametrize("line", ["nonsense", "[]", "{}", '{"number": "1"}', "[" * 100_000], ids=range(5))
def test_a_damaged_line_is_named(line: str, path: Path) -> None:
    filled(path)
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:2], line, *lines[2:]]) + "\n")
    with pytest.raises(RecordError, match="line 3"):
        Journal(path, HEADER)


def test_a_full_disk_leaves_whole_lines(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    filled(path)
    before = path.read_bytes()

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with Journal(path, HEADER) as journal:
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", full)
            with pytest.raises(FileError, match="No space"):
                journal.add(3, {"score": 2})
        assert 3 not in journal.results
    assert path.read_bytes() == before
    filled(path, range(5))
    assert [json.loads(line).get("number") for line in path.read_text().splitlines()] == [None, 0, 1, 2, 3, 4]


def test_only_one_process_writes(path: Path) -> None:
    with Journal(path, HEADER), pytest.raises(FileError, match="in use"):
        Journal(path, HEADER)
    with Journal(path, HEADER) as journal:
        assert journal.results == {}


def test_a_place_that_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(FileError):
        Journal(tmp_path, HEADER)
    with pytest.raises(FileError):
        Journal(tmp_path / "no" / "such" / "folder", HEADER)


def test_without_a_path_it_is_only_in_memory() -> None:
    with Journal(None, HEADER) as journal:
        journal.add(0, {"score": 1})
        assert journal.results[0]["score"] == 1
