"""Texts of TRYPTIC: moves, tokens and positions."""

import functools
import re
from collections.abc import Sequence

import numpy as np

from triskele.core.contract import State
from triskele.core.contract.texts import MOVE_TEXT
from triskele.core.errors import RecordError
from triskele.core.game import Options
from triskele.core.text_buffer import buffer_of, written
from triskele.core.words import Text, text
from triskele.games.tryptic import rules as r
from triskele.games.tryptic.position_reader import HIDDEN, NEVER_CHOSEN, REFUSALS, UNCHOSEN, read_position
from triskele.games.tryptic.texts import COLOURS, NAMES, PATTERNS, write_move

COLOUR_NAMES = ("blue", "green", "red", "white", "yellow")
"""The name of each colour in the catalogue."""
INDEX = {name: i for i, name in enumerate(NAMES)}
PATTERN_INDEX = {name: i for i, name in enumerate(PATTERNS)}

Words = State | list[int]
"""A state, or one as a list: where many words are looked at one by one, a list is several times as fast."""

_STAGES = {r.CHOOSING: "", r.OPEN: "", r.CHALLENGED: "c", r.PLACED: "p"}
_CELLS = bytes.maketrans(bytes(range(r.COLOURS + 1)), b"." + COLOURS.encode())
_ROWS = tuple(
    (NAMES.index(f"{letter}{low}"), high - low + 1) for letter, (low, high) in zip("abcdefghi", r.ROWS, strict=True)
)
"""The first hex of each row, and how many it has."""


# --- moves --------------------------------------------------------------------------------------


_NO_STATE = np.zeros(0, dtype=np.int64)


def move_text(options: Options, code: int) -> str:
    """Return the text of a move."""
    return written(lambda into: write_move(_NO_STATE, code, into), MOVE_TEXT)


def _both_ways(pattern: str) -> tuple[str, ...]:
    """Return the spellings of a pattern: its own and its reverse (P3)."""
    return (pattern,) if pattern == pattern[::-1] else (pattern, pattern[::-1])


def move_tokens(options: Options, code: int) -> tuple[tuple[str, ...], ...]:
    """Return the things to touch: colours for a pattern, in either direction, a colour and a hex for a tile."""
    written = move_text(options, code)
    if code < r.PLACE:
        return tuple(tuple(spelling) for spelling in _both_ways(written[1:]))
    if code < r.CHALLENGE:
        return ((written[0], written[1:]),)
    if code < r.END:
        challenge, guess = written.split("=")
        return tuple((challenge, *spelling) for spelling in _both_ways(guess))
    return ((written,),)


def move_seen(options: Options, state: State, code: int, mover: int, viewer: int | None) -> str:
    """Return a past move's text as a viewer may see it: a pattern that is still secret is hidden (P9)."""
    secret = code < r.PLACE and mover != viewer and not state[r.PATTERN + mover]
    return "=" + HIDDEN if secret else move_text(options, code)


def interrupt_owner(options: Options, code: int) -> int | None:
    """Return whose announcement or resignation a move is."""
    if code >= r.GIVE_UP:
        return code - r.GIVE_UP
    return code - r.ANNOUNCE if code >= r.ANNOUNCE else None


def resignation(options: Options, state: State, seat: int) -> int | None:
    """Return the move that takes a seat out of a game of three or more that goes on (P11)."""
    goes_on = state[r.PLAYERS] > 2 and state[r.STAGE] != r.ENDED
    return r.GIVE_UP + seat if goes_on and is_in(state, seat) else None


def reveals(options: Options, code: int) -> bool:
    """Return whether a move is a challenge, an announcement or a resignation: what it showed stays known (P11)."""
    return r.CHALLENGE <= code < r.END or code >= r.ANNOUNCE


# --- what is public about a position --------------------------------------------------------------


def wrong_guesses(state: Words, seat: int) -> list[str]:
    """Return the guesses at a seat's pattern that were wrong, sorted."""
    return list(guesses(wrong_bits(state, seat)))


def wrong_bits(state: Words, seat: int) -> int:
    """Return the guesses at a seat's pattern that were wrong, as a bit set."""
    return int(state[r.WRONG + 2 * seat]) | int(state[r.WRONG + 2 * seat + 1]) << r.WRONG_BITS


@functools.lru_cache(maxsize=20_000)
def guesses(bits: int) -> tuple[str, ...]:
    """Return the patterns of a bit set, sorted."""
    return tuple(name for i, name in enumerate(PATTERNS) if bits >> i & 1)


def is_in(state: Words, seat: int) -> bool:
    """Whether a seat is still in."""
    return bool(state[r.IN] >> seat & 1)


def has_chosen(state: Words, seat: int) -> bool:
    """Whether a seat that is in has chosen its pattern."""
    if state[r.STAGE] == r.ENDED:  # the last one in may have won before choosing (P11)
        return bool(state[r.PATTERN + seat])
    return bool(state[r.STAGE] != r.CHOOSING or seat < state[r.TURN])


def colours_gone(state: Words) -> list[int]:
    """Return the colours of which no tile is left."""
    gone = int(state[r.GONE])
    return [colour for colour in range(r.COLOURS) if gone >> colour & 1] if gone else []


# --- positions ----------------------------------------------------------------------------------


def _write_board(words: list[int]) -> str:
    cells = bytes(words[r.CELL : r.CELL + r.HEXES]).translate(_CELLS).decode()
    return "/".join([cells[first : first + number] for first, number in _ROWS])


def _write_pattern(words: list[int], seat: int) -> str:
    pattern = words[r.PATTERN + seat]
    if pattern:
        return PATTERNS[pattern - 1] if is_in(words, seat) else PATTERNS[pattern - 1].lower()
    if not is_in(words, seat):
        return NEVER_CHOSEN
    return HIDDEN if has_chosen(words, seat) else UNCHOSEN


def _write_turn(words: list[int]) -> str:
    if words[r.STAGE] != r.ENDED:
        return f"{words[r.TURN] + 1}{_STAGES[words[r.STAGE]]}"
    winner = words[r.WINNERS].bit_length()
    return r.REASONS[words[r.REASON]] + (f":{winner}" if winner else "")


def write(options: Options, state: State) -> str:
    """Return the rows a to i, whose turn it is or how it ended, and what there is to know of each seat.

    The fields: board; seat to act with ``p`` (has placed) or ``c`` (has challenged), or the end; the
    patterns (``***`` hidden, ``---`` not chosen, small letters: out, ``xxx``: out without one); points by
    challenges; wrong guesses; colours gone; seats that have passed in a row.
    """
    words = state[: r.SHOWN].tolist()
    players = words[r.PLAYERS]
    seats = range(players)
    passed = words[r.PASSED]
    return " ".join(
        (
            _write_board(words),
            _write_turn(words),
            ",".join([_write_pattern(words, seat) for seat in seats]),
            ",".join(map(str, words[r.CHANGE : r.CHANGE + players])),
            ",".join(["+".join(guesses(wrong_bits(words, seat))) or "-" for seat in seats]),
            "".join([COLOURS[colour] for colour in colours_gone(words)]) or "-",
            "".join([str(seat + 1) for seat in seats if passed >> seat & 1]) or "-",
        )
    )


def read(options: Options, line: str, state: State) -> State:
    """Return the state that ``write`` wrote; refuses what no game can come to, as far as that can be told."""
    refused = read_position(buffer_of(line), len(line), state)
    if refused == 0:
        return state
    place, fields = REFUSALS[refused - 1], line.split(" ")
    at = {"board": 0, "turn": 1, "patterns": 2, "changes": 3, "guesses": 4, "gone": 5, "passed": 6}
    refused_text = fields[at[place]] if place in at else line
    shown = refused_text if len(refused_text) <= 60 else refused_text[:57] + "…"
    raise RecordError(text(f"tryptic.read-{place}", written=shown))


# --- in words: all of it public, so that nobody's secret shows in what another is told --------------


def ask(options: Options, state: State) -> Text:
    """Return what is asked of the one to act."""
    if state[r.STAGE] == r.CHOOSING:
        return text("tryptic.ask-pattern")
    if state[r.STAGE] == r.CHALLENGED:
        return text("tryptic.ask-place")
    if state[r.STAGE] == r.PLACED:
        return text("tryptic.ask-end")
    return text("tryptic.ask-turn" if state[r.EMPTY] else "tryptic.ask-full")


def ask_after(options: Options, state: State, tokens: tuple[str, ...]) -> Text | None:
    """Ask where a tile goes, once its colour is chosen."""
    placing = state[r.STAGE] in (r.OPEN, r.CHALLENGED)
    return text("tryptic.then.hex") if placing and len(tokens) == 1 and tokens[0] in COLOURS else None


def note(options: Options, state: State, code: int) -> Text | None:
    """Return what a challenge or an announcement can cost."""
    if r.ANNOUNCE <= code < r.GIVE_UP:
        return text("tryptic.note-announce", n=int(state[r.GOAL]))
    if r.CHALLENGE <= code < r.END:
        seat, guess = divmod(code - r.CHALLENGE, r.PATTERNS)
        wrong = wrong_guesses(state, seat)
        if PATTERNS[guess] in wrong:
            return text("tryptic.note-known-wrong", seat=seat + 1, pattern=PATTERNS[guess])
        return text("tryptic.note-challenge", seat=seat + 1, n=r.PATTERNS - len(wrong))
    return None


def why_not(options: Options, state: State, written: str) -> Text | None:
    """Return why a text is not a legal move, or ``None`` when it is not even like one."""
    if announced := re.fullmatch(r"!(\d{1,2})", written, re.ASCII):
        return _why_not_announce(state, int(announced[1]) - 1)
    if challenged := re.fullmatch(r"\?(\d{1,2})=(.*)", written, re.ASCII):
        return _why_not_challenge(state, int(challenged[1]) - 1) or _why_no_pattern(challenged[2])
    if written.startswith("="):
        if state[r.STAGE] != r.CHOOSING:
            return text("tryptic.why-chosen")
        return _why_no_pattern(written[1:])
    if written == ".":
        return _why_not_end(state)
    if written[:1] in COLOURS and written[1:] in INDEX:
        return _why_not_place(state) or _why_no_hex(state, written[1:]) or _why_no_colour(state, written[0])
    if re.fullmatch(r"[A-Z][a-z]\d{1,2}", written, re.ASCII):
        return text("tryptic.why-no-hex" if written[0] in COLOURS else "tryptic.why-no-colour")
    return None


def why_no_token(options: Options, state: State, tokens: Sequence[str]) -> Text | None:
    """Return why the last of these tokens cannot be."""
    *before, last = tokens
    announced = re.fullmatch(r"!(\d{1,2})", last, re.ASCII)
    challenged = re.fullmatch(r"\?(\d{1,2})", last, re.ASCII)
    if before and before[0] in COLOURS and last in INDEX:
        return _why_no_hex(state, last)
    if before:
        return None
    if announced:
        return _why_not_announce(state, int(announced[1]) - 1)
    if challenged:
        return _why_not_challenge(state, int(challenged[1]) - 1)
    if last == ".":
        return _why_not_end(state)
    if last in tuple(COLOURS):
        return _why_not_place(state) or _why_no_colour(state, last)
    if last in INDEX:
        return _why_not_place(state) or text("tryptic.why-colour-first")
    return None


def _why_not_seat(state: State, seat: int) -> Text | None:
    if not 0 <= seat < state[r.PLAYERS]:
        return text("tryptic.why-no-seat", seat=seat + 1, n=int(state[r.PLAYERS]))
    return None if is_in(state, seat) else text("tryptic.why-out", seat=seat + 1)


def _why_not_announce(state: State, seat: int) -> Text | None:
    if reason := _why_not_seat(state, seat):
        return reason
    return text("tryptic.why-not-yet") if state[r.STAGE] == r.CHOOSING else None


def _why_not_challenge(state: State, seat: int) -> Text | None:
    if reason := _why_not_seat(state, seat):
        return reason
    if state[r.STAGE] == r.CHOOSING:
        return text("tryptic.why-not-yet")
    if seat == state[r.TURN]:
        return text("tryptic.why-oneself")
    return text("tryptic.why-challenged") if state[r.STAGE] == r.CHALLENGED else None


def _why_no_pattern(guess: str) -> Text | None:
    if guess in PATTERN_INDEX:
        return None
    if guess[::-1] in PATTERN_INDEX:
        return text("tryptic.why-reversed", pattern=guess[::-1])
    return text("tryptic.why-no-pattern")


def _why_not_end(state: State) -> Text | None:
    if state[r.STAGE] == r.CHOOSING:
        return text("tryptic.why-choose-first")
    return text("tryptic.why-must-place") if state[r.STAGE] != r.PLACED and state[r.EMPTY] else None


def _why_not_place(state: State) -> Text | None:
    if state[r.STAGE] == r.CHOOSING:
        return text("tryptic.why-choose-first")
    if state[r.STAGE] == r.PLACED:
        return text("tryptic.why-placed")
    return None if state[r.EMPTY] else text("tryptic.why-full")


def _why_no_hex(state: State, name: str) -> Text | None:
    return None if state[r.EMPTY] >> INDEX[name] & 1 else text("tryptic.why-taken", hex=name)


def _why_no_colour(state: State, letter: str) -> Text | None:
    colour = COLOURS.index(letter)
    if state[r.GONE] >> colour & 1:
        return text("tryptic.why-gone", colour=text(f"tryptic.{COLOUR_NAMES[colour]}"))
    return None
