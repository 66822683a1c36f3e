"""Assets: bytes that many ask for, compressed once, with a tag so that nobody fetches them twice."""

import gzip
import hashlib
from dataclasses import dataclass, field
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

WEB = Path(__file__).parent.parent / "web"
_COMPRESSED_FROM = 256
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".webmanifest": "application/manifest+json",
    ".txt": "text/plain; charset=utf-8",
}
_PACKED = (".png", ".woff2", ".ico")
PAGES = ("table", "learn", "mine")
"""Addresses that the page itself makes sense of, with whatever follows them."""


@dataclass
class Asset:
    """Something to be served as it is."""

    body: bytes
    media_type: str
    compress: bool = True
    headers: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Compress it and work out its tag."""
        self.tag = f'"{hashlib.sha256(self.body).hexdigest()[:24]}"'
        packed = gzip.compress(self.body, 9, mtime=0) if self.compress and len(self.body) >= _COMPRESSED_FROM else None
        self.packed = packed if packed is not None and len(packed) < len(self.body) else None

    def response(self, request: Request) -> Response:
        """Answer a request for it."""
        headers = {"ETag": self.tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding", **self.headers}
        if self.tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        if self.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
            return Response(self.packed, headers={**headers, "Content-Encoding": "gzip"}, media_type=self.media_type)
        return Response(self.body, headers=headers, media_type=self.media_type)


class Files:
    """The files of the page. A file that changes on the disk is read again."""

    def __init__(self, folder: Path = WEB) -> None:
        """Serve what is in a folder."""
        self._folder = folder.resolve()
        self._known: dict[Path, tuple[int, Asset]] = {}

    def page(self) -> Asset:
        """Return the page itself."""
        found = self.find("")
        assert found is not None, "the package has its page"
        return found

    def read_all(self) -> None:
        """Have all files ready."""
        for path in self._folder.iterdir():
            self.find(path.name)

    def find(self, path: str) -> Asset | None:
        """Return the file at a path of the address, the page itself for its own addresses."""
        parts = path.strip("/").split("/")
        if parts == [""] or parts[0] in PAGES:
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
                asset = Asset(found.read_bytes(), _TYPES[found.suffix], found.suffix not in _PACKED)
                known = self._known[found] = (changed, asset)
        except (OSError, ValueError):
            return None
        return known[1]
