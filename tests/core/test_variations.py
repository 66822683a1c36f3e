"""Comments and variations: edited as a tree, kept in records, and nothing of it taken on trust."""

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import triskele
from triskele.core.document import Item
from triskele.core.errors import IllegalMove, RecordError
from triskele.core.position import Position
from triskele.core.records import FORMAT, FORMAT_ANNOTATED, Record, load, save
from triskele.core.variations import (
    COMMENT_LIMIT,
    DEPTH_LIMIT,
    NODES_LIMIT,
    GameTree,
    Line,
    annotations_along,
    read_line,
)

PLACES = ("e5", "e6", "c4", "k10")
comments = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"], include_characters="\n"), max_size=40)


def grown(start: Position, seed: int, size: int) -> GameTree:
    """Return a tree with moves at random nodes, some of them commented, marked, promoted and deleted."""
    chance, tree = random.Random(seed), GameTree(start)
    paths: list[tuple[int, ...]] = [()]
    for number in range(size):
        path = chance.choice(paths)
        legal = tree.position(path).legal_moves
        if legal:
            path = tree.push(path, chance.choice(legal))
        if number % 3 == 0:
            tree.comment(path, f"number {number}\nsecond line")
            tree.mark(path, [["e5"], ["e5", "e6"]][: chance.randint(0, 2)])
        if number % 7 == 6:
            path = tree.promote(path)
        if number % 11 == 10 and path:
            tree.delete(path)
        paths = [(), *(found for found, _ in tree.walk())]
    return tree


def document_of(tree: GameTree) -> dict[str, Any]:
    written: dict[str, Any] = json.loads(Record.of_tree(tree, date="2026-11-18").to_json())
    return written


def refused(document: dict[str, Any]) -> str:
    with pytest.raises(RecordError) as caught:
        Record.from_json(json.dumps(document)).replay()
    return str(caught.value)


@pytest.fixture(scope="module")
def tree() -> GameTree:
    """Return an opening of YINSH with a comment, and a variation that has one of its own."""
    tree = GameTree(triskele.new("yinsh"))
    path = tree.push((), "e5")
    tree.push(path, "c4")
    beside = tree.push(path, "g7")
    tree.comment(beside, "far away")
    tree.push(beside, "e6")
    tree.push(beside, "f6")
    return tree


# --- moves that went another way ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("moves", "kept"),
    [
        (["e5", "c4", "a2"], [(0, 0), (1, 1), (2, 0)]),  # played on
        (["e5", "c4"], [(0, 0), (1, 1), (2, 0)]),
        (["e5", "b1"], [(0, 0), (1, 1)]),  # another move in the place of c4
        (["e5", "g7"], [(0, 0), (1, 0)]),  # the variation itself
        (["e5"], [(0, 0), (1, 0)]),
        (["a2", "c4"], [(0, 0)]),
    ],
)
def test_what_was_said_stays_with_the_moves_that_stand(
    tree: GameTree, moves: list[str], kept: list[tuple[int, int]]
) -> None:
    told = GameTree(tree.start, tree.line())
    for path, words in (((), "begin"), ((0,), "here"), ((0, 0), "there")):
        told.comment(path, words)
    found = annotations_along(told.line(), moves)
    assert [(each.at, len(each.variations)) for each in found] == kept
    position = tree.start.copy()
    for move in moves:
        position.push(move)
    Record.of(position, annotations=found).replay()


# --- there and back -------------------------------------------------------------------------------


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), size=st.integers(0, 40), name=st.sampled_from([g.name for g in triskele.games()]))
def test_a_tree_comes_back_from_its_record(seed: int, size: int, name: str) -> None:
    tree = grown(triskele.new(name), seed, size)
    record = Record.from_json(Record.of_tree(tree).to_json())
    assert record.tree().root == tree.root
    assert record.line() == tree.line()
    assert Record.from_json(record.to_json()) == record


@settings(max_examples=25, deadline=None)
@given(said=comments)
def test_comments_of_any_characters_come_back(said: str) -> None:
    tree = GameTree(triskele.new("trypsylon"))
    tree.comment(tree.push((), "b3"), said)
    assert Record.from_json(Record.of_tree(tree).to_json()).tree().node((0,)).comment == said


def test_a_record_without_annotations_is_written_as_before(tree: GameTree) -> None:
    plain = Record.of_tree(GameTree(tree.start, Line(("e5", "c4"))), date=None)
    assert plain.document()["format"] == FORMAT
    assert "annotations" not in plain.document()
    assert Record.of_tree(tree, date=None).document()["format"] == FORMAT_ANNOTATED


def test_a_record_may_begin_in_the_middle(tmp_path: Any) -> None:
    middle = triskele.new("yinsh")
    for move in ("e5", "c4", "e4"):
        middle.push(move)
    tree = GameTree(middle)
    tree.push((), "c5")
    record = Record.of_tree(tree)
    assert record.start == str(middle)
    save(record, tmp_path / "game.json")
    assert str(load(tmp_path / "game.json").replay()) == str(tree.position((0,)))
    with pytest.raises(RecordError, match="began elsewhere"):
        Record.of(triskele.position(str(middle)))


def test_a_start_of_another_game_is_refused(tree: GameTree) -> None:
    document = document_of(tree)
    document["start"] = str(triskele.new("trypsylon"))
    assert refused(document).startswith("start: ")
    document["start"] = "yinsh: nothing"
    assert refused(document).startswith("start: ")


# --- editing --------------------------------------------------------------------------------------


def test_a_move_that_is_there_is_not_added_again(tree: GameTree) -> None:
    twin = GameTree(tree.start, tree.line())
    assert twin.push((0,), "g7") == (0, 1)
    assert twin.root == tree.root


def test_an_illegal_move_changes_nothing(tree: GameTree) -> None:
    before = tree.line()
    with pytest.raises(IllegalMove):
        tree.push((0,), "e5")
    assert tree.line() == before


def test_promoting_makes_a_variation_the_main_line(tree: GameTree) -> None:
    twin = GameTree(tree.start, tree.line())
    assert twin.promote((0, 1)) == (0, 0)
    assert twin.moves(twin.main()) == ["e5", "g7", "e6"]
    assert twin.line().annotations[0].variations == (Line(("c4",)),)


def test_deleting_takes_all_below(tree: GameTree) -> None:
    twin = GameTree(tree.start, tree.line())
    assert twin.delete((0, 1)) == (0,)
    assert twin.line() == Line(("e5", "c4"))
    twin.delete(())
    assert twin.line() == Line()


# --- what is refused, and where -------------------------------------------------------------------


def test_an_illegal_variation_is_named(tree: GameTree) -> None:
    document = document_of(tree)
    document["annotations"][0]["variations"][0]["moves"][1] = "g7"
    said = refused(document)
    assert said.startswith("annotations[0].variations[0].moves[1]: move 3 cannot be made")


def test_an_illegal_variation_of_a_variation_is_named(tree: GameTree) -> None:
    document = document_of(tree)
    document["annotations"][0]["variations"][0]["annotations"][0]["variations"][0]["moves"] = ["z9"]
    inner = "annotations[0].variations[0].annotations[0].variations[0].moves[0]"
    assert refused(document).startswith(f"{inner}: ")


def test_ten_thousand_nodes_are_refused(tree: GameTree) -> None:
    document = document_of(tree)
    lines = [{"moves": [f"m{number}"] * 100} for number in range(100)]
    document["annotations"][0]["variations"] = lines
    place = f"annotations[0].variations[{NODES_LIMIT // 100}].moves"
    assert refused(document) == f"{place}: all variations together have more than {NODES_LIMIT} moves"


def test_an_endless_comment_is_refused(tree: GameTree) -> None:
    document = document_of(tree)
    document["annotations"][0]["comment"] = "x" * (COMMENT_LIMIT + 1)
    assert refused(document).startswith("annotations[0].comment: ")
    with pytest.raises(RecordError):
        tree.comment((), "x" * (COMMENT_LIMIT + 1))


def test_variations_without_end_of_variations_are_refused(tree: GameTree) -> None:
    line: dict[str, Any] = {"moves": ["a", "b"]}
    for _ in range(DEPTH_LIMIT + 1):
        line = {"moves": ["a", "b"], "annotations": [{"at": 1, "variations": [{**line, "moves": ["c", "b"]}]}]}
    with pytest.raises(RecordError, match=f"more than {DEPTH_LIMIT} deep"):
        read_line(Item(line))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"at": 9}, "annotations[0].at"),
        ({"at": -1}, "annotations[0].at"),
        ({"comment": 5}, "annotations[0].comment"),
        ({"comment": "\x07"}, "annotations[0].comment"),
        ({"marks": [["e5", "e5"]]}, "annotations[0].marks[0]"),
        ({"marks": [["e5", "e6", "e7"]]}, "annotations[0].marks[0]"),
        ({"marks": [[]]}, "annotations[0].marks[0]"),
        ({"variations": [{"moves": []}]}, "annotations[0].variations[0].moves"),
        ({"variations": [{"moves": ["c4"]}]}, "annotations[0].variations[0]: the move c4"),
        ({"at": 2}, "annotations[0].variations[0]: a variation belongs to a move"),
        ({"colour": "red"}, "annotations[0]"),
    ],
)
def test_what_has_not_the_form_is_named(tree: GameTree, change: dict[str, Any], said: str) -> None:
    document = document_of(tree)
    document["annotations"][0] |= change
    assert refused(document).startswith(said)


def test_annotations_stand_in_order(tree: GameTree) -> None:
    document = document_of(tree)
    document["annotations"].append({"at": 0, "comment": "too late"})
    assert refused(document).startswith("annotations[1]")


def test_an_older_record_has_no_annotations(tree: GameTree) -> None:
    document = document_of(tree) | {"format": FORMAT}
    assert "annotations" in refused(document)
