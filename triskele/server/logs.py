"""Logs: lines of text or of JSON on standard error, from a level on. With level ``info`` every request has a line."""

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Literal, get_args

Level = Literal["debug", "info", "warning", "error"]
Format = Literal["text", "json"]
LEVELS: tuple[Level, ...] = get_args(Level)
FORMATS: tuple[Format, ...] = get_args(Format)
access = logging.getLogger("triskele.access")
_FIELDS = "fields"


class JsonFormatter(logging.Formatter):
    """Writes a line of JSON: ``time``, ``level``, ``logger``, ``message``, and the fields of a request."""

    def format(self, record: logging.LogRecord) -> str:
        """Return one line; tracebacks are left out, since they may show values."""
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **getattr(record, _FIELDS, {}),
        }
        return json.dumps(line, ensure_ascii=False, default=str)


def configure(level: Level, form: Format) -> None:
    """Write the logs of the process to standard error; calling it again changes level and format."""
    handler = logging.StreamHandler(sys.stderr)
    if form == "json":
        handler.setFormatter(JsonFormatter())
    else:
        handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    logging.getLogger("triskele").setLevel(level.upper())


def log_access(
    address: str, method: str, path: str, status: int, size: int, seconds: float, visitor: str | None
) -> None:
    """Log a request that was answered, or a live connection that ended; the query and the headers are left out."""
    shown = "".join(letter if letter.isprintable() and letter != " " else "\ufffd" for letter in path[:200])
    milliseconds = round(seconds * 1000, 1)
    fields = {
        "address": address,
        "method": method,
        "path": shown,
        "status": status,
        "bytes": size,
        "ms": milliseconds,
        "visitor": visitor,
    }
    access.info(
        "%s %s %s %d %d bytes %.1f ms %s",
        address,
        method,
        shown,
        status,
        size,
        milliseconds,
        visitor or "-",
        extra={_FIELDS: fields},
    )
