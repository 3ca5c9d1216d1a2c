#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""tools/replay: algorithms do what was computed by hand, recordings are judged, errors told.

What the reference does is computed here in picoseconds and real numbers from its
published rules (reference()), not by the algorithm. With recordings of the reference in
$DCC_GOLDEN, or in shared/golden/nscc beside the project, all of them are replayed.
"""

import csv
import io
import itertools
import math
import os
import random
import re
import subprocess
import tempfile
import unittest
from fractions import Fraction
from pathlib import Path

import sanitized

ROOT = Path(__file__).resolve().parents[2]
TOOL = ROOT / "tools" / "replay"
EXAMPLES = TOOL / "examples"
BINARY = sanitized.program("replay")
GOLDEN = Path(os.environ.get("DCC_GOLDEN") or ROOT.parent / "shared" / "golden" / "nscc")
ALGS = ("swift", "lswift", "mswift", "nscc", "mnscc", "oscar", "prioplus", "prioplus_ledbat",
        "ledbat")
TIMEOUT_S = 120

# The recorded network, in ps, bytes and bytes per ps.
RTT, TARGET, MTU, MSS = 14022720, 10517040, 4150, 4086
RATE = 100e9 / 8 / 1e12
SCALE = RTT * RATE / 150000
GOLDEN_SET = ("--set", f"target_qdelay_ps={TARGET}")
# Flow scaling needs a range of windows: without one the target is easily computed.
FLAT = ("--set", "fs_min=1000", "--set", "fs_max=1000")
BDP_1 = ("--set", "network_rtt_ns=12000")
# The network of oscar's examples.
OSCAR_SET = ("--set", "line_rate_mbps=100000", "--set", "base_rtt_ns=12000")
BATCH = {"line_rate_mbps": 100000, "base_rtt_ns": 12178, "target_ns": 18178, "tau_ns": 5000,
         "mss": 1060}
# The network of prioplus' examples and golden vectors.
CHANNEL_SET = ("--set", "line_rate_mbps=100000", "--set", "base_rtt_ns=12178")
BATCH_COLUMNS = ("n", "span_ns", "delay_ns", "gradient", "inflight_pkts", "rate_bps", "u")

PARTS = ("cwnd", "avg_delay_ps", "inc_bytes", "received", "achieved", "fi_count",
         "increase", "trigger_qa", "qa_end_ps", "to_ignore", "ignored",
         "last_dec_ps", "last_adj_ps")
EVENT = ("type", "now_ps", "flow", "ecn", "delay_ps", "bytes", "in_flight",
         "base_rtt_ps", "maxwnd")
PLAIN_ROW = {
    "type": "A", "now_ps": 1000000000, "flow": 1, "ecn": 0, "delay_ps": 5000000,
    "bytes": 4150, "in_flight": 120350, "base_rtt_ps": RTT, "maxwnd": 262926,
    "pre_cwnd": 124500, "pre_avg_delay_ps": 8000000, "pre_inc_bytes": 1000000,
    "pre_received": 8300, "pre_achieved": 124500, "pre_fi_count": 0, "pre_increase": 0,
    "pre_trigger_qa": 0, "pre_qa_end_ps": 1010000000, "pre_to_ignore": 0,
    "pre_ignored": 8300, "pre_last_dec_ps": 900000000, "pre_last_adj_ps": 990000000,
}
HIGH = {"ecn": 1, "delay_ps": 20000000, "pre_avg_delay_ps": 15000000}
FULL = {"pre_received": 8 * MTU + 4150}
OVER = {"pre_qa_end_ps": 999999999, "pre_achieved": 20000}
STALE = {"pre_to_ignore": 60000}
# What each line of examples/nscc-recorded.csv shows.
SHOWN = (
    ("proportional", {}),
    ("proportional+fulfil", FULL),
    ("proportional+fulfil", {**FULL, "pre_last_adj_ps": 1000000000 - RTT}),
    ("fair", {"delay_ps": 12000000}),
    ("proportional", {"delay_ps": 40000, "pre_fi_count": 4150}),
    ("fast", {"delay_ps": 40000, "pre_fi_count": 122000}),
    ("fast+fulfil", {"delay_ps": 0, "pre_increase": 1, **FULL}),
    ("proportional", {"delay_ps": 1000000, "pre_increase": 1, "pre_fi_count": 4150}),
    ("decrease", HIGH),
    ("wait", {**HIGH, "pre_last_dec_ps": 990000000}),
    ("wait", {**HIGH, "pre_avg_delay_ps": 10000000, "pre_fi_count": 4150,
              "pre_increase": 1}),
    ("decrease", {**HIGH, "delay_ps": 30000000, "pre_avg_delay_ps": 100000000}),
    ("noop", {"ecn": 1}),
    ("noop+fulfil", {"ecn": 1, "pre_last_adj_ps": 980000000}),
    ("noop+fulfil", {"ecn": 1, "pre_last_adj_ps": 980000000, "bytes": 0,
                     "pre_received": 0}),
    ("ignored", {**HIGH, **STALE}),
    ("proportional", STALE),
    ("proportional+period", {"pre_qa_end_ps": 0}),
    ("proportional+period", {**OVER, "pre_achieved": 262926 // 8 + 1,
                             "pre_trigger_qa": 1}),
    ("proportional+period", {**OVER, "pre_achieved": 262926 // 8, "pre_trigger_qa": 1}),
    ("quick_adapt+period", {**OVER, "pre_achieved": 262926 // 8 - 1, "pre_trigger_qa": 1}),
    ("quick_adapt+period", {**OVER, "pre_achieved": 1000, "pre_trigger_qa": 1}),
    ("proportional+period", OVER),
    ("quick_adapt+period", {**OVER, "pre_trigger_qa": 1}),
    ("quick_adapt+period", {**OVER, "delay_ps": 4 * TARGET + 4000, "pre_achieved": 4150}),
    ("fair+period", {**OVER, "delay_ps": 4 * TARGET - 4000}),
    ("loss", {"type": "N", "ecn": 1}),
    ("loss", {"type": "N", "ecn": 1, "pre_cwnd": 5000}),
    ("ignored", {"type": "N", "ecn": 1, **STALE}),
    ("quick_adapt+period", {"type": "N", "ecn": 1, **OVER}),
    ("loss+period", {"type": "N", "ecn": 1, **OVER, "pre_achieved": 100000}),
)


def setUpModule():
    sanitized.build("replay")


def replay(*words, text=None):
    """Run the program; its exit status, output and errors."""
    return subprocess.run([BINARY, *words], input=text, capture_output=True, text=True,
                          check=False, timeout=TIMEOUT_S)


def rows_of(text):
    """A CSV text as dictionaries."""
    return list(csv.DictReader(line for line in io.StringIO(text)
                               if not line.startswith("#")))


def clamp(value, row):
    """A window within its limits."""
    return min(max(int(value), MTU), row["maxwnd"])


def quick_adapt(row, s):
    """The reference's quick adapt; True: nothing else is done."""
    loss = row["type"] == "N"
    if s["ignored"] < s["to_ignore"] and row["ecn"]:
        done = True
    else:
        done = False
        if row["now_ps"] > s["qa_end_ps"]:
            reason = s["trigger_qa"] or loss or row["delay_ps"] > 4 * TARGET
            if s["qa_end_ps"] and reason and s["achieved"] < row["maxwnd"] >> 3:
                s.update(cwnd=max(s["achieved"], MTU), to_ignore=row["in_flight"],
                         ignored=0, trigger_qa=0)
                done = True
            s.update(achieved=0, qa_end_ps=row["now_ps"] + row["base_rtt_ps"] + TARGET)
    if done:
        s.update(inc_bytes=0, received=0)
    return done


def unmarked(row, s):
    """The two quadrants without ECN."""
    worth = MSS * SCALE * row["bytes"]
    if row["delay_ps"] >= TARGET:
        s["inc_bytes"] += int(5 * worth)
        return
    if row["delay_ps"] < 1000000:
        s["fi_count"] += row["bytes"]
        if s["fi_count"] > s["cwnd"] or s["increase"]:
            s["cwnd"] = int(s["cwnd"] + row["bytes"] * 0.25 * SCALE)
            s["increase"] = 1
            return
    else:
        s["fi_count"] = 0
    s["increase"] = 0
    s["inc_bytes"] += int(4 * worth * (TARGET - row["delay_ps"]) / 12e6)


def marked(row, s):
    """The quadrant with ECN that does something."""
    if row["delay_ps"] < TARGET:
        return
    s.update(increase=0, fi_count=0)
    late = row["now_ps"] - s["last_dec_ps"] > row["base_rtt_ps"]
    if s["avg_delay_ps"] > TARGET and late:
        cut = 0.8 * (s["avg_delay_ps"] - TARGET) / s["avg_delay_ps"]
        s.update(cwnd=int(s["cwnd"] * max(1 - cut, 0.5)), last_dec_ps=row["now_ps"])


def fulfil(row, s):
    """Increases take effect."""
    since = row["now_ps"] - s["last_adj_ps"]
    if s["received"] <= 8 * MTU and since <= RTT:
        return
    s["cwnd"] += s["inc_bytes"] // s["cwnd"]
    if since >= RTT:
        s.update(cwnd=int(s["cwnd"] + 0.15 * MSS * SCALE), last_adj_ps=row["now_ps"])
    s.update(inc_bytes=0, received=0)


def reference(row):
    """What the reference's rules make of a row: its post_ columns."""
    s = {part: row[f"pre_{part}"] for part in PARTS}
    if row["type"] == "N":
        s["ignored"] += row["bytes"]
        s["avg_delay_ps"] = int(0.9875 * s["avg_delay_ps"] + 0.0125 * RTT)
        s["trigger_qa"] = 1
    if not quick_adapt(row, s):
        if row["type"] == "N":
            s["cwnd"] -= row["bytes"]
        else:
            (marked if row["ecn"] else unmarked)(row, s)
            s["cwnd"] = clamp(s["cwnd"], row)
            fulfil(row, s)
        s["cwnd"] = clamp(s["cwnd"], row)
    return {f"post_{part}": value for part, value in s.items()}


def recorded(*changes):
    """Rows as the reference would have recorded them."""
    rows = [{**PLAIN_ROW, **change} for change in changes]
    return [{**row, **reference(row)} for row in rows]


def as_text(rows):
    """Rows as a recording."""
    names = [*EVENT, *(f"pre_{p}" for p in PARTS), *(f"post_{p}" for p in PARTS)]
    lines = [",".join(names)]
    lines += [",".join(str(row[name]) for name in names) for row in rows]
    return "\n".join(lines) + "\n"


def judge(rows, *words):
    """Replay rows as a recording."""
    return replay("nscc", "--recorded", "-", *GOLDEN_SET, *words, text=as_text(rows))


class Plain(unittest.TestCase):
    """Plain mode, against numbers computed by hand."""

    def run_file(self, alg, name, *words):
        """The rows that come of an example."""
        done = replay(alg, str(EXAMPLES / name), *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return rows_of(done.stdout)

    def check(self, rows, wanted, within=0.001):
        """Branch and window (bytes, within a share of it) of each row."""
        self.assertEqual([row["branch"] for row in rows], [want[0] for want in wanted])
        for row, (_, cwnd) in zip(rows, wanted):
            self.assertAlmostEqual(float(row["cwnd_bytes"]), cwnd, delta=cwnd * within,
                                   msg=str(row))

    def test_swift(self):
        """10 + 1/10; 0.8 * (90 - 45)/90 = 0.4 off; half on a recovery and on a timeout."""
        rows = self.run_file("swift", "swift.csv", *FLAT)
        self.check(rows, [("increase", 10100), ("hold", 10100), ("decrease", 6060),
                          ("wait", 6060), ("loss", 3030), ("increase", 3030),
                          ("hold", 3030), ("", 1515), ("", 1515)])
        self.assertEqual({row["target_ns"] for row in rows[:7]}, {"45000"})
        self.assertEqual(rows[7]["event"], "rto")
        self.assertEqual(rows[7]["post_rto_run"], "1")

    def test_lswift_cuts_on_five_in_a_row_only(self):
        rows = self.run_file("lswift", "swift.csv", *FLAT)
        self.check(rows, [("increase", 10100), ("hold", 10100), ("decrease", 6060),
                          ("wait", 6060), ("increase", 6060), ("loss", 3030),
                          ("hold", 3030), ("", 1515), ("", 1515)])

    def test_mswift_acts_on_the_median(self):
        """0.8 * (90 - 45)/90 = 0.4 off; 1/64 of the delay is 0.8 * 45/90/64 of the window."""
        rows = self.run_file("mswift", "mswift.csv", *FLAT)
        self.check(rows, [("increase", 10100), ("decrease", 6000), ("decrease", 6000),
                          ("increase", 10100)], within=0.0104)
        self.assertEqual([row["post_history_count"] for row in rows], ["5", "5", "5", "3"])
        for row, delay in zip(rows, (20000, 90000, 90000, 20000)):
            self.assertAlmostEqual(int(row["delay_ns"]), delay, delta=delay / 64)

    def test_mswift_forgets_when_idle(self):
        rows = self.run_file("mswift", "swift.csv", *FLAT)
        self.assertEqual((rows[8]["event"], rows[8]["post_history_count"]), ("idle", "0"))

    def test_nscc(self):
        """a = 1: 4 MSS bytes / 2, 5 MSS bytes, bytes / 4, 0.8 * (24 - 12)/24 = 0.4 off."""
        rows = self.run_file("nscc", "nscc.csv", *BDP_1)
        self.check(rows, [
            ("proportional", 100000), ("fair", 100000), ("fast", 101000),
            ("decrease", 60000), ("wait", 100000), ("noop", 100000), ("ignored", 100000),
            ("quick_adapt+period", 12000), ("noop+fulfil", 100100), ("noop+loss", 96000),
            ("", 96000)])
        self.assertEqual([row["post_inc"] for row in rows[:2]], ["32000000", "80000000"])
        self.assertEqual(rows[6]["post_to_ignore"], "46000")
        self.assertEqual((rows[7]["post_to_ignore"], rows[7]["post_inc"]), ("96000", "0"))
        self.assertEqual(rows[7]["post_qa_end_ns"], "1024000")
        self.assertEqual(rows[9]["post_trigger"], "1")

    def test_mnscc_acts_on_the_median(self):
        rows = self.run_file("mnscc", "mnscc.csv", *BDP_1)
        self.check(rows, [("proportional", 100000), ("fair", 100000)])
        self.assertEqual(rows[0]["post_inc"], str(4 * 4000 * 4000 * 9000 // 12000))

    def test_nscc_starts_with_the_largest_window(self):
        """1.5 * 12 us * 100 Gbit/s = 225000 B: 155 whole packets; else 10 packets."""
        text = "now_ns,delay_ns,ce,line_rate,cwnd_limited\n5,12000,1,12500000000,0\n"
        for words, packets in ((BDP_1, "155.0000"), ((), "10.0000"),
                               (("--set", "init_cwnd=20"), "20.0000")):
            with self.subTest(words):
                rows = rows_of(replay("nscc", "-", *words, text=text).stdout)
                self.assertEqual(rows[0]["cwnd_packets"], packets)

    def test_nscc_timeout_takes_what_it_gave_up(self):
        """`losses` packets of 1000 B; without a number it is one, and one is left."""
        cells = "rto,{},,1000,10000,2560000,{}\n"
        head = "event,now_ns,delay_ns,mss,base_rtt_ns,pre_cwnd"
        rows = rows_of(replay("nscc", "-", text=f"{head}\nrto,1,,1000,10000,2560000\n").stdout)
        self.assertEqual(rows[0]["cwnd_bytes"], "9000.000")
        text = head + ",losses\n" + "".join(
            cells.format(i, n) for i, n in enumerate(("", 0, 1, 3, 8, 9, 10, 4294967295)))
        rows = rows_of(replay("nscc", "-", text=text).stdout)
        self.assertEqual([int(float(row["cwnd_bytes"])) for row in rows],
                         [9000, 10000, 9000, 7000, 2000, 1000, 1000, 1000])
        self.assertEqual({row["branch"] for row in rows}, {""})

    def test_losses_of_an_ack_are_none_unless_told(self):
        text = ("now_ns,delay_ns,mss,base_rtt_ns,line_rate,losses\n"
                "1,20000,1000,10000,12500000000,\n2,20000,1000,10000,12500000000,1\n")
        rows = rows_of(replay("nscc", "-", text=text).stdout)
        self.assertNotIn("loss", rows[0]["branch"])
        self.assertIn("loss", rows[1]["branch"])

    def test_nscc_is_reno_where_the_line_rate_is_unknown(self):
        text = ("now_ns,delay_ns,mss,base_rtt_ns,pre_cwnd,line_rate\n"
                "1,13000,1000,12000,2560000,0\n2,13000,1000,12000,,12500000000\n")
        rows = rows_of(replay("nscc", "-", "--set", "slow_start=off", text=text).stdout)
        self.assertEqual([row["branch"] for row in rows], ["reno", "proportional+period"])
        self.assertEqual([row["post_reno"] for row in rows], ["1", "0"])
        self.assertAlmostEqual(float(rows[0]["cwnd_bytes"]), 11000, delta=1)

    def test_defaults(self):
        """One packet of 1448 bytes, the least delay is the base, columns in any order."""
        rows = rows_of(replay("swift", "-", *FLAT,
                              text="delay_ns,now_ns\n30000,1\n60000,2\n,3\n").stdout)
        self.assertEqual([row["target_ns"] for row in rows], ["55000"] * 3)
        self.assertEqual([row["branch"] for row in rows], ["increase", "decrease", "hold"])
        self.assertAlmostEqual(float(rows[0]["cwnd_bytes"]), 10.1 * 1448, delta=1)

    def test_state_is_loaded_and_kept(self):
        """An empty cell keeps what the row before left; --state shows both ends."""
        text = ("now_ns,delay_ns,cwnd_limited,pre_cwnd,pre_rto_run\n"
                "1,30000,0,2097152,3\n2,30000,0,,\n")
        rows = rows_of(replay("swift", "-", "--state", text=text).stdout)
        self.assertEqual([row["pre_cwnd"] for row in rows], ["2097152"] * 2)
        self.assertEqual(rows[1]["cwnd_packets"], "2.0000")
        self.assertEqual(rows[0]["post_rto_run"], "0")

    def test_knobs_are_the_modules(self):
        """--set changes the algorithm; --knobs lists what the algorithm has."""
        text = "now_ns,delay_ns\n1,30000\n"
        rows = rows_of(replay("swift", "-", "--set", "ai=2000", text=text).stdout)
        self.assertEqual(rows[0]["cwnd_packets"][:5], "10.19")
        for alg, has, has_not in (("mswift", "percentile", "qa_gate"),
                                  ("swift", "ai", "percentile"),
                                  ("mnscc", "history", "percentile"),
                                  ("nscc", "qa_gate", "history")):
            with self.subTest(alg):
                knobs = {line.split()[0] for line in replay(alg, "--knobs").stdout.splitlines()}
                self.assertIn(has, knobs)
                self.assertNotIn(has_not, knobs)

    def test_columns_lists_what_is_read(self):
        """Every column listed is accepted."""
        for alg in ALGS:
            with self.subTest(alg):
                names = [line.split()[0] for line in
                         replay(alg, "--columns").stdout.splitlines()[1:]]
                cells = ["5" if name == "now_ns" else "" for name in names]
                done = replay(alg, "-", text=",".join(names) + "\n" + ",".join(cells) + "\n")
                self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_what_the_kernel_decided_is_printed_beside(self):
        """Verbatim, in the order of the list, and without effect."""
        text = "now_ns,was_gradient,delay_ns,was_branch\n{}\n"
        done = replay("swift", "-", text=text.format("1000,-3,500,decrease+x"))
        without = replay("swift", "-", text="now_ns,delay_ns\n1000,500\n")
        row, = rows_of(done.stdout)
        self.assertEqual((row.pop("was_branch"), row.pop("was_gradient")), ("decrease+x", "-3"))
        self.assertEqual([row], rows_of(without.stdout))
        self.assertIn("unknown column 'was_other'", replay(
            "swift", "-", text="now_ns,delay_ns,was_other\n1,1,1\n").stderr)

    def test_wrapper_builds_and_runs(self):
        """The command as the documentation prints it, from another folder."""
        done = subprocess.run([TOOL / "replay", "swift", EXAMPLES / "swift.csv"], cwd="/",
                              capture_output=True, text=True, check=False, timeout=TIMEOUT_S)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(rows_of(done.stdout)), 9)

    def test_of_a_flow_that_begins(self):
        """Nothing is left of the one before; mswift has room for few delays, kept as they are."""
        text = ("event,now_ns,delay_ns,base_rtt_ns,small\n"
                "begin,1000000,0,,\nack,2000000,1945045,1800000,0\nack,4000000,1845045,1800000,0\n"
                "begin,5000000,0,,\nack,6000000,1945045,1800000,0\nack,8000000,1845045,1800000,0\n")
        for small, delay in (("0", "1946569"), ("1", "1945045")):
            done = replay("mswift", "-", text=text.replace(",0\n", f",{small}\n"))
            rows = rows_of(done.stdout)
            self.assertEqual([row["event"] for row in rows], ["begin", "ack", "ack"] * 2)
            parts = ("cwnd_bytes", "delay_ns", "target_ns", "branch", "post_history_count")
            self.assertEqual([[row[part] for part in parts] for row in rows[:3]],
                             [[row[part] for part in parts] for row in rows[3:]])
            self.assertEqual(rows[1]["delay_ns"], delay)

    def test_of_each_alg_that_begins(self):
        """As alone in a file: no delay, base RTT or history of the flow before."""
        head = "event,now_ns,delay_ns\n"
        first = "begin,1000000,0\nack,2000000,10000\nack,2100000,11000\n"
        second = "begin,1000000000,0\nack,1000100000,50000\nack,1000200000,60000\n"
        for alg in ("swift", "lswift", "mswift", "nscc", "mnscc", "oscar", "prioplus",
                    "prioplus_ledbat", "ledbat"):
            with self.subTest(alg):
                options = ("--state", "--set", "line_rate_mbps=10000")
                both = rows_of(replay(alg, "-", *options, text=head + first + second).stdout)
                alone = rows_of(replay(alg, "-", *options, text=head + second).stdout)
                both, alone = ([{name: cell for name, cell in row.items()
                                 if name != "row" and not name.startswith("pre_")}
                                for row in rows] for rows in (both, alone))
                self.assertEqual(both[3:], alone)


class Recorded(unittest.TestCase):
    """Recorded mode, against rows from the reference's rules."""

    def assert_sums(self, done, rows, mismatches, ties):
        """The last line and the exit status."""
        self.assertEqual(done.stdout.splitlines()[-1],
                         f"rows {rows} mismatches {mismatches} ties {ties}",
                         done.stdout + done.stderr)
        self.assertEqual(done.returncode, 1 if mismatches else 0)

    def test_example_is_the_reference(self):
        """The file's post_ columns are those of reference(), so no algorithm made them."""
        wanted = [{k: str(v) for k, v in row.items()}
                  for row in recorded(*(change for _, change in SHOWN))]
        self.assertEqual(rows_of((EXAMPLES / "nscc-recorded.csv").read_text()), wanted)

    def test_example_agrees(self):
        done = replay("nscc", "--recorded", str(EXAMPLES / "nscc-recorded.csv"), *GOLDEN_SET)
        self.assert_sums(done, len(SHOWN), 0, 0)

    def test_branches_by_name(self):
        """Algorithm and recording name the same branch for each row of the example."""
        done = replay("nscc", "--recorded", str(EXAMPLES / "nscc-recorded.csv"), "--state",
                      *GOLDEN_SET)
        rows = rows_of("\n".join(done.stdout.splitlines()[:-1]))
        for column in ("branch", "recorded_branch"):
            self.assertEqual([row[column] for row in rows], [want for want, _ in SHOWN])

    def test_planted_mismatches_are_found(self):
        """One part of the state off by little in one row: that row is named."""
        plant = {"cwnd": 30, "avg_delay_ps": 3000, "inc_bytes": 10**5, "received": 1,
                 "achieved": 1, "fi_count": 1, "increase": 1, "trigger_qa": 1,
                 "qa_end_ps": 4000, "last_dec_ps": 2000, "last_adj_ps": 2000}
        for part, by in plant.items():
            with self.subTest(part):
                rows = recorded({}, {}, {})
                rows[1][f"post_{part}"] += by
                done = judge(rows)
                self.assert_sums(done, 3, 1, 0)
                self.assertIn("stdin:3: row 2 (A): ", done.stdout)
                if part not in ("increase", "qa_end_ps", "last_dec_ps"):
                    self.assertIn(f"post_{part}: expected {rows[1][f'post_{part}']}, got",
                                  done.stdout)

    def test_planted_branches_are_found(self):
        """A recording that took another way."""
        for want, change, lie in (
                ("decrease", HIGH, {"post_last_dec_ps": 900000000}),
                ("proportional", {}, {"post_increase": 1}),
                ("proportional+fulfil", FULL, {"post_received": 4150}),
                ("quick_adapt+period", {**OVER, "pre_trigger_qa": 1}, {"post_ignored": 5}),
                ("noop", {"ecn": 1}, {"post_qa_end_ps": 5})):
            with self.subTest(want):
                rows = recorded(change)
                rows[0].update(lie)
                done = judge(rows)
                self.assert_sums(done, 1, 1, 0)
                self.assertRegex(done.stdout, rf"branch: expected \S+, got {want.replace('+', '.')}")

    def test_a_wrong_constant_is_found(self):
        """The constants and knobs matter: each changed one makes rows differ."""
        path = str(EXAMPLES / "nscc-recorded.csv")
        for text in ("network_rtt_ps=28000000", "linkspeed_bps=400000000000", "mtu=9000",
                     "mss=2000", "gamma=700", "qa_gate=2", "fi=4000", "alpha=3000",
                     "eta=300", "fi_scale=500", "delay_gain=500", "adjust_mtus=1",
                     "quick_adapt=off", "qa_threshold=1000", "fast_eps_ns=5"):
            with self.subTest(text):
                done = replay("nscc", "--recorded", path, *GOLDEN_SET, "--set", text)
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)

    def test_tolerance_of_the_window(self):
        """2 bytes or 1/10000 are nothing, more is a mismatch."""
        for cwnd, by, mismatches in ((10000, 2, 0), (10000, 3, 1), (100000, 10, 0),
                                     (100000, 11, 1), (100000, -9, 0), (100000, -11, 1)):
            with self.subTest(cwnd=cwnd, by=by):
                rows = recorded({"pre_cwnd": cwnd, "ecn": 1})
                rows[0]["post_cwnd"] += by
                self.assert_sums(judge(rows), 1, mismatches, 0)

    def test_ties_are_listed_and_counted(self):
        """1 ps below the target, and 1 ps more than a base RTT since the last cut."""
        rows = recorded({"delay_ps": TARGET - 1}, {},
                        {**HIGH, "now_ps": 1000000999,
                         "pre_last_dec_ps": 1000000998 - RTT})
        done = judge(rows)
        self.assert_sums(done, 3, 0, 2)
        ties = done.stdout.splitlines()[:-1]
        self.assertIn("row 1 (A): tie: branch: expected proportional, got fair", ties[0])
        self.assertIn("target_qdelay_ps rounded up", ties[0])
        self.assertIn("row 3 (A): tie: branch: expected decrease, got wait", ties[1])

    def test_a_tie_excuses_nothing_else(self):
        """A row that no rounding explains stays a mismatch."""
        rows = recorded({"delay_ps": TARGET - 1})
        rows[0]["post_cwnd"] += 100
        self.assert_sums(judge(rows), 1, 1, 0)

    def test_32_bits_are_told_from_mistakes(self):
        """inc_bytes cut to 32 bits, before and as it takes effect."""
        for change, part in (({"pre_inc_bytes": 2**32 - 10}, "inc_bytes"),
                             ({"pre_inc_bytes": 2**32 - 10, **FULL}, "cwnd")):
            with self.subTest(part):
                rows = recorded(change)
                name = f"post_{part}"
                rows[0][name] -= 2**32 if part == "inc_bytes" else 2**32 // 124500
                done = judge(rows)
                self.assert_sums(done, 1, 0, 0)
                self.assertIn(f"wrap: {name}", done.stdout)
                self.assertIn("\nwraps 1\n", done.stdout)
                rows[0][name] += 10**6
                self.assert_sums(judge(rows), 1, 1, 0)

    def test_many_mismatches_are_counted(self):
        rows = recorded(*[{}] * 50)
        for row in rows:
            row["post_received"] += 1
        done = judge(rows)
        self.assert_sums(done, 50, 50, 0)
        self.assertIn("and 30 rows more that differ", done.stdout)


class Golden(unittest.TestCase):
    """All recordings of the reference that are at hand."""

    def test_every_recording(self):
        files = sorted(GOLDEN.glob("*.csv")) if GOLDEN.is_dir() else []
        if not files:
            self.skipTest("no recordings: neither in $DCC_GOLDEN nor in"
                          " shared/golden/nscc beside the project")
        for path in files:
            with self.subTest(path.name):
                done = replay("nscc", "--recorded", str(path), *GOLDEN_SET)
                count = len(rows_of(path.read_text()))
                self.assertRegex(done.stdout.splitlines()[-1],
                                 rf"^rows {count} mismatches 0 ties \d+$", done.stderr)
                self.assertEqual(done.returncode, 0, done.stdout[-2000:])


def batch_set(constants):
    """Constants and knobs as words of the command line."""
    return [word for name, value in constants.items() for word in ("--set", f"{name}={value}")]


def table(rows):
    """Rows as a file."""
    return "\n".join([",".join(rows[0]), *(",".join(row.values()) for row in rows), ""])


def batches(text, constants):
    """Rows of batches mode."""
    return replay("oscar", "--batches", "-", *batch_set(constants), text=text)


def nearest(value):
    """A fraction to the nearest whole number, halves up."""
    return (2 * value.numerator + value.denominator) // (2 * value.denominator)


def next_share(row, constants):
    """u after a batch, exactly, from the rules in oscar.h."""
    micro, base = Fraction(1, 1000000), constants["base_rtt_ns"]
    u_ai, u_hai, u_min = (constants.get(name, value) * micro for name, value in
                          (("u_ai", 1000), ("u_hai", 10000), ("u_min", 1000)))
    target = constants.get("target_ns") or Fraction(3 * base, 2).__floor__()
    tau = constants.get("tau_ns") or base // 2
    bits_per_ns = Fraction(constants["line_rate_mbps"], 1000)
    gradient, share = Fraction(row["gradient"]), Fraction(row["u"])
    delay = int(row["delay_ns"])
    if int(row["n"]) < 3:
        return share
    if delay <= base + constants.get("eps_ns", 1000):
        share += u_hai
    else:
        by_window = (int(row["inflight_pkts"]) * constants.get("mss", 1448) * 8
                     / (delay * bits_per_ns))
        by_rate = (Fraction(row["rate_bps"]) / 10**9
                   / ((1 + max(gradient, Fraction(-9, 10))) * bits_per_ns))
        if int(row["span_ns"]) > 3 * tau:
            share = by_window
        elif delay < target - constants.get("target_slack_ns", 500):
            share = max(by_window, by_rate)
        else:
            share = min(by_window, by_rate)
        share += u_ai
    return min(max(share, u_min), Fraction(1))


class Batches(unittest.TestCase):
    """Closed batches of oscar, against exact fractions."""

    def assert_exact(self, rows, constants):
        """Share to the sixth decimal, window and pacing to the byte and bit."""
        done = batches(table(rows), constants)
        self.assertEqual(done.stderr, "")
        got = rows_of(done.stdout)
        self.assertEqual(len(got), len(rows))
        base = constants["base_rtt_ns"]
        target = constants.get("target_ns") or Fraction(3 * base, 2).__floor__()
        bytes_per_ns = Fraction(constants["line_rate_mbps"], 8000)
        for row, after in zip(rows, got):
            with self.subTest(row):
                share = next_share(row, constants)
                self.assertEqual({name: after[name] for name in BATCH_COLUMNS}, row)
                millionths = nearest(share * 1000000)
                self.assertEqual(after["u_after"],
                                 f"{millionths // 1000000}.{millionths % 1000000:06}")
                window = min(share * target, Fraction(base)) * bytes_per_ns
                self.assertLess(abs(int(after["cwnd_bytes"]) - window), Fraction(51, 100))
                pacing = share * constants["line_rate_mbps"] * 1000000
                self.assertLess(abs(int(after["pacing_bps"]) - pacing), Fraction(51, 100))

    def test_golden_vectors(self):
        """The four of the authors' artifact, to the last digit they have."""
        done = replay("oscar", "--batches", str(EXAMPLES / "oscar-batches.csv"), *batch_set(BATCH))
        self.assertEqual([row["u_after"] for row in rows_of(done.stdout)][:4],
                         ["0.504762", "0.142333", "0.013720", "0.910000"])

    def test_example_is_exact(self):
        """The whole of the example file."""
        self.assert_exact(rows_of((EXAMPLES / "oscar-batches.csv").read_text()), BATCH)

    def test_random_batches(self):
        """All magnitudes of everything, on networks of all speeds."""
        draw = random.Random(4)
        for _ in range(40):
            base = int(10 ** draw.uniform(3, 8))
            constants = {"line_rate_mbps": draw.choice((10, 1000, 25000, 100000, 800000, 4000000)),
                         "base_rtt_ns": base, "mss": draw.choice((1000, 1060, 1448, 8948)),
                         "u_ai": draw.choice((0, 1000, 1200, 50000)),
                         "u_min": draw.choice((1, 1000, 30000))}
            if draw.random() < 0.5:
                constants |= {"target_ns": base + draw.randrange(2 * base), "tau_ns": base // 3}
            self.assert_exact([self.random_row(draw, constants) for _ in range(250)], constants)

    @staticmethod
    def random_row(draw, constants):
        """A batch somewhere near the limits that decide."""
        base = constants["base_rtt_ns"]
        bits = constants["line_rate_mbps"] * 1000000
        delay = int(base * draw.choice((1, 1.1, 1.4, 1.5, 2, 9)) * draw.uniform(.95, 1.3))
        carried = bits * delay / 8e9 / constants["mss"]
        return {"n": str(draw.randint(2, 400)), "span_ns": str(int(base * draw.uniform(0, 2))),
                "delay_ns": str(delay),
                "gradient": f"{draw.uniform(-1.2, draw.choice((.5, 3, 100))):.{draw.randint(0, 9)}f}",
                "inflight_pkts": str(min(int(carried * 10 ** draw.uniform(-3, .1)) + 1,
                                         (2**32 - 1) // constants["mss"])),
                "rate_bps": str(int(bits * 10 ** draw.uniform(-4, .1))),
                "u": f"{draw.uniform(.0001, 1):.{draw.randint(4, 12)}f}"}

    def test_numbers(self):
        """The ways to write a fraction."""
        row = dict(zip(BATCH_COLUMNS, "60,5050,13000,0,1,1,".split(",")))
        for text, after in ((".5", "0.510000"), ("0.5", "0.510000"), ("+.5", "0.510000"),
                            ("5e-1", "0.510000"), ("5E-1", "0.510000"), ("0.05e1", "0.510000"),
                            ("0.4999995", "0.510000"), ("0.49999949999", "0.509999"),
                            ("1", "1.000000"), ("1.", "1.000000"),
                            ("0.1234567890123456789", "0.133457")):
            with self.subTest(text):
                done = batches(table([{**row, "u": text}]), BATCH)
                self.assertEqual(rows_of(done.stdout)[0]["u_after"], after, done.stderr)
                self.assertEqual(rows_of(done.stdout)[0]["u"], text)

    def test_columns_in_any_order(self):
        """They are found by name, and printed as they came."""
        text = "u,rate_bps,n,gradient,delay_ns,inflight_pkts,span_ns\n.9,1,60,0,13177,1,5050\n"
        self.assertEqual(batches(text, BATCH).stdout.splitlines(),
                         ["u,rate_bps,n,gradient,delay_ns,inflight_pkts,span_ns,"
                          "u_after,cwnd_bytes,pacing_bps",
                          ".9,1,60,0,13177,1,5050,0.910000,152225,91000000000"])


class Oscar(unittest.TestCase):
    """Plain mode of oscar."""

    def test_example(self):
        """Row by row, with shares that were computed by hand."""
        done = replay("oscar", str(EXAMPLES / "oscar.csv"), *OSCAR_SET)
        rows = rows_of(done.stdout)
        closed = {number: (row["branch"], round(int(row["post_u"]) / 1e15, 6))
                  for number, row in enumerate(rows, 1) if row["event"] == "ack"
                  and row["branch"] != "hold"}
        # 4: g = .5, rate = 65000 B / 6.5 us = .8 C, .8 / 1.5 + U_AI. 7: g = 0, rate =
        # 52000 B / 14.6 us = .284932 C. 13: 41000 B / 12 us. 17: 75000 B / 18.37 us.
        # 20: g = -.95, clamped: rate = 3000 B / 6.1 us = .039344 C, over .1.
        self.assertEqual(closed, {4: ("slow_down+rate", 0.534333),
                                  7: ("slow_down+rate", 0.285932),
                                  13: ("slow_down+rate", 0.274333),
                                  17: ("slow_down", 0.327619), 20: ("speed_up+rate", 0.394443)})
        self.assertEqual([row["post_batch_count"] for row in rows[7:13]],
                         ["1", "2", "0", "1", "2", "0"])
        self.assertEqual(rows[0]["post_batch_start_ns"], "4294964296")
        self.assertEqual((rows[19]["post_batch_start_ns"], rows[20]["post_batch_start_ns"],
                          rows[21]["post_batch_start_ns"]), ("4295089396", "0", "0"))
        self.assertEqual(round(int(rows[20]["post_u"]) / 1e15, 6), 0.197221)

    def rows_after(self, rows, *words):
        """What replay has of ACKs for packets of 1000 B: sent at, delay, bytes, losses, u."""
        names = ("now_ns", "sent_ns", "delay_ns", "acked_bytes", "losses", "pre_u")
        text = ",".join((*names, "base_rtt_ns,mss,inflight")) + "\n"
        for sent, delay, acked, losses, u in rows:
            cells = (100000 + sent, 10000 + sent, delay, acked, losses, u and u * 10**9)
            text += ",".join(map(str, cells)) + ",12000,1000,3000\n"
        done = replay("oscar", "-", *OSCAR_SET, *words, text=text)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return rows_of(done.stdout)

    def share_of(self, rows, *words):
        """Branch and share, in 10^-6, after each of them."""
        return [(row["branch"], round(int(row["post_u"]) / 10**9))
                for row in self.rows_after(rows, *words)]

    def test_extensions_are_off(self):
        """As the paper is, until --set says otherwise."""
        text = replay("oscar", "--knobs").stdout
        for knob in ("solo_start", "short_batches", "packet_ai", "ramp", "loss_response"):
            self.assertRegex(text, rf"(?m)^{knob} +word +off\|on +off ")

    def test_short_batches(self):
        """
        One ACK of an empty queue or after more than 3 tau; 3000 B / (20 us C) + U_AI.
        At .004 C a packet takes 20 us, so that the flow is not idle before the second.
        """
        for second, branch, share in (((7000, 13000), "hyper", 14000),
                                      ((7000, 13001), "hold", 4000),
                                      ((18000, 20000), "hold", 4000),
                                      ((18001, 20000), "long", 13000)):
            rows = [(0, 12000, 1000, 0, 4000), (*second, 1000, 0, "")]
            with self.subTest(second):
                on = self.share_of(rows, "--set", "short_batches=on")
                self.assertEqual(on, [("hold", 4000), (branch, share)])
                self.assertEqual(self.share_of(rows)[1], ("hold", 4000))

    def test_ramp(self):
        """Batches of 7 us of a tenth of the link: from the second on twice that."""
        rows = [(0, 12000, 1000, 0, 100000), (7000, 12000, 8750, 0, ""),
                (14000, 12000, 8750, 0, "")]
        short = ("--set", "short_batches=on")
        self.assertEqual(self.share_of(rows, *short)[1:], [("hyper", 110000), ("hyper", 120000)])
        self.assertEqual(self.share_of(rows, *short, "--set", "ramp=on")[1:],
                         [("hyper", 110000), ("hyper+ramp", 200000)])
        rows = self.rows_after(rows, *short, "--set", "ramp=on")
        self.assertEqual([row["post_empty_ns"] for row in rows], ["0", "7000", "14000"])

    def test_loss_response(self):
        """15000 B in 6 us are a fifth of the link, but u is halved at most."""
        for losses, u, want in ((1, 500000, ("speed_up+rate", 201000)),
                                (2, 500000, ("slow_down+lost", 250000)),
                                (2, 300000, ("slow_down+lost", 200000)),
                                (2, 100000, ("slow_down+lost", 100000))):
            rows = [(0, 15000, 1000, 0, u), (2000, 15000, 1000, losses, ""),
                    (4000, 15000, 1000, 0, ""), (6000, 15000, 13000, 0, "")]
            with self.subTest((losses, u)):
                on = self.share_of(rows, "--set", "loss_response=on")
                self.assertEqual(on[3], want)
                self.assertEqual(self.share_of(rows)[3], ("speed_up+rate", 201000))

    def test_solo_start(self):
        """
        u does not fall before a delay of more than 9/8 base RTTs, 13.5 us. 3000 B in 6 us
        are .04 C, and U_AI; the one ns is a gradient of 1/4000.
        """
        for delay, phase, off, on in ((13500, "2", 41000, 500000), (13501, "0", 40990, 40990)):
            rows = [(0, 13500, 1000, 0, 500000), (2000, 13500, 1000, 0, ""),
                    (4000, 13500, 1000, 0, ""), (6000, delay, 1000, 0, "")]
            with self.subTest(delay):
                solo = ("--set", "solo_start=on")
                self.assertEqual(self.share_of(rows, *solo)[3], ("speed_up+rate", on))
                self.assertEqual(self.share_of(rows)[3], ("speed_up+rate", off))
                self.assertEqual(self.rows_after(rows, *solo)[3]["post_phase"], phase)

    def test_a_row_begins_empties_or_drops_a_batch(self):
        """The packet of the row is in it, or starts the clock."""
        head = ("now_ns,sent_ns,delay_ns,base_rtt_ns,mss,inflight,pre_batch_start_ns,"
                "pre_batch_last_ns,pre_batch_count,pre_batch_bytes,pre_batch_inflight\n")
        row = "{},{},15000,12000,1000,3000,{}\n"
        parts = ("start_ns", "last_ns", "count", "bytes", "inflight")
        for second, state in (("", ["9000", "11000", "2", "2000", "6000"]),
                              (",,0,0,0", ["9000", "11000", "1", "1000", "3000"]),
                              ("0,,,,", ["11000", "11000", "0", "0", "0"]),
                              ("8000,,,5000,", ["8000", "11000", "2", "6000", "6000"])):
            with self.subTest(second):
                done = replay("oscar", "-", *OSCAR_SET,
                              text=head + row.format(30000, 10000, "9000,9000,,,")
                              + row.format(31000, 11000, second or ",,,,"))
                rows = rows_of(done.stdout)
                self.assertEqual([rows[0][f"post_batch_{part}"] for part in parts],
                                 ["9000", "10000", "1", "1000", "3000"], done.stderr)
                self.assertEqual([rows[1][f"post_batch_{part}"] for part in parts], state)

    def test_line_rate_unknown(self):
        """Then it is Reno, and nothing is paced by a guess."""
        rows = rows_of(replay("oscar", "-", text="now_ns,delay_ns\n90000,30000\n").stdout)
        self.assertEqual((rows[0]["branch"], rows[0]["cwnd_packets"], rows[0]["post_pacing"]),
                         ("reno", "11.0000", "0"))


def channel_step(state, on):
    """ai or gain, 1 packet, of a flow among #flow: by their number, or by its root."""
    return state["nflow"] ** (-.5 if "root_ai" in on else -1)


def channel_grow(alg, state, delay, target, on):
    """The window after an ACK below the target: the algorithm inside, and the adaptive step."""
    cwnd, step = state["cwnd"], state["step"]
    acks = cwnd + 1 - 1 / 1054
    if alg == "prioplus":
        return cwnd + (channel_step(state, on) + step) / acks
    cwnd += (target - delay) / (target - 12178) * channel_step(state, on) / max(cwnd, 1)
    return cwnd + step / acks


def channel_decrease(alg, state, delay, target, on):
    """The branch and the window at the target and above it."""
    cwnd = state["cwnd"]
    if alg == "prioplus_ledbat":
        cwnd -= (delay - target) / (target - 12178) * channel_step(state, on) / max(cwnd, 1)
        return "decrease", max(cwnd, 0)
    if state["cut"]:
        return "wait", cwnd
    return "decrease", cwnd * max(1 - .8 * (delay - target) / delay, .5)


def channel_share(state):
    """W_LS in BDPs, by priority."""
    return (.125, .125, .125, .25, .25, .25, 1, 1)[state["prio"] - 1]


def channel_linear(state):
    """W_LS / #flow, and what an empty queue does to the countdown."""
    part = channel_share(state) * 12178 * 12.5 / 1054 / state["nflow"]
    if state["countdown"]:
        state["countdown"] -= 1
    else:
        state["nflow"] = max(1, state["nflow"] / 2)
    return part


def channel_meet(state, delay, on):
    """Whose delay it is, if it is beyond D_limit: the channels are 4000 ns apart."""
    if "return_order" in on and delay >= 12178 + 4000 * state["prio"] + 2400:
        level = (delay - 12178 + 2000) // 4000
        state["above"] = min(8, max(level, state["above"] - 1))


def channel_hold(state, delay, on):
    """The flow stops, or stays suspended."""
    channel_meet(state, delay, on)
    state.update(suspended=1, step=0, dual=0, consec=0, rtt_end_ns=0)


def channel_ack(alg, state, delay, ends, on):
    """Lines 1 to 22 a second time, in real numbers: state after an ACK, and its branch."""
    target, branch = 12178 + 4000 * state["prio"], ""
    if ends:
        state.update(dual=1 - state["dual"], step=0, rtt_end_ns=NOW_NS)
    state["consec"] = min(state["consec"] + 1, 2) if delay >= target + 2400 else 0
    if state["consec"] == 2:
        flows = delay * 12.5 / 1054 / state["cwnd"]
        if "slow_estimate" in on:
            flows = min(flows, 2 * state["nflow"])
        state.update(nflow=min(2000, max(state["nflow"], flows)), step=0,
                     countdown=round(1 / channel_share(state)))
        if state["prio"] < 8:
            channel_hold(state, delay, on)
            return "stop"
    elif ends and delay <= 12178 + 1000:
        state["cwnd"] += channel_linear(state)
        branch = "linear"
    elif ends and delay < target and state["dual"]:
        state["step"] = min(state["cwnd"] / 2, state["cwnd"] * (target - delay) / delay)
    if delay < target:
        state["cwnd"] = channel_grow(alg, state, delay, target, on)
        return branch or "increase"
    branch, state["cwnd"] = channel_decrease(alg, state, delay, target, on)
    if state["cwnd"] <= .1 and state["prio"] < 8:
        channel_hold(state, delay, on)
        branch = "small"
    return branch


def channel_joins(state, delay):
    """A window in a queue: the part of what is missing, or a packet or W_LS if that is less."""
    linear = channel_share(state) * 12178 * 12.5 / 1054
    missing = math.ceil(max(12178 + 4000 * state["prio"] - delay, 0) * 12.5) / 1054
    return max(min(missing, linear) / state["nflow"], min(linear / state["nflow"], 1))


def channel_probe(state, delay, on):
    """Lines 26 to 36: the same for the answer to a probe."""
    if delay >= 12178 + 4000 * state["prio"] + 2400 and state["prio"] < 8:
        channel_hold(state, delay, on)
        return "probe"
    if "return_order" in on:
        between, state["above"] = state["above"] - state["prio"] - 1, 0
        if between > 0:
            state["wait"] = 3 * between * 12178
            channel_hold(state, 0, on)
            return "probe"
    state.update(suspended=0, rtt_end_ns=NOW_NS)
    if delay > 12178 + 1000:
        state["cwnd"] = channel_joins(state, delay) if "join" in on else 1
        return "resume_one"
    state["cwnd"] = channel_linear(state)
    return "resume"


FLAGS = ("countdown", "dual", "consec", "suspended", "prio", "above", "rtt_end_ns")
NOW_NS, ROW_NS = 1000000, 100000        # of an ACK, and since the last RTT ended
EXTENSIONS = ("join", "slow_estimate", "return_order", "root_ai")


class Prioplus(unittest.TestCase):
    """Plain mode of prioplus, prioplus_ledbat and ledbat."""

    def table(self, alg, name, *words):
        """An example's output, row by row."""
        done = replay(alg, str(EXAMPLES / name), *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return rows_of(done.stdout)

    def test_example(self):
        """Golden vectors, and a flow's life; windows that were computed by hand."""
        rows = self.table("prioplus", "prioplus.csv", *CHANNEL_SET, "--set", "ai=17268")
        self.assertEqual([row["branch"] for row in rows], [
            "increase+rtt+step", "decrease", "linear+rtt", "linear+rtt+flows", "start",
            "resume_one", "increase+rtt+step", "increase+rtt", "increase", "decrease+rtt",
            "stop+flows", "suspended", "probe", "resume", "", ""])
        # line 20 comes before line 22: 8000 / 20178 of 40000 B are a step that this ACK, one in
        # 38.95, begins with, beside W_AI / #flow = 182 B
        self.assertEqual(int(rows[0]["post_step"]) * 1054 >> 20, 15858)
        self.assertAlmostEqual(float(rows[0]["cwnd_bytes"]), 40000 + (15858.86 + 182) / 38.9497, 2)
        self.assertEqual(int(float(rows[1]["cwnd_bytes"])), 38056)
        # W_LS / 100 = 380.56 B, and of W_AI / #flow, 182 or 364 B, the part of one ACK in 39.3;
        # #flow halves once the countdown is 0
        self.assertAlmostEqual(float(rows[2]["cwnd_bytes"]), 40380.56 + 182 / 39.31, 1)
        self.assertAlmostEqual(float(rows[3]["cwnd_bytes"]), 40380.56 + 364 / 39.31, 1)
        self.assertEqual([int(row["post_nflow"]) >> 20 for row in rows[2:4]], [100, 50])
        self.assertEqual([row["suspend"] for row in rows[:14]],
                         ["0"] * 4 + ["1"] + ["0"] * 5 + ["1", "1", "1", "0"])
        self.assertEqual((rows[4]["probe_delay_ns"], rows[11]["probe_delay_ns"]), ("1", "0"))
        # 40000 - D_target = 11822, 32178 - D_target = 4000; at most a base RTT more
        self.assertTrue(11822 <= int(rows[10]["probe_delay_ns"]) < 11822 + 12178)
        self.assertTrue(4000 <= int(rows[12]["probe_delay_ns"]) < 4000 + 12178)
        self.assertEqual((rows[14]["suspend"], rows[14]["delay_ns"]), ("", ""))

    def test_ledbat_examples(self):
        """1 / 2 and 1 / 8 of a packet over 40 ACKs; the RFC's rules one after another."""
        rows = self.table("prioplus_ledbat", "prioplus_ledbat.csv", *CHANNEL_SET)
        self.assertAlmostEqual(float(rows[0]["cwnd_packets"]),
                               40 + .5 / 40 + 10 / (41 - 1 / 1054), 3)
        self.assertAlmostEqual(float(rows[1]["cwnd_packets"]), 40 - .125 / 40, 3)
        window = 40 * 1054 + 12178 * 12.5 / 4       # and LEDBAT's packet over that many
        self.assertAlmostEqual(float(rows[2]["cwnd_bytes"]), window + 1054 / (window / 1054), 1)
        rows = self.table("ledbat", "ledbat.csv")
        windows = [float(row["cwnd_packets"]) for row in rows]
        self.assertEqual(windows[0], 10.1)
        for before, after, off in ((3, 4, .5), (7, 8, -.5), (9, 10, -.5)):
            self.assertAlmostEqual(windows[after], windows[before] + off / windows[before], 3)
        self.assertAlmostEqual(windows[9], windows[8] / 2, 3)
        self.assertEqual(windows[11:], [4.0, 1.0, 2.0, 2.0])
        self.assertEqual([rows[14][f"post_base_{i}"] for i in range(3)],
                         ["150000", "100000", "0"])

    def state(self, draw):
        """Any state a flow may be in."""
        return {"cwnd": draw.choice((.05, .11, .5, 1, 3, 38, 200)) * draw.uniform(1, 1.5),
                "nflow": draw.choice((1, 1, 1.5, 7, 30, 1500)), "countdown": draw.choice((0, 1, 5)),
                "step": draw.choice((0, 0, .25, 10)), "dual": draw.randrange(2),
                "consec": draw.randrange(2), "suspended": 0, "prio": draw.randrange(1, 9),
                "cut": draw.randrange(2), "above": draw.choice((0, 0, 2, 5, 6, 7, 8)),
                "rtt_end_ns": NOW_NS - ROW_NS}

    def columns(self, state):
        """A state as the tool wants it; the real numbers become what it can hold."""
        state["cwnd"] = int(state["cwnd"] * 2**20) / 2**20
        return [str(int(state[name] * 2**20)) for name in ("cwnd", "nflow", "step")] + \
            [str(state[name]) for name in FLAGS] + \
            ["990000" if state["cut"] else "0"]

    def compare(self, row, state, branch, given):
        """What the algorithm did, and what it should have done."""
        shown = f"{given}\n{row}\n{branch} {state}"
        self.assertEqual(row["branch"].split("+")[0], branch, shown)
        for name in FLAGS:
            self.assertEqual(int(row[f"post_{name}"]), state[name], f"{name}: {shown}")
        for name in ("cwnd", "nflow", "step"):
            self.assertAlmostEqual(int(row[f"post_{name}"]) / 2**20, state[name],
                                   delta=1e-4 * state[name] + 2 / 2**20, msg=f"{name}: {shown}")

    def wait(self, row, delay, state):
        """When the probe comes: the excess, and a random part of the base RTT; or as told."""
        if row["branch"].split("+")[0] not in ("stop", "small", "probe"):
            self.assertEqual(row["probe_delay_ns"], "0", row)
            return
        least = state.get("wait", max(delay - 12178 - 4000 * state["prio"], 0))
        most = least if "wait" in state else max(least + 12178 - 1, 1)
        self.assertTrue(least <= int(row["probe_delay_ns"]) <= most, row)

    def rows(self, alg, draw, on):
        """Rows of random states and delays; and of each (delay, state after it, branch)."""
        text, expected = ["event,now_ns,sent_ns,delay_ns,srtt_ns,mss,pre_cwnd,pre_nflow,pre_step,"
                          + ",".join(f"pre_{name}" for name in FLAGS)
                          + ",pre_last_decrease_ns,pre_random"], []
        for _ in range(2000):
            state, probe, ends = self.state(draw), draw.random() < .3, draw.randrange(2)
            target = 12178 + 4000 * state["prio"]
            delay = draw.choice((12178, 13178, 13179, target - 1, target, target + 1,
                                 target + 2399, target + 2400, draw.randrange(12178, 90000)))
            state["suspended"] = int(probe)
            text.append(",".join(["probe" if probe else "ack", str(NOW_NS),
                                  str(NOW_NS - 1 - ROW_NS + ends), str(delay), "20000", "1054",
                                  *self.columns(state), str(draw.randrange(1, 2**32))]))
            branch = (channel_probe(state, delay, on) if probe
                      else channel_ack(alg, state, delay, ends, on))
            state["cwnd"] = max(.01, min(state["cwnd"], target * 12.5 / 1054))
            expected.append((delay, state, branch))
        return text, expected

    def test_random_rows(self):
        """Both algorithms against the rules in real numbers: the paper's, and with extensions."""
        draw = random.Random(2)
        for alg, on in itertools.product(("prioplus", "prioplus_ledbat"),
                                         ((), *zip(EXTENSIONS), EXTENSIONS)):
            text, expected = self.rows(alg, draw, on)
            words = [word for name in on for word in ("--set", f"{name}=on")]
            done = replay(alg, "-", *CHANNEL_SET, *words, text="\n".join(text) + "\n")
            self.assertEqual(done.returncode, 0, done.stderr)
            for row, given, (delay, state, branch) in zip(rows_of(done.stdout), text[1:], expected,
                                                          strict=True):
                self.compare(row, state, branch, f"{on} {given}")
                self.wait(row, delay, state)

    def test_jitter_of_hosts(self):
        """It is part of the base RTT, unless that is told; the target of priority 4 moves."""
        text = ("now_ns,delay_ns,base_rtt_ns,hosts_ns,pre_prio,pre_rtt_end_ns\n"
                "1000000,15000,12000,3000,4,1\n")
        line, told = CHANNEL_SET[:2], CHANNEL_SET[2:]
        for words, target, branch in (((), 28000, "increase+rtt+step"),
                                      (("--set", "host_jitter=on"), 31000, "linear+rtt"),
                                      (("--set", "host_jitter=on", *told), 28000,
                                       "increase+rtt+step")):
            with self.subTest(words):
                row, = rows_of(replay("prioplus", "-", *line, *words, text=text).stdout)
                self.assertEqual((row["target_ns"], row["branch"]), (str(target), branch))

    def test_events_of_algs_that_probe(self):
        """Others have no such events and no such columns."""
        done = replay("swift", "-", text="event,now_ns,delay_ns\nprobe,1,1\n")
        self.assertEqual(done.returncode, 2)
        self.assertIn("'probe' is no event; allowed: ack, rto, idle, begin\n", done.stderr)
        done = replay("prioplus", "-", text="event,now_ns,delay_ns\nnap,1,1\n")
        self.assertIn("allowed: ack, rto, idle, begin, probe, start\n", done.stderr)
        head = replay("ledbat", str(EXAMPLES / "ledbat.csv")).stdout.splitlines()[0]
        self.assertNotIn("suspend", head)


class Errors(unittest.TestCase):
    """What is refused, and in which words."""

    def refuse(self, done, *said):
        """Status 2, no output, a message that says it."""
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        for text in said:
            self.assertIn(text, done.stderr)

    def test_command_line(self):
        for words, said in (
                (("cubic", "x"), ("unknown algorithm 'cubic'",
                                  "allowed: swift lswift mswift nscc mnscc oscar prioplus"
                                  " prioplus_ledbat ledbat")),
                ((), ("no algorithm",)),
                (("swift",), ("no file",)),
                (("swift", "a", "b"), ("'b' is too much",)),
                (("swift", "--frob", "x"), ("option '--frob'",)),
                (("swift", "x", "--set"), ("--set needs NAME=VALUE",)),
                (("swift", "x", "--set", "ai"), ("'ai'", "NAME=VALUE")),
                (("swift", "x", "--set", "frob=1"), ("unknown knob 'frob'", "swift --knobs")),
                (("swift", "x", "--set", "percentile=10"), ("'percentile'", "swift's")),
                (("swift", "x", "--set", "ai=0"), ("'ai'", "'0'", "1 to 64000")),
                (("swift", "x", "--set", "ai=12abc"), ("'12abc'", "1 to 64000")),
                (("swift", "x", "--set", "ai=-1"), ("'-1'",)),
                (("swift", "x", "--set", "ai="), ("''", "1 to 64000")),
                (("swift", "x", "--set", "records=17"), ("'17'", "power of two")),
                (("nscc", "x", "--set", "quick_adapt=maybe"), ("'maybe'", "off|on")),
                (("mnscc", "--recorded", "x"), ("nscc only", "'mnscc'")),
                (("nscc", "--recorded", "x"), ("target is missing", "target_qdelay_ps=PS")),
                (("nscc", "--recorded", "x", "--set", "target_qdelay_ps=0"),
                 ("target_qdelay_ps", "'0'", "1000 to")),
                (("nscc", "--recorded", "x", "--set", "mtu=4150b"), ("mtu", "'4150b'")),
                (("nscc", "--recorded", "x", "--set", "network_rtt_ns=1"),
                 ("'network_rtt_ns'", "network_rtt_ps")),
                (("nscc", "x", "--set", "mtu=1"), ("unknown knob 'mtu'",)),
                (("nscc", "--batches", "x"), ("--batches", "oscar only", "'nscc'")),
                (("oscar", "--recorded", "x"), ("nscc only", "'oscar'")),
                (("nscc", "--batches", "--recorded", "x"), ("one or the other",)),
                (("oscar", "--batches", "--state", "x"), ("--state",)),
                (("oscar", "--batches", "x"), ("'line_rate_mbps' is 0", "1 to 4000000")),
                (("oscar", "--batches", "x", "--set", "line_rate_mbps=1"),
                 ("'base_rtt_ns' is 0", "1 to 1000000000")),
                (("oscar", "--batches", "x", "--set", "mss=0"), ("'mss'", "'0'", "1 to 65535")),
                (("oscar", "--batches", "x", "--set", "mss=1k"), ("'mss'", "'1k'")),
                (("oscar", "--batches", "x", "--set", "u_ai=.001"),
                 ("'u_ai'", "'.001'", "0 to 1000000 (1/1000000)")),
                (("oscar", "--batches", "x", "--set", "frob=1"),
                 ("unknown knob 'frob'", "oscar --batches --knobs")),
                (("oscar", "x", "--set", "mss=1000"), ("unknown knob 'mss'",)),
                (("oscar", "x", "--knobs"), ("--knobs", "'x' is too much")),
                (("oscar", "--columns", "--set", "ai=1"), ("--columns", "'ai=1' is too much")),
                (("oscar", "--knobs", "--state"), ("--knobs", "--state is too much"))):
            with self.subTest(words):
                self.refuse(replay(*words), "replay: ", *said)

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            for content, said in (
                    ("", "empty"), ("# nothing\n\n", "empty"),
                    ("now_ns,delay_ns\n", "no row"), (None, "No such file"),
                    ("now_ns,delay_ns\n1,\0\n", "zero byte")):
                with self.subTest(content):
                    path = Path(folder) / "events.csv"
                    path.unlink(missing_ok=True)
                    if content is not None:
                        path.write_text(content)
                    self.refuse(replay("swift", str(path)), str(path), said)
            self.refuse(replay("swift", folder), folder, "directory")

    def test_plain_cells(self):
        head = "event,now_ns,delay_ns,acked,cwnd_limited,mss,pre_cwnd,pre_history\n"
        good = "ack,10,20000,1,1,1448,1048576,5 6\n"
        for row, said in (
                ("ack,12abc,1,1,1,1,1,", ("column 'now_ns'", "'12abc'", "not a number")),
                ("ack,-1,1,1,1,1,1,", ("column 'now_ns'", "'-1'", "not a number")),
                ("ack,,1,1,1,1,1,", ("column 'now_ns'", "''")),
                ("ack,1.5,1,1,1,1,1,", ("'1.5'", "not a number")),
                ("ack,0x10,1,1,1,1,1,", ("'0x10'", "not a number")),
                ("ack,+1,1,1,1,1,1,", ("'+1'", "not a number")),
                ("ack,20,4294967296,1,1,1,1,", ("'4294967296'", "0 to 4294967295")),
                ("ack,99999999999999999999,1,1,1,1,1,", ("out of range", "18446744073709551615")),
                ("ack,20,1,1,2,1,1,", ("column 'cwnd_limited'", "'2'", "0 to 1")),
                ("ack,20,1,1,1,0,1,", ("column 'mss'", "'0'", "1 to 65535")),
                ("ack,20,1,1,1,1,0,", ("column 'pre_cwnd'", "'0'", "1 to 1099511627776")),
                ("ack,20,1,4294967295,1,1448,1,", ("acked 4294967295 times mss 1448",)),
                ("ack,20,1,1,1,1,1,5 x", ("column 'pre_history'", "'x'")),
                ("ack,20,1,1,1,1,1,0", ("column 'pre_history'", "'0'")),
                ("nack,20,1,1,1,1,1,", ("column 'event'", "'nack'", "ack, rto, idle")),
                ("ack,20,1,1,1,1", ("6 cells, but 8 columns",)),
                ("ack,20,1,1,1,1,1,,", ("9 cells, but 8 columns",)),
                ("ack,20,\"1\",1,1,1,1,", ("'\"' is not allowed",)),
                ("ack,20,\x1b[2J,1,1,1,1,", ("byte 0x1b is not allowed",)),
                ("ack,20,1\x7f,1,1,1,1,", ("byte 0x7f is not allowed",))):
            with self.subTest(row):
                done = replay("mswift", "-", text=head + good + row + "\n" + good)
                self.refuse(done, "stdin:3: ", *said)

    def test_plain_columns(self):
        for head, said in (("now_ns", "'delay_ns' is missing"), ("delay_ns", "'now_ns' is missing"),
                           ("now_ns,delay_ns,frob", "unknown column 'frob'"),
                           ("now_ns,delay_ns,pre_inc", "unknown column 'pre_inc'"),
                           ("now_ns,delay_ns,pre_history", "unknown column 'pre_history'"),
                           ("now_ns,delay_ns,now_ns", "'now_ns' is there twice"),
                           ("now_ns,delay_ns,", "column 3 has no name"),
                           (",".join(f"c{i}" for i in range(200)), "more than 128 columns")):
            with self.subTest(head):
                self.refuse(replay("swift", "-", text=head + "\n1,2,3\n"), "stdin:1: ", said)

    def test_time_does_not_go_back(self):
        """Unless rows bring their own state, as those of several flows do."""
        self.refuse(replay("swift", "-", text="now_ns,delay_ns\n9,1\n8,1\n"),
                    "stdin:3: ", "'8'", "from 9 on")
        done = replay("swift", "-", text="now_ns,delay_ns,pre_cwnd\n9,1,\n8,1,\n")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_batch_cells(self):
        """Every column, and what is no number."""
        good = dict(zip(BATCH_COLUMNS, "60,5050,24000,1,143,100000000,1".split(",")))
        for column, text, said in (
                ("n", "0", ("'0'", "1 to 4294967295")), ("n", "3.5", ("not a number",)),
                ("n", "", ("''", "not a number")), ("span_ns", "-1", ("'-1'",)),
                ("delay_ns", "4294967296", ("out of range", "0 to 4294967295")),
                ("gradient", "nan", ("'nan'", "-1000000 to 1000000, fractions too")),
                ("gradient", "inf", ("'inf'",)), ("gradient", "", ("''", "not a number")),
                ("gradient", "1e7", ("out of range", "-1000000 to 1000000")),
                ("gradient", "-1000000.1", ("out of range",)),
                ("gradient", "1e99", ("out of range",)), ("gradient", "1.2.3", ("not a number",)),
                ("gradient", ".", ("not a number",)), ("gradient", "1e", ("not a number",)),
                ("gradient", "1e+", ("not a number",)), ("gradient", "--1", ("not a number",)),
                ("gradient", "1" * 40, ("out of range",)), ("gradient", "0x1", ("not a number",)),
                ("inflight_pkts", "1.5", ("'1.5'", "not a number")),
                ("inflight_pkts", "4294967295", ("times mss 1060", "4294967295 bytes")),
                ("rate_bps", "-5", ("'-5'",)), ("rate_bps", "1000000000000001", ("out of range",)),
                ("u", "0", ("'0'", "above 0, up to 1, fractions too")),
                ("u", "1.0000001", ("out of range",)), ("u", "-.5", ("out of range",)),
                ("u", "half", ("'half'", "not a number"))):
            with self.subTest((column, text)):
                done = batches(table([good, {**good, column: text}]), BATCH)
                self.refuse(done, "stdin:3: ", f"column '{column}'", *said)

    def test_batch_columns(self):
        """All are needed, no other is known."""
        row = dict(zip(BATCH_COLUMNS, "60,5050,24000,1,143,100000000,1".split(",")))
        for column in BATCH_COLUMNS:
            with self.subTest(column):
                less = {name: value for name, value in row.items() if name != column}
                self.refuse(batches(table([less]), BATCH), "stdin:1: ",
                            f"column '{column}' is missing", "--batches --columns")
        self.refuse(batches(table([{**row, "frob": "1"}]), BATCH), "unknown column 'frob'")
        self.refuse(batches(",".join(BATCH_COLUMNS) + "\n", BATCH), "no row")

    def test_recorded_cells(self):
        good = as_text(recorded({}))
        for old, new, said in (
                ("A,1000000000", "B,1000000000", ("stdin:2:", "column 'type'", "'B'", "A, N")),
                (",1000000000,", ",1e9,", ("column 'now_ps'", "'1e9'", "not a number")),
                (",1000000000,", ",,", ("column 'now_ps'", "''", "not a number")),
                (",5000000,", ",-5,", ("column 'delay_ps'", "'-5'")),
                (f",{RTT},", ",1,", ("column 'base_rtt_ps'", "'1'", "1000 to")),
                ("type,", "", ("column 'type' is missing",)),
                ("maxwnd,", "", ("stdin:1:", "column 'maxwnd' is missing")),
                (",post_ignored", "", ("column 'post_ignored' is missing",)),
                ("flow,", "frob,", ("unknown column 'frob'",))):
            with self.subTest(new):
                text = good.replace(old, new, 1)
                self.assertNotEqual(text, good)
                self.refuse(replay("nscc", "--recorded", "-", *GOLDEN_SET, text=text), *said)

    def test_nothing_is_printed_half(self):
        """A bad last row of many leaves the standard output empty."""
        rows = [f"{i},30000" for i in range(5000)]
        self.refuse(replay("swift", "-", text="\n".join(["now_ns,delay_ns", *rows, "x,1", ""])),
                    "stdin:5002:")

    def test_version(self):
        """As dkms.conf has it, and the commit, where there is one."""
        version = re.search('PACKAGE_VERSION="(.*)"', (ROOT / "dkms.conf").read_text())[1]
        done = replay("--version")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout, rf"^replay {re.escape(version)}( \([\w.-]+\))?\n$")

    def test_a_full_disk_is_told(self):
        """Results that cannot be written are no success."""
        with open("/dev/full", "w", encoding="ascii") as full:
            for words in (["swift", EXAMPLES / "swift.csv"], ["--help"], ["--version"]):
                done = subprocess.run([BINARY, *words], stdout=full, stderr=subprocess.PIPE,
                                      text=True, check=False, timeout=TIMEOUT_S)
                self.assertEqual(done.returncode, 1, words)
                self.assertIn("cannot be written", done.stderr)

    def test_garbage_is_refused_or_replayed(self):
        """Cells at random, among them the largest: no sanitizer has a word to say."""
        draw = random.Random(1)
        values = ("0", "1", "2", "1000", "65535", "4294967295", "4294967296",
                  "18446744073709551615", "", "x", "1152921504606846976")
        for alg, name in (("swift", "swift.csv"), ("mswift", "mswift.csv"),
                          ("nscc", "nscc.csv"), ("mnscc", "mnscc.csv"),
                          ("prioplus", "prioplus.csv"), ("ledbat", "ledbat.csv"),
                          ("prioplus_ledbat", "prioplus_ledbat.csv"),
                          ("oscar", "oscar.csv"), ("batches", "oscar-batches.csv"),
                          ("recorded", "nscc-recorded.csv")):
            lines = [line.split(",") for line in (EXAMPLES / name).read_text().splitlines()
                     if line and line[0] != "#"]
            words = {"recorded": ("nscc", "--recorded", "-", *GOLDEN_SET),
                     "oscar": ("oscar", "-", *OSCAR_SET),
                     "prioplus": ("prioplus", "-", *CHANNEL_SET),
                     "prioplus_ledbat": ("prioplus_ledbat", "-", *CHANNEL_SET),
                     "batches": ("oscar", "--batches", "-", *batch_set(BATCH)),
                     }.get(alg, (alg, "-"))
            for _ in range(25):
                row = [draw.choice(values) if draw.random() < 0.15 else cell
                       for cell in draw.choice(lines[1:])]
                done = replay(*words, text="\n".join(map(",".join, (lines[0], row))) + "\n")
                self.assertIn(done.returncode, (0, 1, 2), f"{alg}: {row}\n{done.stderr}")
                self.assertNotIn("runtime error", done.stderr, f"{alg}: {row}")


if __name__ == "__main__":
    unittest.main()
