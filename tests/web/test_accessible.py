"""axe finds nothing serious on any page, in both themes, on a desk and on a phone."""

import pytest
from axe_playwright_python.sync_playwright import Axe

import triskele

SERIOUS = ("serious", "critical")
SIZES = {"desk": {"width": 1280, "height": 860}, "phone": {"width": 390, "height": 844}}
GAMES = [game.name for game in triskele.games()]

axe = Axe()


def _check(visitor) -> None:
    found = axe.run(visitor.page).response["violations"]
    serious = [(each["id"], [node["target"] for node in each["nodes"]]) for each in found if each["impact"] in SERIOUS]
    assert not serious


@pytest.fixture(params=["light", "dark"])
def theme(request):
    return request.param


@pytest.mark.parametrize("size", SIZES)
def test_pages(visit, theme, size):
    ada = visit(color_scheme=theme, viewport=SIZES[size])
    pages = {
        "/": ".game img",
        "/?play=tryptic": ".seats",
        "/learn": ".game",
        "/learn/yinsh": ".prose",
        "/lesson/yinsh#jump": ".place.lit",
        "/puzzles/yinsh": ".place.lit",
        "/analysis": ".begin-analysis",
        "/analysis/yinsh": ".analysis-board[data-moves]",
        "/mine": ".drop",
    }
    for path, ready in pages.items():
        ada.go(path)
        ada.page.locator(ready).first.wait_for()
        assert ada.page.locator("html").get_attribute("data-theme") == theme
        _check(ada)
    ada.button("Settings").click()
    _check(ada)
    ada.excused = ("404",)
    for path in ("/nothing", "/table/abcdefghjkmn"):
        ada.go(path)
        ada.page.locator(".message h1").wait_for()
        _check(ada)


@pytest.mark.parametrize("game", GAMES)
def test_tables(visit, theme, game):
    ada = visit(color_scheme=theme)
    ada.open(game, [{"kind": "me", "name": "Ada"}, {"kind": "here", "name": "Ben"}])
    ada.until(lambda: ada.my_turn or ada.page.locator(".curtain:not([hidden])").count(), "a turn")
    _check(ada)


def test_what_is_beside_an_analysis(visit, theme):
    ada = visit(color_scheme=theme, viewport=SIZES["phone"])
    ada.excused = ("status of 409", "status of 429")  # what cannot be set up, and one answer of an engine at a time
    ada.go("/analysis/yinsh")
    ada.page.locator('.analysis-board[data-moves="0"]').wait_for()
    ada.page.locator(".opening-panel summary").click()
    ada.page.locator(".openings table").wait_for()
    ada.button("Marks and arrows").click()
    _check(ada)
    ada.button("Share and save").click()
    _check(ada)
    ada.page.keyboard.press("Escape")
    ada.button("Set up a position").click()
    ada.page.locator(".setup-tools").wait_for()
    _check(ada)


def test_what_is_beside_a_table(visit, theme):
    ada = visit(color_scheme=theme)
    ada.open("tryptic", [{"kind": "me", "name": "Ada"}, {"kind": "here", "name": "Ben"}])
    ada.lift_curtain()
    _check(ada)
    ada.page.get_by_role("tab", name="Help").click()
    ada.page.locator("#panel-help .prose").wait_for()
    _check(ada)
    ada.page.get_by_role("tab", name="Table").click()
    _check(ada)


def test_a_table_on_a_phone_keeps_its_actions_in_sight(visit):
    ada = visit(viewport=SIZES["phone"], has_touch=True)
    for game in GAMES:
        ada.open(game, [{"kind": "me", "name": "Ada"}, {"kind": "here", "name": "Ben"}])
        ada.lift_curtain()
        ada.page.locator(".toolbar button").first.wait_for()
        size = ada.page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
        assert size == [390, 844]
        # All at once: the toolbar is made anew with every message.
        tools = ada.page.locator(".toolbar button").evaluate_all(
            "found => found.map(each => each.getBoundingClientRect().toJSON())"
        )
        assert tools
        for box in tools:
            assert box["height"] >= 44
            assert box["width"] >= 44
            assert box["bottom"] <= 844
        ends, begins = ada.page.evaluate(
            "['svg.board', '.below'].map(each => document.querySelector(each).getBoundingClientRect())"
            ".map((box, index) => index ? box.top : box.bottom)"
        )
        assert ends <= begins + 1


@pytest.mark.parametrize("width", [390, 600, 768, 1024, 1440, 1920])
def test_nothing_is_wider_than_the_window(visit, width):
    ada = visit(viewport={"width": width, "height": 844}, locale="de-DE")
    for path, ready in {
        "/": ".game img",
        "/?play=conquest": ".seats",
        "/learn/tryad": ".prose",
        "/mine": ".drop",
    }.items():
        ada.go(path)
        ada.page.locator(ready).first.wait_for()
        assert ada.page.evaluate("document.documentElement.scrollWidth") <= width, path
    ada.open("conquest", [{"kind": "me"}, *[{"kind": "here", "name": "Friederike"}] * 5], {"players": 6})
    ada.until(lambda: ada.my_turn, "a turn")
    assert ada.page.evaluate("document.documentElement.scrollWidth") <= width
    board = ada.page.locator("svg.board").bounding_box()
    assert min(board["width"], board["height"]) > 250


def test_text_follows_the_size_set_in_the_browser(visit):
    ada = visit(viewport={"width": 390, "height": 844})
    ada.open("conquest", [{"kind": "me", "name": "Ada"}, {"kind": "here", "name": "Ben"}])
    ada.until(lambda: ada.my_turn, "a turn")
    sizes = (
        "['.strip .name', '.toolbar .button']"
        ".map(each => parseFloat(getComputedStyle(document.querySelector(each)).fontSize))"
    )
    before = ada.page.evaluate(sizes)
    ada.page.evaluate("document.documentElement.style.fontSize = '20px'")
    assert ada.page.evaluate(sizes) == [pytest.approx(size * 20 / 16) for size in before]
    assert ada.page.evaluate("document.documentElement.scrollWidth") <= 390
    assert ada.page.locator("svg.board").bounding_box()["height"] > 250


@pytest.mark.parametrize("game", GAMES)
def test_a_phone_on_its_side_shows_board_and_actions_side_by_side(visit, game):
    ada = visit(viewport={"width": 844, "height": 390}, has_touch=True)
    ada.open(game, [{"kind": "me", "name": "Ada"}, {"kind": "here", "name": "Ben"}])
    ada.until(lambda: ada.my_turn, "a turn")
    ada.lift_curtain()
    ada.page.locator(".toolbar button").first.wait_for()
    board, below, toolbar, page = ada.page.evaluate(
        "['svg.board', '.below', '.toolbar', 'html']"
        ".map(each => document.querySelector(each).getBoundingClientRect().toJSON())"
    )
    assert board["right"] <= below["left"]
    assert below["bottom"] <= 390
    assert toolbar["right"] <= 844
    assert page["width"] == 844
    assert ada.page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]") == [
        844,
        390,
    ]
    ada.page.keyboard.press("m")
    ada.until(lambda: ada.page.locator(".side").bounding_box()["x"] + 440 <= 845, "the panel in sight")


def test_a_turned_phone_comes_nearer_to_small_fields(visit):
    ada = visit()
    ada.open("tryad", [{"kind": "me"}, {"kind": "here"}])
    ada.until_asked()
    assert not ada.page.locator(".board.near").count()
    ada.page.set_viewport_size({"width": 390, "height": 844})
    ada.page.locator(".board.near").wait_for()
    ada.page.set_viewport_size({"width": 1280, "height": 860})
    ada.page.locator(".board:not(.near)").wait_for()


def test_the_keyboard_stays_off_what_a_sheet_covers(visit):
    ada = visit(viewport={"width": 390, "height": 844})
    ada.open("yinsh", [{"kind": "me"}, {"kind": "link"}])
    ada.page.locator(".below .toolbar[inert]").wait_for(state="attached")
    ada.button("Close").click()
    assert not ada.page.locator(".below [inert]").count()
