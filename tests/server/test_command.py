"""The options of the command, the same for ``triskele serve`` and ``python -m triskele.server``."""

import argparse
import os
import socket
import sqlite3
import subprocess
import sys
import time

import pytest

import triskele.cli.serve
from triskele.cli import commands
from triskele.core.errors import TriskeleError
from triskele.server import command
from triskele.server.settings import Limits, Settings


def settings_of(*arguments):
    parser = argparse.ArgumentParser()
    command.add_arguments(parser, "en")
    return command.settings_of(parser.parse_args(arguments))


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    monkeypatch.delenv("TRISKELE_DATA", raising=False)
    monkeypatch.delenv("TRISKELE_SECRET", raising=False)


def test_without_options_the_settings_are_the_defaults():
    assert settings_of() == Settings()


def test_each_option_has_its_setting(tmp_path):
    settings = settings_of(
        *("--host", "0.0.0.0", "--port", "0", "--data", str(tmp_path), "--database", "postgresql://h/d"),
        *("--bus", "redis://b", "--url", "https://play.example", "--trusted-proxy", "10.0.0.1", "--engines", "3"),
        *("--limit", "body_bytes=10", "--limit", "head_seconds=0.5", "--engine-seconds", "1.5"),
        *("--seed-seconds", "0.5", "--engine-memory", "64", "--idle-seconds", "30"),
    )
    assert settings == Settings(
        host="0.0.0.0",
        port=0,
        data=tmp_path,
        database="postgresql://h/d",
        bus="redis://b",
        public_url="https://play.example",
        trusted_proxies=("10.0.0.1/32",),
        engine_processes=3,
        engine_seconds=1.5,
        engine_memory_mb=64,
        seed_seconds=0.5,
        idle_seconds=30.0,
        limits=Limits(body_bytes=10, head_seconds=0.5),
    )


def test_the_environment_names_the_folder_and_the_secret(monkeypatch, tmp_path):
    monkeypatch.setenv("TRISKELE_DATA", str(tmp_path / "a"))
    monkeypatch.setenv("TRISKELE_SECRET", f"{'00ff' * 16},{'ab' * 40}")
    assert settings_of().data == tmp_path / "a"
    assert settings_of("--data", str(tmp_path / "b")).data == tmp_path / "b"
    assert settings_of().secret == b"\x00\xff" * 16
    assert settings_of().old_secrets == (b"\xab" * 40,)


@pytest.mark.parametrize(
    ("arguments", "secret", "reason"),
    [
        (["--port", "70000"], "", "70000 is not a port"),
        (["--port", "http"], "", "http is not a port: use a number from 0 to 65535"),
        (["--engines", "-1"], "", "-1 is not a valid value for --engines: use a whole number from 1 to 1024"),
        (["--engines", "0"], "", "from 1 to 1024"),
        (["--engine-memory", "1e9"], "", "1e9 is not a valid value for --engine-memory"),
        (
            ["--engine-seconds", "inf"],
            "",
            "inf is not a valid value for --engine-seconds: use a number of seconds from 0.01",
        ),
        (
            ["--seed-seconds", "-0.5"],
            "",
            "-0.5 is not a valid value for --seed-seconds: use a number of seconds from 0 to",
        ),
        (["--seed-seconds", "nan"], "", "nan is not a valid value for --seed-seconds"),
        (["--idle-seconds", "soon"], "", "soon is not a valid value for --idle-seconds"),
        (
            ["--limit", "tables_per_hour=-1"],
            "",
            "-1 is not a valid value for the limit tables_per_hour: use a whole number",
        ),
        (["--limit", "tables_per_hour=0"], "", "whole number from 1 to"),
        (
            ["--limit", "requests_per_second=inf"],
            "",
            "inf is not a valid value for the limit requests_per_second: use a number",
        ),
        (["--limit", "head_seconds=nan"], "", "nan is not a valid value for the limit head_seconds"),
        (["--url", "play.example"], "", "play.example is not a valid value for --url: use an address such as https://"),
        (["--url", "ftp://play.example"], "", "not a valid value for --url"),
        (["--url", "https://"], "", "not a valid value for --url"),
        (["--url", "https://play.example:port/"], "", "not a valid value for --url"),
        (["--url", "https://play.example/?a=b"], "", "not a valid value for --url"),
        (["--url", "https://play .example"], "", "not a valid value for --url"),
        (["--database", "tables.sqlite3"], "", "the value of --database is not a usable address.* postgresql://"),
        (["--database", "mysql://h/d"], "", "--database"),
        (["--bus", "http://h"], "", "the value of --bus is not a usable address.* redis://"),
        (["--limit", "nonsense=1"], "", "there is no limit nonsense; limits: message_bytes"),
        (["--limit", "body_bytes=many"], "", "many is not a valid value for the limit body_bytes"),
        ([], "not hexadecimal", "TRISKELE_SECRET"),
        ([], "00ff", "TRISKELE_SECRET is too short: each has at least 32 bytes"),
        (["--url", "https://play.example/a//b"], "", "--url"),
        (["--url", "https://play.example/../b"], "", "--url"),
        (["--url", "https://play.example/%2e"], "", "--url"),
        (["--log-level", "loud"], "", "loud.*--log-level.*debug, info, warning, error"),
        (["--log-format", "xml"], "", "xml.*--log-format.*text, json"),
        (["--metrics", "here"], "", "here.*--metrics.*9464"),
        (["--metrics", "127.0.0.1:0"], "", "--metrics"),
        (["--keep-days", "0"], "", "--keep-days.*1.*36500"),
        (["--trusted-proxy", "nonsense"], "", "nonsense is neither the address nor the network of a proxy"),
    ],
)
def test_wrong_options_are_refused_with_the_reason(monkeypatch, arguments, secret, reason):
    monkeypatch.setenv("TRISKELE_SECRET", secret)
    with pytest.raises(TriskeleError, match=reason):
        settings_of(*arguments)


def test_both_ways_in_have_the_same_options(monkeypatch):
    served = []
    monkeypatch.setattr(triskele.cli.serve.command, "run", lambda chosen: served.append(chosen) or 0)
    arguments = ["--port", "0", "--limit", "body_bytes=10", "--seed-seconds", "0.25"]
    chosen = commands.parse(["serve", *arguments])
    assert chosen.run(chosen) == 0
    assert command.settings_of(served[0]) == settings_of(*arguments)
    helped = subprocess.run(
        [sys.executable, "-m", "triskele.server", "--help"], capture_output=True, text=True, check=True
    )
    for option in ("--limit NAME=VALUE", "--seed-seconds", "--open", "--engines"):
        assert option in helped.stdout


def test_without_its_options_a_public_address_may_have_a_path():
    assert settings_of("--url", "https://club.example:8443/games/").public_url == "https://club.example:8443/games/"


# --- what a server that cannot start says ---------------------------------------------------------


def complaint(*arguments, module="triskele.server", **environment):
    """Return the one line that a server which does not start writes."""
    command = [sys.executable, "-m", *module.split(), *arguments]
    env = {**os.environ, "LC_ALL": "C", **environment}
    ended = subprocess.run(command, check=False, capture_output=True, text=True, env=env, timeout=60)
    assert ended.returncode == 2, ended.stderr
    assert ended.stdout == ""
    (line,) = ended.stderr.splitlines()
    return line


def test_both_ways_in_end_with_one_line(tmp_path):
    wrong = ("--limit", "nonsense=1", "--data", str(tmp_path))
    assert complaint(*wrong).startswith("triskele: there is no limit nonsense; limits:")
    german = complaint(*wrong, "--language", "de", module="triskele serve")
    assert german.startswith("triskele: ")
    assert "nonsense" in german
    assert german != complaint(*wrong, module="triskele serve")
    assert "TRISKELE_SECRET" in complaint("--data", str(tmp_path), TRISKELE_SECRET="not hexadecimal")


def test_both_ways_in_end_well_when_they_are_told_to_stop(tmp_path):
    for way in (["triskele", "serve"], ["triskele.server"]):
        command = [sys.executable, "-m", *way, "--port", "0", "--data", str(tmp_path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, env={**os.environ, "TRISKELE_PLAIN": "1"}) as process:
            assert process.stdout is not None
            assert b"http://" in process.stdout.readline()
            process.terminate()
            assert process.wait(30) == 0, "systemd takes anything else for a failure"


def test_a_folder_that_cannot_be_used_is_named(tmp_path):
    (tmp_path / "file").write_text("in the way")
    folder = tmp_path / "file" / "data"
    said = complaint("--data", str(folder), "--port", "0")
    assert f"the data folder {folder} cannot be used (Not a directory)" in said
    assert "--data" in said


def test_a_secret_that_is_damaged_is_named(tmp_path):
    (tmp_path / "secret").write_bytes(b"short")
    assert f"the secret {tmp_path / 'secret'} is damaged" in complaint("--data", str(tmp_path), "--port", "0")


def test_a_port_that_is_in_use_is_named(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = complaint("--data", str(tmp_path), "--port", str(port))
    assert f"port {port} of 127.0.0.1 is in use" in said
    assert "--port" in said
    said = complaint("--data", str(tmp_path), "--host", "192.0.2.1", "--port", "0")
    assert "cannot listen on 192.0.2.1" in said


def test_a_database_that_cannot_be_used_is_named(tmp_path):
    database = tmp_path / "tables.sqlite3"
    database.write_bytes(b"no database" * 1000)
    said = complaint("--data", str(tmp_path), "--port", "0")
    assert f"the database {database} cannot be used (file is not a database)" in said


def test_a_database_of_a_newer_version_is_refused(tmp_path):
    with sqlite3.connect(tmp_path / "tables.sqlite3") as connection:
        connection.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
        connection.execute("INSERT INTO alembic_version VALUES ('9999')")
    connection.close()
    said = complaint("--data", str(tmp_path), "--port", "0")
    assert "newer version of Triskele (schema 9999" in said
    assert "install that version or a later one" in said


def test_a_locked_database_is_named(tmp_path):
    with sqlite3.connect(tmp_path / "tables.sqlite3") as connection:
        connection.execute("BEGIN EXCLUSIVE")
        said = complaint("--data", str(tmp_path), "--port", "0")
    connection.close()
    assert f"the database {tmp_path / 'tables.sqlite3'} is locked by another program" in said


def test_a_database_or_bus_that_is_not_there_is_named_without_its_password(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as reserved:
        port = reserved.getsockname()[1]
    said = complaint("--data", str(tmp_path), "--port", "0", "--database", f"postgresql://me:pass@127.0.0.1:{port}/d")
    assert "cannot be reached" in said
    assert str(port) in said
    assert "pass@" not in said
    said = complaint("--data", str(tmp_path), "--port", "0", "--bus", f"redis://:pass@127.0.0.1:{port}")
    assert f"the bus 127.0.0.1:{port} cannot be reached" in said
    assert "pass" not in said


@pytest.mark.parametrize(
    ("package", "options", "extra"),
    [
        ("uvicorn", [], "server"),
        ("sqlalchemy", [], "server"),
        ("psycopg", ["--database", "postgresql://h/d"], "cluster"),
        ("redis", ["--bus", "redis://127.0.0.1:1"], "cluster"),
    ],
)
def test_the_extra_that_is_missing_is_named(tmp_path, package, options, extra):
    # A finder in front of all others, which says that there is no such package.
    (tmp_path / "sitecustomize.py").write_text(
        "import sys\n"
        "class Missing:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name.partition('.')[0] == {package!r}:\n"
        "            raise ModuleNotFoundError(f'No module named {name!r}', name=name)\n"
        "sys.meta_path.insert(0, Missing())\n"
    )
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    said = complaint("--data", str(tmp_path / "data"), "--port", "0", *options, PYTHONPATH=path)
    assert f'{package} is not installed: pip install "triskele[{extra}]"' in said


# --- the browser ----------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_the_browser_opens_where_the_server_listens(start, kit, tmp_path, host):
    opened = tmp_path / "opened"
    browser = tmp_path / "browser.py"
    browser.write_text(f"import sys, pathlib\npathlib.Path({str(opened)!r}).write_text(sys.argv[1])\n")
    server = start("--open", "--host", host, BROWSER=f"{sys.executable} {browser} %s")
    deadline = time.monotonic() + 30
    while not (opened.exists() and opened.read_text()) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert opened.read_text() == f"http://127.0.0.1:{server.port}/"
    assert server.port != 0


def test_options_of_logs_metrics_and_retention():
    chosen = settings_of("--log-level", "info", "--log-format", "json", "--metrics", "[::1]:9464", "--keep-days", "90")
    assert (chosen.log_level, chosen.log_format) == ("info", "json")
    assert (chosen.metrics, chosen.keep_days) == (("::1", 9464), 90.0)
    assert settings_of("--metrics", "9464").metrics == ("127.0.0.1", 9464)
    assert settings_of().metrics is None


@pytest.mark.parametrize(
    ("url", "prefix"),
    [("https://play.example", ""), ("https://play.example/", ""), ("https://play.example/club/games/", "/club/games")],
)
def test_the_path_of_the_address_is_the_prefix(url, prefix):
    assert settings_of("--url", url).prefix == prefix
