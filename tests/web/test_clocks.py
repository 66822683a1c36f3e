"""Clocks in the page: chosen, seen, run out; claims, conditional moves, and the games that wait."""

import pytest

ME = {"kind": "me", "name": "Ada"}
LINK = {"kind": "link"}


@pytest.fixture(scope="module")
def server(tmp_path_factory, server_kind):
    """A server on which a game can be claimed soon."""
    running = server_kind(tmp_path_factory.mktemp("clocks") / "data", {}, "--limit", "claim_seconds=1")
    yield running
    running.stop()


@pytest.fixture
def couple(visit):
    """Let two people sit down at a table with a clock."""

    def sit(clock, game="yinsh", **more):
        ada, ben = visit(), visit()
        opened = ada.open(game, [ME, LINK], clock=clock, **more)
        ben.join(opened["table"], opened["seats"][1]["key"], name="Ben")
        ada.until(lambda: ada.page.locator(".sheet .link").count() == 0, "the invitation to close")
        return ada, ben

    return sit


def _clock(visitor, seat):
    return visitor.page.locator(f'.clock[data-clock="{seat}"]')


def test_the_pace_is_chosen_in_the_form_and_the_clock_runs(visit):
    ada = visit()
    ada.go("/?play=yinsh")
    field = ada.page.locator("label.option", has_text="Time").locator("select")
    field.select_option("5+3")
    ada.page.locator("ol.seats select").nth(1).select_option("here")
    ada.page.locator("label.choice", has_text="1").first.click()
    ada.page.get_by_role("button", name="Start the game").click()
    ada.until(lambda: ada.table and _clock(ada, 0).count(), "the clocks")
    assert ada.table["clock"]["control"] == "5+3"
    for move in ("e5", "f6"):
        ada.make(move)
    ada.until(lambda: "running" in (_clock(ada, 0).get_attribute("class") or ""), "the clock to run")
    ada.until(lambda: _clock(ada, 0).inner_text().startswith("5:0"), "the increment")
    before = _clock(ada, 0).inner_text()
    ada.until(lambda: _clock(ada, 0).inner_text() != before, "a second to pass")


def test_who_runs_out_of_time_loses_and_both_read_so(couple):
    ada, ben = couple("0+0 1x2")
    for person, move in ((ada, "e5"), (ben, "f6")):
        person.make(move)
    for person in (ada, ben):
        person.page.locator(".result").wait_for()
    assert "You ran out of time" in ada.page.locator(".result").inner_text()
    assert "Ada ran out of time" in ben.page.locator(".result").inner_text()
    assert _clock(ada, 0).inner_text().strip().startswith("0:00")


def test_little_time_has_a_sign_that_is_no_colour(couple):
    ada, ben = couple("0.25+0")
    for person, move in ((ada, "e5"), (ben, "f6")):
        person.make(move)
    ada.until(lambda: "low" in (_clock(ada, 0).get_attribute("class") or ""), "the sign")
    assert _clock(ada, 0).locator("svg").is_visible()


def test_who_leaves_can_be_claimed_against(couple):
    ada, ben = couple("5+3")
    for person, move in ((ada, "e5"), (ben, "f6"), (ada, "d4")):
        person.make(move)
    ben.go("/")
    ada.button("Claim the win").click()
    ada.page.locator(".result").wait_for()
    assert "Ben left the game" in ada.page.locator(".result").inner_text()


def test_conditional_moves_are_entered_by_playing_them_out(couple):
    ada, ben = couple("3d")
    ada.make("e5")
    ada.page.get_by_role("tab", name="Table").click()
    told = len(ben.frames)
    ada.button("Conditional moves").click()
    dialog = ada.page.get_by_role("dialog")
    dialog.get_by_text("If Ben plays").wait_for()
    dialog.locator('.place.lit[data-token="f6"]').click()
    dialog.get_by_text("then you play").wait_for()
    dialog.locator('.place.lit[data-token="d4"]').click()
    dialog.get_by_text("f6 · d4").wait_for()
    ada.button("Keep this line").click()
    dialog.get_by_role("button", name="Remove").wait_for()
    assert len(ben.frames) == told, "nobody hears of it"
    ben.make("f6")
    ben.hears_of(3)
    ben.until(lambda: ben.page.locator(".side").get_by_text("d4", exact=True).count(), "the answer")


def test_my_games_begin_with_those_that_wait_for_me(couple):
    ada, ben = couple("3d")
    ada.make("e5")
    ben.hears_of(1)
    ben.go("/mine")
    ben.sees("Waiting for you")
    first = ben.page.locator("main ul.resume li").first
    assert "Your turn" in first.inner_text()
    assert "d 23 h left" in first.inner_text()
    ben.button("Begin vacation").click()
    ben.sees("You are away until")
    ben.button("End vacation").click()
    ben.button("Begin vacation").wait_for()
    ada.go("/mine")
    ada.sees("In progress")
    assert ada.page.get_by_text("Waiting for you").count() == 0
