"""The position codec: a position as one line of text, and back."""

import re
from collections.abc import Sequence

from triskele.core.contract import State
from triskele.core.errors import RecordError
from triskele.core.game import Options
from triskele.core.words import text
from triskele.games.conquest import odds
from triskele.games.conquest import rules as r
from triskele.games.conquest.board_queries import (
    INDEX,
    NAMES,
    dice_of,
    exists,
    number_of,
    owner_of,
    repulses,
    repulses_on,
    sources_of,
    tokens_on,
    used_in_triple,
)
from triskele.games.conquest.geometry import BOARD, BORDER, FIELDS, HALF, HOME
from triskele.games.conquest.moves import ATTACK, DIE, FIELD, steps_text

_PHASES = ("initiative", "reinforce", "conquer", "advantage", "over")


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


def _refuse(key: str, place: str, **values: str | int) -> RecordError:
    return RecordError(text("conquest.read-place", place=place[:40], why=text(f"conquest.read-{key}", **values)))


def read(options: Options, line: str, state: State) -> State:
    """Return the position that :func:`write` wrote; ``RecordError`` names the part that cannot be one and why."""
    players = int(state[r.PLAYERS])
    parts = line.split(" / ")
    if len(parts) != players + 3:
        raise _refuse("parts", line, n=players + 3, found=len(parts))
    state[r.PHASE : r.PURSES] = 0
    state[r.ON :] = 0
    for seat in range(players):
        _read_seat(state, seat, parts[seat])
    state[r.POT] = _read_number(parts[players], "pot")
    state[r.ROUND] = _read_number(parts[players + 1], "round")
    _check_invariants(state, parts)
    _read_phase(state, parts[-1])
    if write(options, state) != line:
        raise _refuse("order", line)
    return state


def _number(written: str, place: str) -> int:
    if not re.fullmatch(r"\d{1,4}", written, re.ASCII):
        raise _refuse("number", place, found=written[:20])
    return int(written)


def _read_number(part: str, name: str) -> int:
    head, _, written = part.partition(" ")
    if head != name:
        raise _refuse("part", part, name=name)
    return _number(written, part)


def _field(state: State, name: str, place: str) -> int:
    if not exists(state, name):
        raise _refuse("field", place, field=name[:20])
    return INDEX[name]


def _read_seat(state: State, seat: int, part: str) -> None:
    number, *words = part.split(" ")
    if number != str(seat + 1) or not words:
        raise _refuse("seat", part, seat=seat + 1)
    state[r.PURSES + seat] = _number(words.pop(0), part)
    if words == ["out"]:
        return
    state[r.IN] |= 1 << seat
    if not words:
        raise _refuse("no-tokens", part, seat=seat + 1)
    for word in words:
        name, _, tokens = word.partition("*")
        field = _field(state, name, part)
        if tokens_on(state, field):
            raise _refuse("field-twice", part, field=name)
        if not _number(tokens, part):
            raise _refuse("number", part, found=tokens)
        state[r.ON + field] = _number(tokens, part) * 8 + seat + 1


def _check_invariants(state: State, parts: Sequence[str]) -> None:
    """Check the invariants of every position: chits (C16), homes (C13), rounds (C15)."""
    players = int(state[r.PLAYERS])
    chits = int(state[r.POT]) + sum(int(state[r.PURSES + seat]) for seat in range(players))
    chits += sum(tokens_on(state, field) for field in range(players * BOARD))
    if chits != players * int(state[r.STAKE]):
        raise _refuse("chits", parts[players], n=chits, right=players * int(state[r.STAKE]))
    for seat in range(players):
        owner = owner_of(state, seat * BOARD + HOME)
        if state[r.IN] >> seat & 1 and not state[r.MARATHON] and owner not in (-1, seat):
            raise _refuse("home", parts[owner], seat=seat + 1)
    if not 1 <= state[r.ROUND] <= state[r.LIMIT]:
        raise _refuse("round", parts[players + 1], n=int(state[r.LIMIT]))
    if not state[r.IN]:
        raise _refuse("nobody", parts[0])


def _read_phase(state: State, part: str) -> None:
    name, *words = part.split(" ")
    if name not in _PHASES:
        raise _refuse("phase", part, phases=", ".join(_PHASES))
    alone = int(state[r.IN]).bit_count() == 1
    if alone != (part == "over last"):
        raise _refuse("last", part)
    if name == "over":
        if words[:1] == ["rounds"] and state[r.ROUND] != state[r.LIMIT]:
            raise _refuse("rounds", part, n=int(state[r.LIMIT]))
        if words not in (["last"], ["rounds"]):
            raise _refuse("ending", part, endings=", ".join(r.REASONS))
        state[r.PHASE], state[r.ENDING] = r.FINISHED, r.REASONS.index(words[0])
    elif name == "initiative":
        _read_initiative(state, part, words)
    else:
        _read_turn(state, part, name, words)


def _read_initiative(state: State, part: str, words: Sequence[str]) -> None:
    for word in words:
        match = re.fullmatch(r"([1-6])=([1-4?])", word)
        if match is None or not state[r.IN] >> int(match[1]) - 1 & 1:
            raise _refuse("roll", part, found=word[:20])
        seat = int(match[1]) - 1
        state[r.ROLLING] |= 1 << seat
        if match[2] != "?":
            state[r.ROLLS] |= int(match[2]) << 3 * seat
    waiting = [word.endswith("?") for word in words]
    if int(state[r.ROLLING]).bit_count() < 2 or not any(waiting) or waiting != sorted(waiting):
        raise _refuse("rollers", part)


def _read_turn(state: State, part: str, name: str, words: list[str]) -> None:
    """Read the acting seat and what has happened in its turn: pairs of a word and a value."""
    pairs = dict(zip(["turn", *words[1::2]], words[0::2], strict=False))
    if len(words) % 2 == 0 or len(pairs) != (len(words) + 1) // 2:
        raise _refuse("pairs", part)
    allowed = {
        "reinforce": {"turn", "first", "home", "used"},
        "conquer": {"turn", "first", "repulsed", "attack", "taken", "followed", "defence", "dice"},
        "advantage": {"turn", "first"},
    }[name]
    for word in pairs:
        if word not in allowed:
            raise _refuse("word", part, found=word[:20])
    for word, place in (("turn", r.SEAT), ("first", r.FIRST)):
        seat = _number(pairs.get(word, ""), part) - 1
        if not 0 <= seat < int(state[r.PLAYERS]) or (word == "turn" and not state[r.IN] >> seat & 1):
            raise _refuse("turn", part, seat=seat + 1)
        state[place] = seat
    if name == "reinforce":
        state[r.PHASE] = r.REINFORCE
        _read_reinforcements(state, part, pairs)
    elif name == "advantage":
        state[r.PHASE] = r.ADVANTAGE
    else:
        state[r.PHASE] = r.CONQUER
        _read_repulses(state, part, pairs.get("repulsed", ""))
        if "attack" in pairs or "taken" in pairs:
            _read_attack(state, part, pairs)
        elif pairs.keys() & {"followed", "defence", "dice"}:
            raise _refuse("no-attack", part)


def _read_reinforcements(state: State, part: str, pairs: dict[str, str]) -> None:
    seat = int(state[r.SEAT])
    home = seat * BOARD + HOME
    if "home" in pairs:
        state[r.GIVEN] = _number(pairs["home"], part)
        if not 1 <= state[r.GIVEN] <= odds.MOST or owner_of(state, home) != seat:
            raise _refuse("given", part, field=NAMES[home])
    used = [_field(state, name, part) for name in pairs.get("used", "").split("+") if "used" in pairs]
    for field in used:
        if owner_of(state, field) != seat or (field == home and state[r.GIVEN]) or used_in_triple(state, field):
            raise _refuse("used", part, field=NAMES[field])
        state[r.USED + field // HALF] |= 1 << field % HALF
    numbers = [number_of(state, field) for field in used]
    if any(numbers.count(number) % 3 for number in numbers):
        raise _refuse("triples", part)


def _read_repulses(state: State, part: str, written: str) -> None:
    for word in written.split("+") if written else ():
        match = re.fullmatch(rf"({FIELD})>({FIELD})\*([123])", word)
        if match is None:
            raise _refuse("border", part, found=word[:20])
        source, target = _field(state, match[1], part), _field(state, match[2], part)
        across = BORDER[state[r.SETUP], target].tolist()
        seat = int(state[r.SEAT])
        if source not in across or owner_of(state, source) != seat or owner_of(state, target) == seat:
            raise _refuse("border", part, found=word)
        place = target % r.PER_WORD * 6 + across.index(source) * 2
        state[r.REPULSES + target // r.PER_WORD] |= int(match[3]) << place


def _read_attack(state: State, part: str, pairs: dict[str, str]) -> None:
    taken = "taken" in pairs
    match = ATTACK.fullmatch(pairs["taken" if taken else "attack"])
    if match is None or (taken and "attack" in pairs):
        raise _refuse("attack", part)
    seat, target = int(state[r.SEAT]), _field(state, match[1], part)
    across = BORDER[state[r.SETUP], target].tolist()
    split = [0, 0, 0]
    for step in match[2].split("+"):
        name, _, tokens = step.partition("*")
        source = _field(state, name, part)
        if source not in across or owner_of(state, source) != seat:
            raise _refuse("attack", part)
        split[across.index(source)] = int(tokens)
    if split not in r.SPLITS.tolist():
        raise _refuse("attack", part)
    state[r.TARGET], state[r.SPLIT] = target, r.SPLITS.tolist().index(split)
    if taken:
        _read_taken(state, part, pairs, split)
    else:
        _read_battle(state, part, pairs, split)


def _read_taken(state: State, part: str, pairs: dict[str, str], split: Sequence[int]) -> None:
    target = int(state[r.TARGET])
    across = BORDER[state[r.SETUP], target].tolist()
    for name in pairs["followed"].split("+") if "followed" in pairs else ():
        source = _field(state, name, part)
        if source not in across or not split[across.index(source)]:
            raise _refuse("followed", part, field=name)
        state[r.FOLLOWED] |= 1 << across.index(source)
    spare = [
        tokens_on(state, across[slot]) > 1 for slot in range(3) if split[slot] and not state[r.FOLLOWED] >> slot & 1
    ]
    followed = int(state[r.FOLLOWED]).bit_count()
    whole = owner_of(state, target) == int(state[r.SEAT]) and tokens_on(state, target) >= sum(split) + followed
    if not whole or not any(spare) or pairs.keys() & {"defence", "dice"}:
        raise _refuse("taken", part)
    state[r.PHASE] = r.FOLLOW


def _read_battle(state: State, part: str, pairs: dict[str, str], split: Sequence[int]) -> None:
    seat, target = int(state[r.SEAT]), int(state[r.TARGET])
    across = BORDER[state[r.SETUP], target].tolist()
    for slot in range(3):
        closed = repulses_on(state, target, slot) == odds.REPULSES
        if split[slot] and (closed or split[slot] >= tokens_on(state, across[slot])):
            raise _refuse("attack", part)
    owner = owner_of(state, target)
    if owner == seat or (owner < 0 and target == seat * BOARD + HOME) or "followed" in pairs:
        raise _refuse("attack", part)
    dice = pairs["dice"].split("+") if "dice" in pairs else []
    if "defence" in pairs:
        state[r.DEFENCE] = _number(pairs["defence"], part)
        if owner < 0 or not 1 <= state[r.DEFENCE] <= min(odds.MOST, tokens_on(state, target)):
            raise _refuse("defence", part)
    elif owner >= 0:
        state[r.PHASE] = r.DEFEND
        if dice:
            raise _refuse("dice", part)
        return
    state[r.PHASE] = r.BATTLE
    if len(dice) >= sum(split) + max(1, int(state[r.DEFENCE])) or not all(map(DIE.fullmatch, dice)):
        raise _refuse("dice", part)
    state[r.ROLLED] = len(dice)
    state[r.DICE] = sum(int(die) << 3 * index for index, die in enumerate(dice))
