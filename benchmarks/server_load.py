"""How many tables a server holds: live players at many tables, a move every few seconds at each.

    python benchmarks/server_load.py --tables 1000 --seconds 300
    python benchmarks/server_load.py --tables 200 --seconds 60 --kills 20
    python benchmarks/server_load.py --tables 1000 --seconds 300 --deployment
    python benchmarks/server_load.py --tables 1000 --seconds 60 --profile
    python benchmarks/server_load.py --tables 1000 --seconds 300 --lobby 2000
    python benchmarks/server_load.py --tables 1000 --seconds 300 --clocks
    python benchmarks/server_load.py --tables 200 --seconds 60 --clocks --lobby 400 --rated 40 --kills 20
    python benchmarks/server_load.py --analysing 200 --seconds 60

Starts a server of its own in a temporary folder. The players are in this process, the server in another.
Prints errors, lost moves, the time from a move sent to seen by the opponent, and the server's CPU per move. With
``--kills`` the server is killed at random moments and started again; whatever it acknowledged must be there. With
``--deployment`` there are two server processes behind nginx, with PostgreSQL and Valkey. With ``--clocks`` all tables
have clocks, and players at ``--hurried`` more tables let their time run out: it prints how exactly flags fell, and
whether anybody was charged more than they used, outages included. With ``--lobby`` so many people follow the lobby
meanwhile, and make and withdraw seeks. With ``--rated`` people with accounts play rated games at more tables, which end
often: no result may be missing, differ from what was told or count twice, and the ratings must be those that ``triskele
ratings recompute`` finds. ``--profile`` splits a move's CPU time and the memory by where they go: see
``server_profile.py``; sampling costs a few per cent itself.
"""

import argparse
import asyncio
import gc
import json
import os
import random
import resource
import signal
import tempfile
import time
from pathlib import Path

import analysing_visitors
import httpx
import uvloop
from clock_players import ClockedTable, report_clocks
from deployments import Deployment, stolen_seconds
from live_players import Load, Table, begin_tables, look_up, open_tables, percentile
from lobby_people import LobbyPeople
from rated_players import RatedTable, report_ratings, settled
from server_profile import report_profile
from sqlalchemy import create_engine, select

import triskele
from triskele.server.storage import schema

GAMES = tuple(game.name for game in triskele.games() if not game.chance)
LIMITS = ("tables_per_hour=1000000", "visitors_per_hour=1000000", "requests_per_second=100000", "requests_burst=100000")
CLOCK_LIMITS = ("first_turn_seconds=600",)
"""Nobody begins before all tables are open, and no game is to be called off for that."""


async def watch_host(load):
    """Note how much the host takes away in each second: then it is not the server that is late."""
    before = stolen_seconds()
    while load.measuring:
        await asyncio.sleep(1)
        now = stolen_seconds()
        load.stolen.append(now - before)
        before = now


async def kill_often(load, deployment, kills, seconds):
    pauses = sorted(random.random() * seconds for _ in range(kills))
    began = time.perf_counter()
    for pause in pauses:
        await asyncio.sleep(max(0.0, began + pause - time.perf_counter()))
        if len(deployment.servers) == 1:  # of several, the others are there
            load.up.clear()
        await asyncio.to_thread(deployment.kill_and_restart, random.randrange(len(deployment.servers)))
        load.up.set()
    await asyncio.sleep(max(0.0, began + seconds - time.perf_counter()))


async def run(asked):
    load = Load(asked.every, not asked.no_scenes, outages=bool(asked.kills))
    with tempfile.TemporaryDirectory(prefix="triskele-load-") as folder:
        club = {"processes": 2, "postgresql": True, "nginx": True} if asked.deployment else {}
        limits = LIMITS + CLOCK_LIMITS if asked.clocks or asked.rated else LIMITS
        deployment = Deployment(folder, limits=limits, profile=folder if asked.profile else None, **club)
        try:
            load.bases = deployment.bases
            load.up.set()
            moves = await play(load, deployment, asked)
        finally:
            await asyncio.to_thread(deployment.stop)
        if asked.profile:
            found = [json.loads(path.read_text()) for path in sorted(Path(folder).glob("process-*.json"))]
            report_profile(found, max(1, moves))


async def play(load, deployment, asked):
    kind = ClockedTable if asked.clocks else Table
    tables = [kind(load, asked.games[i % len(asked.games)], i) for i in range(asked.tables)]
    if asked.clocks:
        tables += [ClockedTable(load, asked.games[0], asked.tables + i, hurried=True) for i in range(asked.hurried)]
    url = deployment.database_url
    rated = [RatedTable(load, asked.games[i % len(asked.games)], len(tables) + i, url) for i in range(asked.rated)]
    tables += rated
    began = time.perf_counter()
    await open_tables(load, tables)
    print(f"{len(tables)} tables open after {time.perf_counter() - began:.1f} s", flush=True)
    lobby = None
    if asked.lobby:
        lobby = LobbyPeople(deployment.bases, asked.lobby, load.up, outages=bool(asked.kills))
        lobby.game = asked.games[0]
        await lobby.enter()
    await begin_tables(tables)
    await asyncio.sleep(asked.warm)
    if lobby:
        lobby.waits.clear()
        lobby.bytes = 0
    load.measuring = True
    watching = asyncio.create_task(watch_host(load))
    deployment.signal(signal.SIGUSR1)
    before, cpu, own = load.acknowledged, deployment.cpu_seconds(), time.process_time()
    began = time.perf_counter()
    if asked.kills:
        await kill_often(load, deployment, asked.kills, asked.seconds)
    else:
        await asyncio.sleep(asked.seconds)
    load.measuring = False
    lasted = time.perf_counter() - began
    await watching
    moves = load.acknowledged - before
    used = {name: after - cpu[name] for name, after in deployment.cpu_seconds().items()}
    own = time.process_time() - own
    health = [httpx.get(f"{base}/api/v1/health").json() for base in deployment.own_bases]
    memory = deployment.memory_mb()
    deployment.signal(signal.SIGUSR2)  # a profile looks through all objects: that takes seconds
    # Everything acknowledged is there: everybody comes back once more and looks.
    load.ending = True
    if lobby:
        lobby.leave()
    await asyncio.sleep(1)
    await look_up(load, tables)
    if len(deployment.servers) > 1:  # a process may not have heard of the last moves yet: the log decides
        load.behind, load.lost = load.lost, await asyncio.to_thread(missing_moves, load, url)
    report(load, asked, moves, lasted, used, own, health, memory)
    if lobby:
        lobby.report(lasted)
    if asked.clocks:
        report_clocks(load, [table for table in tables if isinstance(table, ClockedTable)])
    if rated:
        await asyncio.to_thread(settled, url)
        await asyncio.to_thread(report_ratings, load, rated, url)
    return moves


def missing_moves(load, url):
    """Return how many acknowledged moves are not in the log."""
    engine = create_engine(url)
    with engine.connect() as connection:
        query = select(schema.log.c.table_id, schema.log.c.moves, schema.log.c.body).where(schema.log.c.kind == "move")
        logged = {(row.table_id, row.moves - 1): row.body for row in connection.execute(query)}
    engine.dispose()
    return sum(logged.get((table, at)) != move for table, made in load.made.items() for at, move in made)


def report(load, asked, moves, lasted, used, own, health, memory):
    print(f"{moves} moves in {lasted:.0f} s, {moves / lasted:.0f} a second; games: {', '.join(asked.games)}")
    print(f"errors: {dict(load.errors) or 'none'}; lost moves: {load.lost} of {load.checked} looked up")
    if load.behind:
        print(f"{load.behind} moves were in the log, but a table did not show them yet when somebody joined")
    for name, values in (("seen by the opponent", load.waits), ("acknowledged", load.acks)):
        if values:
            shares = ", ".join(f"p{s * 100:g} {percentile(values, s):.1f} ms" for s in (0.5, 0.9, 0.99, 0.999))
            late = sum(value > 0.05 for value in values) / len(values)
            print(f"{name}: {shares}, longest {max(values) * 1000:.0f} ms, {late:.2%} over 50 ms")
    if load.late:
        first, second, others = (load.late[at] for at in range(3))
        print(f"seen after more than 50 ms: {first} first moves of a game, {second} second ones, {others} others")
    if any(load.stolen):
        worst = f"{max(load.stolen) * 1000:.0f} ms in the worst second"
        print(f"the host took away {sum(load.stolen) / lasted / os.cpu_count():.1%} of the processors, {worst}")
    if not asked.kills and moves:
        for name, seconds in used.items():
            print(f"CPU of {name}: {seconds / moves * 1000:.2f} ms a move, {seconds / lasted:.0%} of a core")
        print(f"CPU of the players: {own / lasted:.0%} of a core")
        lag = max(each["lag_ms"] for each in health)
        commits = sum(each["commits"] for each in health)
        own_mb, all_mb = memory
        print(f"event loop late by at most {lag} ms in the last minute; {commits} commits")
        print(f"memory: {own_mb:.0f} MB of the server processes, {all_mb:.0f} MB with their workers")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--every", type=float, default=2.0, help="seconds between two moves at a table")
    parser.add_argument("--warm", type=float, default=5.0, help="seconds before measuring begins")
    parser.add_argument("--games", nargs="+", default=list(GAMES))
    parser.add_argument("--kills", type=int, default=0, help="kill the server so many times")
    parser.add_argument("--no-scenes", action="store_true", help="players as bots, who want no scenes")
    parser.add_argument("--deployment", action="store_true", help="two processes, nginx, PostgreSQL, Valkey")
    parser.add_argument("--clocks", action="store_true", help="tables with clocks, and some whose flags fall")
    parser.add_argument("--hurried", type=int, default=50, help="how many tables of --clocks let their time run out")
    parser.add_argument("--rated", type=int, default=0, metavar="N", help="rated games at N more tables, of accounts")
    parser.add_argument("--profile", action="store_true", help="split CPU time and memory by where they go")
    parser.add_argument("--lobby", type=int, default=0, metavar="N", help="N people in the lobby meanwhile")
    parser.add_argument("--analysing", type=int, metavar="N", help="N visitors who analyse in their browsers instead")
    asked = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))  # two connections a table
    gc.disable()  # what the players keep grows; looking through it would be measured as the server's delay
    uvloop.run(analysing_visitors.run(asked, LIMITS) if asked.analysing else run(asked))


if __name__ == "__main__":
    main()
