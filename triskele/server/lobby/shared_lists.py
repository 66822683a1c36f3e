"""The lists of the lobby as this process shows them: what is here and what other processes have told."""

from collections.abc import Iterable, Mapping
from typing import Generic, TypeVar

T = TypeVar("T")


class SharedList(Generic[T]):
    """A keyed list whose members come from several processes; at most ``limit`` of them are shown.

    Changes are gathered; :meth:`difference` tells what has changed since it was asked last.
    """

    def __init__(self, limit: int) -> None:
        """Begin empty."""
        self._limit = limit
        self._members: dict[str, dict[str, T]] = {}
        self._changed: set[str] = set()
        self.shown: dict[str, T] = {}
        """The members as they were told last."""

    def __len__(self) -> int:
        """Return the number of members, shown or not."""
        return len(self._members)

    def set(self, process: str, key: str, member: T | None) -> None:
        """Set a member of a process, or remove it."""
        if member is None:
            there = self._members.get(key)
            if there is None or there.pop(process, None) is None:
                return
            if not there:
                del self._members[key]
        else:
            there = self._members.setdefault(key, {})
            if there.get(process) == member:
                return
            there[process] = member
        self._changed.add(key)

    def replace(self, process: str, members: Mapping[str, T]) -> None:
        """Set all members of a process."""
        gone = [key for key, there in self._members.items() if process in there and key not in members]
        for key in gone:
            self.set(process, key, None)
        for key, member in members.items():
            self.set(process, key, member)

    def of(self, process: str) -> dict[str, T]:
        """Return the members of a process."""
        return {key: there[process] for key, there in self._members.items() if process in there}

    def difference(self) -> tuple[list[T], list[str]]:
        """Return the members that are new or have changed since the last call, and the keys of those that are gone."""
        gone = [key for key in self._changed if key in self.shown and key not in self._members]
        for key in gone:
            del self.shown[key]
        changed = [key for key in self._changed if key in self._members and self._admits(key)]
        if gone and len(self.shown) < min(self._limit, len(self._members)):
            changed += self._waiting(changed)
        self._changed.clear()
        news = []
        for key in changed:
            member = next(iter(self._members[key].values()))
            if self.shown.get(key) != member:
                self.shown[key] = member
                news.append(member)
        return news, gone

    def _admits(self, key: str) -> bool:
        return key in self.shown or len(self.shown) < self._limit

    def _waiting(self, chosen: Iterable[str]) -> list[str]:
        """Return members that were not shown for want of space, as many as there is space for."""
        taken = {*self.shown, *chosen}
        waiting = [key for key in self._members if key not in taken]
        return waiting[: max(0, self._limit - len(taken))]
