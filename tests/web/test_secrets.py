"""TRYPTIC with three browsers: nothing that reaches one of them holds another seat's pattern."""

import json
from typing import Any

PATTERNS = ("BYG", "RGW", "BRY")
"""One each, as they are written; nobody guesses any of them, and no help page or catalogue mentions them."""
PLAYED = ("Be5", ".", "Ga1", ".", "Wi9", ".", "?2=BBB", "Yc3", "Rd4", ".", "Wb2", ".")
ALL_MOVES = ("legal_moves", "interrupts")
"""Parts of a view that list what could be done, and so all patterns there are."""
KEYS = ("key", "watch")
"""Keys of seats: random letters, in which any three may follow each other."""


def _without_lists(value: Any, in_look: bool = False) -> Any:
    """Leave out lists of possible moves: they name every pattern, whoever has it."""
    if isinstance(value, list):
        return [_without_lists(item, in_look) for item in value]
    if not isinstance(value, dict):
        return value
    look = "scene" in value and "ask" in value
    left_out = (*ALL_MOVES, *KEYS, "moves") if look else (*ALL_MOVES, *KEYS)
    return {key: _without_lists(item, look) for key, item in value.items() if key not in left_out}


def _holds(text: str, pattern: str) -> bool:
    return pattern in text or pattern[::-1] in text


def _shown(text: str, seat: int) -> list[str]:
    """Return the sprites that a text has for the pattern of a seat."""
    found: list[str] = []

    def look(value: Any) -> None:
        if isinstance(value, list):
            for item in value:
                look(item)
        elif isinstance(value, dict):
            if str(value.get("id", "")).startswith(f"pattern-{seat}-"):
                found.append(value["sprite"])
            for item in value.values():
                look(item)

    look(json.loads(text))
    return found


def test_no_answer_frame_or_page_holds_the_pattern_of_another(visit):
    visitors = [visit(), visit(), visit()]
    for visitor in visitors:
        visitor.keep_bodies()
    ada, ben, cleo = visitors
    opened = ada.open("tryptic", [{"kind": "me", "name": "Ada"}, {"kind": "link"}, {"kind": "link"}], {"players": 3})
    ben.join(opened["table"], opened["seats"][1]["key"])
    cleo.join(opened["table"], opened["seats"][2]["key"])
    watching = visit()
    watching.keep_bodies()
    watching.join(opened["table"], opened["watch"])

    moves = [*(f"={pattern}" for pattern in PATTERNS), *PLAYED]
    for made, move in enumerate(moves):
        acting = next(v for v in visitors if v.table["turn"] in v.mine)
        acting.make(move)
        for visitor in (*visitors, watching):
            visitor.until(lambda v=visitor, n=made: v.table["made"] > n, "the move to arrive")
        if made == 6:
            ben.reload()
    for visitor in (*visitors, watching):
        with visitor.page.expect_request_finished(lambda request: "/at/" in request.url):
            visitor.page.locator(".player").get_by_role("button", name="Previous move").click()
        visitor.page.get_by_role("tab", name="Table").click()
        visitor.page.locator(".facts-list").wait_for()

    for number, visitor in enumerate((*visitors, watching)):
        assert visitor.frames
        assert visitor.bodies
        texts = [*visitor.frames, *(body for body in visitor.bodies if body.startswith(("{", "[")))]
        known = [json.dumps(_without_lists(json.loads(text))) for text in texts]
        page = visitor.page.content()
        for seat, pattern in enumerate(PATTERNS):
            sprites = {sprite for text in known for sprite in _shown(text, seat)}
            if seat == number:
                assert any(_holds(text, pattern) for text in known)
                assert any(sprite.startswith("tryptic-small-") for sprite in sprites)
            else:
                for text in known:
                    for way in (pattern, pattern[::-1]):
                        at = text.find(way)
                        assert at < 0, (number, seat, way, text[max(0, at - 300) : at + 100])
                assert sprites <= {"tryptic-back", "tryptic-slot"}
                assert not _holds(page, pattern)


def test_at_one_screen_a_curtain_hides_each_view_from_the_other(visit):
    ada = visit()
    ada.open("tryptic", [{"kind": "me", "name": "Ada"}, {"kind": "here", "name": "Ben"}])
    curtain = ada.page.locator(".curtain")
    assert "Ada" in curtain.inner_text()
    assert ada.page.locator(".board .place").count() == 0
    ada.make("=BGR")
    ada.until(lambda: "Ben" in curtain.inner_text(), "the curtain for Ben")
    assert ada.page.locator(".board use").count() == 0
    assert "BGR" not in ada.page.content()
    ada.make("=GWY")
    ada.until(lambda: "Ada" in curtain.inner_text(), "the curtain for Ada")
    ada.lift_curtain()
    ada.sees("BGR (blue, green, red)")
    assert "GWY" not in ada.page.content()


def test_against_an_engine_with_a_secret_nothing_is_offered_to_be_taken_back(visit):
    ada = visit()
    ada.open("tryptic", [{"kind": "me"}, {"kind": "engine", "level": 1}])
    ada.make("=BGR")
    ada.until(lambda: ada.my_turn, "a turn")
    assert ada.button("Undo").first.is_disabled()
    assert ada.button("Hint").first.is_enabled()


def test_the_opener_s_own_invitation_leads_to_the_table_and_says_why_not_to_the_seat(visit):
    ada = visit()
    opened = ada.open("tryptic", [{"kind": "me"}, {"kind": "link"}])
    ada.go("/")
    ada.excused = ("status of 4",)
    ada.join(opened["table"], opened["seats"][1]["key"])
    ada.sees("nobody may take two seats")
    assert ada.mine == [0]
