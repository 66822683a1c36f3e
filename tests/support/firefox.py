"""Look at the page in Debian's Firefox: play against the page's engine, analyse, try out a line, ask for a hint.

    python tests/support/firefox.py [--headed] [--keep FOLDER]

Starts a server of its own with the engines of two games, and ``firefox-esr``, which it drives by WebDriver BiDi. Prints
what it saw, and ends with an error at the first thing that is not as it should be. ``--keep`` writes pictures into a
folder.
"""

import argparse
import base64
import contextlib
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from websockets.sync.client import connect

from triskele.core.game import game
from triskele.core.wasm.modules import write_module
from triskele.engines.modules import engine_module

GAMES = ("yinsh", "trypsylon")
PATIENCE = 60.0


class Firefox:
    """A Firefox with one window, driven by WebDriver BiDi."""

    def __init__(self, address: str) -> None:
        """Begin a session."""
        self._opened = connect(f"{address}/session", max_size=2**26, compression=None)
        self._socket = self._opened.__enter__()
        self._numbers = itertools.count(1)
        self.version = self.ask("session.new", capabilities={})["capabilities"]["browserVersion"]
        self.window = self.ask("browsingContext.getTree")["contexts"][0]["context"]

    def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command and return its result."""
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self._socket.recv(PATIENCE))
            if message.get("id") == number:
                if message["type"] == "error":
                    raise RuntimeError(f"{method}: {message['message']}")
                return dict(message["result"])

    def go(self, url: str) -> None:
        """Load a page."""
        self.ask("browsingContext.navigate", context=self.window, url=url, wait="complete")

    def run(self, script: str) -> Any:
        """Return the value of an expression in the page, by way of JSON."""
        target = {"context": self.window}
        wrapped = f"(async () => JSON.stringify(await ({script})))()"
        answer = self.ask("script.evaluate", expression=wrapped, target=target, awaitPromise=True)
        if answer["type"] == "exception":
            raise RuntimeError(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"].get("value", "null"))

    def until(self, script: str, what: str) -> Any:
        """Wait until an expression is true, and return its value."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            found = self.run(script)
            if found:
                return found
            time.sleep(0.05)
        raise AssertionError(f"waited in vain for {what}: {self.run('document.querySelector(`main`).innerText')}")

    def click(self, selector: str) -> None:
        """Click in the middle of an element with the mouse."""
        box = f"(() => {{ const b = document.querySelector({json.dumps(selector)})?.getBoundingClientRect(); "
        x, y = self.until(box + "return b && [b.x + b.width / 2, b.y + b.height / 2]; })()", selector)
        moves = [
            {"type": "pointerMove", "x": int(x), "y": int(y)},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        actions = [{"type": "pointer", "id": "mouse", "actions": moves}]
        self.ask("input.performActions", context=self.window, actions=actions)

    def picture(self, path: Path) -> None:
        """Write what is seen into a file."""
        path.write_bytes(base64.b64decode(self.ask("browsingContext.captureScreenshot", context=self.window)["data"]))

    def close(self) -> None:
        """End the session."""
        self._socket.close()


@contextlib.contextmanager
def firefox(headed: bool) -> Iterator[Firefox]:
    """Start Firefox with a new profile."""
    with tempfile.TemporaryDirectory() as profile:
        command = ["firefox-esr", "--no-remote", "--profile", profile, "--remote-debugging-port", "0", "about:blank"]
        process = subprocess.Popen(
            command if headed else [*command, "--headless", "--width", "1280", "--height", "900"],
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
        )
        try:
            assert process.stderr is not None
            line = next(line for line in process.stderr if "WebDriver BiDi listening" in line)
            found = re.search(r"ws://\S+", line)
            assert found is not None
            browser = Firefox(found.group())
            yield browser
            browser.close()
        finally:
            process.terminate()
            process.wait(30)


@contextlib.contextmanager
def server(folder: Path) -> Iterator[str]:
    """Start a server with the engines of some games; return its address."""
    for name in GAMES:
        write_module(game(name), engine_module(game(name)), folder / "modules" / name)
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.support.engine_server", "--port", "0", "--data", str(folder / "data")],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
        env={**os.environ, "TRISKELE_PLAIN": "1", "TRISKELE_TEST_MODULES": str(folder / "modules")},
    )
    try:
        assert process.stdout is not None
        yield process.stdout.readline().split()[-1].rstrip("/")
    finally:
        process.terminate()
        process.wait(30)


def opened(browser: Firefox, name: str, other: dict[str, Any]) -> None:
    """Open a table as the form would, and go to it."""
    plan = {"game": name, "seats": [{"kind": "me", "name": "Ada"}, other], "private": True}
    asked = f"fetch('/api/v1/tables', {{method: 'POST', body: {json.dumps(json.dumps(plan))}, "
    answer = browser.run(asked + "headers: {'Content-Type': 'application/json'}}).then((a) => a.json())")
    url = browser.run("location.origin")
    browser.go(f"{url}/table/{answer['table']}")
    browser.until("document.querySelector('.place.lit') !== null", "the board")


def look(browser: Firefox, base: str, name: str, picture: Callable[[str], None]) -> None:
    """Play and analyse one game."""
    browser.go(base)
    opened(browser, name, {"kind": "engine", "level": 3})
    seen = "document.querySelector('.above .status')?.textContent"
    print(f"{name}: the strip says:", browser.until(f"{seen}?.includes('browser') && {seen}", "where it is computed"))
    listed = "[...document.querySelectorAll('.moves button')].map((each) => each.textContent)"
    moves: list[str] = []
    for _ in range(20):  # a turn has one or two moves, a move one or two clicks
        browser.click(".place.lit, .actions button")
        time.sleep(0.5)
        moves = browser.run(listed)
        if len(moves) >= 4:
            break
    assert len(moves) >= 4, moves
    print(f"{name}: played:", *moves)
    browser.go(base)
    opened(browser, name, {"kind": "here", "name": "Ben"})
    script = """new Promise((resolve) => {
        const began = performance.now();
        document.querySelector(".analysis-key button").click();
        const look = () => document.querySelector(".line-moves")?.textContent
            ? resolve(performance.now() - began) : requestAnimationFrame(look);
        look();
    })"""
    print(f"{name}: the first line came after {browser.run(script):.0f} ms")
    browser.until("document.querySelectorAll('.line-button:not([hidden] *)').length === 3", "three lines")
    feet = browser.run(
        """new Promise((resolve) => {
        const seen = new Set();
        const began = performance.now();
        const look = () => {
            seen.add(document.querySelector(".foot").textContent);
            performance.now() - began < 3000 ? requestAnimationFrame(look) : resolve([...seen]);
        };
        look();
    })"""
    )
    assert len(feet) >= 12, feet
    print(f"{name}: {len(feet)} updates in 3 s, the last: {feet[-1]}")
    arrows = browser.run("document.querySelectorAll('.arrows .arrow').length")
    assert arrows == 3, arrows
    picture(f"{name}-analysis")
    browser.click(".line-button")
    browser.until("document.querySelector('.preview:not([hidden])') !== null", "the line on the board")
    time.sleep(2)
    picture(f"{name}-line")
    browser.click(".analysis .preview .button:last-child")
    browser.until("document.querySelector('.place.lit') !== null", "the game again")
    browser.run("[...document.querySelectorAll('.deeds button')].find((b) => b.textContent === 'Hint').click()")
    print(
        f"{name}: the hint:", browser.until("document.querySelector('.sheet .move')?.parentNode.textContent", "a hint")
    )


def main() -> None:
    """Look at everything."""
    parser = argparse.ArgumentParser(description="Look at the page's engine in Debian's Firefox.")
    parser.add_argument("--headed", action="store_true")
    parser.add_argument("--keep", type=Path)
    chosen = parser.parse_args()
    if shutil.which("firefox-esr") is None:
        sys.exit("there is no firefox-esr: apt-get install firefox-esr")
    with tempfile.TemporaryDirectory() as folder, server(Path(folder)) as base, firefox(chosen.headed) as browser:
        print("Firefox", browser.version)

        def picture(name: str) -> None:
            if chosen.keep is not None:
                chosen.keep.mkdir(parents=True, exist_ok=True)
                browser.picture(chosen.keep / f"{name}.png")

        for name in GAMES:
            look(browser, base, name, picture)


if __name__ == "__main__":
    main()
