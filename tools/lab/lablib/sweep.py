# SPDX-License-Identifier: GPL-2.0
"""Several values of a variable: `--set cc=a,b` is a run for each."""

import itertools

from .errors import LabError


def _values(name, text):
    """What stands between the commas."""
    values = text.split(",")
    if "" in values or len(set(values)) < len(values):
        raise LabError(f"--set '{name}={text}' has an empty value or one twice; allowed:"
                       f" different ones, like --set {name}=a,b")
    return values


def swept(sets, own):
    """Names of the variables that are given several values.

    One whose value in the scenario itself has a comma is a list: it stays whole.
    """
    return [name for name, text in sets.items() if "," in text and "," not in own.get(name, "")]


def cases(sets, own):
    """What each run sets: all combinations, the last variable changing fastest."""
    names = swept(sets, own)
    choices = [_values(name, sets[name]) for name in names]
    return [{**sets, **dict(zip(names, chosen))} for chosen in itertools.product(*choices)]
