"""Two server processes share one lobby over the bus."""

import pytest

from tests.support.lobby import Follower


@pytest.fixture
def follower(visitor, books, shared):
    """Return a way to get somebody into the lobby of a process."""
    url = shared[0][1].replace("postgresql://", "postgresql+psycopg://")

    def make(server, name=None):
        person = visitor(server)
        if name is not None:
            books(server, url).enroll(person, name)
        return Follower(person, "" if name else "A guest")

    return make


def test_a_seek_at_one_process_is_taken_at_the_other(both, follower, kit, books, shared):
    ann, bob = follower(both[0], "Ann"), follower(both[1], "Bob")
    made = ann.ask("seek", game="yinsh", clock="5+3", rated=True)["seek"]
    bob.until(lambda lobby: made in lobby.seeks and "Ann" in lobby.people)
    bob.ask("accept", seek=made)
    table = bob.begun()
    assert ann.begun() == table
    bob.until(lambda lobby: made not in lobby.seeks)
    games = [kit.Game(each.person.live(), table) for each in (ann, bob)]
    games[1].live.ask("resign", table=table, seat=next(iter(games[1].looks)))
    kept = books(both[0], shared[0][1].replace("postgresql://", "postgresql+psycopg://"))
    kept.until(lambda books: len(books.rows("ratings")) == 2)
    assert len(kept.rows("results")) == 1
    assert len(kept.rows("rating_steps")) == 2


def test_people_at_different_processes_are_paired(both, follower):
    one, other = follower(both[0]), follower(both[1])
    for each in (one, other):
        each.ask("seek", game="trypsylon", quick=True)
    assert one.begun() == other.begun()


def test_a_challenge_reaches_another_process_and_is_declined_there(both, follower):
    cid, dora = follower(both[0], "Cid"), follower(both[1], "Dora")
    cid.ask("seek", game="yinsh", to="Dora")
    told = dora.wait("sought")
    assert told["state"] == "challenged"
    dora.ask("withdraw", seek=told["seek"]["seek"])
    assert cid.wait("sought")["state"] == "gone"


def test_what_a_process_had_in_the_lobby_goes_with_who_is_gone(both, follower):
    one, other = follower(both[0]), follower(both[1])
    made = one.ask("seek", game="tryad", seats=3)["seek"]
    other.until(lambda lobby: made in lobby.seeks)
    other.ask("accept", seek=made)
    one.until(lambda lobby: lobby.players(made) == 2)
    other.live.close()
    one.until(lambda lobby: lobby.players(made) == 1)
