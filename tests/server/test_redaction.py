"""An error's message goes into the log, and never a value of it that might be secret."""

import json
import logging
import sqlite3

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import SQLAlchemyError

from triskele.core.errors import IllegalMove, TriskeleError
from triskele.core.words import text as words
from triskele.server.redaction import safe_message
from triskele.server.refusal import Refusal, log_failure

TOKEN = "Wn3kP0qLxY7_aB-cD9eFgH"
EMPTY: list[int] = []
SECRETS = [TOKEN, "5f" * 32, "RGBYR", 'it\'s "quoted"', "hunter2", "f6-f9"]


def raised(call):
    try:
        call()
    except Exception as error:
        return error
    raise AssertionError("it did not fail")


def errors(secret: str):
    """Return errors of many kinds that carry a secret in their message."""
    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE t (a TEXT PRIMARY KEY)"))
        connection.execute(text("INSERT INTO t VALUES (:a)"), {"a": secret})
        row = raised(lambda: connection.execute(text("INSERT INTO t VALUES (:a)"), {"a": secret}))
    engine.dispose()
    return [
        raised(lambda: {}[secret]),
        raised(lambda: int(secret + "x")),
        raised(lambda: json.loads("{" + secret)),
        raised(lambda: [][secret]),
        raised(lambda: secret.encode("ascii") and getattr(object(), secret)),
        ValueError(f"the move {secret!r} is not legal"),
        ValueError(f"broken off in '{secret}"),
        RuntimeError(f"cannot reach postgresql://club:{secret}@db.example/games"),
        row,
        TriskeleError(words("core.no-such-move", move=secret)),
        Refusal("host", words("server.host", url=secret)),
    ]


@pytest.mark.parametrize("secret", SECRETS)
def test_no_secret_gets_into_the_log(secret, caplog):
    for error in errors(secret):
        log_failure(error, "a request")
    assert len(caplog.messages) == 11
    for message in caplog.messages:
        assert secret not in message
        assert repr(secret)[1:-1] not in message


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (raised(lambda: None.nothing), "'NoneType' object has no attribute 'nothing'"),
        (raised(lambda: len(3)), "object of type 'int' has no len()"),
        (raised(lambda: EMPTY[4]), "list index out of range"),
        (raised(lambda: 1 / 0), "division by zero"),
        (PermissionError(13, "Permission denied", "/data/secret"), "Permission denied"),
        (raised(lambda: int("12x")), "invalid literal for int() with base 10: \N{HORIZONTAL ELLIPSIS}"),
        (sqlite3.OperationalError("database is locked"), "database is locked"),
        (AssertionError("entries come in order"), "entries come in order"),
        (TimeoutError(), ""),
        (ValueError("a\nb\x1b[31mc"), "a b [31mc"),
        (ValueError("x" * 5000), "\N{HORIZONTAL ELLIPSIS}"),
    ],
)
def test_what_helps_stays(error, said):
    assert safe_message(error) == said


def test_a_database_error_says_what_is_wrong_without_the_statement():
    engine = create_engine("sqlite://")
    with pytest.raises(SQLAlchemyError) as failed, engine.connect() as connection:
        connection.execute(text("SELECT * FROM nothing_here WHERE a = :a"), {"a": TOKEN})
    engine.dispose()
    assert safe_message(failed.value) == "no such table: nothing_here"


def test_the_log_has_type_message_and_place(caplog):
    with caplog.at_level(logging.ERROR):
        log_failure(raised(lambda: EMPTY[4]), "a request")
    assert caplog.messages[0].startswith("a request failed: IndexError (list index out of range) at test_redaction.py:")


def test_a_reason_of_ours_keeps_its_words():
    error = IllegalMove(words("server.long-record", n=7))
    assert "7" in safe_message(error)
