# SPDX-License-Identifier: GPL-2.0
"""Programs of tools/ as the tests run them: with sanitizers, in folders of their own."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD_S = 120


def program(name):
    """Where tools/NAME/NAME is, once it was built."""
    return ROOT / "build" / f"{name}-sanitize" / name


def build(name):
    """Build it; one that cannot be built ends the tests."""
    done = subprocess.run(["make", "-s", "-C", ROOT / "tools" / name, "SANITIZE=1",
                           f"OUT=../../build/{name}-sanitize"],
                          capture_output=True, text=True, check=False, timeout=BUILD_S)
    if done.returncode:
        raise RuntimeError(done.stdout + done.stderr)
