"""The OpenAPI document is true: schemathesis asks for everything it describes."""

import re
from pathlib import Path

import httpx
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance

from triskele.server.app import create_app
from triskele.server.http.routes import PREFIX
from triskele.server.settings import Settings


def test_the_server_does_what_its_description_says(server):
    api = schemathesis.openapi.from_url(f"{server.base}{PREFIX}/openapi.json")
    asked = 0
    for found in api.get_all_operations():
        operation = found.ok()

        @settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck), database=None)
        @given(case=operation.as_strategy())
        def ask(case):
            # A schema cannot say which names there are, or that 5.0 is no whole number: those may be refused.
            case.call_and_validate(timeout=60, excluded_checks=[positive_data_acceptance])

        ask()
        asked += 1
    assert asked > 15
    assert "Traceback" not in server.log.read_text()


def test_everything_is_described(server):
    document = httpx.get(f"{server.base}{PREFIX}/openapi.json").json()
    assert document["openapi"].startswith("3.")
    for path, operations in document["paths"].items():
        assert path.startswith(PREFIX)
        for operation in operations.values():
            assert operation["tags"]
            assert operation["description"]
            assert "4XX" in operation["responses"]
            assert "422" not in operation["responses"]


def test_the_page_of_live_messages_names_every_request(tmp_path):
    page = (Path(__file__).parents[3] / "docs" / "live.md").read_text(encoding="utf-8")
    app = create_app(Settings(data=tmp_path))
    missing = []
    for path in app.openapi()["paths"]:
        written = re.sub(r"\{(\w+)\}", lambda name: "N" if name[1] == "at" else name[1].upper(), path)
        stem, _, suffix = written.rpartition("picture.png")
        if written not in page and not (stem and f"{stem}picture.svg` `.png" in page and not suffix):
            missing.append(path)
    assert missing == []
    app.state.services.storage.engine.dispose()
