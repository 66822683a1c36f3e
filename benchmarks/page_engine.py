"""The engine in the page, in a real Chromium: the first line after the click, updates, long tasks, frames, depth.

    python benchmarks/page_engine.py --rounds 5 --seconds 5

Starts a server of its own whose pages get engines, as that of an installed wheel. Each round has a new browser
context, so that nothing is cached. With one processor the page uses one Worker, else two: both are measured.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from playwright.sync_api import sync_playwright

from triskele.core.game import game, games
from triskele.core.wasm.modules import write_module
from triskele.engines.modules import engine_module

ROOT = Path(__file__).parents[1]
FIRST_LINE = """() => new Promise((resolve) => {
    const began = performance.now();
    document.querySelector(".analysis-key button").click();
    const look = () => document.querySelector(".line-moves")?.textContent
        ? resolve(performance.now() - began) : requestAnimationFrame(look);
    look();
})"""
WATCH = """(seconds) => new Promise((resolve) => {
    const long = [], said = new Set();
    const observer = new PerformanceObserver((list) => long.push(...list.getEntries().map((entry) => entry.duration)));
    observer.observe({ entryTypes: ["longtask"] });
    let frames = 0;
    const began = performance.now();
    const look = () => {
        frames++;
        said.add(document.querySelector(".foot").textContent);
        if (performance.now() - began < 1000 * seconds) return requestAnimationFrame(look);
        observer.disconnect();
        const lasted = (performance.now() - began) / 1000;
        const last = document.querySelector(".foot").textContent;
        resolve({ long, frames: frames / lasted, updates: said.size / lasted, last });
    };
    look();
})"""


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
    return process, process.stdout.readline().split()[-1].rstrip("/")


def look(browser, base, name, processors, seconds):
    """Return the milliseconds to the first line, and what was seen in the seconds after it."""
    context = browser.new_context(viewport={"width": 1280, "height": 860})
    page = context.new_page()
    page.add_init_script(f"Object.defineProperty(navigator, 'hardwareConcurrency', {{ get: () => {processors} }})")
    plan = {"game": name, "seats": [{"kind": "me"}, {"kind": "here"}]}
    table = page.request.post(f"{base}/api/v1/tables", data=plan).json()["table"]
    page.goto(f"{base}/table/{table}")
    page.locator(".place.lit").first.wait_for()
    page.locator(".analysis-key button").hover()  # as a mouse does on its way to the click
    page.wait_for_timeout(100)
    found = page.evaluate(FIRST_LINE), page.evaluate(WATCH, seconds)
    context.close()
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    open_games = [declared.name for declared in games() if declared.is_combinatorial]
    parser.add_argument("--games", nargs="+", default=open_games)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=5.0)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="triskele-page-") as folder, sync_playwright() as playwright:
        server, base = start(Path(folder), asked.games)
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        try:
            for name in asked.games:
                for processors in (1, 4):
                    rounds = [look(browser, base, name, processors, asked.seconds) for _ in range(asked.rounds)]
                    firsts, seen = [first for first, _ in rounds], [watched for _, watched in rounds]
                    print(f"{name}, {'two Workers' if processors > 1 else 'one Worker'}:")
                    print(f"  first line after {median(firsts):.0f} ms (the slowest: {max(firsts):.0f} ms)")
                    print(f"  {median(each['updates'] for each in seen):.1f} updates and ", end="")
                    print(f"{median(each['frames'] for each in seen):.0f} frames a second; long tasks: ", end="")
                    print(", ".join(f"{long:.0f} ms" for each in seen for long in each["long"]) or "none")
                    print(f"  after {asked.seconds:g} s: {seen[-1]['last']}")
        finally:
            browser.close()
            server.terminate()
            server.wait(30)


if __name__ == "__main__":
    main()
