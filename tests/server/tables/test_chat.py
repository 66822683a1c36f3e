"""Chat between seated players."""


def test_chat_is_kept_and_checked(pair, refused, kit):
    ann, bob = pair()
    ann.live.ask("chat", table=ann.table, seat=0, text="  good luck  ")
    said = bob.live.wait("said")
    assert (said["seat"], said["text"]) == (0, "good luck")
    for text in (" ", "two\nlines", "\u202e"):
        assert refused(ann.live.ask, "chat", table=ann.table, seat=0, text=text) == "chat"
    assert [line["text"] for line in bob.live.join(ann.table)["chat"]] == ["good luck"]
