"""How many clicks games of Conquest Tryad take in the page, and how many the same moves took in its first version.

    python benchmarks/games/conquest/clicks.py --games 3

Starts a server of its own in a temporary folder, and plays games against the computer in a Chromium. The moves are
those that the engine would make at a level; they are entered by the shortest ways of the page, and every click, drag
and use of a slider counts as one.

The first version (commit 0bf4626) had no drag, no slider and no button for all tokens in hand; it asked for a
confirmation of every attack and defence, and made nothing by itself. What the same moves took there follows from how it
spelled them: a token from home is a field, and first the word "home" if a triple could also go there; an attack its
target, a field for each token, "attack" and a confirmation; a defence its number and a confirmation; tokens that follow
their field and a number; an advantage move two fields and a number; a triple the word, its fields, one of them again
and a number; everything else one button.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from playwright.sync_api import sync_playwright

import triskele
from triskele.engines import best_move

ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
ATTACK = re.compile(r"(\w+)<(.+)")
ADVANTAGE = re.compile(r"v(\w+)>(\w+)\*(\d+)")
FOLLOWING = re.compile(r"\+(\w+)\*(\d+)")


def clicks_before(move, moves):
    """Return how many clicks a move took in the first version, among the moves that were possible."""
    triples = [other for other in moves if other.startswith("t")]
    if move.startswith("h"):
        return 2 if any(move[1:] in other for other in triples) else 1
    if attack := ATTACK.fullmatch(move):
        return 3 + sum(int(part.rpartition("*")[2]) for part in attack[2].split("+"))
    if FOLLOWING.fullmatch(move) or re.fullmatch(r"d\d", move):
        return 2
    if ADVANTAGE.fullmatch(move):
        return 3
    if move.startswith("t"):
        return 6 if any(other.startswith("h") for other in moves) else 5
    return 1


class Player:
    """A person at a table, who enters what the engine would play, and counts."""

    def __init__(self, page, address, level, chosen):
        """Open a table against the computer."""
        self.page, self.chosen = page, chosen
        self.clicks = self.before = self.decisions = self.forced = 0
        self.position = triskele.new("conquest")
        page.on("websocket", lambda socket: socket.on("framereceived", self.hear))
        seats = [{"kind": "me", "name": "Ada"}, {"kind": "engine", "level": level}]
        plan = {"game": "conquest", "seats": seats, "first": "order", "private": True}
        opened = page.request.post(f"{address}/api/v1/tables", data=plan).json()
        page.goto(f"{address}/table/{opened['table']}")

    def hear(self, frame):
        """Follow the game by what the server tells."""
        message = json.loads(frame)
        made = message.get("moves", [])[len(self.position.moves) :] if message["type"] == "table" else []
        made = [message] if message["type"] == "moved" else made
        for each in made:
            self.position.push(each["move"])

    def wait(self, holds):
        """Wait for something that must come."""
        while not holds():
            self.page.wait_for_timeout(20)

    def play(self):
        """Play to the end."""
        while True:
            self.wait(lambda: self.position.outcome() is not None or self.position.turn == 0)
            if self.position.outcome() is not None:
                return
            moves = [str(move) for move in self.position.legal_moves]
            if len(moves) == 1:
                self.count(moves[0], moves, forced=True)
                continue
            self.page.locator(".strip.asked").wait_for()
            self.count(str(best_move(self.position, level=self.chosen)), moves)

    def count(self, move, moves, forced=False):
        """Make a move, or wait until it is made by itself."""
        known = len(self.position.moves)
        self.before += clicks_before(move, moves)
        self.decisions += 1
        self.forced += forced
        if not forced:
            self.enter(move)
        self.wait(lambda: len(self.position.moves) > known)

    def enter(self, move):
        """Enter a move by the shortest way."""
        attack, advantage, following = (pattern.fullmatch(move) for pattern in (ATTACK, ADVANTAGE, FOLLOWING))
        if move.startswith("h"):
            hand = self.hand()
            pile = int(hand.label) > 1 and self.wants_all_there(move)
            return self.put_all(move, hand) if pile else self.tap(move[1:])
        if move.startswith("t") and move in self.drops():
            return self.drag("t", re.search(r">(\w+)", move)[1])
        if move.startswith("t"):
            return self.enter_triple(move)
        if attack and "+" not in attack[2]:
            source, _, tokens = attack[2].rpartition("*")
            self.drag(source, attack[1])
            return self.go(tokens)
        if advantage:
            self.drag(advantage[1], advantage[2])
            alike = f"v{advantage[1]}>{advantage[2]}*"
            numbers = [each for each in self.position.legal_moves if str(each).startswith(alike)]
            return self.go(advantage[3]) if len(numbers) > 1 else None  # one alone is not asked for
        if following:
            if not self.page.locator(".actions .go").count():
                self.tap(following[1])
            return self.go(following[2])
        for token in next(each.tokens for each in self.position.legal_moves if str(each) == move):
            self.tap(token)
        yes = self.page.locator(".sheet .brief .button.primary")
        known = len(self.position.moves)
        for _ in range(100):
            if len(self.position.moves) > known:
                return None
            if yes.count():
                yes.click()
                self.clicks += 1
                return None
            self.page.wait_for_timeout(20)
        return None

    def hand(self):
        """Return the piece that stands for the tokens from home in hand."""
        return next(piece for piece in self.position.scene(0).pieces if piece.role == "hand")

    def drops(self):
        """Return the moves that dragging the tokens of triples makes."""
        return next((place.drops for place in self.position.scene(0).places if place.token == "t"), ())

    def enter_triple(self, move):
        """Choose the field that gets the tokens, others as long as there are several triples, and how many."""
        spellings = next(each.spellings for each in self.position.legal_moves if str(each) == move)
        homes = any(str(each).startswith("h") for each in self.position.legal_moves)
        if homes:
            self.tap("t")
        for token in spellings[0][1:-1]:
            if self.page.locator(".actions .go").count():
                break
            self.tap(token)
        self.go(spellings[0][-1])

    def wants_all_there(self, move):
        """Return whether all tokens from home that are left would go to the same field."""
        ahead = self.position.copy()
        while move in (moves := [str(each) for each in ahead.legal_moves]):
            if len(moves) > 1 and str(best_move(ahead, level=self.chosen)) != move:
                return False
            ahead.push(move)
        return True

    def put_all(self, move, hand):
        """Drag all tokens in hand to a field at once."""
        known = len(self.position.moves)
        corner = "board => (({a, d, e, f}) => [a, d, e, f])(board.getScreenCTM())"
        wide, tall, left, top = self.page.locator(".board").evaluate(corner)
        self.pull((left + wide * hand.x, top + tall * hand.y), self.middle(move[1:]))
        self.wait(lambda: len(self.position.moves) >= known + int(hand.label))
        for _ in self.position.moves[known + 1 :]:
            self.before += 1
            self.decisions += 1

    def tap(self, token):
        """Click a field or a button."""
        self.page.locator(f'.board .place.lit[data-token="{token}"], .actions [data-token="{token}"]').first.click()
        self.clicks += 1

    def drag(self, source, target):
        """Drag from a place to another."""
        self.pull(self.middle(source), self.middle(target))

    def pull(self, source, target):
        """Drag from a point of the window to another."""
        mouse = self.page.mouse
        mouse.move(*source)
        mouse.down()
        mouse.move(*target, steps=3)
        mouse.up()
        self.clicks += 1

    def middle(self, token):
        """Return the middle of a field in the window."""
        box = self.page.locator(f'.board .place[data-token="{token}"]').bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def go(self, token):
        """Choose how many with the slider, unless it stands there, and go."""
        button = self.page.locator(".actions .go")
        button.wait_for()
        if button.get_attribute("data-token") != token:
            slider = self.page.locator(".actions .amount")
            slider.fill(str(slider.get_attribute("data-numbers").split().index(token)))
            self.clicks += 1
        button.click()
        self.clicks += 1


def main():
    """Play games and print the figures."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--games", type=int, default=3)
    options.add_argument("--level", type=int, default=5, help="the level of the computer")
    options.add_argument("--chosen", type=int, default=5, help="the level at which the player's moves are chosen")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        command = [sys.executable, "-m", "triskele.server", "--host", "127.0.0.1", "--port", "0", "--data", folder]
        # How fast the computer answers does not matter here: nothing is compiled.
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, "TRISKELE_PLAIN": "1"})
        address = server.stdout.readline().split()[-1].rstrip("/")
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=list(ARGUMENTS))
        total = [0, 0]
        try:
            for number in range(chosen.games):
                page = browser.new_context(locale="en", reduced_motion="reduce").new_page()
                player = Player(page, address, chosen.level, chosen.chosen)
                player.play()
                won = "won" if player.position.outcome().winners == (0,) else "lost"
                made = f"{player.decisions} decisions, {player.forced} made by themselves"
                print(f"game {number + 1}: {won}, {made}; {player.clicks} clicks, before {player.before}", flush=True)
                total = [total[0] + player.clicks, total[1] + player.before]
                page.context.close()
            print(f"{total[0]} clicks instead of {total[1]}: {total[0] / total[1]:.0%}")
        finally:
            browser.close()
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
