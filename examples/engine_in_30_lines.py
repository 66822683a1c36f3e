"""A third-party engine in 30 lines: wins at once when it can, and otherwise draws lots.

triskele match cmd:"python examples/engine_in_30_lines.py" random yinsh --games 20
"""

import random
import sys

import triskele


def choose(pos: triskele.Position) -> str:
    """Return a move that wins at once, or any."""
    for move in pos.legal_moves:
        after = pos.copy()
        after.push(move)
        outcome = after.outcome()
        if outcome is not None and pos.turn in outcome.winners:
            return move.text
    return random.choice(pos.legal_moves).text


for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "triskele":
        print("id name Thirty Lines", "ok 1", sep="\n", flush=True)
    elif word == "position":
        pos = triskele.position(rest)
    elif word == "moves":
        for text in rest.split():
            pos.push(text)
    elif word == "go":
        print("bestmove", choose(pos), flush=True)
    elif word == "ping":
        print("pong", flush=True)
    elif word == "quit":
        break
