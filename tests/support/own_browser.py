"""Exits with 0 when Playwright has a Chromium of its own, else with 1."""

import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

with sync_playwright() as playwright:
    sys.exit(not Path(playwright.chromium.executable_path).is_file())
