"""The folders in which the program keeps what people have made."""

import os
from pathlib import Path

import platformdirs


def data_folder() -> Path:
    """Return the data folder of the server and the terminal: ``TRISKELE_DATA``, or the system's for this user."""
    named = os.environ.get("TRISKELE_DATA")
    # Without an author: Windows would put a folder of the author's name around it.
    return Path(named) if named else Path(platformdirs.user_data_dir("triskele", appauthor=False))
