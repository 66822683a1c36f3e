"""Routes of tables: opening, listing, taking a seat, records and earlier positions."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Response

from triskele.core.errors import TriskeleError
from triskele.core.orientation import own_turn, turned
from triskele.core.record_parts import actor_document
from triskele.core.scene import Scene
from triskele.core.words import Language
from triskele.server.engines import table_jobs
from triskele.server.engines.seats import engine_seed
from triskele.server.engines.turn_time import decision_seconds
from triskele.server.http import models
from triskele.server.http.catalogue import DRAWING, SVG
from triskele.server.http.context import Asked, Context
from triskele.server.refusal import Refusal
from triskele.server.tables import listing, opening
from triskele.server.tables.history import (
    LINE_LIMIT,
    known_state,
    position_after,
    position_at,
    record_source,
    viewer_of,
)
from triskele.server.tables.opening import SeatPlan
from triskele.server.tables.table import ME

router = APIRouter(tags=["tables"])
TableId = Annotated[str, Path(max_length=64)]
Moves = Annotated[int | None, Query(ge=0, le=10**9, description="the number of moves after which; if left out, now")]
AsSeat = Annotated[int | None, Query(ge=0, le=11, description="as one of my seats sees it")]
BoardTurn = Annotated[
    int | None, Query(ge=0, lt=360, description="how the board is turned; if left out, my side is at the bottom")
]
AskedLanguage = Annotated[Language | None, Query()]
Line = Annotated[
    list[Annotated[str, Query(max_length=200)]],
    Query(max_length=LINE_LIMIT, description="moves to try out from there, one after the other"),
]


@router.post("/tables", response_model=models.TableOpened)
async def open_table(asked: Asked, wanted: models.TableAsked) -> Response:
    """Open a table."""
    visitor = asked.require_visitor()
    named = asked.caller.account
    seats = [
        SeatPlan(seat.kind, named.name if named is not None and seat.kind == ME else seat.name, seat.level or 3)
        for seat in wanted.seats
    ]
    try:
        plan = opening.plan(
            visitor,
            wanted.game,
            dict(wanted.options),
            seats,
            wanted.first,
            wanted.series,
            wanted.private,
            wanted.rated,
            wanted.hints,
            wanted.clock,
        )
    except Refusal:
        raise
    except TriskeleError as error:
        raise Refusal("option", error.text) from None
    if plan.rated:
        kinds = [seat.kind for seat in plan.seats]
        await asked.services.eligibility.check_table(plan.variant, kinds, plan.clock.pace, visitor)
    asked.count_table(visitor)
    table = await asked.services.opener.open(plan)
    keys = asked.services.keys
    opened = [
        {"seat": number, "kind": seat.kind, "key": None if seat.taken else keys.invitation(table.id, number)}
        for number, seat in enumerate(table.seats)
    ]
    return asked.answer({"table": table.id, "seats": opened, "watch": keys.watch(table.id)})


@router.get("/tables", response_model=models.TablesListed)
async def list_tables(asked: Asked) -> Response:
    """Return my tables, newest first, and the public ones that wait for players."""
    storage = asked.services.storage
    mine = [] if asked.visitor is None else await storage.read(listing.of_visitor(asked.visitor))
    return asked.answer({"mine": mine, "waiting": await storage.read(listing.waiting(asked.visitor))})


@router.get("/tables/{table}", response_model=models.TableShown)
async def show_table(asked: Asked, table: TableId, language: AskedLanguage = None) -> Response:
    """Return the table as I may see it."""
    found = await asked.services.tables.get(table, asked.visitor)
    async with found.lock:
        chosen = language or asked.language
        body = asked.services.broadcaster.table_document(found, asked.visitor, chosen)
    return asked.answer(body)


@router.post("/tables/{table}/seats", response_model=models.SeatGiven)
async def take_seat(asked: Asked, table: TableId, wanted: models.SeatTaken) -> Response:
    """Take a seat with its key, or the right to watch with the watch key."""
    visitor, named = asked.require_visitor(), asked.caller.account
    await asked.services.accounts.directory.of_visitors([visitor])  # others see at once who sits there
    name = wanted.name if named is None else named.name
    seat = await asked.services.seating.take(table, visitor, wanted.key, name)
    return asked.answer({"seat": seat})


@router.post("/tables/{table}/invitation", response_model=models.InvitationShown)
async def invitation(asked: Asked, table: TableId, shown: models.KeyShown) -> Response:
    """Return what the key of a link opens, without using it."""
    found = await asked.services.seating.opened_by(table, asked.visitor, shown.key)
    account = (await asked.services.accounts.directory.of_visitors([found.opener])).get(found.opener)
    shown_host = found.host if account is None else account.name
    return asked.answer(
        {
            "opens": found.opens,
            "seat": found.seat,
            "game": found.game,
            "title": found.title,
            "host": shown_host,
            "account": account is not None,
        }
    )


@router.post("/tables/{table}/remove", response_model=models.TableRemoved)
async def remove_table(asked: Asked, table: TableId) -> Response:
    """Take a table off my list; it is deleted as a whole when nobody else holds a seat at it."""
    deleted = await asked.services.seating.remove(table, asked.require_visitor())
    return asked.answer({"deleted": deleted})


@router.get("/tables/{table}/record", responses={200: {"content": {"application/json": {}}}}, response_class=Response)
async def record(asked: Asked, table: TableId, seat: AsSeat = None) -> Response:
    """Return the record of the game, as I may see it."""
    found = await asked.services.tables.get(table, asked.visitor)
    viewer = viewer_of(found, asked.visitor, seat)
    async with found.lock:
        source = record_source(found, viewer, asked.services.accounts.record_names(found))
    answer = asked.answer(await asked.run_job(table_jobs.write_record, source))
    answer.headers["Content-Disposition"] = f'attachment; filename="{found.variant.game.name}-{found.id}.json"'
    return answer


@router.get("/tables/{table}/at/{at}", response_model=models.At)
async def at(
    asked: Asked,
    table: TableId,
    at: Annotated[int, Path(ge=0, le=10**9)],
    seat: AsSeat = None,
    language: AskedLanguage = None,
    line: Line = [],  # noqa: B006 (FastAPI copies it)
) -> Response:
    """Return the view and the scene after ``at`` moves, for replay; with ``line``, after those moves as well."""
    found = await asked.services.tables.get(table, asked.visitor)
    viewer = viewer_of(found, asked.visitor, seat)
    chosen = language or asked.language
    async with found.lock:
        then = position_after(found, at, line)
    view = then.view_without_moves(viewer)
    scene = then.scene(viewer, chosen)
    look: dict[str, Any] = {"seat": viewer, "view": view, "scene": scene, "ask": "", "moves": [], "interrupts": []}
    return asked.answer({"at": at, "turn": actor_document(then.turn), "look": look})


async def _scene_at(
    asked: Context, table: str, at: int | None, seat: int | None, language: Language | None, turn: float | None
) -> Scene:
    """Return what a seat of the visitor's, or a spectator, saw after ``at`` moves, its own side at the bottom.

    With ``turn`` the board is turned by that angle instead.
    """
    found = await asked.services.tables.get(table, asked.visitor)
    viewer = viewer_of(found, asked.visitor, seat)
    async with found.lock:
        then = position_at(found, at)
    scene = then.scene(viewer, language or asked.language)
    return turned(scene, own_turn(scene, viewer) if turn is None else turn)


@router.get("/tables/{table}/state", response_model=models.StateShown)
async def state(asked: Asked, table: TableId, at: Moves = None, seat: AsSeat = None) -> Response:
    """Return the position as I may know it, for an engine in the page."""
    found = await asked.services.tables.get(table, asked.visitor)
    viewer = viewer_of(found, asked.visitor, seat)
    async with found.lock:
        known = known_state(found, viewer, at)
    seconds = asked.services.settings.engine_seconds
    if found.turn is not None and found.turn >= 0 and at is None:
        seconds = decision_seconds(found, found.turn, seconds)
    more = {"seed": engine_seed(found), "seconds": seconds}
    return asked.answer({**vars(known), **more})


@router.get("/tables/{table}/picture.svg", responses={200: {"content": {SVG: {}}}}, response_class=Response)
async def picture_svg(
    asked: Asked,
    table: TableId,
    at: Moves = None,
    theme: models.Theme = "light",
    seat: AsSeat = None,
    language: AskedLanguage = None,
    turn: BoardTurn = None,
) -> Response:
    """Return the position, drawn; the board turned by ``turn`` degrees, or else the own side at the bottom."""
    scene = await _scene_at(asked, table, at, seat, language, turn)
    drawn = await asked.while_connected(asked.services.pictures.draw(asked.payer, scene, theme))
    answer = asked.answer(drawn, media_type=SVG)
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
    language: AskedLanguage = None,
    turn: BoardTurn = None,
) -> Response:
    """Return the position as a picture of ``width`` pixels, turned as the drawing is."""
    scene = await _scene_at(asked, table, at, seat, language, turn)
    drawn = await asked.while_connected(asked.services.pictures.draw(asked.payer, scene, theme, width))
    return asked.answer(drawn, media_type="image/png")
