"""The page says where the game is and what comes next, and shows what a move would do before it is made."""

from .games import YINSH

ME, HERE = {"kind": "me", "name": "Ada"}, {"kind": "here", "name": "Ben"}
_MARKERS = """() => [...document.querySelectorAll('.board use')].map(use => use.getAttribute('href'))
    .filter(href => href.includes('marker')).sort()"""


def _status(visitor) -> str:
    return visitor.page.locator(".strip.asked .status").inner_text()


def test_the_prompt_counts_the_rings_and_follows_what_was_chosen(visit):
    ada = visit()
    ada.open("yinsh", [ME, HERE])
    ada.until_asked()
    assert _status(ada) == "Rings, 1 of 5: put one on an empty point"
    for move in YINSH.split()[:10]:
        ada.make(move)
    ada.until_asked()
    ada.touch("e1")
    ada.until(lambda: _status(ada) == "Where does it go?", "the next question")


def test_what_a_move_would_turn_over_is_seen_while_it_is_pointed_at(visit):
    ada = visit()
    ada.open("yinsh", [ME, HERE])
    for move in YINSH.split()[:12]:
        ada.make(move)
    ada.until_asked()
    ada.touch("e2")
    before = ada.page.evaluate(_MARKERS)
    spot = ada.page.locator('.board .place[data-token="e3"]').bounding_box()
    ada.page.mouse.move(spot["x"] + spot["width"] / 2, spot["y"] + spot["height"] / 2)
    ada.until(lambda: ada.page.evaluate(_MARKERS) != before, "the marker that it would leave")
    made = ada.table["made"]
    ada.page.mouse.move(5, 5)
    ada.until(lambda: ada.page.evaluate(_MARKERS) == before, "the board as it is")
    assert ada.table["made"] == made
    ada.make("e2-e3") if not ada.page.locator(".mark.chosen").count() else ada.touch("e3")
    ada.until(lambda: ada.table["made"] == made + 1, "the move")


def test_a_take_counts_down_and_is_made_without_a_question(visit):
    ada = visit()
    ada.open("tryad", [ME, HERE])
    for _ in range(12):
        ada.until(lambda: ada.over or ada.my_turn, "a turn")
        if ada.over:
            ada.open("tryad", [ME, HERE])
            continue
        long = next((spellings[0] for spellings in ada.moves().values() if len(spellings[0]) > 1), None)
        if long:
            break
        ada.make(min(ada.moves()))
    assert long, "no take of several coins came up"
    made = ada.table["made"]
    ada.until_asked()
    ada.touch(long[0])
    ada.until(lambda: "more to take" in _status(ada), "how much is missing")
    for token in long[1:]:
        ada.touch(token)
    ada.until(lambda: ada.table["made"] > made, "the take, without a confirmation")


def test_once_a_colour_is_chosen_it_is_asked_where_the_tile_goes(visit):
    ada = visit()
    ada.open("tryptic", [ME, {"kind": "engine", "level": 1}])
    ada.make("=BBG")
    ada.until(lambda: ada.my_turn, "the first turn")
    ada.until_asked()
    ada.touch("B")
    ada.until(lambda: _status(ada) == "Where does the tile go?", "the next question")


# --- on a touch screen ----------------------------------------------------------------------------

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
_BEFORE_A_JUMP = YINSH.split()[:14]
"""After these White's ring on a2 can jump over the marker on e2 to f2, and go to b2 without a jump."""


def _tap(visitor, token: str) -> None:
    """Tap a place with a finger."""
    box = visitor.page.locator(f'.board .place[data-token="{token}"]').bounding_box()
    visitor.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def _choose_ring(visitor) -> None:
    """Come to the position before a jump, and tap the ring that can make it."""
    visitor.open("yinsh", [ME, HERE])
    for move in _BEFORE_A_JUMP:
        visitor.make(move)
    visitor.until_asked()
    _tap(visitor, "a2")
    visitor.until(lambda: visitor.page.locator('.place[data-token="f2"].lit').count(), "where the ring can go")


def test_a_first_tap_shows_what_a_move_turns_over_and_the_second_makes_it(visit):
    ada = visit(**PHONE)
    _choose_ring(ada)
    before, made = ada.page.evaluate(_MARKERS), ada.table["made"]
    _tap(ada, "f2")
    ada.until(lambda: ada.page.evaluate(_MARKERS) != before, "the marker turned over")
    ada.until(lambda: _status(ada) == "Preview: tap again to make this move", "how to go on")
    assert ada.page.locator(".refusal").inner_text() == "Preview: tap again to make this move"
    _tap(ada, "d2")  # another place: made at once, because the ring jumps over nothing on its way there
    ada.until(lambda: ada.table["made"] == made + 1, "the move")
    ada.until(lambda: ada.my_turn, "the next turn")
    assert ada.page.locator(".moves [aria-current]").text_content() == "a2-d2"


def test_the_second_tap_on_the_same_place_makes_the_move(visit):
    ada = visit(**PHONE)
    _choose_ring(ada)
    made = ada.table["made"]
    _tap(ada, "f2")
    ada.until(lambda: _status(ada).startswith("Preview"), "the preview")
    assert ada.table["made"] == made
    _tap(ada, "f2")
    ada.until(lambda: ada.table["made"] == made + 1, "the move")


def test_the_chosen_ring_tapped_again_ends_the_preview(visit):
    ada = visit(**PHONE)
    _choose_ring(ada)
    before, made = ada.page.evaluate(_MARKERS), ada.table["made"]
    _tap(ada, "f2")
    ada.until(lambda: _status(ada).startswith("Preview"), "the preview")
    _tap(ada, "a2")
    ada.until(lambda: ada.page.evaluate(_MARKERS) == before, "the board as it is")
    assert _status(ada) == "Choose a ring and where it goes"
    assert ada.table["made"] == made


def test_who_wants_no_preview_moves_with_one_tap(visit):
    ada = visit(**PHONE)
    ada.go("/")
    ada.page.evaluate("localStorage.setItem('triskele', JSON.stringify({touchPreview: false}))")
    _choose_ring(ada)
    made = ada.table["made"]
    _tap(ada, "f2")
    ada.until(lambda: ada.table["made"] == made + 1, "the move")
