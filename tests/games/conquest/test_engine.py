"""The engines of Conquest Tryad: legal whenever they are stopped, exact about dice, and better than the control."""

import itertools
import random
import threading

import numpy as np
import pytest

import triskele
from triskele.core.contract import CHANCE
from triskele.core.contract.engine import Limits
from triskele.core.game import game
from triskele.engines.hints import hint
from triskele.engines.registry import engine
from triskele.games.conquest import attack_margins, evaluation, odds, rules, training
from triskele.games.conquest.engine.battle_outcomes import HELD, TAKEN, outcome_odds
from triskele.games.conquest.engine.rollout_search import SEARCH
from triskele.testing import random_move


def decisions(number, seed=4, **options):
    """Yield positions of games by the script in which somebody has a choice."""
    rng, player, found = random.Random(seed), engine("script", "conquest"), 0
    while found < number:
        pos = triskele.new("conquest", **options)
        while pos.outcome() is None and found < number:
            if pos.turn == CHANCE:
                pos.push(random_move(pos, rng))
                continue
            if len(pos.legal_moves) > 1 and rng.random() < 0.1:
                found += 1
                yield pos
            pos.push(player.choose(pos, Limits()))


def fight(pos, dice):
    """Return a copy of a position after the dice of a battle."""
    after = pos.copy()
    for die in dice:
        after.push(str(die))
    return after


# --- odds ---------------------------------------------------------------------------------------------


def battles(number):
    """Yield positions and attacks in them that start a battle, and how many dice are rolled."""
    rng = random.Random(2)
    for pos in decisions(8 * number, players=3, rounds=12):
        attacks = [move for move in pos.legal_moves if rules.ATTACKS <= move.code < rules.TRIPLE_TOKENS]
        if attacks and number:
            move = rng.choice(attacks)
            after = pos.copy()
            after.push(move)
            if after.turn not in (CHANCE, None) and int(after.state[rules.PHASE]) == rules.DEFEND:
                after.push(after.legal_moves[-1])
            if after.turn == CHANCE and int(after.state[rules.PHASE]) == rules.BATTLE:
                number -= 1
                attackers = int(rules.SPLITS[after.state[rules.SPLIT]].sum())
                yield pos, move.code, after, attackers + max(1, int(after.state[rules.DEFENCE]))


def test_C8_C9_odds_of_battles_are_those_of_all_dice_played_by_the_rules():
    tried = 0
    for pos, code, start, number in battles(6):
        if number > 4:
            continue
        tried += 1
        counted, odds_found = np.zeros(HELD), np.zeros(HELD)
        outcome_odds(pos.state, code, odds_found, 0)
        seat, target = int(start.state[rules.SEAT]), int(start.state[rules.TARGET])
        other = int(start.state[rules.ON + target] & 7) - 1
        for dice in itertools.product(range(1, 5), repeat=number):
            state = fight(start, dice).state
            if other < 0:
                taken = int(state[rules.ON + target] & 7) - 1 == seat
                counted[TAKEN if taken else int(state[rules.POT] - start.state[rules.POT])] += 1
            else:
                lost = int(state[rules.PURSES + other] - start.state[rules.PURSES + other])
                won = int(state[rules.PURSES + seat] - start.state[rules.PURSES + seat])
                counted[lost * 4 + won] += 1
        assert odds_found == pytest.approx(counted / 4**number)
    assert tried >= 3


@pytest.mark.parametrize(("army", "defenders", "number"), [(3, 1, 2), (5, 2, 1), (4, 0, 4)])
def test_chance_to_take_a_field_is_what_happens(army, defenders, number):
    def go_on(army, defenders, repulses):
        attackers = min(3, army - 1)
        if attackers < 1 or repulses == 3:
            return 0.0
        if defenders:
            ends = [(lost, won, p) for (lost, won), p in odds.against_held(attackers, min(3, defenders)).items()]
            return sum(
                float(p) * go_on(army - lost, defenders - won, 0 if won else repulses + 1) for lost, won, p in ends
            )
        chances = odds.against_empty(attackers, number)
        return sum(
            float(p) * (1.0 if lost == odds.TAKEN else go_on(army - lost, 0, repulses + 1))
            for lost, p in chances.items()
        )

    expected = go_on(army, defenders, 0)
    assert odds.chance_to_take(army, defenders, number) == pytest.approx(expected)
    assert attack_margins.CHANCES[defenders, number, army, 0] == round(1000 * expected)


# --- play ---------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize("options", [{}, {"players": 4, "setup": "pyramid"}, {"players": 6, "version": "marathon"}])
def test_the_answer_is_legal_at_any_stop(options):
    player = engine("triskele", "conquest")
    for number, pos in enumerate(decisions(3, rounds=4, **options)):
        stop = threading.Event()
        if number % 2:
            stop.set()
        infos = list(player.analyse(pos, Limits(seconds=5.0, nodes=1 + number), stop))
        legal = {move.text for move in pos.legal_moves}
        for info in infos:
            assert {line[0] for line in info.lines} <= legal
            assert len(info.scores) == pos.variant.seats
            assert sum(info.scores) == pytest.approx(0)
            assert all(-1 <= score <= 1 for score in info.scores)
            for line in info.lines:
                after = pos.copy()
                for written in line:
                    after.push(written)


@pytest.mark.usefixtures("plain")
def test_every_level_answers_and_equal_seeds_answer_alike():
    pos = next(iter(decisions(1, seed=9)))
    for level in (1, 5, 9):
        limits = Limits(level=level, nodes=6, seconds=30.0)
        answers = [engine("triskele", "conquest").choose(pos, limits) for _ in range(2)]
        assert answers[0] == answers[1]
        assert answers[0] in pos.legal_moves


WINNING = (
    # Twelve tokens beside a home with one, and a way round that is worth nothing.
    "conquest: 1 70 1c3*4 1c4*1 2c2*12 / 2 80 2c3*1 2d6*6 / pot 26 / round 9 / conquer 1 first 1",
    # The home is empty already.
    "conquest: 1 70 1c3*4 1c4*1 2c4*9 / 2 80 2a1*3 2d6*6 / pot 27 / round 9 / conquer 1 first 1",
)


@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize("written", WINNING)
def test_C13_an_attack_that_wins_the_game_is_made(written):
    pos = triskele.position(written)
    for name in ("triskele", "script"):
        assert engine(name, "conquest").choose(pos, Limits(nodes=40, seconds=30.0)).text.startswith("2c3<2c")


@pytest.mark.usefixtures("plain")
def test_C15_after_the_last_attack_the_richest_is_known_to_win():
    pos = triskele.position(
        "conquest rounds=9: 1 70 1c3*4 1c4*9 / 2 90 2c3*1 2d6*6 / pot 20 / round 9 / advantage 1 first 1"
    )
    info = list(engine("triskele", "conquest").analyse(pos, Limits(seconds=5.0)))[-1]
    assert (info.proven, info.scores, info.lines) == (2, (-1.0, 1.0), (("done", "done"),))
    earlier = triskele.position(str(pos).replace("advantage 1", "conquer 1"))
    assert list(engine("triskele", "conquest").analyse(earlier, Limits(nodes=4)))[-1].proven is None


def test_threads_imagine_games_together():
    declared = game("conquest")
    declared.linker.compile_rules()
    for program in SEARCH.programs:
        declared.linker.program(program)
    pos = next(iter(decisions(1, seed=9)))
    info = list(engine("triskele", "conquest").analyse(pos, Limits(nodes=500, seconds=30.0, threads=2)))[-1]
    assert info.nodes == 500
    assert info.move in {move.text for move in pos.legal_moves}
    assert sum(info.scores) == pytest.approx(0)


def play(first, second, options, seed, limits):
    """Return what ``first`` wins of a game, seated by turns, against others who all play like ``second``."""
    pos = triskele.new("conquest", **options)
    rng, seat = random.Random(seed), seed % pos.variant.seats
    while pos.outcome() is None:
        if pos.turn == CHANCE:
            pos.push(random_move(pos, rng))
        else:
            pos.push((first if pos.turn == seat else second)(pos, limits))
    winners = pos.outcome().winners
    return (seat in winners) / len(winners)


def sensible_random_mover(seed):
    """Return a mover who draws from the moves that random play chooses from: he reinforces and attacks in force."""
    rng, moves = random.Random(seed), np.zeros(rules.MOVES, dtype=np.int64)

    def choose(pos, limits):
        return pos.variant.move(int(moves[rng.randrange(rules.rollout_count(pos.state, moves))]))

    return choose


@pytest.mark.usefixtures("plain")
def test_the_script_beats_a_random_mover():
    script = engine("script", "conquest")
    won = sum(
        play(script.choose, sensible_random_mover(seed), {"rounds": 12}, seed, Limits()) for seed in range(8)
    )  # fmt: skip
    assert won >= 6


@pytest.mark.usefixtures("plain")
def test_the_best_beats_the_script_even_at_a_glance():
    best, script = engine("triskele", "conquest"), engine("script", "conquest")
    won = sum(play(best.choose, script.choose, {"rounds": 15}, seed, Limits(nodes=1)) for seed in range(8))
    assert won >= 5.5


# --- what it knows ------------------------------------------------------------------------------------


def test_chances_to_win_add_up_and_a_margin_is_feared():
    weights, _ = evaluation.load_networks()
    room = np.zeros((6, evaluation.NUMBER_OF_FEATURES)), np.zeros(96), np.zeros(96, dtype=np.int64)
    safe = triskele.position("conquest: 1 80 1c3*6 2c1*3 / 2 80 2c3*6 2d6*3 / pot 22 / round 9 / initiative 1=? 2=?")
    bare = triskele.position("conquest: 1 80 1c3*1 2c1*3 / 2 80 1c4*9 2c3*6 / pot 21 / round 9 / initiative 1=? 2=?")
    found = []
    for pos in (safe, bare):
        out = np.zeros(6)
        evaluation.chances(pos.state, weights, *room, out)
        assert out.sum() == pytest.approx(1)
        found.append(out[0])
    assert found[1] < found[0]


def test_the_margin_of_an_army_next_to_a_home_counts_its_guard_and_its_number():
    pos = triskele.position("conquest: 1 80 1c3*6 2c2*9 / 2 80 2c3*2 / pot 23 / round 9 / conquer 1 first 1")
    left = attack_margins.margin(pos.state, 0, 1, np.zeros(96))
    number = int(pos.state[rules.NUMBERS + 6])
    assert left == pytest.approx(9 - 1 - attack_margins.HELD_COST[2] - attack_margins.EMPTY_COST[number] - 1)


@pytest.mark.usefixtures("plain")
def test_hints_give_reasons():
    home = hint(triskele.position(WINNING[0]), 0.3)
    assert "home of player 2" in str(home)
    assert "%" in str(home)
    said = {str(hint(pos, 0.02)).split(":")[0][:20] for pos in decisions(5, seed=3, players=3)}
    assert len(said) > 1


@pytest.mark.usefixtures("plain")
def test_learning_goes_on_where_it_stopped_and_finds_what_wins(tmp_path, monkeypatch):
    monkeypatch.setattr(training, "PLAYED", ({"rounds": 2},))
    monkeypatch.setattr(training, "TUNED", (({"rounds": 1}, (0, 1)),))
    monkeypatch.setattr(training, "TRIALS", 1)
    monkeypatch.setattr(training, "CHUNK", 2)
    monkeypatch.setattr(training, "SHARE", 1000)
    first = training.train(tmp_path, seed=3, rounds=1, games=4)
    with np.load(first) as stored:
        weights, plan = stored["weights"], stored["plan"]
        assert weights.shape == (evaluation.NETWORKS, evaluation.NUMBER_OF_FEATURES + 2, evaluation.HIDDEN)
        assert np.isfinite(weights).all()
    (tmp_path / "positions0.npz").unlink()
    with np.load(training.train(tmp_path, seed=3, rounds=1, games=4)) as stored:
        assert np.array_equal(stored["weights"], weights)
        assert np.array_equal(stored["plan"], plan)


def test_fitting_finds_the_fact_that_decides():
    rng = np.random.default_rng(1)
    facts = rng.normal(size=(800, 6, evaluation.NUMBER_OF_FEATURES))
    about = np.zeros((800, 3), dtype=np.int64)
    about[:, training.LEFT] = 0b11
    about[:, training.WON] = np.where(facts[:, 0, 3] > facts[:, 1, 3], 0b01, 0b10)
    weights = training.fit(facts, about, steps=200)
    _, shares = training.shares_of(facts, np.arange(6) < np.full((800, 1), 2), weights[0])
    decided = (shares[:, 0] > 0.5) == (facts[:, 0, 3] > facts[:, 1, 3])
    assert decided.mean() > 0.9
    assert shares.sum(axis=1) == pytest.approx(np.ones(800))
