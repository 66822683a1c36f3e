"""Response models of OpenAPI from the structs of the live protocol: a document that both send is described once."""

import functools
import operator
import types
import typing
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Raw, Struct, UnsetType
from pydantic import BaseModel, create_model

Models = Mapping[type, type[BaseModel]]


def response_model(struct: type[Struct], name: str, known: Models = types.MappingProxyType({})) -> type[BaseModel]:
    """Return the model of a struct, with those of all structs in it; ``known`` ones are used where they occur.

    What may be left out may be null in the model.
    """
    fields: dict[str, Any] = {}
    for field in msgspec.structs.fields(struct):
        left_out = UnsetType in typing.get_args(field.type)
        fields[field.name] = (_converted(field.type, known), None if left_out else ...)
    return create_model(name, __doc__=struct.__doc__, **fields)


def _converted(kind: Any, known: Models) -> Any:
    """Return a type with models in the place of structs."""
    if kind in known:
        return known[kind]
    if kind is Raw:
        return Any
    if kind is UnsetType:
        return type(None)
    if isinstance(kind, type) and issubclass(kind, Struct):
        return response_model(kind, kind.__name__, known)
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return functools.reduce(operator.or_, (_converted(each, known) for each in arguments))
    if origin is list:
        return types.GenericAlias(list, (_converted(arguments[0], known),))
    return kind
