"""Web Push: encrypted as RFC 8291 says, with keys that follow from the server's secret."""

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from triskele.server.notices.keys import NoticeKeys, decoded, encoded
from triskele.server.notices.web_push import are_keys, encrypted

AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
RECEIVER = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"


def test_the_example_of_rfc_8291_gives_its_bytes():
    sender = ec.derive_private_key(
        int.from_bytes(decoded("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")), ec.SECP256R1()
    )
    plain = b"When I grow up, I want to be a watermelon"
    assert encoded(encrypted(plain, RECEIVER, AUTH, decoded("DGv6ra1nlYgDCS1FRnbzlw"), sender)) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_"
        "yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


@pytest.mark.parametrize("p256dh", ["", "AAAA", encoded(b"\x04" + bytes(64)), RECEIVER[:-4], "§" * 20])
def test_keys_that_are_none_are_refused(p256dh):
    assert not are_keys(p256dh, AUTH)
    assert are_keys(RECEIVER, AUTH)
    assert not are_keys(RECEIVER, AUTH[:-2])


def test_keys_follow_from_the_secret_and_outlive_a_new_one():
    before, after = NoticeKeys(bytes(32)), NoticeKeys(b"1" * 32, bytes(32))
    assert NoticeKeys(bytes(32)).push.public == before.push.public != after.push.public
    assert after.push_of(before.push.public).public == before.push.public
    assert NoticeKeys(b"1" * 32).push_of(before.push.public) is None
    assert after.hook_secret(before.name, "hook") == before.hook_secret(before.name, "hook")
    assert before.hook_secret(before.name, "hook") != before.hook_secret(before.name, "other")
    token = before.leave_token("a" * 16)
    assert after.account_of(token) == "a" * 16
    assert NoticeKeys(b"1" * 32).account_of(token) is None
    assert before.account_of("b" + token[1:]) is None
    assert before.account_of("") is None
