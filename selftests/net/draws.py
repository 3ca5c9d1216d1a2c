#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Networks beside the named ones, on which flows stood still or filled a queue for good.

    late        24 flows of oscar join one by one where the path holds 30 packets: what they
                take for the base RTT at the end
    crowd       120 flows where the path holds 12 packets: none stands for 20 ms, which takes
                no retransmission timeout, and the queue falls; dctcp beside
    queues      prioplus over three queues in a row, beside flows of one: slow, not dead
    configured  24 flows of mnscc that join one by one, their RTT of 200 us configured
    elephants   sprayed flows beside cubic elephants without ECN: reps, which goes by marks

Bounds are on what was a danger: base RTTs that grow, flows without a byte, queues without
end. How even the shares are is told, but where they were the danger.
"""

import struct

from tap import SEEDS, run_all, run_parts, spread

MS = 1_000_000
BASE_GROWN = 1.5                # of the path's, and more, when three equal drains raised it
STAND_MS = 20
CROWD_QUEUE = 0.9               # of what it is at first, 200 ms later
CONFIGURED_JAIN = 0.95
BESIDE_ELEPHANTS = 4            # slowdown at most; was 53


def joiners(cc, count, first_ms, step_us, jitter):
    """One flow, and the others from then on, one by one, from hosts of their own."""
    lines = [f"flow f0 h2 -> h1 size=forever cc={cc}"]
    return lines + [f"flow f{i} h{i + 2} -> h1 size=forever cc={cc}"
                    f" start={first_ms * 1000 + step_us * (i - 1)}us jitter={jitter}"
                    for i in range(1, count)]


def text(title, topology, lines, sample, end):
    return "\n".join([f"title {title}", f"topology {topology} nic=ideal", *lines,
                      f"sample every={sample}", f"stop at={end}", ""])


def jain(shares):
    return sum(shares) ** 2 / (len(shares) * sum(s * s for s in shares) or 1)


def received(flows, start, end):
    return [track.grown(start, end, "bytes_received") for track in flows.values()]


def stands_ms(flows, start, end, step=5 * MS):
    """The longest time that any flow was without a byte, in whole steps."""
    longest = 0
    for track in flows.values():
        since = start
        for now in range(start, end - step, step):
            if track.grown(now, now + step, "bytes_received"):
                longest, since = max(longest, now - since), now + step
        longest = max(longest, end - step - since)
    return longest / MS


LATE = text("24 late flows of oscar", "star hosts=25 rate=25Gbps rtt=40us mtu=4096B buffer=20bdp"
            " ecn=0.5bdp", joiners("oscar", 24, 8, 1200, "40us"), "200us", "42400us")


def late(tap):
    def measure(result, flows, _links):
        bases = [struct.unpack("<2H3I", bytes.fromhex(flow["ccinfo"])[:16])[3]
                 for flow in result["flows"].values()]
        return max(bases) / 40_000, jain(received(flows, 37 * MS, 42 * MS))
    rows = [r.measured for r in run_all([(LATE, {}, s) for s in SEEDS], tap, measure) if r]
    tap.ok(max(base for base, _ in rows) < BASE_GROWN,
           f"late: no base RTT grown to {BASE_GROWN} of the path's",
           f"{spread(base for base, _ in rows)[1]}; Jain {spread(even for _, even in rows)[1]}")


CROWD = text("120 flows of $cc", "star hosts=21 rate=10Gbps rtt=40us mtu=4096B buffer=64bdp"
             " ecn=0.5bdp", ["flow f h[2-9] -> h1 count=60 size=forever cc=$cc jitter=500us",
                             "flow g h1[0-7] -> h1 count=60 size=forever cc=$cc jitter=500us"],
             "1ms", "300ms")


def crowd(tap):
    def measure(_result, flows, links):
        queue = [links["h1-s:ba"].grown(start, start + 50 * MS, "wait_ns_sum") /
                 max(links["h1-s:ba"].grown(start, start + 50 * MS, "tx_packets"), 1) / 1e3
                 for start in (10 * MS, 245 * MS)]
        return (stands_ms(flows, 50 * MS, 295 * MS), *queue,
                jain(received(flows, 150 * MS, 295 * MS)))
    for cc in ("dctcp", "oscar", "mswift", "nscc", "mnscc"):
        rows = [r.measured for r in
                run_all([(CROWD.replace("$cc", cc), {}, s) for s in SEEDS[:1]], tap, measure) if r]
        stand, first, last, even = (max(column) for column in zip(*rows))
        said = f"queue {first:.0f}, then {last:.0f} us; Jain {even:.3f}"
        if cc == "dctcp":
            tap.say(f"crowd, dctcp: no flow without a byte for {stand:.0f} ms; {said}")
            continue
        tap.ok(stand <= STAND_MS, f"crowd, {cc}: no flow stands for more than {STAND_MS} ms",
               f"{stand:.0f} ms; {said}")
        tap.ok(last <= max(CROWD_QUEUE * first, 640), f"crowd, {cc}: the queue falls", said)


QUEUES = """
title prioplus: three queues in a row
topology graph rate=40Gbps delay=3us mtu=4096B ecn=40KB nic=ideal
switch s1 s2 s3 s4
host lo e a1 a2 a3 b1 b2 b3
link lo s1
link a1 s1
link s1 s2 rate=10Gbps buffer=1MB
link a2 s2
link b1 s2
link s2 s3 rate=10Gbps buffer=1MB
link a3 s3
link b2 s3
link s3 s4 rate=10Gbps buffer=1MB
link e s4
link b3 s4
host * knob prioplus.base_rtt_ns=30000 prioplus.channel_fluct_ns=94400
host * knob prioplus.channel_noise_ns=23600 prioplus.eps_ns=26214
flow long lo -> e size=forever cc=prioplus jitter=500us
flow x1 a1 -> b1 size=forever cc=prioplus jitter=500us
flow x2 a2 -> b2 size=forever cc=prioplus jitter=500us
flow x3 a3 -> b3 size=forever cc=prioplus jitter=500us
sample every=100us
stop at=100ms
"""


def queues(tap):
    def measure(result, flows, _links):
        return ([flows["long"].grown(start, start + 20 * MS, "bytes_received")
                 for start in (0, 20 * MS)] +
                [flows["long"].grown(40 * MS, 100 * MS, "bytes_received")],
                result["counters"]["suspensions_overdue"])
    rows = [r.measured for r in run_all([(QUEUES, {}, s) for s in SEEDS], tap, measure) if r]
    tap.ok(all(min(grown) > 0 and overdue for grown, overdue in rows),
           "queues: the flow over all three moves in any 20 ms at first, then in 60",
           f"bytes {rows[0][0]}, {rows[0][1]} packets let out")


CONFIGURED = text("24 late flows of mnscc, R configured", "star hosts=25 rate=40Gbps rtt=200us"
                  " mtu=4096B buffer=20bdp ecn=0.5bdp",
                  ["host * knob mnscc.network_rtt_ns=200000",
                   *joiners("mnscc", 24, 40, 6000, "200us")], "1ms", "212ms")


def configured(tap):
    def measure(_result, flows, _links):
        return jain(received(flows, 192 * MS, 212 * MS))
    rows = [r.measured for r in run_all([(CONFIGURED, {}, s) for s in SEEDS[:1]], tap, measure)
            if r]
    tap.ok(min(rows) >= CONFIGURED_JAIN, f"configured: Jain at least {CONFIGURED_JAIN}",
           spread(rows)[1])


ELEPHANTS = """
title mswift by $spray beside cubic elephants, no ECN
set spray reps
topology fattree k=4 rate=8Gbps delay=50us mtu=4096B buffer=5bdp ecn=1bdp nic=ideal
host * route rto_min=5ms initcwnd=155
host * knob mswift.target_qdelay_us=160
host @permutation knob mswift.spray=$spray
workload permutation size=4MB cc=mswift elephants=2 elephant_cc=cubic
stop when=done at=2s
"""


def elephants(tap):
    def measure(result, _flows, _links):
        return max(f["slowdown"] for f in result["flows"].values() if f["slowdown"])
    for spray in ("reps", "auto"):
        rows = [r.measured for r in run_all([(ELEPHANTS, {"spray": spray}, s) for s in
                                             SEEDS], tap, measure) if r]
        tap.ok(max(rows) <= BESIDE_ELEPHANTS,
               f"elephants, {spray}: slowdown of the slowest at most {BESIDE_ELEPHANTS}",
               spread(rows)[1])


if __name__ == "__main__":
    run_parts({"late": late, "crowd": crowd, "queues": queues, "configured": configured,
               "elephants": elephants})
