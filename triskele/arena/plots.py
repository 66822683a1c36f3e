"""Small plots as inline SVG, without a library or script. Colours come from the page's style sheet."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from triskele.core.numbers import percent
from triskele.core.words import say

WIDTH = 560
_LEFT, _RIGHT, _TOP, _ROW = 150, 56, 8, 26


@dataclass(frozen=True)
class Bar:
    """One bar of a plot: a value with a name, and its interval if it has one."""

    name: str
    value: float
    low: float | None = None
    high: float | None = None


def _svg(height: float, title: str, body: Sequence[str]) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {height:g}" role="img" aria-label="{escape(title, quote=True)}">'
        f"<title>{escape(title)}</title>{''.join(body)}</svg>"
    )


def _text(x: float, y: float, words: str, kind: str = "") -> str:
    style = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}"{style}>{escape(words)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def shares(title: str, bars: Sequence[Bar], mark: float | None = None, language: str = "en") -> str:
    """Draw shares from 0 to 1 as horizontal bars with their intervals; ``mark`` is a line at the even share."""
    width = WIDTH - _LEFT - _RIGHT
    height = _TOP + _ROW * len(bars) + 22

    def across(share: float) -> float:
        return _LEFT + width * share

    bottom = height - 20
    body = [_line(across(tick / 4), _TOP, across(tick / 4), bottom, "grid") for tick in range(5)]
    body += [_text(across(tick / 4), height - 4, say(percent(tick / 4, 0), language), "tick") for tick in range(5)]
    if mark is not None:
        body.append(_line(across(mark), _TOP, across(mark), bottom, "mark"))
    for at, bar in enumerate(bars):
        y = _TOP + _ROW * at
        wide = max(0.5, width * min(1.0, bar.value))
        body.append(_text(_LEFT - 8, y + 17, bar.name, "name"))
        body.append(f'<rect x="{_LEFT}" y="{y + 5}" width="{wide:.1f}" height="{_ROW - 10}" rx="2" class="bar"/>')
        if bar.low is not None and bar.high is not None:
            middle = y + _ROW / 2
            body.append(_line(across(bar.low), middle, across(bar.high), middle, "whisker"))
            body += [_line(across(end), middle - 4, across(end), middle + 4, "whisker") for end in (bar.low, bar.high)]
        body.append(_text(WIDTH - _RIGHT + 6, y + 17, say(percent(bar.value), language), "value"))
    return _svg(height, title, body)


def columns(title: str, bars: Sequence[Bar]) -> str:
    """Draw a histogram; below it as many names as fit."""
    high, base = 120.0, _TOP + 132.0
    left, right = 34.0, 8.0
    most = max((bar.value for bar in bars), default=0.0) or 1.0
    each = (WIDTH - left - right) / max(1, len(bars))
    body = [_line(left, base, WIDTH - right, base, "axis"), _text(left - 6, base - high + 4, f"{most:g}", "end")]
    body.append(_text(left - 6, base, "0", "end"))
    skip = math.ceil(len(bars) / 9)
    for at, bar in enumerate(bars):
        x = left + each * at
        tall = high * bar.value / most
        words = escape(f"{bar.name}: {bar.value:g}")
        body.append(
            f'<rect x="{x + 1:.1f}" y="{base - tall:.1f}" width="{max(1.0, each - 2):.1f}" height="{tall:.1f}"'
            f' class="bar"><title>{words}</title></rect>'
        )
        if at % skip == 0:
            body.append(_text(x + each / 2, base + 15, bar.name, "tick"))
    return _svg(base + 24, title, body)


def curve(title: str, values: Sequence[float | None], first: str, last: str) -> str:
    """Draw a line through values at equal steps; ``first`` and ``last`` are written below its ends."""
    high, base = 110.0, _TOP + 122.0
    left, right = 44.0, 12.0
    known = [value for value in values if value is not None]
    most = max(known, default=0.0) or 1.0
    step = (WIDTH - left - right) / max(1, len(values) - 1)
    points = [(left + step * at, base - high * v / most) for at, v in enumerate(values) if v is not None]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    body = [
        _line(left, base, WIDTH - right, base, "axis"),
        _text(left - 6, base - high + 4, f"{most:.0f}", "end"),
        _text(left - 6, base, "0", "end"),
        f'<polyline points="{path}" class="curve"/>',
        *(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.6" class="dot"/>' for x, y in points),
        _text(left, base + 15, first, "start"),
        _text(WIDTH - right, base + 15, last, "end"),
    ]
    return _svg(base + 22, title, body)
