"""The site builds without a network, loads nothing from elsewhere, has no broken link, and what it shows is true."""

import json
import os
import random
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import triskele
from triskele.arena.balance import variants
from triskele.core import game as registry
from triskele.core.contract import CHANCE
from triskele.engines import best_move
from triskele.testing import check_game

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
RACE = ROOT / "tests" / "support" / "race"
UNPLUGGED = """
import socket

def refuse(*_):
    raise OSError("the site is built without a network")

socket.socket.connect = socket.socket.connect_ex = refuse
socket.getaddrinfo = refuse
"""


class Page(HTMLParser):
    """What a page links to, what it loads, where one can jump to in it, and its text."""

    def __init__(self, path):
        super().__init__()
        self.links, self.loaded, self.places, self.text = [], [], {"", "top"}, ""
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.places |= {given[key] for key in ("id", "name") if given.get(key)}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        elif tag == "link" and given.get("rel") not in {"canonical", "author"}:
            self.loaded.append(given["href"])
        self.loaded += [given[key] for key in ("src", "srcset", "poster", "data") if given.get(key)]
        self.loaded += re.findall(r"url\(['\"]?([^'\")]+)", given.get("style") or "")

    def handle_data(self, data):
        self.text += data


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of the whole site, built by the command that builds it, cut off from every network."""
    folder = tmp_path_factory.mktemp("docs")
    (folder / "sitecustomize.py").write_text(UNPLUGGED)
    path = os.pathsep.join([str(folder), str(ROOT)])
    command = [sys.executable, str(DOCS / "build_site.py"), "--out", str(folder / "site")]
    done = subprocess.run(
        command, check=False, capture_output=True, text=True, timeout=600, env={**os.environ, "PYTHONPATH": path}
    )
    assert done.returncode == 0, done.stderr
    return folder / "site"


@pytest.fixture(scope="module")
def pages(site):
    return {path: Page(path) for path in site.rglob("*.html")}


def test_there_is_a_page_for_everybody_and_everything(site, pages):
    found = {str(path.relative_to(site).with_suffix("")) for path in pages}
    assert {page.stem for page in DOCS.glob("*.md")} | {"interfaces", "games/index", "reports/index"} <= found
    assert {"index", "players", "hosts", "researchers", "adding_a_game", "protocol", "live"} <= found
    assert {f"api/{room}" for room in ("triskele", "core", "engines", "arena", "adapters", "testing")} <= found
    assert {f"games/{game.name}" for game in registry.games()} <= found
    for game in registry.games():
        page = pages[site / "games" / f"{game.name}.html"]
        assert any(image.endswith(f"{game.name}.svg") for image in page.loaded)
        assert all(option.name in page.text for option in game.options)
    assert "api/triskele.core.position.html#triskele.core.position.Position" in {
        f"api/{link}" for link in pages[site / "api" / "triskele.html"].links
    }


def test_no_link_leads_nowhere(site, pages):
    broken = []
    for path, page in pages.items():
        for link in [*page.links, *page.loaded]:
            parts = urlsplit(link)
            if parts.scheme:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.is_file() or (target in pages and unquote(parts.fragment) not in pages[target].places):
                broken.append(f"{path.relative_to(site)} -> {link}")
    assert not broken


def test_nothing_is_loaded_from_another_host(site, pages):
    loaded = [link for page in pages.values() for link in page.loaded]
    for style in site.rglob("*.css"):
        loaded += re.findall(r"url\(['\"]?([^'\")]+)|@import\s+['\"]([^'\"]+)", style.read_text(encoding="utf-8"))
    addresses = [link if isinstance(link, str) else "".join(link) for link in loaded]
    assert len(addresses) > len(pages)
    assert not [address for address in addresses if urlsplit(address).scheme not in {"", "data"}]
    assert not [address for address in addresses if address.startswith("//")]


def test_every_page_is_reached_from_the_front_page(site, pages):
    waiting, reached = [site / "index.html"], set()
    while waiting:
        path = waiting.pop()
        if path in pages and path not in reached:
            reached.add(path)
            parts = [urlsplit(link) for link in pages[path].links]
            waiting += [(path.parent / unquote(part.path)).resolve() for part in parts if not part.scheme and part.path]
    assert set(pages) - reached == {site / "search.html"}  # which the field on every page leads to


def test_the_sixth_game_is_shown_in_full(site, pages):
    shown = pages[site / "adding_a_game.html"].text
    languages = {path for path in (RACE / "words").iterdir() if path.name != "en.json"}  # alike, and so not shown
    for path in {path for path in RACE.rglob("*") if path.is_file() and "__pycache__" not in path.parts} - languages:
        for line in path.read_text(encoding="utf-8").splitlines():
            assert line in shown, f"{path.name}: {line}"


def test_a_report_is_made_as_page_and_as_json(tmp_path, monkeypatch):
    monkeypatch.setenv("TRISKELE_PLAIN", "1")
    few = ["yinsh", "--games", "1", "--nodes", "1", "--workers", "0"]
    places = ["--out", str(tmp_path / "out"), "--kept", str(tmp_path / "kept")]
    subprocess.run([sys.executable, str(DOCS / "make_reports.py"), *few, *places], check=True, timeout=300)
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"yinsh.html", "yinsh.json"}
    document = json.loads((tmp_path / "out" / "yinsh.json").read_text())
    assert [variant["games"] for variant in document["variants"]] == [1, 1]
    assert not Page(tmp_path / "out" / "yinsh.html").loaded


@pytest.mark.parametrize("path", sorted((DOCS / "reports").glob("*.json")), ids=lambda path: path.stem)
def test_a_published_report_is_whole_small_and_of_these_rules(path):
    document = json.loads(path.read_text(encoding="utf-8"))
    game = registry.game(path.stem)
    assert document["rules"] == game.rules_module.VERSION
    assert [variant["options"] for variant in document["variants"]] == variants(game)
    assert all(variant["games"] and not variant["failed"] for variant in document["variants"])
    page = path.with_suffix(".html")
    assert page.stat().st_size < 500_000
    assert not Page(page).loaded


def test_the_sixth_game_is_whole_and_small(race):
    files = [path for path in RACE.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    shown = [path for path in files if path.parent.name != "words" or path.name == "en.json"]
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in shown) < 160
    for options in race.option_sets:
        check_game("race", games=5, **options)


@pytest.mark.parametrize("players", [2, 4])
def test_engines_play_the_sixth_game_and_it_is_drawn(race, players):
    position, rng = triskele.new("race", players=players, goal=4), random.Random(players)
    while position.outcome() is None:
        rolled = rng.choice(position.legal_moves) if position.turn == CHANCE else None
        position.push(rolled or best_move(position, nodes=20))
        picture = triskele.svg(position.scene(0))
        assert picture.count('id="race-runner"') == 1
        assert picture.count("#race-runner") == players
    assert position.outcome().reason == "goal"
