"""From typed lines to moves."""

import triskele
from triskele.cli.formatting import natural_sorted
from triskele.cli.move_input import completions, read_move_input

RINGS = ("e5", "b2", "f6", "c3", "g7", "d6", "h8", "e8", "i9", "j7")


def yinsh() -> triskele.Position:
    position = triskele.new("yinsh")
    for ring in RINGS:
        position.push(ring)
    return position


def test_whole_text_is_a_move():
    assert read_move_input(yinsh(), (), " e5-e7 ").move.text == "e5-e7"


def test_tokens_in_one_line_are_a_move():
    assert read_move_input(yinsh(), (), "e5 e7").move.text == "e5-e7"


def test_tokens_one_after_the_other():
    first = read_move_input(yinsh(), (), "e5")
    assert first.tokens == ("e5",)
    assert "e7" in first.next
    assert "b2" not in first.next
    assert read_move_input(yinsh(), first.tokens, "e7").move.text == "e5-e7"


def test_whole_text_counts_although_tokens_are_pending():
    assert read_move_input(yinsh(), ("f6",), "e5-e7").move.text == "e5-e7"


def test_refusals_say_why():
    assert "not a point of the board" in read_move_input(yinsh(), (), "e5-e12").reason
    assert read_move_input(yinsh(), ("e5",), "e8 e9").reason
    assert read_move_input(yinsh(), (), "e5 zz").reason
    assert "zz" in read_move_input(yinsh(), (), "zz").reason


def test_completion_of_tokens():
    assert completions(yinsh(), (), "", "") == ["e5 ", "f6 ", "g7 ", "h8 ", "i9 "]
    assert completions(yinsh(), (), "", "f") == ["f6 "]
    following = completions(yinsh(), (), "e5 ", "e")
    assert "e7" in following
    assert all(token.startswith("e") and not token.endswith(" ") for token in following)
    assert completions(yinsh(), ("e5",), "", "e") == following


def test_completion_of_texts():
    found = completions(yinsh(), (), "", "e5-e")
    assert "e5-e7" in found
    assert all(written.startswith("e5-e") for written in found)
    assert completions(yinsh(), (), "", "q") == []


def test_people_count_f9_before_f10():
    assert natural_sorted(["f10", "f9", "e1", "f2-f10", "f2-f9"]) == ["e1", "f2-f9", "f2-f10", "f9", "f10"]
