"""The checks of a request's ``Origin`` and ``Host``: pages of other sites must not use a visitor's cookie."""

from urllib.parse import urlsplit


def same_origin(origin: str | None, host: str | None, public_url: str | None) -> bool:
    """Whether a request comes from our own page or from no page at all (a program sends no ``Origin``)."""
    if origin is None:
        return True
    try:
        if public_url is not None and _origin(origin) == _origin(public_url):
            return True
        return bool(host) and urlsplit(origin).netloc == host
    except ValueError:
        return False


def _origin(url: str) -> tuple[str, str | None, int | None]:
    """Return the scheme, the host and the port of a URL, the usual port if it names none."""
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port or {"http": 80, "https": 443}.get(parts.scheme)


def same_host(host: str | None, public_url: str | None) -> bool:
    """Whether a request is for this server: its ``Host`` is that of the public URL, if there is one.

    Otherwise a page of another site could reach a server by a name of its own that points here (DNS rebinding).
    Ports are not compared: a proxy has its own.
    """
    if public_url is None:
        return True
    try:
        return bool(host) and urlsplit(f"//{host}").hostname == urlsplit(public_url).hostname
    except ValueError:
        return False
