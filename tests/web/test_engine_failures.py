"""What can be wrong with an engine in the page: it is said in words, once, and the server's engine goes on."""

import json
from urllib.parse import urlsplit

import pytest

from tests.web.engines import AT_ONE_SCREEN, OPPONENT, Analysis, modules, said, server  # noqa: F401 (fixtures)

NO_GROWTH = "WebAssembly.Memory.prototype.grow = () => { throw new RangeError('no memory'); };"
POLICY = "default-src 'self'; script-src 'self'; worker-src 'self'; connect-src 'self'"


def _older(route):
    answer = route.fetch()
    route.fulfill(response=answer, body=json.dumps({**answer.json(), "format": 0}))


def _truncated(route):
    answer = route.fetch()
    route.fulfill(response=answer, body=answer.body()[:5000])


def _gone(route):
    route.fulfill(status=404, body="{}", content_type="application/json")


def _no_memory(route):
    answer = route.fetch()
    route.fulfill(response=answer, body=answer.text() + NO_GROWTH)


def _forbidden(route):
    answer = route.fetch()
    route.fulfill(response=answer, headers={**answer.headers, "content-security-policy": POLICY})


def _damaged(route):
    route.fulfill(body="throw new Error('no such thing');", content_type="text/javascript")


NOTED = """addEventListener("DOMContentLoaded", () => {
    window.noted = [];
    const note = changes => changes.forEach(each => each.addedNodes.forEach(node => noted.push(node.textContent)));
    new MutationObserver(note).observe(document.body, { childList: true, subtree: true });
});"""
"""Keeps whatever the page has shown: a message is gone after a while, on a busy machine before a test looks."""
FAILURES = {
    "version": ("**/engine/*.json", _older),
    "truncated": ("**/engine/*.wasm", _truncated),
    "offline": ("**/engine/*.wasm", _gone),
    "memory": ("**/engine/worker.js", _no_memory),
    "policy": ("**/engine/worker.js", _forbidden),
    "broken": ("**/engine/worker.js", _damaged),
    "unsupported": (None, None),
}


@pytest.fixture(params=FAILURES)
def stricken(visit, request):
    """A visitor in whose browser the engine cannot be used, and the words for it."""
    pattern, handler = FAILURES[request.param]
    ada = visit(service_workers="block")
    ada.page.add_init_script(NOTED)
    ada.excused = ("status of 404", "WebAssembly", "wasm", "no such thing")
    if pattern is None:
        ada.page.add_init_script("delete globalThis.WebAssembly")
    else:
        ada.context.route(pattern, handler)
    return ada, said(f"engine-{request.param}")


def test_an_analysis_goes_on_with_the_server_s_engine(stricken):
    ada, words = stricken
    ada.open("yinsh", AT_ONE_SCREEN)
    analysis = Analysis(ada)
    analysis.switch.click()
    ada.sees(words)
    analysis.wait()
    assert set(analysis.first_moves()) <= set(ada.moves())
    assert "browser" not in analysis.foot()
    assert any(urlsplit(url).path.endswith("/analysis") for url in ada.requested)
    ada.button("Hint").first.click()
    ada.page.locator(".sheet .move").wait_for(timeout=30_000)
    assert any(urlsplit(url).path.endswith("/hint") for url in ada.requested)
    ada.button("Play it").click()
    ada.until(lambda: ada.table["made"] == 1, "the move")


def test_an_opponent_goes_on_as_the_server_s_engine(stricken):
    ada, words = stricken
    ada.open("yinsh", OPPONENT)
    at_once = words == said("engine-unsupported")
    if not at_once:
        ada.make("f6")
    ada.until(lambda: any(words in said for said in ada.page.evaluate("window.noted")), words)
    if at_once:
        ada.make("f6")
    ada.until(lambda: ada.table["made"] == 2, "the answer of the server's engine")
    assert not any(seat["page"] for seat in ada.table["seats"])
    ada.make("e5")
    ada.until(lambda: ada.table["made"] == 4, "another answer")
