"""Names of accounts: what may be one, and which names are one name because they look alike.

Two names are the same if they are equal in any case of letters (:func:`folded`), or if people take one for the other
(:func:`skeleton`, after Unicode's UTS 39, with the confusables of the package ``confusable-homoglyphs``).
"""

import functools
import importlib.resources
import json
import unicodedata

from triskele.server.refusal import Refusal

NAME_LIMIT = 24
"""Letters of a name: it stands in a player's strip on a phone."""
_MARKS_LIMIT = 2
"""Combining marks on one letter; more of them grow over the lines above."""
_REFUSED = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
"""Categories of characters that are not seen, turn the writing direction, or are none."""
_SIGNS = frozenset('/\\#?%&<>"@:;,')
"""Signs that have a meaning in addresses, mail and lists of names."""


def valid_name(written: str) -> str:
    """Return a name in the form in which it is kept; ``Refusal`` if it cannot be one."""
    if len(written) > 4 * NAME_LIMIT:
        raise Refusal("account-name")
    name = " ".join(unicodedata.normalize("NFC", written).split(" ")).strip()
    bad = any(unicodedata.category(letter) in _REFUSED or letter in _SIGNS for letter in name)
    odd_space = any(letter.isspace() and letter != " " for letter in name) or "  " in name
    letters = sum(letter.isalnum() for letter in name)
    if bad or odd_space or not 1 <= len(name) <= NAME_LIMIT or not letters or _marks(name) > _MARKS_LIMIT:
        raise Refusal("account-name")
    if not folded(name) or not skeleton(name):
        raise Refusal("account-name")
    return name


def _marks(name: str) -> int:
    """Return the largest number of combining marks in a row."""
    most = run = 0
    for letter in unicodedata.normalize("NFD", name):
        run = run + 1 if unicodedata.category(letter).startswith("M") else 0
        most = max(most, run)
    return most


def folded(name: str) -> str:
    """Return what a name has in common with itself in other cases and forms of its letters."""
    normal = unicodedata.normalize("NFKC", name).casefold()
    return "".join(unicodedata.normalize("NFKC", normal).split())


def skeleton(name: str) -> str:
    """Return what a name has in common with all that look like it: ``Paul``, ``PAUL`` and ``PauI``.

    Letters are replaced by the prototype of those that look alike, before and after the case is folded, since capital
    letters look like others than small ones do.
    """
    known = prototypes()
    shown = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", name))
    once = "".join(known.get(letter, letter) for letter in shown)
    small = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", once).casefold())
    again = "".join(known.get(letter, letter) for letter in small)
    plain = unicodedata.normalize("NFD", again.casefold()).replace("\u0131", "i").replace("i", "l")
    return "".join(letter for letter in plain if not letter.isspace())


@functools.cache
def prototypes() -> dict[str, str]:
    """Return for each character that looks like others the text that stands for all of them."""
    data = importlib.resources.files("confusable_homoglyphs") / "confusables.json"
    table = {
        _bare(shown): {_bare(other["c"]) for other in others} for shown, others in json.loads(data.read_bytes()).items()
    }
    found = {}
    for shown, others in table.items():
        # Each character is listed with its prototype, and the prototype with all its characters. Of a pair the
        # longer text is the prototype ("rn" of "m"), and otherwise the last in the alphabet.
        best = max(others, key=lambda other: (len(table.get(other, ())), len(other), other), default=shown)
        mine = (len(others), len(shown), shown)
        if len(shown) == 1 and (len(table.get(best, ())), len(best), best) > mine:
            found[shown] = best
    return found


def _bare(written: str) -> str:
    return written.replace("\u200e", "")
