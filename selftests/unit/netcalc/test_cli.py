#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The command tools/netcalc/netcalc: what it writes, what it refuses."""
import bisect
import csv
import graphlib
import io
import math
import os
import random
import re
import resource
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from fractions import Fraction
from pathlib import Path

TOP = Path(__file__).resolve().parents[3]
NETCALC = TOP / "tools/netcalc/netcalc"
REPLAY = TOP / "tools/replay/replay"
EXAMPLES = TOP / "tools/netcalc/examples"
TIMEOUT_S = 300
SVG = "{http://www.w3.org/2000/svg}"
CURVE_COLOR = "#2563c9"

SMALL = """link rate=8Gbps feedback=10ns
flow a cc=aimd rate=16Gbps increase=1Mbps every=1us decrease=0.5
flow b cc=aimd rate=8Gbps increase=1Mbps every=1us decrease=0.5
send a burst=100B
send b burst=50B at=20ns
stop at=200ns
"""
# Refused at 4.3 ms, where the fractions of the two windows have grown too long.
TWO_VEGAS = """link rate=100Gbps feedback=20us
flow f0 cc=vegas window=3000B
flow f1 cc=vegas window=3000B
send f0 burst=200KB at=134us every=500us
send f0 rate=3Gbps at=43us
send f1 burst=1700KB at=138us every=333us
stop at=5ms
"""
# Two flows of a module's algorithm. They do not drain the queue: replay knows no min-RTT probes.
MODULES = """link rate=10Gbps feedback=120us
flow a cc={alg} packet=4000B {knobs}
flow b cc={alg} packet=4000B {knobs}
send a burst=1GB at=3us
send b burst=1GB at=1ms
{ecn}
stop at=4ms
"""
FEEDBACK_NS, PACKET, LINE_BYTES_S, KMAX = 120_000, 4000, 1_250_000_000, 60_000
ALGS = (("swift", {"drain_rtts": 0, "slow_start": 1}),
        ("mswift", {"drain_rtts": 0, "percentile": 60, "slow_start": 1}),
        ("nscc", {"slow_start": 1, "drain_rtts": 0}),
        ("mnscc", {"network_rtt_ns": 125000, "init_cwnd": 20}),
        # a late flow takes its share by U_AI alone: by a larger one it is seen within 4 ms
        ("oscar", {"drain_rtts": 0, "solo_start": 1, "short_batches": 1, "ramp": 1,
                   "packet_ai": 1, "loss_response": 1, "u_ai": 20000}),
        ("ledbat", {"init_cwnd": 0, "target_qdelay_us": 5}))
VEGAS_SEEDS = range(1, 61)
CPU_S = 60              # a thousand times what a case needs
LINEAR_CPU_S = 8
MEMORY_BYTES = 2 << 30
CASES = ("vegas", "fairness", "burst-pfc", "burst-dcqcn", "burst-dcqcn-nopfc")
FIGURES = ("3b", "4b", "6a", "6b", "9a", "9b", "10a", "10b")


def setUpModule() -> None:
    """First calls say that they build: not in the middle of a test."""
    for program in (NETCALC, REPLAY):
        subprocess.run([str(program), "--version"], capture_output=True, timeout=TIMEOUT_S,
                       check=True)


def netcalc(*arguments: str, **options) -> subprocess.CompletedProcess:
    """Run the command."""
    return subprocess.run([str(NETCALC), *arguments], capture_output=True,
                          text=True, timeout=TIMEOUT_S, check=False, **options)


def axes(picture: Path) -> set[str]:
    """All that is written in a picture."""
    return {(text.text or "").strip() for text in ElementTree.parse(picture).iter(f"{SVG}text")}


def corners(picture: Path, right: float, top: float) -> list[tuple[int, int]]:
    """Where the curve of a picture bends, if its axes end at `right` and `top`."""
    paths = list(ElementTree.parse(picture).iter(f"{SVG}path"))
    drawn = next(path for path in paths if path.get("stroke") == CURVE_COLOR)
    border, curve = ([(float(x), float(y)) for x, y in
                      re.findall(r"([\d.]+),([\d.]+)", path.get("d", ""))]
                     for path in (paths[-1], drawn))
    (left, high), (_, low), (end, _) = border[:3]
    return [(round((x - left) / (end - left) * right), round((low - y) / (low - high) * top))
            for x, y in curve]


def limit(cpu_s: int = CPU_S) -> None:
    """What never ends is killed: by its own CPU time, not by the clock's."""
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))


def random_vegas(seed: int) -> str:
    """Two to four Vegas flows, each with bursts and perhaps a steady rate."""
    draw = random.Random(seed)
    lines = ["link rate=100Gbps feedback=20us"]
    for k in range(draw.randint(2, 4)):
        lines.append(f"flow f{k} cc=vegas window=3000B")
        lines.append(f"send f{k} burst={draw.randint(1, 20)}00KB "
                     f"at={draw.randint(0, 200)}us every={draw.randint(200, 700)}us")
        if draw.random() < 0.5:
            lines.append(f"send f{k} rate={draw.randint(1, 40)}Gbps "
                         f"at={draw.randint(0, 100)}us")
    return "\n".join(lines) + "\nstop at=5ms\n"


def different_flows(count: int) -> str:
    """DCQCN flows of which each has its own rate, factor, interval, burst and start."""
    draw = random.Random(7)
    lines = ["link rate=100Gbps feedback=4us",
             "ecn kmin=5KB kmax=200KB pmax=1% gap=50us"]
    for k in range(count):
        lines.append(f"flow f{k} cc=dcqcn rate={draw.randint(1000, 100000)}Mbps "
                     f"increase={draw.randint(1, 50)}Mbps "
                     f"every={draw.randint(40000, 70000)}ns "
                     f"decrease=0.{draw.randint(70, 80)} timeout=3ms")
        lines.append(f"send f{k} burst={draw.randint(100, 10000)}KB "
                     f"at={draw.randint(0, 500000)}ns")
    return "\n".join(lines) + "\nstop at=1ms\n"


def many_sends(count: int) -> str:
    """One flow and so many lines that say what it sends."""
    draw = random.Random(3)
    lines = ["link rate=10Gbps feedback=10us",
             "flow a cc=aimd rate=5Gbps increase=0 every=1ms decrease=0.5"]
    lines += [f"send a burst={draw.randint(1, 9)}KB at={draw.randint(0, 10**7)}ns"
              for _ in range(count)]
    return "\n".join(lines) + "\nstop at=10ms\n"


class Course:
    """A flow's rows of `run --exact`; of two at one time the first is before a jump."""

    def __init__(self, rows: list[dict[str, str]]) -> None:
        self.t = [Fraction(row["t_ns"]) for row in rows]
        self.of = {name: [Fraction(row[name]) for row in rows]
                   for name in ("Ahat", "D", "backlog")}
        self.limit = [int(row["limit"]) for row in rows]

    def when(self, name: str, value: int) -> Fraction | None:
        """The first time at which it is so much."""
        y = self.of[name]
        i = bisect.bisect_left(y, value)
        if i == len(y):
            return None
        return (self.t[i - 1] + (self.t[i] - self.t[i - 1]) * (value - y[i - 1])
                / (y[i] - y[i - 1]))

    def at(self, name: str, t: Fraction) -> Fraction:
        """The value at a time, before a jump."""
        y, i = self.of[name], bisect.bisect_left(self.t, t)
        if self.t[i] == t:
            return y[i]
        return (y[i - 1] + (y[i] - y[i - 1]) * (t - self.t[i - 1])
                / (self.t[i] - self.t[i - 1]))

    def limits(self, t: int) -> tuple[int, int]:
        """The limit before an event and after it."""
        return (self.limit[bisect.bisect_left(self.t, t)],
                self.limit[bisect.bisect_right(self.t, t) - 1])


def told(flow: Course, total: Course, ecn: bool) -> list[dict[str, int]]:
    """What the kernel tells an algorithm of each acknowledgment, by the curves alone."""
    events: list[dict[str, int]] = []
    acks: list[int] = []
    base = srtt = number = usage = 0
    limited = False
    while (left := flow.when("D", PACKET * (number + 1))) is not None:
        now = math.ceil(left + FEEDBACK_NS)
        if now >= flow.t[-1]:
            break
        sent = flow.when("Ahat", PACKET * (number + 1))
        admitted = flow.at("Ahat", Fraction(now))
        if PACKET * number + flow.limits(now)[0] - admitted < PACKET:
            limited, usage = True, admitted
        elif usage <= PACKET * (number + 1):
            limited = False
        number += 1
        acks.append(now)
        delay = now - math.floor(sent)
        base = min(base, delay) if base else delay
        srtt += int((delay - srtt) / 8) if srtt else delay
        events.append({
            "now_ns": now, "sent_ns": math.floor(sent), "delay_ns": delay,
            "base_rtt_ns": base, "srtt_ns": srtt, "mss": PACKET,
            "line_rate": LINE_BYTES_S, "cwnd_limited": int(limited),
            "ce": int(ecn and total.at("backlog", left) >= KMAX),
            "fills": int(not bisect.bisect_right(acks, sent)),
            "inflight": PACKET * (number - bisect.bisect_right(acks, sent)),
            "flight": math.floor(admitted - PACKET * number), "no_ecn": int(not ecn)})
    return events


class Cli(unittest.TestCase):
    """Each test has a folder of its own."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, name: str, text: str) -> str:
        """A file in the test's folder."""
        path = self.folder / name
        path.write_text(text)
        return str(path)

    def refused(self, want: str, *arguments: str, status: int = 1,
                printed: str | None = "") -> None:
        """The command fails, says why, and prints nothing else, or what it had before."""
        done = netcalc(*arguments)
        self.assertEqual(done.returncode, status)
        self.assertIn(want, done.stderr)
        if printed is not None:
            self.assertEqual(done.stdout, printed)

    def test_version(self) -> None:
        """As dkms.conf has it, and the commit, where there is one."""
        version = re.search('PACKAGE_VERSION="(.*)"', (TOP / "dkms.conf").read_text())[1]
        done = netcalc("--version")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, rf"^netcalc {re.escape(version)}( \([\w.-]+\))?\n$")

    def test_run_prints_csv(self) -> None:
        done = netcalc("run", self.write("small.net", SMALL))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        rows = list(csv.DictReader(io.StringIO(done.stdout)))
        self.assertEqual({row["flow"] for row in rows}, {"all"})
        last = rows[-1]
        self.assertEqual([last[k] for k in ("t_ns", "A", "Ahat", "D", "backlog")],
                         ["200.000", "150.000", "150.000", "150.000", "0.000"])
        # 2 bytes per ns come in for 20 ns, then 3, 1 goes out
        at_50 = [r for r in rows if r["t_ns"] == "50.000"]
        self.assertEqual(at_50[0]["backlog"], "80.000")

    def test_run_flows(self) -> None:
        done = netcalc("run", self.write("small.net", SMALL), "--flows")
        rows = list(csv.DictReader(io.StringIO(done.stdout)))
        self.assertEqual({row["flow"] for row in rows}, {"all", "a", "b"})
        ends = {row["flow"]: float(row["D"]) for row in rows}
        self.assertEqual(ends, {"all": 150, "a": 100, "b": 50})

    def test_run_out(self) -> None:
        out = self.folder / "out"
        done = netcalc("run", self.write("small.net", SMALL), "--out", str(out))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("largest backlog 80 bytes", done.stdout)
        self.assertEqual({p.name for p in out.iterdir()},
                         {"small.csv", "small-backlog.svg", "small-limit.svg",
                          "small-rate.svg"})
        self.assertIn("backlog, B", axes(out / "small-backlog.svg"))
        self.assertIn("limit, Gbit/s", axes(out / "small-limit.svg"))
        self.assertIn("admitted rate, Gbit/s", axes(out / "small-rate.svg"))

    def test_picture_shows_what_was_computed(self) -> None:
        """20 bytes at 20 ns, 80 at 50 ns and at 70 ns, none from 150 ns on."""
        out = self.folder / "out"
        case = self.write("small.net", "title A < B & C  # and no more\n" + SMALL)
        self.assertEqual(netcalc("run", case, "--exact", "--out", str(out)).returncode, 0)
        self.assertLessEqual({"A < B & C: backlog", "time, ns", "200", "80"},
                             axes(out / "small-backlog.svg"))
        self.assertLessEqual({"200", "25"}, axes(out / "small-rate.svg"))
        self.assertEqual(corners(out / "small-backlog.svg", 200, 80 * 1.06),
                         [(0, 0), (20, 20), (50, 80), (70, 80), (150, 0), (200, 0)])
        # 16 Gbit/s for 20 ns, both for 30 ns, and the second one for 20 ns more
        self.assertLessEqual({(0, 16), (20, 16), (20, 24), (50, 24), (50, 8), (70, 8), (70, 0),
                              (200, 0)}, set(corners(out / "small-rate.svg", 200, 24 * 1.06)))

    def test_without_gnuplot_there_are_the_data(self) -> None:
        """And a word of what is missing."""
        programs = self.folder / "bin"
        programs.mkdir()
        for folder in os.environ["PATH"].split(":"):
            for program in Path(folder).glob("*"):
                if program.name != "gnuplot" and not (programs / program.name).is_symlink():
                    (programs / program.name).symlink_to(program)
        case, out = self.write("small.net", SMALL), self.folder / "out"
        for words, table in (
                (("run", case, "--out", str(out)), out / "small.csv"),
                (("figures", "--out", str(out)), out / "burst-dcqcn-nopfc.csv"),
                (("collapse", "--svg", str(out / "c.svg")), None)):
            done = netcalc(*words, env=os.environ | {"PATH": str(programs)})
            with self.subTest(words):
                self.assertEqual(done.returncode, 1)
                self.assertIn(f"netcalc {words[0]}: the program 'gnuplot' is missing",
                              done.stderr)
                self.assertIn("apt-get install", done.stderr)
                self.assertGreater(len(table.read_text() if table else done.stdout), 300)
        self.assertEqual(list(out.glob("*.svg")), [])

    def test_collapse_picture(self) -> None:
        """One point of reno was measured, and is a dot of its own."""
        measured = self.write("m.csv", "q,model,throughput_bps\n0.125,reno,1e9\n")
        picture = self.folder / "c.svg"
        words = ("--q", "1/64:1/2", "--models", "reno,mswift", "--measured", measured)
        done = netcalc("collapse", *words, "--svg", str(picture))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout, netcalc("collapse", *words).stdout)
        self.assertEqual(axes(picture) & {"reno", "mswift", "lswift", "1/8", "1/64"},
                         {"reno", "mswift", "1/8", "1/64"})
        self.assertEqual([title.text for title in
                          ElementTree.parse(picture).iter(f"{SVG}title")],
                         ["reno", "reno, measured", "mswift"])
        done = netcalc("collapse", "--help", "--svg", str(picture))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.refused("--q names 1 shares above 0", "collapse", "--models", "reno", "--q", "0,1/4",
                     "--svg", str(picture), printed=None)
        self.refused("--q 'x': allowed are shares", "collapse", "--q", "x", "--svg", str(picture))

    def test_same_twice(self) -> None:
        case = str(EXAMPLES / "vegas.net")
        self.assertEqual(netcalc("run", case).stdout, netcalc("run", case).stdout)

    def test_figures(self) -> None:
        done = netcalc("figures", "--out", str(self.folder / "f"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        names = [Path(line).name for line in done.stdout.splitlines()]
        for figure in FIGURES:
            self.assertIn(f"figure-{figure}.svg", names)
            shown = axes(self.folder / "f" / f"figure-{figure}.svg")
            self.assertTrue(any(text.startswith(f"Figure {figure}: ") for text in shown), shown)
        for case in CASES:
            self.assertIn(f"{case}.csv", names)

    def test_arrivals_from_a_file(self) -> None:
        self.write("a.csv", "t_ns,bytes\n0,0\n100,50\n")
        text = SMALL.replace("send a burst=100B", "send a file=a.csv")
        done = netcalc("run", self.write("case.net", text))
        self.assertEqual(done.stderr, "")
        self.assertTrue(done.stdout.splitlines()[-1].startswith(
            "200.000,all,100.000,100.000,100.000,0.000,"), done.stdout)

    def test_curves(self) -> None:
        burst = self.write("f.csv", "t_ns,bytes\n0,0\n0,120\n100,120\n")
        done = netcalc("conv", burst, "rate:8Gbps", "--until", "200ns")
        self.assertEqual(done.stdout, "t_ns,bytes\n0,0\n120,120\n120,120\n200,120\n")
        # its own last bend is behind those of both
        self.assertEqual(netcalc("conv", burst, "rate:8Gbps").stdout,
                         "t_ns,bytes\n0,0\n120,120\n")
        done = netcalc("delay", burst, "rate:8Gbps", "--until", "200ns")
        self.assertEqual(done.stdout, "delay_ns,t_ns\n120,0\n")
        done = netcalc("backlog", burst, "rate:8Gbps", "--until", "200ns")
        self.assertEqual(done.stdout, "backlog_bytes,t_ns\n120,0\n")
        done = netcalc("min", burst, "bucket:10B:8Gbps", "--until", "200ns")
        self.assertEqual(done.stdout, "t_ns,bytes\n0,10\n110,120\n110,120\n200,120\n")
        done = netcalc("sum", burst, "window:5B", "--until", "1ns")
        self.assertEqual(done.stdout, "t_ns,bytes\n0,125\n1,125\n")
        self.refused("--until: '0'; allowed: more than 0", "sum", burst, "window:5B", "--until",
                     "0", status=2)
        self.refused("'-1us' is not a time", "sum", burst, "window:5B", "--until", "-1us",
                     status=2)

    def test_shapes(self) -> None:
        """Curves by a word: two lines or more are joined."""
        def points(*words: str) -> str:
            done = netcalc(*words)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            return done.stdout.replace("t_ns,bytes\n", "").replace("\n", " ")
        self.assertEqual(points("sum", "latency:8Gbps:10ns", "window:1B", "--until", "20ns"),
                         "0,1 10,1 10,1 20,11 ")
        self.assertEqual(points("min", "concave:10B:8Gbps:30B:4Gbps", "window:100B",
                                "--until", "50ns"), "0,10 40,50 40,50 50,55 ")
        self.assertEqual(points("max", "convex:4Gbps:0:8Gbps:10ns", "rate:4Gbps",
                                "--until", "30ns"), "0,0 20,10 20,10 30,20 ")
        self.assertEqual(points("deconv", "bucket:10B:2Gbps", "latency:5Gbps:8ns", "--until",
                                "8ns"), "0,12 8,14 ")
        for name, want in (("latency:4Gbps", "has no time"), ("concave:4B", "has no rate"),
                           ("convex:4Gbps:0:8Gbps", "has no time"),
                           ("bucket:1B:1Gbps:2ns", "has too many parts"),
                           ("latency:4Gbps:5B", "'5B' has the unit 'B'"),
                           ("rate:", "'' is not a rate")):
            self.refused(f"{name}", "min", name, "rate:1Gbps", status=2)
            self.refused(want, "min", name, "rate:1Gbps", status=2)
        largest = "convex:999999999999999999kbps:999999999999999999ns:999999999999999997kbps:3ns"
        self.refused(f"{largest}:1kbps:7ns: a number needs more than 127 bits", "conv",
                     f"{largest}:1kbps:7ns", "rate:1Gbps")
        self.refused("up to 16 hops", "path", *["rate:1Gbps"] * 18, status=2)
        self.refused("F grows faster than G for ever", "deconv", "rate:4Gbps", "rate:1Gbps")

    def test_fifo(self) -> None:
        """Theorem 1: who is first of what came at once is open."""
        done = netcalc("fifo", "window:10B", "window:30B", "latency:8Gbps:5ns", "--until",
                       "50ns")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout.split(), [
            "t_ns,least,shared,most", "0,0,0,10", "5,0,0,10", "5,0,0,10", "45,0,10,10",
            "45,10,10,10", "50,10,10,10"])
        self.refused("fifo: three curves are needed; allowed: F OTHERS S", "fifo",
                     "rate:1Gbps", "rate:1Gbps", status=2)

    def test_large_numbers(self) -> None:
        burst = self.write("f.csv", "0,0\n0,900000000000000000000000\n")
        done = netcalc("sum", burst, burst)
        self.assertEqual(done.stdout, "t_ns,bytes\n0,1800000000000000000000000\n"
                                      "1,1800000000000000000000000\n")
        most = self.write("g.csv", "0,0\n0,1e30\n3,99999999e30\n")
        self.refused("sum: a number needs more than 127 bits", "sum", most, most,
                     "--until", "1s")

    def test_exact(self) -> None:
        third = self.write("f.csv", "0,0\n3,1\n")
        self.assertEqual(netcalc("min", third, "window:1B", "--until", "2ns").stdout,
                         "t_ns,bytes\n0,0\n2,0.667\n")
        exact = netcalc("min", third, "window:1B", "--until", "2ns", "--exact").stdout
        self.assertEqual(exact, "t_ns,bytes\n0,0\n2,2/3\n")
        again = self.write("g.csv", exact)
        self.assertEqual(netcalc("min", again, again, "--until", "2ns", "--exact").stdout,
                         exact)
        self.assertEqual(netcalc("delay", "bucket:10KB:3Gbps", "rate:7Gbps",
                                 "--exact").stdout, "delay_ns,t_ns\n80000/7,0\n")

    def test_all_that_exact_prints_is_read_back(self) -> None:
        """Also what has more than 30 digits: there are 39 in 127 bits."""
        row = f"{10**33 + 3}/7,5\n{10**34},5\n"
        name = self.write("f.csv", "t_ns,bytes\n0,0\n" + row)
        once = netcalc("min", name, name, "--exact")
        self.assertEqual((once.returncode, once.stderr), (0, ""))
        self.assertIn(f"{10**33 + 3}/7,5\n", once.stdout)
        again = self.write("g.csv", once.stdout)
        self.assertEqual(netcalc("min", again, again, "--exact").stdout, once.stdout)
        self.refused("has too many digits", "min", self.write("h.csv", f"0,{2**127}\n"), name)

    def test_run_exact(self) -> None:
        case = str(EXAMPLES / "fairness.net")
        rows = netcalc("run", case).stdout.splitlines()[1:]
        exact = netcalc("run", case, "--exact").stdout.splitlines()[1:]
        self.assertEqual(len(exact), len(rows))
        fractions = 0
        for row, other in zip(rows, exact):
            want, got = row.split(","), other.split(",")
            fractions += "/" in other
            for k in (0, 2, 3, 4, 5):
                self.assertAlmostEqual(Fraction(got[k]), Fraction(want[k]), delta=0.001)
        self.assertGreater(fractions, 100)

    def test_a_full_disk_is_told(self) -> None:
        """Results that cannot be written are no success."""
        case = self.write("small.net", SMALL)
        for words in (("run", case), ("conv", "rate:1Gbps", "rate:2Gbps"), ("words",),
                      ("delay", "rate:1Gbps", "rate:2Gbps"), ("collapse",), ("--help",),
                      ("collapse", "--help")):
            with self.subTest(words), open("/dev/full", "w", encoding="ascii") as full:
                done = subprocess.run([str(NETCALC), *words], stdout=full, text=True,
                                      stderr=subprocess.PIPE, timeout=TIMEOUT_S,
                                      check=False)
                self.assertEqual(done.returncode, 1)
                self.assertIn("standard output: cannot be written", done.stderr)

    def test_no_bound(self) -> None:
        self.assertEqual(netcalc("delay", "rate:10Gbps", "rate:5Gbps").stdout,
                         "delay_ns,t_ns\ninf,0\n")
        self.assertEqual(netcalc("backlog", "rate:10Gbps", "rate:5Gbps").stdout,
                         "backlog_bytes,t_ns\ninf,0\n")
        self.assertEqual(netcalc("backlog", "rate:8Gbps", "rate:4Gbps", "--until",
                                 "10ns").stdout, "backlog_bytes,t_ns\n5,10\n")

    def test_cost_is_not_the_square(self) -> None:
        """Of CPU time a tenth of the limit is needed, and twice of it was, or more."""
        for name, text in (("flows", different_flows(300)), ("sends", many_sends(30000))):
            with self.subTest(name):
                done = netcalc("run", self.write(f"{name}.net", text),
                               preexec_fn=lambda: limit(LINEAR_CPU_S))
                self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_every_alg_runs(self) -> None:
        """Those that `words` lists are those that are allowed, and each delivers."""
        algs = re.findall(r"^  cc=(\S+)$", netcalc("words").stdout, re.MULTILINE)
        self.refused(f"cc is 'x'; allowed: {' '.join(algs)}\n", "run",
                     self.write("x.net", "flow f cc=x\n"))
        rate = "rate=1Gbps increase=1Mbps every=1ms decrease=0.5"
        needed = {"aimd": rate, "dcqcn": rate, "reno": "window=9KB timeout=0",
                  "vegas": "window=9KB", "fixed": "window=9KB"}
        for alg in algs:
            text = (f"link rate=1Gbps feedback=100us\nflow f cc={alg} {needed.get(alg, '')}\n"
                    "send f burst=20KB\nstop at=2ms\n")
            done = netcalc("run", self.write(f"{alg}.net", text))
            with self.subTest(alg):
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertEqual(done.stdout.splitlines()[-1].split(",")[4], "20000.000")
        self.assertGreater(len(algs), 15)

    def test_no_limit_is_infinite(self) -> None:
        """And has no picture; it does not add up with a window."""
        case = SMALL + "flow n cc=none\nsend n burst=9B\n"
        rows = list(csv.DictReader(io.StringIO(netcalc(
            "run", self.write("n.net", case), "--flows").stdout)))
        self.assertEqual({r["limit"] for r in rows if r["flow"] == "n"}, {"inf"})
        self.assertEqual({r["limit"] for r in rows if r["flow"] == "all"}, {"nan"})
        alone = self.write("alone.net", "link rate=8Gbps feedback=10ns\nflow n cc=none\n"
                                        "send n burst=9B\nstop at=20ns\n")
        out = self.folder / "out"
        self.assertEqual(netcalc("run", alone, "--out", str(out)).returncode, 0)
        self.assertEqual({p.name for p in out.iterdir()},
                         {"alone.csv", "alone-backlog.svg", "alone-rate.svg"})

    def test_modules_decide_as_replay(self) -> None:
        """The windows are those that replay has of what the curves tell."""
        for alg, knobs in ALGS:
            ecn = alg in ("nscc", "mnscc")
            text = MODULES.format(alg=alg, ecn=f"ecn kmax={KMAX}B" if ecn else "",
                                  knobs=" ".join(f"{k}={v}" for k, v in knobs.items()))
            done = netcalc("run", self.write(f"{alg}.net", text), "--flows", "--exact")
            self.assertEqual(done.stderr, "")
            rows = list(csv.DictReader(io.StringIO(done.stdout)))
            courses = {name: Course([r for r in rows if r["flow"] == name])
                       for name in ("all", "a", "b")}
            for name in ("a", "b"):
                with self.subTest(alg=alg, flow=name):
                    self.decides_as_replay(alg, knobs, courses[name],
                                           told(courses[name], courses["all"], ecn))

    def decides_as_replay(self, alg: str, knobs: dict[str, int], flow: Course,
                          events: list[dict[str, int]]) -> None:
        """All decisions of one flow."""
        self.assertGreater(len(events), 100)
        if alg in ("nscc", "mnscc"):    # begins with the flow, not with its first row
            begun = math.floor(flow.t[bisect.bisect_right(flow.of["Ahat"], 0) - 1])
            events[0] |= {"pre_last_dec_ns": begun, "pre_last_adj_ns": begun}
        table = io.StringIO()
        writer = csv.DictWriter(table, events[0])
        writer.writeheader()
        writer.writerows(events)
        sets = [word for k, v in knobs.items() for word in ("--set", f"{k}={v}")]
        done = subprocess.run([str(REPLAY), alg, "-", *sets], input=table.getvalue(),
                              capture_output=True, text=True, timeout=TIMEOUT_S,
                              check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        wanted = [int(float(row["cwnd_packets"])) * PACKET
                  for row in csv.DictReader(io.StringIO(done.stdout))]
        self.assertGreaterEqual(min(wanted), 2 * PACKET)    # smaller ones are paced
        self.assertGreater(len(set(wanted)), 4)
        self.assertEqual([flow.limits(event["now_ns"])[1] for event in events], wanted)

    def test_windows_and_rates_do_not_add_up(self) -> None:
        case = self.write("mixed.net", SMALL + "flow w cc=reno window=1KB timeout=0\n"
                                               "send w burst=9KB\n")
        rows = list(csv.DictReader(io.StringIO(netcalc("run", case, "--flows").stdout)))
        self.assertEqual({r["limit"] for r in rows if r["flow"] == "all"}, {"nan"})
        self.assertEqual({r["limit"] for r in rows if r["flow"] == "b"}, {"8000000000"})
        last = [r for r in rows if r["flow"] == "all"]
        self.assertEqual(len(last), len({tuple(r.values()) for r in last}))
        out = self.folder / "out"
        self.assertEqual(netcalc("run", case, "--out", str(out)).returncode, 0)
        self.assertEqual({p.name for p in out.iterdir()},
                         {"mixed.csv", "mixed-backlog.svg", "mixed-rate.svg"})

    def test_collapse_ends(self) -> None:
        for view in ("stack", "paper"):
            done = netcalc("collapse", "--tl", "1e9s", "--view", view, preexec_fn=limit)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn("packets: allowed is up to 1000000", done.stderr)
        done = netcalc("collapse", "--tl", "30ms", "--rate", "800Gbps", preexec_fn=limit)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_sweep(self) -> None:
        """A row for each combination; 8 Gbit/s less or more than what is sent."""
        case = self.write("s.net", "link rate=$rate feedback=1us\n"
                                   "flow f cc=fixed count=2 window=$window\n"
                                   "send f1 rate=4Gbps\nsend f2 rate=12Gbps\nstop at=100us\n")
        picture = self.folder / "s.svg"
        done = netcalc("sweep", case, "--set", "rate=8Gbps,32Gbps", "--set", "window=1MB,0.5MB",
                       "--to", "50us", "--show", "largest_bytes", "--svg", str(picture))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        rows = list(csv.DictReader(io.StringIO(done.stdout)))
        self.assertEqual([(r["rate"], r["window"]) for r in rows],
                         [("8Gbps", "1MB"), ("8Gbps", "0.5MB"), ("32Gbps", "1MB"),
                          ("32Gbps", "0.5MB")])
        # 2 bytes per ns come and 1 goes for 50 us; 4 go: no queue
        self.assertEqual([r["largest_bytes"] for r in rows], ["50000", "50000", "0", "0"])
        self.assertEqual([r["backlog_bytes"] for r in rows], ["25000", "25000", "0", "0"])
        ElementTree.parse(picture)
        self.assertIn("window=0.5MB", picture.read_text())
        self.assertEqual([p.name for p in self.folder.glob(".*")], [])

    def test_sweep_is_refused(self) -> None:
        """Names that are not there, values that are none, and the case's own errors."""
        case = self.write("s.net", "link rate=$rate feedback=1us\nflow f cc=none\n"
                                   "send f rate=$load\nstop at=1us\n")
        both = ("--set", "rate=8Gbps", "--set", "load=1Gbps")
        self.refused("$load is not set; allowed: --set load=VALUE", "sweep", case, *both[:2])
        self.refused("has no $x; allowed: load, rate", "sweep", case, *both, "--set", "x=1")
        self.refused(f"{case}:1: rate: '8' has no unit", "sweep", case, "--set", "rate=8",
                     *both[2:])
        self.refused("a picture's x axis; allowed: numbers with the same unit", "sweep", case,
                     "--set", "rate=8Gbps,9Mbps", *both[2:], "--svg", "x.svg")
        self.refused("nothing between", "sweep", case, *both, "--from", "1us")
        self.refused("nothing between", "sweep", case, *both, "--to", "0")
        self.refused("a value is there twice", "sweep", case, "--set", "rate=1,1", status=2)
        self.refused("third parameter has several values", "sweep", case, *both, "--set",
                     "x=1,2", status=2)
        self.refused("a name is there twice", "sweep", case, *both, *both, status=2)

    def test_names_that_tables_cannot_hold(self) -> None:
        for name in ("a,b", '"a', "a=b"):
            case = self.write("n.net", SMALL.replace("send a ", f"send {name} "))
            self.refused("no flow's name; allowed: 1 to ", "run", case)

    def test_flows_that_are_nowhere(self) -> None:
        """What was asked for is not guessed."""
        model = self.write("model.csv", "t_ns,flow,Ahat,D,backlog,limit\n0,v,0,0,0,0\n"
                                        "9,v,9,9,0,0\n")
        lab = self.folder / "run"
        lab.mkdir()
        (lab / "trace.csv").write_text("t,link,dir,event,len,queue,hash,label,flow,seq\n"
                                       "5,l,ab,rx,1500,0,0,0,1 7,1\n")
        (lab / "plan").write_text("flow w port=7\n")
        compare = ("compare", model, str(lab))
        self.refused("'foo' is no flow of the lab's run; allowed: w, or a port", *compare,
                     "--flow", "v=foo")
        self.refused("--flow x=: the model has no such flow; allowed: v", *compare,
                     "--flow", "x=w")
        self.refused("a flow of the model is given twice", *compare, "--flow", "v=w",
                     "--flow", "v=7", status=2)

    def test_files_that_are_something_else(self) -> None:
        """One line, for each file that compare and sweep read."""
        names = {"empty": b"", "binary": bytes(range(256)) * 20,
                 "short": b"t_ns,flow,Ahat,D,backlog,limit\n0,all,0\n",
                 "endless": b"t_ns,flow,Ahat,D,backlog,limit\ninf,all,0,0,0,0\n"}
        for name, content in names.items():
            (self.folder / f"{name}.csv").write_bytes(content)
        lab = self.folder / "run"
        lab.mkdir()
        model = self.write("model.csv", "t_ns,flow,Ahat,D,backlog,limit\n0,all,0,0,0,0\n"
                                        "9,all,9,9,0,0\n")
        for name in names:
            path = str(self.folder / f"{name}.csv")
            with self.subTest(name):
                self.refused_in_a_line(f"{path}.*allowed: ", "compare", path, str(lab))
                self.refused_in_a_line(f"{path}.*allowed: ", "sweep", path, "--set", "rate=1")
                (lab / "trace.csv").write_bytes(names[name])
                self.refused_in_a_line("/trace.csv", "compare", model, str(lab))
        (lab / "trace.csv").write_text("t,link,dir,event,len,queue,hash,label,flow,seq\n"
                                       "5,l,ab,rx,1500,0,0,0,1 7,1\n")
        (lab / "plan").write_bytes(names["binary"])
        self.refused_in_a_line("/plan' cannot be read; allowed: ", "compare", model, str(lab))
        (lab / "plan").write_text("flow f port=7\n")
        self.refused_in_a_line("not in the trace of both ends", "compare", model, str(lab))

    def refused_in_a_line(self, want: str, *arguments: str) -> None:
        """The same, and the message is a line."""
        done = netcalc(*arguments)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, rf"^netcalc {arguments[0]}: [^\n]*{want}[^\n]*\n$")

    def test_draw_is_netcalcs(self) -> None:
        for words in ((), ("run",), ("paint",)):
            done = subprocess.run([NETCALC.parent / "draw", *words], capture_output=True,
                                  text=True, check=False)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertEqual(done.stderr, "draw: netcalc starts this program; allowed:"
                             " tools/netcalc/netcalc run|figures|collapse ...\n")

    def test_words_and_help(self) -> None:
        self.assertIn("feedback", netcalc("words").stdout)
        self.assertIn("netcalc run FILE", netcalc("--help").stdout)

    def test_refused(self) -> None:
        bad = self.write("bad.net", "link rate=8Gbps feedback=0\n")
        self.refused("bad.net:1: feedback is 0; allowed:", "run", bad)
        self.refused("/no/such: No such file", "run", "/no/such")
        self.refused("cannot be read: Is a directory", "run", str(self.folder))
        self.refused("no FILE; allowed:", "run", status=2)
        self.refused("'--fast'; allowed:", "run", "--fast", status=2)
        self.refused("no command 'walk'", "walk", status=2)
        self.refused("figures: allowed: --out DIR", "figures", status=2)
        self.refused("two curves are needed", "conv", "rate:1Gbps", status=2)
        self.refused("'1' has no unit", "conv", "rate:1", "rate:1Gbps", status=2)
        self.refused("has no rate", "min", "bucket:1B", "rate:1Gbps", status=2)
        self.refused("--until: ", "conv", "rate:1Gbps", "rate:1Gbps", "--until", "x", status=2)
        self.refused("no flow 'c'; allowed: one of", "run",
                     self.write("c.net", SMALL.replace("send a ", "send c ")))
        self.refused("zero.net:2: a zero byte", "run",
                     self.write("zero.net", "title x\n\0\n"))
        self.refused("a name that begins with a dot", "run", self.write(".hid.net", SMALL),
                     "--out", str(self.folder / "out"))
        self.refused("/dev/null/x: Not a directory", "run",
                     self.write("small.net", SMALL), "--out", "/dev/null/x")

    def test_overflow_is_told(self) -> None:
        flows = [f"flow f{k} cc=aimd rate=1Tbps increase=0 every=1s decrease=1\n"
                 f"send f{k} file=f{k}.csv\n" for k in range(8)]
        for k in range(8):
            self.write(f"f{k}.csv", f"0,0\n{10**9 + 7 + 2 * k}.{k}7,{10**6 + k}\n")
        case = self.write("odd.net", "link rate=8Gbps feedback=10ns\nstop at=1s\n"
                          + "".join(flows))
        self.refused("a fraction needs more than 127 bits", "run", case)

    def test_overflow_ends_the_run(self) -> None:
        done = netcalc("run", self.write("two.net", TWO_VEGAS), preexec_fn=limit)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("a fraction needs more than 127 bits", done.stderr)

    def test_vegas_finishes_or_refuses(self) -> None:
        finished = 0
        for seed in VEGAS_SEEDS:
            done = netcalc("run", self.write(f"{seed}.net", random_vegas(seed)),
                           preexec_fn=limit)
            with self.subTest(seed=seed, status=done.returncode):
                if done.returncode == 0:
                    finished += 1
                    self.assertTrue(done.stdout.splitlines()[-1].startswith(
                        "5000000.000,all,"))
                else:
                    self.assertEqual((done.returncode, done.stdout), (1, ""))
                    self.assertIn("a fraction needs more than 127 bits", done.stderr)
        self.assertTrue(0 < finished < len(VEGAS_SEEDS), finished)


class House(unittest.TestCase):
    """Each part calls only what is below it."""

    def test_no_circle_of_calls(self) -> None:
        self.assertEqual(netcalc("words").returncode, 0)    # it is built
        build = Path(os.environ.get("NETCALC_BUILD", TOP / "build/netcalc"))
        home: dict[str, str] = {}
        needs: dict[str, set[str]] = {}
        for path in build.glob("*.o"):
            if not any((TOP / "tools" / tool / f"{path.stem}.c").exists()
                       for tool in ("netcalc", "csv", "algorithms")):
                continue    # of a source that is gone
            for line in subprocess.check_output(["nm", "-P", str(path)],
                                                text=True).splitlines():
                name, kind = line.split()[:2]
                if kind == "U":
                    needs.setdefault(path.stem, set()).add(name)
                elif kind in "BCDRT":
                    home[name] = path.stem
        order = graphlib.TopologicalSorter({
            part: {home[name] for name in names if name in home} - {part}
            for part, names in needs.items()})
        order.prepare()     # raises CycleError
        self.assertGreater(len(needs), 25)


if __name__ == "__main__":
    unittest.main()
