#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Does `netcalc collapse` say what the real stack does?

Measures with tools/netcalc/measure-collapse at a few shares q, lets the models
compute the same points, and wants them within 15 % where the models' assumptions
hold: see Documentation/collapse-model.md, which has all shares, and the cases in
which they do not.
"""

import csv
import io
import subprocess
import tempfile
from pathlib import Path

from tap import ROOT, Tap

TOOLS = ROOT / "tools" / "netcalc"
CLOSE = 0.15
SEEDS = 2
COMMAND_S = 900
# Table I needs windows of 4 packets and more; lswift's model does not
CASES = (("reno,dctcp,swift", "1/64,1/128"),
         ("lswift,lswift-flat", "1/4,1/16,1/64"),
         ("mswift", "1/8,1/2,3/4"))
HIDDEN = ("lswift-sacks", "1/64")       # late packets hidden by SACK compression


def command(*words):
    """Its standard output; a failure ends the test with what it said."""
    done = subprocess.run([str(word) for word in words], capture_output=True,
                          text=True, check=False, timeout=COMMAND_S)
    if done.returncode:
        raise RuntimeError(f"{words[0]}: {done.stderr.strip()}")
    return done.stdout


def compare(folder, names, shares):
    """Rows of measured points with the models' values beside them."""
    measured = Path(folder) / "measured.csv"
    command(TOOLS / "measure-collapse", "--out", measured, "--series", names,
            "--q", shares, "--seeds", SEEDS)
    return list(csv.DictReader(io.StringIO(command(TOOLS / "netcalc", "collapse", "--measured", measured))))


def text_of(row):
    """A row for the reader."""
    return (f"measured {float(row['measured_bps']) / 1e9:.3f}, model"
            f" {float(row['throughput_bps']) / 1e9:.3f} Gbit/s ({row['regime']})")


def main():
    """All cases, then one in which the assumptions do not hold."""
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="collapse-") as folder:
        for names, shares in CASES:
            for row in compare(folder, names, shares):
                tap.ok(abs(float(row["measured_of_model"]) - 1) <= CLOSE,
                       f"{row['model']} q={float(row['q']):.4f}: within"
                       f" {CLOSE:.0%} of the model", text_of(row))
        row = compare(folder, *HIDDEN)[0]
        tap.ok(float(row["measured_of_model"]) > 1 + CLOSE,
               "SACK compression hides late packets from lswift: above the model",
               text_of(row))
    tap.finish()


if __name__ == "__main__":
    main()
