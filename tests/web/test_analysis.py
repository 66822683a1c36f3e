"""The analysis board in a real browser: moves of both sides, variations, comments, marks, undo, set-up, links."""

import json

import triskele
from tests.web.engines import said


def begin(person, address="/analysis/yinsh", moves=0):
    person.go(address)
    at(person, moves)


def at(person, moves):
    person.page.locator(f'.analysis-board[data-moves="{moves}"]').wait_for()


def touch(person, *tokens):
    """Touch places that are moves of their own, one after the other."""
    for token in tokens:
        made = int(person.page.locator(".analysis-board").get_attribute("data-moves"))
        person.touch(token)
        at(person, made + 1)


def kept(person):
    return json.loads(person.page.evaluate("localStorage.getItem('triskele-analyses') ?? '[]'"))


def test_a_variation_with_a_comment_and_marks_is_kept_shared_and_undone(visit):
    person = visit()
    begin(person)
    touch(person, "e5", "g7", "f6")
    person.page.keyboard.press("Tab")
    person.page.locator(".tree .node", has_text="g7").click()
    at(person, 2)
    touch(person, "d7")
    assert person.page.locator(".tree .variation .node").count() == 1
    field = person.page.get_by_label("Comment on this position").first
    field.fill("Nearer.")
    field.blur()
    person.button("Marks and arrows").click()
    person.touch("e5")
    person.touch("e9")
    person.page.locator(".own-marks polyline").wait_for(state="attached")
    written = kept(person)[0]["document"]
    said = written["annotations"][0]["variations"][0]["annotations"][0]
    assert written["moves"] == ["e5", "g7", "f6"]
    assert said == {"at": 1, "comment": "Nearer.", "marks": [["e5", "e9"]]}
    person.button("Undo the last change").click()
    person.page.locator(".own-marks polyline").wait_for(state="detached")
    person.button("Redo").click()
    person.page.locator(".own-marks polyline").wait_for(state="attached")
    person.button("Share and save").click()
    link = person.page.locator("dialog input").first.input_value()
    other = visit()
    person.excused = other.excused = ("status of 429",)  # without a cookie both ask for advice as one address
    other.page.goto(link)
    at(other, 3)
    assert other.page.locator(".tree .said").inner_text() == "Nearer."


def test_a_link_that_was_cut_is_refused_with_the_reason(visit):
    person = visit()
    begin(person)
    script = """async () => {
      const { pack } = await import("/analysis/link.js");
      return pack({ game: "yinsh", options: {}, start: null, seats: [], moves: ["e5", "g7"] });
    }"""
    packed = person.page.evaluate(script)
    person.go(f"/analysis/yinsh#d={packed[:-5]}")
    person.page.reload()
    person.page.get_by_text("This link is incomplete").wait_for()


def test_the_tree_of_the_page_is_that_of_python(visit):
    person = visit()
    begin(person)
    line = {
        "moves": ["a", "b"],
        "annotations": [
            {"at": 0, "comment": "first"},
            {
                "at": 1,
                "marks": [["x"], ["x", "y"]],
                "variations": [
                    {"moves": ["c", "d"], "annotations": [{"at": 1, "variations": [{"moves": ["e"]}]}]},
                    {"moves": ["f"]},
                ],
            },
        ],
    }
    script = """async line => {
      const trees = await import("/analysis/tree.js");
      const tree = trees.treeOf(line);
      const pushed = trees.push(tree, [0, 1], "g");
      const promoted = trees.promote(pushed.tree, [0, 1]);
      return [trees.lineOf(tree), trees.movesTo(pushed.tree, pushed.path), trees.lineOf(promoted.tree).moves];
    }"""
    back, pushed, promoted = person.page.evaluate(script, line)
    assert back == line
    assert pushed == ["a", "c", "g"]
    assert promoted == ["a", "c", "d"]


def test_a_position_is_set_up_by_touching_and_judged_by_the_rules(visit):
    person = visit()
    person.excused = ("status of 409",)  # what cannot be is refused
    begin(person)
    person.button("Set up a position").click()
    person.page.locator(".setup-tools").wait_for()
    person.touch("e5")
    person.page.locator(".setup-tools .feedback.bad").wait_for()
    person.page.get_by_label("To move").select_option("b")
    person.page.locator(".setup-tools .feedback.good").wait_for()
    person.button("Analyse this position").click()
    at(person, 0)
    person.page.wait_for_function("() => location.hash.startsWith('#s=')")
    position = triskele.new("yinsh")
    position.push("e5")
    assert kept(person)[0]["document"]["start"] == str(position)


def test_what_a_die_shows_is_chosen(visit):
    person = visit()
    begin(person, "/analysis/tryad")
    person.page.locator(".actions .token", has_text="3").click()
    at(person, 1)
    assert person.page.locator(".tree .node", has_text="3").count() == 1


def test_a_game_without_a_set_up_by_hand_offers_its_text(visit):
    person = visit()
    begin(person, "/analysis/tryad")
    person.button("Set up a position").click()
    person.page.get_by_text("Tryad is set up by a position text").wait_for()


def test_advice_that_the_server_is_too_busy_for_is_asked_for_again(visit):
    person = visit(service_workers="block")
    person.excused = ("status of 503", "status of 429")
    refusals = [(503, "busy"), (429, "limit")]

    def refuse(route):
        if not refusals:
            return route.continue_()
        status, code = refusals.pop(0)
        return route.fulfill(status=status, json={"error": {"code": code, "text": "Not now."}})

    person.context.route("**/analysis/advice", refuse)
    begin(person)
    person.sees(said("advice-waits"))
    person.page.locator(".line-button:visible .line-moves").first.wait_for()
    assert not refusals
    assert not person.page.get_by_text(said("advice-waits")).is_visible()
