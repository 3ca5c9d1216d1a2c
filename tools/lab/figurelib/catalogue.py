# SPDX-License-Identifier: GPL-2.0
"""Which runs each figure of the paper takes, and what they tell the scenario.

A run is a Case and a seed. Figures share cases: what was run for one is there for
the other.
"""

from dataclasses import dataclass
from pathlib import Path

from lablib import algorithms
from lablib.errors import LabError, unknown

LAB = Path(__file__).resolve().parents[1]
SCENARIO = LAB / "scenarios" / "fattree-baseline.lab"

SWIFT = ("swift",)
PAPER_CC = ("lswift", "mswift", "nscc", "mnscc")
MSWIFT_VARIANTS = {"mswift-p10": "10", "mswift-p90": "90"}

# The paper's names of balancers; every other path selector goes by its own name.
PAPER_BALANCERS = {"oblivious": "OPS", "adaptive": "AR", "reps": "REPS"}
DSCP = "8"                      # of elephants, where a switch must tell them apart
DRR_QUANTUM = "4096B"           # 4 KB
# htsim compares queues in bands, the first of which ends at 5 % of 800 KB
AR_QUANTUM = "40KB"
MSS = 4024                      # payload of a 4096 B packet: IPv6, TCP, time stamps
HSDP_PACKETS = 3344             # of a flow in one ring step


@dataclass(frozen=True)
class Scale:
    """The size of the network: the paper's, or a smaller one with the same shape."""

    hosts: int
    k: int                      # of the fat-tree
    elephants: int
    server: int                 # hosts that are one server of HSDP

    @property
    def larger(self):
        """The next larger network: the paper's 250 hosts for its 128."""
        return next((scale for scale in SCALES.values() if scale.k > self.k), None)

    @property
    def senders(self):
        """Of the incast."""
        return min(32, self.hosts // 4)


# 4 of 128 hosts send elephants; there must be 2 at least to send to each other.
SCALES = {scale.hosts: scale for scale in (
    Scale(16, 4, 2, 2), Scale(54, 6, 2, 3), Scale(128, 8, 4, 8), Scale(250, 10, 4, 5),
    Scale(432, 12, 4, 6))}
HOSTS = tuple(SCALES)[:-1]      # the last one only is "larger"


def _ring(scale):
    """Logical GPU i sends to GPU i + server, servers standing at random."""
    return {"workload": "ring", "elephants": "0", "size": f"{HSDP_PACKETS * MSS}B",
            "more": f"groups={scale.server} shuffle={scale.server} steps=1"}


# Variant of the baseline -> what it sets besides the network's size
VARIANTS = {
    "baseline": lambda scale: {},
    "permutation": lambda scale: {"elephants": "0"},
    "hsdp": _ring,
    "larger": lambda scale: {"k": str(scale.larger.k),
                             "elephants": str(scale.larger.elephants)},
    "16MB": lambda scale: {"size": "16MB"},
    "elephants": lambda scale: {"elephants": str(2 * scale.elephants)},
    "failures": lambda scale: {"failing": "1%"},
    "drr": lambda scale: {"drr": DRR_QUANTUM, "elephant_dscp": DSCP, "reflect": "1"},
    "incast": lambda scale: {"workload": "incast", "elephants": "0",
                             "more": f"n={scale.senders}"},
}


def selectors():
    """The path selectors there are, from the knob's table, but for none."""
    return [word for word in algorithms.knobs("tcp_mswift")["spray"].words
            if word != "off"]


def balancers():
    """All that spreads packets, the paper's first."""
    return [*PAPER_BALANCERS, *(name for name in selectors() if name not in PAPER_BALANCERS)]


def kernels(cc):
    """Is it one of the kernel's own algorithms?"""
    return cc not in algorithms.ours()


def can_serve(balancer, cc):
    """Can it spread this algorithm's packets? What needs a flow's feedback has it of ours."""
    return balancer == "adaptive" or not kernels(cc) \
        or balancer in algorithms.knobs()["spray"].words


@dataclass(frozen=True)
class Case:
    """One run but for its seed."""

    variant: str
    balancer: str
    bar: str                    # an algorithm, or a variant of mswift

    @property
    def cc(self):
        """The algorithm's name."""
        return "mswift" if self.bar in MSWIFT_VARIANTS else self.bar

    def sets(self, scale):
        """The scenario's variables."""
        found = {"k": str(scale.k), "elephants": str(scale.elephants), "cc": self.cc,
                 "percentile": MSWIFT_VARIANTS.get(self.bar, "50"),
                 **VARIANTS[self.variant](scale)}
        if kernels(self.cc):
            selector = "off" if self.balancer == "adaptive" else self.balancer
            found.update(knobs="spray=off", spraying=f"spray={selector}")
        if self.balancer != "adaptive":
            return {**found, "selector": self.balancer}
        # The switches spray: hosts tolerate reordering as if they did, but for
        # Swift, which has no such tolerance; and sprayed flows do not drain.
        tolerant = "auto" if self.cc in SWIFT else "on"
        return {**found, "selector": "off", "reorder": tolerant, "drains": "0", "reflect": "1",
                "elephant_dscp": DSCP,
                "routing": f"adaptive quantum={AR_QUANTUM} marked=ecmp"}


@dataclass(frozen=True)
class Figure:
    """A figure of section IV."""

    number: int
    title: str                  # {} are of the network's size
    variant: str
    bars: tuple = PAPER_CC
    distribution: bool = False  # of completion times, instead of bars

    def heading(self, scale):
        """Its title for a network of this size."""
        return self.title.format(elephants=scale.elephants, larger=scale.larger.hosts,
                                 more_elephants=2 * scale.elephants, senders=scale.senders)

    def cases(self, ccs, over):
        """Its runs for these algorithms and balancers."""
        bars = [bar for bar in self.bars if bar in ccs
                or bar in MSWIFT_VARIANTS and "mswift" in ccs]
        # what was asked for besides the paper's, in all figures of algorithms
        extra = [cc for cc in ccs if cc not in SWIFT + PAPER_CC and self.number != 12]
        return [Case(self.variant, balancer, bar)
                for balancer in over for bar in [*bars, *extra]
                if bar in bars or can_serve(balancer, bar)]


FIGURES = {figure.number: figure for figure in (
    Figure(4, "Baseline: sprayed permutation beside {elephants} ECMP flows", "baseline",
           SWIFT + PAPER_CC),
    Figure(5, "Completion times of the baseline's flows", "baseline", distribution=True),
    Figure(6, "Permutation without ECMP flows", "permutation"),
    Figure(7, "AI training: a ring step of HSDP, Llama 70B", "hsdp"),
    Figure(8, "A larger network: {larger} hosts", "larger"),
    Figure(9, "Messages of 16 MB", "16MB"),
    Figure(10, "{more_elephants} ECMP flows", "elephants"),
    Figure(11, "Each link between switches fails with 1 %", "failures"),
    Figure(12, "Percentiles 10 and 90 instead of the median", "baseline",
           ("mswift-p10", "mswift", "mswift-p90")),
    Figure(13, "Fair switch scheduling: DRR between ECMP flows and sprayed ones", "drr"),
    Figure(14, "Incast of {senders} hosts, without ECMP flows", "incast"),
)}


def scale_of(hosts):
    """The Scale of so many hosts."""
    if hosts not in HOSTS:
        raise LabError(unknown("the number of hosts", str(hosts), HOSTS)
                       + " (a fat-tree of k-port switches has k cubed / 4)")
    return SCALES[hosts]
