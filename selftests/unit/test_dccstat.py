#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""tools/dccstat: what is asked for wrongly; recordings as numbers, pictures, traces.

The kernel's side is tested on a real one: selftests/real/run.sh 6.12 dccstat.
"""

import contextlib
import csv
import fcntl
import json
import os
import pty
import re
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import termios
import unittest
from pathlib import Path

import sanitized

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools/lab"))

from lablib import algorithms, plot  # noqa: E402

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
        for words in (("record", "--help"), ("--once", "--help"), ("blame", "x", "--help")):
            self.assertEqual(dccstat(*words).stdout, done.stdout, words)

    def test_version(self):
        """As dkms.conf has it, and the commit, where there is one."""
        version = re.search('PACKAGE_VERSION="(.*)"', (ROOT / "dkms.conf").read_text())[1]
        done = dccstat("--version")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout, rf"^dccstat {re.escape(version)}( \([\w.-]+\))?\n$")

    def test_wrong_options(self):
        self.wrong("unknown option '--alll'", "--alll")
        self.wrong("--interval: '9'; allowed: 10 to 3600000", "--interval", "9")
        self.wrong("--interval: '3600001'; allowed", "--interval", "3600001")
        self.wrong("--interval: its value is missing", "--once", "--interval")
        self.wrong("--perfetto: its value is missing before '--picture'",
                   "replay", "x", "--perfetto", "--picture")
        self.wrong("--interval is given twice", "--interval", "10", "--interval", "20")
        self.wrong("counters: 'x'; allowed: --json", "counters", "x")
        self.wrong("--for: '0'; allowed: 1 to 86400", "record", "--for", "0")
        self.wrong("--flows: '1001'; allowed: 1 to 1000", "record", "--flows", "1001")
        self.wrong("replay: which file?", "replay")
        self.wrong("labels: which file?", "labels")
        self.wrong("ways: which file?", "ways")
        self.wrong("blame: --ways: which way did packets go?", "blame", "x")
        self.wrong("--every: '0'; allowed: 1 to 86400000", "labels", "x", "--every", "0")
        self.wrong("--most: '0'; allowed: 1 to 1000000", "labels", "x", "--most", "0")
        self.wrong("--of: '1000001'; allowed: 1 to 1000000", "ways", "x", "--of", "1000001")
        self.wrong("doctor: --paths: to which host?", "doctor", "--paths")
        self.wrong("allowed: IPv6, which has labels", "doctor", "127.0.0.1", "--paths")
        self.wrong("doctor: 'b' is too much; allowed: one host", "doctor", "::1", "b")
        self.wrong("doctor: --peer: to which host?", "doctor", "--peer")
        self.wrong("--peer: '127.0.0.1' is IPv4; allowed: IPv6", "doctor", "127.0.0.1", "--peer")
        self.wrong("--port: of what? allowed: with --peer", "doctor", "::1", "--port", "7")
        self.wrong("--port: '0'; allowed: 1 to 65535", "answer", "--port", "0")
        self.wrong("answer: 'x' is too much", "answer", "x")

    def test_answers_of_oneself(self):
        """Two of the program on this machine: labels and marks come as they were sent."""
        with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as free:
            free.bind(("::1", 0))
            port = str(free.getsockname()[1])
        asks = "doctor", "::1", "--peer", "--port", port, "--json"
        alone = {answer["what"]: answer for answer in json.loads(dccstat(*asks).stdout)}
        self.assertEqual(alone["peer"]["verdict"], "BAD")
        self.assertNotIn("echo", alone)
        with subprocess.Popen([PROGRAM, "answer", "--port", port, "--for", str(TIMEOUT_S)],
                              stdout=subprocess.PIPE, text=True) as there:
            try:
                for _ in range(TIMEOUT_S):
                    told = json.loads(dccstat(*asks).stdout)
                    if "echo" in {answer["what"] for answer in told}:
                        break
            finally:
                there.terminate()
                said = there.communicate()[0]
        says = [answer["says"] for answer in told]
        self.assertIn("they come to ::1 as they were sent", says)
        self.assertIn("ECT and marks come to ::1 as they were sent", says)
        self.assertRegex(said, r"^\d+ answers$")

    def test_wrong_filters(self):
        self.wrong("filter: 'port'; allowed: state", "--once", "port", "=", "1")
        self.wrong("filter: port '70000'; allowed: 0 to 65535", "record", "dport = :70000")

    def test_what_cannot_be_done_is_not_asked_for_wrongly(self):
        """Status 1, and 2 for words that it does not know; see dccstat(1)."""
        for words, reason in ((("replay", "/nowhere"), "/nowhere: cannot be opened"),
                              (("labels", "/"), "/: cannot be read: Is a directory"),
                              (("blame", "x", "--ways", "/nowhere"), "/nowhere: cannot be opened")):
            done = dccstat(*words)
            self.assertEqual((done.returncode, done.stdout), (1, ""), words)
            self.assertIn(reason, done.stderr)

    def test_without_module_and_tracefs(self):
        """Unless this machine has them."""
        for place, words in (("/sys/module/tcp_dcc", ["counters"]),
                             ("/sys/kernel/tracing/instances", ["record", "--for", "1"])):
            if not Path(place).exists():
                done = dccstat(*words)
                self.assertEqual((done.returncode, done.stdout), (1, ""), words)
                self.assertIn("sudo mo", done.stderr)

    def test_nowhere_to_print(self):
        for words in (["--once", "--no-trace"], ["--help"], ["--version"]):
            with open("/dev/full", "w", encoding="ascii") as full:
                done = subprocess.run([PROGRAM, *words], stdout=full, stderr=subprocess.PIPE,
                                      text=True, check=False, timeout=TIMEOUT_S)
            self.assertEqual(done.returncode, 1, words)
            self.assertIn("the results cannot be written: No space left", done.stderr)

    def test_whoever_reads_has_seen_enough(self):
        with subprocess.Popen([PROGRAM, "--no-trace", "--interval", "10"], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as live:
            live.stdout.readline()
            live.stdout.close()
            self.assertEqual(live.wait(TIMEOUT_S), 0)
            self.assertEqual(live.stderr.read(), "")

    def test_no_more_than_a_terminal_has_room_for(self):
        """Its first line is the head; lines are cut; the last one counts those left out."""
        rows, columns, home = 5, 60, b"\x1b[H\x1b[J"
        with contextlib.ExitStack() as stack:
            for _ in range(8):
                there = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
                stack.enter_context(socket.create_connection(there.getsockname()))
            terminal, its_end = pty.openpty()
            fcntl.ioctl(its_end, termios.TIOCSWINSZ, struct.pack("4H", rows, columns, 0, 0))
            with subprocess.Popen([PROGRAM, "--no-trace", "--interval", "10"],
                                  stdout=its_end) as live:
                os.close(its_end)
                said = b""
                while said.count(home) < 3:
                    said += os.read(terminal, 65536)
                live.terminate()
            os.close(terminal)
        screen = said.split(home)[1].decode().splitlines()
        self.assertEqual(len(screen), rows - 1)
        self.assertTrue(screen[0].startswith("STATE"))
        self.assertTrue(all(len(line) <= columns for line in screen[:-1]))
        self.assertRegex(screen[-1], r"^\.\.\. \d+ more: a filter shows fewer")

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

    def test_what_was_not_measured_is_absent(self):
        """Who has sent nothing has no delivery rate; who has, has one."""
        with contextlib.ExitStack() as stack:
            there = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
            mine = stack.enter_context(socket.create_connection(there.getsockname()))
            its, _ = there.accept()
            stack.enter_context(its)
            mine.sendall(bytes(100_000))
            got = 0
            while got < 100_000:
                got += len(its.recv(65536))
            port = f":{there.getsockname()[1]}"
            found = [json.loads(dccstat("--once", "--no-trace", "--json", side, "=", port).stdout)
                     ["flows"][-1] for side in ("dport", "sport")]
        self.assertGreater(found[0]["delivery_rate"], 0)
        self.assertNotIn("delivery_rate", found[1])
        self.assertGreater(found[1]["srtt_us"], 0)

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

    def test_files_with_the_same_ports(self):
        """Two recordings of one folder after the other: two flows."""
        old = self.file(TABLE, "old.csv")
        done = dccstat("replay", self.file(TABLE, "new.csv"), old, self.file(LAB, "lab.csv"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual([line.split("  ")[0] for line in done.stdout.splitlines()[1:]],
                         ["5000 > 443", "5000 > 443 (file 2)", "one", "two"])

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
        self.refused(TABLE.replace("ack,1002500", "rtoo,1002500"),
                     "column 'event': 'rtoo' is unknown; allowed: ack, probe")
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


HEARD_HEAD = "now_ns,alg,src,sport,dst,dport,label,what,delay"
WAYS_HEAD = ("src,sport,dst,dport,label,of,hops,"
             + ",".join(f"hop{n}" for n in range(1, 9)))


def heard_table(count=400, lost=lambda n: n % 2 == 0 and n % 25 == 0):
    """Packets of two labels of one flow, a microsecond apart, some lost: of label 16."""
    rows = [f"{5000000 + 1000 * n},mswift,fd00::1,1000,fd00::2,2000,{16 + n % 2},"
            f"{'lost' if lost(n) else 'good'},{0 if lost(n) else 50000}" for n in range(count)]
    return "\n".join((HEARD_HEAD, *rows)) + "\n"


# Label 16 by router a, label 17 by b; the second host has one hop that keeps silent.
WAYS = "\n".join((
    WAYS_HEAD,
    "fd00::1,1000,fd00::2,2000,16,1,3,fd00::e,fd00::a,fd00::2,-,-,-,-,-",
    "fd00::1,1000,fd00::2,2000,17,1,3,fd00::e,fd00::b,fd00::2,-,-,-,-,-",
    "fd00::3,1000,fd00::2,2000,17,1,3,fd00::e,-,fd00::2,-,-,-,-,-")) + "\n"


class Labels(Folder):
    def labels(self, text, *words):
        """The command's output."""
        done = dccstat("labels", self.file(text), *words)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_sums(self):
        head, first, second, last = self.labels(heard_table()).splitlines()
        self.assertRegex(head, "^SRC +DST +LABEL +PACKETS +LOST +LOSS +MARKED +MEAN DELAY"
                               " +MEDIAN +BY CHANCE$")
        self.assertRegex(first, r"^fd00::1 +fd00::2 +00010 +200 +8 +4\.00 % +0\.00 % +50\.0 us"
                                r" +50\.0 us +0\.007[0-9]*$")
        self.assertRegex(second, r"^fd00::1 +fd00::2 +00011 +200 +0 +0\.00 % .* 1$")
        self.assertEqual(last, "2 of 2 labels; 400 packets, 8 lost")

    def test_over_time(self):
        found = json.loads(self.labels(heard_table(3000), "--every", "1", "--json", "--most",
                                       "1"))
        self.assertEqual((found["version"], found["packets"], found["of_labels"]), (1, 3000, 2))
        label, = found["labels"]
        self.assertEqual(label["label"], 16)
        self.assertEqual([(t["from_ns"], t["packets"], t["lost"]) for t in label["times"]],
                         [(5000000, 500, 20), (6000000, 500, 20), (7000000, 500, 20)])
        rows = self.labels(heard_table(3000), "--every", "1").splitlines()
        self.assertEqual(len(rows), 1 + 6 + 1)
        self.assertRegex(rows[2], r"1\.000 ms$")

    def test_of_the_lab(self):
        text = heard_table().replace("now_ns,", "t,id,").replace(",mswift,", ",f.1,mswift,")
        self.assertIn("400 packets, 8 lost", self.labels(text))

    def wrong(self, text, reason):
        """A table that is not taken, and why."""
        done = dccstat("labels", self.file(text))
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn(reason, done.stderr)

    def test_what_is_wrong(self):
        text = heard_table(2)
        self.wrong(HEARD_HEAD + "\n", "no row below the names")
        self.wrong(text.replace("what", "why"), "column 'what' is missing; allowed: a table of"
                   " dccstat record --labels, or the lab's labels.csv")
        self.wrong(text.replace("good", "bad"),
                   ":3: column 'what': 'bad' is unknown; allowed: good, marked, lost, timeout")
        self.wrong(text.replace(",17,", ",1048576,"), "allowed: 0 to 1048575")
        self.wrong(text.replace("fd00::2", "10.0.0.1"), "'10.0.0.1' is no IPv6 address")
        self.wrong(text.replace("mswift", ""), "'' is no name; allowed: 1 to 15 characters")

    def test_limits_are_taken(self):
        self.labels(heard_table(2).replace(",17,", ",1048575,").replace("mswift", "m" * 15))


class Answer(unittest.TestCase):
    """The other end of doctor --peer."""

    def answers(self, hops):
        """Is what comes with this hop limit in it answered?"""
        with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as free:
            free.bind(("::1", 0))
            port = free.getsockname()[1]
        with (socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as ours,
              subprocess.Popen([PROGRAM, "answer", "--port", str(port), "--for", "60"],
                               stdout=subprocess.PIPE, text=True) as done):
            self.addCleanup(done.kill)
            ours.settimeout(0.2)
            for _ in range(int(TIMEOUT_S / 0.2)):
                try:        # a probe, until somebody is there
                    ours.sendto(struct.pack("!8s8I32x", b"dccstat1", 7, *[0] * 7), ("::1", port))
                    ours.recv(1000)
                    break
                except (TimeoutError, ConnectionRefusedError):
                    pass
            message = struct.pack("!8s8I32x", b"dccstat1", 9, 0, hops, *[0] * 5)
            ours.sendto(message, ("::1", port))
            ours.settimeout(2 if hops else TIMEOUT_S)
            try:
                while struct.unpack_from("!8sI", ours.recv(1000))[1] != 9:
                    pass
                return True
            except TimeoutError:
                return False
            finally:
                done.kill()

    def test_an_answer_is_not_answered(self):
        self.assertTrue(self.answers(0))
        self.assertFalse(self.answers(64))


class Blame(Folder):
    def blame(self, heard, ways, *words):
        """The command's output."""
        done = dccstat("blame", self.file(heard), "--ways", self.file(ways, "ways.csv"), *words)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_a_link_is_named(self):
        lines = self.blame(heard_table(2000), WAYS).splitlines()
        self.assertEqual(lines[0], "40 packets lost, the way of 40 is known; 5 links")
        self.assertRegex(lines[1], r"^fd00::a > fd00::2 loses 4 % \(2\.\d* to 5\.\d* %\)$")
        self.assertRegex(lines[2], "^    40 lost packets crossed it, and some 960 that arrived;"
                                   " by chance: [0-9]e-1[0-9]$")
        self.assertEqual(lines[3], "    or it is fd00::e > fd00::a: not told apart")

    def test_ways_in_several_tables(self):
        head, *rows = WAYS.splitlines(keepends=True)
        more = self.file(head + "".join(rows[1::2]), "more.csv")
        self.assertEqual(self.blame(heard_table(2000), head + "".join(rows[::2]), "--ways", more),
                         self.blame(heard_table(2000), WAYS))

    def test_as_json(self):
        found = json.loads(self.blame(heard_table(2000), WAYS, "--json"))
        link, = found["named"]
        self.assertEqual((link["from"], link["to"], link["lost_packets"]),
                         ("fd00::a", "fd00::2", 40))
        self.assertEqual([one["to"] for one in link["alike"]], ["fd00::a"])
        self.assertEqual((found["one_of"], found["lost_packets"]), (1, 40))
        self.assertIsNone(found["best_of_rest"])

    def test_names(self):
        names = self.file("# ours\n127.0.0.1 localhost\nfe80::1%lo0 localhost\n"
                          "fd00::a%eth0 leaf1 leaf1.old # of p3\n\n"
                          "fd00::a second\nfd00::e host5\n", "hosts")
        lines = self.blame(heard_table(2000), WAYS, "--names", names).splitlines()
        self.assertRegex(lines[1], r"^leaf1 \(fd00::a\) > fd00::2 loses 4 % ")
        self.assertEqual(lines[3], "    or it is host5 (fd00::e) > leaf1 (fd00::a): not told apart")
        link, = json.loads(self.blame(heard_table(2000), WAYS, "--json", "--names", names))["named"]
        self.assertEqual((link["from"], link["from_name"], link["to_name"]),
                         ("fd00::a", "leaf1", None))

    def test_names_that_are_none(self):
        for text, reason, status in (
                ("\nleaf1 fd00::a\n", ":2: 'leaf1' is no address; allowed: ADDRESS NAME", 2),
                ("leaf1%eth0 fd00::a\n", ":1: 'leaf1%eth0' is no address", 2),
                ("fd00::a # leaf1\n", ":1: '' is no name; allowed: 1 to 63", 2),
                ("fd00::a " + "x" * 64, "allowed: 1 to 63 characters", 2),
                ("\nfd00::a le\0af\n", ":2: a byte of 0; allowed: text", 2),
                (None, "No such file", 1)):
            path = self.file(text, "hosts") if text else "/nowhere"
            done = dccstat("blame", self.file(heard_table(2)), "--ways",
                           self.file(WAYS, "ways.csv"), "--names", path)
            self.assertEqual((done.returncode, done.stdout), (status, ""))
            self.assertIn(reason, done.stderr)
        self.blame(heard_table(2000), WAYS, "--names", self.file("fd00::a " + "x" * 63, "hosts"))

    def test_names_that_json_cannot_say(self):
        """A link is not lost for its name."""
        name = self.file("fd00::a leaf\udcff\n", "hosts")
        done = dccstat("blame", self.file(heard_table(2000)), "--ways",
                       self.file(WAYS, "ways.csv"), "--names", name, "--json")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("is no UTF-8", done.stderr)
        self.assertIn(" loses 4 %", self.blame(heard_table(2000), WAYS, "--names", name))

    def test_a_file_given_twice(self):
        """What is in it would count twice: by chance becomes never."""
        heard, ways = self.file(heard_table(400)), self.file(WAYS, "ways.csv")
        (self.folder / "again.csv").symlink_to(heard)
        for words in (("blame", heard, heard, "--ways", ways), ("labels", heard, heard),
                      ("labels", heard, self.folder / "again.csv"), ("ways", heard, heard)):
            done = dccstat(*words)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertIn("a file is given twice: ", done.stderr)
        self.assertEqual(dccstat("labels", heard, self.file(heard_table(400), "x.csv")).returncode,
                         0)

    def test_ways_that_differ(self):
        """Not by the order of the tables."""
        one = self.file(WAYS, "ways.csv")
        two = self.file(WAYS.replace("fd00::a", "fd00::c"), "ways2.csv")
        for pair in ((one, two), (two, one)):
            done = dccstat("blame", self.file(heard_table(400)), "--ways", pair[0],
                           "--ways", pair[1])
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("label 00010 of fd00::1 port 1000 to fd00::2 port 2000 has two ways;"
                          " allowed: tables of one time", done.stderr)
        done = dccstat("blame", self.file(heard_table(400)), "--ways", one, "--ways", one)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_none_stands_out(self):
        text = heard_table(2000, lambda n: n % 51 == 0)
        self.assertRegex(self.blame(text, WAYS), "\nno link stands out: fd00::. > fd00::. lost"
                                                 " [0-9]* of them, by chance: ")
        self.assertIn("\nno link stands out\n", self.blame(heard_table(9, lambda n: 0), WAYS))

    def test_what_is_wrong(self):
        for ways, reason in (
                (WAYS.replace(",of,", ",if,"), "column 'of' is missing; allowed: a table of"),
                (WAYS.replace(",17,1,", ",17,2,"), ":3: column 'of': '2' is not that of the"
                                                   " rows before; allowed: 1"),
                (WAYS.replace("fd00::b", "b"), "'b' is no IPv6 address"),
                (WAYS.replace(",3,fd00::e", ",9,fd00::e"), "allowed: 0 to 8")):
            done = dccstat("blame", self.file(heard_table(2)), "--ways",
                           self.file(ways, "ways.csv"))
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(reason, done.stderr)


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
        self.assertFalse((self.folder / "x").exists(), "half a file")

    def test_nowhere_to_write(self):
        done = dccstat("replay", self.file(TABLE), "--perfetto", self.folder / "no" / "x")
        self.assertEqual(done.returncode, 1)
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

    def drawn_in(self, text):
        """The colours of the curves of the windows, in the flows' order."""
        fake = self.folder / "gnuplot"
        fake.write_text(f"#!/bin/sh\ncat >'{self.folder}/script'\n"
                        f"echo '<svg></svg>' >'{self.folder}/x.svg'\n", encoding="ascii")
        fake.chmod(0o755)
        done = dccstat("replay", self.file(text), "--picture", self.folder / "x.svg",
                       env={"PATH": f"{self.folder}:/bin:/usr/bin"})
        self.assertEqual(done.returncode, 0, done.stderr)
        script = (self.folder / "script").read_text(encoding="utf-8")
        return re.findall(r"using 1:5 with steps lw 1 lc rgb '(#\w+)'", script)

    def test_colours_are_the_algorithms(self):
        colours, palette = plot.ALGORITHM_COLORS, plot.PALETTE
        one = "\n".join(LAB.splitlines()[:2]) + "\n"
        for name in algorithms.ours():
            self.assertEqual(self.drawn_in(one.replace("swift", name)), [palette[colours[name]]])
        self.assertEqual(self.drawn_in(LAB), [palette[colours["swift"]], palette[colours["nscc"]]])
        self.assertEqual(self.drawn_in(LAB.replace("swift", "nscc")), list(palette[:2]))

    def test_without_gnuplot(self):
        done = dccstat("replay", self.file(TABLE), "--picture", self.folder / "x.svg",
                       env={"PATH": str(self.folder)})
        self.assertEqual(done.returncode, 1)
        self.assertIn("sudo apt-get install gnuplot-nox", done.stderr)


    def test_nowhere_to_draw(self):
        """Told before gnuplot, which would draw on the standard output instead."""
        for path, why in ((self.folder / "no/x.svg", "No such file or directory"),
                          (Path("/dev/full"), "No space left on device")):
            done = dccstat("replay", self.file(TABLE), "--picture", path)
            self.assertEqual(done.returncode, 1)
            self.assertIn(f"{path}: {why}", done.stderr)
            self.assertNotIn("svg", done.stdout)

    def test_half_a_picture_is_none(self):
        """gnuplot ends well on a disk that is full."""
        fake = self.folder / "gnuplot"
        fake.write_text(f"#!/bin/sh\ncat >/dev/null\necho '<svg>' >'{self.folder}/x.svg'\n",
                        encoding="ascii")
        fake.chmod(0o755)
        done = dccstat("replay", self.file(TABLE), "--picture", self.folder / "x.svg",
                       env={"PATH": f"{self.folder}:/bin:/usr/bin"})
        self.assertEqual(done.returncode, 1)
        self.assertIn("gnuplot could not draw", done.stderr)
        self.assertFalse((self.folder / "x.svg").exists())


class Replayed(Folder):
    def test_tools_replay_reads_it(self):
        """What the algorithm decides, and beside it what the kernel decided."""
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
