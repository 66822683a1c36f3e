"""In a notebook, positions draw themselves, and so do games."""

import base64
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable

import pytest

from triskele.core.game import Game
from triskele.core.notebook import PICTURES
from triskele.core.position import Position
from triskele.core.record_parts import Ended
from triskele.core.records import Record

IMAGE = re.compile(r'src="data:image/svg\+xml;base64,([^"]+)"')


def drawn(page: str) -> list[ET.Element]:
    return [ET.fromstring(base64.b64decode(data)) for data in IMAGE.findall(page)]


def test_a_position_draws_what_a_spectator_sees(play: Callable[..., Position]) -> None:
    position = play(1, moves=6)
    picture = ET.fromstring(position._repr_svg_())
    assert picture.tag.endswith("svg")
    assert position._repr_svg_().count("#race-runner") == 2


def test_a_game_shows_who_played_how_it_ended_and_its_last_position(play: Callable[..., Position]) -> None:
    position = play(1)
    page = Record.of(position, seats=["Ann <b>", "Ben"])._repr_html_()
    assert len(drawn(page)) == PICTURES
    assert IMAGE.findall(page)[-1] == base64.b64encode(position._repr_svg_().encode()).decode()
    assert "Ann &lt;b&gt; " in page
    assert "(all others gave way)" in page
    assert f"{len(position.moves)}. {position.moves[-1].text}</figcaption>" in page
    assert "http" not in IMAGE.sub("", page)


@pytest.mark.parametrize("moves", [0, 1, 3])
def test_a_game_that_has_hardly_begun_is_drawn_too(play: Callable[..., Position], moves: int) -> None:
    page = Record.of(play(1, moves=moves), seats=["Ann", "Ben"])._repr_html_()
    assert "Ann · Ben</p>" in page
    assert len(drawn(page)) == max(1, moves)


def test_an_end_outside_the_rules_and_a_record_that_tells_only_what_was_seen(
    race: Game, play: Callable[..., Position]
) -> None:
    position = play(1, moves=4)
    assert "(a player resigned)" in Record.of(position, ended=Ended("resign", 0))._repr_html_()
    seen = Record.of(position, viewer=0)._repr_html_()
    assert "=*" in seen
    assert drawn(seen) == []
