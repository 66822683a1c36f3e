"""PettingZoo: its own tests on every game and player count, and what its environments promise beyond them."""

import contextlib
import copy
import io
import pickle
import random

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test

from triskele.adapters import pettingzoo
from triskele.core.errors import IllegalMove, OptionError
from triskele.core.game import game, games

# PettingZoo warns of observations with masks beside them in all environments but its own.
pytestmark = [
    pytest.mark.usefixtures("plain"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
]


@pytest.fixture(autouse=True)
def no_chatter():
    """PettingZoo's tests print, and so does the render mode for people."""
    with contextlib.redirect_stdout(io.StringIO()):
        yield


def code(env, text):
    return next(action for action in range(env.action_space("player_0").n) if env.unwrapped.text(action) == text)


def play(env, *texts):
    for text in texts:
        mask = env.last()[0]["action_mask"]
        env.step(next(a for a in np.flatnonzero(mask).tolist() if env.unwrapped.text(a) == text))


def choices(env):
    return [env.unwrapped.text(a) for a in np.flatnonzero(env.last()[0]["action_mask"]).tolist()]


def play_out(env, seed):
    """Play at random to the end; return each agent's rewards and all texts."""
    rng = random.Random(seed)
    env.reset(seed=seed)
    rewards, texts = dict.fromkeys(env.possible_agents, 0.0), []
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        rewards[agent] += reward
        assert not truncated
        if terminated:
            env.step(None)
        else:
            action = rng.choice(np.flatnonzero(observation["action_mask"]).tolist())
            texts.append(env.unwrapped.text(action))
            env.step(action)
    return rewards, texts


# --- PettingZoo's own tests -----------------------------------------------------------------------


def test_api(by_count):
    name, options = by_count
    api_test(pettingzoo.env(name, **options), num_cycles=40)


def test_seed(by_count):
    name, options = by_count
    seed_test(lambda: pettingzoo.env(name, **options), num_cycles=10)


@pytest.mark.parametrize("name", [declared.name for declared in games()])
def test_render(name):
    render_test(lambda render_mode: pettingzoo.env(name, render_mode=render_mode))


# --- beyond them ----------------------------------------------------------------------------------


def test_every_option_set_is_played_to_its_end(by_set):
    name, options = by_set
    env = pettingzoo.env(name, **options)
    rewards, _ = play_out(env, 3)
    outcome = env.unwrapped.position.outcome()
    assert tuple(rewards.values()) == outcome.scores
    assert env.agents == []


def test_an_illegal_action_raises_and_changes_nothing():
    env = pettingzoo.env("yinsh")
    env.reset()
    play(env, "f6")
    before, agent = env.unwrapped.position, env.agent_selection
    for action in (code(env, "f6"), -1, 10**9, None, 2.5, True, "f7", code(env, "pass")):
        with pytest.raises(IllegalMove, match=r"is not legal here; legal actions: 0 \(a2\), 1 \(a3\)"):
            env.step(action)
        assert env.unwrapped.position == before
        assert env.agent_selection == agent
        assert not any(env.terminations.values())
    play(env, "f7")


def test_observations_are_what_an_agent_may_know():
    one, other = (pettingzoo.env("tryptic", players=3) for _ in range(2))
    for env, hidden in ((one, "=GGG"), (other, "=WWY")):
        env.reset()
        play(env, "=BBB", hidden, "=RRR")
    for agent, same in (("player_0", True), ("player_1", False), ("player_2", True)):
        seen = [env.observe(agent)["observation"] for env in (one, other)]
        assert np.array_equal(*seen) is same
    assert not np.array_equal(one.state(), other.state())


def test_interrupts_are_asked_for_in_seat_order():
    env = pettingzoo.env("tryptic", players=3)
    env.reset()
    play(env, "=BBB", "=GGG", "=RRR")
    assert [(env.agent_selection, choices(env))] == [("player_0", ["!1", "wait"])]
    play(env, "wait", "wait", "wait", "Ba1")
    asked = []
    while "wait" in choices(env):
        asked.append(env.agent_selection)
        play(env, "wait")
    assert asked == ["player_0", "player_1", "player_2"]
    assert env.agent_selection == "player_0"


def test_a_mask_is_for_whoever_decides():
    env = pettingzoo.env("trypsylon")
    env.reset()
    assert env.observe("player_0")["action_mask"].sum() == 25
    assert env.observe("player_1")["action_mask"].sum() == 0


def test_seeds_make_dice_repeatable():
    env = pettingzoo.env("tryad", players=3)
    assert play_out(env, 5) == play_out(env, 5)
    assert play_out(env, 5) != play_out(env, 6)


def test_chance_is_as_the_rules_say(pig, urn):
    env = pettingzoo.raw_env("urn")
    env.reset(seed=6)
    reds = 0
    for _ in range(1000):
        env.reset()
        env.step(0)
        reds += str(env.position).startswith("urn: 2 1 ")
    assert abs(reds - 750) < 4 * (1000 * 0.75 * 0.25) ** 0.5
    dice = pettingzoo.raw_env("pig", goal=100)
    dice.reset(seed=6)
    seen = set()
    for _ in range(60):
        dice.step(6)
        seen.add(str(dice.position).split()[4])
    assert len(seen) > 5


def test_pictures_show_what_a_spectator_sees():
    env = pettingzoo.env("tryptic", render_mode="ansi")
    env.reset()
    play(env, "=BGR", "=WWY")
    hidden = env.render()
    other = pettingzoo.env("tryptic", render_mode="ansi")
    other.reset()
    play(other, "=BBB", "=GGG")
    assert other.render() == hidden
    env = pettingzoo.env("yinsh", render_mode="rgb_array")
    env.reset()
    empty = env.render()
    assert max(empty.shape) <= pettingzoo.LARGEST
    play(env, "f6")
    assert (env.render() != empty).any()


def test_what_cannot_be_rendered_or_made_is_refused():
    with pytest.raises(OptionError, match="x is not a render mode: use one of human, ansi, rgb_array"):
        pettingzoo.env("yinsh", render_mode="x")
    with pytest.raises(OptionError, match="columns cannot be 9"):
        pettingzoo.env("trypsylon", columns=9)
    env = pettingzoo.env("yinsh")
    env.reset()
    with pytest.raises(OptionError, match="None is not a render mode"):
        env.unwrapped.render()


def test_environments_are_copied_with_their_options():
    env = pettingzoo.raw_env("tryad", players=4)
    for twin in (pickle.loads(pickle.dumps(env)), copy.deepcopy(env)):
        twin.reset()
        assert twin.variant is game("tryad").variant({"players": 4})
        assert twin.num_agents == 4
    assert str(env) == "triskele_tryad_v1"


def test_compiled_rules_play_as_well(compiled_tryptic, monkeypatch):
    monkeypatch.delenv("TRISKELE_PLAIN")
    compiled = play_out(pettingzoo.env(compiled_tryptic.name, goal=1), 4)
    monkeypatch.setenv("TRISKELE_PLAIN", "1")
    assert play_out(pettingzoo.env(compiled_tryptic.name, goal=1), 4) == compiled
