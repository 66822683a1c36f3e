"""Workspaces: the arrays of a program as one argument, a ``typing.NamedTuple`` whose fields say their types.

A search works on a dozen arrays. Instead of as many arguments it takes one workspace, a class such as

    class Walk(NamedTuple):
        state: Vector
        undo: Matrix

and its :class:`~triskele.core.link.Program` names the class in its signature: ``Program(walk, "int64(Walk, int64)",
(Walk,))``. Compiled code reads a field as fast as an argument of its own. All arrays are C-contiguous.
"""

import typing
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vector = Annotated[NDArray[np.int64], "int64[::1]"]
Matrix = Annotated[NDArray[np.int64], "int64[:,::1]"]
Int32Vector = Annotated[NDArray[np.int32], "int32[::1]"]
Int32Matrix = Annotated[NDArray[np.int32], "int32[:,::1]"]
Float32Vector = Annotated[NDArray[np.float32], "float32[::1]"]
FloatVector = Annotated[NDArray[np.float64], "float64[::1]"]
FloatMatrix = Annotated[NDArray[np.float64], "float64[:,::1]"]
FloatCube = Annotated[NDArray[np.float64], "float64[:,:,::1]"]
RngVector = Annotated[NDArray[np.uint64], "uint64[::1]"]


def field_types(workspace: type) -> tuple[str, ...]:
    """Return the Numba types of a workspace's fields, in order; ``TypeError`` if a field does not say its own."""
    hints = typing.get_type_hints(workspace, include_extras=True)
    for name, hint in hints.items():
        if not hasattr(hint, "__metadata__"):
            raise TypeError(f"{workspace.__name__}.{name} needs a type of {__name__}")
    return tuple(str(hint.__metadata__[0]) for hint in hints.values())
