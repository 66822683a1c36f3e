"""Boardspace's records: what real ones have in them, what is refused and where, and the way back."""

import argparse
import random
import tracemalloc
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import triskele
from tests.support.fuzz import read_or_refuse
from triskele import adapters
from triskele.adapters import commands
from triskele.core import sgf
from triskele.core.contract.record_format import RecordFormat, record_formats
from triskele.core.errors import RecordError, TriskeleError
from triskele.core.files import FileError
from triskele.core.record_parts import Ended
from triskele.core.records import Record
from triskele.core.words import text as words
from triskele.games.yinsh import boardspace

# Ten rings, white's on column e and f, black's on c and d; then white can move e5 along its column.
OPENING = ("E 5", "C 4", "E 4", "C 5", "E 3", "C 6", "E 2", "C 7", "F 8", "D 9")
HEADER = """ (;
GM[24]VV[2]
CM[0,1]
TC[None]
SU[{setup}]
DT[Mon Feb 23 17:15:58 MSK 2026]
GN[Y-Ann-Bob-2026-02-23-1415]
RE[{result}]
P0[id "Ann"]
P1[id "Bob"]
"""


def opening(done=True):
    """Return the steps that place all rings."""
    for number, point in enumerate(OPENING):
        player = number % 2
        yield player, f"place {'wb'[player]}r  {point}"
        if done:
            yield player, "Done "


def written(*steps, result="", setup="Yinsh", counters=True, header=HEADER):
    """Return a record with these steps, as (player, step) or (player, step, milliseconds used)."""
    lines = [header.format(result=result, setup=setup), "; P0[0 Start White]\n"]
    for number, (player, step, *used) in enumerate(steps, 1):
        timed = f"TM[{used[0]}]" if used else ""
        lines.append(f"; P{player}[{f'{number} ' if counters else ''}{step}]{timed}\n")
    return "".join([*lines, ";\nP0[time 0:01:29 ]\nP1[time 0:00:29 ]\n)\n \n"])


def only(text):
    (record,) = boardspace.loads(text)
    return record


def moves(record):
    return [move.text for move in record.moves]


def after_opening(*steps, **more):
    return moves(only(written(*opening(), *steps, **more)))[10:]


def refusal(text):
    with pytest.raises(RecordError) as caught:
        boardspace.loads(text)
    return str(caught.value)


# --- what real records have -----------------------------------------------------------------------


def test_the_header_becomes_names_and_date():
    record = only(written(*opening()))
    assert record.game == "yinsh"
    assert record.options == {"blitz": False}
    assert record.seats == ("Ann", "Bob")
    assert record.date == "2026-02-23T14:15:00Z"
    assert moves(record) == [point.replace(" ", "").lower() for point in OPENING]
    assert record.outcome is None
    assert record.replay().turn == 0


def test_a_ring_move_is_written_in_either_of_two_ways():
    assert after_opening((0, "move E 5 E 8"), (0, "Done ")) == ["e5-e8"]
    assert after_opening((0, "place w  E 5"), (0, "drop board  E 8"), (0, "Done ")) == ["e5-e8"]
    assert after_opening((0, "pick w"), (0, "drop board  E 5"), (0, "drop board  E 8"), (0, "Done ")) == ["e5-e8"]


@pytest.mark.parametrize(
    "steps",
    [
        ("place w  E 5", "drop board  E 7", "pick board  E 7", "drop board  E 8"),  # the ring, put elsewhere
        ("place w  E 5", "drop board  E 5", "move E 5 E 8"),  # put back where it was
        ("place w  E 4", "place w  E 5", "drop board  E 8"),  # another ring after all
        ("place w  E 4", "drop w", "place w  E 5", "drop board  E 8"),  # the marker back into the pool
        ("pick w", "drop w", "move E 5 E 8"),
        ("move E 5 E 7", "pick board  E 7", "drop board  E 8"),
        ("move E 5 E 7", "move E 5 E 8"),
        ("place w  E 5", "drop board  E 7", "Undo", "move E 5 E 8"),
        ("place w  E 5", "Reset", "move E 5 E 8"),
        ("Resign ", "Resign ", "move E 5 E 8"),  # thought better of it
    ],
)
def test_steps_are_taken_back_before_done(steps):
    assert after_opening(*((0, step) for step in steps), (0, "Done ")) == ["e5-e8"]


@pytest.mark.parametrize(
    "steps",
    [
        ("place wr  A 2", "place wr  F 6"),
        ("place wr  A 2", "pick board  A 2", "drop board  F 6"),
        ("place wr  A 2", "pick board  A 2", "drop wr", "pick wr", "drop board  F 6"),
        ("pick wr", "drop board  F 6"),
    ],
)
def test_a_ring_of_the_opening_is_placed_elsewhere(steps):
    assert moves(only(written(*((0, step) for step in steps), (0, "Done ")))) == ["f6"]


def rows(*ends, colour="w"):
    """White makes a row of five on e1 to e9: five markers where its ring walks, black moves to and fro."""
    walk = ["E 5", "E 6", "E 7", "E 8", "E 9", "E 10"]
    back = ["D 9", "D 8", "D 7", "D 6", "D 5"]
    for number in range(5):
        yield 0, f"move {walk[number]} {walk[number + 1]}"
        yield 0, "Done "
        if number < 4:
            yield 1, f"move {back[number]} {back[number + 1]}"
            yield 1, "Done "
    yield 0, f"remove {colour} {ends[0]} {ends[1]}"
    yield 0, "Done "
    yield 0, f"remove {colour}r E 2"
    yield 0, "Done "


@pytest.mark.parametrize("ends", [("E 5", "E 9"), ("E 9", "E 5")])
def test_a_row_is_named_by_its_ends_in_either_order(ends):
    assert after_opening(*rows(*ends))[-2:] == ["xe5-e9", "xe2"]


def test_a_row_or_ring_chosen_anew_before_done():
    steps = list(rows("E 5", "E 9"))
    steps.insert(-1, (0, "remove wr E 3"))
    steps.insert(-1, (0, "pick wrc"))
    steps.insert(-1, (0, "remove wr E 4"))
    assert after_opening(*steps)[-2:] == ["xe5-e9", "xe4"]


def test_blitz_ends_with_the_first_ring():
    record = only(written(*opening(), *rows("E 5", "E 9"), setup="Yinsh-Blitz", result="Game won by Ann"))
    assert record.options == {"blitz": True}
    assert record.outcome.winners == (0,)
    assert record.outcome.reason == "rings"


@pytest.mark.parametrize(
    "result", ["Game won by Ann", "Партию выиграл Ann.", "Spiel gewonnen von Ann", "Ann 贏得比賽", "ANN? Ann!", ""]
)
def test_the_result_is_stated_in_any_language(result):
    record = only(written(*opening(), (0, "move E 5 E 8"), (0, "Done "), (1, "Resign "), (1, "Done "), result=result))
    assert record.ended == Ended("resign", 1)
    assert record.outcome.winners == (0,)


def test_a_name_within_the_other_name():
    header = HEADER.replace('"Ann"', '"Bobby"').replace('"Bob"', '"Bob"')
    text = written(*opening(), (0, "Resign "), (0, "Done "), result="Game won by Bob", header=header)
    assert only(text).outcome.winners == (1,)
    text = written(*opening(), (0, "move E 5 E 8"), (0, "Done "), (1, "Resign "), result="won by Bobby", header=header)
    assert only(text).outcome.winners == (0,)


def test_games_that_end_on_time_or_by_agreement():
    late = only(written(*opening(), (1, "GameOverOnTime "), result="Game won by Bob"))
    assert late.ended == Ended("time", 0)
    assert only(written(*opening(), (1, "GameOverOnTime "))).ended == Ended("time", 0)
    agreed = only(written(*opening(), (0, "OfferDraw "), (1, "AcceptDraw "), result="The game is a draw"))
    assert agreed.ended == Ended("agreed")
    assert agreed.outcome.winners == ()


def test_a_resignation_before_done_stands_at_the_end():
    assert only(written(*opening(), (0, "Resign "))).ended == Ended("resign", 0)


def test_records_from_before_done_was_written():
    steps = [*opening(done=False), (0, "place w  E 5"), (0, "drop board  E 8"), (1, "move D 9 D 8")]
    assert moves(only(written(*steps)))[10:] == ["e5-e8", "d9-d8"]
    assert moves(only(written(*steps, counters=False)))[10:] == ["e5-e8", "d9-d8"]
    taken_back = [*steps[:-1], (0, "pick board  E 8"), (0, "drop board  E 7"), steps[-1]]
    assert moves(only(written(*taken_back)))[10:] == ["e5-e7", "d9-d8"]
    removing = [step for step in rows("E 5", "E 9") if step[1] != "Done "]
    assert moves(only(written(*opening(done=False), *removing)))[-2:] == ["xe5-e9", "xe2"]


def test_letters_large_or_small_and_spaces_do_not_matter():
    text = written((0, "PLACE WR G 2"), (0, "done"), (1, "Place br  c6"), (1, "DONE "))
    assert moves(only(text)) == ["g2", "c6"]


def test_the_side_that_begins_is_seat_0_whatever_its_colour():
    record = only(written((1, "place br  G 2"), (1, "Done "), (0, "place wr  C 6"), (0, "Done ")))
    assert record.seats == ("Bob", "Ann")
    assert [move.seat for move in record.moves] == [0, 1]
    record = only(written((0, "place br  G 2"), (0, "Done "), (1, "place wr  C 6"), (1, "Done ")))
    assert record.seats == ("Ann", "Bob")


def test_times_are_what_each_move_took():
    steps = [
        (0, "place wr  G 2", 900),
        (0, "Done ", 1000),
        (1, "place br  C 6", 400),
        (1, "Done ", 500),
        (0, "place wr  G 3", 1200),
        (0, "Done ", 1900),
        (1, "place br  C 7"),
        (1, "Done "),
        (0, "place wr  G 4", 10),  # a clock that went back
        (0, "Done ", 20),
    ]
    assert [move.ms for move in only(written(*steps)).moves] == [1000, 500, 900, None, None]


def test_more_than_one_game_in_a_file():
    text = written(*opening()) + written((0, "place wr  F 6"), (0, "Done "))
    assert [len(record.moves) for record in boardspace.loads(text)] == [10, 1]


def test_variations_and_comments_with_brackets_are_read():
    text = written((0, "place wr  F 6"), (0, "Done "))
    varied = text.replace(
        ";\nP0[time", "C[so \\] far](; P1[3 place br  C 6](; P1[4 Done ])(; P1[4 Resign ]))(;X[y])\n;P0[time"
    )
    record = only(varied)
    assert moves(record) == ["f6", "c6"]
    assert record.tree().node((0,)).comment == "so ] far"


def test_a_variation_from_within_a_game_stands_beside_its_move():
    text = written((0, "place wr  F 6"), (0, "Done "))
    varied = text.replace(
        ";\nP0[time",
        "(; P1[3 place br  C 6]CR[c6]AR[c6:c9]; P1[4 Done ])"
        "(; P1[3 place br  D 7]C[or here]; P1[4 Done ]; P0[5 place wr  E 5]; P0[6 Done ])\n;P0[time",
    )
    tree = only(varied).tree()
    assert tree.moves(tree.main()) == ["f6", "c6"]
    assert tree.node((0, 0)).marks == (("c6",), ("c6", "c9"))
    assert tree.moves((0, 1, 0)) == ["f6", "d7", "e5"]
    assert tree.node((0, 1)).comment == "or here"


def test_an_illegal_variation_names_its_node():
    text = written((0, "place wr  F 6"), (0, "Done "))
    varied = text.replace(
        ";\nP0[time", "(; P1[3 place br  C 6]; P1[4 Done ])(; P1[3 place br  F 6]; P1[4 Done ])\n;P0[time"
    )
    assert "P1[3 place br  F 6]" in refusal(varied)


def test_a_comment_without_end_is_refused():
    text = written((0, "place wr  F 6"), (0, "Done "))
    assert "1 to 2000 characters" in refusal(text.replace("P0[time", f"C[{'x' * 3000}]P0[time"))


def test_any_encoding():
    header = HEADER.replace("Ann", "Zoë")
    text = written((0, "place wr  F 6"), (0, "Done "), header=header)
    for encoding in ("utf-8", "utf-8-sig", "latin-1"):
        assert only(text.encode(encoding)).seats[0] == "Zoë"


@pytest.mark.parametrize(
    ("name", "date", "found"),
    [
        ("Y-a-b-2026-03-13-1856", "Fri Mar 13 19:56:26 GMT+01:00 2026", "2026-03-13T18:56:00Z"),
        ("Y-a-b", "Fri Mar 13 19:56:26 MSK 2026", "2026-03-13"),
        ("Y-a-b", "Fri Mar 13 19:56:26 GMT 2026", "2026-03-13T19:56:26Z"),
        ("Y-a-b", "13.3.2026", None),
        ("Y-a-b-2026-13-13-9999", "nonsense", None),
        ("", "Fri Feb 31 2026", None),
    ],
)
def test_when_it_was_played(name, date, found):
    header = HEADER.replace("Y-Ann-Bob-2026-02-23-1415", name).replace("Mon Feb 23 17:15:58 MSK 2026", date)
    assert only(written((0, "place wr  F 6"), header=header)).date == found


# --- what is refused, and where -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ([(0, "move E 5 E 5")], "node 22, line 32, P0[21 move E 5 E 5]: e5-e5 is not a legal move here"),
        ([(0, "move E 5 C 4"), (0, "Done ")], "node 22, line 32, P0[21 move E 5 C 4]: e5-c4 is not a legal move here"),
        ([(0, "move E 5 E 11"), (0, "Done ")], "e11 is not a point of the board"),
        ([(0, "place wr  A 2"), (0, "Done ")], "a2 is not a legal move here"),
        ([(0, "remove w E 1 E 5"), (0, "Done ")], "xe1-e5 is not a legal move here"),
        ([(0, "Pass "), (0, "Done ")], "pass is not a legal move here"),
        ([(1, "move D 9 D 8")], "node 22, line 32, P1[21 move D 9 D 8]: it is the turn of P0"),
        ([(0, "place b  E 5")], "P0 cannot have pieces of the colour b: they are the other side’s"),
        ([(0, "jump E 5 E 6")], "“21 jump E 5 E 6” is not a step"),
        ([(0, "Edit ")], "“21 Edit ” is not a step"),
        ([(0, "Undo ")], "“21 Undo ” is not a step"),
        ([(0, "move E 5")], "“21 move E 5” is not a step"),
        ([(0, "place w  Z 5")], "“21 place w  Z 5” is not a step"),
        (
            [(0, "Resign "), (0, "Done "), (1, "move D 9 D 8")],
            "node 24, line 34, P1[23 move D 9 D 8]: 23 move D 9 D 8 cannot be played: the game is over",
        ),
    ],
)
def test_a_record_that_does_not_replay_names_the_node(steps, said):
    assert said in refusal(written(*opening(), *steps))


def test_a_result_that_is_not_reached_is_refused():
    said = refusal(written(*opening(), (0, "Resign "), (0, "Done "), result="Game won by Ann"))
    assert "the result is stated as “Game won by Ann”, but the moves lead to this: Game won by Bob" in said
    assert "the game is not over" in refusal(written(*opening(), result="Game won by Ann"))


def test_which_of_several_games_is_refused():
    text = written(*opening()) + written((0, "move A 2 A 3"), (0, "Done "))
    assert refusal(text).startswith("game 2: node 2, line 48, P0[1 move A 2 A 3]: ")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "there is no game in it"),
        (" \n ", "there is no game in it"),
        ("hello", "line 1: a game begins with “(;”, but here is hello"),
        ('\n\n{"format": 1}', "line 3: a game begins with “(;”"),
        ("(", "line 1: the file ends in the middle of a game"),
        ("(;GM[24]", "the file ends in the middle of a game"),
        ("(;GM[24", "the file ends in the middle of a game"),
        ("(;GM[24]\n;P0[0 Start\\]", "line 2: the file ends in the middle of a game"),
        ("(;GM[24]!)", "line 1: this is not SGF from here on: !)"),
        ("(;[24])", "this is not SGF from here on: [24]"),
        ("(GM[24])", "this is not SGF"),
        ("()", "game 1: there is no game in it"),
        ("(;GM[1]SZ[19];B[aa])", "this is not a YINSH game of Boardspace, it begins with GM[1]SU[]"),
        ('(;GM[24]SU[Zertz]P0[id "a"])', "it begins with GM[24]SU[Zertz]"),
        ("(;FF[4])", "this is not a YINSH game"),
    ],
)
def test_what_is_no_record(text, said):
    assert said in refusal(text)


@pytest.mark.parametrize("cut", range(0, 560, 9))
def test_a_record_that_was_cut_off(cut):
    text = written(*opening()).strip()
    assert "the file ends in the middle of a game" in refusal(text[: len(text) - 1 - cut])


@pytest.mark.parametrize(
    "noise",
    [
        pytest.param(lambda n: random.Random(1).randbytes(n), id="random"),
        pytest.param(lambda n: b"(" * n, id="brackets"),
        pytest.param(lambda n: b"(;" * (n // 2), id="nodes within nodes"),
        pytest.param(lambda n: b"(;" + b";" * (n - 2), id="nodes"),
        pytest.param(lambda n: b"(;GM[24]P0[" + b"x" * (n - 11), id="a value without end"),
        pytest.param(lambda n: b"(;GM[24]P0[" + b"\\" * (n - 11), id="escapes without end"),
        pytest.param(lambda n: b"(;" + b"A[]" * (n // 3), id="properties"),
        pytest.param(lambda n: b"(;" + b"A" * (n - 2), id="a name without end"),
        pytest.param(lambda n: b"(;GM[1])" * (n // 8), id="games"),
        pytest.param(lambda n: b"\n" * n, id="nothing"),
    ],
)
def test_megabytes_of_noise_are_refused_in_bounded_memory(noise):
    """And quickly: a pattern that ran away on one of these would never end."""
    data = noise(4 * 1024 * 1024)
    tracemalloc.start()
    with pytest.raises(RecordError):
        for _ in boardspace.games(data):
            pass
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 64 * 1024 * 1024


def test_games_without_end(monkeypatch):
    monkeypatch.setattr(sgf, "GAMES_LIMIT", 20)
    assert len(boardspace.loads(written() * 19)) == 19
    assert "there are more than 20 of them" in refusal(written() * 21)


def test_a_file_of_100_mb_is_refused_unread(tmp_path):
    large = tmp_path / "large.sgf"
    with large.open("wb") as file:
        file.truncate(100 * 1024 * 1024)
    tracemalloc.start()
    with pytest.raises(FileError, match="16777216"):
        boardspace.load(large)
    assert tracemalloc.get_traced_memory()[1] < 1024 * 1024
    tracemalloc.stop()
    with pytest.raises(RecordError, match="larger than 16777216 bytes"):
        boardspace.loads(" " * (sgf.BYTES_LIMIT + 1))


@settings(max_examples=60, deadline=None)
@given(
    st.one_of(
        st.text(max_size=200), st.binary(max_size=200), st.text("(;)[]\\P0 GM24SUYinshplacewrmove19.", max_size=300)
    )
)
def test_fuzz_anything(data):
    records = read_or_refuse(boardspace.loads, data)
    assert not records  # nothing, or refused: a game does not come about like this


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_fuzz_a_record_with_a_piece_changed(data):
    text = written(
        *opening(), (0, "move E 5 E 8"), (0, "Done "), (1, "Resign "), (1, "Done "), result="Game won by Ann"
    )
    place = data.draw(st.integers(0, len(text)))
    length = data.draw(st.integers(0, 12))
    changed = text[:place] + data.draw(st.text("();[]P01 EDmove\\x", max_size=6)) + text[place + length :]
    records = read_or_refuse(boardspace.loads, changed)
    assert records is not None or changed != text
    for record in records or ():
        assert boardspace.loads(boardspace.dumps([record])) == [record]


# --- the way back ---------------------------------------------------------------------------------


def random_record(seed, ended=None, **more):
    rng = random.Random(seed)
    position = triskele.new("yinsh", blitz=bool(seed % 2))
    limit = 10_000 if ended is None else rng.randrange(60)
    while position.outcome() is None and len(position.moves) < limit:
        position.push(rng.choice(position.legal_moves))
    if position.outcome() is not None:
        ended = None
    times = [rng.choice([None, rng.randrange(100_000)]) for _ in position.moves]
    return Record.of(position, ended=ended, times=times, **more)


@pytest.mark.parametrize("seed", range(8))
def test_whole_games_come_back_as_they_were(seed):
    record = random_record(seed, seats=('A "b" \\ ]c[', "Zoë; (x)"), date="2026-03-13T18:56:31Z")
    text = boardspace.dumps([record])
    assert boardspace.loads(text) == [record]
    assert boardspace.loads(text.encode()) == [record]


@pytest.mark.parametrize("seed", range(6))
def test_variations_come_back_as_they_were(seed):
    rng, record = random.Random(seed), random_record(seed, seats=("Ann", "Bob"), date=None)
    tree = record.tree()
    paths = [(), tree.main(), *(path for path, _ in tree.walk())]
    for number in range(40):
        path = rng.choice(paths)
        legal = tree.position(path).legal_moves
        if legal and path != tree.main():
            path = tree.push(path, rng.choice(legal))
            paths.append(path)
        if number % 2:
            tree.comment(path, f"[{number}] \\ a ]\nb")
            tree.mark(path, [["e5"], ["e5", "e6"]])
    annotated = replace(record, annotations=tree.line().annotations)
    text = boardspace.dumps([annotated, record])
    assert boardspace.loads(text) == [annotated, record]


@pytest.mark.parametrize(
    "ended", [Ended("resign", 0), Ended("resign", 1), Ended("time", 0), Ended("time", 1), Ended("agreed")]
)
@pytest.mark.parametrize("date", ["2026-03-13", None])
def test_other_ends_come_back_as_they_were(ended, date):
    record = random_record(4, ended, seats=("Ann", "Bob"), date=date)
    assert record.ended == ended
    assert boardspace.loads(boardspace.dumps([record])) == [record]


def test_games_in_progress_and_passes_come_back():
    record = random_record(6, None, seats=("Ann", "Bob"), date=None)
    position = triskele.new("yinsh")
    for move in moves(record)[:15]:
        position.push(move)
    unfinished = Record.of(position, seats=("Ann", "Bob"), date=None)
    assert boardspace.loads(boardspace.dumps([unfinished, record])) == [unfinished, record]


def test_what_is_written_looks_like_theirs():
    position = triskele.new("yinsh", blitz=True)
    for step in OPENING:
        position.push(step.replace(" ", "").lower())
    for move in ("e5-e6", "d9-d8", "e6-e7", "d8-d7", "e7-e8", "d7-d6", "e8-e9", "d6-d5", "e9-e10", "xe5-e9", "xe2"):
        position.push(move)
    record = Record.of(position, seats=("Ann", "Bob"), date="2026-03-13T18:56:00Z", times=[2000] * 21)
    lines = boardspace.dumps([record]).splitlines()
    for line in (
        "GM[24]",
        "SU[Yinsh-Blitz]",
        "DT[Fri Mar 13 18:56:00 GMT 2026]",
        "GN[YB-Ann-Bob-2026-03-13-1856]",
        "RE[Game won by Ann]",
        'P0[id "Ann"]',
        "; P0[0 Start White]",
        "; P0[1 place wr  E 5]TM[2000]",
        "; P0[2 Done ]TM[2000]",
        "; P1[3 place br  C 4]TM[2000]",
        "; P0[21 move E 5 E 6]TM[12000]",
        "; P0[39 remove w E 5 E 9]TM[22000]",
        "; P0[41 remove wr E 2]TM[24000]",
        "P0[time 0:00:24 ]",
    ):
        assert line in lines


def test_other_games_are_not_theirs():
    with pytest.raises(RecordError, match="Boardspace’s format is for YINSH, and this is a game of tryad"):
        boardspace.dumps([Record.of(triskele.new("tryad"))])


# --- triskele convert -----------------------------------------------------------------------------


def convert(*arguments, language="en"):
    parser = argparse.ArgumentParser()
    commands.add_arguments(parser, language)
    chosen = parser.parse_args([str(argument) for argument in arguments])
    chosen.language = language
    return commands.run(chosen)


def test_convert_there_and_back(tmp_path, capsys):
    source = tmp_path / "game.SGF"
    source.write_text(written(*opening()))
    assert convert(source, tmp_path / "game.json") == 0
    assert capsys.readouterr().out == f"1 game written to {tmp_path / 'game.json'}\n"
    assert triskele.load(tmp_path / "game.json") == boardspace.load(source)[0]
    assert convert(tmp_path / "game.json", tmp_path / "back.sgf") == 0
    assert boardspace.load(tmp_path / "back.sgf") == boardspace.load(source)


def test_convert_many(tmp_path, capsys):
    source = tmp_path / "games.sgf"
    source.write_text(written(*opening()) * 11)
    with pytest.raises(TriskeleError, match="11 games do not fit into one record: name a folder"):
        convert(source, tmp_path / "games.json")
    assert not (tmp_path / "games.json").exists()
    convert(source, f"{tmp_path}/out/", "--to", "json", language="de")
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == [f"games-{number:02}.json" for number in range(1, 12)]
    convert(*(tmp_path / "out" / name for name in names), tmp_path / "again.sgf")
    assert boardspace.load(tmp_path / "again.sgf") == boardspace.load(source)
    convert(source, tmp_path / "out", "--to", "sgf")
    assert len(list((tmp_path / "out").iterdir())) == 22
    (tmp_path / "one.sgf").write_text(written(*opening()))
    convert(tmp_path / "one.sgf", tmp_path / "out" / ".." / "one.sgf", tmp_path / "out", "--to", "json")
    assert {path.name for path in (tmp_path / "out").glob("one*")} == {"one.json", "one-2.json"}


def test_convert_says_what_is_wrong_and_writes_nothing(tmp_path):
    source = tmp_path / "bad.sgf"
    source.write_text(written((0, "move A 2 A 3"), (0, "Done ")))
    with pytest.raises(TriskeleError, match=r"bad\.sgf: game 1: node 2, line 12"):
        convert(source, tmp_path / "out.json")
    with pytest.raises(FileError, match="missing"):
        convert(tmp_path / "missing.sgf", tmp_path / "out.json")
    source.write_text(written(*opening()))
    with pytest.raises(TriskeleError, match="does not say which format it has"):
        convert(source, tmp_path / "out.txt")
    with pytest.raises(TriskeleError, match="is a folder: say with --to"):
        convert(source, tmp_path)
    blocked = tmp_path / "blocked"
    blocked.write_text("in the way")
    with pytest.raises(FileError, match="blocked"):
        convert(source, f"{blocked}/", "--to", "json")
    (tmp_path / "other.json").write_text(Record.of(triskele.new("tryad")).to_json())
    with pytest.raises(RecordError, match="a game of tryad"):
        convert(tmp_path / "other.json", tmp_path / "out.sgf")
    assert not (tmp_path / "out.json").exists()
    assert not (tmp_path / "out.sgf").exists()


def test_the_format_is_imported_from_the_adapters_by_its_name():
    assert adapters.boardspace is boardspace
    with pytest.raises(AttributeError, match="no attribute 'nowhere'"):
        _ = adapters.nowhere


def test_convert_finds_the_formats_that_games_declare(tmp_path, monkeypatch):
    """A second format with another ending: read by its content, written for its game, named in the message."""

    def loads(data):
        if not data.startswith(b"tryad "):
            raise RecordError(words("core.sgf-empty"))
        return [Record.of(triskele.position(line.strip())) for line in data.decode()[6:].splitlines()]

    def dumps(records):
        return "tryad " + "".join(f"{record.replay()}\n" for record in records)

    both = (*record_formats(), RecordFormat("cards", "tryad", "card", loads, dumps))
    monkeypatch.setattr(commands, "record_formats", lambda: both)
    (tmp_path / "one.json").write_text(Record.of(triskele.new("tryad")).to_json())
    convert(tmp_path / "one.json", tmp_path / "one.card")
    assert (tmp_path / "one.card").read_text() == f"tryad {triskele.new('tryad')}\n"
    convert(tmp_path / "one.card", tmp_path / "two.json")
    assert triskele.load(tmp_path / "two.json").game == "tryad"
    (tmp_path / "game.sgf").write_text(written(*opening()))
    convert(tmp_path / "game.sgf", tmp_path / "game.json")
    with pytest.raises(TriskeleError, match=r"end the name with \.json, \.sgf or \.card, or use --to"):
        convert(tmp_path / "game.sgf", tmp_path / "out.txt")
    (tmp_path / "neither").write_text("?")
    with pytest.raises(TriskeleError, match="a game begins with"):
        convert(tmp_path / "neither", tmp_path / "out.json")
