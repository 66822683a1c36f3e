"""Dice that prove themselves: fixed before the first roll, by all together, and checked by anyone after the last.

The program that keeps the game draws a *secret* of 32 bytes and publishes the *commitment*, a hash of
it, before anything else. Then each player gives a *seed*, any short text. Rolls follow from the
secret and all seeds: whoever keeps the game cannot choose them, because the secret was fixed before it
saw the seeds, and players cannot foresee them, because they do not know the secret. After the game
the secret is disclosed, and :func:`verify` computes every roll again.

With ``E(…)`` for its parts one after the other, each behind its length as four bytes (numbers are
eight bytes, texts UTF-8, a seat without seed is empty; most significant byte first)::

    commitment   = SHA-256(E("triskele-dice/1 commitment", id, faces, secret))
    seed hash    = SHA-256(E("triskele-dice/1 seed", id, seat, seed))
    bits(roll i) = HMAC-SHA-256(secret, E("triskele-dice/1 roll", id, i, attempt, seed of seat 0, …))
    tag          = HMAC-SHA-256(secret, E("triskele-dice/1 tag", id, place, JSON of what is there))

Rolls and draws count from 0 over the whole game, attempts from 0 in each roll. The rules say what a roll
can bring and how much each outcome weighs (1 each when all are equally likely). A uniform number below the
sum of the weights decides: of the bits, from the first on, as many as the largest such number needs are
taken at a time; a number that is too large is passed over, and when 256 bits are used up, the next attempt
gives more. The outcomes, in ascending order of their codes, take as many numbers each as they weigh, from 0
on. So each is exactly as likely as its weight says.

``faces`` is the number of faces when every roll of the game is that of one fair die
(:attr:`triskele.core.game.Game.die`), else 0: then a proof takes the outcomes from the rules at each roll.

What a proof says, and what not. The rolls are bound by the commitment and the seeds: whoever noted
these before the first roll has proof that the rolls are those that had to come. The player who gives the last
seed must not know the secret: many seeds could be tried, and the best one chosen. So a seat that the keeper itself
plays (an engine) has no seed; and against a keeper who conspires with a player, only giving the last
seed oneself helps. The *tags* of moves and the *seals* of a record's other parts tell where a file was
changed or damaged later. They are no signature: with the secret disclosed, a forger can make new ones,
and so change everything but the rolls.
"""

import hashlib
import hmac
import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from triskele.core.contract import CHANCE
from triskele.core.document import is_line
from triskele.core.errors import IllegalMove, RecordError, TriskeleError
from triskele.core.moves import Move
from triskele.core.position import Position
from triskele.core.record_parts import SEALED, SEALED_IF_PRESENT, SEED_LIMIT, TAG_DIGITS, DiceBlock
from triskele.core.records import Record
from triskele.core.words import Text, text

SECRET_BYTES = 32
_DOMAIN = "triskele-dice/1"
_NAMED_AT_MOST = 10


class DiceError(TriskeleError):
    """A seed cannot be taken, or there is nothing to roll."""


def random_seed() -> str:
    """Return a seed for a player who does not care to think of one."""
    return secrets.token_hex(16)


def _encode(*parts: str | int | bytes) -> bytes:
    encoded = bytearray()
    for part in parts:
        if isinstance(part, int):
            part = part.to_bytes(8, "big")  # noqa: PLW2901 (the same part, as bytes)
        elif isinstance(part, str):
            part = part.encode()  # noqa: PLW2901
        encoded += len(part).to_bytes(4, "big") + part
    return bytes(encoded)


@dataclass(frozen=True)
class Dice:
    """The dice of one game, all rolls fixed. ``seeds`` has a text or ``None`` for each seat.

    ``faces`` is what the commitment states: those of the game's one fair die, or 0.
    """

    secret: bytes = field(repr=False)
    id: str
    seeds: tuple[str | None, ...] = ()
    faces: int = 0

    @property
    def commitment(self) -> str:
        """What is published before the first roll, in hexadecimal."""
        return hashlib.sha256(_encode(f"{_DOMAIN} commitment", self.id, self.faces, self.secret)).hexdigest()

    @property
    def seed_hashes(self) -> tuple[str | None, ...]:
        """For each seat the hash of its seed, if it has one."""
        return tuple(None if seed is None else self._seed_hash(seat, seed) for seat, seed in enumerate(self.seeds))

    def _seed_hash(self, seat: int, seed: str) -> str:
        return hashlib.sha256(_encode(f"{_DOMAIN} seed", self.id, seat, seed)).hexdigest()

    def below(self, index: int, total: int) -> int:
        """Return the number of roll ``index``, counted from 0: uniform from 0 to ``total - 1``."""
        if total < 1:
            raise ValueError(f"nothing is below {total}")
        width = max(1, (total - 1).bit_length())
        return next(number for number in self._numbers(index, width) if number < total)

    def due(self, index: int, position: Position) -> Move:
        """Return the outcome of roll ``index`` in a position where chance is to act."""
        return position.draw(lambda total: self.below(index, total))

    def _numbers(self, index: int, width: int) -> Iterator[int]:
        """Yield random numbers of ``width`` bits without end."""
        seeds = [seed or "" for seed in self.seeds]
        attempt = 0
        while True:
            bits = int.from_bytes(self._mac("roll", index, attempt, *seeds), "big")
            for shift in range(256 - width, -1, -width):
                yield bits >> shift & (1 << width) - 1
            attempt += 1

    def tag(self, place: str, value: Any) -> str:
        """Return the tag of a part of a record: another value there has another tag."""
        canonical = json.dumps(value, sort_keys=True, separators=(",", ":"))
        return self._mac("tag", place, canonical).hex()[:TAG_DIGITS]

    def _mac(self, purpose: str, *parts: str | int | bytes) -> bytes:
        return hmac.digest(self.secret, _encode(f"{_DOMAIN} {purpose}", self.id, *parts), "sha256")


class DiceBox:
    """Dice at a table: seeds are collected until the first roll, then rolls come in order.

    ``faces`` is the game's ``die``. Where it is not 0, only rolls of one fair die with that many faces are made.
    Publish ``block()`` when the box is made, before you ask for seeds. To go on after a restart, make
    the box again with the same ``secret``, ``id``, ``seeds`` and ``closed``.
    """

    def __init__(
        self,
        seats: int,
        *,
        faces: int = 0,
        secret: bytes | None = None,
        id: str | None = None,  # noqa: A002 (the name it has in a record)
        seeds: Sequence[str | None] = (),
        closed: bool = False,
    ) -> None:
        """Draw a secret, and an id for this game, unless they are given."""
        known = secrets.token_bytes(SECRET_BYTES) if secret is None else secret
        name = secrets.token_hex(8) if id is None else id
        self.dice = Dice(known, name, tuple(seeds) or (None,) * seats, faces)
        self.closed = closed

    def give(self, seat: int, seed: str) -> None:
        """Take a seat's seed, 1 to 64 characters. It stands: ``DiceError`` if there is one or the dice roll already."""
        if not 1 <= len(seed) <= SEED_LIMIT or not is_line(seed):
            raise DiceError(text("core.dice-seed-form", limit=SEED_LIMIT))
        if self.closed or self.dice.seeds[seat] is not None:
            raise DiceError(text("core.dice-seed-late", seat=seat + 1))
        seeds = [*self.dice.seeds[:seat], seed, *self.dice.seeds[seat + 1 :]]
        self.dice = replace(self.dice, seeds=tuple(seeds))

    def close(self) -> None:
        """Take no more seeds; those that were given become public. The first roll does this too."""
        self.closed = True

    def roll(self, position: Position) -> str:
        """Return the text of the roll or draw that is due in a position. Rolling twice gives the same.

        ``DiceError`` if none is, or if it is not that of the die.
        """
        faces = self.dice.faces
        if faces and [weight for _, weight in position.chance_outcomes()] != [1] * faces:
            raise DiceError(text("core.dice-no-roll", faces=faces))
        if position.turn != CHANCE:
            raise DiceError(text("core.chance-nothing"))
        self.close()
        return self.dice.due(position.movers.count(CHANCE), position).text

    def block(self) -> DiceBlock:
        """Return what everyone may know now, for a record in progress: never the secret."""
        dice = self.dice
        seeds = dice.seeds if self.closed else (None,) * len(dice.seeds)
        return DiceBlock(dice.id, dice.faces, dice.commitment, dice.seed_hashes, seeds)

    def disclose(self, record: Record) -> Record:
        """Return the record of a finished game with the secret, and a tag on every move and part."""
        if record.outcome is None:
            raise DiceError(text("core.record-secret-early"))
        self.close()
        moves = tuple(replace(m, tag=self.dice.tag(f"moves[{i}]", m.document())) for i, m in enumerate(record.moves))
        block = replace(self.block(), secret=self.dice.secret.hex(), seals=_seals(self.dice, record))
        return replace(record, moves=moves, dice=block)


def _seals(dice: Dice, record: Record) -> dict[str, str]:
    document = {**record.document(), "moves": [move.document() for move in record.moves]}
    parts = (*SEALED, *(part for part in SEALED_IF_PRESENT if part in document))
    return {part: dice.tag(part, document.get(part)) for part in parts}


# --- proving --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Proof:
    """What came of checking a record's dice: how many rolls there are, and each fault that was found.

    ``noted``: the commitment was compared with one that a player had noted.
    """

    rolls: int
    commitment: str
    faults: tuple[Text, ...] = ()
    noted: bool = False

    @property
    def proved(self) -> bool:
        """Whether every roll is as it had to be, and nothing was changed."""
        return not self.faults

    def lines(self) -> list[Text]:
        """Return the result for people, a line for each fault."""
        if self.proved:
            key = "core.proof-noted" if self.noted else "core.proof-commitment"
            return [text("core.proof-good", n=self.rolls), text(key, commitment=self.commitment)]
        return list(self.faults)


def verify(record: Record, commitment: str | None = None, seeds: Mapping[int, str] | None = None) -> Proof:
    """Compute every roll of a finished game again and compare all that the record says.

    ``commitment`` and ``seeds`` (by seat, from 0) are what a player noted before the first roll. Only they tell whether
    whoever kept the game changed the secret or a seed later, together with all that follows from it.
    ``RecordError`` if there is nothing to check: no dice, in progress, the secret is missing, or there is no such seat.
    """
    block = record.dice
    if block is None:
        raise RecordError(text("core.proof-no-dice"))
    if record.outcome is None or record.viewer is not None:
        raise RecordError(text("core.proof-in-progress"))
    if not block.secret:
        raise RecordError(text("core.proof-no-secret"))
    noted_seeds = dict(seeds or {})
    for seat in noted_seeds:
        if not 0 <= seat < len(block.seeds):
            raise RecordError(text("core.proof-no-seat", seat=seat + 1, n=len(block.seeds)))
    dice = Dice(bytes.fromhex(block.secret), block.id, block.seeds, block.faces)
    # Each check makes sense only after those before it: a changed seed makes all rolls look changed.
    checks = (_seed_faults, _face_faults, _move_faults, _other_faults)
    faults = list(_noted_faults(block, commitment, noted_seeds))
    if not faults:
        faults = next((found for check in checks if (found := list(check(dice, block, record)))), [])
    rolls = sum(move.seat == CHANCE for move in record.moves)
    return Proof(rolls, block.commitment, tuple(faults), noted=commitment is not None)


def _noted_faults(block: DiceBlock, commitment: str | None, seeds: Mapping[int, str]) -> Iterator[Text]:
    if commitment is not None and commitment.strip().lower() != block.commitment:
        yield text("core.proof-noted-commitment", stated=block.commitment)
    for seat, seed in sorted(seeds.items()):
        if seed != block.seeds[seat]:
            yield text("core.proof-noted-seed", seat=seat + 1)


def _seed_faults(dice: Dice, block: DiceBlock, record: Record) -> Iterator[Text]:
    if dice.commitment != block.commitment:
        yield text("core.proof-secret")
    for seat, (computed, stated) in enumerate(zip(dice.seed_hashes, block.seed_hashes, strict=True)):
        if computed != stated:
            yield text("core.proof-seed", seat=seat + 1)


def _face_faults(dice: Dice, block: DiceBlock, record: Record) -> Iterator[Text]:
    die = record.variant.game.die
    if block.faces not in (0, die):
        yield text("core.proof-faces", stated=block.faces, due=die)


def outcomes_of(record: Record) -> list[list[tuple[str, int]]]:
    """Return what each roll of a record could bring, as texts with their weights in the order in which they count.

    ``RecordError`` if the moves cannot be replayed.
    """
    return [
        [(outcome.text, weight) for outcome, weight in position.chance_outcomes()]
        for position, move in zip(record.positions(), record.moves, strict=False)
        if move.seat == CHANCE
    ]


def _dues(dice: Dice, record: Record) -> Iterator[str | None]:
    """Yield for each move of a record what it had to be if it is a roll, ``None`` if it is not or nobody can say.

    What a roll can bring depends on the moves before it. Where the record states another roll, the game goes on with
    the one that was due; so the moves that were made after it can still be made. From a move on that is not possible,
    nobody can say: then there is a fault already, or replaying the record finds one.
    """
    position: Position | None = Position(record.variant)
    rolls = 0
    for move in record.moves:
        due = None
        if move.seat == CHANCE:
            if position is not None and position.turn == CHANCE:
                due = dice.due(rolls, position).text
            rolls += 1
        try:
            if position is not None:
                position.push(due or move.text)
        except IllegalMove:
            position = None
        yield due


def _move_faults(dice: Dice, block: DiceBlock, record: Record) -> Iterator[Text]:
    """Name every changed roll and move; if all are, from some move on, only where that begins."""
    named: dict[int, Text] = {}
    rolls = 0
    for number, (move, due) in enumerate(zip(record.moves, _dues(dice, record), strict=True)):
        if move.tag != dice.tag(f"moves[{number}]", move.document()):
            named[number] = text("core.proof-move", number=number + 1, move=move.text)
        rolls += move.seat == CHANCE
        if due is not None and move.text != due:
            named[number] = text("core.proof-roll", roll=rolls, number=number + 1, due=due, stated=move.text)
    if not named:
        return
    first = min(named)
    if len(named) > 1 and all(number in named for number in range(first, len(record.moves))):
        yield text("core.proof-from-move", number=first + 1)
        yield named[first]
        return
    yield from list(named.values())[:_NAMED_AT_MOST]
    if len(named) > _NAMED_AT_MOST:
        yield text("core.proof-more", n=len(named) - _NAMED_AT_MOST)


def _other_faults(dice: Dice, block: DiceBlock, record: Record) -> Iterator[Text]:
    for part, seal in _seals(dice, record).items():
        if block.seals.get(part) != seal:
            yield text("core.proof-part", part=part)
    try:
        record.replay()
    except RecordError as error:
        yield error.text
