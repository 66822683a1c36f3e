"""Games from records become the log of a table."""

import pickle
import time

import pytest

import triskele
from triskele.core.dice import Proof
from triskele.core.errors import RecordError
from triskele.core.records import Record
from triskele.server.tables import opening
from triskele.server.tables.opening import SeatPlan, TablePlan
from triskele.server.tables.recorded import read_record


def record_of(*moves, **more):
    position = triskele.new("yinsh")
    for move in moves:
        position.push(move)
    return Record.of(position, **more)


def test_a_game_that_was_read_goes_through_pickle_and_into_a_log():
    recorded = pickle.loads(pickle.dumps(read_record(record_of("a2", "a3", times=[5, None]).to_json().encode())))
    assert recorded.moves == ((0, "a2", 5, 1), (1, "a3", 0, 0))
    assert recorded.proof is None
    plan = TablePlan(recorded.variant, [SeatPlan("here"), SeatPlan("here")], "ann")
    time.sleep(0.01)
    rows = opening._rows(plan, recorded)
    assert [row["time"] - plan.opened for row in rows] == [5, 5]
    table = next(values for statement, values in plan.statements() if statement.table.name == "tables")[0]
    assert table["opened"] == plan.opened


def test_a_bad_record_is_refused_in_another_process_as_here():
    bad = record_of("a2").to_json().replace("a2", "z9").encode()
    with pytest.raises(RecordError) as refused:
        read_record(bad)
    assert str(pickle.loads(pickle.dumps(refused.value))) == str(refused.value)


def test_a_proof_goes_through_pickle():
    proof = Proof(3, "abc")
    assert pickle.loads(pickle.dumps(proof)) == proof
