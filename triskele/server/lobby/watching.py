"""Games to watch: the public tables of this process at which people play now."""

from collections.abc import Collection

from triskele.server.accounts.directory import AccountDirectory
from triskele.server.lobby.documents import GameShown, PlayerShown
from triskele.server.lobby.service import Lobby
from triskele.server.tables.service import TableService
from triskele.server.tables.table import HERE, Seat, Table


class GamesToWatch:
    """Keeps the list of games to watch."""

    def __init__(self, lobby: Lobby, tables: TableService, accounts: AccountDirectory) -> None:
        """List the public ones of ``tables`` in ``lobby``."""
        self._lobby = lobby
        self._tables = tables
        self._accounts = accounts
        self._listed: set[str] = set()
        tables.listeners.append(self.table_changed)

    def table_changed(self, table: Table) -> None:
        """List a table, or take it off the list; called after every change, so it does little for most."""
        if table.private or (table.id in self._listed) == self._is_on(table):
            return
        if table.id in self._listed:
            self._remove(table.id)
        else:
            self._listed.add(table.id)
            self._lobby.games.set("", table.id, self._shown(table))

    def people_changed(self, visitors: Collection[str]) -> None:
        """Show the games again at which one of some visitors sits: their account is new, or deleted."""
        for table_id in self._listed:
            table = self._tables.known(table_id)
            if table is not None and any(not seat.holders.isdisjoint(visitors) for seat in table.seats):
                self._lobby.games.set("", table_id, self._shown(table))

    def sweep(self) -> None:
        """Take games off the list that nobody follows any more."""
        for table_id in list(self._listed):
            table = self._tables.known(table_id)
            if table is None or not self._is_on(table):
                self._remove(table_id)

    def _remove(self, table_id: str) -> None:
        self._listed.discard(table_id)
        self._lobby.games.set("", table_id, None)

    def _is_on(self, table: Table) -> bool:
        """Whether a game is on between different people, and somebody follows it here."""
        if table.turn is None or not all(seat.taken for seat in table.seats):
            return False
        people = set().union(*(seat.holders for seat in table.seats))
        return len(people) > 1 and self._tables.broadcaster.has_subscribers(table)

    def _shown(self, table: Table) -> GameShown:
        options = dict(table.variant.options)
        players = tuple(self._player(seat) for seat in table.seats)
        return GameShown(table.id, table.variant.game.name, options, str(table.clock_control), table.rated, players)

    def _player(self, seat: Seat) -> PlayerShown:
        # A seat at one's own screen is somebody else's, whose name nobody has proved.
        known = [] if seat.kind == HERE else [self._accounts.known(visitor) for visitor in seat.holders]
        account = next((each for each in known if each is not None), None)
        return PlayerShown(seat.name, False, False) if account is None else PlayerShown(account.name, True, account.bot)
