"""Rated games: who may play them, what their results are, and the ratings that follow."""

import itertools

import pytest

from triskele.cli import main

NAMES = ("Ann", "Bob", "Cid", "Dora")


@pytest.fixture
def club(start, visitor, books):
    """Return a server, its database and four people with accounts."""
    server = start()
    people = [visitor(server) for _ in NAMES]
    kept = books(server)
    for person, name in zip(people, NAMES, strict=True):
        kept.enroll(person, name)
    return server, kept, people


def sit(kit, one, others, game="yinsh", **more):
    """Open a rated table for some people and return their games."""
    kinds = ["me", *("link" for _ in others)]
    opened = one.open(game, *kinds, rated=True, **{"clock": "5+3", **more})
    for number, other in enumerate(others, 1):
        other.post(f"/tables/{opened['table']}/seats", key=opened["seats"][number]["key"])
    return [kit.Game(person.live(), opened["table"]) for person in (one, *others)]


def resign(game, seat):
    game.live.ask("resign", table=game.table, seat=seat)


def test_a_result_is_written_with_the_end_and_rates_both(club, kit):
    _, kept, (ann, bob, *_) = club
    anns, _ = sit(kit, ann, [bob])
    resign(anns, 0)
    assert [row["places"] for row in kept.rows("results")] == ["[1, 0]"]  # before the answer came
    kept.until(lambda books: len(books.rows("ratings")) == 2)
    (anns_rating,) = ann.get("/people/Ann/ratings")["ratings"]
    assert anns_rating["rating"] < 1500
    assert (anns_rating["game"], anns_rating["pace"], anns_rating["field"]) == ("yinsh", "live", "two")
    assert len(anns_rating["history"]) == 1
    assert ann.get("/people/bob/ratings")["ratings"][0]["rating"] > 1500


def test_who_quits_a_table_of_four_is_last(club, kit):
    _, kept, (ann, bob, cid, dora) = club
    games = sit(kit, ann, [bob, cid, dora], game="tryad", options={"players": 4}, clock="3d")
    for seat in (2, 0, 1):
        resign(games[seat], seat)
    kept.until(lambda books: len(books.rows("ratings")) == 4)
    (result,) = kept.rows("results")
    assert (result["pace"], result["field"], result["places"]) == ("days", "several", "[1, 1, 1, 0]")


def test_unrated_games_have_no_result(club, kit):
    _, kept, (ann, bob, *_) = club
    opened = ann.open("yinsh", "me", "link", clock="5+3")
    bob.post(f"/tables/{opened['table']}/seats", key=opened["seats"][1]["key"])
    resign(kit.Game(ann.live(), opened["table"]), 0)
    assert kept.rows("results") == []


def test_only_people_with_accounts_one_rule_set_and_a_clock_are_rated(club, visitor, refused):
    server, _, (ann, bob, *_) = club
    guest = visitor(server)
    assert refused(guest.open, "yinsh", "me", "link", rated=True, clock="5+3") == "rated-account"
    assert refused(ann.open, "yinsh", "me", "link", rated=True) == "rated-clock"
    assert refused(ann.open, "yinsh", "me", "engine3", rated=True, clock="5+3") == "rated-seats"
    assert refused(ann.open, "yinsh", "me", "here", rated=True, clock="5+3") == "rated-seats"
    blitz = {"options": {"blitz": True}, "rated": True, "clock": "5+3"}
    assert refused(ann.open, "yinsh", "me", "link", **blitz) == "rated-options"
    opened = ann.open("yinsh", "me", "link", rated=True, clock="5+3")
    seats = f"/tables/{opened['table']}/seats"
    assert refused(guest.post, seats, key=opened["seats"][1]["key"]) == "rated-account"
    assert refused(ann.post, seats, key=opened["seats"][1]["key"]) == "rated-seats"
    assert guest.post(seats, key=opened["watch"]) == {"seat": None}
    assert bob.post(seats, key=opened["seats"][1]["key"]) == {"seat": 1}


def test_a_game_that_a_host_ended_counts_for_nobody(club, kit):
    server, kept, (ann, bob, *_) = club
    anns, _ = sit(kit, ann, [bob])
    assert main(["admin", "end", anns.table, "--server", server.base, "--data", str(server.data)]) == 0
    assert [row["players"] for row in kept.rows("results")] == ["[]"]
    anns, _ = sit(kit, ann, [bob])
    resign(anns, 0)
    kept.until(lambda books: len(books.rows("ratings")) == 2)
    assert len(kept.rows("rating_steps")) == 2


def test_ratings_are_computed_again_to_the_last_bit(club, kit, start, capsys):
    server, kept, people = club
    for one, other in itertools.combinations(range(4), 2):
        loser = one % 2
        resign(sit(kit, people[one], [people[other]])[loser], loser)
    kept.until(lambda books: len(books.rows("rating_steps")) == 12)
    before = {kind: kept.rows(kind) for kind in ("results", "rating_steps", "ratings")}
    assert main(["ratings", "recompute", "--data", str(server.data)]) == 0
    assert "6 results, 0 rows differed" in capsys.readouterr().out
    kept.run("DELETE FROM rating_steps")
    kept.run("UPDATE ratings SET value = 1")
    assert main(["ratings", "recompute", "--data", str(server.data)]) == 0
    assert "6 results, 16 rows differed" in capsys.readouterr().out
    assert {kind: kept.rows(kind) for kind in before} == before
    # A server that starts without ratings finds the same ones.
    server.stop()
    kept.run("DELETE FROM rating_steps")
    kept.run("DELETE FROM ratings")
    start()
    kept.until(lambda books: books.rows("ratings") == before["ratings"])
    assert kept.rows("rating_steps") == before["rating_steps"]


def test_a_result_that_is_annulled_or_comes_late_is_as_if_it_had_always_been_so(club, kit, start):
    server, kept, people = club
    for one, other in ((0, 1), (1, 2), (2, 3), (0, 3)):
        resign(sit(kit, people[one], [people[other]])[0], 0)
    kept.until(lambda books: len(books.rows("rating_steps")) == 8)
    all_four = kept.rows("ratings")
    first = min(kept.rows("results"), key=lambda row: row["time"])
    server.stop()
    kept.run("INSERT INTO annulled VALUES (:table, 0)", table=first["table_id"])
    server = start()
    kept.until(lambda books: len(books.rows("rating_steps")) == 6)
    assert kept.rows("ratings") != all_four
    server.stop()
    kept.run("DELETE FROM annulled")
    start()
    kept.until(lambda books: books.rows("ratings") == all_four)


def test_a_result_that_a_crash_swallowed_is_found_again_once(club, kit, start):
    server, kept, (ann, bob, *_) = club
    resign(sit(kit, ann, [bob])[0], 0)
    kept.until(lambda books: len(books.rows("ratings")) == 2)
    before = {kind: kept.rows(kind) for kind in ("results", "rating_steps", "ratings")}
    server.kill()
    for kind in before:
        kept.run(f"DELETE FROM {kind}")
    start()
    kept.until(lambda books: {kind: books.rows(kind) for kind in before} == before)


def test_leaderboards_list_who_is_certain_enough_with_the_levels_as_landmarks(club, kit):
    _, kept, (ann, bob, *_) = club
    for _ in range(3):
        resign(sit(kit, ann, [bob])[0], 0)
    kept.until(lambda books: len(books.rows("rating_steps")) == 6)
    board = ann.get("/leaderboards/yinsh", pace="live", field="two")
    assert board["players"] == []  # three games are too few
    assert [each["level"] for each in board["landmarks"]] == list(range(1, 11))
    assert board["landmarks"][0]["rating"] == 1000
    kept.run("UPDATE ratings SET deviation = 80")
    board = ann.get("/leaderboards/yinsh", pace="days", field="several")
    assert (board["players"], board["landmarks"]) == ([], [])


def test_a_leaderboard_shows_names_places_and_intervals(club, kit):
    _, kept, (ann, bob, *_) = club
    resign(sit(kit, ann, [bob])[0], 0)
    kept.until(lambda books: len(books.rows("ratings")) == 2)
    kept.run("UPDATE ratings SET deviation = 80")
    players = ann.get("/leaderboards/yinsh")["players"]
    assert [(each["place"], each["name"]) for each in players] == [(1, "Bob"), (2, "Ann")]
    assert all(each["low"] < each["rating"] < each["high"] and not each["bot"] for each in players)


def test_leaderboards_and_people_that_there_are_not_are_unknown(visitor, refused):
    person = visitor()
    assert refused(person.get, "/leaderboards/nothing") == "unknown"
    assert refused(person.get, "/people/Nobody/ratings") == "unknown"
    assert refused(person.get, "/leaderboards/yinsh", pace="none") == "form"
