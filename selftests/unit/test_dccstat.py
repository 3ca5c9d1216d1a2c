#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""tools/dccstat: what is asked for wrongly; recordings as numbers, pictures, traces.

The kernel's side is tested on a real one: selftests/real/run.sh 6.12 dccstat.
"""

import csv
import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import sanitized

ROOT = Path(__file__).resolve().parents[2]
TOOL = ROOT / "tools" / "dccstat"
PROGRAM = sanitized.program("dccstat")
REPLAY = ROOT / "tools" / "replay" / "replay"
TIMEOUT_S = 120
NOBODY = 65534

HEAD = ("event,now_ns,sent_ns,delay_ns,base_rtt_ns,srtt_ns,acked,mss,ce,losses,lost_run,"
        "inflight,cwnd_limited,no_ecn,was_alg,was_sport,was_dport,was_branch,"
        "was_cwnd_bytes,was_delay_ns,was_target_ns,was_pacing,was_share,was_gradient")
# Four ACKs: two of one rule, one of another without a delay, one more; 2 losses.
ROWS = ("ack,1000000,900000,100000,80000,90000,1,1448,0,0,0,14480,1,1,"
        "mswift,5000,443,increase,14480.000,100000,145000,1250000000,0,0",
        "ack,1002500,902500,100000,80000,90000,1,1448,0,0,0,14480,1,1,"
        "mswift,5000,443,increase,14624.796,110000,145000,1250000000,0,0",
        "ack,1004000,,0,80000,90000,1,1448,0,2,1,14480,1,1,"
        "mswift,5000,443,loss,7312.398,0,145000,1250000000,0,0",
        "ack,1009001,902501,100000,80000,90000,1,1448,0,0,0,14480,1,1,"
        "mswift,5000,443,hold,7312.398,100000,145000,1250000000,0,-3")
TABLE = "\n".join((HEAD, *ROWS)) + "\n"
LAB_HEAD = ("t,id,alg,sport,sent,rtt,base,srtt,delay,target,acked,ce,losses,run,inflight,"
            "limited,branch,cwnd,pacing,share,gradient")
LAB = (LAB_HEAD + "\n"
       "500,one,swift,1024,100,400,300,390,400,500,1,0,0,0,1448,1,1,370688,1000,0,0\n"
       "600,two,nscc,1025,-200,400,300,390,400,500,1,0,0,0,1448,1,20,370688,1000,0,0\n"
       "700,one,swift,1024,100,400,300,390,600,500,1,0,0,0,1448,1,2,185344,1000,0,0\n")


def setUpModule():
    sanitized.build("dccstat")


def dccstat(*words, text=None, env=None, user=None, program=PROGRAM):
    """Run the program; its exit status, output and errors."""
    return subprocess.run([program, *words], input=text, capture_output=True, text=True,
                          errors="replace", check=False, timeout=TIMEOUT_S, env={**os.environ, **(env or {})}, user=user)


class Folder(unittest.TestCase):
    """With a place for files."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def file(self, text, name="flow.csv"):
        """A file with this text."""
        path = self.folder / name
        path.write_text(text, encoding="utf-8", errors="surrogateescape")
        return path

    def refused(self, text, reason):
        """A table that is not taken, and why."""
        done = dccstat("replay", self.file(text))
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn(reason, done.stderr)


class CommandLine(unittest.TestCase):
    def wrong(self, reason, *words):
        """Not understood: status 2, the reason, and nothing done."""
        done = dccstat(*words)
        self.assertEqual((done.returncode, done.stdout), (2, ""), words)
        self.assertIn(reason, done.stderr)

    def test_help(self):
        done = dccstat("--help")
        self.assertEqual(done.returncode, 0)
        self.assertIn("dccstat record", done.stdout)

    def test_wrong_options(self):
        self.wrong("unknown option '--alll'", "--alll")
        self.wrong("--interval: '9'; allowed: 10 to 3600000", "--interval", "9")
        self.wrong("--interval: '3600001'; allowed", "--interval", "3600001")
        self.wrong("--interval: its value is missing", "--once", "--interval")
        self.wrong("counters: 'x'; allowed: --json", "counters", "x")
        self.wrong("--for: '0'; allowed: 1 to 86400", "record", "--for", "0")
        self.wrong("--flows: '1001'; allowed: 1 to 1000", "record", "--flows", "1001")
        self.wrong("replay: which file?", "replay")
        self.wrong("doctor: --paths: to which host?", "doctor", "--paths")
        self.wrong("allowed: IPv6, which has labels", "doctor", "127.0.0.1", "--paths")
        self.wrong("doctor: 'b' is too much; allowed: one host", "doctor", "::1", "b")

    def test_wrong_filters(self):
        self.wrong("filter: 'port'; allowed: state", "--once", "port", "=", "1")
        self.wrong("filter: port '70000'; allowed: 0 to 65535", "record", "dport = :70000")

    def test_limits_are_taken(self):
        for value in ("10", "3600000"):
            done = dccstat("--interval", value, "--nothing")
            self.assertIn("unknown option '--nothing'", done.stderr)

    def test_once(self):
        """Of this machine, whatever it is: a table, and one line why there is no more."""
        done = dccstat("--once", "--no-trace", "state", "all")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, "^STATE +LOCAL +PEER +CC +DELAY +TARGET +BASE +WINDOW")
        found = json.loads(dccstat("--once", "--no-trace", "--json").stdout)
        self.assertEqual((found["version"], found["traced"]), (1, False))
        self.assertIsInstance(found["flows"], list)

    @unittest.skipIf(os.geteuid(), "takes root to become a user")
    def test_all_of_a_user_is_not_all(self):
        with tempfile.TemporaryDirectory() as folder:   # the tree may be root's alone
            os.chmod(folder, 0o755)
            copy = shutil.copy(PROGRAM, folder)
            done = dccstat("--all", "--once", "--no-trace", program=copy, user=NOBODY)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, "dccstat: --all: not of all namespaces, that takes root\n")

    def test_the_wrapper_builds_and_runs(self):
        done = subprocess.run([TOOL / "dccstat", "--once", "--no-trace", "cc", "none"], cwd="/",
                              capture_output=True, text=True, check=False, timeout=TIMEOUT_S)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(done.stdout.splitlines()), 1)


class Summary(Folder):
    def test_of_a_recording(self):
        done = dccstat("replay", self.file(TABLE))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        head, row = done.stdout.splitlines()
        self.assertRegex(head, "^FLOW +CC +ACKS +TIME +MEAN DELAY +LOST +RULES$")
        # delays acted on: 100, 110, 100 us; the one without is none
        self.assertRegex(row, r"^5000 > 443 +mswift +4 +9\.00 us +103\.3 us +2 +"
                              r"increase 50\.0 %, loss 25\.0 %, hold 25\.0 %$")

    def test_of_the_lab(self):
        """Rules are numbers there, and a file has many flows."""
        _, one, two = dccstat("replay", self.file(LAB)).stdout.splitlines()
        self.assertRegex(one, r"^one +swift +2 +200 ns +500 ns +0 +"
                              r"(increase|decrease) 50.0 %, (increase|decrease) 50.0 %$")
        self.assertRegex(two, r"^two +nscc +1 +- +400 ns +0 +decrease\+fulfil 100.0 %$")

    def test_unknown_algorithm(self):
        text = LAB.replace("nscc", "vegas")
        self.assertIn("20 100.0 %", dccstat("replay", self.file(text)).stdout)

    def test_what_is_wrong(self):
        self.refused(HEAD + "\n", "no row below the names")
        self.refused(TABLE.replace("was_target_ns", "target"),
                     "column 'was_target_ns' is missing; allowed: a table of dccstat record")
        self.refused(LAB.replace(",base,", ",basis,"), "column 'base' is missing")
        self.refused(TABLE.replace(",443,loss", ",65536,loss"),
                     ":4: column 'was_dport': '65536' is out of range; allowed: 0 to 65535")
        self.refused(TABLE.replace(",443,loss", ",443,"), "column 'was_branch': '' is no name")
        self.refused(TABLE.replace(",loss,", "," + "l" * 64 + ","), "allowed: 1 to 63 characters")
        self.refused(LAB.replace(",2,185344", ",256,185344"), "allowed: 0 to 255")
        self.refused("\n".join((HEAD, ROWS[1], ROWS[0])) + "\n",
                     "time 1000000 is before the flow's row above; allowed: from 1002500")

    def test_limits_are_taken(self):
        for old, new in ((",443,loss", ",65535,loss"), (",loss,", "," + "l" * 63 + ",")):
            done = dccstat("replay", self.file(TABLE.replace(old, new)))
            self.assertEqual(done.returncode, 0, done.stderr)
        done = dccstat("replay", self.file(LAB.replace(",2,185344", ",255,185344")))
        self.assertEqual(done.returncode, 0, done.stderr)


class Perfetto(Folder):
    def events(self, text):
        """What is written, as JSON."""
        path = self.folder / "trace.json"
        done = dccstat("replay", self.file(text), "--perfetto", path)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("ui.perfetto.dev", done.stdout)
        found = json.loads(path.read_text(encoding="utf-8"))
        self.assertEqual(found["displayTimeUnit"], "ns")
        return found["otherData"]["start_ns"], found["traceEvents"]

    def test_a_track_a_flow_a_slice_a_rule(self):
        start, events = self.events(TABLE)
        self.assertEqual(start, "1000000")
        names = {e["name"]: e["args"]["name"] for e in events if e["ph"] == "M" and e["pid"]}
        self.assertEqual(names, {"process_name": "5000 > 443 mswift", "thread_name": "rules"})
        slices = [(e["name"], e["ts"], e["dur"]) for e in events if e["ph"] == "X"]
        self.assertEqual(slices, [("increase", 0, 4), ("loss", 4, 5.001), ("hold", 9.001, 0)])

    def test_counters(self):
        """A delay that was not known is no 0."""
        _, events = self.events(TABLE)
        found = {}
        for e in events:
            if e["ph"] == "C":
                found.setdefault(e["name"], []).append((e["ts"], *e["args"].items()))
        self.assertEqual(found["delay"], [(0, ("us", 100)), (2.5, ("us", 110)),
                                          (9.001, ("us", 100))])
        self.assertEqual([value for _, (_, value) in found["window"]],
                         [14480, 14624, 7312, 7312])
        self.assertEqual(len(found["target"]), 4)

    def test_of_the_lab(self):
        """Its window is in 1/256 byte; each flow has a process."""
        _, events = self.events(LAB)
        windows = [(e["pid"], e["args"]["bytes"]) for e in events if e["name"] == "window"]
        self.assertEqual(windows, [(1, 1448), (1, 724), (2, 1448)])
        self.assertEqual({e["args"]["name"] for e in events if e["name"] == "process_name"},
                         {"dccstat", "one swift", "two nscc"})

    def test_names_with_escapes(self):
        _, events = self.events(LAB.replace(",two,", ",a\\b&c,"))
        self.assertIn("a\\b&c nscc", [e["args"].get("name") for e in events if "args" in e])

    def test_names_that_are_no_utf8(self):
        done = dccstat("replay", self.file(LAB.replace(",two,", ",\udcff,")),
                       "--perfetto", self.folder / "x")
        self.assertEqual(done.returncode, 2)
        self.assertIn("is no UTF-8", done.stderr)

    def test_nowhere_to_write(self):
        done = dccstat("replay", self.file(TABLE), "--perfetto", self.folder / "no" / "x")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no/x: No such file or directory", done.stderr)


class Pictures(Folder):
    @unittest.skipUnless(shutil.which("gnuplot"), "no gnuplot here")
    def test_drawn(self):
        for text in (TABLE, LAB, LAB.replace(",two,", ",it's,")):
            path = self.folder / "it's.svg"
            done = dccstat("replay", self.file(text), "--picture", path)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn("<svg", path.read_text(encoding="utf-8"))
            path.unlink()

    def test_without_gnuplot(self):
        done = dccstat("replay", self.file(TABLE), "--picture", self.folder / "x.svg",
                       env={"PATH": str(self.folder)})
        self.assertEqual(done.returncode, 2)
        self.assertIn("sudo apt-get install gnuplot-nox", done.stderr)


class Replayed(Folder):
    def test_tools_replay_reads_it(self):
        """What the law decides, and beside it what the kernel decided."""
        done = subprocess.run([REPLAY, "mswift", self.file(TABLE)], capture_output=True,
                              text=True, check=False, timeout=TIMEOUT_S)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = list(csv.DictReader(done.stdout.splitlines()))
        self.assertEqual([r["was_branch"] for r in rows],
                         ["increase", "increase", "loss", "hold"])
        self.assertEqual([(r["branch"], r["cwnd_bytes"]) for r in rows[:1]],
                         [("increase", "14624.796")])


if __name__ == "__main__":
    unittest.main()
