"""The command ``triskele``.

Exit codes: 0 success, 1 refused (the reason is on standard error), 2 wrong usage, 130 stopped with Ctrl-C.
"""

import contextlib
import os
import sys

OK, REFUSED, USAGE, STOPPED = 0, 1, 2, 130


def main(arguments: list[str] | None = None) -> int:
    """Run the command with these arguments (those of the process by default) and return its exit code."""
    from triskele.cli.commands import parse
    from triskele.core.errors import TriskeleError
    from triskele.core.words import say, text

    language = "en"
    try:
        chosen = parse(sys.argv[1:] if arguments is None else arguments)
        language = chosen.language
        return int(chosen.run(chosen))
    except SystemExit as leaving:  # argparse has written the reason; a server that was told to stop gives none
        return leaving.code if isinstance(leaving.code, int) else OK if leaving.code is None else USAGE
    except TriskeleError as error:
        _complain(say(error.text, language))
        return REFUSED
    except KeyboardInterrupt:
        return STOPPED
    except OSError as error:
        # Mostly about our own output: a full disk, or a closed pipe. Nothing may be flushed at exit either.
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            _complain(say(text("cli.system-error", why=error.strerror or str(error)), language))
        return REFUSED


def _complain(reason: str) -> None:
    with contextlib.suppress(OSError):
        print(f"triskele: {reason}", file=sys.stderr)
