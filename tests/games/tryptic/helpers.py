"""What tests of TRYPTIC share: positions to begin with, and a second, slow way to work out the rules."""

import triskele
from triskele.games.tryptic import rules

COLOURS = "BGRWY"


ROWS = {
    "a": (1, 5),
    "b": (1, 6),
    "c": (1, 7),
    "d": (1, 8),
    "e": (1, 9),
    "f": (2, 9),
    "g": (3, 9),
    "h": (4, 9),
    "i": (5, 9),
}


HEXES = [f"{row}{number}" for row, (low, high) in ROWS.items() for number in range(low, high + 1)]


FULL = "BGRWYYWRGB" * 6 + "B"
"""A full board, hex by hex, with no colour run out."""


def play(moves, **options):
    pos = triskele.new("tryptic", **options)
    for move in moves.split():
        pos.push(move)
    return pos


def line(tiles, turn, patterns, changes=None, wrong=None, gone="-", passed="-", **options):
    """Return a position text; ``tiles`` is a dict of hexes or a text of 61 signs."""
    if isinstance(tiles, dict):
        tiles = "".join(tiles.get(name, ".") for name in HEXES)
    seats = len(patterns.split(","))
    board = "/".join("".join(t for name, t in zip(HEXES, tiles, strict=True) if name[0] == row) for row in ROWS)
    chosen = "".join(f" {name}={value}" for name, value in options.items())
    players = f" players={seats}" if seats != 2 else ""
    fields = [
        board,
        turn,
        patterns,
        changes or ",".join("0" * seats),
        wrong or ",".join("-" * seats),
        gone,
        passed,
    ]
    return f"tryptic{players}{chosen}: {' '.join(fields)}"


def at(*arguments, **keywords):
    return triskele.position(line(*arguments, **keywords))


def points(pos, seat):
    return rules.points(pos.state, seat)


def runs_of_three():
    """All runs of three hexes, by walking the three lines of P1 from every hex."""
    found = []
    for name in HEXES:
        for up, right in ((0, 1), (1, 0), (1, 1)):
            run = [f"{chr(ord(name[0]) + up * step)}{int(name[1]) + right * step}" for step in range(3)]
            if set(run) <= set(HEXES):
                found.append(run)
    return found


RUNS = runs_of_three()


PATTERNS = sorted({min(p, p[::-1]) for p in (a + b + c for a in COLOURS for b in COLOURS for c in COLOURS)})


class Referee:
    """TRYPTIC as one would explain it, with texts and sets."""

    def __init__(self, players, goal):
        self.players, self.goal = players, goal
        self.patterns = []
        self.board = {}
        self.bonus = [0] * players
        self.into = set(range(players))
        self.turn = 0
        self.placed = self.challenged = False
        self.passes = []
        self.end = None

    def points(self, seat):
        shown = ["".join(self.board.get(name, ".") for name in run) for run in RUNS]
        own = {self.patterns[seat], self.patterns[seat][::-1]}
        return sum(run in own for run in shown) + self.bonus[seat]

    def colours_left(self):
        used = "".join(self.patterns) + "".join(self.board.values())
        return [colour for colour in COLOURS if used.count(colour) < 30]

    def legal(self):
        if self.end:
            return []
        if len(self.patterns) < self.players:
            return ["=" + pattern for pattern in PATTERNS]
        moves = [f"!{self.turn + 1}"]
        empty = [name for name in HEXES if name not in self.board]
        if not self.placed:
            moves += [colour + name for colour in self.colours_left() for name in empty]
        if not self.challenged:
            moves += [f"?{seat + 1}={p}" for seat in self.into - {self.turn} for p in PATTERNS]
        if self.placed or not empty:
            moves.append(".")
        return sorted(moves)

    def interrupts(self):
        if self.end or len(self.patterns) < self.players:
            return []
        return [f"!{seat + 1}" for seat in sorted(self.into - {self.turn})]

    def next_turn(self):
        self.placed = self.challenged = False
        if self.into <= set(self.passes):
            self.end = ("full", set())
            return
        self.turn = (self.turn + 1) % self.players
        while self.turn not in self.into:
            self.turn = (self.turn + 1) % self.players

    def put_out(self, seat):
        self.into.discard(seat)
        if len(self.into) == 1:
            self.end = ("last", set(self.into))

    def push(self, move):
        full = len(self.board) == 61
        if move[0] == "=":
            self.patterns.append(move[1:])
            self.turn = len(self.patterns) % self.players
        elif move[0] in COLOURS:
            self.board[move[1:]] = move[0]
            self.placed = True
            if self.challenged:
                self.next_turn()
        elif move[0] == "?":
            target, guess = int(move[1]) - 1, move[3:]
            self.challenged, self.passes = True, []
            if self.patterns[target] == guess:
                self.bonus[self.turn] += 2
                self.put_out(target)
            else:
                self.bonus[self.turn] -= 1
                self.bonus[target] += 1
            if not self.end and (self.placed or full):
                self.next_turn()
        elif move == ".":
            if not self.placed:
                self.passes.append(self.turn)
            self.next_turn()
        else:
            seat = int(move[1]) - 1
            if self.points(seat) >= self.goal:
                self.end = ("points", {seat})
                return
            self.put_out(seat)
            if not self.end and (seat == self.turn or self.into <= set(self.passes)):
                self.next_turn()


def careless_move(referee, rng):
    """A move of a player who places mostly, and sometimes challenges (rightly now and then) or announces."""
    dice = rng.random()
    legal = referee.legal()
    if dice < 0.004 and referee.interrupts():
        return rng.choice(referee.interrupts())
    if dice < 0.04:
        return rng.choice(legal)
    if dice < 0.05:
        right = [f"?{seat + 1}={referee.patterns[seat]}" for seat in range(len(referee.patterns))]
        chosen = [move for move in right if move in legal]
        if chosen:
            return rng.choice(chosen)
    calm = [move for move in legal if move[0] not in "?!"]
    return rng.choice(calm)


FIVE = {"e1": "G", "e2": "G", "e3": "G", "e4": "G", "e5": "G", "e6": "G", "e7": "G"}
"""Five points for GGG."""
