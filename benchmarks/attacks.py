"""Attacks on a server while others play: what do the others notice?

    python benchmarks/attacks.py
    python benchmarks/attacks.py "unread pongs" "4 MB records" --seconds 10 --settle 10 --json

Starts servers of its own on this machine's loopback, with the usual limits, and ends them. Players make moves at
``--tables`` tables; the attacker is in a process of its own. For each attack: the players' slowest and p99 move, from
sent to seen by the opponent, the server's memory before and ``--settle`` seconds after, and whether an acknowledged
move is missing. Exit code 1 if a goal is missed: 250 ms, 100 MB, nothing lost.
"""

import argparse
import asyncio
import gc
import json
import multiprocessing
import resource
import sys
import tempfile
import time

import httpx
import uvloop
from attackers import ATTACKS, attack
from deployments import Deployment, stolen_seconds
from live_players import Load, Table, begin_tables, look_up, open_tables, percentile

import triskele

GAMES = tuple(game.name for game in triskele.games() if not game.chance)
NOTHING = "nothing"
"""The control: players alone."""
GOAL_MS, GOAL_MB = 250.0, 100.0
ON_THE_BUS = "messages on the bus"


async def measure(name, asked):
    """Run one attack against servers of its own; return what the players noticed."""
    with tempfile.TemporaryDirectory(prefix="triskele-attack-") as folder:
        deployment = Deployment(folder, processes=2 if name == ON_THE_BUS else 1)
        try:
            return await _measure(name, asked, deployment)
        finally:
            await asyncio.to_thread(deployment.stop)


async def _measure(name, asked, deployment):
    load = Load(asked.every)
    load.bases = deployment.bases
    load.up.set()
    tables = [Table(load, GAMES[number % len(GAMES)], number) for number in range(asked.tables)]
    await open_tables(load, tables)
    await begin_tables(tables)
    if asked.warm:
        await warm_up(deployment.bases[0])
        await asyncio.sleep(asked.warm)
    before = deployment.memory_mb()
    engine = asyncio.create_task(ask_engine(deployment.bases[0], asked.seconds))
    load.measuring = True
    stolen = stolen_seconds()
    began = time.perf_counter()
    done = await run_attack(name, asked.seconds, deployment)
    load.measuring = False
    lasted = time.perf_counter() - began
    stolen = (stolen_seconds() - stolen) / lasted
    during = deployment.memory_mb()
    answers = await engine
    await asyncio.sleep(asked.settle)
    after = deployment.memory_mb()
    load.ending = True
    await asyncio.sleep(1)
    await look_up(load, tables)
    worst = max(load.waits, default=float("nan")) * 1000
    return {
        "attack": name,
        "moves": len(load.waits),
        "p99_ms": round(percentile(load.waits, 0.99), 1),
        "worst_ms": round(worst, 1),
        "engine_worst_s": round(max(answers, default=float("nan")), 2),
        "memory_before_mb": round(before[1]),
        "memory_during_mb": round(during[1]),
        "memory_after_mb": round(after[1]),
        "server_growth_mb": round(after[0] - before[0]),
        "lost": load.lost,
        "checked": load.checked,
        "errors": dict(load.errors),
        "attacker": done,
        "stolen": round(stolen, 3),
        "reached": not any(key.startswith("failed") for key in done)  # an attack that broke off shows nothing
        and worst <= GOAL_MS
        and after[1] - before[1] <= GOAL_MB
        and not load.lost
        and not load.errors,
    }


async def warm_up(base):
    """Use what starts at its first use, so that it does not count as memory that an attack leaves."""
    async with httpx.AsyncClient(base_url=f"{base}/api/v1", timeout=60) as client:
        await client.post("/visitors")
        for game in GAMES:
            body = {"game": game, "seats": [{"kind": "me"}, {"kind": "engine", "level": 1}]}
            table = (await client.post("/tables", json=body)).json()["table"]
            await client.get(f"/tables/{table}/picture.png")
            await client.post(f"/tables/{table}/hint", json={"seat": 0})


async def ask_engine(base, seconds):
    """Ask for hints of the weakest kind as another visitor; return how long each took, in seconds."""
    took, until = [], time.monotonic() + seconds
    address = {"X-Forwarded-For": "198.19.0.1"}
    async with httpx.AsyncClient(base_url=f"{base}/api/v1", timeout=120, headers=address) as client:
        await client.post("/visitors")
        while time.monotonic() < until:
            body = {"game": GAMES[0], "seats": [{"kind": "me"}, {"kind": "engine", "level": 1}], "first": 1}
            began = time.monotonic()
            table = (await client.post("/tables", json=body)).json().get("table")
            while table and time.monotonic() - began < 100:  # the engine begins: its first move is the answer
                if (await client.get(f"/tables/{table}")).json()["moves"]:
                    took.append(time.monotonic() - began)
                    break
                await asyncio.sleep(0.1)
            await asyncio.sleep(1)
    return took


async def run_attack(name, seconds, deployment):
    """Run an attack in a process of its own; return what it did."""
    if name == NOTHING:
        await asyncio.sleep(seconds)
        return {}
    spawn = multiprocessing.get_context("spawn")
    results = spawn.Queue()
    bus = None if deployment.bus is None else deployment.bus.connection_url
    pids = [server.pid for server in deployment.servers]
    process = spawn.Process(target=attack, args=(name, seconds, deployment.bases[0], bus, pids, results))
    process.start()
    try:
        return await asyncio.to_thread(results.get, timeout=seconds + 90)
    finally:
        process.terminate()
        await asyncio.to_thread(process.join)


def print_table(found):
    """Print what was found as one table."""
    heads = ("attack", "moves", "p99 ms", "worst ms", "engine s", "MB before", "MB after", "lost", "goals")
    rows = [
        (
            each["attack"],
            str(each["moves"]),
            f"{each['p99_ms']:.0f}",
            f"{each['worst_ms']:.0f}",
            f"{each['engine_worst_s']:.1f}",
            str(each["memory_before_mb"]),
            str(each["memory_after_mb"]),
            f"{each['lost']} of {each['checked']}",
            "reached" if each["reached"] else f"missed {each['errors'] or ''}",
        )
        for each in found
    ]
    widths = [max(len(row[i]) for row in (heads, *rows)) for i in range(len(heads))]
    for row in (heads, *rows):
        print(
            "  ".join(
                f"{cell:<{width}}" if i == 0 else f"{cell:>{width}}"
                for i, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    names = [NOTHING, *ATTACKS]
    parser.add_argument("attacks", nargs="*", metavar="ATTACK", help=f"by default all: {', '.join(names)}")
    parser.add_argument("--tables", type=int, default=20, help="tables at which others play")
    parser.add_argument("--every", type=float, default=0.5, help="seconds between two moves at a table")
    parser.add_argument("--seconds", type=float, default=25, help="how long each attack lasts")
    parser.add_argument(
        "--settle", type=float, default=60, help="seconds between an attack and the last look at memory"
    )
    parser.add_argument(
        "--warm", type=float, default=5, help="seconds before an attack begins; 0: at once, and nothing is used before"
    )
    parser.add_argument("--json", action="store_true", help="print all figures as JSON instead of a table")
    asked = parser.parse_args()
    unknown = [name for name in asked.attacks if name not in names]
    if unknown:
        parser.error(f"there is no attack {unknown[0]!r}; there are: {', '.join(names)}")
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    gc.disable()  # what the players keep grows; looking through it would be measured as the server's delay
    found = []
    for name in asked.attacks or names:
        found.append(uvloop.run(measure(name, asked)))
        print(
            f"{name}: {json.dumps(found[-1]['attacker'])}, {found[-1]['stolen']:.1%} stolen",
            file=sys.stderr,
            flush=True,
        )
    if asked.json:
        print(json.dumps(found, indent=2))
    else:
        print_table(found)
    sys.exit(not all(each["reached"] for each in found))


if __name__ == "__main__":
    main()
