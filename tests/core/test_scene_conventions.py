"""What a scene says beyond where things are: roles, actions, prompts; and that check_game finds what is wrong."""

import dataclasses
import random

import orjson
import pytest

import triskele
import triskele.core.game
from triskele.core.game import Game
from triskele.core.prompts import PLACE, Prompt
from triskele.core.scene import Piece, Place, Scene
from triskele.core.words import text
from triskele.server.live.payloads import difference
from triskele.testing import check_game, random_move

PLAIN = Piece("a", "s", 1.0, 2.0)
DIE = dataclasses.replace(PLAIN, role="die")
BUTTON = Place("x", 1.0, 2.0, "a button", role="take-back", action="back")


def test_a_role_is_in_the_json_only_where_there_is_one():
    scene = Scene("g", 1.0, 1.0, (PLAIN, dataclasses.replace(DIE, id="b")), (BUTTON, Place("y", 0.0, 0.0, "y")))
    plain, die = scene.data()["pieces"]
    assert "role" not in plain
    assert die["role"] == "die"
    button, other = scene.data()["places"]
    assert (button["role"], button["action"]) == ("take-back", "back")
    assert not {"role", "action"} & other.keys()
    assert orjson.loads(orjson.dumps(scene)) == orjson.loads(orjson.dumps(scene.data()))


def test_a_piece_without_a_role_has_the_empty_one():
    assert PLAIN.role == ""
    assert DIE != PLAIN
    assert dataclasses.replace(DIE, role="") == PLAIN
    assert hash(dataclasses.replace(DIE, role="")) == hash(PLAIN)


def test_a_change_of_role_or_action_is_a_difference():
    before = Scene("g", 1.0, 1.0, (PLAIN,), (BUTTON,))
    after = Scene("g", 1.0, 1.0, (DIE,), (dataclasses.replace(BUTTON, action="undo"),))
    assert difference(before, after) == {"pieces": [DIE], "places": [after.places[0]]}


@pytest.mark.parametrize("game", triskele.games(), ids=lambda game: game.name)
def test_every_prompt_can_be_reached(game: Game):
    """Each prompt applies to tokens that some legal move of a random game begins with."""
    unseen = set(game.prompts)
    for options in game.option_sets:
        position, rng = triskele.Position(game.variant(options)), random.Random(1)
        for _ in range(600):
            if not unseen or position.outcome() is not None:
                break
            unseen -= set(_applicable(position, unseen))
            position.push(random_move(position, rng))
    assert not unseen


def _applicable(position: triskele.Position, prompts: set[Prompt]) -> list[Prompt]:
    places = {place.token for place in position.scene(None).places}
    entered = [spelling for move in position.legal_moves for spelling in move.spellings]

    def applies(prompt: Prompt) -> bool:
        size = len(prompt.after)

        def fits(tokens: tuple[str, ...]) -> bool:
            pairs = zip(prompt.after, tokens, strict=False)
            return len(tokens) > size and all(b in places if a is PLACE else a == b for a, b in pairs)

        return any(fits(tokens) and (tokens[size] in places) == prompt.place for tokens in entered)

    return [prompt for prompt in prompts if applies(prompt)]


@pytest.mark.parametrize(
    ("broken", "complaint"),
    [
        ({"seat_sprites": ("race-runner", "race-nobody", "race-runner", "race-runner")}, "race-nobody"),
        ({"seat_sprites": ("race-runner",)}, "some seats have no sprite"),
        ({"prompts": (Prompt((PLACE,), text("race.nothing")),)}, "no words"),
        ({"prompts": (Prompt((), text("race.tagline")),)}, "the notation's to say"),
    ],
)
def test_check_game_finds_a_wrong_declaration(race: Game, broken, complaint):
    triskele.core.game.register(dataclasses.replace(race, **broken))
    try:
        with pytest.raises(AssertionError, match=complaint):
            check_game("race", games=1)
    finally:
        triskele.core.game.register(race)


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        (Place("x", 0.0, 0.0, "x", role="take-back"), "takes something back"),
        (Place("x", 0.0, 0.0, "x", role="rotation"), "rotation"),
        (Place("x", 0.0, 0.0, "x", role="other"), "unknown role"),
        (Place("x", 0.0, 0.0, "x", role="hand", drops=("no move",)), "not all moves that begin with x"),
        (Place("x", 0.0, 0.0, "x", drops=("no move",)), "is no hand"),
    ],
)
def test_check_game_finds_a_wrong_role(race: Game, monkeypatch, wrong, complaint):
    scenery = race.scenery
    changed = dataclasses.replace(scenery, scene=lambda look: dataclasses.replace(scenery.scene(look), places=(wrong,)))
    monkeypatch.setitem(vars(race), "scenery", changed)
    with pytest.raises(AssertionError, match=complaint):
        check_game("race", games=1)
