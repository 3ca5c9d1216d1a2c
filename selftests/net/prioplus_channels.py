#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Does tools/channels find channels that bear the noise? And what if they do not?

Between two hosts packets are late at random. The tool, run there as a user runs it, has
to find the base RTT and the noise that were put in, and what follows from them. Then five
flows of one priority share the link with the channels that the tool told, with all
margins, and with such as are narrower than the noise (nothing else is changed): with the
first they have the link, with the others they stop for delays that are no queue.
"""

import json
import math
import sys
from pathlib import Path

from labkit import run, runner, scratch
from tap import ROOT, SEEDS, Tap, run_all, spread

TOOL = ROOT / "tools" / "channels" / "channels"
RTT_NS = 120_000
MTU, MSS = 1280, 1228                   # IPv4
SIGMAS = 4                              # one honest percentile in 16,000 is further off
PACKET_NS = MTU * 8 / 10                # at 10 Gbit/s
FLOWS = 16                              # of one priority, as the tool assumes
TOP_NS = 30_000                         # noise: uniform up to this
USED = 0.98                             # of the line: issue of the paper's figure 10d
PARTS = (1, 2, 4, 6, 7, 8)              # so much narrower than told
EDGE = 6                                # wide enough if only there were no noise
TOO_NARROW = 7

NETWORK = "topology paths n=1 hosts={hosts} rate={gbps}Gbps nic=ideal" \
          f" rtt={RTT_NS}ns mtu={MTU}B\n"
MEASURE = NETWORK.replace("{hosts}", "1") + """
link path1:ab noise={noise}
host b run "{python} {tool} serve >/dev/null 2>&1 &"
at 1ms host a run "{python} {tool} measure 10.0.1.1 --seconds 3 --json {more} >{out} 2>&1 &"
flow f a -> b size=10KB cc=prioplus
flow g a -> b size=10KB cc=ledbat
stop at={end}ms
"""
SHARE = NETWORK.format(hosts=5, gbps=10) + """
set noise 0
set base 120000
set eps 1000
set fluct 3200
set tolerated 800
link path1:ab noise=$noise
host * receiver ideal
host * knob prioplus.base_rtt_ns=$base prioplus.eps_ns=$eps
host * knob prioplus.channel_fluct_ns=$fluct prioplus.channel_noise_ns=$tolerated
flow f a* -> b1 count=5 size=forever cc=prioplus prio=2 jitter=100us
sample every=1ms
stop at=60ms
expect rto == 0
"""
FROM_NS, TO_NS = 20_000_000, 59_000_000         # the last sample
LINE = 10 / 8 * (MTU - 72) / MTU        # payload, bytes/ns


def measured(tools, folder, noise, more="", seed=1, **options):
    """What the tool tells in a lab with this noise, read from its JSON."""
    out = Path(f"{folder}.json")
    network = {"gbps": 10, "end": 4000, **options}
    run(MEASURE.format(noise=noise, more=more, python="/usr/bin/python3", tool=TOOL,
                       out=out, **network), folder, tools, seed=seed)
    return json.loads(out.read_text("ascii"))


def burst_percentile(percent, count):
    """Of the second of two packets, each late by 0 to T, as likely: it comes with the
    first or behind it, and there is a link behind the noise on which they take their time
    again. P(late <= x) = (x / T)^2. Returns x and what it may be off by."""
    share = percent / 100
    late = TOP_NS * math.sqrt(share)
    return late, math.sqrt(share * (1 - share) / count) * TOP_NS ** 2 / (2 * late)


def check_noise(tap, tools, base, zero):
    """Its distribution, for each seed; the last answer."""
    for seed in SEEDS:
        told = measured(tools, base / f"uniform{seed}", f"uniform,{TOP_NS}ns", seed=seed)
        noise = told["noise_ns"]["idle"]
        above = told["base_rtt_ns"] - zero      # of so many delays the least has some
        tap.ok(0 <= above <= 1000, f"seed {seed}: base RTT",
               f"{told['base_rtt_ns']} ns, {above} above {zero}")
        for percent in (50, 99, 99.85):
            want, sigma = burst_percentile(percent, noise["count"])
            found = noise[f"p{percent:g}"] + above
            tap.ok(abs(found - want) <= SIGMAS * sigma + 1,
                   f"seed {seed}: p{percent:g} of the noise",
                   f"{found} ns, wanted {want:.0f} +- {SIGMAS * sigma:.0f};"
                   f" {noise['count']} delays")
    return told


def check_tool(tap, tools, base):
    """The answer, against arithmetic."""
    quiet = measured(tools, base / "quiet", "0")
    tap.ok(quiet["noise_ns"]["idle"]["max"] <= PACKET_NS
           and abs(quiet["base_rtt_ns"] - RTT_NS) < PACKET_NS,
           "without noise there is none",
           f"max {quiet['noise_ns']['idle']['max']} ns, base {quiet['base_rtt_ns']}")
    told = check_noise(tap, tools, base, quiet["base_rtt_ns"])
    knobs, noise = told["knobs"], told["noise_ns"]["idle"]
    b = math.ceil(noise["p99.85"] / 100) * 100
    a = math.ceil(1.8 * FLOWS * PACKET_NS / 100) * 100
    tap.ok(knobs["channel_noise_ns"] == b and knobs["channel_fluct_ns"] == a
           and told["width_ns"] == a + b, "the channels' width",
           f"A {knobs['channel_fluct_ns']} (wanted {a}), B {knobs['channel_noise_ns']}"
           f" (wanted {b}), {told['width_ns']}")
    tap.ok(knobs["eps_ns"] == max(b, math.ceil(8 * PACKET_NS / 100) * 100)
           and knobs["prio_levels"] == 8, "eps and levels",
           f"{knobs['eps_ns']}, {knobs['prio_levels']}")
    few = measured(tools, base / "few", f"uniform,{TOP_NS}ns", "--buffer 300KB")
    room = 300_000 / (MSS + 86) * PACKET_NS - few["knobs"]["channel_fluct_ns"] / 2 \
        - few["knobs"]["channel_noise_ns"]
    tap.ok(few["levels"] == room // few["width_ns"] == 3, "levels that a buffer holds",
           f"{few['levels']} in 300 KB")
    busy = measured(tools, base / "busy", "0", "--load", gbps=1, end=8000)
    idle, loaded = (busy["noise_ns"][name]["p99.85"] for name in ("idle", "loaded"))
    tap.ok(idle <= 10 * PACKET_NS < loaded
           and busy["knobs"]["channel_noise_ns"] == math.ceil(loaded / 100) * 100,
           "under load it is more, and that counts",
           f"1 Gbit/s: p99.85 {idle} and {loaded} ns, a packet {10 * PACKET_NS:.0f}")
    return knobs


def received(_result, flows, _links):
    """What part of the line the flows had."""
    got = sum(track.grown(FROM_NS, TO_NS, "bytes_received") for track in flows.values())
    return got / (TO_NS - FROM_NS) / LINE


def used(tap, noise, knobs, part):
    """The same by seed, sorted, of channels that are so much narrower."""
    bears, fluct = knobs["channel_noise_ns"] // part, knobs["channel_fluct_ns"] // part
    sets = {"noise": noise, "base": knobs["base_rtt_ns"], "eps": bears, "fluct": fluct,
            "tolerated": bears}
    found = sorted(row.measured for row in run_all(
        [(SHARE, {k: str(v) for k, v in sets.items()}, seed) for seed in SEEDS], tap,
        received) if row)
    tap.say(f"noise {noise}, channels {(bears + fluct) / 1000:.1f} us apart:"
            f" {spread(found)[1]} of the line, {found[0]:.3f} to {found[-1]:.3f}")
    return found


def check_use(tap, knobs):
    """Channels as told, and narrower and narrower ones."""
    late = f"uniform,{TOP_NS}ns"
    found = {part: used(tap, late, knobs, part) for part in PARTS}
    wide, edge, narrow = found[1], found[EDGE], found[TOO_NARROW]
    tap.ok(len(wide) == len(SEEDS) and wide[0] >= USED,
           f"with the tool's channels {USED:.0%} of the line", f"least {wide[0]:.3f}")
    tap.ok(len(narrow) == len(SEEDS) and narrow[-1] < USED / 2,
           f"{TOO_NARROW} times narrower less than half of that", f"most {narrow[-1]:.3f}")
    quiet = used(tap, "0", knobs, EDGE)
    tap.ok(len(quiet) == len(SEEDS) and edge[0] < USED <= quiet[0],
           f"{EDGE} times narrower: {USED:.0%} without noise, less with it",
           f"least {quiet[0]:.3f} and {edge[0]:.3f}")
    for part in PARTS[PARTS.index(EDGE) + 1:]:
        used(tap, "0", knobs, part)


def main():
    """The tool, then its answer."""
    tap, tools = Tap(), runner.Tools()
    with scratch("channels") as folder:
        knobs = check_tool(tap, tools, Path(folder))
    check_use(tap, knobs)
    tap.finish()


if __name__ == "__main__":
    sys.exit(main())
