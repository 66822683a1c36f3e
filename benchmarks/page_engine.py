"""The engine in the page, in a real Chromium: the first line after the click, updates, long tasks, frames, depth.

    python benchmarks/page_engine.py --rounds 5 --seconds 5

Starts a server of its own whose pages get engines, as that of an installed wheel. Each round has a new browser
context, so that nothing is cached, and analyses a position from the middle of a random game. With one processor the
page uses one Worker, else two: both are measured. Frames are counted before the click, too: what a busy machine takes
from them is not the engine's. Long tasks are those of 50 ms or more on the page's own thread, from the click on.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from urllib.request import urlopen

from playwright.sync_api import sync_playwright

from triskele.core.contract import CHANCE
from triskele.core.game import game, games
from triskele.core.position import Position
from triskele.core.records import Record
from triskele.core.wasm.modules import write_module
from triskele.engines.modules import engine_module, engine_search

ROOT = Path(__file__).parents[1]
MOVES = 20
"""Moves before the position that is analysed, at most; at least half as many."""
GAMES = 10
"""Random games from which it is taken."""
WATCH = """(seconds) => {
    const frames = (lasting, each = () => {}) => new Promise((resolve) => {
        let count = 0;
        const began = performance.now();
        const look = () => {
            count++;
            each();
            const lasted = (performance.now() - began) / 1000;
            if (lasted < lasting) return requestAnimationFrame(look);
            resolve(count / lasted);
        };
        requestAnimationFrame(look);
    });
    const line = () => document.querySelector(".line-moves")?.textContent;
    const foot = () => document.querySelector(".analysis .foot")?.textContent;
    const measure = async () => {
        const idle = await frames(1);
        const long = [], said = new Set();
        const note = (list) => long.push(...list.getEntries().map((each) => each.duration));
        const observer = new PerformanceObserver(note);
        observer.observe({ entryTypes: ["longtask"] });
        const began = performance.now();
        document.querySelector(".analysis-key button").click();
        while (!line()) await new Promise(requestAnimationFrame);
        const first = performance.now() - began;
        const busy = await frames(seconds, () => said.add(foot()));
        observer.disconnect();
        return { first, idle, busy, long, updates: (said.size - 1) / seconds, last: foot() };
    };
    return measure();
}"""


def midgame(declared):
    """Return the record of a random game up to the decision with the most moves of some games, ever the same."""
    chooser = random.Random(7)
    best, choices = None, 0
    for _ in range(GAMES):
        position = Position(declared.variant())
        while position.turn is not None and len(position.moves) <= MOVES:
            quiet = [move for move in position.legal_moves if move.text[0] not in "?!"] or position.legal_moves
            if position.turn != CHANCE and len(position.moves) >= MOVES // 2 and len(quiet) > choices:
                best, choices = position.copy(), len(quiet)
            position.push(chooser.choice(quiet))
    return Record.of(best, seats=["?"] * best.variant.seats, date="2026-01-01T00:00:00Z").to_json()


def start(folder, names):
    """Start a server with the modules of some games; return its process and address."""
    for name in names:
        write_module(game(name), engine_module(game(name)), folder / "modules" / name)
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.support.engine_server", "--port", "0", "--data", str(folder / "data")],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "TRISKELE_PLAIN": "1", "TRISKELE_TEST_MODULES": str(folder / "modules")},
    )
    base = process.stdout.readline().split()[-1].rstrip("/")
    while not set(names) <= with_engines(base):
        time.sleep(0.2)
    return process, base


def with_engines(base):
    """Return the names of the games whose engine the server gives to pages by now."""
    with urlopen(f"{base}/api/v1/games") as answer:
        return {known["name"] for known in json.load(answer) if known["engine"]}


def look(browser, base, record, processors, seconds):
    """Return what was seen of one analysis."""
    context = browser.new_context(viewport={"width": 1280, "height": 860})
    page = context.new_page()
    page.add_init_script(f"Object.defineProperty(navigator, 'hardwareConcurrency', {{ get: () => {processors} }})")
    answer = page.request.post(
        f"{base}/api/v1/records", data=record.encode(), headers={"Content-Type": "application/json"}
    )
    page.goto(f"{base}/table/{answer.json()['table']}")
    page.locator(".table-page .board").wait_for()
    page.wait_for_timeout(500)
    curtain = page.locator(".curtain:not([hidden]) button")
    if curtain.count():
        curtain.click()
    page.locator(".analysis-key button").hover()  # as a mouse does on its way to the click
    found = page.evaluate(WATCH, seconds)
    context.close()
    return found


def report(name, processors, seconds, seen):
    """Print what was seen of a game with some processors."""
    firsts = [each["first"] for each in seen]
    long = [duration for each in seen for duration in each["long"]]
    print(f"{name}, {'two Workers' if processors > 1 else 'one Worker'}:")
    print(f"  first line after {median(firsts):.0f} ms (the slowest: {max(firsts):.0f} ms)")
    print(f"  {median(each['updates'] for each in seen):.1f} updates a second; ", end="")
    print(f"{median(each['busy'] for each in seen):.0f} frames a second, ", end="")
    print(f"{median(each['idle'] for each in seen):.0f} before the click")
    print(f"  long tasks: {', '.join(f'{duration:.0f} ms' for duration in long) or 'none'}")
    print(f"  after {seconds:g} s: {seen[-1]['last']}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    searched = [declared.name for declared in games() if engine_search(declared) is not None]
    parser.add_argument("--games", nargs="+", default=searched, metavar="GAME")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=5.0)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="triskele-page-") as folder, sync_playwright() as playwright:
        server, base = start(Path(folder), asked.games)
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        try:
            for name in asked.games:
                record = midgame(game(name))
                for processors in (1, 4):
                    seen = [look(browser, base, record, processors, asked.seconds) for _ in range(asked.rounds)]
                    report(name, processors, asked.seconds, seen)
        finally:
            browser.close()
            server.terminate()
            server.wait(30)


if __name__ == "__main__":
    main()
