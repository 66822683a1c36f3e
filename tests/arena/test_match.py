"""Matches and tournaments: small ones, with every figure checked."""

from pathlib import Path
from typing import Any

import pytest

from tests.support.processes import Program
from triskele.arena.journal import Journal
from triskele.arena.match import Match, Plan, play_game
from triskele.arena.referee import Terms
from triskele.arena.tournament import Tournament
from triskele.arena.worker_pool import WorkerPool
from triskele.core.contract.engine import Limits
from triskele.core.errors import OptionError, RecordError
from triskele.core.game import game
from triskele.core.position import Position

TERMS = Terms(Limits(nodes=5), patience=0.3)


def plan(a: str = "random", b: str = "random", seed: int = 1, terms: Terms = TERMS, **options: Any) -> Plan:
    return Plan("tryad", options, (a, b), terms, openings=2, seed=seed)


def played(match: Match, path: Path | None = None, workers: int = 0) -> tuple[dict[str, Any], dict[int, Any]]:
    with Journal(path, match.header()) as journal, WorkerPool(workers) as pool:
        return match.play(journal, pool).document(), journal.results


def without_times(results: dict[int, Any]) -> dict[int, Any]:
    return {number: {k: v for k, v in result.items() if k != "seconds"} for number, result in results.items()}


def test_pairs_share_their_opening_with_sides_swapped() -> None:
    match = Match(plan(), 5)
    document, results = played(match)
    assert document["games"] == 6  # whole pairs
    for first in range(0, 6, 2):
        one, other = results[first], results[first + 1]
        assert one["group"] == other["group"] == first // 2
        assert (one["seated"], other["seated"]) == ([0, 1], [1, 0])
        assert one["moves"].split()[:4] == other["moves"].split()[:4]


def test_the_figures_are_those_of_the_games() -> None:
    document, results = played(Match(plan("uct", "random"), 8))
    wins = draws = losses = 0
    for result in results.values():
        position = Position(game("tryad").variant())
        for move in result["moves"].split():
            position.push(move)
        outcome = position.outcome()
        assert outcome is not None
        a = result["seated"].index(0)
        wins += outcome.winners == (a,)
        losses += a not in outcome.winners and outcome.winners != ()
        draws += len(outcome.winners) != 1 and (a in outcome.winners or not outcome.winners)
        assert result["scores"] == list(outcome.scores)
        assert result["reason"] == outcome.reason
    assert (document["wins"], document["draws"], document["losses"]) == (wins, draws, losses)
    assert document["score"] == pytest.approx((wins + draws / 2) / 8)
    assert document["interval"][0] < document["score"] < document["interval"][1]
    assert document["sprt"] is None
    assert sum(document["reasons"].values()) == 8


def test_resuming_is_as_if_nothing_had_happened(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    whole, expected = played(Match(plan("uct", "random"), 6))
    played(Match(plan("uct", "random"), 2), path)
    torn = path.read_bytes()[:-30]
    path.write_bytes(torn)
    resumed, results = played(Match(plan("uct", "random"), 6), path)
    assert without_times(results) == without_times(expected)
    assert {**resumed, "thought": 0} == {**whole, "thought": 0}
    again, _ = played(Match(plan("uct", "random"), 6), path)
    assert again == resumed
    with pytest.raises(RecordError, match="contestants"):
        played(Match(plan("uct", "uct"), 6), path)


def test_processes_give_the_same_as_one(tmp_path: Path) -> None:
    one = played(Match(plan("uct", "random"), 4))[1]
    two = played(Match(plan("uct", "random"), 4), workers=2)[1]
    assert without_times(one) == without_times(two)


def test_the_test_ends_the_match(program: Program) -> None:
    # The program loses by a crash every time, so it is decided after a few pairs.
    crashing = "cmd:" + " ".join(program("raise SystemExit(1)\n"))
    document, results = played(Match(plan("random", crashing), 100, sprt=(0, 200)))
    assert document["sprt"]["accepted"] == "elo1"
    assert document["games"] == len(results) < 30
    assert document["score"] == 1.0
    assert document["elo"] is None
    assert document["elo_interval"][1] is None
    assert document["failures"]["B"] == {"crash": document["games"], "hang": 0, "illegal": 0}
    assert document["failures"]["A"] == {"crash": 0, "hang": 0, "illegal": 0}


def test_a_match_goes_on_whatever_one_of_them_does(program: Program) -> None:
    body = """
import random
for word, rest in heard():
    if word == "legal":
        moves = rest.split()
    elif word == "go":
        luck = random.Random(rest + str(len(moves)) + moves[0]).random()
        if luck < 0.1:
            os._exit(5)
        if luck < 0.15:
            time.sleep(60)
        say("bestmove", "nothing" if luck < 0.25 else moves[0])
"""
    wild = "cmd@seconds=0.05:" + " ".join(program(body))
    document, results = played(Match(plan(wild, "random"), 10))
    assert document["games"] == 10
    failures = document["failures"]["A"]
    assert sum(failures.values()) >= 5
    assert sum(kind > 0 for kind in failures.values()) >= 2
    assert document["losses"] >= sum(failures.values())
    assert all("why" in result["failure"] for result in results.values() if "failure" in result)


def test_with_more_seats_a_sits_at_each_of_them() -> None:
    document, results = played(Match(plan("uct", "random", players=3), 6))
    assert [result["seated"] for _, result in sorted(results.items())][:3] == [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    assert document["even"] == pytest.approx(1 / 3, abs=1e-5)
    assert len(document["score_by_seat"]) == 3
    assert document["groups"] == 2


def test_what_cannot_be_played_is_said_before() -> None:
    with pytest.raises(OptionError, match="single seat"):
        Plan("tryad", {"players": 1, "mode": "practice"}, ("random", "random")).check()
    with pytest.raises(OptionError, match="no engine"):
        plan("stockfish").check()
    with pytest.raises(OptionError, match="no program"):
        plan("cmd:/nowhere/at/all").check()
    plan("cmd:/nowhere/at/all").check(here=False)  # it may be there on the cluster


def test_a_unit_can_be_done_anywhere_and_again() -> None:
    one, other = (play_game(plan("uct", "random"), 3, (1, 0)) for _ in range(2))
    assert {**one, "seconds": 0} == {**other, "seconds": 0}


# --- tournaments ----------------------------------------------------------------------------------


def tournament(*contestants: str, games: int = 2, gauntlet: bool = False, **options: Any) -> tuple[Any, Any]:
    made = Tournament(Plan("tryad", options, contestants, TERMS, 2), games, gauntlet=gauntlet)
    with Journal(None, made.header()) as journal, WorkerPool(0) as pool:
        rows = made.play(journal, pool)
        return made.document(journal), rows


def test_everybody_meets_everybody(program: Program) -> None:
    crashing = "cmd:" + " ".join(program("raise SystemExit(1)\n"))
    document, rows = tournament("random", "uct", crashing)
    assert document["games"] == 6
    assert document["scale"] == "elo"
    assert [row["games"] for row in document["table"]] == [4, 4, 4]
    assert rows[-1].name == crashing
    assert rows[-1].failures["crash"] == 4
    assert rows[-1].score == 0
    assert sum(row.score for row in rows) == pytest.approx(1.5)


def test_a_gauntlet_is_one_against_all() -> None:
    document, _ = tournament("random", "random:nodes=1", "random:nodes=2", gauntlet=True)
    assert {row["name"]: row["games"] for row in document["table"]} == {
        "random": 4,
        "random:nodes=1": 2,
        "random:nodes=2": 2,
    }


def test_more_than_two_seats_are_rated_by_openskill() -> None:
    document, rows = tournament("random", "random:nodes=1", games=3, players=3)
    assert document["scale"] == "openskill"
    assert document["games"] == 6  # two mixtures of two, three seats each
    assert sum(row.games for row in rows) == 18


def test_one_contestant_is_no_tournament() -> None:
    with pytest.raises(OptionError, match="two contestants"):
        Tournament(Plan("tryad", {}, ("random",)), 2)
