#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""What is measured of costs, and what comes of it; run.sh calls this.

    bench.py plan [--long] [--only PATTERN]     what the machine shall do, a row a line
    bench.py judge --baseline FILE [--renew] [--partial] [--page FILE] [--csv FILE] CONSOLE

judge reads what the machine printed, writes CSV, tables and TAP. A row costs too much
if one of its figures is more than 5 % above the baseline's (and more than what a probe's
calibration may be off). Figures of the whole stack are the kernel's, too: on another
release than the baseline's only those of our own code are judged.
"""
import argparse
import csv
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SLACK = 1.05
STOCK = ("reno", "cubic", "dctcp", "bbr")
OURS = ("swift", "lswift", "mswift", "nscc", "mnscc", "oscar", "prioplus", "prioplus_ledbat",
        "ledbat")
STEERING = ("bitmap", "reps", "mixed", "mrc")
SEGS = (1, 2, 4, 8, 16, 44, 0)
# With and without fq: algorithm, path selector, cap.
QUEUED = (("cubic", "off", "0"), ("bbr", "off", "0"), ("mswift", "off", "0"),
          ("cubic", "off", "1"), ("bbr", "off", "1"),
          ("mswift", "oblivious", "1"), ("oscar", "oblivious", "1"))
QUEUED_FASTER = (("cubic", "off", "1"), ("mswift", "oblivious", "1"))
FASTER_MBPS = (400, 600, 800)

# Functions metered. Of ours all that the stack calls while data flows, and the algorithm's own
# part of it; of the stock algorithms, whose algorithm is all there is, the same.
CALLS = "tcp_write_xmit"
KICKS = "tcp_pace_kick"
STOCK_ACK = {
    "reno": ("tcp_reno_cong_avoid",),
    "cubic": ("cubictcp_cong_avoid", "cubictcp_acked"),
    "dctcp": ("tcp_reno_cong_avoid", "dctcp_update_alpha"),
    "bbr": ("bbr_main",),
}
STOCK_SEND = {"bbr": ("bbr_min_tso_segs",)}
OURS_ACK = ("dcc_cong_control", "dcc_in_ack_event", "dcc_cwnd_event")
OURS_SEND = ("xmit_note", "dcc_tso_segs")
OURS_ALG = {"swift": "mswift_ack", "lswift": "mswift_ack", "mswift": "mswift_ack",
            "nscc": "nscc_ack", "mnscc": "nscc_ack", "oscar": "oscar_ack",
            "prioplus": "prioplus_ack", "prioplus_ledbat": "prioplus_ack",
            "ledbat": "ledbat_ack"}

# Transfers: packets of one flow, or of all together, that are counted; and before. Of
# GSO packets more, so that a tick of the machine's more or less is no per cent.
PACKET = 1428                # bytes: IPv6, timestamps, 1500
WARM = 600
COUNTED = 1500
COUNTED_SUPER = 15000
FEW_SEGS = 2                 # up to so many it is no GSO packet
WINDOW = 64                  # of one flow alone
WINDOW_OF_MANY = 16
MANY_WARM = 12               # of each; the stack does not pace the first ten
MANY_EACH = 4                # so many at least
SLOW_MBPS = 100              # of all flows, at which the machine is idle most of the time

KEY = ("cc", "spray", "segs", "flows", "mbps", "queue")
# Figures: name -> how much above is no regression, whatever the share.
FIGURES = {"packet": 0, "byte": 0, "sends": .02, "acks": .02, "timers": .02, "calls": .02,
           "kicks": .02, "algorithm": 3, "ack": 3, "send": 3}
# And the payload that arrives, Mbit/s, which must not be less.
COLUMNS = (*FIGURES, "rate")
# Of our own code alone, and so the same with every kernel.
OWN = ("algorithm", "ack", "send")
# What is the same each time where the processor is what limits a flow, or nearly so; with
# fq the calls are not.
SURE_FAST = ("packet", "byte", "sends", "calls")
HELD_S = 20                  # that held flows are looked at
HELD_BESIDE = 30             # packets of a flow that is overdue, in that time

# What a receiver takes for single frames that come in bursts (guest.sh): who sends, and
# whether GRO is off, on, on and allowed to merge nothing (none), or on with dcc_offload's runs,
# and by how many packets' times a packet may be late, either way.
MERGE_KEY = ("cc", "spray", "segs", "gro", "jitter")
MERGE_ROWS = (("off", 1, "none", 0), *((spray, segs, gro, 0) for spray, segs in (
    ("off", 1), *(("oblivious", segs) for segs in SEGS if segs)) for gro in ("off", "on")),
    *(("oblivious", 1, gro, jitter) for jitter in (0, 1, 4) for gro in ("off", "on", "runs")
      if jitter or gro == "runs"))
MERGE_PACKET = 1440          # bytes: no timestamps
MERGE_COUNT = 528            # packets: whole bursts, whether of 44 or of 48
MERGE_WINDOW = 128
MERGE_RATE = 1250000         # bytes/s
# A device that polls gives the stack packets by these; one that does not, by the backlog,
# which then has nothing else to do.
MERGE_POLLED = ("napi_gro_receive", "napi_complete_done")
MERGE_QUEUED = ("process_backlog",)
MERGE_PACKETS = "tcp_v6_rcv"  # called for what TCP gets as one, and for each ACK
# Figures: the receiver's instructions, ACKs, and packets that TCP gets in disorder, per
# packet; and packets that TCP gets as one.
MERGE_FIGURES = {"receiver": 0, "acks": .02, "disorder": .01, "merged": None}
# Of what the stock GRO takes for late packets, in the same run, what GRO of runs may.
LATE_MOST = {"1": .42, "4": .63}
MEMORY_KEY = ("cc", "data")
MEMORY_COUNT = 500
MEMORY_BYTES = 12000         # sent by a connection "with data"
MEMORY_CCS = ("cubic", "mswift", "nscc", "oscar", "prioplus", "ledbat")


def row(cc: str, spray: str = "off", segs: int = 0, flows: int = 1, mbps: int = SLOW_MBPS,
        queue: str = "none") -> dict[str, str]:
    """A row's key."""
    return dict(zip(KEY, map(str, (cc, spray, segs, flows, mbps, queue))))


def held_rows(long: bool) -> list[tuple[int, int, int]]:
    """(flows, delay in ms, seconds): few that ask often, and many that seldom do."""
    return [(10, 200, HELD_S), (10000 if long else 1000, 3000, HELD_S)]


def merge_rows() -> Iterable[dict[str, str]]:
    """Ways to send, with the receiver's states."""
    for spray, segs, gro, jitter in MERGE_ROWS:
        yield dict(zip(MERGE_KEY, ("mswift", spray, str(segs), gro, str(jitter))))


def merges_of(only: str) -> list[dict[str, str]]:
    """Those of the pattern."""
    return [r for r in merge_rows() if re.search(only, " ".join(["merge", *r.values()]))]


def default_rows() -> Iterable[dict[str, str]]:
    """A minute or two. Without spraying segs=1 says that the device cuts nothing."""
    for segs in (1, 0):
        for cc in STOCK + OURS:
            yield row(cc, segs=segs)
    for cc in OURS:
        yield row(cc, "oblivious", 1)
    for spray in STEERING:
        yield row("mswift", spray, 1)
    for segs in SEGS[1:]:
        yield row("mswift", "oblivious", segs)
    yield row("cubic", mbps=0)
    for cc, spray, segs in (("mswift", "off", 0), ("mswift", "oblivious", 1),
                            ("mswift", "oblivious", 4), ("mswift", "oblivious", 16)):
        yield row(cc, spray, segs, mbps=0)
    yield from many_rows(100, ("cubic", "bbr"), ("mswift", "nscc", "oscar"))
    yield row("mswift", "oblivious", 1, mbps=0, queue="fq")
    for cc, spray, segs in QUEUED:
        yield row(cc, spray, int(segs), queue="fq")
    for mbps in FASTER_MBPS:
        for queue in ("none", "fq"):
            for cc, spray, segs in QUEUED_FASTER:
                yield row(cc, spray, int(segs), mbps=mbps, queue=queue)


def many_rows(flows: int, stock: Iterable[str], ours: Iterable[str]
              ) -> Iterable[dict[str, str]]:
    """Single packets, not sprayed and sprayed."""
    for cc in (*stock, *ours):
        yield row(cc, segs=1, flows=flows)
    for cc in ours:
        yield row(cc, "oblivious", 1, flows)


def long_rows() -> Iterable[dict[str, str]]:
    """All algorithms with all selectors and caps, and many flows."""
    yield from default_rows()
    for cc in OURS:
        for spray in ("oblivious", *STEERING):
            for segs in SEGS:
                yield row(cc, spray, segs)
    yield from many_rows(100, STOCK, OURS)
    yield from many_rows(10000, ("cubic",), ("mswift",))


def rows_of(long: bool, only: str) -> list[dict[str, str]]:
    """Each row once."""
    rows = {tuple(r.values()): r for r in (long_rows() if long else default_rows())}
    return [r for key, r in rows.items() if re.search(only, " ".join(key))]


def held_of(long: bool, only: str) -> list[tuple[int, int, int]]:
    """Those of the pattern: all or none, for they are compared."""
    rows = held_rows(long)
    return rows if re.search(only, f"held {rows[-1][0]}") else []


def metered_of(cc: str) -> list[str]:
    """The functions to meter with an algorithm."""
    if cc in OURS:
        return [CALLS, KICKS, *OURS_ACK, *OURS_SEND, OURS_ALG[cc]]
    return [CALLS, KICKS, *STOCK_ACK[cc], *STOCK_SEND.get(cc, ())]


def sizes_of(r: dict[str, str]) -> tuple[int, int, int]:
    """Packets of each flow: the window, those before, those counted."""
    flows, segs = int(r["flows"]), int(r["segs"])
    if flows > 1:
        return WINDOW_OF_MANY, MANY_WARM, max(COUNTED // flows, MANY_EACH)
    return WINDOW, WARM, COUNTED if 0 < segs <= FEW_SEGS else COUNTED_SUPER


def plan_line(r: dict[str, str]) -> str:
    """The key, and what the program flows is told."""
    window, first, counted = sizes_of(r)
    words = [f"cc={r['cc']}", f"flows={r['flows']}", f"window={window * PACKET}",
             f"first={first * PACKET}", f"bytes={counted * PACKET}",
             f"meter={','.join(metered_of(r['cc']))}"]
    if r["mbps"] != "0":
        words.append(f"rate={int(r['mbps']) * 125000 // int(r['flows'])}")
    return " ".join(["TRANSFER", *r.values(), *words])


def merge_line(r: dict[str, str]) -> str:
    """The same of a receiver; what is metered comes third, after as many packets twice."""
    count = MERGE_COUNT * MERGE_PACKET
    return " ".join(["MERGE", *r.values(), f"cc={r['cc']}", f"rate={MERGE_RATE}",
                     f"window={MERGE_WINDOW * MERGE_PACKET}", f"first={count}", f"bytes={count}",
                     f"meter={','.join((*MERGE_POLLED, *MERGE_QUEUED, MERGE_PACKETS))}"])


def plan(arguments: argparse.Namespace) -> int:
    """What the machine shall do."""
    rows = rows_of(arguments.long, arguments.only)
    held = held_of(arguments.long, arguments.only)
    merges = merges_of(arguments.only)
    if not rows + held + merges:
        sys.exit(f"bench.py: no row matches '{arguments.only}'")
    for r in rows:
        print(plan_line(r))
    for r in merges:
        print(merge_line(r))
    if arguments.only == ".":
        for data in (0, MEMORY_BYTES):
            print("MEMORY", data, MEMORY_COUNT, *MEMORY_CCS)
    for words in held:
        print("HELD", *words)
    return 0


# --- what came of it ---------------------------------------------------------------

def metered(got: dict[str, float], names: Iterable[str]) -> float:
    """Instructions of functions, of which only the undisturbed calls were counted."""
    return sum(got[f"{n}.instructions"] / max(1, got[f"{n}.counted"]) * got[f"{n}.calls"]
               for n in names)


def figures_of(r: dict[str, str], got: dict[str, float]) -> dict[str, float]:
    """Per packet, per byte and per ACK."""
    cc = r["cc"]
    ours = cc in OURS
    ack = metered(got, OURS_ACK if ours else STOCK_ACK[cc])
    alg = metered(got, [OURS_ALG[cc]]) if ours else ack
    send = metered(got, OURS_SEND if ours else STOCK_SEND.get(cc, ()))
    packets, again = got["packets"], got["packets2"]
    return {
        "packet": got["busy"] / packets, "byte": got["busy"] / packets / PACKET,
        "sends": got["sent"] / packets, "acks": got["heard"] / packets,
        "timers": got["timers"] / packets,
        "calls": got[f"{CALLS}.calls"] / again, "kicks": got[f"{KICKS}.calls"] / again,
        "algorithm": alg / got["heard2"], "ack": ack / got["heard2"], "send": send / again,
        "rate": packets * PACKET * 8000 / got["total"],
    }


def merge_stack(gro: str) -> tuple[str, ...]:
    """By what a receiver in this state gets packets."""
    return MERGE_QUEUED if gro == "off" else MERGE_POLLED


def merge_figures(r: dict[str, str], got: dict[str, float]) -> dict[str, float]:
    """The same of a receiver."""
    packets = got["packets2"]
    return {"receiver": metered(got, merge_stack(r["gro"])) / packets, "acks": got["heard2"] / packets,
            "disorder": got["disorder"] / packets / 3,
            "merged": packets / (got[f"{MERGE_PACKETS}.calls"] - got["heard2"])}


def numbers(words: Iterable[str]) -> dict[str, float]:
    """NAME=VALUE..."""
    return {name: float(value) for name, _, value in
            (word.partition("=") for word in words)}


def held_cost(got: dict[str, float]) -> float:
    """Instructions of all that the machine did, for each probe and its answer."""
    return got["busy"] / ((got["probes"] + got["heard"]) / 2)


class Measured:
    """All that the machine told."""

    def __init__(self) -> None:
        self.release = ""
        self.rows: dict[tuple[str, ...], dict[str, float]] = {}
        self.memory: dict[tuple[str, ...], float] = {}
        self.resent: dict[tuple[str, ...], int] = {}
        self.held: list[tuple[int, dict[str, float]]] = []
        self.merges: dict[tuple[str, ...], dict[str, float]] = {}
        self.errors: list[str] = []

    def transfer(self, words: list[str]) -> None:
        """RESULT TRANSFER, the key, NAME=VALUE..."""
        key = tuple(words[:len(KEY)])
        got = numbers(words[len(KEY):])
        self.rows[key] = figures_of(dict(zip(KEY, key)), got)
        self.resent[key] = int(got["resent"])

    def merge(self, words: list[str]) -> None:
        """RESULT MERGE, the key, NAME=VALUE..."""
        key = tuple(words[:len(MERGE_KEY)])
        got = numbers(words[len(MERGE_KEY):])
        self.merges[key] = merge_figures(dict(zip(MERGE_KEY, key)), got)
        self.resent[key] = int(got["resent"])
        self.errors += [f"merge {' '.join(key)}: no packet came by {name}()"
                        for name in merge_stack(key[3]) if not got[f"{name}.calls"]]

    def line(self, line: str) -> None:
        """One of the console's."""
        what, *words = line.split() or [""]
        if what == "KERNEL":
            self.release = words[0]
        elif what == "BROKEN" or "Kernel panic" in line:
            self.errors.append(line)
        elif what == "RESULT" and words[0] == "TRANSFER":
            self.transfer(words[1:])
        elif what == "RESULT" and words[0] == "HELD":
            self.held.append((int(words[1]), numbers(words[3:])))
        elif what == "RESULT" and words[0] == "MERGE":
            self.merge(words[1:])
        elif what == "RESULT" and words[0] == "MEMORY":
            for pair in words[2:]:
                cc, _, value = pair.partition("=")
                self.memory[cc, words[1]] = float(value)


def read_console(path: Path) -> Measured:
    """What the machine printed."""
    measured = Measured()
    lines = path.read_text(errors="replace").splitlines()
    for line in lines:
        try:
            measured.line(line)
        except (ValueError, KeyError, ZeroDivisionError) as error:
            measured.errors.append(f"not understood ({error!r}): {line}")
    if "GUEST-END" not in lines:
        measured.errors.append(f"the machine did not reach its end: {lines[-1:]}")
    return measured


def tidy(value: float) -> str:
    """Four digits are enough."""
    return f"{value:.4g}" if abs(value) < 1000 else f"{value:.0f}"


def write_csv(path: Path, measured: Measured) -> None:
    """Transfers, receivers, then memory; the first line names the kernel."""
    with path.open("w", encoding="ascii", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["kernel", measured.release])
        out.writerow([*KEY, *COLUMNS])
        for key, figures in measured.rows.items():
            out.writerow([*key, *(tidy(figures[name]) for name in COLUMNS)])
        out.writerow([*MERGE_KEY, *MERGE_FIGURES])
        for key, figures in measured.merges.items():
            out.writerow([*key, *(tidy(figures[name]) for name in MERGE_FIGURES)])
        out.writerow([*MEMORY_KEY, "memory"])
        for key, value in measured.memory.items():
            out.writerow([*key, tidy(value)])


def read_csv(path: Path) -> Measured:
    """The baseline."""
    measured = Measured()
    with path.open(encoding="ascii", newline="") as file:
        for words in csv.reader(file):
            if words[0] == "kernel":
                measured.release = words[1]
            elif len(words) == len(KEY) + len(COLUMNS) and words[0] != KEY[0]:
                values = map(float, words[len(KEY):])
                measured.rows[tuple(words[:len(KEY)])] = dict(zip(COLUMNS, values))
            elif len(words) == len(MERGE_KEY) + len(MERGE_FIGURES) and words[0] != MERGE_KEY[0]:
                values = map(float, words[len(MERGE_KEY):])
                measured.merges[tuple(words[:len(MERGE_KEY)])] = dict(zip(MERGE_FIGURES, values))
            elif len(words) == 3 and words[0] != MEMORY_KEY[0]:
                measured.memory[words[0], words[1]] = float(words[2])
    return measured


# Whose windows decide how long a GSO packet is.
SMALL_WINDOWS = ("nscc", "mnscc", "oscar")


def judged_of(key: tuple[str, ...], same_kernel: bool) -> list[str]:
    """The figures of a row that a regression would raise, and chance does not.

    The kernel's own algorithms tell if the measurement is sound; that they do where it is
    most exact. How much of an algorithm a GSO packet's ACK calls for is chance, and of the algorithms
    of SMALL_WINDOWS, whose GSO packets have 5 segments or 6, all that they cost.
    """
    r = dict(zip(KEY, key))
    slow = r["mbps"] == str(SLOW_MBPS)
    whole = r["spray"] == "off" and r["segs"] == "0"
    if r["cc"] in STOCK and (r["queue"] != "none" or not slow) or \
            whole and r["cc"] in SMALL_WINDOWS:
        return []
    names = list(FIGURES if slow else SURE_FAST)
    if not slow and r["queue"] != "none":
        names.remove("calls")
    if whole:
        names = [n for n in names if n not in OWN]
    return [n for n in names if same_kernel or n in OWN]


class Judge:
    """TAP: a test for each row that there is a baseline of."""

    def __init__(self, measured: Measured, baseline: Measured | None, partial: bool) -> None:
        self.measured = measured
        self.baseline = baseline or measured
        self.compared = baseline is not None
        self.partial = partial
        self.same_kernel = measured.release == self.baseline.release
        self.count = 0
        self.failed = 0

    def say(self, ok: bool, name: str, why: Iterable[str] = ()) -> None:
        """One test."""
        self.count += 1
        self.failed += not ok
        print(f"{'ok' if ok else 'not ok'} {self.count} - {name}")
        for line in why:
            print(f"# {line}")

    def compare(self, name: str, new: float, old: float, slack: float) -> str:
        """What is to be said of a figure, or nothing."""
        if new > max(old * SLACK, old + slack):
            return f"{name}: {tidy(new)}, {new / old - 1:.1%} above {tidy(old)}" if old \
                else f"{name}: {tidy(new)}, before 0"
        return ""

    def row(self, key: tuple[str, ...], figures: dict[str, float]) -> None:
        """No figure is too far above the baseline's."""
        judged = judged_of(key, self.same_kernel)
        if not judged:
            return
        title = " ".join(f"{n}={v}" for n, v in zip(KEY, key))
        old = self.baseline.rows.get(key)
        if old is None:
            self.say(False, title, ["not in the baseline; --renew takes it in"])
            return
        above = [self.compare(n, figures[n], old[n], FIGURES[n]) for n in judged]
        if self.same_kernel and figures["rate"] * SLACK < old["rate"]:
            above.append(f"rate: {tidy(figures['rate'])},"
                         f" {1 - figures['rate'] / old['rate']:.1%} below {tidy(old['rate'])}")
        if self.measured.resent[key] and key[KEY.index("mbps")] != "0":
            above.append(f"{self.measured.resent[key]} packets were sent again")
        self.say(not any(above), title, filter(None, above))

    def merge(self, key: tuple[str, ...], figures: dict[str, float]) -> None:
        """Nor do single frames, whatever of them merges. All of that is the kernel's, too."""
        title = " ".join(["merge", *(f"{n}={v}" for n, v in zip(MERGE_KEY, key))])
        old = self.baseline.merges.get(key)
        if key[-1] in LATE_MOST:
            self.late(title, key, figures["receiver"])
        elif old is None:
            self.say(False, title, ["not in the baseline; --renew takes it in"])
        elif self.same_kernel:
            above = [self.compare(n, figures[n], old[n], slack)
                     for n, slack in MERGE_FIGURES.items() if slack is not None]
            if self.measured.resent[key]:
                above.append(f"{self.measured.resent[key]} packets were sent again")
            self.say(not any(above), title, filter(None, above))

    def late(self, title: str, key: tuple[str, ...], receiver: float) -> None:
        """Which packets are late is chance: what two states of GRO take is compared."""
        stock = self.measured.merges.get((*key[:3], "on", key[-1]))
        if key[3] == "runs" and stock:
            share = receiver / stock["receiver"]
            self.say(share <= LATE_MOST[key[-1]], title, [f"{share:.2f} of the stock GRO's"])

    def memory(self, key: tuple[str, ...], value: float) -> None:
        """Nor does a connection take more."""
        title = f"memory of a {key[0]} connection after {key[1]} bytes"
        old = self.baseline.memory.get(key)
        if old is None:
            self.say(False, title, ["not in the baseline; --renew takes it in"])
        elif self.same_kernel:
            above = self.compare("bytes", value, old, 0)
            self.say(not above, title, filter(None, [above]))

    def held(self, held: list[tuple[int, dict[str, float]]]) -> None:
        """Flows that are held cost their probes, and send nothing else.

        Whatever else a held flow cost would be more the longer it is from one probe to
        the next. The delayed device counts what leaves it, of each flow one probe more or
        less than was sent.
        """
        for flows, got in held:
            beside = got["sent"] - got["probes"]
            self.say(-flows <= beside <= HELD_BESIDE * flows and got["probes"] >= 2 * flows,
                     f"{flows} held flows send probes, and a packet a second at most",
                     [f"in {HELD_S} s {got['probes']:.0f} probes, {got['sent']:.0f} packets sent,"
                      f" {got['heard']:.0f} heard, {got['timers']:.0f} timer interrupts,"
                      f" {got['busy'] / 1e6:.1f} million instructions"])
        (few, often), (many, seldom) = held
        self.say(held_cost(seldom) <= SLACK * held_cost(often),
                 f"{many} flows, held, cost no more than their probes",
                 [f"instructions for each probe: {held_cost(seldom):.0f} where a flow asks every"
                  f" {many * HELD_S / seldom['probes']:.2f} s, {held_cost(often):.0f} of {few}"
                  f" flows every {few * HELD_S / often['probes']:.2f} s"])

    def missing(self, keys: Iterable[tuple[str, ...]]) -> None:
        """What was asked for was measured."""
        for key in keys:
            if key not in self.measured.rows and key not in self.measured.merges:
                self.say(False, " ".join(key), ["was not measured"])

    def all(self, keys: Iterable[tuple[str, ...]]) -> int:
        """TAP, to its end."""
        print("TAP version 13")
        if not self.same_kernel:
            print(f"# kernel {self.measured.release}, baseline of {self.baseline.release}:"
                  " only our own code's figures are judged; --renew takes over the rest")
        if self.compared:
            for key, figures in self.measured.rows.items():
                self.row(key, figures)
            for key, figures in self.measured.merges.items():
                self.merge(key, figures)
            for key, value in self.measured.memory.items():
                self.memory(key, value)
        elif self.measured.rows or self.measured.merges:
            self.say(True, "measured, with no baseline to compare with # SKIP")
        if len(self.measured.held) == len(held_rows(False)):
            self.held(self.measured.held)
        elif self.measured.held or not self.partial:
            self.say(False, "held flows", ["were not all measured"])
        if not self.partial:
            self.missing(keys)
        for error in self.measured.errors:
            self.say(False, error)
        if not self.count:
            self.say(False, "nothing was measured")
        print(f"1..{self.count}")
        return 1 if self.failed else 0


# --- tables ------------------------------------------------------------------------

HEADS = {
    "cc": "algorithm", "spray": "spray", "segs": "`spray_segs`", "flows": "flows",
    "mbps": "Mbit/s", "queue": "qdisc", "packet": "instructions per packet", "byte": "per byte",
    "sends": "sends per packet", "acks": "ACKs per packet", "calls": "calls per packet",
    "kicks": "pacing timers per packet", "timers": "timer interrupts per packet",
    "rate": "Mbit/s that arrive", "algorithm": "algorithm, per ACK",
    "ack": "algorithm and library, per ACK", "send": "per packet sent",
}
OWN_COLUMNS = ("packet", "byte", "sends", "acks", "algorithm", "ack", "send")


def is_paced(r: dict[str, str]) -> bool:
    """One flow that the processor keeps up with."""
    return r["mbps"] == str(SLOW_MBPS) and r["queue"] == "none" and r["flows"] == "1"


TABLES: dict[str, tuple[tuple[str, ...], Callable[[dict[str, str]], bool]]] = {
    "single": (("cc", *OWN_COLUMNS),
               lambda r: is_paced(r) and r["spray"] == "off" and r["segs"] == "1"),
    "sprayed": (("cc", "spray", *OWN_COLUMNS),
                lambda r: is_paced(r) and r["spray"] != "off" and r["segs"] == "1"),
    "unsprayed": (("cc", *OWN_COLUMNS),
                  lambda r: is_paced(r) and r["spray"] == "off" and r["segs"] == "0"),
    "segs": (("cc", "spray", "segs", *OWN_COLUMNS),
             lambda r: is_paced(r) and r["spray"] == "oblivious" and r["cc"] == "mswift"),
    "flows": (("cc", "spray", "flows", *OWN_COLUMNS), lambda r: r["flows"] != "1"),
    "fast": (("cc", "spray", "segs", "queue", "rate", "packet", "byte", "sends", "acks",
              "calls", "kicks", "timers"), lambda r: r["mbps"] == "0"),
    "calls": (("cc", "spray", "segs", "mbps", "queue", "rate", "packet", "sends", "calls",
               "kicks", "timers"),
              lambda r: r["mbps"] != "0" and r["flows"] == "1"
              and (r["cc"], r["spray"], r["segs"]) in QUEUED),
}


def shown(value: float, name: str) -> str:
    """As a reader wants it."""
    if name == "byte":
        return f"{value:.1f}"
    whole = ("packet", "algorithm", "ack", "send", "rate")
    return f"{value:,.0f}" if name in whole else f"{value:.2f}"


def markdown(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table."""
    heads = list(heads)
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def memory_table(measured: Measured) -> str:
    """What a connection takes."""
    sent = dict.fromkeys(data for _, data in measured.memory)
    ccs = dict.fromkeys(cc for cc, _ in measured.memory)
    return markdown(["algorithm", *(f"after {data} bytes" for data in sent)],
                    [[cc, *(tidy(measured.memory[cc, data]) for data in sent)] for cc in ccs])


def merge_table(measured: Measured) -> str:
    """A line for each sender whose receiver was measured with GRO and without."""
    rows = []
    for cc, spray, segs in dict.fromkeys(key[:3] for key in measured.merges):
        off, on = (measured.merges.get((cc, spray, segs, gro, "0")) for gro in ("off", "on"))
        if off and on:
            rows.append([spray, segs, *(f"{figures['receiver']:,.0f}" for figures in (off, on)),
                         f"{1 - on['receiver'] / off['receiver']:.0%}", f"{on['merged']:.1f}",
                         *(f"{figures['acks']:.2f}" for figures in (off, on)),
                         f"{on['disorder']:.1%}"])
    return markdown(["spray", HEADS["segs"], "GRO off", "GRO on", "it saves",
                     "packets that TCP gets as one", "ACKs per packet, GRO off", "on",
                     "out of order, on"], rows)


def runs_table(measured: Measured) -> str:
    """GRO, and GRO of runs, by how late packets are; unsprayed packets come first."""
    rows = []
    for jitter in dict.fromkeys(key[4] for key in measured.merges):
        for spray in ("off", "oblivious"):
            states = [measured.merges.get(("mswift", spray, "1", gro, jitter))
                      for gro in ("off", "on", "runs")]
            if not all(states[1:]) and (spray != "off" or jitter != "0"):
                continue
            rows.append([spray, jitter, *(f"{f['receiver']:,.0f}" if f else "" for f in states),
                         *(f"{f['merged']:.1f}" if f else "" for f in states[1:]),
                         *(f"{f['acks']:.2f}" if f else "" for f in states[1:]),
                         *(f"{f['disorder']:.1%}" if f else "" for f in states[1:])])
    return markdown(["spray", "late by up to", "GRO off", "stock GRO", "`dcc_offload`",
                     "packets that TCP gets as one, stock GRO", "`dcc_offload`",
                     "ACKs per packet, stock GRO", "`dcc_offload`",
                     "out of order, stock GRO", "`dcc_offload`"], rows)


OTHER_TABLES = {"merging": merge_table, "runs": runs_table, "memory": memory_table}


def table(measured: Measured, name: str) -> str:
    """One of TABLES, or of the others."""
    if name in OTHER_TABLES:
        return OTHER_TABLES[name](measured)
    columns, wanted = TABLES[name]
    rows = []
    for key, figures in measured.rows.items():
        r = dict(zip(KEY, key))
        if wanted(r):
            rows.append([r[c] if c in r else shown(figures[c], c) for c in columns])
    return markdown([HEADS[c] for c in columns], rows)


def print_tables(measured: Measured) -> None:
    """All of them, for who runs it by hand."""
    for name in (*TABLES, *OTHER_TABLES):
        for line in table(measured, name).splitlines():
            print(f"# {line}")


def write_page(path: Path, measured: Measured) -> None:
    """Tables go between <!-- table NAME --> and <!-- end -->."""
    def renewed(match: re.Match[str]) -> str:
        return f"{match[1]}{table(measured, match[2])}{match[3]}"

    path.write_text(re.sub(r"(<!-- table (\w+) -->\n).*?(<!-- end -->)", renewed,
                           path.read_text(encoding="utf-8"), flags=re.DOTALL),
                    encoding="utf-8")


def said_rates(measured: Measured) -> list[float]:
    """What flows of single packets come to, without fq (with it): at most, then by rate."""
    def rate(mbps: int, queue: str) -> float:
        return measured.rows["mswift", "oblivious", "1", "1", str(mbps), queue]["rate"]

    return [rate(0, "none"), *(figure for mbps in FASTER_MBPS for figure in
                               (mbps, rate(mbps, "none"), rate(mbps, "fq")))]


def said_counts(measured: Measured) -> list[float]:
    """What mswift takes beyond reno, counted by the packet and by the call.

    Of what is printed: whole instructions, so that the sum that the page does comes out.
    """
    reno, mswift = ({name: round(figure) for name, figure in
                     measured.rows[cc, "off", "1", "1", str(SLOW_MBPS), "none"].items()}
                    for cc in ("reno", "mswift"))
    beyond = mswift["packet"] - reno["packet"]
    counted = mswift["send"] + (mswift["ack"] - reno["ack"]) / 2
    return [100 * (1 - counted / beyond), mswift["packet"], reno["packet"], beyond,
            mswift["send"], mswift["ack"], reno["ack"], counted]


def said_in_vain(measured: Measured) -> list[float]:
    """What a receiver takes that looks for what it may merge, and finds nothing."""
    return [measured.merges["mswift", "off", "1", "none", "0"]["receiver"]]


# Sentences that repeat figures of the tables: page, what they look like, the figures.
SENTENCES = (
    ("README.md", r"which sends (\d+) Mbit/s .*? flow of (\d+) came to (\d+) \(with fq (\d+)\), "
     r"of (\d+) to (\d+) \((\d+)\), of (\d+) to (\d+) \((\d+)\)", said_rates),
    ("Documentation/costs.md",
     r"agree to (\d+) %: .*? takes ([\d,]+) - ([\d,]+) = ([\d,]+) per packet .*? are (\d+) \+ "
     r"\(([\d,]+) - (\d+)\) / 2 = ([\d,]+)", said_counts),
    ("Documentation/costs.md", r"\(`gro_max_size 1`\), take ([\d,]+)\.", said_in_vain),
)


def sentence(text: str, pattern: str) -> re.Match[str]:
    """The one place that looks so, wherever its lines break."""
    found = list(re.finditer(pattern.replace(" ", r"\s+"), text, flags=re.DOTALL))
    if len(found) != 1:
        raise ValueError(f"{len(found)} sentences look like {pattern!r}, not one")
    return found[0]


def write_sentences(root: Path, measured: Measured) -> None:
    """Their numbers become what was measured."""
    for name, pattern, figures in SENTENCES:
        text = (root / name).read_text(encoding="utf-8")
        match = sentence(text, pattern)
        for i, figure in reversed(list(enumerate(figures(measured), 1))):
            text = f"{text[:match.start(i)]}{round(figure):,}{text[match.end(i):]}"
        (root / name).write_text(text, encoding="utf-8")


def judge(arguments: argparse.Namespace) -> int:
    """CSV, tables, TAP."""
    measured = read_console(arguments.console)
    if arguments.csv:
        write_csv(arguments.csv, measured)
    if arguments.renew and not measured.errors:
        write_csv(arguments.baseline, measured)
    if arguments.page and not measured.errors:
        write_page(arguments.page, measured)
        if arguments.renew:
            write_sentences(ROOT, read_csv(arguments.baseline))
    exists = arguments.baseline.exists()
    if not exists and not arguments.partial and not arguments.long:
        print(f"Bail out! bench: no baseline {arguments.baseline}; --renew makes it")
        print_tables(measured)
        return 1
    verdict = Judge(measured, read_csv(arguments.baseline) if exists else None,
                    arguments.partial or not exists)
    wanted = [tuple(r.values()) for r in rows_of(arguments.long, ".") + merges_of(".")]
    status = verdict.all(wanted)
    print_tables(measured)
    return status


def main() -> int:
    """0 if nothing costs more than it did."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("plan", "judge"):
        command = commands.add_parser(name)
        command.add_argument("--long", action="store_true")
        if name == "plan":
            command.add_argument("--only", default=".")
            continue
        command.add_argument("--baseline", type=Path, required=True)
        command.add_argument("--renew", action="store_true")
        command.add_argument("--partial", action="store_true")
        command.add_argument("--page", type=Path)
        command.add_argument("--csv", type=Path)
        command.add_argument("console", type=Path, metavar="CONSOLE")
    arguments = parser.parse_args()
    return plan(arguments) if arguments.command == "plan" else judge(arguments)


if __name__ == "__main__":
    sys.exit(main())
