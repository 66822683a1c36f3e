"""Backups: made during play, restored on another machine, where every game goes on."""

import json
import random
import sqlite3
import stat
import threading
import zipfile

import pytest

from triskele.cli import main
from triskele.core.errors import TriskeleError
from triskele.core.game import games
from triskele.server.settings import Settings
from triskele.server.storage.backup import restore_backup, write_backup
from triskele.server.storage.database import Storage
from triskele.server.storage.schema import HEAD


@pytest.fixture
def data(tmp_path):
    """Return the data folder of a server that has stopped."""
    folder = tmp_path / "data"
    storage = Storage(Settings(data=folder).prepare().database_url)
    storage.engine.dispose()
    return folder


@pytest.fixture
def backup(data, tmp_path):
    path = tmp_path / "games.backup"
    write_backup(Settings(data=data), path)
    return path


def test_a_backup_made_during_play_goes_on_in_a_new_folder(start, visitor, kit, tmp_path, capsys):
    server = start()
    ann, bob = visitor(server), visitor(server)
    opened = [ann.open(declared.name, "me", "link") for declared in games() if declared.variant().seats == 2]
    *started, waiting = opened
    for each in started:
        bob.post(f"/tables/{each['table']}/seats", key=each["seats"][1]["key"], name="Bob")
    pairs = [(kit.Game(ann.live(), it["table"]), kit.Game(bob.live(), it["table"])) for it in started]
    for number, pair in enumerate(pairs):
        kit.play(list(pair), random.Random(number), most=6)
    before = {pair[0].table: list(pair[0].moves) for pair in pairs}

    stop, failed = threading.Event(), []

    def load():  # another visitor opens tables and moves all the time
        busy = kit.Visitor(server.base)
        try:
            while not stop.is_set():
                table = busy.open("yinsh", "me", "here")["table"]
                live = busy.live()
                kit.play([kit.Game(live, table)], random.Random(1), most=10)
                live.close()
        except BaseException as error:
            failed.append(error)
        finally:
            busy.close()

    thread = threading.Thread(target=load)
    thread.start()
    copy = tmp_path / "copy" / "games.backup"
    copy.parent.mkdir()
    try:
        for _ in range(3):  # the second replaces the first
            assert main(["backup", str(copy), "--data", str(tmp_path / "data"), "--language", "en"]) == 0
        assert "tables and the secret" in capsys.readouterr().out
    finally:
        stop.set()
        thread.join()
    assert not failed
    assert [path.name for path in copy.parent.iterdir()] == ["games.backup"]
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    server.kill()

    new = tmp_path / "new machine" / "data"
    assert main(["restore", str(copy), "--data", str(new), "--language", "en"]) == 0
    assert str(new) in capsys.readouterr().out
    restored = start(name="new machine/data")
    ann, bob = visitor(restored, ann.token), visitor(restored, bob.token)
    key = waiting["seats"][1]["key"]  # a link that was given away before the backup
    bob.post(f"/tables/{waiting['table']}/seats", key=key, name="Bob")
    for each in opened:
        both = [kit.Game(ann.live(), each["table"]), kit.Game(bob.live(), each["table"])]
        known = before.get(each["table"], [])
        assert both[0].moves[: len(known)] == known
        assert [list(game.looks) for game in both] == [[0], [1]]
        at = len(both[0].moves)
        kit.play(both, random.Random(2), most=3)
        assert len(both[0].moves) >= at + 3 or both[0].over


def test_a_backup_says_what_made_it(backup, data):
    with zipfile.ZipFile(backup) as archive:
        manifest = json.loads(archive.read("manifest.json"))
        assert archive.read("secret") == (data / "secret").read_bytes()
    assert manifest["format"] == "triskele-backup/1"
    assert (manifest["schema"], manifest["tables"], manifest["database"]) == (HEAD, 0, "sqlite")
    assert manifest["version"]
    assert manifest["made"].endswith("+00:00")


def test_old_secrets_stay_valid(data, tmp_path, monkeypatch):
    path, secrets = tmp_path / "games.backup", [bytes([number]) * 32 for number in range(3)]
    monkeypatch.setenv("TRISKELE_SECRET", ",".join(secret.hex() for secret in secrets))
    assert main(["backup", str(path), "--data", str(data)]) == 0
    monkeypatch.delenv("TRISKELE_SECRET")
    assert main(["restore", str(path), "--data", str(tmp_path / "new")]) == 0
    settings = Settings(data=tmp_path / "new").prepare()
    assert [settings.secret, *settings.old_secrets] == secrets
    assert stat.S_IMODE((tmp_path / "new" / "old-secrets").stat().st_mode) == 0o600
    again = tmp_path / "again.backup"
    write_backup(Settings(data=tmp_path / "new"), again)
    restore_backup(again, tmp_path / "third")
    assert Settings(data=tmp_path / "third").prepare().old_secrets == settings.old_secrets


def test_restoring_replaces_nothing_unless_asked(backup, data):
    (data / "secret").write_bytes(b"x" * 32)
    with pytest.raises(TriskeleError, match="--overwrite"):
        restore_backup(backup, data)
    assert (data / "secret").read_bytes() == b"x" * 32
    restored = restore_backup(backup, data, overwrite=True)
    assert (data / "secret").read_bytes() != b"x" * 32
    assert (restored.replaced / "secret").read_bytes() == b"x" * 32
    assert (restored.replaced / "tables.sqlite3").is_file()


def test_a_running_server_is_never_replaced(start, visitor, tmp_path):
    server = start()
    path = tmp_path / "games.backup"
    write_backup(Settings(data=tmp_path / "data"), path)
    with pytest.raises(TriskeleError, match="a server is using"):
        restore_backup(path, tmp_path / "data", overwrite=True)
    assert visitor(server).open("yinsh", "me", "here")["table"]
    server.stop()
    restore_backup(path, tmp_path / "data", overwrite=True)


def _change(path, **changed):
    with zipfile.ZipFile(path) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    manifest = {**json.loads(content["manifest.json"]), **changed}
    with zipfile.ZipFile(path, "w") as archive:
        for name, written in content.items():
            archive.writestr(name, json.dumps(manifest) if name == "manifest.json" else written)


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"schema": "9999", "version": "7.0"}, r"newer version of Triskele \(7\.0\)"),
        ({"format": "triskele-backup/2", "version": "7.0"}, r"newer version of Triskele \(7\.0\)"),
        ({"format": "something"}, "not a complete backup"),
        ({"sha256": {"secret": "00"}}, "not a complete backup"),
        ({"sha256": {"secret": "00", "tables.sqlite3": "00"}}, "not a complete backup"),
        ({"sha256": {"../elsewhere": "00"}}, "not a complete backup"),
    ],
)
def test_what_cannot_be_restored_leaves_the_folder_alone(backup, tmp_path, changed, reason):
    _change(backup, **changed)
    new = tmp_path / "new"
    with pytest.raises(TriskeleError, match=reason):
        restore_backup(backup, new)
    assert not new.exists() or not list(new.iterdir())


def test_a_backup_that_was_cut_off_is_refused(backup, tmp_path):
    backup.write_bytes(backup.read_bytes()[:-200])
    with pytest.raises(TriskeleError, match="not a complete backup"):
        restore_backup(backup, tmp_path / "new")
    with pytest.raises(TriskeleError, match="missing"):
        restore_backup(tmp_path / "missing", tmp_path / "new")


def test_a_backup_never_replaces_another_file(data, tmp_path):
    database = data / "tables.sqlite3"
    content = database.read_bytes()
    with pytest.raises(TriskeleError, match="not a backup"):
        write_backup(Settings(data=data), database)
    assert database.read_bytes() == content
    for wrong in (tmp_path / "no folder" / "file", data):
        with pytest.raises(TriskeleError, match=str(wrong)):
            write_backup(Settings(data=data), wrong)
    with pytest.raises(TriskeleError, match="no secret in"):
        write_backup(Settings(data=tmp_path / "empty"), tmp_path / "new.backup")
    database.write_bytes(b"not a database" * 1000)
    with pytest.raises(TriskeleError, match=r"tables\.sqlite3 cannot be used"):
        write_backup(Settings(data=data), tmp_path / "new.backup")
    assert not (tmp_path / "new.backup").exists()


def test_with_postgresql_the_secret_is_kept_and_the_command_is_named(data, tmp_path, capsys, monkeypatch):
    monkeypatch.delenv("TRISKELE_SECRET", raising=False)
    path, url = tmp_path / "secret.backup", "postgresql://club:pass@db.example/games"
    arguments = ["backup", str(path), "--data", str(data), "--database", url, "--language", "en"]
    assert main(arguments) == 0
    said = capsys.readouterr().out
    assert 'pg_dump --format=custom --file=tables.dump "postgresql://club@db.example/games"' in said
    assert "pass@" not in said
    monkeypatch.setenv("TRISKELE_SECRET", "ab" * 32)
    assert main(["restore", str(path), "--data", str(tmp_path / "new"), "--language", "en"]) == 0
    said = capsys.readouterr().out
    assert "pg_restore" in said
    assert "TRISKELE_SECRET is another secret" in said
    assert (tmp_path / "new" / "secret").read_bytes() == (data / "secret").read_bytes()


def test_a_database_of_a_newer_version_is_refused_in_words(data, backup, tmp_path):
    with sqlite3.connect(data / "tables.sqlite3") as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    with pytest.raises(TriskeleError, match=f"newer version of Triskele .schema 9999; this version knows {HEAD}"):
        Storage(Settings(data=data).database_url)
    newer = tmp_path / "newer.backup"
    write_backup(Settings(data=data), newer)
    with pytest.raises(TriskeleError, match="newer version"):
        restore_backup(newer, tmp_path / "new")
