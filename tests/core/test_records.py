import json
import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.fuzz import read_or_refuse
from triskele.core.contract import CHANCE
from triskele.core.dice import DiceBox
from triskele.core.errors import IllegalMove, RecordError
from triskele.core.files import FileError
from triskele.core.game import Game, games
from triskele.core.position import Position, position
from triskele.core.record_parts import AGREED, MOVES_LIMIT, RESIGN, TIME, Ended
from triskele.core.records import BYTES_LIMIT, SPECTATOR, Record, load, save
from triskele.core.words import LANGUAGES, catalogue

Document = dict[str, Any]


@pytest.fixture(scope="module")
def finished(play: Any) -> Record:
    """Return a finished game with everything in it: times, names, dice with their secret."""
    box = DiceBox(2, faces=4, secret=bytes(32), id="table-7", seeds=("Ann's", None), closed=True)
    last = play(5, roll=box.roll)
    times = [None if i % 7 == 3 else 100 * i for i in range(len(last.moves))]
    record = Record.of(last, seats=("Ann", "engine, level 3"), date="2026-03-13", times=times, dice=box.block())
    return box.disclose(record)


@pytest.fixture
def document(finished: Record) -> Document:
    document: Document = json.loads(finished.to_json())
    return document


def refused(document: Any) -> str:
    with pytest.raises(RecordError) as caught:
        Record.from_json(document if isinstance(document, str | bytes) else json.dumps(document))
    return str(caught.value)


# --- there and back -------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    moves=st.integers(0, 60),
    players=st.integers(2, 4),
    names=st.lists(st.text(st.characters(exclude_categories=["C", "Zl", "Zp"]), min_size=1, max_size=100), min_size=4),
    timed=st.booleans(),
)
def test_round_trip(play: Any, seed: int, moves: int, players: int, names: list[str], timed: bool) -> None:
    last = play(seed, moves, players=players)
    times = [random.Random(seed).randrange(10**6) for _ in last.moves] if timed else None
    record = Record.of(last, seats=names[:players], times=times)
    again = Record.from_json(record.to_json())
    assert again == record
    assert again == Record.from_json(record.to_json().encode())
    assert again.to_json() == record.to_json()
    replayed = again.replay()
    assert replayed == last
    assert [move.text for move in replayed.moves] == [move.text for move in last.moves]
    assert replayed.outcome() == last.outcome() == again.outcome


def test_every_game_round_trips() -> None:
    chooser = random.Random(1)
    for declared in games():
        for options in declared.option_sets:
            last = Position(declared.variant(options))
            for _ in range(12):
                if last.turn is not None:
                    last.push(chooser.choice(last.legal_moves))
            record = Record.from_json(Record.of(last).to_json())
            assert record.replay() == last
            assert record.house_rules == {name: last.variant.options[name] for name in declared.house_rules}


def test_positions_are_those_of_the_game(play: Any) -> None:
    last = play(11)
    lines = [str(position) for position in Record.of(last).positions()]
    assert len(lines) == len(last.moves) + 1
    for line in reversed(lines):
        assert str(last) == line
        if last.moves:
            last.pop()


def test_what_stands_in_the_document(finished: Record, document: Document) -> None:
    assert list(document) == [
        "format", "game", "options", "rules", "house_rules", "seats", "date", "moves", "outcome", "dice",
    ]  # fmt: skip
    assert document["format"] == "triskele-record/1"
    assert document["options"] == {"players": 2, "goal": 10, "rolls": 40}
    assert (document["rules"], document["house_rules"]) == (1, {"rolls": 40})
    assert document["moves"][0]["seat"] == 0
    assert "ms" not in document["moves"][3]
    assert document["moves"][2]["seat"] == "chance"
    # One line for each move, so that a tool for texts shows what differs.
    assert len(finished.to_json().splitlines()) == len(document) + len(document["moves"]) + 3


def test_interrupt_is_its_owner_s_move(play: Any) -> None:
    last = play(0, 4, players=3)
    last.push("!2")
    last.push(last.legal_moves[0])
    assert last.movers[4:] == [1, CHANCE if last.movers[-1] == CHANCE else 0]
    record = Record.from_json(Record.of(last).to_json())
    assert record.moves[4].seat == 1
    assert record.replay() == last


def test_date_is_now_unless_told(play: Any) -> None:
    assert re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", Record.of(play(1)).date or "")
    assert Record.of(play(1), date=None).date is None


def test_position_from_elsewhere_has_no_record(play: Any) -> None:
    with pytest.raises(RecordError, match="began elsewhere"):
        Record.of(position(str(play(1, 5))))


def test_names_must_fit_the_seats(play: Any) -> None:
    with pytest.raises(RecordError, match=r"^seats: there must be one for each seat: 2, not 3"):
        Record.of(play(1), seats=("a", "b", "c"))
    with pytest.raises(RecordError, match=r"^seats\[1\]: the text has line breaks"):
        Record.of(play(1), seats=("a", "b\n"))


# --- ends outside the rules -----------------------------------------------------------------------


def test_resignation_time_and_draw(play: Any) -> None:
    two, three = play(1, 4), play(1, 5, players=3)
    assert Ended(RESIGN, 1).outcome(2).winners == (0,)
    for game, ended, winners, scores in (
        (two, Ended(RESIGN, 0), (1,), (-1.0, 1.0)),
        (two, Ended(TIME, 1), (0,), (1.0, -1.0)),
        (two, Ended(AGREED), (), (0.0, 0.0)),
        (three, Ended(RESIGN, 1), (0, 2), (0.5, -1.0, 0.5)),
    ):
        record = Record.from_json(Record.of(game, ended=ended).to_json())
        assert record.ended == ended
        assert record.outcome is not None
        assert (record.outcome.winners, record.outcome.scores, record.outcome.reason) == (winners, scores, ended.kind)
        assert record.replay() == game
    assert Ended(RESIGN, 0).outcome(1).scores == (0.0,)


def test_a_game_that_is_over_cannot_end_again(play: Any, document: Document) -> None:
    with pytest.raises(RecordError, match=r"^ended: the game was already over"):
        Record.of(play(5), ended=Ended(AGREED))
    document["ended"] = {"kind": "agreed"}
    with pytest.raises(RecordError, match=r"^ended: the game was already over"):
        Record.from_json(json.dumps(document)).replay()


# --- secrets --------------------------------------------------------------------------------------


def test_record_in_progress_keeps_secrets(play: Any) -> None:
    in_progress = play(1, 8)
    secret = [move.text for move in in_progress.moves[:2]]
    for viewer, seen in ((0, [secret[0], "=*"]), (1, ["=*", secret[1]]), (SPECTATOR, ["=*", "=*"])):
        record = Record.from_json(Record.of(in_progress, viewer=viewer).to_json())
        assert record.viewer == viewer
        assert [move.text for move in record.moves[:2]] == seen
        assert [move.text for move in record.moves[2:]] == [move.text for move in in_progress.moves[2:]]
        with pytest.raises(RecordError, match="only what one viewer may know"):
            record.replay()
    assert Record.of(in_progress).viewer is None


def test_view_does_not_depend_on_what_is_hidden(play: Any) -> None:
    texts = set()
    for mine in ("=1", "=4"):
        game = play(1, 0)
        for move in (mine, "=2", "3", "skip"):
            game.push(move)
        texts.add(Record.of(game, viewer=1, date=None).to_json())
    assert len(texts) == 1


def test_finished_game_hides_nothing(play: Any) -> None:
    assert Record.of(play(5), viewer=SPECTATOR) == Record.of(play(5))
    resigned = Record.of(play(1, 8), viewer=1, ended=Ended(RESIGN, 0))
    assert resigned.viewer is None
    assert resigned.replay() == play(1, 8)


@pytest.mark.parametrize("viewer", ["somebody", 2, -1])
def test_viewer_must_be_there(play: Any, viewer: Any) -> None:
    with pytest.raises((RecordError, IllegalMove), match=r"viewer|no seat"):
        Record.of(play(1, 8), viewer=viewer)


# --- refused, with place and reason ---------------------------------------------------------------


def changed(document: Document, path: str, value: Any) -> Document:
    """Return the document with a value at a place such as ``moves.3.ms``; ``...`` takes it out."""
    copy: Document = json.loads(json.dumps(document))
    inner: Any = copy
    *way, last = [int(key) if key.isdigit() else key for key in path.split(".")]
    for key in way:
        inner = inner[key]
    if value is ...:
        del inner[last]
    else:
        inner[last] = value
    return copy


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        ("format", ..., 'this is not a record of Triskele: it does not say "format": "triskele-record/1"'),
        ("format", "triskele-record/2", "format: unknown format triskele-record/2; expected"),
        ("game", "chess", "game: there is no game chess; the games are: "),
        ("game", 3, "game: expected a text in quotes here"),
        ("game", ..., "the record: game is missing"),
        ("comment", "hi", "the record: comment does not belong here"),
        ("options", [], "options: expected an object in braces here"),
        ("options.goal", ..., "options: goal is missing"),
        ("options.gaol", 3, "options: gaol does not belong here"),
        ("options.goal", 99, "options: goal cannot be 99: it must be a whole number from 1 to 50"),
        ("options.goal", True, "options: goal cannot be True: it must be a whole number from 1 to 50"),
        ("options.goal", [[]], "options.goal: expected a text in quotes here"),
        ("options.goal", 1e3, "options.goal: expected a text in quotes here"),
        ("rules", 7, "rules: the game was played under version 7 of the rules of Race; this program has version 1"),
        ("rules", "1", "rules: expected a whole number from 0 to 1000000000 here"),
        ("house_rules.rolls", 41, "house_rules.rolls: it must be 40, as under options"),
        ("house_rules", {}, "house_rules: rolls is missing"),
        ("seats", ["Ann"], "seats: there must be one for each seat: 2, not 1"),
        ("seats", "Ann", "seats: expected a list in brackets here"),
        ("seats.1", "", "seats[1]: the text must have 1 to 100 characters"),
        ("seats.1", "x" * 101, "seats[1]: the text must have 1 to 100 characters"),
        ("seats.1", "a\ud800", "seats[1]: the text has line breaks or characters that cannot be shown"),
        ("seats.1", "a\x1b[2J", "seats[1]: the text has line breaks or characters that cannot be shown"),
        ("date", "yesterday", "date: a date is written 2026-03-13 or, with the time, 2026-03-13T18:56:00Z"),
        ("date", "2026-02-30", "date: a date is written 2026-03-13"),
        ("date", None, "date: expected a text in quotes here"),
        ("moves", {}, "moves: expected a list in brackets here"),
        ("moves.12", "add", "moves[12]: expected an object in braces here"),
        ("moves.12.text", ..., "moves[12]: text is missing"),
        ("moves.12.text", None, "moves[12].text: expected a text in quotes here"),
        ("moves.12.text", "x" * 201, "moves[12].text: the text must have 1 to 200 characters"),
        ("moves.12.seat", 2, "moves[12].seat: expected a whole number from 0 to 1 here"),
        ("moves.12.seat", "luck", "moves[12].seat: expected a whole number from 0 to 1 here"),
        ("moves.12.ms", -1, "moves[12].ms: expected a whole number from 0 to 1000000000000 here"),
        ("moves.12.ms", 1.5, "moves[12].ms: expected a whole number from 0 to 1000000000000 here"),
        ("moves.12.tag", "0123456G", "moves[12].tag: expected 8 hexadecimal digits (0-9, a-f) here"),
        ("moves.12.note", "!?", "moves[12]: note does not belong here"),
        (
            "ended",
            {"kind": "flood"},
            "ended.kind: a game ends outside the rules by one of these: resign, time, left, agreed",
        ),
        ("ended", {"kind": "resign"}, "ended: seat is missing"),
        ("ended", {"kind": "agreed", "seat": 0}, "ended: seat does not belong here"),
        ("ended", {"kind": "resign", "seat": 2}, "ended.seat: expected a whole number from 0 to 1 here"),
        ("outcome.winners", [0, 0], "outcome.winners: winners are named once each"),
        ("outcome.winners", [2], "outcome.winners[0]: expected a whole number from 0 to 1 here"),
        ("outcome.scores", [1.0], "outcome.scores: there must be one for each seat: 2, not 1"),
        ("outcome.scores.0", "1", "outcome.scores[0]: expected a number here"),
        ("outcome.reason", 5, "outcome.reason: expected a text in quotes here"),
        ("outcome", ..., "the record: outcome is missing"),
        ("outcome", None, "dice.secret: the secret of the dice is told only when the game is over"),
        ("viewer", "spectator", "viewer: a finished game hides nothing"),
        ("viewer", "nobody", 'viewer: a viewer is "spectator" or a seat’s number'),
        ("dice.commitment", "00", "dice.commitment: expected 64 hexadecimal digits (0-9, a-f) here"),
        ("dice.seeds", [None], "dice.seeds: there must be one for each seat: 2, not 1"),
        ("dice.seeds.0", "", "dice.seeds[0]: the text must have 1 to 64 characters"),
        ("dice.faces", 1, "dice.faces: expected a whole number from 2 to 1000000 here"),
        ("dice.secret", ..., "dice: secret is missing"),
        ("dice.seals", ..., "dice: seals is missing"),
        ("dice.seals.moves", ..., "dice.seals: moves is missing"),
        ("dice.lucky", 7, "dice: lucky does not belong here"),
        ("dice", ..., "moves[0].tag: a tag means nothing without the secret of the dice"),
    ],
)
def test_bad_values_are_named(document: Document, path: str, value: Any, reason: str) -> None:
    assert refused(changed(document, path, value)).startswith(reason)


def test_ended_without_outcome(document: Document) -> None:
    document = changed(changed(document, "outcome", None), "ended", {"kind": "agreed"})
    assert refused(document) == "outcome: the game has ended, so its outcome must be given here"


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("", "this ends too early, at line 1, column 1: a part is missing"),
        ("{}", "this is not a record of Triskele"),
        ("[1, 2]", "this is not a record of Triskele"),
        ('"triskele-record/1"', "this is not a record of Triskele"),
        ('{"format": ["triskele-record/1"]}', "this is not a record of Triskele"),
        ("(;GM[1]FF[4])", "this is not JSON, from line 1, column 1 on"),
        ('{"format": "triskele-record/1",\n "game": "race"] ', "this is not JSON, from line 2, column 16 on"),
        ('{"format": NaN}', "NaN is not a number that a record can hold"),
        ('{"format": -Infinity}', "-Infinity is not a number that a record can hold"),
        ('{"format": 1e999}', "1e999 is not a number that a record can hold"),
        ('{"format": ' + "9" * 5000 + "}", "9999"),
        ('{"a": 1, "b": 2, "a": 3}', "the key a appears twice in one object"),
        ('{"\\ud800": 1, "\\ud800": 3}', "the key \N{REPLACEMENT CHARACTER} appears twice in one object"),
        ("\N{ZERO WIDTH NO-BREAK SPACE}{}", "this begins with a byte order mark"),
        (b"\xef\xbb\xbf{}", "this begins with a byte order mark"),
        (b"\xff\xfe{\0}\0", "this is not UTF-8 text: byte 0 does not belong"),
        (b'{"game": "\xe9"}', "this is not UTF-8 text: byte 10 does not belong"),
        ("[" * 100_000, "this is nested too deeply for a record"),
        ('{"a":' * 100_000, "this is nested too deeply for a record"),
        ("[" + "[]," * 1_000_000 + "0]", "the record: there are more than 1200000 values"),
        (" " * (BYTES_LIMIT + 1), "this is larger than a record can be (16777216 bytes)"),
        (b"\0" * (BYTES_LIMIT + 1), "this is larger than a record can be (16777216 bytes)"),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_what_is_no_record(written: str | bytes, reason: str) -> None:
    assert refused(written).startswith(reason)


def test_reasons_can_be_printed_whatever_the_names_are() -> None:
    assert refused('{"format": "triskele-record/1", "\\ud800\\u001b[2J": 1}').encode().isascii() is False
    assert "\x1b" not in refused('{"format": "\\u001b[2J"}')


def test_too_many_moves(document: Document) -> None:
    document["moves"] = [{"text": "add", "seat": 0}] * (MOVES_LIMIT + 1)
    assert refused(document) == "moves: there are more than 200000 values"


def test_record_too_large_to_be_read_is_not_written(finished: Record) -> None:
    move = replace(finished.moves[0], text="x" * 200, tag="")
    with pytest.raises(RecordError, match="larger than a record can be"):
        replace(finished, moves=(move,) * 100_000).to_json()


# --- replaying ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        ("moves.2.text", "5", r"moves\[2\]\.text: move 3 cannot be made: 5 is not a legal move here; legal moves: 1"),
        ("moves.3.text", "=1", r"moves\[3\]\.text: move 4 cannot be made: =1 is not a legal move here"),
        ("moves.3.seat", 1, r"moves\[3\]\.seat: for move 4 this must be 0, not 1"),
        ("moves.2.seat", 1, r'moves\[2\]\.seat: for move 3 this must be "chance", not 1'),
        ("outcome.reason", "alone", r'outcome: the moves lead to \{.*"goal"\}, the record says \{.*"alone"\}'),
        ("outcome.scores", [-1, 1], r"outcome: the moves lead to .*\[1.0, -1.0\].*says .*\[-1.0, 1.0\]"),
        ("outcome.winners", [], r"outcome: the moves lead to "),
    ],
)  # fmt: skip
def test_replay_names_what_fails(play: Any, path: str, value: Any, reason: str) -> None:
    game = play(1, 0)
    for move in ("=1", "=2", "4", "add", "1", "skip", "4", "add", "3", "skip", "4", "add"):
        game.push(move)
    document = json.loads(Record.of(game).to_json())
    Record.from_json(json.dumps(document)).replay()
    with pytest.raises(RecordError, match=reason):
        Record.from_json(json.dumps(changed(document, path, value))).replay()


def test_moves_after_the_end_and_missing_moves(document: Document) -> None:
    number = len(document["moves"])
    longer = {**document, "moves": [*document["moves"], {"text": "add", "seat": 0}]}
    with pytest.raises(RecordError, match=rf"moves\[{number}\]\.text: move {number + 1} .*the game is over"):
        Record.from_json(json.dumps(longer)).replay()
    with pytest.raises(RecordError, match=r"outcome: the moves lead to null, the record says \{"):
        Record.from_json(json.dumps({**document, "moves": document["moves"][:-1]})).replay()
    for move in document["moves"]:
        del move["tag"]
    del document["dice"]
    with pytest.raises(RecordError, match=r"outcome: the moves lead to \{.*, the record says null"):
        Record.from_json(json.dumps({**document, "outcome": None})).replay()


# --- files ----------------------------------------------------------------------------------------


def test_saved_and_loaded(tmp_path: Path, finished: Record) -> None:
    save(finished, tmp_path / "game.json")
    assert load(tmp_path / "game.json") == finished
    assert [path.name for path in tmp_path.iterdir()] == ["game.json"]


def test_load_checks_the_moves_unless_told_not_to(tmp_path: Path, finished: Record) -> None:
    path = tmp_path / "game.json"
    moves = (replace(finished.moves[0], text="add"), *finished.moves[1:])
    save(replace(finished, moves=moves), path)
    with pytest.raises(RecordError, match=r"^moves\[0\]\.text: move 1 cannot be made"):
        load(path)
    assert load(path, check=False).moves == moves


def test_load_gives_back_what_a_viewer_has(tmp_path: Path, play: Any) -> None:
    record = Record.of(play(1, 8), viewer=0)
    save(record, tmp_path / "game.json")
    assert load(tmp_path / "game.json") == record


def test_truncated_file_is_refused_wherever_it_is_cut(finished: Record) -> None:
    whole = finished.to_json().rstrip()
    for length in range(len(whole)):
        assert "a part is missing" in refused(whole[:length])


def test_file_too_large_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "noise").open("wb") as file:
        file.truncate(100_000_000)
    with pytest.raises(FileError, match="larger than 16777216 bytes"):
        load(tmp_path / "noise")
    with pytest.raises(FileError, match="No such file"):
        load(tmp_path / "missing")


# --- fuzz -----------------------------------------------------------------------------------------

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


def is_read(written: str | bytes) -> bool:
    """Return whether something is read as a record. Then it says just that, and replays to its outcome if at all."""
    record = read_or_refuse(Record.from_json, written)
    if record is None:
        return False
    assert record.document() == json.loads(written)
    assert Record.from_json(record.to_json()) == record
    last = read_or_refuse(lambda read: read.replay(), record)
    assert last is None or record.ended is not None or last.outcome() == record.outcome
    return True


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=200) | st.text(max_size=200) | JSON.map(json.dumps))
def test_fuzz_anything(race: Game, written: str | bytes) -> None:
    assert not is_read(written)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_fuzz_bytes_of_a_record(finished: Record, data: st.DataObject) -> None:
    written = bytearray(finished.to_json().encode())
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(written)))
        written[at : at + data.draw(st.integers(0, 5))] = data.draw(st.binary(max_size=5))
    read = is_read(bytes(written))
    assert read or bytes(written) != finished.to_json().encode()


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_fuzz_values_of_a_record(finished: Record, data: st.DataObject) -> None:
    document = finished.document()
    inner: Any = document
    while True:
        keys = list(inner) if isinstance(inner, dict) else list(range(len(inner)))
        key = data.draw(st.sampled_from(keys))
        if not isinstance(inner[key], dict | list) or not inner[key] or data.draw(st.booleans()):
            break
        inner = inner[key]
    kind = data.draw(st.sampled_from(("change", "remove", "add")))
    if kind == "change":
        inner[key] = data.draw(JSON | st.just("add") | st.integers(-1, 5))
    elif kind == "remove":
        del inner[key]
    elif isinstance(inner, dict):
        inner[data.draw(st.text())] = data.draw(JSON)
    else:
        inner.insert(key, data.draw(JSON | st.just(inner[key])))
    read = is_read(json.dumps(document))
    assert read or document != finished.document()


# --- words ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_core_speaks_every_language(language: str) -> None:
    def places(forms: Any) -> list[set[str]]:
        texts = forms.values() if isinstance(forms, dict) else [forms]
        return [set(re.findall(r"\{(\w+)\}", written)) for written in texts]

    english, other = catalogue("core", "en"), catalogue("core", language)
    assert set(other) == set(english)
    for key, forms in other.items():
        for named in places(forms):
            assert named == places(english[key])[-1], key
