"""Balance reports: figures that can be checked by hand, and a page that needs nothing else."""

import json
import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from triskele.arena.balance import histogram, observe_game, report, share_of, spread, summary, variants
from triskele.arena.journal import Journal
from triskele.arena.match import Plan
from triskele.arena.page import page
from triskele.arena.plots import Bar, columns, curve, shares
from triskele.arena.referee import Terms
from triskele.arena.worker_pool import WorkerPool
from triskele.core.contract import CHANCE
from triskele.core.contract.engine import Limits
from triskele.core.game import Game, game, games
from triskele.core.position import Position
from triskele.core.words import LANGUAGES

TERMS = Terms(Limits(nodes=5))


def plan(engine: str = "uct", **options: Any) -> Plan:
    return Plan("tryad", options, (engine,), TERMS, openings=2)


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    with pytest.MonkeyPatch.context() as patch, WorkerPool(0) as pool:
        patch.setenv("TRISKELE_PLAIN", "1")
        return report(game("tryad"), [plan(), plan(players=3), plan(stake=3)], 6, pool)


def test_one_game_is_seen_as_it_is() -> None:
    seen = observe_game(plan(), 4)
    assert seen == observe_game(plan(), 4)
    assert seen["failed"] is None
    assert len(seen["stages"]) == 10
    assert seen["decisions"] < seen["plies"]  # there are rolls too
    assert 1 <= seen["turns"] <= seen["decisions"]
    assert sum(seen["scores"]) == 0


def test_lead_changes_and_the_rest_are_counted_right() -> None:
    # A game is made up: three turns of two seats with known choices, and what an engine thought of them.
    from triskele.arena.balance import _Observer
    from triskele.arena.referee import Played, Step
    from triskele.core.contract.engine import Info

    position = Position(game("yinsh").variant())
    observer = _Observer()
    estimates = [(0.0, 0.0), (0.5, -0.5), (0.04, -0.04), (-0.3, 0.3), (0.4, -0.4), None]
    movers = [0, 1, 1, CHANCE, 0, 1]
    for mover, scores in zip(movers, estimates, strict=True):
        info = None if scores is None else Info(1, 1, 0.0, scores, ())
        observer.watch(Step(position, mover, position.legal_moves[0], info, drawn=False))
    played = Played(("x",) * 6, (1,), (1.0, -1.0), (0.0, 1.0), "rings", (0.0, 0.0), (0, 0))
    seen = observer.figures(played)
    assert seen["decisions"] == 5
    assert seen["turns"] == 4
    assert seen["mean_choices"] == 85
    assert seen["bits"] == pytest.approx(5 * 6.40939, abs=1e-4)
    assert seen["lead_changes"] == 0  # seat 0 leads, narrowly ahead is not behind; the roll says nothing
    assert seen["halfway_led"]
    assert not seen["halfway_won"]
    assert seen["richest_lost"]


def test_the_figures_of_a_variant_add_up(document: dict[str, Any]) -> None:
    usual, three, _ = document["variants"]
    assert usual["games"] == 6
    assert usual["failed"] == 0
    assert sum(seat["share"] for seat in three["by_seat"]) == pytest.approx(1, abs=1e-5)
    assert sum(seat["mean_score"] for seat in three["by_seat"]) == pytest.approx(0, abs=1e-3)
    assert sum(reason["number"] for reason in usual["reasons"].values()) == 6
    assert sum(column["number"] for column in usual["histogram"]) == 6
    turns = usual["turns"]
    assert turns["least"] <= turns["quantiles"]["50"] <= turns["most"]
    assert usual["seconds_per_turn"] == [
        pytest.approx(60 * minutes / turns["mean"], abs=0.1) for minutes in game("tryad").minutes
    ]
    assert usual["richest_loses"]["number"] == 0  # who wins collects
    assert usual["first_seat_shift"] is None
    assert three["first_seat_shift"] is None
    assert document["variants"][2]["first_seat_shift"]["interval"][0] < 0.5
    assert json.loads(json.dumps(document)) == document


def test_a_report_goes_on_where_it_was(tmp_path: Path, document: dict[str, Any]) -> None:
    plans = [plan(), plan(players=3), plan(stake=3)]
    with WorkerPool(0) as pool:
        report(game("tryad"), plans[:1], 3, pool, tmp_path)
        again = report(game("tryad"), plans, 6, pool, tmp_path)
        assert again == document
    with Journal(tmp_path / "tryad-00.jsonl", {"format": "triskele-report/1", **plan().document()}) as journal:
        assert len(journal.results) == 6


def test_an_engine_that_fails_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    from triskele.engines.random_mover import RandomMover

    def think(self: object, task: object) -> object:
        raise RuntimeError("no idea")

    monkeypatch.setattr(RandomMover, "think", think)
    found = summary(plan("random"), [observe_game(plan("random"), 1)])
    assert (found["games"], found["failed"]) == (0, 1)
    assert "no idea" in found["failure"]
    with WorkerPool(0) as pool:
        html = page(game("tryad"), report(game("tryad"), [plan("random")], 1, pool))
    assert "no idea" in html


def test_a_game_for_one_has_a_report_too() -> None:
    with WorkerPool(0) as pool:
        found = report(game("tryad"), [plan("random", mode="practice", players=1)], 2, pool)
    assert found["variants"][0]["games"] == 2
    assert found["variants"][0]["by_seat"][0]["elo"] is None
    assert found["variants"][0]["turns"] == found["variants"][0]["decisions"]
    assert "svg" in page(game("tryad"), found)


def test_a_report_is_about_every_variant_with_the_house_rules_as_usual() -> None:
    for declared in games():
        found = variants(declared)
        for options in declared.option_sets:
            assert {k: v for k, v in options.items() if k not in declared.house_rules} in found
        assert not any(name in options for options in found for name in declared.house_rules)
        assert len({str(options) for options in found}) == len(found)
    assert variants(game("yinsh")) == [{}, {"blitz": True}]


def test_small_figures() -> None:
    assert share_of(0, 0)["interval"] == [0.0, 1.0]
    assert spread([]) is None
    assert histogram([]) == []
    assert histogram([1, 1, 2, 5]) == [
        {"from": at, "to": at, "number": number} for at, number in ((1, 2), (2, 1), (3, 0), (4, 0), (5, 1))
    ]
    wide = histogram(list(range(0, 1000, 10)))
    assert sum(column["number"] for column in wide) == 100
    assert len(wide) <= 16


# --- the page -------------------------------------------------------------------------------------


class Reader(HTMLParser):
    """Notes what a page asks for, and whether its elements are closed."""

    VOID = frozenset(("meta", "line", "rect", "circle", "polyline"))

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.asked: list[str] = []
        self.kinds: set[str] = set()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.kinds.add(tag)
        self.asked += [str(value) for name, value in attributes if name in {"src", "href", "xlink:href", "action"}]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.kinds.add(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID:
            assert self.open.pop() == tag


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_needs_nothing_else(language: str, document: dict[str, Any], tryad: Game) -> None:
    html = page(tryad, document, language)
    reader = Reader()
    reader.feed(html)
    assert reader.open == []
    assert reader.asked == []
    assert not reader.kinds & {"script", "link", "img", "iframe", "object"}
    assert "url(" not in html
    assert "@import" not in html
    assert "http" not in html
    assert f'lang="{language}"' in html
    assert not re.search(r"arena\.|\{\w+\}", re.sub(r"<style>.*?</style>", "", html, flags=re.DOTALL))
    for drawing in re.findall(r"<svg.*?</svg>", html, flags=re.DOTALL):
        ET.fromstring(drawing)
    assert html.count("<svg") == 4 * 3 + 1


def test_names_cannot_break_out(document: dict[str, Any], tryad: Game) -> None:
    evil = json.loads(json.dumps(document))
    evil["engine"] = "<script>alert(1)</script>"
    evil["variants"][0]["failed"], evil["variants"][0]["failure"] = 1, "<b>&"
    html = page(tryad, evil)
    assert "<script" not in html
    assert "<b>" not in html


def test_plots_are_drawn_to_scale() -> None:
    drawn = ET.fromstring(shares("t", [Bar("a", 0.5, 0.25, 0.75), Bar("b", 1.0)], 0.5))
    widths = [float(rect.get("width", "")) for rect in drawn.iter("rect")]
    assert widths[1] == pytest.approx(2 * widths[0])
    heights = [float(r.get("height", "")) for r in ET.fromstring(columns("t", [Bar("a", 1), Bar("b", 4)])).iter("rect")]
    assert heights[1] == pytest.approx(4 * heights[0])
    line = next(ET.fromstring(curve("t", [10, None, 5], "from", "to")).iter("polyline")).get("points", "")
    ys = [float(point.split(",")[1]) for point in line.split()]
    assert len(ys) == 2
    assert ys[0] < ys[1]
