# SPDX-License-Identifier: GPL-2.0
"""The lab's host side: scenarios in, results out.

    import lablib
    result = lablib.run("scenarios/single.lab", seed=1, sets={"cc": "cubic"})
    print(result["flows"]["f1"]["goodput"])

A scenario is checked and compiled to a plan (scenario, topology, workload,
plan), the plan is carried out by a User Mode Linux guest (runner), and what
the guest wrote becomes one document (results, series, expect).
"""

from .errors import LabError, ProblemsError, RunError
from .scenario import Scenario, load
from .results import Result


def run(path_or_text, seed=None, sets=None, out=None, **options):
    """Run one scenario, given as a path or as its text, and return its Result.

    `out` is the run's directory; without it, a new temporary one is made and
    left (Result.folder). Options: wall (seconds), tools (runner.Tools, to build
    once for many runs), progress (called with ns, flows done, flows).

    The Result is the JSON document, with dict access. Raises ProblemsError if
    the scenario does not check and RunError if the guest failed; a failed
    `expect` is not an error: see Result.failed_expects and Result.exit_code.
    """
    from . import runner
    return runner.run(path_or_text, seed=seed, sets=sets, out=out, **options)


__all__ = ["LabError", "ProblemsError", "Result", "RunError", "Scenario",
           "load", "run"]
