"""Whole games of all kinds in the browser: at one screen, against an engine, and over the net."""

import pytest

from .games import SHORT, Short

SHOWN = pytest.mark.parametrize("short", SHORT, ids=lambda short: short.game)


def _lists_all(visitor) -> None:
    """Check that the list has all moves."""
    listed = visitor.page.locator(".moves button")
    visitor.until(lambda: listed.count() == visitor.table["made"], "all moves in the list")


@SHOWN
def test_at_one_screen(visit, play, short: Short):
    ada = visit()
    ada.open(short.game, [{"kind": "me", "name": "Ada"}, {"kind": "here", "name": "Ben"}], short.options)
    play([ada], short.chooser())
    ada.page.locator(".result").wait_for()
    winners = [["Ada", "Ben"][seat] for seat in ada.table["outcome"]["winners"]]
    said = ada.page.locator(".result").inner_text()
    assert all(name in said for name in winners)
    _lists_all(ada)


@SHOWN
def test_against_an_engine(visit, play, short: Short):
    ada = visit()
    ada.open(short.game, [{"kind": "me", "name": "Ada"}, {"kind": "engine", "level": 1}], short.options)
    play([ada], short.against())
    ada.page.locator(".result").wait_for()
    _lists_all(ada)


@SHOWN
def test_over_the_net_one_reloading_in_the_middle(visit, play, short: Short):
    ada, ben = visit(), visit(viewport={"width": 390, "height": 844})
    opened = ada.open(short.game, [{"kind": "me", "name": "Ada"}, {"kind": "link"}], short.options)
    ben.join(opened["table"], opened["seats"][1]["key"])
    assert "#" not in ben.page.url
    ada.until(lambda: ada.page.locator(".sheet .link").count() == 0, "the invitation to close")

    def reload_once(made: int) -> None:
        if made >= 5 and not reloaded:
            reloaded.append(made)
            ben.reload()

    reloaded: list[int] = []
    play([ada, ben], short.chooser(), reload_once)
    assert reloaded
    for visitor in (ada, ben):
        visitor.page.locator(".result").wait_for()
        _lists_all(visitor)

    def listed(visitor) -> list[str]:
        return visitor.page.locator(".moves button").all_text_contents()

    ada.until(lambda: listed(ada) == listed(ben), "the same list for both")
