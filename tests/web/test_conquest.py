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
    that follow a field and a number; a defence its button and a confirmation; a triple a button, its fields, one of
    them again and a number; every turn said twice that it was done.
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
        else:
            self.click(f'.actions [data-token="{move}"]')
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
        self.pull(_centre(self.visitor, source), target)

    def drag_hand(self, target: str) -> None:
        """Drag what is in hand, which lies below the boards on the left."""
        page = self.visitor.page
        self.pull(page.evaluate(_HAND), target)

    def pull(self, start: tuple[float, float], target: str) -> None:
        mouse = self.visitor.page.mouse
        mouse.move(*start)
        mouse.down()
        mouse.move(*_centre(self.visitor, target), steps=3)
        mouse.up()
        self.clicks += 1


_HAND = """() => {
  const board = document.querySelector(".board");
  const tokens = [...board.querySelectorAll('use[href^="#conquest-token"]')];
  const low = tokens.map((use) => use.getBoundingClientRect()).sort((a, b) => b.top - a.top || a.left - b.left)[0];
  return [low.left + low.width / 2, low.top + low.height / 2];
}"""


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


def _begin(ada: Visitor) -> tuple[Person, int]:
    """Open a table for two at one screen; return who begins, and the seat from 1."""
    ada.open("conquest", [{"kind": "me", "name": "Ada"}, {"kind": "here", "name": "Ben"}])
    ada.until(lambda: ada.my_turn, "the first turn")
    ada.until_asked()
    return Person(ada), ada.table["turn"] + 1


def _reinforce_home(person: Person, seat: int) -> int:
    """Put three tokens on the home, by a tap and a click; return how many moves there are before the forced one."""
    ada, begun = person.visitor, person.visitor.table["made"]
    person.make(f"h{seat}c3")
    ada.page.locator(".actions .repeat").wait_for()
    person.put_the_rest(f"h{seat}c3")
    assert person.clicks == 2
    ada.until(lambda: ada.table["made"] == begun + 4, "the only possibility to be taken by itself")
    return begun + 3


def test_all_tokens_in_hand_are_dragged_to_a_field_at_once(visit):
    ada = visit()
    person, seat = _begin(ada)
    begun = ada.table["made"]
    person.drag_hand(f"{seat}c3")
    ada.until(lambda: ada.table["made"] == begun + 4, "three tokens, and the end of reinforcing")
    home = ada.page.locator(f'.board .place[data-token="{seat}c3"]')
    ada.until(lambda: "7 tokens" in (home.get_attribute("aria-label") or ""), "all of them on the home")
    assert person.clicks == 1


def test_the_odds_follow_the_slider_and_nothing_asks_again(visit):
    ada = visit()
    person, seat = _begin(ada)
    made = _reinforce_home(person, seat)
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
    person, seat = _begin(ada)
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
    person, seat = _begin(ada)
    made = _reinforce_home(person, seat)
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


def _until_triple(person: Person) -> tuple[str, str]:
    """Play at one screen until a triple can be used; return a move that uses one, and the field of its tokens."""
    ada = person.visitor
    seats = [{"kind": "me", "name": "Ada"}, {"kind": "here", "name": "Ben"}]
    ada.open("conquest", seats, {"layout": "2/222/22222/2222222"})
    attacks = 0
    while True:
        ada.until(lambda: ada.my_turn, "the turn")
        moves = list(ada.moves())
        if len(moves) == 1:  # it is made by itself
            ada.hears_of(ada.table["made"] + 1)
            continue
        triples = [move for move in moves if re.fullmatch(r"t.*\*2", move)]
        ada.until_asked() if moves[0][0] in "ht" else ada.page.locator(".actions button").first.wait_for()
        if triples:
            return triples[0], triples[0].partition(">")[2].partition("*")[0]
        move = _choose(moves, attacks)
        attacks = 0 if move == "done" else attacks + ("<" in move)
        person.make(move)


def test_all_tokens_of_a_triple_are_dragged_to_a_field_and_can_be_taken_back(visit):
    ada = visit()
    person = Person(ada)
    _, field = _until_triple(person)
    made, person.clicks = ada.table["made"], 0
    spoken = ada.page.locator(f'.board .place[data-token="{field}"]')
    before = spoken.get_attribute("aria-label")
    person.drag("t", field)
    ada.until(lambda: ada.table["made"] == made + 1, "the triple, by one gesture")
    ada.until(lambda: spoken.get_attribute("aria-label") != before, "its tokens on the field")
    assert person.clicks == 1
    ada.button("Undo").click()
    ada.until(lambda: spoken.get_attribute("aria-label") == before, "the tokens taken back")


def test_a_triple_is_its_field_and_a_number_where_there_is_only_one(visit):
    ada = visit()
    person = Person(ada)
    move, field = _until_triple(person)
    ada.button("Reinforce with a triple").click()
    asked = ada.page.locator(".strip.asked .status")
    ada.until(lambda: asked.inner_text() == "Which field of a triple gets the tokens?", "the question for its field")
    ada.page.locator(f'.board .place.lit[data-token="{field}"]').press("Enter")
    if len({each.partition(">")[0] for each in ada.moves() if f">{field}*" in each}) == 1:
        said = f"Triple {move[1:].partition('>')[0].replace('+', ', ')}: how many tokens on {field}?"
        ada.until(lambda: asked.inner_text() == said, "the triple by name")
    else:
        others = [other for other in move[1:].partition(">")[0].split("+") if other != field]
        for other in others:
            if not ada.is_chosen(other):
                ada.page.locator(f'.board .place.lit[data-token="{other}"]').click()
    made = ada.table["made"]
    ada.page.locator(".actions .go").click()
    ada.until(lambda: ada.table["made"] == made + 1, "the triple")


def test_a_defence_is_one_tap_with_its_odds_in_sight(visit):
    ada = visit()
    person = Person(ada)
    moves = _until_attacked(person)
    buttons = ada.page.locator(".actions .choice")
    ada.until(lambda: all("%" in words for words in buttons.all_inner_texts()), "the odds of every defence")
    assert buttons.count() == len(moves)
    assert "attacks" in ada.page.locator(".strip.asked .status").inner_text()
    made, person.clicks = ada.table["made"], 0
    person.click(f'.actions [data-token="{min(moves)}"]')
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
