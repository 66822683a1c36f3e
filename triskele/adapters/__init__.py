"""Triskele's games in other people's tools, and other people's records in Triskele.

:mod:`~triskele.adapters.openspiel` and :mod:`~triskele.adapters.pettingzoo` are imported by name; each says what to
install if its package is missing. Record formats that a game declares (:mod:`triskele.core.contract.record_format`) can
be imported from here by their names too: ``from triskele.adapters import boardspace``.
"""

import importlib
import importlib.util
import types


def __getattr__(name: str) -> types.ModuleType:
    """Return the module of a record format by its name."""
    if not name.startswith("_") and importlib.util.find_spec(f"{__name__}.{name}") is None:
        from triskele.core.contract.record_format import record_formats

        for found in record_formats():
            if found.name == name:
                return importlib.import_module(found.loads.__module__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
