"""Processes that tests start: small engines of a few lines, and a look at what is left of them."""

import time
from collections.abc import Callable

import psutil

Program = Callable[[str], tuple[str, ...]]

HEAD = """
import os, subprocess, sys, time
def say(*words):
    print(*words, flush=True)
def heard():
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "triskele":
            say("id name Tester")
            say("want legal")
            say("option depth number 1 9 1")
            say("ok 1")
        elif word == "ping":
            say("pong")
        elif word == "quit":
            return
        else:
            yield word, rest
"""
"""What every test program begins with: it loops over ``heard()``, which has answered the formalities."""


def descendants() -> set[int]:
    """Return the living processes below this one, except those that Python itself keeps."""
    found = set()
    for child in psutil.Process().children(recursive=True):
        try:
            keeper = "resource_tracker" in " ".join(child.cmdline())
            if child.status() != psutil.STATUS_ZOMBIE and not keeper:
                found.add(child.pid)
        except psutil.NoSuchProcess:
            continue
    return found


def alive(pid: int) -> bool:
    """Whether a process is there and not just waiting to be reaped."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def gone(pid: int, seconds: float = 5.0) -> bool:
    """Whether a process ends within so many seconds."""
    until = time.monotonic() + seconds
    while alive(pid) and time.monotonic() < until:
        time.sleep(0.02)
    return not alive(pid)
