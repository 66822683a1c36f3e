"""How heavy the page is, whom it asks, and how soon one can play.

    python benchmarks/page.py --game yinsh --times 5

Starts a server of its own in a temporary folder with nothing compiled, and loads tables in a Chromium that has nothing
cached, then in one that has. Prints how long the server takes from the command to its address; what goes over the wire
with and without pictures, and from which hosts; and the time from the start of loading until the board is drawn and the
first move possible. Last the time from the click on Play on the first page until the board is drawn.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import sync_playwright

from triskele.core.game import game, games

ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
PICTURES = (".svg", ".png")
WATCH = """
const look = () => {
    if (document.querySelector(".board .place")) window.drawn ??= performance.now();
    if (document.querySelector(".board .place.lit")) window.playable = performance.now();
    else requestAnimationFrame(look);
};
look();
"""
"""Notes in the page when the board is drawn, and when a first move is possible."""


def start(folder):
    """Return a server, its address, and how long it took to be ready."""
    command = [sys.executable, "-m", "triskele.server", "--host", "127.0.0.1", "--port", "0", "--data", str(folder)]
    begun = time.perf_counter()
    server = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, "TRISKELE_CACHE": str(folder / "cache")}
    )
    address = server.stdout.readline().split()[-1].rstrip("/")
    return server, address, time.perf_counter() - begun


def new_page(browser, received):
    """Return a page in a browser of its own, which adds to ``received`` what comes over the wire, by address."""
    context = browser.new_context(locale="en", reduced_motion="reduce")
    context.add_init_script(WATCH)
    page = context.new_page()
    wire = context.new_cdp_session(page)
    addresses = {}
    wire.on("Network.responseReceived", lambda event: addresses.update({event["requestId"]: event["response"]["url"]}))

    def finished(event):
        address = addresses.get(event["requestId"])
        if address is not None:
            received[address] += event["encodedDataLength"]

    wire.on("Network.loadingFinished", finished)
    wire.send("Network.enable")
    return page


def open_table(page, address, game):
    """Open a table against an engine, and return its address."""
    seats = [{"kind": "me"}, {"kind": "engine", "level": 1}]
    answer = page.request.post(f"{address}/api/v1/tables", data={"game": game, "seats": seats, "first": 0})
    return f"{address}/table/{answer.json()['table']}"


def noted(page, what):
    """Wait for a figure that the page notes, and return it. Asks seldom: every question holds the page up."""
    while (found := page.evaluate(what)) is None:
        page.wait_for_timeout(250)
    return found


def load(page, table):
    """Return the milliseconds from the start of loading a table until a first move is possible."""
    page.goto(table, wait_until="commit")
    return noted(page, "window.playable")


def click_to_play(page, address, title):
    """Return the milliseconds from the click on Play on the first page until the board is drawn."""
    page.goto(address)
    play = page.get_by_role("button", name=f"Play {title}")
    play.wait_for()
    page.evaluate("addEventListener('click', () => (window.clicked = performance.now()), true)")
    play.click()
    return noted(page, "window.drawn") - page.evaluate("window.clicked")


def main():
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default=games()[0].name)
    parser.add_argument("--times", type=int, default=5)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server, address, ready = start(Path(folder))
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=list(ARGUMENTS))
        try:
            received = defaultdict(int)
            first = []
            for number in range(chosen.times):
                page = new_page(browser, received if number == 0 else defaultdict(int))
                first.append(load(page, open_table(page, address, chosen.game)))
            warm = [load(page, open_table(page, address, chosen.game)) for _ in range(chosen.times)]
            clicked = [click_to_play(page, address, game(chosen.game).title) for _ in range(chosen.times)]
        finally:
            browser.close()
            server.terminate()
            server.wait()
            server.stdout.close()
    pictures = sum(size for url, size in received.items() if urlsplit(url).path.endswith(PICTURES))
    hosts = sorted({urlsplit(url).netloc for url in received})
    print(f"server ready after the command: {ready:.2f} s")
    print(f"over the wire, fresh: {(sum(received.values()) - pictures) / 1000:.1f} kB without pictures, ", end="")
    print(f"{pictures / 1000:.1f} kB pictures, {len(received)} answers from {', '.join(hosts)}")
    figures = {
        "first move possible, nothing cached": first,
        "first move possible, cached": warm,
        "board drawn after the click on Play": clicked,
    }
    for words, times in figures.items():
        print(f"{words}: median {statistics.median(times):.0f} ms, worst {max(times):.0f} ms")


if __name__ == "__main__":
    main()
