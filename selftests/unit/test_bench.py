#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The bench's verdicts: what costs more is told, and what was not measured."""

import argparse
import contextlib
import io
import re
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "selftests/bench"))

import bench  # noqa: E402

OURS = ("mswift", "oblivious", "1", "1", "100", "none")
STOCK = ("reno", "off", "0", "1", "100", "none")
BUSY = {"busy": 30e6, "total": 1e9, "packets": 1000, "packets2": 1000, "sent": 1000, "heard": 500,
        "heard2": 500, "timers": 10, "resent": 0}

HELD = ["RESULT HELD 10 200 busy=10e6 total=20e9 sent=500 heard=498 timers=1000 probes=502",
        "RESULT HELD 1000 3000 busy=100e6 total=20e9 sent=5000 heard=5000 timers=9000"
        " probes=5000"]


MERGES = [("mswift", "oblivious", "4", gro, "0") for gro in ("off", "on")]
LATE = [("mswift", "oblivious", "1", gro, "1") for gro in ("on", "runs")]


def merge_lines(polled=1000, merged=250, keys=MERGES, **other):
    """What a machine prints of a receiver; polled: instructions of a packet's way to TCP."""
    for key in keys:
        got = {"packets2": 1000, "heard2": 50, "disorder": 30, "resent": 0} | other
        off = key[3] == "off"
        calls = {"napi_gro_receive": (50 if off else 1000, polled),
                 "napi_complete_done": (50 if off else 20, 7000),
                 "process_backlog": (20, 100000),
                 "tcp_v6_rcv": (50 + (1000 if off else merged), 1)}
        for name, (count, each) in calls.items():
            got |= {f"{name}.calls": count, f"{name}.counted": count - 1,
                    f"{name}.instructions": (count - 1) * each}
        yield " ".join(["RESULT MERGE", *key, *(f"{name}={value}" for name, value in got.items())])


def console(ack=1000, **other):
    """What a machine prints of two rows; ack: what an ACK takes of ours."""
    lines = ["KERNEL 6.12.1"]
    for key in (OURS, STOCK):
        got = BUSY | other
        for name in bench.metered_of(key[0]):
            got |= {f"{name}.calls": 500, f"{name}.counted": 499,
                    f"{name}.instructions": 499 * (ack if name == "dcc_cong_control" else 100)}
        lines.append(" ".join(["RESULT TRANSFER", *key,
                               *(f"{name}={value:.0f}" for name, value in got.items())]))
    return [*lines, "RESULT MEMORY 0 cubic=5000 mswift=5400", *HELD, "GUEST-END"]


class Verdicts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.baseline = self.folder / "baseline.csv"
        bench.write_csv(self.baseline, self.measured(console()))

    def measured(self, lines):
        path = self.folder / "console"
        path.write_text("\n".join(lines) + "\n", encoding="ascii")
        return bench.read_console(path)

    def judge(self, lines, wanted=()):
        """Exit status and what was said."""
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            baseline = bench.read_csv(self.baseline) if self.baseline.exists() else None
            status = bench.Judge(self.measured(lines), baseline, partial=not wanted).all(wanted)
        return status, said.getvalue()

    def test_the_same(self):
        status, said = self.judge(console(), [OURS, STOCK])
        self.assertEqual((status, said.count("\nok ")), (0, 7), said)

    def merging(self, wanted=(), **other):
        """A receiver's figures against those of merge_lines()."""
        lines = console()
        bench.write_csv(self.baseline, self.measured([*lines, *merge_lines()]))
        return self.judge([*lines, *merge_lines(**other)], wanted)

    def test_a_receiver(self):
        """The backlog's where its device does not poll, else the polls'; what TCP gets."""
        merges = self.measured([*console(), *merge_lines()]).merges
        self.assertEqual(merges[MERGES[0]], {"receiver": 2000, "acks": .05, "disorder": .01,
                                             "merged": 1})
        self.assertEqual(merges[MERGES[1]], {"receiver": 1140, "acks": .05, "disorder": .01,
                                             "merged": 4})
        status, said = self.merging([OURS, STOCK, *MERGES])
        self.assertEqual((status, said.count("\nok ")), (0, 9), said)

    def test_a_receiver_costs_more(self):
        """Only where its polls are what is counted; on another kernel that is the kernel's."""
        self.assertEqual(self.merging(polled=1050)[0], 0)
        status, said = self.merging(polled=1070)
        self.assertEqual((status, said.count("not ok")), (1, 1), said)
        self.assertIn("receiver: 1210, 6.1% above 1140", said)
        status, said = self.judge([line.replace("6.12.1", "6.12.2") for line in
                                   [*console(), *merge_lines(polled=2000)]])
        self.assertEqual(status, 0, said)

    def test_a_receiver_gets_other_packets(self):
        """More ACKs, disorder, packets that were sent again; another number merged is told."""
        for other, failed in (({"heard2": 65}, 0), ({"heard2": 75}, 2), ({"disorder": 55}, 0),
                              ({"disorder": 65}, 2), ({"resent": 1}, 2), ({"merged": 500}, 0)):
            status, said = self.merging(**other)
            self.assertEqual((status, said.count("not ok")), (min(failed, 1), failed),
                             (other, said))

    def test_late_packets(self):
        """Which are late is chance: runs are held against the stock GRO of the same time."""
        stock = list(merge_lines(keys=LATE[:1], polled=5000))
        for polled, resent, failed in ((1900, 2, 0), (2300, 0, 1)):
            runs = merge_lines(keys=LATE[1:], polled=polled, resent=resent)
            bench.write_csv(self.baseline, self.measured([*console(), *merge_lines(keys=LATE)]))
            status, said = self.judge([*console(), *stock, *runs])
            self.assertEqual((status, said.count("not ok")), (failed, failed), said)
            self.assertIn("of the stock GRO's", said)

    def test_runs_in_a_table(self):
        measured = self.measured([*console(), *merge_lines(keys=LATE)])
        self.assertIn("| oblivious | 1 |  | 1,140 | 1,140 | 4.0 | 4.0 | 0.05 | 0.05 | 1.0% | 1.0% |",
                      bench.table(measured, "runs"))
        del measured.merges[LATE[1]]
        self.assertEqual(bench.table(measured, "runs").count("\n"), 2)

    def test_a_receiver_that_was_not_switched(self):
        """What is metered is not called, and would cost nothing."""
        lines = [line.replace("napi_gro_receive.calls=1000", "napi_gro_receive.calls=0")
                 for line in merge_lines()]
        bench.write_csv(self.baseline, self.measured([*console(), *merge_lines()]))
        status, said = self.judge([*console(), *lines])
        self.assertEqual((status, said.count("no packet came by napi_gro_receive()")), (1, 1), said)

    def test_a_receiver_is_missing(self):
        for keep, why in ((MERGES[:1], "was not measured"), ([], "was not measured")):
            lines = [line for line in merge_lines()
                     if tuple(line.split()[2:7]) in keep]
            status, said = self.judge([*console(), *lines], [OURS, STOCK, *MERGES])
            self.assertEqual((status, said.count(why)), (1, 2 - len(keep)), said)
        status, said = self.judge([*console(), *merge_lines()])
        self.assertEqual((status, said.count("not in the baseline")), (1, 2), said)

    def test_receivers_in_a_table(self):
        measured = self.measured([*console(), *merge_lines()])
        self.assertIn("| oblivious | 4 | 2,000 | 1,140 | 43% | 4.0 | 0.05 | 0.05 | 1.0% |",
                      bench.table(measured, "merging"))
        del measured.merges[MERGES[1]]
        self.assertEqual(bench.table(measured, "merging").count("\n"), 2)

    def test_figures(self):
        figures = self.measured(console()).rows[OURS]
        self.assertEqual(figures["packet"], 30000)
        self.assertEqual(figures["acks"], .5)
        self.assertEqual(figures["rate"], bench.PACKET * 8 / 1000)
        self.assertEqual(figures["ack"], 1000 + 2 * 100)
        self.assertEqual(figures["algorithm"], 100)
        self.assertEqual(figures["send"], .5 * 2 * 100)

    def test_an_ack_costs_more(self):
        self.assertEqual(self.judge(console(ack=1050))[0], 0)
        status, said = self.judge(console(ack=1070))
        self.assertEqual((status, said.count("not ok")), (1, 1), said)
        self.assertIn("ack: 1270, 5.8% above 1200", said)

    def test_a_packet_costs_more(self):
        self.assertEqual(self.judge(console(busy=31e6))[0], 0)
        status, said = self.judge(console(busy=32e6))
        self.assertEqual((status, said.count("not ok")), (1, 2), said)

    def test_another_kernel_is_its_own(self):
        other = [line.replace("6.12.1", "6.12.2") for line in console(busy=40e6)]
        status, said = self.judge(other)
        self.assertEqual(status, 0, said)
        self.assertIn("baseline of 6.12.1", said)
        other = [line.replace("6.12.1", "6.12.2") for line in console(ack=1200)]
        self.assertEqual(self.judge(other)[0], 1)

    def test_chance_is_not_judged(self):
        def judged(cc, spray="off", segs=1, **other):
            return set(bench.judged_of(tuple(bench.row(cc, spray, segs, **other).values()), True))

        everything = set(bench.FIGURES)
        self.assertEqual(judged("reno"), everything)
        self.assertEqual(judged("reno", mbps=800), set())
        self.assertEqual(judged("mswift", "reps"), everything)
        self.assertEqual(judged("mswift", segs=0), everything - set(bench.OWN))
        self.assertEqual(judged("oscar", segs=0), set())
        self.assertEqual(judged("nscc", segs=0), set())
        self.assertEqual(judged("nscc"), everything)
        self.assertEqual(judged("oscar", "oblivious"), everything)
        self.assertEqual(judged("mswift", mbps=0), {"packet", "byte", "sends", "calls"})
        self.assertEqual(judged("mswift", mbps=800, queue="fq"), {"packet", "byte", "sends"})

    def test_memory(self):
        status, said = self.judge([line.replace("5400", "5700") for line in console()])
        self.assertEqual((status, said.count("not ok")), (1, 1), said)
        self.assertIn("bytes: 5700", said)

    def test_held_flows(self):
        """What they cost beyond their probes, and what they send."""
        for old, new, failed in ((" busy=100e6", " busy=105e6", 0),
                                 (" busy=100e6", " busy=106e6", 1),
                                 (" sent=5000", " sent=36001", 1), (" sent=500 ", " sent=790 ", 0),
                                 (" sent=500 ", " sent=813 ", 1)):
            status, said = self.judge([line.replace(old, new) for line in console()])
            self.assertEqual((status, said.count("not ok")), (failed, failed), said)
        status, said = self.judge([line for line in console() if "HELD 10 " not in line])
        self.assertIn("were not all measured", said)
        self.assertEqual(bench.held_of(True, "^mswift"), [])
        self.assertEqual(bench.held_of(False, "^held"), bench.held_rows(False))

    def test_less_arrives(self):
        """The same instructions in more time: 5 % are none, nor is another kernel's."""
        for total, failed in ((1.04e9, 0), (1.06e9, 2)):
            lines = console(total=total)
            status, said = self.judge(lines)
            self.assertEqual((status, said.count("below")), (bool(failed), failed), said)
        lines[0] = "KERNEL 6.12.2"
        self.assertNotIn("below", self.judge(lines)[1])

    def test_a_row_is_missing(self):
        lines = [line for line in console() if " reno " not in line]
        status, said = self.judge(lines, [OURS, STOCK])
        self.assertEqual((status, said.count("was not measured")), (1, 1), said)

    def test_a_row_is_new(self):
        lines = [line.replace(" oblivious 1 ", " oblivious 2 ") for line in console()]
        status, said = self.judge(lines)
        self.assertEqual((status, said.count("not in the baseline")), (1, 1), said)

    def test_without_a_baseline(self):
        """A part is measured all the same, and held flows need none."""
        self.baseline.unlink()
        status, said = self.judge(console())
        self.assertEqual((status, said.count("SKIP"), said.count("\nok ")), (0, 1, 4), said)
        broken = [line.replace(" sent=5000", " sent=90000") for line in console()]
        self.assertEqual(self.judge(broken)[0], 1)
        self.assertEqual(self.judge(["KERNEL 6.12.1", "GUEST-END"])[0], 1)

    def test_packets_sent_again(self):
        self.assertEqual(self.judge(console(resent=3))[0], 1)

    def test_machines_that_break(self):
        for lines in (console()[:-1], [*console(), "BROKEN meter: cannot"],
                      [*console(), "RESULT TRANSFER mswift reps 1 1 100 none busy=x"], []):
            with self.subTest(lines[-1:]):
                self.assertEqual(self.judge(lines)[0], 1)

    def test_the_plan_meters_what_is_judged(self):
        for row in bench.rows_of(True, "."):
            words = bench.plan_line(row).split()
            self.assertEqual(words[0], "TRANSFER")
            self.assertEqual(words[1:7], list(row.values()))
            meter = next(word for word in words if word.startswith("meter="))
            self.assertLessEqual(meter.count(",") + 1, 16)     # FUNCTIONS_MAX

    def test_the_plan_of_receivers(self):
        rows = bench.merges_of("^merge")
        self.assertEqual(bench.merges_of("^mswift"), [])
        self.assertEqual(bench.merges_of("^merge mswift oblivious 4 on 0$"),
                         [dict(zip(bench.MERGE_KEY, MERGES[1]))])
        for row in rows:
            words = bench.merge_line(row).split()
            self.assertEqual(words[:6], ["MERGE", *row.values()])
            self.assertIn("meter=napi_gro_receive,napi_complete_done,process_backlog,tcp_v6_rcv",
                          words)

    def test_held_flows_come_last(self):
        """When their program is gone, they still hear and say something."""
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            bench.plan(argparse.Namespace(long=False, only="."))
        kinds = [line.split()[0] for line in said.getvalue().splitlines()]
        self.assertEqual(list(dict.fromkeys(kinds)), ["TRANSFER", "MERGE", "MEMORY", "HELD"])
        self.assertEqual(kinds.count("MERGE"), len(bench.MERGE_ROWS))

    def test_the_page_has_all_tables(self):
        page = (ROOT / "Documentation/costs.md").read_text(encoding="utf-8")
        for name in (*bench.TABLES, *bench.OTHER_TABLES):
            self.assertEqual(page.count(f"<!-- table {name} -->\n"), 1, name)


class Texts(unittest.TestCase):
    """Sentences that repeat the tables' figures: they are to follow a renewed baseline."""

    baseline = bench.read_csv(ROOT / "selftests/bench/baseline.csv")
    rows = baseline.rows

    def test_they_say_what_was_measured(self):
        for page, pattern, figures in bench.SENTENCES:
            found = bench.sentence((ROOT / page).read_text(encoding="utf-8"), pattern)
            self.assertEqual([int(number.replace(",", "")) for number in found.groups()],
                             [round(figure) for figure in figures(self.baseline)], page)

    def test_a_renewed_baseline_renews_them(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "Documentation").mkdir()
            pages = {page for page, *_ in bench.SENTENCES}
            for page in pages:
                text = (ROOT / page).read_text(encoding="utf-8")
                for one, pattern, _ in bench.SENTENCES:
                    if one == page:
                        at = bench.sentence(text, pattern).start(1)
                        text = f"{text[:at]}9{text[at:]}"
                (root / page).write_text(text, encoding="utf-8")
            bench.write_sentences(root, self.baseline)
            for page in pages:
                self.assertEqual((root / page).read_text(encoding="utf-8"),
                                 (ROOT / page).read_text(encoding="utf-8"), page)

    def test_one_sentence_looks_so(self):
        self.assertEqual(bench.sentence("takes\n 12 of", r"takes (\d+) of")[1], "12")
        for text in ("none", "takes 1 of takes 2 of"):
            with self.assertRaisesRegex(ValueError, "sentences look like 'takes"):
                bench.sentence(text, r"takes (\d+) of")

    def test_receivers(self):
        """For a packet and for what TCP gets as one, within 5 %."""
        text = (ROOT / "Documentation/costs.md").read_text(encoding="utf-8")
        packet, one = (int(number.replace(",", "")) for number in bench.sentence(
            text, r"a packet takes some ([\d,]+) instructions, and what TCP gets as one some"
            r" ([\d,]+)\.").groups())
        for (_, spray, segs, gro, _), figures in self.baseline.merges.items():
            if gro == "on" and spray != "off" and segs != "1":
                self.assertAlmostEqual((packet + one / figures["merged"]) / figures["receiver"],
                                       1, delta=.05, msg=segs)


if __name__ == "__main__":
    unittest.main()
