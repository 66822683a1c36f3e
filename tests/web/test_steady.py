"""The page keeps still: during a whole game nothing on it moves that nobody moved, and the board keeps its size."""

import itertools
import re

import pytest

from .games import SHORT, Short

_WATCH = """
(() => {
    const seen = { shifts: [], boxes: [], strips: [] };
    window.steady = seen;
    const describe = ({ node, previousRect: a, currentRect: b }) => {
        const name = node?.nodeType === 1 ? `${node.localName}.${node.getAttribute("class") ?? ""}` : node?.nodeName;
        return `${name} ${a.x},${a.y} ${a.width}x${a.height} -> ${b.x},${b.y} ${b.width}x${b.height}`;
    };
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
            // A click that replaces a sheet by another, such as a picker by a hint, may change its height.
            const inSheet = entry.sources.every(({ node }) => node?.closest?.(".sheet"));
            if (entry.hadRecentInput && entry.sources.length && inSheet) continue;
            seen.shifts.push(entry.sources.map(describe).join("; ") || "unnamed");
        }
    }).observe({ type: "layout-shift", buffered: true });
    const look = () => {
        const box = document.querySelector(".boardbox .board")?.getBoundingClientRect();
        const text = box ? [box.x, box.y, box.width, box.height].map(Math.round).join() : "";
        if (text && seen.boxes.at(-1) !== text) seen.boxes.push(text);
        const strips = [...document.querySelectorAll(".stage .who")].map((who) => who.offsetWidth).join();
        if (seen.strips.at(-1) !== strips) seen.strips.push(strips);
        requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
})();
"""
"""Keep all layout shifts that the browser reports, every box of the board, and how wide the strips' words were."""

WINDOWS = {"desktop": (1280, 860), "phone": (390, 844), "on its side": (844, 390)}


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("short", SHORT, ids=lambda short: short.game)
def test_nothing_shifts_during_a_whole_game(visit, play, short: Short, window: str):
    width, height = WINDOWS[window]
    ada = visit(viewport={"width": width, "height": height}, reduced_motion="no-preference")
    ada.context.add_init_script(_WATCH)
    ada.open(short.game, [{"kind": "me", "name": "Ada"}, {"kind": "engine", "level": 1}], short.options)
    ada.until_asked()
    ada.page.evaluate("steady.shifts.length = steady.boxes.length = steady.strips.length = 0")
    _ask_for_a_hint(ada)
    play([ada], short.against())
    ada.page.locator(".result").wait_for()
    ada.page.wait_for_timeout(300)
    assert ada.page.evaluate("steady.shifts") == []
    assert len(ada.page.evaluate("steady.boxes")) == 1, ada.page.evaluate("steady.boxes")
    if window == "desktop":  # on a phone the button to step back takes space from the words
        assert len(ada.page.evaluate("steady.strips")) == 1, ada.page.evaluate("steady.strips")


def _ask_for_a_hint(visitor) -> None:
    """Ask for a hint, and close it. Where something is picked beside the board, the button is there."""
    hint = visitor.page.locator("button:not([inert] *)").filter(has_text=re.compile("^Hint$"))
    hint.locator("visible=true").first.click()
    visitor.page.locator(".sheet .hint").get_by_role("button", name="Close").click()
    visitor.page.locator(".sheet .hint").wait_for(state="detached")


_FRAMES = """
(() => {
    window.frames_seen = [];
    const look = () => {
        const targets = document.getAnimations().map((each) => each.effect?.target);
        const moving = targets.some((target) => target?.closest?.(".board"));
        const turn = document.querySelector(".strip.turn, .strip.won")?.dataset.seat ?? "";
        frames_seen.push([moving, turn, document.querySelector(".result") !== null]);
        requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
})();
"""
"""In every frame: whether something moves on the board, whose turn the strips tell, and whether the result is shown."""


def test_what_is_said_beside_the_board_waits_for_what_is_seen_on_it(visit, play):
    ada = visit(reduced_motion="no-preference")
    ada.context.add_init_script(_FRAMES)
    short = next(short for short in SHORT if short.game == "yinsh")
    ada.open(short.game, [{"kind": "me", "name": "Ada"}, {"kind": "here", "name": "Ben"}], short.options)
    ada.until_asked()
    play([ada], short.chooser())
    ada.page.locator(".result").wait_for()
    seen = ada.page.evaluate("frames_seen")
    assert any(moving for moving, _, _ in seen)
    assert not any(moving and result for moving, _, result in seen), "the result comes before the last move was seen"
    for (moving, before, _), (goes_on, after, _) in itertools.pairwise(seen):
        assert not (moving and goes_on) or before == after, "the turn passes on while a move is still shown"
