"""The searches find what is there to be found, in games small enough to know the answer."""

import random
import threading

import numpy as np
import pytest

import triskele
from triskele.core.bits import seed as new_rng
from triskele.core.contract.engine import Task
from triskele.core.contract.levels import FULL
from triskele.core.contract.search_program import SETTLED, question_words
from triskele.core.game import Game
from triskele.core.position import Position
from triskele.core.search_driver import SearchDriver
from triskele.engines import Info, Limits, engine, uct
from triskele.engines.alphabeta import search_program
from triskele.engines.alphabeta_deepening import RESUME_SEARCH, START_SEARCH
from triskele.engines.mcts import GROW, MOVE, NODE_COUNT, VISITS, Tree, TreeSearch, proven_for
from triskele.engines.transposition_table import (
    LOWER_BOUND,
    entry_bound,
    entry_depth,
    entry_generation,
    entry_move,
    entry_value,
    pack_entry,
)

SOLVERS = ("alphabeta", "mcts")


def solved(name: str, position: Position, nodes: int = 20_000) -> Info:
    return list(engine(name, position.variant.game).analyse(position, Limits(nodes=nodes)))[-1]


@pytest.mark.parametrize("name", SOLVERS)
@pytest.mark.parametrize("size", range(1, 14))
def test_the_heap_is_solved(heap: Game, name: str, size: int) -> None:
    info = solved(name, triskele.new("heap", size=size))
    won = size % 4 != 0
    assert info.scores == ((1.0, -1.0) if won else (-1.0, 1.0))
    if won:
        assert info.move == str(size % 4)
        assert info.proven == 2 * (size // 4) + 1
    else:
        assert info.proven == size // 2


@pytest.mark.parametrize("name", [*SOLVERS, "uct"])
def test_the_best_move_for_the_second_seat(heap: Game, name: str) -> None:
    position = triskele.new("heap", size=10)
    position.push("3")
    info = solved(name, position, 3000)
    assert info.move == "3"
    assert info.scores[1] > 0.3


def test_the_same_seed_gives_the_same_search(heap: Game) -> None:
    position = triskele.new("heap", size=30)
    for name in ("uct", "mcts", "alphabeta"):
        assert solved(name, position, 500).scores == solved(name, position, 500).scores


def test_a_tree_is_kept_for_the_next_move(heap: Game) -> None:
    search = TreeSearch(heap)
    position = triskele.new("heap", size=40)
    list(search.analyse(position, Limits(nodes=400)))
    before = search._trees[0]
    node = before.children(0).start + int(np.argmax(before.nodes[before.children(0), VISITS]))
    visits, total = int(before.nodes[node, VISITS]), float(before.totals[node])
    assert visits > 50
    position.push(position.variant.move(int(before.nodes[node, MOVE])))
    search._prepare_trees(a_task(position))
    kept = search._trees[0]
    assert (int(kept.nodes[0, VISITS]), float(kept.totals[0])) == (visits, total)
    assert_a_tree(kept)
    search._prepare_trees(a_task(triskele.new("heap", size=39)))
    assert int(search._trees[0].nodes[0, VISITS]) == 0, "another line begins anew"


def a_task(position: Position) -> Task:
    return Task(position, 0, Limits(), FULL, [], threading.Event())


def assert_a_tree(tree: Tree) -> None:
    """Every node is the child of one other, and no visit of a child was not one of its parent."""
    seen = [0]
    for node in seen:
        children = tree.children(node)
        seen += range(children.start, children.stop)
        assert tree.nodes[children, VISITS].sum() <= tree.nodes[node, VISITS]
    assert sorted(seen) == list(range(int(tree.control[NODE_COUNT])))


def test_proven_results_are_worth_what_they_are() -> None:
    assert proven_for(1, 0) == 0.0
    assert [proven_for(0b10 + 1, seat) for seat in range(3)] == [-1.0, 1.0, -1.0]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_game_with_dice_and_several_seats_is_played(race: Game, players: int) -> None:
    position = triskele.new("race", players=players, goal=3)
    while position.turn is not None:
        if position.turn == triskele.CHANCE:
            position.push("4")
            continue
        info = solved("mcts", position, 200)
        assert abs(sum(info.scores)) < 1e-6
        position.push(info.move)
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.winners


def test_a_sure_win_by_the_die_is_proven(race: Game) -> None:
    position = triskele.new("race", goal=1)
    while position.turn != triskele.CHANCE:
        position.push("=1")
    position.push("2")
    info = solved("mcts", position, 500)
    assert (info.move, info.proven, info.scores) == ("add", 1, (1.0, -1.0))


@pytest.mark.parametrize("name", ["mcts", "uct"])
def test_games_of_any_chance_are_played(pig: Game, urn: Game, name: str) -> None:
    for game in (pig, urn):
        position, rng = triskele.new(game.name), random.Random(1)
        while position.turn is not None:
            if position.turn == triskele.CHANCE:
                position.push(position.draw(rng.randrange))
            else:
                position.push(solved(name, position, 60).move)
        assert position.outcome() is not None


def test_outcomes_are_visited_as_often_as_they_weigh(urn: Game) -> None:
    """Nine balls of ten are red; so are nine visits of ten, give or take four standard deviations."""
    position = triskele.new("urn", red=9, black=1)
    position.push("draw")
    variant, root, number = position.variant, position.state, 2000
    tree = Tree(variant, root, 10_000, new_rng(1))
    tree.run(urn.linker.best(GROW), number)
    plain = uct.new_tree(variant, root, new_rng(1), 10_000)
    urn.linker.best(uct.GROW)(plain, number)
    for grown in (tree.nodes, plain.nodes):
        first = int(grown[0, uct.FIRST])
        assert grown[first : first + 2, uct.MOVE].tolist() == [2, 3]
        black, red = grown[first : first + 2, uct.VISITS].tolist()
        assert number - 1 <= black + red <= number
        assert abs(black - 0.1 * number) < 4 * (0.1 * 0.9 * number) ** 0.5


def test_a_full_tree_stops_growing(heap: Game) -> None:
    variant = heap.variant({"size": 60})
    tree = Tree(variant, variant.first_state(), 50, new_rng(1))
    assert tree.run(heap.linker.best(GROW), 500) == 500
    assert tree.control[NODE_COUNT] <= 50


def test_table_entries_keep_what_is_packed_into_them() -> None:
    for value in (-1_000_000, -1, 0, 77, 999_990):
        data = pack_entry(12345, 7, LOWER_BOUND, value, 511)
        assert (entry_move(data), entry_depth(data), entry_bound(data)) == (12345, 7, LOWER_BOUND)
        assert (entry_value(data), entry_generation(data)) == (value, 511)
        assert 0 <= data < 1 << 63


def test_a_search_goes_on_where_it_was_interrupted(heap: Game) -> None:
    """Cut into slices of one node or in one piece: the same search."""
    root = triskele.new("heap", size=17).state
    found = []
    for budget in (1, 10_000):
        driver = SearchDriver(search_program(heap, np.zeros(1, dtype=np.int32)))
        driver.provide(len(root), 1 << 12)
        driver.start(heap.linker.best(START_SEARCH), root, question_words(FULL, seat=0, nodes=None, seed=0))
        while driver.resume(heap.linker.best(RESUME_SEARCH), budget) != SETTLED:
            pass
        found.append(driver.found())
    assert found[0] == found[1]
    assert found[0].nodes > 10


def test_several_lines_begin_with_different_moves_and_the_first_is_the_best(heap: Game) -> None:
    position = triskele.new("heap", size=23)
    best = engine("alphabeta", "heap").search(position, Limits(nodes=20_000))
    several = engine("alphabeta", "heap").search(position, Limits(nodes=20_000, lines=5))
    assert len(several.lines) == len({line[0] for line in several.lines}) == len(position.legal_moves)
    assert (several.scores, several.proven) == (best.scores, best.proven)
