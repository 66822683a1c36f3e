"""What the tests of the adapters share: all games with all player counts."""

import pytest

from triskele.core.decisions import CHOICES, DECIDE, OBSERVE, REPLAY
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


def shortened(declared: Game, options: dict[str, object]) -> dict[str, object]:
    known = {option.name for option in declared.options}
    return {name: value for name, value in {**options, **SHORT}.items() if name in known}


def with_players(declared: Game, players: int) -> dict[str, object]:
    """Return options for so many players: of the game's own sets one that fits, else the defaults."""
    fitting = [options for options in declared.option_sets if declared.variant(options).seats == players]
    return shortened(declared, {"players": players, **(fitting[0] if fitting else {})})


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test with ``by_count`` for every game and player count, one with ``by_set`` for every option set."""
    cases = {
        "by_count": [(g.name, with_players(g, count)) for g in games() for count in player_counts(g)],
        "by_set": [(g.name, shortened(g, dict(options))) for g in games() for options in g.option_sets],
    }
    for name, found in cases.items():
        if name in metafunc.fixturenames:
            ids = [f"{game_name} {options}" for game_name, options in found]
            metafunc.parametrize(name, found, ids=ids)


@pytest.fixture(scope="session")
def compiled_tryptic() -> Game:
    """A game with secrets and interrupts, compiled."""
    declared = game("tryptic")
    declared.linker.compile_rules()
    for program in (CHOICES, DECIDE, OBSERVE, REPLAY):
        declared.linker.program(program)
    return declared
