"""Reviews in a real browser: worked out in the page and by the server, gone through by keys, tried again."""

import json
import random
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe

import triskele
from tests.web.engines import modules, server  # noqa: F401 (fixtures: a server whose pages get engines)
from triskele.core.contract.review import Curve
from triskele.core.playout import random_move
from triskele.core.record_parts import Ended
from triskele.reviewing.formulas import chances_of_scores, grade_of, player_accuracy, turning_point
from triskele.reviewing.review import review

VECTORS = json.loads((Path(__file__).parents[1] / "reviewing" / "data" / "formulas.json").read_text())
LONG = 180_000
"""Milliseconds that a review may take here: machines that test are busy."""


def record_of(name, moves, seed=2, **options):
    """Return the record of a random game, cut off after some moves where somebody decides: a table rolls by itself."""
    rng = random.Random(seed)
    position = triskele.new(name, **options)
    while position.turn is not None and (len(position.moves) < moves or position.turn == triskele.CHANCE):
        position.push(random_move(position, rng))
    return triskele.Record.of(position, seats=["Ann", "Ben", "Cem", "Dea"][: position.variant.seats])


def bring_in(person, record):
    """Bring a record in and return its table."""
    person.go("/")
    script = """async record => {
      const sent = {method: "POST", body: record, headers: {"Content-Type": "application/json"}};
      return (await (await fetch("/api/v1/records", sent)).json()).table;
    }"""
    return person.page.evaluate(script, record.to_json())


def open_review(person, record):
    """Bring a record in and open its review."""
    table = bring_in(person, record)
    person.go(f"/review/{table}")
    person.page.locator('.game-review[data-state="done"]').wait_for(timeout=LONG)
    return table


def test_formulas_of_the_page_are_those_of_the_library(visit):
    person = visit()
    person.go("/learn")
    script = """async given => {
      const f = await import("/review/formulas.js");
      return {
        chances: given.curves.map(curve => given.scores.map(scores => f.chancesOf(scores, curve, false))),
        proven: given.scores.map(scores => f.chancesOf(scores, given.curves[0], true)),
        grades: given.losses.map(f.gradeOf),
        accuracies: given.decisions.map(f.playerAccuracy),
        turns: given.winners.map(chances => f.turningPoint(chances, 2)),
      };
    }"""
    found = person.page.evaluate(script, VECTORS)
    curves = [Curve(**each) for each in VECTORS["curves"]]
    for curve, rows in zip(curves, found["chances"], strict=True):
        for scores, row in zip(VECTORS["scores"], rows, strict=True):
            assert row == pytest.approx(chances_of_scores(scores, curve), abs=1e-12)
    for scores, row in zip(VECTORS["scores"], found["proven"], strict=True):
        assert row == pytest.approx(chances_of_scores(scores, curves[0], proven=True), abs=1e-12)
    assert found["grades"] == [grade_of(loss) for loss in VECTORS["losses"]]
    assert found["accuracies"] == pytest.approx([player_accuracy(each) for each in VECTORS["decisions"]])
    assert found["turns"] == [turning_point(chances, 2) for chances in VECTORS["winners"]]


def test_a_game_is_reviewed_in_the_page_and_gone_through_by_keys(visit):
    person, record = visit(), record_of("yinsh", 16)
    table = open_review(person, record)
    page = person.page
    assert page.get_by_text("computed in your browser").count() == 1
    assert not [path for path in person.requested if path.endswith(f"/tables/{table}/review")]
    graph = page.get_by_role("slider")
    graph.press("Home")
    page.locator('.game-review[data-at="0"]').wait_for()
    graph.press("ArrowRight")
    page.locator('.game-review[data-at="1"]').wait_for()
    assert graph.get_attribute("aria-valuenow") == "1"
    assert record.moves[0].text in graph.get_attribute("aria-valuetext")
    graph.press("End")
    page.locator(f'.game-review[data-at="{len(record.moves)}"]').wait_for()
    sentences = page.locator(".review-every li")
    assert sentences.count() == len(record.moves)


def reviewed():
    """Return every game with one to four seats, and how many moves of it are reviewed: secrets only to their end."""
    for declared in triskele.games():
        moves = 400 if declared.hidden else 90 if declared.chance else 14
        by_seats = {declared.variant(options).seats: options for options in reversed(declared.option_sets)}
        yield from ((declared.name, moves, options) for seats, options in sorted(by_seats.items()) if seats <= 4)


REVIEWED = list(reviewed())


@pytest.mark.parametrize(("name", "moves", "options"), REVIEWED, ids=str)
def test_the_page_reviews_as_the_library_does(visit, name, moves, options):
    person, record = visit(), record_of(name, moves, **options)
    table = bring_in(person, record)
    script = """async ([table, name]) => {
      const {games} = await import("/lib/catalogue.js");
      const {reviewHere, runsHere} = await import("/review/runs.js");
      const game = (await games()).find(each => each.name === name);
      if (!runsHere(game)) return null;
      let last = null;
      await reviewHere(game, table, progress => { last = progress.review; }, new AbortController().signal);
      return last;
    }"""
    person.page.set_default_timeout(LONG)
    found, expected = person.page.evaluate(script, [table, name]), review(record)
    assert found is not None, "the page reviews the game by itself"
    assert not [path for path in person.requested if path.endswith(f"/tables/{table}/review")]
    assert len(found["moves"]) == len(expected.moves)
    for here, there in zip(found["moves"], expected.moves, strict=True):
        same = {key: here[key] for key in ("number", "seat", "move", "grade", "forced")}
        assert same == {key: getattr(there, key) for key in same}
        assert tuple(here["better_line"] or ()) == there.better
        assert (here["chance_before"], here["chance_after"]) == pytest.approx((there.before, there.after), abs=1e-9)
    for here, there in zip(found["players"], expected.players, strict=True):
        assert here["grades"] == there.grades
        for key in ("accuracy", "luck", "skill"):
            assert here.get(key) == (None if getattr(there, key) is None else pytest.approx(getattr(there, key)))
    assert found["turning_point"] == expected.turning_point
    for here, there in zip(found["chances"], expected.found.chances, strict=True):
        assert here == pytest.approx(list(there), abs=1e-9)
    if record.variant.game.chance:
        assert [roll["number"] - 1 for roll in found["rolls"]] == list(expected.found.rolls)


def test_a_mistake_is_shown_with_the_better_line_and_tried_again(visit):
    person, record = visit(), record_of("tryad", 400)
    worst = [move for move in review(record).moves if move.grade]
    assert worst, "the game has a mistake to try again"
    open_review(person, record)
    page = person.page
    page.get_by_text("computed in your browser").wait_for()
    assert page.locator(".mistake-row").count() == len(worst)
    page.locator(".mistake-row").first.click()
    page.locator(f'.game-review[data-at="{worst[0].number}"]').wait_for()
    page.locator(".review-current .grade-mark").wait_for()
    person.button("Show the better line").click()
    person.button("Back to the game").click()
    person.button("Try again").click()
    page.locator('.retry[data-state="asked"]').wait_for()
    position = triskele.new("tryad")
    for move in record.moves[: worst[0].number - 1]:
        position.push(move.text)
    for token in position.find(worst[0].better[0]).tokens:
        person.touch(token, unless=lambda: not page.locator('.retry[data-state="asked"]').count())
    page.locator('.retry[data-state="solved"]').wait_for()
    person.button("Back to the review").click()
    page.locator(".game-review").wait_for()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious_in_a_review(visit, theme):
    person = visit(color_scheme=theme)
    open_review(person, record_of("tryad", 400))

    def serious():
        found = Axe().run(person.page).response["violations"]
        return [each["id"] for each in found if each["impact"] in ("serious", "critical")]

    assert serious() == []
    person.page.locator("details summary").click()
    assert serious() == [], "with all moves as a list"
    person.button("Try again").click()
    person.page.locator('.retry[data-state="asked"]').wait_for()
    assert serious() == []


def test_an_address_of_no_game_is_said_to_be_wrong(visit):
    person = visit()
    person.excused = ("404",)
    person.go("/review/nowhere")
    person.page.locator("main").get_by_role("button").or_(person.page.locator("main a")).first.wait_for()


def test_a_game_with_secrets_is_shown_as_the_player_saw_it_who_decided(visit):
    person = visit()
    position = triskele.new("tryptic")
    for move in ("=BGR", "=WWY", "Re5", ".", "Wc3"):
        position.push(move)
    ended = Ended("resign", 1)
    open_review(person, triskele.Record.of(position, seats=["Ann", "Ben"], ended=ended))
    page = person.page
    graph = page.get_by_role("slider")
    for move, seat in ((3, 0), (5, 1)):
        with page.expect_response(lambda answer, seat=seat: f"seat={seat}" in answer.url and "/at/" in answer.url):
            graph.press("Home")
            for _ in range(move):
                graph.press("ArrowRight")
        page.locator(f'.game-review[data-at="{move}"]').wait_for()
    page.get_by_text("Every move is judged by what its player knew at that moment.").wait_for()
