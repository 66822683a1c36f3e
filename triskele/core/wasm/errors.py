"""The error of a build."""

from triskele.core.errors import TriskeleError


class WasmError(TriskeleError):
    """A module cannot be built or used: the reason says what is missing or in the way."""
