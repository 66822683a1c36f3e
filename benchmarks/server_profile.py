"""Runs a server process and finds out where its CPU time and its memory go: ``server_profile.py OUT.json OPTION …``.

``SIGUSR1`` starts it, ``SIGUSR2`` ends it and writes the file.

The CPU time of each thread is the kernel's. That of the main thread, which has the event loop, is split by sampling:
after every 2 ms of CPU time a signal looks at its stack. A sample belongs to the innermost function that :data:`PARTS`
names; rules and scenes belong to whoever asks for them. What no part names (the event loop, sockets) is ``event loop``.

Memory is what can be reached from each kind of object, counted once, in the order of :data:`OWNERS`; the rest is code
of the packages, and what C libraries and the allocator keep.
"""

import gc
import json
import os
import signal
import sys
import threading
from collections import Counter
from pathlib import Path
from types import FunctionType, ModuleType

INTERVAL = 0.002
TICK = os.sysconf("SC_CLK_TCK")
PARTS = {
    "server/http/protocols.py": "read and check frames",
    "websockets/": "read and check frames",
    "uvicorn/": "read and check frames",
    "server/live/protocol.py": "decode messages",
    "server/tables/moves.py": "referee",
    "server/tables/table.py": "referee",
    "server/live/broadcast.py": "scenes and payloads",
    "server/live/payloads.py": "scenes and payloads",
    "server/live/messages.py": "scenes and payloads",
    "server/live/subscribers.py": "scenes and payloads",
    "server/live/outbox.py": "send",
    "server/tables/outgoing.py": "send",
    "server/storage/": "commit",
    "sqlalchemy/": "commit",
    "psycopg/": "commit",
    "server/bus.py": "bus",
    "redis/": "bus",
    "server/live/connection.py": "dispatch",
    "server/tables/service.py": "dispatch",
    "server/engines/": "engines' turns",
    "server/": "other parts of the server",
}
STARTING = ("server/command.py", "server/__main__.py", "server/http/server.py")
"""These are at the bottom of every stack."""
LOOP = "event loop and sockets"
THREADS = {"triskele-write": "commit, in a thread of its own", "triskele-read": "read from the database, in threads"}
OTHER_THREADS = "other threads"
OWNERS = ("Table", "Audience", "LiveConnection")
"""Classes of the server, in the order in which what they refer to is counted."""
SENSIBLE = 2**30


class Sampler:
    """Counts samples of the main thread by part, in a signal handler, and the CPU time of all threads."""

    def __init__(self):
        self.parts = Counter()
        self.start_mb = 0.0
        self.before = {}

    def start(self):
        """Begin to sample."""
        self.start_mb = resident_mb()
        self.before = thread_seconds()
        signal.signal(signal.SIGPROF, self.sample)
        signal.setitimer(signal.ITIMER_PROF, INTERVAL, INTERVAL)

    def stop(self):
        """Stop sampling; return the CPU seconds by part."""
        signal.setitimer(signal.ITIMER_PROF, 0)
        used = {each: seconds - self.before.get(each, 0.0) for each, seconds in thread_seconds().items()}
        main = used.pop(("MainThread", threading.main_thread().native_id))
        found, samples = Counter(), max(1, sum(self.parts.values()))
        for part, number in self.parts.items():
            found[part] += main * number / samples
        for (name, _), seconds in used.items():
            found[next((part for prefix, part in THREADS.items() if name.startswith(prefix)), OTHER_THREADS)] += seconds
        return dict(found)

    def sample(self, _, frame):
        """Note what the main thread is doing."""
        self.parts[part_of(frame)] += 1


def thread_seconds():
    """Return the CPU time of each thread so far."""
    used = {}
    for thread in threading.enumerate():
        fields = Path(f"/proc/self/task/{thread.native_id}/stat").read_text().rpartition(")")[2].split()
        used[thread.name, thread.native_id] = (int(fields[11]) + int(fields[12])) / TICK
    return used


def part_of(frame):
    """Return the part to which the innermost function that one names belongs."""
    while frame is not None:
        name = frame.f_code.co_filename
        if ("triskele/" in name or "site-packages" in name) and not name.endswith(STARTING):
            for fragment, part in PARTS.items():
                if fragment in name and (fragment != "uvicorn/" or "/protocols/" in name):
                    return part
        frame = frame.f_back
    return LOOP


def memory_by_owner():
    """Return megabytes by class, counting what can be reached from its objects and was not counted before."""
    seen, found = set(), {}
    objects = gc.get_objects()
    for owner in OWNERS:
        roots = [each for each in objects if type(each).__name__ == owner]
        found[owner] = {"number": len(roots), "mb": reach(roots, seen, owner) / 2**20}
    rest = [each for each in objects if id(each) not in seen and isinstance(each, dict | list | tuple | set)]
    found["other containers"] = {"number": len(rest), "mb": sum(map(sys.getsizeof, rest)) / 2**20}
    return found


def reach(roots, seen, owner):
    total, waiting = 0, list(roots)
    while waiting:
        each = waiting.pop()
        kind = type(each)
        if id(each) in seen or isinstance(each, type | ModuleType | FunctionType):
            continue
        if kind.__name__ != owner and (kind.__name__ in OWNERS or kind.__module__.startswith(("asyncio", "uvloop"))):
            continue
        if kind.__name__ in ("Game", "Variant", "Linker", "Services"):  # shared by all
            continue
        seen.add(id(each))
        size = sys.getsizeof(each)
        total += size if size < SENSIBLE else 0  # some types of C libraries do not say theirs
        waiting += gc.get_referents(each)
    return total


def resident_mb():
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 2**20


def main():
    out, sys.argv[1:] = sys.argv[1], sys.argv[2:]
    from triskele.server import __main__ as server

    sampler = Sampler()
    signal.signal(signal.SIGUSR1, lambda *_: sampler.start())

    def finish(*_):
        found = {
            "parts": sampler.stop(),
            "samples": sum(sampler.parts.values()),
            "start_mb": sampler.start_mb,
            "resident_mb": resident_mb(),
        }
        Path(out).write_text(json.dumps({**found, "memory": memory_by_owner()}))

    signal.signal(signal.SIGUSR2, finish)
    sys.exit(server.main())


def report_profile(found, moves):
    """Print what all processes found, for a number of moves."""
    parts = Counter()
    for each in found:
        parts.update(each["parts"])
    total = sum(parts.values())
    samples = sum(each["samples"] for each in found)
    print(f"where the CPU time of the server goes ({samples} samples of the main thread):")
    for part, seconds in parts.most_common():
        print(f"  {seconds / moves * 1000:6.3f} ms a move  {seconds / total:6.1%}  {part}")
    for number, each in enumerate(found):
        own, began = each["resident_mb"], each["start_mb"]
        print(f"memory of process {number}: {own:.0f} MB at the end, {began:.0f} MB when measuring began")
        for owner, has in each["memory"].items():
            print(f"  {has['mb']:6.1f} MB  {owner} ({has['number']})")
        rest = own - sum(owner["mb"] for owner in each["memory"].values())
        print(f"  {rest:6.1f} MB  code of the packages, compiled rules, buffers of connections, the allocator")


if __name__ == "__main__":
    main()
