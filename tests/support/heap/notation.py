"""The texts of Heap: how many are taken."""

from triskele.core.contract import State
from triskele.core.game import Options


def move_text(options: Options, code: int) -> str:
    return str(code + 1)


def move_tokens(options: Options, code: int) -> tuple[tuple[str, ...], ...]:
    return ((str(code + 1),),)


def write(options: Options, state: State) -> str:
    return f"{state[1]} {state[2]}"


def read(options: Options, line: str, state: State) -> State:
    state[1:3] = [int(word) for word in line.split()]
    return state
