"""What the page is made of: little, all from here, and no script or style in line."""

import json
import re
from pathlib import Path

import triskele

WEB = Path(triskele.__file__).parent / "web"
LIMIT = 150_000
PICTURES = (".svg", ".png")


def _address(path: Path) -> str:
    return path.relative_to(WEB).as_posix()


def test_a_first_visit_without_pictures_takes_under_150_kilobytes_over_the_wire(visit):
    """From the first page to the first move against the computer, with the headers of all answers."""
    ada = visit()
    wire = ada.page.context.new_cdp_session(ada.page)
    addresses: dict[str, str] = {}
    received: dict[str, int] = {}
    wire.on("Network.responseReceived", lambda event: addresses.update({event["requestId"]: event["response"]["url"]}))
    wire.on("Network.loadingFinished", lambda event: received.update({event["requestId"]: event["encodedDataLength"]}))
    wire.send("Network.enable")
    ada.go("/")
    ada.page.get_by_role("button", name="Play YINSH").click()
    ada.page.locator(".place.lit").first.wait_for()
    parts = {addresses[request]: size for request, size in received.items() if request in addresses}
    parts = {url: size for url, size in parts.items() if not url.split("?")[0].endswith(PICTURES)}
    assert any(url.endswith("/app.js") for url in parts)
    assert any("/words/" in url for url in parts)
    assert sum(parts.values()) < LIMIT


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


def _imported(entry: str) -> set[str]:
    """The modules that an entry and what it imports import before they run."""
    found: set[str] = set()
    waiting = [WEB / entry]
    while waiting:
        path = waiting.pop()
        for other in re.findall(r'^(?:import|export)\b[^;]*?["\'](\.[^"\']+)["\'];', path.read_text(), re.MULTILINE):
            target = (path.parent / other).resolve()
            if _address(target) not in found:
                found.add(_address(target))
                waiting.append(target)
    return found


def test_the_modules_of_a_first_visit_are_fetched_at_once():
    preloaded = re.findall(r'rel="modulepreload" href="/([^"]+)"', (WEB / "index.html").read_text())
    assert len(preloaded) > 50
    assert sorted(preloaded) == sorted({"prefetch.js", *_imported("prefetch.js"), *_imported("app.js")})


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


def test_the_page_gets_the_words_of_other_packages_that_it_says(visit):
    source = "".join(path.read_text() for path in WEB.rglob("*.js"))
    written = set(re.findall(r'"((?:core|engines|reviewing)\.[a-z-]+)"', source))
    ada = visit()
    words = ada.page.request.get(f"{ada.base}/api/v1/words/de").json()
    assert {"core.pair", "core.lesson-wrong"} <= written <= words.keys()


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
