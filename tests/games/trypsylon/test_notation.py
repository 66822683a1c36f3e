"""The texts of TRYPSYLON: moves, positions, and what is refused."""

import random
from collections.abc import Iterator

import pytest

import triskele
from tests.games.trypsylon.helpers import ALL_NE, SHUFFLE, at, play, texts
from tests.support.fuzz import read_or_refuse
from triskele.core.errors import RecordError
from triskele.core.words import LANGUAGES, say, text
from triskele.games.trypsylon import GAME, notation, rules


@pytest.mark.parametrize("options", GAME.option_sets, ids=str)
def test_positions_read_back_at_every_decision(options):
    rng = random.Random(3)
    for _ in range(3):
        position = triskele.new("trypsylon", **options)
        while True:
            line = str(position)
            read = triskele.position(line)
            assert str(read) == line
            assert read.turn == position.turn
            assert texts(read) == texts(position)
            assert read.outcome() == position.outcome()
            if position.turn is None:
                break
            position.push(rng.choice(position.legal_moves))


def damaged(line: str, rng: random.Random) -> str:
    """The line with something changed, as a person or an attacker might."""
    characters = list(line)
    for _ in range(rng.randint(1, 3)):
        i = rng.randrange(len(characters))
        kind = rng.randrange(4)
        if kind == 0:
            characters[i] = rng.choice("~_NESW/ =,*0123456789abcdef\u0661\n")
        elif kind == 1:
            del characters[i]
        elif kind == 2:
            characters.insert(i, rng.choice("~_NESW/ =,*09af"))
        else:
            j = rng.randrange(len(characters))
            characters[i], characters[j] = characters[j], characters[i]
    return "".join(characters)


def games_to_damage() -> Iterator[str]:
    rng = random.Random(11)
    for options in GAME.option_sets:
        position = triskele.new("trypsylon", **options)
        while position.turn is not None:
            position.push(rng.choice(position.legal_moves))
            yield str(position)
    position = at(ALL_NE, "beach barred=c5")
    for move in (SHUFFLE + " " + SHUFFLE).split():
        position.push(move)
        yield str(position)


def test_damaged_texts_are_refused_or_read_as_they_stand():
    rng = random.Random(12)
    refused = 0
    lines = list(games_to_damage())
    for line in lines:
        for _ in range(4):
            text = damaged(line, rng)
            position = read_or_refuse(triskele.position, text)
            if position is None:
                assert text != line
                refused += 1
                continue
            assert str(position).partition(": ")[2] == text.strip().partition(": ")[2]
            assert (position.turn is None) == (not position.legal_moves)
    assert refused > len(lines)


WET = "/".join(5 * [5 * "~~"])


ONE_UP = WET.replace("~~~~~~~~~~", "~~~~NE~~~~", 1)


GAP = WET.replace("~~", "__", 1)


NE_ROWS = "/".join(5 * [5 * "NE"])


JOINED = "/".join([*4 * [5 * "~~"], "SESWSESWSE"])


@pytest.mark.parametrize(
    ("body", "key"),
    [
        ("x", "read-form"),
        (WET, "read-form"),
        (WET[:-11] + " beach", "read-rows"),
        (WET.replace("~~", "xx", 1) + " beach", "read-row"),
        (WET + "~~ beach", "read-row"),
        (WET + "~ beach", "read-row"),
        (WET + " red", "read-status"),
        (WET + " meadow", "read-start"),
        (WET + " beach-won", "read-start"),
        (WET + " drawn", "read-start"),
        (ONE_UP + " beach barred=c5", "read-start"),
        (WET + " beach hand=~~", "read-hand"),
        (GAP + " beach", "read-hand"),
        (GAP + " beach hand=~~~~", "read-hand"),
        (GAP.replace("~~", "__", 1) + " beach hand=~~", "read-hand"),
        (GAP.replace("~~", "__", 1) + " beach hand=~~~~", "read-double"),
        (WET + " beach hand=ne", "read-word"),
        (WET + " beach pushed", "read-word"),
        (WET + " beach sinking", "read-word"),
        (WET + "  beach", "read-status"),
        (WET + " beach barred=g1", "read-word"),
        (WET + " beach barred=a1", "read-barred"),
        (WET + " beach double", "read-double"),
        (ONE_UP + " meadow", "read-barred"),
        (ONE_UP + " meadow barred=a5", "read-barred"),
        (ONE_UP + " meadow barred=f5", "read-barred"),
        (ONE_UP + " meadow barred=c5 double", "read-double"),
        (ONE_UP.replace("~~", "__", 1) + " meadow hand=~~ pushed", "read-double"),
        (NE_ROWS + " beach barred=b2", "read-barred"),
        (NE_ROWS + " beach barred=c5 double", "read-double"),
        (NE_ROWS.replace("NE", "__", 1) + " beach hand=SE barred=a5", "read-barred"),
        (NE_ROWS + " double beach", "read-status"),
        (NE_ROWS.replace("NE", "~~", 8) + " beach double barred=a1", "read-form"),
        (NE_ROWS + " beach-won barred=c5", "read-no-path"),
        (NE_ROWS.replace("NE", "__", 1) + " drawn hand=NE barred=c5", "read-over"),
        (JOINED + " beach barred=a1", "read-path"),
        (JOINED.replace("SE", "__", 1) + " beach hand=SE barred=b1", "read-path"),
        (JOINED + " meadow-won barred=a1", "read-no-path"),
        (WET + " beach seen=1f", "read-word"),
        (NE_ROWS + " drawn barred=c5 seen=1f", "read-word"),
        (NE_ROWS + " beach barred=c5 seen=", "read-word"),
        (NE_ROWS + " beach barred=c5 seen=1f", "read-seen"),
        (NE_ROWS + " beach barred=c5 seen=xyz", "read-seen"),
        (NE_ROWS + " beach barred=c5 seen=" + 40 * "f", "read-seen"),
    ],
)
def test_positions_that_cannot_be_are_refused(body, key):
    with pytest.raises(RecordError) as error:
        triskele.position(f"trypsylon: {body}")
    assert error.value.text.key == f"trypsylon.{key}"


@pytest.mark.parametrize(
    ("options", "body", "key"),
    [
        ("repetition=0", NE_ROWS + " drawn barred=c5", "read-drawn"),
        ("expert=true", ONE_UP + " meadow barred=c5", "read-double"),
        ("expert=true", WET + " beach double", "read-double"),
        ("expert=true", NE_ROWS + " beach barred=c5 double", "read-double"),
    ],
)
def test_positions_that_cannot_be_under_options_are_refused(options, body, key):
    with pytest.raises(RecordError) as error:
        triskele.position(f"trypsylon {options}: {body}")
    assert error.value.text.key == f"trypsylon.{key}"


def test_T16_an_impossible_history_is_refused():
    position = play(at(ALL_NE, "beach barred=c5"), SHUFFLE + " b3 W3/NE")
    line, _, seen = str(position).partition(" seen=")
    numbers = seen.split(",")
    assert len(numbers) == 2
    [twice] = [number for number in numbers if number.endswith("*2")]
    [once] = [number for number in numbers if not number.endswith("*2")]
    for wrong in (twice, f"{twice[:-1]}1,{once}", once + "*2", f"{once},{twice[:-2]}*3", f"{twice[::-1]},{once}"):
        with pytest.raises(RecordError):
            triskele.position(f"{line} seen={wrong}")
    assert str(triskele.position(f"{line} seen={seen}")) == str(position)
    for shorter in (twice[:-2], once + "," + twice[:-2]):
        text = ",".join(sorted(shorter.split(","), key=lambda number: int(number, 16)))
        read = triskele.position(f"{line} seen={text}")
        assert str(read) == f"{line} seen={text}"


def test_moves_are_texts_and_tokens():
    position = triskele.new("trypsylon")
    assert position.complete([]).next[:3] == ("a1", "a2", "a3")
    assert position.complete(["b3"]).move.text == "b3"
    position.push("b3")
    assert position.complete([]).next == ("E3", "Nb", "Sb", "W3")
    assert position.complete(["Nb"]).next == ("NE", "NW", "SE", "SW")
    assert position.complete(["Nb", "SW"]).move.text == "Nb/SW"
    assert "NE, SE, SW or NW" in position.complete(["Nb", "N"]).reason
    assert "no vacant cell" in position.complete(["Nc"]).reason
    for code in range(rules.ACTIONS):
        text = notation.move_text({}, code)
        assert text == "/".join(notation.move_tokens({}, code)[0])
    assert len({notation.move_text({}, code) for code in range(rules.ACTIONS)}) == rules.ACTIONS


EVERY_LANGUAGE = pytest.mark.parametrize("language", LANGUAGES)


def refusals() -> Iterator[tuple[triskele.Position, str, str]]:
    """Positions, what is tried there, and why it must not be."""
    new = triskele.new("trypsylon")
    yield new, "B3", "why-spelling"
    yield new, " b3", "why-spelling"
    yield new, "f6", "why-no-cell"
    yield new, "a9", "why-no-cell"
    yield new, "Nb/SW", "why-nothing-in-hand"
    yield new, "back", "why-nothing-back"
    yield new, "Nf/SW", "why-no-line"
    yield new, "N3/SW", "why-no-line"
    lifted = play(new.copy(), "b3")
    yield lifted, "b3", "why-vacant"
    yield lifted, "a1", "why-first-simple"
    yield lifted, "back", "why-touch-move"
    yield lifted, "Nb", "why-direction"
    yield lifted, "Nb/N", "why-direction"
    yield lifted, "Nc/SW", "why-no-gap"
    yield play(new.copy(), "a1"), "Sa/SW", "why-edge-vacant"
    second = play(lifted.copy(), "Nb/SW")
    yield second, "b5", "why-barred"
    yield play(second.copy(), "a1"), "c1", "why-no-double"
    double = play(second.copy(), "a1 Na/NE b5 Sb/NE a2")
    yield double, "a5", "why-second-up"
    yield play(double.copy(), "a3"), "c3", "why-hands-full"
    yield play(double.copy(), "a3 E2/NE"), "c3", "why-hands-full"
    yield play(double.copy(), "a3 E2/NE"), "back", "why-push-stands"
    yield play(second.copy(), "a1 Na/NE b5"), "c3", "why-open-alone"
    yield play(at(ALL_NE.replace("NE", "~~", 2), "beach barred=c5"), "a5"), "b5", "why-endgame"
    yield play(triskele.new("trypsylon", expert=True), "b3 Nb/SW a1"), "Na/NE", "why-second-first"


@EVERY_LANGUAGE
def test_refusals_say_why(language):
    for position, written, key in refusals():
        with pytest.raises(triskele.IllegalMove) as error:
            position.push(written)
        why = error.value.text.values["why"]
        assert why.key == f"trypsylon.{key}", written
        words = say(why, language)
        assert words
        assert "{" not in words
        assert words != why.key


@EVERY_LANGUAGE
def test_what_is_asked(language):
    new, expert = triskele.new("trypsylon"), triskele.new("trypsylon", expert=True)
    second = play(triskele.new("trypsylon"), "b3 Nb/SW")
    double = play(second.copy(), "a1 Na/NE b5 Sb/NE")
    one_left = at("\n".join([*4 * [5 * "NE "], "~~ NE NE NE NE"]), "beach barred=c5 double", "expert=true")
    loose = play(triskele.new("trypsylon", touch_move=False), "b3")
    positions = [
        (new, "ask-first", {}),
        (second, "ask-take", {"barred": "b5"}),
        (double, "ask-take-or-double", {"barred": "b1"}),
        (play(double.copy(), "a2"), "ask-push-or-second", {}),
        (play(double.copy(), "a2 a3"), "ask-push-first", {}),
        (play(double.copy(), "a2 a3 E2/NE"), "ask-push-second", {}),
        (play(double.copy(), "a5"), "ask-push", {}),
        (play(expert.copy(), "b3 Nb/SW"), "ask-expert-two", {}),
        (play(expert.copy(), "b3 Nb/SW a1"), "ask-second", {}),
        (play(expert.copy(), "b3 Nb/SW a1 a2 Na/NE Na/NE"), "ask-expert", {"barred": "a5"}),
        (one_left, "ask-expert-one", {"barred": "c5"}),
    ]
    for position, key, values in positions:
        assert position.ask(language) == say(text(f"trypsylon.{key}", **values), language)
    assert play(triskele.new("trypsylon"), "b3").ask(language) in loose.ask(language)
    assert play(triskele.new("trypsylon"), "b3").ask(language) != loose.ask(language)


def test_T5_a_note_warns_of_what_an_open_move_allows():
    position = play(triskele.new("trypsylon"), "b3 Nb/SW a1 Na/NE")
    assert "double move" in position.note("b5")
    assert position.note("c1") == ""
    assert at(ALL_NE, "beach barred=c5").note("a1") == ""
    expert = play(triskele.new("trypsylon", expert=True), "b3 Nb/SW a1 a2 Na/NE Na/NE")
    assert expert.note("a4") == ""


def test_the_example_is_won_by_a_double_move():
    position = triskele.new("trypsylon", **GAME.example.options)
    for move in GAME.example.moves:
        position.push(move)
    assert position.turn == 1
    play(position, "b5 b2 Sb/SE W5/NE")
    assert position.outcome() == triskele.Outcome((1,), (-1.0, 1.0), "path")
