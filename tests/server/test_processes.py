"""Two server processes share a PostgreSQL and a Valkey: one table, whichever of them one is connected to."""

import random


def test_a_game_between_players_at_different_processes(both, visitor, kit):
    ann, bob = visitor(both[0]), visitor(both[1])
    opened = ann.open("trypsylon", "me", "link")
    table = opened["table"]
    anns = kit.Game(ann.live(), table)
    bob.post(f"/tables/{table}/seats", key=opened["seats"][1]["key"], name="Bob")
    assert anns.until(lambda m: m["type"] == "seats" and m["seats"][1]["taken"])
    bobs = kit.Game(bob.live(), table)
    assert anns.until(lambda m: m["type"] == "seats" and m["seats"][1]["present"])["seats"][1]["name"] == "Bob"
    kit.play([anns, bobs], random.Random(7), most=30)
    assert anns.moves == bobs.moves
    assert len(anns.moves) == 30 or anns.over
    anns.live.ask("chat", table=table, seat=0, text="can you hear me?")
    assert bobs.live.wait("said")["text"] == "can you hear me?"
    for game, person in ((anns, ann), (bobs, bob)):
        seat = next(iter(game.looks))
        now = person.get(f"/tables/{table}")["mine"][0]
        assert kit.same_scene(now["scene"], game.looks[seat]["scene"])


def test_only_one_of_two_moves_at_the_same_place_is_made(both, visitor, kit):
    ann = visitor(both[0])
    table = ann.open("yinsh", "me", "here")["table"]
    elsewhere = visitor(both[1], token=ann.token)
    lives = [ann.live(), elsewhere.live()]
    for live in lives:
        live.join(table)
    for at in range(8):
        moves = [f"{'bcdefghi'[at]}{number}" for number in (5, 6)]
        told = zip(lives, moves, strict=True)
        sent = [(live, live.say("move", table=table, seat=at % 2, move=move, at=at)) for live, move in told]
        answers = [live.wait(lambda m, number=number: m.get("id") == number) for live, number in sent]
        assert sorted(answer["type"] for answer in answers) == ["done", "refused"], answers
        assert next(answer for answer in answers if answer["type"] == "refused")["code"] == "stale"
    made = [[move["move"] for move in person.get(f"/tables/{table}")["moves"]] for person in (ann, elsewhere)]
    assert made[0] == made[1]
    assert len(made[0]) == 8


def test_one_process_dies_and_the_others_go_on(both, one_more, visitor, kit):
    mortal = one_more()
    ann = visitor(mortal)
    table = ann.open("trypsylon", "me", "engine1")["table"]
    game = kit.Game(ann.live(), table)
    kit.play([game], random.Random(2), most=4)
    mortal.kill()
    again = visitor(both[1], token=ann.token)
    back = kit.Game(again.live(), table)
    assert back.moves[: len(game.moves)] == game.moves
    while back.to_act() is None:
        back.listen()
    back.move(back.choices()[0])


def test_A9_giving_up_reaches_the_other_process_and_an_engine_plays_on(both, visitor, kit):
    ann, bob = visitor(both[0]), visitor(both[1])
    opened = ann.open("tryad", "me", "link", "engine1", options={"players": 3})
    table = opened["table"]
    bob.post(f"/tables/{table}/seats", key=opened["seats"][1]["key"], name="Bob")
    anns, bobs = kit.Game(ann.live(), table), kit.Game(bob.live(), table)
    bobs.live.ask("resign", table=table, seat=1)
    told = anns.until(lambda message: message["type"] == "table" and message["seats"][1]["resigned"])
    assert told["seats"][1]["stand_in"] == 5
    kit.play([anns], random.Random(1))
    assert anns.over
    outcomes = [person.get(f"/tables/{table}")["outcome"] for person in (ann, bob)]
    assert outcomes[0] == outcomes[1]
    assert 1 not in outcomes[0]["winners"]
