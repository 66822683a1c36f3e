"""Looks: how each seat, and whoever watches, sees a table. Nothing about a position leaves in any other way.

A look is built once for all who see the same, as bytes. Of a scene only the difference to the one before
goes out after a move. What a look costs does not depend on how many moves were made.
"""

from collections.abc import Callable, Sequence
from itertools import zip_longest
from operator import attrgetter
from typing import Any, TypeVar

import orjson

from triskele.core.contract import CHANCE, State
from triskele.core.game import Variant
from triskele.core.moves import Move
from triskele.core.record_parts import outcome_document
from triskele.core.scene import Scene
from triskele.server.table import Table

T = TypeVar("T")
Viewer = int | None
"""A seat, or ``None`` for a spectator."""

_ID, _TOKEN = attrgetter("id"), attrgetter("token")
LISTS = ("moves", "legal_moves", "interrupts")
"""What a view holds and a look leaves out: it stands beside it."""


def turn_name(turn: int | None) -> int | str | None:
    """Return who is to act as JSON says it."""
    return "chance" if turn == CHANCE else turn


class MoveTexts:
    """The moves of a game as JSON, each written once."""

    def __init__(self) -> None:
        """Know none yet."""
        self._written: dict[str, bytes] = {}

    def entered(self, moves: list[Move]) -> bytes:
        """Return moves with the ways to enter them: ``[[text, [tokens, …]], …]``."""
        known = self._written
        try:
            parts = [known[move.text] for move in moves]
        except KeyError:
            for move in moves:
                if move.text not in known:
                    known[move.text] = orjson.dumps([move.text, move.spellings])
            parts = [known[move.text] for move in moves]
        return b"[" + b",".join(parts) + b"]"


_texts: dict[Variant, MoveTexts] = {}


class Picture:
    """A scene as one viewer sees it at one version of the position, whole and as the change from the version before."""

    __slots__ = ("_whole", "change", "scene", "version")

    def __init__(self, version: int, scene: Scene, before: "Picture | None") -> None:
        """Hold a scene; ``before`` is the picture of the version before, if there is one."""
        self.version = version
        self.scene = scene
        self.change = None if before is None else orjson.dumps(difference(before.scene, scene))
        self._whole: bytes | None = None

    def full(self) -> bytes:
        """Return the whole scene as JSON."""
        if self._whole is None:
            self._whole = orjson.dumps(self.scene)
        return self._whole


def difference(old: Scene, new: Scene) -> dict[str, Any]:
    """Return what changed from one scene to the next, as a client needs it; what did not change is left out."""
    change: dict[str, Any] = {}
    pieces, gone = _changed(old.pieces, new.pieces, _ID)
    places, lost = _changed(old.places, new.places, _TOKEN)
    if pieces:
        change["pieces"] = pieces
    if gone:
        change["gone"] = gone
    if places:
        change["places"] = places
    if lost:
        change["places_gone"] = lost
    if old.facts != new.facts:
        change["facts"] = new.facts
    if old.title != new.title:
        change["title"] = new.title
    return change


def _changed(old: Sequence[T], new: Sequence[T], name: Callable[[T], str]) -> tuple[list[T], list[str]]:
    """Return what is new or other than it was, and the names of what is gone."""
    # Most are the very same objects at the very same place, and comparing them costs more than all the rest.
    differing = [(a, b) for a, b in zip_longest(old, new) if a is not b]
    before = {name(a): a for a, _ in differing if a is not None}
    after = {name(b): b for _, b in differing if b is not None}
    changed = [b for key, b in after.items() if (a := before.get(key)) is not b and a != b]
    return changed, sorted(before.keys() - after.keys())


def _same_frame(old: Scene, new: Scene) -> bool:
    return (old.width, old.height, old.cell) == (new.width, new.height, new.cell)


class Looks:
    """The looks of one table at its present position."""

    def __init__(self, table: Table) -> None:
        """Look at a table."""
        self.table = table
        self._version = -1
        self._pictures: dict[tuple[Viewer, str], Picture] = {}
        self._views: dict[Viewer, tuple[bytes, bytes, bytes]] = {}
        self._positions: dict[Viewer, str] = {}
        self._asked: dict[tuple[Viewer, str], bytes] = {}
        self._texts = _texts.setdefault(table.variant, MoveTexts())
        self._options = orjson.dumps(dict(table.variant.options))
        self._one_scene = not table.hidden and table.variant.game.scene_for_all
        self._has_interrupts = table.variant.optional("interrupt_owner") is not None
        self._known: dict[Viewer, State] = {}
        self._hidden: list[int] = []
        self._told: dict[Viewer, list[str]] = {}

    def _turn_page(self) -> None:
        """Forget what was built for an earlier position, except the pictures that changes are told from."""
        if self._version != self.table.version:
            self._version = self.table.version
            self._views.clear()
            self._positions.clear()
            self._asked.clear()
            self._known.clear()
            self._pictures = {key: p for key, p in self._pictures.items() if p.version == self._version - 1}

    # --- the parts ------------------------------------------------------------------------------

    def picture(self, viewer: Viewer, language: str) -> Picture:
        """Return how a viewer sees the present position."""
        key = (None if self._one_scene else viewer, language)
        version = self.table.version
        known = self._pictures.get(key)
        if known is None or known.version != version:
            scene = self.table.position.scene(viewer, language)
            follows = known is not None and known.version == version - 1 and _same_frame(known.scene, scene)
            known = self._pictures[key] = Picture(version, scene, known if follows else None)
        return known

    def _view(self, viewer: Viewer) -> tuple[bytes, bytes, bytes]:
        """Return the view without its lists of moves, the moves to make, and the interrupts."""
        known = self._views.get(viewer)
        if known is None:
            table, position = self.table, self.table.position
            turn = table.rules_turn
            outcome = None if turn is not None else position.outcome()
            view = {
                "game": position.variant.game.name,
                "options": orjson.Fragment(self._options),
                "seat": viewer,
                "position": self._written(viewer),
                "turn": turn_name(turn),
                "outcome": None if outcome is None else outcome_document(outcome),
            }
            moves = position.legal_moves if viewer is not None and table.turn == viewer else []
            known = (orjson.dumps(view), self._texts.entered(moves), self._texts.entered(self._interrupts(viewer)))
            self._views[viewer] = known
        return known

    def _written(self, viewer: Viewer) -> str:
        """Return the text of the position as a viewer may know it."""
        key = viewer if self.table.hidden else None
        known = self._positions.get(key)
        if known is None:
            position = self.table.position
            known = self._positions[key] = str(position.seen_by(viewer) if self.table.hidden else position)
        return known

    def _interrupts(self, viewer: Viewer) -> list[Move]:
        if viewer is None or self.table.turn is None or not self._has_interrupts:
            return []
        position = self.table.position
        return [move for move in position.interrupts if position.interrupt_owner(move) == viewer]

    def _ask(self, viewer: Viewer, language: str) -> bytes:
        turn = self.table.turn
        if turn is None or turn != viewer:
            return b'""'
        key = (viewer, language)
        known = self._asked.get(key)
        if known is None:
            known = self._asked[key] = orjson.dumps(self.table.position.ask(language))
        return known

    # --- looks ------------------------------------------------------------------------------------

    def look(self, viewer: Viewer, language: str, scene: bytes) -> bytes:
        """Return a look as JSON, with a scene that is JSON already (``null`` for none)."""
        self._turn_page()
        view, moves, interrupts = self._view(viewer)
        seat = b"null" if viewer is None else b"%d" % viewer
        parts = (
            b'{"seat":' + seat,
            b'"view":' + view,
            b'"scene":' + scene,
            b'"ask":' + self._ask(viewer, language),
            b'"moves":' + moves,
            b'"interrupts":' + interrupts,
        )
        return b",".join(parts) + b"}"

    def whole(self, viewer: Viewer, language: str, scenes: bool) -> bytes:
        """Return a look with its whole scene."""
        self._turn_page()
        return self.look(viewer, language, self.picture(viewer, language).full() if scenes else b"null")

    def changed(self, viewer: Viewer, language: str, base: int) -> bytes | None:
        """Return a look with what changed in its scene since the position before; ``None`` if that is not known.

        ``base`` is the ``seq`` of the message that brought the scene before.
        """
        self._turn_page()
        change = self.picture(viewer, language).change
        if change is None:
            return None
        return self.look(viewer, language, b'{"base":%d' % base + (b"," if len(change) > 2 else b"") + change[1:])

    # --- moves as they are seen -------------------------------------------------------------------

    def _seen(self, viewer: Viewer, at: int) -> str:
        """Return the text of move ``at`` as a viewer may see it now."""
        move, mover = self.table.made[at]
        position = self.table.position
        seen = position.variant.optional("move_seen")
        if seen is None or self.table.rules_turn is None:
            return move.text
        self._turn_page()
        known = self._known.get(viewer)
        if known is None:
            known = self._known[viewer] = position.seen_by(viewer).state
        text: str = seen(position.variant.options, known, move.code, mover, viewer)
        return text

    def last_move(self, viewer: Viewer) -> str:
        """Return the text of the last move as a viewer may see it."""
        return self._seen(viewer, -1)

    def moves(self, viewer: Viewer) -> list[dict[str, Any]]:
        """Return all moves as a viewer may see them. This costs as much as there are moves."""
        table = self.table
        texts = table.position.moves_seen_by(viewer)
        if table.hidden:
            self._hidden = [at for at, (move, _) in enumerate(table.made) if self._seen(None, at) != move.text]
            self._told[viewer] = [texts[at] for at in self._hidden]
        made = zip(texts, table.made, table.times, strict=True)
        return [{"move": text, "seat": turn_name(mover), "ms": ms} for text, (_, mover), ms in made]

    def told_more(self, viewers: set[Viewer]) -> bool:
        """Whether the last move told one of the viewers more of earlier moves than he was told.

        Only moves that were hidden when they were made are looked at: there are few.
        """
        if not self.table.hidden:
            return False
        last = len(self.table.made) - 1
        if self._seen(None, last) != self.table.made[last][0].text and last not in self._hidden:
            self._hidden.append(last)
        more = False
        for viewer in viewers:
            now = [self._seen(viewer, at) for at in self._hidden]
            before = self._told.get(viewer, [])
            more = more or before != now[: len(before)]
            self._told[viewer] = now
        return more
