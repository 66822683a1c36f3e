"""Files that keep games: whole, without secrets to read, and refused when anything is wrong with them."""

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

import triskele
from triskele.cli import save_files
from triskele.cli.table import PERSON, RANDOM, Refused, Table, new_table
from triskele.core.game import game, games
from triskele.core.records import Record
from triskele.core.variations import GameTree


def played(name: str, moves: int = 9, **options: object) -> Table:
    rng = random.Random(7)
    variant = game(name).variant(options)
    table = new_table(variant, [PERSON] + [RANDOM] * (variant.seats - 1), rng, repeatable=True)
    if table.dice is not None:
        table.dice.give(0, "my word")
    while len(table.position.moves) < moves and not table.over:
        move = table.automatic_move(rng)
        table.push(move or rng.choice(table.position.legal_moves))
    return table


@pytest.mark.parametrize("name", [declared.name for declared in games()])
def test_a_kept_game_goes_on_as_it_was(name: str, tmp_path: Path):
    path = tmp_path / "game.json"
    table = played(name)
    save_files.save(table, path)
    again = save_files.open_table(path)
    assert again.position == table.position
    assert again.position.moves == table.position.moves
    assert again.occupants == table.occupants
    assert again.record() == table.record()
    rng = random.Random(8)
    one, other = (t.automatic_move(random.Random(8)) for t in (table, again))
    assert one == other
    if one is None:
        move = rng.choice(table.position.legal_moves)
        table.push(move)
        again.push(move)
    assert again.position == table.position


def test_secrets_cannot_be_read_in_the_file(tmp_path: Path):
    table = new_table(game("tryptic").variant(), (PERSON, PERSON), random.Random(1), repeatable=True)
    table.push("=BGR")
    table.push("=WWY")
    text = save_files.save_text(table)
    assert "BGR" not in text
    assert "WWY" not in text
    rolled = played("tryad")
    assert rolled.dice.dice.secret.hex() not in save_files.save_text(rolled)


def test_a_game_without_secrets_is_kept_as_its_record():
    text = save_files.save_text(played("yinsh"))
    assert json.loads(text)["format"] == "triskele-record/1"


@pytest.mark.parametrize("name", [declared.name for declared in games()])
def test_every_truncation_is_refused(name: str, tmp_path: Path):
    whole = save_files.save_text(played(name)).rstrip().encode()
    path = tmp_path / "cut.json"
    for length in range(0, len(whole), 7):
        path.write_bytes(whole[:length])
        with pytest.raises(triskele.RecordError, match=r"cut\.json"):
            save_files.open_table(path)


def test_a_damaged_seal_is_noticed(tmp_path: Path):
    path = tmp_path / "game.json"
    document = json.loads(save_files.save_text(played("tryptic")))
    sealed = document["sealed"]
    for broken in ("", "AAAA", "%%%", sealed[:-8], sealed[:50] + ("A" if sealed[50] != "A" else "B") + sealed[51:]):
        path.write_text(json.dumps({**document, "sealed": broken}))
        with pytest.raises(triskele.RecordError):
            save_files.open_table(path)


def test_a_seal_does_not_open_another_game(tmp_path: Path):
    path = tmp_path / "game.json"
    document = json.loads(save_files.save_text(played("tryad", 9)))
    other = json.loads(save_files.save_text(played("tryad", 11)))
    path.write_text(json.dumps({**document, "sealed": other["sealed"]}))
    with pytest.raises(triskele.RecordError):
        save_files.open_table(path)
    stranger = json.loads(save_files.save_text(played("tryptic", 9)))
    path.write_text(json.dumps({**document, "sealed": stranger["sealed"]}))
    with pytest.raises(triskele.RecordError):
        save_files.open_table(path)


def test_a_record_with_dice_but_without_their_secret_cannot_go_on(tmp_path: Path):
    path = tmp_path / "game.json"
    path.write_text(played("tryad").record().to_json())
    with pytest.raises(Refused, match="dice"):
        save_files.open_table(path)


def test_a_finished_game_cannot_go_on(tmp_path: Path):
    path = tmp_path / "game.json"
    save_files.save(played("yinsh", 100_000), path)
    with pytest.raises(Refused, match="over"):
        save_files.open_table(path)


def test_the_last_game_is_found_among_rubbish(home: Path):
    folder = save_files.folder()
    assert save_files.last_unfinished() is None
    folder.mkdir(parents=True)
    save_files.save(played("yinsh", 5), folder / "a.json")
    (folder / "b.json").write_bytes(b"\xff\x00 rubbish")
    (folder / "c.json").mkdir()
    save_files.save(played("yinsh", 100_000), folder / "d.json")
    path, table = save_files.last_unfinished()
    assert path == folder / "a.json"
    assert len(table.position.moves) == 5


@pytest.mark.parametrize("name", ["yinsh", "tryptic"])
def test_comments_and_variations_of_a_resumed_game_stay_with_it(name: str, tmp_path: Path):
    table = played(name, moves=4)
    tree = GameTree(triskele.new(name, **dict(table.variant.options)))
    path: tuple[int, ...] = ()
    for move in table.position.moves:
        beside = next(legal for legal in tree.position(path).legal_moves if legal != move)
        path, before = tree.push(path, move), path
        tree.comment(tree.push(before, beside), "a secret thought")
    record = replace(Record.of_tree(tree), seats=(PERSON, *[RANDOM] * (table.variant.seats - 1)))
    path_of_file = tmp_path / "game.json"
    path_of_file.write_text(record.to_json())
    again = save_files.open_table(path_of_file)
    assert again.annotations == record.annotations
    text = save_files.save_text(again)
    assert ("a secret thought" in text) == (name == "yinsh"), "variations may tell what is hidden"
    path_of_file.write_text(text)
    resumed = save_files.open_table(path_of_file)
    assert resumed.annotations == record.annotations
    resumed.position.pop()
    assert len(resumed.annotations) == len(record.annotations) - 1
