"""What the ratings read from the database and write to it. All of it but ``results`` can be computed again."""

import json
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Executable,
    Row,
    and_,
    bindparam,
    delete,
    exists,
    insert,
    literal,
    or_,
    select,
    update,
)

from triskele.rating.results import Pool, Result, Standing, fold
from triskele.rating.scale import Rating
from triskele.server.storage import schema
from triskele.server.storage.database import Rows

AT_ONCE = 200
"""The results that one write applies: a long recomputation is many short writes."""
_SOME = 500
_NO_VERSION = ""
Key = tuple[int, str]
"""The place of a result in the order: the time of its end, and its table."""


@dataclass(frozen=True)
class Work:
    """What is to be computed in a pool: from which key on, which results, and the standings before them."""

    pool: Pool
    version: str
    first: Key
    results: list[Result]
    replaced: set[str]
    """Players who have steps from the key on: these are dropped."""
    before: dict[str, Standing]


# --- reading --------------------------------------------------------------------------------------


def unsettled(connection: Connection) -> list[str]:
    """Return the rated tables whose game is over and that have no result."""
    tables = schema.tables.c
    written = exists().where(schema.results.c.table_id == tables.id)
    query = select(tables.id).where(tables.rated.is_(True), tables.over.is_(True), ~written).limit(_SOME)
    return list(connection.execute(query).scalars())


def next_work(connection: Connection, since: int) -> Work | None:
    """Return what is to be computed next: results since a time without ratings, or ratings of annulled results."""
    results, steps, annulled = schema.results.c, schema.rating_steps.c, schema.annulled.c
    rated = exists().where(steps.table_id == results.table_id)
    void = exists().where(annulled.table_id == results.table_id)
    missing = and_(results.time >= since, ~rated, ~void, results.players != "[]")
    wrong = and_(results.table_id.in_(select(annulled.table_id)), rated)
    found = None
    for which in (missing, wrong):
        query = select(schema.results).where(which).order_by(results.time, results.table_id).limit(1)
        row = connection.execute(query).first()
        if row is not None and (found is None or (row.time, row.table_id) < (found.time, found.table_id)):
            found = row
    return None if found is None else _work(connection, Pool(found.game, found.pace, found.field), found)


def _work(connection: Connection, pool: Pool, row: Row[Any]) -> Work:
    pools, steps, first = schema.rating_pools, schema.rating_steps, (row.time, row.table_id)
    version = connection.execute(select(pools.c.version).where(in_pool(pools.c, pool))).scalar()
    results = results_from(connection, pool, first, AT_ONCE)
    later = and_(in_pool(steps.c, pool), _from_on(steps.c, first))
    replaced = set(connection.execute(select(steps.c.visitor).where(later)).scalars())
    involved = replaced | {player for result in results for player in result.players}
    if replaced:
        before = {player: standing_before(connection, pool, player, first) for player in involved}
        known = {player: standing for player, standing in before.items() if standing is not None}
    else:
        known = standings(connection, pool, involved)
    return Work(pool, version or _NO_VERSION, first, results, replaced, known)


def results_from(connection: Connection, pool: Pool, first: Key, limit: int | None = None) -> list[Result]:
    """Return the results of a pool that count, in their order, from a key on."""
    results = schema.results.c
    void = exists().where(schema.annulled.c.table_id == results.table_id)
    query = (
        select(schema.results)
        .where(in_pool(results, pool), _from_on(results, first), ~void, results.players != "[]")
        .order_by(results.time, results.table_id)
        .limit(limit)
    )
    return [
        Result(row.table_id, row.time, tuple(json.loads(row.players)), tuple(json.loads(row.places)))
        for row in connection.execute(query)
    ]


def standings(connection: Connection, pool: Pool, players: Iterable[str]) -> dict[str, Standing]:
    """Return the standings of those players who have one in a pool."""
    ratings, asked = schema.ratings.c, sorted(players)
    found = {}
    for start in range(0, len(asked), _SOME):
        query = select(schema.ratings).where(in_pool(ratings, pool), ratings.visitor.in_(asked[start : start + _SOME]))
        found.update({row.visitor: standing_of(row) for row in connection.execute(query)})
    return found


def pools(connection: Connection) -> list[Pool]:
    """Return all pools that have results or ratings."""
    found = set()
    for kind in (schema.results, schema.rating_steps, schema.ratings):
        query = select(kind.c.game, kind.c.pace, kind.c.field).distinct()
        found |= {Pool(row.game, row.pace, row.field) for row in connection.execute(query)}
    return sorted(found)


def standing_of(row: Row[Any]) -> Standing:
    """Return the standing in a row of ``ratings`` or ``rating_steps``."""
    return Standing(Rating(row.value, row.deviation, row.volatility), row.games, row.time)


def standing_before(connection: Connection, pool: Pool, player: str, first: Key) -> Standing | None:
    """Return the standing of a player in a pool before a result; ``None`` if there was none."""
    steps = schema.rating_steps.c
    earlier = or_(steps.time < first[0], and_(steps.time == first[0], steps.table_id < first[1]))
    query = (
        select(schema.rating_steps)
        .where(in_pool(steps, pool), steps.visitor == player, earlier)
        .order_by(steps.time.desc(), steps.table_id.desc())
        .limit(1)
    )
    row = connection.execute(query).first()
    return None if row is None else standing_of(row)


def in_pool(columns: Any, pool: Pool) -> ColumnElement[bool]:
    """Return the condition that a row belongs to a pool."""
    return and_(columns.game == pool.game, columns.pace == pool.pace, columns.field == pool.field)


def _from_on(columns: Any, first: Key) -> ColumnElement[bool]:
    return or_(columns.time > first[0], and_(columns.time == first[0], columns.table_id >= first[1]))


# --- writing --------------------------------------------------------------------------------------


def rated(work: Work) -> list[tuple[Executable, Rows]]:
    """Compute the ratings of some work, and return the statements that write them: all of them or none.

    They fail with a conflict when another process has written ratings of the pool since the work was read.
    """
    standing = dict(work.before)
    steps = [
        step_row(work.pool, result, seat, after[seat])
        for result, after in fold(work.results, standing)
        for seat in range(len(result.players))
    ]
    touched = sorted(work.replaced | {player for result in work.results for player in result.players})
    ratings, dropped = schema.ratings, schema.rating_steps
    statements = _compare_and_set(work.pool, work.version)
    if work.replaced:
        statements.append((delete(dropped).where(in_pool(dropped.c, work.pool), _from_on(dropped.c, work.first)), ()))
    for start in range(0, len(touched), _SOME):
        some = ratings.c.visitor.in_(touched[start : start + _SOME])
        statements.append((delete(ratings).where(in_pool(ratings.c, work.pool), some), ()))
    if steps:
        statements.append((insert(dropped), steps))
    now = [rating_row(work.pool, player, standing[player]) for player in touched if player in standing]
    if now:
        statements.append((insert(ratings), now))
    return statements


def step_row(pool: Pool, result: Result, seat: int, after: Standing) -> dict[str, Any]:
    """Return the row of ``rating_steps`` for a seat of a result."""
    about = {"table_id": result.table, "seat": seat, "time": result.time, "visitor": result.players[seat]}
    return {**_pool_row(pool), **about, **_rating(after)}


def rating_row(pool: Pool, player: str, standing: Standing) -> dict[str, Any]:
    """Return the row of ``ratings`` for a player."""
    return {**_pool_row(pool), "visitor": player, "time": standing.time, **_rating(standing)}


def _pool_row(pool: Pool) -> dict[str, str]:
    return {"game": pool.game, "pace": pool.pace, "field": pool.field}


def _rating(standing: Standing) -> dict[str, Any]:
    rating = standing.rating
    numbers = {"value": rating.value, "deviation": rating.deviation, "volatility": rating.volatility}
    return {**numbers, "games": standing.games}


def _compare_and_set(pool: Pool, version: str) -> list[tuple[Executable, Rows]]:
    """Return the statements that give a pool another version, and fail with a conflict if it had not this one."""
    pools, new = schema.rating_pools, secrets.token_hex(8)
    if version == _NO_VERSION:
        return [(insert(pools), [{**_pool_row(pool), "version": new}])]
    # The update waits for a transaction that is at it. If that changes the version, nothing is updated here; then the
    # insert finds that the new version is not there, and fails at the primary key.
    mine = exists().where(in_pool(pools.c, pool), pools.c.version == new)
    again = select(literal(pool.game), literal(pool.pace), literal(pool.field), literal(new)).where(~mine)
    return [
        (update(pools).where(in_pool(pools.c, pool), pools.c.version == version).values(version=new), ()),
        (insert(pools).from_select(["game", "pace", "field", "version"], again), ()),
    ]


def rewritten(connection: Connection, pool: Pool) -> tuple[int, int]:
    """Compute all ratings of a pool again, and write what differs; return the number of results and of differences."""
    standing: dict[str, Standing] = {}
    results = results_from(connection, pool, (0, ""))
    steps = {
        (result.table, seat): step_row(pool, result, seat, after[seat])
        for result, after in fold(results, standing)
        for seat in range(len(result.players))
    }
    ratings = {(player,): rating_row(pool, player, each) for player, each in standing.items()}
    wrong = _replace(connection, schema.rating_steps, ("table_id", "seat"), pool, steps)
    wrong += _replace(connection, schema.ratings, ("visitor",), pool, ratings)
    pools = schema.rating_pools
    connection.execute(delete(pools).where(in_pool(pools.c, pool)))
    connection.execute(insert(pools), [{**_pool_row(pool), "version": secrets.token_hex(8)}])
    return len(results), wrong


def _replace(
    connection: Connection, kind: Any, keys: Sequence[str], pool: Pool, right: Mapping[tuple[Any, ...], dict[str, Any]]
) -> int:
    """Make the rows of a pool those in ``right``, by their keys; return how many differed."""
    stored = connection.execute(select(kind).where(in_pool(kind.c, pool))).mappings()
    there = {tuple(row[key] for key in keys): dict(row) for row in stored}
    gone = [key for key in there if right.get(key) != there[key]]
    new = [row for key, row in right.items() if there.get(key) != row]
    if gone:
        match = [kind.c[key] == bindparam(f"key_{key}") for key in keys]
        named = [{f"key_{name}": part for name, part in zip(keys, key, strict=True)} for key in gone]
        connection.execute(delete(kind).where(in_pool(kind.c, pool), *match), named)
    if new:
        connection.execute(insert(kind), new)
    return len({*gone, *(key for key, row in right.items() if there.get(key) != row)})
