"""Import optional packages when they are needed, with an error that says what to install."""

import importlib
from typing import Any

from triskele.core.words import text


def need(module: str, package: str, extra: str) -> Any:
    """Import and return a module of an optional package; ``ModuleNotFoundError`` says how to install it."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        command = f'pip install "triskele[{extra}]"'
        raise ModuleNotFoundError(
            str(text("adapters.package-missing", package=package, missing=error.name or module, command=command)),
            name=error.name,
        ) from None
