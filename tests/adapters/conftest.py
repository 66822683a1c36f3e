"""What the tests of the adapters share: all games with all player counts, and plain rules, which need no compiling."""

from collections.abc import Iterator

import pytest

from triskele.core.game import Game, game, games
from triskele.core.options import Number

SHORT = {"rounds": 1}
"""A game that goes on for rounds is cut short in tests."""


def player_counts(declared: Game) -> tuple[int, ...]:
    if declared.seats:
        return (declared.seats,)
    option = declared.option("players")
    assert isinstance(option, Number)
    return option.only or tuple(range(option.low, option.high + 1))


def with_players(declared: Game, players: int) -> dict[str, object]:
    """Return options for so many players: of the game's own sets one that fits, else the defaults."""
    fitting = [options for options in declared.option_sets if declared.variant(options).seats == players]
    options: dict[str, object] = {"players": players, **(fitting[0] if fitting else {})}
    known = {option.name for option in declared.options}
    return {name: value for name, value in {**options, **SHORT}.items() if name in known}


EVERY_COUNT = [(g.name, with_players(g, count)) for g in games() for count in player_counts(g)]
EVERY_SET = [
    (g.name, {**options, **{k: v for k, v in SHORT.items() if k in {o.name for o in g.options}}})
    for g in games()
    for options in g.option_sets
]


def case_name(value: object) -> str:
    return value if isinstance(value, str) else " ".join(f"{k}={v}" for k, v in value.items()) or "usual"


@pytest.fixture(scope="module")
def plain() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRISKELE_PLAIN", "1")
        yield


@pytest.fixture(scope="session")
def compiled_tryptic() -> Game:
    """A game with secrets and interrupts, compiled."""
    from triskele.core.decisions import CHOICES, DECIDE, OBSERVE, REPLAY

    declared = game("tryptic")
    declared.linker.compile_rules()
    for program in (CHOICES, DECIDE, OBSERVE, REPLAY):
        declared.linker.program(program)
    return declared
