"""Copying games and accounts from a file into PostgreSQL and back: all of it and checked, or nothing."""

import itertools
import json
import time

import pytest
from sqlalchemy import create_engine, func, insert, make_url, select, text

from tests.support.services import sqlalchemy_url
from triskele.cli import main
from triskele.core.errors import TriskeleError
from triskele.server.settings import Settings
from triskele.server.storage import copying, schema
from triskele.server.storage.copying import copy_database
from triskele.server.storage.database import Storage

_names = itertools.count(1)
ENTRY = {"kind": "move", "seat": 0, "body": "ä\n“☃", "time": 2**40, "turn": 1, "moves": 1}


@pytest.fixture
def postgresql(shared):
    """Return a function that makes an empty database of a real PostgreSQL and returns its URL."""
    base = make_url(sqlalchemy_url(shared[0][1]))

    def make() -> str:
        name = f"copy_{next(_names)}"
        engine = create_engine(base, isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.execute(text(f"CREATE DATABASE {name}"))
        engine.dispose()
        return base.set(database=name).render_as_string(hide_password=False)

    return make


@pytest.fixture
def filled(tmp_path):
    """Return the URL of a file with rows of many kinds, among them a log with a hole of an older version."""
    url = Settings(data=tmp_path / "filled").prepare().database_url
    storage = Storage(url)
    made = {"id": "t", "game": "yinsh", "options": "{}", "opened": 1, "opener": "ann", "private": True}
    rating = {"game": "yinsh", "pace": "live", "field": "two", "visitor": "v", "deviation": 1 / 3, "volatility": 0.06}
    with storage.engine.begin() as connection:
        connection.execute(insert(schema.tables), made | {"rated": False, "series": "swap", "over": True})
        connection.execute(text("DROP TRIGGER log_needs_predecessor"))
        rows = [{"table_id": f"t{n % 7}", "seq": n, **ENTRY} for n in range(2 * copying._ROWS + 1)]
        connection.execute(insert(schema.log), rows)
        connection.execute(
            insert(schema.audit), [{"time": 1, "actor": "a", "action": "b", "target": "", "detail": "{}"}] * 3
        )
        connection.execute(insert(schema.ratings), rating | {"value": 1464.0506705, "games": 3, "time": 5})
    storage.engine.dispose()
    return url


def _rows(url):
    """Return all rows of a database, table by table."""
    engine = create_engine(url)
    with engine.connect() as connection:
        found = {t.name: sorted(map(tuple, connection.execute(select(t)))) for t in schema.metadata.sorted_tables}
    engine.dispose()
    return found


def test_everything_arrives_in_postgresql_and_comes_back(filled, postgresql, tmp_path):
    target, back = postgresql(), f"sqlite:///{tmp_path / 'back.sqlite3'}"
    told = []
    copied = copy_database(filled, target, lambda *about: told.append(about))
    assert _rows(target) == _rows(filled)
    assert {each.name: each.rows for each in copied}["log"] == 2 * copying._ROWS + 1
    assert [done for name, done, _ in told if name == "log"] == [0, 1000, 2000, 2001]
    returned = copy_database(target, back)
    assert returned == copied  # rows and hashes
    assert _rows(back) == _rows(filled)


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_copy_goes_on_where_the_numbers_and_logs_of_the_source_end(filled, postgresql, tmp_path, kind):
    target = postgresql() if kind == "postgresql" else f"sqlite:///{tmp_path / 'copy.sqlite3'}"
    copy_database(filled, target)
    storage = Storage(target)
    entry = {"time": 1, "actor": "a", "action": "b", "target": "", "detail": "{}"}
    with storage.engine.begin() as connection:
        connection.execute(insert(schema.audit), [entry])
        assert connection.execute(select(func.max(schema.audit.c.number))).scalar_one() == 4
    with pytest.raises(Exception, match="the entry before is not in the log"), storage.engine.begin() as connection:
        connection.execute(insert(schema.log), [{"table_id": "new", "seq": 2, **ENTRY}])
    storage.engine.dispose()


def test_a_target_that_is_not_empty_is_refused_and_stays_as_it_is(filled, postgresql):
    target = postgresql()
    copy_database(filled, target)
    before = _rows(target)
    with pytest.raises(TriskeleError, match="not empty"):
        copy_database(filled, target)
    assert _rows(target) == before
    with pytest.raises(TriskeleError, match="same database"):
        copy_database(filled, filled)


def test_a_row_that_arrives_changed_leaves_nothing_behind(filled, postgresql):
    target = postgresql()
    engine = create_engine(target)
    Storage(target).engine.dispose()
    with engine.begin() as connection:
        connection.execute(
            text(
                "CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
                "NEW.value = NEW.value + 1e-9; RETURN NEW; END $$"
            )
        )
        connection.execute(text("CREATE TRIGGER spoil BEFORE INSERT ON ratings FOR EACH ROW EXECUTE FUNCTION spoil()"))
    with pytest.raises(TriskeleError, match="ratings arrived with 1 of 1 rows"):
        copy_database(filled, target)
    assert not any(_rows(target).values())
    with engine.begin() as connection:
        connection.execute(text("DROP TRIGGER spoil ON ratings"))
    engine.dispose()
    copy_database(filled, target)  # once more, and it is there
    assert _rows(target) == _rows(filled)


def test_a_copy_that_is_interrupted_leaves_the_target_empty(filled, postgresql):
    target = postgresql()

    def stop(name, done, rows):
        if name == "log" and done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        copy_database(filled, target, stop)
    assert not any(_rows(target).values())


def test_what_a_running_server_uses_is_refused(start, filled, postgresql, tmp_path):
    server = start()
    source = f"sqlite:///{server.data / 'tables.sqlite3'}"
    with pytest.raises(TriskeleError, match="another server uses"):
        copy_database(source, f"sqlite:///{tmp_path / 'other.sqlite3'}")
    used = postgresql()
    copy_database(filled, used)
    engine, at = create_engine(used), time.time_ns() // 1_000_000
    beat = {"process": "p", "time": at, "next": at + 20_000, "stopped": False}
    with engine.begin() as connection:
        connection.execute(insert(schema.heartbeats), [beat])
    engine.dispose()
    with pytest.raises(TriskeleError, match="a server uses this database"):
        copy_database(used, f"sqlite:///{tmp_path / 'other.sqlite3'}")


def test_a_file_that_is_not_there_is_refused_and_not_made(tmp_path):
    missing = tmp_path / "none.sqlite3"
    with pytest.raises(TriskeleError, match=r"none\.sqlite3"):
        copy_database(f"sqlite:///{missing}", f"sqlite:///{tmp_path / 'other.sqlite3'}")
    assert not missing.exists()


def test_games_and_people_go_on_at_a_server_with_the_new_database(start, visitor, kit, postgresql, capsys):
    server = start()
    ann, bob = visitor(server), visitor(server)
    opened = ann.open("yinsh", "me", "link")
    bob.post(f"/tables/{opened['table']}/seats", key=opened["seats"][1]["key"], name="Bob")
    game = kit.Game(ann.live(), opened["table"])
    game.move(game.choices()[0])
    before = ann.get(f"/tables/{opened['table']}/record")
    server.stop()
    target = postgresql().replace("+psycopg", "")
    assert main(["copy", "--data", str(server.data), "--to", target, "--language", "en"]) == 0
    assert "copied, read again and compared" in capsys.readouterr().out
    again = start("--database", target, port=server.port)
    assert again.base == server.base
    assert ann.get(f"/tables/{opened['table']}/record") == before
    bobs = kit.Game(bob.live(), opened["table"])
    bobs.move(bobs.choices()[0])
    assert len(json.loads(json.dumps(bob.get(f"/tables/{opened['table']}")))["moves"]) == 2
