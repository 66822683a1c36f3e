"""The declaration of a game, the registry that finds games, and a game with its options chosen."""

import functools
import importlib
import pkgutil
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, cast

import numpy as np

from triskele.core import contract
from triskele.core.compile import Linker, Rules
from triskele.core.errors import OptionError
from triskele.core.moves import Move
from triskele.core.options import Option, Value
from triskele.core.words import Text, add_home, text

Options = Mapping[str, Value]


class Notation(Protocol):
    """What a game's ``notation.py`` offers: texts of moves and positions. State is the rules' array.

    Beside these four, a game may define, each given only what the one to act (or the viewer) may know::

        ask(options, state) -> Text                     what is asked of the one to act, in words
        note(options, state, code) -> Text | None       what to know before making a move (odds)
        why_not(options, state, written) -> Text | None          why a text is not a legal move
        why_no_token(options, state, tokens) -> Text | None      why the last of these tokens cannot be
        move_seen(options, state, code, mover, viewer) -> str    a past move's text as a viewer may see it
        interrupt_owner(options, code) -> int | None             whose interrupt a move is
    """

    def move_text(self, options: Options, code: int) -> str:
        """Return the text of a move code, exactly as the rules write it; unique in every position."""

    def move_tokens(self, options: Options, code: int) -> tuple[tuple[str, ...], ...]:
        """Return the ways to enter the move token by token, the usual one first.

        No spelling of a legal move is the beginning of a spelling of another in the same position.
        """

    def write(self, options: Options, state: contract.State) -> str:
        """Return the position as one line of printable text, everything but game and options.

        Equal positions write equal texts: this text is what equality means.
        """

    def read(self, options: Options, line: str, state: contract.State) -> contract.State:
        """Return the state that ``write`` wrote as ``line``; ``state`` is a fresh start to fill.

        Raises ``RecordError`` on every line that ``write`` cannot have written, naming the place.
        Takes untrusted text.
        """


@dataclass(frozen=True)
class Example:
    """A position worth showing: the moves from the start that lead to it."""

    options: Options = field(default_factory=dict)
    moves: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Game:
    """Everything about a game that is not a rule, declared once in its folder's ``__init__.py``.

    Lists, forms, pages, commands and tests are derived from this. ``option_sets`` are the variants
    that tests and benchmarks run, the usual one first. ``check`` says what is wrong with options that
    are fine one by one. ``series`` says who begins the next game of a series: ``swap`` (in turns),
    ``loser`` or ``same``. Games are listed by ``rank``, then by name. ``scene_for_all``: everyone sees
    the same scene, whatever his seat, so that it needs to be made only once.
    """

    name: str
    title: str
    minutes: tuple[int, int]
    rulebook: str
    package: str
    seats: int = 0
    options: tuple[Option, ...] = ()
    option_sets: tuple[Options, ...] = ({},)
    hidden: bool = False
    chance: bool = False
    house_rules: tuple[str, ...] = ()
    example: Example = field(default_factory=Example)
    check: Callable[[Options], Text | None] = lambda options: None
    series: Callable[[Options], str] = lambda options: "swap"
    rank: int = 100
    scene_for_all: bool = False

    def _module(self, name: str) -> types.ModuleType:
        return importlib.import_module(f"{self.package}.{name}")

    @property
    def folder(self) -> Path:
        """Where the game lives."""
        path = importlib.import_module(self.package).__file__
        assert path is not None
        return Path(path).parent

    @functools.cached_property
    def rules_module(self) -> types.ModuleType:
        """The game's rules as written: plain functions."""
        return self._module("rules")

    @functools.cached_property
    def notation(self) -> Notation:
        """The game's texts."""
        return cast(Notation, self._module("notation"))

    @functools.cached_property
    def scenery(self) -> types.ModuleType:
        """The game's ``scene`` module."""
        return self._module("scene")

    @functools.cached_property
    def linker(self) -> Linker:
        """The game's rules, linked: plain, and compiled as soon as that can be had."""
        return Linker(self.rules_module)

    def option(self, name: str) -> Option:
        """Return one option by its name, or raise ``OptionError`` naming those there are."""
        for option in self.options:
            if option.name == name:
                return option
        known = ", ".join(option.name for option in self.options)
        raise OptionError(text("core.option-unknown", game=self.title, option=str(name)[:60], options=known))

    def variant(self, options: Mapping[str, object] | None = None) -> "Variant":
        """Return the game with these options, the others at their defaults; checks them all."""
        given = dict(options or {})
        for name in given:
            self.option(name)
        chosen: dict[str, Value] = {o.name: o.check(given.get(o.name, o.default)) for o in self.options}
        problem = self.check(chosen)
        if problem is not None:
            raise OptionError(problem)
        return _variant(self, tuple(chosen.items()))

    def parse_options(self, written: Sequence[str]) -> dict[str, Value]:
        """Read options as people write them, ``name=value`` each; checks names and values."""
        options: dict[str, Value] = {}
        for item in written:
            name, equals, value = item.partition("=")
            if not equals:
                raise OptionError(text("core.option-form", written=item[:60]))
            options[name] = self.option(name).parse(value)
        return options


class Variant:
    """A game with all options chosen. There is one object for each choice; compare with ``is``."""

    def __init__(self, game: Game, options: Options) -> None:
        """Use :meth:`Game.variant` instead, which checks the options."""
        self.game = game
        self.options = types.MappingProxyType(dict(options))
        self.seats = game.seats or int(options["players"])
        encoded = [number for o in game.options for number in o.encode(options[o.name])]
        self.encoded = np.array(encoded, dtype=np.int64)
        self._moves: dict[int, Move] = {}
        self.size: int = game.rules_module.SIZE
        self.log: int = game.rules_module.LOG
        self.moves_limit: int = game.rules_module.MOVES

    @property
    def rules(self) -> Rules:
        """The best rule functions there are right now."""
        return self.game.linker.rules

    def first_state(self) -> contract.State:
        """Return a fresh state at the start of the game, with some room for its log."""
        state = np.zeros(self.size + 16 * self.log, dtype=np.int64)
        state[0] = self.size
        self.rules.start(state, self.encoded)
        return state

    def move(self, code: int) -> Move:
        """Return the move with a code."""
        known = self._moves.get(code)
        if known is None:
            notation = self.game.notation
            spellings = notation.move_tokens(self.options, code)
            known = Move(notation.move_text(self.options, code), code, spellings)
            self._moves[code] = known
        return known

    def moves(self, codes: Sequence[int]) -> list[Move]:
        """Return the moves with some codes."""
        try:
            return [self._moves[code] for code in codes]
        except KeyError:
            return [self.move(code) for code in codes]

    def optional(self, name: str) -> Callable[..., Any] | None:
        """Return an optional function of the game's notation, or ``None``."""
        function: Callable[..., Any] | None = getattr(self.game.notation, name, None)
        return function

    def chosen(self) -> dict[str, Value]:
        """Return the options that differ from their defaults."""
        return {o.name: self.options[o.name] for o in self.game.options if self.options[o.name] != o.default}


@functools.lru_cache(maxsize=4096)
def _variant(game: Game, options: tuple[tuple[str, Value], ...]) -> Variant:
    return Variant(game, dict(options))


# --- the registry ---------------------------------------------------------------------------------

_registered: dict[str, Game] = {}


@functools.lru_cache(maxsize=1)
def _found() -> dict[str, Game]:
    package = importlib.import_module("triskele.games")
    names = sorted(module.name for module in pkgutil.iter_modules(package.__path__) if module.ispkg)
    return {name: importlib.import_module(f"triskele.games.{name}").GAME for name in names}


def games() -> tuple[Game, ...]:
    """Return the declarations of all games, in the order in which to show them."""
    return tuple(sorted({**_found(), **_registered}.values(), key=lambda game: (game.rank, game.name)))


def register(game: Game) -> None:
    """Add a game from outside this package for this process, with its words."""
    _registered[game.name] = game
    add_home(game.name, game.folder)


def unregister(name: str) -> None:
    """Remove a game that :func:`register` added."""
    _registered.pop(name, None)


def game(name: str) -> Game:
    """Return a game's declaration by its name, or raise ``OptionError`` naming those there are."""
    known = {g.name: g for g in games()}
    if name not in known:
        raise OptionError(text("core.game-unknown", name=str(name)[:60], games=", ".join(known)))
    return known[name]
