"""The small page that ``triskele wasm`` writes, in a real browser."""

import functools
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from triskele.cli.wasm import write
from triskele.core.game import Game
from triskele.core.wasm.build import build_module


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *values: object) -> None:
        """Write nothing."""


@pytest.fixture
def address(race: Game, tmp_path: Path) -> Iterator[str]:
    """Where the files of a module are served."""
    write(race, build_module(race), tmp_path)
    handler = functools.partial(_Quiet, directory=str(tmp_path))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_the_page_plays_counts_and_measures(browser: Browser, address: str):
    page = browser.new_page()
    said = page.locator("#said")
    page.goto(address)
    expect(said).to_have_text("ready")
    page.get_by_role("button", name="Count").click()
    expect(said).to_have_text("sequences of 1, 2 and 3 moves: 4, 16, 64")
    page.get_by_label("Options").select_option("rolls=4")
    page.get_by_role("button", name="Play").click()
    expect(said).to_contain_text("their codes:")
    page.get_by_role("button", name="Measure").click()
    expect(said).to_contain_text("random games a second")
    page.close()


def test_the_page_says_what_is_wrong_with_a_module(browser: Browser, address: str, tmp_path: Path):
    module = tmp_path / "race.wasm"
    module.write_bytes(module.read_bytes()[:500])
    page = browser.new_page()
    page.goto(address)
    expect(page.locator("#said")).to_contain_text("race.wasm cannot be used")
    page.close()
