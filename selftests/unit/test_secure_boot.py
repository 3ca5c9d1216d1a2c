#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""scripts/secure-boot.sh: what `make install` says of signatures, on machines made of files."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VARIABLE = "sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"
MODINFO = """#!/bin/sh
case $2 in signer) echo "$SIGNER" ;; sig_key) echo "$SIG_KEY" ;; esac
"""
KEYS = "0a1b2c3d I------     1 perm 1f030000     0     0 asymmetri A key: X509.rsa 9f3c77aa []\n"


class SecureBoot(unittest.TestCase):
    def said(self, files, signer="", key=""):
        """What it says on a machine with these files."""
        with tempfile.TemporaryDirectory() as folder:
            for name, content in {**files, "bin/modinfo": MODINFO}.items():
                path = Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content if isinstance(content, bytes) else content.encode())
            (Path(folder) / "bin/modinfo").chmod(0o755)
            done = subprocess.run(
                [ROOT / "scripts/secure-boot.sh", "x.ko", folder], capture_output=True, text=True,
                check=True, env={"PATH": f"{folder}/bin:{os.environ['PATH']}",
                                 "SIGNER": signer, "SIG_KEY": key})
        self.assertEqual(done.stderr, "")
        return done.stdout

    def on(self, **more):
        return {VARIABLE: b"\6\0\0\0\1",
                "sys/kernel/security/lockdown": "none [integrity] confidentiality\n", **more}

    def test_off(self):
        for files in ({}, {VARIABLE: b"\6\0\0\0\0"},
                      {VARIABLE: b"\6\0\0\0\0", "sys/kernel/security/lockdown":
                       "[none] integrity\n"}):
            self.assertEqual(self.said(files), "Secure Boot is off; modules without a signature"
                             " can be loaded.\n")

    def test_on_and_not_signed(self):
        said = self.said(self.on())
        self.assertIn("Secure Boot is on, this kernel is locked down", said)
        self.assertIn("The modules are not signed.", said)
        self.assertIn("mokutil --import", said)

    def test_signed_with_a_key_nobody_enrolled(self):
        said = self.said(self.on(**{"proc/keys": KEYS}), "me", "11:22:33:44:55:66:77:88")
        self.assertIn("signed by me, with a key that it does not know", said)

    def test_signed_with_an_enrolled_key(self):
        said = self.said(self.on(**{"proc/keys": KEYS}), "me", "01:02:9F:3C:77:AA")
        self.assertIn("signed by me, which it trusts", said)
        self.assertNotIn("rejected", said)

    def test_enforced_without_secure_boot(self):
        said = self.said({"sys/module/module/parameters/sig_enforce": "Y\n"})
        self.assertIn("Secure Boot is off, this kernel loads signed modules only", said)

    def test_make_install_says_it(self):
        text = (ROOT / "Makefile").read_text()
        self.assertRegex(text, r"(?m)^install:(.*\n\t)+.*scripts/secure-boot.sh")


if __name__ == "__main__":
    sys.exit(unittest.main())
