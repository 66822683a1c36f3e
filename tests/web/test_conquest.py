"""Conquest in the browser: an attack is one gesture and a number, what is forced makes itself, few clicks a turn."""

import re

from .conftest import Visitor

ATTACK = re.compile(r"(\w+)<(\w+)\*(\d)")


def _centre(visitor: Visitor, token: str) -> tuple[float, float]:
    box = visitor.page.locator(f'.board .place[data-token="{token}"]').bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


class Person:
    """A player who uses the shortest ways, and counts the gestures; ``before`` counts what they once took.

    Then a token from home took a tap, an attack its target, a tap for each token, a button and a confirmation; tokens
    that follow a field and a number; a defence its button and a confirmation; every turn said twice that it was done.
    """

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor
        self.clicks = 0
        self.before = 0
        self.attack_clicks = 0
        self.attack_before = 0

    def click(self, selector: str) -> None:
        self.visitor.page.locator(selector).first.click()
        self.clicks += 1

    def made(self, move: str) -> None:
        """Count a move of the player's as it had to be entered before."""
        attack = ATTACK.fullmatch(move)
        if attack:
            self.before += 1 + int(attack[3]) + 2
        else:
            self.before += 2 if move[0] in "+d" and move != "done" else 1

    def make(self, move: str) -> None:
        """Enter a move by the fewest gestures."""
        before, counted = self.visitor.table["made"], (self.clicks, self.before)
        attack = ATTACK.fullmatch(move)
        if attack:
            self.drag(attack[2], attack[1])
            self.click(f'.actions .go[data-token="{attack[3]}"]')
        elif move.startswith("h"):
            again = self.visitor.page.locator(".actions .repeat")
            if again.count():
                self.put_the_rest(move)
                return
            self.click(f'.board .place.lit[data-token="{move[1:]}"]')
        elif move.startswith("+"):
            self.click(f'.actions .go[data-token="{move.rpartition("*")[2]}"]')
        elif move.startswith("d") and move != "done":
            self.click(f'.actions .go[data-token="{move}"]')
        else:
            self.click(f'.actions [data-token="{move}"]')
            yes = self.visitor.page.locator(".sheet .button.primary")
            self.visitor.until(lambda: self.visitor.table["made"] > before or yes.count(), move)
            if self.visitor.table["made"] == before:
                yes.click()
                self.clicks += 1
        self.visitor.hears_of(before + 1)
        self.made(move)
        if attack or move.startswith("+"):
            self.attack_clicks += self.clicks - counted[0]
            self.attack_before += self.before - counted[1]

    def put_the_rest(self, move: str) -> None:
        """Put the other two tokens where the first went, with one click."""
        before = self.visitor.table["made"]
        self.click(".actions .repeat")
        self.visitor.hears_of(before + 2)
        self.made(move)
        self.made(move)

    def drag(self, source: str, target: str) -> None:
        mouse = self.visitor.page.mouse
        mouse.move(*_centre(self.visitor, source))
        mouse.down()
        mouse.move(*_centre(self.visitor, target), steps=3)
        mouse.up()
        self.clicks += 1


def _choose(moves: list[str], attacks: int) -> str:
    """Reinforce, attack with three from one field as long as there is something to take, move in, and stop."""
    home = [move for move in moves if move.startswith("h")]
    strong = [move for move in moves if (found := ATTACK.fullmatch(move)) and found[3] == "3"]
    follow = sorted((move for move in moves if move.startswith("+")), key=lambda move: int(move.rpartition("*")[2]))
    defences = sorted(move for move in moves if move.startswith("d") and move != "done")
    if attacks < 4 and strong:
        return strong[0]
    return (defences[-1:] or home or follow[-1:] or [move for move in moves if move in ("done", "stay")] or moves)[0]


def test_the_attacks_of_a_game_take_at_most_half_of_the_clicks_that_they_took(visit):
    person = Person(visit())
    while person.attack_before < 20:
        _play_short_game(person)
    # All of a game is about half: how often one has to defend, and can attack at all, is up to the dice.
    print(f"{person.clicks} clicks, where it took {person.before}")
    assert person.attack_clicks <= person.attack_before / 2
    assert person.clicks < person.before


def _play_short_game(person: Person) -> None:
    ada, attacks = person.visitor, 0
    ada.open("conquest", [{"kind": "me", "name": "Ada"}, {"kind": "engine", "level": 5}], {"rounds": 3})
    while not ada.over:
        ada.until(lambda: ada.over or ada.my_turn, "the turn")
        if ada.over:
            break
        moves = list(ada.moves())
        if len(moves) == 1:  # it is made by itself
            ada.hears_of(ada.table["made"] + 1)
            person.made(moves[0])
            continue
        move = _choose(moves, attacks)
        attacks = 0 if move == "done" else attacks + ("<" in move)
        ada.until_asked() if "<" in move or move[0] == "h" else ada.page.locator(".actions button").first.wait_for()
        person.make(move)


def test_the_odds_follow_the_slider_and_nothing_asks_again(visit):
    ada = visit()
    ada.open("conquest", [{"kind": "me", "name": "Ada"}, {"kind": "here", "name": "Ben"}])
    ada.until(lambda: ada.my_turn, "the first turn")
    seat = ada.table["turn"] + 1
    person, begun = Person(ada), ada.table["made"]
    ada.until_asked()
    person.make(f"h{seat}c3")
    ada.page.locator(".actions .repeat").wait_for()
    person.put_the_rest(f"h{seat}c3")
    assert person.clicks == 2
    made = begun + 3
    ada.until(lambda: ada.table["made"] == made + 1, "the only possibility to be taken by itself")
    assert ada.page.get_by_text("Nothing else was possible").count()
    ada.until_asked()
    person.drag(f"{seat}c3", f"{seat}c4")
    odds = ada.page.locator(".strip.asked .status")
    ada.until(lambda: "%" in odds.inner_text(), "the odds")
    with_three = odds.inner_text()
    ada.page.locator(".actions .amount").focus()
    ada.page.keyboard.press("ArrowLeft")
    ada.until(lambda: "%" in odds.inner_text() and odds.inner_text() != with_three, "other odds")
    ada.page.locator(".actions .go").click()
    ada.until(lambda: ada.table["made"] > made + 1, "the attack, without a question")


def test_all_odds_of_an_attack_are_read_on_a_phone(visit):
    ada = visit(viewport={"width": 390, "height": 844}, locale="de-DE")
    ada.open("conquest", [{"kind": "me", "name": "Ada"}, {"kind": "here", "name": "Ben"}])
    ada.until(lambda: ada.my_turn, "the first turn")
    seat = ada.table["turn"] + 1
    person = Person(ada)
    ada.until_asked()
    person.make(f"h{seat}c3")
    ada.until_asked()
    person.click('.actions [data-token="done"]')
    ada.until(lambda: any("<" in move for move in ada.moves()), "the attacks")
    ada.until_asked()
    person.drag(f"{seat}c3", f"{seat}c4")
    odds = ada.page.locator(".strip.asked .status")
    ada.until(lambda: "Feld in diesem Zug" in odds.inner_text(), "the odds")
    assert odds.evaluate("words => words.scrollHeight <= words.clientHeight + 1"), odds.inner_text()


def test_what_was_taken_back_is_not_forced_again(visit):
    ada = visit()
    ada.open("conquest", [{"kind": "me", "name": "Ada"}, {"kind": "here", "name": "Ben"}])
    ada.until(lambda: ada.my_turn, "the first turn")
    seat = ada.table["turn"] + 1
    person, begun = Person(ada), ada.table["made"]
    ada.until_asked()
    person.make(f"h{seat}c3")
    ada.page.locator(".actions .repeat").wait_for()
    person.put_the_rest(f"h{seat}c3")
    assert person.clicks == 2
    made = begun + 3
    ada.until(lambda: ada.table["made"] == made + 1, "the only possibility to be taken by itself")
    ada.until_asked()
    ada.button("Undo").click()
    ada.until(lambda: ada.table["made"] <= made, "the move taken back")
    ada.page.wait_for_timeout(800)
    assert ada.table["made"] <= made


def _until_attacked(person: Person) -> list[str]:
    """Play at one screen towards the other's board until somebody may choose how to defend; return the choices."""
    ada = person.visitor
    ada.open("conquest", [{"kind": "me", "name": "Ada"}, {"kind": "here", "name": "Ben"}], {"purse": 12})
    while True:
        ada.until(lambda: ada.over or ada.my_turn, "the turn")
        if ada.over:  # the dice were against every attack, as in one game of thirty
            return _until_attacked(person)
        moves = list(ada.moves())
        if len(moves) == 1:  # it is made by itself
            ada.hears_of(ada.table["made"] + 1)
            continue
        if all(re.fullmatch(r"d[1-3]", move) for move in moves):
            return moves
        # Towards the other's board, field by field.
        across = [move for move in moves if (found := ATTACK.fullmatch(move)) and found[1][0] != found[2][0]]
        move = across[-1] if across else _choose(moves, 0)
        ada.until_asked() if "<" in move or move[0] == "h" else ada.page.locator(".actions button").first.wait_for()
        person.make(move)


def test_a_defence_is_one_tap_with_its_odds_in_sight(visit):
    ada = visit()
    person = Person(ada)
    moves = _until_attacked(person)
    odds = ada.page.locator(".strip.asked .status")
    ada.until(lambda: "%" in odds.inner_text(), "the odds of a defence with all")
    made, person.clicks = ada.table["made"], 0
    person.click(f'.actions .go[data-token="{max(moves)}"]')
    ada.until(lambda: ada.table["made"] > made, "the defence, without a question")
    assert person.clicks == 1


def test_the_turn_of_the_computer_is_told_step_by_step_and_can_be_read_again(visit):
    ada = visit()
    ada.open("conquest", [{"kind": "me", "name": "Ada"}, {"kind": "engine", "level": 5}])
    story = ada.page.locator(".strips.above .strip").get_by_role("button", name="What happened?")
    while not story.count():
        ada.until(lambda: ada.over or ada.my_turn or story.count(), "a turn")
        assert not ada.over
        if ada.my_turn and not story.count():
            moves = list(ada.moves())
            if len(moves) == 1:
                ada.hears_of(ada.table["made"] + 1)
            else:
                ada.make("done" if "done" in moves else moves[0])
    story.click()
    lines = ada.page.locator(".story li")
    told = lines.all_inner_texts()
    assert any("New token on" in words or "ttack on" in words for words in told), told
    assert not any("{" in words for words in told)
    ada.page.keyboard.press("Escape")
    assert not ada.page.locator("dialog").count()
