"""Commands that other modules implement: they are listed, explain themselves, and refuse what is wrong."""

import subprocess
import sys

import pytest

from triskele.cli import main
from triskele.cli.commands import DELEGATED


@pytest.mark.parametrize("name", DELEGATED)
def test_each_has_help_in_two_languages(name, capsys):
    assert main([name, "--help"]) == 0
    english = capsys.readouterr().out
    assert main([name, "--help", "--language", "de"]) == 0
    assert capsys.readouterr().out != english
    assert name in english


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["match", "uct", "random", "chess"], "there is no game chess"),
        (["train", "tryad", "--out", "nowhere"], "Tryad has no weights to learn"),
        (["train", "yinsh", "--games", "0", "--out", "nowhere"], "--games must be at least 1"),
    ],
)
def test_wrong_arguments_are_refused_with_the_reason(arguments, reason, capsys):
    assert main(arguments) == 1
    assert reason in capsys.readouterr().err


def test_a_server_that_cannot_start_is_wrong_usage(capsys):
    assert main(["serve", "--port", "70000"]) == 2
    assert capsys.readouterr().err == "triskele: 70000 is not a port: use a number from 0 to 65535\n"


def test_the_prompt_does_not_wait_for_the_other_packages():
    code = "import sys; from triskele.cli.commands import parse; parse(['play', 'yinsh']); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"numba", "fastapi", "triskele.arena", "triskele.server", "triskele.adapters"} & set(loaded)


def test_a_little_training_writes_weights(tmp_path, capsys):
    small = ["--rounds", "1", "--games", "2", "--nodes", "20", "--out", str(tmp_path)]
    assert main(["train", "yinsh", *small]) == 0
    assert str(tmp_path) in capsys.readouterr().out
    assert list(tmp_path.glob("round0.npz"))
    assert main(["train", "yinsh", *small]) == 0
