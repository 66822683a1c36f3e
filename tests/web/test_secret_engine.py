"""The engine in the page in games with secrets: hints and analysis for one seat, by what that seat may know."""

import pytest

from tests.web.engines import AT_ONE_SCREEN, WITH_SECRETS, Analysis, modules, said, server  # noqa: F401 (fixtures)

AGAINST_ENGINE = [{"kind": "me", "name": "Ada"}, {"kind": "engine", "level": 1}]
TO_A_WIN = ("=GGR", "=BWY", "Re5", ".", "Wa1", ".", "Ge6", ".", "Wb1", ".")
"""Moves after which the first seat can make its one point."""
QUESTIONS = """
window.questions = [];
const { postMessage } = Worker.prototype;
Worker.prototype.postMessage = function (message, ...more) {
    if (message.type === "search") questions.push(message.question);
    return postMessage.call(this, message, ...more);
};
"""
"""Keeps all that the page asks its Workers, which hand it to the module as it is."""


def asked(visitor, what):
    """Return the addresses that were asked for whose path ends like this."""
    return [url for url in visitor.requested if url.split("?")[0].endswith(what)]


def hint(visitor):
    """Ask for a hint, and return what is said of it."""
    visitor.button("Hint").first.click()
    visitor.until(lambda: visitor.button("Play it").count(), "the hint")
    return visitor.page.locator(".sheet.advice p").inner_text()


@pytest.mark.parametrize("name", WITH_SECRETS)
def test_hints_of_a_game_with_secrets_are_computed_in_the_page_from_the_first_choice_on(visit, name):
    ada = visit()
    ada.open(name, AGAINST_ENGINE)
    assert "colour" in hint(ada)
    assert ada.page.locator(".sheet .pictures .sprite").count() == 3
    ada.button("Play it").click()
    ada.until(lambda: ada.my_turn and ada.table["made"] > 1, "the next turn")
    assert len(hint(ada)) > 12
    ada.button("Play it").click()
    assert not asked(ada, "/hint")
    assert len(asked(ada, "/explanation")) == 2


def test_a_hint_says_what_the_server_s_hint_says(visit):
    ada = visit()
    opened = ada.open("tryptic", AT_ONE_SCREEN, {"goal": 1})

    def reasons():
        here = hint(ada).partition(" ")[2] if ada.table["made"] else hint(ada)
        asking = {"seat": ada.table["turn"]}
        there = ada.page.request.post(f"{ada.base}/api/v1/tables/{opened['table']}/hint", data=asking).json()
        ada.page.keyboard.press("Escape")
        return here.strip().casefold(), there["why"].partition(": ")[2].casefold()

    for number, move in enumerate(TO_A_WIN):
        ada.until(lambda n=number: ada.table["made"] == n, "the move before")
        ada.lift_curtain()
        if number in (0, 3):  # a pattern is to be chosen; the turn is to be ended
            here, there = reasons()
            assert here.endswith(there)
        ada.make(move)
    ada.lift_curtain()
    here, there = reasons()
    assert there == "wins at once."
    assert here.endswith(there)
    assert not asked(ada, "/hint")


def test_the_choice_that_a_hint_proposes_cannot_be_computed_by_others(visit):
    """A pattern that every page proposes at first would be no secret."""
    ada = visit()
    ada.page.add_init_script(QUESTIONS)
    ada.open("tryptic", AGAINST_ENGINE)
    for _ in range(3):
        hint(ada)
        ada.page.keyboard.press("Escape")
        ada.until(lambda: not ada.button("Play it").count(), "the hint to go")
    assert len(set(ada.page.evaluate("() => questions.map(({ seed }) => seed)"))) == 3


@pytest.mark.parametrize("name", WITH_SECRETS)
def test_a_game_with_secrets_is_analysed_in_the_page_while_one_plays_alone(visit, name):
    ada = visit()
    ada.open(name, AGAINST_ENGINE)
    ada.make(min(ada.moves()))
    ada.until(lambda: ada.my_turn and ada.table["made"] > 1, "the next turn")
    analysis = Analysis(ada)
    analysis.begin()
    ada.until(lambda: analysis.lines.count() == 3 and analysis.arrows.count() > 0, "three lines")
    assert said("in-your-browser").lower() in analysis.foot().lower()
    ada.until(lambda: set(analysis.first_moves()) <= set(ada.moves()), "lines of this position")
    assert analysis.lines.first.is_disabled(), "what a move reveals is told only when it is made"
    assert not asked(ada, "/analysis")


def test_at_one_screen_the_analysis_of_one_is_gone_before_the_next_looks(visit):
    ada = visit()
    ada.page.add_init_script(QUESTIONS)
    ada.open("tryptic", AT_ONE_SCREEN)
    for move in ("=BGR", "=GWY"):
        ada.make(move)
    ada.lift_curtain()
    analysis = Analysis(ada)
    analysis.begin()
    ada.make("Re5")
    ada.make(".")
    curtain = ada.page.locator(".curtain")
    ada.until(lambda: "Ben" in curtain.inner_text(), "the curtain for Ben")
    ada.until(lambda: analysis.panel.count() == 0, "the analysis to go")
    assert analysis.switch.count() == 0
    ada.lift_curtain()
    ada.until(lambda: analysis.switch.count() == 1, "the offer to Ben")
    assert analysis.panel.count() == 0
    assert {question["seat"] for question in ada.page.evaluate("() => questions")} == {0}


def test_P9_not_a_byte_that_goes_to_the_module_depends_on_the_other_s_pattern(visit):
    def questions(pattern):
        ada = visit()
        ada.page.add_init_script(QUESTIONS)
        ada.open("tryptic", AT_ONE_SCREEN)
        for move in ("=BGR", f"={pattern}", "Re5", ".", "Ge6", "."):
            if ada.table["turn"] == 0:
                ada.lift_curtain()
                hint(ada)
                ada.page.keyboard.press("Escape")
                analysis = Analysis(ada)
                if analysis.panel.count() == 0:
                    analysis.switch.click()
                analysis.wait()
            ada.make(move)
        sent = ada.page.evaluate("() => questions")
        assert len(sent) > 8
        return [{key: value for key, value in question.items() if key != "seed"} for question in sent]

    assert questions("GWY") == questions("RRW")


def test_a_finished_game_is_analysed_by_what_the_seat_to_act_knew_in_words(visit):
    ada = visit()
    ada.page.add_init_script(QUESTIONS)
    ada.open("tryptic", AT_ONE_SCREEN)
    for move in ("=BGR", "=GWY", "Re5", ".", "Ge6"):
        ada.make(move)
    ada.page.get_by_role("tab", name="Table").click()
    ada.page.get_by_role("tabpanel", name="Table").get_by_role("button", name="Resign").click()
    ada.page.locator("dialog").get_by_role("button", name="Resign").click()
    ada.until(lambda: ada.over, "the end")
    ada.page.locator(".sheet .review").click()
    ada.page.get_by_role("tab", name="Moves").click()
    analysis = Analysis(ada)
    analysis.begin()
    assert ada.page.locator(".moves [aria-current]").inner_text() == "end of turn", "before the last decision"
    ada.until(lambda: analysis.lines.count() == 3 and analysis.arrows.count() == 3, "three lines, marked on the board")
    assert all(" on " in words for words in ada.page.locator(".line-button:visible .line-moves").all_inner_texts())
    assert {question["seat"] for question in ada.page.evaluate("() => questions")} == {1}
    assert analysis.lines.first.is_enabled()
