"""P11: who gives up is out, as after a failed announcement, and the others play on."""

import pytest

import triskele
from triskele.core.errors import IllegalMove
from triskele.core.records import Record


def _game(players, *moves):
    position = triskele.new("tryptic", players=players)
    for move in moves:
        position.push(move)
    return position


def test_P11_the_turn_goes_to_the_next_who_is_in_and_the_pattern_is_shown():
    game = _game(3, "=BBB", "=GGR", "=RWY", "Be5")
    game.push("x1")
    assert game.turn == 1
    assert game.movers[-1] == 0
    assert game.moves_seen_by(2)[:2] == ["=BBB", "=***"]
    assert triskele.position(str(game)) == game


def test_P11_somebody_not_to_act_can_give_up_and_is_passed_over():
    game = _game(3, "=BBB", "=GGR", "=RWY", "x2", "Be5", ".")
    assert game.turn == 2


def test_P11_before_the_patterns_are_chosen():
    game = _game(3, "x2", "=BBB")
    assert game.turn == 2
    assert triskele.position(str(game)) == game
    game.push("=RWY")
    assert game.turn == 0
    assert triskele.position(str(game)) == game


def test_P8_P11_the_last_one_in_wins_even_before_choosing():
    game = _game(3, "x1", "x2")
    assert game.outcome().winners == (2,)
    assert triskele.position(str(game)) == game


def test_P10_P11_whoever_is_left_on_a_full_board_may_all_have_passed():
    game = _game(3, "=BBB", "=GGR", "=RWY")
    names = [move.text for move in game.legal_moves if len(move.text) == 3 and move.text[0] in "BGRWY"]
    hexes = sorted({name[1:] for name in names})
    for number, place in enumerate(hexes):
        colour = next(c for c in "BGRWY"[number % 5 :] + "BGRWY" if f"{c}{place}" in {m.text for m in game.legal_moves})
        game.push(f"{colour}{place}")
        game.push(".")
    game.push(".")
    game.push(".")
    game.push(f"x{game.turn + 1}")
    assert game.outcome().reason == "full"


def test_giving_up_is_no_move_that_anybody_is_asked_for():
    game = _game(3, "=BBB", "=GGR", "=RWY")
    assert not [move for move in (*game.legal_moves, *game.interrupts) if move.text.startswith("x")]
    assert [game.resignation(seat).text for seat in range(3)] == ["x1", "x2", "x3"]
    assert _game(2, "=BBB", "=GGR").resignation(0) is None, "with two the game is over"
    game.push("x3")
    assert game.resignation(2) is None
    with pytest.raises(IllegalMove):
        game.push("x3")


def test_records_of_it_replay():
    game = _game(4, "=BBB", "=GGR", "=RWY", "=WWW", "x2", "Be5", ".", "x4", "x3")
    record = Record.from_json(Record.of(game).to_json())
    assert record.replay() == game
    assert record.outcome.winners == (0,)
