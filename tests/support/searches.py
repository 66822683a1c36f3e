"""A game's search in native code beside that in its WebAssembly module: asked the same, they must answer the same.

    python tests/support/searches.py --positions 2600

compares so many positions, over all games whose engine is a search program and all their option sets.
"""

import argparse
import random
import sys
import time
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

import triskele
from triskele.core.contract.engine import level_of
from triskele.core.contract.levels import FULL
from triskele.core.contract.search_program import MOST_LINES, SETTLED, SPENT, question_words, root_words
from triskele.core.game import Game, game
from triskele.core.position import Position
from triskele.core.search_driver import Found, SearchDriver
from triskele.core.wasm.runtime import Instance
from triskele.engines.modules import engine_module, engine_search

SEARCHED = [declared.name for declared in triskele.games() if engine_search(declared) is not None]
CAPACITY = 1 << 12
SLICES = 5
"""Slices of a search; the budget of each is some milliseconds."""
QUIET = 0.9
"""How often a random player of a game with secrets makes an ordinary move: others may end the game."""


def random_positions(declared: Game, options: Mapping[str, Any], number: int) -> Iterator[Position]:
    """Yield positions of random games with a choice to make, ever the same."""
    chooser = random.Random(f"{declared.name} {sorted(options.items())}")
    while number > 0:
        position = Position(declared.variant(options))
        for _ in range(chooser.randrange(2, 60)):
            if position.turn is None:
                break
            position.push(chooser.choice(_kept(position, chooser)))
        if position.turn is not None and position.turn >= 0 and len(position.legal_moves) > 1:
            number -= 1
            yield position


def _kept(position: Position, chooser: random.Random) -> list[Any]:
    """Return the legal moves; in a game with secrets mostly those that are neither a challenge nor an announcement."""
    moves = position.legal_moves
    if not position.variant.game.hidden or chooser.random() > QUIET:
        return moves
    return [move for move in moves if move.text[0] not in "?!"] or moves


def root_of(position: Position, seat: int) -> np.ndarray:
    """Return what a search of a position begins with: what a seat may know."""
    if not position.variant.game.hidden:
        return position.state
    return root_words(position.seen_by(seat).state, position.codes_seen_by(seat))


class Side:
    """One of the two sides that are compared: a driver with its functions."""

    def __init__(self, driver: SearchDriver, start: Any, resume: Any) -> None:
        self.driver, self._start, self._resume = driver, start, resume
        self._slice = driver.program.first_slice * 7 // 5

    def ask(self, root: np.ndarray, question: np.ndarray) -> list[tuple[int, Found]]:
        """Return every answer on the way to the last one, with its status."""
        self.driver.provide(len(root), CAPACITY)
        self.driver.start(self._start, root, question)
        answers = []
        status = 0
        while status not in (SETTLED, SPENT):
            status = self.driver.resume(self._resume, self._slice)
            answers.append((status, self.driver.found()))
        return answers


class SearchComparison:
    """A game's search in native code and in its module, asked the same questions."""

    def __init__(self, declared: Game) -> None:
        search = engine_search(declared)
        assert search is not None
        instance = Instance(engine_module(declared), memory=1 << 26)
        self.game = declared
        self.native = Side(SearchDriver(search), *map(declared.linker.program, search.programs))
        exports = (getattr(instance, program.function.__name__) for program in search.programs)
        self.module = Side(instance.driver(search), *exports)
        self.compared = 0

    def _same(self, root: np.ndarray, question: np.ndarray) -> list[tuple[int, Found]]:
        native, module = (side.ask(root, question) for side in (self.native, self.module))
        assert native == module
        self.compared += 1
        return native

    def positions(self, options: Mapping[str, Any], number: int) -> int:
        """Compare searches of some positions at full strength and at all levels, by the seat to act and by others."""
        for each, position in enumerate(random_positions(self.game, options, number)):
            assert position.turn is not None
            level = FULL if each % 2 == 0 else level_of(self.game, 1 + (self.compared * 3) % 9)
            watches = self.game.hidden and each % 5 == 4
            seat = (position.turn + watches) % position.variant.seats
            lines = 1 + each % MOST_LINES
            nodes = SLICES * self.native.driver.program.first_slice
            question = question_words(level, seat=seat, nodes=nodes, seed=each * 77, lines=lines)
            self._same(root_of(position, seat), question)
        return number

    def appraisals(self, options: Mapping[str, Any], number: int) -> int:
        """Compare what moves were worth in some positions; return how often one was not the best."""
        worse = 0
        chooser = random.Random(number)
        for each, position in enumerate(random_positions(self.game, options, number)):
            move = chooser.choice(position.legal_moves)
            seat = position.mover(move)
            question = question_words(FULL, seat=seat, nodes=200, seed=each, appraised=move.code)
            best, made, *_ = [*self._same(root_of(position, seat), question)[-1][1].lines] * 2
            assert best.scores[seat] >= made.scores[seat] - 1e-9
            worse += best.codes[:1] != (move.code,)
        return worse

    def interrupts(self, options: Mapping[str, Any], number: int) -> int:
        """Compare whether every seat makes a move out of turn in some positions; return how often one did."""
        made = 0
        for each, position in enumerate(random_positions(self.game, options, number)):
            for seat in range(position.variant.seats):
                question = question_words(FULL, seat=seat, nodes=None, seed=each, interrupt=True)
                made += len(self._same(root_of(position, seat), question)[-1][1].lines)
        return made

    def workspaces(self) -> None:
        """Compare all arrays as the searches have left them, byte by byte."""
        for here, there in zip(self.native.driver.workspace, self.module.driver.workspace, strict=True):
            assert here.tobytes() == there.tobytes()


def main() -> int:
    """Compare and say how many positions were the same; a difference is an ``AssertionError``."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", metavar="GAME", nargs="*", default=SEARCHED)
    parser.add_argument("--positions", type=int, default=2000, help="over all games and option sets together")
    arguments = parser.parse_args()
    sets = [(name, options) for name in arguments.games for options in game(name).option_sets]
    each = -(-arguments.positions // len(sets))
    for name in arguments.games:
        began = time.perf_counter()
        comparison = SearchComparison(game(name))
        for options in game(name).option_sets:
            comparison.positions(options, each)
            comparison.workspaces()
        seconds = time.perf_counter() - began
        print(f"{name}: {comparison.compared} positions, no difference ({seconds:.0f} s)", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
