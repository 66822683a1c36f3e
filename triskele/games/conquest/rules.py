"""The rules of Conquest Tryad (C1 to C17), as the contract in ``triskele.core.contract`` asks.

A field is ``seat * 16 + index on the card`` (see ``geometry``); a *slot* is one of the up to three
borders of a field, in alphabetical order of the fields across. The words of a state:

=====================  ==========================================================================
``PLAYERS`` … ``LIMIT``  what the options say: seats, marathon or quickie, index into ``SETUPS``, chits
                       each, rounds
``PHASE``              what is going on: ``INITIATIVE`` … ``FINISHED``
``ROUND``, ``POT``     the round, from 1; the chits in the pot
``SEAT``, ``FIRST``    whose turn it is; who won the initiative (both 0 while it is rolled, and at the end)
``IN``                 set of the seats still in
``ROLLING``, ``ROLLS``   initiative: set of the seats that roll, and what each has rolled, three bits each
``GIVEN``              tokens that the home has given this turn
``USED``, +1           fields that have served in a triple this turn, as two words
``TARGET``, ``SPLIT``  an attack: the field attacked, and which of ``SPLITS`` comes from its slots
``DEFENCE``            tokens that the defender has committed
``DICE``, ``ROLLED``   the dice of the attack so far, three bits each, the first lowest; their number
``FOLLOWED``           set of the slots from which more tokens have followed into a field just taken
``ENDING``             index into ``REASONS``
``PURSES``             chits in each seat's purse
``REPULSES``           two bits for each slot of each field: repulses in a row this turn (C10)
``NUMBERS``            the numbers on the card
``BEARING``            for 1 to 4, the fields of half the boards that bear it, as a word
``ON``                 for each field 0, or tokens * 8 + owner + 1
=====================  ==========================================================================

Words that mean nothing in a phase are 0, so that equal positions have equal states.
"""

import numpy as np
from numpy.typing import NDArray

from triskele.core.bits import ctz, popcount, select
from triskele.core.contract import CHANCE, OVER, Moves, Scores, State
from triskele.games.conquest.geometry import BOARD, BORDER, FIELDS, HALF, HOME, JOINED, LATER

VERSION = 1
REASONS = ("last", "rounds")

SEATS = 6
SQUAD = 3
"""Most tokens in one attack or defence, and from the home."""
FACES = 4
MOST_CHITS = 200
"""The purse option goes up to here."""
MOST_TOKENS = SEATS * MOST_CHITS
"""No field can hold more."""

PLAYERS = 1
MARATHON = 2
SETUP = 3
STAKE = 4
LIMIT = 5
PHASE = 6
ROUND = 7
POT = 8
SEAT = 9
FIRST = 10
IN = 11
ROLLING = 12
ROLLS = 13
GIVEN = 14
USED = 15
TARGET = 17
SPLIT = 18
DEFENCE = 19
DICE = 20
ROLLED = 21
FOLLOWED = 22
ENDING = 23
PURSES = 24
REPULSES = PURSES + SEATS
PER_WORD = 8
"""Fields whose repulses share a word."""
NUMBERS = REPULSES + FIELDS // PER_WORD
BEARING = NUMBERS + BOARD
ON = BEARING + FACES
SIZE = ON + FIELDS
LOG = 0

INITIATIVE, REINFORCE, CONQUER, DEFEND, BATTLE, FOLLOW, ADVANTAGE, FINISHED = range(8)

# --- codes --------------------------------------------------------------------------------------


def _splits() -> NDArray[np.int64]:
    ways = [
        (first, second, third)
        for first in range(SQUAD + 1)
        for second in range(SQUAD + 1 - first)
        for third in range(SQUAD + 1 - first - second)
        if first + second + third
    ]
    return np.array(ways, dtype=np.int64)


def _threes() -> NDArray[np.int8]:
    ways = [(i, j, k) for k in range(BOARD) for j in range(k) for i in range(j)]
    return np.array(ways, dtype=np.int8)


def _pairs() -> NDArray[np.int64]:
    return np.array([(i, j) for j in range(12) for i in range(j)], dtype=np.int64)


SPLITS = _splits()
"""The ways to take one to three tokens from three slots."""


def _fitting() -> NDArray[np.int64]:
    table = np.zeros((1 << 6, 1 + len(SPLITS)), dtype=np.int64)
    for available in range(len(table)):
        most = (available >> 4, available >> 2 & 3, available & 3)
        fitting = np.flatnonzero((most >= SPLITS).all(axis=1))
        table[available, 0] = len(fitting)
        table[available, 1 : 1 + len(fitting)] = fitting
    return table


FITTING = _fitting()
"""By what is available in the three slots, two bits each: the number of ``SPLITS`` that take no more, and which."""
THREES = _threes()
"""The ways to choose three fields of a card, by their rank ``k(k-1)(k-2)/6 + j(j-1)/2 + i``."""
PAIRS = _pairs()
"""The ways to choose two of the at most twelve fields that a field touches, by ``j(j-1)/2 + i``."""

SAME_BOARD = SEATS * len(THREES)
TRIPLES = SAME_BOARD + FIELDS * len(PAIRS)
"""Triples are numbered: those on one board, then the others by their first field and two that it touches."""

# Dice are the codes 0 to 3. The large groups count tokens slowest, so that codes stay low.
DONE = FACES
STAY = DONE + 1
DEFENCES = STAY + 1
HOME_TOKEN = DEFENCES + SQUAD
ATTACKS = HOME_TOKEN + FIELDS
TRIPLE_TOKENS = ATTACKS + FIELDS * len(SPLITS)
FOLLOWING = TRIPLE_TOKENS + TRIPLES * 3 * FACES
ADVANTAGES = FOLLOWING + MOST_TOKENS * FIELDS
ACTIONS = ADVANTAGES + MOST_TOKENS * FIELDS * 3

# Most choices there can be: one player holds nearly everything, the card bears a single number (so
# that any three fields of a board are a triple) and that player reinforces. Attacks (96 * 19) and advantage
# moves (three for each token) are fewer.
MOVES = 1 + FIELDS + (SAME_BOARD + JOINED) * 3 * FACES

_SPLIT_COUNT = len(SPLITS)
_THREE_COUNT = len(THREES)
_PAIR_COUNT = len(PAIRS)


# --- the state ----------------------------------------------------------------------------------


def start(state: State, options: Moves) -> None:
    """Set up: four chits of each purse stand on the home (C3), and the initiative is rolled."""
    players = options[0]
    state[0] = SIZE
    state[PLAYERS] = players
    state[MARATHON] = options[1]
    setup = players - 2
    if players == SEATS:
        setup = 3
    if options[2] == 1:
        setup = 4
    state[SETUP] = setup
    state[STAKE] = options[3]
    for index in range(BOARD):
        number = options[4 + index]
        state[NUMBERS + index] = number
        for board in range(HALF // BOARD):
            state[BEARING + number - 1] |= 1 << (board * BOARD + index)
    state[LIMIT] = options[4 + BOARD]
    for seat in range(players):
        state[PURSES + seat] = options[3] - 4
        _put(state, seat * BOARD + HOME, seat, 4)
    state[IN] = (1 << players) - 1
    state[ROUND] = 1
    state[ROLLING] = state[IN]


def _tokens(state: State, field: int) -> int:
    return int(state[ON + field] >> 3)


def _owner(state: State, field: int) -> int:
    """Return the seat whose tokens stand on a field, -1 for nobody (C3)."""
    return int(state[ON + field] & 7) - 1


def _put(state: State, field: int, seat: int, tokens: int) -> None:
    state[ON + field] = ((_tokens(state, field) + tokens) << 3) + seat + 1


def _take(state: State, field: int, tokens: int) -> None:
    left = state[ON + field] - (tokens << 3)
    state[ON + field] = left if left >= 8 else 0


def repulses_over(state: State, field: int, slot: int) -> int:
    """Return the repulses in a row this turn on the way into a field over one of its borders (C10)."""
    return int(state[REPULSES + field // PER_WORD] >> (field % PER_WORD * 6 + slot * 2) & 3)


def _available(state: State, field: int, slot: int) -> int:
    """Return how many tokens of the seat whose turn it is can attack a field across a slot (C7, C10)."""
    source = BORDER[state[SETUP], field, slot]
    if source < 0 or _owner(state, source) != state[SEAT] or repulses_over(state, field, slot) == 3:
        return 0
    return min(SQUAD, _tokens(state, source) - 1)


def actor(state: State) -> int:
    """Return the seat to act, ``CHANCE`` or ``OVER``."""
    phase = state[PHASE]
    if phase in (BATTLE, INITIATIVE):
        return CHANCE
    if phase == FINISHED:
        return OVER
    if phase == DEFEND:
        return _owner(state, state[TARGET])
    return int(state[SEAT])


# --- legal moves --------------------------------------------------------------------------------


def legal(state: State, moves: Moves) -> int:
    """Fill ``moves`` with the codes of all legal moves and return their number."""
    phase = state[PHASE]
    if phase in (BATTLE, INITIATIVE):
        for face in range(FACES):
            moves[face] = face
        return FACES
    if phase == CONQUER:
        return _attacks(state, moves)
    if phase == REINFORCE:
        return _reinforcements(state, moves)
    if phase == ADVANTAGE:
        return _advantages(state, moves)
    if phase == FOLLOW:
        return _followers(state, moves)
    if phase == DEFEND:
        most = min(SQUAD, _tokens(state, state[TARGET]))
        for tokens in range(most):
            moves[tokens] = DEFENCES + tokens
        return most
    return 0


def _attacks(state: State, moves: Moves) -> int:
    """List the attacks (C7): every way to bring one to three tokens across open borders."""
    seat = state[SEAT]
    moves[0] = DONE
    count = 1
    for field in range(state[PLAYERS] * BOARD):
        if _owner(state, field) == seat:
            continue
        fitting = FITTING[_all_available(state, field)]
        for index in range(fitting[0]):
            moves[count] = ATTACKS + field * _SPLIT_COUNT + fitting[1 + index]
            count += 1
    return count


def _all_available(state: State, field: int) -> int:
    """Return how many tokens can attack a field across each slot, as an index into ``FITTING``."""
    return _available(state, field, 0) << 4 | _available(state, field, 1) << 2 | _available(state, field, 2)


def _reinforcements(state: State, moves: Moves) -> int:
    """List what the home and the triples can give (C6), and ``done``."""
    seat = state[SEAT]
    count = 0
    if state[PURSES + seat] > 0:
        low, high = _unused(state)
        count = _home_tokens(state, moves)
        for number in range(1, FACES + 1):
            bearing = state[BEARING + number - 1]
            if popcount(low & bearing) + popcount(high & bearing) >= 3:
                count = _triples(state, moves, count, number, low & bearing, high & bearing)
    moves[count] = DONE
    return count + 1


def _home_tokens(state: State, moves: Moves) -> int:
    """List the fields joined to the home; the list is the queue of the fields still to walk on from."""
    seat = state[SEAT]
    home = seat * BOARD + HOME
    used = state[USED + home // HALF] >> home % HALF & 1
    if used or state[GIVEN] == SQUAD or _owner(state, home) != seat:
        return 0
    setup = state[SETUP]
    seen_low = 0
    seen_high = 0
    if home < HALF:
        seen_low = 1 << home
    else:
        seen_high = 1 << (home - HALF)
    moves[0] = HOME_TOKEN + home
    count = 1
    walked = 0
    while walked < count:
        field = moves[walked] - HOME_TOKEN
        walked += 1
        for slot in range(3):
            near = BORDER[setup, field, slot]
            if near < 0 or _owner(state, near) != seat:
                continue
            if near < HALF:
                if seen_low >> near & 1:
                    continue
                seen_low |= 1 << near
            else:
                if seen_high >> (near - HALF) & 1:
                    continue
                seen_high |= 1 << (near - HALF)
            moves[count] = HOME_TOKEN + near
            count += 1
    return count


def _unused(state: State) -> tuple[int, int]:
    """Return the seat's fields that can still serve in a triple this turn, as two words (C6)."""
    seat = state[SEAT]
    low = 0
    high = 0
    for field in range(min(HALF, state[PLAYERS] * BOARD)):
        if _owner(state, field) == seat:
            low |= 1 << field
    for field in range(HALF, state[PLAYERS] * BOARD):
        if _owner(state, field) == seat:
            high |= 1 << (field - HALF)
    low &= ~state[USED]
    high &= ~state[USED + 1]
    if state[GIVEN] > 0:  # the home serves by itself
        home = seat * BOARD + HOME
        if home < HALF:
            low &= ~(1 << home)
        else:
            high &= ~(1 << (home - HALF))
    return low, high


def _triples(state: State, moves: Moves, count: int, number: int, low: int, high: int) -> int:
    """List the triples among these fields of one number, and return how many moves there are then."""
    most = min(number, state[PURSES + state[SEAT]])
    for board in range(state[PLAYERS]):
        word = low if board * BOARD < HALF else high
        on_board = word >> (board * BOARD % HALF) & ((1 << BOARD) - 1)
        if popcount(on_board) < 3:
            continue
        upper = on_board
        while upper:
            k = ctz(upper)
            upper &= upper - 1
            middle = on_board & ((1 << k) - 1)
            while middle:
                j = ctz(middle)
                middle &= middle - 1
                lower = on_board & ((1 << j) - 1)
                while lower:
                    i = ctz(lower)
                    lower &= lower - 1
                    rank = k * (k - 1) * (k - 2) // 6 + j * (j - 1) // 2 + i
                    count = _spend(moves, count, board * _THREE_COUNT + rank, most)
    setup = state[SETUP]
    rest_low = low
    rest_high = high
    while rest_low | rest_high:
        if rest_low:
            first = ctz(rest_low)
            rest_low &= rest_low - 1
        else:
            first = HALF + ctz(rest_high)
            rest_high &= rest_high - 1
        near_low = low & LATER[setup, first, 0]
        near_high = high & LATER[setup, first, 1]
        if popcount(near_low) + popcount(near_high) >= 2:
            count = _joined_triples(moves, count, setup, first, near_low, near_high, most)
    return count


def _joined_triples(moves: Moves, count: int, setup: int, first: int, low: int, high: int, most: int) -> int:
    """List the triples of ``first`` and two of these fields, unless all three lie on one board."""
    own_low = LATER[setup, first, 0]
    own_high = LATER[setup, first, 1]
    rest_low = low
    rest_high = high
    while rest_low | rest_high:
        if rest_low:
            second = ctz(rest_low)
            i = popcount(own_low & ((1 << second) - 1))
            rest_low &= rest_low - 1
        else:
            second = HALF + ctz(rest_high)
            i = popcount(own_low) + popcount(own_high & ((1 << (second - HALF)) - 1))
            rest_high &= rest_high - 1
        third_low = low & LATER[setup, second, 0]
        third_high = high & LATER[setup, second, 1]
        while third_low | third_high:
            if third_low:
                third = ctz(third_low)
                j = popcount(own_low & ((1 << third) - 1))
                third_low &= third_low - 1
            else:
                third = HALF + ctz(third_high)
                j = popcount(own_low) + popcount(own_high & ((1 << (third - HALF)) - 1))
                third_high &= third_high - 1
            if third // BOARD != first // BOARD:
                triple = SAME_BOARD + first * _PAIR_COUNT + j * (j - 1) // 2 + i
                count = _spend(moves, count, triple, most)
    return count


def _spend(moves: Moves, count: int, triple: int, most: int) -> int:
    """List the ways to place up to ``most`` tokens on one field of a triple."""
    for field in range(3):
        for tokens in range(most):
            moves[count] = TRIPLE_TOKENS + (triple * 3 + field) * FACES + tokens
            count += 1
    return count


def triple_field(setup: int, triple: int, index: int) -> int:
    """Return field 0, 1 or 2 of a triple, in alphabetical order."""
    if triple < SAME_BOARD:
        return triple // _THREE_COUNT * BOARD + int(THREES[triple % _THREE_COUNT, index])
    triple -= SAME_BOARD
    first = triple // _PAIR_COUNT
    if index == 0:
        return first
    place = PAIRS[triple % _PAIR_COUNT, index - 1]
    below = popcount(LATER[setup, first, 0])
    if place < below:
        return select(LATER[setup, first, 0], place)
    return HALF + select(LATER[setup, first, 1], place - below)


def _can_follow(state: State, slot: int) -> int:
    """Return how many more tokens can go across a slot into the field just taken (C8)."""
    if SPLITS[state[SPLIT], slot] == 0 or state[FOLLOWED] >> slot & 1:
        return 0
    return _tokens(state, BORDER[state[SETUP], state[TARGET], slot]) - 1


def _followers(state: State, moves: Moves) -> int:
    moves[0] = STAY
    count = 1
    for slot in range(3):
        source = BORDER[state[SETUP], state[TARGET], slot]
        for tokens in range(_can_follow(state, slot)):
            moves[count] = FOLLOWING + tokens * FIELDS + source
            count += 1
    return count


def _advantages(state: State, moves: Moves) -> int:
    """List the ways to move tokens between two own fields that border (C12)."""
    seat = state[SEAT]
    setup = state[SETUP]
    moves[0] = DONE
    count = 1
    for field in range(state[PLAYERS] * BOARD):
        if _owner(state, field) != seat:
            continue
        for slot in range(3):
            near = BORDER[setup, field, slot]
            if near >= 0 and _owner(state, near) == seat:
                for tokens in range(_tokens(state, field)):
                    moves[count] = ADVANTAGES + (tokens * FIELDS + field) * 3 + slot
                    count += 1
    return count


# --- making moves -------------------------------------------------------------------------------


def apply(state: State, move: int) -> None:
    """Make a legal move in place."""
    phase = state[PHASE]
    if phase == BATTLE:
        _roll_in_battle(state, move + 1)
    elif phase == INITIATIVE:
        _roll_initiative(state, move + 1)
    elif phase == CONQUER:
        if move == DONE:
            _end_conquest(state)
        else:
            _attack(state, move - ATTACKS)
    elif phase == DEFEND:
        state[DEFENCE] = move - DEFENCES + 1
        state[PHASE] = BATTLE
    elif phase == REINFORCE:
        if move == DONE:
            state[GIVEN] = 0
            state[USED] = 0
            state[USED + 1] = 0
            state[PHASE] = CONQUER
        elif move < ATTACKS:
            state[GIVEN] += 1
            _reinforce(state, move - HOME_TOKEN, 1)
        else:
            _use_triple(state, move - TRIPLE_TOKENS)
    elif phase == FOLLOW:
        _follow(state, move)
    elif phase == ADVANTAGE:
        if move != DONE:
            _advance(state, move - ADVANTAGES)
        _end_advantage(state)


def _roll_initiative(state: State, roll: int) -> None:
    """Note a roll; when all have rolled, the highest begins or those tied roll again (C5)."""
    players = state[PLAYERS]
    rolling = state[ROLLING]
    seat = 0
    while not rolling >> seat & 1 or state[ROLLS] >> (3 * seat) & 7:
        seat += 1
    state[ROLLS] |= roll << (3 * seat)
    if rolling >> (seat + 1):
        return
    best = 0
    leaders = 0
    for other in range(players):
        its = state[ROLLS] >> (3 * other) & 7
        if its > best:
            best = its
            leaders = 0
        if its == best:
            leaders |= 1 << other
    state[ROLLS] = 0
    state[ROLLING] = leaders
    if popcount(leaders) == 1:
        state[ROLLING] = 0
        state[FIRST] = ctz(leaders)
        state[SEAT] = state[FIRST]
        state[PHASE] = REINFORCE


def _reinforce(state: State, field: int, tokens: int) -> None:
    state[PURSES + state[SEAT]] -= tokens
    _put(state, field, state[SEAT], tokens)


def _use_triple(state: State, choice: int) -> None:
    triple = choice // (3 * FACES)
    _reinforce(state, triple_field(state[SETUP], triple, choice // FACES % 3), choice % FACES + 1)
    for index in range(3):
        field = triple_field(state[SETUP], triple, index)
        state[USED + field // HALF] |= 1 << field % HALF


def _following_seat(state: State, seat: int) -> int:
    """Return who is next in this round's order, or -1 after the last one still in (C4)."""
    players = state[PLAYERS]
    for turn in range((seat - state[FIRST]) % players + 1, players):
        other = (state[FIRST] + turn) % players
        if state[IN] >> other & 1:
            return int(other)
    return -1


def _end_conquest(state: State) -> None:
    for word in range(FIELDS // PER_WORD):
        state[REPULSES + word] = 0
    seat = _following_seat(state, state[SEAT])
    state[PHASE] = REINFORCE
    if seat < 0:  # who began may be out by now
        state[PHASE] = ADVANTAGE
        seat = state[FIRST]
        if not state[IN] >> seat & 1:
            seat = _following_seat(state, seat)
    state[SEAT] = seat


def _advance(state: State, choice: int) -> None:
    field = choice // 3 % FIELDS
    tokens = choice // (3 * FIELDS) + 1
    _take(state, field, tokens)
    _put(state, BORDER[state[SETUP], field, choice % 3], state[SEAT], tokens)


def _end_advantage(state: State) -> None:
    seat = _following_seat(state, state[SEAT])
    if seat >= 0:
        state[SEAT] = seat
    elif state[ROUND] == state[LIMIT]:
        _end(state, 1)
    else:
        state[ROUND] += 1
        state[SEAT] = 0
        state[FIRST] = 0
        state[ROLLING] = state[IN]
        state[PHASE] = INITIATIVE


def _end(state: State, ending: int) -> None:
    _forget_attack(state)
    for word in range(FIELDS // PER_WORD):
        state[REPULSES + word] = 0
    state[SEAT] = 0
    state[FIRST] = 0
    state[ENDING] = ending
    state[PHASE] = FINISHED


def _forget_attack(state: State) -> None:
    state[TARGET] = 0
    state[SPLIT] = 0
    state[DEFENCE] = 0
    state[DICE] = 0
    state[ROLLED] = 0
    state[FOLLOWED] = 0
    state[PHASE] = CONQUER


# --- attacks ------------------------------------------------------------------------------------


def _attack(state: State, choice: int) -> None:
    target = choice // _SPLIT_COUNT
    state[TARGET] = target
    state[SPLIT] = choice % _SPLIT_COUNT
    if _owner(state, target) >= 0:
        state[PHASE] = DEFEND
    elif target == state[SEAT] * BOARD + HOME:  # retaking the own home needs no roll (C8)
        _enter(state)
    else:
        state[PHASE] = BATTLE


def _committed(state: State) -> int:
    split = state[SPLIT]
    return int(SPLITS[split, 0] + SPLITS[split, 1] + SPLITS[split, 2])


def _roll_in_battle(state: State, roll: int) -> None:
    """Note a die: the attacker's first, then the defender's, or the one for an empty field."""
    state[DICE] |= roll << (3 * state[ROLLED])
    state[ROLLED] += 1
    if state[ROLLED] == _committed(state) + max(1, state[DEFENCE]):
        if state[DEFENCE] == 0:
            _against_empty(state)
        else:
            _against_held(state)


def _against_empty(state: State) -> None:
    """Settle an attack on an empty field (C8)."""
    attackers = _committed(state)
    total = 0
    for die in range(attackers):
        total += state[DICE] >> (3 * die) & 7
    against = (state[DICE] >> (3 * attackers) & 7) + state[NUMBERS + state[TARGET] % BOARD]
    if total > against:
        _enter(state)
        return
    lost = min(against - total, attackers)
    state[POT] += lost
    _lose(state, lost)
    _count_repulse(state, True)
    _forget_attack(state)


def _die(state: State, first: int, count: int, rank: int) -> int:
    """Return the die of a given rank, 0 the highest, among ``count`` dice from number ``first`` on."""
    dice = state[DICE] >> (3 * first)
    for face in range(FACES, 0, -1):
        for die in range(count):
            if dice >> (3 * die) & 7 == face:
                if rank == 0:
                    return face
                rank -= 1
    return 0


def _against_held(state: State) -> None:
    """Settle a battle (C9), and see whether the defender is out (C13)."""
    target = state[TARGET]
    seat = state[SEAT]
    defender = _owner(state, target)
    attackers = _committed(state)
    defenders = state[DEFENCE]
    lost = 0
    won = 0
    for rank in range(min(attackers, defenders)):
        attack = _die(state, 0, attackers, rank)
        defence = _die(state, attackers, defenders, rank)
        if attack < defence:
            lost += 1
        elif attack > defence:
            won += 1
    _lose(state, lost)
    state[PURSES + defender] += lost
    _take(state, target, won)
    state[PURSES + seat] += won
    _count_repulse(state, won == 0)
    _forget_attack(state)
    if _owner(state, target) < 0 and not _on_boards(state, defender):
        _eliminate(state, defender)


def _lose(state: State, lost: int) -> None:
    """Take an attack's losses off the field that committed most, then the next; equal, the first (C11)."""
    split = state[SPLIT]
    for committed in range(SQUAD, 0, -1):
        for slot in range(3):
            if SPLITS[split, slot] == committed:
                here = min(lost, committed)
                _take(state, BORDER[state[SETUP], state[TARGET], slot], here)
                lost -= here


def _count_repulse(state: State, repulsed: bool) -> None:
    """Count a repulse on each border that the attack used, or begin anew there (C10)."""
    target = state[TARGET]
    word = REPULSES + target // PER_WORD
    for slot in range(3):
        if SPLITS[state[SPLIT], slot] > 0:
            place = target % PER_WORD * 6 + slot * 2
            if repulsed:
                state[word] += 1 << place
            else:
                state[word] &= ~(3 << place)


def _enter(state: State) -> None:
    """Move the attacking tokens into the empty field (C8); a home entered puts its owner out (C13)."""
    target = state[TARGET]
    seat = state[SEAT]
    for slot in range(3):
        tokens = SPLITS[state[SPLIT], slot]
        if tokens > 0:
            _take(state, BORDER[state[SETUP], target, slot], tokens)
            _put(state, target, seat, tokens)
    # Its borders cannot be attacked across any more this turn.
    state[REPULSES + target // PER_WORD] &= ~(63 << (target % PER_WORD * 6))
    state[DEFENCE] = 0
    state[DICE] = 0
    state[ROLLED] = 0
    lord = target // BOARD
    if target % BOARD == HOME and lord != seat and state[IN] >> lord & 1 and not state[MARATHON]:
        _seize(state, lord)
        _eliminate(state, lord)
    if state[PHASE] != FINISHED:
        _ask_to_follow(state)


def _ask_to_follow(state: State) -> None:
    if _can_follow(state, 0) + _can_follow(state, 1) + _can_follow(state, 2) > 0:
        state[PHASE] = FOLLOW
    else:
        _forget_attack(state)


def _follow(state: State, move: int) -> None:
    if move == STAY:
        _forget_attack(state)
        return
    source = (move - FOLLOWING) % FIELDS
    tokens = (move - FOLLOWING) // FIELDS + 1
    target = state[TARGET]
    for slot in range(3):
        if BORDER[state[SETUP], target, slot] == source:
            state[FOLLOWED] |= 1 << slot
    _take(state, source, tokens)
    _put(state, target, state[SEAT], tokens)
    _ask_to_follow(state)


def _on_boards(state: State, seat: int) -> int:
    """Return the tokens that a seat has on the boards."""
    total = 0
    for field in range(state[PLAYERS] * BOARD):
        if _owner(state, field) == seat:
            total += _tokens(state, field)
    return total


def _seize(state: State, loser: int) -> None:
    """Put what the loser of a quickie still has on the boards into the captor's purse (C13)."""
    for field in range(state[PLAYERS] * BOARD):
        if _owner(state, field) == loser:
            state[PURSES + state[SEAT]] += _tokens(state, field)
            state[ON + field] = 0


def _eliminate(state: State, seat: int) -> None:
    state[IN] &= ~(1 << seat)
    if popcount(state[IN]) == 1:
        _end(state, 0)


# --- the end ------------------------------------------------------------------------------------


def winners(state: State) -> int:
    """Return the last one in, or after the last round the richest of those in, as a set (C14, C15)."""
    richest = 0
    best = -1
    for seat in range(state[PLAYERS]):
        if state[IN] >> seat & 1:
            wealth = state[PURSES + seat] + _on_boards(state, seat)
            if wealth > best:
                best = wealth
                richest = 0
            if wealth == best:
                richest |= 1 << seat
    return richest


def scores(state: State, out: Scores) -> None:
    """Fill in what each walks away with, less what each brought (C14)."""
    won = winners(state)
    share = state[POT] / popcount(won)
    for seat in range(state[PLAYERS]):
        out[seat] = state[PURSES + seat] + _on_boards(state, seat) - state[STAKE]
        if won >> seat & 1:
            out[seat] += share


def reason(state: State) -> int:
    """Return how a finished game ended: an index into ``REASONS``."""
    return int(state[ENDING])


# --- random play --------------------------------------------------------------------------------


def rollout_count(state: State, moves: Moves) -> int:
    """Leave out what throws a game away, for random movers.

    Among all legal moves, nearly every random game stalls: single tokens that cannot attack, homes
    given up, purses full. So a random mover reinforces while possible, attacks in force where it is
    stronger as long as possible, and moves on with all that it has.
    """
    phase = state[PHASE]
    if phase == CONQUER:
        return _attacks_in_force(state, moves)
    if phase == ADVANTAGE:
        return _whole_advantages(state, moves)
    if phase == FOLLOW:
        return _whole_followers(state, moves)
    count = legal(state, moves)
    return max(1, count - 1) if phase == REINFORCE else count  # without ``done``, which comes last


def _attacks_in_force(state: State, moves: Moves) -> int:
    """List attacks with three tokens, on a held field where more can be spared than it has; else ``done``."""
    seat = state[SEAT]
    count = 0
    for field in range(state[PLAYERS] * BOARD):
        owner = _owner(state, field)
        if owner == seat:
            continue
        fitting = FITTING[_all_available(state, field)]
        if fitting[0] == 0:
            continue
        at_home = owner < 0 and field == seat * BOARD + HOME
        guard = _tokens(state, field)
        first = _spare(state, field, 0)
        second = _spare(state, field, 1)
        third = _spare(state, field, 2)
        for index in range(fitting[0]):
            split = fitting[1 + index]
            spare = 0
            if SPLITS[split, 0] > 0:
                spare += first
            if SPLITS[split, 1] > 0:
                spare += second
            if SPLITS[split, 2] > 0:
                spare += third
            if at_home or (spare > guard and SPLITS[split, 0] + SPLITS[split, 1] + SPLITS[split, 2] == SQUAD):
                moves[count] = ATTACKS + field * _SPLIT_COUNT + split
                count += 1
    if count == 0:
        moves[0] = DONE
        count = 1
    return count


def _spare(state: State, field: int, slot: int) -> int:
    """Return how many tokens can be spared across a slot; 0 where there is no field."""
    source = BORDER[state[SETUP], field, slot]
    return _tokens(state, source) - 1 if source >= 0 else 0


def _whole_followers(state: State, moves: Moves) -> int:
    """List the ways to follow with all that can."""
    count = 0
    for slot in range(3):
        tokens = _can_follow(state, slot)
        if tokens > 0:
            moves[count] = FOLLOWING + (tokens - 1) * FIELDS + BORDER[state[SETUP], state[TARGET], slot]
            count += 1
    return count


def _whole_advantages(state: State, moves: Moves) -> int:
    """List the ways to move all tokens but one, and ``done``."""
    seat = state[SEAT]
    setup = state[SETUP]
    moves[0] = DONE
    count = 1
    for field in range(state[PLAYERS] * BOARD):
        tokens = _tokens(state, field)
        if tokens < 2 or _owner(state, field) != seat:
            continue
        for slot in range(3):
            near = BORDER[setup, field, slot]
            if near >= 0 and _owner(state, near) == seat:
                moves[count] = ADVANTAGES + ((tokens - 2) * FIELDS + field) * 3 + slot
                count += 1
    return count
