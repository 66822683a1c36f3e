"""Tables: opening, finding, sitting down, looking back."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Response

from triskele.core.draw import png, svg
from triskele.core.errors import TriskeleError
from triskele.server import listing, messages, opening
from triskele.server.api import models
from triskele.server.api.context import Asked
from triskele.server.catalogue import DRAWING, SVG
from triskele.server.looks import LISTS, turn_name
from triskele.server.opening import Chair
from triskele.server.refusal import Refusal
from triskele.server.review import position_at, record_of, viewer_of

router = APIRouter(tags=["tables"])
TableId = Annotated[str, Path(max_length=64)]
Moves = Annotated[int | None, Query(ge=0, le=10**9, description="after so many moves; if left out, now")]
AsSeat = Annotated[int | None, Query(ge=0, le=11, description="as one of my seats sees it")]
Language = Annotated[models.Language | None, Query()]


@router.post("/tables", response_model=models.TableOpened)
async def open_table(asked: Asked, wanted: models.TableAsked) -> Response:
    """Open a table."""
    visitor = asked.someone()
    chairs = [Chair(seat.kind, seat.name, seat.level or 3) for seat in wanted.seats]
    try:
        plan = opening.plan(
            visitor,
            wanted.game,
            dict(wanted.options),
            chairs,
            wanted.first,
            wanted.series,
            wanted.private,
            wanted.rated,
        )
    except Refusal:
        raise
    except TriskeleError as error:
        raise Refusal("option", error.text) from None
    if not asked.house.new_tables.take(visitor):
        raise Refusal("limit")
    table = await asked.house.opening.open(plan)
    keys = asked.house.keys
    seats = [
        {"seat": number, "kind": seat.kind, "key": None if seat.taken else keys.invitation(table.id, number)}
        for number, seat in enumerate(table.seats)
    ]
    return asked.answer({"table": table.id, "seats": seats, "watch": keys.watch(table.id)})


@router.get("/tables", response_model=models.TablesListed)
async def list_tables(asked: Asked) -> Response:
    """Return my tables, newest first, and the public ones that wait for players."""
    storage = asked.house.storage
    mine = [] if asked.visitor is None else await storage.read(listing.of_visitor(asked.visitor))
    return asked.answer({"mine": mine, "waiting": await storage.read(listing.waiting(asked.visitor))})


@router.get("/tables/{table}", response_model=models.TableShown)
async def show_table(asked: Asked, table: TableId, language: Language = None) -> Response:
    """Return the table as I may see it."""
    found = await asked.house.tables.get(table, asked.visitor)
    async with found.lock:
        chosen = language or asked.language
        body = messages.table_message(found, asked.visitor, chosen, True, asked.house.keys, wrapped=False)
    return asked.answer(body)


@router.post("/tables/{table}/seats", response_model=models.SeatGiven)
async def take_seat(asked: Asked, table: TableId, wanted: models.SeatTaken) -> Response:
    """Take a seat with its key, or the right to watch with the watch key."""
    seat = await asked.house.seating.take(table, asked.someone(), wanted.key, wanted.name)
    return asked.answer({"seat": seat})


@router.get("/tables/{table}/record", responses={200: {"content": {"application/json": {}}}}, response_class=Response)
async def record(asked: Asked, table: TableId, seat: AsSeat = None) -> Response:
    """Return the record of the game, as I may see it."""
    found = await asked.house.tables.get(table, asked.visitor)
    viewer = viewer_of(found, asked.visitor, seat)
    async with found.lock:
        work = record_of(found, viewer)
    written = await asked.house.storage.run(work)
    answer = asked.answer(written.to_json().encode())
    answer.headers["Content-Disposition"] = f'attachment; filename="{written.game}-{found.id}.json"'
    return answer


@router.get("/tables/{table}/at/{at}", response_model=models.At)
async def at(
    asked: Asked,
    table: TableId,
    at: Annotated[int, Path(ge=0, le=10**9)],
    seat: AsSeat = None,
    language: Language = None,
) -> Response:
    """Return the view and the scene after so many moves, for replay."""
    found = await asked.house.tables.get(table, asked.visitor)
    viewer = viewer_of(found, asked.visitor, seat)
    chosen = language or asked.language
    async with found.lock:
        then = position_at(found, at)
    view = {name: value for name, value in then.view(viewer).items() if name not in LISTS}
    scene = then.scene(viewer, chosen)
    look: dict[str, Any] = {"seat": viewer, "view": view, "scene": scene, "ask": "", "moves": [], "interrupts": []}
    return asked.answer({"at": at, "turn": turn_name(then.turn), "look": look})


@router.get("/tables/{table}/picture.svg", responses={200: {"content": {SVG: {}}}}, response_class=Response)
async def picture_svg(
    asked: Asked,
    table: TableId,
    at: Moves = None,
    theme: models.Theme = "light",
    seat: AsSeat = None,
    language: Language = None,
) -> Response:
    """Return the position, drawn."""
    found = await asked.house.tables.get(table, asked.visitor)
    viewer = viewer_of(found, asked.visitor, seat)
    async with found.lock:
        then = position_at(found, at)
    chosen = language or asked.language
    drawn = await asked.house.storage.run(lambda: svg(then.scene(viewer, chosen), theme))
    answer = asked.answer(drawn.encode(), media_type=SVG)
    answer.headers.update(DRAWING)
    return answer


@router.get("/tables/{table}/picture.png", responses={200: {"content": {"image/png": {}}}}, response_class=Response)
async def picture_png(
    asked: Asked,
    table: TableId,
    at: Moves = None,
    theme: models.Theme = "light",
    seat: AsSeat = None,
    width: Annotated[int, Query(ge=100, le=2000)] = 1000,
    language: Language = None,
) -> Response:
    """Return the position as a picture of so many pixels across."""
    found = await asked.house.tables.get(table, asked.visitor)
    viewer = viewer_of(found, asked.visitor, seat)
    async with found.lock:
        then = position_at(found, at)
    chosen = language or asked.language
    drawn = await asked.house.storage.run(lambda: png(then.scene(viewer, chosen), theme, width))
    return asked.answer(drawn, media_type="image/png")
