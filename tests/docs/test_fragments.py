"""Every command and every piece of Python in the README and in ``docs/`` runs, and none escapes unnoticed."""

import re
import shlex
import tomllib
from pathlib import Path

import pytest

from tests.support.fragments import ROOT, RUN, FragmentError, fragments, inline_commands, pages, run_page
from triskele.cli import commands

PAGES = pages()


def _name(page: Path) -> str:
    return "-".join(page.relative_to(ROOT).with_suffix("").parts)


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_every_command_and_every_piece_of_python_of_a_page_runs(page, tmp_path, monkeypatch):
    monkeypatch.setenv("TRISKELE_PLAIN", "1")
    monkeypatch.setenv("TRISKELE_DATA", str(tmp_path / "data"))
    programs = [
        fragment for fragment in fragments(page) if fragment.language in RUN and not fragment.directive("not-run")
    ]
    assert run_page(page, tmp_path / "page") == len(programs)


def test_every_page_is_looked_at():
    assert {ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "docs" / "hosts.md"} <= set(PAGES)
    assert set((ROOT / "docs").rglob("*.md")) <= set(PAGES)
    assert sum(fragment.language in RUN for page in PAGES for fragment in fragments(page)) > 30


# --- commands inside sentences --------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_commands_inside_sentences_exist_with_their_options(page):
    wrong = [
        f"{page.name}:{line}: {command}: {why}" for line, command in inline_commands(page) if (why := _fault(command))
    ]
    assert not wrong


def _fault(command: str) -> str | None:
    """Say what is wrong with a command that is not run because it stands in a sentence, if anything is."""
    program, *arguments = shlex.split(command.replace("…", "").replace("[,", ","))
    if program == "make":
        targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
        return None if arguments[0] in targets else "no such target"
    if program == "pip":
        extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
        named = re.findall(r"triskele\[([\w,]+)\]", command)
        return None if all(each in extras for group in named for each in group.split(",")) else "no such extra"
    if program == "python":
        if arguments[0] == "-m":
            return None
        script = ROOT / arguments[0]
        if not script.is_file():
            return "no such script"
        source = script.read_text(encoding="utf-8")
        return next(
            (f"no {each}" for each in arguments[1:] if each.startswith("--") and f'"{each}"' not in source), None
        )
    return _fault_of_ours(arguments)


def _fault_of_ours(arguments: list[str]) -> str | None:
    if len(arguments) == 1:  # "triskele report" in a sentence is the name of a command
        return None if arguments[0] in (*commands.DELEGATED, *_commands()) else "no such command"
    try:
        commands.parse(arguments)
    except SystemExit as error:
        return None if error.code == 0 else "cannot be parsed"
    return None


def _commands() -> list[str]:
    return [*re.findall(r'add\("(\w+)", _', Path(commands.__file__).read_text(encoding="utf-8")), "--version"]


# --- none escapes ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("```sh\ntriskele perft yinsh 1\nfalse\n```\n", "exit code 1"),
        ("```sh\ntriskele no-such-command\n```\n", "exit code 2"),
        ("```sh\npip install 'triskele[no-such-extra]'\n```\n", "no such extra"),
        ("```sh\nmake no-such-target\n```\n", "exit code 2"),
        ("```python\nimport triskele\ntriskele.no_such_function()\n```\n", "no_such_function"),
        ("```python\n>>> 1 + 1\n3\n```\n", "Expected"),
        ("```\nwhat is this?\n```\n", "no language"),
        ("```bash\ntrue\n```\n", "of bash language"),
        ("```text\ntriskele games\n```\n", "they are sh"),
        ("Like this:\n\n    triskele games\n", "fence it"),
        ("<!-- test: not-run it takes so long -->\n```sh\ntriskele games\n```\n", "can be run"),
        ("<!-- test: not-run -->\n```sh\nsudo true\n```\n", "has no reason"),
        ("<!-- test: replace --games 9 => --games 1 -->\n```sh\ntrue\n```\n", "nothing to replace"),
        ("<!-- test: skip -->\n```sh\ntrue\n```\n", "no directive"),
    ],
)
def test_a_block_that_does_not_run_is_found(written, why, tmp_path):
    page = tmp_path / "page.md"
    page.write_text(written)
    with pytest.raises(FragmentError, match=re.escape(why)):
        run_page(page, tmp_path / "folder")


def test_blocks_of_a_page_share_a_folder_and_a_scope(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(
        "<!-- test: file answer.json -->\n```json\n[41]\n```\n"
        "```python\nimport json\nfrom pathlib import Path\nanswer = json.loads(Path('answer.json').read_text())\n```\n"
        "<!-- test\nreplace 1000000 => 1\ninput quit\n-->\n"
        "```sh\nread said; [ $said = quit ]; echo 1000000 > more\n```\n"
        "```python\n>>> answer[0] + int(Path('more').read_text())\n42\n```\n"
        "<!-- test: not-run needs root on the machine -->\n```sh\n# as root\nsudo touch ran\n```\n"
    )
    assert run_page(page, tmp_path / "folder") == 3
