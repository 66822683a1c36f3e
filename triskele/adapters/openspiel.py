"""Every game in OpenSpiel: importing this module registers each as ``triskele_<name>``.

::

    import pyspiel
    import triskele.adapters.openspiel

    game = pyspiel.load_game("triskele_trypsylon", {"columns": 6, "rows": 6})
    state = game.new_initial_state()
    state.apply_action(state.string_to_action("b3"))

- Parameters are the game's options. Actions are the codes of the rules, action strings our move texts.
- A roll or draw is a chance node; its outcomes are as likely as the rules say.
- Interrupts (announcing in a game with secrets) are decisions: after every move each seat that could
  interrupt is asked, the seat to act first and then clockwise, to interrupt or to ``wait``. Nobody learns anything
  from being asked: see :mod:`triskele.core.decisions`.
- Observations are what a seat may know and no more. The string is the position's text. The tensor, of shape
  ``(SIZE, 64)``, has the words of the game's state bit by bit (its ``rules.py`` says what they are); word 0 says who
  looks and who decides (:func:`triskele.core.decisions.observe`).
- The information state's string has all moves as the seat saw them. Its tensor is the observation's and after it
  the last ``HISTORY`` moves, the last one first: code + 1, -1 for a move that the seat did not see, 0 for none.
  Perfect recall does not fit into a tensor of fixed size, for most of these games have no longest game.
- For the same reason ``max_game_length`` is just large.
- ``state.resample_from_infostate`` draws another world that looks the same to a seat. OpenSpiel's information-set
  MCTS in Python uses it by itself; the one in C++ cannot, for OpenSpiel does not ask Python games.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from triskele.adapters.packages import need
from triskele.core.contract import OVER, State
from triskele.core.decisions import ASKED, Decisions, Window, bits, new_window
from triskele.core.game import Game, Variant, games
from triskele.core.options import Number
from triskele.core.position import Position

pyspiel: Any = need("pyspiel", "OpenSpiel", "openspiel")

PREFIX = "triskele_"
HISTORY = 256
"""Moves in the tensor of an information state."""
LONGEST = 1_000_000
"""Decisions in the longest game, as OpenSpiel is told."""
FORTUNE = 1_000_000.0
"""Nobody wins or loses more in a game of chance that does not say how much there is to win."""


def score_range(variant: Variant) -> tuple[float, float]:
    """Return the lowest and the highest score there is: as the game says, or 1 for a win in a game of skill."""
    said = variant.game.notation.score_range
    if said is not None:
        low, high = said(variant.options)
        return float(low), float(high)
    return (-FORTUNE, FORTUNE) if variant.game.chance else (-1.0, 1.0)


def _players(declared: Game) -> tuple[int, int]:
    if declared.seats:
        return declared.seats, declared.seats
    option = declared.option("players")
    assert isinstance(option, Number)
    return (min(option.only), max(option.only)) if option.only else (option.low, option.high)


def _type(variant: Variant) -> Any:
    declared = variant.game
    fewest, most = _players(declared)
    kind = pyspiel.GameType
    return kind(
        short_name=PREFIX + declared.name,
        long_name=declared.title,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC if declared.chance else kind.ChanceMode.DETERMINISTIC,
        information=kind.Information.IMPERFECT_INFORMATION if declared.hidden else kind.Information.PERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM if variant.seats > 1 else kind.Utility.GENERAL_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=most,
        min_num_players=fewest,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={option.name: option.default for option in declared.options},
    )


def _chance_outcomes_limit(variant: Variant) -> int:
    """Return what all actions of chance are below, as OpenSpiel wants it: the faces of the die, or all actions."""
    if not variant.game.chance:
        return 0
    return variant.game.die or int(variant.game.rules_module.ACTIONS)


def _info(variant: Variant, actions: int) -> Any:
    low, high = score_range(variant)
    return pyspiel.GameInfo(
        num_distinct_actions=actions,
        max_chance_outcomes=_chance_outcomes_limit(variant),
        num_players=variant.seats,
        min_utility=low,
        max_utility=high,
        utility_sum=0.0 if variant.seats > 1 else None,
        max_game_length=LONGEST,
    )


class TriskeleGame(pyspiel.Game):  # type: ignore[misc]
    """One of our games with its options, for OpenSpiel. Loaded by ``pyspiel.load_game``."""

    declared: ClassVar[Game]

    def __init__(self, parameters: Mapping[str, Any] | None = None) -> None:
        """Check the options; ``OptionError`` says what is allowed. Begins to compile in the background."""
        variant = self.declared.variant(parameters)
        self.decisions = Decisions(variant)
        super().__init__(_type(variant), _info(variant, self.decisions.actions), dict(parameters or {}))
        self.decisions.prepare()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the game as its string; who loads it gets this module, and the game registered, with it."""
        return _load, (self.to_string(),)

    def new_initial_state(self) -> "TriskeleState":
        """Return the start of a game."""
        return TriskeleState(self)

    def make_py_observer(self, kind: Any = None, parameters: Mapping[str, Any] | None = None) -> "TriskeleObserver":
        """Return what looks at states; see the module for what it sees."""
        return TriskeleObserver(self, kind or pyspiel.IIGObservationType(perfect_recall=False), parameters)


def _load(written: str) -> TriskeleGame:
    found: TriskeleGame = pyspiel.load_game(written)
    return found


class TriskeleState(pyspiel.State):  # type: ignore[misc]
    """A state of a game, for OpenSpiel.

    What changes is kept as bytes: OpenSpiel copies a state by copying its attributes deeply, pickles them to
    serialise it, and both are quick with bytes. What belongs to the game is in a slot, which it leaves alone.
    """

    __slots__ = ("__dict__", "_held")

    def __init__(self, game: TriskeleGame) -> None:
        """Use ``game.new_initial_state()``."""
        super().__init__(game)
        self._held: Decisions = game.decisions
        self._codes = self._movers = b""
        self._keep(game.decisions.variant.first_state(), new_window())

    def _keep(self, state: State, window: Window) -> None:
        self._words = state[: state[0]].tobytes()
        self._window = window.tobytes()
        self._decider = self.decisions.decider(state, window)

    # --- what the adapter's other parts want to know ------------------------------------------------

    @property
    def decisions(self) -> Decisions:
        """What the game's states have in common."""
        try:
            return self._held
        except AttributeError:  # out of a pickle, which knows only what is in __dict__
            self._held = self.get_game().decisions
            return self._held

    @property
    def words(self) -> State:
        """The rules' array, as a copy."""
        return np.frombuffer(self._words, dtype=np.int64).copy()

    @property
    def window(self) -> Window:
        """Who is being asked, as :mod:`triskele.core.decisions` keeps it: a copy."""
        return np.frombuffer(self._window, dtype=np.int64).copy()

    @property
    def position(self) -> Position:
        """The position, to look at or to draw: a copy, and with everything in it."""
        return Position(self.decisions.variant, self.words)

    def made(self) -> tuple[list[int], list[int]]:
        """Return the codes of the moves made, without waiting, and who made each."""
        codes: list[int] = np.frombuffer(self._codes, dtype=np.int32).tolist()
        movers: list[int] = np.frombuffer(self._movers, dtype=np.int8).tolist()
        return codes, movers

    # --- OpenSpiel's interface ----------------------------------------------------------------------

    def current_player(self) -> int:
        """Return who decides."""
        return int(pyspiel.PlayerId.TERMINAL) if self._decider == OVER else self._decider

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self._decider == OVER

    def _legal_actions(self, player: int) -> list[int]:
        return self.decisions.choices(self.words, self.window)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return what chance can bring here, each outcome with its probability."""
        outcomes = self.decisions.chance_outcomes(self.words, self.window)
        total = sum(weight for _, weight in outcomes)
        return [(action, weight / total) for action, weight in outcomes]

    def _apply_action(self, action: int) -> None:
        window = self.window
        # Compiled rules do anything at all with a code that is not legal, so it has to be asked for.
        if action not in self.decisions.choices(self.words, window):
            raise self.decisions.refusal(action, self.words, window)
        state = np.frombuffer(self._words + bytes(8 * self.decisions.variant.log), dtype=np.int64).copy()
        self.decisions.decide(state, window, action)
        if action != self.decisions.wait:
            self._codes += np.int32(action).tobytes()
            self._movers += np.int8(self._decider).tobytes()
        self._keep(state, window)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.decisions.text(action)

    def returns(self) -> list[float]:
        """Return the scores at the end, zeros before."""
        out = np.zeros(self.decisions.variant.seats)
        if self._decider == OVER:
            self.decisions.variant.rules.scores(self.words, out)
        scores: list[float] = out.tolist()
        return scores

    def __str__(self) -> str:
        """Return the position's text, and who is asked, if someone is."""
        return _described(str(self.position), int(self.window[ASKED]))

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> "TriskeleState":
        """Return a state that looks the same to a player, with hidden moves drawn anew.

        One hidden move after the other, in random order, is replaced by a random one with which all that happened is
        still possible and still looks the same. ``sampler`` gives random numbers from 0 to 1.
        """
        actions = _other_world(self, player, random.Random(sampler()))
        state = self.get_game().new_initial_state()
        for action in actions:
            state.apply_action(action)
        found: TriskeleState = state
        return found


def _described(situation: str, asked: int) -> str:
    return f"{situation} asked {asked}" if asked >= 0 else situation


# --- what a seat sees -----------------------------------------------------------------------------


def _seen(state: TriskeleState, viewer: int | None) -> list[str]:
    """Return the texts of the moves made as a viewer (``None``: a spectator) may see them."""
    variant = state.decisions.variant
    codes, movers = state.made()
    seen = variant.game.notation.move_seen
    if seen is None or state.is_terminal():
        return [variant.move(code).text for code in codes]
    known = state.position.seen_by(viewer).state
    return [seen(variant.options, known, *made, viewer) for made in zip(codes, movers, strict=True)]


class TriskeleObserver:
    """Looks at states for a player, as OpenSpiel wants it of an observer in Python."""

    def __init__(self, game: TriskeleGame, kind: Any, parameters: Mapping[str, Any] | None) -> None:
        """See what ``kind``, an ``IIGObservationType``, asks for; there are no further parameters."""
        if parameters:
            raise ValueError(f"there are no parameters for observations: {parameters}")
        if not kind.public_info:
            raise ValueError("what is private alone cannot be observed: ask for public_info too")
        self._recall: bool = kind.perfect_recall
        self._private = kind.private_info
        self._decisions = game.decisions
        size = self._decisions.variant.size * 64
        self.tensor: NDArray[np.float32] = np.zeros(size + HISTORY * self._recall, dtype=np.float32)
        self.dict = {"position": self.tensor[:size].reshape(-1, 64)}
        if self._recall:
            self.dict["moves"] = self.tensor[size:]

    @property
    def _sees_all(self) -> bool:
        return bool(self._private == pyspiel.PrivateInfoType.ALL_PLAYERS)

    def _viewer(self, player: int) -> int | None:
        return player if self._private == pyspiel.PrivateInfoType.SINGLE_PLAYER else None

    def _texts(self, state: TriskeleState, player: int) -> list[str]:
        if self._sees_all:
            return [self._decisions.text(code) for code in state.made()[0]]
        return _seen(state, self._viewer(player))

    def set_from(self, state: TriskeleState, player: int) -> None:
        """Fill the tensor with what a player sees."""
        words = self._decisions.observe(state.words, state.window, self._viewer(player))
        if self._sees_all:
            words[1:] = state.words[1 : len(words)]
        self.dict["position"][:] = bits(words)
        if self._recall:
            pairs = zip(state.made()[0], self._texts(state, player), strict=True)
            seen = [code + 1 if text == self._decisions.text(code) else -1 for code, text in pairs][-HISTORY:]
            self.dict["moves"][:] = 0
            self.dict["moves"][: len(seen)] = seen[::-1]

    def string_from(self, state: TriskeleState, player: int) -> str:
        """Return what a player sees as a text."""
        asked = int(state.window[ASKED])
        if self._recall:
            return _described(f"seat {player}: {' '.join(self._texts(state, player))}", asked)
        position = state.position
        return _described(str(position if self._sees_all else position.seen_by(self._viewer(player))), asked)


# --- other worlds ---------------------------------------------------------------------------------


def _other_world(state: TriskeleState, player: int, rng: random.Random) -> list[int]:
    """Return actions from the start that lead to a state which looks the same to a player."""
    decisions = state.decisions
    options = decisions.variant.options
    actions: list[int] = state.history()
    seen = decisions.variant.game.notation.move_seen
    if seen is None or state.is_terminal():
        return actions
    known = state.position.seen_by(player).state
    target = decisions.observe(state.words, state.window, player)
    movers = [step.player for step in state.full_history()]
    hidden = [
        number
        for number, (action, mover) in enumerate(zip(actions, movers, strict=True))
        if action != decisions.wait and seen(options, known, action, mover, player) != decisions.text(action)
    ]
    rng.shuffle(hidden)
    for number in hidden:
        shown = seen(options, known, actions[number], movers[number], player)
        candidates = [
            action
            for action in decisions.choices(*_after(decisions, actions[:number])[1:])
            if action != decisions.wait and seen(options, known, action, movers[number], player) == shown
        ]
        rng.shuffle(candidates)
        trials = ([*actions[:number], action, *actions[number + 1 :]] for action in candidates)
        # The way it was is among them, so one is always found.
        actions = next(trial for trial in trials if _looks_like(target, decisions, trial, player))
    return actions


def _after(decisions: Decisions, actions: Sequence[int]) -> tuple[int, State, Window]:
    """Return how many actions from the start were possible, and where they led."""
    variant = decisions.variant
    state = np.zeros(variant.size + (len(actions) + 1) * variant.log, dtype=np.int64)
    state[: variant.size] = variant.first_state()[: variant.size]
    window = new_window()
    return decisions.replay(state, window, actions), state, window


def _looks_like(target: State, decisions: Decisions, actions: Sequence[int], player: int) -> bool:
    possible, state, window = _after(decisions, actions)
    return possible == len(actions) and np.array_equal(decisions.observe(state, window, player), target)


# --- registering ----------------------------------------------------------------------------------


def register(declared: Game) -> None:
    """Register a game with OpenSpiel, as this module does with all of ours when it is imported."""
    # A class for each game: OpenSpiel keeps what makes games until after Python has ended, and only classes survive it.
    factory = type(f"{TriskeleGame.__name__}_{declared.name}", (TriskeleGame,), {"declared": declared})
    pyspiel.register_game(_type(declared.variant()), factory)


for _declared in games():
    register(_declared)
