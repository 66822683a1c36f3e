"""Position: one class for every game, with python-chess's verbs. It holds no rule of any game."""

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from operator import attrgetter
from typing import Any

import numpy as np

from triskele.core.chance import pick
from triskele.core.completion import completed
from triskele.core.contract import CHANCE, OVER, State
from triskele.core.errors import IllegalMove, RecordError
from triskele.core.game import Variant, game
from triskele.core.moves import Completion, Move, Outcome
from triskele.core.record_parts import actor_document, outcome_document
from triskele.core.scene import Look, Scene
from triskele.core.state_history import StateHistory
from triskele.core.words import Text, say, text

_text_of = attrgetter("text")
_code_of = attrgetter("code")
LINE_LIMIT = 100_000
"""Longer position texts are refused unread."""
_IDS_EVERY = 32
"""Ids of pieces are kept for every so many moves, and worked out from there for those between."""


class Position:
    """A position of any game, and the moves that led to it.

    Positions are equal when their texts (``str(pos)``) are: the same game, options and situation.
    How they were reached does not count, except as far as a rule looks back.
    """

    __slots__ = (
        "_actor",
        "_codes",
        "_disclosed",
        "_ids",
        "_interrupts",
        "_legal",
        "_line",
        "_movers",
        "_outcome",
        "_stack",
        "_state",
        "variant",
    )

    def __init__(self, variant: Variant, state: State | None = None) -> None:
        """Start a game, or go on from a state that belongs to the variant (it is not copied)."""
        self.variant = variant
        self._state = variant.first_state() if state is None else state
        self._stack = StateHistory()
        self._codes: list[int] = []
        self._movers: list[int] = []
        self._ids: dict[int, tuple[Any, ...]] = {}
        self._disclosed = False
        self._forget()

    def _forget(self) -> None:
        self._actor: int | None = None
        self._legal: dict[str, Move] | None = None
        self._interrupts: dict[str, Move] | None = None
        self._outcome: Outcome | None = None
        self._line: str | None = None

    # --- who and what ------------------------------------------------------------------------

    @property
    def state(self) -> State:
        """The rules' array, as it is: a copy for engines to search from."""
        return self._state[: self._state[0]].copy()

    @property
    def turn(self) -> int | None:
        """The seat to act, ``CHANCE`` when a die is to roll, ``None`` when the game is over."""
        if self._actor is None:
            self._actor = int(self.variant.rules.actor(self._state))
        return None if self._actor == OVER else self._actor

    @property
    def turn_owner(self) -> int | None:
        """The seat whose turn it is: the one to act, or the one within whose turn it replies; else as ``turn``."""
        turn, owner = self.turn, self.variant.game.notation.turn_owner
        return turn if turn is None or turn == CHANCE or owner is None else owner(self.variant.options, self._state)

    def _list(self, function_name: str) -> dict[str, Move]:
        buffer = np.empty(self.variant.moves_limit, dtype=np.int64)
        number = getattr(self.variant.rules, function_name)(self._state, buffer)
        moves = sorted(self.variant.moves(buffer[:number].tolist()), key=_text_of)
        return dict(zip(map(_text_of, moves), moves, strict=True))

    def _legal_by_text(self) -> dict[str, Move]:
        if self._legal is None:
            self._legal = self._list("legal")
        return self._legal

    def _interrupts_by_text(self) -> dict[str, Move]:
        if self._interrupts is None:
            self._interrupts = self._list("interrupts")
        return self._interrupts

    @property
    def legal_moves(self) -> list[Move]:
        """The moves of the one to act, sorted by text; empty only when the game is over."""
        return list(self._legal_by_text().values())

    @property
    def interrupts(self) -> list[Move]:
        """The moves that seats not to act may make now, sorted by text; mostly none."""
        return list(self._interrupts_by_text().values())

    def moves_of(self, seat: int | None) -> list[Move]:
        """Return the moves that a seat may make now because it is its turn, sorted by text; none for a spectator."""
        return self.legal_moves if seat is not None and self.turn == seat else []

    def interrupts_of(self, seat: int | None) -> list[Move]:
        """Return the moves that a seat may make now out of turn, sorted by text; mostly none."""
        if seat is None or self.variant.game.notation.interrupt_owner is None:
            return []
        return [move for move in self._interrupts_by_text().values() if self.interrupt_owner(move) == seat]

    def chance_outcomes(self) -> list[tuple[Move, int]]:
        """Return what the roll or draw that is due can bring, by ascending code, each outcome with its weight.

        Its probability is its weight over the sum of all weights. Empty unless chance is to act.
        """
        if self.turn != CHANCE:
            return []
        rules = self.variant.rules
        moves = sorted(self._legal_by_text().values(), key=_code_of)
        return [(move, int(rules.chance_weight(self._state, move.code))) for move in moves]

    def draw(self, below: Callable[[int], int]) -> Move:
        """Return a random outcome of chance; ``below(n)`` gives a uniform number from 0 to ``n - 1``.

        ``IllegalMove`` unless chance is to act.
        """
        outcomes = self.chance_outcomes()
        if not outcomes:
            raise IllegalMove(text("core.chance-nothing"))
        return outcomes[pick([weight for _, weight in outcomes], below)][0]

    @property
    def moves(self) -> list[Move]:
        """The moves made since this position object began, oldest first."""
        return self.variant.moves(self._codes)

    @property
    def movers(self) -> list[int]:
        """For each of ``moves``, the seat that made it (``CHANCE`` for a roll)."""
        return list(self._movers)

    # --- moving ------------------------------------------------------------------------------

    def push(self, move: Move | str) -> None:
        """Make a move, given as a ``Move`` or its text. ``IllegalMove`` says why not, and nothing changes."""
        found = self.find(move)
        rules = self.variant.rules
        if not rules.compiled:
            self.variant.game.linker.warm()
        mover = self.mover(found)
        size = self.variant.size
        if self._state[0] + self.variant.log > len(self._state):
            self._state = np.concatenate([self._state, np.zeros_like(self._state)])
        self._stack.push(self._state[:size])
        rules.apply(self._state, found.code)
        self._codes.append(found.code)
        self._movers.append(mover)
        self._forget()

    def pack(self) -> None:
        """Keep what came before in less memory; a program that holds thousands of positions does it after each move."""
        self._stack.pack()

    def mover(self, move: Move) -> int:
        """Return who makes a legal move, interrupt or resignation now: a seat, or ``CHANCE``."""
        if move.text in self._legal_by_text():
            return int(self.variant.rules.actor(self._state))
        return self.interrupt_owner(move)

    def resignation(self, seat: int) -> Move | None:
        """Return the move by which a seat gives up while the others play on, where the rules have one now.

        It is neither a legal move nor an interrupt, but :meth:`push` makes it.
        """
        self._check_seat(seat)
        find_code = self.variant.game.notation.resignation
        code = None if find_code is None or self.turn is None else find_code(self.variant.options, self._state, seat)
        return None if code is None else self.variant.move(code)

    def _resignation_with_text(self, written: str) -> Move | None:
        if self.variant.game.notation.resignation is None:
            return None
        moves = (self.resignation(seat) for seat in range(self.variant.seats))
        return next((move for move in moves if move is not None and move.text == written), None)

    def find(self, move: Move | str) -> Move:
        """Return the legal move, interrupt or resignation with a text; ``IllegalMove`` says why there is none."""
        written = move.text if isinstance(move, Move) else move
        if not isinstance(written, str):
            raise IllegalMove(text("core.move-not-text", kind=type(written).__name__))
        found = (
            self._legal_by_text().get(written)
            or self._interrupts_by_text().get(written)
            or self._resignation_with_text(written)
        )
        if found is None:
            raise IllegalMove(self._why_not(written))
        return found

    def _why_not(self, written: str) -> Text:
        turn = self.turn
        shown = written if len(written) <= 60 else written[:57] + "…"
        if turn is None:
            return text("core.game-over", move=shown)
        # Reasons are worked out from what the actor may know, so that they cannot tell more.
        notation = self.variant.game.notation
        reason = notation.why_not(self.variant.options, self._redacted(max(turn, -1)), written)
        some = list(self._legal_by_text())[:8]
        more = "…" if len(self._legal_by_text()) > len(some) else ""
        legal = ", ".join(some) + more
        if reason is None:
            return text("core.move-unknown", move=shown, legal=legal)
        return text("core.move-illegal", move=shown, why=reason)

    def pop(self) -> Move:
        """Take the last move back and return it. ``IllegalMove`` if there is none."""
        if not self._codes:
            raise IllegalMove(text("core.nothing-to-take-back"))
        self._state[: self.variant.size] = self._stack.pop()
        self._movers.pop()
        self._ids.pop(len(self._codes), None)
        self._forget()
        return self.variant.move(self._codes.pop())

    def complete(self, tokens: Sequence[str], language: str = "en") -> Completion:
        """Say what a half-entered move can become: a move, the tokens that can follow, or why not.

        Interrupts can be entered as well as the moves of the one to act. The reason is in ``language``.
        """
        entered = tuple(tokens)
        moves = chain(self._legal_by_text().values(), self._interrupts_by_text().values())
        found = completed(moves, entered)
        if found is not None:
            return found
        reason, why = self._why_no_token(entered)
        return Completion(reason=say(reason, language), why="" if why is None else say(why, language))

    def _why_no_token(self, entered: tuple[str, ...]) -> tuple[Text, Text | None]:
        """Return why no move begins with these tokens, and of that the game's own words."""
        if self.turn is None:
            return text("core.game-over", move=" ".join(entered)[:60]), None
        good = entered
        while good and (answer := self.complete(good[:-1])).reason:
            good = good[:-1]
        allowed = ", ".join(answer.next[:12]) + ("…" if len(answer.next) > 12 else "")
        if answer.move is not None:
            return text("core.token-too-many", move=answer.move.text, token=str(good[-1])[:30]), None
        notation = self.variant.game.notation
        reason = notation.why_no_token(self.variant.options, self._redacted(max(self.turn, -1)), good)
        if reason is not None:
            return text("core.token-why", token=str(good[-1])[:30], why=reason), reason
        return text("core.token-unknown", token=str(good[-1])[:30], allowed=allowed), None

    def ask(self, language: str = "en") -> str:
        """Return in words what is asked of the one to act ("choose where the ring goes")."""
        turn = self.turn
        if turn is None:
            return say(text("core.ask-nothing"), language)
        asked = self.variant.game.notation.ask(self.variant.options, self._redacted(max(turn, -1)))
        return say(asked, language)

    def ask_after(self, tokens: Sequence[str], language: str = "en") -> str:
        """Return what is asked of the one to act once some tokens are entered; empty where it stays as it was."""
        turn = self.turn
        if turn is None:
            return ""
        notation = self.variant.game.notation
        asked = notation.ask_after(self.variant.options, self._redacted(max(turn, -1)), tuple(tokens))
        return "" if asked is None else say(asked, language)

    def note(self, move: Move | str, language: str = "en") -> str:
        """Return what a player should know before making a legal move (odds, say); mostly nothing."""
        found = self.find(move)
        turn = self.turn
        if turn is None:
            return ""
        words = self.variant.game.notation.note(self.variant.options, self._redacted(max(turn, -1)), found.code)
        return "" if words is None else say(words, language)

    # --- the end -----------------------------------------------------------------------------

    def outcome(self) -> Outcome | None:
        """Return how the game ended, or ``None`` while it goes on."""
        if self._outcome is None and self.turn is None:
            rules = self.variant.rules
            scores = np.zeros(self.variant.seats, dtype=np.float64)
            rules.scores(self._state, scores)
            mask = int(rules.winners(self._state))
            winners = tuple(seat for seat in range(self.variant.seats) if mask >> seat & 1)
            reason = self.variant.game.rules_module.REASONS[int(rules.reason(self._state))]
            self._outcome = Outcome(winners, tuple(scores.tolist()), reason)
        return self._outcome

    def ending(self, language: str = "en") -> str:
        """Return in words how the game ended by its rules; empty while it goes on."""
        outcome = self.outcome()
        if outcome is None:
            return ""
        played = self.variant.game
        words = played.notation.ending(self.variant.options, self._state)
        return say(words or text(f"{played.name}.reason.{outcome.reason}"), language)

    # --- what others see ---------------------------------------------------------------------

    def disclose(self) -> None:
        """Hide nothing in this position any more: its game has ended outside the rules (a draw was agreed, say).

        A game that ends by its rules hides nothing by itself. Copies of earlier positions hide what was hidden then.
        """
        self._disclosed = True

    def _redacted(self, seat: int | None, state: State | None = None) -> State:
        source = self._state if state is None else state
        copy = source[: source[0]].copy() if state is None else source.copy()
        if not self._disclosed or state is not None:
            self.variant.rules.redact(copy, -1 if seat is None else seat)
        return copy

    def _check_seat(self, seat: int | None) -> None:
        if seat is not None and not (isinstance(seat, int) and 0 <= seat < self.variant.seats):
            raise IllegalMove(text("core.no-such-seat", seat=str(seat)[:20], seats=self.variant.seats))

    def seen_by(self, seat: int | None) -> "Position":
        """Return the position as a seat may know it (``None``: a spectator), without its moves.

        In an open game that is the position; with secrets, what is hidden is unknown in the copy.
        """
        self._check_seat(seat)
        return Position(self.variant, self._redacted(seat))

    def moves_seen_by(self, seat: int | None) -> list[str]:
        """Return the texts of the moves made, as a seat may see them."""
        self._check_seat(seat)
        seen = self.variant.game.notation.move_seen
        if seen is None or self.turn is None or self._disclosed:
            return [move.text for move in self.moves]
        known = self._redacted(seat)
        pairs = zip(self._codes, self._movers, strict=True)
        return [seen(self.variant.options, known, code, mover, seat) for code, mover in pairs]

    def codes_seen_by(self, seat: int | None) -> list[int]:
        """Return the codes of the moves made, -1 for those that a seat may not see."""
        pairs = zip(self._codes, self.moves_seen_by(seat), strict=True)
        return [code if self.variant.move(code).text == written else -1 for code, written in pairs]

    def view(self, seat: int | None) -> dict[str, Any]:
        """Return what a seat may know (``None``: a spectator), as plain data. Nothing else may leave a server.

        Everybody sees the faces of a die that is to roll; other legal moves are for the seat to act.
        """
        view = self.view_without_moves(seat)
        outcome = view.pop("outcome")
        legal = self.legal_moves if self.turn == CHANCE else self.moves_of(seat)
        return {
            **view,
            "legal_moves": [move.text for move in legal],
            "interrupts": [move.text for move in self.interrupts_of(seat)],
            "moves": self.moves_seen_by(seat),
            "outcome": outcome,
        }

    def view_without_moves(self, seat: int | None) -> dict[str, Any]:
        """Return a seat's view without its three lists of moves, for callers that send those in another form.

        It costs the same however many moves were made.
        """
        self._check_seat(seat)
        outcome = self.outcome()
        seen = self.seen_by(seat) if self.variant.game.hidden else self
        return {
            "game": self.variant.game.name,
            "options": dict(self.variant.options),
            "seat": seat,
            "position": str(seen),
            "turn": actor_document(self.turn),
            "outcome": None if outcome is None else outcome_document(outcome),
        }

    def interrupt_owner(self, move: Move) -> int:
        """Return the seat that one of ``interrupts`` belongs to."""
        find_owner = self.variant.game.notation.interrupt_owner
        owner = None if find_owner is None else find_owner(self.variant.options, move.code)
        assert owner is not None, "a game with interrupts says whose they are"
        return owner

    def scene(self, seat: int | None = None, language: str = "en", *, unhidden: bool = False) -> Scene:
        """Return what a seat sees (``None``: a spectator), to draw; words in the given language.

        With ``unhidden`` it sees the secrets of all: for who analyses a game and plays every side of it.
        """
        self._check_seat(seat)
        scenery = self.variant.game.scenery
        before = last = mover = None
        if self._codes:
            before = self._stack[-1].copy() if unhidden else self._redacted(seat, self._stack[-1])
            seen = self.variant.game.notation.move_seen
            last, mover = self._codes[-1], self._movers[-1]
            if seen is not None and self.turn is not None and not self._disclosed and not unhidden:
                shown = seen(self.variant.options, self._redacted(seat), last, mover, seat)
                last = last if shown == self.variant.move(last).text else None
        look = Look(
            options=self.variant.options,
            state=self.state if unhidden else self._redacted(seat),
            seat=seat,
            ids=self._piece_ids(),
            before=before,
            last=last,
            mover=mover,
            language=language,
            over=self._disclosed,
        )
        return scenery.scene(look)

    def _piece_ids(self) -> tuple[Any, ...]:
        scenery = self.variant.game.scenery
        if scenery.identify is None or scenery.follow is None:
            return ()
        made = len(self._codes)
        if made not in self._ids:
            start = max(self._ids, default=0)
            if not self._ids:
                self._ids[0] = scenery.identify(self.variant.options, self._stack[0] if made else self._state)
            ids = self._ids[start]
            for number in range(start, made):
                ids = scenery.follow(self.variant.options, ids, self._stack[number], self._codes[number])
                if (number + 1) % _IDS_EVERY == 0:
                    self._ids[number + 1] = ids
            if start % _IDS_EVERY:
                del self._ids[start]
            self._ids[made] = ids
        return self._ids[made]

    def _repr_svg_(self) -> str:
        from triskele.core.draw import svg

        return svg(self.scene())

    # --- value -------------------------------------------------------------------------------

    def _begun_at(self, state: State) -> "Position":
        return Position(self.variant, state)

    def copy(self, moves: int | None = None) -> "Position":
        """Return an independent copy, moves included; with ``moves``, as it was after that number of moves."""
        if moves is not None and moves < len(self._codes):
            return self._copy_before(moves)
        twin = self._begun_at(self._state.copy())
        twin._stack = self._stack.copy()
        twin._codes = list(self._codes)
        twin._movers = list(self._movers)
        twin._ids = dict(self._ids)
        twin._legal, twin._interrupts = self._legal, self._interrupts
        twin._outcome, twin._line = self._outcome, self._line
        twin._disclosed = self._disclosed
        return twin

    def _copy_before(self, moves: int) -> "Position":
        """Return a copy before move number ``moves``, counted from 0, without taking back one move after the other."""
        state = self._state.copy()
        state[: self.variant.size] = self._stack[moves]
        twin = self._begun_at(state)
        twin._stack = self._stack.first(moves)
        twin._codes = self._codes[:moves]
        twin._movers = self._movers[:moves]
        twin._ids = {number: ids for number, ids in self._ids.items() if number <= moves}
        return twin

    def __getstate__(self) -> tuple[Any, ...]:
        """Return what :mod:`pickle` writes."""
        variant = self.variant
        return variant.game.name, dict(variant.options), self.state, self._stack, self._codes, self._movers

    def __setstate__(self, parts: tuple[Any, ...]) -> None:
        """Become the position that was pickled."""
        name, options, state, stack, codes, movers = parts
        Position.__init__(self, game(name).variant(options), state)
        self._stack, self._codes, self._movers = stack.copy(), list(codes), list(movers)  # for shallow copies

    def __str__(self) -> str:
        """Return the position as one line of text; :func:`position` reads it back."""
        if self._line is None:
            chosen = self.variant.chosen()
            words = [self.variant.game.name]
            words += [f"{name}={self.variant.game.option(name).write(value)}" for name, value in chosen.items()]
            body = self.variant.game.notation.write(self.variant.options, self._state)
            self._line = f"{' '.join(words)}: {body}"
        return self._line

    def __repr__(self) -> str:
        """Return the text in brackets."""
        return f"<Position {self}>"

    def __eq__(self, other: object) -> bool:
        """Compare game, options and situation."""
        return isinstance(other, Position) and self.variant is other.variant and str(self) == str(other)

    def __hash__(self) -> int:
        """Hash what is compared. Pushing changes it: do not push a position that is a dictionary's key."""
        return hash(str(self))


class KnownPosition(Position):
    """A position as one seat knows it, with the moves that led to it as that seat saw them.

    A reader of secrets reads those moves, whichever seat it asks for: nothing else is known here.
    """

    __slots__ = ("_seen",)

    def __init__(self, variant: Variant, state: State, seen: Sequence[str]) -> None:
        """Begin with what a position is to a seat."""
        super().__init__(variant, state)
        self._seen = tuple(seen)

    def _begun_at(self, state: State) -> Position:
        return KnownPosition(self.variant, state, self._seen)

    def __getstate__(self) -> tuple[Any, ...]:
        """Return what :mod:`pickle` writes."""
        return super().__getstate__(), self._seen

    def __setstate__(self, parts: tuple[Any, ...]) -> None:
        """Become the position that was pickled."""
        position, self._seen = parts
        super().__setstate__(position)

    def moves_seen_by(self, seat: int | None) -> list[str]:
        """Return the moves as they were seen, and those that were made since."""
        return [*self._seen, *super().moves_seen_by(seat)]


def new(name: str, **options: object) -> Position:
    """Start a game by its name. ``OptionError`` says what is allowed."""
    return Position(game(name).variant(options))


def position(line: str) -> Position:
    """Read a position from its text. ``RecordError`` says what is wrong with it."""
    if not isinstance(line, str):
        raise RecordError(text("core.position-not-text", kind=type(line).__name__))
    if len(line) > LINE_LIMIT:
        raise RecordError(text("core.position-too-long", limit=LINE_LIMIT))
    head, colon, body = line.strip().partition(": ")
    words = head.split()
    if not colon or not words:
        raise RecordError(text("core.position-form"))
    declared = game(words[0])
    variant = declared.variant(declared.parse_options(words[1:]))
    state = declared.notation.read(variant.options, body, variant.first_state())
    return Position(variant, state)


def position_of_view(view: Mapping[str, Any]) -> Position:
    """Return the position in a view, with its moves, as far as its seat knows them: what an engine is given."""
    try:
        line, moves = view["position"], view["moves"]
    except (KeyError, TypeError):
        raise RecordError(text("core.view-form")) from None
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise RecordError(text("core.view-form"))
    read = position(line)
    return KnownPosition(read.variant, read.state, moves)
