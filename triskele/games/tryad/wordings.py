"""Moves of Tryad in words, for lists of moves. A roll is its number."""

from triskele.core.wordings import Wording

WORDINGS = (Wording(r"-(?P<fields>[a-d]\d(?:\+[a-d]\d)*)", "tryad.move.take"),)
