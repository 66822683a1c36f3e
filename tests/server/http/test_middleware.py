"""Origins and the content security policy."""

from triskele.server.http.middleware import policy
from triskele.server.origin import same_origin


def test_origins():
    assert same_origin(None, "h:1", None)
    assert same_origin("http://h:1", "h:1", None)
    assert same_origin("https://play.example", "inner:80", "https://play.example/")
    assert not same_origin("http://other", "h:1", None)
    assert not same_origin("http://[", "h:1", None)
    assert not same_origin("null", "h:1", None)


def test_a_strange_host_does_not_get_into_the_policy():
    assert "evil" not in policy("evil; script-src *", secure=False)
    assert "wss://play.example:44;" in policy("play.example:44", secure=True)
