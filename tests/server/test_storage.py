"""Storage, limits and other parts on their own."""

import asyncio
from importlib.resources import files

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import insert, select

from triskele.server import schema
from triskele.server.assets import Files
from triskele.server.guard import own_origin, policy
from triskele.server.keys import Keys
from triskele.server.limits import Bucket, Buckets, Counts
from triskele.server.migrate import migrate
from triskele.server.refusal import Refusal, language_of, log_failure
from triskele.server.settings import Limits, Settings
from triskele.server.storage import Conflict, Storage, StorageFailed
from triskele.server.visitors import Visitors


def row(table="t", seq=1, **more):
    return {
        "table_id": table,
        "seq": seq,
        "kind": "move",
        "seat": 0,
        "body": "a2",
        "time": 0,
        "turn": 1,
        "moves": 1,
        **more,
    }


@pytest.fixture
def database(tmp_path):
    return f"sqlite:///{tmp_path / 'tables.sqlite3'}"


def in_storage(url, work):
    async def run():
        storage = Storage(url)
        storage.start()
        try:
            return await work(storage)
        finally:
            await storage.stop()

    return asyncio.run(run())


def test_what_queued_up_goes_into_one_commit(database):
    async def work(storage):
        await asyncio.gather(*(storage.write([row(seq=n)]) for n in range(200)))
        return storage.commits

    assert in_storage(database, work) < 100


def test_a_conflict_hits_only_whoever_was_second(database):
    async def work(storage):
        await storage.write([row(seq=1)])
        writes = [storage.write([row(seq=2)]), storage.write([row(seq=1), row(seq=9)]), storage.write([row("u")])]
        results = await asyncio.gather(*writes, return_exceptions=True)
        there = await storage.read(lambda c: c.execute(select(schema.log.c.table_id, schema.log.c.seq)).all())
        return results, sorted(map(tuple, there))

    results, there = in_storage(database, work)
    assert results[0] is None
    assert isinstance(results[1], Conflict)
    assert results[2] is None
    assert there == [("t", 1), ("t", 2), ("u", 1)]


def test_what_cannot_be_written_is_said_and_hurts_nobody_else(database):
    async def work(storage):
        bad = storage.write([row(seq=3, body=object())])
        good = storage.write([row(seq=4)])
        return await asyncio.gather(bad, good, return_exceptions=True)

    bad, good = in_storage(database, work)
    assert isinstance(bad, StorageFailed)
    assert good is None


def test_the_disk_is_asked_to_keep_everything(database):
    async def work(storage):
        with storage.engine.connect() as connection:
            return [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in ("journal_mode", "synchronous")]

    assert in_storage(database, work) == ["wal", 2]


def test_an_older_database_keeps_its_tables(database):
    storage = Storage(database)
    made = {"id": "t", "game": "yinsh", "options": "{}", "opened": 1, "opener": "ann", "private": True}
    with storage.engine.begin() as connection:
        connection.execute(insert(schema.tables), made | {"rated": False, "series": "swap", "over": True, "winners": 1})
        config = Config()
        config.set_main_option("script_location", str(files("triskele.server") / "migrations"))
        config.attributes["connection"] = connection
        command.downgrade(config, "0001")
    migrate(storage.engine)
    with storage.engine.connect() as connection:
        kept = connection.execute(select(schema.tables)).mappings().one()
    assert (kept["id"], kept["over"], kept["winners"]) == ("t", True, None)


def test_migrations_make_what_the_schema_says(database):
    storage = Storage(database)
    migrate(storage.engine)  # once more does nothing
    with storage.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), schema.metadata) == []
        connection.execute(insert(schema.log), [row()])
    storage.engine.dispose()


def test_buckets():
    now = [0.0]
    bucket = Bucket(2.0, 3, clock=lambda: now[0])
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    now[0] = 0.5
    assert [bucket.take(), bucket.take()] == [True, False]
    buckets = Buckets(1.0, 1, most=2, clock=lambda: now[0])
    assert buckets.take("a")
    assert not buckets.take("a")
    assert buckets.take("b")
    now[0] = 10.0
    buckets.forget_full()
    assert buckets.take("a")


def test_counts():
    counts = Counts(2)
    assert [counts.enter("a"), counts.enter("a"), counts.enter("a")] == [True, True, False]
    counts.leave("a")
    assert counts.enter("a")
    assert not counts.enter("b", most=0)


def test_limits_by_name():
    assert Limits().changed(["body_bytes=10", "head_seconds=0.5"]) == Limits(body_bytes=10, head_seconds=0.5)
    with pytest.raises(ValueError, match="there is no limit nonsense"):
        Limits().changed(["nonsense=1"])


def test_settings(tmp_path):
    settings = Settings(data=tmp_path / "data").prepare()
    assert Settings(data=tmp_path / "data").prepare().secret == settings.secret
    assert settings.secret.hex() not in repr(settings)
    assert Settings(data=tmp_path, database="postgresql://h/d").database_url == "postgresql+psycopg://h/d"
    assert Settings(data=tmp_path, public_url="https://play.example").secure
    (tmp_path / "data" / "secret").write_bytes(b"short")
    with pytest.raises(ValueError, match="damaged"):
        Settings(data=tmp_path / "data").prepare()


def test_keys_and_signatures_follow_from_the_secret():
    one, other = Keys(b"a" * 32), Keys(b"b" * 32)
    assert one.invitation("t", 0) == Keys(b"a" * 32).invitation("t", 0)
    made = {one.invitation("t", 0), one.invitation("t", 1), one.own("t", 0, "v"), one.watch("t"), other.watch("t")}
    assert len(made) == 5
    visitors = Visitors(b"a" * 32)
    visitor = visitors.new()
    assert visitors.read(visitors.signed(visitor)) == visitor
    assert visitors.read(visitors.signed(visitor)[:-1]) is None
    assert visitors.of([(b"cookie", b"x=1; triskele=" + visitors.signed(visitor).encode())]) == visitor


@pytest.mark.parametrize(
    ("header", "language"),
    [(None, "en"), ("de-CH,de;q=0.9", "de"), ("xx, fr;q=0.3", "fr"), (";;,,", "en"), ("a" * 10_000, "en")],
)
def test_the_reader_s_language(header, language):
    assert language_of(header) == language


def test_origins():
    assert own_origin(None, "h:1", None)
    assert own_origin("http://h:1", "h:1", None)
    assert own_origin("https://play.example", "inner:80", "https://play.example/")
    assert not own_origin("http://other", "h:1", None)
    assert not own_origin("http://[", "h:1", None)
    assert not own_origin("null", "h:1", None)


def test_a_strange_host_does_not_get_into_the_policy():
    assert "evil" not in policy("evil; script-src *", secure=False)
    assert "wss://play.example:44;" in policy("play.example:44", secure=True)


def test_failures_are_logged_without_values(caplog):
    try:
        {}["=GGR"]
    except KeyError as error:
        log_failure(error, "a test")
    assert "KeyError" in caplog.text
    assert "GGR" not in caplog.text
    assert Refusal("busy").status == 503


def test_files_stay_in_their_folder(tmp_path):
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "index.html").write_text("<!doctype html>")
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "web" / "link.txt").symlink_to(tmp_path / "secret.txt")
    files = Files(tmp_path / "web")
    for path in ("", "table/x", "learn/yinsh", "mine", "index.html"):
        assert files.find(path) is not None
    for path in (
        "../secret.txt",
        "link.txt",
        "%2e%2e/secret.txt",
        ".hidden",
        "a/../../secret.txt",
        "nothing.js",
        "x\0.js",
    ):
        assert files.find(path) is None
    (tmp_path / "web" / "index.html").write_text("<!doctype html><p>changed")
    assert b"changed" in files.find("").body
