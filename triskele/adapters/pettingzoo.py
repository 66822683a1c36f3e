"""Every game as a PettingZoo environment.

::

    from triskele.adapters import pettingzoo

    env = pettingzoo.env("tryptic", players=3, render_mode="ansi")
    env.reset(seed=7)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        action = None if termination else env.action_space(agent).sample(observation["action_mask"])
        env.step(action)

- Agents are ``player_0`` and so on, the seats. Actions are the codes of the rules; ``env.unwrapped.text(action)`` is an
  action's text. An illegal action raises ``IllegalMove`` and changes nothing.
- ``observation["observation"]`` has what the agent may know and no more: the words of the game's state bit by bit, of
  shape ``(SIZE, 64)`` (its ``rules.py`` says what they are); word 0 says who looks and who decides
  (:func:`triskele.core.decisions.observe`). ``state()`` has the same with nothing hidden.
- ``observation["action_mask"]`` is all zeros for whoever does not decide.
- Interrupts are decisions: who could interrupt is asked, to do it or to ``wait`` (:mod:`triskele.core.decisions`).
- Dice are rolled by the environment, from the seed of ``reset``.
- The only rewards are the scores at the end. Render modes draw what a spectator sees.
"""

import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

from triskele.adapters.packages import need
from triskele.adapters.pixels import Pixels, pixels
from triskele.core import draw
from triskele.core.chance import pick
from triskele.core.contract import CHANCE, OVER, State
from triskele.core.decisions import Decisions, Window, bits, new_window
from triskele.core.errors import OptionError
from triskele.core.game import game
from triskele.core.position import Position
from triskele.core.scene import Scene
from triskele.core.words import text

_pettingzoo: Any = need("pettingzoo", "PettingZoo", "pettingzoo")
_utils: Any = need("pettingzoo.utils", "PettingZoo", "pettingzoo")
_gymnasium: Any = need("gymnasium", "PettingZoo", "pettingzoo")
_spaces: Any = need("gymnasium.spaces", "PettingZoo", "pettingzoo")

RENDER_MODES = ("human", "ansi", "rgb_array")

LARGEST = 512
"""Pictures for ``rgb_array`` are no wider and no higher: so many pixels."""

Observation = dict[str, NDArray[np.int8]]


def env(name: str, *, render_mode: str | None = None, **options: object) -> Any:
    """Return a game as an environment, with PettingZoo's check that calls come in order.

    ``OptionError`` says which options are allowed.
    """
    return _utils.wrappers.OrderEnforcingWrapper(raw_env(name, render_mode=render_mode, **options))


def raw_env(name: str, *, render_mode: str | None = None, **options: object) -> "TriskeleEnv":
    """Return a game as an environment without any wrapper."""
    return TriskeleEnv(name, render_mode=render_mode, **options)


class TriskeleEnv(_pettingzoo.AECEnv, _gymnasium.utils.EzPickle):  # type: ignore[misc]
    """One game with its options. Pickling keeps those, not how far it has come."""

    def __init__(self, name: str, *, render_mode: str | None = None, **options: object) -> None:
        """Check the options and begin to compile in the background."""
        _gymnasium.utils.EzPickle.__init__(self, name, render_mode=render_mode, **options)
        super().__init__()
        if render_mode is not None and render_mode not in RENDER_MODES:
            modes = ", ".join(RENDER_MODES)
            raise OptionError(text("adapters.render-mode", mode=str(render_mode)[:30], modes=modes))
        self.variant = game(name).variant(options)
        self.metadata: dict[str, Any] = {
            "name": f"triskele_{name}_v1",
            "render_modes": list(RENDER_MODES),
            "render_fps": 1,
            "is_parallelizable": False,
        }
        self.render_mode = render_mode
        self._decisions = Decisions(self.variant)
        self._decisions.prepare()
        self.possible_agents = [f"player_{seat}" for seat in range(self.variant.seats)]
        self.agents: list[str] = []
        self._seat = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._dice = np.random.default_rng()
        shape = (self.variant.size, 64)
        self.observation_spaces = {
            agent: _spaces.Dict(
                {
                    "observation": _spaces.Box(0, 1, shape, np.int8),
                    "action_mask": _spaces.Box(0, 1, (self._decisions.actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: _spaces.Discrete(self._decisions.actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        """Return what observations of an agent look like."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return all actions there are."""
        return self.action_spaces[agent]

    def text(self, action: int) -> str:
        """Return the text of an action."""
        return self._decisions.text(action)

    @property
    def position(self) -> Position:
        """The position, as a copy, with everything in it."""
        return Position(self.variant, self._state.copy())

    # --- moving on ---------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; ``seed`` is for the dice. There are no ``options`` here: they are given to :func:`env`."""
        if seed is not None:
            self._dice = np.random.default_rng(seed)
        self._state: State = self.variant.first_state()
        self._window: Window = new_window()
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._go_on()

    def step(self, action: int | None) -> None:
        """Take an action of the selected agent; ``IllegalMove`` names the legal ones, and nothing changes.

        For an agent whose game is over the only action is ``None``.
        """
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        choices = self._decisions.choices(self._state, self._window)
        if not isinstance(action, int | np.integer) or isinstance(action, bool) or action not in choices:
            raise self._decisions.refusal(action, self._state, self._window)
        self._clear_rewards()
        self._cumulative_rewards[agent] = 0.0
        self._decide(int(action))
        self._go_on()
        if self.render_mode == "human":
            self.render()

    def _decide(self, action: int) -> None:
        if self._state[0] + self.variant.log > len(self._state):
            self._state = np.concatenate([self._state, np.zeros_like(self._state)])
        self._decisions.decide(self._state, self._window, action)

    def _go_on(self) -> None:
        """Roll the dice that are due, then select who decides, or end the game."""
        while (decider := self._decisions.decider(self._state, self._window)) == CHANCE:
            outcomes = self._decisions.chance_outcomes(self._state, self._window)
            self._decide(outcomes[pick([weight for _, weight in outcomes], self._dice.integers)][0])
        if decider != OVER:
            self.agent_selection = self.possible_agents[decider]
            return
        scores = np.zeros(self.variant.seats)
        self.variant.rules.scores(self._state, scores)
        self.rewards = dict(zip(self.agents, scores.tolist(), strict=True))
        self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self.agent_selection = self.agents[0]

    # --- looking -----------------------------------------------------------------------------------

    def observe(self, agent: str) -> Observation:
        """Return what an agent may know, and what it may do now."""
        words = self._decisions.observe(self._state, self._window, self._seat[agent])
        mask = np.zeros(self._decisions.actions, dtype=np.int8)
        if agent == self.agent_selection and not self.terminations.get(agent, True):
            mask[self._decisions.choices(self._state, self._window)] = 1
        return {"observation": bits(words).view(np.int8), "action_mask": mask}

    def state(self) -> NDArray[np.int8]:
        """Return everything, hidden or not, in the form of an observation."""
        words = self._decisions.observe(self._state, self._window, None)
        words[1:] = self._state[1 : len(words)]
        return bits(words).view(np.int8)

    def render(self) -> str | Pixels | None:
        """Draw what a spectator sees, as the render mode says: print it, or return a text or pixels."""
        if self.render_mode is None:
            raise OptionError(text("adapters.render-mode", mode="None", modes=", ".join(RENDER_MODES)))
        scene: Scene = self.position.scene()
        if self.render_mode == "rgb_array":
            shrunk = min(1.0, LARGEST / max(scene.width, scene.height))
            return pixels(draw.png(scene, width=round(scene.width * shrunk)))
        if self.render_mode == "ansi":
            return draw.text(scene)
        print(draw.text(scene, ink=sys.stdout.isatty()))
        return None

    def close(self) -> None:
        """Nothing is held that would need closing."""
