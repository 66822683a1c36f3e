"""What goes to the executor is what one seat may know, and nothing else."""

import pickle

import pytest

import triskele
from triskele.server.engines import jobs
from triskele.server.engines.jobs import Question


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    monkeypatch.setenv("TRISKELE_PLAIN", "1")


def test_a_question_holds_no_secret():
    position = triskele.new("tryptic", players=3)
    for move in ("=BGR", "=WWY", "=RYR", "Re5"):
        position.push(move)
    question = Question.of(position, 0, 1.0, 1, 64)
    other = triskele.new("tryptic", players=3)
    for move in ("=BGR", "=BBB", "=GGG", "Re5"):
        other.push(move)
    assert pickle.dumps(question) == pickle.dumps(Question.of(other, 0, 1.0, 1, 64))
    known = question.position()
    assert str(known) == str(position.seen_by(0))
    assert known.moves_seen_by(0) == ["=BGR", "=***", "=***", "Re5"]


def test_an_open_position_arrives_as_it_is():
    position = triskele.new("trypsylon")
    position.push(position.legal_moves[0])
    assert Question.of(position, 0, 1.0, None, 64).position() == position
    chosen = jobs.choose(Question.of(position, 0, 0.1, 1, 16))
    assert chosen in [move.text for move in position.legal_moves]


def test_hints_and_analysis():
    position = triskele.new("trypsylon")
    question = Question.of(position, 0, 0.2, None, 16)
    hint = jobs.hint(question, "de")
    assert hint["move"] in [move.text for move in position.legal_moves]
    assert len(jobs.analyse(question)["scores"]) == 2
    assert jobs.interrupt(question) is None
