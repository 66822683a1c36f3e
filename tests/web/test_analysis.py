"""The analysis board in a real browser: moves of both sides, variations, comments, marks, undo, set-up, links."""

import json
from dataclasses import replace

import triskele
from tests.web.engines import said
from triskele.core.record_parts import Ended
from triskele.core.records import Record
from triskele.core.variations import GameTree


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


def set_up(person, game, *tokens):
    """Begin to set up a position, and touch some places."""
    begin(person, f"/analysis/{game}")
    person.button("Set up a position").click()
    person.page.locator(".setup-tools").wait_for()
    for token in tokens:
        person.touch(token)


def use(person):
    """Analyse the position that was set up, and return its text."""
    person.page.locator(".setup-tools .feedback.good").wait_for()
    person.button("Analyse this position").click()
    person.page.locator(".setup-tools").wait_for(state="detached")
    person.page.wait_for_function("() => location.hash.startsWith('#s=')")
    at(person, 0)
    return kept(person)[0]["document"]["start"]


def test_coins_are_taken_off_all_cards_and_the_die_is_chosen(visit):
    person = visit()
    person.excused = ("status of 409",)
    set_up(person, "tryad", "1a1", "2c3")
    person.page.get_by_label("The die").select_option("4")
    assert use(person) == "tryad: ./213/31412/4121314 4/213/31.12/4121314 take 1 4"


def test_as_many_tokens_as_are_chosen_are_put_on_a_field(visit):
    person = visit()
    person.excused = ("status of 409",)
    set_up(person, "conquest")
    person.page.get_by_label("How many").fill("6")
    person.page.get_by_label("How many").blur()
    person.touch("1c4")
    person.page.get_by_role("radio", name="Tokens of player 2").check()
    person.touch("2b1")
    person.page.get_by_label("Purse of player 1").select_option("80")
    person.page.get_by_label("Purse of player 2").select_option("70")
    person.page.get_by_label("Part of the round").select_option("conquer")
    assert use(person) == "conquest: 1 80 1c3*4 1c4*6 / 2 70 2b1*6 2c3*4 / pot 30 / round 1 / conquer 1 first 1"


def test_patterns_are_chosen_beside_the_tiles(visit):
    person = visit()
    person.excused = ("status of 409",)
    set_up(person, "tryptic", "e5")
    person.page.locator(".setup-tools .feedback.bad").wait_for()
    person.page.get_by_role("radio", name="Green").check()
    person.touch("e6")
    person.page.get_by_label("Pattern of player 2").select_option("BGR")
    board = "...../....../......./......../....BG.../......../......./....../....."
    assert use(person) == f"tryptic: {board} 1 BBB,BGR 0,0 -,- - -"


def test_a_game_without_a_set_up_by_hand_offers_its_text(visit):
    person = visit(service_workers="block")
    nothing = {"reason": "By its text.", "things": [], "fields": [], "empty": "", "draft": None, "ground": None}
    person.context.route("**/analysis/setup", lambda route: route.fulfill(json=nothing))
    begin(person, "/analysis/tryad")
    person.button("Set up a position").click()
    person.page.get_by_text("By its text.").wait_for()


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


def test_a_file_that_is_wrong_is_refused_in_words_and_nothing_is_lost(visit):
    person = visit()
    person.excused = ("status of 409",)
    begin(person)
    touch(person, "e5")
    before = kept(person)
    person.go("/analysis")
    bad = {"game": "yinsh", "moves": ["e5", "c4"], "annotations": [{"at": 1, "variations": [{"moves": ["e5"]}]}]}
    chosen = {"name": "bad.json", "mimeType": "application/json", "buffer": json.dumps(bad).encode()}
    person.page.locator(".drop input[type=file]").set_input_files(chosen)
    person.page.locator(".toast.bad", has_text="variations[0].moves[0]").wait_for()
    assert kept(person) == before


def test_a_record_with_variations_is_opened_as_a_table_and_analysed_with_them(visit):
    person = visit()
    tree = GameTree(triskele.new("yinsh"))
    path = tree.push((), "e5")
    tree.push(path, "c4")
    tree.comment(tree.push(path, "g7"), "Farther.")
    record = replace(Record.of_tree(tree), outcome=Ended("resign", 0).outcome(2), ended=Ended("resign", 0))
    person.go("/mine")
    chosen = {"name": "game.json", "mimeType": "application/json", "buffer": record.to_json().encode()}
    person.page.locator(".drop input[type=file]").set_input_files(chosen)
    person.page.get_by_text("The table keeps the comments and variations of this record.").wait_for()
    table = person.page.url.rpartition("/")[2]
    begin(person, f"/analysis/yinsh#t={table}", moves=2)
    assert person.page.locator(".tree .variation .said").inner_text() == "Farther."


def test_everything_is_done_by_keyboard(visit):
    person = visit(reduced_motion="reduce")
    begin(person)
    page = person.page
    for number, token in enumerate(("e5", "g7"), 1):
        page.locator(f'.analysis-board .place[data-token="{token}"]').focus()
        page.keyboard.press("Enter")
        at(person, number)
    page.locator(".analysis-board h1").click()
    page.keyboard.press("ArrowLeft")
    at(person, 1)
    page.keyboard.press("Home")
    at(person, 0)
    page.keyboard.press("End")
    at(person, 2)
    page.keyboard.press("Control+z")
    at(person, 1)
    page.keyboard.press("Control+Shift+z")
    at(person, 2)
    node = page.locator(".tree .node", has_text="e5")
    assert node.get_attribute("aria-label") == "Move 1, White: e5"
    node.press("Enter")
    at(person, 1)
    summary = page.locator(".opening-panel summary")
    summary.press("Enter")
    page.locator(".openings table tbody button").first.press("Enter")
    at(person, 2)
    marks = person.button("Marks and arrows")
    marks.press("Enter")
    for token in ("e5", "g7"):
        page.locator(f'.analysis-board .place[data-token="{token}"]').focus()
        page.keyboard.press("Enter")
    page.locator(".own-marks polyline").wait_for(state="attached")


def test_marks_go_into_the_picture_and_the_animation(visit):
    person = visit()
    begin(person)
    touch(person, "e5")
    person.button("Marks and arrows").click()
    person.touch("e5")
    person.touch("e9")
    person.page.locator(".own-marks polyline").wait_for(state="attached")
    person.button("Share and save").click()
    for name, path in (("Picture (PNG)", "picture"), ("Last moves as an animation", "animation")):
        with person.page.expect_request(f"**/analysis/{path}") as asked, person.page.expect_download() as saved:
            person.page.get_by_role("button", name=name).click()
        assert asked.value.post_data_json["marked"] == [{"at": 1, "marks": [["e5", "e9"]]}]
        assert saved.value.path().read_bytes().startswith(b"\x89PNG")
