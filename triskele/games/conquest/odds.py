"""Exact odds of an attack (C8, C9), by counting every fall of the dice.

Chances are fractions. The rules do not use this: it is what a player is told before attacking.
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
"""Most tokens that attack or defend at a time."""
REPULSES = 3
"""So many repulses in a row close a border (C10)."""

TAKEN = -1
"""Instead of a number of tokens lost: the empty field is taken."""

Losses = tuple[int, int]
"""Tokens that the attacker and the defender lose."""

Key = TypeVar("Key", int, Losses)


def _shares(counts: Counter[Key]) -> Mapping[Key, Fraction]:
    total = sum(counts.values())
    return MappingProxyType({key: Fraction(count, total) for key, count in sorted(counts.items())})


@functools.cache
def against_empty(attackers: int, number: int) -> Mapping[int, Fraction]:
    """Return the chances of an attack on an empty field: tokens lost, or ``TAKEN``.

    Losing 0 is the tie that changes nothing.
    """
    counts: Counter[int] = Counter()
    for *dice, against in itertools.product(FACES, repeat=attackers + 1):
        short = against + number - sum(dice)
        counts[TAKEN if short < 0 else min(short, attackers)] += 1
    return _shares(counts)


@functools.cache
def against_held(attackers: int, defenders: int) -> Mapping[Losses, Fraction]:
    """Return the chances of a battle: for each (attacker's losses, defender's losses) that can be."""
    counts: Counter[Losses] = Counter()
    for attack, so_often in _falls(attackers).items():
        for defence, times in _falls(defenders).items():
            pairs = list(zip(attack, defence, strict=False))
            counts[sum(a < d for a, d in pairs), sum(a > d for a, d in pairs)] += so_often * times
    return _shares(counts)


@functools.cache
def _falls(dice: int) -> Counter[tuple[int, ...]]:
    """Return how often so many dice show what, highest first."""
    return Counter(tuple(sorted(faces, reverse=True)) for faces in itertools.product(FACES, repeat=dice))


def repulsed(attackers: int, defenders: int) -> Fraction:
    """Return the chance that a battle costs the defender nothing (C10)."""
    return sum((share for (_, won), share in against_held(attackers, defenders).items() if won == 0), Fraction())


FORESEEN = 60
"""Armies up to this size have their chances worked out for a whole turn."""


@functools.cache
def chances_to_take(defenders: int) -> NDArray[np.float64]:
    """Return :func:`chance_to_take` by the field's number less one, the army, and repulses in a row so far."""
    chances = np.zeros((len(FACES), FORESEEN + 1, REPULSES + 1))
    for repulses in range(REPULSES - 1, -1, -1):
        again = chances[:, :, repulses + 1]
        for attackers in range(1, MOST + 1):
            # Armies of up to four commit all but one token; the larger ones are alike and done together.
            low, high = attackers + 1, FORESEEN + 1 if attackers == MOST else attackers + 2
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
    """Return the chance that one field's army takes a bordering field this turn if it stops at nothing.

    It attacks with as many tokens as it may, again and again, until the field is taken, the border
    is closed or one token is left; the defender, if any, always commits as many as he may. Nobody
    else joins in. Both sides have at most ``FORESEEN`` tokens.
    """
    return float(chances_to_take(defenders)[number - 1, army, repulses])
