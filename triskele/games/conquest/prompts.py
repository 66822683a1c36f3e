"""What is asked of the seat to act, and the odds to know before a move, in words."""

import math
from collections.abc import Sequence
from fractions import Fraction

from triskele.core import numbers
from triskele.core.contract import State
from triskele.core.game import Options
from triskele.core.words import Text, text
from triskele.games.conquest import odds
from triskele.games.conquest import rules as r
from triskele.games.conquest.board_queries import (
    INDEX,
    NAMES,
    committed,
    home_tokens_left,
    number_of,
    owner_of,
    repulses_on,
    setup_of,
    tokens_on,
)
from triskele.games.conquest.geometry import BOARD, BORDER, HOME
from triskele.games.conquest.moves import attack_of

_DONE = text("conquest.token.done")


def ask(options: Options, state: State) -> Text:
    """Return what is asked of the seat to act, or which die is to roll."""
    phase, seat = int(state[r.PHASE]), int(state[r.SEAT])
    if phase == r.INITIATIVE:
        return text("conquest.ask-initiative", seat=_roller(state) + 1)
    if phase == r.REINFORCE:
        left = home_tokens_left(state)
        return text("conquest.ask-reinforce", n=left, done=_DONE) if left else text("conquest.ask-triple", done=_DONE)
    if phase == r.CONQUER:
        return text("conquest.ask-conquer", done=_DONE)
    if phase == r.ADVANTAGE:
        return text("conquest.ask-advantage", done=_DONE)
    target = int(state[r.TARGET])
    if phase == r.FOLLOW:
        return text("conquest.ask-follow", field=NAMES[target], stay=text("conquest.token.stay"))
    attackers = committed(state)
    if phase == r.DEFEND:
        return text("conquest.ask-defend", seat=seat + 1, field=NAMES[target], n=attackers)
    rolled = int(state[r.ROLLED])
    if rolled < attackers:
        return text("conquest.ask-attack-die", die=rolled + 1, dice=attackers, field=NAMES[target])
    if not state[r.DEFENCE]:
        return text("conquest.ask-empty-die", field=NAMES[target], number=number_of(state, target))
    return text("conquest.ask-defence-die", die=rolled - attackers + 1, dice=int(state[r.DEFENCE]), field=NAMES[target])


def ask_after(options: Options, state: State, tokens: tuple[str, ...]) -> Text | None:
    """Ask for the other field of an attack or an advantage move, once one of the two is chosen; name a whole triple."""
    if len(tokens) == 4 and tokens[0] == "t":
        return text("conquest.then.triple", fields=", ".join(sorted(tokens[1:])), field=tokens[1])
    if len(tokens) != 1 or tokens[0] not in INDEX:
        return None
    field, phase = tokens[0], int(state[r.PHASE])
    if phase == r.ADVANTAGE:
        return text("conquest.then.goal", field=field)
    if phase != r.CONQUER:
        return None
    own = owner_of(state, INDEX[field]) == int(state[r.SEAT])
    return text("conquest.then.target" if own else "conquest.then.source", field=field)


def _roller(state: State) -> int:
    rolling, rolls = int(state[r.ROLLING]), int(state[r.ROLLS])
    return next(seat for seat in range(r.SEATS) if rolling >> seat & 1 and not rolls >> 3 * seat & 7)


def percent(chance: Fraction | float) -> Text:
    """Return a chance in percent, rounded to tenths; 0 % and 100 % stand only for the impossible and the certain."""
    tenths = math.floor(chance * 1000 + Fraction(1, 2))
    if 0 < chance < 1:
        tenths = min(max(tenths, 1), 999)
    return numbers.percent(tenths / 1000)


def _listed(items: Sequence[Text]) -> Text:
    if len(items) == 1:
        return items[0]
    return text("conquest.list", first=items[0], rest=_listed(items[1:]))


def note(options: Options, state: State, code: int) -> Text | None:
    """Return the odds of an attack against each defence, or of a defence; ``None`` for other moves."""
    if int(state[r.PHASE]) == r.DEFEND:
        return _note_defence(committed(state), code - r.DEFENCES + 1)
    if not r.ATTACKS <= code < r.TRIPLE_TOKENS:
        return None
    seat = int(state[r.SEAT])
    target, sources = attack_of(setup_of(options), code)
    attackers = sum(tokens for _, tokens in sources)
    if owner_of(state, target) >= 0:
        at_once = _note_held(attackers, min(odds.MOST, tokens_on(state, target)))
    elif target == seat * BOARD + HOME:
        return text("conquest.note-home")
    else:
        at_once = _note_empty(attackers, number_of(state, target))
    army, defenders = tokens_on(state, sources[0][0]), tokens_on(state, target)
    if len(sources) > 1 or max(army, defenders) > odds.LARGEST_ARMY:
        return at_once
    slot = BORDER[setup_of(options), target].tolist().index(sources[0][0])
    chance = odds.chance_to_take(army, defenders, number_of(state, target), repulses_on(state, target, slot))
    return text("conquest.note-and-go-on", odds=at_once, chance=percent(chance))


def _note_empty(attackers: int, number: int) -> Text:
    chances = odds.against_empty(attackers, number)
    lost = sum((chances.get(tokens, Fraction()) for tokens in range(1, attackers + 1)), Fraction())
    parts = [text("conquest.note-taken", chance=percent(chances.get(odds.TAKEN, Fraction())))]
    if 0 in chances:
        parts.append(text("conquest.note-nothing", chance=percent(chances[0])))
    if lost:
        parts.append(text("conquest.note-lost", chance=percent(lost)))
    return _listed(parts)


def _note_held(attackers: int, most: int) -> Text:
    parts = [
        text("conquest.note-against", n=defenders, chance=percent(1 - odds.repulsed(attackers, defenders)))
        for defenders in range(1, most + 1)
    ]
    return text("conquest.note-held", defences=_listed(parts))


def _note_defence(attackers: int, defenders: int) -> Text:
    """Return how likely the attack is repulsed, short enough for a button: all outcomes are too many to read."""
    return text("conquest.note-defence", chance=percent(odds.repulsed(attackers, defenders)))
