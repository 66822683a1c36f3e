"""The keyboard alone: YINSH from the first page to the end of the game, and a game of every kind."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from .games import SHORT, Short

OPENING = ("e1", "j5", "b1", "k7", "a2", "j10", "a5", "i11", "b7", "h3")
RACE = ("e1-e2", "j5-j6", "e2-e3", "j6-j7", "e3-e4", "j7-j8", "e4-e5", "j8-j9", "e5-e6", "e1-e5", "e6")
KEYS = """async ([table, from, to]) => {
    const { neighbour } = await import("/board/geometry.js");
    const { ownTurn, turned } = await import("/board/orientation.js");
    const [look] = (await (await fetch(`/api/v1/tables/${table}`)).json()).mine;
    const { places } = turned(look.scene, ownTurn(look.scene, look.seat));
    const arrows = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
    const ways = new Map([[from, []]]);
    for (const [token, keys] of ways) {
        if (token === to) return keys;
        for (const [key, way] of Object.entries(arrows)) {
            const next = neighbour(places, places.find(place => place.token === token), ...way);
            if (next && !ways.has(next.token)) ways.set(next.token, [...keys, key]);
        }
    }
    return null;
}"""
"""The arrows to press to come from a place to another."""


def _focused(page: Page) -> str:
    return str(page.evaluate("document.activeElement.dataset.token ?? document.activeElement.textContent.trim()"))


def _tab_to(page: Page, wanted: str) -> None:
    """Press Tab until an element has the keyboard."""
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("wanted => document.activeElement.matches(wanted)", wanted):
            return
    raise AssertionError(f"Tab does not come to {wanted}")


def _walk_to(visitor, token: str) -> None:
    """Press arrows until the keyboard is on a place."""
    visitor.until(lambda: visitor.page.locator(".place:focus").count() == 1, "the keyboard to be on the board")
    keys = visitor.page.evaluate(KEYS, [visitor.table["table"], _focused(visitor.page), token])
    assert keys is not None, f"no arrows lead to {token}"
    for key in keys:
        visitor.page.keyboard.press(key)
    visitor.until(lambda: _focused(visitor.page) == token, f"the keyboard to be on {token}")


def test_a_game_of_yinsh(visit):
    ada = visit()
    ada.go("/")
    ada.page.locator(".game").first.wait_for()
    _tab_to(ada.page, "a[href='/?play=yinsh']:not([tabindex='-1'])")
    ada.page.keyboard.press("Enter")
    ada.page.locator(".seats").wait_for()
    _tab_to(ada.page, "details.card summary")
    ada.page.keyboard.press("Enter")
    _tab_to(ada.page, ".option.flag input")
    ada.page.keyboard.press("Space")
    ada.page.keyboard.press("Shift+Tab")
    for _ in range(20):  # back to who sits where
        if ada.page.evaluate("document.activeElement.matches('.seats li:nth-child(2) select')"):
            break
        ada.page.keyboard.press("Shift+Tab")
    ada.page.keyboard.type("A friend at")
    ada.page.keyboard.press("Tab")
    ada.page.keyboard.type("Ben")
    _tab_to(ada.page, "input[name='begins']")
    ada.page.keyboard.press("ArrowDown")
    _tab_to(ada.page, ".start button")
    ada.page.keyboard.press("Enter")
    ada.until(lambda: ada.table and ada.page.locator(".place.lit").count(), "the table")
    assert ada.table["options"]["blitz"] is True

    _tab_to(ada.page, ".board .place")
    for made, move in enumerate((*OPENING, *RACE)):
        ada.until(lambda: ada.page.locator(".place.lit").count() and _focused(ada.page) != "", "something to choose")
        for token in move.split("-"):
            _walk_to(ada, token)
            ada.page.keyboard.press("Enter")
        ada.until(lambda n=made: ada.table["made"] > n, f"the move {move}")
    ada.until(lambda: ada.over, "the end")
    assert ada.table["outcome"]["winners"] == [0]
    ada.until(lambda: "won" in ada.page.locator("#spoken").inner_text(), "the end to be spoken")


def test_escape_steps_back_and_moves_are_spoken(visit):
    ada = visit()
    ada.open("yinsh", [{"kind": "me", "name": "Ada"}, {"kind": "here", "name": "Ben"}])
    for move in OPENING:
        ada.make(move)
    ada.until(lambda: "Ben: h3" in ada.page.locator("#spoken").inner_text(), "the move to be spoken")
    ada.until_asked()
    ada.page.keyboard.press("b")
    _walk_to(ada, "e1")
    assert ada.page.locator(".place[data-token=e1]").get_attribute("aria-label") == "e1, white ring"
    ada.page.keyboard.press("Enter")
    ada.page.locator(".place[data-token=e1][aria-pressed=true]").wait_for()
    ada.page.keyboard.press("Escape")
    ada.page.locator(".place[data-token=e1][aria-pressed=false]").wait_for()
    ada.page.keyboard.press("n")
    ada.until(lambda: _focused(ada.page) != "e1", "the next place")
    assert ada.page.locator(f".place.lit[data-token={_focused(ada.page)}]").count() == 1


def test_the_keys_are_listed(visit):
    ada = visit()
    ada.open("yinsh", [{"kind": "me"}, {"kind": "here"}])
    ada.page.keyboard.press("?")
    dialog = ada.page.get_by_role("dialog")
    dialog.wait_for()
    assert dialog.locator("kbd").count() > 10
    ada.page.keyboard.press("Escape")
    dialog.wait_for(state="detached")


def test_a_card_is_turned_with_a_key_and_the_wheel(visit):
    ada = visit()
    ada.open("trypsylon", [{"kind": "me"}, {"kind": "here"}])
    ada.make("c3")
    ada.touch("Nc")

    def turned_to(direction: str) -> None:
        chosen = ada.page.locator(f".place[data-token={direction}][aria-pressed=true]")
        ada.until(lambda: chosen.count() == 1, f"the card to turn to {direction}")

    turned_to("NE")
    ada.page.keyboard.press("b")
    _walk_to(ada, "Nc")
    ada.page.keyboard.press("r")
    turned_to("SE")
    ada.page.locator(".board").hover()
    ada.page.mouse.wheel(0, 100)
    turned_to("SW")
    ada.page.keyboard.press("Enter")
    ada.until(lambda: ada.table["made"] == 2, "the push")
    ada.until(
        lambda: ada.page.locator(".moves button").last.inner_text() == "column c from the north, pointing southwest",
        "the push",
    )


NUMBERS = "document.querySelector('.actions input.amount')?.dataset.numbers.split(' ') ?? []"


def _press_token(visitor, token: str, following: str, made: Callable[[], bool]) -> None:
    """Choose a token with keys alone: a button is reached with Tab, a place with arrows, a number on the slider.

    Nothing is pressed when the move is made already, or the token was chosen by itself, being the only one.
    """
    button = f'.picker .letter[data-token="{token}"]:not(:disabled), .actions [data-token="{token}"]'
    place = f'.board .place.lit[data-token="{token}"]'
    page = visitor.page

    def numbers() -> list[str]:
        return list(page.evaluate(NUMBERS))

    def offered() -> bool:
        return bool(page.locator(button).count() or page.locator(place).count() or token in numbers())

    visitor.until(lambda: made() or following in numbers() or offered(), f"the token {token}")
    if made() or following in numbers():
        return
    page.keyboard.press("b")
    if token in numbers():
        _tab_to(page, ".actions input.amount, .actions .go")
        if page.evaluate("document.activeElement.matches('input')"):
            page.keyboard.press("Home")
            for _ in range(numbers().index(token)):
                page.keyboard.press("ArrowRight")
            _tab_to(page, ".actions .go")
    elif page.locator(button).count():
        _tab_to(page, button)
    else:
        _walk_to(visitor, token)
    page.keyboard.press("Enter")


@pytest.mark.parametrize("short", SHORT, ids=lambda short: short.game)
def test_a_game_of_every_kind(visit, short: Short):
    ada = visit()
    ada.open(short.game, [{"kind": "me", "name": "Ada"}, {"kind": "here", "name": "Ben"}], short.options)
    choose = short.chooser()
    curtain = ada.page.locator(".curtain:not([hidden]) button:focus")
    turning, yes = ada.button("Place it"), ada.button("Confirm")
    while True:
        ada.until(lambda: ada.over or ada.my_turn, "a turn")
        if ada.over:
            break
        move, before = choose(ada), ada.table["made"]
        tokens = ada.moves()[move][0]
        ada.until(lambda: curtain.count() or ada.page.locator(".board .place").count(), "the board or a curtain")
        if curtain.count():
            ada.page.keyboard.press("Enter")
        for token, following in zip(tokens, [*tokens[1:], ""], strict=True):
            _press_token(ada, token, following, lambda n=before: ada.table["made"] > n)
        if turning.count():
            ada.page.keyboard.press("Enter")  # the way it is turned is chosen: once more puts it
        ada.until(lambda n=before: ada.table["made"] > n or yes.count(), f"the move {move}")
        if ada.table["made"] == before:
            ada.page.keyboard.press("b")
            _tab_to(ada.page, ".sheet .primary")
            ada.page.keyboard.press("Enter")
        ada.until(lambda n=before: ada.table["made"] > n, f"the move {move}")
    ada.page.locator(".result").wait_for()


def test_a_hint_is_spoken_in_the_words_of_its_move(visit):
    ada = visit()
    ada.open("conquest", [{"kind": "me"}, {"kind": "engine", "level": 1}])
    ada.until(lambda: ada.my_turn, "my turn")
    ada.button("Hint").click()
    spoken = ada.page.locator("#spoken")
    ada.until(lambda: "new token on 1c3: " in spoken.inner_text(), "the hint, spoken")
    assert "h1c3" not in spoken.inner_text()
