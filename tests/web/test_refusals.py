"""What cannot be chosen: why, in a few words, beside where one tapped; and what one tap is enough for."""

import pytest

import triskele

from .games import YINSH

ROW_MADE = YINSH.split()[:-2]
"""The moves of the short game of YINSH until a row of five is to be taken."""


def _tap(visitor, token: str) -> dict[str, float]:
    """Tap a place whether it can be chosen or not, and return its box."""
    box = visitor.page.locator(f'.board .place[data-token="{token}"]').bounding_box()
    visitor.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    return box


def _apart(one: dict[str, float], other: dict[str, float]) -> bool:
    return (
        one["x"] + one["width"] <= other["x"]
        or other["x"] + other["width"] <= one["x"]
        or one["y"] + one["height"] <= other["y"]
        or other["y"] + other["height"] <= one["y"]
    )


def test_why_not_is_said_beside_where_one_tapped_and_goes_by_itself(visit):
    ada = visit()
    ada.open("yinsh", [{"kind": "me", "name": "Ada"}, {"kind": "here", "name": "Ben"}])
    for move in YINSH.split()[:10]:
        ada.make(move)
    ada.until_asked()
    said = ada.page.locator(".refusal:visible")
    box = _tap(ada, "f6")
    said.wait_for()
    assert said.inner_text() == "There is no ring of yours on f6"
    around = said.bounding_box()
    assert _apart(around, box)
    assert abs(around["y"] + around["height"] / 2 - box["y"] - box["height"] / 2) < 80, "it is not beside the tap"
    for strip in ada.page.locator(".strip").all():
        assert _apart(around, strip.bounding_box()), "it lies over a player"
    _tap(ada, "g9")
    ada.until(lambda: said.count() == 1 and "g9" in said.inner_text(), "the next reason in place of the first")
    assert not ada.page.locator(".toast").count()
    ada.until(lambda: not said.count(), "the reason to go by itself")


def test_every_refusal_of_a_tap_is_in_the_words_of_the_game(visit):
    ada = visit(locale="de-DE")
    ada.open("yinsh", [{"kind": "me", "name": "Ada"}, {"kind": "here", "name": "Ben"}])
    for move in YINSH.split()[:10]:
        ada.make(move)
    ada.until_asked()
    said = ada.page.locator(".refusal:visible")
    ada.touch("e1")
    _tap(ada, "h7")
    said.wait_for()
    assert "h7" in said.inner_text()
    assert "mögl" not in said.inner_text()
    assert len(said.inner_text()) < 70


def test_a_tap_inside_the_only_row_takes_it(visit):
    ada = visit()
    ada.open("yinsh", [{"kind": "me", "name": "Ada"}, {"kind": "here", "name": "Ben"}])
    for move in ROW_MADE:
        ada.make(move)
    ada.until_asked()
    _tap(ada, "e3")
    ada.until(lambda: ada.table["made"] == len(ROW_MADE) + 1, "the row to be taken")


@pytest.mark.parametrize("game", [game.name for game in triskele.games()])
def test_what_cannot_be_chosen_is_told_shortly_in_every_game(visit, game):
    ada = visit()
    ada.open(game, [{"kind": "me", "name": "Ada"}, {"kind": "engine", "level": 1}])
    ada.until(lambda: ada.my_turn, "the turn")
    others = ada.page.locator(".board:has(.place.lit) .place:not(.lit)")
    for _ in range(9):
        ada.page.wait_for_timeout(300)
        if others.count():
            break
        ada.make(min(ada.moves()))  # everything could be chosen, or it was picked beside the board
        ada.until(lambda: ada.my_turn, "the next turn")
    others.first.dispatch_event("click")
    said = ada.page.locator(".refusal:visible")
    said.wait_for()
    assert 0 < len(said.inner_text()) < 70
    assert ";" not in said.inner_text()
