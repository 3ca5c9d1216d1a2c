#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Runs one file of Python unit tests and reports them as TAP.

    tap_unittest.py selftests/unit/test_something.py
"""
import importlib.util
import sys
import unittest
from pathlib import Path
from types import ModuleType


class TapResult(unittest.TestResult):
    """One line a test; of a failure also the traceback, as comments."""

    def _line(self, word: str, test: unittest.TestCase, tail: str = "") -> None:
        name = f"{type(test).__name__}.{getattr(test, '_testMethodName', test)}"
        print(f"{word} {self.testsRun} - {name}{tail}", flush=True)

    def _failure(self, test: unittest.TestCase, error) -> None:
        self._line("not ok", test)
        for line in self._exc_info_to_string(error, test).splitlines():
            print(f"# {line}")

    def addSuccess(self, test: unittest.TestCase) -> None:
        self._line("ok", test)

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:
        self._line("ok", test, f" # SKIP {reason}")

    def addFailure(self, test: unittest.TestCase, err) -> None:
        super().addFailure(test, err)
        self._failure(test, err)

    def addError(self, test: unittest.TestCase, err) -> None:
        super().addError(test, err)
        self._failure(test, err)

    def addExpectedFailure(self, test: unittest.TestCase, err) -> None:
        self._line("ok", test, " (fails as expected)")

    def addUnexpectedSuccess(self, test: unittest.TestCase) -> None:
        super().addUnexpectedSuccess(test)
        self._line("not ok", test, " (passes, but was expected to fail)")

    def addSubTest(self, test, subtest, err) -> None:
        super().addSubTest(test, subtest, err)
        if err is not None:
            print(f"not ok - {subtest}")
            for line in self._exc_info_to_string(err, test).splitlines():
                print(f"# {line}")


def load(path: Path) -> ModuleType:
    """Import a file by its path, with its folder on the search path."""
    sys.path.insert(0, str(path.parent))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise SystemExit(f"tap_unittest.py: {path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def main() -> int:
    """Run the tests of the one file named."""
    if len(sys.argv) != 2:
        print("usage: tap_unittest.py FILE", file=sys.stderr)
        return 2
    print("TAP version 13")
    suite = unittest.defaultTestLoader.loadTestsFromModule(load(Path(sys.argv[1]).resolve()))
    print(f"1..{suite.countTestCases()}", flush=True)
    result = TapResult()
    suite.run(result)
    if result.testsRun == 0:
        print("Bail out! no tests in this file")
        return 1
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
