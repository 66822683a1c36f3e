"""Sphinx's configuration; `python docs/build_site.py` uses it."""

import importlib.util
import re

from sphinx.application import Sphinx

import triskele

project = "Triskele"
author = "the Triskele contributors"
copyright = "the Triskele contributors; the games' names belong to their owners"  # noqa: A001 (Sphinx's name for it)
version = release = triskele.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
source_suffix = {".md": "markdown"}
myst_heading_anchors = 3

html_theme = "furo"
html_title = "Triskele"
html_static_path = ["style"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
_PAPER, _INK = {"brand": "#2f5d55", "visited": "#5b4a7d"}, {"brand": "#a9d3c8", "visited": "#c3b4e6"}
html_theme_options = {
    "top_of_page_buttons": [],
    **{
        f"{scheme}_css_variables": {
            "color-brand-primary": colours["brand"],
            "color-brand-content": colours["brand"],
            "color-brand-visited": colours["visited"],
        }
        for scheme, colours in (("light", _PAPER), ("dark", _INK))
    },
}

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
maximum_signature_line_length = 88
autodoc_default_options = {"members": True, "undoc-members": False}
# The adapters are described on a machine that lacks their packages too.
_WANTED = ("pyspiel", "pettingzoo", "gymnasium", "resvg_py", "dask", "distributed", "openskill")
autodoc_mock_imports = [name for name in _WANTED if importlib.util.find_spec(name) is None]


def _lists(app: object, kind: str, name: str, thing: object, options: object, lines: list[str]) -> None:
    """Make definitions of docstring lines that begin with a name in double backticks and a gap."""
    read, within = [], False
    for line in lines:
        named = re.match(r"(``[^`]+``)  +(.*)|(``[^`]+``) (?=\S)(.*)", line) if within or "``  " in line else None
        if named:
            read += [named[1] or named[3], f"    {named[2] or named[4]}"]
            within = True
        else:
            within = within and line.startswith(" ")
            read.append(f"    {line.strip()}" if within else line)
    lines[:] = read


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.connect("autodoc-process-docstring", _lists)
