"""What can be done at a table beside moving: undo, offers, hints, replay, chat, records, links, coming back."""

import json
import random
import re
from pathlib import Path

import pytest
from playwright.sync_api import WebSocketRoute

import triskele
from triskele.core.records import Record

from .conftest import Server, Visitor
from .games import YINSH

ME = {"kind": "me", "name": "Ada"}
HERE = {"kind": "here", "name": "Ben"}
ENGINE = {"kind": "engine", "level": 1}
OPENING = ["e1", "j5", "b1", "k7", "a2", "j10", "a5", "i11", "b7", "h3"]


@pytest.fixture
def two(visit):
    """Two people at a table of YINSH over the net."""
    ada, ben = visit(), visit()
    opened = ada.open("yinsh", [ME, {"kind": "link"}])
    ben.join(opened["table"], opened["seats"][1]["key"])
    ada.until(lambda: ada.page.locator(".sheet .link").count() == 0, "the invitation to close")
    return ada, ben


def _texts(visitor: Visitor) -> list[str]:
    return visitor.page.locator(".moves button").all_text_contents()


def test_three_clicks_to_the_first_move(visit):
    ada = visit()
    ada.go("/")
    ada.page.get_by_role("button", name="Play YINSH").click()
    ada.until(lambda: ada.table and ada.my_turn, "my turn")
    before = ada.table["made"]
    ada.page.locator(".place.lit").first.click()
    ada.until(lambda: ada.table["made"] > before, "my move")


def test_undo_at_once_where_nobody_else_plays(visit):
    ada = visit()
    ada.open("yinsh", [ME, HERE])
    for move in OPENING[:3]:
        ada.make(move)
    ada.button("Undo").first.click()
    ada.until(lambda: ada.table["made"] == 2, "the move to be taken back")
    ada.until(lambda: _texts(ada) == OPENING[:2], "the list without it")
    ada.make("e3")
    ada.until(lambda: _texts(ada) == [*OPENING[:2], "e3"], "the other move in the list")


def test_undo_by_consent_among_people(two):
    ada, ben = two
    ada.make("e1")
    ada.button("Undo").first.click()
    ben.sees("Ada asks to take a move back.")
    ben.button("Decline").click()
    ada.sees("declined")
    ada.button("Undo").first.click()
    ben.button("Accept").click()
    for visitor in two:
        visitor.until(lambda v=visitor: v.table["made"] == 0, "the move to be taken back")
    ada.make("e2")
    ben.until(lambda: _texts(ben) == ["e2"], "the other move")


def test_a_draw_by_agreement_and_a_rematch(two):
    ada, ben = two
    ada.make("e1")
    ben.page.get_by_role("tab", name="Table").click()
    ben.button("Offer a draw").click()
    ada.sees("offers a draw.")
    ada.button("Accept").click()
    for visitor in two:
        visitor.page.locator(".result b", has_text="A draw").wait_for()
    first = ada.page.url
    ben.page.locator(".result").get_by_role("button", name="Rematch").click()
    ada.sees("offers a rematch.")
    ada.button("Accept").click()
    for visitor in two:
        visitor.until(lambda v=visitor: v.page.url != first and v.table["made"] == 0, "the next table")
        visitor.until(lambda v=visitor: v.page.locator(".stage .strip").count() == 2, "the next table")
    assert ada.page.url == ben.page.url
    assert ada.mine != ben.mine


def test_a_rematch_on_a_phone_after_resigning(visit):
    ada = visit(viewport={"width": 390, "height": 844}, has_touch=True)
    ada.open("yinsh", [ME, ENGINE])
    first = ada.page.url
    ada.page.locator(".toolbar").get_by_role("button", name="More").click()
    ada.page.locator("#panel-table").get_by_role("button", name="Resign").click()
    ada.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    ada.page.locator(".result").get_by_role("button", name="Rematch").click()  # nothing lies over the result
    ada.until(lambda: ada.page.url != first and ada.table["table"] in ada.page.url, "the next table")
    ada.page.locator(".stage .strip").first.wait_for()
    assert ada.page.locator(".toast").count() == 0
    assert ada.mine == [1]


def test_resigning_asks_first(two):
    ada, ben = two
    ada.make("e1")
    ben.make("j5")
    ada.page.locator(".deeds").get_by_role("button", name="Resign").click()
    ada.page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    assert not ada.over
    ada.page.locator(".deeds").get_by_role("button", name="Resign").click()
    ada.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    ben.sees("You won!")


def test_a_hint_with_its_sentence_can_be_played(visit):
    ada = visit()
    ada.open("yinsh", [ME, HERE])
    ada.page.locator(".deeds").get_by_role("button", name="Hint").click()
    move = ada.page.locator(".sheet .move")
    move.wait_for()
    advised = move.inner_text()
    assert ada.page.locator(".mark.advised").count() == 1
    assert len(ada.page.locator(".sheet p").inner_text()) > len(advised) + 5
    ada.button("Play it").click()
    ada.until(lambda: _texts(ada) == [advised], "the advised move")


def test_a_french_hint_names_its_move_once(visit):
    """French has a no-break space before the colon that separates a move from its reason."""
    ada = visit(locale="fr-FR")
    ada.open("yinsh", [ME, HERE])
    ada.page.locator(".deeds").get_by_role("button", name="Conseil").click()
    move = ada.page.locator(".sheet .move")
    move.wait_for()
    assert ada.page.locator(".sheet p").inner_text().count(move.inner_text()) == 1


def test_the_engines_view_on_request(visit):
    ada = visit()
    ada.open("yinsh", [ME, ENGINE])
    ada.page.get_by_role("tab", name="Table").click()
    ada.button("Computer analysis").last.click()
    ada.page.locator(".analysis .line-moves:not(:empty)").first.wait_for()
    assert ada.page.locator(".analysis progress").count() == 1  # what one gains, the other loses
    assert "browser" not in ada.page.locator(".analysis").inner_text()
    ada.page.get_by_role("tab", name="Table").click()
    ada.page.get_by_role("button", name="Computer analysis", pressed=True).last.click()
    ada.page.locator(".analysis").wait_for(state="detached")


def test_replay_by_clicks_and_keys(visit):
    ada = visit()
    ada.open("yinsh", [ME, HERE])
    for move in OPENING:
        ada.make(move)
    rings = ada.page.locator(".place[aria-label*=ring]")
    ada.until(lambda: rings.count() == 10, "all rings")
    ada.page.locator(".moves button").nth(2).click()
    ada.until(lambda: rings.count() == 3, "the position after three moves")
    assert ada.page.locator(".place.lit").count() == 0
    ada.page.locator("body").press("ArrowRight")
    ada.until(lambda: rings.count() == 4, "the next position")
    ada.page.locator("body").press("ArrowLeft")
    ada.until(lambda: rings.count() == 3, "the position before")
    ada.page.locator("body").press("Home")
    ada.until(lambda: rings.count() == 0, "the first position")
    ada.button("Auto-play").click()
    ada.until(lambda: rings.count() == 2, "positions one after the other")
    ada.button("Live").click()
    ada.until(lambda: rings.count() == 10 and ada.page.locator(".place.lit").count() > 0, "the game as it stands")


def test_dragging_makes_a_move(visit):
    ada = visit()
    ada.open("yinsh", [ME, HERE])
    for move in OPENING:
        ada.make(move)
    start = ada.page.locator(".place.lit[data-token=e1]").bounding_box()
    end = ada.page.locator(".place[data-token=e4]").bounding_box()
    ada.page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    ada.page.mouse.down()
    ada.page.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=5)
    ada.page.mouse.up()
    ada.until(lambda: _texts(ada)[-1] == "e1-e4", "the ring to move")


def test_touching_what_cannot_be_says_why(visit):
    ada = visit()
    ada.open("yinsh", [ME, HERE])
    for move in OPENING:
        ada.make(move)
    ada.until_asked()
    ada.page.locator(".place[data-token=j5]").click(force=True)
    ada.page.locator(".refusal:visible").wait_for()
    assert "j5" in ada.page.locator(".refusal").inner_text()


def test_chat_reaches_players_but_not_spectators(visit, two):
    ada, ben = two
    eve = visit()
    eve.join(ada.table["table"], ada.table["watch"])
    ada.page.get_by_role("tab", name="Chat").click()
    ada.page.get_by_label("Say something").fill("<b>Good luck</b>")
    ada.button("Send").click()
    ben.page.get_by_role("tab", name="Chat").click()
    ben.sees("<b>Good luck</b>")
    assert ben.page.locator(".chat b", has_text="Good luck").count() == 0
    assert not any("Good luck" in frame for frame in eve.frames)
    assert eve.page.get_by_role("tab", name="Chat").count() == 0


def test_a_spectator_follows_and_can_do_nothing(visit, two):
    ada, _ = two
    eve = visit()
    eve.join(ada.table["table"], ada.table["watch"])
    ada.make("e1")
    eve.until(lambda: eve.page.locator(".place[aria-label='e1, white ring']").count() == 1, "the ring")
    assert eve.mine == []
    assert eve.page.locator(".place.lit").count() == 0
    assert eve.page.locator(".toolbar button, .deeds button").filter(has_text="Undo").count() == 0


def test_a_private_table_is_closed_to_others(visit, two):
    ada, _ = two
    mallory = visit()
    mallory.go(f"/table/{ada.table['table']}")
    mallory.sees("This table is not open to you.")


def test_a_public_table_waits_on_the_first_page(visit):
    ada, ben = visit(), visit()
    ada.go("/?play=tryad")
    ada.page.get_by_label("Who plays as Player 2").select_option("link")
    ada.page.get_by_label("Public").check()
    ada.button("Start the game").click()
    ada.until(lambda: ada.table, "the table")
    ben.go("/")
    ben.page.locator(f"a[href='/table/{ada.table['table']}']").click()
    ben.button("Take this seat").click()
    ben.page.locator(".invited button.primary").click()
    ben.until(lambda: ben.table and ben.mine, "a seat")
    ada.until(lambda: all(seat["taken"] for seat in ada.table["seats"]), "company")


def test_a_way_to_play_brings_its_number_of_players(visit):
    ada = visit()
    ada.go("/?play=tryad")
    variant = ada.page.get_by_label("Variant")
    practice = variant.locator("option", has_text="Practice").first.inner_text()
    variant.select_option(practice)
    ada.until(lambda: ada.page.locator(".seats li").count() == 1, "one seat")
    variant.select_option("At the table")
    ada.until(lambda: ada.page.locator(".seats li").count() == 2, "two seats again")
    variant.select_option(practice)
    ada.until(lambda: ada.page.locator(".seats li").count() == 1, "one seat")
    ada.button("Start the game").click()
    ada.until(lambda: ada.table and ada.table["options"]["mode"] == "practice", "the table")


def test_the_form_tells_what_the_rulebook_says_of_a_series(visit):
    ada = visit()
    ada.go("/?play=trypsylon")
    ada.page.locator("details.card summary").click()
    series = ada.page.get_by_label("Who goes first in a rematch")
    rulebook = series.locator("option").first
    assert rulebook.inner_text() == "As the rulebook says (the loser)"
    ada.page.get_by_role("checkbox", name="Expert (after the first move").check()
    ada.until(lambda: rulebook.inner_text() == "As the rulebook says (players take turns)", "what Expert says")


def test_records_go_out_and_come_back(visit, tmp_path: Path):
    ada = visit(accept_downloads=True)
    ada.open("yinsh", [ME, HERE])
    for move in OPENING[:4]:
        ada.make(move)
    ada.page.get_by_role("tab", name="Table").click()
    files = {}
    for name in ("Game record", "Picture (PNG)", "Picture (SVG)"):
        with ada.page.expect_download() as download:
            ada.page.get_by_role("link", name=name).click()
        files[name] = tmp_path / download.value.suggested_filename
        download.value.save_as(files[name])
    assert files["Picture (PNG)"].read_bytes().startswith(b"\x89PNG")
    assert files["Picture (SVG)"].read_text().startswith("<svg")
    record = json.loads(files["Game record"].read_text())
    assert [made["text"] for made in record["moves"]] == OPENING[:4]
    first = ada.page.url
    ada.go("/mine")
    ada.page.locator(f"a[href='{first.removeprefix(ada.base)}']").wait_for()
    ada.page.locator("input[type=file]").set_input_files(files["Game record"])
    ada.page.get_by_role("combobox", name="Black").select_option("here")  # nobody moves before it is looked at
    ada.page.get_by_role("button", name="Continue this game").click()
    ada.until(lambda: "/table/" in ada.page.url and ada.page.url != first, "the table of the record")
    ada.until(lambda: _texts(ada) == OPENING[:4], "its moves")
    ada.go("/mine")
    bad = tmp_path / "bad.json"
    bad.write_text("no record")
    ada.page.locator("input[type=file]").set_input_files(bad)
    ada.sees("This file is not a game record.")


def test_the_dice_are_proved_after_the_game(visit, play):
    ada = visit()
    ada.open("tryad", [ME], {"players": 1, "mode": "practice"})
    play([ada], lambda player: min(player.moves()))
    ada.button("Verify the dice").click()
    dialog = ada.page.get_by_role("dialog")
    dialog.wait_for()
    assert len(dialog.locator("p").all_text_contents()) > 1
    assert dialog.evaluate("shown => shown.scrollWidth <= shown.clientWidth")


def test_odds_are_told_before_an_attack(visit):
    ada = visit()
    ada.open("conquest", [ME, HERE])
    ada.until(lambda: ada.my_turn, "a turn")
    for wanted in ("h", "h", "done"):
        ada.make(next(move for move in sorted(ada.moves()) if move.startswith(wanted)))
    attack = next(move for move in sorted(ada.moves()) if "<" in move)
    before = ada.table["made"]
    target, source, *rest = next(spelling for spelling in ada.moves()[attack] if "go" in spelling)
    ada.sees("Attack: tap your field and one beside it")
    ada.touch(target)
    ada.sees(f"Attack on {target}: from where?")
    ada.touch(source)
    ada.sees("Another token: choose its field, or “attack”")
    for token in rest:
        ada.touch(token)
    ada.button("Confirm").wait_for()
    assert "%" in ada.page.locator(".sheet").inner_text()
    assert ada.table["made"] == before
    ada.button("Back").last.click()
    ada.button("Confirm").wait_for(state="detached")
    assert ada.table["made"] == before


def test_language_and_theme_are_chosen_and_kept(visit):
    ada = visit(locale="fr-FR")
    ada.go("/")
    ada.sees("Jeux sous le signe du trois.")
    ada.page.get_by_label("Langue").select_option("pl")
    ada.sees("Gry pod znakiem trójki.")
    assert ada.page.locator("html").get_attribute("lang") == "pl"
    ada.page.get_by_role("button", name="Ustawienia").click()
    ada.page.get_by_label("Ciemny").check()
    ada.page.keyboard.press("Escape")
    ada.page.reload()
    ada.sees("Gry pod znakiem trójki.")
    assert ada.page.locator("html").get_attribute("data-theme") == "dark"


def test_a_lost_connection_comes_back_by_itself_and_sends_the_move_again(browser, tmp_path: Path):
    server = Server(tmp_path / "data")
    context = browser.new_context(locale="en", reduced_motion="reduce")
    ada = Visitor(context, server.url)
    ada.open("yinsh", [ME, HERE])
    ada.make("e1")
    server.stop()
    ada.sees("Connection lost.")
    ada.page.locator(".place.lit[data-token=j5]").click()
    ada.page.locator(".place.lit").first.wait_for(state="detached")  # the move is on its way
    server.start()
    ada.until(lambda: ada.table["made"] == 2, "the move that was made without a connection")
    ada.sees("Connected again.")
    ada.until(lambda: _texts(ada) == ["e1", "j5"], "both moves in the list")
    context.close()
    server.stop()


# --- what can be seen and reached -----------------------------------------------------------------


def _random_game(moves: int) -> triskele.Position:
    """Return a position of YINSH after so many moves."""
    position = triskele.new("yinsh")
    chance = random.Random(3)
    for _ in range(moves):
        position.push(chance.choice(position.legal_moves))
    return position


def _go_on(visitor: Visitor, position: triskele.Position) -> None:
    """Open a table with the moves of a position, to go on with at one screen."""
    answer = visitor.page.request.post(
        f"{visitor.base}/api/v1/records",
        data=Record.of(position).to_json(),
        headers={"Content-Type": "application/json"},
    )
    visitor.join(answer.json()["table"])


_INSIDE = """list => {
    const shown = list.querySelector("[aria-current]")?.getBoundingClientRect();
    const box = list.getBoundingClientRect();
    return Boolean(shown) && shown.top >= box.top - 1 && shown.bottom <= box.bottom + 1;
}"""


def test_the_move_shown_is_in_sight_in_a_long_list(visit):
    ada = visit()
    _go_on(ada, _random_game(60))
    moves = ada.page.locator(".moves")
    ada.until(lambda: moves.locator("button").count() == 60 and moves.evaluate(_INSIDE), "the last move in sight")
    ada.page.locator("body").press("Home")
    ada.page.locator("body").press("ArrowRight")
    ada.until(
        lambda: moves.locator("[aria-current]").inner_text() == "e2" and moves.evaluate(_INSIDE), "the first move"
    )
    ada.page.get_by_role("tab", name="Help").click()
    ada.page.locator("body").press("End")
    ada.page.get_by_role("tab", name="Moves").click()
    ada.until(lambda: moves.evaluate(_INSIDE), "the last move in sight again")


def test_the_result_waits_until_the_last_move_was_shown(visit):
    ada = visit(reduced_motion="no-preference")
    position = triskele.new("yinsh", blitz=True)
    *before, last = YINSH.split()
    for move in before:
        position.push(move)
    _go_on(ada, position)
    ada.make(last)
    ada.page.locator(".result").wait_for()
    assert ada.page.locator("svg.board").evaluate("board => board.getAnimations({ subtree: true }).length") == 0
    ada.until(lambda: "won" in ada.page.locator("#spoken").inner_text(), "the end to be spoken")


def test_the_result_leaves_the_board_in_sight_on_a_phone(visit):
    ada = visit(viewport={"width": 390, "height": 844}, has_touch=True)
    ada.open("conquest", [ME, ENGINE])  # with more players the game would go on without who gives up (C18)
    ada.page.locator(".toolbar").get_by_role("button", name="More").click()
    ada.page.locator("#panel-table").get_by_role("button", name="Resign").click()
    ada.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    ada.page.locator(".result b", has_text=f"Computer (level {ENGINE['level']}) won").wait_for()
    board, sheet = (ada.page.locator(each).bounding_box() for each in ("svg.board", ".sheet"))
    lowest = ada.page.get_by_label(re.compile("^1a1, ")).bounding_box()  # the tip of one's own board
    assert board["height"] > 200
    assert board["y"] < lowest["y"]
    assert lowest["y"] + lowest["height"] <= sheet["y"] + 3  # a place reaches beyond its lines by as much
    ada.button("View the board").click()
    ada.page.locator(".toolbar").get_by_role("button", name="Rematch").wait_for()
    ada.go("/mine")
    ada.sees(f"Computer (level {ENGINE['level']}) won")


def test_whoever_waits_long_for_the_first_move_is_told_why(visit):
    ada = visit()

    def without_moves(socket: WebSocketRoute) -> None:
        def pass_on(text: str | bytes) -> None:
            message = json.loads(text)
            if message["type"] == "table":
                message |= {"moves": [], "turn": 0}
            if message["type"] != "moved":
                socket.send(json.dumps(message))

        socket.connect_to_server().on_message(pass_on)

    ada.page.route_web_socket("**/live", without_moves)
    ada.open("yinsh", [ENGINE, ME])
    assert ada.page.get_by_text("warming up").count() == 0
    ada.page.locator(".strip.own .status", has_text="The computer is warming up").wait_for()
    ada.page.unroute_all()
    ada.page.reload()
    ada.until_asked()
    assert ada.page.locator(".strip .status", has_text="warming up").count() == 0


def test_a_phone_shows_the_board_while_it_replays(visit):
    ada = visit(viewport={"width": 390, "height": 844}, has_touch=True)
    _go_on(ada, _random_game(12))
    bar = ada.page.locator(".below .player")
    assert not bar.is_visible()
    ada.page.locator(".toolbar").get_by_role("button", name="Moves").click()
    ada.page.locator(".moves button").nth(3).click()
    ada.page.locator(".side.open").wait_for(state="detached")
    bar.get_by_text("4 / 12").wait_for()
    bar.get_by_role("button", name="Next move").click()
    bar.get_by_text("5 / 12").wait_for()
    assert ada.page.locator(".strip.turn").count() == 0
    bar.get_by_role("button", name="Live").click()
    bar.wait_for(state="hidden")
    ada.page.locator(".strip.turn").wait_for()


def test_a_phone_comes_nearer_to_what_would_be_too_small_for_a_finger(visit):
    ada = visit(viewport={"width": 390, "height": 844}, has_touch=True)
    ada.open("tryad", [ME, *[HERE] * 5], {"players": 6})
    ada.until_asked()
    near = ada.page.locator("svg.board.near")
    near.wait_for()
    for box in ada.page.locator(".place.lit").evaluate_all(
        "found => found.map(each => each.getBoundingClientRect().toJSON())"
    ):
        assert box["width"] >= 30
        assert 0 <= box["left"] <= box["right"] <= 390
    ada.page.locator("body").press("Home")  # nothing is asked of the past
    near.wait_for(state="detached")
    assert ada.page.locator("svg.board").get_attribute("viewBox").startswith("-3 -3 ")


def test_a_card_is_dragged_from_the_hand_to_an_edge_and_what_it_does_is_previewed(visit):
    ada = visit()
    ada.open("trypsylon", [ME, HERE])
    ada.make("c3")
    ada.page.locator(".place.lit[data-token=Nc]").wait_for()
    cards = ada.page.locator(".board use[href='#trypsylon-back']")
    boxes = cards.evaluate_all("found => found.map(each => each.getBoundingClientRect().toJSON())")
    hand = max(boxes, key=lambda box: box["y"])
    edge = ada.page.locator(".place[data-token=Nc]").bounding_box()
    ada.page.mouse.move(hand["x"] + hand["width"] / 2, hand["y"] + hand["height"] / 2)
    ada.page.mouse.down()
    ada.page.mouse.move(edge["x"] + edge["width"] / 2, edge["y"] + edge["height"] / 2, steps=5)
    ada.page.mouse.up()

    def lies(direction: str) -> None:
        """Wait until the card lies where the push would put it, turned like this."""
        card = ada.page.locator(f".board use[href='#trypsylon-card-{direction}']")
        ada.until(lambda: card.count() == 1, f"a preview of the card turned {direction}")
        cell = ada.page.locator(".place[data-token=c5]").bounding_box()
        box = card.bounding_box()
        assert abs(box["x"] + box["width"] / 2 - cell["x"] - cell["width"] / 2) < 5
        assert abs(box["y"] + box["height"] / 2 - cell["y"] - cell["height"] / 2) < 5

    lies("ne")
    ada.button("Rotate").click()
    lies("se")
    ada.page.locator(".place[data-token=c5]").click(force=True)  # a tap on the card itself turns it, too
    lies("sw")
    assert ada.table["made"] == 1
    ada.page.keyboard.press("Escape")
    ada.until(lambda: cards.count() == 25, "the board as it was")
    ada.touch("Nc")
    lies("ne")
    ada.button("Place it").click()
    ada.until(lambda: ada.table["made"] == 2, "the push")
    ada.until(lambda: _texts(ada) == ["c3 out", "column c from the north, pointing northeast"], "the push in the list")
    lies("ne")


def test_announcing_and_challenging_have_buttons_in_words(visit):
    ada = visit()
    ada.open("tryptic", [ME, HERE])
    ada.make("=BGR")
    ada.make("=BGY")
    ada.until(lambda: ada.table["made"] == 2, "the patterns")
    ada.lift_curtain()
    ada.button("Announce").wait_for()
    ada.button("Challenge Ben").click()
    ada.page.locator(".picker p", has_text="Challenge Ben").wait_for()
    ada.button("Cancel").click()
    ada.page.locator(".picker").wait_for(state="detached")
    ada.button("Announce").click()
    ada.button("Confirm").wait_for()
    assert ada.table["made"] == 2


@pytest.mark.parametrize("path", ["/nothing/here", "/learn/chess", "/?play=chess"])
def test_a_page_that_is_not_there(visit, path):
    ada = visit()
    ada.excused = ("404",)
    ada.go(path)
    ada.sees("Page not found.")
    ada.page.get_by_role("link", name="Back to the games").click()
    ada.page.locator(".game").first.wait_for()


def test_a_server_that_does_not_answer_can_be_asked_again(visit):
    ada = visit()
    ada.excused = ("ERR_FAILED", "net::")
    ada.page.route("**/api/v1/games?*", lambda route: route.abort())
    ada.go("/")
    ada.sees("The server is not responding.")
    ada.page.unroute("**/api/v1/games?*")
    ada.button("Try again").click()
    ada.page.locator(".game").first.wait_for()


def test_without_words_the_page_says_so(visit):
    ada = visit()
    ada.excused = ("503", "Service Unavailable")
    ada.page.route("**/api/v1/words/*", lambda route: route.fulfill(status=503, body="{}"))
    ada.go("/")
    ada.page.locator("#stuck").wait_for()


def test_a_link_without_its_key_says_what_is_missing(visit, two):
    ada, _ = two
    mallory = visit()
    mallory.go(f"/table/{ada.table['table']}")
    mallory.sees("ends in a key")


def test_a_link_that_somebody_else_used_says_so(visit, two):
    ada, _ = two
    mallory = visit()
    mallory.excused = ("409", "Conflict", "403")
    opened = ada.page.request.post(
        f"{ada.base}/api/v1/tables",
        data={"game": "yinsh", "options": {}, "seats": [ME, {"kind": "link"}], "first": "order"},
    ).json()
    path = f"/table/{opened['table']}#{opened['seats'][1]['key']}"
    first = visit()
    first.go(path)
    first.page.locator(".invited button.primary").click()
    first.page.locator(".strip.own").wait_for()
    mallory.go(path)
    mallory.sees("This seat is taken")
