import os
from pathlib import Path

import pytest

from triskele.core.errors import TriskeleError
from triskele.core.files import FileError, read_limited, write_atomic


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_written_and_read_back(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    write_atomic(path, "żółw")
    assert read_limited(path, 100) == "żółw".encode()
    write_atomic(str(path), b"second")
    assert path.read_bytes() == b"second"
    assert names(tmp_path) == ["game.json"]


def test_new_file_has_the_usual_permissions_and_an_old_one_keeps_its_own(tmp_path: Path) -> None:
    path, usual = tmp_path / "game.json", tmp_path / "usual"
    usual.write_text("")
    write_atomic(path, "first")
    assert path.stat().st_mode == usual.stat().st_mode
    path.chmod(0o640)
    write_atomic(path, "second")
    assert path.stat().st_mode & 0o777 == 0o640


def test_name_may_be_as_long_as_the_system_allows(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 255)
    write_atomic(path, "long")
    assert path.read_text() == "long"


def test_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    write_atomic(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


@pytest.mark.parametrize("step", ["replace", "fsync"])
@pytest.mark.parametrize("failure", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_failure_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, failure: BaseException
) -> None:
    path = tmp_path / "game.json"
    path.write_text("old")

    def fail(*arguments: object) -> None:
        raise failure

    monkeypatch.setattr(os, step, fail)
    with pytest.raises((FileError, KeyboardInterrupt)) as caught:
        write_atomic(path, "new")
    assert path.read_text() == "old"
    assert names(tmp_path) == ["game.json"]
    if isinstance(failure, OSError):
        assert str(caught.value) == f"{path} cannot be written: No space left on device; nothing was changed"


def test_folder_that_cannot_be_synced_is_no_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real_open = os.open

    def no_folders(path: object, flags: int, *rest: int, **named: int) -> int:
        if Path(str(path)).is_dir():
            raise PermissionError(13, "Permission denied")
        return real_open(str(path), flags, *rest, **named)

    monkeypatch.setattr(os, "open", no_folders)
    write_atomic(tmp_path / "game.json", "new")
    assert (tmp_path / "game.json").read_text() == "new"


def test_places_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("a file")
    bad = {
        tmp_path / "file" / "game.json": "Not a directory",
        tmp_path / "missing" / "game.json": "No such file or directory",
        tmp_path: "it is not an ordinary file",
        Path("/dev/null"): "it is not an ordinary file",
        Path("/proc/game.json"): "",
        tmp_path / "nul\0byte": "null byte",
        tmp_path / ("n" * 300): "File name too long",
    }
    for path, why in bad.items():
        with pytest.raises(FileError, match="cannot be written") as caught:
            write_atomic(path, "new")
        assert why in str(caught.value)
        assert isinstance(caught.value, TriskeleError)
    assert names(tmp_path) == ["file"]
    assert Path("/dev/null").is_char_device()


def test_read_only_file_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.json"
    path.write_text("old")
    # Who runs the tests may be root, for whom nothing is read-only.
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(FileError, match="it is read-only; nothing was changed"):
        write_atomic(path, "new")
    assert path.read_text() == "old"


def test_read_only_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.json"
    path.write_text("old")

    def refuse(self: Path, mode: str) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(FileError, match=r"game\.json cannot be written: Permission denied; nothing was changed"):
        write_atomic(path, "new")
    monkeypatch.undo()
    assert path.read_text() == "old"
    assert names(tmp_path) == ["game.json"]


def test_read_stops_at_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "big"
    path.write_bytes(b"x" * 101)
    with pytest.raises(FileError, match="big is larger than 100 bytes and is not read"):
        read_limited(path, 100)
    assert len(read_limited(path, 101)) == 101
    # A device tells no size beforehand, and has no end.
    with pytest.raises(FileError, match="larger than 100 bytes"):
        read_limited("/dev/zero", 100)


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    for path, why in (
        (tmp_path / "missing", "No such file"),
        (tmp_path, "Is a directory"),
        (tmp_path / "nul\0", "null byte"),
    ):
        with pytest.raises(FileError, match=why):
            read_limited(path, 100)


def test_name_that_is_no_text_can_be_printed(tmp_path: Path) -> None:
    with pytest.raises(FileError) as caught:
        read_limited(os.fsdecode(b"/missing/\xff"), 100)
    assert str(caught.value).encode()
