"""The own side of a player lies at the bottom, and a button turns the board, in every game."""

import orjson
import pytest

import triskele
from triskele.core.orientation import turned

GAMES = [game.name for game in triskele.games()]
OWN, ENGINE = {"kind": "me", "name": "Ada"}, {"kind": "engine", "level": 1}


def _height(visitor, token: str) -> float:
    box = visitor.page.locator(f'.board .place[data-token="{token}"]').bounding_box()
    return box["y"] + box["height"] / 2


@pytest.mark.parametrize(("game", "near", "far"), [("yinsh", "e10", "e1"), ("conquest", "2c3", "1c3")])
def test_the_second_player_sees_the_own_side_at_the_bottom(visit, game, near, far):
    ada = visit()
    ada.open(game, [{"kind": "engine", "level": 1}, {"kind": "me", "name": "Ada"}])
    ada.page.locator(f'.board .place[data-token="{near}"]').wait_for()
    assert _height(ada, near) > _height(ada, far)
    ada.button("Turn the board").click()
    ada.until(lambda: _height(ada, near) < _height(ada, far), "the board to turn")
    ada.reload()
    ada.page.locator(f'.board .place[data-token="{near}"]').wait_for()
    assert _height(ada, near) < _height(ada, far), "how it was turned is forgotten"


def _lowest(visitor, selector: str) -> list[float]:
    """Return how far down each of some elements reaches, from the uppermost on."""
    bottoms = "found => found.map(each => each.getBoundingClientRect().bottom)"
    return sorted(visitor.page.locator(selector).evaluate_all(bottoms))


@pytest.mark.parametrize("seat", [0, 1])
def test_the_own_rings_in_reserve_lie_below_the_board(visit, seat):
    ada = visit()
    ada.open("yinsh", [OWN, ENGINE] if seat == 0 else [ENGINE, OWN])
    ada.until_asked()
    reserves = [_lowest(ada, f'.board use[href="#yinsh-ring-{colour}"]')[-1] for colour in ("white", "black")]
    assert reserves[seat] > reserves[1 - seat] + 100


@pytest.mark.parametrize("seat", [0, 1])
def test_one_of_the_shores_that_one_connects_lies_at_the_bottom(visit, seat):
    ada = visit()
    ada.open("trypsylon", [OWN, ENGINE] if seat == 0 else [ENGINE, OWN])
    ada.until_asked()
    signs = [_lowest(ada, f".board text.label-trypsylon-sign:text-is('{number}')") for number in (1, 2)]
    own, other = signs[seat], signs[1 - seat]
    assert own[0] < other[0] < own[1]
    assert own[0] < other[1] < own[1]


@pytest.mark.parametrize("game", GAMES)
def test_a_button_and_a_key_turn_the_board_and_arrows_go_as_it_is_seen(visit, game):
    ada = visit()
    ada.open(game, [{"kind": "me", "name": "Ada"}, {"kind": "here", "name": "Ben"}])
    ada.until(lambda: ada.page.locator(".board .place, .curtain button").count(), "the board")
    ada.lift_curtain()
    places = ada.page.locator(".board .place")
    places.first.wait_for()
    token = places.first.get_attribute("data-token")
    before = places.first.bounding_box()
    ada.button("Turn the board").click()
    ada.until(lambda: places.first.bounding_box() != before, "the board to turn")
    assert places.first.get_attribute("data-token") == token
    ada.page.evaluate("document.activeElement.blur()")
    here = "document.activeElement.dataset.token"
    ada.page.evaluate("document.querySelector('.board .place[tabindex=\"0\"]').focus()")
    start = ada.page.evaluate(here)
    y = _height(ada, start)
    ada.page.keyboard.press("ArrowDown")
    if ada.page.evaluate(here) != start:
        assert _height(ada, ada.page.evaluate(here)) > y
    turns = len(triskele.new(game).scene(0).turning.turns)
    ada.page.evaluate("document.activeElement.blur()")
    for _ in range(turns - 1):
        ada.page.keyboard.press("f")
    ada.until(lambda: places.first.bounding_box() == before, "the board to come round")


@pytest.mark.parametrize("game", GAMES)
def test_the_page_turns_a_scene_as_the_library_does(visit, game):
    ada = visit()
    ada.go("/learn")
    scene = triskele.new(game).scene(0)
    assert scene.turning is not None
    for degrees in scene.turning.turns:
        script = "async ([scene, degrees]) => (await import('/board/orientation.js')).turned(scene, degrees)"
        shown = ada.page.evaluate(script, [orjson.loads(orjson.dumps(scene.data())), degrees])
        there = turned(scene, degrees)
        assert (shown["width"], shown["height"]) == (there.width, there.height)
        for mine, other in zip((*there.pieces, *there.places), (*shown["pieces"], *shown["places"]), strict=True):
            assert (other["x"], other["y"]) == pytest.approx((mine.x, mine.y))


def test_a_picture_shows_the_side_of_the_seat_or_as_one_turned_it(visit):
    ada = visit()
    opened = ada.open("yinsh", [{"kind": "engine", "level": 1}, {"kind": "me", "name": "Ada"}])
    path = f"{ada.base}/api/v1/tables/{opened['table']}/picture.svg?at=0&seat=1"
    own, same, other = [ada.page.request.get(path + more).text() for more in ("", "&turn=180", "&turn=0")]
    assert own == same != other
