"""Exact odds of an attack (C8, C9), by enumerating all rolls of the dice.

The rules do not use this module: it serves what players are told before attacking, the engine and the evaluation.
"""

import functools
import itertools
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

FACES = (1, 2, 3, 4)
MOST = 3
"""The most tokens that attack or defend at a time."""
REPULSES = 3
"""This many repulses in a row close a border (C10)."""

TAKEN = -1
"""Stands for "the empty field is taken" where a number of lost tokens is expected."""

Losses = tuple[int, int]
"""Tokens that the attacker and the defender lose."""

Key = TypeVar("Key", int, Losses)


def _shares(counts: Counter[Key]) -> Mapping[Key, Fraction]:
    total = sum(counts.values())
    return MappingProxyType({key: Fraction(count, total) for key, count in sorted(counts.items())})


@functools.cache
def against_empty(attackers: int, number: int) -> Mapping[int, Fraction]:
    """Return the probability of each outcome of an attack on an empty field: the tokens lost, or ``TAKEN``.

    Losing 0 is the tie that changes nothing.
    """
    counts: Counter[int] = Counter()
    for *dice, against in itertools.product(FACES, repeat=attackers + 1):
        short = against + number - sum(dice)
        counts[TAKEN if short < 0 else min(short, attackers)] += 1
    return _shares(counts)


@functools.cache
def against_held(attackers: int, defenders: int) -> Mapping[Losses, Fraction]:
    """Return the probability of each outcome of a battle: (attacker's losses, defender's losses)."""
    counts: Counter[Losses] = Counter()
    for attack, times_attack in _rolls(attackers).items():
        for defence, times_defence in _rolls(defenders).items():
            pairs = list(zip(attack, defence, strict=False))
            counts[sum(a < d for a, d in pairs), sum(a > d for a, d in pairs)] += times_attack * times_defence
    return _shares(counts)


@functools.cache
def _rolls(dice: int) -> Counter[tuple[int, ...]]:
    """Return how many of all rolls of some dice show the same faces, sorted from the highest down."""
    return Counter(tuple(sorted(faces, reverse=True)) for faces in itertools.product(FACES, repeat=dice))


def repulsed(attackers: int, defenders: int) -> Fraction:
    """Return the probability that a battle costs the defender nothing (C10)."""
    return sum((share for (_, won), share in against_held(attackers, defenders).items() if won == 0), Fraction())


LARGEST_ARMY = 60
"""The largest army for which the chance to take a field within a turn is computed."""


@functools.cache
def chances_to_take(defenders: int) -> NDArray[np.float64]:
    """Return :func:`chance_to_take` by the field's number less one, the army, and repulses in a row so far."""
    chances = np.zeros((len(FACES), LARGEST_ARMY + 1, REPULSES + 1))
    for repulses in range(REPULSES - 1, -1, -1):
        again = chances[:, :, repulses + 1]
        for attackers in range(1, MOST + 1):
            # Armies of up to four commit all but one token; the larger ones are alike and done together.
            low, high = attackers + 1, LARGEST_ARMY + 1 if attackers == MOST else attackers + 2
            here = chances[:, low:high, repulses]
            if defenders:
                for (lost, won), share in against_held(attackers, min(MOST, defenders)).items():
                    then = chances_to_take(defenders - won)[:, :, 0] if won else again
                    here += float(share) * then[:, low - lost : high - lost]
            else:
                for number in FACES:
                    for lost, share in against_empty(attackers, number).items():
                        if lost == TAKEN:
                            here[number - 1] += float(share)
                        else:
                            here[number - 1] += float(share) * again[number - 1, low - lost : high - lost]
    return chances


def chance_to_take(army: int, defenders: int, number: int, repulses: int = 0) -> float:
    """Return the chance that one field's army takes a bordering field this turn if it never stops.

    It attacks with as many tokens as it may until the field is taken, the border is closed or one token is left; the
    defender, if any, always commits as many as it may. No other field joins in. Both sides have at most
    ``LARGEST_ARMY`` tokens.
    """
    return float(chances_to_take(defenders)[number - 1, army, repulses])
