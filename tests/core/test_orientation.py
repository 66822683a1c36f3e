"""Turning a scene: everything keeps its place on the board, and what lies beside the board stays."""

import pytest

import triskele
from triskele.core.orientation import own_turn, turned
from triskele.core.scene import Scene

GAMES = [(game.name, options) for game in triskele.games() for options in game.option_sets[:3]]


def _scene(game: str, options) -> Scene:
    return triskele.new(game, **options).scene(0)


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_all_turns_one_after_the_other_lead_back(game: str, options):
    scene = _scene(game, options)
    assert scene.turning is not None
    turns = scene.turning.turns
    assert turns[0] == 0
    assert len(turns) > 1
    for degrees in turns[1:]:
        there = turned(scene, degrees)
        for before, after in zip((*scene.pieces, *scene.places), (*there.pieces, *there.places), strict=True):
            assert 0 <= after.x <= there.width, f"{after} is off the scene"
            assert 0 <= after.y <= there.height, f"{after} is off the scene"
            below = 2 * (before.y - scene.turning.y) > scene.turning.height
            assert not below or after.y - there.height == pytest.approx(before.y - scene.height)


def test_a_home_lies_lowest_for_its_own_seat():
    for seats in (2, 6):
        pos = triskele.new("conquest", players=seats)
        for seat in range(seats):
            scene = pos.scene(seat)
            shown = turned(scene, own_turn(scene, seat))
            homes = {place.token[0]: place.y for place in shown.places if place.token.endswith("c3")}
            assert homes[str(seat + 1)] == pytest.approx(max(homes.values()))


def test_the_waiting_rings_of_a_seat_lie_below_the_board():
    scene = triskele.new("yinsh").scene(1)
    rings = [piece for piece in turned(scene, own_turn(scene, 1)).pieces if piece.id.startswith("ring-1")]
    assert all(piece.y > 0.9 * scene.height for piece in rings)


def test_an_angle_that_the_scene_does_not_have_turns_nothing():
    scene = triskele.new("yinsh").scene(1)
    assert turned(scene, 45) is scene
    assert own_turn(scene, None) == 0
