"""Positions that are set up by hand: what a draft says, reads back, and is refused for."""

import random

import pytest

import triskele
from triskele.core.contract.setup import Draft
from triskele.core.drafts import draft_of, ground_of, position_of, setup_of
from triskele.core.game import game
from triskele.core.position import CHANCE

GAMES = [declared.name for declared in triskele.games()]
VARIANTS = [(declared.name, dict(options)) for declared in triskele.games() for options in declared.option_sets]


def played(name, options, seed, moves):
    rng, position = random.Random(seed), triskele.new(name, **options)
    for _ in range(moves):
        if position.turn is None:
            break
        position.push(rng.choice(position.legal_moves))
    return position


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_set_up_by_hand(name):
    assert setup_of(game(name)) is not None


@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_what_stands_on_the_board_comes_back_from_its_draft(name, options):
    seen = 0
    for seed in range(24):
        position = played(name, options, seed, 2 + 3 * (seed % 12))
        if position.turn is None:
            continue
        draft = draft_of(position)
        places = {place.token for place in ground_of(position.variant).places}
        assert places >= draft.board.keys()
        try:
            again = position_of(position.variant, draft)
        except triskele.RecordError:
            continue
        assert draft_of(again) == draft
        seen += 1
    assert seen > 2


@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_the_board_to_set_up_has_nothing_on_it(name, options):
    position = played(name, options, 3, 20)
    ground = ground_of(position.variant)
    sprites = {thing.sprite for thing in setup_of(game(name)).things(position.variant.options)}
    assert not sprites & {piece.sprite for piece in ground.pieces} - {setup_of(game(name)).empty}
    assert len({place.token for place in ground.places}) == len(ground.places)


def test_cards_of_tryad_are_set_up_for_all_players():
    variant = game("tryad").variant({})
    board = {**dict.fromkeys(("1a1", "1b2"), "c"), "2d7": "c"}
    fields = {"turn": "1", "roll": "4", "out-1": "no", "out-2": "no"}
    position = position_of(variant, Draft(board, fields))
    assert [move.text for move in position.legal_moves] == ["-a1"]
    rolled = position_of(variant, Draft(board, {**fields, "roll": "-"}))
    assert rolled.turn == CHANCE


def test_chits_that_are_nowhere_else_lie_in_the_pot():
    variant = game("conquest").variant({})
    draft = Draft(
        {"1c3": "1*5", "2c2": "2*7"},
        {"turn": "1", "phase": "conquer", "purse-1": "90", "purse-2": "80", "round": "4", "first": "2"},
    )
    position = position_of(variant, draft)
    assert str(position) == "conquest: 1 90 1c3*5 / 2 80 2c2*7 / pot 18 / round 4 / conquer 1 first 2"
    too_many = Draft(draft.board, {**draft.fields, "purse-1": "150"})
    with pytest.raises(triskele.RecordError, match="chits"):
        position_of(variant, too_many)


def test_patterns_of_tryptic_are_chosen_and_a_colour_can_run_out():
    variant = game("tryptic").variant({})
    names = [place.token for place in ground_of(variant).places]
    board = dict.fromkeys(names[:28], "R")
    fields = {"turn": "1", "stage": "open", "pattern-1": "BRR", "pattern-2": "BGY"}
    position = position_of(variant, Draft(board, fields))
    assert not any(move.text.startswith("R") for move in position.legal_moves)
    with pytest.raises(triskele.RecordError, match="turn"):
        position_of(variant, Draft(board, {**fields, "turn": "2"}))


@pytest.mark.parametrize("sign", ["1*0", "1*201", "3*1", "1*x", "1*-1", ""])
def test_what_cannot_stand_on_a_place_is_refused(sign):
    begun = triskele.new("conquest")
    fields = draft_of(begun).fields
    assert position_of(begun.variant, Draft({"1c3": "1*5", "2c3": "2"}, fields)) is not None
    with pytest.raises(triskele.RecordError):
        position_of(begun.variant, Draft({"1c3": sign, "2c3": "2*1"}, fields))
