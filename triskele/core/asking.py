"""The contract for asking seats whether they interrupt: what a game's ``rules.py`` may say about it.

At a table of people, whoever wants to interrupt does. Programs are asked one decision at a time
(:mod:`triskele.core.decisions`), and being asked must not tell anything: so all are asked, except where
everybody can see that there is nothing to ask.
"""

from triskele.core.contract import State
from triskele.core.link import CONTRACTS

CONTRACTS[__name__] = "rules"


def hopeless(state: State, move: int) -> bool:
    """Whether everybody can see that making this interrupt now could only harm its owner.

    Worked out from what is public in ``state`` and nothing else: who is not asked learns it too.
    """
    return False
