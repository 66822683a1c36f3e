"""What Tryad looks like, and its words."""

import random

import pytest

import triskele
from tests.games.tryad.helpers import FULL, LONE, at, play, tied_for_fewest
from triskele.core.draw import svg
from triskele.core.draw import text as terminal
from triskele.core.words import LANGUAGES
from triskele.games.tryad import GAME


def ids_of(scene):
    return [piece.id for piece in scene.pieces]


@pytest.mark.parametrize("options", GAME.option_sets, ids=str)
def test_scene_draws_every_position_with_sprites_that_exist(options):
    artwork = (GAME.folder / "sprites.svg").read_text(encoding="utf-8")
    rng = random.Random(4)
    pos = triskele.new("tryad", **options)
    while True:
        seat = rng.choice([None, *range(pos.variant.seats)])
        scene = pos.scene(seat, rng.choice(LANGUAGES))
        assert len(set(ids_of(scene))) == len(scene.pieces)
        assert all(f'id="{piece.sprite}"' in artwork for piece in scene.pieces)
        assert all(0 < piece.x < scene.width and 0 < piece.y < scene.height for piece in scene.pieces)
        takes = pos.turn not in (None, -1)
        tokens = {token for move in pos.legal_moves for token in move.tokens} if takes else set()
        covered = {
            piece.id.rpartition("-")[2]
            for piece in scene.pieces
            if takes and piece.id.startswith(f"coin-{pos.turn}-") and piece.sprite.startswith("tryad-coin")
        }
        assert tokens <= covered
        assert {place.token for place in scene.places} == covered
        assert not any("tryad." in words for words in (scene.title, *(fact.words for fact in scene.facts)))
        if pos.turn is None:
            break
        pos.push(rng.choice(pos.legal_moves))


def test_scene_puts_the_viewers_own_card_first():
    pos = triskele.new("tryad", players=5)
    for seat in (0, 3):
        cards = {piece.id: (piece.y, piece.x) for piece in pos.scene(seat).pieces if piece.id.startswith("card-")}
        assert min(cards, key=cards.get) == f"card-{seat}"


def test_scene_shows_coins_going_out_and_coming_back():
    pos = play(triskele.new("tryad"), "3")
    coin = {piece.id: piece for piece in pos.scene().pieces}["coin-0-b3"]
    assert (coin.sprite, coin.label) == ("tryad-coin-1", "3")
    pos.push("-b3")
    pieces = {piece.id: piece for piece in pos.scene().pieces}
    assert pieces["coin-0-b3"].sprite == "tryad-back-1"
    assert pieces["field-0-b3"].label == "3"
    assert "trace-0-b3" in pieces
    assert pieces["die"].label == "3"


def test_scene_keeps_the_die_that_put_somebody_out():
    pos = play(at(f"{LONE} {FULL} roll 1"), "2")
    pieces = {piece.id: piece for piece in pos.scene().pieces}
    assert pieces["die"].label == "2"
    assert "out-0" in pieces
    assert pieces["plaque-0"].label == "Player 1: out, 1 coin left"
    assert pieces["turn"].x > pieces["plaque-0"].x  # beside the card of seat 2


def test_scene_in_a_terminal_is_a_triangle_of_numbers():
    pos = at(f"4/2.3/3.412/41213.4 {FULL} take 1 4")
    rows = [line[:38].rstrip() for line in terminal(pos.scene()).splitlines() if line.strip()]
    assert rows == [
        "                a  (4)         [4]",
        "            b  (2)  1  (3)",
        "        c  (3)  1  (4) (1) (2)",
        "    d  (4) (1) (2) (1) (3)  1  (4)",
        "  >        Player 1: 13 coins",
    ]
    assert svg(pos.scene(), "dark").startswith("<svg")


def test_scene_in_practice_shows_how_far_apart_the_aims_are():
    pos = triskele.new("tryad", mode="practice", players=1)
    words = [fact.words for fact in pos.scene().facts]
    assert words == [
        "16 coins on the card",
        "Played to clear: 16.5% to clear, 2.19 coins left on average.",
        "Played for few coins: 15.1% to clear, 2.12 coins left on average.",
        "Difference: 1.4% and 0.07 coins.",
    ]


def test_scene_tells_what_was_won_and_lost():
    pos = play(tied_for_fewest(), "4", "4")
    words = [(fact.seat, fact.words) for fact in pos.scene().facts]
    assert (0, "won 3 coins") in words
    assert (1, "lost 3 coins") in words
    assert {"star-0", "star-3"} <= set(ids_of(pos.scene()))


def test_example_can_be_played():
    pos = play(triskele.new("tryad", **GAME.example.options), *GAME.example.moves)
    assert pos.turn == 1
