"""The exact values in compiled code, beside those of the library: two programs, the same numbers."""

import random

import pytest

import triskele
from triskele.core.contract import CHANCE
from triskele.core.contract.levels import FULL
from triskele.core.contract.search_program import SETTLED, question_words
from triskele.core.game import game
from triskele.core.playout import random_move
from triskele.core.search_driver import SearchDriver
from triskele.games.tryad.exact_values import AS_IT_STANDS, BEST, MADE
from triskele.games.tryad.review import REVIEW
from triskele.games.tryad.take_search import RESUME_SEARCH, SEARCH, START_SEARCH

OPTIONS = [
    {"mode": "practice", "players": 1},
    {"players": 2},
    {"players": 2, "mode": "bingo", "stake": 3},
    {"players": 3},
    {"players": 5, "mode": "bingo"},
]


@pytest.fixture(scope="module")
def ask():
    """Return what the search answers to a question about a state."""
    linker = game("tryad").linker
    start, resume = linker.program(START_SEARCH), linker.program(RESUME_SEARCH)
    driver = SearchDriver(SEARCH)

    def answer(state, appraised):
        driver.provide(len(state))
        driver.start(start, state, question_words(FULL, seat=0, nodes=None, seed=0, appraised=appraised))
        while driver.resume(resume, 100_000) != SETTLED:
            pass
        return driver.found().lines

    return answer


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_every_state_has_the_value_of_the_library(ask, options):
    rng = random.Random(str(options))
    for _ in range(6):
        position = triskele.new("tryad", **options)
        variant = position.variant
        expected, unit = REVIEW.expected_scores(variant), REVIEW.unit(variant)
        while True:
            lines = ask(position.state, -1)
            assert [score * unit for score in lines[AS_IT_STANDS].scores] == pytest.approx(
                expected(position.state), abs=1e-9
            )
            if position.turn is None:
                break
            move = random_move(position, rng)
            if position.turn != CHANCE:
                check_take(ask(position.state, move.code), position, move, expected, unit)
            position.push(move)


def check_take(lines, position, move, expected, unit):
    """Hold the best take, and the one that was made, to the values of all takes."""
    values = {}
    for legal in position.legal_moves:
        after = position.copy()
        after.push(legal)
        values[legal.text] = expected(after.state)
    seat = position.turn
    best = position.variant.move(lines[BEST].codes[0]).text
    assert values[best][seat] == pytest.approx(max(value[seat] for value in values.values()), abs=1e-9)
    assert [score * unit for score in lines[BEST].scores] == pytest.approx(values[best], abs=1e-9)
    assert [score * unit for score in lines[MADE].scores] == pytest.approx(values[move.text], abs=1e-9)
