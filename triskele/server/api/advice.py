"""Advice: hints, analysis, proofs of dice, records to look at."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import APIRouter, Request, Response

from triskele.core.contract import CHANCE
from triskele.core.dice import Proof, verify
from triskele.core.errors import RecordError
from triskele.core.words import say
from triskele.server import jobs, moving
from triskele.server.api import models
from triskele.server.api.context import Asked, Context
from triskele.server.api.tables import TableId
from triskele.server.jobs import Question
from triskele.server.refusal import Refusal
from triskele.server.review import position_at, proof_of
from triskele.server.table import Table

router = APIRouter(tags=["advice"])


@asynccontextmanager
async def _one_at_a_time(asked: Context) -> AsyncIterator[None]:
    """Let a visitor have one answer of an engine at a time, and all together not too many."""
    visitor = asked.visitor or asked.address
    if not asked.house.advice.enter("all"):
        raise Refusal("busy")
    if not asked.house.advised.enter(visitor):
        asked.house.advice.leave("all")
        raise Refusal("limit")
    try:
        yield
    finally:
        asked.house.advised.leave(visitor)
        asked.house.advice.leave("all")


@router.post("/tables/{table}/hint", response_model=models.Hint)
async def hint(asked: Asked, table: TableId, wanted: models.HintAsked) -> Response:
    """Return a good move for a seat of mine that is to act, and why it is good; not in rated play."""
    found = await asked.house.tables.get(table, asked.visitor)
    moving.check_seat(found, asked.visitor, wanted.seat)
    if found.rated:
        raise Refusal("rated")
    async with found.lock:
        moving.check_on(found)
        if found.turn != wanted.seat:
            raise Refusal("turn")
        question = _question(asked, found, wanted.seat, None)
    async with _one_at_a_time(asked):
        return asked.answer(await asked.house.thinkers.ask(jobs.hint, question, asked.language))


@router.post("/tables/{table}/analysis", response_model=models.Analysis)
async def analysis(asked: Asked, table: TableId, wanted: models.AnalysisAsked) -> Response:
    """Return what an engine thinks: of finished games, and of unrated ones that I play without another person."""
    found = await asked.house.tables.get(table, asked.visitor)
    if found.outcome is None and (found.rated or not found.alone(asked.visitor) or not found.persons()):
        raise Refusal("on")
    async with found.lock:
        at = found.moves if wanted.at is None else wanted.at
        question = _question(asked, found, wanted.seat, at)
    async with _one_at_a_time(asked):
        return asked.answer({"at": at, **await asked.house.thinkers.ask(jobs.analyse, question)})


def _question(asked: Context, table: Table, seat: int | None, at: int | None) -> Question:
    """Ask for the seat to act, or in an unfinished game with secrets for the one that is said and mine."""
    position = position_at(table, at)
    turn = position.turn
    if turn is None or turn == CHANCE:
        raise Refusal("no-decision")
    asking = turn if seat is None else seat
    if asking >= len(table.seats):
        raise Refusal("seat")
    if table.outcome is None and table.hidden:
        moving.check_seat(table, asked.visitor, asking)
    settings = asked.house.settings
    return Question.of(position, asking, settings.engine_seconds, None, settings.engine_memory_mb)


@router.get("/tables/{table}/proof", response_model=models.ProofShown)
async def proof(asked: Asked, table: TableId) -> Response:
    """Return what checking the dice of a finished game says."""
    found = await asked.house.tables.get(table, asked.visitor)
    async with found.lock:
        work = proof_of(found)
    return asked.answer(_proof_document(await asked.house.storage.run(work), asked.language))


def _proof_document(proof: Proof, language: str) -> dict[str, object]:
    lines = [say(line, language) for line in proof.lines()]
    return {"proved": proof.proved, "rolls": proof.rolls, "commitment": proof.commitment, "lines": lines}


@router.post(
    "/records",
    response_model=models.RecordOpened,
    openapi_extra={"requestBody": {"required": True, "content": {"application/json": {"schema": {"type": "object"}}}}},
)
async def open_record(asked: Asked, request: Request) -> Response:
    """Open a table from a record: finished for review, or to go on with at one screen."""
    visitor = asked.someone()
    if not asked.house.new_tables.take(visitor):
        raise Refusal("limit")
    try:
        table, record = await asked.house.opening.open_record(visitor, await request.body())
        dice = record.dice
        proof = await asked.house.storage.run(lambda: verify(record)) if dice and dice.secret else None
    except RecordError as error:
        raise Refusal("record", error.text) from None
    shown = None if proof is None else _proof_document(proof, asked.language)
    return asked.answer({"table": table.id, "proof": shown})
