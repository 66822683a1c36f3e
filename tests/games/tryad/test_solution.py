"""The exact solution of Tryad."""

import functools
import itertools
import math
import random
from fractions import Fraction

import numpy as np
import pytest

import triskele
from tests.games.tryad.helpers import LAYOUTS, MIXED, TWOS, sums_to
from triskele.games.tryad import GAME, rules
from triskele.games.tryad.card import FIELDS, STANDARD, field_names, read_layout
from triskele.games.tryad.solution import Solution, solve


def bits_of(names):
    return sum(1 << FIELDS.index(name) for name in names)


def every_set(layout):
    """Return chance and fields left for all 65,536 sets of fields, without using that equal numbers are alike."""
    numbers = read_layout(layout)
    masks = np.arange(1 << 16)
    size = np.bitwise_count(masks).astype(np.int64)
    takes = {
        roll: [
            sum(1 << bit for bit in bits)
            for count in range(1, 5)
            for bits in itertools.combinations(range(16), count)
            if sum(numbers[bit] for bit in bits) == roll
        ]
        for roll in (1, 2, 3, 4)
    }
    chance, left = np.zeros(1 << 16), np.zeros(1 << 16)
    chance[0] = 1.0
    for level in range(1, 17):
        here = masks[size == level]
        total_chance, total_left = np.zeros(len(here)), np.zeros(len(here))
        for roll in (1, 2, 3, 4):
            best, least = np.zeros(len(here)), np.full(len(here), float(level))
            for take in takes[roll]:
                has = (here & take) == take
                rest = here[has] ^ take
                best[has] = np.maximum(best[has], chance[rest])
                least[has] = np.minimum(least[has], left[rest])
            total_chance += best
            total_left += least
        chance[here], left[here] = total_chance / 4, total_left / 4
    return chance, left


@pytest.mark.parametrize("layout", [STANDARD, MIXED])
def test_solution_is_exact_for_every_set_of_fields(layout):
    solution = solve(layout)
    chance, left = every_set(layout)
    assert [solution.clear_chance(fields) for fields in range(1 << 16)] == chance.tolist()
    assert [solution.expected_left(fields) for fields in range(1 << 16)] == left.tolist()


@pytest.mark.parametrize("layout", LAYOUTS)
def test_solution_agrees_with_fractions_on_small_sets(layout):
    numbers = read_layout(layout)

    @functools.cache
    def value(fields, aim):
        if not fields:
            return Fraction(aim == "clear")
        bits = [bit for bit in range(16) if fields >> bit & 1]
        total = Fraction(0)
        for roll in (1, 2, 3, 4):
            rests = [
                value(fields & ~sum(1 << bit for bit in taken), aim)
                for size in range(1, 5)
                for taken in itertools.combinations(bits, size)
                if sum(numbers[bit] for bit in taken) == roll
            ]
            if aim == "clear":
                total += max(rests, default=Fraction(0))
            else:
                total += min(rests, default=Fraction(len(bits)))
        return total / 4

    solution, rng = solve(layout), random.Random(2)
    for _ in range(12):
        fields = sum(1 << bit for bit in rng.sample(range(16), rng.randint(1, 8)))
        assert Fraction(solution.clear_chance(fields)) == value(fields, "clear")
        assert Fraction(solution.expected_left(fields)) == value(fields, "fewest")


def test_solution_best_takes_are_legal_and_lead_to_the_values():
    solution, rng = solve(STANDARD), random.Random(5)
    for _ in range(200):
        fields = rng.randrange(1, 1 << 16)
        takes = [solution.best_take(fields, roll, "clear") for roll in (1, 2, 3, 4)]
        assert sum(take.odds.chance for take in takes if take) / 4 == solution.clear_chance(fields)
        for roll, take in zip((1, 2, 3, 4), takes, strict=True):
            legal = sums_to(STANDARD, field_names(fields), roll)
            assert (take is None) == (not legal)
            assert take is None or "-" + "+".join(field_names(take.fields)) in legal


def one_of_each_kind():
    """Return sets of fields of the standard card, one for each choice of how many of every number."""
    alike = [[bit for bit, n in enumerate(read_layout(STANDARD)) if n == number] for number in (1, 2, 3, 4)]
    counts = itertools.product(*(range(len(bits) + 1) for bits in alike))
    return [sum(1 << bit for bits, k in zip(alike, many, strict=True) for bit in bits[:k]) for many in counts]


def test_solution_where_the_two_aims_are_farthest_apart():
    # A 4 and four 1s before a 4. With n ones left the chance is p(n) = (p(n-1) + ... + p(n-4)) / 4, p(0) = 1.
    both = solve(STANDARD).compare(bits_of(["a1", "b2", "c2", "c4", "d2"]), 4)
    assert field_names(both.clear.fields) == ["a1"]
    assert field_names(both.fewest.fields) == ["b2", "c2", "c4", "d2"]
    assert (both.clear.odds.chance, both.fewest.odds.chance) == (0.48828125, 0.25)
    assert (both.clear.odds.left, both.fewest.odds.left) == (0.79296875, 0.75)
    assert (both.chance_lost, both.coins_lost) == (0.23828125, 0.04296875)
    everywhere = [solve(STANDARD).compare(fields, roll) for fields in one_of_each_kind() for roll in (1, 2, 3, 4)]
    gaps = [(gap.chance_lost, gap.coins_lost) for gap in everywhere if gap]
    assert min(min(gap) for gap in gaps) == 0
    assert max(gaps)[0] == both.chance_lost


def test_solution_a_matching_field_is_always_right_for_clearing_the_standard_card():
    numbers = read_layout(STANDARD)
    tried = 0
    for fields in one_of_each_kind():
        for roll in (1, 2, 3, 4):
            if any(numbers[bit] == roll and fields >> bit & 1 for bit in range(16)):
                assert solve(STANDARD).best_take(fields, roll, "clear").fields.bit_count() == 1
                tried += 1
    assert tried > 1500


@pytest.mark.parametrize("aim", ["clear", "fewest"])
def test_solution_comes_true_when_it_is_played(aim):
    solution, rng, games = solve(STANDARD), random.Random(11), 20_000
    best = {}
    cleared, left = 0, []
    for _ in range(games):
        fields = rules.FULL
        while fields:
            key = fields, rng.randint(1, 4)
            if key not in best:
                best[key] = solution.best_take(*key, aim)
            if best[key] is None:
                break
            fields ^= best[key].fields
        cleared += not fields
        left.append(fields.bit_count())
    odds = solution.odds(rules.FULL, aim)
    sigma = math.sqrt(odds.chance * (1 - odds.chance) / games)
    assert abs(cleared / games - odds.chance) < 4 * sigma
    assert abs(np.mean(left) - odds.left) < 4 * np.std(left) / math.sqrt(games)


def test_solution_of_the_standard_card_is_what_the_help_says():
    solution, page = solve(STANDARD), (GAME.folder / "help" / "en.md").read_text(encoding="utf-8")
    for played, aim in (("to clear the card", "clear"), ("for few coins", "fewest")):
        odds = solution.odds(rules.FULL, aim)
        assert f"| {played} | {100 * odds.chance:.1f}% | {odds.left:.2f} |" in page


def test_solution_is_kept_and_refuses_what_is_no_card():
    assert solve(STANDARD) is solve(STANDARD)
    with pytest.raises(triskele.OptionError, match="four rows"):
        Solution("4/213")
    with pytest.raises(ValueError, match="65536"):
        solve(STANDARD).clear_chance(1 << 16)
    assert solve(TWOS).best_take(rules.FULL, 3, "clear") is None
    assert solve(TWOS).compare(rules.FULL, 1) is None
