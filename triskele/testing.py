"""One conformance suite for every game: ``check_game("yinsh")``.

It is what this project runs on its own games, with every option set, and it is public: whoever
writes a game outside this package runs it on that game (after ``triskele.core.game.register``).
A breach of the contract raises ``AssertionError`` with the position it happened in.
"""

import json
import random
from collections.abc import Callable
from typing import Any

import numpy as np

from triskele.core.contract import CHANCE, State
from triskele.core.errors import IllegalMove
from triskele.core.game import Game, Variant, game
from triskele.core.moves import Move
from triskele.core.position import Position, position, position_of_view
from triskele.core.records import SPECTATOR, Record
from triskele.core.words import LANGUAGES, catalogue

MOVE_LIMIT = 200_000
"""A random game that has not ended after so many moves counts as endless."""

_NONSENSE = ("", " ", "zz9", "-", "\N{SNOWMAN}", "x" * 500, "pass ", "F6", "=***", "!0", "?1=", "\x00")


def check_game(name: str, *, games: int = 3, seed: int = 1, **options: object) -> None:
    """Play random games of a game and check at every step what the contract promises.

    Checked: legal moves are sorted, unique and never empty before the end; counting agrees with
    listing; texts and tokens lead back to their moves; push and pop restore exactly; copies are
    independent; equal positions hash equal; position texts and records read back; views and scenes
    are plain data; scores add up to zero (with more than one seat); an illegal move changes nothing;
    the game ends; for games with secrets, a seat sees no difference between positions that differ
    only in what it may not know; plain and compiled rules agree where compiled ones are ready.

    The costly checks are made on a sample of positions. ``games`` more games find more.
    """
    declared = game(name)
    variant = declared.variant(options)
    _check_declaration(declared, variant)
    for number in range(games):
        rng = random.Random(f"{seed} {number}")
        _check_one_game(variant, rng)
    if declared.hidden:
        for number in range(games):
            _check_secrecy(variant, random.Random(f"{seed} secret {number}"))


def random_move(pos: Position, rng: random.Random) -> Move:
    """Return a random move, of those that the game's rollout policy offers; may be an interrupt."""
    rules, buffer = pos.variant.rules, _buffer(pos.variant)
    state = pos.state
    number = rules.rollout_count(state, buffer)
    return pos.variant.move(int(rules.rollout_nth(state, buffer, rng.randrange(number))))


def _buffer(variant: Variant) -> State:
    return np.zeros(variant.moves_limit, dtype=np.int64)


def _seats(variant: Variant) -> list[int | None]:
    return [*range(variant.seats), None]


# --- the declaration --------------------------------------------------------------------------


def _check_declaration(declared: Game, variant: Variant) -> None:
    rules = declared.rules_module
    assert declared.name == declared.package.split(".")[-1], "a game's name is its folder's"
    assert len(set(rules.REASONS)) == len(rules.REASONS)
    assert rules.ACTIONS > 0
    assert rules.SIZE > 0
    assert rules.VERSION >= 1
    assert set(declared.house_rules) <= {option.name for option in declared.options}
    for language in LANGUAGES:
        words = catalogue(declared.name, language)
        wanted = ["tagline", *(f"option.{o.name}" for o in declared.options), *(f"reason.{r}" for r in rules.REASONS)]
        missing = [key for key in wanted if key not in words]
        assert not missing, f"{declared.name}: no words in {language} for {missing}"
    assert (declared.folder / "help" / "en.md").is_file(), "a game has a help page"
    assert variant.game is declared


# --- one game -----------------------------------------------------------------------------------


def _check_one_game(variant: Variant, rng: random.Random) -> None:
    pos = Position(variant)
    trail = [(str(pos), pos.state)]
    while pos.outcome() is None:
        step = len(trail) - 1
        assert step < MOVE_LIMIT, f"no end after {step} moves: {pos}"
        _check_choices(pos)
        if step < 12 or rng.random() < 0.05:
            _check_texts(pos, rng)
            _check_value(pos, rng)
            _check_views(pos)
            _check_refusals(pos)
        pos.push(_any_move(pos, rng))
        trail.append((str(pos), pos.state))
    _check_end(pos)
    _check_record(pos)
    for line, state in reversed(trail[:-1]):
        pos.pop()
        assert str(pos) == line, f"taking back did not restore {line}, it gave {pos}"
        assert np.array_equal(pos.state[: variant.size], state[: variant.size]), f"hidden change in {line}"


def _any_move(pos: Position, rng: random.Random) -> Move:
    """Mostly what a random mover plays; now and then just any legal move or interrupt."""
    if rng.random() < 0.95:
        return random_move(pos, rng)
    return rng.choice([*pos.legal_moves, *pos.interrupts])


def _check_choices(pos: Position) -> None:
    moves = pos.legal_moves
    texts = [move.text for move in moves]
    assert texts, f"no legal move and not over: {pos}"
    assert texts == sorted(set(texts)), f"not sorted and unique: {pos}"
    turn = pos.turn
    assert turn == CHANCE or turn in range(pos.variant.seats), f"nobody is to act: {pos}"
    if turn == CHANCE:
        assert texts == ["1", "2", "3", "4"], f"a die has four faces: {pos}"
    rules, listed, counted = pos.variant.rules, _buffer(pos.variant), _buffer(pos.variant)
    state = pos.state
    number = rules.legal(state, listed)
    codes = listed[:number].tolist()
    assert len(set(codes)) == number == len(moves), f"codes come twice: {pos}"
    assert all(0 <= code < pos.variant.game.rules_module.ACTIONS for code in codes), f"code out of range: {pos}"
    assert rules.count(state, counted) == number, f"count and legal disagree: {pos}"
    assert [rules.nth(state, counted, k) for k in range(number)] == codes, f"nth and legal disagree: {pos}"
    assert np.array_equal(state, pos.state), f"asking changed the state: {pos}"


def _check_texts(pos: Position, rng: random.Random) -> None:
    choices = [*pos.legal_moves, *pos.interrupts]
    for move in rng.sample(choices, min(len(choices), 25)):
        assert pos.find(move.text) is pos.variant.move(move.code), f"{move} is not found by its text: {pos}"
        assert move.text.isprintable(), f"{move.text!r} is not printable"
        assert len(move.text.split()) == 1, f"{move.text!r} is not one word"
        assert all(token and len(token.split()) == 1 for spelling in move.spellings for token in spelling)
        for spelling in rng.sample(move.spellings, min(len(move.spellings), 3)):
            for length in range(len(spelling)):
                answer = pos.complete(spelling[:length])
                assert spelling[length] in answer.next, f"{spelling} of {move} breaks off at {length}: {pos}"
            assert pos.complete(spelling).move == move, f"{spelling} is not {move}: {pos}"
    impossible = pos.complete(("no such token",))
    assert impossible.reason, f"nonsense is completed: {pos}"
    assert impossible.move is None
    assert not impossible.next


def _check_value(pos: Position, rng: random.Random) -> None:
    line = str(pos)
    assert line.isprintable(), f"not printable: {line!r}"
    again = position(line)
    assert again == pos, f"{line} reads back as {again}"
    assert hash(again) == hash(pos)
    assert again.turn == pos.turn
    assert again.legal_moves == pos.legal_moves, f"other moves after reading {line}"
    assert again.interrupts == pos.interrupts, f"other interrupts after reading {line}"
    twin = pos.copy()
    twin.push(rng.choice(twin.legal_moves))
    assert str(pos) == line, f"a copy is not independent: {line}"
    twin.pop()
    assert twin == pos, f"push and pop changed {line} to {twin}"


def _check_views(pos: Position) -> None:
    for seat in _seats(pos.variant):
        view = pos.view(seat)
        assert json.loads(json.dumps(view)) == view, f"the view of {seat} is not plain data: {pos}"
        assert position_of_view(view) == pos.seen_by(seat), f"the view of {seat} does not read back: {pos}"
        if not pos.variant.game.hidden:
            assert pos.seen_by(seat) == pos, f"an open game hides something: {pos}"
        _check_scene(pos, seat)
    turn = pos.turn
    assert turn is not None
    known = pos.seen_by(turn if turn >= 0 else None)
    assert known.turn == turn, f"another seat to act in the view of {turn}: {pos}"
    assert known.legal_moves == pos.legal_moves, f"other moves in the view of {turn}: {pos}"


def _check_scene(pos: Position, seat: int | None) -> None:
    scene = pos.scene(seat)
    json.dumps(scene.data())
    ids = [piece.id for piece in scene.pieces]
    assert len(set(ids)) == len(ids), f"piece ids come twice: {pos}"
    tokens = [place.token for place in scene.places]
    assert len(set(tokens)) == len(tokens), f"tokens come twice: {pos}"
    assert all(place.name for place in scene.places), f"a place has no spoken name: {pos}"


def _check_refusals(pos: Position) -> None:
    line, state = str(pos), pos.state
    legal = {move.text for move in (*pos.legal_moves, *pos.interrupts)}
    for nonsense in _NONSENSE:
        if nonsense not in legal:
            reason = _refusal(lambda text=nonsense: pos.push(text))  # type: ignore[misc]
            assert reason, f"{nonsense!r} was accepted: {pos}"
            assert len(reason) < 1000, f"an endless reason: {reason[:200]}"
    assert str(pos) == line, f"an illegal move changed {line}"
    assert np.array_equal(pos.state, state), f"an illegal move changed {line}"


def _refusal(act: Callable[[], Any]) -> str:
    try:
        act()
    except IllegalMove as error:
        return str(error)
    return ""


def _check_end(pos: Position) -> None:
    outcome = pos.outcome()
    assert outcome is not None
    seats = pos.variant.seats
    assert pos.turn is None
    assert pos.legal_moves == []
    assert pos.interrupts == []
    assert len(outcome.scores) == seats
    assert all(0 <= winner < seats for winner in outcome.winners)
    if seats > 1:
        assert abs(sum(outcome.scores)) < 1e-9, f"scores do not add up to zero: {outcome}"
    assert outcome.reason in pos.variant.game.rules_module.REASONS
    assert _refusal(lambda: pos.push("pass")), f"a move after the end: {pos}"
    assert position(str(pos)).outcome() == outcome, f"the end does not read back: {pos}"
    for seat in _seats(pos.variant):
        assert pos.seen_by(seat) == pos, f"a finished game hides something: {pos}"
        _check_scene(pos, seat)


def _check_record(pos: Position) -> None:
    record = Record.from_json(Record.of(pos).to_json())
    again = record.replay()
    assert again == pos, "a record replays to another position"
    assert again.moves == pos.moves
    assert again.outcome() == pos.outcome()


# --- secrets ------------------------------------------------------------------------------------


def _check_secrecy(variant: Variant, rng: random.Random) -> None:
    """Play two games that differ only in moves a seat may not see; what it is told must be the same."""
    seat = rng.choice(_seats(variant))
    one, other = Position(variant), Position(variant)
    compared = 0
    while one.outcome() is None and other.outcome() is None:
        move = random_move(one, rng)
        twin = _unseen_twin(one, move, seat, rng)
        if not _refusal(lambda twin=twin: other.copy().push(twin)):  # type: ignore[misc]
            one.push(move)
            other.push(twin)
        else:
            break  # what can follow depends on the secret from here on: no longer the same game
        if one.outcome() is not None or other.outcome() is not None:
            break  # a finished game shows all
        _check_same(one, other, seat)
        compared += 1
    assert compared > 0, "the games never had a secret to compare"


def _unseen_twin(pos: Position, move: Move, seat: int | None, rng: random.Random) -> Move:
    """Return a legal move that looks the same to ``seat`` as ``move``: another one if it is hidden."""

    def seen(candidate: Move) -> str:
        trial = pos.copy()
        trial.push(candidate)
        return trial.moves_seen_by(seat)[-1] if trial.turn is not None else candidate.text

    shown = seen(move)
    if shown == move.text:
        return move
    return rng.choice([candidate for candidate in pos.legal_moves if seen(candidate) == shown])


def _check_same(one: Position, other: Position, seat: int | None) -> None:
    assert one.view(seat) == other.view(seat), f"the view tells {one} from {other}"
    assert one.scene(seat) == other.scene(seat), f"the scene tells {one} from {other}"
    assert str(one.seen_by(seat)) == str(other.seen_by(seat))
    if one.turn == seat:
        assert one.legal_moves == other.legal_moves, f"the legal moves tell {one} from {other}"
        assert one.ask() == other.ask()
        sample = one.legal_moves[:: max(1, len(one.legal_moves) // 20)]
        assert [one.note(m) for m in sample] == [other.note(m) for m in sample]
    for nonsense in _NONSENSE:
        reasons = [_refusal(lambda pos=pos, text=nonsense: pos.copy().push(text)) for pos in (one, other)]  # type: ignore[misc]
        assert reasons[0] == reasons[1], f"a refusal tells {one} from {other}"
    viewer = SPECTATOR if seat is None else seat
    records = [Record.of(pos, viewer=viewer, date=None).to_json() for pos in (one, other)]
    assert records[0] == records[1], f"the record in progress tells {one} from {other}"
