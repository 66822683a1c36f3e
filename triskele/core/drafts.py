"""Positions that are set up by hand: from a draft to a position that the rules allow, and back."""

from dataclasses import replace

from triskele.core.contract.setup import Draft, Setup, split_sign
from triskele.core.errors import RecordError
from triskele.core.game import Game, Variant
from triskele.core.position import Position
from triskele.core.scene import Look, Scene
from triskele.core.words import text

PLACES_LIMIT = 1_000
"""No draft has more things on its board."""


def setup_of(declared: Game) -> Setup | None:
    """Return how positions of a game are set up; ``None`` for a game that is set up by its position text only."""
    found: Setup | None = getattr(declared.optional_module("setup"), "SETUP", None)
    return found


def _setup(variant: Variant) -> Setup:
    setup = setup_of(variant.game)
    if setup is None:
        raise RecordError(text("core.setup-none", game=variant.game.title))
    return setup


def draft_of(position: Position) -> Draft:
    """Return what stands where in a position; ``RecordError`` if the game has no setup by hand."""
    variant = position.variant
    return _setup(variant).draft(variant.options, position.state)


def ground_of(variant: Variant, language: str = "en") -> Scene:
    """Return the board that things are put on: with nothing on it."""
    ground = _setup(variant).ground
    if ground is not None:
        return ground(Look(variant.options, variant.first_state(), None, language=language))
    begun = Position(variant).scene(None, language)
    lowest = min(piece.layer for piece in begun.pieces)
    return replace(begun, pieces=tuple(p for p in begun.pieces if p.layer == lowest or p.role == "coordinate"))


def position_of(variant: Variant, draft: Draft) -> Position:
    """Return the position that a draft means; ``RecordError`` says by the rules why it cannot be one."""
    setup = _setup(variant)
    most = {thing.sign: thing.most for thing in setup.things(variant.options)}
    tokens = {place.token for place in ground_of(variant).places}
    allowed = {field.name: {value for value, _ in field.values} for field in setup.fields(variant.options)}
    if (
        not all(1 <= number <= most.get(sign, 0) for sign, number in map(split_sign, draft.board.values()))
        or not tokens.issuperset(draft.board)
        or draft.fields.keys() != allowed.keys()
        or any(value not in allowed[name] for name, value in draft.fields.items())
    ):
        raise RecordError(text("core.setup-form"))
    refused: RecordError | None = None
    for line in setup.lines(variant.options, draft):
        try:
            return Position(variant, variant.game.notation.read(variant.options, line, variant.first_state()))
        except RecordError as error:
            refused = refused or error
    raise refused or RecordError(text("core.setup-form"))
