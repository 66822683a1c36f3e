"""Routes of games over days: conditional moves and vacations."""

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from triskele.core.record_parts import actor_document
from triskele.server.clocks import conditional_moves
from triskele.server.http import clock_models
from triskele.server.http.context import Asked
from triskele.server.tables.moves import check_seat

router = APIRouter(tags=["days"])
TableId = Annotated[str, Path(max_length=64)]
MySeat = Annotated[int, Query(ge=0, le=11, description="a seat of mine")]


@router.get("/tables/{table}/conditional", response_model=clock_models.ConditionalShown)
async def conditional(asked: Asked, table: TableId, seat: MySeat) -> Response:
    """Return the conditional moves of a seat of mine."""
    found = await asked.services.tables.get(table, asked.visitor)
    check_seat(found, asked.visitor, seat)
    plan = await asked.services.conditional_moves.of(found, seat)
    return asked.answer({"at": plan.at, "lines": plan.lines})


@router.post("/tables/{table}/conditional", response_model=clock_models.ConditionalShown)
async def put_conditional(asked: Asked, table: TableId, wanted: clock_models.ConditionalAsked) -> Response:
    """Replace the conditional moves of a seat of mine; without any lines they are removed."""
    found = await asked.services.tables.get(table, asked.visitor)
    check_seat(found, asked.visitor, wanted.seat)
    lines = [tuple(line) for line in wanted.lines]
    await asked.services.conditional_moves.put(found, wanted.seat, lines)
    return asked.answer({"at": found.moves, "lines": lines})


@router.post("/tables/{table}/conditional/position", response_model=clock_models.LineShown)
async def try_line(asked: Asked, table: TableId, wanted: clock_models.LineAsked) -> Response:
    """Return the position after a line of moves, as a seat of mine may know it, with the moves that can follow."""
    found = await asked.services.tables.get(table, asked.visitor)
    check_seat(found, asked.visitor, wanted.seat)
    async with found.lock:
        then = conditional_moves.after(found, wanted.seat, wanted.line)
    look = {
        "seat": wanted.seat,
        "scene": then.scene(wanted.seat, asked.language),
        "ask": "",
        "moves": [(move.text, move.spellings) for move in then.legal_moves] if then.turn is not None else [],
        "interrupts": [],
    }
    return asked.answer({"turn": actor_document(then.turn), "look": look})


@router.get("/vacation", response_model=clock_models.VacationShown)
async def vacation(asked: Asked) -> Response:
    """Return whether I am on vacation."""
    return asked.answer(asdict(await asked.services.vacations.of(asked.require_visitor())))


@router.post("/vacation", response_model=clock_models.VacationShown)
async def begin_vacation(asked: Asked, wanted: clock_models.VacationAsked) -> Response:
    """Begin a vacation: my clocks in games over days rest."""
    return asked.answer(asdict(await asked.services.vacations.begin(asked.require_visitor(), wanted.days)))


@router.post("/vacation/end", response_model=clock_models.VacationShown)
async def end_vacation(asked: Asked) -> Response:
    """End my vacation now."""
    return asked.answer(asdict(await asked.services.vacations.end(asked.require_visitor())))
