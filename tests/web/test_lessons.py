"""Courses in a real browser: every step of every game is solved by touching what its solution says."""

import pytest

import triskele
from triskele.core.contract.lessons import Task
from triskele.core.lessons import judge
from triskele.core.words import say, text

DESK = {"viewport": {"width": 1280, "height": 800}}
NUMBERS = "document.querySelector('.lesson .actions .amount')?.dataset.numbers.split(' ') ?? []"
PHONE = {"viewport": {"width": 390, "height": 780}, "has_touch": True}


def touch(page, token):
    """Touch a place of the board, whether it can be chosen or not."""
    page.locator(f'.lesson .place[data-token="{token}"]').click(force=True)


def solve(person, step, language="en"):
    """Solve a step by touching what its solution says, and wait for the praise."""
    put = person.button(say(text("web.put"), language))
    for number, decision in enumerate(step.content.solution):
        position = judge(step, step.content.solution[:number]).position
        asked = person.page.locator(f'.lesson[data-state="asked"][data-decisions="{number}"]')
        asked.wait_for()
        tokens = position.find(decision).tokens
        for at, token in enumerate(tokens):

            def made_by_itself(asked=asked, following=tokens[at + 1 :]):
                """Whether the whole move was made, or the token was chosen as the only one that there was."""
                return not asked.count() or not set(following).isdisjoint(person.page.evaluate(NUMBERS))

            person.touch(token, unless=made_by_itself)
        if put.count():
            put.click()
    person.page.get_by_text(say(step.words("success"), language)).wait_for()


@pytest.mark.parametrize(("language", "screen"), [("en", DESK), ("de", PHONE)], ids=["desk", "phone"])
@pytest.mark.parametrize("name", [game.name for game in triskele.games()])
def test_a_whole_course_is_walked_to_the_first_game(visit, name, language, screen):
    person = visit(locale=language, reduced_motion="reduce", **screen)
    page = person.page
    person.go(f"/lesson/{name}")
    steps = triskele.lessons(name)
    for step in steps:
        page.get_by_role("heading", name=say(step.words("name"), language)).wait_for()
        if isinstance(step.content, Task):
            solve(person, step, language)
            page.locator(".lesson-tools .primary").click()
    assert page.locator(".steps .solved").count() == len(steps) - 1
    for number in (1, 2, 3):
        page.get_by_text(say(steps[-1].words(f"watch.{number}"), language)).wait_for()
    page.locator(".lesson-tools .primary").click()
    page.locator(".table-page").wait_for()


def test_a_wrong_try_is_shown_and_taken_back_and_help_is_offered(visit):
    person = visit(reduced_motion="reduce", **DESK)
    page = person.page
    person.go("/lesson/yinsh#jump")
    for _ in range(3):
        page.locator(".lesson .place.lit").first.wait_for(state="attached")
        touch(page, "f6")
        touch(page, "g6")
        page.get_by_text("A fine move on another day").wait_for()
        page.wait_for_timeout(2000)
    page.get_by_role("button", name="Hint").click()
    assert page.locator(".mark.advised").count() == 2
    page.get_by_role("button", name="Show me").click()
    page.locator(".lesson .place.lit").first.wait_for(state="attached")
    touch(page, "f6")
    touch(page, "f9")
    page.get_by_text("They flipped!").wait_for()


def test_why_something_cannot_be_touched_is_said_beside_it(visit):
    person = visit(**DESK)
    person.go("/lesson/yinsh#jump")
    person.page.locator(".lesson .place.lit").first.wait_for(state="attached")
    touch(person.page, "f6")
    touch(person.page, "f10")
    person.page.locator(".refusal", has_text="After a jump you land on the very next point").wait_for()


def test_a_course_goes_on_where_it_was_left(visit):
    person = visit(reduced_motion="reduce", **DESK)
    page = person.page
    first, second = triskele.lessons("yinsh")[:2]
    person.go("/lesson/yinsh")
    solve(person, first)
    person.go("/learn")
    page.get_by_role("link", name="YINSH: Continue").click()
    page.get_by_role("heading", name=say(second.words("name"))).wait_for()


def test_a_course_is_walked_by_keyboard_alone(visit):
    person = visit(reduced_motion="reduce", **DESK)
    page = person.page
    person.go("/lesson/yinsh#along-the-lines")
    page.locator(".lesson .place.lit").first.wait_for(state="attached")
    for token in ("f6", "j10"):
        page.locator(f'.lesson [data-token="{token}"]').focus()
        page.keyboard.press("Enter")
    page.get_by_text("Any distance, as long as the way is clear").wait_for()
    assert page.evaluate("document.activeElement.textContent") == "Next step"
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Jump").wait_for()


def test_a_course_that_there_is_not_is_said(visit):
    person = visit(**DESK)
    person.go("/lesson/chess")
    person.page.get_by_role("heading").first.wait_for()
    assert person.page.locator(".lesson").count() == 0


def test_the_first_page_leads_into_a_course(visit):
    person = visit(**PHONE)
    person.go("/")
    person.page.get_by_role("link", name="TRYPTIC: Learn").click()
    person.page.get_by_role("heading", name="A secret").wait_for()


def test_the_whole_board_is_in_sight_when_a_course_begins(visit):
    person = visit(**DESK)
    person.go("/lesson/conquest")
    person.page.locator('.lesson[data-state="asked"]').wait_for()
    assert person.page.locator("svg.board").count() == 1
    assert person.page.locator("svg.board.near").count() == 0


def test_a_wrong_try_leaves_the_board_as_large_as_it_was_on_the_smallest_phone(visit):
    person = visit(viewport={"width": 320, "height": 640}, has_touch=True, reduced_motion="reduce")
    page = person.page
    person.go("/lesson/yinsh#friend-and-foe")
    page.locator(".lesson .place.lit").first.wait_for(state="attached")
    before = page.locator("svg.board").bounding_box()
    touch(page, "e5")
    touch(page, "i9")
    page.get_by_text("That flipped two of yours").wait_for()
    page.locator('.lesson[data-state="asked"]').wait_for()
    after = page.locator("svg.board").bounding_box()
    assert before["height"] > 240
    assert after["height"] == before["height"]


def test_colours_are_picked_on_the_smallest_phone(visit):
    person = visit(viewport={"width": 320, "height": 640}, has_touch=True, reduced_motion="reduce")
    person.go("/lesson/tryptic")
    solve(person, triskele.lessons("tryptic")[0])
