"""The example of a bot plays a whole game."""

import ast
import subprocess
import sys
from pathlib import Path

BOT = Path(__file__).parents[2] / "examples" / "bot.py"


def test_the_bot_of_the_examples_plays_to_the_end(server, visitor):
    person = visitor()
    opened = person.open("trypsylon", "link", "link")
    links = [f"{server.base}/table/{opened['table']}#{seat['key']}" for seat in opened["seats"]]
    bots = [subprocess.Popen([sys.executable, str(BOT), link], stdout=subprocess.PIPE, text=True) for link in links]
    said = [bot.communicate(timeout=60)[0].strip() for bot in bots]
    assert said[0] == said[1] == person.get(f"/tables/{opened['table']}")["text"]


def test_the_bot_needs_only_what_it_says():
    tree = ast.parse(BOT.read_text(encoding="utf-8"))
    named = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    named += [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    foreign = {name.partition(".")[0] for name in named} - sys.stdlib_module_names
    assert foreign == {"websockets"}
    assert "``pip install websockets``" in ast.get_docstring(tree)
