"""Playing at the terminal: the board, the prompt and its commands."""

import contextlib
import random
import threading
from collections.abc import Callable
from pathlib import Path

from triskele.cli.entry import continuations, read_entry, token_words
from triskele.cli.guide import help_lines
from triskele.cli.keeper import Keeper
from triskele.cli.shown import (
    game_words,
    in_order,
    move_lines,
    mover_name,
    options_line,
    outcome_lines,
    seats_line,
    show_board,
)
from triskele.cli.table import Table, contribution, random_interrupt
from triskele.cli.terminal import Terminal, uninterrupted
from triskele.core.contract import CHANCE
from triskele.core.errors import TriskeleError
from triskele.core.moves import Move

PREPARE_SECONDS = 0.5
"""How long after the start compiling begins."""
HINT_SECONDS = 1.0
NOTED_MOVES = 12
"""So many moves are listed with what there is to know about each."""


class _Leave(Exception):
    """The people get up from the table."""


class Session:
    """A table, the people at its screen, and the file that keeps the game."""

    def __init__(
        self, table: Table, terminal: Terminal, rng: random.Random, path: Path | None = None, repeatable: bool = False
    ) -> None:
        """Play at ``table``. The game is kept in ``path``; without one, in a file of its own if people play.

        ``repeatable``: what nobody enters follows from ``rng`` alone.
        """
        self.table = table
        self.terminal = terminal
        self.rng = rng
        self.repeatable = repeatable
        self.keeper = Keeper(table, terminal, path)
        self._eyes: int | None = None  # who looks at the screen, in a game with secrets
        self._commands: dict[str, Callable[[str], None]] = {
            "help": self._help,
            "moves": self._moves,
            "hint": self._hint,
            "board": self._board,
            "record": self._record,
            "undo": self._undo,
            "save": self._save,
            "quit": self._quit,
        }
        # Where nothing can be taken back, the command is not offered, and says why when it is tried.
        self._offered = [name for name in self._commands if name != "undo" or not table.variant.game.hidden]

    # --- the game ------------------------------------------------------------------------------

    def run(self) -> None:
        """Play until the people leave. A game that is on stays kept in its file, whatever happens."""
        self._introduce()
        try:
            self._collect_seeds()
            while True:
                move = self.table.automatic_move(self.rng)
                if move is not None:
                    self._make(self._claimed() or move)
                    continue
                self.keeper.keep()
                if self.table.over:
                    self._after_game()
                else:
                    self._turn()
        except (_Leave, EOFError):
            self.keeper.leave()
        except KeyboardInterrupt:
            self.keeper.leave()
            raise
        except TriskeleError:  # an engine does not play as it must
            self.keeper.keep()
            self.keeper.tell_where()
            raise
        finally:
            self.table.opponents.close()

    def _introduce(self) -> None:
        terminal, variant = self.terminal, self.table.variant
        title = variant.game.title
        options = options_line(variant)
        terminal.write(terminal.strong(f"{title}  {options}".rstrip()))
        tagline = game_words(variant.game, "tagline", terminal.language)
        if tagline:
            terminal.write_wrapped(tagline)
        terminal.write_wrapped(seats_line(variant, self.table.sitting, terminal.language))
        if self.table.people:
            terminal.tell("introduction")
        if terminal.interactive:
            # Compiling begins behind the first prompt: loading the compiler would delay it.
            compiling = threading.Timer(PREPARE_SECONDS, variant.game.linker.prepare)
            compiling.daemon = True
            compiling.start()
        self.table.opponents.get_ready(self.rng)

    def _collect_seeds(self) -> None:
        """Publish what the dice are bound to, then let every person add to them."""
        dice, terminal = self.table.dice, self.terminal
        if dice is None:
            return
        terminal.tell("dice-commitment", commitment=dice.dice.commitment)
        if self.repeatable:
            terminal.tell("dice-repeatable")
        waiting = [seat for seat in self.table.people if dice.dice.seeds[seat] is None and not dice.closed]
        while waiting:
            written = ""
            if terminal.interactive:  # a script does not know of this question
                prompt = terminal.words("dice-seed", seat=self._name(waiting[0]))
                written = terminal.ask(f"{prompt} ", remember=False).strip()
            try:
                dice.give(waiting[0], written or contribution(self.rng, self.repeatable))
                del waiting[0]
            except TriskeleError as error:
                terminal.refuse(error)
        dice.close()

    def _make(self, move: Move) -> None:
        """Make a move that an engine, a random mover or the die makes, and say so."""
        self._push(move)
        self._tell_last()
        self.keeper.keep_now_and_then()

    def _push(self, move: Move) -> None:
        with uninterrupted():
            self.table.push(move)
            self.keeper.changed = True

    def _tell_last(self) -> None:
        mover, written = self.table.last_move(self._viewer())
        self.terminal.write(f"{self._name(mover)}: {written}")

    def _viewer(self) -> int | None:
        """Return whose eyes the screen is for; ``None`` for everybody's."""
        if not self.table.variant.game.hidden:
            turn = self.table.position.turn
            return None if turn is None or turn == CHANCE else turn
        if self.table.curtained:
            return self._eyes
        return self.table.people[0] if self.table.people else None

    def _name(self, seat: int) -> str:
        return mover_name(self.table.variant, seat, self.terminal.language)

    def _after_game(self) -> None:
        """Show how it ended; then people may look, save or take back, and leave."""
        terminal = self.terminal
        self._show()
        if self.table.dice is not None:
            terminal.tell("dice-disclosed", secret=self.table.dice.dice.secret.hex())
        if self.keeper.path is not None:
            terminal.tell("kept-over", path=str(self.keeper.path))
            if self.table.dice is not None:
                terminal.tell("dice-verify", path=str(self.keeper.path))
        if not self.table.people:
            raise _Leave
        terminal.tell("after-game")
        while self.table.over:
            line = terminal.ask("> ")
            command = self._command(line)
            if not line.strip():
                raise _Leave
            if command is None:
                terminal.tell("no-command", commands=", ".join(f":{name}" for name in self._offered))
            else:
                self._do(*command)

    # --- a person's turn -----------------------------------------------------------------------

    def _turn(self) -> None:
        """Let the person to act make one move, or take moves back."""
        position = self.table.position
        seat = position.turn
        assert seat is not None
        if self.table.curtained and self._eyes != seat:
            self._pass_keyboard(seat)
        self._show()
        secret = self.table.curtained and self._is_secret()
        with self.terminal.unseen() if secret else contextlib.nullcontext():
            self._decide(seat, secret)
        if secret:
            # The next one must not see what was asked and answered.
            self._eyes = None
            self.terminal.clear()

    def _decide(self, seat: int, secret: bool) -> None:
        """Take lines from a person until one changes the position."""
        before = len(self.table.position.moves)
        pending: tuple[str, ...] = ()
        while len(self.table.position.moves) == before:
            line = self._ask(seat, pending, secret)
            pending = self._obey(line, pending, secret) if line.strip() else ()

    def _is_secret(self) -> bool:
        """Whether others will not see which move was made here."""
        position = self.table.position
        seen = position.variant.optional("move_seen")
        if seen is None:
            return False
        state, options = position.seen_by(None).state, position.variant.options
        return any(seen(options, state, m.code, position.turn, None) != m.text for m in position.legal_moves)

    def _pass_keyboard(self, seat: int) -> None:
        """Hand the screen over: nobody sees another's secrets, and everyone learns what happened meanwhile."""
        terminal = self.terminal
        terminal.clear()
        terminal.write(terminal.strong(terminal.words("pass-keyboard", seat=self._name(seat))))
        if terminal.interactive:
            terminal.ask_hidden(terminal.words("pass-keyboard-enter"))
        terminal.clear()
        self._eyes = seat
        made = self.table.position.movers
        own = [number for number, mover in enumerate(made) if mover == seat]
        since = own[-1] + 1 if own else 0
        texts = self.table.position.moves_seen_by(seat)
        for mover, written in zip(made[since:], texts[since:], strict=True):
            terminal.write(f"{self._name(mover)}: {written}")

    def _show(self) -> None:
        """Draw the board and say who is asked for what."""
        terminal, position = self.terminal, self.table.position
        terminal.write()
        show_board(terminal, position, self._viewer())
        terminal.write()
        outcome, turn = position.outcome(), position.turn
        if outcome is not None:
            for line in outcome_lines(position.variant, outcome, terminal.language):
                terminal.write(terminal.strong(line))
        if turn is None:
            return
        asked = terminal.words("to-act", seat=self._name(turn), asked=position.ask(terminal.language))
        terminal.write(terminal.strong("\n".join(terminal.wrapped(asked))))
        named = token_words(position, terminal.language)
        if named and turn in self.table.people:
            terminal.write_wrapped(" · ".join(f"{token}: {words}" for token, words in named.items()))
        others = [move.text for move in position.interrupts if self._is_persons(move)]
        if others:
            terminal.tell("interrupts", moves=" ".join(others))
        shown = " · ".join("save FILE" if word == "save" else word for word in self._offered)
        terminal.write(terminal.faint(terminal.words("footer", commands=shown)))

    def _ask(self, seat: int, pending: tuple[str, ...], secret: bool) -> str:
        terminal = self.terminal
        if secret:
            entered = " …" if pending else ""
            return terminal.ask_hidden(f"{self._name(seat)} {terminal.words('secret-entry')}{entered}> ")

        position = self.table.position
        foreign = [move.text for move in position.interrupts if not self._is_persons(move)]

        def completer(before: str, word: str) -> list[str]:
            found = continuations(position, pending, before, word)
            found = [token for token in found if token not in foreign]
            if word and not before and not pending:
                found += [name for name in self._offered if name.startswith(word)]
                found += [f":{name}" for name in self._offered if f":{name}".startswith(word)]
            return found

        return terminal.ask(" ".join((self._name(seat), *pending)) + "> ", completer)

    def _obey(self, line: str, pending: tuple[str, ...], secret: bool) -> tuple[str, ...]:
        """Do what a line says, a move before all else; return the tokens that are still pending."""
        terminal = self.terminal
        command = self._command(line)
        if not line.lstrip().startswith(":"):
            entry = read_entry(self.table.position, pending, line, terminal.language)
            if entry.move is not None and not self._is_persons(entry.move):
                terminal.tell("not-a-persons", seat=self._name(self.table.position.mover(entry.move)))
                return ()
            if entry.move is not None:
                self._play(entry.move, tell=not secret and line.strip() != entry.move.text)
                return ()
            if entry.tokens:
                terminal.tell("can-follow", tokens=" ".join(in_order(entry.next)))
                return entry.tokens
            if command is None:
                # A refusal repeats what was typed, and a secret must not stand on the screen.
                terminal.write_wrapped(terminal.words("secret-refused") if secret else entry.reason)
                return pending
        if command is None:
            terminal.tell("no-command", commands=", ".join(f":{name}" for name in self._offered))
        elif command[0] == "undo" and pending:
            return ()
        else:
            self._do(*command)
        return pending

    def _is_persons(self, move: Move) -> bool:
        """Whether a possible move is one for a person to make, and not an interrupt of an engine or random mover."""
        return self.table.position.mover(move) in self.table.people

    def _claimed(self) -> Move | None:
        """Let the only person at the table interrupt, before others move on, if there is something to gain."""
        table, terminal = self.table, self.terminal
        if len(table.people) != 1 or not terminal.interactive:  # a script does not know of this question
            return None
        seat = table.people[0]
        move = random_interrupt(table.position, seat, random.Random(0))
        if move is None:
            return None
        show_board(terminal, table.position, self._viewer())
        line = terminal.ask(terminal.words("may-interrupt", seat=self._name(seat), move=move.text) + " ")
        return move if line.strip() == move.text else None

    def _command(self, line: str) -> tuple[str, str] | None:
        """Return the command in a line and what comes after it; behind a colon its beginning is enough."""
        word, _, argument = line.strip().partition(" ")
        for name in self._commands:
            if word == name or (len(word) > 1 and f":{name}".startswith(word)):
                return name, argument.strip()
        return None

    def _do(self, name: str, argument: str) -> None:
        try:
            self._commands[name](argument)
        except TriskeleError as error:
            self.terminal.refuse(error)

    def _play(self, move: Move, tell: bool) -> None:
        """Make a person's move; ``tell`` what it was if the line that was entered does not say it."""
        note = self.table.position.note(move, self.terminal.language)
        self._push(move)
        self.keeper.keep()
        if note:
            self.terminal.write(self.terminal.faint("\n".join(self.terminal.wrapped(note))))
        if tell:
            self._tell_last()

    # --- commands ------------------------------------------------------------------------------

    def _help(self, argument: str) -> None:
        terminal = self.terminal
        commands = terminal.words("help-commands").split("\n")
        if "undo" not in self._offered:
            commands = [line for line in commands if not line.startswith("undo")]
        terminal.page([*commands, "", *help_lines(terminal, self.table.variant.game)])

    def _moves(self, argument: str) -> None:
        """List the legal moves, or those that begin like the argument."""
        position, terminal = self.table.position, self.terminal
        begin = tuple(argument.split())
        found = [
            move
            for move in position.legal_moves
            if move.text.startswith(argument) or any(way[: len(begin)] == begin for way in move.spellings)
        ]
        terminal.tell("moves-count", n=len(found))
        if len(found) <= NOTED_MOVES:
            noted = (f"{move.text}  {position.note(move, terminal.language)}" for move in found)
            terminal.page(part for line in noted for part in terminal.wrapped(line, hanging="    "))
        else:
            terminal.page(terminal.columns(in_order(move.text for move in found)))

    def _hint(self, argument: str) -> None:
        """Tell a good move, and why it is good."""
        from triskele.engines import hint

        found = hint(self.table.position, HINT_SECONDS)
        self.terminal.write_wrapped(found.say(self.terminal.language))

    def _board(self, argument: str) -> None:
        self._show()

    def _record(self, argument: str) -> None:
        """List the moves made so far."""
        position = self.table.position
        texts = position.moves_seen_by(self._viewer())
        self.terminal.page(move_lines(self.terminal, position.variant, position.movers, texts))

    def _undo(self, argument: str) -> None:
        with uninterrupted():
            taken = self.table.undo()
            self.keeper.changed = True
        self.terminal.tell("undone", moves=" ".join(move.text for move in reversed(taken)))

    def _save(self, argument: str) -> None:
        self.keeper.save_as(argument)

    def _quit(self, argument: str) -> None:
        raise _Leave
