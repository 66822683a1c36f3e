"""One conformance suite for every game: ``check_game("yinsh")``.

It is what this project runs on its own games, with every option set, and it is public: whoever
writes a game outside this package runs it on that game, once its package is installed.
A breach of the contract raises ``AssertionError`` with the position it happened in.
"""

import contextlib
import json
import random
import re
from collections.abc import Callable, Iterator
from typing import Any, get_args

import numpy as np

from triskele.core.checked_arrays import CheckedArray, link_checked
from triskele.core.compile import plain_only
from triskele.core.contract import CHANCE, OVER, State
from triskele.core.contract.puzzles import puzzles_of
from triskele.core.errors import IllegalMove
from triskele.core.game import Game, Variant, game
from triskele.core.lesson_check import check_course
from triskele.core.link import Rules, rule_programs
from triskele.core.moves import Move
from triskele.core.playout import random_move
from triskele.core.position import Position, position, position_of_view
from triskele.core.puzzles import puzzles
from triskele.core.records import SPECTATOR, Record
from triskele.core.scene import PieceRole, Place, PlaceRole, Scene
from triskele.core.words import catalogue

MOVE_LIMIT = 200_000
"""A random game that has not ended after this many moves counts as endless."""

WEIGHTS_LIMIT = 2**31
"""The weights of all outcomes of a roll or draw add up to less."""
PAIRS = 10
"""For each viewer of a game with secrets, at most this many pairs of games are tried until two differ in a secret."""

_NONSENSE = ("", " ", "zz9", "-", "\N{SNOWMAN}", "x" * 500, "pass ", "F6", "=***", "!0", "?1=", "\x00")


def check_game(name: str, *, games: int = 3, seed: int = 1, **options: object) -> None:
    """Play random games of a game and check at every step what the contract promises.

    Checked, in this order:

    - **declaration**: the name is the folder's, the constants of the rules are sound, there are words and a help page,
      prompts and the seats' sprites are as :mod:`triskele.core.prompts` and :mod:`triskele.core.game` say;
    - **course**, with the default options: every step can be solved, every accepted move is legal, wrong tries have
      their words, random decisions pass a step in at most a third of tries (:mod:`triskele.core.contract.lessons`);
    - **puzzles**, with the default options: every kind has its words, and the shipped file can be read
      (:mod:`triskele.core.contract.puzzles`; ``triskele puzzles check GAME`` proves them);
    - **compiled rules**: every function of the rules' contract answers the same plain and compiled, and leaves the
      same arrays, bit by bit; plain, none raises, overflows or uses a negative index. The rules are compiled for it,
      which takes seconds when they are not in the cache. Left out where the environment asks for plain rules
      (``TRISKELE_PLAIN=1``);
    - **moves**: legal moves are unique and never empty before the end, their codes are in range; counting and the
      rollout policy agree with listing; interrupts have an owner that is not to act; asking changes nothing;
    - **chance**: outcomes are in order, with positive weights, and those of the declared die where one is declared;
    - **log**: a move appends at most ``LOG`` words and changes none of those already there;
    - **texts**: texts and tokens lead back to their moves, and nothing else does; an illegal move changes nothing;
    - **values**: push and pop restore exactly, copies are independent, equal positions hash equal, position texts and
      records read back;
    - **views**: views and scenes are plain data and read back, with roles as :mod:`triskele.core.scene` says; an open
      game, and a finished one, hides nothing;
    - **end**: the game ends, with a reason, and with scores that add up to zero (with more than one seat);
    - **secrets** of a game declared ``hidden``: a seat is told the same (view, scene, legal moves, question, notes,
      refusals, record) in two games that differ only in what it may not know. Two such games must be found.

    ``AssertionError`` says what is broken and where. The costly checks are made on a sample of positions: a larger
    number of ``games`` finds more.
    """
    declared = game(name)
    variant = declared.variant(options)
    with _reported(f"the declaration of {name}"):
        _check_declaration(declared, variant)
    if not variant.chosen():
        with _reported(f"the course of {name}"):
            check_course(declared)
        with _reported(f"the puzzles of {name}"):
            _check_puzzles(declared)
    if not plain_only():
        twins = _Twins(variant)
        for number in range(games):
            _check_twins(twins, random.Random(f"{seed} twins {number}"))
    for number in range(games):
        pos = Position(variant)
        with _reported(pos):
            _check_one_game(pos, random.Random(f"{seed} {number}"))
    if declared.hidden:
        _check_secrecy(variant, games, seed)


@contextlib.contextmanager
def _reported(place: Position | str) -> Iterator[None]:
    """Turn whatever a game's functions raise into an ``AssertionError`` that says where it happened."""
    try:
        yield
    except AssertionError:
        raise
    except Exception as error:
        if isinstance(place, Position):
            place = f"{place.variant.game.name} {place.variant.chosen()} after {' '.join(map(str, place.moves))!r}"
        raise AssertionError(f"{type(error).__name__}: {error}, in {place}") from error


def _buffer(variant: Variant) -> State:
    return np.zeros(variant.moves_limit, dtype=np.int64)


def _seats(variant: Variant) -> list[int | None]:
    return [*range(variant.seats), None]


def _check_puzzles(declared: Game) -> None:
    kinds = puzzles_of(declared)
    if kinds is None:
        assert not puzzles(declared.name), "puzzles are shipped whose kinds are not declared"
        return
    for kind in kinds.kinds:
        assert f"puzzle.{kind.name}" in catalogue(declared.name, "en"), f"no English words for puzzles to {kind.name}"
        assert len(kind.share) == len(kind.turns), f"{kind.name}: a share for each horizon"
    for puzzle in puzzles(declared.name):
        assert puzzle.difficulty >= 1, f"puzzle {puzzle.id} is not rated"


# --- the declaration --------------------------------------------------------------------------


def _check_declaration(declared: Game, variant: Variant) -> None:
    rules = declared.rules_module
    assert declared.name == declared.package.split(".")[-1], "a game's name is its folder's"
    assert len(set(rules.REASONS)) == len(rules.REASONS), "a reason comes twice"
    assert rules.ACTIONS > 0, "a game has actions"
    assert rules.SIZE > 0, "a state has a size"
    assert rules.VERSION >= 1, "rules have a version"
    assert set(declared.house_rules) <= {option.name for option in declared.options}, "a house rule is no option"
    assert declared.chance or not declared.die, "a game with a die is one of chance"
    words = catalogue(declared.name, "en")
    wanted = ["tagline", *(f"option.{o.name}" for o in declared.options), *(f"reason.{r}" for r in rules.REASONS)]
    missing = [key for key in wanted if key not in words]
    assert not missing, f"{declared.name}: no English words for {missing}"
    assert (declared.folder / "help" / "en.md").is_file(), "a game has a help page"
    _check_scene_declaration(declared, variant)


def _check_scene_declaration(declared: Game, variant: Variant) -> None:
    sprites = _sprites(declared)
    assert not declared.seat_sprites or len(declared.seat_sprites) >= variant.seats, "some seats have no sprite"
    missing = [sprite for sprite in declared.seat_sprites if sprite not in sprites]
    assert not missing, f"sprites.svg has no {missing}"
    for prompt in declared.prompts:
        owner, _, key = prompt.ask.key.partition(".")
        assert key in catalogue(owner, "en"), f"no words for {prompt}"
        assert prompt.after, f"what is asked first is the notation's to say: {prompt}"
    for wording in declared.wordings:
        for each in (wording.key, *wording.signs.values()):
            owner, _, key = each.partition(".")
            assert key in catalogue(owner, "en"), f"no words {each!r} for {wording}"
        assert wording.key.startswith(f"{declared.name}.move."), f"a page knows words of moves as move.…: {wording}"


def _sprites(declared: Game) -> set[str]:
    """Return the ids of what is drawn in a game's artwork."""
    return set(re.findall(r'\sid="([^"]+)"', (declared.folder / "sprites.svg").read_text(encoding="utf-8")))


# --- plain and compiled rules ---------------------------------------------------------------------


class _Twins:
    """The rules of a game, plain and compiled: every call is made twice, and must come to the same."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        rules = variant.game.rules_module
        self.plain = Rules({name: link_checked(each, rules) for name, each in rule_programs().items()}, compiled=False)
        try:
            self.compiled = variant.game.linker.compile_rules()
        except Exception as error:
            raise AssertionError(f"the rules of {variant.game.name} do not compile: {error}") from error

    def call(self, name: str, *arguments: Any) -> tuple[int, list[Any]]:
        """Call a rule function twice; return its answer (0 for none) and its arguments as it left them, as copies."""
        plain = [item.copy().view(CheckedArray) if isinstance(item, np.ndarray) else item for item in arguments]
        compiled = [item.copy() if isinstance(item, np.ndarray) else item for item in arguments]
        # Plain first: what is out of range raises there, and would write anywhere when compiled.
        try:
            with np.errstate(all="raise"):
                expected = getattr(self.plain, name)(*plain)
        except Exception as error:
            raise AssertionError(
                f"plain, {name} raises {type(error).__name__}: {error}, {self._place(arguments)}"
            ) from error
        found = getattr(self.compiled, name)(*compiled)
        assert expected is None or isinstance(expected, int | np.integer | np.bool_), (
            f"plain, {name} returns {expected!r}, which is no whole number, {self._place(arguments)}"
        )
        assert expected == found, f"{name} is {expected} plain and {found} compiled, {self._place(arguments)}"
        for one, other in zip(plain, compiled, strict=True):
            if isinstance(one, np.ndarray):
                assert one.tobytes() == other.tobytes(), (
                    f"{name} leaves {one.tolist()} plain and {other.tolist()} compiled, {self._place(arguments)}"
                )
        return int(expected or 0), compiled

    def _place(self, arguments: tuple[Any, ...]) -> str:
        shown = [item.tolist() if isinstance(item, np.ndarray) else item for item in arguments]
        return f"{self.variant.game.name} {self.variant.chosen()}, given {shown}"


def _check_twins(twins: _Twins, rng: random.Random) -> None:
    """Play one random game with both kinds of rules side by side."""
    variant = twins.variant
    state = np.zeros(variant.size + 16 * variant.log, dtype=np.int64)
    state[0] = variant.size
    _, (state, _) = twins.call("start", state, variant.encoded)
    for step in range(MOVE_LIMIT):
        actor, _ = twins.call("actor", state)
        if actor == OVER or step < 12 or rng.random() < 0.05:
            _check_twin_answers(twins, state, actor, rng)
        if actor == OVER:
            for name in ("winners", "reason"):
                twins.call(name, state)
            twins.call("scores", state, np.zeros(variant.seats, dtype=np.float64))
            return
        if state[0] + variant.log > len(state):
            state = np.concatenate([state, np.zeros_like(state)])
        number, (_, buffer) = twins.call("rollout_count", state, _buffer(variant))
        assert number > 0, f"a random mover has no move and the game is not over: {state.tolist()}"
        code, _ = twins.call("rollout_nth", state, buffer, rng.randrange(number))
        _, (state, _) = twins.call("apply", state, code)


def _check_twin_answers(twins: _Twins, state: State, actor: int, rng: random.Random) -> None:
    """Compare everything that can be asked about one state, and a sample of the moves that can be made in it."""
    variant, empty = twins.variant, _buffer(twins.variant)
    number, (_, listed) = twins.call("legal", state, empty)
    interrupting, (_, interrupts) = twins.call("interrupts", state, empty)
    codes = [*_sample(listed[:number].tolist(), rng), *_sample(interrupts[:interrupting].tolist(), rng)]
    _, (_, counted) = twins.call("count", state, empty)
    for k in _sample(range(number), rng):
        twins.call("nth", state, counted, k)
    if actor != OVER:
        rolled, (_, buffer) = twins.call("rollout_count", state, empty)
        for k in _sample(range(rolled), rng):
            twins.call("rollout_nth", state, buffer, k)
    if actor == CHANCE:
        for code in listed[:number].tolist():
            twins.call("chance_weight", state, code)
    roomy = np.concatenate([state, np.zeros(variant.log, dtype=np.int64)])
    for code in codes:
        twins.call("apply", roomy, code)
    for seat in range(-1, variant.seats):
        _, (known, _) = twins.call("redact", state, seat)
        twins.call("actor", known)
        twins.call("legal", known, empty)


def _sample(items: Any, rng: random.Random) -> list[Any]:
    return rng.sample(items, min(len(items), 12))


# --- one game -----------------------------------------------------------------------------------


def _check_one_game(pos: Position, rng: random.Random) -> None:
    variant = pos.variant
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
        _check_log(variant, trail[-1][1], pos.state)
        trail.append((str(pos), pos.state))
    _check_end(pos)
    finished = pos.copy()
    for line, state in reversed(trail[:-1]):
        pos.pop()
        assert str(pos) == line, f"taking back did not restore {line}, it gave {pos}"
        assert np.array_equal(pos.state[: variant.size], state[: variant.size]), f"hidden change in {line}"
    _check_record(finished)


def _any_move(pos: Position, rng: random.Random) -> Move:
    """Mostly what a random mover plays; now and then just any legal move or interrupt."""
    if rng.random() < 0.95:
        return random_move(pos, rng)
    return rng.choice([*pos.legal_moves, *pos.interrupts])


def _check_log(variant: Variant, before: State, after: State) -> None:
    grown = len(after) - len(before)
    assert 0 <= grown <= variant.log, f"a move appends {grown} words to the log, and LOG is {variant.log}"
    assert np.array_equal(after[variant.size : len(before)], before[variant.size :]), "a move changes the log"


def _fresh_text(pos: Position) -> str:
    """Return the text of a position, worked out again: positions remember theirs."""
    return str(Position(pos.variant, pos.state))


def _check_choices(pos: Position) -> None:
    moves = pos.legal_moves
    texts = [move.text for move in moves]
    assert texts, f"no legal move and not over: {pos}"
    assert texts == sorted(set(texts)), f"not sorted and unique: {pos}"
    turn = pos.turn
    assert turn == CHANCE or turn in range(pos.variant.seats), f"nobody is to act: {pos}"
    rules, listed, counted = pos.variant.rules, _buffer(pos.variant), _buffer(pos.variant)
    state = pos.state
    number = rules.legal(state, listed)
    codes = listed[:number].tolist()
    assert len(set(codes)) == number == len(moves), f"codes come twice: {pos}"
    assert all(0 <= code < pos.variant.game.rules_module.ACTIONS for code in codes), f"code out of range: {pos}"
    assert rules.count(state, counted) == number, f"count and legal disagree: {pos}"
    assert [rules.nth(state, counted, k) for k in range(number)] == codes, f"nth and legal disagree: {pos}"
    interrupts = [move.code for move in pos.interrupts]
    assert all(0 <= code < pos.variant.game.rules_module.ACTIONS for code in interrupts), f"code out of range: {pos}"
    for move in pos.interrupts:
        owner = pos.interrupt_owner(move)
        assert owner in range(pos.variant.seats), f"nobody's interrupt {move}: {pos}"
        assert owner != turn, f"{move} is an interrupt of the seat to act: {pos}"
    rolled = rules.rollout_count(state, counted)
    assert rolled > 0, f"a random mover has no move: {pos}"
    for k in range(0, rolled, max(1, rolled // 8)):
        code = rules.rollout_nth(state, counted, k)
        assert code in codes or code in interrupts, f"a random mover may make {code}, which is not legal: {pos}"
    if turn == CHANCE:
        _check_chance(pos, codes)
    assert np.array_equal(state, pos.state), f"asking changed the state: {pos}"


def _check_chance(pos: Position, codes: list[int]) -> None:
    """Check what the rules say where chance acts; ``codes`` are its outcomes as ``legal`` lists them."""
    declared, rules, state = pos.variant.game, pos.variant.rules, pos.state
    assert declared.chance, f"chance acts in a game that declares none: {pos}"
    assert codes == sorted(codes), f"the outcomes of chance are not in ascending order: {pos}"
    weights = [int(rules.chance_weight(state, code)) for code in codes]
    assert min(weights) > 0, f"an outcome of chance without a weight: {pos}"
    assert sum(weights) < WEIGHTS_LIMIT, f"the weights of chance add up to too much: {pos}"
    if declared.die:
        assert weights == [1] * declared.die, f"not the roll of a fair die with {declared.die} faces: {pos}"
        assert codes == list(range(declared.die)), f"the faces of the die are not the codes from 0 on: {pos}"
    offered = _buffer(pos.variant)
    number = rules.rollout_count(state, offered)
    assert [rules.rollout_nth(state, offered, k) for k in range(number)] == codes, f"random play narrows chance: {pos}"


def _check_texts(pos: Position, rng: random.Random) -> None:
    choices = [*pos.legal_moves, *pos.interrupts]
    for move in rng.sample(choices, min(len(choices), 25)):
        assert pos.find(move.text) is pos.variant.move(move.code), f"{move} is not found by its text: {pos}"
        assert move.text.isprintable(), f"{move.text!r} is not printable"
        assert len(move.text.split()) == 1, f"{move.text!r} is not one word"
        tokens = [token for spelling in move.spellings for token in spelling]
        assert all(token and len(token.split()) == 1 for token in tokens), f"{tokens} of {move} are not single words"
        for spelling in rng.sample(move.spellings, min(len(move.spellings), 3)):
            for length in range(len(spelling)):
                answer = pos.complete(spelling[:length])
                assert spelling[length] in answer.next, f"{spelling} of {move} breaks off at {length}: {pos}"
            assert pos.complete(spelling).move == move, f"{spelling} is not {move}: {pos}"
    impossible = pos.complete(("no such token",))
    assert impossible.move is None, f"nonsense is completed: {pos}"
    assert not impossible.next, f"something can follow nonsense: {pos}"
    assert impossible.reason, f"nonsense is refused without a reason: {pos}"


def _check_value(pos: Position, rng: random.Random) -> None:
    line = str(pos)
    assert line.isprintable(), f"not printable: {line!r}"
    again = position(line)
    assert again == pos, f"{line} reads back as {again}"
    assert hash(again) == hash(pos), f"equal positions have different hashes: {line}"
    assert again.turn == pos.turn, f"another seat to act after reading {line}"
    assert again.legal_moves == pos.legal_moves, f"other moves after reading {line}"
    assert again.interrupts == pos.interrupts, f"other interrupts after reading {line}"
    twin, state = pos.copy(), pos.state
    twin.push(rng.choice(twin.legal_moves))
    assert np.array_equal(pos.state, state), f"a copy is not independent: {line}"
    assert _fresh_text(pos) == line, f"a copy is not independent: {line}"
    twin.pop()
    assert _fresh_text(twin) == line, f"push and pop changed {line} to {_fresh_text(twin)}"


def _check_views(pos: Position) -> None:
    for seat in _seats(pos.variant):
        view = pos.view(seat)
        assert _plain_data(view), f"the view of {seat} is not plain data: {pos}"
        assert json.loads(json.dumps(view)) == view, f"the view of {seat} is not plain data: {pos}"
        if not pos.variant.game.hidden:
            assert pos.seen_by(seat) == pos, f"an open game hides something: {pos}"
        assert position_of_view(view) == pos.seen_by(seat), f"the view of {seat} does not read back: {pos}"
        _check_scene(pos, seat)
    turn = pos.turn
    assert turn is not None
    known = pos.seen_by(turn if turn >= 0 else None)
    assert known.turn == turn, f"another seat to act in the view of {turn}: {pos}"
    assert known.legal_moves == pos.legal_moves, f"other moves in the view of {turn}: {pos}"


def _plain_data(data: Any) -> bool:
    try:
        json.dumps(data, allow_nan=False)
    except (TypeError, ValueError):
        return False
    return True


def _check_scene(pos: Position, seat: int | None) -> None:
    scene = pos.scene(seat)
    assert _plain_data(scene.data()), f"the scene of {seat} is not plain data: {pos}"
    ids = [piece.id for piece in scene.pieces]
    assert len(set(ids)) == len(ids), f"piece ids come twice: {pos}"
    tokens = [place.token for place in scene.places]
    assert len(set(tokens)) == len(tokens), f"tokens come twice: {pos}"
    assert all(place.name for place in scene.places), f"a place has no spoken name: {pos}"
    _check_roles(pos, scene)


def _check_roles(pos: Position, scene: Scene) -> None:
    """Check what a scene says about pieces and places beyond where they are."""
    for piece in scene.pieces:
        assert piece.role in get_args(PieceRole), f"unknown role of {piece}: {pos}"
    spellings = [spelling for move in (*pos.legal_moves, *pos.interrupts) for spelling in move.spellings]
    for place in scene.places:
        assert place.role in get_args(PlaceRole), f"unknown role of {place}: {pos}"
        if place.role == "rotation":
            turned = any(place.token in spelling[1:] for spelling in spellings)
            assert turned, f"no move is entered with the rotation {place.token} after another token: {pos}"
        if place.role == "take-back":
            assert (place.token,) in spellings, f"{place.token} is no move that takes something back: {pos}"
        if place.drops:
            _check_drops(pos, place)
    if not pos.variant.game.buttons and pos.turn != CHANCE:
        plain = {place.token for place in scene.places if not place.action and place.role != "rotation"}
        shown = {token for spelling in spellings for token in spelling} - plain
        assert not shown, f"{sorted(shown)} are shown as buttons, and the game is declared without: {pos}"


def _check_drops(pos: Position, place: Place) -> None:
    """Check that a drag from a hand to a place makes a legal move that is entered by the two."""
    assert place.role == "hand", f"something is dropped from {place.token}, which is no hand: {pos}"
    spelled = {move.text: move.spellings for move in pos.legal_moves}
    found = [next((s[1] for s in spelled.get(text, ()) if s[0] == place.token), None) for text in place.drops]
    assert None not in found, f"{place.drops} are not all moves that begin with {place.token}: {pos}"
    assert len(set(found)) == len(found), f"two of {place.drops} are for the same place: {pos}"


def _check_refusals(pos: Position) -> None:
    line, state = str(pos), pos.state
    legal = {move.text for move in (*pos.legal_moves, *pos.interrupts)}
    for nonsense in _NONSENSE:
        if nonsense not in legal:
            reason = _refusal(lambda text=nonsense: pos.push(text))  # type: ignore[misc]
            assert reason, f"{nonsense!r} was accepted: {pos}"
            assert len(reason) < 1000, f"an endless reason: {reason[:200]}"
    assert _fresh_text(pos) == line, f"an illegal move changed {line}"
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
    assert pos.turn is None, f"{pos.turn} is to act after the end: {pos}"
    assert pos.legal_moves == [], f"legal moves after the end: {pos}"
    assert pos.interrupts == [], f"interrupts after the end: {pos}"
    assert len(outcome.scores) == seats, f"not a score for each seat: {outcome}"
    rules, reasons = pos.variant.rules, pos.variant.game.rules_module.REASONS
    assert rules.winners(pos.state) >> seats == 0, f"a winner that has no seat: {outcome}"
    assert 0 <= rules.reason(pos.state) < len(reasons), f"the reason is none of {reasons}: {pos}"
    if seats > 1:
        assert abs(sum(outcome.scores)) < 1e-9, f"scores do not add up to zero: {outcome}"
    assert _refusal(lambda: pos.push("pass")), f"a move after the end: {pos}"
    assert position(str(pos)).outcome() == outcome, f"the end does not read back: {pos}"
    for seat in _seats(pos.variant):
        assert pos.seen_by(seat) == pos, f"a finished game hides something: {pos}"
        _check_scene(pos, seat)


def _check_record(pos: Position) -> None:
    record = Record.from_json(Record.of(pos).to_json())
    again = record.replay()
    assert again == pos, "a record replays to another position"
    assert again.moves == pos.moves, "a record replays to other moves"


# --- secrets ------------------------------------------------------------------------------------


def _check_secrecy(variant: Variant, games: int, seed: int) -> None:
    """Compare pairs of games that differ only in what a viewer may not know, for every viewer."""
    differing = 0
    for seat in _seats(variant):
        found = 0
        for number in range(PAIRS):
            found += _compare_pair(variant, seat, random.Random(f"{seed} secret {seat} {number}")) > 0
            if found == games:
                break
        differing += found
    assert differing > 0, (
        f"{variant.game.name} {variant.chosen()} is declared hidden, but hides nothing: in {PAIRS} pairs of games for "
        "each viewer, no move looked to the viewer (`move_seen`) as another one did, so there was nothing to compare"
    )


def _compare_pair(variant: Variant, seat: int | None, rng: random.Random) -> int:
    """Play two games that differ only in moves a seat may not see; what it is told must be the same.

    Return how often they were compared while they really differed.
    """
    one, other = Position(variant), Position(variant)
    compared = step = 0
    with _reported(one):
        while True:
            move = random_move(one, rng)
            twin = _unseen_twin(one, other, move, seat, rng)
            if twin is None:
                return compared  # what can follow depends on the secret from here on: no longer the same game
            one.push(move)
            other.push(twin)
            if one.outcome() is not None or other.outcome() is not None:
                return compared  # a finished game shows all
            step += 1
            if step <= 12 or rng.random() < 0.1:
                _check_same(one, other, seat)
                compared += not np.array_equal(one.state, other.state)


def _unseen_twin(one: Position, other: Position, move: Move, seat: int | None, rng: random.Random) -> Move | None:
    """Return a move for ``other`` that ``seat`` sees as it sees ``move`` in ``one``: another one if it is hidden."""

    def seen(candidate: Move) -> str:
        trial = one.copy()
        trial.push(candidate)
        return trial.moves_seen_by(seat)[-1] if trial.turn is not None else candidate.text

    shown = seen(move)
    possible = {candidate.text for candidate in (*other.legal_moves, *other.interrupts)}
    if shown == move.text:
        return move if move.text in possible else None
    mover = one.mover(move)
    alike = [
        candidate
        for candidate in (*one.legal_moves, *one.interrupts)
        if candidate.text in possible and one.mover(candidate) == mover and seen(candidate) == shown
    ]
    others = [candidate for candidate in alike if candidate != move]
    return rng.choice(others or alike) if alike else None


def _check_same(one: Position, other: Position, seat: int | None) -> None:
    assert one.view(seat) == other.view(seat), f"the view tells {one} from {other}"
    assert one.scene(seat) == other.scene(seat), f"the scene tells {one} from {other}"
    sample = [move for move in one.interrupts if one.interrupt_owner(move) == seat]
    if one.turn == seat:
        assert one.ask() == other.ask(), f"the question tells {one} from {other}"
        sample += one.legal_moves[:: max(1, len(one.legal_moves) // 20)]
    assert [one.note(m) for m in sample] == [other.note(m) for m in sample], f"a note tells {one} from {other}"
    tokens = ("no such token",)
    assert one.complete(tokens) == other.complete(tokens), f"the refusal of a token tells {one} from {other}"
    for nonsense in _NONSENSE:
        reasons = [_refusal(lambda pos=pos, text=nonsense: pos.copy().push(text)) for pos in (one, other)]  # type: ignore[misc]
        assert reasons[0] == reasons[1], f"a refusal tells {one} from {other}"
    viewer = SPECTATOR if seat is None else seat
    records = [Record.of(pos, viewer=viewer, date=None).to_json() for pos in (one, other)]
    assert records[0] == records[1], f"the record in progress tells {one} from {other}"
