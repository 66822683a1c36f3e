"""Find a command in a line that is typed at a prompt."""

from collections.abc import Iterable


def find_command(names: Iterable[str], line: str) -> tuple[str, str] | None:
    """Return the command in a line and its argument; after a colon the beginning of its name is enough."""
    word, _, argument = line.strip().partition(" ")
    for name in names:
        if word == name or (len(word) > 1 and f":{name}".startswith(word)):
            return name, argument.strip()
    return None


def command_completions(names: Iterable[str], word: str) -> list[str]:
    """Return the commands that begin with a word, without and with the colon, for the Tab key."""
    offered = list(names)
    found = [name for name in offered if name.startswith(word)]
    return found + [f":{name}" for name in offered if f":{name}".startswith(word)]
