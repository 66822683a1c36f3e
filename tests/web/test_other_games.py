"""A game of another package that has only English words: the page shows and plays it in every language."""

from collections.abc import Iterator

import pytest

from .conftest import Server, Visitor


@pytest.fixture(scope="module")
def foreign(tmp_path_factory, chomp_installed) -> Iterator[Server]:
    """A server where the package with Chomp is installed."""
    running = Server(tmp_path_factory.mktemp("server") / "data", chomp_installed)
    yield running
    running.stop()


@pytest.fixture
def ada(browser, foreign) -> Iterator[Visitor]:
    visitor = Visitor(browser.new_context(locale="de-DE", reduced_motion="reduce"), foreign.url)
    yield visitor
    visitor.context.close()
    assert not visitor.problems


def test_it_is_among_the_games(ada):
    ada.go("/")
    card = ada.page.locator(".game", has_text="Chomp")
    card.get_by_text("leave the poisoned corner to the other").wait_for()
    ada.sees("Aller guten Dinge sind drei.")
    assert ada.page.locator("html").get_attribute("lang") == "de"
    assert "Chomp" in ada.page.locator("meta[name=description]").get_attribute("content")


def test_its_options_and_help_are_in_english(ada):
    ada.go("/?play=chomp")
    ada.page.locator("details.card summary").click()
    ada.page.get_by_label("columns").first.wait_for()
    assert "chomp." not in ada.page.inner_text("main")
    ada.go("/learn/chomp")
    prose = ada.page.locator(".prose")
    prose.get_by_text("eat a bar of chocolate").wait_for()
    assert prose.get_attribute("lang") == "en"


def test_it_is_played_to_its_end(ada, play):
    ada.open("chomp", [{"kind": "me", "name": "Ada"}, {"kind": "here", "name": "Ben"}], {"columns": 3, "rows": 2})
    play([ada], lambda player: max(player.moves()))
    ada.page.locator(".result", has_text="The poisoned square was eaten").wait_for()
    assert "chomp." not in ada.page.inner_text("main")
