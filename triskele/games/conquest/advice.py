"""What to tell a player: what is asked, the odds of an attack, and why something cannot be played."""

import itertools
import math
import re
from collections.abc import Sequence
from fractions import Fraction

from triskele.core.contract import State
from triskele.core.game import Options
from triskele.core.words import Text, text
from triskele.games.conquest import odds
from triskele.games.conquest import rules as r
from triskele.games.conquest.geometry import BOARD, BORDER, HOME
from triskele.games.conquest.moves import (
    ADVANTAGE,
    ATTACK,
    DEFENCE,
    DIE,
    FIELD,
    FOLLOW,
    HOME_TOKEN,
    TRIPLE,
    attack_of,
)
from triskele.games.conquest.table import (
    INDEX,
    NAMES,
    TOUCHING,
    committed,
    exists,
    held_by,
    number_of,
    owner_of,
    repulses_on,
    setup_of,
    sources_of,
    tokens_on,
    used_in_triple,
)

_DONE = text("conquest.token.done")


def ask(options: Options, state: State) -> Text:
    """Say what is asked of the one to act."""
    phase, seat = int(state[r.PHASE]), int(state[r.SEAT])
    if phase == r.INITIATIVE:
        return text("conquest.ask-initiative", seat=_roller(state) + 1)
    if phase == r.REINFORCE:
        return text("conquest.ask-reinforce", done=_DONE)
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


def _roller(state: State) -> int:
    rolling, rolls = int(state[r.ROLLING]), int(state[r.ROLLS])
    return next(seat for seat in range(r.SEATS) if rolling >> seat & 1 and not rolls >> 3 * seat & 7)


def percent(chance: Fraction | float) -> Text:
    """Return a chance in percent, to the tenth; only what is certain or impossible is shown so."""
    tenths = math.floor(chance * 1000 + Fraction(1, 2))
    if 0 < chance < 1:
        tenths = min(max(tenths, 1), 999)
    whole, tenth = divmod(tenths, 10)
    return text("conquest.percent", whole=whole, tenth=tenth)


def _listed(items: Sequence[Text], key: str = "conquest.list") -> Text:
    if len(items) == 1:
        return items[0]
    return text(key, first=items[0], rest=_listed(items[1:], key))


def _outcomes(attackers: int, defenders: int) -> Text:
    chances = odds.against_held(attackers, defenders)
    return _listed(
        [
            text("conquest.note-losses", attacker=lost, defender=won, chance=percent(chance))
            for (lost, won), chance in sorted(chances.items(), key=lambda item: (item[0][0] - item[0][1], item[0]))
        ]
    )


def note(options: Options, state: State, code: int) -> Text | None:
    """Return the odds of an attack, whatever the defender does, or of a defence; exact to the tenth shown."""
    if int(state[r.PHASE]) == r.DEFEND:
        return text("conquest.note-defence", outcomes=_outcomes(committed(state), code - r.DEFENCES + 1))
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
    if len(sources) > 1 or max(army, defenders) > odds.FORESEEN:
        return at_once
    slot = BORDER[setup_of(options), target].tolist().index(sources[0][0])
    chance = odds.chance_to_take(army, defenders, number_of(state, target), repulses_on(state, target, slot))
    return text("conquest.note-and-go-on", odds=at_once, field=NAMES[sources[0][0]], chance=percent(chance))


def _note_empty(attackers: int, number: int) -> Text:
    chances = odds.against_empty(attackers, number)
    parts = [text("conquest.note-taken", chance=percent(chances.get(odds.TAKEN, Fraction())))]
    for lost in range(attackers + 1):
        if lost in chances:
            key = "conquest.note-lost" if lost else "conquest.note-nothing"
            parts.append(text(key, n=lost, chance=percent(chances[lost])))
    return _listed(parts)


def _note_held(attackers: int, most: int) -> Text:
    parts = [
        text(
            "conquest.note-against",
            n=defenders,
            outcomes=_outcomes(attackers, defenders),
            repulsed=percent(odds.repulsed(attackers, defenders)),
        )
        for defenders in range(1, most + 1)
    ]
    return text("conquest.note-held", defences=_listed(parts, "conquest.list-of-lists"))


# --- why not ------------------------------------------------------------------------------------

_FORMS = (
    (DIE, (r.INITIATIVE, r.BATTLE)),
    (re.compile("done"), (r.REINFORCE, r.CONQUER, r.ADVANTAGE)),
    (re.compile("stay"), (r.FOLLOW,)),
    (HOME_TOKEN, (r.REINFORCE,)),
    (TRIPLE, (r.REINFORCE,)),
    (ATTACK, (r.CONQUER,)),
    (DEFENCE, (r.DEFEND,)),
    (FOLLOW, (r.FOLLOW,)),
    (ADVANTAGE, (r.ADVANTAGE,)),
)


def why_not(options: Options, state: State, written: str) -> Text | None:
    """Say why a text is not a legal move."""
    for form, phases in _FORMS:
        match = form.fullmatch(written)
        if match:
            if int(state[r.PHASE]) not in phases:
                return text("conquest.why-not-now", ask=ask(options, state))
            for name in re.findall(FIELD, written):
                if not exists(state, name):
                    return text("conquest.why-no-field", field=name, players=int(state[r.PLAYERS]))
            return _why(state, form, match)
    return None


def _why(state: State, form: re.Pattern[str], match: re.Match[str]) -> Text | None:
    """Say what is wrong with a move that has the form of one asked for now."""
    if form is HOME_TOKEN:
        return _home_problem(state, INDEX[match[1]])
    if form is TRIPLE:
        return _triple_problem(state, [INDEX[match[i]] for i in (1, 2, 3)], INDEX[match[4]], int(match[5]))
    if form is ATTACK:
        steps = [step.split("*") for step in match[2].split("+")]
        return _attack_problem(state, INDEX[match[1]], [(INDEX[name], int(tokens)) for name, tokens in steps])
    if form is DEFENCE:
        most = min(odds.MOST, tokens_on(state, int(state[r.TARGET])))
        return text("conquest.why-defence", n=most)
    if form is FOLLOW:
        return _follow_problem(state, INDEX[match[1]])
    if form is ADVANTAGE:
        return _advantage_problem(state, INDEX[match[1]], INDEX[match[2]], int(match[3]))
    return None


def _not_own(state: State, field: int) -> Text | None:
    if owner_of(state, field) == int(state[r.SEAT]):
        return None
    return text("conquest.why-not-yours", field=NAMES[field])


def _purse_empty(state: State) -> Text | None:
    return None if state[r.PURSES + state[r.SEAT]] else text("conquest.why-purse-empty")


def _home_problem(state: State, field: int | None) -> Text | None:
    seat = int(state[r.SEAT])
    home = seat * BOARD + HOME
    if owner_of(state, home) != seat:
        return text("conquest.why-home-lost", field=NAMES[home])
    if state[r.GIVEN] == odds.MOST:
        return text("conquest.why-home-given")
    if used_in_triple(state, home):
        return text("conquest.why-home-used", field=NAMES[home])
    if _purse_empty(state) or field is None:
        return _purse_empty(state)
    return _not_own(state, field) or text("conquest.why-not-joined", field=NAMES[field], home=NAMES[home])


def _triple_problem(state: State, fields: Sequence[int], goal: int | None = None, tokens: int = 1) -> Text | None:
    """Say why these fields, all three or the first of them, are not a triple that can be used."""
    seat, setup = int(state[r.SEAT]), int(state[r.SETUP])
    for index, field in enumerate(fields):
        problem = _not_own(state, field)
        if problem:
            return problem
        if field in fields[:index]:
            return text("conquest.why-twice", field=NAMES[field])
        if used_in_triple(state, field):
            return text("conquest.why-used", field=NAMES[field])
        if field == seat * BOARD + HOME and state[r.GIVEN]:
            return text("conquest.why-home-serves", field=NAMES[field])
    if len({number_of(state, field) for field in fields}) > 1:
        return text("conquest.why-numbers", fields=", ".join(NAMES[field] for field in fields))
    one_board = len({field // BOARD for field in fields}) == 1
    if not one_board and not all(b in TOUCHING[setup][a] for a, b in itertools.combinations(fields, 2)):
        return text("conquest.why-apart", fields=", ".join(NAMES[field] for field in fields))
    if list(fields) != sorted(fields):
        return text("conquest.why-order")
    if goal is not None and goal not in fields:
        return text("conquest.why-outside-triple", field=NAMES[goal])
    most = min(number_of(state, fields[0]), int(state[r.PURSES + seat]))
    if not 1 <= tokens <= most:
        return _purse_empty(state) or text("conquest.why-triple-gives", n=most)
    return None


def _attack_problem(state: State, target: int, steps: Sequence[tuple[int, int]]) -> Text | None:
    if owner_of(state, target) == int(state[r.SEAT]):
        return text("conquest.why-own-target", field=NAMES[target])
    for index, (source, tokens) in enumerate(steps):
        if source in [field for field, _ in steps[:index]]:
            return text("conquest.why-twice", field=NAMES[source])
        problem = _source_problem(state, target, source, tokens)
        if problem:
            return problem
    if not 1 <= sum(tokens for _, tokens in steps) <= odds.MOST or not all(tokens for _, tokens in steps):
        return text("conquest.why-three")
    return text("conquest.why-order")


def _source_problem(state: State, target: int, source: int, tokens: int) -> Text | None:
    problem = _not_own(state, source)
    if problem:
        return problem
    across = BORDER[state[r.SETUP], target].tolist()
    if source not in across:
        return text("conquest.why-no-border", field=NAMES[source], other=NAMES[target])
    if repulses_on(state, target, across.index(source)) == odds.REPULSES:
        return text("conquest.why-closed", field=NAMES[source], other=NAMES[target])
    if tokens >= tokens_on(state, source):
        return text("conquest.why-keep-one", field=NAMES[source], n=tokens_on(state, source))
    return None


def _follow_problem(state: State, source: int) -> Text | None:
    setup, target = int(state[r.SETUP]), int(state[r.TARGET])
    if source not in [field for field, _ in sources_of(setup, target, int(state[r.SPLIT]))]:
        return text("conquest.why-did-not-attack", field=NAMES[source])
    if int(state[r.FOLLOWED]) >> BORDER[setup, target].tolist().index(source) & 1:
        return text("conquest.why-followed", field=NAMES[source])
    return text("conquest.why-keep-one", field=NAMES[source], n=tokens_on(state, source))


def _advantage_problem(state: State, source: int, goal: int, tokens: int) -> Text | None:
    problem = _not_own(state, source) or _not_own(state, goal)
    if problem:
        return problem
    if goal not in BORDER[state[r.SETUP], source].tolist():
        return text("conquest.why-no-border", field=NAMES[source], other=NAMES[goal])
    if not 1 <= tokens <= tokens_on(state, source):
        return text("conquest.why-so-many", field=NAMES[source], n=tokens_on(state, source))
    return None


def why_no_token(options: Options, state: State, tokens: Sequence[str]) -> Text | None:
    """Say why the last of these tokens cannot be."""
    phase, last = int(state[r.PHASE]), tokens[-1]
    if last == "h" and phase == r.REINFORCE:
        return _home_problem(state, None)
    if last in ("h", "t") and phase == r.REINFORCE:
        return _purse_empty(state) or text("conquest.why-no-triple")
    if not re.fullmatch(FIELD, last):
        return None
    if not exists(state, last):
        return text("conquest.why-no-field", field=last, players=int(state[r.PLAYERS]))
    fields = [INDEX[token] for token in tokens if token in INDEX]
    if phase == r.REINFORCE and tokens[0] == "h":
        return _home_problem(state, fields[-1])
    if phase == r.REINFORCE and tokens[0] == "t":
        return _triple_token_problem(state, fields)
    if phase == r.CONQUER:
        return _attack_token_problem(state, fields)
    if phase == r.FOLLOW:
        return _follow_problem(state, fields[-1])
    if phase == r.ADVANTAGE and tokens[0] == "v":
        return _not_own(state, fields[-1]) or _advantage_problem(state, fields[0], fields[-1], 1)
    return None


def _triple_token_problem(state: State, fields: Sequence[int]) -> Text | None:
    if len(fields) > 3:
        return text("conquest.why-outside-triple", field=NAMES[fields[3]])
    problem = _triple_problem(state, sorted(fields))
    return problem or text("conquest.why-no-triple-with", fields=", ".join(NAMES[field] for field in fields))


def _attack_token_problem(state: State, fields: Sequence[int]) -> Text | None:
    target, *sources = fields
    if owner_of(state, target) == int(state[r.SEAT]):
        return text("conquest.why-own-target", field=NAMES[target])
    if not sources:
        return text("conquest.why-out-of-reach", field=NAMES[target])
    if len(sources) > odds.MOST:
        return text("conquest.why-three")
    return _source_problem(state, target, sources[-1], sources.count(sources[-1]))


def fields_in_triples(state: State) -> list[int]:
    """Return the fields of which the seat whose turn it is can make triples now (C6)."""
    setup, seat = int(state[r.SETUP]), int(state[r.SEAT])
    free = [field for field in held_by(state, seat) if _triple_problem(state, [field]) is None]
    answer = []
    for field in free:
        alike = [f for f in free if f != field and number_of(state, f) == number_of(state, field)]
        on_board = [f for f in alike if f // BOARD == field // BOARD]
        near = [f for f in alike if f in TOUCHING[setup][field]]
        if len(on_board) >= 2 or any(b in TOUCHING[setup][a] for a, b in itertools.combinations(near, 2)):
            answer.append(field)
    return answer
