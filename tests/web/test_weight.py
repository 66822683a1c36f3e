"""What the page is made of: little, all from here, and no script or style in line."""

import gzip
import json
import re
from pathlib import Path

import triskele

WEB = Path(triskele.__file__).parent / "web"
LIMIT = 150_000
PICTURES = (".svg", ".png")


def _address(path: Path) -> str:
    return path.relative_to(WEB).as_posix()


def test_the_page_without_pictures_weighs_under_150_kilobytes(visit):
    ada = visit()
    bodies: dict[str, bytes] = {}
    ada.page.on("requestfinished", lambda request: bodies.setdefault(request.url, request.response().body()))
    ada.open("yinsh", [{"kind": "me"}, {"kind": "engine", "level": 1}])
    ada.page.locator(".place.lit").first.wait_for()
    parts = {url: body for url, body in bodies.items() if not url.split("?")[0].endswith(PICTURES)}
    assert any(url.endswith("/app.js") for url in parts)
    assert any("/words/" in url for url in parts)
    assert sum(len(gzip.compress(body)) for body in parts.values()) < LIMIT


def test_the_server_sends_it_compressed(visit):
    ada = visit()
    answer = ada.page.request.get(f"{ada.base}/app.js", headers={"Accept-Encoding": "gzip"})
    assert answer.headers["content-encoding"] == "gzip"


def test_no_script_or_style_in_line(visit):
    written = (WEB / "index.html").read_text()
    assert not re.search(r"<style|\bstyle=|\son\w+=|<script(?![^>]*\bsrc=)", written)
    ada = visit()
    policy = ada.page.request.get(ada.base + "/").headers["content-security-policy"]
    assert "unsafe" not in policy.replace("'wasm-unsafe-eval'", "")  # which evaluates no text
    assert "default-src 'self'" in policy


def test_every_module_is_fetched_at_once():
    preloaded = re.findall(r'rel="modulepreload" href="/([^"]+)"', (WEB / "index.html").read_text())
    # The entry itself, and what is imported when it is needed.
    later = (
        "app.js",
        "service-worker.js",
        "accounts/",
        "analysis/",
        "club/",
        "days/",
        "engine/",
        "learn/",
        "notices/",
        "pages/learn.js",
        "pages/my-games.js",
        "pages/record-seats.js",
        "review/",
        "table/move-input.js",
        "table/rating-changes.js",
    )
    every = {_address(path) for path in WEB.rglob("*.js")}
    assert sorted(preloaded) == sorted(address for address in every if not address.startswith(later))


def test_the_engine_is_fetched_when_it_is_needed_and_not_before(visit):
    ada = visit()
    ada.go("/")
    ada.open("yinsh", [{"kind": "me"}, {"kind": "here"}])
    ada.page.locator(".place.lit").first.wait_for()
    assert not [url for url in ada.requested if "/engine" in url]


def test_every_word_is_there_and_used():
    source = "".join(path.read_text() for path in WEB.rglob("*.js"))
    written = set(re.findall(r'"web\.([a-z-]+)"', source))
    families = re.findall(r"`web\.([a-z-]+)\$\{", source)
    words = set(json.loads((WEB / "words" / "en.json").read_text()))
    assert written <= words
    assert all(any(word.startswith(family) for word in words) for family in families)
    assert not {word for word in words - written if not word.startswith(tuple(families))}


def test_nothing_of_the_page_names_a_game():
    names = {word.lower() for game in triskele.games() for word in (game.name, game.title)}
    sources = [path for path in WEB.rglob("*") if path.suffix in (".js", ".ts", ".html", ".css", ".webmanifest")]
    assert len(sources) > 50
    for path in sources:
        code = re.sub(r"/\*.*?\*/|//[^\n]*", "", path.read_text(), flags=re.DOTALL)
        assert not [name for name in names if name in code.lower()], path.name


def test_the_description_names_all_games(visit):
    ada = visit()
    ada.go("/")
    description = ada.page.locator("meta[name=description]").get_attribute("content")
    *first, last = [game.title for game in triskele.games()]
    assert f"Play {', '.join(first)} and {last} against friends" in description


def test_no_type_is_waved_through():
    """What ``make lint`` checks is worth something only if nothing is exempt from it."""
    for path in WEB.rglob("*.js"):
        source = path.read_text()
        assert "@ts-" not in source, path.name
        assert not re.search(r"\{\*\}|[<,:{(|] ?\*[ ,>)|}]|\bany\b(?=[\]}>|,)])", source), path.name
