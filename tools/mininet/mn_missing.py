# SPDX-License-Identifier: GPL-2.0
"""What to install, where Python modules of others are not there."""

import sys

PACKAGES = {"mininet": "apt-get install --no-install-recommends mininet"}   # Debian's


def advice(error):
    """The message for a ModuleNotFoundError."""
    package = error.name.partition(".")[0]
    return (f"the Python package '{package}' is missing for {sys.executable}"
            + (f"; on Debian: {PACKAGES[package]}, which is for /usr/bin/python3"
               if package in PACKAGES else ""))
