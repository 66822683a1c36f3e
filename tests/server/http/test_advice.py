"""Hints and analysis."""

import triskele
from tests.support.games import random_positions
from triskele.server.engines import table_jobs


def test_hints_are_for_the_one_to_act_and_not_in_rated_play(server, visitor, books, refused, kit):
    person, opponent = visitor(), visitor()
    books(server).enroll(person, "Ada Advised")
    books(server).enroll(opponent, "Ben Advised")
    table = person.open("trypsylon", "me", "here")["table"]
    hint = person.post(f"/tables/{table}/hint", seat=0)
    assert hint["move"] in [move.text for move in triskele.new("trypsylon").legal_moves]
    assert hint["why"]
    assert refused(person.post, f"/tables/{table}/hint", seat=1) == "turn"
    opened = person.open("trypsylon", "me", "link", rated=True, clock="5+3")
    rated = opened["table"]
    opponent.post(f"/tables/{rated}/seats", key=opened["seats"][1]["key"])
    assert refused(person.post, f"/tables/{rated}/hint", seat=0) == "rated"
    game = kit.Game(person.live(), rated)
    game.move(game.choices()[0])
    assert refused(game.live.ask, "undo", table=rated, seat=0) == "rated"


def test_analysis_only_without_another_person(pair, visitor, refused, kit):
    person = visitor()
    table = person.open("trypsylon", "me", "here")["table"]
    found = person.post(f"/tables/{table}/analysis", at=0)
    assert len(found["scores"]) == 2
    assert found["lines"][0]
    assert refused(person.post, f"/tables/{table}/analysis", at=9) == "unknown"
    ann, _ = pair()
    playing = visitor(token=ann.live.visitor.token)
    assert refused(playing.post, f"/tables/{ann.table}/analysis") == "on"
    assert refused(visitor().post, f"/tables/{ann.table}/analysis") == "unknown"
    ann.live.ask("resign", table=ann.table, seat=0)
    assert len(playing.post(f"/tables/{ann.table}/analysis")["scores"]) == 2


def test_a_line_that_the_page_found_is_explained_where_no_other_person_plays(pair, visitor, refused):
    person = visitor()
    table = person.open("trypsylon", "me", "here")["table"]
    moves = [text for text, _ in person.get(f"/tables/{table}/state")["moves"]]
    assert person.post(f"/tables/{table}/explanation", at=0, line=moves[:1]) == {"why": None, "wins": False}
    assert refused(person.post, f"/tables/{table}/explanation", at=0, line=["nonsense"]) == "illegal"
    assert refused(person.post, f"/tables/{table}/explanation", at=0, line=[]) == "form"
    ann, _ = pair("trypsylon")
    playing = visitor(token=ann.live.visitor.token)
    assert refused(playing.post, f"/tables/{ann.table}/explanation", at=0, line=moves[:1]) == "on"


def test_an_explanation_says_what_the_line_achieves():
    found = set()
    for position in random_positions("yinsh", 2, moves=60):
        for move in position.legal_moves[:20]:
            found.add(table_jobs.explain(position, [move.text], "en")["why"])
    assert len(found - {None}) > 2
    assert all(found - {None})


def test_P9_a_line_in_a_game_with_secrets_is_explained_by_what_the_seat_knows(visitor, kit, refused):
    person = visitor()
    table = person.open("tryptic", "me", "here")["table"]
    game = kit.Game(person.live(), table)
    for move in ("=GGR", "=BWY"):
        game.move(move)

    def explained(*line, seat=0):
        return person.post(f"/tables/{table}/explanation", at=2, seat=seat, line=line)["why"]

    assert explained("Re5")
    assert explained("?2=BWY", "Re5")  # a right guess would end the game: tried out, it is as wrong as any other
    assert explained("?2=RRR", "Re5")
    assert refused(explained, "Re5", seat=2) == "seat"


def test_when_a_game_is_over_its_positions_can_be_seen_as_any_seat_knew_them(pair, visitor, refused):
    ann, _ = pair("tryptic")
    playing = visitor(token=ann.live.visitor.token)
    address = f"/tables/{ann.table}/state"
    assert refused(playing.get, address, at=0, seat=1) == "seat"
    ann.live.ask("resign", table=ann.table, seat=0)
    assert playing.get(address, at=0, seat=1)["seat"] == 1
    assert refused(playing.get, address, at=0, seat=2) == "seat"
