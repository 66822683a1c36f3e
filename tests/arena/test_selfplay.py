"""Data sets: complete, the same every time, and readable whenever they are interrupted."""

import errno
import json
import os
import signal
import subprocess
import sys
import time
import tracemalloc
import zipfile
from pathlib import Path

import numpy as np
import pytest

from tests.support.games import quick
from triskele.arena import selfplay
from triskele.arena.dataset import ALL_STATES, Dataset, Header, pack, unpack
from triskele.arena.worker_pool import WorkerPool
from triskele.core.contract import CHANCE
from triskele.core.contract.engine import Limits
from triskele.core.errors import RecordError
from triskele.core.files import FileError
from triskele.core.game import Game, game, games
from triskele.core.position import Position


def made(folder: Path, header: Header, workers: int = 0) -> Dataset:
    dataset = selfplay.create(folder, header)
    with WorkerPool(workers) as pool:
        selfplay.complete(dataset, pool)
    return dataset


def contents(dataset: Dataset) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(dataset.folder.iterdir())}


def check(dataset: Dataset) -> None:
    """Check every column against the rules, move by move."""
    variant = dataset.variant
    number = 0
    for shard in dataset.shards():
        columns = dataset.columns(shard)
        at = listed = row = 0
        for plies in columns["plies"].tolist():
            position = Position(variant)
            for _ in range(plies):
                codes = [move.code for move in position.legal_moves]
                assert columns["choices"][at] == len(codes)
                if "legal" in columns:
                    assert sorted(columns["legal"][listed : listed + len(codes)].tolist()) == sorted(codes)
                    listed += len(codes)
                while "state" in columns and row < len(columns["state"]) and columns["state_step"][row] == at:
                    assert np.array_equal(columns["state"][row], position.state[: variant.size])
                    row += 1
                move = variant.move(int(columns["move"][at]))
                assert position.mover(move) == columns["seat"][at]
                position.push(move)
                at += 1
            number += 1
        assert at == len(columns["move"])
        assert row == len(columns.get("state", ()))
    assert number == len(dataset)
    for found in dataset.games():
        assert found.replay().outcome() == found.outcome


@pytest.mark.parametrize("declared", games(), ids=lambda declared: declared.name)
@pytest.mark.parametrize("states", [ALL_STATES, 0, 3])
def test_random_games_are_written_as_they_were_played(declared: Game, states: int, tmp_path: Path) -> None:
    header = selfplay.plan(declared.variant(quick(declared)), 3, states=states, legal=states == 3, shard=2)
    dataset = made(tmp_path, header)
    assert len(dataset) == 3
    assert dataset.missing() == []
    check(dataset)
    columns = dataset.columns(0)
    every = dataset.states(0)
    assert len(every) == len(columns["move"])
    if states:
        assert np.array_equal(every[columns["state_step"]], columns["state"])


def test_engine_games_are_written_as_they_were_played(tryad: Game, tmp_path: Path) -> None:
    header = selfplay.plan(tryad.variant(), 3, engine="uct", limits=Limits(nodes=5), legal=True, shard=2, openings=2)
    dataset = made(tmp_path, header)
    check(dataset)
    columns = dataset.columns(0)
    assert columns["drawn"][columns["seat"] == CHANCE].all()
    decided = ~columns["drawn"] & (columns["choices"] > 1)
    assert np.isfinite(columns["value"][decided]).all()
    assert np.isnan(columns["value"][columns["drawn"]]).all()


def test_equal_seeds_give_equal_files(tryad: Game, tmp_path: Path) -> None:
    variant = tryad.variant()
    one, two, other = (
        made(tmp_path / name, selfplay.plan(variant, 20, seed=seed, shard=7), workers)
        for name, seed, workers in (("one", 1, 0), ("two", 1, 2), ("other", 2, 0))
    )
    assert contents(one) == contents(two)
    assert contents(one)["shard-000000.npz"] != contents(other)["shard-000000.npz"]
    engines = [
        made(tmp_path / name, selfplay.plan(variant, 2, engine="uct", limits=Limits(nodes=5)))
        for name in ("three", "four")
    ]
    assert contents(engines[0]) == contents(engines[1])


def test_a_game_does_not_depend_on_how_many_there_are(tryad: Game, tmp_path: Path) -> None:
    variant = tryad.variant()
    few = made(tmp_path / "few", selfplay.plan(variant, 5, shard=4))
    many = made(tmp_path / "many", selfplay.plan(variant, 12, shard=3))
    assert [found.codes for found in few.games()] == [found.codes for found in many.games()][:5]
    grown = made(tmp_path / "few", selfplay.plan(variant, 12, shard=4))
    assert [found.codes for found in grown.games()] == [found.codes for found in many.games()]


def test_numpy_opens_it_without_us(tryad: Game, tmp_path: Path) -> None:
    dataset = made(tmp_path, selfplay.plan(tryad.variant(), 4))
    header = json.loads((tmp_path / "dataset.json").read_text())
    with np.load(tmp_path / "shard-000000.npz", allow_pickle=False) as archive:
        assert archive["plies"].shape == (4,)
        assert archive["scores"].shape == (4, header["seats"])
        assert archive["state"].shape == (archive["plies"].sum(), header["state_words"])
        assert archive["move"].max() < header["actions"]
        assert [header["reasons"][code] for code in archive["reason"]] == [
            found.outcome.reason for found in dataset.games() if found.outcome
        ]


def test_games_are_records(tryad: Game, tmp_path: Path) -> None:
    dataset = made(tmp_path, selfplay.plan(tryad.variant(), 2))
    for found in dataset.games():
        record = found.record()
        assert [move.text for move in record.moves] == list(found.moves)
        assert record.replay().outcome() == found.outcome


def test_a_game_that_is_cut_off_has_no_outcome(tryad: Game, tmp_path: Path) -> None:
    dataset = made(tmp_path, selfplay.plan(tryad.variant(), 3, plies_limit=4))
    assert [len(found.codes) for found in dataset.games()] == [4, 4, 4]
    assert all(found.outcome is None for found in dataset.games())
    check(dataset)


# --- what goes wrong ------------------------------------------------------------------------------


def test_a_full_disk_leaves_what_was_written(tryad: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    variant = tryad.variant()
    whole = contents(made(tmp_path / "whole", selfplay.plan(variant, 10, shard=3)))
    header = selfplay.plan(variant, 10, shard=3)
    dataset = selfplay.create(tmp_path / "part", header)
    synced = 0
    sync = os.fsync

    def fills_up(handle: int) -> None:
        nonlocal synced
        synced += 1
        if synced > 4:  # a file and its folder for each shard
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        sync(handle)

    with monkeypatch.context() as patch, WorkerPool(0) as pool:
        patch.setattr(os, "fsync", fills_up)
        with pytest.raises(FileError, match="No space"):
            selfplay.complete(dataset, pool)
    assert list(dataset.shards()) == [0, 1]
    check(Dataset(tmp_path / "part"))
    assert len(dataset) == 6
    assert contents(made(tmp_path / "part", header)) == whole


SLOW = """
import sys, time
from tests.support.games import quick
from triskele.arena import selfplay
from triskele.arena.worker_pool import WorkerPool
from triskele.core.game import game
from triskele.core.contract.engine import Limits

class Leisurely(WorkerPool):
    def run(self, units):
        for result in super().run(units):
            yield result
            time.sleep(0.3)

if __name__ == "__main__":
    header = selfplay.plan(game("tryad").variant(), 14, engine="uct", limits=Limits(nodes=15), shard=1)
    dataset = selfplay.create(sys.argv[1], header)
    with Leisurely(2) as pool:
        selfplay.complete(dataset, pool)
"""


def test_ctrl_c_leaves_what_was_written_and_resuming_completes_it(tryad: Game, tmp_path: Path) -> None:
    script = tmp_path / "slow.py"
    script.write_text(SLOW)
    folder = tmp_path / "data"
    process = subprocess.Popen(
        [sys.executable, str(script), str(folder)], stderr=subprocess.DEVNULL, start_new_session=True
    )
    try:
        until = time.monotonic() + 60
        while len(list(folder.glob("shard-*.npz"))) < 2 and time.monotonic() < until:
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to everybody
        process.wait(20)
    finally:
        process.kill()
        process.wait()
    dataset = Dataset(folder)
    before = contents(dataset)
    assert 2 <= len(dataset) < 14
    assert not list(folder.glob(".*")), "half a file is left"
    header = selfplay.plan(tryad.variant(), 14, engine="uct", limits=Limits(nodes=15), shard=1)
    completed = made(folder, header, workers=2)
    assert len(completed) == 14
    assert {name: data for name, data in contents(completed).items() if name in before} == before
    assert all(found.replay().outcome() is not None for found in completed.games())


def test_a_damaged_shard_is_named_and_made_again(tryad: Game, tmp_path: Path) -> None:
    header = selfplay.plan(tryad.variant(), 6, shard=2)
    dataset = made(tmp_path, header)
    whole = contents(dataset)
    path = dataset.path(1)
    for damage in (b"", path.read_bytes()[:-40], path.read_bytes().replace(b"plies", b"flies"), os.urandom(500)):
        path.write_bytes(damage)
        with pytest.raises(RecordError, match="shard-000001"):
            dataset.columns(1)
        assert dataset.missing() == [1]
        made(tmp_path, header)
        assert contents(dataset) == whole


def changed(dataset: Dataset, name: str, at: object, value: object) -> None:
    """Write the first shard with something else in one of its columns."""
    columns = {**dataset.columns(0)}
    columns[name] = columns[name].copy()
    columns[name][at] = value
    dataset.write(0, pack(columns))


@pytest.mark.parametrize("code", [10**6, -1])
def test_moves_that_no_game_has_are_refused_when_they_are_read(tryad: Game, code: int, tmp_path: Path) -> None:
    dataset = made(tmp_path, selfplay.plan(tryad.variant(), 2))
    changed(dataset, "move", 3, code)
    with pytest.raises(RecordError, match=r"shard-000000.npz is damaged: move"):
        dataset.states(0)
    with pytest.raises(RecordError, match=r"shard-000000.npz is damaged: move"):
        list(dataset.games())


def test_moves_that_are_not_legal_are_refused_before_they_are_made(tryad: Game, tmp_path: Path) -> None:
    dataset = made(tmp_path, selfplay.plan(tryad.variant(), 2))
    changed(dataset, "move", 3, 5)
    with pytest.raises(RecordError, match="4"):
        dataset.states(0)
    with pytest.raises(RecordError, match=r"game 0, move 4: .* is not a legal move"):
        next(dataset.games()).replay()


@pytest.mark.parametrize(
    ("name", "at", "value"),
    [("plies", [0, 1], [-5, 500]), ("reason", 0, 99), ("reason", 0, -2), ("state_step", 0, 10**9)],
)
def test_numbers_that_cannot_be_are_refused_with_their_column(
    tryad: Game, name: str, at: object, value: object, tmp_path: Path
) -> None:
    dataset = made(tmp_path, selfplay.plan(tryad.variant(), 2))
    if name == "plies":  # as many steps in all as before, and yet nonsense
        value = [-5, int(dataset.columns(0)["plies"].sum()) + 5]
    changed(dataset, name, at, value)
    with pytest.raises(RecordError, match=f"damaged: {name}"):
        dataset.columns(0)


def test_columns_that_are_missing_or_of_another_shape_are_refused(tryad: Game, tmp_path: Path) -> None:
    dataset = made(tmp_path, selfplay.plan(tryad.variant(), 2))
    whole = dataset.columns(0)
    for name in ("plies", "winners", "scores", "reason", "move", "seat", "choices"):
        shapes = [whole[name][:-1], whole[name].astype(np.complex64), whole[name].reshape(1, -1)]
        for columns in [{k: v for k, v in whole.items() if k != name}, *({**whole, name: other} for other in shapes)]:
            dataset.write(0, pack(columns))
            with pytest.raises(RecordError, match="is damaged"):
                dataset.columns(0)
    dataset.write(0, pack({**whole, "surprise": whole["plies"]}))
    with pytest.raises(RecordError, match="damaged: surprise"):
        dataset.columns(0)


def test_a_shard_of_100_mb_of_noise_and_one_that_unpacks_without_end_take_no_memory(
    tryad: Game, tmp_path: Path
) -> None:
    dataset = made(tmp_path, selfplay.plan(tryad.variant(), 2))
    with dataset.path(0).open("wb") as file:
        for _ in range(100):
            file.write(os.urandom(1 << 20))
    with (
        zipfile.ZipFile(tmp_path / "bomb.npz", "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("plies.npy", "w", force_zip64=True) as member,
    ):
        np.lib.format.write_array_header_1_0(member, {"shape": (1 << 40,), "fortran_order": False, "descr": "<i4"})
        member.write(bytes(1 << 20))
    tracemalloc.start()
    try:
        for path in (dataset.path(0), tmp_path / "bomb.npz"):
            with pytest.raises(RecordError, match=path.name):
                unpack(path)
        assert tracemalloc.get_traced_memory()[1] < 8 << 20
    finally:
        tracemalloc.stop()


def test_another_data_set_is_left_alone(tryad: Game, tmp_path: Path) -> None:
    dataset = made(tmp_path, selfplay.plan(tryad.variant(), 2))
    before = contents(dataset)
    with pytest.raises(RecordError, match="seed"):
        selfplay.create(tmp_path, selfplay.plan(tryad.variant(), 2, seed=2))
    with pytest.raises(RecordError, match="options"):
        selfplay.create(tmp_path, selfplay.plan(tryad.variant({"players": 3}), 2))
    assert contents(dataset) == before


@pytest.mark.parametrize("data", [b"", b"{}", b"[", b'{"format": "triskele-dataset/1"}', b"\xff" * 9, b"[" * 10**5])
def test_a_header_that_is_none_is_refused(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "dataset.json").write_bytes(data)
    with pytest.raises(RecordError):
        Dataset(tmp_path)


def test_a_hostile_shard_is_not_unpickled(tmp_path: Path) -> None:
    target = tmp_path / "x.npz"
    np.savez(target, plies=np.array([{"a": 1}], dtype=object))
    with pytest.raises(RecordError):
        unpack(target)


def test_shards_are_of_a_size_that_can_be_held(tryad: Game) -> None:
    assert selfplay.plan(tryad.variant(), 10, states=0).shard == 10_000
    assert selfplay.plan(tryad.variant(), 10, engine="uct").shard == selfplay.ENGINE_SHARD


# --- all of it, compiled --------------------------------------------------------------------------


def test_100000_records_are_written_and_read_back_without_loss(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TRISKELE_PLAIN")
    variant = game("tryad").variant({"mode": "practice", "players": 1})
    header = selfplay.plan(variant, 100_000, states=0, shard=20_000)
    dataset = made(tmp_path, header)
    again = Dataset(tmp_path)
    assert len(again) == 100_000
    for shard in again.shards():
        columns = again.columns(shard)
        fresh = selfplay.random_games(
            variant, selfplay._seeds(1, header.shard_range(shard)), 20_000, with_states=False, with_legal=False
        )
        assert set(columns) == set(fresh)
        for name, column in fresh.items():
            assert columns[name].dtype == column.dtype
            assert np.array_equal(columns[name], column)
        assert len(dataset.states(shard)) == len(columns["move"])  # every move is legal where it is made
    sample = [found for found in again.games() if found.number % 997 == 0]
    assert len(sample) == 101
    for found in sample:
        found.replay()
