"""A review in the page, in a real Chromium: when the first result comes, when the last, and what the server does.

    python benchmarks/page_review.py                                  every game
    python benchmarks/page_review.py yinsh --moves 60 --rounds 3

Starts a server of its own whose pages get engines, as that of an installed wheel, and brings in a game that engines of
a level played: its first moves, or in a game with secrets the whole of it, since nothing of such a game is shown before
its end. Each round has a new browser context, so that nothing is cached.
"""

import argparse
import random
import shutil
import tempfile
from pathlib import Path
from statistics import median

import psutil
from page_engine import start
from playwright.sync_api import sync_playwright

import triskele
from triskele.arena.contestants import Contestant
from triskele.arena.openings import opening, usual_plies
from triskele.arena.referee import Terms, play
from triskele.core.game import game
from triskele.core.position import Position

WATCH = """() => new Promise((resolve) => {
    const began = performance.timeOrigin;
    const now = () => performance.timeOrigin + performance.now() - began;
    let first = null, steps = new Set();
    const look = () => {
        const bar = document.querySelector(".review-progress progress");
        if (bar && bar.value > 0) {
            first ??= now();
            steps.add(bar.value);
        }
        if (document.querySelector('.game-review[data-state="done"]'))
            return resolve({ first: first ?? now(), whole: now(), steps: steps.size });
        requestAnimationFrame(look);
    };
    look();
})"""


def played(name, moves, level):
    """Return the record of a game between engines, cut off after some moves if it may be shown before its end."""
    variant = game(name).variant()
    contestant = Contestant.parse(f"triskele:level={level}")
    plies = usual_plies(variant)
    for number in range(100):
        begun = opening(variant, plies, 1, number) if plies else ()
        dice = random.Random(f"review dice {number}")
        found = play(variant, [contestant] * variant.seats, Terms(), opening=begun, dice=dice, seed=f"review {number}")
        if len(found.moves) >= moves or game(name).hidden:
            position = Position(variant)
            for move in found.moves if game(name).hidden else found.moves[:moves]:
                position.push(move)
            return triskele.Record.of(position)
    raise SystemExit(f"no game of level {level} has {moves} moves")


def processor_seconds(process):
    """Return what a server and its workers have used."""
    every = [process, *process.children(recursive=True)]
    return sum(sum(each.cpu_times()[:2]) for each in every)


def review(browser, base, record, server):
    """Return what a person sees who opens a review, and the server's seconds meanwhile."""
    context = browser.new_context(viewport={"width": 1280, "height": 860})
    page = context.new_page()
    sent = {"data": record.to_json(), "headers": {"Content-Type": "application/json"}}
    table = page.request.post(f"{base}/api/v1/records", **sent).json()["table"]
    before = processor_seconds(server)
    page.goto(f"{base}/review/{table}", wait_until="commit")
    page.set_default_timeout(600_000)
    found = page.evaluate(WATCH)
    found["server"] = processor_seconds(server) - before
    found["where"] = page.locator(".review-progress small").inner_text()
    context.close()
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    every = [declared.name for declared in triskele.games()]
    parser.add_argument("games", nargs="*", default=every, metavar="GAME")
    parser.add_argument("--moves", type=int, default=60)
    parser.add_argument("--level", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="triskele-review-") as folder, sync_playwright() as playwright:
        server, base = start(Path(folder), asked.games)
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        try:
            for name in asked.games:
                record = played(name, asked.moves, asked.level)
                process = psutil.Process(server.pid)
                rounds = [review(browser, base, record, process) for _ in range(asked.rounds)]
                firsts, wholes = ([each[key] / 1000 for each in rounds] for key in ("first", "whole"))
                print(f"{name}, {len(record.moves)} moves: {rounds[0]['where']}")
                print(f"  first result after {median(firsts):.1f} s (the slowest: {max(firsts):.1f} s)")
                print(f"  whole review after {median(wholes):.1f} s (the slowest: {max(wholes):.1f} s)")
                print(f"  the bar moved {median(each['steps'] for each in rounds):.0f} times; ", end="")
                print(f"the server used {median(each['server'] for each in rounds):.2f} s of a processor")
        finally:
            browser.close()
            server.terminate()
            server.wait(30)


if __name__ == "__main__":
    main()
