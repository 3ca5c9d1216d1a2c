#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""House rules that no other tool checks.

    style.py RULE FILE...

Rules: spdx, c-functions, python, version. Prints what breaks the rule, one
finding a line, and exits 1 if there is one.
"""
import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

LONGEST_FUNCTION = 70  # lines between the braces
SPDX_WITHIN = 5        # lines from the top of a file


def find_spdx(path: Path) -> Iterator[str]:
    """Every file names its licence at the top."""
    with path.open(errors="replace") as file:
        head = [line for _, line in zip(range(SPDX_WITHIN), file)]
    if head and not any("SPDX-License-Identifier:" in line for line in head):
        yield f"{path}:1: no SPDX-License-Identifier in the first {SPDX_WITHIN} lines"


def find_long_c_functions(path: Path) -> Iterator[str]:
    """In kernel style a function's braces stand alone in the first column."""
    start = 0
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.startswith("{"):
            start = number
        elif line.startswith("}") and start:
            length = number - start - 1
            if length > LONGEST_FUNCTION:
                yield (f"{path}:{start}: function of {length} lines,"
                       f" allowed: {LONGEST_FUNCTION}")
            start = 0


def find_python(path: Path) -> Iterator[str]:
    """Python parses, and its functions are short."""
    try:
        tree = ast.parse(path.read_text(), str(path))
    except SyntaxError as error:
        yield f"{path}:{error.lineno}: {error.msg}"
        return
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            length = (node.end_lineno or node.lineno) - node.lineno
            if length > LONGEST_FUNCTION:
                yield (f"{path}:{node.lineno}: {node.name}() of {length} lines,"
                       f" allowed: {LONGEST_FUNCTION}")


def find_version(path: Path) -> Iterator[str]:
    """Features are probed; only the compat files may know versions."""
    if path.parts[-3:-1] == ("common", "ctl") and path.name.startswith("dcc_compat"):
        return
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if re.search(r"LINUX_VERSION_CODE|\bKERNEL_VERSION\s*\(", line):
            yield f"{path}:{number}: kernel version outside common/ctl/dcc_compat*"


RULES = {
    "spdx": find_spdx,
    "c-functions": find_long_c_functions,
    "python": find_python,
    "version": find_version,
}


def main(arguments: list[str]) -> int:
    """Apply one rule to all files."""
    if not arguments or arguments[0] not in RULES:
        print(f"usage: style.py {'|'.join(RULES)} FILE...", file=sys.stderr)
        return 2
    rule = RULES[arguments[0]]
    try:
        findings = [text for name in arguments[1:] for text in rule(Path(name))]
    except (OSError, UnicodeDecodeError) as error:
        print(f"style.py: {error}", file=sys.stderr)
        return 2
    print(*findings, sep="\n", end="\n" if findings else "")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
