"""The engine in the page, at a table: analysis, hints and opponents, computed in the browser and not by the server."""

import json
import random
import zlib

import pytest

import triskele
from tests.web.engines import (  # noqa: F401 (fixtures)
    AT_ONE_SCREEN,
    GAMES,
    OPPONENT,
    WITH_DICE,
    WITH_EXACT_VALUES,
    WITH_SECRETS,
    Analysis,
    modules,
    said,
    server,
)
from triskele.core.game import game
from triskele.core.wordings import move_words
from triskele.core.words import say
from triskele.engines import Limits, engine


def sent(visitor):
    """Return the messages that the page sends from now on, as they come."""
    messages = []
    visitor.page.on(
        "websocket", lambda socket: socket.on("framesent", lambda frame: messages.append(json.loads(frame)))
    )
    return messages


def asked(visitor, what):
    """Return the addresses that were asked for whose path ends like this."""
    return [url for url in visitor.requested if url.split("?")[0].endswith(what)]


# --- opponents ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_an_opponent_s_moves_are_computed_in_the_page_as_the_server_would(visit, name):
    """The same level and seed give the same move, which the server referees as any other."""
    ada = visit()
    messages = sent(ada)
    opened = ada.open(name, [{"kind": "me", "name": "Ada"}, {"kind": "engine", "level": 2}])
    ada.until(lambda: {"type": "compute", "on": True} in [_without(message) for message in messages], "the offer")
    ada.sees(said("in-your-browser"))
    player = engine("triskele", name)
    player.get_ready()  # a level has little time
    for _ in range(6):
        before = ada.table["made"]
        ada.make(sorted(ada.moves())[0])
        ada.until(lambda n=before: ada.table["made"] > n and (ada.my_turn or ada.over), "the next turn")
    made = [
        made["move"] for made in ada.page.request.get(f"{ada.base}/api/v1/tables/{opened['table']}").json()["moves"]
    ]
    computed = [message for message in messages if message["type"] == "move" and message["seat"] == 1]
    assert computed
    for message in computed:
        position = triskele.new(name)
        for move in made[: message["at"]]:
            position.push(move)
        player.forget()
        limits = Limits(level=2, seed=zlib.crc32(opened["table"].encode()))
        assert message["move"] == player.choose(position, limits).text
        assert made[message["at"]] == message["move"]


def _without(message):
    return {key: value for key, value in message.items() if key in ("type", "on")}


def test_after_an_undo_and_on_a_new_connection_the_page_computes_again(visit):
    ada = visit()
    messages = sent(ada)
    ada.open("yinsh", OPPONENT)
    ada.sees(said("in-your-browser"))
    ada.make("f6")
    ada.until(lambda: ada.table["made"] == 2, "the answer")
    ada.button("Undo").first.click()
    ada.until(lambda: ada.table["made"] == 0, "the undo")
    ada.make("e5")
    ada.until(lambda: ada.table["made"] == 2, "the answer")
    before = len(messages)
    ada.reload()
    ada.until(lambda: any(message["type"] == "compute" for message in messages[before:]), "the offer")
    ada.until(lambda: ada.my_turn, "a turn")
    ada.make("d4")
    ada.until(lambda: ada.table["made"] == 4, "the answer")
    computed = [message["at"] for message in messages if message["type"] == "move" and message["seat"] == 1]
    assert computed[-1] == 3


def test_a_whole_game_against_the_page_s_engine(visit, play):
    ada = visit()
    messages = sent(ada)
    ada.open("yinsh", OPPONENT, {"blitz": True})
    ada.sees(said("in-your-browser"))
    chooser = random.Random(5)
    play([ada], lambda visitor: chooser.choice(sorted(visitor.moves())))
    table = ada.page.request.get(f"{ada.base}/api/v1/tables/{ada.table['table']}").json()
    made = [made for made in table["moves"] if made["seat"] == 1]
    assert len(made) == len([message for message in messages if message["type"] == "move" and message["seat"] == 1]) > 5


# --- analysis -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_an_analysis_is_computed_in_the_page_and_the_server_does_nothing(visit, name):
    ada = visit()
    ada.open(name, AT_ONE_SCREEN)
    analysis = Analysis(ada)
    analysis.begin()
    ada.until(lambda: analysis.lines.count() == 3, "three lines")
    assert set(analysis.first_moves()) <= set(ada.moves())
    assert "Ada" in analysis.panel.inner_text()
    assert "Ben" in analysis.panel.inner_text()
    ada.until(lambda: "deep" in analysis.foot() and "positions" in analysis.foot(), "how far was looked")
    count = len(ada.requested)
    told = len(ada.frames)
    news = set()
    ada.until(lambda: news.add(analysis.foot()) or len(news) > 5, "news")
    assert ada.requested[count:] == []
    assert ada.frames[told:] == []
    assert not asked(ada, "/analysis")


def _engines(visitor):
    """Return the names of the games for which the server has an engine for the page."""
    listed = visitor.page.request.get(f"{visitor.base}/api/v1/games").json()
    return {known["name"] for known in listed if known["engine"]}


@pytest.mark.parametrize("name", WITH_DICE)
def test_a_decision_between_dice_is_analysed_in_the_page_and_the_opponent_is_the_server_s(visit, name):
    ada = visit()
    messages = sent(ada)
    ada.until(lambda: name in _engines(ada), "the engine for the page")  # loaded when the server starts, in a thread
    ada.open(name, [{"kind": "me", "name": "Ada"}, {"kind": "engine", "level": 1}])
    ada.reload()
    ada.until(lambda: ada.my_turn and len(ada.moves()) > 1, "a decision")
    analysis = Analysis(ada)
    analysis.begin()
    ada.until(lambda: "positions" in analysis.foot() and analysis.arrows.count() > 0, "lines and marks")
    assert said("in-your-browser").lower() in analysis.foot().lower()
    assert set(analysis.first_moves()) <= set(ada.moves())
    ada.button("Hint").first.click()
    ada.page.locator(".sheet .move").wait_for(timeout=30_000)
    wordings = game(name).wordings
    words = {say(words) if (words := move_words(wordings, move)) else move for move in ada.moves()}
    assert ada.page.locator(".sheet .move").inner_text().casefold() in {each.casefold() for each in words}
    assert len(ada.page.locator(".sheet p").inner_text()) > 12
    assert not asked(ada, "/hint")
    assert not asked(ada, "/analysis")
    ada.button("Play it").click()
    assert not [message for message in messages if message["type"] == "compute"]
    assert not any(seat["page"] for seat in ada.table["seats"])


def test_the_switch_can_be_focused_and_pressed_when_the_engine_is_at_work_already(visit):
    """Coming near it fetches what an analysis needs, which must not draw the switch anew under the hand."""
    ada = visit()
    ada.open("yinsh", OPPONENT)
    ada.sees(said("in-your-browser"))
    ada.make("f6")
    ada.until(lambda: ada.table["made"] == 2, "the answer")
    analysis = Analysis(ada)
    analysis.switch.focus()
    ada.until(lambda: asked(ada, "/state"), "the position")
    ada.page.keyboard.press("Enter")
    analysis.wait()
    analysis.switch.press("Enter")
    ada.until(lambda: analysis.panel.count() == 0, "the end of the analysis")
    analysis.begin()


def test_the_best_moves_are_marked_on_the_board_at_the_places_of_their_tokens(visit):
    ada = visit()
    ada.open("yinsh", AT_ONE_SCREEN)
    for move in ["a2", "b1", "c1", "d1", "e1", "f2", "g2", "h3", "i4", "j6"]:
        ada.make(move)
    analysis = Analysis(ada)
    analysis.begin()
    ada.until(lambda: analysis.lines.count() == 3 and analysis.arrows.count() == 3, "three arrows")
    found = ada.page.evaluate(
        """() => [...document.querySelectorAll(".arrow.rank-1")].map((arrow) => ({
            from: arrow.querySelector("polyline").getAttribute("points").split(" ")[0].split(",").map(Number),
            move: document.querySelector(".line-button").dataset.move,
            label: arrow.querySelector("text").textContent,
        }))[0]"""
    )
    tokens = ada.moves()[found["move"]][0]
    scene = ada.looks[0]["scene"]
    place = ada.page.evaluate(
        """(token) => { const b = document.querySelector(`.place[data-token="${token}"] circle`);
            return [b.cx.baseVal.value, b.cy.baseVal.value]; }""",
        tokens[0],
    )
    assert scene
    assert found["label"] == "1"
    assert found["from"] == pytest.approx(place, abs=0.11)
    analysis.switch.click()
    ada.until(lambda: analysis.arrows.count() == 0, "the arrows to go")


def test_another_position_is_analysed_at_once_and_the_one_before_no_more(visit):
    ada = visit()
    ada.open("yinsh", AT_ONE_SCREEN)
    analysis = Analysis(ada)
    analysis.begin()
    for move in ("f6", "e5"):
        ada.make(move)
        ada.until(lambda m=move: analysis.first_moves() and m not in analysis.first_moves(), "the next position")
        ada.until(lambda: set(analysis.first_moves()) <= set(ada.moves()), "lines of the next position")
    ada.page.locator(".side .player").get_by_role("button", name="Previous move").click()
    ada.page.locator(".side .main.past").wait_for()
    ada.until(lambda: analysis.first_moves() and "f6" not in analysis.first_moves(), "lines of the position before")


def test_a_line_is_tried_out_on_the_board_by_mouse_and_by_keyboard(visit):
    ada = visit()
    ada.open("yinsh", AT_ONE_SCREEN)
    analysis = Analysis(ada)
    analysis.begin()
    ada.until(lambda: "deep" in analysis.foot() and len(analysis.lines.first.inner_text().split()) > 4, "a longer line")
    reserve = ada.page.locator('.board use[href*="ring"]').count()
    before = _picture(ada)
    analysis.lines.first.focus()
    ada.page.keyboard.press("Enter")
    ada.until(lambda: _picture(ada) != before, "the first move of the line")
    assert analysis.arrows.count() == 0
    assert ada.page.locator('.board use[href*="ring"]').count() == reserve
    ada.page.keyboard.press("ArrowRight")
    controls = ada.page.get_by_role("group", name=said("line-preview"))
    assert controls.first.is_visible()
    ada.page.keyboard.press("Escape")
    ada.until(lambda: _picture(ada) == before, "the game again")
    assert not controls.first.is_visible()
    assert ada.table["made"] == 0
    ada.make("f6")


def _picture(visitor):
    return visitor.page.evaluate(
        """() => [...document.querySelectorAll(".board > g:first-child g[transform^=translate]")]
            .map((piece) => piece.getAttribute("transform") + piece.querySelector("use").getAttribute("href"))
            .sort().join()"""
    )


def test_screen_readers_hear_the_best_move_and_not_every_number(visit):
    ada = visit()
    ada.open("trypsylon", AT_ONE_SCREEN)
    analysis = Analysis(ada)
    analysis.begin()
    spoken = ada.page.locator("#spoken p", has_text=said("line-best").split("{")[0].strip())
    ada.until(lambda: spoken.count() == 1, "the best move, spoken")
    news = set()
    ada.until(lambda: news.add(analysis.foot()) or len(news) > 8, "news")
    assert spoken.count() <= 2
    assert ada.page.locator(".analysis [aria-live], .analysis [role=status]").count() == 0


def test_a_finished_game_is_analysed_at_its_last_decision(visit):
    ada = visit()
    ada.open("yinsh", AT_ONE_SCREEN)
    ada.make("f6")
    ada.make("e5")
    ada.page.get_by_role("tab", name="Table").click()
    ada.page.get_by_role("tabpanel", name="Table").get_by_role("button", name="Resign").click()
    ada.page.locator("dialog").get_by_role("button", name="Resign").click()
    ada.until(lambda: ada.over, "the end")
    ada.page.locator(".sheet .review").click()
    ada.page.get_by_role("tab", name="Moves").click()
    analysis = Analysis(ada)
    analysis.begin()
    assert ada.page.locator(".moves [aria-current]").inner_text() == "f6"


# --- hints ----------------------------------------------------------------------------------------


def test_a_hint_comes_from_the_page_with_a_sentence(visit):
    ada = visit()
    ada.open("yinsh", AT_ONE_SCREEN)
    ada.button("Hint").first.click()
    ada.page.locator(".sheet .move").wait_for(timeout=30_000)
    move = ada.page.locator(".sheet .move").inner_text()
    assert move in ada.moves()
    assert len(ada.page.locator(".sheet p").inner_text()) > len(move) + 8
    assert ada.page.locator(".mark.advised").count() > 0
    assert not asked(ada, "/hint")
    ada.button("Play it").click()
    ada.until(lambda: ada.table["made"] == 1, "the move")


# --- fair play ------------------------------------------------------------------------------------


def test_between_people_no_engine_of_the_page_is_offered_while_the_game_is_on(visit):
    ada, ben = visit(), visit()
    opened = ada.open("yinsh", [{"kind": "me", "name": "Ada"}, {"kind": "link"}])
    ben.join(opened["table"], opened["seats"][1]["key"])
    ada.make("f6")
    ben.make("e5")
    for visitor in (ada, ben):
        assert Analysis(visitor).switch.count() == 0
        visitor.page.keyboard.press("a")
        assert visitor.page.locator(".analysis.live").count() == 0
        assert not [url for url in visitor.requested if "/engine" in url or "/state" in url]


def test_a_rated_game_says_that_there_is_no_help_from_computers(visit):
    ada, ben = visit(), visit()
    for visitor, name in ((ada, "Ada without help"), (ben, "Ben without help")):
        account = {"name": name, "password": "seven violet otters"}
        assert visitor.page.request.post(f"{ada.base}/api/v1/accounts", data=account).ok
    seats = [{"kind": "me"}, {"kind": "link"}]
    opened = ada.open("yinsh", seats, rated=True, clock="5+3")
    ben.join(opened["table"], opened["seats"][1]["key"])
    ada.page.get_by_role("tab", name="Table").click()
    ada.sees(said("rated-no-engines"))
    ada.make("f6")
    ben.make("e5")
    ada.hears_of(2)
    assert not [url for url in ada.requested if "/engine" in url or "/state" in url]
    assert not any(seat["page"] for seat in ada.table["seats"])


# --- how it is served -----------------------------------------------------------------------------


def test_a_module_is_served_compressed_and_kept_for_good(visit):
    ada = visit()
    listed = ada.page.request.get(f"{ada.base}/api/v1/games").json()
    with_engine = {known["name"]: known["engine"] for known in listed if known["engine"]}
    assert set(with_engine) == {*GAMES, *WITH_DICE, *WITH_EXACT_VALUES, *WITH_SECRETS}
    for name, files in with_engine.items():
        for part, kind in (("module", "application/wasm"), ("description", "application/json")):
            answer = ada.page.request.get(f"{ada.base}/api/v1/games/{name}/engine/{files[part]}")
            assert answer.headers["content-type"] == kind
            assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
            assert answer.headers["content-encoding"] == "gzip"
            assert int(answer.headers["content-length"]) < 60_000
