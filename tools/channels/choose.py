# SPDX-License-Identifier: GPL-2.0
"""From delays to channels: the arithmetic of `channels`, and nothing else.

PrioPlus (EuroSys 2025), 4.3.2. Noise is additive: the least delay is the base RTT, what
a delay has above it is noise. Then, with n flows of one priority that raise their
windows by W_AI an RTT on a line of rate C, and Swift's beta:

    A = n W_AI / C + min(n beta W_AI / (C Target), max_mdf) Target
                          what Swift's delay fluctuates by; (1 + beta) n W_AI / C at most
    B = the 99.85th percentile of the noise
    D_target(i) = base + i (A + B),   D_limit(i) = D_target(i) + A / 2 + B

The paper prints max in the place of min. With min, its own n = 150, W_AI = 150 B, beta
= .8 and C = 100 Gbit/s make 3.24 us, which it calls 3.2.
"""

import math
from dataclasses import dataclass, field

PERCENTS = (50, 99, 99.85, 99.99)
TOLERATED = 99.85               # of the noise: 4.3.2
TAIL = 5                        # samples beyond a percentile, or it is not told
KNOB_MAX_NS = 10**9             # of the modules' knobs in ns
MOST_LEVELS = 64                # prio_levels
DEFAULT_LEVELS = 8
DEFAULT_FLOWS = 16
EMPTY_PACKETS = 8               # eps_ns in packets, as its default is at 100 Gbit/s
STEP_NS = 100                   # what knobs are rounded up to
FRAME = 86                      # bytes around a payload in a switch: IPv6, TCP, Ethernet


class ChooseError(Exception):
    """What was measured, or asked for, has no answer; the message tells all."""


@dataclass
class Noise:
    """What delays have above the least of them, ns."""

    count: int
    base: int
    mean: float
    most: int
    percent: dict = field(default_factory=dict)     # {p: ns}, those that can be told


@dataclass
class Network:
    """What A follows from, and what bounds the levels."""

    rate: float                 # of the line, bytes of payload per second
    mss: int                    # payload of a full packet, bytes
    ai: int = 1000              # knob: 1/1000 packet per RTT
    beta_md: int = 800          # knob: 1/1000
    flows: int = DEFAULT_FLOWS  # of one priority at a time
    levels: int = 0             # 0: as many as the buffer has room for, at most 8
    buffer: int = 0             # of a switch's port, bytes; 0: unknown


@dataclass
class Channels:
    """The answer, ns but for the levels and the bytes."""

    base: int
    fluct: int                  # A
    noise: int                  # B
    empty: int                  # eps
    levels: int
    buffer: int                 # what the highest needs, bytes

    def target(self, level):
        """D_target above the base RTT."""
        return level * (self.fluct + self.noise)

    def limit(self, level):
        """D_limit above the base RTT."""
        return self.target(level) + self.fluct // 2 + self.noise

    def knobs(self):
        """{knob: value} of tcp_prioplus."""
        return {"base_rtt_ns": self.base, "eps_ns": self.empty,
                "channel_fluct_ns": self.fluct, "channel_noise_ns": self.noise,
                "prio_levels": self.levels}


def percentile(values, percent):
    """Of sorted values the least that so many percent are not above."""
    return values[max(math.ceil(len(values) * percent / 100 - 1e-9), 1) - 1]


def tells(count, percent):
    """Are there samples enough beyond the percentile?"""
    return count * (100 - percent) / 100 >= TAIL


def noise_of(delays, base):
    """The distribution of delays above a base."""
    if not delays:
        raise ChooseError("no delay was measured")
    late = sorted(delay - base for delay in delays)
    if late[0] < 0:
        raise ChooseError(f"the delay {late[0] + base} ns is below the base RTT;"
                          f" allowed: {base} and more")
    return Noise(len(late), base, sum(late) / len(late), late[-1],
                 {p: percentile(late, p) for p in PERCENTS if tells(len(late), p)})


def pairs_beyond(delays, limit):
    """How many delays are beyond a limit together with the one before: a needless stop."""
    return sum(a > limit and b > limit for a, b in zip(delays, delays[1:]))


def round_up(value):
    """To what a person would write."""
    return math.ceil(value / STEP_NS) * STEP_NS


def packet_ns(network):
    """What a full packet takes on the line."""
    return network.mss * 1e9 / network.rate


def fluctuation(network):
    """A, ns: (1 + beta) n W_AI / C."""
    step = network.ai / 1000 * packet_ns(network)
    return (1 + network.beta_md / 1000) * network.flows * step


def _levels(channels, network):
    """How many the buffer has room for, or as many as asked for."""
    wanted = network.levels or DEFAULT_LEVELS
    if not network.buffer:
        return wanted
    room = network.buffer / (network.mss + FRAME) * packet_ns(network)
    found = int((room - channels.limit(0)) // channels.target(1))
    if found < 1 or found < network.levels:
        need = _buffer(channels, network, network.levels or 1)
        raise ChooseError(f"buffer: {network.buffer} bytes hold {max(found, 0)} channels;"
                          f" {network.levels or 1} need {need} bytes and more")
    return min(found, wanted)


def _buffer(channels, network, level):
    """Bytes that wait when a level is at its limit."""
    packets = channels.limit(level) / packet_ns(network)
    return math.ceil(packets * (network.mss + FRAME))


def check(name, value, low, high, unit=""):
    """A number within its range, or an error that names it."""
    if not low <= value <= high:
        raise ChooseError(f"{name}: {value} is not allowed; allowed: {low} to {high}{unit}")


def _check(network):
    check("rate", network.rate, 1, 10**12, " bytes/s")
    check("flows", network.flows, 1, 10**6)
    check("levels", network.levels, 0, MOST_LEVELS)
    check("buffer", network.buffer, 0, 10**12, " bytes")
    check("packet", network.mss, 1, 65535, " bytes")


def choose(base, noise, network):
    """Channels for a base RTT, B (ns), and a network.

    The queue counts as empty up to B, or a few packets, which a flow that starts puts
    into it; in no case up to the first target.
    """
    _check(network)
    fluct, tolerated = round_up(fluctuation(network)), round_up(noise)
    check("base_rtt_ns", base, 1, KNOB_MAX_NS)
    check("channel_noise_ns", tolerated, 0, KNOB_MAX_NS, ": no channel bears such a noise")
    check("channel_fluct_ns", fluct, 0, KNOB_MAX_NS, ": fewer flows, or a smaller ai")
    packets = round_up(EMPTY_PACKETS * packet_ns(network))
    empty = min(max(tolerated, packets), tolerated + fluct // 2)
    channels = Channels(base, fluct, tolerated, empty, 1, 0)
    channels.levels = _levels(channels, network)
    channels.buffer = _buffer(channels, network, channels.levels)
    return channels


def sysctl_line(knobs, algorithm="prioplus"):
    """What sets them in a network namespace."""
    return "sudo sysctl -w " + " ".join(f"net.dcc.{algorithm}.{name}={value}"
                                        for name, value in knobs.items())


def modprobe_line(knobs):
    """What sets them for the machine at every boot."""
    values = " ".join(f"{name}={value}" for name, value in knobs.items())
    return f"echo options tcp_prioplus {values} | sudo tee /etc/modprobe.d/dcc-prioplus.conf"
