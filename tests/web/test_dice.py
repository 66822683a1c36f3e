"""The page takes nobody's word for the dice: it notes, computes and compares by itself."""

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import WebSocketRoute

from triskele.cli import main
from triskele.core.dice import Dice

from .conftest import Server, Visitor
from .games import SHORT

Json = dict[str, Any]
Change = Callable[[Json], None]
ME = {"kind": "me", "name": "Ada"}
HERE = {"kind": "here", "name": "Ben"}
PRACTICE = {"players": 1, "mode": "practice"}
PROVED = "Dice verified: this browser computed"
BAD = "The dice do not fit what this browser noted."
DICE_GAMES = [short for short in SHORT if short.game in ("tryad", "conquest")]


def _nothing(message: Json) -> None:
    pass


def cheat(visitor: Visitor, told: Change = _nothing, asked: Change = _nothing) -> None:
    """Stand between the page and the server, and change what it is told and what it asks."""

    def between(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def changed(text: str | bytes, change: Change) -> str:
            message = json.loads(text)
            change(message)
            return json.dumps(message)

        socket.on_message(lambda text: server.send(changed(text, asked)))
        server.on_message(lambda text: socket.send(changed(text, told)))

    visitor.page.route_web_socket("**/live", between)


def verdict(visitor: Visitor) -> str:
    """Return what the page says beside the dice, below the result."""
    shown = visitor.page.locator(".result .verdict")
    shown.wait_for()
    return str(shown.inner_text())


def practice(visitor: Visitor, play: Callable[..., None]) -> str:
    """Play Tryad alone to its end and return its table's id."""
    opened = visitor.open("tryad", [ME], PRACTICE)
    play([visitor], lambda player: min(player.moves()))
    return str(opened["table"])


# --- computing ----------------------------------------------------------------------------------------


@pytest.fixture
def run(visit):
    """Run a script in the page with a module."""
    ada = visit()
    ada.go("/learn")
    ada.page.locator("main h1").wait_for()

    def run(module: str, script: str, given: Any = None) -> Any:
        return ada.page.evaluate(f"async given => {{ const it = await import('/{module}.js'); {script} }}", given)

    return run


def test_the_page_computes_the_same_as_python(run):
    chance = random.Random(14)
    cases = []
    for seeds in ((), (None,), ("Ann", "Bob"), ("Żółw 🎲", None, "x" * 64)):
        secret, name = chance.randbytes(32), f"table-{chance.randrange(100)}"
        totals = [chance.choice((1, 2, 3, 4, 6, 20, 1000, 2**31 + 1)) for _ in range(40)]
        cases.append((Dice(secret, name, seeds, chance.choice((0, 4, 6))), totals))
    given = [
        {"id": dice.id, "faces": dice.faces, "secret": dice.secret.hex(), "seeds": dice.seeds, "totals": totals}
        for dice, totals in cases
    ]
    found = run(
        "lib/dice",
        """return Promise.all(given.map(async (each) => {
            const dice = new it.Dice(each);
            const hash = (seed, seat) => seed === null ? null : it.seedHash(each.id, seat, seed);
            return {
                commitment: await dice.commitment(),
                hashes: await Promise.all(each.seeds.map(hash)),
                numbers: await Promise.all(each.totals.map((total, index) => dice.below(index, total))),
            };
        }));""",
        given,
    )
    for (dice, totals), here in zip(cases, found, strict=True):
        assert here["commitment"] == dice.commitment
        assert here["hashes"] == list(dice.seed_hashes)
        assert here["numbers"] == [dice.below(index, total) for index, total in enumerate(totals)]


def test_weights_take_their_numbers_in_order(run):
    dice = Dice(bytes(range(32)), "table-7", ("Ann", "Bob"))
    outcomes = [["black", 3], ["red", 2], ["blue", 1]]
    due = run(
        "lib/dice",
        """const dice = new it.Dice(given.dice);
        return Promise.all(Array.from({ length: 60 }, (_, index) => dice.due(index, given.outcomes)));""",
        {
            "dice": {"id": dice.id, "faces": 0, "secret": dice.secret.hex(), "seeds": dice.seeds},
            "outcomes": outcomes,
        },
    )
    numbers = ["black", "black", "black", "red", "red", "blue"]
    assert due == [numbers[dice.below(index, 6)] for index in range(60)]
    assert set(due) == {"black", "red", "blue"}


# --- honest games -------------------------------------------------------------------------------------


@pytest.mark.parametrize("short", DICE_GAMES, ids=lambda short: short.game)
def test_an_honest_game_is_proved_by_the_page_itself(visit, play, short):
    ada, ben = visit(), visit()
    opened = ada.open(short.game, [ME, {"kind": "link"}], short.options)
    ben.join(opened["table"], opened["seats"][1]["key"])

    def reload_once(made: int) -> None:
        if made >= 5 and not reloaded:
            reloaded.append(made)
            ben.reload()  # its notes outlive the page

    reloaded: list[int] = []
    play([ada, ben], short.chooser(), reload_once)
    for visitor in (ada, ben):
        assert PROVED in verdict(visitor)
    assert not any("/proof" in url for url in (*ada.requested, *ben.requested))  # nobody was asked


def test_commitment_and_seed_can_be_written_down_before_the_end(visit):
    ada = visit()
    ada.open("tryad", [ME, HERE])
    ada.until(lambda: ada.my_turn, "a turn")
    ada.page.get_by_role("tab", name="Table").click()
    notes = ada.page.locator("#panel-table .dice-notes")
    assert notes.get_by_label("Commitment of the dice").input_value() == ada.table["dice"]["commitment"]

    def public_seeds() -> list[list[str]]:
        told = [json.loads(frame) for frame in ada.frames]
        seeds = [message["dice"]["seeds"] for message in told if message["type"] == "dice"]
        return [given for given in seeds if all(given)]

    ada.until(public_seeds, "the seeds")
    assert [field.input_value() for field in notes.get_by_label("Your seed").all()] == public_seeds()[0]
    assert "1, 2, 3, and 4" in notes.inner_text()


def test_the_command_that_the_page_shows_proves_the_record(visit, play, tmp_path, monkeypatch, capsys):
    ada = visit()
    table = practice(ada, play)
    assert PROVED in verdict(ada)
    assert ada.page.locator(".toast.bad").count() == 0
    ada.button("Verify the dice").click()
    dialog = ada.page.get_by_role("dialog")
    assert PROVED in dialog.inner_text()
    program, *arguments = dialog.get_by_label("To check the game record elsewhere").input_value().split()
    answer = ada.page.request.get(f"{ada.base}/api/v1/tables/{table}/record")
    monkeypatch.chdir(tmp_path)
    (tmp_path / arguments[1]).write_bytes(answer.body())
    assert program == "triskele"
    assert "--seed" in arguments
    assert main(arguments) == 0
    assert main([*arguments, "--seed", "1=another"]) == 1
    assert "Dice verified" in capsys.readouterr().out


def test_who_comes_late_is_told_what_the_browser_cannot_know(visit, play):
    ada, eve = visit(), visit()
    opened = ada.open("tryad", [ME], PRACTICE)
    play([ada], lambda player: min(player.moves()))
    eve.join(opened["table"], opened["watch"])
    said = verdict(eve)
    assert "computed again by this browser" in said
    assert "not here before the first roll" in said
    assert "No seed of this browser" in said
    assert PROVED not in said


@pytest.fixture
def at_the_urn(browser, tmp_path, chance_games) -> Iterator[Visitor]:
    """A visitor of a server with a game whose chances are not equal, and change with every draw."""
    running = Server(tmp_path / "data", chance_games)
    visitor = Visitor(browser.new_context(locale="en-GB", reduced_motion="reduce"), running.url)
    yield visitor
    visitor.context.close()
    running.stop()
    assert not visitor.problems


def test_unequal_chances_are_computed_from_what_the_server_says_of_each_draw(at_the_urn, play):
    ada = at_the_urn
    opened = ada.open("urn", [ME, HERE], {"red": 4, "black": 2})
    play([ada], lambda player: min(player.moves()))
    said = verdict(ada)
    assert "All 6 rolls were computed again by this browser, and they fit." in said
    assert "What each roll could bring is what the server says." in said
    answer = ada.page.request.get(f"{ada.base}/api/v1/tables/{opened['table']}/proof").json()
    assert dict(answer["outcomes"][0]) == {"black": 2, "red": 4}
    assert sum(weight for _, weight in answer["outcomes"][-1]) == 1


# --- cheats -------------------------------------------------------------------------------------------


def test_a_server_that_swaps_a_seed_is_found_out(visit, play):
    """It is the one that the server's own proof calls proved."""
    ada = visit()

    def swap(message: Json) -> None:
        if message["type"] == "seed":
            message["seed"] = "chosen by the server"

    cheat(ada, asked=swap)
    table = practice(ada, play)
    said = verdict(ada)
    assert BAD in said
    assert "The seed of player 1 is not the one that this browser gave." in said
    assert ada.page.request.get(f"{ada.base}/api/v1/tables/{table}/proof").json()["proved"]
    ada.button("Verify the dice").click()
    assert BAD in ada.page.get_by_role("dialog").inner_text()


def test_a_server_that_swaps_a_seed_and_denies_it_is_found_out(visit, play):
    ada = visit()
    given: list[str] = []

    def swap(message: Json) -> None:
        if message["type"] == "seed":
            given.append(message["seed"])
            message["seed"] = "chosen by the server"

    def deny(message: Json) -> None:
        if message.get("dice") and given and message["dice"]["seeds"][0]:
            message["dice"]["seeds"][0] = given[0]

    cheat(ada, told=deny, asked=swap)
    practice(ada, play)
    assert "The seed of player 1 is not the one that was announced before the first roll." in verdict(ada)


def test_a_server_that_rolls_what_it_likes_is_found_out(visit, play):
    ada = visit()

    def fours(message: Json) -> None:
        if message["type"] == "moved" and message["seat"] == "chance":
            message["move"] = "4"

    cheat(ada, told=fours)
    practice(ada, play)
    said = verdict(ada)
    assert BAD in said
    assert "but was 4." in said


def test_a_server_that_tells_other_rolls_later_is_found_out_at_once(visit):
    ada = visit()
    cheating: list[str] = []

    def rewrite(message: Json) -> None:
        if message["type"] == "table" and cheating:
            for made in message["moves"]:
                if made["seat"] == "chance":
                    made["move"] = "4" if made["move"] != "4" else "1"

    cheat(ada, told=rewrite)
    ada.open("tryad", [ME, HERE])
    ada.until(lambda: ada.my_turn, "a turn")
    ada.make(min(ada.moves()))
    cheating.append("now")
    ada.reload()
    ada.page.locator(".toast.bad", has_text="and was changed later").first.wait_for()


def test_a_server_that_changes_its_commitment_is_found_out_at_once(visit):
    ada = visit()

    def recommit(message: Json) -> None:
        if message["type"] == "dice":
            message["dice"]["commitment"] = "00" * 32

    cheat(ada, told=recommit)
    ada.open("tryad", [ME, HERE])
    ada.page.locator(".toast.bad", has_text="The commitment is not the one from the beginning.").wait_for()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"secret": "00" * 32}, "The secret does not match the commitment."),
        ({"secret": None}, "The server does not tell the secret of the dice."),
        ({"faces": 2, "outcomes": [["3", 1], ["4", 1]]}, "The die does not have the faces from the beginning."),
    ],
)
def test_a_server_that_ends_with_other_dice_is_found_out(visit, play, change, said):
    ada = visit()

    def end(message: Json) -> None:
        if message["type"] == "dice" and message["dice"].get("secret"):
            message["dice"].update(change)

    cheat(ada, told=end)
    practice(ada, play)
    shown = ada.page.locator(".result .verdict", has_text=said)
    shown.wait_for()


def test_an_engine_that_gives_a_seed_is_found_out(run):
    """Who knows the secret could choose the seed of an engine."""
    dice = Dice(bytes(32), "t", ("mine", "chosen"), 4)
    faults = run(
        "table/dice-notes",
        """const notes = new it.DiceNotes("an-engine-with-a-seed");
        const seats = [{ seat: 0, kind: "me" }, { seat: 1, kind: "engine" }];
        const model = { dice: given, moves: [], seats, over: true };
        return (await notes.check(model, async () => [])).faults;""",
        {
            "id": "t",
            "faces": 4,
            "commitment": dice.commitment,
            "seed_hashes": dice.seed_hashes,
            "seeds": dice.seeds,
            "secret": dice.secret.hex(),
            "outcomes": [[str(face), 1] for face in range(1, 5)],
        },
    )
    assert faults == [{"key": "engine", "seat": 2}]
