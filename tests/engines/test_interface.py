"""What every engine promises, whatever it is and whatever it plays."""

import itertools
import random
import threading

import pytest

import triskele
from triskele.core.contract import CHANCE
from triskele.core.contract.engine import Task
from triskele.core.contract.levels import FULL, LEVELS
from triskele.core.errors import IllegalMove, OptionError, RecordError
from triskele.core.game import Game, games
from triskele.core.position import Position
from triskele.core.words import LANGUAGES, catalogue
from triskele.engines import Engine, Info, Limits, analyse, best_move, engine, engine_names, hint, level_of, register
from triskele.engines.registry import _factories

PLAYABLE = [(declared.name, name) for declared in games() for name in engine_names(declared)]


def some_position(name: str, seed: int) -> Position:
    """Return a position in the middle of a random game, where a seat has a choice to make."""
    rng = random.Random(seed)
    position = triskele.new(name)
    while len(position.moves) < 14 or position.turn == CHANCE or len(position.legal_moves) == 1:
        position.push(rng.choice(position.legal_moves))
        if position.turn is None:
            position = triskele.new(name)
    return position


def last(infos: object) -> Info:
    info = list(infos)[-1]  # type: ignore[call-overload]
    assert isinstance(info, Info)
    return info


@pytest.mark.parametrize(("game", "name"), PLAYABLE)
@pytest.mark.usefixtures("plain")
def test_every_engine_says_legal_lines_and_zero_sums(game: str, name: str) -> None:
    position = some_position(game, 3)
    before = str(position)
    infos = list(engine(name, game).analyse(position, Limits(nodes=30, seconds=0.5)))
    assert infos
    for info in infos:
        assert len(info.scores) == position.variant.seats
        assert all(-1 <= score <= 1 for score in info.scores)
        assert abs(sum(info.scores)) < 1e-6
        assert info.move in [move.text for move in position.legal_moves]
    assert str(position) == before


@pytest.mark.parametrize(("game", "name"), PLAYABLE)
@pytest.mark.usefixtures("plain")
def test_a_search_that_is_stopped_at_once_still_answers(game: str, name: str) -> None:
    position = some_position(game, 4)
    stop = threading.Event()
    stop.set()
    assert engine(name, game).choose(position, Limits(seconds=100), stop) in position.legal_moves


@pytest.mark.parametrize("level", range(1, 11))
@pytest.mark.usefixtures("plain")
def test_every_level_answers(level: int) -> None:
    position = some_position("yinsh", 5)
    assert best_move(position, 0.05, level=level) in position.legal_moves


def test_the_lines_can_be_played(heap: Game) -> None:
    position = triskele.new("heap", size=11)
    for info in engine("triskele", heap).analyse(position, Limits(nodes=2000)):
        for line in info.lines:
            played = position.copy()
            for move in line:
                played.push(move)


def test_a_finished_game_has_no_best_move(heap: Game) -> None:
    position = triskele.new("heap", size=1)
    position.push("1")
    with pytest.raises(IllegalMove, match="over"):
        best_move(position, engine="uct")


def test_the_die_is_not_asked_of_an_engine(race: Game) -> None:
    position = triskele.new("race")
    while position.turn != CHANCE:
        position.push(position.legal_moves[0])
    with pytest.raises(IllegalMove, match="die"):
        best_move(position)
    with pytest.raises(IllegalMove, match="die"):
        list(analyse(position, seconds=0.1, seat=0))


def test_a_seat_that_is_not_to_act_has_no_best_move(heap: Game) -> None:
    with pytest.raises(IllegalMove, match="seat 1"):
        best_move(triskele.new("heap"), seat=1)


def test_an_engine_never_sees_what_its_seat_may_not(race: Game) -> None:
    seen: list[Task] = []

    class Spy(Engine):
        name = "spy"

        def think(self, task: Task):  # type: ignore[no-untyped-def]
            seen.append(task)
            yield Info(0, 0, 0.0, (0.0, 0.0), ((task.position.legal_moves[0].text,),))

    position = triskele.new("race")
    position.push("=3")
    Spy(race).choose(position, Limits(nodes=1))
    assert seen[0].position == position.seen_by(1)
    assert seen[0].position != position
    assert seen[0].moves == ["=*"]
    assert seen[0].position.moves == []


def test_unknown_engines_and_levels_are_refused(heap: Game) -> None:
    with pytest.raises(OptionError, match="uct"):
        engine("stockfish", heap)
    for wrong in (0, 11, True, 2.5):
        with pytest.raises(OptionError, match="1 to 10"):
            level_of(heap, wrong)  # type: ignore[arg-type]


def test_a_registered_engine_is_found(heap: Game) -> None:
    register("mine", _factories["random"])
    try:
        assert "mine" in engine_names(heap)
        assert engine("mine", heap).choose(triskele.new("heap"), Limits()).text in "123"
    finally:
        _factories.pop("mine")


def test_alpha_beta_is_not_offered_where_it_cannot_play(race: Game) -> None:
    assert "alphabeta" not in engine_names(race)


@pytest.mark.parametrize("game", [declared.name for declared in games()])
@pytest.mark.usefixtures("plain")
def test_a_view_is_as_good_as_a_position(game: str) -> None:
    position = some_position(game, 6)
    view = position.view(position.turn)
    legal = [move.text for move in position.legal_moves]
    assert best_move(view, nodes=30, seconds=0.5).text in legal
    assert last(analyse(view, nodes=30, seconds=0.5)).move in legal
    assert hint(view, 0.1).move.text in legal
    known = triskele.position_of_view(view)
    assert known.moves_seen_by(position.turn) == position.moves_seen_by(position.turn)
    known.push(known.legal_moves[0])
    twin = known.copy().moves_seen_by(position.turn)
    assert (twin[:-1], len(twin)) == (view["moves"], len(view["moves"]) + 1)


def test_only_who_is_to_act_gets_a_move_for_a_view() -> None:
    position = triskele.new("yinsh")
    with pytest.raises(IllegalMove, match="seat 1"):
        best_move(position.view(1), 0.1)


@pytest.mark.parametrize("view", [{}, {"position": "yinsh: x"}, {"position": "yinsh: x", "moves": [1]}])
def test_what_is_not_a_view_is_refused(view: dict[str, object]) -> None:
    with pytest.raises(RecordError, match="not a view"):
        best_move(view)


def test_levels_see_more_as_they_rise() -> None:
    for weaker, stronger in itertools.pairwise(LEVELS):
        assert (weaker.nodes or 0) < (stronger.nodes or 1e9)
        # Who looks deeper may be a little less sure of what he sees there.
        assert weaker.noise >= stronger.noise or (weaker.depth or 99) < (stronger.depth or 99)
        assert weaker.oversight >= stronger.oversight
    assert LEVELS[-1] is FULL
    assert FULL.noise == FULL.oversight == 0


def test_limits_take_the_smallest_of_what_is_said(heap: Game) -> None:
    asked: list[tuple[float, int | None]] = []

    class Asks(Engine):
        name = "asks"

        def think(self, task: Task):  # type: ignore[no-untyped-def]
            asked.append((task.seconds, task.nodes))
            yield Info(0, 0, 0.0, (0.0, 0.0), (("1",),))

    position = triskele.new("heap")
    given = (Limits(), Limits(nodes=5), Limits(level=1), Limits(level=1, seconds=0.01), Limits(level=10, seconds=7))
    for limits in given:
        Asks(heap).choose(position, limits)
    first = LEVELS[0]
    assert asked == [(1.0, None), (float("inf"), 5), (first.seconds, first.nodes), (0.01, first.nodes), (7, None)]


def test_hint_says_the_only_move(heap: Game) -> None:
    found = hint(triskele.new("heap", size=1))
    assert (found.move.text, str(found)) == ("1", "1: the only legal move.")


def test_hint_says_that_a_move_wins_at_once(heap: Game) -> None:
    found = hint(triskele.new("heap", size=3), 0.2)
    assert str(found) == "3: wins at once."


def test_hint_counts_the_moves_to_a_win(heap: Game) -> None:
    found = hint(triskele.new("heap", size=6), 0.3)
    assert found.move.text == "2"
    assert "forces a win in 3 moves" in str(found)


def test_hint_says_that_all_is_lost(heap: Game) -> None:
    assert "loses" in str(hint(triskele.new("heap", size=4), 0.3))


def test_hints_are_said_in_every_language(heap: Game) -> None:
    found = hint(triskele.new("heap", size=3), 0.2)
    assert len({found.say(language) for language in LANGUAGES}) == len(LANGUAGES)


def test_words_are_there_in_every_language() -> None:
    english = catalogue("engines", "en")
    assert all(set(catalogue("engines", language)) == set(english) for language in LANGUAGES)


def test_analysis_streams(heap: Game) -> None:
    infos = list(analyse(triskele.new("heap", size=20), nodes=3000, engine="alphabeta"))
    assert [info.depth for info in infos] == sorted(info.depth for info in infos)
    assert len(infos) > 1
