"""Sphinx's configuration; `python docs/build_site.py` uses it."""

import importlib.util

import triskele

project = "Triskele"
author = "the Triskele contributors"
copyright = "the Triskele contributors; the games' names belong to their owners"  # noqa: A001 (Sphinx's name for it)
version = release = triskele.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]
source_suffix = {".md": "markdown"}
myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence"]
# Pages link to files of the repository too, which are not pages here. Headings of included pages begin lower.
suppress_warnings = ["myst.xref_missing", "myst.header"]

html_theme = "furo"
html_title = "Triskele"
html_static_path = ["pictures"]
html_show_sphinx = False

autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_default_options = {"members": True, "show-inheritance": True, "undoc-members": False}
# The adapters are described on a machine that lacks their packages too.
_WANTED = ("pyspiel", "pettingzoo", "gymnasium", "resvg_py", "dask", "distributed", "openskill")
autodoc_mock_imports = [name for name in _WANTED if importlib.util.find_spec(name) is None]
