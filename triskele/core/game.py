"""The declaration of a game, the registry that finds games, and a game with its options chosen.

Games are found in two places: in the folders of ``triskele/games/``, and in other installed packages, which bring them
by an entry point of the group ``triskele.games``. So a game is known in every process that has the same packages.
"""

import functools
import importlib
import importlib.metadata
import pkgutil
import re
import sys
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from triskele.core.compile import Linker, Rules
from triskele.core.contract.evaluation import Evaluation
from triskele.core.contract.notation import Notation
from triskele.core.contract.rules import State
from triskele.core.errors import OptionError, TriskeleError
from triskele.core.link import optional_module
from triskele.core.moves import Move
from triskele.core.options import Option, Options, Value
from triskele.core.prompts import Prompt
from triskele.core.scene import Scenery
from triskele.core.wordings import Wording
from triskele.core.words import PACKAGE, Text, add_home, reader_language, say, text

__all__ = ["Example", "Game", "Options", "Variant", "game", "games", "register", "unregister"]


@dataclass(frozen=True)
class Example:
    """A position worth showing: the moves from the start that lead to it."""

    options: Options = field(default_factory=dict)
    moves: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Game:
    """Everything about a game that is not a rule, declared once in its folder's ``__init__.py``.

    Lists, forms, pages, commands and tests are derived from this. ``option_sets`` are the variants
    that tests and benchmarks run, the usual one first. ``presets`` are those that a form offers, the usual one first,
    by the end of their name's key in the catalogue (``variant.NAME``); without them a form offers the option sets, in
    the words of their options. ``check`` says what is wrong with options that
    are fine one by one. ``series`` says who begins the next game of a series: ``swap`` (in turns),
    ``loser`` or ``same``. Games are listed by ``rank``, then by name. ``scene_for_all``: everyone sees
    the same scene, whatever the seat, so that it needs to be made only once. ``seat_sprites`` are the sprites that
    stand for the seats beside their players' names, one for each seat; without them the seats' numbers do.
    ``prompts`` say what is asked inside a half-entered move, ``wordings`` how moves read in words. ``buttons``: some
    tokens are shown as buttons beside the board, because they are no places, or rotations, or have an ``action``; a
    client keeps space for them, so that the board never changes its size. ``previews``: a move may change pieces that
    it does not name (markers that a ring jumps over); a client on a touch screen shows that before the move is made.
    ``forced``: a client makes a move by itself when there is no other, and says so. ``turn_decisions``: about how many
    decisions a turn has where it has many, among which an engine divides the time for a turn. ``tells``: its scenes say
    what moves did (``Scene.told``); a client keeps space for the way to read that again.

    ``chance``: something is rolled or drawn. ``die`` is the number of faces when every roll is that of one fair die,
    whose faces are the codes from 0 on, so that records and other tools can state it; 0: the rules say at each roll
    what can come, and how likely.
    """

    name: str
    title: str
    minutes: tuple[int, int]
    rulebook: str
    package: str
    seats: int = 0
    options: tuple[Option, ...] = ()
    option_sets: tuple[Options, ...] = ({},)
    presets: Mapping[str, Options] = field(default_factory=dict)
    hidden: bool = False
    chance: bool = False
    die: int = 0
    house_rules: tuple[str, ...] = ()
    example: Example = field(default_factory=Example)
    check: Callable[[Options], Text | None] = lambda options: None
    series: Callable[[Options], str] = lambda options: "swap"
    rank: int = 100
    scene_for_all: bool = False
    seat_sprites: tuple[str, ...] = ()
    prompts: tuple[Prompt, ...] = ()
    wordings: tuple[Wording, ...] = ()
    buttons: bool = True
    previews: bool = False
    forced: bool = False
    turn_decisions: int = 1
    tells: bool = False

    def _module(self, name: str) -> types.ModuleType:
        return importlib.import_module(f"{self.package}.{name}")

    @property
    def folder(self) -> Path:
        """Where the game lives."""
        path = importlib.import_module(self.package).__file__
        assert path is not None
        return Path(path).parent

    @property
    def is_combinatorial(self) -> bool:
        """Whether two seats play without secrets and chance, as alpha-beta needs it."""
        return self.seats == 2 and not self.hidden and not self.chance

    @functools.cached_property
    def rules_module(self) -> types.ModuleType:
        """The game's rules as written: plain functions."""
        return self._module("rules")

    @functools.cached_property
    def notation(self) -> Notation:
        """The texts of the game's moves and positions."""
        return Notation.of(self._module("notation"))

    def optional_module(self, name: str) -> types.ModuleType | None:
        """Return a module of the game's folder, ``None`` when the game does not have it."""
        return optional_module(self.package, name)

    @functools.cached_property
    def evaluation(self) -> Evaluation:
        """What the game's ``evaluation.py`` declares; the defaults of a game that has none."""
        declared: Evaluation = getattr(self.optional_module("evaluation"), "EVALUATION", Evaluation())
        return declared

    @functools.cached_property
    def scenery(self) -> Scenery:
        """How the game's positions look."""
        return Scenery.of(self._module("scene"))

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

    def first_state(self) -> State:
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

    def chosen(self) -> dict[str, Value]:
        """Return the options that differ from their defaults."""
        return {o.name: self.options[o.name] for o in self.game.options if self.options[o.name] != o.default}


@functools.lru_cache(maxsize=4096)
def _variant(game: Game, options: tuple[tuple[str, Value], ...]) -> Variant:
    return Variant(game, dict(options))


# --- the registry ---------------------------------------------------------------------------------

ENTRY_POINTS = "triskele.games"
"""The group of entry points by which other packages bring games: the game's name, and the package that has ``GAME``."""

_NAME = re.compile(r"[a-z][a-z0-9_]*")

_registered: dict[str, Game] = {}


@functools.lru_cache(maxsize=1)
def _own() -> dict[str, Game]:
    package = importlib.import_module("triskele.games")
    names = sorted(module.name for module in pkgutil.iter_modules(package.__path__) if module.ispkg)
    return {name: importlib.import_module(f"triskele.games.{name}").GAME for name in names}


@functools.lru_cache(maxsize=1)
def _installed() -> dict[str, Game]:
    """Return the games of other packages. One that cannot be had is left out, with a line on standard error."""
    found: dict[str, Game] = {}
    owners = dict.fromkeys(_own(), "triskele")
    for point in importlib.metadata.entry_points(group=ENTRY_POINTS):
        package = point.dist.name if point.dist is not None else point.value
        try:
            declared = _load(point, owners)
        except (Exception, SystemExit) as error:  # whatever another package does when it is imported
            _report(point.name, package, error)
        else:
            found[declared.name] = declared
            owners[declared.name] = package
            add_home(declared.name, declared.folder)
    return found


def _load(point: importlib.metadata.EntryPoint, owners: Mapping[str, str]) -> Game:
    """Return the game of an entry point, with all that lists and pages of games need of it imported."""
    if not _NAME.fullmatch(point.name) or (PACKAGE / point.name).is_dir():
        raise OptionError(text("core.game-name"))
    if point.name in owners:
        raise OptionError(text("core.game-taken", owner=owners[point.name]))
    declared = getattr(point.load(), "GAME", None)
    if not isinstance(declared, Game) or declared.name != point.name:
        raise OptionError(text("core.game-undeclared"))
    _ = declared.variant(), declared.notation, declared.scenery  # so that an error in them is found now
    return declared


def _report(name: str, package: str, error: BaseException) -> None:
    why = error.text if isinstance(error, TriskeleError) else " ".join(f"{type(error).__name__}: {error}".split())[:300]
    message = text("core.game-left-out", game=name[:60], package=package[:60], why=why)
    sys.stderr.write(f"triskele: {say(message, reader_language())}\n")


def games() -> tuple[Game, ...]:
    """Return the declarations of all games, in the order in which to show them."""
    found = {**_own(), **_installed(), **_registered}
    return tuple(sorted(found.values(), key=lambda game: (game.rank, game.name)))


def register(game: Game) -> None:
    """Add a game for this process only, with its words. For tests and notebooks; others use an entry point."""
    _registered[game.name] = game
    add_home(game.name, game.folder)


def unregister(name: str) -> None:
    """Remove a game that :func:`register` added."""
    _registered.pop(name, None)


def game(name: str) -> Game:
    """Return a game's declaration by its name, or raise ``OptionError`` naming those there are."""
    found = _registered.get(name) or _own().get(name) or _installed().get(name)
    if found is None:
        known = ", ".join(declared.name for declared in games())
        raise OptionError(text("core.game-unknown", name=str(name)[:60], games=known))
    return found
