"""Static assets: compressed once, with an ETag so that browsers fetch them once."""

import gzip
import hashlib
import html
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from triskele.core.words import LANGUAGES

WEB = Path(__file__).parents[2] / "web"
_COMPRESSED_FROM = 256
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".webmanifest": "application/manifest+json",
    ".txt": "text/plain; charset=utf-8",
}
_COMPRESSED_TYPES = (".png", ".woff2", ".ico")
PAGES = (
    "table",
    "learn",
    "lesson",
    "puzzles",
    "analysis",
    "review",
    "mine",
    "sign-in",
    "account",
    "people",
    "moderation",
    "lobby",
    "ratings",
    "rated",
    "notices",
)
"""First parts of addresses that the page itself handles, with whatever follows them."""


@dataclass
class Asset:
    """Bytes to be served as they are."""

    body: bytes
    media_type: str
    compress: bool = True
    headers: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Compress it and compute its ETag."""
        self.tag = f'"{hashlib.sha256(self.body).hexdigest()[:16]}"'
        gzipped = gzip.compress(self.body, 9, mtime=0) if self.compress and len(self.body) >= _COMPRESSED_FROM else None
        self.gzipped = gzipped if gzipped is not None and len(gzipped) < len(self.body) else None

    def response(self, request: Request) -> Response:
        """Answer a request for it."""
        headers = {"ETag": self.tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding", **self.headers}
        if self.tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        if self.gzipped is not None and "gzip" in request.headers.get("accept-encoding", ""):
            return Response(self.gzipped, headers={**headers, "Content-Encoding": "gzip"}, media_type=self.media_type)
        return Response(self.body, headers=headers, media_type=self.media_type)


class Files:
    """The files of the page. A file that changes on the disk is read again."""

    def __init__(self, folder: Path = WEB, titles: Sequence[str] = (), prefix: str = "", chat: bool = True) -> None:
        """Serve what is in a folder; ``titles`` are the games that the page's description names.

        The page's links to other files begin with ``prefix``, the path under which people reach the server; ``chat``
        tells it whether there is any.
        """
        self._prefix = prefix
        self._chat = b"on" if chat else b"off"
        self._folder = folder.resolve()
        listed = [", ".join(titles[:-1]), *titles[-1:]]
        self._games = html.escape(" and ".join(part for part in listed if part))
        self._known: dict[Path, tuple[int, Asset]] = {}

    def page(self) -> Asset:
        """Return the page itself."""
        found = self.find("")
        assert found is not None, "the package has its page"
        return found

    def read_all(self) -> None:
        """Read and compress all files."""
        for path in self._folder.rglob("*"):
            self.find(path.relative_to(self._folder).as_posix())

    def _read(self, path: Path) -> bytes:
        """Return what is in a file; the page itself gets the list of games, the languages and the prefix."""
        body = path.read_bytes()
        if path.suffix != ".html":
            return body
        body = body.replace(b'="/', f'="{self._prefix}/'.encode()).replace(b"{chat}", self._chat)
        return body.replace(b"{games}", self._games.encode()).replace(b"{languages}", " ".join(LANGUAGES).encode())

    def find(self, path: str) -> Asset | None:
        """Return the file at a path of the address, the page itself for its own addresses."""
        parts = path.strip("/").split("/")
        if parts == [""] or (parts[0] in PAGES and Path(parts[-1]).suffix not in _TYPES):
            parts = ["index.html"]
        if any(part in ("", ".", "..") or part.startswith(".") or "\0" in part or "\\" in part for part in parts):
            return None
        found = self._folder.joinpath(*parts)
        if found.suffix not in _TYPES:
            return None
        try:
            changed = found.stat().st_mtime_ns
            known = self._known.get(found)
            if known is None or known[0] != changed:
                if not found.resolve().is_relative_to(self._folder) or not found.is_file():
                    return None
                asset = Asset(self._read(found), _TYPES[found.suffix], found.suffix not in _COMPRESSED_TYPES)
                known = self._known[found] = (changed, asset)
        except (OSError, ValueError):
            return None
        return known[1]
