"""Routes of advice: hints, analysis, proofs of dice, records to review."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from triskele.core.contract import CHANCE
from triskele.core.dice import Proof
from triskele.core.errors import RecordError
from triskele.core.words import say
from triskele.server.engines import jobs, table_jobs
from triskele.server.engines.jobs import Question
from triskele.server.http import models
from triskele.server.http.context import Asked, Context
from triskele.server.http.routes.tables import TableId
from triskele.server.rate_limits import ConcurrencyLimiter
from triskele.server.refusal import Refusal
from triskele.server.tables import moves
from triskele.server.tables.history import last_decision, position_at, position_to_explain, proof_source, viewer_of
from triskele.server.tables.opening import SeatPlan
from triskele.server.tables.table import ENGINE, Table
from triskele.server.tables.validation import check_record_length

router = APIRouter(tags=["advice"])


@contextmanager
def at_once(asked: Context, of_all: ConcurrencyLimiter, of_visitor: ConcurrencyLimiter) -> Iterator[None]:
    """Refuse what would be too much at once for all together (``busy``) or for the visitor (``limit``)."""
    payer = asked.payer
    if not of_all.acquire("all"):
        raise Refusal("busy")
    if not of_visitor.acquire(payer):
        of_all.release("all")
        raise Refusal("limit")
    try:
        yield
    finally:
        of_visitor.release(payer)
        of_all.release("all")


def limited_advice(asked: Context) -> AbstractContextManager[None]:
    """Limit the answers of engines that are at work or waiting, for each visitor and for all together.

    Who asks for a hint while an analysis runs waits for it: the scheduler answers a visitor's questions one by one.
    """
    return at_once(asked, asked.services.advice_limiter, asked.services.advice_limiter_of_visitor)


@router.post("/tables/{table}/hint", response_model=models.Hint)
async def hint(asked: Asked, table: TableId, wanted: models.HintAsked) -> Response:
    """Return a good move for a seat of mine that is to act, and why it is good; not in rated play.

    The others are told that the seat was given a hint.
    """
    found = await asked.services.tables.get(table, asked.visitor)
    moves.check_seat(found, asked.visitor, wanted.seat)
    if found.rated:
        raise Refusal("rated")
    if not found.hints:
        raise Refusal("no-hints")
    async with found.lock:
        moves.check_on(found)
        moves.check_plays(found, wanted.seat)
        if found.turn != wanted.seat:
            raise Refusal("turn")
        question = _question(asked, found, wanted.seat, None)
    with limited_advice(asked):
        given = await _advice(asked, jobs.hint, question, asked.language)
    if not found.alone(asked.visitor):
        await asked.services.tables.act(found, lambda table: moves.hinted(table, wanted.seat))
    return asked.answer(given)


def _check_alone(asked: Context, table: Table) -> None:
    """Refuse unless a game is over, or unrated and played by the visitor without another person."""
    if table.outcome is None and (table.rated or not table.alone(asked.visitor) or not table.persons()):
        raise Refusal("on")


@router.post("/tables/{table}/analysis", response_model=models.Analysis)
async def analysis(asked: Asked, table: TableId, wanted: models.AnalysisAsked) -> Response:
    """Return what an engine thinks: of finished games, and of unrated ones that I play without another person.

    Without ``at`` it is the position in which a seat decided last, or is to decide now.
    """
    found = await asked.services.tables.get(table, asked.visitor)
    _check_alone(asked, found)
    async with found.lock:
        at = last_decision(found) if wanted.at is None else wanted.at
        question = _question(asked, found, wanted.seat, at)
    with limited_advice(asked):
        return asked.answer({"at": at, **await _advice(asked, jobs.analyse, question)})


@router.post("/tables/{table}/explanation", response_model=models.Explanation)
async def explanation(asked: Asked, table: TableId, wanted: models.LineAsked) -> Response:
    """Return why a line is good, which an engine in the page has found; no engine of the server is asked."""
    found = await asked.services.tables.get(table, asked.visitor)
    _check_alone(asked, found)
    async with found.lock:
        viewer = viewer_of(found, asked.visitor, wanted.seat)
        position = position_to_explain(found, viewer, wanted.at, wanted.line)
    return asked.answer(await asked.run_job(table_jobs.explain, position, wanted.line, asked.language))


async def _advice(asked: Context, job: Callable[..., dict[str, Any]], question: Question, *more: str) -> dict[str, Any]:
    """Ask an engine for the visitor, before the engines at the visitor's tables."""
    run = asked.services.engines.run
    asking = run(asked.payer, job, question, *more, seconds=question.seconds, urgent=True)
    return await asked.while_connected(asking)


def _question(asked: Context, table: Table, seat: int | None, at: int | None) -> Question:
    """Return the question for the seat to act or a named one, which must be mine in an unfinished game with secrets."""
    position = position_at(table, at)
    turn = position.turn
    if turn is None or turn == CHANCE:
        raise Refusal("no-decision")
    asking = turn if seat is None else seat
    if asking >= len(table.seats):
        raise Refusal("seat")
    if table.outcome is None and table.hidden:
        moves.check_seat(table, asked.visitor, asking)
    settings = asked.services.settings
    return Question.of(position, asking, settings.engine_seconds, None, settings.engine_memory_mb)


@router.get("/tables/{table}/proof", response_model=models.ProofShown)
async def proof(asked: Asked, table: TableId) -> Response:
    """Return what checking the dice of a finished game says, and what each roll could bring."""
    found = await asked.services.tables.get(table, asked.visitor)
    async with found.lock:
        source = proof_source(found, asked.services.accounts.record_names(found))
    proof, outcomes = await asked.run_job(table_jobs.prove, source)
    return asked.answer({**_proof_document(proof, asked.language), "outcomes": outcomes})


def _proof_document(proof: Proof, language: str) -> dict[str, object]:
    lines = [say(line, language) for line in proof.lines()]
    return {"proved": proof.proved, "rolls": proof.rolls, "commitment": proof.commitment, "lines": lines}


Occupants = Annotated[
    list[Annotated[str, Query(max_length=16)]] | None,
    Query(max_length=12, description="who goes on at each seat: `me`, `here`, or `engine:` and a level from 1 to 10"),
]


def _occupants(written: list[str] | None) -> list[SeatPlan] | None:
    """Return the seats as a visitor wants them; ``Refusal`` for anything but ``me``, ``here`` and ``engine:LEVEL``."""
    if not written:
        return None
    plans = []
    for each in written:
        kind, _, level = each.partition(":")
        if kind == ENGINE and level.isascii() and level.isdigit() and 1 <= int(level) <= 10:
            plans.append(SeatPlan(ENGINE, level=int(level)))
        elif each in ("me", "here"):
            plans.append(SeatPlan(each))
        else:
            raise Refusal("form")
    return plans


@router.post(
    "/records",
    response_model=models.RecordOpened,
    openapi_extra={"requestBody": {"required": True, "content": {"application/json": {"schema": {"type": "object"}}}}},
)
async def open_record(asked: Asked, request: Request, seats: Occupants = None) -> Response:
    """Open a table from a record: finished for review, or to go on with, at one screen or against engines."""
    visitor = asked.require_visitor()
    asked.count_table(visitor)
    data = await request.body()
    check_record_length(data, asked.services.settings.limits.record_moves)
    services = asked.services
    try:
        # Records are large: only a few are kept in memory while they wait for a worker.
        with at_once(asked, services.record_limiter, services.record_limiter_of_visitor):
            recorded = await asked.run_job(table_jobs.read_record, data)
    except RecordError as error:
        raise Refusal("record", error.text) from None
    table = await asked.services.opener.open_record(visitor, recorded, _occupants(seats))
    shown = None if recorded.proof is None else _proof_document(recorded.proof, asked.language)
    return asked.answer({"table": table.id, "proof": shown, "annotated": bool(recorded.annotated)})
