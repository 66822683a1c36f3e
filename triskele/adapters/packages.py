"""Packages that not everyone has: imported when needed, with word of what to install."""

import importlib
from typing import Any

from triskele.core.words import text


def need(module: str, package: str, extra: str) -> Any:
    """Return a module of another package; ``ModuleNotFoundError`` says how to install what is missing."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        command = f'pip install "triskele[{extra}]"'
        raise ModuleNotFoundError(
            str(text("adapters.package-missing", package=package, missing=error.name or module, command=command)),
            name=error.name,
        ) from None
