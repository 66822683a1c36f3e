"""Reviews of whole games: through the contract and engines, in any game."""

import dataclasses
import json
import random
import threading
from typing import ClassVar

import pytest

import triskele
from triskele.core.contract import CHANCE
from triskele.core.contract.engine import Appraisal, Engine, Info, Limits
from triskele.core.errors import OptionError, RecordError
from triskele.core.playout import random_move
from triskele.core.position import Position
from triskele.core.record_parts import Ended
from triskele.reviewing import valuation
from triskele.reviewing.assembly import assemble
from triskele.reviewing.report import ReviewWriter
from triskele.reviewing.retry import judge_retry
from triskele.reviewing.review import MOST_MOVES, Reviewer, review
from triskele.reviewing.valuation import Value

GAMES = [game.name for game in triskele.games()]


def played(name, moves, seed=1, **options):
    """Return a random game's record, cut off after some moves."""
    rng = random.Random(seed)
    position = triskele.new(name, **options)
    while position.turn is not None and len(position.moves) < moves:
        position.push(random_move(position, rng))
    return triskele.Record.of(position)


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_reviewed_as_far_as_it_goes(name):
    record = played(name, 14)
    found = review(record, nodes=30, seconds=0.3)
    document = json.loads(json.dumps(found.document()))
    decisions = [move for move in record.moves if move.seat != CHANCE]
    assert [(move["seat"], move["move"]) for move in document["moves"]] == [(m.seat, m.text) for m in decisions]
    assert document["reviewed"] == len(record.moves)
    assert len(document["chances"]) == len(record.moves) + 1
    for move in document["moves"]:
        assert 0 <= move["chance_after"] <= 1
        assert move["grade"] in (None, "inaccuracy", "mistake", "blunder")
        assert not (move["grade"] and move["better_line"] is None)
    for player in document["players"]:
        assert player["accuracy"] is None or 0 <= player["accuracy"] <= 100
        dice = record.variant.game.chance
        assert ("luck" in player) == dice
        if dice:
            assert player["luck"] + player["skill"] == pytest.approx(player["sum"], abs=1e-9)


@pytest.mark.parametrize("language", ["en", "de", "pl"])
def test_a_review_is_written_as_text_and_as_one_page(language):
    writer = ReviewWriter(review(played("tryad", 300)), language)
    lines = writer.lines()
    assert any("%" in line for line in lines)
    page = writer.html()
    assert page.count("<svg") == 1
    assert "<script" not in page
    assert "http" not in page
    assert f'lang="{language}"' in page


def test_names_of_players_cannot_break_the_page():
    record = dataclasses.replace(played("tryad", 20), seats=("<script>alert(1)</script>", "B&B"))
    page = ReviewWriter(review(record)).html()
    assert "<script" not in page
    assert "&lt;script&gt;" in page


def test_a_game_that_was_only_seen_or_is_too_long_is_refused():
    position = triskele.new("tryptic")
    position.push(position.legal_moves[0])
    with pytest.raises(RecordError):
        review(triskele.Record.of(position, viewer=1))
    short = played("tryad", 4)
    long = dataclasses.replace(short, moves=short.moves * MOST_MOVES)
    with pytest.raises(RecordError, match=str(MOST_MOVES)):
        review(long)


def test_limits_outside_their_range_are_refused():
    for limits in ({"nodes": 0}, {"seconds": 0.0}, {"seconds": -1.0}, {"seconds": 1e9}):
        with pytest.raises(OptionError):
            review(played("tryad", 2), **limits)


def test_a_game_without_a_move_has_an_empty_review():
    found = review(triskele.Record.of(triskele.new("tryad")))
    assert found.moves == ()
    assert [player.accuracy for player in found.players] == [None, None]
    assert found.turning_point is None


def test_a_review_in_parts_is_the_same_as_at_once():
    record = played("tryad", 300)
    reviewer = Reviewer(record)
    first = reviewer.values(seconds=0.0)
    assert 0 < len(first) < reviewer.positions
    rest = reviewer.values(len(first))
    assert reviewer.review([*first, *rest]).document() == review(record).document()


def test_a_review_that_is_stopped_tells_how_far_it_came():
    stop = threading.Event()
    stop.set()
    found = review(played("tryad", 30), stop=stop)
    assert found.reviewed == 0


class _Knowing(Engine):
    """An engine of a game with secrets that notes what it is told."""

    name = "knowing"
    asked: ClassVar[list] = []

    def think(self, task):
        yield Info(1, 1, 0.0, (0.0,) * task.position.variant.seats, ((task.position.legal_moves[0].text,),))

    def appraise(self, position, move, limits, stop=None):
        task = self._task(position, limits, stop, position.mover(move))
        self.asked.append((task.seat, str(task.position)))
        return Appraisal((move.text,), (0.0, 0.0), (0.0, 0.0))


def test_a_move_with_secrets_is_judged_by_what_its_seat_knew(monkeypatch):
    """The engine gets the seat's view: equal views give equal questions, whatever the truth is."""
    monkeypatch.setattr(valuation, "engine", lambda name, game: _Knowing(game))
    questions = []
    for other in ("=BWY", "=GGR"):
        position = triskele.new("tryptic")
        for move in ("=GRY", other, "Re5", "."):
            position.push(move)
        _Knowing.asked = []
        review(triskele.Record.of(position))
        questions.append([asked for asked in _Knowing.asked if asked[0] == 0])
    assert questions[0] == questions[1]
    assert questions[0]


def test_a_wrong_challenge_is_judged_before_its_answer_is_known():
    """P7: whether a guess is right does not change what it was worth to make it."""
    worth = []
    for other in ("=BWY", "=GGR"):
        position = triskele.new("tryptic")
        for move in ("=GRY", other, "?2=BWY"):
            position.push(move)
        challenge = review(triskele.Record.of(position)).moves[2]
        worth.append((challenge.before, challenge.after, challenge.grade))
    assert worth[0] == worth[1]


def test_a_forced_move_is_neither_good_nor_bad():
    record = played("tryad", 6)
    values = [Value((0.5, 0.5), ("x",), (0.1, 0.9)) for _ in range(len(record.moves) + 1)]
    at = next(number for number, move in enumerate(record.moves) if move.seat != CHANCE)
    values[at] = None
    found = assemble(record.variant, record.moves, record.seats, values)
    forced = next(move for move in found.moves if move.number == at + 1)
    assert (forced.forced, forced.loss, forced.grade) == (True, 0.0, None)


def test_a_mistake_can_be_tried_again():
    record = played("tryad", 400, seed=2)
    found = review(record)
    worst = max(found.moves, key=lambda move: move.loss)
    assert worst.loss > 0
    asked = judge_retry(record, worst.number, None)
    assert (asked.status, asked.seat) == ("going", worst.seat)
    assert judge_retry(record, worst.number, worst.better[0]).status == "solved"
    assert judge_retry(record, worst.number, "nonsense").status == "refused"
    if worst.grade is not None:
        assert judge_retry(record, worst.number, worst.move).status == "wrong"
    roll = next(number for number, move in enumerate(record.moves, 1) if move.seat == CHANCE)
    for number in (0, roll, len(record.moves) + 1):
        with pytest.raises(RecordError):
            judge_retry(record, number, None)


def test_the_engine_compares_a_move_with_the_best_also_before_dice():
    """The default of :meth:`Engine.appraise`: what follows after a roll is weighed by how likely it is."""
    position = triskele.new("tryad")
    position.push("4")
    engine = _Counting(position.variant.game)
    found = engine.appraise(position, position.legal_moves[-1], Limits(nodes=1))
    assert found.played == pytest.approx((0.0, 0.0))
    assert engine.searched == 1 + 4


class _Counting(Engine):
    name = "counting"

    def __init__(self, game):
        super().__init__(game)
        self.searched = 0

    def think(self, task):
        self.searched += 1
        best = (task.position.legal_moves[0].text,)
        yield Info(1, 1, 0.0, (0.5, -0.5) if self.searched == 1 else (0.0, 0.0), (best,))


def test_positions_of_a_record_are_valued_once_each():
    record = played("tryad", 12)
    seen = []
    Reviewer(record).values(progress=lambda done, of: seen.append((done, of)))
    assert seen == [(number, len(record.moves) + 1) for number in range(1, len(record.moves) + 2)]
    assert Position(record.variant) == Position(record.variant)


def test_a_record_that_begins_in_the_middle_is_reviewed_from_there():
    record = played("tryad", 12)
    later = triskele.position(str(list_of_positions(record)[6]))
    for move in record.moves[6:]:
        later.push(move.text)
    found = review(triskele.Record.of(later, anywhere=True))
    whole = review(record)
    assert [move.move for move in found.moves] == [move.move for move in whole.moves if move.number > 6]
    assert found.found.chances == whole.found.chances[6:]


def list_of_positions(record):
    return [position.copy() for position in record.positions()]


@pytest.mark.parametrize(("name", "moves"), [("tryad", 12), ("conquest", 6)])
def test_luck_and_skill_of_a_resigned_game_are_its_result(name, moves):
    rng = random.Random(3)
    position = triskele.new(name)
    while len(position.moves) < moves:
        position.push(random_move(position, rng))
    record = triskele.Record.of(position, ended=Ended("resign", 0))
    found = review(record, nodes=200)
    assert [player.luck + player.skill for player in found.players] == pytest.approx(record.outcome.scores, abs=1e-9)
