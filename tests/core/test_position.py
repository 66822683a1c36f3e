"""Position: moves made and taken back, texts and tokens, what a seat may know, copies, equality, and its errors."""

import dataclasses
import json
import pickle
import random

import numpy as np
import pytest

import triskele
from tests.support.games import last_of, quick, random_positions
from triskele.core import position as module
from triskele.core.contract import CHANCE
from triskele.core.errors import IllegalMove, OptionError, RecordError
from triskele.core.game import games
from triskele.core.moves import Move, Outcome
from triskele.core.position import KnownPosition, Position, new, position, position_of_view
from triskele.core.words import LANGUAGES

EVERY_GAME = pytest.mark.parametrize("game", games(), ids=lambda game: game.name)


@pytest.fixture
def begun(race):
    """A game of Race: both lucky numbers are chosen (1 and 3), a 2 is rolled, seat 0 is to act."""
    pos = Position(race.variant())
    for move in ("=1", "=3", "2"):
        pos.push(move)
    return pos


def some(game, seed=1, moves=20):
    return last_of(random_positions(game.name, seed, moves, **quick(game)))


def texts(moves):
    return [move.text for move in moves]


# --- who and what ---------------------------------------------------------------------------------


def test_who_is_to_act_and_with_what(race):
    pos = Position(race.variant())
    assert (pos.turn, texts(pos.legal_moves), pos.interrupts) == (0, ["=1", "=2", "=3", "=4"], [])
    pos.push("=1")
    assert pos.turn == 1
    pos.push("=3")
    assert (pos.turn, texts(pos.legal_moves), texts(pos.interrupts)) == (CHANCE, ["1", "2", "3", "4"], ["!2"])
    pos.push("2")
    assert (pos.turn, texts(pos.legal_moves), texts(pos.interrupts)) == (0, ["add", "skip"], ["!2"])
    assert texts(pos.moves) == ["=1", "=3", "2"]
    assert pos.movers == [0, 1, CHANCE]


def test_each_seat_has_its_own_moves_and_a_spectator_none(begun):
    assert [texts(begun.moves_of(seat)) for seat in (0, 1, None)] == [["add", "skip"], [], []]
    assert [texts(begun.interrupts_of(seat)) for seat in (0, 1, None)] == [[], ["!2"], []]


def test_an_interrupt_is_its_owner_s_and_the_turn_stays(begun, race):
    move = begun.find("!2")
    assert begun.mover(move) == begun.interrupt_owner(move) == 1
    begun.push(move)
    assert begun.movers[-1] == 1
    assert begun.outcome() == Outcome((0,), (1.0, -1.0), "alone")
    three = Position(race.variant({"players": 3}))
    for move in ("=1", "=1", "=1", "4", "!3"):
        three.push(move)
    assert (three.turn, three.movers[-1]) == (0, 2)


def test_chance_has_outcomes_with_weights_only_when_it_is_to_act(begun):
    assert begun.chance_outcomes() == []
    with pytest.raises(IllegalMove):
        begun.draw(lambda n: 0)
    begun.push("skip")
    assert [(move.text, weight) for move, weight in begun.chance_outcomes()] == [(face, 1) for face in "1234"]
    assert [begun.draw(lambda n, k=k: k).text for k in range(4)] == list("1234")


def test_the_state_that_is_given_out_is_a_copy(begun):
    begun.state[:] = 0
    assert begun.turn == 0
    assert begun == begun.copy()


# --- making moves and taking them back ----------------------------------------------------------------


@EVERY_GAME
def test_a_copy_of_an_earlier_position_and_a_pickled_one_are_the_same_as_taking_back(game):
    pos, rng = Position(game.variant(quick(game))), random.Random(game.name)
    while pos.turn is not None and len(pos.moves) < 30:
        pos.push(pos.draw(rng.randrange) if pos.turn == CHANCE else rng.choice(pos.legal_moves))
    pos.scene()
    back, pickled = pos.copy(), pickle.loads(pickle.dumps(pos))
    for number in range(len(pos.moves), -1, -1):
        for early in (pos.copy(number), pickled):
            assert (early, early.moves, early.movers) == (back, back.moves, back.movers)
            assert (early.scene(), early.outcome()) == (back.scene(), back.outcome())
        if number:
            back.pop()
            pickled.pop()


def test_what_a_seat_knows_can_be_pickled(begun):
    known = pickle.loads(pickle.dumps(KnownPosition(begun.variant, begun.state, ["=1", "=*"])))
    assert known.moves_seen_by(0) == ["=1", "=*"]
    assert str(known) == str(begun)


@EVERY_GAME
def test_push_and_pop_restore_everything(game):
    pos = Position(game.variant(quick(game)))
    rng, trail = random.Random(game.name), []
    while pos.turn is not None and len(trail) < 60:
        trail.append((str(pos), pos.state.tolist(), pos.turn, pos.legal_moves, pos.interrupts, pos.scene(0)))
        pos.push(rng.choice([*pos.legal_moves, *pos.interrupts]))
    made = pos.moves
    for number in range(len(trail) - 1, -1, -1):
        assert pos.pop() == made[number]
        line, state, turn, legal, interrupts, scene = trail[number]
        assert (str(pos), pos.turn, pos.legal_moves, pos.interrupts) == (line, turn, legal, interrupts)
        assert pos.state.tolist()[: len(state)] == state
        assert pos.scene(0) == scene
        assert pos.moves == made[:number]
    with pytest.raises(IllegalMove, match="there is no move to take back"):
        pos.pop()


def test_a_move_is_pushed_as_text_as_move_or_as_an_equal_move_of_another_code(begun):
    twin = begun.copy()
    begun.push("add")
    twin.push(Move("add", code=999, spellings=()))
    assert begun == twin
    assert begun.moves == twin.moves


@pytest.mark.parametrize("wrong", [None, 7, b"add", ["add"], ("a", "dd")])
def test_what_is_no_text_is_no_move(begun, wrong):
    with pytest.raises(IllegalMove, match=f"a move is a Move or its text, not {type(wrong).__name__}"):
        begun.push(wrong)


def test_an_illegal_move_says_what_is_legal_and_changes_nothing(begun):
    before = begun.state
    with pytest.raises(IllegalMove, match=r"^=2 is not a legal move here; legal moves: add, skip$"):
        begun.push("=2")
    with pytest.raises(IllegalMove, match=f"^{'y' * 57}… is not"):
        begun.push("y" * 5000)
    assert np.array_equal(begun.state, before)
    assert len(begun.moves) == 3


def test_a_long_list_of_legal_moves_is_cut():
    with pytest.raises(IllegalMove, match=r"legal moves: (\S+, ){7}\S+…$"):
        new("yinsh").push("nonsense")


def test_nothing_is_legal_after_the_end(begun):
    begun.push("!2")
    assert begun.turn is None
    assert begun.legal_moves == begun.interrupts == []
    assert begun.ask() == "the game is over"
    with pytest.raises(IllegalMove, match=r"^add cannot be played: the game is over$"):
        begun.push("add")
    assert begun.complete(["add"]).reason == "add cannot be played: the game is over"
    begun.pop()
    assert begun.outcome() is None
    assert texts(begun.legal_moves) == ["add", "skip"]


# --- half-entered moves and words -------------------------------------------------------------------


@EVERY_GAME
def test_every_spelling_completes_token_by_token(game):
    for seed in range(3):
        pos = some(game, seed)
        for move in (*pos.legal_moves, *pos.interrupts):
            for spelling in move.spellings:
                assert all(spelling[n] in pos.complete(spelling[:n]).next for n in range(len(spelling)))
                assert pos.complete(spelling).move == move
                assert not pos.complete(spelling).next


def test_tokens_that_cannot_be_are_refused_with_the_reason(begun):
    assert begun.complete(["no"]).reason == "no does not fit here; possible: !2, add, skip"
    assert begun.complete(["add", "more"]).reason == "add is already a complete move; more is one too many"
    assert begun.complete(["no", "more"]).reason == begun.complete(["no"]).reason
    assert begun.complete([]).next == ("!2", "add", "skip")


def test_reasons_and_questions_are_in_the_language_that_is_asked_for(begun):
    assert len({begun.complete(["no"], language).reason for language in LANGUAGES}) == len(LANGUAGES)
    assert len({begun.ask(language) for language in LANGUAGES}) == len(LANGUAGES)
    assert begun.note("add") == ""
    with pytest.raises(IllegalMove):
        begun.note("=1")


@EVERY_GAME
def test_questions_and_notes_are_words(game):
    for pos in random_positions(game.name, 5, 12, **quick(game)):
        assert pos.ask().strip()
        assert all(isinstance(pos.note(move), str) for move in (*pos.legal_moves, *pos.interrupts)[:20])


def test_a_note_is_worked_out_from_what_the_seat_to_act_may_know(begun, monkeypatch):
    notation = begun.variant.game.notation
    asked = []
    kept = {**vars(notation), "note": lambda options, state, code: asked.append(state[13:15].tolist())}
    monkeypatch.setitem(vars(begun.variant.game), "notation", type(notation)(**kept))
    assert begun.note("add") == ""
    assert asked == [[1, 0]]


# --- what a seat may know -----------------------------------------------------------------------------


def test_a_seat_knows_its_own_secret_and_no_other(begun):
    assert [begun.seen_by(seat).state[13:15].tolist() for seat in (0, 1, None)] == [[1, 0], [0, 3], [0, 0]]
    assert begun.moves_seen_by(0) == ["=1", "=*", "2"]
    assert begun.moves_seen_by(None) == ["=*", "=*", "2"]
    begun.push("!2")
    assert begun.moves_seen_by(None) == ["=1", "=3", "2", "!2"]
    assert begun.seen_by(None) == begun


def test_a_view_says_all_that_a_seat_may_know_and_no_more(begun):
    view = begun.view(1)
    assert view == {
        "game": "race",
        "options": {"players": 2, "goal": 10, "rolls": 40},
        "seat": 1,
        "position": str(begun.seen_by(1)),
        "turn": 0,
        "legal_moves": [],
        "interrupts": ["!2"],
        "moves": ["=*", "=3", "2"],
        "outcome": None,
    }
    assert begun.view(0)["legal_moves"] == ["add", "skip"]
    assert begun.view(None)["legal_moves"] == begun.view(None)["interrupts"] == []
    begun.push("skip")
    assert [begun.view(seat)["turn"] for seat in (0, 1, None)] == ["chance"] * 3
    begun.push("1")
    begun.push("!1")
    assert begun.view(None)["outcome"] == {"winners": [1], "scores": [-1.0, 1.0], "reason": "alone"}
    assert begun.view(None)["turn"] is None


def test_a_view_without_moves_is_the_view_but_for_them(begun):
    whole = begun.view(0)
    assert begun.view_without_moves(0) == {
        key: whole[key] for key in whole if key not in {"legal_moves", "interrupts", "moves"}
    }


@EVERY_GAME
def test_a_view_is_plain_data_and_gives_the_position_back_as_it_is_known(game):
    for seed in range(3):
        pos = some(game, seed)
        for seat in (*range(pos.variant.seats), None):
            view = pos.view(seat)
            read = position_of_view(json.loads(json.dumps(view)))
            assert read == pos.seen_by(seat)
            assert read.moves_seen_by(seat) == pos.moves_seen_by(seat) == view["moves"]
            assert read.turn == pos.turn


@pytest.mark.parametrize("seat", [-1, 2, "0", 1.0, "spectator"])
def test_a_seat_that_is_not_there_sees_nothing(begun, seat):
    for look in (begun.view, begun.view_without_moves, begun.seen_by, begun.moves_seen_by, begun.scene):
        with pytest.raises(IllegalMove, match=f"there is no seat {seat}; this game has 2, numbered from 0"):
            look(seat)


def test_a_scene_is_given_only_what_its_viewer_may_know(begun, monkeypatch):
    looks = []
    game = begun.variant.game
    monkeypatch.setitem(vars(game), "scenery", dataclasses.replace(game.scenery, scene=looks.append))
    begun.pop()
    for seat in (0, 1, None):
        begun.scene(seat, "de")
    assert [look.state[13:15].tolist() for look in looks] == [[1, 0], [0, 3], [0, 0]]
    assert [look.before[13:15].tolist() for look in looks] == [[1, 0], [0, 0], [0, 0]]
    assert [look.last for look in looks] == [None, 8, None]  # the lucky number of seat 1
    assert {look.mover for look in looks} == {1}
    assert {look.language for look in looks} == {"de"}


# --- a position as a seat knows it --------------------------------------------------------------------


def test_a_known_position_goes_on_with_what_was_seen(begun):
    known = position_of_view(begun.view(1))
    assert isinstance(known, KnownPosition)
    assert known.moves == []
    known.push("add")
    assert known.moves_seen_by(1) == known.moves_seen_by(0) == ["=*", "=3", "2", "add"]
    twin = known.copy()
    assert isinstance(twin, KnownPosition)
    twin.pop()
    assert twin.moves_seen_by(1) == ["=*", "=3", "2"]
    assert known.moves_seen_by(1)[-1] == "add"
    assert twin == begun.seen_by(1)


@pytest.mark.parametrize(
    "view",
    [
        None,
        [],
        {},
        {"position": "race: 0"},
        {"moves": []},
        {"position": "x", "moves": [1]},
        {"position": "x", "moves": "a"},
    ],
)
def test_what_is_no_view_is_refused(view):
    with pytest.raises(RecordError, match="this is not a view"):
        position_of_view(view)


# --- value ----------------------------------------------------------------------------------------------


@EVERY_GAME
def test_copies_are_equal_and_independent(game):
    pos = some(game)
    twin = pos.copy()
    assert twin == pos
    assert hash(twin) == hash(pos)
    assert (twin.moves, twin.movers) == (pos.moves, pos.movers)
    assert twin.scene() == pos.scene()
    line = str(pos)
    while twin.moves:
        twin.pop()
    assert str(pos) == line
    assert twin == Position(pos.variant)
    twin.push(twin.legal_moves[0])
    assert str(pos) == line
    assert pos.outcome() == position(line).outcome()


def test_equal_is_the_same_game_options_and_situation_however_reached(begun, race):
    other = Position(race.variant())
    for move in ("=1", "=3", "1"):
        other.push(move)
    assert other != begun
    other.pop()
    other.push("2")
    assert other == begun
    assert len({other, begun}) == 1
    assert Position(race.variant({"goal": 9})) != Position(race.variant())
    assert begun != str(begun)
    assert repr(begun) == f"<Position {begun}>"


@EVERY_GAME
def test_the_text_names_the_options_that_are_not_usual_and_reads_back(game):
    for options in game.option_sets:
        pos = triskele.new(game.name, **options)
        head = str(pos).partition(": ")[0].split()
        assert head[0] == game.name
        assert [word.partition("=")[0] for word in head[1:]] == list(pos.variant.chosen())
        assert position(str(pos)) == pos
        assert position(f"  {pos}\n") == pos


@pytest.mark.parametrize("line", [None, 3, b"race: ", ["race: "]])
def test_a_position_is_read_from_text_only(line):
    with pytest.raises(RecordError, match=f"a position is read from text, not {type(line).__name__}"):
        position(line)


@pytest.mark.parametrize("line", ["", "race", "race:", ": 0 0", " : x", "race 0 0"])
def test_a_text_without_game_or_position_is_refused(line):
    with pytest.raises(RecordError, match="a position text is: the game, its options"):
        position(line)


def test_a_text_too_long_is_refused_unread(monkeypatch):
    monkeypatch.setattr(module, "LINE_LIMIT", 20)
    with pytest.raises(RecordError, match="at most 20 characters"):
        position("race: " + "0 " * 20)


def test_a_game_that_is_not_there_and_options_that_cannot_be_are_refused(race):
    with pytest.raises(OptionError, match="there is no game chess"):
        new("chess")
    with pytest.raises(OptionError, match="there is no game chess"):
        position("chess: e4")
    with pytest.raises(OptionError, match="goal cannot be 99: it must be a whole number from 1 to 50"):
        new("race", goal=99)
    with pytest.raises(OptionError, match="Race has no option speed; its options are: players, goal, rolls"):
        position("race speed=1: 0")
