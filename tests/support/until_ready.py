"""Run a command that serves until it is interrupted: wait until its page is there, then interrupt it."""

import re
import signal
import subprocess
import sys
import urllib.request


def main(command: list[str]) -> int:
    """Return 0 if the command said its address, answered there, and ended well after Ctrl-C."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        address = None
        for line in process.stdout:
            address = re.search(r"https?://[^\s)]+", line)
            if address:
                break
        if address is None:
            print("it ended before it said where it serves", file=sys.stderr)
            return process.wait(30) or 1
        with urllib.request.urlopen(address[0], timeout=30) as answer:
            answer.read()
        process.send_signal(signal.SIGINT)
        return process.wait(30)
    finally:
        process.kill()
        process.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
