"""A review in words: as lines of text, and as one self-contained HTML page."""

from collections.abc import Iterable, Sequence
from html import escape

from triskele.core.numbers import decimal, percent
from triskele.core.words import Text, catalogue, say, text
from triskele.reviewing.assembly import JudgedMove, JudgedPlayer
from triskele.reviewing.formulas import GRADES
from triskele.reviewing.graph import chances_graph
from triskele.reviewing.review import Review

_LINE_MOVES = 6
"""How many moves of a better line are written."""

_STYLE = """
:root{color-scheme:light dark;--ink:#26302f;--soft:#5c6a68;--paper:#fbfaf6;--edge:#d9d6cb;--line:#2f5d55;
--area:#2f5d5526;--inaccuracy:#8a6d00;--mistake:#b4520a;--blunder:#b3261e}
@media (prefers-color-scheme:dark){:root{--ink:#e6e4dc;--soft:#a3aba7;--paper:#1e2423;--edge:#3b4442;--line:#a9d3c8;
--area:#a9d3c826;--inaccuracy:#e2c04a;--mistake:#f0945a;--blunder:#f2827a}}
body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:54rem;margin:2rem auto;
padding:0 1rem}
h1{font-size:1.7rem;margin-bottom:.2rem}h2{font-size:1.2rem;margin-top:2rem}p.soft,small{color:var(--soft)}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}div.wide{overflow-x:auto}
th,td{text-align:left;padding:.3rem 1.1rem .3rem 0;border-bottom:1px solid var(--edge)}th{font-weight:600}
ol,ul{padding-left:1.2rem}li{margin:.35rem 0}svg{width:100%;height:auto;display:block;margin:1rem 0}
svg text{font:12px system-ui,sans-serif;fill:var(--soft)}svg .tick,svg .end{text-anchor:end}
svg .grid{stroke:var(--edge)}svg .turn{stroke:var(--ink);stroke-dasharray:3 3}
svg .line{fill:none;stroke:var(--line);stroke-width:2;stroke-linejoin:round}svg .area{fill:var(--area)}
.inaccuracy{fill:var(--inaccuracy);color:var(--inaccuracy)}.mistake{fill:var(--mistake);color:var(--mistake)}
.blunder{fill:var(--blunder);color:var(--blunder)}
"""


def player_names(review: Review, language: str) -> list[str]:
    """Return the names of the players, the game's own words for those without one."""
    game = review.record.variant.game
    own = {**catalogue(game.name, "en"), **catalogue(game.name, language)}
    names = []
    for seat, name in enumerate(review.record.seats):
        if name.strip("? "):
            names.append(name)
        elif f"seat.{seat}" in own:
            names.append(say(text(f"{game.name}.seat.{seat}"), language))
        else:
            names.append(say(text("reviewing.player", n=seat + 1), language))
    return names


class ReviewWriter:
    """Writes a review in one language."""

    def __init__(self, review: Review, language: str = "en") -> None:
        """Write ``review``."""
        self.review = review
        self.language = language
        self.names = player_names(review, language)

    def words(self, key: str, **values: "str | int | float | Text") -> str:
        """Return a text of this package."""
        return say(text(f"reviewing.{key}", **values), self.language)

    @property
    def title(self) -> str:
        """The headline."""
        return self.words("title", game=self.review.record.variant.game.title)

    def accuracy(self, player: JudgedPlayer) -> str:
        """Return a player's accuracy in per cent; a dash for a player who had nothing to decide."""
        return "–" if player.accuracy is None else say(percent(player.accuracy / 100), self.language)

    def grades(self, player: JudgedPlayer) -> str:
        """Return how many decisions of each grade a player made."""
        return ", ".join(self.words(f"count.{grade}", n=number) for grade, number in player.grades.items())

    def split(self, player: JudgedPlayer) -> str:
        """Return a player's luck, skill and their sum; empty without dice."""
        if player.luck is None or player.skill is None:
            return ""
        figures = {"luck": player.luck, "skill": player.skill, "sum": player.luck + player.skill}
        return self.words("split", **{key: decimal(value, 2, signed=True) for key, value in figures.items()})

    def judged(self, move: JudgedMove) -> str:
        """Return what is said of a decision, as a sentence."""
        values: dict[str, str | int | Text] = {
            "number": move.number,
            "name": self.names[move.seat],
            "move": move.move,
            "before": percent(move.before, 0),
            "after": percent(move.after, 0),
        }
        if move.grade is None:
            return self.words("played", **values)
        better = self.words("better", line=" ".join(move.better[:_LINE_MOVES]))
        return f"{self.words(f'judged.{move.grade}', **values)} {better}"

    def turned(self) -> str:
        """Return where the game turned, as a sentence; empty where it did not."""
        number = self.review.turning_point
        return (
            ""
            if number is None
            else self.words("turned", number=number, move=self.review.record.moves[number - 1].text)
        )

    def notes(self) -> Iterable[str]:
        """Yield what a reader must know to understand the figures."""
        record = self.review.record
        if record.variant.game.hidden:
            yield self.words("seen")
        if any(player.luck is not None for player in self.review.players):
            exact = self.review.exact
            yield self.words("luck-about-score" if exact else "luck-about-chance")
        if self.review.reviewed < len(record.moves):
            yield self.words("partial", reviewed=self.review.reviewed, n=len(record.moves))

    def mistakes(self) -> list[JudgedMove]:
        """Return the decisions that have a grade."""
        return [move for move in self.review.moves if move.grade is not None]

    # --- whole reports ---------------------------------------------------------------------------

    def lines(self) -> list[str]:
        """Return the review as lines of text."""
        lines = [self.title, ""]
        wide = max(map(len, self.names))
        for player in self.review.players:
            name = self.names[player.seat].ljust(wide)
            lines.append(f"{name}  {self.words('accuracy')} {self.accuracy(player)}  ({self.grades(player)})")
            if split := self.split(player):
                lines.append(f"{' ' * wide}  {split}")
        lines.append("")
        if turned := self.turned():
            lines += [turned, ""]
        found = [self.judged(move) for move in self.mistakes()]
        lines += found or [self.words("no-mistakes")]
        return [*lines, "", *self.notes()] if list(self.notes()) else lines

    def html(self) -> str:
        """Return the review as one HTML page with its graph; it loads nothing and runs no script."""
        heads = ["", self.words("accuracy"), *(self.words(f"grade.{grade}") for grade in reversed(GRADES))]
        dice = any(player.luck is not None for player in self.review.players)
        heads += [self.words(key) for key in ("luck", "skill", "together")] if dice else []
        rows = [self._row(player) for player in self.review.players]
        mistakes = [f'<li class="{move.grade}">{escape(self.judged(move))}</li>' for move in self.mistakes()]
        found = f"<ul>{''.join(mistakes)}</ul>" if mistakes else f"<p>{escape(self.words('no-mistakes'))}</p>"
        every = "".join(f"<li>{escape(self.judged(move))}</li>" for move in self.review.moves)
        notes = "".join(f'<p class="soft">{escape(note)}</p>' for note in self.notes())
        parts = [
            f"<h1>{escape(self.title)}</h1>",
            f'<p class="soft">{escape(" – ".join(self.names))}</p>',
            chances_graph(self.review, self.names, self.language),
            f"<p>{escape(self.turned())}</p>" if self.turned() else "",
            f'<div class="wide">{_table(heads, rows)}</div>',
            notes,
            f"<h2>{escape(self.words('mistakes'))}</h2>",
            found,
            f"<details><summary>{escape(self.words('every-move'))}</summary><ul>{every}</ul></details>",
        ]
        return (
            f'<!doctype html>\n<html lang="{self.language}">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width,initial-scale=1">\n'
            f"<title>{escape(self.title)}</title>\n"
            f"<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n" + "\n".join(parts) + "\n</main>\n</body>\n</html>\n"
        )

    def _row(self, player: JudgedPlayer) -> list[str]:
        row = [self.names[player.seat], self.accuracy(player), *(str(number) for number in player.grades.values())]
        if player.luck is not None and player.skill is not None:
            figures = (player.luck, player.skill, player.luck + player.skill)
            row += [say(decimal(value, 2, signed=True), self.language) for value in figures]
        return row


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in heads)
    body = "".join(
        f'<tr><th scope="row">{escape(row[0])}</th>{"".join(f"<td>{escape(cell)}</td>" for cell in row[1:])}</tr>'
        for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
