import hashlib
import hmac
import itertools
import json
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.fuzz import read_or_refuse
from triskele.core.contract import CHANCE
from triskele.core.dice import Dice, DiceBox, DiceError, Proof, random_seed, verify
from triskele.core.errors import RecordError
from triskele.core.position import Position
from triskele.core.record_parts import RESIGN, Ended
from triskele.core.records import Record
from triskele.core.words import LANGUAGES, say

SECRET = bytes(range(32))
D4 = 4


def roll(dice: Dice, index: int) -> int:
    """Return what a fair die shows, from 1 on."""
    return dice.below(index, dice.faces) + 1


@pytest.fixture(scope="module")
def played(play: Any) -> tuple[DiceBox, Position]:
    """Return a finished game of many rolls, and its dice."""
    box = DiceBox(2, faces=D4, secret=SECRET, id="table-7")
    box.give(0, "Ann's seed")
    box.give(1, "Bob's")
    return box, play(3, roll=box.roll, goal=30)


@pytest.fixture(scope="module")
def record(played: tuple[DiceBox, Position]) -> Record:
    box, last = played
    times = [10 * i for i in range(len(last.moves))]
    sealed = box.disclose(Record.of(last, seats=("Ann", "Bob"), date="2026-03-13", times=times, dice=box.block()))
    assert sum(move.seat == CHANCE for move in sealed.moves) > 10
    return Record.from_json(sealed.to_json())


def faults(record: Record) -> list[str]:
    proof = verify(Record.from_json(record.to_json()))
    assert proof.proved == (not proof.faults)
    return [str(fault) for fault in proof.faults]


def with_move(record: Record, number: int, **changes: Any) -> Record:
    moves = list(record.moves)
    moves[number] = replace(moves[number], **changes)
    return replace(record, moves=tuple(moves))


def with_dice(record: Record, **changes: Any) -> Record:
    assert record.dice is not None
    return replace(record, dice=replace(record.dice, **changes))


def roll_places(record: Record) -> list[int]:
    return [number for number, move in enumerate(record.moves) if move.seat == CHANCE]


# --- the rolls ------------------------------------------------------------------------------------


def chi_square(counts: Counter[int], faces: int) -> float:
    expected = counts.total() / faces
    return sum((counts[face + 1] - expected) ** 2 / expected for face in range(faces))


# The value that chi-square exceeds once in 10,000 with so many degrees of freedom. The secrets are
# fixed, so these never fail by chance.
@pytest.mark.parametrize(("faces", "limit"), [(2, 15.14), (3, 18.42), (4, 21.11), (6, 25.74), (7, 27.86), (20, 50.80)])
@pytest.mark.parametrize("secret", [bytes(32), SECRET, b"\xff" * 32], ids=["zeros", "counting", "ones"])
def test_faces_are_equally_likely(faces: int, limit: float, secret: bytes) -> None:
    dice = Dice(secret, "table", ("a", "b"), faces)
    counts = Counter(roll(dice, index) for index in range(12_000))
    assert set(counts) == set(range(1, faces + 1))
    assert chi_square(counts, faces) < limit


def test_successive_rolls_are_independent() -> None:
    dice = Dice(SECRET, "table", ("a", "b"), D4)
    rolls = [roll(dice, index) for index in range(12_000)]
    pairs = Counter(4 * (one - 1) + other for one, other in itertools.pairwise(rolls))
    assert chi_square(pairs, 16) < 44.26


def test_rejected_numbers_never_run_out() -> None:
    # With 2**200 + 1 faces one number fits into 256 bits, and nearly half of them are passed over.
    faces = 2**200 + 1
    rolls = [roll(Dice(SECRET, "table", (), faces), index) for index in range(50)]
    assert all(1 <= roll <= faces for roll in rolls)
    assert len(set(rolls)) == 50
    assert {roll(Dice(SECRET, "table", (), 1), index) for index in range(20)} == {1}


def test_rolls_are_computed_as_the_module_says() -> None:
    """The recipe once more, written out by hand from the description."""

    def part(value: bytes) -> bytes:
        return len(value).to_bytes(4, "big") + value

    dice = Dice(SECRET, "table-7", ("Żółw", None), 4)
    eight = [(n).to_bytes(8, "big") for n in range(5)]
    commitment = part(b"triskele-dice/1 commitment") + part(b"table-7") + part(eight[4]) + part(SECRET)
    assert dice.commitment == hashlib.sha256(commitment).hexdigest()
    seed = part(b"triskele-dice/1 seed") + part(b"table-7") + part(eight[0]) + part("Żółw".encode())
    assert dice.seed_hashes == (hashlib.sha256(seed).hexdigest(), None)
    for index in range(5):
        message = part(b"triskele-dice/1 roll") + part(b"table-7") + part(eight[index]) + part(eight[0])
        message += part("Żółw".encode()) + part(b"")
        assert roll(dice, index) == (hmac.digest(SECRET, message, "sha256")[0] >> 6) + 1


def test_known_rolls_stay_what_they_are() -> None:
    """A changed recipe would make the proofs of all old records fail."""
    dice = Dice(SECRET, "table-7", ("Ann", "Bob"), D4)
    assert dice.commitment == "4aa7a76a85e0f51b8e41ce4b014cad0ae95140020d38433fe3b76ce364b9cb38"
    assert "".join(str(roll(dice, index)) for index in range(32)) == "42432331212241233332132324442212"
    assert (
        "".join(str(roll(replace(dice, faces=6), index)) for index in range(32)) == "53363562414451466654154536164324"
    )


@settings(max_examples=50, deadline=None)
@given(st.lists(st.text(min_size=1, max_size=8), min_size=2, max_size=2, unique=True))
def test_everything_matters_and_nothing_runs_together(texts: list[str]) -> None:
    one, other = texts
    variants = [
        Dice(SECRET, "id", (one, other), D4),
        Dice(SECRET, "id", (other, one), D4),
        Dice(SECRET, "id", (one + other, None), D4),
        Dice(SECRET, "id", (None, one + other), D4),
        Dice(SECRET, "id", (one + other,), D4),
        Dice(SECRET, "id" + one, (other,), D4),
        Dice(bytes(32), "id", (one, other), D4),
    ]
    rolls = {tuple(roll(dice, index) for index in range(64)) for dice in variants}
    assert len(rolls) == len(variants)


# --- at the table ---------------------------------------------------------------------------------


def test_nothing_public_tells_the_secret(play: Any) -> None:
    box = DiceBox(2, faces=D4, secret=SECRET)
    assert SECRET.hex() not in repr(box.dice)
    assert repr(SECRET) not in repr(box.dice)
    box.give(0, "Ann's seed")
    assert box.block().seeds == (None, None)
    assert box.block().seed_hashes[0] == box.dice.seed_hashes[0]
    in_progress = play(2, 9, roll=box.roll, goal=50)
    assert box.block().seeds == ("Ann's seed", None)
    for viewer in (None, 0, "spectator"):
        written = Record.of(in_progress, dice=box.block(), viewer=viewer).to_json()
        document = json.loads(written)
        assert set(document["dice"]) == {"id", "faces", "commitment", "seed_hashes", "seeds"}
        assert SECRET.hex() not in written
        assert all("tag" not in move for move in document["moves"])
    with pytest.raises(DiceError, match="told only when the game is over"):
        box.disclose(Record.of(in_progress, dice=box.block()))


def test_commitment_stands_before_the_seeds_come(play: Any) -> None:
    box = DiceBox(2, faces=D4)
    before = box.block().commitment
    box.give(0, random_seed())
    play(2, 9, roll=box.roll, goal=50)
    assert box.block().commitment == before
    assert DiceBox(2, faces=D4).block().commitment != before


def test_seed_stands_once_given() -> None:
    box = DiceBox(2, faces=D4)
    box.give(0, "x")
    with pytest.raises(DiceError, match="the seed of seat 1 can no longer be changed"):
        box.give(0, "y")
    box.close()
    with pytest.raises(DiceError, match="the seed of seat 2 can no longer be changed"):
        box.give(1, "y")
    assert box.dice.seeds == ("x", None)


@pytest.mark.parametrize("seed", ["", "x" * 65, "two\nlines", "\ud800"])
def test_bad_seed_is_refused(seed: str) -> None:
    box = DiceBox(2, faces=D4)
    with pytest.raises(DiceError, match="one line of 1 to 64 characters"):
        box.give(1, seed)
    assert box.dice.seeds == (None, None)


def test_rolls_come_in_order_and_twice_the_same(play: Any) -> None:
    box = DiceBox(3, faces=D4, secret=SECRET, id="t")
    game = play(1, 3, players=3)
    game.push("!2")  # an interrupt while the die is to roll is no roll
    first = box.roll(game)
    assert first == box.roll(game) == str(roll(box.dice, 0))
    game.push(first)
    game.push("skip")
    assert box.roll(game) == str(roll(box.dice, 1))
    game.pop()
    game.pop()
    assert box.roll(game) == first


def test_nothing_to_roll(play: Any) -> None:
    with pytest.raises(DiceError, match="no roll of a die with 4 faces"):
        DiceBox(2, faces=D4).roll(play(1, 1))
    with pytest.raises(DiceError, match="no roll of a die with 6 faces"):
        DiceBox(2, faces=6).roll(play(1, 2))


def test_box_goes_on_after_a_restart(played: tuple[DiceBox, Position]) -> None:
    box, _ = played
    again = DiceBox(2, faces=D4, secret=box.dice.secret, id=box.dice.id, seeds=box.dice.seeds, closed=box.closed)
    assert again.block() == box.block()
    assert [roll(again.dice, i) for i in range(9)] == [roll(box.dice, i) for i in range(9)]


# --- proofs ---------------------------------------------------------------------------------------


def test_good_record_is_proved(record: Record) -> None:
    proof = verify(record)
    assert proof.proved
    assert proof.rolls == len(roll_places(record))
    first, second = proof.lines()
    assert str(first) == f"Dice verified: all {proof.rolls} rolls are correct, and nothing was changed."
    assert record.dice is not None
    assert record.dice.commitment in str(second)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), seeds=st.lists(st.none() | st.text("abcß ", min_size=1), min_size=3, max_size=3))
def test_every_game_played_with_a_box_is_proved(play: Any, seed: int, seeds: list[str | None]) -> None:
    box = DiceBox(3, faces=D4, seeds=seeds)
    sealed = box.disclose(Record.of(play(seed, roll=box.roll, players=3), dice=box.block()))
    assert faults(sealed) == []
    assert sealed.replay().outcome() == sealed.outcome


def test_game_that_was_resigned_is_proved(play: Any) -> None:
    box = DiceBox(2, faces=D4)
    stopped = Record.of(play(2, 9, roll=box.roll, goal=50), ended=Ended(RESIGN, 1), dice=box.block())
    assert faults(box.disclose(stopped)) == []


def test_what_cannot_be_proved(play: Any, record: Record) -> None:
    box = DiceBox(2, faces=D4)
    for unproved, why in (
        (Record.of(play(5)), "no dice to verify"),
        (Record.of(play(2, 9, roll=box.roll, goal=50), dice=box.block()), "still in progress"),
        (Record.of(play(2, 9, roll=box.roll, goal=50), dice=box.block(), viewer=0), "still in progress"),
        (Record.of(play(5, roll=box.roll), dice=box.block()), "the secret of the dice was not disclosed"),
    ):
        with pytest.raises(RecordError, match=why):
            verify(unproved)


def test_changed_roll_is_found_and_named(record: Record) -> None:
    for index, number in enumerate(roll_places(record)):
        due = record.moves[number].text
        for other in {"1", "2", "3", "4"} - {due}:
            named = f"roll {index + 1} (move {number + 1}) should be {due}, the record says {other}"
            assert faults(with_move(record, number, text=other)) == [named]


def test_two_changed_rolls_are_both_named(record: Record) -> None:
    _, second, third, *_ = roll_places(record)
    twice = with_move(with_move(record, second, text="5"), third, text="6")
    assert [fault[:6] for fault in faults(twice)] == ["roll 2", "roll 3"]


def test_changed_move_is_found_and_named(record: Record) -> None:
    for number, move in enumerate(record.moves):
        if move.seat != CHANCE:
            for other in ({"text": "skip" if move.text == "add" else "add"}, {"ms": 7}, {"ms": None}):
                found = faults(with_move(record, number, **other))
                assert [fault.split(" (")[0] for fault in found] == [f"move {number + 1}"]


def test_changed_mover_is_found_and_named(record: Record) -> None:
    number = roll_places(record)[2]
    assert faults(with_move(record, number, seat=0))[0].startswith(f"move {number + 1} (")


def test_changed_tag_is_found_and_named(record: Record) -> None:
    assert faults(with_move(record, 3, tag="00000000")) == [
        f"move 4 ({record.moves[3].text}) was changed after the game, or its tag was"
    ]


def test_taken_out_and_added_moves_are_found_where_they_are(record: Record) -> None:
    for number in range(len(record.moves) - 2):
        for moves in (
            record.moves[:number] + record.moves[number + 1 :],
            (*record.moves[: number + 1], *record.moves[number:]),
        ):
            found = faults(replace(record, moves=moves))
            place = number + 1 + len(moves) - len(record.moves) if len(moves) > len(record.moves) else number + 1
            assert found[0].startswith(f"nothing from move {place} on matches what was played"), (number, found)


def test_missing_end_is_found(record: Record) -> None:
    found = faults(replace(record, moves=record.moves[:-1]))
    assert found[0] == "moves: this was changed after the game, or its seal was"
    assert "the moves lead to null" in found[1]


def test_changed_secret_and_commitment_are_found(record: Record) -> None:
    expected = ["the secret does not match the commitment that was published before the first roll"]
    for change in ({"secret": "00" * 32}, {"commitment": "00" * 32}, {"faces": 6}):
        assert faults(with_dice(record, **change)) == expected
    assert expected[0] in faults(with_dice(record, id="table-8"))


def test_changed_seed_is_found_and_its_seat_named(record: Record) -> None:
    assert record.dice is not None
    for seat in (0, 1):
        expected = [f"the seed of seat {seat + 1} does not match its hash, which was published before the first roll"]
        for value in ("other", None):
            seeds = list(record.dice.seeds)
            seeds[seat] = value
            assert faults(with_dice(record, seeds=tuple(seeds))) == expected
        hashes = list(record.dice.seed_hashes)
        hashes[seat] = "ab" * 32
        assert faults(with_dice(record, seed_hashes=tuple(hashes))) == expected


def test_changed_parts_are_found_and_named(record: Record) -> None:
    outcome = record.outcome
    assert outcome is not None
    for part, changed in (
        ("seats", replace(record, seats=("Bob", "Ann"))),
        ("date", replace(record, date="2026-03-14")),
        ("date", replace(record, date=None)),
        ("options", replace(record, options={**record.options, "goal": 29})),
        ("outcome", replace(record, outcome=replace(outcome, winners=(), scores=(0.0, 0.0)))),
        ("ended", replace(record, ended=Ended(RESIGN, 1))),
    ):
        assert faults(changed)[0] == f"{part}: this was changed after the game, or its seal was"


def test_forger_who_makes_new_tags_cannot_change_a_roll(played: tuple[DiceBox, Position], record: Record) -> None:
    box, _ = played
    number = roll_places(record)[4]
    other = "1" if record.moves[number].text != "1" else "2"
    forged = box.disclose(with_move(record, number, text=other))
    assert [fault[:6] for fault in faults(forged)] == ["roll 5"]
    # New seeds that give the wanted roll do not help either: their hashes were published.
    assert record.dice is not None
    for attempt in range(100):
        seeds = ("Ann's seed", f"try {attempt}")
        if roll(Dice(SECRET, "table-7", seeds, D4), 4) == int(other):
            break
    assert faults(with_dice(forged, seeds=seeds))[0].startswith("the seed of seat 2 does not match")


def test_many_faults_are_counted_not_listed(played: tuple[DiceBox, Position], record: Record) -> None:
    moves = tuple(replace(m, tag="00000000") if 0 < i < 15 else m for i, m in enumerate(record.moves))
    assert len(record.moves) > 15
    found = faults(replace(record, moves=moves))
    assert len(found) == 11
    assert found[-1] == "and 4 more"


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_whatever_is_changed_is_found(record: Record, data: st.DataObject) -> None:
    """Change one character of the file: it is refused, or the proof fails, or it says the same as before."""
    written = record.to_json()
    at = data.draw(st.integers(0, len(written) - 1))
    changed = written[:at] + data.draw(st.sampled_from('0123456789abcdefskip," :=')) + written[at + 1 :]
    read = read_or_refuse(Record.from_json, changed)
    if read is None:
        assert changed != written
    else:
        assert read == record or not verify(read).proved


@pytest.mark.parametrize("language", LANGUAGES)
def test_result_can_be_said_in_every_language(record: Record, language: str) -> None:
    bad = verify(with_move(record, roll_places(record)[0], text="5"))
    said = [say(line, language) for proof in (verify(record), bad) for line in proof.lines()]
    assert len(said) == 3
    assert not any("{" in line or "core." in line for line in said)
    assert say(Proof(1, "").lines()[0], language) != said[0]


# --- what a player noted ----------------------------------------------------------------------------


def kept_by_a_cheat(play: Any, faces: int = D4, seed: str = "Ann's seed") -> Record:
    """Return the record of a keeper who made dice as he liked, and sealed them as an honest one does."""
    box = DiceBox(2, faces=faces, secret=SECRET, id="table-7", seeds=(seed, "Bob's"), closed=True)

    def rolled(position: Position) -> str:
        return str(box.dice.below(position.movers.count(CHANCE), faces) + 1)

    last = play(3, roll=rolled, goal=30)
    sealed = box.disclose(Record.of(last, seats=("Ann", "Bob"), date="2026-03-13", dice=box.block()))
    return Record.from_json(sealed.to_json())


def test_a_die_of_two_faces_is_refused_where_the_rules_have_four(play: Any) -> None:
    cheated = kept_by_a_cheat(play, faces=2)
    assert {move.text for move in cheated.moves if move.seat == CHANCE} == {"1", "2"}
    assert faults(cheated) == ["dice.faces: the record says 2, for this game it must be 4"]


def test_a_seed_that_was_swapped_is_found_by_who_noted_it(play: Any) -> None:
    cheated = kept_by_a_cheat(play, seed="chosen by the keeper")
    assert verify(cheated).proved  # the record alone cannot tell
    proof = verify(cheated, seeds={0: "Ann's seed", 1: "Bob's"})
    assert [str(fault) for fault in proof.faults] == ["the seed of seat 1 is not the one that you noted"]


def test_a_commitment_that_was_swapped_is_found_by_who_noted_it(record: Record) -> None:
    assert record.dice is not None
    noted = record.dice.commitment
    good = verify(record, commitment=f" {noted.upper()}\n", seeds={0: "Ann's seed"})
    assert good.proved
    assert str(good.lines()[1]) == f"The commitment is the one that you noted: {noted}"
    bad = verify(record, commitment="00" * 32)
    assert not bad.proved
    assert str(bad.lines()[0]) == f"the commitment is not the one that you noted; the record says {noted}"


def test_a_noted_seed_needs_a_seat(record: Record) -> None:
    with pytest.raises(RecordError, match="there is no seat 3 here, there are 2"):
        verify(record, seeds={2: "x"})
