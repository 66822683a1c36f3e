"""Order, loss and return: what was acknowledged is there, and nothing happens twice."""

import time


def test_a_move_sent_again_is_stale(refused, visitor, kit):
    person = visitor()
    game = kit.Game(person.live(), person.open("yinsh", "me", "here")["table"])
    game.move("a2")
    assert refused(game.live.ask, "move", table=game.table, seat=0, move="a2", at=0) == "stale"
    assert refused(game.live.ask, "move", table=game.table, seat=1, move="b1", at=7) == "stale"
    again = kit.Game(person.live(), game.table)
    assert again.moves == ["a2"]


def test_asking_again_with_the_same_id_does_nothing_twice(visitor, kit):
    person = visitor()
    live = person.live()
    table = person.open("yinsh", "me", "here")["table"]
    live.join(table)
    message = f'{{"type":"chat","id":"once","table":"{table}","seat":0,"text":"hello"}}'
    live.socket.send(message)
    live.socket.send(message)
    answers = [live.wait(lambda m: m.get("id") == "once") for _ in range(2)]
    assert answers[0] == answers[1]
    assert len(person.get(f"/tables/{table}")["chat"]) == 1


def test_coming_back_after_a_loss(visitor, kit):
    ann, bob = visitor(), visitor()
    opened = ann.open("yinsh", "me", "link")
    table = opened["table"]
    bob.post(f"/tables/{table}/seats", key=opened["seats"][1]["key"])
    anns, bobs = kit.Game(ann.live(), table), kit.Game(bob.live(), table)
    anns.move("a2")
    bobs.live.socket.close()
    assert anns.live.wait(lambda m: m["type"] == "seats" and not m["seats"][1]["present"])
    back = bob.live()
    told = back.join(table, since=bobs.seq)
    assert [move["move"] for move in told["moves"]] == ["a2"]
    assert told["seq"] >= bobs.seq
    assert anns.live.wait(lambda m: m["type"] == "seats" and m["seats"][1]["present"])


def test_everything_is_there_after_a_restart(start, visitor, kit):
    first = start()
    person = visitor(first)
    opened = person.open("trypsylon", "me", "engine1")
    game = kit.Game(person.live(), opened["table"])
    game.move(game.choices()[0])
    game.move(game.choices()[0])
    game.live.ask("chat", table=game.table, seat=0, text="good luck")
    first.kill()
    second = start()
    again = visitor(second, token=person.token)
    back = kit.Game(again.live(), game.table)
    assert back.moves[: len(game.moves)] == game.moves
    assert back.state["chat"][0]["text"] == "good luck"
    assert game.table in [listed["table"] for listed in again.get("/tables")["mine"]]
    while back.to_act() is None:  # the engine goes on by itself
        back.listen()
    assert len(back.moves) > 2


def test_engines_go_on_by_themselves_after_a_restart(start, visitor, kit):
    first = start("--engines", "1")
    person = visitor(first)
    opened = person.open("trypsylon", "me", "engine5")
    game = kit.Game(person.live(), opened["table"])
    for _ in range(2):
        game.move(game.choices()[0])
    first.kill()  # while the engine thinks
    second = start()
    again = visitor(second, token=person.token)
    deadline = time.monotonic() + 60
    while again.get("/tables")["mine"][0]["turn"] != 0:  # nobody joins, nobody asks for the table but this list
        assert time.monotonic() < deadline
        time.sleep(0.1)
    assert again.get("/tables")["mine"][0]["moves"] >= 4


def test_interrupts_may_be_older_than_the_last_move(refused, visitor, kit):
    person = visitor()
    game = kit.Game(person.live(), person.open("tryptic", "me", "here", "here", options={"goal": 20})["table"])
    for move in ("=BGR", "=BGR", "=BGR", "Re5"):
        game.move(move)
    assert "!2" in [text for text, _ in game.looks[1]["interrupts"]]
    assert [text for text, _ in game.looks[1]["interrupts"]] == ["!2"]
    assert refused(game.live.ask, "move", table=game.table, seat=0, move="!2", at=4) == "turn"
    game.live.ask("move", table=game.table, seat=1, move="!2", at=3)
    assert game.live.wait(lambda m: m["type"] in ("table", "moved"))["seq"] == 5


def test_leaving_and_following_several(visitor, kit):
    person = visitor()
    live = person.live()
    one, other = (person.open("yinsh", "me", "here")["table"] for _ in range(2))
    live.join(one)
    live.join(other)
    live.ask("leave", table=one)
    live.ask("move", table=one, seat=0, move="a2", at=0)
    live.ask("move", table=other, seat=0, move="b1", at=0)
    assert live.wait("moved")["table"] == other


def test_moves_at_a_table_come_one_after_the_other(visitor, kit):
    person = visitor()
    table = person.open("yinsh", "me", "here")["table"]
    lives = [person.live() for _ in range(6)]
    columns = zip(lives, "bcdefg", strict=True)
    sent = [(live, live.say("move", table=table, seat=0, move=f"{column}5", at=0)) for live, column in columns]
    answers = [live.wait(lambda m, number=number: m.get("id") == number) for live, number in sent]
    assert sorted(answer["type"] for answer in answers) == ["done"] + ["refused"] * 5
    assert {answer.get("code") for answer in answers} == {None, "stale"}
