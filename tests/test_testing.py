"""``check_game`` keeps its promises: for each there is a broken game, Race with a line changed, that it catches.

Those about chance and about the conventions of scenes are in ``tests/core``, with games that have more of both.
"""

import contextlib
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from triskele import testing
from triskele.core.errors import IllegalMove
from triskele.core.game import Game
from triskele.core.moves import Completion, Move, Outcome
from triskele.core.position import Position, position
from triskele.core.records import Record
from triskele.testing import check_game

RACE = Path(__file__).parent / "support" / "race"
Registered = Callable[[Path], AbstractContextManager[Game]]
Change = tuple[str, str, str]
"""File, the text in it that is replaced, and by what. An empty text is the end of the file."""


@dataclass(frozen=True)
class Mutant:
    """Race, broken: what is changed, and what ``check_game`` says to it."""

    promise: str
    says: str
    changes: tuple[Change, ...]


def mutant(promise: str, says: str, *changes: Change) -> Mutant:
    return Mutant(promise, says, changes)


SOUND = mutant("nothing is broken", "")


def rules(old: str, new: str) -> Change:
    return "rules.py", old, new


def notation(old: str, new: str) -> Change:
    return "notation.py", old, new


def scene(old: str, new: str) -> Change:
    return "scene.py", old, new


def declared(old: str, new: str) -> Change:
    return "__init__.py", old, new


def added(name: str, signature: str, body: str) -> Change:
    """Add a function at the end of a file."""
    return name, "", f"\n\ndef {signature}:\n    {body}\n"


CONSTANTS = "SIZE, LOG, MOVES, ACTIONS, VERSION = 17, 0, 4, 14, 1"
LEGAL = "    for i in range(number):\n        moves[i] = first + i\n"
APPLY = "    seat = state[SEAT]\n    if move >= AWAY:\n"
READ = "    state[4:17] = [int(number) for number in numbers]\n"
SECOND_WORD = rules(CONSTANTS, CONSTANTS.replace("17", "18"))
"""One word more, which the position's text does not have."""
MEMORY = rules(APPLY, f"    state[17] ^= 1\n{APPLY}")

MOVES = [
    mutant("somebody is to act", "nobody is to act", rules("else int(state[SEAT])", "else int(state[SEAT]) + 7")),
    mutant("faces are the first codes", "are not the codes from 0 on", rules("(PICK, 4), (0, 4)", "(PICK, 4), (1, 4)")),
    mutant("codes are unique", "codes come twice", rules("moves[i] = first + i", "moves[i] = first")),
    mutant("texts are unique", "codes come twice", notation('"=2"', '"=1"')),
    mutant("there is a move before the end", "no legal move and not over", rules("(ADD, 2)", "(ADD, 0)")),
    mutant("codes are in range", "code out of range", rules("4, 14, 1", "4, 8, 1")),
    mutant("codes of interrupts are in range", "code out of range", rules("4, 14, 1", "4, 10, 1")),
    mutant(
        "count agrees", "count and legal", added("rules.py", "count(state, moves)", "return legal(state, moves) - 1")
    ),
    mutant("nth agrees", "nth and legal", added("rules.py", "nth(state, moves, k)", "return int(moves[0])")),
    mutant("random movers have moves", "has no move", added("rules.py", "rollout_count(state, moves)", "return 0")),
    mutant("random moves are legal", "is not legal", added("rules.py", "rollout_nth(state, moves, k)", "return ADD")),
    mutant("asking changes nothing", "asking changed", rules(LEGAL, f"{LEGAL}    state[ROLL] += 1\n")),
    mutant(
        "asking for interrupts", "asking changed", rules("    number = 0\n", "    number = 0\n    state[ROLL] += 1\n")
    ),
    mutant(
        "interrupts have owners",
        "says whose they are",
        notation("return code - 10 if code >= 10 else None", "return None"),
    ),
    mutant("owners have seats", "nobody's interrupt", notation("return code - 10 if", "return code if")),
    mutant("owners are not to act", "interrupt of the seat to act", rules("and seat != state[SEAT] ", "")),
    mutant(
        "the log only grows",
        "a move changes the log",
        rules("17, 0, 4", "17, 1, 4"),
        rules("    state[PLAYERS], state[GOAL]", "    state[0] += 1\n    state[PLAYERS], state[GOAL]"),
        rules(APPLY, f"    state[17] += 1\n{APPLY}"),
    ),
    mutant(
        "the log grows by LOG",
        "appends 2 words",
        rules("17, 0, 4", "17, 1, 4"),
        rules(APPLY, f"    state[0] += 2\n{APPLY}"),
    ),
]

TEXTS = [
    mutant("moves are found by their texts", "not found by its text", notation('"!1", "!2"', '"add", "skip"')),
    mutant("texts are printable", "is not printable", notation('"=1"', '"=\\x07"')),
    mutant("texts are one word", "is not one word", notation('"=1"', '"= 1"')),
    mutant("tokens are words", "are not single words", notation("((TEXTS[code],),)", '((TEXTS[code], ""),)')),
    mutant(
        "no spelling begins another",
        "breaks off",
        notation("((TEXTS[code],),)", '(("add", "up") if code == 5 else (TEXTS[code],),)'),
    ),
    mutant(
        "spellings differ", "is not skip", notation("((TEXTS[code],),)", '(("add",) if code == 5 else (TEXTS[code],),)')
    ),
    mutant(
        "refusals are short",
        "an endless reason",
        added(
            "notation.py",
            "why_not(options, state, written)",
            'return text("race.form") if written else text("race." + "x" * 2000)',
        ),
    ),
    mutant(
        "refusals are refusals",
        "KeyError",
        added("notation.py", "why_not(options, state, written)", "return {}[written]"),
    ),
]

VALUES = [
    mutant("texts read back", "reads back as", notation(READ, f"{READ}    state[7] = 0\n")),
    mutant(
        "position texts are printable",
        "not printable",
        notation('" ".join', '"\\t".join'),
        notation('line.split(" ")', 'line.split("\\t")'),
    ),
    mutant(
        "the turn reads back",
        "another seat to act after",
        SECOND_WORD,
        MEMORY,
        rules("else int(state[SEAT])", "else (int(state[SEAT]) + int(state[17])) % 2"),
    ),
    mutant(
        "the moves read back",
        "other moves after",
        SECOND_WORD,
        MEMORY,
        rules(LEGAL, f"    number -= state[17] * (number > 1)\n{LEGAL}"),
    ),
    mutant(
        "interrupts read back",
        "other interrupts after",
        SECOND_WORD,
        MEMORY,
        rules("state[PHASE] in (ROLLING, CHOOSING) and", "state[PHASE] in (ROLLING, CHOOSING) and state[17] == 1 and"),
    ),
    mutant(
        "a game replays",
        "RecordError|replays",
        rules(APPLY, f"    TIMES.append(move)\n    state[ROLLED] += len(TIMES) % 2\n{APPLY}"),
        rules(CONSTANTS, f"{CONSTANTS}\nTIMES = []"),
    ),
]

VALUES.append(
    mutant(
        "nothing is kept outside the state",
        "a copy is not independent",
        rules(CONSTANTS, f"{CONSTANTS}\nTIMES = []"),
        rules(APPLY, f"    TIMES.append(move)\n{APPLY}"),
        notation("from triskele.core.contract", "from race.rules import TIMES\nfrom triskele.core.contract"),
        notation('    return " ".join(', '    state = state + len(TIMES) % 2\n    return " ".join('),
        notation(READ, f"{READ}    state[4:17] -= len(TIMES) % 2\n"),
    )
)

VIEWS = [
    mutant("pieces have known roles", "unknown role", scene("20.0 + 20 * seat)", '20.0 + 20 * seat, role="hat")')),
    mutant(
        "views read back",
        "does not read back",
        notation(READ, f"{READ}    state[13] += state[4] > 0 and state[13] == 0\n"),
    ),
    mutant("open games are open", "an open game hides", declared("hidden=True", "hidden=False")),
    mutant(
        "a viewer knows who is to act",
        "another seat to act in the view",
        rules(
            "def redact(state: State, seat: int) -> None:\n",
            "def redact(state: State, seat: int) -> None:\n    state[SEAT] = 0\n",
        ),
    ),
    mutant(
        "a viewer knows its moves",
        "other moves in the view",
        rules(LEGAL, f"    number -= state[PHASE] == CHOOSING and state[LUCKY + 1 - state[SEAT]] == 0\n{LEGAL}"),
    ),
    mutant("pieces have ids", "piece ids come twice", scene('f"runner-{seat}"', '"runner"')),
    mutant(
        "scenes are plain data",
        "scene of .* is not plain data",
        scene("20.0 + 20 * seat)", "20.0 + 20 * seat, label=look.state[9])"),
    ),
    mutant(
        "places have tokens",
        "tokens come twice",
        scene("tuple(runners))", 'tuple(runners), (Place("add", 1.0, 1.0, "add"), Place("add", 2.0, 2.0, "add")))'),
        scene("Piece, Scene", "Piece, Place, Scene"),
    ),
    mutant(
        "places have names",
        "no spoken name",
        scene("tuple(runners))", 'tuple(runners), (Place("add", 1.0, 1.0, ""),))'),
        scene("Piece, Scene", "Piece, Place, Scene"),
    ),
    mutant("a finished game hides nothing", "a finished game hides", rules(" and state[PHASE] != ENDED", "")),
]

END = [
    mutant(
        "no moves after the end", "legal moves after the end", rules("(0, 0))[state[PHASE]]", "(0, 4))[state[PHASE]]")
    ),
    mutant(
        "no interrupts after the end",
        "interrupts after the end",
        rules("in (ROLLING, CHOOSING) and seat", "in (ROLLING, CHOOSING, ENDED) and seat"),
    ),
    mutant("scores add up", "do not add up to zero", rules("-1.0 / (state[PLAYERS] - 1)", "-0.5")),
    mutant(
        "winners have seats",
        "a winner that has no seat",
        rules("        return int(state[IN])\n", "        return 1 << 5\n"),
    ),
    mutant(
        "the reason is a reason",
        "IndexError",
        rules("return 1 if popcount(state[IN]) == 1 else 0", "return 3 if popcount(state[IN]) == 1 else 3"),
    ),
    mutant(
        "the reason is no index from behind",
        "the reason is none of",
        rules("return 1 if popcount(state[IN]) == 1 else 0", "return -1 if popcount(state[IN]) == 1 else -1"),
    ),
    mutant(
        "the end reads back",
        "the end does not read back",
        notation(READ, f"{READ}    state[2] += 100 * (state[4] == 3)\n"),
    ),
]

DECLARATION = [
    mutant("the name is the folder's", "is its folder's", declared('name="race"', 'name="rice"')),
    mutant("reasons are unique", "a reason comes twice", rules('"rolls")', '"goal")')),
    mutant("there are actions", "has actions", rules("4, 14, 1", "4, 0, 1")),
    mutant("there is a state", "a state has a size", rules("= 17, 0", "= 0, 0")),
    mutant("there is a version", "have a version", rules("4, 14, 1", "4, 14, 0")),
    mutant(
        "house rules are options",
        "a house rule is no option",
        declared('house_rules=("rolls",)', 'house_rules=("speed",)'),
    ),
    mutant("there are words", r"no English words for \['tagline'\]", ("words/en.json", '"tagline"', '"slogan"')),
    mutant(
        "what is raised is told",
        "ZeroDivisionError.* after '=",
        rules(APPLY, f"    state[ROLL] += 1 // int(state[ROLLED] < 5)\n{APPLY}"),
    ),
]

SECRETS_SEEN = (
    rules("        if other != seat and state[PHASE] != ENDED:\n", "        if other > 9:\n"),
    notation(
        "for number in state[4:17])", "for number in [*state[4:13], *(state[13:17] if state[4] == 3 else [0] * 4)])"
    ),
)
"""Nothing is removed from what a seat knows; only the position's text does not show it."""
WORDS = 'text("race.form" if state[13:17].max() > 2 else "race.tagline")'

SECRETS = [
    mutant("the view keeps the secret", "the view tells", SECRETS_SEEN[0]),
    mutant(
        "legal moves keep it",
        "other moves in the view",
        rules(LEGAL, f"    number -= state[PHASE] == CHOOSING and state[LUCKY + 1 - state[SEAT]] > 2\n{LEGAL}"),
    ),
    mutant(
        "the scene keeps it",
        "the scene tells",
        *SECRETS_SEEN,
        scene("10.0 + 10 * n", "10.0 + 10 * n + int(look.state[13 + seat])"),
    ),
    mutant(
        "the question keeps it",
        "the question tells",
        *SECRETS_SEEN,
        added("notation.py", "ask(options, state)", f"return {WORDS}"),
    ),
    mutant(
        "notes keep it",
        "a note tells",
        *SECRETS_SEEN,
        added("notation.py", "note(options, state, code)", f"return {WORDS}"),
    ),
    mutant(
        "refusals keep it",
        "a refusal tells",
        *SECRETS_SEEN,
        added("notation.py", "why_not(options, state, written)", f"return {WORDS}"),
    ),
    mutant(
        "refusals of tokens keep it",
        "the refusal of a token tells",
        *SECRETS_SEEN,
        added("notation.py", "why_no_token(options, state, tokens)", f"return {WORDS}"),
    ),
    mutant(
        "something is hidden",
        "is declared hidden, but hides nothing",
        SECRETS_SEEN[0],
        notation('return "=*" if 6 <= code < 10 and viewer != mover else TEXTS[code]', "return TEXTS[code]"),
    ),
    mutant(
        "what is hidden is hidden in moves",
        "is declared hidden, but hides nothing",
        notation('return "=*" if 6 <= code < 10 and viewer != mover else TEXTS[code]', "return TEXTS[code]"),
    ),
    mutant(
        "there is a secret", "is declared hidden, but hides nothing", notation("def move_seen", "def move_not_seen")
    ),
]

NUMPY = rules("from triskele.core.bits", "import numpy as np\n\nfrom triskele.core.bits")
TWINS = [
    mutant("a random move", "has no move and the game", added("rules.py", "rollout_count(state, moves)", "return 0")),
    mutant(
        "shifts by 64 or more",
        "interrupts is 0 plain and 1 compiled",
        rules("state[IN] >> seat & 1", "state[IN] >> (seat + 32 * state[PLAYERS]) & 1"),
    ),
    mutant(
        "uint64 with int64",
        "apply leaves .* plain and .* compiled",
        NUMPY,
        rules("= move + 1, state", "= (np.uint64(1 << 62) + state[ROLLED]) % np.uint64(4) + 1, state"),
    ),
    mutant(
        "an index out of range",
        "plain, redact raises IndexError",
        rules("for other in range(state[PLAYERS])", "for other in range(state[PLAYERS] + 3)"),
    ),
    mutant(
        "a negative index",
        "plain, apply raises IndexError: the index -.* is negative",
        rules(APPLY, f"    state[ROLL - SIZE] += 0\n{APPLY}"),
    ),
    mutant(
        "numbers above 2**63",
        "plain, apply raises FloatingPointError",
        rules(APPLY, f"    state[ROLL] += (state[ROLLED] << 62) * 4\n{APPLY}"),
    ),
    mutant(
        "a fraction",
        "plain, actor returns .*, which is no whole number",
        rules("else int(state[SEAT])", "else state[SEAT] / 1"),
    ),
    mutant(
        "what Numba cannot compile",
        "the rules of race do not compile",
        rules(LEGAL, f"    number = len([str(number)]) * number\n{LEGAL}"),
    ),
    mutant("scores", "plain, scores raises IndexError", rules("out[seat] = 0.0", "out[seat + 3] = 0.0")),
    mutant(
        "chance weights",
        "chance_weight is 0 plain and",
        added("rules.py", "chance_weight(state, move)", "return state[IN] >> (move + 64)"),
    ),
]

BROKEN = [*DECLARATION, *MOVES, *TEXTS, *VALUES, *VIEWS, *END, *SECRETS]


@pytest.fixture
def broken(registered: Registered, tmp_path: Path) -> Iterator[Callable[[Mutant], Game]]:
    """Return what registers a mutant, to be played with plain rules."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.dont_write_bytecode", True)
        contexts: list[AbstractContextManager[Game]] = []

        def make(mutant: Mutant) -> Game:
            folder = tmp_path / "race"
            shutil.copytree(RACE, folder, ignore=shutil.ignore_patterns("__pycache__"))
            for name, old, new in mutant.changes:
                path = folder / name
                written = path.read_text(encoding="utf-8")
                assert old == "" or written.count(old) == 1, f"{old!r} is not once in {name}"
                path.write_text(written.replace(old, new) if old else written + new, encoding="utf-8")
            contexts.append(registered(folder))
            return contexts[-1].__enter__()

        yield make
        for context in contexts:
            context.__exit__(None, None, None)


@pytest.mark.parametrize("options", [{}, {"players": 3}, {"players": 4, "goal": 20}, {"rolls": 4}], ids=str)
def test_a_sound_game_passes(broken: Callable[[Mutant], Game], options: dict[str, int]) -> None:
    check_game(broken(SOUND).name, **options)


@pytest.mark.parametrize("mutant", BROKEN, ids=lambda mutant: mutant.promise)
def test_a_broken_promise_is_found(broken: Callable[[Mutant], Game], mutant: Mutant) -> None:
    name = broken(mutant).name
    with pytest.raises(AssertionError, match=mutant.says):
        check_game(name)


def test_a_game_without_help_is_found(broken: Callable[[Mutant], Game]) -> None:
    game = broken(SOUND)
    (game.folder / "help" / "en.md").unlink()
    with pytest.raises(AssertionError, match="a game has a help page"):
        check_game(game.name)


def test_a_game_without_end_is_found(broken: Callable[[Mutant], Game], monkeypatch: pytest.MonkeyPatch) -> None:
    endless = mutant(
        "the game ends",
        "",
        rules("popcount(state[IN]) == 1 else state[PHASE]", "False else state[PHASE]"),
        rules("            state[PHASE] = ENDED\n", "            state[PHASE] = ROLLING\n"),
    )
    monkeypatch.setattr(testing, "MOVE_LIMIT", 200)
    name = broken(endless).name
    with pytest.raises(AssertionError, match="no end after 200 moves"):
        check_game(name)


# --- what no game can break: Position itself, broken ----------------------------------------------


HIDDEN = 2
"""A word of Race that its text does not show: the goal, which is an option."""


def _accept_anything(position: Position, move: Move | str) -> Move:
    return position.legal_moves[0]


def _share(position: Position) -> Position:
    twin = Position(position.variant, position._state)
    twin._codes, twin._movers, twin._stack = list(position._codes), list(position._movers), position._stack.copy()
    return twin


def _restore_all_but(word: int | slice, *, at_the_end: bool = False, pop=Position.pop):
    """Return a ``pop`` that leaves some words as they were before it."""

    def broken_pop(position: Position) -> Move:
        kept = position._state[word].copy()
        breaks = position.turn is None or not at_the_end
        move = pop(position)
        if breaks:
            position._state[word] = kept + (word == HIDDEN)
        return move

    return broken_pop


def _accept_quietly(position: Position, move: Move | str, push=Position.push) -> None:
    with contextlib.suppress(IllegalMove):
        push(position, move)


def _answer_nonsense(answer: Completion, complete=Position.complete):
    return lambda position, tokens: answer if tokens == ("no such token",) else complete(position, tokens)


def _change_and_refuse(word: int, push=Position.push):
    def broken_push(position: Position, move: Move | str) -> None:
        try:
            push(position, move)
        except IllegalMove:
            position._state[word] += 1
            raise

    return broken_push


def _accept_after_the_end(position: Position, move: Move | str, push=Position.push) -> None:
    if position.turn is not None:
        push(position, move)


def _score_one_seat(position: Position, outcome=Position.outcome) -> Outcome | None:
    found = outcome(position)
    return found and replace(found, scores=found.scores[:1])


@pytest.mark.parametrize(
    ("name", "replacement", "says"),
    [
        ("find", _accept_anything, "is not found by its text"),
        ("__hash__", object.__hash__, "equal positions have different hashes"),
        ("copy", _share, "a copy is not independent"),
        ("pop", _restore_all_but(slice(4, 17)), "push and pop changed"),
        ("pop", _restore_all_but(slice(4, 17), at_the_end=True), "taking back did not restore"),
        ("pop", _restore_all_but(HIDDEN), "hidden change"),
        ("push", _change_and_refuse(6), "an illegal move changed"),
        ("push", _change_and_refuse(HIDDEN), "an illegal move changed"),
        ("push", _accept_after_the_end, "a move after the end"),
        ("outcome", lambda position: Outcome((0,), (1.0, -1.0), "goal"), "0 is to act after the end"),
        ("outcome", _score_one_seat, "not a score for each seat"),
        ("legal_moves", property(lambda position: position.variant.moves([9, 8, 7, 6])), "not sorted and unique"),
        ("push", _accept_quietly, "was accepted"),
        ("complete", _answer_nonsense(Completion(move=Move("add", 4, ()))), "nonsense is completed"),
        ("complete", _answer_nonsense(Completion(next=("add",))), "something can follow nonsense"),
        ("complete", _answer_nonsense(Completion()), "refused without a reason"),
        ("view", lambda position, seat: {"position": position.state}, "the view of .* is not plain data"),
        ("view", lambda position, seat: {"moves": ("a", "tuple")}, "the view of .* is not plain data"),
        ("complete", lambda position, tokens: Completion(move=position.legal_moves[0]), "breaks off"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_broken_position_is_found(broken, monkeypatch, name, replacement, says) -> None:
    race = broken(SOUND)
    monkeypatch.setattr(Position, name, replacement)
    with pytest.raises(AssertionError, match=says):
        check_game(race.name)


def test_a_record_that_loses_its_moves_is_found(broken, monkeypatch) -> None:
    race, replay = broken(SOUND), Record.replay
    monkeypatch.setattr(Record, "replay", lambda record: position(str(replay(record))))
    with pytest.raises(AssertionError, match="a record replays to other moves"):
        check_game(race.name)


def test_a_record_that_tells_all_is_found(broken, monkeypatch) -> None:
    race = broken(SOUND)
    of = Record.of
    monkeypatch.setattr(Record, "of", lambda position, viewer=None, date="now": of(position, date=date))
    with pytest.raises(AssertionError, match="the record in progress tells"):
        check_game(race.name)


# --- plain and compiled ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One cache for all mutants: what a change leaves as it is, is compiled once."""
    return tmp_path_factory.mktemp("compiled")


@pytest.fixture
def compiling(
    broken: Callable[[Mutant], Game], cache: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[Mutant], Game]:
    """Return what registers a mutant, to be compiled."""

    def make(mutant: Mutant) -> Game:
        game = broken(mutant)
        monkeypatch.setenv("TRISKELE_PLAIN", "0")
        monkeypatch.setenv("TRISKELE_CACHE", str(cache))
        return game

    return make


def test_a_sound_game_passes_compiled(compiling: Callable[[Mutant], Game]) -> None:
    game = compiling(SOUND)
    check_game(game.name, players=3)
    assert game.linker.compiled


@pytest.mark.parametrize("mutant", TWINS, ids=lambda mutant: mutant.promise)
def test_rules_that_differ_when_compiled_are_found(compiling: Callable[[Mutant], Game], mutant: Mutant) -> None:
    name = compiling(mutant).name
    with pytest.raises(AssertionError, match=mutant.says):
        check_game(name, games=1)


def test_a_table_that_changes_after_it_was_compiled_is_found(compiling: Callable[[Mutant], Game]) -> None:
    table = rules(CONSTANTS, f"{CONSTANTS}\nFACES = np.array([1, 2, 3, 4])")
    game = compiling(mutant("tables", "", NUMPY, table, rules("= move + 1, state", "= FACES[move], state")))
    game.linker.compile_rules()
    game.rules_module.FACES[:] = np.array([2, 2, 3, 4])
    with pytest.raises(AssertionError, match=r"apply leaves .* plain and .* compiled"):
        check_game(game.name, games=1)
