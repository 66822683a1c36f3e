"""Why a text or a token is not a legal move here, in words."""

import itertools
import re
from collections.abc import Sequence

from triskele.core.contract import State
from triskele.core.game import Options
from triskele.core.words import Text, text
from triskele.games.conquest import odds
from triskele.games.conquest import rules as r
from triskele.games.conquest.board_queries import (
    INDEX,
    NAMES,
    TOUCHING,
    exists,
    number_of,
    owner_of,
    repulses_on,
    sources_of,
    tokens_on,
    used_in_triple,
)
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
)
from triskele.games.conquest.prompts import ask

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
    """Return why a text is not a legal move; ``None`` if it has no form of a move at all."""
    for form, phases in _FORMS:
        match = form.fullmatch(written)
        if match:
            if int(state[r.PHASE]) not in phases:
                return text("conquest.why-not-now", ask=ask(options, state))
            for name in re.findall(FIELD, written):
                if not exists(state, name):
                    return text("conquest.why-no-field", field=name, players=int(state[r.PLAYERS]))
            return _problem(state, form, match)
    return None


def _problem(state: State, form: re.Pattern[str], match: re.Match[str]) -> Text | None:
    """Return what is wrong with a text that has the form of a move in this phase."""
    if form is HOME_TOKEN:
        return _home_problem(state, INDEX[match[1]])
    if form is TRIPLE:
        return triple_problem(state, [INDEX[match[i]] for i in (1, 2, 3)], INDEX[match[4]], int(match[5]))
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


def triple_problem(state: State, fields: Sequence[int], goal: int | None = None, tokens: int = 1) -> Text | None:
    """Return why these fields, all three or the first of them, are not a triple that can be used now (C6)."""
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
    """Return why the last of these tokens cannot follow the others, or ``None``."""
    phase, last = int(state[r.PHASE]), tokens[-1]
    if last == "t" and phase == r.REINFORCE:
        return _purse_empty(state) or text("conquest.why-no-triple")
    if not re.fullmatch(FIELD, last):
        return None
    if not exists(state, last):
        return text("conquest.why-no-field", field=last, players=int(state[r.PLAYERS]))
    fields = [INDEX[token] for token in tokens if token in INDEX]
    if phase == r.REINFORCE:
        return _triple_token_problem(state, fields) if tokens[0] == "t" else _home_problem(state, fields[-1])
    if phase == r.CONQUER:
        return _attack_token_problem(state, fields)
    if phase == r.FOLLOW:
        return _follow_problem(state, fields[-1])
    if phase == r.ADVANTAGE:
        return _not_own(state, fields[-1]) or _advantage_problem(state, fields[0], fields[-1], 1)
    return None


def _triple_token_problem(state: State, fields: Sequence[int]) -> Text | None:
    if len(fields) > 3:
        return text("conquest.why-outside-triple", field=NAMES[fields[3]])
    problem = triple_problem(state, sorted(fields))
    return problem or text("conquest.why-no-triple-with", fields=", ".join(NAMES[field] for field in fields))


def _attack_token_problem(state: State, fields: Sequence[int]) -> Text | None:
    target, *sources = fields
    if owner_of(state, target) == int(state[r.SEAT]):
        return _attack_from_problem(state, target, sources)
    if not sources:
        return text("conquest.why-out-of-reach", field=NAMES[target])
    if len(sources) > odds.MOST:
        return text("conquest.why-three")
    return _source_problem(state, target, sources[-1], sources.count(sources[-1]))


def _attack_from_problem(state: State, source: int, targets: Sequence[int]) -> Text | None:
    """Return why a field of one's own cannot attack, or not the field touched after it."""
    if not targets:
        if tokens_on(state, source) == 1:
            return text("conquest.why-keep-one", field=NAMES[source], n=1)
        return text("conquest.why-nothing-near", field=NAMES[source])
    if owner_of(state, targets[-1]) == int(state[r.SEAT]):
        return text("conquest.why-own-target", field=NAMES[targets[-1]])
    return _source_problem(state, targets[-1], source, 1)
