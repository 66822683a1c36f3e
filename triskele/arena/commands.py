"""The commands ``match``, ``arena``, ``selfplay``, ``report`` and ``engine``: arguments, functions, output.

``COMMANDS`` maps a command's name to its two functions; ``triskele.cli`` offers them as ``triskele NAME``. Results go
to standard output (with ``--json`` as one document), a progress bar to standard error.
"""

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from triskele.core.arguments import Command, chosen_variant, help_text
from triskele.core.contract.engine import Limits
from triskele.core.contract.levels import TOP
from triskele.core.errors import OptionError
from triskele.core.files import write_atomic
from triskele.core.game import game
from triskele.core.numbers import decimal, percent, whole
from triskele.core.words import Text, say, text
from triskele.engines.external import PATIENCE
from triskele.engines.registry import BEST

if TYPE_CHECKING:  # imported when a command runs: all commands start quickly
    from triskele.arena.match import Match
    from triskele.arena.tournament import Tournament

DEFAULT_NODES = 200
"""The default node limit a move in self-play and reports: quick, and repeatable."""
REPORT_PLIES = 2
"""The random decisions that games of a report begin with, in games without dice."""
GAMES_LIMIT = 10_000_000
NODES_LIMIT = 1 << 50


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
        words = help_text(f"arena.help.{key or name.strip('-')}", self._language)
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

    def contest(self) -> None:
        self.add("--resume", metavar="FILE")
        self.add("--patience", metavar="S", type=float, default=PATIENCE)
        self.workers()

    def workers(self) -> None:
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


# --- match ----------------------------------------------------------------------------------------


def add_match(parser: argparse.ArgumentParser, language: str = "en") -> None:
    """Add the arguments of ``triskele match``."""
    arguments = _Arguments(parser, language)
    arguments.add("a", "contestant", metavar="A")
    arguments.add("b", "contestant", metavar="B")
    arguments.game()
    arguments.play(games=100)
    arguments.add("--sprt", metavar=("ELO0", "ELO1"), nargs=2, type=float)
    arguments.contest()


def run_match(chosen: argparse.Namespace, out: TextIO | None = None) -> int:
    """Play A against B and write the result, also when stopped early."""
    from triskele.arena.match import Match

    _check(chosen)
    writer = _Writer(chosen, out)
    plan = _plan(chosen, (chosen.a, chosen.b))
    if chosen.sprt is not None and not -4000 < chosen.sprt[0] < chosen.sprt[1] < 4000:
        raise OptionError(text("arena.sprt-order"))
    match = Match(plan, chosen.games, sprt=chosen.sprt and tuple(chosen.sprt))
    _run_contest(chosen, writer, match, lambda document: _tell_match(writer, chosen, document))
    return 0


def _run_contest(
    chosen: argparse.Namespace,
    writer: _Writer,
    contest: "Match | Tournament",
    tell: Callable[[Mapping[str, Any]], None],
) -> None:
    """Play the missing games and write the result, as JSON or with ``tell``, also when stopped early."""
    from triskele.arena.journal import Journal
    from triskele.arena.worker_pool import WorkerPool

    with Journal(chosen.resume, contest.header()) as journal:
        try:
            with WorkerPool(chosen.workers, chosen.cluster) as pool:
                contest.play(journal, pool)
        finally:
            document = contest.document(journal)
            if document["games"]:
                writer.json(document) if chosen.json else tell(document)


def _plan(chosen: argparse.Namespace, contestants: Sequence[str]) -> Any:
    from triskele.arena.match import Plan
    from triskele.arena.referee import Terms

    variant = chosen_variant(chosen)
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
        verdict = (
            text("arena.sprt-open") if accepted is None else text("arena.sprt-accepted", elo=_plain(test[accepted]))
        )
        low, high, ratio = (decimal(value, 2) for value in (*test["bounds"], test["llr"]))
        writer.tell(
            "match-sprt",
            verdict=verdict,
            low=low,
            high=high,
            llr=ratio,
            elo0=_plain(test["elo0"]),
            elo1=_plain(test["elo1"]),
        )
    for letter, name in (("A", chosen.a), ("B", chosen.b)):
        if any(found["failures"][letter].values()):
            writer.tell("match-failures", engine=name, **found["failures"][letter])
            _tell_last_words(writer, found["last_failures"][letter])
        if found["late"][letter]:
            writer.tell("match-late", engine=name, n=found["late"][letter])


def _tell_last_words(writer: _Writer, failures: Sequence[Mapping[str, Any]]) -> None:
    for failure in failures:
        writer.tell("match-last-words", n=failure["game"], why=_printable(" ".join(failure["why"].split())))
        for line in failure["last_words"].splitlines():
            writer.line("  | " + _printable(line.expandtabs(4)))


def _printable(line: str) -> str:
    # Programs write what they like: a terminal must not take it for a command.
    return "".join(letter if letter.isprintable() else "�" for letter in line)


def _plain(value: float) -> Text:
    return whole(value) if value == int(value) else decimal(value, 1)


def _percent(share: float) -> Text:
    return decimal(100 * share, 1)


def _elo(elo: float | None, sign: int = 1) -> str | Text:
    return whole(elo, signed=True) if elo is not None else "+∞" if sign > 0 else "−∞"


# --- arena ----------------------------------------------------------------------------------------


def add_arena(parser: argparse.ArgumentParser, language: str = "en") -> None:
    """Add the arguments of ``triskele arena``."""
    arguments = _Arguments(parser, language)
    arguments.game()
    arguments.add("contestants", metavar="A", nargs="+")
    arguments.add("--gauntlet", action="store_true")
    arguments.play(games=20)
    arguments.contest()


def run_arena(chosen: argparse.Namespace, out: TextIO | None = None) -> int:
    """Play a round robin or a gauntlet and write the standings, also when stopped early."""
    from triskele.arena.tournament import Tournament

    _check(chosen)
    writer = _Writer(chosen, out)
    tournament = Tournament(_plan(chosen, chosen.contestants), chosen.games, gauntlet=chosen.gauntlet)
    _run_contest(chosen, writer, tournament, lambda document: _tell_standings(writer, document))
    return 0


def _tell_standings(writer: _Writer, document: Mapping[str, Any]) -> None:
    heads = [writer.words(f"table-{key}") for key in ("name", "rating", "interval", "games", "score", "interval")]
    rows = [heads]
    for row in document["table"]:
        low, high, rating = (
            say(whole(value) if document["scale"] == "elo" else decimal(value, 1), writer.language)
            for value in (*row["rating_interval"], row["rating"])
        )
        rows.append(
            [
                row["name"],
                rating,
                f"{low} … {high}",
                str(row["games"]),
                say(percent(row["score"]), writer.language),
                " … ".join(say(_percent(end), writer.language) for end in row["interval"]),
            ]
        )
    widths = [max(len(row[at]) for row in rows) for at in range(len(heads))]
    for row in rows:
        cells = [row[0].ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(row[1:], widths[1:], strict=True))]
        writer.line("  ".join(cells).rstrip())
    for row in document["table"]:
        if any(row["failures"].values()):
            writer.tell("match-failures", engine=row["name"], **row["failures"])
            _tell_last_words(writer, row["last_failures"])


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
    arguments.workers()


def run_selfplay(chosen: argparse.Namespace, out: TextIO | None = None) -> int:
    """Make a data set, or complete the one in the folder."""
    from triskele.arena import selfplay
    from triskele.arena.worker_pool import WorkerPool

    _check(chosen)
    _within("--shard", chosen.shard, 1, 1_000_000)
    header = selfplay.plan(
        chosen_variant(chosen),
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
    with WorkerPool(chosen.workers, chosen.cluster) as pool:
        written = selfplay.complete(dataset, pool)
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
    arguments.workers()


def run_report(chosen: argparse.Namespace, out: TextIO | None = None) -> int:
    """Play every variant of a game, or the one that the options name, and write the report."""
    from triskele.arena.balance import report, variants
    from triskele.arena.contestants import Contestant
    from triskele.arena.match import Plan
    from triskele.arena.openings import usual_plies
    from triskele.arena.page import page
    from triskele.arena.referee import Terms
    from triskele.arena.worker_pool import WorkerPool

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
    with WorkerPool(chosen.workers, chosen.cluster) as pool:
        document = report(declared, plans, chosen.games, pool, folder)
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
