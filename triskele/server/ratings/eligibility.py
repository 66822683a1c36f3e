"""Which games are rated: between people with accounts, with a clock, under one rule set a game."""

from collections.abc import Iterable

from triskele.core.game import Variant
from triskele.core.options import Value
from triskele.server.accounts.directory import AccountDirectory
from triskele.server.refusal import Refusal
from triskele.server.tables.table import ENGINE, LINK, Table

PLAYERS = "players"
"""The option that says how many play; all others have their default in a rated game."""


def has_rated_options(variant: Variant) -> bool:
    """Whether a variant is the one that is rated: all options but the number of players as the game declares them."""
    given = {PLAYERS: variant.options[PLAYERS]} if PLAYERS in variant.options else {}
    usual: dict[str, Value] = dict(variant.game.variant(given).options)
    return dict(variant.options) == usual


class Eligibility:
    """Refuses rated games that are none."""

    def __init__(self, accounts: AccountDirectory) -> None:
        """Find out by ``accounts`` who has an account."""
        self._accounts = accounts

    async def check_table(self, variant: Variant, kinds: Iterable[str], pace: str, visitor: str) -> None:
        """Refuse a rated table that a visitor wants to open, with seats of some kinds, if it cannot be one."""
        check_rules(variant, pace)
        seated = list(kinds)
        if seated.count("me") > 1 or any(kind not in ("me", LINK) for kind in seated):
            raise Refusal("rated-seats")
        await self.check_people([visitor])

    async def check_people(self, visitors: Iterable[str]) -> None:
        """Refuse unless all visitors have accounts."""
        asked = set(visitors)
        if len(await self._accounts.of_visitors(asked)) < len(asked):
            raise Refusal("rated-account")

    async def check_seat(self, table: Table, visitor: str) -> None:
        """Refuse a visitor who wants a seat at a rated table and may not: without an account, or with another seat."""
        if not table.rated:
            return
        if table.seats_of(visitor):
            raise Refusal("rated-seats")
        await self.check_people([visitor])


def check_rules(variant: Variant, pace: str) -> None:
    """Refuse a rated game with other options than the usual ones, alone, or without a clock."""
    if not has_rated_options(variant):
        raise Refusal("rated-options")
    if variant.seats < 2:
        raise Refusal("rated-seats")
    if pace == "none":
        raise Refusal("rated-clock")


def counts(table: Table) -> bool:
    """Whether the result of a rated table counts: one holder a seat, another one for each, and no engine."""
    holders = [seat.holders for seat in table.seats]
    single = all(len(each) == 1 for each in holders) and not any(seat.kind == ENGINE for seat in table.seats)
    return single and len(set().union(*holders)) == len(holders)
