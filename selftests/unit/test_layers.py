#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""scripts/layers.py: what goes upward in common/ is found."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOP = pathlib.Path(__file__).resolve().parents[2]
LAYERS = TOP / "scripts/layers.py"
TREE = {"common/Kbuild": "tcp_dcc-y := high/a.o high/b.o \\\n\t     low/c.o\n",
        "common/high/a.c": '#include "../low/c.h"\nint c(void);\nint a(void) { return c(); }\n',
        "common/high/b.c": '#include <stddef.h>\nint b(void) { return 2; }\n',
        "common/low/c.c": '#include "c.h"\nint c(void) { return 3; }\n',
        "common/low/c.h": "int c(void);\n"}


class Layers(unittest.TestCase):
    """A small tree, as it should be and with one fault each."""

    def run_on(self, changes, build=True):
        """Exit code and output of the script on the tree with these files instead."""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {**TREE, **changes}.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            for source in pathlib.Path(folder).rglob("*.c") if build else ():
                subprocess.run(["gcc", "-c", "-o", source.with_suffix(".o"), source], check=True)
            done = subprocess.run([sys.executable, LAYERS, folder], capture_output=True,
                                  text=True, check=False)
            return done.returncode, done.stdout + done.stderr

    def test_one_way_is_well(self):
        self.assertEqual(self.run_on({}), (0, "4 files, 3 objects: none goes up\n"))

    def test_a_call_upward_is_named(self):
        for name in ("low/c.c", "high/b.c"):
            with self.subTest(name):
                text = "int a(void);\nint d(void) { return a(); }\nint c(void) { return 3; }\n"
                text = text if name == "low/c.c" else text.replace("c(", "b(")
                self.assertEqual(self.run_on({f"common/{name}": text}), (1, (
                    f"common/{name[:-1]}o needs a of high/a.o, which stands above it\n")))

    def test_a_function_handed_over_counts(self):
        text = "int a(void);\nint (*d)(void) = a;\nint c(void) { return 3; }\n"
        self.assertEqual(self.run_on({"common/low/c.c": text})[0], 1)

    def test_an_include_upward_is_named(self):
        code, said = self.run_on({"common/low/c.h": '#include "../high/b.h"\n',
                                  "common/high/b.h": "int b(void);\n"})
        self.assertEqual((code, said), (1, (
            "common/low/c.h includes high/b.h, which stands above it\n")))

    def test_a_circle_is_named(self):
        guard = "#ifndef H{0}\n#define H{0}\n#include \"{1}.h\"\n#endif\n"
        code, said = self.run_on({"common/low/d.h": guard.format("D", "e"),
                                  "common/low/e.h": guard.format("E", "d")})
        self.assertEqual((code, said), (1, "common/low/d.h includes itself in the end\n"
                                        "common/low/e.h includes itself in the end\n"))

    def test_what_was_not_built_is_said(self):
        code, said = self.run_on({}, build=False)
        self.assertEqual(code, 2)
        self.assertIn("was not built: high/a.o is not there", said)


if __name__ == "__main__":
    unittest.main()
