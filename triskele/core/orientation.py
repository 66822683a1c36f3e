"""Turn a scene, so that another side lies at the bottom. The page does the same in ``web/board/orientation.js``."""

import math
from dataclasses import replace

from triskele.core.scene import Piece, Place, Scene, Turning


def own_turn(scene: Scene, seat: int | None) -> float:
    """Return the angle that brings a seat's side to the bottom; 0 for a spectator and where nothing turns."""
    return 0.0 if scene.turning is None or seat is None else scene.turning.seats[seat]


def turned(scene: Scene, degrees: float) -> Scene:
    """Return a scene with its board turned clockwise, as :class:`~triskele.core.scene.Turning` says.

    An angle that is not one of the scene's turns is taken as 0.
    """
    turning = scene.turning
    if turning is None or degrees not in turning.turns or not degrees:
        return scene
    turn = _Turn(scene, turning, degrees)
    return replace(
        scene,
        width=scene.width + turn.wider,
        height=scene.height + turn.taller,
        pieces=tuple(map(turn.piece, scene.pieces)),
        places=tuple(map(turn.place, scene.places)),
    )


class _Turn:
    """Where things come to lie."""

    def __init__(self, scene: Scene, turning: Turning, degrees: float) -> None:
        self.turning = turning
        self.degrees = degrees
        angle = math.radians(degrees)
        self.cosine, self.sine = math.cos(angle), math.sin(angle)
        quarter = degrees % 180 == 90
        self.wider = turning.height - turning.width if quarter else 0.0
        self.taller = -self.wider

    def around(self, x: float, y: float) -> tuple[float, float]:
        return x * self.cosine - y * self.sine, x * self.sine + y * self.cosine

    def stays(self, item: Piece | Place) -> bool:
        beside = (
            2 * abs(item.x - self.turning.x) > self.turning.width
            or 2 * abs(item.y - self.turning.y) > self.turning.height
        )
        return item.on_turn == "stay" or beside

    def at(self, item: Piece | Place) -> tuple[float, float]:
        if self.stays(item):
            return item.x + self.wider / 2, item.y + self.taller
        x, y = self.around(item.x - self.turning.x, item.y - self.turning.y)
        return self.turning.x + self.wider / 2 + x, self.turning.y + self.taller / 2 + y

    def piece(self, piece: Piece) -> Piece:
        x, y = self.at(piece)
        turn = piece.turn + self.degrees if piece.on_turn == "turn" else piece.turn
        return replace(piece, x=x, y=y, turn=turn)

    def place(self, place: Place) -> Place:
        x, y = self.at(place)
        points = place.points if self.stays(place) else tuple(self.around(*point) for point in place.points)
        return replace(place, x=x, y=y, points=points)
