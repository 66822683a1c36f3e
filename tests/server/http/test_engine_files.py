"""The engines for the page: named by their contents, kept for good, and built when they are missing."""

import gzip
import json
import threading

import httpx
import pytest
from starlette.requests import Request

import triskele
from triskele.core.wasm.modules import ModuleFiles
from triskele.server.http.catalogue import Catalogue
from triskele.server.http.engine_files import EngineFiles

DESCRIPTION = {"format": 1, "search": {"name": "alphabeta"}}


def asked(**headers):
    listed = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return Request({"type": "http", "method": "GET", "path": "/", "headers": listed})


@pytest.fixture
def engines(tmp_path):
    """Publish made-up modules of the first two games; return the files, and what the build was asked for."""

    def publish(*descriptions):
        games, wanted = triskele.games(), []
        done = threading.Event()

        def find(game, seconds):
            wanted.append((game.name, seconds))
            number = games.index(game)
            if number >= len(descriptions):
                done.set()
                return None
            found = ModuleFiles(tmp_path / f"{number}.wasm", tmp_path / f"{number}.json")
            found.wasm.write_bytes(b"\0asm" + bytes([number]) * 4000)
            found.description.write_text(json.dumps(descriptions[number]))
            return found

        files = EngineFiles(games, find)
        files.start()
        assert done.wait(30)
        return files, wanted

    return publish


def test_a_module_is_named_by_its_contents_and_kept_for_good(engines):
    files, _ = engines(DESCRIPTION, DESCRIPTION)
    first, second = triskele.games()[:2]
    names = files.names(first.name)
    assert names["module"] != files.names(second.name)["module"]
    assert names["description"] == files.names(second.name)["description"]
    answer = files.file(first.name, names["module"]).response(asked(accept_encoding="gzip"))
    assert answer.headers["content-type"] == "application/wasm"
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["content-encoding"] == "gzip"
    assert gzip.decompress(answer.body) == b"\0asm" + bytes(4000)
    assert json.loads(files.file(first.name, names["description"]).body) == DESCRIPTION
    assert files.file(first.name, files.names(second.name)["module"]) is None


def test_the_list_of_games_names_the_engines_that_there_are_now(engines):
    empty = EngineFiles(triskele.games(), lambda game, seconds: None)
    catalogue = Catalogue(empty)
    assert {game["engine"] for game in json.loads(catalogue.games("en").body)} == {None}
    catalogue.engine_files, _ = engines(DESCRIPTION)
    first, second, *_ = json.loads(catalogue.games("en").body)
    assert first["engine"] == catalogue.engine_files.names(first["name"])
    assert second["engine"] is None


def test_a_module_without_a_search_is_no_engine(engines):
    files, _ = engines({"format": 1, "search": None}, DESCRIPTION)
    first, second = triskele.games()[:2]
    assert files.names(first.name) is None
    assert files.names(second.name) is not None


def test_what_is_missing_is_asked_for_game_by_game_and_a_failure_stops_nothing(engines, caplog):
    files, wanted = engines({"format": 1, "search": {}}, DESCRIPTION)
    games = triskele.games()
    assert [name for name, _ in wanted][:3] == [game.name for game in games[:3]]
    assert files.names(games[2].name) is None


def test_a_server_without_modules_says_so_in_words(server, visitor, refused):
    person = visitor()
    assert {game["engine"] for game in person.get("/games")} == {None}
    missing = httpx.get(
        f"{server.base}/api/v1/games/yinsh/engine/0123456789abcdef01234567.wasm", headers={"Accept-Language": "de"}
    )
    assert missing.status_code == 404
    assert missing.json()["error"]["code"] == "no-module"
    assert "Engine" in missing.json()["error"]["text"]
    assert refused(person.get, "/games/nothing/engine/x.wasm") == "unknown"
