#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""How many instructions a law takes for an ACK, counted by valgrind's callgrind.

    selftests/bench/law_cost.py [ACKS]

The replay tool (built with -O2) feeds each law the ACKs of one flow on 100 Gbit/s and
12 us, its delay about the target; the function that digests an ACK is counted with all
it calls. The count is exact and the same every time; it is of user-space code of the
same source, so without tracing, locks and cache misses. Needs valgrind.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOOL = ROOT / "tools" / "replay" / "replay"
BINARY = ROOT / "build" / "replay" / "replay"
ACKS = 10000
MSS, BASE_NS, GAP_NS, FLIGHT = 1000, 12000, 160, 75000     # half of the line
LAWS = {                    # function, columns beside the common ones
    "swift": "mswift_on_ack", "mswift": "mswift_on_ack", "nscc": "nscc_on_ack",
    "mnscc": "nscc_on_ack", "oscar": "oscar_on_ack",
}
TOTAL = re.compile(r"^(?:totals|summary): (\d+)", re.M)


def rows(acks):
    """A flow's ACKs: a sawtooth of 2 us about 18 us."""
    yield "now_ns,sent_ns,delay_ns,base_rtt_ns,srtt_ns,acked_bytes,mss,flight,inflight,line_rate"
    for number in range(acks):
        sent = 10**9 + number * GAP_NS
        delay = 17000 + abs(number % 200 - 100) * 20
        yield (f"{sent + delay},{sent},{delay},{BASE_NS},18000,{MSS},{MSS},{FLIGHT},"
               f"{FLIGHT},12500000000")


def count(law, function, folder, acks):
    """Instructions of all calls together."""
    trace = folder / "acks.csv"
    trace.write_text("\n".join(rows(acks)) + "\n", encoding="ascii")
    out = folder / f"{law}.{acks}"
    done = subprocess.run(
        ["valgrind", "--tool=callgrind", f"--toggle-collect={function}",
         f"--callgrind-out-file={out}", str(BINARY), law, str(trace)],
        capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"law_cost: {law}: {done.stderr.strip().splitlines()[-1]}")
    return int(TOTAL.search(out.read_text(encoding="ascii")).group(1))


def main():
    """The table."""
    acks = int(sys.argv[1]) if len(sys.argv) > 1 else ACKS
    subprocess.run([str(TOOL), "--help"], stdout=subprocess.DEVNULL, check=True)
    print("| law | instructions per ACK |\n|---|---|")
    with tempfile.TemporaryDirectory(prefix="law-cost-") as folder:
        for law, function in LAWS.items():
            print(f"| {law} | {count(law, function, Path(folder), acks) / acks:.0f} |")


if __name__ == "__main__":
    main()
