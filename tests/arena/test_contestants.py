"""Who plays, as people write it."""

import math

import pytest

from triskele.arena.contestants import Contestant, seconds_allowed, seed_of
from triskele.core.contract.engine import Limits
from triskele.core.errors import OptionError
from triskele.core.game import Game
from triskele.engines.external import External, split_command
from triskele.engines.uct import Control


def test_a_name_plays_under_the_limits_of_the_match() -> None:
    found = Contestant.parse("uct")
    assert found.engine == "uct"
    assert found.limits(Limits(seconds=0.5)) == Limits(seconds=0.5)


def test_its_own_limits_come_first() -> None:
    found = Contestant.parse("triskele:level=3,memory=64,threads=2")
    assert found.limits(Limits(seconds=0.5, nodes=7)) == Limits(level=3, memory_mb=64, threads=2)
    assert Contestant.parse("uct:seconds=0.25").limits(Limits(nodes=7)) == Limits(seconds=0.25)


def test_a_command_line_is_taken_apart_as_a_shell_would() -> None:
    found = Contestant.parse("cmd@seconds=2,depth=4:./mine --name 'two words' --at=a:b")
    assert found.command == ("./mine", "--name", "two words", "--at=a:b")
    assert found.seconds == 2
    assert found.options == (("depth", "4"),)


@pytest.mark.parametrize(
    ("written", "words"),
    [
        (r"C:\engines\new\mine.exe --fast", (r"C:\engines\new\mine.exe", "--fast")),
        (r'"C:\My engines\mine.exe" --name "two words"', (r"C:\My engines\mine.exe", "--name", "two words")),
        (r'C:\"My engines"\mine.exe --at=a:b #1', (r"C:\My engines\mine.exe", "--at=a:b", "#1")),
        ("python mine.py", ("python", "mine.py")),
    ],
)
def test_paths_of_windows_keep_their_backslashes(written: str, words: tuple[str, ...]) -> None:
    assert split_command(written, windows=True) == words


@pytest.mark.parametrize(
    "written",
    ["", ":level=3", "uct:level", "uct:level=", "uct:level=11", "uct:level=-1", "uct:depth=3", "uct:seconds=0",
     "uct:seconds=nan", "uct:nodes=1e3", "cmd:", "cmd:'", "cmd@x:./mine"],
)  # fmt: skip
def test_what_is_wrong_is_said(written: str) -> None:
    with pytest.raises(OptionError):
        Contestant.parse(written)


def test_it_is_known_beforehand_who_cannot_play(tryad: Game) -> None:
    Contestant.parse("uct").check(tryad)
    Contestant.parse("cmd:sh").check(tryad)
    for written in ("stockfish", "alphabeta", "cmd:/nowhere/at/all"):
        with pytest.raises(OptionError):
            Contestant.parse(written).check(tryad)


def test_who_sits_down_has_the_seed(tryad: Game) -> None:
    one, other = (Contestant.parse("uct").create_engine(tryad, seed) for seed in (1, 2))
    assert isinstance(one, Control)
    assert isinstance(other, Control)
    assert one._rng[0] != other._rng[0]
    isolated = Contestant.parse("uct:memory=32").create_engine(tryad, 3, isolated=True)
    assert isinstance(isolated, External)
    assert isolated.options["memory"] == "32"
    assert isolated.seed == 3


def test_how_long_an_answer_may_take(tryad: Game) -> None:
    assert seconds_allowed(tryad, Limits()) == 1.0
    assert seconds_allowed(tryad, Limits(nodes=5)) == math.inf
    assert seconds_allowed(tryad, Limits(seconds=3, nodes=5)) == 3
    assert seconds_allowed(tryad, Limits(level=1)) <= 0.2


def test_seeds_depend_on_all_parts() -> None:
    seeds = {seed_of(a, b) for a in range(20) for b in range(20)}
    assert len(seeds) == 400
    assert all(0 <= seed < 1 << 31 for seed in seeds)
