"""OpenSpiel: its own simulation test on every game and player count, its bots, and what a player may know."""

import pickle
import random
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import ismcts, mcts
from open_spiel.python.bots import uniform_random
from open_spiel.python.observation import make_observation

import triskele
from tests.support.games import quick
from triskele.adapters import openspiel
from triskele.core.errors import IllegalMove, OptionError
from triskele.core.game import game, games

NAMES = [declared.name for declared in games()]
KIND = pyspiel.GameType


def load(name, options=None):
    return pyspiel.load_game(f"triskele_{name}", options or {})


def play(state, *texts):
    for text in texts:
        state.apply_action(state.string_to_action(text))
    return state


def wait(state):
    while state.current_player() >= 0 and "wait" in map(state.action_to_string, state.legal_actions()):
        play(state, "wait")
    return state


def tryptic(*patterns, **options):
    state = load("tryptic", {"players": len(patterns), **options}).new_initial_state()
    return wait(play(state, *patterns))


def play_out(game, bots, seed=0):
    """Play a game between bots and return the last state."""
    state, rng = game.new_initial_state(), random.Random(seed)
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(rng.choice([face for face, _ in state.chance_outcomes()]))
        else:
            state.apply_action(int(bots[state.current_player()].step(state)))
    return state


# --- OpenSpiel's own tests ------------------------------------------------------------------------


@pytest.mark.usefixtures("plain")
def test_random_simulation_with_every_player_count(by_count):
    name, options = by_count
    game = load(name, options)
    assert game.num_players() == options.get("players", 2)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.usefixtures("plain")
def test_random_simulation_with_every_option_set(by_set):
    pyspiel.random_sim_test(load(*by_set), num_sims=1, serialize=True, verbose=False)


def test_random_simulation_with_compiled_rules(compiled_tryptic):
    pyspiel.random_sim_test(load(compiled_tryptic.name, {"players": 3}), num_sims=3, serialize=True, verbose=False)


# --- the declaration ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_every_game_is_registered_with_its_options(name):
    declared = next(d for d in games() if d.name == name)
    kind = load(name).get_type()
    assert kind.short_name in pyspiel.registered_names()
    assert kind.long_name == declared.title
    assert kind.parameter_specification == {option.name: option.default for option in declared.options}
    assert kind.dynamics == KIND.Dynamics.SEQUENTIAL
    assert kind.reward_model == KIND.RewardModel.TERMINAL
    chance = KIND.ChanceMode.EXPLICIT_STOCHASTIC if declared.chance else KIND.ChanceMode.DETERMINISTIC
    assert kind.chance_mode == chance
    known = KIND.Information.IMPERFECT_INFORMATION if declared.hidden else KIND.Information.PERFECT_INFORMATION
    assert kind.information == known
    assert kind.utility == KIND.Utility.ZERO_SUM


def test_a_player_alone_has_no_zero_sum():
    game = load("tryad", {"mode": "practice", "players": 1})
    assert game.get_type().utility == KIND.Utility.GENERAL_SUM
    assert game.utility_sum() is None
    assert game.get_type().min_num_players == 1
    assert game.get_type().max_num_players == 12


def test_how_much_there_is_to_win():
    assert (load("yinsh").min_utility(), load("yinsh").max_utility()) == (-1, 1)
    assert (load("tryptic").min_utility(), load("tryptic").max_utility()) == (-1, 1)
    dice = load("tryad", {"players": 3, "stake": 2})
    assert dice.min_utility() <= -3 * 16 * 2
    assert dice.max_utility() >= 3 * 16 * 2 * 2


def test_a_game_that_says_how_much_there_is_to_win_is_believed(monkeypatch):
    notation = replace(game("tryad").notation, score_range=lambda options: (-options["stake"], 7))
    monkeypatch.setitem(vars(game("tryad")), "notation", notation)
    loaded = load("tryad", {"stake": 5})
    assert (loaded.min_utility(), loaded.max_utility()) == (-5, 7)


def test_options_that_cannot_be_are_refused():
    with pytest.raises(OptionError, match="columns cannot be 9: it must be one of 5, 6"):
        load("trypsylon", {"columns": 9})
    with pytest.raises(pyspiel.SpielError, match="Unknown parameter 'nonsense'"):
        load("trypsylon", {"nonsense": 9})


def test_a_game_loads_from_its_string():
    game = load("tryad", {"players": 3, "layout": "1/234/12341/2341234"})
    again = pyspiel.load_game(str(game))
    assert str(again) == str(game)
    assert again.decisions.variant is game.decisions.variant


# --- states ---------------------------------------------------------------------------------------


@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize("name", NAMES)
def test_actions_and_returns_are_those_of_the_position(name):
    state = load(name, quick(game(name))).new_initial_state()
    position = triskele.core.position.Position(state.decisions.variant)
    rng = random.Random(name)
    assert state.returns() == [0.0] * position.variant.seats
    while not state.is_terminal():
        texts = [state.action_to_string(action) for action in state.legal_actions()]
        if "wait" not in texts:
            assert sorted(texts) == [move.text for move in position.legal_moves]
            assert state.current_player() == position.turn
        chosen = rng.choice(texts)
        if chosen != "wait":
            position.push(chosen)
        play(state, chosen)
        assert str(position) == str(state).split(" asked ")[0]
    assert state.returns() == list(position.outcome().scores)


def test_a_die_has_four_faces_a_quarter_each():
    state = load("tryad").new_initial_state()
    assert state.is_chance_node()
    assert state.chance_outcomes() == [(0, 0.25), (1, 0.25), (2, 0.25), (3, 0.25)]
    assert [state.action_to_string(face) for face, _ in state.chance_outcomes()] == ["1", "2", "3", "4"]


def test_chances_are_as_the_rules_say(pig, urn):
    for declared in (pig, urn):
        openspiel.register(declared)
    die = play(load("pig").new_initial_state(), "roll")
    assert die.get_game().max_chance_outcomes() == 6
    assert die.chance_outcomes() == [(face, 1 / 6) for face in range(6)]
    drawn = play(load("urn").new_initial_state(), "draw")
    assert drawn.get_game().max_chance_outcomes() == 4  # above every action of chance
    assert drawn.chance_outcomes() == [(2, 0.25), (3, 0.75)]
    play(drawn, "red", "draw")
    assert drawn.chance_outcomes() == [(2, 1 / 3), (3, 2 / 3)]
    play(drawn, "black", "draw")
    assert drawn.chance_outcomes() == [(3, 1.0)]
    for name in ("pig", "urn"):
        pyspiel.random_sim_test(load(name), num_sims=20, serialize=True, verbose=False)


def test_an_illegal_action_raises_and_changes_nothing():
    state = play(load("yinsh").new_initial_state(), "f6")
    before = str(state)
    for action in (state.history()[0], 7518, -7, 10**6):
        with pytest.raises(IllegalMove, match="is not legal here; legal actions: 0 "):
            state.apply_action(action)
    assert str(state) == before
    assert len(state.history()) == 1


def test_states_are_pickled_and_cloned():
    state = play(tryptic("=BBW", "=BBY"), "Bb1")
    again = pickle.loads(pickle.dumps(state))
    assert str(again) == str(state)
    assert again.history() == state.history()
    assert again.legal_actions() == state.legal_actions()
    assert again.information_state_string(1) == state.information_state_string(1)
    twin = state.clone()
    play(twin, "wait")
    assert str(twin) != str(state)
    game = pickle.loads(pickle.dumps(state.get_game()))
    assert str(game) == str(state.get_game())


def test_serialised_states_come_back_with_their_logs():
    state = load("trypsylon").new_initial_state()
    play(state, "d3", "W3/SW", "e3", "Se/SE", "b1", "Nb/NE")
    _, again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(state.get_game(), state))
    assert np.array_equal(again.words, state.words)
    assert again.position == state.position


# --- interrupts -----------------------------------------------------------------------------------


def test_interrupts_are_decisions_in_seat_order():
    state = play(tryptic("=BBB", "=GGG", "=RRR"), "Bb1")
    asked = []
    while "wait" in (texts := [state.action_to_string(a) for a in state.legal_actions()]):
        asked.append((state.current_player(), texts))
        play(state, "wait")
    assert asked == [(0, ["!1", "wait"]), (1, ["!2", "wait"]), (2, ["!3", "wait"])]
    assert state.current_player() == 0


def test_who_announces_with_the_points_wins():
    state = tryptic("=GGG", "=BBB", goal=1)
    for move in ("Ba1", ".", "Ba2", "."):
        wait(play(state, move))
    play(state, "Ba3", "wait")
    assert state.current_player() == 1
    play(state, "!2")
    assert state.is_terminal()
    assert state.returns() == [-1.0, 1.0]


# --- what a player may know -----------------------------------------------------------------------


def test_observations_are_what_a_seat_may_know():
    one, other = tryptic("=BBB", "=GGG", "=RRR"), tryptic("=BBB", "=WWY", "=RRR")
    for move in ("Ba1", ".", "Ra2"):
        for state in (one, other):
            wait(play(state, move))
    for seat in (0, 2):
        assert one.information_state_string(seat) == other.information_state_string(seat)
        assert one.information_state_tensor(seat) == other.information_state_tensor(seat)
        assert one.observation_string(seat) == other.observation_string(seat)
        assert one.observation_tensor(seat) == other.observation_tensor(seat)
    assert one.information_state_string(1) != other.information_state_string(1)
    assert one.information_state_tensor(1) != other.information_state_tensor(1)
    assert one.observation_string(1) != other.observation_string(1)
    assert one.observation_tensor(1) != other.observation_tensor(1)


def test_the_texts_of_observations():
    state = wait(play(tryptic("=BBW", "=BBY"), "Bb1"))
    assert state.information_state_string(0) == "seat 0: =BBW =*** Bb1"
    assert state.information_state_string(1) == "seat 1: =*** =BBY Bb1"
    assert state.observation_string(1) == str(state.position.seen_by(1))
    assert "***,BBY" in state.observation_string(1)
    play(state, ".")
    assert state.information_state_string(0).endswith("Bb1 . asked 1")


def test_the_tensor_of_an_information_state_has_the_last_moves_as_seen():
    state = wait(play(tryptic("=BBW", "=BBY"), "Bb1"))
    game = state.get_game()
    size = game.observation_tensor_size()
    assert game.observation_tensor_shape() == [174, 64]
    assert game.information_state_tensor_size() == size + openspiel.HISTORY
    codes = state.made()[0]
    tensor = state.information_state_tensor(1)
    assert tensor[:size] == state.observation_tensor(1)
    assert tensor[size : size + 4] == [codes[2] + 1, codes[1] + 1, -1, 0]
    assert state.information_state_tensor(0)[size : size + 4] == [codes[2] + 1, -1, codes[0] + 1, 0]


def test_observers_of_everything_of_nothing_private_and_of_what_is_not_offered():
    state = wait(play(tryptic("=BBW", "=BBY"), "Bb1"))
    game = state.get_game()

    def observer(private, recall=False, public=True):
        kind = pyspiel.IIGObservationType(private_info=private, perfect_recall=recall, public_info=public)
        return make_observation(game, kind)

    everything = observer(pyspiel.PrivateInfoType.ALL_PLAYERS, recall=True)
    assert everything.string_from(state, 0) == "seat 0: =BBW =BBY Bb1"
    everything.set_from(state, 0)
    assert everything.dict["moves"][:3].min() > 0
    public = observer(pyspiel.PrivateInfoType.NONE)
    assert public.string_from(state, 0) == str(state.position.seen_by(None))
    public.set_from(state, 0)
    everything_now = observer(pyspiel.PrivateInfoType.ALL_PLAYERS)
    everything_now.set_from(state, 0)
    assert everything_now.string_from(state, 0) == str(state)
    assert not np.array_equal(public.tensor, everything_now.tensor)
    with pytest.raises(ValueError, match="public_info"):
        observer(pyspiel.PrivateInfoType.SINGLE_PLAYER, public=False)
    with pytest.raises(ValueError, match="no parameters"):
        make_observation(game, params={"name": 1})


def test_a_finished_game_hides_nothing():
    state = play(tryptic("=BBW", "=BBY"), "Bb1", "!1")
    assert state.is_terminal()
    assert state.information_state_string(0) == "seat 0: =BBW =BBY Bb1 !1"


@pytest.mark.usefixtures("plain")
def test_other_worlds_look_the_same_and_differ():
    state = tryptic("=BBW", "=BBY", "=GRY")
    for move in ("Bb1", "?2=BBG", "Wc3", "?1=BBB"):
        wait(play(state, move))
    sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
    worlds = set()
    for _ in range(30):
        other = state.resample_from_infostate(1, sampler)
        assert other.information_state_string(1) == state.information_state_string(1)
        assert other.information_state_tensor(1) == state.information_state_tensor(1)
        assert other.current_player() == state.current_player()
        assert other.legal_actions() == state.legal_actions()
        worlds.add(other.information_state_string(0).split()[2])
    assert len(worlds) > 20
    assert "=BBB" not in worlds  # a guess that was wrong


# --- its bots -------------------------------------------------------------------------------------


@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize("name", NAMES)
def test_mcts_and_random_bots_play(name):
    loaded = load(name, quick(game(name)))
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(2))
    tree = mcts.MCTSBot(loaded, 2, 2, evaluator, random_state=np.random.RandomState(3))
    state = play_out(loaded, [tree, uniform_random.UniformRandomBot(1, np.random.RandomState(4))])
    assert sum(state.returns()) == pytest.approx(0)
    bots = [pyspiel.make_uniform_random_bot(seat, 7) for seat in range(2)]
    returns = pyspiel.evaluate_bots(loaded.new_initial_state(), bots, 5)
    assert sum(returns) == pytest.approx(0)


def test_information_set_mcts_plays(compiled_tryptic):
    game = load(compiled_tryptic.name, {"goal": 2})
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(2))
    bots = [ismcts.ISMCTSBot(game, evaluator, 2.0, 4, random_state=np.random.RandomState(seat)) for seat in range(2)]
    state = play_out(game, bots)
    assert sorted(state.returns()) in ([-1.0, 1.0], [0.0, 0.0])


# --- the process ----------------------------------------------------------------------------------


def test_a_process_that_used_it_ends_well():
    code = """
import pyspiel, triskele.adapters.openspiel
state = pyspiel.load_game("triskele_tryad").new_initial_state()
state.apply_action(2)
print(state.legal_actions())
"""
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("[")
