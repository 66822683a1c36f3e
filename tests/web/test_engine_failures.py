"""What can be wrong with an engine in the page: it is said in words, once, and the server's engine goes on."""

from urllib.parse import urlsplit

import pytest

from tests.support.engine_server import FAULTS
from tests.web.engines import AT_ONE_SCREEN, OPPONENT, Analysis, modules, said, server  # noqa: F401 (fixtures)

NOTED = """addEventListener("DOMContentLoaded", () => {
    window.noted = [];
    const note = changes => changes.forEach(each => each.addedNodes.forEach(node => noted.push(node.textContent)));
    new MutationObserver(note).observe(document.body, { childList: true, subtree: true });
});"""
"""Keeps whatever the page has shown: a message is gone after a while, on a busy machine before a test looks."""
UNSUPPORTED = "unsupported"


@pytest.fixture(params=[*FAULTS, UNSUPPORTED])
def stricken(visit, request):
    """A visitor in whose browser the engine cannot be used, and the words for it."""
    fault = request.getfixturevalue("modules") / "fault"
    ada = visit(service_workers="block")
    ada.page.add_init_script(NOTED)
    ada.excused = ("status of 404", "WebAssembly", "wasm", "no such thing")
    if request.param == UNSUPPORTED:
        ada.page.add_init_script("delete globalThis.WebAssembly")
    else:
        fault.write_text(request.param)
    yield ada, said(f"engine-{request.param}")
    fault.unlink(missing_ok=True)


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

    def noted():
        return any(words in said for said in ada.page.evaluate("window.noted"))

    def answered():
        """Make any move, and return whether the words are there when it is answered."""
        if words != said("engine-unsupported"):  # which is said at once
            ada.make(next(iter(ada.moves())))
        ada.until(lambda: noted() or (ada.table["made"] and ada.my_turn), words)
        return noted()

    # A page that is slow to find out has its first move made by the server, which waits for it some seconds only.
    assert any(answered() for _ in range(3))
    ada.until(lambda: not any(seat["page"] for seat in ada.table["seats"]), "the server's engine")
    for _ in range(2):
        ada.until(lambda: ada.my_turn, "the answer before")
        made = ada.table["made"]
        ada.make(next(iter(ada.moves())))
        ada.until(lambda made=made: ada.table["made"] == made + 2, "the answer of the server's engine")
