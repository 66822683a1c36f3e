"""The commands of this room: their arguments, and what each of them does and writes.

``COMMANDS`` maps a command's name to its two functions; ``triskele.cli`` puts them behind ``triskele NAME``. Results
go to standard output (``--json``: one document), a progress bar to standard error.
"""

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from triskele.core.errors import OptionError
from triskele.core.files import write_atomic
from triskele.core.game import Variant, game
from triskele.core.words import Text, say, text
from triskele.engines.engine import Limits
from triskele.engines.external import PATIENCE
from triskele.engines.levels import TOP
from triskele.engines.registry import BEST

DEFAULT_NODES = 200
"""What an engine may use a move in self-play and reports when nothing is said: quick, and repeatable."""
REPORT_PLIES = 2
"""How many random decisions the games of a report begin with, where dice do not make them differ."""
GAMES_LIMIT = 10_000_000
NODES_LIMIT = 1 << 50


@dataclass(frozen=True)
class Command:
    """What a command adds to its parser, and what it does; ``run`` returns the exit code."""

    add_arguments: Callable[[argparse.ArgumentParser, str], None]
    run: Callable[..., int]


class _Writer:
    """Writes results in the reader's language."""

    def __init__(self, chosen: argparse.Namespace, out: TextIO | None) -> None:
        self.language: str = getattr(chosen, "language", "en")
        self._out = sys.stdout if out is None else out

    def line(self, line: str) -> None:
        self._out.write(line + "\n")
        self._out.flush()

    def words(self, key: str, **values: "str | int | float | Text") -> str:
        return say(text(f"arena.{key}", **values), self.language)

    def tell(self, key: str, **values: "str | int | float | Text") -> None:
        self.line(self.words(key, **values))

    def json(self, document: Mapping[str, Any]) -> None:
        self.line(json.dumps(document, ensure_ascii=False))


# --- arguments ------------------------------------------------------------------------------------


class _Arguments:
    """Adds arguments with their help in one language."""

    def __init__(self, parser: argparse.ArgumentParser, language: str) -> None:
        self._parser = parser
        self._language = language

    def add(self, name: str, key: str | None = None, **more: Any) -> None:
        words = say(text(f"arena.help.{key or name.strip('-')}"), self._language).replace("%", "%%")
        self._parser.add_argument(name, help=words, **more)

    def game(self) -> None:
        self.add("game", metavar="GAME")
        self.add("--option", metavar="K=V", action="append", default=[])

    def limits(self) -> None:
        self.add("--seconds", metavar="S", type=float)
        self.add("--nodes", metavar="N", type=int)
        self.add("--level", metavar="L", type=int)

    def play(self, games: int) -> None:
        self.add("--games", metavar="N", type=int, default=games)
        self.limits()
        self.add("--openings", metavar="N", type=int)
        self.add("--seed", metavar="N", type=int, default=1)
        self.add("--plies", metavar="N", type=int, default=5000)

    def work(self) -> None:
        self.add("--workers", metavar="N", type=int)
        self.add("--cluster", metavar="ADDRESS")
        self.add("--json", action="store_true")


def _within(name: str, value: int | None, low: int, high: int) -> None:
    if value is not None and not low <= value <= high:
        raise OptionError(text("arena.setting-range", setting=name, low=low, high=high))


def _check(chosen: argparse.Namespace) -> None:
    _within("--games", chosen.games, 1, GAMES_LIMIT)
    _within("--nodes", chosen.nodes, 1, NODES_LIMIT)
    _within("--level", chosen.level, 1, TOP)
    _within("--openings", chosen.openings, 0, 1000)
    _within("--seed", chosen.seed, 0, 1 << 62)
    _within("--plies", chosen.plies, 1, 1_000_000)
    _within("--workers", chosen.workers, 0, 1024)
    if chosen.seconds is not None and not 0 < chosen.seconds <= 86_400:
        raise OptionError(text("arena.setting-seconds", written=f"{chosen.seconds:g}"))


def _limits(chosen: argparse.Namespace, default_nodes: int | None) -> Limits:
    said = chosen.seconds is not None or chosen.nodes is not None or chosen.level is not None
    return Limits(chosen.seconds, chosen.nodes if said else default_nodes, chosen.level)


def _variant(chosen: argparse.Namespace) -> Variant:
    declared = game(chosen.game)
    return declared.variant(declared.parse_options(chosen.option))


# --- match ----------------------------------------------------------------------------------------


def add_match(parser: argparse.ArgumentParser, language: str = "en") -> None:
    """Add the arguments of ``triskele match``."""
    arguments = _Arguments(parser, language)
    arguments.add("a", "contestant", metavar="A")
    arguments.add("b", "contestant", metavar="B")
    arguments.game()
    arguments.play(games=100)
    arguments.add("--sprt", metavar=("ELO0", "ELO1"), nargs=2, type=float)
    arguments.add("--resume", metavar="FILE")
    arguments.add("--patience", metavar="S", type=float, default=PATIENCE)
    arguments.work()


def run_match(chosen: argparse.Namespace, out: TextIO | None = None) -> int:
    """Play A against B and write what it came to, also when stopped in between."""
    from triskele.arena.journal import Journal
    from triskele.arena.match import Match
    from triskele.arena.work import Crew

    _check(chosen)
    writer = _Writer(chosen, out)
    plan = _plan(chosen, (chosen.a, chosen.b))
    if chosen.sprt is not None and not -4000 < chosen.sprt[0] < chosen.sprt[1] < 4000:
        raise OptionError(text("arena.sprt-order"))
    match = Match(plan, chosen.games, sprt=chosen.sprt and tuple(chosen.sprt))
    with Journal(chosen.resume, match.header()) as journal:
        try:
            with Crew(chosen.workers, chosen.cluster) as crew:
                match.play(journal, crew)
        finally:
            document = match.tally(journal).document()
            if document["games"]:
                writer.json(document) if chosen.json else _tell_match(writer, chosen, document)
    return 0


def _plan(chosen: argparse.Namespace, contestants: Sequence[str]) -> Any:
    from triskele.arena.match import Plan
    from triskele.arena.referee import Terms

    variant = _variant(chosen)
    patience = getattr(chosen, "patience", PATIENCE)
    if not 0 < patience <= 86_400:
        raise OptionError(text("arena.setting-seconds", written=f"{patience:g}"))
    terms = Terms(_limits(chosen, None), patience, chosen.plies)
    plan = Plan(chosen.game, dict(variant.options), tuple(contestants), terms, chosen.openings, chosen.seed)
    plan.check(here=chosen.cluster is None)
    return plan


def _tell_match(writer: _Writer, chosen: argparse.Namespace, found: Mapping[str, Any]) -> None:
    writer.tell("match-title", a=chosen.a, b=chosen.b, game=game(found["game"]).title)
    writer.tell("match-games", **{key: found[key] for key in ("games", "groups", "wins", "draws", "losses")})
    low, high = found["interval"]
    writer.tell("match-score", a=chosen.a, score=_percent(found["score"]), low=_percent(low), high=_percent(high))
    low, high = found["elo_interval"]
    writer.tell(
        "match-elo", elo=_elo(found["elo"], 1 if found["score"] > 0.5 else -1), low=_elo(low, -1), high=_elo(high)
    )
    if found["sprt"] is not None:
        test = found["sprt"]
        accepted = test["accepted"]
        verdict = text("arena.sprt-open") if accepted is None else text("arena.sprt-accepted", elo=test[accepted])
        values = {key: test[key] for key in ("elo0", "elo1", "llr")}
        writer.tell("match-sprt", verdict=verdict, low=test["bounds"][0], high=test["bounds"][1], **values)
    for letter, name in (("A", chosen.a), ("B", chosen.b)):
        if any(found["failures"][letter].values()):
            writer.tell("match-failures", engine=name, **found["failures"][letter])
        if found["late"][letter]:
            writer.tell("match-late", engine=name, n=found["late"][letter])


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _elo(elo: float | None, sign: int = 1) -> str:
    return f"{elo:+.0f}" if elo is not None else "+∞" if sign > 0 else "-∞"


# --- arena ----------------------------------------------------------------------------------------


def add_arena(parser: argparse.ArgumentParser, language: str = "en") -> None:
    """Add the arguments of ``triskele arena``."""
    arguments = _Arguments(parser, language)
    arguments.game()
    arguments.add("contestants", metavar="A", nargs="+")
    arguments.add("--gauntlet", action="store_true")
    arguments.play(games=20)
    arguments.add("--resume", metavar="FILE")
    arguments.add("--patience", metavar="S", type=float, default=PATIENCE)
    arguments.work()


def run_arena(chosen: argparse.Namespace, out: TextIO | None = None) -> int:
    """Play a round robin or a gauntlet, and write the table, also when stopped in between."""
    from triskele.arena.journal import Journal
    from triskele.arena.tournament import Tournament
    from triskele.arena.work import Crew

    _check(chosen)
    writer = _Writer(chosen, out)
    tournament = Tournament(_plan(chosen, chosen.contestants), chosen.games, gauntlet=chosen.gauntlet)
    with Journal(chosen.resume, tournament.header()) as journal:
        try:
            with Crew(chosen.workers, chosen.cluster) as crew:
                tournament.play(journal, crew)
        finally:
            document = tournament.document(journal)
            if document["games"]:
                writer.json(document) if chosen.json else _tell_table(writer, document)
    return 0


def _tell_table(writer: _Writer, document: Mapping[str, Any]) -> None:
    heads = [writer.words(f"table-{key}") for key in ("name", "rating", "interval", "games", "score", "interval")]
    rows = [heads]
    for row in document["table"]:
        rating = [f"{end:.0f}" if document["scale"] == "elo" else f"{end:.1f}" for end in row["rating_interval"]]
        rows.append(
            [
                row["name"],
                f"{row['rating']:.0f}" if document["scale"] == "elo" else f"{row['rating']:.1f}",
                " … ".join(rating),
                str(row["games"]),
                f"{_percent(row['score'])} %",
                " … ".join(map(_percent, row["interval"])),
            ]
        )
    widths = [max(len(row[at]) for row in rows) for at in range(len(heads))]
    for row in rows:
        cells = [row[0].ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(row[1:], widths[1:], strict=True))]
        writer.line("  ".join(cells).rstrip())
    for row in document["table"]:
        if any(row["failures"].values()):
            writer.tell("match-failures", engine=row["name"], **row["failures"])


# --- selfplay -------------------------------------------------------------------------------------


def add_selfplay(parser: argparse.ArgumentParser, language: str = "en") -> None:
    """Add the arguments of ``triskele selfplay``."""
    arguments = _Arguments(parser, language)
    arguments.game()
    arguments.add("--out", "out-folder", metavar="FOLDER", required=True)
    arguments.add("--engine", "self-engine", metavar="ENGINE", default=BEST)
    arguments.play(games=1000)
    arguments.add("--states", metavar="N", default="all")
    arguments.add("--legal", action="store_true")
    arguments.add("--shard", metavar="N", type=int)
    arguments.work()


def run_selfplay(chosen: argparse.Namespace, out: TextIO | None = None) -> int:
    """Make a data set, or complete the one that is in the folder."""
    from triskele.arena import selfplay
    from triskele.arena.work import Crew

    _check(chosen)
    _within("--shard", chosen.shard, 1, 1_000_000)
    header = selfplay.plan(
        _variant(chosen),
        chosen.games,
        engine=chosen.engine,
        limits=_limits(chosen, DEFAULT_NODES),
        openings=chosen.openings,
        seed=chosen.seed,
        plies_limit=chosen.plies,
        states=_states(chosen.states),
        legal=chosen.legal,
        shard=chosen.shard,
    )
    dataset = selfplay.create(chosen.out, header)
    with Crew(chosen.workers, chosen.cluster) as crew:
        written = selfplay.complete(dataset, crew)
    writer = _Writer(chosen, out)
    if chosen.json:
        writer.json({**dataset.header.document(), "folder": str(dataset.folder), "written": written})
    else:
        writer.tell("dataset-done", n=dataset.header.games, folder=str(dataset.folder))
    return 0


def _states(written: str) -> int:
    from triskele.arena.dataset import ALL_STATES

    if written == "all":
        return ALL_STATES
    number = int(written) if written.isascii() and written.isdigit() and len(written) < 7 else None
    if number is None:
        raise OptionError(text("arena.states-form", written=written[:30]))
    return number


# --- report ---------------------------------------------------------------------------------------


def add_report(parser: argparse.ArgumentParser, language: str = "en") -> None:
    """Add the arguments of ``triskele report``."""
    arguments = _Arguments(parser, language)
    arguments.game()
    arguments.add("--out", "out-file", metavar="FILE")
    arguments.add("--engine", "self-engine", metavar="ENGINE", default=BEST)
    arguments.play(games=100)
    arguments.add("--resume", "resume-folder", metavar="FOLDER")
    arguments.work()


def run_report(chosen: argparse.Namespace, out: TextIO | None = None) -> int:
    """Play every variant of a game (or the one that the options say) and write the report."""
    from triskele.arena.balance import report, variants
    from triskele.arena.contestants import Contestant
    from triskele.arena.match import Plan
    from triskele.arena.openings import usual_plies
    from triskele.arena.page import page
    from triskele.arena.referee import Terms
    from triskele.arena.work import Crew

    _check(chosen)
    declared = game(chosen.game)
    Contestant.parse(chosen.engine).check(declared)
    one = declared.parse_options(chosen.option)
    declared.variant(one)
    terms = Terms(_limits(chosen, DEFAULT_NODES), plies=chosen.plies)
    plans = []
    for options in [one] if chosen.option else variants(declared):
        usual = usual_plies(declared.variant(options), REPORT_PLIES)
        openings = usual if chosen.openings is None else chosen.openings
        plans.append(Plan(declared.name, options, (chosen.engine,), terms, openings, chosen.seed))
    folder = None if chosen.resume is None else Path(chosen.resume)
    with Crew(chosen.workers, chosen.cluster) as crew:
        document = report(declared, plans, chosen.games, crew, folder)
    writer = _Writer(chosen, out)
    target = chosen.out or (None if chosen.json else f"{declared.name}-report.html")
    if target is not None:
        write_atomic(target, page(declared, document, writer.language))
    if chosen.json:
        writer.json(document)
    else:
        writer.tell("report-done", path=str(target))
    return 0


# --- engine ---------------------------------------------------------------------------------------


def add_engine(parser: argparse.ArgumentParser, language: str = "en") -> None:
    """Add the arguments of ``triskele engine``."""
    _Arguments(parser, language).add("engine", "serve-engine", metavar="ENGINE", nargs="?", default=BEST)


def run_engine(chosen: argparse.Namespace, out: TextIO | None = None) -> int:
    """Speak the engine protocol on standard input and output."""
    from triskele.engines.protocol import serve

    serve(None, out, chosen.engine)
    return 0


COMMANDS: Mapping[str, Command] = {
    "match": Command(add_match, run_match),
    "arena": Command(add_arena, run_arena),
    "selfplay": Command(add_selfplay, run_selfplay),
    "report": Command(add_report, run_report),
    "engine": Command(add_engine, run_engine),
}
