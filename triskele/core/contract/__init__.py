"""What a game offers to engines, pages and adapters, stated once and typed.

==================================  =============================================================================
:mod:`~.contract.rules`             the functions of ``rules.py``; everything else is linked to them
:mod:`~.contract.notation`          the functions of ``notation.py``: texts of moves and positions
:mod:`~.contract.evaluation`        the functions of ``evaluation.py`` that searches use, and its ``EVALUATION``
:mod:`~.contract.levels`            what a playing level is
:mod:`~.contract.lessons`           a game's course: ``lessons/course.json`` and its words
:mod:`~.contract.setup`             how positions are set up by hand: ``SETUP`` in ``setup.py``
:mod:`~.contract.puzzles`           the kinds of puzzles of a game: ``PUZZLES`` in ``puzzles``
:mod:`~.contract.aims`              the functions of ``puzzles`` that searches are linked to: the aim of a kind
:mod:`~.contract.engine`            the engine interface; a game's own engines are in ``engine.py``
:mod:`~.contract.search_program`    searches that WebAssembly modules contain too: one calling convention for all
:mod:`~.contract.texts`             the functions of ``texts.py``: texts that compiled code writes and reads
==================================  =============================================================================

The names of the rules' contract can be imported from here.
"""

from triskele.core.contract.rules import (
    ACTIONS,
    CHANCE,
    LOG,
    MOVES,
    OVER,
    REASONS,
    SIZE,
    VERSION,
    WEIGHTED_CHANCE,
    Moves,
    Scores,
    State,
    actor,
    apply,
    chance_weight,
    count,
    hopeless,
    interrupts,
    legal,
    nth,
    reason,
    redact,
    rollout_count,
    rollout_nth,
    scores,
    start,
    winners,
)

__all__ = [
    "ACTIONS",
    "CHANCE",
    "LOG",
    "MOVES",
    "OVER",
    "REASONS",
    "SIZE",
    "VERSION",
    "WEIGHTED_CHANCE",
    "Moves",
    "Scores",
    "State",
    "actor",
    "apply",
    "chance_weight",
    "count",
    "hopeless",
    "interrupts",
    "legal",
    "nth",
    "reason",
    "redact",
    "rollout_count",
    "rollout_nth",
    "scores",
    "start",
    "winners",
]
