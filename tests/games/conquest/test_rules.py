"""Conquest Tryad against its rules page, C1 to C17, and against a second, slow telling of the same rules."""

import cmath
import itertools
import random
import re
from collections import Counter
from functools import cache

import numpy as np
import pytest

import triskele
from tests.games.conquest.helpers import EMPTY, HELD, SETS, TRIPLES, after, at, body, random_move
from triskele.core.bits import seed
from triskele.core.compile import Program, link_plain
from triskele.core.contract import OVER
from triskele.core.playout import playout
from triskele.games.conquest import GAME
from triskele.games.conquest import rules as r
from triskele.games.conquest.board_queries import INDEX, NAMES
from triskele.games.conquest.card import CARD, STANDARD
from triskele.games.conquest.geometry import BORDER, LATER, SETUPS

PLAYOUT = Program(playout, "int64(int64[::1], int64[::1], uint64[::1], int64)")


def texts(position):
    return [move.text for move in position.legal_moves]


# --- a second telling: fields by name, boards by floating coordinates ---------------------------------


@cache
def plan(kind, players):
    """Return each field's corners as complex numbers; a board is turned and shifted, so multiplied and added to."""
    third = cmath.exp(-1j * cmath.pi / 3)  # down and to the right; the apex is at 0 and points up
    left, right = cmath.exp(-2j * cmath.pi / 3), third
    card = {}
    for row, letter in enumerate("abcd"):
        for index in range(2 * row + 1):
            corner = (row - index // 2) * left + index // 2 * right
            upright = [corner, corner + left, corner + right]
            hanging = [corner, corner + right, corner + right - left]
            card[f"{letter}{index + 1}"] = upright if index % 2 == 0 else hanging
    turns = {seat: (cmath.exp(1j * cmath.pi / 3 * (seat - 1)), 0) for seat in range(1, players + 1)}
    if kind == "pyramid":
        turns[4] = (1, 0)
        bases = {1: (4 * left, 0), 2: (0, 4 * right), 3: (4 * right, 4 * left)}
        for seat, (begin, end) in bases.items():
            turn = (end - begin) / (4 * right - 4 * left)
            turns[seat] = (turn, begin - turn * 4 * left)
    return {f"{s}{name}": [a * z + b for z in card[name]] for s, (a, b) in turns.items() for name in card}


@cache
def meetings(kind, players):
    """Return for each field those that share a side with it, and those that share at least a tip."""
    where = plan(kind, players)
    common = {
        (one, two): sum(abs(a - b) < 1e-6 for a in where[one] for b in where[two])
        for one in where
        for two in where
        if one != two
    }
    borders = {f: sorted(g for g in where if g != f and common[f, g] == 2) for f in where}
    touches = {f: {g for g in where if g != f and common[f, g] >= 1} for f in where}
    return borders, touches


class Model:
    """The rules once more, slowly."""

    def __init__(self, players=2, version="quickie", setup="fan", purse=100, layout=STANDARD, rounds=200):
        self.players, self.quickie, self.rounds = players, version == "quickie", rounds
        self.borders, self.touches = meetings(setup, players)
        digits = dict(zip(CARD, layout.replace("/", ""), strict=True))
        self.number = {field: int(digits[field[1:]]) for field in self.borders}
        self.purse = dict.fromkeys(range(1, players + 1), purse - 4)
        self.on = {f"{seat}c3": [seat, 4] for seat in self.purse}
        self.inside = list(self.purse)
        self.pot, self.round, self.over = 0, 1, None
        self.begin_round()

    def begin_round(self):
        self.phase, self.rolls = "initiative", dict.fromkeys(self.inside)

    def begin_turn(self, seat):
        self.phase, self.seat, self.home_tokens, self.served = "reinforce", seat, 0, set()

    def own(self):
        return sorted(field for field, (seat, _) in self.on.items() if seat == self.seat)

    def legal(self):
        if self.over:
            return set()
        return getattr(self, "legal_" + self.phase)()

    def legal_initiative(self):
        return set("1234")

    legal_dice = legal_initiative

    def joined(self):
        home = f"{self.seat}c3"
        found, waiting = set(), [home] if home in self.own() else []
        while waiting:
            field = waiting.pop()
            if field not in found:
                found.add(field)
                waiting += [near for near in self.borders[field] if near in self.own()]
        return found

    def legal_reinforce(self):
        purse, home = self.purse[self.seat], f"{self.seat}c3"
        moves = {"done"}
        if purse and self.home_tokens < 3 and home not in self.served:
            moves |= {f"h{field}" for field in self.joined()}
        free = [f for f in self.own() if f not in self.served and not (f == home and self.home_tokens)]
        for three in itertools.combinations(free, 3):
            same = len({self.number[f] for f in three}) == 1
            if same and (len({f[0] for f in three}) == 1 or self.all_touch(three)):
                most = min(self.number[three[0]], purse)
                moves |= {f"t{'+'.join(three)}>{f}*{k}" for f in three for k in range(1, most + 1)}
        return moves

    def all_touch(self, fields):
        return all(b in self.touches[a] for a, b in itertools.combinations(fields, 2))

    def legal_conquer(self):
        moves = {"done"}
        for target in self.borders:
            if self.on.get(target, [0])[0] == self.seat:
                continue
            spare = {
                source: self.on[source][1] - 1
                for source in self.borders[target]
                if source in self.own() and self.repulses.get((source, target), 0) < 3
            }
            for counts in itertools.product(range(4), repeat=len(spare)):
                pairs = [(f, k) for f, k in zip(spare, counts, strict=True) if k]
                if 1 <= sum(counts) <= 3 and all(k <= spare[f] for f, k in pairs):
                    moves.add(f"{target}<{'+'.join(f'{f}*{k}' for f, k in pairs)}")
        return moves

    def legal_defend(self):
        return {f"d{k}" for k in range(1, min(3, self.on[self.target][1]) + 1)}

    def legal_follow(self):
        moves = {"stay"}
        for field in self.commit:
            if field not in self.followed:
                moves |= {f"+{field}*{k}" for k in range(1, self.on[field][1])}
        return moves

    def legal_advantage(self):
        own = self.own()
        return {"done"} | {
            f"v{f}>{g}*{k}" for f in own for g in self.borders[f] if g in own for k in range(1, self.on[f][1] + 1)
        }

    def push(self, move):
        getattr(self, "push_" + self.phase)(move)

    def push_initiative(self, move):
        seat = next(s for s in self.rolls if self.rolls[s] is None)
        self.rolls[seat] = int(move)
        if None not in self.rolls.values():
            best = [s for s in self.rolls if self.rolls[s] == max(self.rolls.values())]
            self.rolls = dict.fromkeys(best)
            if len(best) == 1:
                self.first = best[0]
                self.order = [*range(self.first, self.players + 1), *range(1, self.first)]
                self.begin_turn(self.first)

    def put(self, field, count):
        self.on[field] = [self.seat, self.on.get(field, [0, 0])[1] + count]

    def take(self, field, count):
        self.on[field][1] -= count
        if not self.on[field][1]:
            del self.on[field]

    def push_reinforce(self, move):
        if move == "done":
            self.phase, self.repulses = "conquer", {}
        elif move[0] == "h":
            self.home_tokens += 1
            self.purse[self.seat] -= 1
            self.put(move[1:], 1)
        else:
            three, field, count = re.fullmatch(r"t(.*)>(.*)\*(.*)", move).groups()
            self.served |= set(three.split("+"))
            self.purse[self.seat] -= int(count)
            self.put(field, int(count))

    def next_seat(self):
        place = self.order.index(self.seat)
        return next((s for s in self.order[place + 1 :] if s in self.inside), None)

    def push_conquer(self, move):
        if move == "done":
            seat = self.next_seat()
            if seat:
                self.begin_turn(seat)
            else:
                self.phase, self.seat = "advantage", next(s for s in self.order if s in self.inside)
            return
        self.target, sources = move.split("<")
        self.commit = {f: int(k) for f, k in (step.split("*") for step in sources.split("+"))}
        self.dice, self.defence, self.followed = [], 0, set()
        if self.target in self.on:
            self.phase = "defend"
        elif self.target == f"{self.seat}c3":
            self.enter()
        else:
            self.phase = "dice"

    def push_defend(self, move):
        self.defence, self.phase = int(move[1:]), "dice"

    def push_dice(self, move):
        self.dice.append(int(move))
        count = sum(self.commit.values())
        if len(self.dice) < count + (self.defence or 1):
            return
        attack, defence = self.dice[:count], self.dice[count:]
        if not self.defence:
            short = defence[0] + self.number[self.target] - sum(attack)
            if short < 0:
                self.enter()
                return
            self.pot += self.lose(min(short, count))
            self.repulse(True)
            return
        pairs = list(zip(sorted(attack)[::-1], sorted(defence)[::-1], strict=False))
        defender = self.on[self.target][0]
        self.purse[defender] += self.lose(sum(a < d for a, d in pairs))
        won = sum(a > d for a, d in pairs)
        self.take(self.target, won)
        self.purse[self.seat] += won
        self.repulse(not won)
        if defender not in [seat for seat, _ in self.on.values()]:
            self.out(defender)

    def lose(self, count):
        left = count
        for field in sorted(self.commit, key=lambda f: (-self.commit[f], f)):
            here = min(left, self.commit[field])
            self.take(field, here)
            left -= here
        return count

    def repulse(self, repulsed):
        for field in self.commit:
            border = field, self.target
            self.repulses[border] = self.repulses.get(border, 0) + 1 if repulsed else 0
        self.phase = "conquer"

    def enter(self):
        for field, count in self.commit.items():
            self.take(field, count)
            self.put(self.target, count)
        self.repulses = {border: n for border, n in self.repulses.items() if border[1] != self.target}
        lord = int(self.target[0])
        if self.quickie and self.target[1:] == "c3" and lord in self.inside and lord != self.seat:
            for field in [f for f, (seat, _) in self.on.items() if seat == lord]:
                self.purse[self.seat] += self.on.pop(field)[1]
            self.out(lord)
        self.phase = "follow"
        self.end_following()

    def end_following(self):
        if self.legal_follow() == {"stay"}:
            self.phase = "conquer"

    def push_follow(self, move):
        if move == "stay":
            self.phase = "conquer"
            return
        field, count = move[1:].split("*")
        self.take(field, int(count))
        self.put(self.target, int(count))
        self.followed.add(field)
        self.end_following()

    def push_advantage(self, move):
        if move != "done":
            source, goal, count = re.fullmatch(r"v(.*)>(.*)\*(.*)", move).groups()
            self.take(source, int(count))
            self.put(goal, int(count))
        seat = self.next_seat()
        if seat:
            self.seat = seat
        elif self.round == self.rounds:
            self.over = "rounds"
        else:
            self.round += 1
            self.begin_round()

    def out(self, seat):
        self.inside.remove(seat)
        if len(self.inside) == 1:
            self.over = "last"

    def line(self):
        """Return the position's text, to compare."""
        parts = []
        for seat, purse in self.purse.items():
            held = [f"{f}*{k}" for f, (s, k) in sorted(self.on.items()) if s == seat]
            parts.append(" ".join([str(seat), str(purse), *held, *(["out"] if seat not in self.inside else [])]))
        return " / ".join([*parts, f"pot {self.pot}", f"round {self.round}", self.line_of_phase()])

    def line_of_phase(self):
        if self.over:
            return f"over {self.over}"
        if self.phase == "initiative":
            return " ".join(["initiative", *(f"{s}={roll or '?'}" for s, roll in self.rolls.items())])
        name = self.phase if self.phase in ("reinforce", "advantage") else "conquer"
        words = [name, str(self.seat), "first", str(self.first)]
        if name == "reinforce":
            words += ["home", str(self.home_tokens)] if self.home_tokens else []
            words += ["used", "+".join(sorted(self.served))] if self.served else []
        if name == "conquer":
            repulsed = sorted((b, a, n) for (a, b), n in self.repulses.items() if n)
            words += ["repulsed", "+".join(f"{a}>{b}*{n}" for b, a, n in repulsed)] if repulsed else []
        if self.phase in ("defend", "dice", "follow"):
            steps = "+".join(f"{f}*{k}" for f, k in self.commit.items())
            words += ["taken" if self.phase == "follow" else "attack", f"{self.target}<{steps}"]
        if self.phase == "follow":
            words += ["followed", "+".join(sorted(self.followed))] if self.followed else []
        if self.phase == "dice":
            words += ["defence", str(self.defence)] if self.defence else []
            words += ["dice", "+".join(map(str, self.dice))] if self.dice else []
        return " ".join(words)


@pytest.mark.parametrize("options", SETS)
def test_all_rules_agree_with_the_slow_model(options, compiled):
    for number in range(2):
        rng = random.Random(number)
        position, model = triskele.new("conquest", **options), Model(**options)
        for _ in range(350):
            assert body(position) == model.line()
            assert set(texts(position)) == model.legal(), str(position)
            if position.turn is None:
                break
            move = random_move(position, rng)
            position.push(move)
            model.push(move.text)


def test_all_rules_agree_with_the_slow_model_when_players_go_out(compiled):
    """Everyone stands in force before the next one's weak home: homes fall, players go out, games end."""
    endings = Counter()
    for number, version, players in itertools.product(range(6), ("quickie", "marathon"), (2, 3, 4, 6)):
        rng = random.Random(number)
        model = Model(players, version, rounds=12)
        for seat in range(1, players + 1):
            neighbour = seat % players + 1
            model.on[f"{seat}c3"] = [seat, 1]
            model.on[f"{neighbour}c2"] = [seat, 11]
            model.purse[seat] = 88
        position = at(model.line(), players=players, version=version, rounds=12)
        while position.turn is not None:
            move = random_move(position, rng)
            position.push(move)
            model.push(move.text)
            if rng.random() < 0.1:
                assert body(position) == model.line()
                assert set(texts(position)) == model.legal(), str(position)
        assert body(position) == model.line()
        endings[position.outcome().reason, version] += 1
        endings["out", version] += players - len(model.inside)
    for version in ("quickie", "marathon"):
        assert endings["last", version] > 0
        assert endings["rounds", version] > 0
        assert endings["out", version] > endings["last", version]


# --- C1, C2, C17: the boards -----------------------------------------------------------------------


@pytest.mark.parametrize("setup", range(len(SETUPS)))
def test_C1_borders_and_touches_from_floating_coordinates(setup):
    borders, touches = meetings(*SETUPS[setup])
    for field, name in enumerate(NAMES):
        across = [NAMES[near] for near in BORDER[setup, field] if near >= 0]
        assert across == borders.get(name, [])
        low, high = (int(word) for word in LATER[setup, field])
        later = {NAMES[f] for f in range(96) if (low | high << 48) >> f & 1}
        assert later == {other for other in touches.get(name, ()) if other > name}


@pytest.mark.parametrize(
    ("kind", "players", "pairs"),
    [
        ("fan", 2, "1a1-2a1 1b3-2b1 1c5-2c1 1d7-2d1"),
        ("fan", 6, "6a1-1a1 6b3-1b1 6c5-1c1 6d7-1d1 3d7-4d1"),
        ("pyramid", 4, "4d1-1d1 4c1-1d3 4b1-1d5 4a1-1d7 4a1-2d1 4d7-2d7 4d7-3d1 4d1-3d7 4d3-3d5"),
    ],
)
def test_C17_sides_that_lie_together(kind, players, pairs):
    setup = SETUPS.index((kind, players))
    for pair in pairs.split():
        one, two = (INDEX[name] for name in pair.split("-"))
        assert two in BORDER[setup, one]
        assert one in BORDER[setup, two]


def test_C1_the_fan_is_open_at_both_ends_unless_six_close_the_ring():
    for players in (2, 3, 4):
        borders, _ = meetings("fan", players)
        assert len(borders["1b1"]) == 2
        assert len(borders[f"{players}b3"]) == 2
        setup = SETUPS.index(("fan", players))
        assert list(BORDER[setup, INDEX["1b1"]]) == [INDEX["1b2"], INDEX["1c2"], -1]
    assert INDEX["6b3"] in BORDER[SETUPS.index(("fan", 6)), INDEX["1b1"]]


def test_C17_boards_are_turned_never_mirrored():
    for kind, players in SETUPS:
        where = plan(kind, players)
        for seat in range(1, players + 1):
            apex, left, right = (sum(where[f"{seat}{name}"]) / 3 for name in ("a1", "d1", "d7"))
            assert ((left - apex).conjugate() * (right - apex)).imag > 0


# --- options -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"players": 1}, "players cannot be 1: it must be one of 2, 3, 4, 6"),
        ({"players": 5}, "players cannot be 5"),
        ({"players": 7}, "players cannot be 7"),
        ({"players": 2, "setup": "pyramid"}, "the pyramid is for four players, not 2"),
        ({"players": 3, "setup": "pyramid"}, "the pyramid is for four players, not 3"),
        ({"players": 6, "setup": "pyramid"}, "the pyramid is for four players, not 6"),
        ({"purse": 3}, "purse cannot be 3"),
        ({"rounds": 0}, "rounds cannot be 0"),
        ({"version": "blitz"}, "quickie, marathon"),
        ({"layout": "4/213/31412"}, "rows of 1, 3, 5 and 7"),
        ({"layout": "4/213/31412/41213145"}, "rows of 1, 3, 5 and 7"),
        ({"layout": "4/2133/1412/4121314"}, "rows of 1, 3, 5 and 7"),
        ({"layout": "5/213/31412/4121314"}, "digits from 1 to 4"),
        ({"layout": "4/213/31412/412131x"}, "digits from 1 to 4"),
        ({"layout": "4/213/31412/4121314/"}, "rows of 1, 3, 5 and 7"),
        ({"layout": 4}, "rows of 1, 3, 5 and 7"),
    ],
)
def test_options_are_refused_with_a_reason(options, reason):
    with pytest.raises(triskele.OptionError, match=re.escape(reason)):
        triskele.new("conquest", **options)


def test_options_seats():
    assert [triskele.new("conquest", players=n).variant.seats for n in (2, 3, 4, 6)] == [2, 3, 4, 6]


# --- C2 to C5: the start, the round, the initiative --------------------------------------------------


def test_C3_four_chits_of_each_purse_stand_on_the_home():
    position = triskele.new("conquest", players=3)
    start = "1 96 1c3*4 / 2 96 2c3*4 / 3 96 3c3*4 / pot 0 / round 1 / initiative 1=? 2=? 3=?"
    assert body(position) == start
    assert position.turn == triskele.CHANCE
    assert texts(position) == ["1", "2", "3", "4"]


def test_C5_highest_begins():
    position = after(triskele.new("conquest", players=3), "2", "4", "3")
    assert position.turn == 1
    assert body(position).endswith("reinforce 2 first 2")


def test_C5_tied_for_highest_roll_again_until_one_is_left():
    position = after(triskele.new("conquest", players=4), "4", "1", "4", "4")
    assert body(position).endswith("initiative 1=? 3=? 4=?")
    after(position, "2", "3", "3")
    assert body(position).endswith("initiative 3=? 4=?")
    after(position, "1", "1")
    assert body(position).endswith("initiative 3=? 4=?")
    after(position, "1", "2")
    assert position.turn == 3


def test_C5_only_those_still_in_roll():
    line = "1 90 1c3*4 / 2 100 out / 3 96 3c3*1 3d4*3 / pot 6 / round 1 / advantage 3 first 1"
    position = after(at(line, players=3), "done")
    assert body(position).endswith("round 2 / initiative 1=? 3=?")


def test_C4_each_reinforces_and_conquers_in_turn_then_each_may_move():
    position = after(triskele.new("conquest", players=3), "1", "3", "2")
    asked = []
    while "round 1" in str(position):
        asked.append((position.turn, body(position).split(" / ")[-1].split()[0]))
        position.push("done")
    turns = [(seat, phase) for seat in (1, 2, 0) for phase in ("reinforce", "conquer")]
    assert asked == turns + [(seat, "advantage") for seat in (1, 2, 0)]


def test_C4_who_goes_out_in_a_round_is_passed_over():
    line = "1 96 1c3*4 / 2 96 3c3*4 / 3 95 3c4*1 / 4 96 4c3*4 / pot 4 / round 1 / conquer 2 first 2"
    position = at(line, players=4, version="marathon")
    after(position, "3c4<3c3*3", "d1", "4", "4", "4", "1", "done")
    assert body(position).endswith("reinforce 4 first 2")
    after(position, "done", "done", "done", "done")
    assert body(position).endswith("advantage 2 first 2")


def test_C4_who_began_may_be_out_when_the_advantage_moves_come():
    line = "1 94 1c4*1 / 2 96 1c3*4 / 3 96 3c3*4 / pot 5 / round 1 / conquer 2 first 1"
    position = at(line, players=3, version="marathon")
    after(position, "1c4<1c3*3", "d1", "4", "4", "4", "1", "done", "done", "done")
    assert body(position).endswith("advantage 2 first 1")


# --- C6: reinforcing --------------------------------------------------------------------------------


def test_C6_home_gives_three_tokens_along_a_chain_of_own_fields():
    line = "1 90 1c3*4 1c4*1 1c5*1 1d2*1 2c1*1 / 2 98 2c3*4 / pot 0 / round 2 / reinforce 1 first 1"
    position = at(line)
    assert [m for m in texts(position) if m[0] == "h"] == ["h1c3", "h1c4", "h1c5", "h2c1"]
    after(position, "h1c3", "h2c1", "h2c1")
    assert [m for m in texts(position) if m[0] == "h"] == []
    assert "1 87 1c3*5 1c4*1 1c5*1 1d2*1 2c1*3" in str(position)
    with pytest.raises(triskele.IllegalMove, match="your home has already given its three tokens"):
        position.push("h1c3")


def test_C6_home_must_be_held():
    position = at("1 96 1c4*4 / 2 96 2c3*4 / pot 0 / round 2 / reinforce 1 first 1")
    assert texts(position) == ["done"]
    with pytest.raises(triskele.IllegalMove, match="you do not hold your home 1c3"):
        position.push("h1c4")


def test_C6_out_of_the_purse():
    position = at("1 1 1c3*5 1d2*1 1d4*1 1d6*1 / 2 91 2c3*4 / pot 96 / round 2 / reinforce 1 first 1")
    after(position, "h1c3")
    assert texts(position) == ["done"]
    with pytest.raises(triskele.IllegalMove, match="your purse is empty"):
        position.push("h1c3")


def test_C6_a_triple_on_one_board_gives_up_to_its_number_to_one_of_its_fields():
    position = at(TRIPLES)
    found = {m.partition(">")[0] for m in texts(position) if m[0] == "t"}
    assert found == {"t1d2+1d4+1d6", "t1a1+1c3+1d1", "t1a1+1c3+1d7", "t1a1+1d1+1d7", "t1c3+1d1+1d7"}
    assert sum(m.startswith("t1d2") for m in texts(position)) == 3
    assert sum(m.startswith("t1a1+1d1+1d7") for m in texts(position)) == 12
    after(position, "t1a1+1d1+1d7>1d1*4")
    assert "1 76 1a1*1 1c3*4 1d1*5" in str(position)


def test_C6_at_most_the_purse():
    position = at(TRIPLES.replace("1 80", "1 2").replace("pot 16", "pot 94"))
    amounts = {m[-1] for m in texts(position) if m.startswith("t1a1+1d1+1d7")}
    assert amounts == {"1", "2"}


def test_C6_a_field_serves_in_one_triple_a_round():
    position = after(at(TRIPLES), "t1a1+1d1+1d7>1d1*1")
    assert {m.partition(">")[0] for m in texts(position) if m[0] == "t"} == {"t1d2+1d4+1d6"}
    with pytest.raises(triskele.IllegalMove, match="1a1 has already been used in a triple this round"):
        position.push("t1a1+1c3+1d7>1a1*1")


def test_C6_the_home_serves_once_by_itself_or_in_a_triple():
    by_itself = after(at(TRIPLES), "h1c3")
    assert {m.partition(">")[0] for m in texts(by_itself) if m[0] == "t"} == {"t1a1+1d1+1d7", "t1d2+1d4+1d6"}
    in_a_triple = after(at(TRIPLES), "t1a1+1c3+1d1>1a1*1")
    assert not [m for m in texts(in_a_triple) if m[0] == "h"]
    with pytest.raises(triskele.IllegalMove, match="has given tokens this round"):
        by_itself.push("t1a1+1c3+1d1>1a1*1")
    with pytest.raises(triskele.IllegalMove, match="has already been used in a triple"):
        in_a_triple.push("h1c3")


def test_C6_all_serve_again_the_next_round():
    position = after(at(TRIPLES), "t1d2+1d4+1d6>1d2*1", "h1c3", "done", "done", "done", "done", "done", "done")
    after(position, "4", "1")
    assert any(m.startswith("t1d2+1d4+1d6") for m in texts(position))
    assert "h1c3" in texts(position)


def test_C6_three_that_all_touch_are_a_triple_across_boards():
    line = "1 90 1a1*1 1c4*4 2a1*1 3a1*1 / 2 96 2c3*4 / 3 96 3c3*4 / pot 3 / round 2 / reinforce 1 first 1"
    triples = [m for m in texts(at(line, players=3)) if m[0] == "t"]
    assert sorted({m.partition(">")[0] for m in triples}) == ["t1a1+2a1+3a1"]
    apart = line.replace("3a1*1", "3d7*1")
    assert not [m for m in texts(at(apart, players=3)) if m[0] == "t"]
    with pytest.raises(triskele.IllegalMove, match="are not on one board and do not all touch"):
        at(apart, players=3).push("t1a1+2a1+3d7>1a1*1")


def test_C6_the_numbers_come_from_the_layout():
    line = "1 93 1a1*1 1b1*1 1c1*1 1c3*4 / 2 96 2c3*4 / pot 0 / round 2 / reinforce 1 first 1"
    assert not [m for m in texts(at(line)) if m[0] == "t"]
    other = at(line, layout="2/213/21413/4121314")
    assert {m.partition(">")[0] for m in texts(other) if m[0] == "t"} == {"t1a1+1b1+1c1"}


# --- C7 to C11: attacks -----------------------------------------------------------------------------


def test_C7_across_sides_with_up_to_three_tokens_and_one_kept_back():
    position = at("1 95 1b3*3 1c5*2 / 2 94 2b1*6 / pot 0 / round 2 / conquer 1 first 1")
    against_b1 = [m for m in texts(position) if m.startswith("2b1<")]
    assert against_b1 == ["2b1<1b3*1", "2b1<1b3*2"]
    assert [m for m in texts(position) if m.startswith("2c1<")] == ["2c1<1c5*1"]
    for move, why in (
        ("2b1<1b3*3", "must keep one"),
        ("2a1<1b3*1", "do not share a side"),
        ("2b1<2c1*1", "you have no token on 2c1"),
        ("1b3<1c5*1", "1b3 is yours already"),
        ("3a1<1b3*1", "there is no field 3a1"),
    ):
        with pytest.raises(triskele.IllegalMove, match=why):
            position.push(move)


def test_C7_coordinated_attacks_draw_on_several_fields():
    position = at("1 86 1b1*4 1c1*5 1c3*5 / 2 96 2c3*4 / pot 0 / round 2 / conquer 1 first 1")
    moves = [m for m in texts(position) if m.startswith("1c2<")]
    assert len(moves) == 19
    assert "1c2<1b1*1+1c1*1+1c3*1" in moves
    assert "1c2<1c1*1+1c3*2" in moves


def test_C8_higher_takes_the_field_and_more_may_follow():
    position = after(at(EMPTY), "1c4<1c3*2", "4", "3", "2")  # 7 against 2 + 1
    assert body(position).endswith("taken 1c4<1c3*2")
    assert texts(position) == ["+1c3*1", "+1c3*2", "+1c3*3", "+1c3*4", "+1c3*5", "stay"]
    position.push("+1c3*5")
    assert "1 80 1c3*1 1c4*7 /" in str(position)
    assert body(position).endswith("conquer 1 first 1")


def test_C8_stay():
    position = after(at(EMPTY), "1c4<1c3*2", "4", "3", "2", "stay")
    assert "1 80 1c3*6 1c4*2 /" in str(position)


def test_C8_nothing_is_asked_when_nothing_can_follow():
    position = after(at(EMPTY.replace("1c3*8", "1c3*3").replace("1 80", "1 85")), "1c4<1c3*2", "4", "3", "2")
    assert body(position).endswith("conquer 1 first 1")


def test_C8_each_attacking_field_may_send_more_once():
    line = "1 84 1b1*4 1c1*4 1c3*4 / 2 96 2c3*4 / pot 4 / round 2 / conquer 1 first 1"
    position = after(at(line), "1c2<1b1*1+1c3*1", "4", "4", "1")
    assert texts(position) == ["+1b1*1", "+1b1*2", "+1c3*1", "+1c3*2", "stay"]
    position.push("+1b1*1")
    assert texts(position) == ["+1c3*1", "+1c3*2", "stay"]
    with pytest.raises(triskele.IllegalMove, match="have followed from 1b1 already"):
        position.push("+1b1*1")
    with pytest.raises(triskele.IllegalMove, match="did not take part"):
        position.push("+1c1*1")
    position.push("+1c3*2")
    assert "1b1*2 1c1*4 1c2*5 1c3*1" in str(position)


@pytest.mark.parametrize(
    ("dice", "lost"), [("1 1 4", 2), ("2 1 3", 1), ("2 2 4", 1), ("1 1 1", 0), ("2 1 2", 0), ("1 2 4", 2)]
)
def test_C8_lower_loses_the_difference_into_the_pot_and_equal_nothing(dice, lost):
    position = after(at(EMPTY), "1c4<1c3*2", *dice.split())
    assert f"1 80 1c3*{8 - lost} /" in str(position)
    assert f"pot {12 + lost} " in str(position)


def test_C8_own_empty_home_is_retaken_without_a_roll():
    line = "1 90 1c2*4 1c4*3 / 2 96 2c3*4 / pot 3 / round 2 / conquer 1 first 1"
    position = after(at(line), "1c3<1c2*1+1c4*2")
    assert body(position).endswith("taken 1c3<1c2*1+1c4*2")
    after(position, "+1c2*2")
    assert "1 90 1c2*1 1c3*5 1c4*1" in str(position)
    assert body(position).endswith("conquer 1 first 1")


def test_C8_another_empty_home_needs_a_roll():
    line = "1 90 1c3*4 2c2*4 / 2 96 2d4*4 / pot 2 / round 2 / conquer 1 first 1"
    position = after(at(line), "2c3<2c2*3")
    assert position.turn == triskele.CHANCE


def test_C9_the_defender_chooses_after_the_attacker():
    position = after(at(HELD), "2b1<1b3*2")
    assert position.turn == 1
    assert texts(position) == ["d1", "d2", "d3"]
    few = after(at(HELD.replace("2b1*5", "2b1*1").replace("2 90", "2 94")), "2b1<1b3*2")
    assert texts(few) == ["d1"]
    with pytest.raises(triskele.IllegalMove, match="you can defend with 1 token"):
        few.push("d2")


@pytest.mark.parametrize(
    ("attack", "defence", "lost", "won"),
    [
        ("432", "321", 0, 3),
        ("234", "432", 0, 0),
        ("411", "322", 2, 1),
        ("41", "3", 0, 1),
        ("1", "234", 1, 0),
        ("2", "112", 0, 0),
        ("33", "34", 1, 0),
        ("333", "333", 0, 0),
    ],
)
def test_C9_dice_are_paired_from_the_highest(attack, defence, lost, won):
    position = after(at(HELD), f"2b1<1b3*{len(attack)}", f"d{len(defence)}", *attack, *defence)
    assert f"1 {80 + won} 1b3*{8 - lost} 1c3*4 / 2 {90 + lost} 2b1*{5 - won} 2c3*4 / pot 9" in str(position)


def test_C9_an_emptied_field_can_then_be_attacked_as_empty():
    position = at("1 80 1b3*8 1c3*4 / 2 90 2b1*1 2c3*4 / pot 13 / round 2 / conquer 1 first 1")
    after(position, "2b1<1b3*3", "d1", "4", "4", "4", "3")
    assert "2 90 2c3*4" in str(position)
    assert body(position).endswith("conquer 1 first 1")
    after(position, "2b1<1b3*3")
    assert position.turn == triskele.CHANCE


def test_C10_three_repulses_in_a_row_close_the_border():
    position = at(EMPTY)
    for _ in range(2):
        after(position, "1c4<1c3*1", "1", "1")
    after(position, "1c4<1c3*1", "3", "2")  # a tie repulses too
    assert body(position).endswith("repulsed 1c3>1c4*3")
    assert not [m for m in texts(position) if m.startswith("1c4<")]
    with pytest.raises(triskele.IllegalMove, match="have closed the border from 1c3 to 1c4"):
        position.push("1c4<1c3*1")
    assert [m for m in texts(position) if m.startswith(("1b2<", "1c2<"))]


def test_C10_open_again_next_turn():
    line = "1 80 1c3*8 / 2 96 2c3*4 / pot 12 / round 2 / conquer 1 first 1 repulsed 1c3>1c4*3"
    position = after(at(line), "done", "done", "done", "done", "done", "4", "1", "done")
    assert "1c4<1c3*1" in texts(position)


def test_C10_a_held_field_repulses_when_it_loses_nothing():
    position = after(at(HELD), "2b1<1b3*1", "d1", "2", "3")
    assert "repulsed 1b3>2b1*1" in str(position)
    after(position, "2b1<1b3*1", "d1", "2", "2")
    assert "repulsed 1b3>2b1*2" in str(position)
    after(position, "2b1<1b3*2", "d2", "4", "1", "3", "3")  # one each: not repulsed, counting begins anew
    assert "repulsed" not in str(position)


def test_C10_a_coordinated_attack_counts_on_each_border_it_uses():
    line = "1 84 1b1*4 1c1*4 1c3*4 / 2 96 2c3*4 / pot 4 / round 2 / conquer 1 first 1 repulsed 1c1>1c2*1+1c3>1c2*2"
    position = after(at(line), "1c2<1b1*1+1c3*1", "1", "1", "1")
    assert "repulsed 1b1>1c2*1+1c1>1c2*1+1c3>1c2*3" in str(position)
    assert all("1c3" not in m for m in texts(position) if m.startswith("1c2<"))


def test_C10_a_closed_border_cannot_be_used_to_retake_the_home():
    line = "1 90 1c2*4 1c4*3 / 2 96 2c3*4 / pot 3 / round 2 / conquer 1 first 1 repulsed 1c2>1c3*3"
    position = at(line, version="marathon")
    assert [m for m in texts(position) if m.startswith("1c3<")] == ["1c3<1c4*1", "1c3<1c4*2"]


@pytest.mark.parametrize(
    ("attack", "dice", "left"),
    [
        ("1c2<1b1*1+1c1*2", "1 1 1 3", "1b1*4 1c1*3 1c3*4"),  # 3 against 4: one lost
        ("1c2<1b1*1+1c1*2", "1 1 1 4", "1b1*4 1c1*2 1c3*4"),  # two lost, both off the field that committed two
        ("1c2<1b1*2+1c1*1", "1 1 1 4", "1b1*2 1c1*4 1c3*4"),
        ("1c2<1b1*1+1c1*1+1c3*1", "1 1 1 4", "1b1*3 1c1*3 1c3*4"),  # equal: the alphabetically first
        ("1c2<1c1*1+1c3*1", "1 1 4", "1b1*4 1c1*3 1c3*3"),
    ],
)
def test_C11_losses_come_off_the_field_that_committed_most(attack, dice, left):
    line = "1 84 1b1*4 1c1*4 1c3*4 / 2 96 2c3*4 / pot 4 / round 2 / conquer 1 first 1"
    assert f"1 84 {left} /" in str(after(at(line), attack, *dice.split()))


def test_C11_three_lost_empty_both_commitments():
    line = "1 84 1b1*4 1c1*4 1c3*4 / 2 96 2c3*4 / pot 4 / round 2 / conquer 1 first 1"
    position = at(line, layout="1/111/14111/1111111")
    assert "1b1*3 1c1*2 1c3*4" in str(after(position, "1c2<1b1*1+1c1*2", "1", "1", "1", "4"))


# --- C12: advantage moves ----------------------------------------------------------------------------


def test_C12_any_number_to_a_bordering_own_field_even_all():
    line = "1 90 1c3*3 1c4*1 1d2*2 / 2 96 2c3*4 / pot 4 / round 2 / advantage 1 first 1"
    position = at(line)
    assert texts(position) == ["done", "v1c3>1c4*1", "v1c3>1c4*2", "v1c3>1c4*3", "v1c4>1c3*1"]
    after(position, "v1c3>1c4*3")
    assert "1 90 1c4*4 1d2*2 /" in str(position)
    assert position.turn == 1
    assert texts(position) == ["done"]
    with pytest.raises(triskele.IllegalMove, match="do not share a side"):
        at(line).push("v1c3>1d2*1")
    with pytest.raises(triskele.IllegalMove, match="1c3 has 3 tokens"):
        at(line).push("v1c3>1c4*4")


# --- C13 to C16: the end -----------------------------------------------------------------------------


def test_C13_quickie_entering_a_home_puts_its_owner_out_and_takes_his_tokens():
    line = "1 90 1c3*1 2c2*6 / 2 80 2d4*4 3d6*2 / 3 96 3c3*4 / pot 17 / round 2 / conquer 1 first 1"
    position = after(at(line, players=3), "2c3<2c2*3", "4", "4", "4", "1")
    assert body(position).startswith("1 96 1c3*1 2c2*3 2c3*3 / 2 80 out / 3 96 3c3*4 / pot 17")
    assert body(position).endswith("taken 2c3<2c2*3")


def test_C13_marathon_a_home_is_a_field_like_others():
    line = "1 90 1c3*1 2c2*6 / 2 80 2d4*4 3d6*2 / 3 96 3c3*4 / pot 17 / round 2 / conquer 1 first 1"
    position = after(at(line, players=3, version="marathon"), "2c3<2c2*3", "4", "4", "4", "1", "stay")
    assert "2 80 2d4*4 3d6*2 /" in str(position)


@pytest.mark.parametrize("version", ["quickie", "marathon"])
def test_C13_no_token_left_on_the_boards_is_out(version):
    line = "1 90 1c3*4 2b1*4 / 2 90 2b2*1 / 3 96 3c3*4 / pot 11 / round 2 / conquer 1 first 1"
    position = after(at(line, players=3, version=version), "2b2<2b1*3", "d1", "4", "4", "4", "1")
    assert "/ 2 90 out /" in str(position)
    assert "1 91 1c3*4 2b1*4" in str(position)


def test_C13_the_empty_home_of_a_player_still_in_is_no_loss():
    line = "1 90 1c4*4 / 2 96 2c3*4 / pot 6 / round 2 / conquer 2 first 2"
    assert at(line).outcome() is None


def test_C14_the_last_one_in_collects_the_pot_and_need_not_be_the_richest():
    line = "1 20 1c3*1 2c2*6 / 2 160 2d4*4 / pot 9 / round 2 / conquer 1 first 1"
    outcome = after(at(line), "2c3<2c2*3", "4", "4", "4", "1").outcome()
    assert outcome == triskele.Outcome((0,), (-60.0, 60.0), "last")


def test_C15_after_the_last_round_the_richest_still_in_wins():
    line = "1 80 1c3*10 / 2 85 2c3*7 / 3 100 out / pot 18 / round 5 / advantage 1 first 1"
    outcome = after(at(line, players=3, rounds=5), "done", "done").outcome()
    assert outcome == triskele.Outcome((1,), (-10.0, 10.0, 0.0), "rounds")


def test_C15_equal_they_share_the_pot():
    line = "1 80 1c3*10 / 2 83 2c3*7 / 3 60 3c3*3 / pot 57 / round 5 / advantage 3 first 1"
    outcome = after(at(line, players=3, rounds=5), "done").outcome()
    assert outcome == triskele.Outcome((0, 1), (18.5, 18.5, -37.0), "rounds")


@pytest.mark.parametrize("options", SETS)
def test_C14_C16_chits_are_conserved_and_scores_add_up_to_zero(options, compiled):
    variant = GAME.variant(options)
    moves = np.empty(r.MOVES, dtype=np.int64)
    scores = np.zeros(variant.seats)
    chits = variant.seats * variant.options["purse"]
    rng = random.Random(5)
    for _ in range(4):
        state = variant.first_state()
        choose = compiled.legal if rng.random() < 0.3 else compiled.rollout_count
        while compiled.actor(state) != OVER:
            count = choose(state, moves)
            assert 0 < count <= r.MOVES
            compiled.apply(state, moves[rng.randrange(count)])
            on_boards = int((state[r.ON : r.ON + 96] >> 3).sum())
            assert int(state[r.PURSES : r.PURSES + 6].sum()) + int(state[r.POT]) + on_boards == chits
        compiled.scores(state, scores)
        assert abs(scores.sum()) < 1e-9
        assert compiled.winners(state) & ~state[r.IN] == 0


# --- plain and compiled --------------------------------------------------------------------------------


@pytest.mark.parametrize("options", SETS)
def test_plain_and_compiled_rules_agree(options):
    variant = GAME.variant(options)
    plain, fast = link_plain(PLAYOUT, r), GAME.linker.program(PLAYOUT)
    moves = np.empty(r.MOVES, dtype=np.int64)
    for number in range(3):
        slow_state, fast_state = variant.first_state(), variant.first_state()
        assert plain(slow_state, moves, seed(number), 800) == fast(fast_state, moves, seed(number), 800)
        assert slow_state.tolist() == fast_state.tolist()


@pytest.mark.parametrize("options", SETS)
def test_plain_and_compiled_legal_moves_agree(options, compiled):
    plain = GAME.linker.plain
    variant = GAME.variant(options)
    slow_moves, fast_moves = np.empty((2, r.MOVES), dtype=np.int64)
    state = variant.first_state()
    rng = random.Random(11)
    for _ in range(400):
        count = plain.legal(state, slow_moves)
        assert count == compiled.legal(state, fast_moves)
        assert slow_moves[:count].tolist() == fast_moves[:count].tolist()
        assert plain.actor(state) == compiled.actor(state)
        if not count:
            break
        number = plain.rollout_count(state, slow_moves)
        assert number == compiled.rollout_count(state, fast_moves)
        move = int(slow_moves[rng.randrange(number)])
        twin = state.copy()
        plain.apply(state, move)
        compiled.apply(twin, move)
        assert state.tolist() == twin.tolist()


def test_random_play_is_a_choice_of_legal_moves(compiled):
    moves = np.empty(r.MOVES, dtype=np.int64)
    rng = random.Random(2)
    state = GAME.variant({"players": 4}).first_state()
    for _ in range(1500):
        legal = set(moves[: compiled.legal(state, moves)].tolist())
        sensible = moves[: compiled.rollout_count(state, moves)].tolist()
        assert sensible
        assert set(sensible) <= legal
        assert len(set(sensible)) == len(sensible)
        compiled.apply(state, rng.choice(sensible))


def test_no_position_has_more_moves_than_promised(compiled):
    """One player holds all fields but one, all of one number, and reinforces."""
    held = " ".join(f"{name}*1" for name in NAMES if name != "6d7")
    rest = " / ".join(f"{seat} 100 out" for seat in range(2, 6))
    line = f"1 5 {held} / {rest} / 6 99 6d7*1 / pot 0 / round 1 / reinforce 1 first 1"
    position = at(line, players=6, version="marathon", layout="4/444/44444/4444444")
    moves = np.empty(r.MOVES, dtype=np.int64)
    count = compiled.legal(position.state, moves)
    _, touches = meetings("fan", 6)
    near = touches["6d7"]
    missing = 15 * 14 // 2 + sum(b in touches[a] for a, b in itertools.combinations(near, 2) if {a[0], b[0]} != {"6"})
    assert count == r.MOVES - 1 - missing * 12
    assert len(set(moves[:count].tolist())) == count
    assert int(moves[:count].max()) < r.ACTIONS
