"""The payload cache: how each seat and the spectators see a table, encoded once for all who see the same.

Nothing about a position leaves the server in any other way. After a move only the difference of a scene goes out.
What a payload costs does not depend on the number of moves made, except for the list of all moves.
"""

import weakref
from collections.abc import Callable, Sequence
from itertools import zip_longest
from operator import attrgetter
from typing import Any, TypeVar

import orjson
from msgspec import Raw

from triskele.core.contract import State
from triskele.core.game import Variant
from triskele.core.moves import Move
from triskele.core.record_parts import actor_document
from triskele.core.scene import Scene
from triskele.server.live.protocol import Look, MoveShown
from triskele.server.tables.table import Table, Viewer

T = TypeVar("T")
_ID, _TOKEN = attrgetter("id"), attrgetter("token")


def _encoded(value: object) -> bytes:
    """Return a value as JSON in as many bytes as it has: what ``orjson`` returns keeps the buffer it was written in."""
    return bytes(memoryview(orjson.dumps(value)))


class MoveEncoder:
    """Encodes moves of a game as JSON, each only once."""

    def __init__(self) -> None:
        """Begin with an empty cache."""
        self._encoded: dict[str, bytes] = {}

    def encode(self, moves: list[Move]) -> Raw:
        """Return moves with the ways to enter them: ``[[text, [tokens, …]], …]``."""
        known = self._encoded
        try:
            parts = [known[move.text] for move in moves]
        except KeyError:
            for move in moves:
                if move.text not in known:
                    known[move.text] = _encoded([move.text, move.spellings])
            parts = [known[move.text] for move in moves]
        return Raw(b"[" + b",".join(parts) + b"]")


_move_encoders: dict[Variant, MoveEncoder] = {}


class EncodedScene:
    """A scene as one viewer sees it at one version of the position: whole, and as the difference to the one before."""

    __slots__ = ("_whole", "difference", "scene", "version")

    def __init__(self, version: int, scene: Scene, before: "EncodedScene | None") -> None:
        """Hold a scene; ``before`` is that of the version before, if it is known."""
        self.version = version
        self.scene = scene
        self.difference = None if before is None else _encoded(difference(before.scene, scene))
        self._whole: Raw | None = None

    def whole(self) -> Raw:
        """Return the whole scene as JSON."""
        if self._whole is None:
            self._whole = Raw(_encoded(self.scene))
        return self._whole

    def difference_from(self, seq: int) -> Raw | None:
        """Return the difference to the scene that the message ``seq`` brought; ``None`` if it is not known."""
        if self.difference is None:
            return None
        return Raw(b'{"base":%d' % seq + (b"," if len(self.difference) > 2 else b"") + self.difference[1:])


def difference(old: Scene, new: Scene) -> dict[str, Any]:
    """Return what changed from one scene to the next, as ``docs/live.md`` says; what did not change is left out."""
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
    if old.told != new.told:
        change["told"] = new.told
    return change


def _changed(old: Sequence[T], new: Sequence[T], name: Callable[[T], str]) -> tuple[list[T], list[str]]:
    """Return the items that are new or changed, and the names of those that are gone."""
    # Most are the very same objects at the same index; comparing by value would cost more than all the rest.
    differing = [(a, b) for a, b in zip_longest(old, new) if a is not b]
    before = {name(a): a for a, _ in differing if a is not None}
    after = {name(b): b for _, b in differing if b is not None}
    changed = [b for key, b in after.items() if (a := before.get(key)) is not b and a != b]
    return changed, sorted(before.keys() - after.keys())


def _same_frame(old: Scene, new: Scene) -> bool:
    return (old.width, old.height, old.cell, old.turning) == (new.width, new.height, new.cell, new.turning)


class PayloadCache:
    """The payloads of one table at its present position."""

    def __init__(self, table: Table) -> None:
        """Encode for a table. The reference to it is weak: audiences live as long as their tables, not longer."""
        self._table: Table = weakref.proxy(table)
        self._version = -1
        self._scenes: dict[tuple[Viewer, str], EncodedScene] = {}
        self._views: dict[Viewer, Raw] = {}
        self._prompts: dict[str, str] = {}
        self._states: dict[Viewer, State] = {}
        self._move_encoder = _move_encoders.setdefault(table.variant, MoveEncoder())
        self._one_scene = not table.hidden and table.variant.game.scene_for_all
        self._hidden_moves: list[int] = []
        """The numbers of the moves that spectators were not shown when they were made."""
        self._shown: dict[Viewer, list[str]] = {}
        """For each viewer, how the hidden moves were shown last."""

    def _drop_outdated(self) -> None:
        """Drop what was encoded for an earlier position, except the scenes that differences are made from."""
        if self._version != self._table.version:
            self._version = self._table.version
            self._views.clear()
            self._prompts.clear()
            self._states.clear()
            before = self._version - 1
            self._scenes = {key: scene for key, scene in self._scenes.items() if scene.version == before}

    # --- parts ----------------------------------------------------------------------------------

    def _scene(self, viewer: Viewer, language: str) -> EncodedScene:
        key = (None if self._one_scene else viewer, language)
        version = self._table.version
        known = self._scenes.get(key)
        if known is None or known.version != version:
            scene = self._table.position.scene(viewer, language)
            follows = known is not None and known.version == version - 1 and _same_frame(known.scene, scene)
            known = self._scenes[key] = EncodedScene(version, scene, known if follows else None)
        return known

    def _view(self, viewer: Viewer) -> Raw:
        """Return the view without its lists of moves."""
        known = self._views.get(viewer)
        if known is None:
            known = self._views[viewer] = Raw(_encoded(self._table.position.view_without_moves(viewer)))
        return known

    def _prompt(self, viewer: Viewer, language: str) -> str:
        turn = self._table.turn
        if turn is None or turn != viewer:
            return ""
        known = self._prompts.get(language)
        if known is None:
            known = self._prompts[language] = self._table.position.ask(language)
        return known

    # --- looks ------------------------------------------------------------------------------------

    def _look(self, viewer: Viewer, language: str, scene: Raw | None) -> Look:
        # Lists of moves can be long, are quickly put together, and whoever sees the same shares whole messages.
        table, encode = self._table, self._move_encoder.encode
        moves, interrupts = encode(table.moves_of(viewer)), encode(table.interrupts_of(viewer))
        return Look(viewer, self._view(viewer), scene, self._prompt(viewer, language), moves, interrupts)

    def look(self, viewer: Viewer, language: str, scenes: bool) -> Look:
        """Return how a viewer sees the position, with the whole scene if scenes are wanted."""
        self._drop_outdated()
        return self._look(viewer, language, self._scene(viewer, language).whole() if scenes else None)

    def look_since(self, viewer: Viewer, language: str, seq: int) -> Look | None:
        """Return how a viewer sees the position, with the difference to the scene before it; ``None`` if unknown.

        ``seq`` is that of the message that brought the scene before.
        """
        self._drop_outdated()
        scene = self._scene(viewer, language).difference_from(seq)
        return None if scene is None else self._look(viewer, language, scene)

    # --- moves as they are seen -------------------------------------------------------------------

    def _seen(self, viewer: Viewer, at: int) -> str:
        """Return the text of move ``at`` as a viewer may see it now."""
        move, mover = self._table.made[at]
        position = self._table.position
        seen = position.variant.game.notation.move_seen
        if seen is None or self._table.turn is None:
            return move.text
        self._drop_outdated()
        known = self._states.get(viewer)
        if known is None:
            known = self._states[viewer] = position.seen_by(viewer).state
        text: str = seen(position.variant.options, known, move.code, mover, viewer)
        return text

    def last_move(self, viewer: Viewer) -> str:
        """Return the text of the last move as a viewer may see it."""
        return self._seen(viewer, -1)

    def moves(self, viewer: Viewer) -> list[MoveShown]:
        """Return all moves as a viewer may see them. The cost grows with the number of moves."""
        table = self._table
        texts = table.position.moves_seen_by(viewer)
        if table.hidden:
            self._hidden_moves = [at for at, (move, _) in enumerate(table.made) if self._seen(None, at) != move.text]
            self._shown[viewer] = [texts[at] for at in self._hidden_moves]
        made = zip(texts, table.made, table.times, strict=True)
        return [MoveShown(text, actor_document(mover), ms) for text, (_, mover), ms in made]

    def reveals_earlier_moves(self, viewers: set[Viewer]) -> bool:
        """Whether the last move shows one of the viewers more of an earlier move than they were shown.

        Only moves that were hidden when they were made are compared: there are few.
        """
        table = self._table
        if not table.hidden:
            return False
        last = len(table.made) - 1
        if self._seen(None, last) != table.made[last][0].text and last not in self._hidden_moves:
            self._hidden_moves.append(last)
        reveals = False
        for viewer in viewers:
            now = [self._seen(viewer, at) for at in self._hidden_moves]
            before = self._shown.get(viewer, [])
            reveals = reveals or before != now[: len(before)]
            self._shown[viewer] = now
        return reveals
