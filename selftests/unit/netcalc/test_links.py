#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""netcalc's links against brute force: what finds no room in a finite buffer.

The server takes 1 byte per ns, so that times and bytes are one.
"""
import csv
import io
import math
import random
import subprocess
import tempfile
import unittest
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path

TOP = Path(__file__).resolve().parents[3]
NETCALC = TOP / "tools/netcalc/netcalc"
TIMEOUT_S = 300
STEPS = 4               # of a ns
SEEDS = range(1, 41)
END_NS, FEEDBACK_NS = 1200, 20
SLACK = 0.01            # bytes: a sum of steps is not exact
NOTHING = 1e-9


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
        law = (f"aimd rate={self.rate * 8}Gbps increase=0 every=1ms decrease=0.5"
               f" timeout={self.timeout}ns" if self.rate else "none")
        sends = [f"send {name} burst={self.burst}B at={self.at}ns"]
        if self.flow:
            sends.append(f"send {name} rate={self.flow * 8}Gbps")
        return "\n".join([f"flow {name} cc={law}", *sends]) + "\n"

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
        self.assertIn(f"{case}:2: at 1 ns the link's buffer of 30B is full, and the law of 'f'"
                      " has no answer to a loss; allowed: a larger buffer=", done.stderr)
        case.write_text(text.format(30))
        self.assertEqual(netcalc("run", str(case)).returncode, 0)
        case.write_text(text.format(1).replace("fixed window=1B", "none"))
        done = netcalc("run", str(case), "--out", str(self.folder))
        self.assertIn("\nlost 70 bytes\n", done.stdout)


if __name__ == "__main__":
    unittest.main()
