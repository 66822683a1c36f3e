"""What the last move did, in words without a subject: told to those who watch it, one move after the other."""

from triskele.core.contract import State
from triskele.core.scene import Look
from triskele.games.conquest import rules as r
from triskele.games.conquest.board_queries import (
    NAMES,
    committed,
    dice_of,
    number_of,
    owner_of,
    setup_of,
    sources_of,
    tokens_on,
)
from triskele.games.conquest.moves import advantage_of, attack_of, follower_of, triple_of


def told(look: Look) -> str:
    """Return what the last move did; empty where there is nothing to tell, such as a die before the last one."""
    if look.before is None or look.last is None:
        return ""
    words = (_rolled if look.last < r.FACES else _decided)(look, look.before, look.last)
    out = int(look.before[r.IN]) & ~int(look.state[r.IN])
    if words and out:
        words = look.say("conquest.told-out", told=words, player=_player(out.bit_length() - 1))
    return words


def _player(seat: int) -> str:
    """Return the sign for the name of a player, which a scene does not know."""
    return f"{{{seat + 1}}}"


def _decided(look: Look, before: State, code: int) -> str:
    """Return what a seat's decision was; ends of phases tell themselves by what follows."""
    setup = setup_of(look.options)
    if r.DEFENCES <= code < r.HOME_TOKEN:
        return look.say("conquest.told-defence", n=code - r.DEFENCES + 1)
    if r.HOME_TOKEN <= code < r.ATTACKS:
        return look.say("conquest.told-token", field=NAMES[code - r.HOME_TOKEN])
    if r.ATTACKS <= code < r.TRIPLE_TOKENS:
        target, sources = attack_of(setup, code)
        tokens = sum(number for _, number in sources)
        owner = owner_of(before, target)
        if owner >= 0:
            return look.say("conquest.told-attack-held", field=NAMES[target], n=tokens, player=_player(owner))
        taken = owner_of(look.state, target) >= 0  # the own empty home, without a roll (C8)
        return look.say("conquest.told-retaken" if taken else "conquest.told-attack", field=NAMES[target], n=tokens)
    if r.TRIPLE_TOKENS <= code < r.FOLLOWING:
        _, field, tokens = triple_of(setup, code)
        return look.say("conquest.told-triple", field=NAMES[field], n=tokens)
    if r.FOLLOWING <= code < r.ADVANTAGES:
        return look.say("conquest.told-follow", field=NAMES[int(before[r.TARGET])], n=follower_of(code)[1])
    if code >= r.ADVANTAGES:
        source, goal, tokens = advantage_of(setup, code)
        return look.say("conquest.told-advantage", source=NAMES[source], field=NAMES[goal], n=tokens)
    return ""


def _rolled(look: Look, before: State, die: int) -> str:
    """Return what the last die of an initiative or a battle decided."""
    phase = int(before[r.PHASE])
    if int(look.state[r.PHASE]) == phase:
        return ""
    if phase == r.INITIATIVE:
        return look.say("conquest.told-begins", player=_player(int(look.state[r.FIRST])))
    target = int(before[r.TARGET])
    lost = sum(
        tokens_on(before, source) - tokens_on(look.state, source)
        for source, _ in sources_of(int(before[r.SETUP]), target, int(before[r.SPLIT]))
        if owner_of(look.state, target) != int(before[r.SEAT])
    )
    if owner_of(before, target) < 0:
        return _against_empty(look, before, [*dice_of(before), die + 1], lost)
    won = tokens_on(before, target) - tokens_on(look.state, target)
    words = look.say("conquest.told-battle", field=NAMES[target], lost=lost, won=won)
    return look.say("conquest.told-emptied", told=words) if not tokens_on(look.state, target) else words


def _against_empty(look: Look, before: State, dice: list[int], lost: int) -> str:
    target, attackers = int(before[r.TARGET]), committed(before)
    attack, against = sum(dice[:attackers]), sum(dice[attackers:]) + number_of(before, target)
    key = "taken" if attack > against else "repulsed" if lost else "repulsed-evenly"
    return look.say(f"conquest.told-{key}", field=NAMES[target], attack=attack, against=against, n=lost)
