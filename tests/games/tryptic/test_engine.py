"""The engines of TRYPTIC: what they read, what they hide, and that they see no more than their seat."""

import random
import threading

import numpy as np
import pytest

import triskele
from triskele.core.contract.engine import Limits
from triskele.core.contract.levels import FULL
from triskele.core.contract.search_program import SETTLED, question_words, root_words
from triskele.core.game import game
from triskele.core.search_driver import SearchDriver
from triskele.core.words import LANGUAGES
from triskele.engines.hints import hint
from triskele.engines.registry import engine, engine_names
from triskele.games.tryptic import rules as r
from triskele.games.tryptic.engine import BeliefEngine, GreedyEngine
from triskele.games.tryptic.notation import PATTERN_INDEX
from triskele.games.tryptic.placement_search import search_program
from triskele.games.tryptic.reader import Reader, history_codes
from triskele.games.tryptic.reader_workspace import C_ROWS, C_SEAT, S_EMPTY, S_READY
from triskele.games.tryptic.seat_evaluation import FEATURES, see_prospects, see_prospects_after
from triskele.games.tryptic.training import train
from triskele.games.tryptic.weights import FILE, shipped_weights
from triskele.games.tryptic.windows import list_placements
from triskele.testing import random_move

TRYPTIC = game("tryptic")


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """Have the engine compiled: games of engines are many searches."""
    BeliefEngine(TRYPTIC).get_ready()


def played(moves, **options):
    """Return the position after some moves."""
    pos = triskele.new("tryptic", **options)
    for move in moves.split():
        pos.push(move)
    return pos


def reading_of(pos, seat):
    """Return what a seat makes of a position."""
    return Reader(shipped_weights()).read(pos.seen_by(seat).state, history_codes(pos.moves_seen_by(seat)), seat)


def belief_in(pos, seat, about, pattern):
    """Return how likely a seat thinks it that another has a pattern."""
    return reading_of(pos, seat).known[about, PATTERN_INDEX[pattern]]


def quiet_move(pos, rng):
    """Return a random move that neither challenges nor announces."""
    return rng.choice([move for move in pos.legal_moves if move.text[0] not in "?!"])


def random_positions(number, **options):
    """Yield positions of random games, with challenges and announcements in some."""
    rng = random.Random(5)
    found = 0
    while True:
        pos = triskele.new("tryptic", **options)
        while pos.outcome() is None:
            if rng.random() < 0.2:
                yield pos
                found += 1
                if found == number:
                    return
            pos.push(random_move(pos, rng) if rng.random() < 0.1 else quiet_move(pos, rng))


def game_between(specs, seed, **options):
    """Play a game of engines, each a class and a level, and return the final position."""
    players = [(kind(TRYPTIC, seed=seed * 10 + seat), level) for seat, (kind, level) in enumerate(specs)]
    pos = triskele.new("tryptic", players=len(specs), **options)
    while (turn := pos.turn) is not None:
        move = None
        for step in range(1, len(specs)):
            seat = (turn + step) % len(specs)
            move = move or players[seat][0].interrupt(pos, Limits(), seat)
        player, level = players[turn]
        pos.push(move or player.choose(pos, Limits(level=level, seconds=5.0)))
    return pos


# --- what is read -------------------------------------------------------------------------------


def test_beliefs_add_up_and_leave_out_what_cannot_be():
    for pos in random_positions(30, players=3):
        if pos.state[r.STAGE] == r.CHOOSING:
            continue
        reading = reading_of(pos, pos.turn)
        assert reading.beliefs.sum(axis=1) == pytest.approx(1.0)
        assert reading.known.sum(axis=1) == pytest.approx(1.0)
        for other in [seat for seat in range(3) if seat != pos.turn and pos.state[r.IN] >> seat & 1]:
            assert reading.known[other].min() >= 0
            assert reading.known[other, pos.state[r.PATTERN + other] - 1] > 0


def test_P7_a_wrong_guess_is_never_guessed_again():
    pos = played("=GGR =BWY Re5 ?2=GRY")
    for seat in (0, 1):
        assert reading_of(pos, seat).known[1, PATTERN_INDEX["GRY"]] == 0
    assert belief_in(pos, 0, 1, "BWY") > 0


def test_P6_silence_tells_that_a_pattern_is_not_his():
    before = played("=GGR =BWY Re5 . Ge6 . Ge7 . Wd5 .", goal=2)
    silent = played("=GGR =BWY Re5 . Ge6 . Ge7 . Wd5 . Yf6 . Bd4 . Rd3 . Gd2 . Gd1 .", goal=2)
    assert silent.state[r.SHOWN + 1 + PATTERN_INDEX["GGR"]] == 2
    assert belief_in(silent, 0, 1, "GGR") < 0.05 * belief_in(before, 0, 1, "GGR")


def test_P3_an_empty_pile_tells_what_a_pattern_holds():
    board = "RRRRR/RRRRRR/RRRRRRR/RRRRRRRR/...BRR.../......../......./....../....."
    # 28 red tiles lie on the board, none is left, and the own pattern has none: the other one holds two.
    start = str(triskele.new("tryptic"))
    pos = triskele.position(start[: start.index("...")] + board + " 2 RRW,BBG 0,0 -,- R -")
    beliefs = reading_of(pos, 1).known[0]
    holds_two = np.array([name.count("R") == 2 for name in PATTERN_INDEX])
    assert beliefs[holds_two].sum() == pytest.approx(1.0)


def test_placements_tell_a_plain_player_s_pattern():
    right = 0
    for seed in range(10):
        player, rng = GreedyEngine(TRYPTIC, seed=seed), random.Random(seed)
        pos = played("=BBB")
        while len(pos.moves) < 32 and pos.turn is not None:
            pos.push(player.choose(pos, Limits()) if pos.turn == 1 else quiet_move(pos, rng))
        beliefs = reading_of(pos, 0).known[1]
        right += beliefs.argmax() == pos.state[r.PATTERN + 1] - 1
    assert right >= 7


# --- what is looked at ----------------------------------------------------------------------------


def test_a_placement_s_prospects_are_those_of_the_board_after_it():
    rng = random.Random(2)
    search = search_program(shipped_weights())
    before, after = (SearchDriver(search) for _ in range(2))
    compared = 0
    for pos in random_positions(25):
        if pos.state[r.STAGE] in (r.CHOOSING, r.PLACED) or not pos.state[r.EMPTY]:
            continue
        seat = pos.turn
        here = listed(before, pos.state, seat)
        for row in rng.sample(range(int(here.control[C_ROWS])), 4):
            placed = pos.state.copy()
            r.place(placed, *divmod(int(here.codes[row]) - r.PLACE, r.HEXES))
            there = listed(after, placed, seat)
            see_prospects_after(here, row)
            see_prospects(there)
            for name in ("shown", "at_once"):
                assert (getattr(here, name) == getattr(there, name)).all(), name
            assert here.shares[[S_EMPTY, S_READY]].tolist() == there.shares[[S_EMPTY, S_READY]].tolist()
            compared += 1
    assert compared > 20


def listed(driver, state, seat):
    """Return the arrays of the reader with the placements that are possible in a state, by plain functions."""
    driver.provide(len(state))
    ws = driver.workspace
    ws.root[: r.SIZE] = ws.state[:] = state
    ws.control[C_SEAT] = seat
    list_placements(ws)
    return ws


def test_reading_is_the_same_whatever_of_the_game_was_read_before():
    """P3: also when a pile runs out, which nobody but the server could foresee."""
    rng = random.Random(8)
    for players in (2, 3):
        pos = triskele.new("tryptic", players=players, goal=20)
        reader = Reader(shipped_weights())
        for _ in range(players):
            pos.push("=BBB" if pos.turn else "=BGB")
        while pos.turn is not None and len(pos.moves) < 100:
            blue = [move for move in pos.legal_moves if move.text[0] == "B"]
            pos.push(rng.choice(blue) if blue and rng.random() < 0.6 else quiet_move(pos, rng))
            if pos.turn is None or rng.random() < 0.7:
                continue
            seat = pos.turn
            found = reader.read(pos.seen_by(seat).state, history_codes(pos.moves_seen_by(seat)), seat)
            assert (found.beliefs == reading_of(pos, seat).beliefs).all()
        assert pos.state[r.GONE] & 1


def test_the_shipped_weights_are_small_and_fit():
    learned = shipped_weights()
    assert learned.judging.shape == (2, len(FEATURES))
    assert FILE.stat().st_size < 2_000_000
    with np.load(FILE) as stored:
        assert '"date"' in str(stored["about"])


# --- what is done ---------------------------------------------------------------------------------


def test_both_engines_are_found():
    assert {"triskele", "greedy"} <= set(engine_names("tryptic"))
    assert isinstance(engine("triskele", "tryptic"), BeliefEngine)


@pytest.mark.parametrize("kind", [BeliefEngine, GreedyEngine])
def test_a_choice_depends_on_nothing_the_seat_cannot_see(kind):
    rng = random.Random(11)
    for pos in random_positions(25, players=3):
        seat = pos.turn
        if pos.state[r.STAGE] == r.CHOOSING:
            continue
        twin = triskele.new("tryptic", players=3)
        for number, move in enumerate(pos.moves):
            secret = number < 3 and number != seat and pos.state[r.IN] >> number & 1
            guessed = {other.text[-3:] for other in pos.moves if other.text.startswith("?")}
            others = [name for name in PATTERN_INDEX if name not in guessed]
            twin.push("=" + rng.choice(others) if secret else move.text)
        if twin.view(seat) != pos.view(seat):
            continue  # the other patterns would have shown
        assert roots(pos, seat)[0].tobytes() == roots(twin, seat)[0].tobytes()
        infos = [list(kind(TRYPTIC, seed=4).analyse(each, Limits(nodes=100, seconds=30.0))) for each in (pos, twin)]
        first, second = ([(info.scores, info.lines, info.proven) for info in each] for each in infos)
        assert first == second


def roots(pos, seat):
    """Return what goes to the search, in native code or in a page, and the same with nothing hidden."""
    known = root_words(pos.seen_by(seat).state, pos.codes_seen_by(seat))
    return known, root_words(pos.state, [move.code for move in pos.moves])


def test_the_search_itself_hides_what_its_seat_may_not_know():
    search = search_program(shipped_weights())
    start, resume = map(TRYPTIC.linker.program, search.programs)
    for pos in random_positions(20, players=3):
        answers = []
        for root in roots(pos, pos.turn):
            driver = SearchDriver(search)
            driver.provide(len(root))
            driver.start(start, root, question_words(FULL, seat=pos.turn, nodes=None, seed=4))
            while driver.resume(resume, 1000) != SETTLED:
                pass
            answers.append(driver.found())
        assert answers[0] == answers[1]


def test_the_choice_of_a_pattern_follows_the_seed_and_no_habit():
    pos = triskele.new("tryptic")
    chosen = [BeliefEngine(TRYPTIC, seed=seed).choose(pos, Limits()).text for seed in range(60)]
    assert chosen == [BeliefEngine(TRYPTIC, seed=seed).choose(pos, Limits()).text for seed in range(60)]
    assert len(set(chosen)) > 25


@pytest.mark.parametrize("kind", [BeliefEngine, GreedyEngine])
@pytest.mark.parametrize("options", [{}, {"players": 4, "goal": 3}])
def test_all_that_is_said_is_legal_however_short_the_time(kind, options):
    stopped = threading.Event()
    stopped.set()
    for pos in random_positions(20, **options):
        legal = {move.text for move in pos.legal_moves}
        for limits in (Limits(seconds=1e-6), Limits(nodes=1), Limits(level=1), Limits(level=6), Limits(seconds=5.0)):
            infos = list(kind(TRYPTIC, seed=1).analyse(pos, limits))
            assert infos
            for info in infos:
                assert {line[0] for line in info.lines} <= legal
                assert sum(info.scores) == pytest.approx(0.0)
        assert kind(TRYPTIC, seed=1).choose(pos, Limits(seconds=60.0), stopped).text in legal


def test_somebody_not_to_act_can_ask():
    pos = played("=GGR =BWY =BBB Re5 .", players=3)
    infos = list(BeliefEngine(TRYPTIC, seed=1).analyse(pos, Limits(), seat=2))
    assert infos[-1].move in {move.text for move in pos.legal_moves}


def test_a_finishing_placement_is_made_and_announced():
    pos = played("=GGR =BWY Re5 . Wa1 . Ge6 . Wb1 .", goal=1)
    for kind in (BeliefEngine, GreedyEngine):
        player = kind(TRYPTIC, seed=3)
        after = pos.copy()
        after.push(player.choose(after, Limits()))
        assert r.has_points(after.state, 0)
        assert player.choose(after, Limits()).text == "!1"


@pytest.mark.parametrize(("level", "low", "high"), [(1, 20, 50), (6, 45, 80), (9, 85, 100)])
def test_weak_levels_do_not_always_see_that_they_have_the_points_or_could_make_them(level, low, high):
    before = played("=GGR =BWY Re5 . Wa1 . Ge6 . Wb1 .", goal=1)
    given = played("=GGR =BWY Re5 . Wa1 . Ge6 . Ge7", goal=1)
    made = announced = 0
    for seed in range(100):
        player = BeliefEngine(TRYPTIC, seed=seed)
        after = before.copy()
        after.push(player.choose(before, Limits(level=level)))
        made += r.has_points(after.state, 0)
        announced += player.interrupt(given, Limits(level=level), 0) is not None
    assert low <= made <= high
    assert low <= announced <= high


def test_P6_points_made_by_another_are_announced_out_of_turn():
    pos = played("=GGR =BWY Re5 . Wa1 . Ge6 . Ge7", goal=1)
    assert pos.turn == 1
    assert "!1" in {move.text for move in pos.interrupts}
    for kind in (BeliefEngine, GreedyEngine):
        assert kind(TRYPTIC).interrupt(pos, Limits(), 0).text == "!1"
        assert kind(TRYPTIC).interrupt(pos, Limits(), 1) is None


def test_a_sure_challenge_is_made():
    pos = played("=WWY =GGG Ba1 . Ge5 . Ba3 . Ge6 . Ba5 . Ge7 . Bb1 . Gd6 . Bb3 . Gf6 .", goal=20)
    assert BeliefEngine(TRYPTIC, seed=1).choose(pos, Limits()).text == "?2=GGG"


def test_it_plays_on_from_a_text_that_does_not_say_how_it_came_about():
    pos = played("=GGR =BWY Re5 . Ge6 . Ge7 . Bd5 .")
    again = triskele.position(str(pos.seen_by(0)))
    assert BeliefEngine(TRYPTIC, seed=1).choose(again, Limits()).text in {move.text for move in again.legal_moves}


def test_what_was_read_is_the_same_read_at_once_or_bit_by_bit():
    steps, again = BeliefEngine(TRYPTIC, seed=1), BeliefEngine(TRYPTIC, seed=1)
    pos, rng = played("=GGR =BWY"), random.Random(3)
    for _ in range(20):
        steps.choose(pos, Limits(seconds=30.0), seat=pos.turn)
        pos.push(quiet_move(pos, rng))
    infos = [list(player.analyse(pos, Limits(seconds=30.0, seed=9)))[-1] for player in (steps, again)]
    assert infos[0].scores == infos[1].scores
    assert infos[0].lines == infos[1].lines


# --- how well -------------------------------------------------------------------------------------


def test_the_reader_beats_the_greedy_one():
    won = 0
    for seed in range(12):
        seats = [(BeliefEngine, None), (GreedyEngine, None)]
        pos = game_between(seats if seed % 2 else seats[::-1], seed)
        won += pos.outcome().winners == (0 if seed % 2 else 1,)
    assert won >= 10


def test_the_reader_beats_three_greedy_ones():
    won = 0
    for seed in range(6):
        seats = [(GreedyEngine, None)] * 4
        seats[seed % 4] = (BeliefEngine, None)
        won += game_between(seats, seed).outcome().winners == (seed % 4,)
    assert won >= 4


def test_it_challenges_who_lays_his_pattern_openly_and_hardly_who_hides_it():
    def games_with_challenges(other):
        played = [game_between([(BeliefEngine, None), (other, None)], seed) for seed in range(20)]
        return sum(any(move.text.startswith("?2") for move in pos.moves) for pos in played)

    open_ones = games_with_challenges(GreedyEngine)
    assert open_ones >= 18
    assert 2 * games_with_challenges(BeliefEngine) < open_ones


def test_a_high_level_beats_a_low_one():
    won = 0
    for seed in range(8):
        seats = [(BeliefEngine, 9), (BeliefEngine, 2)]
        pos = game_between(seats if seed % 2 else seats[::-1], seed)
        won += pos.outcome().winners == (0 if seed % 2 else 1,)
    assert won >= 6


# --- words and learning -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("moves", "options", "words"),
    [
        ("", {}, "hard to guess"),
        ("=GGR =BWY Re5 . Wa1 . Ge6 . Wb1 .", {"goal": 1}, "wins"),
        ("=GGR =BWY Re5 . Wa1 . Ge6 . Wb1 . Ge7", {"goal": 1}, "wins"),
        ("=GGR =BWY Re5", {}, "no guess"),
    ],
)
def test_hints_say_why(moves, options, words):
    found = hint(played(moves, **options), 1.0)
    for language in LANGUAGES:
        assert found.say(language)
    assert words in str(found)


def test_learning_follows_the_seed_and_goes_on_where_it_stopped(tmp_path):
    first = train(tmp_path / "a", seed=3, rounds=1, games=1)
    before = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "a").iterdir()}
    assert train(tmp_path / "a", seed=3, rounds=1, games=1) == first
    assert {path.name: path.stat().st_mtime_ns for path in (tmp_path / "a").iterdir()} == before
    second = train(tmp_path / "b", seed=3, rounds=1, games=1)
    with np.load(first) as one, np.load(second) as two:
        for name in ("judging", "open", "covert"):
            assert (one[name] == two[name]).all()
