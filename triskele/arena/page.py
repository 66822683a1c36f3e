"""A balance report as one self-contained HTML page: no network, no script, styles and plots inline."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from triskele.arena.plots import Bar, columns, curve, shares
from triskele.core.contract.engine import DEFAULT_SECONDS
from triskele.core.game import Game
from triskele.core.numbers import decimal, percent, whole
from triskele.core.words import Text, say, text

NOTHING = "\N{EN DASH}"
_NAME = 22

_STYLE = """
:root{color-scheme:light dark;--ink:#26302f;--soft:#5c6a68;--paper:#fbfaf6;--edge:#d9d6cb;--bar:#7d9c95;
--strong:#2f5d55}
@media (prefers-color-scheme:dark){:root{--ink:#e6e4dc;--soft:#a3aba7;--paper:#1e2423;--edge:#3b4442;--bar:#5f8880;
--strong:#a9d3c8}}
body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:62rem;margin:2rem auto;
padding:0 1rem}
h1{font-size:1.7rem;margin-bottom:.2rem}h2{margin-top:2.6rem;border-top:1px solid var(--edge);padding-top:1.2rem}
h3{font-size:1rem;margin:0 0 .4rem}p.soft,figcaption,td.soft{color:var(--soft)}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
div.wide{overflow-x:auto}th,td{text-align:left;padding:.3rem .7rem .3rem 0;border-bottom:1px solid var(--edge);
vertical-align:top}
th{font-weight:600}td.figure,th.figure{text-align:right}td.figure{white-space:nowrap}
div.plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,24rem),1fr));gap:1.2rem 2rem}
h2,figcaption{overflow-wrap:anywhere}td:first-child{min-width:7rem}figure{margin:0}figure.first{max-width:40rem;margin-top:1.6rem}svg{width:100%;height:auto;display:block}
svg text{font:12px system-ui,sans-serif;fill:var(--ink)}svg .name,svg .end{text-anchor:end}
svg .tick{text-anchor:middle;fill:var(--soft)}svg .start{text-anchor:start}svg .value{text-anchor:start}
svg .bar{fill:var(--bar)}svg .grid,svg .axis{stroke:var(--edge)}svg .mark{stroke:var(--ink);stroke-dasharray:3 3}
svg .whisker{stroke:var(--strong);stroke-width:2}svg .curve{fill:none;stroke:var(--strong);stroke-width:2}
svg .dot{fill:var(--strong)}
"""


class _Page:
    def __init__(self, game: Game, document: Mapping[str, Any], language: str) -> None:
        self.game = game
        self.document = document
        self.language = language

    def words(self, key: str, **values: "str | int | float | Text") -> str:
        return say(text(f"arena.report.{key}", **values), self.language)

    def html(self, key: str, **values: "str | int | float | Text") -> str:
        return escape(self.words(key, **values))

    # --- pieces ------------------------------------------------------------------------------

    def name(self, options: Mapping[str, Any]) -> str:
        """Return the name of a variant: the options that differ from the defaults."""
        if not options:
            return self.words("usual")
        return ", ".join(f"{key}={self.game.option(key).write(value)}" for key, value in options.items())

    def reason(self, code: str) -> str:
        key = f"{self.game.name}.reason.{code}"
        words = say(text(key), self.language)
        return self.words("cut-off") if words == key else words

    def seat(self, number: int) -> str:
        return self.words("seat", n=number + 1)

    # --- numbers -----------------------------------------------------------------------------

    def number(self, shown: Text) -> str:
        return say(shown, self.language)

    def interval(self, ends: Sequence[float]) -> str:
        low, high = ends
        return f"{self.number(decimal(100 * low, 1))} … {self.number(percent(high))}"

    def figure(self, number: float | None) -> str:
        if number is None:
            return NOTHING
        return self.number(whole(number) if number >= 10 else decimal(number, 1))

    def share(self, share: Mapping[str, Any]) -> str:
        return f"{self.number(percent(share['share']))} ({self.interval(share['interval'])})"

    def shift(self, shift: Mapping[str, Any] | None) -> str:
        if shift is None:
            return NOTHING
        points = [
            self.number(decimal(100 * value, 1, signed=True)) for value in (shift["difference"], *shift["interval"])
        ]
        elo = "" if shift["elo"] is None else f"; {self.number(whole(shift['elo'], signed=True))} Elo"
        return f"{points[0]} ({points[1]} … {points[2]}){elo}"

    # --- parts -------------------------------------------------------------------------------

    def page(self) -> str:
        document = self.document
        title = self.words("title", game=self.game.title)
        limits = ", ".join(f"{k}: {v}" for k, v in document["limits"].items() if k in {"seconds", "nodes", "level"})
        how = {
            "engine": document["engine"],
            "limits": limits or f"{DEFAULT_SECONDS:g} s",
            "openings": document["openings"],
            "seed": document["seed"],
        }
        parts = [
            f"<h1>{escape(title)}</h1>",
            f'<p class="soft">{self.html("how", **how)}</p>',
            f'<p class="soft">{self.html("intervals")}</p>',
            self.overview(),
            self.claims(),
            *(self.variant(variant) for variant in document["variants"]),
        ]
        return (
            f'<!doctype html>\n<html lang="{self.language}">\n<head>\n<meta charset="utf-8">\n'
            f'<meta name="viewport" content="width=device-width,initial-scale=1">\n<title>{escape(title)}</title>\n'
            f"<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n" + "\n".join(parts) + "\n</main>\n</body>\n</html>\n"
        )

    def table(self, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
        head = "".join(f"<th{_side(at)}>{escape(name)}</th>" for at, name in enumerate(heads))
        body = "".join(
            "<tr>" + "".join(f"<td{_side(at)}>{escape(cell)}</td>" for at, cell in enumerate(row)) + "</tr>"
            for row in rows
        )
        return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'

    def overview(self) -> str:
        heads = ("variant", "games", "first-seat", "interval", "elo", "draws", "turns", "choices", "leads")
        variants = self.document["variants"]
        table = self.table([self.words(head) for head in heads], [self._row(variant) for variant in variants])
        title = self.words("first-seat")
        first = [(self.name(variant["options"]), variant["by_seat"][0]) for variant in variants if variant["seats"] > 1]
        bars = [Bar(_short(name), seat["share"], *seat["interval"]) for name, seat in first]
        plot = (
            f'<figure class="first"><h3>{escape(title)}</h3>{shares(title, bars, language=self.language)}</figure>'
            if len(bars) > 1
            else ""
        )
        return f"<h2>{self.html('overview')}</h2>" + table + plot

    def _row(self, variant: Mapping[str, Any]) -> list[str]:
        first = variant["by_seat"][0]
        turns, leads = variant["turns"], variant["lead_changes"]
        met = variant["seats"] > 1  # with one seat there is nobody to win against
        return [
            self.name(variant["options"]),
            str(variant["games"]),
            self.number(percent(first["share"])) if met else NOTHING,
            self.interval(first["interval"]) if met else NOTHING,
            NOTHING if first["elo"] is None else self.number(whole(first["elo"], signed=True)),
            self.number(percent(variant["draws"]["share"])) if met else NOTHING,
            NOTHING if turns is None else self.number(decimal(turns["mean"], 1)),
            self.number(decimal(variant["choices"]["mean"], 1)),
            NOTHING if leads is None else self.number(decimal(leads["mean"], 2)),
        ]

    def claims(self) -> str:
        """Return the section that compares the rulebook's claims with what was played."""
        low, high = self.document["minutes"]
        heads = [self.words(head) for head in ("variant", "pace", "halfway", "richest", "shift")]
        rows = []
        for variant in self.document["variants"]:
            rich = variant["richest_loses"]
            half = variant["halfway_leader_wins"]
            rows.append(
                [
                    self.name(variant["options"]),
                    " … ".join(map(self.figure, variant["seconds_per_turn"])) + "\u00a0s",
                    NOTHING if variant["lead_changes"] is None else self.share(half),
                    NOTHING if rich is None else self.share(rich),
                    self.shift(variant["first_seat_shift"]),
                ]
            )
        words = self.html("claims-minutes", low=low, high=high, rulebook=self.document["rulebook"])
        return f"<h2>{self.html('claims')}</h2><p>{words}</p>" + self.table(heads, rows)

    def variant(self, variant: Mapping[str, Any]) -> str:
        title = f"<h2>{escape(self.name(variant['options']))}</h2>"
        if not variant["games"]:
            return title + f"<p>{self.html('failed', n=variant['failed'], why=variant['failure'] or '')}</p>"
        failed = ""
        if variant["failed"]:
            failed = f"<p>{self.html('failed', n=variant['failed'], why=variant['failure'] or '')}</p>"
        plots = [self._seats(variant), self._reasons(variant), self._lengths(variant), self._choices(variant)]
        return title + failed + '<div class="plots">' + "".join(plots) + "</div>"

    def _figure(self, title: str, plot: str, caption: str) -> str:
        return f"<figure><h3>{escape(title)}</h3>{plot}<figcaption>{escape(caption)}</figcaption></figure>"

    def _seats(self, variant: Mapping[str, Any]) -> str:
        title = self.words("by-seat")
        bars = [
            Bar(self.seat(number), seat["share"], *seat["interval"]) for number, seat in enumerate(variant["by_seat"])
        ]
        # A semicolon, since most languages have a comma in the numbers.
        scores = "; ".join(self.number(decimal(seat["mean_score"], 2, signed=True)) for seat in variant["by_seat"])
        even = 1 / variant["seats"] if variant["seats"] > 1 else None
        return self._figure(title, shares(title, bars, even, self.language), self.words("mean-scores", scores=scores))

    def _reasons(self, variant: Mapping[str, Any]) -> str:
        title = self.words("endings")
        bars = [Bar(_short(code), r["share"], *r["interval"]) for code, r in variant["reasons"].items()]
        legend = "; ".join(f"{_short(code)}: {self.reason(code)}" for code in variant["reasons"])
        return self._figure(title, shares(title, bars, language=self.language), legend)

    def _lengths(self, variant: Mapping[str, Any]) -> str:
        title = self.words("lengths")
        bars = [
            Bar(str(b["from"]) if b["from"] == b["to"] else f"{b['from']}{NOTHING}{b['to']}", b["number"])
            for b in variant["histogram"]
        ]
        turns, decisions = variant["turns"], variant["decisions"]
        caption = self.words(
            "lengths-caption",
            mean=decimal(turns["mean"], 1),
            low=decimal(turns["interval"][0], 1),
            high=decimal(turns["interval"][1], 1),
            decisions=decimal(decisions["mean"], 1),
        )
        return self._figure(title, columns(title, bars), caption)

    def _choices(self, variant: Mapping[str, Any]) -> str:
        title = self.words("branching")
        choices = variant["choices"]
        caption = self.words(
            "branching-caption",
            mean=decimal(choices["mean"], 1),
            most=choices["most"],
            turn=whole(choices["per_turn"]),
            digits=f"{choices['log10_game']:.0f}",
        )
        plot = curve(title, choices["stages"], self.words("beginning"), self.words("end"))
        return self._figure(title, plot, caption)


def _short(name: str) -> str:
    return name if len(name) <= _NAME else name[: _NAME - 1] + "…"


def _side(at: int) -> str:
    return ' class="figure"' if at else ""


def page(game: Game, document: Mapping[str, Any], language: str = "en") -> str:
    """Return a report (as :func:`triskele.arena.balance.report` makes it) as one HTML page."""
    return _Page(game, document, language).page()
