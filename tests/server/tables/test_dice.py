"""Dice at a table: when the first roll comes, and what players are told to check it by."""

import random
import time

from triskele.core.dice import Dice


def test_the_first_roll_waits_until_somebody_follows_the_table(visitor):
    """Else it would come before a page has noted the commitment and given its seed."""
    ann = visitor()
    table = ann.open("tryad", "me", options={"players": 1, "mode": "practice"})["table"]
    time.sleep(0.6)  # the servers of these tests wait 0.2 seconds for seeds
    assert ann.get(f"/tables/{table}")["moves"] == []
    live = ann.live()
    assert live.join(table)["moves"] == []
    assert live.wait("moved")["seat"] == "chance"  # without a seed, too


def test_all_that_is_needed_to_compute_the_rolls_is_told(visitor, kit):
    ann = visitor()
    live = ann.live()
    table = ann.open("tryad", "me", options={"players": 1, "mode": "practice"})["table"]
    before = live.join(table)["dice"]
    assert before["outcomes"] == [["1", 1], ["2", 1], ["3", 1], ["4", 1]]
    live.ask("seed", table=table, seat=0, seed="Ann's own")
    game = kit.Game(live, table)
    kit.play([game], random.Random(2))
    told = ann.get(f"/tables/{table}")
    after = told["dice"]
    assert {key: after[key] for key in ("id", "faces", "commitment", "outcomes")} == {
        key: before[key] for key in ("id", "faces", "commitment", "outcomes")
    }
    dice = Dice(bytes.fromhex(after["secret"]), after["id"], tuple(after["seeds"]), after["faces"])
    assert after["seeds"] == ["Ann's own"]
    assert dice.commitment == before["commitment"]
    rolls = [made["move"] for made in told["moves"] if made["seat"] == "chance"]
    assert rolls == [after["outcomes"][dice.below(index, 4)][0] for index in range(len(rolls))]
    assert ann.get(f"/tables/{table}/proof")["outcomes"] is None
