"""The position codec: a position as one line of text, and back."""

from triskele.core.contract import State
from triskele.core.errors import RecordError
from triskele.core.game import Options
from triskele.core.text_buffer import buffer_of
from triskele.core.words import text
from triskele.games.conquest import rules as r
from triskele.games.conquest.board_queries import (
    NAMES,
    dice_of,
    owner_of,
    repulses,
    sources_of,
    used_in_triple,
)
from triskele.games.conquest.geometry import BOARD, BORDER, FIELDS, HOME
from triskele.games.conquest.moves import steps_text
from triskele.games.conquest.position_reader import chits, read_position
from triskele.games.conquest.position_words import PHASES, WHOLE, unpack


def write(options: Options, state: State) -> str:
    """Return the text of a position: each seat's purse and fields with tokens, then pot, round and phase.

    The parts are separated by `` / ``. The phase names the acting seat, and after it repulses, the attack under way and
    the like, as pairs of a word and a value.
    """
    held: list[list[str]] = [[] for _ in range(int(state[r.PLAYERS]))]
    for name, on in zip(NAMES, state[r.ON : r.ON + FIELDS].tolist(), strict=True):
        if on:
            held[(on & 7) - 1].append(f"{name}*{on >> 3}")
    parts = []
    for seat, fields in enumerate(held):
        words = [str(seat + 1), str(state[r.PURSES + seat]), *fields]
        parts.append(" ".join(words if state[r.IN] >> seat & 1 else [*words, "out"]))
    parts += [f"pot {state[r.POT]}", f"round {state[r.ROUND]}", " ".join(_write_phase(state))]
    return " / ".join(parts)


def _held(state: State, seat: int) -> list[int]:
    return [field for field in range(int(state[r.PLAYERS]) * BOARD) if owner_of(state, field) == seat]


def _write_phase(state: State) -> list[str]:
    phase = int(state[r.PHASE])
    if phase == r.FINISHED:
        return ["over", r.REASONS[state[r.ENDING]]]
    if phase == r.INITIATIVE:
        rolls = [(seat, int(state[r.ROLLS]) >> 3 * seat & 7) for seat in range(r.SEATS) if state[r.ROLLING] >> seat & 1]
        return ["initiative", *(f"{seat + 1}={roll or '?'}" for seat, roll in rolls)]
    name = {r.REINFORCE: "reinforce", r.ADVANTAGE: "advantage"}.get(phase, "conquer")
    words = [name, str(state[r.SEAT] + 1), "first", str(state[r.FIRST] + 1)]
    if state[r.GIVEN]:
        words += ["home", str(state[r.GIVEN])]
    if state[r.USED] or state[r.USED + 1]:
        used = [NAMES[field] for field in range(FIELDS) if used_in_triple(state, field)]
        words += ["used", "+".join(used)]
    repulsed = _write_repulses(state)
    if repulsed:
        words += ["repulsed", repulsed]
    if phase in (r.DEFEND, r.BATTLE, r.FOLLOW):
        words += _write_attack(state)
    return words


def _write_repulses(state: State) -> str:
    return "+".join(
        f"{NAMES[BORDER[state[r.SETUP], field, slot]]}>{NAMES[field]}*{count}" for field, slot, count in repulses(state)
    )


def _write_attack(state: State) -> list[str]:
    target = int(state[r.TARGET])
    sources = sources_of(int(state[r.SETUP]), target, int(state[r.SPLIT]))
    taken = int(state[r.PHASE]) == r.FOLLOW
    words = ["taken" if taken else "attack", f"{NAMES[target]}<{steps_text(sources)}"]
    across = BORDER[state[r.SETUP], target].tolist()
    followed = [NAMES[across[slot]] for slot in range(3) if state[r.FOLLOWED] >> slot & 1]
    if followed:
        words += ["followed", "+".join(followed)]
    if state[r.DEFENCE]:
        words += ["defence", str(state[r.DEFENCE])]
    if state[r.ROLLED]:
        words += ["dice", "+".join(map(str, dice_of(state)))]
    return words


def read(options: Options, line: str, state: State) -> State:
    """Return the position that :func:`write` wrote; ``RecordError`` names the part that cannot be one and why."""
    refused = read_position(buffer_of(line), len(line), state)
    if refused != 0:
        raise _refusal(line, state, refused)
    return state


def _refusal(line: str, state: State, refused: int) -> RecordError:
    """Return the error that says why a text was refused, and where."""
    key, part, begin, end, seat = unpack(refused)
    parts = line.split(" / ")
    players, word = int(state[r.PLAYERS]), line[begin:end]
    values: dict[str, dict[str, str | int]] = {
        "parts": {"n": players + 3, "found": len(parts)},
        "seat": {"seat": part + 1},
        "number": {"found": word[:20]},
        "part": {"name": "pot" if part == players else "round"},
        "field": {"field": word[:20]},
        "no-tokens": {"seat": part + 1},
        "field-twice": {"field": word},
        "chits": {"n": chits(state), "right": players * int(state[r.STAKE])},
        "home": {"seat": seat + 1},
        "round": {"n": int(state[r.LIMIT])},
        "phase": {"phases": ", ".join(PHASES)},
        "rounds": {"n": int(state[r.LIMIT])},
        "ending": {"endings": ", ".join(r.REASONS)},
        "roll": {"found": word[:20]},
        "word": {"found": word[:20]},
        "turn": {"seat": word},
        "given": {"field": NAMES[seat * BOARD + HOME]},
        "used": {"field": word},
        "border": {"found": word[:20]},
        "followed": {"field": word},
    }
    why = text(f"conquest.read-{key}", **values.get(key, {}))
    return RecordError(text("conquest.read-place", place=(line if part == WHOLE else parts[part])[:40], why=why))
