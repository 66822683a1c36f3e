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


def _noted(visitor, words):
    """Whether words have been shown on the page."""
    return any(words in said for said in visitor.page.evaluate("window.noted"))


def _answered(visitor):
    """Make any move, and wait for the computer's answer."""
    visitor.until(lambda: visitor.my_turn, "the turn")
    made = visitor.table["made"]
    visitor.make(next(iter(visitor.moves())))
    visitor.until(lambda: visitor.table["made"] == made + 2, "the answer of the server's engine")


def test_an_opponent_goes_on_as_the_server_s_engine(stricken):
    ada, words = stricken
    ada.open("yinsh", OPPONENT)
    if words != said("engine-unsupported"):  # which is said at once
        ada.make(next(iter(ada.moves())))
    ada.until(lambda: _noted(ada, words), words)
    ada.until(lambda: not any(seat["page"] for seat in ada.table["seats"]), "the server's engine")
    for _ in range(2):
        _answered(ada)


@pytest.fixture
def late(visit, request):
    """A visitor whose page gets no engine until the file is gone that is given, too."""
    file = request.getfixturevalue("modules") / "late"
    file.touch()
    ada = visit(service_workers="block")
    ada.page.add_init_script(NOTED)
    yield ada, file
    file.unlink(missing_ok=True)


def test_a_page_that_is_too_late_leaves_the_moves_to_the_server_without_a_word(late):
    ada, file = late
    ada.open("yinsh", OPPONENT)
    _answered(ada)
    assert not any(seat["page"] for seat in ada.table["seats"])
    file.unlink()
    for _ in range(2):
        _answered(ada)
    assert not any(_noted(ada, said(f"engine-{why}")) for why in [*FAULTS, UNSUPPORTED])


def test_a_failure_is_told_although_the_server_has_moved_before_it(late):
    ada, file = late
    ada.open("yinsh", OPPONENT)
    _answered(ada)
    file.with_name("fault").write_text("truncated")
    file.unlink()
    ada.until(lambda: _noted(ada, said("engine-truncated")), "why the page does not compute")
    file.with_name("fault").unlink()
