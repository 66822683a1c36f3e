"""Giving up, offers, hints and results at a table of several people, in the browser."""

import random
import re
from collections.abc import Callable

import pytest

import triskele
from triskele.core.records import Record

from .conftest import Visitor
from .games import YINSH

ME = {"kind": "me", "name": "Ada"}
LINK = {"kind": "link"}
ENGINE = {"kind": "engine", "level": 1}


def _sit(visit, game: str, seats: list[dict], **more) -> list[Visitor]:
    """Let people sit down at the seats of a table that are theirs."""
    ada = visit()
    opened = ada.open(game, seats, **more)
    people = [ada]
    for number, seat in enumerate(seats):
        if seat["kind"] == "link":
            guest = visit()
            guest.join(opened["table"], opened["seats"][number]["key"], name=f"Guest {number}")
            people.append(guest)
    ada.until(lambda: ada.page.locator(".sheet .link").count() == 0, "the invitation to close")
    return people


def _resign(visitor: Visitor) -> None:
    visitor.page.locator(".deeds").get_by_role("button", name="Resign").click()
    visitor.page.get_by_role("dialog").get_by_role("button", name="Resign").click()


def _strip(visitor: Visitor, seat: int):
    return visitor.page.locator(f'.strip[data-seat="{seat}"]')


def test_P11_who_resigns_among_three_is_out_and_sees_the_others_play_on(visit):
    ada, ben, cid = _sit(visit, "tryptic", [ME, LINK, LINK], options={"players": 3})
    for person, pattern in ((ada, "=BBB"), (ben, "=GGR"), (cid, "=RWY")):
        person.make(pattern)
    _resign(ben)
    for person in (ada, ben, cid):
        person.until(lambda p=person: "Gave up" in _strip(p, 1).inner_text(), "that Ben gave up")
        assert not person.over
    ada.until(lambda: "GGR" in ada.page.locator('.strip[data-seat="1"] .facts').inner_text(), "Ben's pattern")
    for name in ("Undo", "Resign"):
        assert ben.page.locator(".deeds").get_by_role("button", name=name).is_disabled()
    assert ben.page.locator(".actions button").count() == 0
    assert ben.page.locator(".place.lit").count() == 0
    ada.make("Be5")
    ada.make(".")
    cid.until(lambda: cid.my_turn, "that Ben's turn is passed over")
    _resign(cid)
    for person in (ada, ben, cid):
        person.page.locator(".result").wait_for()
        person.until(lambda p=person: p.over and p.table["outcome"]["winners"] == [0], "the winner")
    facts = ben.page.locator(".result ul").inner_text()
    assert all(pattern in facts for pattern in ("BBB", "GGR", "RWY")), facts


def test_P9_resigning_in_a_game_of_two_names_who_did_and_shows_both_patterns(visit):
    ada, ben = _sit(visit, "tryptic", [ME, LINK], options={"players": 2})
    ada.make("=BBB")
    ben.make("=GGR")
    _resign(ada)
    ben.sees("Ada resigned.")
    ada.sees("You resigned.")
    for person in (ada, ben):
        facts = person.page.locator(".result ul").inner_text()
        assert "BBB" in facts
        assert "GGR" in facts
        assert person.page.locator('.board [href*="tryptic-button"]').count() == 0


@pytest.mark.parametrize("game", ["tryad", "conquest"])
def test_A9_C18_an_engine_plays_on_and_everybody_sees_it(visit, game):
    ada, ben, cid = _sit(visit, game, [ME, LINK, LINK], options={"players": 3})
    _resign(ben)
    for person in (ada, ben, cid):
        person.until(lambda p=person: "plays on" in _strip(p, 1).inner_text(), "that an engine plays on")
        assert not person.over
    assert ben.page.locator(".deeds").get_by_role("button", name="Resign").is_disabled()


def test_the_asker_sees_that_an_offer_stands_and_can_withdraw_it(visit):
    ada, ben = _sit(visit, "yinsh", [ME, LINK])
    ada.make("e1")
    ada.button("Undo").first.click()
    standing = ada.page.locator(".standing")
    standing.get_by_text("You asked to take your turn back").wait_for()
    ben.sees("Ada asks to take a move back.")
    standing.get_by_role("button", name="Withdraw").click()
    standing.wait_for(state="hidden")
    ben.sees("Ada withdrew the offer.")
    ben.until(lambda: ben.page.locator(".sheet:visible").count() == 0, "the question to go")
    ada.button("Undo").first.click()
    ben.button("Decline").wait_for()
    ben.page.evaluate("document.querySelector('.sheet').hidden = true")  # they move on without an answer
    ben.page.locator(".place.lit").first.dispatch_event("click")
    for person in (ada, ben):
        person.sees("The request to take back has lapsed")
    standing.wait_for(state="hidden")


def test_a_rematch_is_offered_once_and_can_be_withdrawn(visit):
    ada, ben = _sit(visit, "yinsh", [ME, LINK])
    ada.make("e1")
    _resign(ben)
    for person in (ada, ben):
        person.page.locator(".result").wait_for()
        assert person.page.get_by_role("button", name="Rematch").count() == 1
    ada.button("Rematch").click()
    ada.page.locator(".result").get_by_text("Rematch offered.").wait_for()
    ben.sees("Ada offers a rematch.")
    ada.button("Withdraw").click()
    ben.sees("Ada withdrew the offer.")
    ada.button("Rematch").wait_for()


def test_P7_what_a_challenge_brought_is_told_to_everybody_by_name(visit):
    ada, ben = _sit(visit, "tryptic", [ME, LINK], options={"players": 2})
    ada.make("=BBB")
    ben.make("=GGR")
    ada.make("?2=WWW")
    for person, words in ((ada, "You → Guest 1: white"), (ben, "Ada → You: white")):
        person.page.locator(".toast", has_text=words).wait_for()
    assert ben.page.locator(".toast").inner_text().endswith("Wrong: Ada −1, You +1")


def test_several_computers_are_told_apart_wherever_they_are_named(visit):
    ada = visit()
    ada.open("tryptic", [ME, ENGINE, ENGINE, {"kind": "engine", "level": 2}], options={"players": 4})
    ada.make("=BGR")
    ada.until(lambda: ada.my_turn, "the first turn")
    ada.until_asked()
    for seat, name in ((1, "Computer 2 (level 1)"), (2, "Computer 3 (level 1)"), (3, "Computer (level 2)")):
        assert _strip(ada, seat).locator(".name").inner_text().startswith(name)
    buttons = ada.page.locator(".actions button").all_inner_texts()
    assert [words for words in buttons if "Challenge" in words] == [f"Challenge Computer {seat}" for seat in (2, 3, 4)]
    ada.make("?3=WWW")
    ada.page.locator(".toast", has_text="You → Computer 3: white, white, white. Wrong").wait_for()
    ada.page.locator(".moves", has_text="challenge → Computer 3 (level 1)").wait_for()


def test_what_was_told_is_out_of_the_way_of_who_plays_on(visit):
    ada, ben = _sit(visit, "tryptic", [ME, LINK], options={"players": 2})
    ada.make("=BBB")
    ben.make("=GGR")
    ada.make("Be5")
    ada.make("?2=WWW")
    told = ben.page.locator(".toast", has_text="Ada → You")
    told.wait_for()
    ben.until_asked()
    ben.page.wait_for_timeout(1600)
    ben.touch("G")
    told.wait_for(state="detached", timeout=3000)


def test_P11_undo_takes_back_the_whole_turn(visit):
    ada, ben = _sit(visit, "tryptic", [ME, LINK], options={"players": 2})
    ada.make("=BBB")
    ben.make("=GGR")
    ada.make("Be5")
    ada.make(".")
    ada.page.locator(".deeds").get_by_role("button", name="Undo").click()
    ben.button("Accept").click()
    for person in (ada, ben):
        person.until(lambda p=person: p.table["made"] == 2, "the turn to be taken back")
    ada.make("Rd4")


def test_the_opponent_is_told_of_a_hint(visit):
    ada, ben = _sit(visit, "yinsh", [ME, LINK], hints=True)
    ada.page.locator(".deeds").get_by_role("button", name="Hint").click()
    ada.page.locator(".sheet .move").wait_for()
    ben.sees("A hint was used: Ada.")
    ben.until(lambda: "1 hint used" in _strip(ben, 0).inner_text(), "the number of hints")


def test_hints_are_off_between_people_unless_the_opener_wants_them(visit):
    ada, ben = _sit(visit, "yinsh", [ME, LINK])
    for person in (ada, ben):
        assert person.page.get_by_role("button", name="Hint").count() == 0
    ada.go("/?play=yinsh")
    ada.page.locator(".seats select").nth(1).select_option("link")
    box = ada.page.get_by_label("Hints allowed")
    assert not box.is_checked()


def _bring(visitor: Visitor, position: triskele.Position) -> None:
    """Open a table from the record of a game, and go there."""
    answer = visitor.page.request.post(f"{visitor.base}/api/v1/records", data=Record.of(position).document())
    assert answer.ok, answer.text()
    visitor.join(answer.json()["table"])


def test_analysis_of_a_finished_game_begins_at_the_last_decision_and_arrows_stay_on_the_board(visit):
    ada = visit()
    game = triskele.new("yinsh", blitz=True)
    for move in YINSH.split():
        game.push(move)
    third, second = "e5-e6", "row e1–e5 off"
    _bring(ada, game)
    ada.page.locator(".result").get_by_role("button", name="View the board").click()
    ada.page.get_by_role("tab", name="Table").click()
    ada.page.get_by_role("button", name=re.compile("^Engine.s view$|analysis", re.IGNORECASE)).click()
    current = ada.page.locator(".moves [aria-current]")
    ada.until(lambda: current.inner_text() == second, "the position before the last move")
    ada.page.keyboard.press("ArrowLeft")
    ada.until(lambda: current.inner_text() == third, "the position before")
    ada.page.keyboard.press("ArrowRight")
    ada.until(lambda: current.inner_text() == second, "the position after")
    assert ada.page.get_by_role("tab", name="Moves").get_attribute("aria-selected") == "true"


def test_the_result_of_yinsh_speaks_of_blitz_only_in_blitz(visit):
    ada = visit()
    for blitz, words in ((False, "Three rings removed"), (True, "One ring removed, which is enough in blitz")):
        _bring(ada, _played("yinsh", lambda game: game.outcome().reason == "rings", blitz=blitz))
        assert ada.page.locator(".result p").first.inner_text() == words


def test_A7_the_result_of_tryad_names_the_roll_off(visit):
    ada = visit()
    _bring(ada, _played("tryad", lambda game: "roll-off" in game.ending(), players=2))
    assert "the roll-off decided" in ada.page.locator(".result p").first.inner_text()


def _played(name: str, wanted: Callable[[triskele.Position], bool], **options: object) -> triskele.Position:
    """Return a random game that ended in a certain way."""
    for seed in range(1000):
        chance, game = random.Random(seed), triskele.new(name, **options)
        while game.outcome() is None:
            game.push(chance.choice(game.legal_moves))
        if wanted(game):
            return game
    raise AssertionError("no game ended like that")


def test_a_hint_while_choosing_a_pattern_shows_tiles_and_can_be_played(visit):
    ada = visit()
    ada.open("tryptic", [ME, ENGINE], options={"players": 2})
    ada.page.locator(".picker").get_by_role("button", name="Hint").click()
    ada.page.locator(".sheet .pictures .sprite").first.wait_for()
    assert ada.page.locator(".sheet .pictures .sprite").count() == 3
    assert "colour" in ada.page.locator(".sheet p").inner_text()
    ada.button("Play it").click()
    ada.until(lambda: ada.table["made"] >= 1, "the pattern")


def test_a_link_asks_for_a_name_once_and_the_address_alone_says_how_to_invite(visit):
    ada, ben, cid = visit(), visit(), visit()
    opened = ada.open("yinsh", [ME, LINK])
    ben.go(f"/table/{opened['table']}#{opened['seats'][1]['key']}")
    ben.sees("Ada (guest) invites you to a game of YINSH.")
    field = ben.page.locator(".invited input")
    assert field.input_value(), "there is a name already"
    field.fill("Benny")
    field.press("Enter")
    ada.until(lambda: "Benny" in _strip(ada, 1).inner_text(), "the guest's name")
    ben.until(lambda: ben.table, "the table")
    again = ada.open("yinsh", [ME, LINK])
    ben.join(again["table"], again["seats"][1]["key"])
    assert ben.page.locator(".invited").count() == 0, "the name is remembered"
    ada.until(lambda: "Benny" in _strip(ada, 1).inner_text(), "the guest's name")
    cid.go(f"/table/{again['table']}")
    cid.sees("address alone is not an invitation")
    cid.excused = ("404",)


def test_the_address_of_a_public_table_lets_a_friend_sit_down(visit):
    ada, ben = visit(), visit()
    opened = ada.open("yinsh", [ME, LINK], private=False)
    ben.join(opened["table"])
    ben.button("Take this seat").click()
    ben.page.locator(".invited button.primary").click()
    ben.until(lambda: ben.mine == [1], "the seat")


def test_the_result_offers_another_level_and_levels_are_remembered_by_game(visit):
    ada = visit()
    ada.open("yinsh", [ME, ENGINE])
    _resign(ada)
    ada.page.locator(".result").get_by_role("button", name="Another level").click()
    dialog = ada.page.get_by_role("dialog")
    dialog.get_by_text("1 · First steps").wait_for()
    dialog.get_by_role("slider").fill("10")
    dialog.get_by_text("10 · Merciless").wait_for()
    first = ada.page.url
    dialog.get_by_role("button", name="Start").click()
    ada.until(lambda: ada.page.url != first and ada.table["table"] in ada.page.url, "the next table")
    assert sorted(seat["level"] or 0 for seat in ada.table["seats"]) == [0, 10]
    for game, level in (("yinsh", "10"), ("tryptic", "10"), ("yinsh", "10")):
        ada.go(f"/?play={game}")
        ada.page.locator(".seats input[type=range]").first.wait_for()
        assert ada.page.locator(".seats input[type=range]").first.input_value() == level
    ada.go("/?play=tryptic")
    ada.page.locator(".seats input[type=range]").first.fill("3")
    ada.go("/?play=yinsh")
    ada.page.locator(".seats input[type=range]").first.wait_for()
    assert ada.page.locator(".seats input[type=range]").first.input_value() == "10"


def test_the_result_can_be_shared_as_picture_link_and_text(visit):
    ada = visit()
    game = triskele.new("yinsh", blitz=True)
    for move in YINSH.split():
        game.push(move)
    _bring(ada, game)
    ada.page.locator(".result").get_by_role("button", name="Share").click()
    dialog = ada.page.get_by_role("dialog")
    dialog.locator("img.shared").wait_for()
    ada.until(lambda: dialog.locator("img.shared").evaluate("img => img.naturalWidth") > 100, "the picture")
    link = dialog.get_by_label("Link to view this game").input_value()
    text = dialog.get_by_label("The moves as text").input_value()
    assert "e1" in text
    assert "xe6" in text
    guest = visit()
    guest.page.goto(link)
    guest.until(lambda: guest.table and guest.table["made"] == len(YINSH.split()), "the game by its link")


def test_my_games_show_their_positions_and_can_be_removed(visit):
    ada = visit()
    opened = ada.open("yinsh", [ME, {"kind": "here", "name": "Ben"}])
    ada.make("e1")
    ada.go("/mine")
    picture = ada.page.locator(".resume img").first
    picture.wait_for()
    assert opened["table"] in picture.get_attribute("src")
    ada.page.get_by_role("button", name="Remove from my games").click()
    ada.page.get_by_role("dialog").get_by_role("button", name="Remove from my games").click()
    ada.sees("No games yet")


def test_a_game_from_a_file_goes_on_against_the_computer(visit):
    ada = visit()
    game = triskele.new("yinsh")
    game.push("e1")
    ada.go("/mine")
    content = Record.of(game).to_json().encode()
    file = {"name": "game.json", "mimeType": "application/json", "buffer": content}
    ada.page.locator("input[type=file]").set_input_files(file)
    dialog = ada.page.get_by_role("dialog")
    dialog.get_by_role("combobox").nth(1).wait_for()
    assert dialog.get_by_role("combobox").nth(1).input_value() == "engine"
    dialog.get_by_role("button", name="Continue this game").click()
    ada.until(lambda: ada.table and ada.table["made"] >= 2, "the answer of the computer")
    assert ada.mine == [0]
