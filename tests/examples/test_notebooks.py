"""The notebooks in examples/ run from the first cell to the last, as Jupyter runs them, and positions are drawn."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

EXAMPLES = Path(__file__).parents[2] / "examples"
NOTEBOOKS = sorted(EXAMPLES.glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.name for path in NOTEBOOKS])
def test_a_notebook_is_well_formed_and_kept_without_outputs(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert not any(cell.outputs or cell.execution_count for cell in notebook.cells if cell.cell_type == "code")


def test_the_first_bot_is_trained_and_beats_the_control(tmp_path):
    notebook = nbformat.read(EXAMPLES / "first_bot.ipynb", as_version=4)
    NotebookClient(notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": tmp_path}}).execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    drawn = [output.data["image/svg+xml"] for output in outputs if "image/svg+xml" in output.get("data", {})]
    assert len(drawn) == 2
    assert all(picture.startswith("<svg") for picture in drawn)
    games = [output.data["text/html"] for output in outputs if "text/html" in output.get("data", {})]
    assert len(games) == 1
    assert games[0].count("<img ") == 4
    said = "".join(output.text for output in outputs if output.output_type == "stream")
    # That it beats the control, and no longer does with its weights shuffled, is asserted in the notebook itself.
    for line in ("against a random mover", "against UCT with 400 playouts a move", "with shuffled weights"):
        assert line in said
