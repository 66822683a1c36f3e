"""The notebook in examples/ runs from its first cell to its last, and positions in it draw themselves."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

EXAMPLES = Path(__file__).parents[2] / "examples"


# Jupyter's own parts: sockets that are closed when the process ends, and their own deprecations.
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.ipynb")), ids=lambda path: path.name)
def test_the_notebook_runs(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    client = NotebookClient(notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": EXAMPLES}})
    client.execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    assert any("image/svg+xml" in output.get("data", {}) for output in outputs)
    printed = "".join(output["text"] for output in outputs if output.output_type == "stream")
    assert "against UCT with 50 playouts a move" in printed


def test_there_is_a_notebook():
    assert (EXAMPLES / "first_bot.ipynb").is_file()
