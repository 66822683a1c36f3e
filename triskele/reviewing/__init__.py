"""Reviews of games: what each decision was worth, accuracy, mistakes, the turning point, luck and skill.

A review is a program over a record. It uses the contract and engines alone, so it knows no game.
"""

from triskele.reviewing.review import Review, review

__all__ = ["Review", "review"]
