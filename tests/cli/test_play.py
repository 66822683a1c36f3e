"""Playing through the prompt, with lines instead of a keyboard."""

import json
import random
import re
import sys
from pathlib import Path

import pytest

import triskele
from triskele.cli import save_files
from triskele.cli.play import Session
from triskele.cli.table import Table, contribution, new_table
from triskele.cli.terminal import Terminal
from triskele.core.game import game, games
from triskele.core.records import load


def kept() -> list[Path]:
    """The files of all games, those that are not over first, the last one first."""
    return [*save_files.unfinished_paths(), *(save_files.folder() / "finished").glob("*.json")]


def test_a_whole_game_by_texts(run, moves):
    made = moves("yinsh")
    done = run("play", "yinsh", typed=made)
    assert done.code == 0
    assert "The game is over" in done.out
    record = load(kept()[0])
    assert [move.text for move in record.moves] == made
    assert record.outcome is not None
    assert record.seats == ("person", "person")
    assert save_files.last_unfinished() is None


def test_a_whole_game_by_tokens(run, moves):
    position = triskele.new("trypsylon")
    lines = []
    for text in moves("trypsylon"):
        lines += position.find(text).tokens  # one to a line
        position.push(text)
    assert run("play", "trypsylon", typed=lines).code == 0
    assert [move.text for move in load(kept()[0]).moves] == moves("trypsylon")


def test_a_whole_game_against_random_movers_with_secrets(run, tmp_path: Path):
    path = tmp_path / "game.json"
    hexes = [f"{row}{number}" for row, low, high in (("a", 1, 5), ("b", 1, 6), ("c", 1, 7), ("d", 1, 8), ("e", 1, 9),
             ("f", 2, 9), ("g", 3, 9), ("h", 4, 9), ("i", 5, 9)) for number in range(low, high + 1)]  # fmt: skip
    typed = ["=BBB"]
    for place in hexes:
        typed += [f"B {place}", "."]  # refused where a tile lies already; the end of a turn that has not begun too
    typed += [f"W {place}" for place in hexes] + ["!1", ""]
    options = ("--option", "players=3", "--seats", "person,random", "--seed", "3")
    done = run("play", "tryptic", *options, "--save", path, typed=typed)
    assert done.code == 0
    assert load(path).outcome is not None
    assert "Pass the keyboard" not in done.out


def test_a_game_with_dice_can_be_proved(run, tmp_path: Path):
    rng = random.Random(11)
    table = new_table(game("tryad").variant({"players": 3}), ("person", "random", "random"), rng, repeatable=True)
    table.dice.give(0, contribution(rng, repeatable=True))
    typed = []
    while not table.over:
        move = table.automatic_move(rng)
        if move is None:
            move = table.position.legal_moves[0]
            typed.append(move.text)
        table.push(move)
    path = tmp_path / "game.json"
    options = ("--option", "players=3", "--seats", "person,random", "--seed", "11")
    done = run("play", "tryad", *options, "--save", path, typed=typed)
    assert typed
    assert [move.text for move in load(path).moves] == [move.text for move in table.position.moves]
    dice = json.loads(path.read_text())["dice"]
    assert done.out.index(dice["commitment"]) < done.out.index("Die: ") < done.out.index(dice["secret"])
    # A person who entered nothing has still given a seed; a random mover never has one.
    assert dice["seeds"][0]
    assert dice["seeds"][1:] == [None, None]
    assert f"triskele verify {path}" in done.out.replace("\n", " ")
    assert run("verify", path).code == 0


def test_equal_seeds_play_equal_games(run, tmp_path: Path):
    texts = []
    for name in ("a.json", "b.json"):
        run("play", "tryad", "--seats", "random", "--seed", "9", "--save", tmp_path / name)
        texts.append([move.text for move in load(tmp_path / name).moves])
    assert texts[0] == texts[1]
    run("play", "tryad", "--seats", "random", "--seed", "10", "--save", tmp_path / "c.json")
    assert [move.text for move in load(tmp_path / "c.json").moves] != texts[0]


# --- commands -----------------------------------------------------------------------------------


def test_undo_save_and_resume(run, tmp_path: Path):
    path = tmp_path / "my game.json"
    done = run("play", "yinsh", typed=["e5", "f6", "undo", "g7", f"save {path}", "h8"])
    assert "Taken back: f6" in done.out
    saved = load(path)
    assert [move.text for move in saved.moves] == ["e5", "g7"]
    before = path.read_bytes()
    again = run("resume", path, typed=["b2"])
    assert again.code == 0
    assert "White>" in again.out
    assert path.read_bytes() == before  # what was saved stays; going on is kept elsewhere
    assert [[move.text for move in load(p).moves] for p in kept()] == [["e5", "g7", "b2"], ["e5", "g7", "h8"]]
    last = run("play", "--resume", typed=["c3"])
    assert last.code == 0
    assert len(kept()) == 2
    assert [move.text for move in load(kept()[0]).moves] == ["e5", "g7", "b2", "c3"]


def test_undo_against_a_random_mover(run):
    done = run("play", "yinsh", "--seats", "person,random", "--seed", "1", typed=["e5", "undo", "f6", "record"])
    taken = re.search(r"Taken back: e5 (\w+)", done.out)
    assert taken is not None
    assert "1 White f6" in done.out


def test_undo_starts_a_half_entered_move_over(run):
    rings = ["e5", "b2", "f6", "c3", "g7", "d6", "h8", "e8", "i9", "j7"]
    done = run("play", "yinsh", typed=[*rings, "e5", "undo", "f6", "f9"])
    assert "White e5> undo" in done.out
    assert "White> f6" in done.out
    assert "Taken back" not in done.out
    assert load(kept()[0]).moves[-1].text == "f6-f9"


def test_an_empty_line_starts_a_half_entered_move_over(run):
    rings = ["e5", "b2", "f6", "c3", "g7", "d6", "h8", "e8", "i9", "j7"]
    run("play", "yinsh", typed=[*rings, "e5", "", "f6 f9"])
    assert load(kept()[0]).moves[-1].text == "f6-f9"


def test_commands_with_and_without_colon(run):
    done = run("play", "yinsh", typed=["help", ":h", "moves", "moves f", ":board", "record", ":zz", ":", "quit"])
    assert done.code == 0
    assert done.out.count("save FILE      save the game") == 2
    assert "85 legal moves" in done.out
    assert "9 legal moves" in done.out
    assert "Unknown command" in done.out
    assert kept() == []  # nobody has moved: there is nothing to keep


def test_help_is_the_page_of_the_game(run):
    page = (Path(triskele.__file__).parent / "games" / "yinsh" / "help" / "en.md").read_text()
    heading = next(line.lstrip("# ") for line in page.splitlines() if line.startswith("## "))
    assert heading in run("play", "yinsh", typed=["help"]).out


def test_illegal_moves_are_explained_and_change_nothing(run):
    done = run("play", "yinsh", typed=["e5", "e5", "z9", "e5-e6", "pass", "\x00\x1b[31m", "x" * 5000, "e6"])
    assert "e5 is not empty" in done.out
    assert [move.text for move in load(kept()[0]).moves] == ["e5", "e6"]


def test_saving_where_it_cannot_be_is_refused(run, tmp_path: Path):
    (tmp_path / "file").write_text("mine")
    targets = [tmp_path / "file" / "below", tmp_path / "missing" / "game.json", tmp_path]
    done = run("play", "yinsh", typed=["e5", *(f"save {target}" for target in targets), "save", "f6"])
    assert done.code == 0
    assert " ".join(done.out.split()).count("cannot be written") == 3
    assert "say where" in done.out
    assert (tmp_path / "file").read_text() == "mine"
    assert [move.text for move in load(kept()[0]).moves] == ["e5", "f6"]


def test_what_is_no_game_is_not_saved_over(run, tmp_path: Path):
    mine = tmp_path / "thesis.txt"
    mine.write_text("years of work")
    done = run("play", "yinsh", typed=["e5", f"save {mine}"])
    assert "is not a saved game" in " ".join(done.out.split())
    refused = run("play", "yinsh", "--save", mine, typed=["e5"])
    assert refused.code == 1
    assert mine.read_text() == "years of work"
    game_file = tmp_path / "game.json"
    run("play", "yinsh", typed=["e5", f"save {game_file}", "f6", f"save {game_file}"])
    assert len(load(game_file).moves) == 2


def test_a_data_folder_that_cannot_be_written_is_named_once(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "file").write_text("mine")
    monkeypatch.setenv("TRISKELE_DATA", str(tmp_path / "file"))
    saved = tmp_path / "game.json"
    done = run("play", "yinsh", typed=["e5", "f6", "g7", f"save {saved}"])
    assert done.code == 0
    assert done.out.count("is not being saved") == 1
    assert [move.text for move in load(saved).moves] == ["e5", "f6", "g7"]
    assert run("resume").code == 1


def test_after_the_game_there_is_a_prompt(run, moves, tmp_path: Path):
    made = moves("yinsh", blitz=True)
    path = tmp_path / "game.json"
    typed = [*made, "record", "e5", f"save {path}", "undo", made[-1], "", "never read"]
    done = run("play", "yinsh", "--option", "blitz=true", typed=typed)
    assert done.code == 0
    assert done.out.count("The game is over") == 2
    assert [move.text for move in load(path).moves] == [move.text for move in load(kept()[0]).moves] == made


# --- secrets at one screen --------------------------------------------------------------------------


def test_people_with_secrets_pass_the_keyboard(run):
    done = run("play", "tryptic", typed=["=BGR", "Y Y", "W", "Re5", ".", "Ga1"])
    assert done.out.count("Pass the keyboard to: Player 1") == 2
    assert done.out.count("Pass the keyboard to: Player 2") == 2
    # What was typed in secret is not shown, not even in a transcript; the board of its owner shows it.
    assert "> =BGR" not in done.out
    second = done.out.split("Pass the keyboard to: Player 2")[1].split("Pass the keyboard")[0]
    assert "BGR" not in second
    assert "Player 1: =***" in second
    first = done.out.split("Pass the keyboard to: Player 1")[2].split("Pass the keyboard")[0]
    assert "BGR" in first
    assert "WYY" not in first


def test_a_refused_secret_is_not_repeated(run):
    done = run("play", "tryptic", typed=["=QQQ", "QQQ"])
    assert "QQQ" not in done.out
    assert "try again" in done.out


def test_undo_is_not_there_in_a_game_with_secrets(run):
    done = run("play", "tryptic", typed=["=BGR", "=WYY", "Re5", "undo", ":undo"])
    assert "· undo ·" not in done.out
    assert done.out.count("in a game with hidden information nothing can be taken back") == 2
    assert len(json.loads(kept()[0].read_text())["record"]["moves"]) == 3


def test_anybody_may_announce_at_any_prompt(run):
    typed = ["=YYY", "=BGR", "Ba1", ".", "Ga2", ".", "Ra3", "!2"]
    done = run("play", "tryptic", "--option", "goal=1", typed=typed)
    assert "Others may enter at any time: !2" in done.out
    assert "Player 2 wins" in done.out


def test_a_game_against_an_engine_with_hints_is_taken_up_again(run, tmp_path: Path):
    path = tmp_path / "game.json"
    typed = ["e5", "hint", "undo", "f6", "quit"]
    done = run("play", "yinsh", "--seats", "person,1", "--seed", "1", "--save", path, typed=typed)
    assert "Black: computer (level 1)" in done.out
    assert "keeps the game even" in done.out
    record = load(path)
    assert (record.seats, len(record.moves), record.moves[0].text) == (("person", "triskele:level=1"), 2, "f6")
    again = run("resume", path, typed=["g7", "quit"])
    assert "Black: computer (level 1)" in again.out
    assert len(load(path).moves) == 2  # a copy is played on
    assert run("resume", path, "--seats", "random", typed=[]).code == 0


def test_a_file_starts_no_program(run, tmp_path: Path):
    path = tmp_path / "game.json"
    table = new_table(
        game("yinsh").variant({}), ("person", f"cmd:touch {tmp_path / 'started'}"), random.Random(1), True
    )
    path.write_text(table.record().to_json())
    done = run("resume", path, typed=["e5"])
    assert done.code != 0
    assert "--seats" in done.err
    assert not (tmp_path / "started").exists()


def test_a_program_that_does_not_play_ends_the_game_and_loses_nothing(run, tmp_path: Path):
    path = tmp_path / "game.json"
    seats = f"person,cmd:{sys.executable} -c pass"
    done = run("play", "yinsh", "--seats", seats, "--save", path, typed=["e5", "f6"])
    assert done.code != 0
    assert "ended unexpectedly" in done.err
    assert str(path) in done.out
    assert [move.text for move in load(path).moves] == ["e5"]


def test_nobody_announces_for_a_random_mover(run):
    typed = ["=BGR", "!2", "Re5"]
    done = run("play", "tryptic", "--seats", "person,random", "--seed", "1", typed=typed)
    assert "Player 2 is not played by a person" in done.out
    assert "Others may enter" not in done.out
    assert "wins" not in done.out


class Typist(Terminal):
    """A person at a keyboard, for whom the lines are known."""

    def __init__(self, *lines: str) -> None:
        super().__init__()
        self.interactive = True
        self.lines = list(lines)
        self.prompts: list[str] = []

    def ask(self, prompt: str, completer: object = None, remember: bool = True) -> str:
        self.prompts.append(prompt)
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)


@pytest.mark.parametrize("answer", ["!2", ""])
def test_the_only_person_may_announce_before_random_movers_go_on(home, capsys, answer: str):
    position = triskele.new("tryptic", goal=1)
    for move in ("=YYY", "=BGR", "Ba1", ".", "Ga2", ".", "Ra3", ".", "We5", "."):
        position.push(move)
    typist = Typist(answer)
    session = Session(Table(position, ("random", "person")), typist, random.Random(1))
    session.run()
    assert typist.prompts[0].startswith("Player 2: enter !2")
    assert ("Player 2 wins" in capsys.readouterr().out) == (answer == "!2")


def test_a_kept_game_with_secrets_goes_on(run):
    run("play", "tryptic", typed=["=BGR"])
    assert "BGR" not in kept()[0].read_text()
    done = run("resume", typed=["=WWY", "Re5", ".", "Ga1"])
    assert done.code == 0
    assert len(kept()) == 1
    assert len(json.loads(kept()[0].read_text())["record"]["moves"]) == 5


# --- the chooser ----------------------------------------------------------------------------------


def test_the_chooser_leads_to_a_game(run):
    number = [declared.name for declared in games()].index("yinsh") + 1
    typed = ["9999", "chess", str(number), "blitz=maybe", "blitz=true", "cat", "", "p", "e5"]
    done = run(typed=typed)
    assert done.code == 0
    assert "YINSH  blitz=true" in done.out
    assert "White: a person · Black: a person" in done.out
    assert [move.text for move in load(kept()[0]).moves] == ["e5"]


def test_the_chooser_offers_the_last_game(run):
    run("play", "yinsh", typed=["e5"])
    done = run("play", typed=["0", "f6"])
    assert "Resume the last game: YINSH, 1 move," in done.out
    assert [move.text for move in load(kept()[0]).moves] == ["e5", "f6"]
