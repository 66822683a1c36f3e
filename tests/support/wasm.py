"""A game's WebAssembly module beside its plain rules: asked the same questions, they must give the same answers."""

import random
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

import triskele
from triskele.core.contract import OVER
from triskele.core.contract.texts import MOVE_TEXT
from triskele.core.game import Game, Variant
from triskele.core.link import text_programs
from triskele.core.wasm.build import build_module
from triskele.core.wasm.runtime import Instance

MOVES_LIMIT = 250
"""Games are compared up to here; most are over by then."""
POSITIONS = 1200
"""Positions of each game that are compared, over all of its option sets."""
LOG_MOVES = 1000


class Comparison:
    """A game's plain rules and its module, asked the same questions."""

    def __init__(self, game: Game, instance: Instance) -> None:
        rules = game.rules_module
        self.game = game
        self.module = instance
        self.plain = game.linker.plain
        self.words = rules.SIZE + LOG_MOVES * rules.LOG
        self.state = instance.array(self.words)
        self.copy = instance.array(self.words)
        self.moves = instance.array(rules.MOVES)
        self.scores = instance.array(16, np.float64)
        self.options = instance.array(64)
        self.text = instance.array(MOVE_TEXT, np.uint8)
        self.has_texts = bool(text_programs(rules))

    def start(self, variant: Variant) -> np.ndarray:
        """Set up both sides; return the state of the plain one."""
        state = np.zeros(self.words, dtype=np.int64)
        self.state[:] = 0
        state[0] = self.state[0] = variant.size
        options = self.options[: len(variant.encoded)]
        options[:] = variant.encoded
        self.plain.start(state, variant.encoded)
        self.module.start(self.state, options)
        assert self.state.tobytes() == state.tobytes()
        return state

    def listed(self, name: str, state: np.ndarray) -> list[int]:
        """Return the moves that a function lists, which both sides must agree on."""
        buffer = np.zeros(len(self.moves), dtype=np.int64)
        number = getattr(self.plain, name)(state, buffer)
        assert getattr(self.module, name)(self.state, self.moves) == number, name
        assert self.moves[:number].tobytes() == buffer[:number].tobytes(), name
        return buffer[:number].tolist()

    def counted(self, kind: str, state: np.ndarray, k: int) -> None:
        """Compare counting moves and taking one of them without a list."""
        count, nth = (f"{kind}count", f"{kind}nth")
        buffer = np.zeros(len(self.moves), dtype=np.int64)
        number = getattr(self.plain, count)(state, buffer)
        assert getattr(self.module, count)(self.state, self.moves) == number, count
        chosen = getattr(self.plain, nth)(state, buffer, k % number)
        assert getattr(self.module, nth)(self.state, self.moves, k % number) == chosen, nth

    def redacted(self, state: np.ndarray, seats: int) -> None:
        """Compare what each seat and a spectator may know."""
        for seat in range(-1, seats):
            known = state.copy()
            self.plain.redact(known, seat)
            self.copy[:] = self.state
            self.module.redact(self.copy, seat)
            assert self.copy.tobytes() == known.tobytes(), seat

    def named(self, variant: Variant, codes: list[int]) -> None:
        """Compare the texts of some moves."""
        for code in codes:
            length = self.module.write_move(self.state, code, self.text)
            assert self.text[:length].tobytes().decode() == variant.move(code).text

    def ended(self, state: np.ndarray) -> None:
        """Compare the end of a game."""
        scores = np.zeros(len(self.scores))
        self.scores[:] = 0
        self.plain.scores(state, scores)
        self.module.scores(self.state, self.scores)
        assert self.scores.tobytes() == scores.tobytes()
        assert self.module.winners(self.state) == self.plain.winners(state)
        assert self.module.reason(self.state) == self.plain.reason(state)

    def play(self, variant: Variant, seed: int) -> int:
        """Compare every position of a random game; return how many there were."""
        chooser = random.Random(seed)
        state = self.start(variant)
        for number in range(MOVES_LIMIT):
            seat = self.plain.actor(state)
            assert self.module.actor(self.state) == seat
            legal = self.listed("legal", state)
            interrupts = self.listed("interrupts", state)
            if self.has_texts:
                self.named(variant, [*legal[number % 3 :: 40], *interrupts])
            self.redacted(state, variant.seats)
            if seat == OVER:
                self.ended(state)
                return number + 1
            for kind in ("", "rollout_"):
                self.counted(kind, state, chooser.randrange(1 << 20))
            if seat == triskele.CHANCE:
                weights = [self.plain.chance_weight(state, move) for move in legal]
                assert [self.module.chance_weight(self.state, move) for move in legal] == weights
            move = chooser.choice(interrupts if interrupts and chooser.random() < 0.03 else legal)
            self.plain.apply(state, move)
            self.module.apply(self.state, move)
            assert self.state.tobytes() == state.tobytes()
        return MOVES_LIMIT

    def all_sets(self, positions: int) -> int:
        """Play games of all option sets in turn until so many positions were compared; return how many were."""
        compared = number = 0
        while compared < positions or number < len(self.game.option_sets):
            chosen = self.game.option_sets[number % len(self.game.option_sets)]
            compared += self.play(self.game.variant(chosen), number)
            number += 1
        return compared


def compare(game: Game) -> Comparison:
    return Comparison(game, Instance(build_module(game)))


@contextmanager
def mutated(table: np.ndarray, entry: int | tuple[int, ...]) -> Iterator[None]:
    """Change one entry of a table of the rules for a while; a module that was built before does not know it."""
    before = table[entry]
    table[entry] = before ^ 2
    try:
        yield
    finally:
        table[entry] = before
