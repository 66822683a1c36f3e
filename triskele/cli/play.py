"""``triskele play``: the board, the prompt and its commands."""

import contextlib
import random
import threading
from collections.abc import Callable
from pathlib import Path

from triskele.cli.autosave import Autosave
from triskele.cli.command_input import command_completions, find_command
from triskele.cli.formatting import (
    game_words,
    move_lines,
    mover_name,
    natural_sorted,
    options_line,
    outcome_lines,
    pair,
    seats_line,
    show_board,
    write_moves,
)
from triskele.cli.help_page import help_lines
from triskele.cli.move_input import completions, read_move_input, token_words
from triskele.cli.table import Refused, Table, contribution, random_interrupt
from triskele.cli.terminal import Terminal, uninterrupted
from triskele.core.contract import CHANCE
from triskele.core.errors import TriskeleError
from triskele.core.moves import Move
from triskele.core.words import text

PREPARE_SECONDS = 0.5
"""The delay before compiling begins: loading the compiler would hold up the first prompt."""


class _Leave(Exception):
    """Raised when people leave the table."""


class Session:
    """A table, the terminal it is played at, and the file that the game is saved to."""

    def __init__(
        self,
        table: Table,
        terminal: Terminal,
        rng: random.Random,
        path: Path | None = None,
        repeatable: bool = False,
        drawn: bool = True,
    ) -> None:
        """Play at ``table``. The game is saved to ``path``; without one, to a new file if people play.

        ``repeatable``: everything that nobody enters, dice included, is drawn from ``rng``. ``drawn``: the board is
        drawn, otherwise described in words.
        """
        self.table = table
        self.terminal = terminal
        self.rng = rng
        self.repeatable = repeatable
        self.drawn = drawn
        self.autosave = Autosave(table, terminal, path)
        self._screen_seat: int | None = None  # the seat whose secrets are on the screen
        self._commands: dict[str, Callable[[str], None]] = {
            "help": self._help,
            "moves": self._moves,
            "hint": self._hint,
            "board": self._board,
            "record": self._record,
            "undo": self._undo,
            "resign": self._resign,
            "save": self._save,
            "quit": self._quit,
        }
        # Where nothing can be undone, the command is not listed, and says why when it is tried.
        self._offered = [name for name in self._commands if name != "undo" or not table.variant.game.hidden]

    # --- the game ------------------------------------------------------------------------------

    def run(self) -> None:
        """Play until people leave. An unfinished game stays saved in its file, whatever happens."""
        self._introduce()
        try:
            self._collect_seeds()
            while True:
                move = self.table.automatic_move(self.rng)
                if move is not None:
                    self._make_automatic(self._offer_interrupt() or move)
                    continue
                self.autosave.write()
                if self.table.over:
                    self._after_game()
                else:
                    self._turn()
        except (_Leave, EOFError):
            self.autosave.leave()
        except KeyboardInterrupt:
            self.autosave.leave()
            raise
        except TriskeleError:  # an engine failed
            self.autosave.write()
            self.autosave.tell_where()
            raise
        finally:
            self.table.engines.close()

    def _introduce(self) -> None:
        terminal, variant = self.terminal, self.table.variant
        title = variant.game.title
        options = options_line(variant)
        terminal.write(terminal.strong(f"{title}  {options}".rstrip()))
        tagline = game_words(variant.game, "tagline", terminal.language)
        if tagline:
            terminal.write_wrapped(tagline)
        terminal.write_wrapped(seats_line(variant, self.table.occupants, terminal.language))
        if self.table.people:
            terminal.tell("introduction")
        if terminal.interactive:
            compiling = threading.Timer(PREPARE_SECONDS, variant.game.linker.prepare)
            compiling.daemon = True
            compiling.start()
        self.table.engines.get_ready(self.rng)

    def _collect_seeds(self) -> None:
        """Publish the commitment of the dice, then let every person contribute a seed."""
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

    def _make_automatic(self, move: Move) -> None:
        """Make and announce a move that nobody enters: of an engine, a random mover or the die."""
        self._push(move)
        self._tell_last()
        self.autosave.write_if_due()

    def _push(self, move: Move) -> None:
        with uninterrupted():
            self.table.push(move)
            self.autosave.changed = True

    def _tell_last(self) -> None:
        mover, written = self.table.last_move(self._viewer())
        self.terminal.write(pair(self._name(mover), written, self.terminal.language))

    def _viewer(self) -> int | None:
        """Return the seat that the screen is drawn for; ``None`` for a spectator."""
        if not self.table.variant.game.hidden:
            turn = self.table.position.turn
            return None if turn is None or turn == CHANCE else turn
        if self.table.has_private_views:
            return self._screen_seat
        return self.table.people[0] if self.table.people else None

    def _name(self, seat: int) -> str:
        return mover_name(self.table.variant, seat, self.terminal.language)

    def _after_game(self) -> None:
        """Show how it ended; then people may look, save or undo, and leave."""
        terminal = self.terminal
        self._show()
        if self.table.dice is not None:
            terminal.tell("dice-disclosed", secret=self.table.dice.dice.secret.hex())
        if self.autosave.path is not None:
            terminal.tell("kept-over", path=str(self.autosave.path))
            if self.table.dice is not None:
                terminal.tell("dice-verify", path=str(self.autosave.path))
        if not self.table.people:
            raise _Leave
        terminal.tell("after-game")
        while self.table.over:
            line = terminal.ask("> ")
            command = find_command(self._commands, line)
            if not line.strip():
                raise _Leave
            if command is None:
                terminal.tell("no-command", commands=", ".join(f":{name}" for name in self._offered))
            else:
                self._run_command(*command)

    # --- a person's turn -----------------------------------------------------------------------

    def _turn(self) -> None:
        """Let the person to act make one move or undo some."""
        position = self.table.position
        seat = position.turn
        assert seat is not None
        if self.table.has_private_views and self._screen_seat != seat:
            self._pass_keyboard(seat)
        self._show()
        secret = self.table.has_private_views and self._is_secret()
        with self.terminal.unseen() if secret else contextlib.nullcontext():
            self._decide(seat, secret)
        if secret:
            # The next person must not see what was asked and answered.
            self._screen_seat = None
            self.terminal.clear()

    def _decide(self, seat: int, secret: bool) -> None:
        """Read lines until one of them changes the position."""
        table = self.table
        before, given_up = len(table.position.moves), len(table.resigned)
        pending: tuple[str, ...] = ()
        while len(table.position.moves) == before and len(table.resigned) == given_up and not table.over:
            line = self._ask(seat, pending, secret)
            pending = self._handle_line(line, pending, secret) if line.strip() else ()

    def _is_secret(self) -> bool:
        """Return whether the move to be made here is hidden from others."""
        position = self.table.position
        turn, seen = position.turn, position.variant.game.notation.move_seen
        if seen is None or turn is None:
            return False
        state, options = position.seen_by(None).state, position.variant.options
        return any(seen(options, state, m.code, turn, None) != m.text for m in position.legal_moves)

    def _pass_keyboard(self, seat: int) -> None:
        """Hand the screen over: clear it, wait for the next person, then list the moves since that person's last."""
        terminal = self.terminal
        terminal.clear()
        terminal.write(terminal.strong(terminal.words("pass-keyboard", seat=self._name(seat))))
        if terminal.interactive:
            terminal.ask_hidden(terminal.words("pass-keyboard-enter"))
        terminal.clear()
        self._screen_seat = seat
        made = self.table.position.movers
        own = [number for number, mover in enumerate(made) if mover == seat]
        since = own[-1] + 1 if own else 0
        texts = self.table.position.moves_seen_by(seat)
        for mover, written in zip(made[since:], texts[since:], strict=True):
            terminal.write(pair(self._name(mover), written, terminal.language))

    def _show(self) -> None:
        """Draw the board and write who is to act and what is asked."""
        terminal, position = self.terminal, self.table.position
        terminal.write()
        show_board(terminal, position, self._viewer(), self.drawn)
        terminal.write()
        outcome, turn = self.table.outcome, None if self.table.over else position.turn
        if outcome is not None:
            for line in outcome_lines(position, outcome, terminal.language):
                terminal.write(terminal.strong(line))
        if turn is None:
            return
        asked = terminal.words("to-act", seat=self._name(turn), asked=position.ask(terminal.language))
        terminal.write(terminal.strong("\n".join(terminal.wrapped(asked))))
        named = token_words(position, terminal.language)
        if named and turn in self.table.people:
            terminal.write_wrapped(" · ".join(pair(token, words, terminal.language) for token, words in named.items()))
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
            found = completions(position, pending, before, word)
            found = [token for token in found if token not in foreign]
            if word and not before and not pending:
                found += command_completions(self._offered, word)
            return found

        return terminal.ask(" ".join((self._name(seat), *pending)) + "> ", completer)

    def _handle_line(self, line: str, pending: tuple[str, ...], secret: bool) -> tuple[str, ...]:
        """Make the move or run the command in a line, in this order; return the tokens that are still pending."""
        terminal = self.terminal
        command = find_command(self._commands, line)
        if not line.lstrip().startswith(":"):
            typed = read_move_input(self.table.position, pending, line, terminal.language)
            if typed.move is not None and not self._is_persons(typed.move):
                terminal.tell("not-a-persons", seat=self._name(self.table.position.mover(typed.move)))
                return ()
            if typed.move is not None:
                self._play(typed.move, tell=not secret and line.strip() != typed.move.text)
                return ()
            if typed.tokens:
                terminal.tell("can-follow", tokens=" ".join(natural_sorted(typed.next)))
                return typed.tokens
            if command is None:
                # A refusal repeats what was typed, and a secret must not stand on the screen.
                terminal.write_wrapped(terminal.words("secret-refused") if secret else typed.reason)
                return pending
        if command is None:
            terminal.tell("no-command", commands=", ".join(f":{name}" for name in self._offered))
        elif command[0] == "undo" and pending:
            return ()
        else:
            self._run_command(*command)
        return pending

    def _is_persons(self, move: Move) -> bool:
        """Return whether a move belongs to a person's seat; an interrupt may be an engine's or a random mover's."""
        return self.table.position.mover(move) in self.table.people

    def _offer_interrupt(self) -> Move | None:
        """Ask the only person at the table to interrupt before others move, where interrupting gains something."""
        table, terminal = self.table, self.terminal
        if len(table.people) != 1 or not terminal.interactive:  # a script does not know of this question
            return None
        seat = table.people[0]
        move = random_interrupt(table.position, seat, random.Random(0))
        if move is None:
            return None
        show_board(terminal, table.position, self._viewer(), self.drawn)
        line = terminal.ask(terminal.words("may-interrupt", seat=self._name(seat), move=move.text) + " ")
        return move if line.strip() == move.text else None

    def _run_command(self, name: str, argument: str) -> None:
        try:
            self._commands[name](argument)
        except TriskeleError as error:
            self.terminal.refuse(error)

    def _play(self, move: Move, tell: bool) -> None:
        """Make a person's move; ``tell`` writes its text, for lines that do not say it."""
        note = self.table.position.note(move, self.terminal.language)
        self._push(move)
        self.autosave.write()
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
        """List the legal moves, or those that begin with the argument."""
        write_moves(self.terminal, self.table.position, self.table.position.legal_moves, argument)

    def _hint(self, argument: str) -> None:
        """Write a good move and the reason for it."""
        from triskele.engines import hint

        found = hint(self.table.position)
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
            self.autosave.changed = True
        self.terminal.tell("undone", moves=" ".join(move.text for move in reversed(taken)))

    def _resign(self, argument: str) -> None:
        """Let the person to act give up, after asking once more."""
        table, terminal = self.table, self.terminal
        seat = table.position.turn
        if table.over or seat is None or seat not in table.people:
            raise Refused(text("cli.resign-over"))
        question = terminal.words("resign-sure-many" if table.variant.seats > 2 else "resign-sure")
        if terminal.interactive and terminal.ask(f"{question} ", remember=False).strip() != "resign":
            return
        with uninterrupted():
            table.resign(seat)
            self.autosave.changed = True
        if not table.over:
            terminal.tell("resigned", seat=self._name(seat))

    def _save(self, argument: str) -> None:
        self.autosave.save_as(argument)

    def _quit(self, argument: str) -> None:
        raise _Leave
