"""The catalogue of games, and addresses that do not exist."""

import re

import httpx

import triskele


def test_the_catalogue(visitor, server):
    person = visitor()
    games = person.get("/games", language="de")
    assert {game["name"] for game in games} == {game.name for game in triskele.games()}
    for game in games:
        assert game["tagline"]
        assert game["presets"][0]["options"] == {}
        assert game["presets"][0]["series"] == game["series"]
        for preset in game["presets"]:  # a name that a person would say, not options strung together
            assert preset["text"]
            assert not preset["text"].startswith(f"{game['name']}.")
            assert len(preset["text"]) <= 50
        for option in game["options"]:
            assert option["label"] != f"{game['name']}.option.{option['name']}"
        assert "defs" in person.get(f"/games/{game['name']}/sprites.svg")
        assert f".{game['name']}" in person.get(f"/games/{game['name']}/sprites.css")
        assert person.get(f"/games/{game['name']}/picture.svg").startswith("<svg")
        page = person.get(f"/games/{game['name']}/help")
        assert page.startswith("#")
        for of in re.findall(r"\(picture:([a-z-]+)\)", page):
            assert person.get(f"/games/{game['name']}/picture.svg?of={of}&theme=dark").startswith("<svg")
        assert person.http.get(f"/games/{game['name']}/picture.svg?of=nothing").status_code == 404
    words = person.http.get("/words/pl")
    assert words.json()["core.pair"]
    assert words.headers["content-encoding"] == "gzip"
    assert person.http.get("/words/pl", headers={"If-None-Match": words.headers["etag"]}).status_code == 304


def test_a_page_that_is_not_there_is_a_page_for_people_and_a_refusal_for_programs(server):
    shown = httpx.get(server.base + "/nothing/here", headers={"Accept": "text/html,*/*"})
    assert shown.status_code == 404
    assert "<title>Triskele</title>" in shown.text
    for path in ("/nothing/here", "/api/v1/nothing"):
        refusal = httpx.get(server.base + path, headers={"Accept": "*/*"})
        assert refusal.status_code == 404
        assert refusal.json()["error"]["code"] == "unknown"
    api = httpx.get(server.base + "/api/v1/nothing", headers={"Accept": "text/html"})
    assert api.json()["error"]["code"] == "unknown"


def test_only_games_with_notes_say_that_they_have_some(visitor):
    """The page asks for a note before each move of such a game, and cannot move while the connection is lost."""
    notes = {game["name"]: game["notes"] for game in visitor().get("/games")}
    assert notes["trypsylon"]
    assert not notes["yinsh"]
