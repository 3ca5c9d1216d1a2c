#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""netcalc's links against brute force: what finds no room, and hops in a row.

The server takes 1 byte per ns, so that times and bytes are one.
"""
import csv
import io
import itertools
import math
import random
import subprocess
import tempfile
import unittest
from collections import deque
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

TOP = Path(__file__).resolve().parents[3]
NETCALC = TOP / "tools/netcalc/netcalc"
TIMEOUT_S = 300
STEPS = 4               # of a ns
SEEDS = range(1, 41)
END_NS, FEEDBACK_NS = 1200, 20
SCENARIOS = TOP / "tools/lab/scenarios"
DISTANCES = """title 24 us beside 240 us, mswift
link rate=9824219kbps feedback=30669ns buffer=982422B
flow near cc=mswift packet=4024B
flow far cc=mswift packet=4024B feedback=246669ns
send near burst=1TB at=0ns
send far burst=1TB at=20000000ns
stop at=60000000ns
"""
TWO = """title two senders, $cc
set cc mswift
topology star hosts=3 rate=10Gbps delay=5us mtu=1500B buffer=1MB ecn=30KB
link h3-s:ab delay=22us
host h3 knob mswift.percentile=60 mswift.spray=off
host * knob nscc.drain_rtts=0 swift.drain_rtts=0

flow a h2 -> h1 cc=$cc size=forever start=10us
flow b h3 -> h1 cc=$cc size=3MB start=20us
stop at=2ms
"""
TWO_CASE = """title two senders, nscc
link rate=9520000kbps feedback=22515ns buffer=952000B
ecn kmax=28560B at=arrival
flow a cc=nscc packet=1428B drain_rtts=0
flow b cc=nscc packet=1428B feedback=39515ns drain_rtts=0
send a burst=1TB at=10000ns
send b burst=3000000B at=37000ns
stop at=2000000ns
"""
HOP_SEEDS = range(1, 41)
HOPS_END_NS = 400
SLACK = 0.01            # bytes: a sum of steps is not exact
NOTHING = 1e-9


def setUpModule() -> None:
    """The first call says that it builds: not in the middle of a test."""
    netcalc("--version")


def netcalc(*arguments: str) -> subprocess.CompletedProcess:
    """Run the command."""
    return subprocess.run([str(NETCALC), *arguments], capture_output=True,
                          text=True, timeout=TIMEOUT_S, check=False)


@dataclass
class Source:
    """A flow: what it sends, and its rate and timeout if it has a control."""

    rate: int                               # bytes per ns; 0: no control
    timeout: int
    burst: int
    at: int
    flow: int                               # bytes per ns it sends all the time
    sent: float = 0
    done: float = 0
    hole: float = math.inf
    went_back: int = 0
    history: list = field(default_factory=lambda: [(0.0, 0.0)])

    def line(self, name: str) -> str:
        """The same as a case."""
        alg = (f"aimd rate={self.rate * 8}Gbps increase=0 every=1ms decrease=0.5"
               f" timeout={self.timeout}ns" if self.rate else "none")
        sends = [f"send {name} burst={self.burst}B at={self.at}ns"]
        if self.flow:
            sends.append(f"send {name} rate={self.flow * 8}Gbps")
        return "\n".join([f"flow {name} cc={alg}", *sends]) + "\n"

    def jumps(self, t: float) -> int:
        """What comes at once at the begin of a step: what no control holds back."""
        return self.burst if self.at == t and not self.rate else 0

    def comes(self, t: float, rate: float) -> float:
        """What comes in the step that begins at t, steadily."""
        end = t + 1 / STEPS
        waits = self.flow * end + self.burst * (self.at < end) - self.sent
        return min(waits, rate / STEPS) if self.rate else max(waits, 0)

    def overdue(self, step: int) -> float | None:
        """The first byte that is overdue."""
        if not self.rate:
            return None
        late, seen = (max(step - ns * STEPS, 0) for ns in (self.timeout, FEEDBACK_NS))
        acked = min(self.history[seen][1], self.hole)
        return acked if acked < self.history[late][0] - SLACK else None


def random_sources(draw: random.Random) -> list[Source]:
    """Two to four flows, half of them with a control."""
    return [Source(rate=draw.choice([0, 1, 2, 3]), timeout=draw.randint(60, 400),
                   burst=draw.randint(50, 600), at=draw.randint(0, 300),
                   flow=draw.choice([0, 0, 1]))
            for _ in range(draw.randint(2, 4))]


class Queue:
    """Drops in the order in which they came, so many at most."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.waits = 0.0
        self.drops: deque[list[float]] = deque()    # of each flow, step by step

    def enter(self, sources: list[Source], comes: list[float], served: float) -> None:
        """What finds room; the first byte that does not is noted."""
        free = self.room + served - self.waits
        share = min(1, free / sum(comes)) if sum(comes) > 0 else 1
        for source, amount in zip(sources, comes):
            if share < 1 and amount > 0 and math.isinf(source.hole):
                source.hole = source.sent + share * amount
            source.sent += amount
        self.waits += sum(comes) * share
        self.drops.append([amount * share for amount in comes])

    def leave(self, sources: list[Source]) -> None:
        """A step's service."""
        left = 1 / STEPS
        while self.drops and left > NOTHING:
            head = self.drops[0]
            part = min(1, left / sum(head)) if sum(head) > 0 else 1
            for number, source in enumerate(sources):
                source.done += head[number] * part
            left -= sum(head) * part
            self.waits -= sum(head) * part
            self.drops[0] = [amount * (1 - part) for amount in head]
            if part == 1:
                self.drops.popleft()

    def forget(self, number: int) -> None:
        """A flow goes back: what it has in the queue leaves it."""
        for drops in self.drops:
            self.waits -= drops[number]
            drops[number] = 0


def simulate(sources: list[Source], room: int) -> None:
    """Step by step, drop by drop."""
    queue = Queue(room)
    rates = [float(source.rate) for source in sources]
    for step in range(1, END_NS * STEPS + 1):
        t = (step - 1) / STEPS
        queue.enter(sources, [source.jumps(t) for source in sources], 0)
        queue.enter(sources, [source.comes(t, rate) for source, rate in zip(sources, rates)],
                    1 / STEPS)
        queue.leave(sources)
        for number, source in enumerate(sources):
            source.history.append((source.sent, source.done))
            first = source.overdue(step) if step % STEPS == 0 else None
            if first is not None:
                queue.forget(number)
                source.sent = source.done = math.floor(first + SLACK)
                source.hole = math.inf
                source.history = [(source.sent, source.done)] * (step + 1)
                source.went_back += 1
                rates[number] /= 2


class Buffers(unittest.TestCase):
    """`link buffer=`."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_case(self, text: str) -> dict[str, list[dict[str, float]]]:
        """The rows of each flow."""
        path = self.folder / "case.net"
        path.write_text(text)
        done = netcalc("run", str(path), "--flows")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        flows: dict[str, list[dict[str, float]]] = {}
        for row in csv.DictReader(io.StringIO(done.stdout)):
            flows.setdefault(row.pop("flow"), []).append(
                {name: float(value) for name, value in row.items()})
        return flows

    def test_drops_by_brute_force(self) -> None:
        """Random flows: what each has sent and got through, and when it went back."""
        losses = back = 0
        for seed in SEEDS:
            draw = random.Random(seed)
            sources, room = random_sources(draw), draw.randint(20, 400)
            text = (f"link rate=8Gbps feedback={FEEDBACK_NS}ns buffer={room}B\n"
                    + "".join(source.line(f"f{k}") for k, source in enumerate(sources))
                    + f"stop at={END_NS}ns\n")
            flows = self.run_case(text)
            simulate(sources, room)
            losses += any(not math.isinf(source.hole) for source in sources)
            self.assertLessEqual(max(row["backlog"] for row in flows["all"]), room)
            for number, source in enumerate(sources):
                last = flows[f"f{number}"][-1]
                back += source.went_back
                with self.subTest(seed=seed, flow=number, back=source.went_back):
                    self.assertAlmostEqual(last["Ahat"], source.sent, delta=3)
                    self.assertAlmostEqual(last["D"], source.done, delta=3)
        self.assertGreater(min(losses, back), 10)

    def test_no_answer_is_told(self) -> None:
        """A window of 31 bytes, room for 30; and what was lost stands in the summary."""
        case = self.folder / "case.net"
        text = ("link rate=8Gbps feedback=10ns buffer=30B\nflow f cc=fixed window={}B\n"
                "send f burst=100B\nstop at=100ns\n")
        case.write_text(text.format(31))
        done = netcalc("run", str(case))
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn(f"{case}:2: at 1 ns buffer=30B is full; 'f' has an algorithm without an"
                      " answer to a loss; allowed: a larger buffer=", done.stderr)
        case.write_text(text.format(30))
        self.assertEqual(netcalc("run", str(case)).returncode, 0)
        case.write_text(text.format(1).replace("fixed window=1B", "none"))
        done = netcalc("run", str(case), "--out", str(self.folder))
        self.assertIn("\nlost 70 bytes\n", done.stdout)


class Hops(unittest.TestCase):
    """`path`, and the lines `hop`."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def points(self, *words: str) -> list[list[Fraction]]:
        """A table of numbers."""
        done = netcalc(*words, "--exact")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return [[Fraction(cell) for cell in line.split(",")]
                for line in done.stdout.splitlines()[1:]]

    def test_path_by_hand(self) -> None:
        """10 bytes and then half a byte per ns, and others.

        The first hop sends 1 byte per ns from 5 ns on; of 20 bytes that came at once half
        are the flow's. Until then 2.5 and 1.25 bytes have come besides. At 25 ns the others
        have got through, or the flow has, 10 bytes of either; behind it two thirds of what
        leaves are the flow's. The second hop has half a byte per ns, and nobody crosses it.
        """
        hop = ("latency:8Gbps:5ns", "--cross", "bucket:10B:2Gbps")
        rows = self.points("path", "bucket:10B:4Gbps", *hop, "--until", "31ns")
        self.assertIn([15, 0, 5, 10], rows)
        self.assertIn([25, 10, 10, 10], rows)
        self.assertEqual(rows[-1], [31, 14, 14, 14])
        rows = self.points("path", "bucket:10B:4Gbps", *hop, "rate:4Gbps", "--until", "31ns")
        self.assertEqual(rows[-1], [31, 8, 13, 13])

    def test_alone_is_the_convolution(self) -> None:
        """Without others the row of hops is the convolution of all its curves."""
        self.folder.joinpath("s.csv").write_text("0,0\n7,3\n9,20\n12,22\n13,50\n")
        flow = "concave:30B:1Gbps:5B:20Gbps"
        services = ["latency:16Gbps:7ns", "convex:1Gbps:2ns:24Gbps:20ns", "rate:12Gbps",
                    str(self.folder / "s.csv")]
        whole = flow
        for number, service in enumerate(services):
            done = netcalc("conv", whole, service, "--exact", "--until", "300ns")
            whole = str(self.folder / f"{number}.csv")
            Path(whole).write_text(done.stdout)
        want = self.points("conv", whole, "window:1GB", "--until", "200ns")
        for order in (services, services[::-1]):
            rows = self.points("path", flow, *order, "--until", "200ns")
            self.assertEqual([row[:2] for row in rows], want)
            self.assertTrue(all(row[1] == row[2] == row[3] for row in rows))

    def test_path_ends_where_all_is_straight(self) -> None:
        """Without --until; the last piece is the right one also for the next hop."""
        self.assertEqual(self.points("path", "window:40B", "rate:16Gbps", "latency:8Gbps:7ns"),
                         [[0, 0, 0, 0], [7, 0, 0, 0], [7, 0, 0, 0], [47, 40, 40, 40]])

    def test_hops_by_brute_force(self) -> None:
        """Steady flows: three hops with latencies, and others at each."""
        for seed in HOP_SEEDS:
            draw = random.Random(seed)
            flow, others = ([(draw.randint(0, 60), draw.randint(1, 3)) for _ in range(count)]
                            for count in (1, 3))
            hops = [(draw.randint(2, 4), draw.randint(0, 30)) for _ in others]
            words = [self.steady("f", *flow[0])]
            for number, (hop, other) in enumerate(zip(hops, others)):
                words += [f"latency:{hop[0] * 8}Gbps:{hop[1]}ns", "--cross",
                          self.steady(f"g{number}", *other)]
            rows = self.points("path", *words, "--until", f"{HOPS_END_NS}ns")
            got = pass_hops(flow[0], hops, others)
            with self.subTest(seed=seed):
                for t, *bounds in rows:
                    self.assertEqual(len(set(bounds)), 1)   # nothing came at once
                    self.assertAlmostEqual(float(bounds[0]), got[int(t * STEPS)], delta=8)

    def steady(self, name: str, begin: int, rate: int) -> str:
        """A curve's file: from a time on, 100 ns long, a rate."""
        path = self.folder / f"{name}.csv"
        path.write_text(f"0,0\n{begin},0\n{begin + 100},{rate * 100}\n{begin + 9999},"
                        f"{rate * 100}\n")
        return str(path)

    def test_path_is_refused(self) -> None:
        """Others without a hop, twice at one hop, and too few words."""
        for words in (("rate:1Gbps",), ("rate:1Gbps", "--cross", "rate:1Gbps", "rate:1Gbps"),
                      ("rate:1Gbps", "rate:1Gbps", *("--cross", "rate:1Gbps") * 2),
                      ("rate:1Gbps",) * 18):
            done = netcalc("path", *words)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("allowed: F S [--cross G]", done.stderr)

    def test_hop_lines_are_one_server(self) -> None:
        """The slowest rate; each latency is a part of everybody's feedback."""
        text = ("link rate=100Gbps feedback={}us\n{}flow a cc=vegas window=9KB acks=packets\n"
                "flow b cc=swift feedback={}us\nflow c cc=aimd rate=1Gbps increase=10Mbps"
                " every=50us decrease=0.5 timeout={}us\n"
                "send a burst=1MB\nsend b burst=1MB\nsend c rate=2Gbps\nstop at=1ms\n")
        hops = "hop rate=10Gbps latency=7us\nhop rate=40Gbps\nhop rate=25Gbps latency=3us\n"
        case = self.folder / "case.net"
        answers = []
        for one in (text.format(20, hops, 35, 300), text.format(30, "", 45, 300).replace(
                "rate=100G", "rate=10G")):
            case.write_text(one)
            done = netcalc("run", str(case), "--flows")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            answers.append(done.stdout)
        self.assertEqual(*answers)
        self.assertGreater(len(answers[0]), 10000)
        case.write_text(text.format(20, hops, 35, 29))
        self.assertIn("timeout is 29000ns; allowed: 0, or from the feedback's 30000ns on",
                      netcalc("run", str(case)).stderr)
        case.write_text(text.format(20, hops, 35, 300) + "pfc off=1MB on=0\n")
        self.assertIn(f"{case}:2: a line 'hop' with 'pfc'; allowed: without",
                      netcalc("run", str(case)).stderr)


class FromLab(unittest.TestCase):
    """`case` and `run` of a scenario of the lab."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, text: str) -> str:
        """A scenario."""
        path = self.folder / "two.lab"
        path.write_text(text)
        return str(path)

    def test_case_is_the_expected_one(self) -> None:
        """4024 of 4096 bytes are payload; 2 x 3276.8 ns and 2 x 57.6 ns are sent besides."""
        done = netcalc("case", str(SCENARIOS / "netcalc-distances.lab"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout, DISTANCES)

    def test_case_of_marks_knobs_and_ways(self) -> None:
        """A far sender's bytes come later; what nobody heeds is left out."""
        done = netcalc("case", self.write(TWO), "--set", "cc=nscc")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout, TWO_CASE)
        done = netcalc("case", self.write(TWO))
        self.assertNotIn("ecn", done.stdout)
        self.assertIn("flow b cc=mswift packet=1428B feedback=39515ns percentile=60\n",
                      done.stdout)

    def flow_a(self, line: str, cc: str = "mswift") -> str:
        """What the case says of the flow a, with this line more."""
        done = netcalc("case", self.write(f"{TWO}{line}\n"), "--set", f"cc={cc}")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return next(text for text in done.stdout.splitlines() if text.startswith("flow a"))

    def test_line_rate_is_the_sender_s(self) -> None:
        """As the kernel takes it, of payload as all rates of a case are: 1428 of 1500 bytes."""
        line = "flow a cc=mswift packet=1428B"
        self.assertEqual(self.flow_a(""), line)
        for said, mbps in (("link h2-s rate=100Gbps", 95200),
                           ("host h2 knob mswift.line_rate_mbps=20000", 19040),
                           ("host h2 knob mswift.line_rate_mbps=1000", 952)):
            self.assertEqual(self.flow_a(said), f"{line} line_rate_mbps={mbps}")
        self.assertEqual(self.flow_a("host h2 knob mswift.line_rate_mbps=10000"), line)
        self.assertEqual(self.flow_a("link h[23]-s rate=1Tbps", "vegas").count("line_rate"), 0)

    def test_nobody_marks_is_not_no_ecn(self) -> None:
        """Who asks for ECN has it, whatever the links do."""
        path = self.write(TWO.replace(" ecn=30KB", ""))
        self.assertIn("\necn kmax=1TB at=arrival\n",
                      netcalc("case", path, "--set", "cc=mnscc").stdout)
        self.assertNotIn("ecn", netcalc("case", path).stdout)
        self.assertEqual(netcalc("run", path, "--set", "cc=mnscc").returncode, 0)

    def test_priority_by_either_source(self) -> None:
        """prio= is SO_PRIORITY; of a DSCP the upper three bits."""
        text = TWO.replace("cc=$cc size=forever", "cc=$cc size=forever prio=2 dscp=46")
        for source, priority in (("so_priority", 2), ("dscp", 5)):
            done = netcalc("case", self.write(f"{text}host h2 knob prioplus.prio_source={source}\n"),
                           "--set", "cc=prioplus")
            self.assertIn(f"flow a cc=prioplus packet=1428B priority={priority}\n", done.stdout)

    def test_words_in_any_order(self) -> None:
        """The folder is no scenario."""
        done = netcalc("run", "--out", str(self.folder / "out"), self.write(TWO))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue((self.folder / "out/two.csv").exists())

    def test_run_is_the_run_of_the_case(self) -> None:
        """The same table, and pictures by the scenario's name."""
        lab = self.write(TWO)
        case = self.folder / "case.net"
        case.write_text(netcalc("case", lab).stdout)
        done = netcalc("run", lab, "--flows")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout, netcalc("run", str(case), "--flows").stdout)
        self.assertGreater(len(done.stdout), 10000)
        done = netcalc("run", lab, "--out", str(self.folder / "out"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue((self.folder / "out/two-backlog.svg").exists())

    def test_refused_with_its_line(self) -> None:
        """All that no case can say."""
        last = TWO.count("\n") + 1
        for line, want in (
                ("at 1ms link h2-s down", "'at' changes something on the way"),
                ("flow c h2 -> h1 rate=1Gbps", "the flow 'c' has rate="),
                ("flow c h2 -> h1 cc=cubic", "cc is 'cubic'; allowed: dctcp"),
                ("flow c h2 -> h1", "cc is not said; allowed: dctcp"),
                ("flow c h1 -> h3 cc=swift", "the flow 'a' has its slowest link for itself"),
                ("flow c h2 -> h1 cc=swift", "the flow 'a' may wait at h2-s"),
                ("flow c h3 -> h1 cc=swift family=4", "IPv4 beside IPv6"),
                ("host h2 sysctl net.ipv4.tcp_sack=0", "the sysctl net/ipv4/tcp_sack changes"),
                ("host h2 route initcwnd=20", "'route' changes the stack"),
                ('host h2 run "true"', "a command runs"),
                ("link h1-s:ba loss=1%", "loss on the link h1-s is drawn by lot"),
                ("link h1-s:ba red=1KB,2KB,10%", "red at the bottleneck h1-s"),
                ("link h2-s down", "the link h2-s is down"),
                ("flow c h2 -> h1 cc=swift size=1MB request=1KB calls=10", "'c' has request="),
                ("flow all h3 -> h1 cc=swift", "the flow is called 'all'"),
                (f"flow {'c' * 32} h3 -> h1 cc=swift", "allowed: up to 31 bytes"),
                ("flow c h3 -> h1 cc=reno", "reno beside another algorithm at a buffer")):
            path = self.write(TWO + line + "\n")
            for command in ("case", "run"):
                done = netcalc(command, path)
                with self.subTest(line):
                    self.assertEqual((done.returncode, done.stdout), (1, ""))
                    shown = last - 3 if "the flow 'a'" in want else last
                    self.assertIn(f"{path}:{shown}: ", done.stderr)
                    self.assertIn(want, done.stderr)
        done = netcalc("case", self.write(TWO.replace("stop at=2ms", "")))
        self.assertIn("no line 'stop at=TIME'", done.stderr)
        done = netcalc("case", self.write(TWO.replace("-> h1", "-> h9", 1)))
        self.assertIn("two.lab:8: ", done.stderr)   # the lab's own words

    def test_a_full_buffer_is_refused(self) -> None:
        """The lab's flow would lose packets; its algorithm here has no answer."""
        done = netcalc("run", self.write(TWO.replace("buffer=1MB", "buffer=9KB")))
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("buffer=8568B is full", done.stderr)
        self.assertIn("two.lab, as a case:", done.stderr)


def pass_hops(flow: tuple[int, int], hops: list[tuple[int, int]],
              others: list[tuple[int, int]]) -> list[float]:
    """What has left the last hop after each step: drop by drop."""
    def steady(begin: int, rate: int) -> list[float]:
        return [rate / STEPS * (begin <= step / STEPS < begin + 100)
                for step in range(HOPS_END_NS * STEPS)]
    comes = steady(*flow)
    for (rate, latency), other in zip(hops, others):
        queue: deque[tuple[float, float]] = deque()
        late = [0.0] * (latency * STEPS)
        left: list[float] = []
        for pair in zip(comes, steady(*other)):
            queue.append(pair)
            room, out = rate / STEPS, 0.0
            while queue and room > NOTHING:
                own, its = queue.popleft()
                part = min(1, room / (own + its)) if own + its else 1
                out += own * part
                room -= (own + its) * part
                if part < 1:
                    queue.appendleft((own * (1 - part), its * (1 - part)))
            left.append(out)
        comes = (late + left)[:HOPS_END_NS * STEPS]
    return [0.0, *itertools.accumulate(comes)]


if __name__ == "__main__":
    unittest.main()
