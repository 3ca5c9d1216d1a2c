# SPDX-License-Identifier: GPL-2.0
"""What to install, where Python modules of others are not there."""

PACKAGES = {"mininet": "apt-get install --no-install-recommends mininet"}   # Debian's


def advice(error):
    """The message for a ModuleNotFoundError."""
    package = error.name.partition(".")[0]
    return (f"the Python package '{package}' is missing"
            + (f"; on Debian: {PACKAGES[package]}" if package in PACKAGES else ""))
