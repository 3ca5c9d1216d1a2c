#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""oscar, hundreds of flows at once into one link (the paper's C.4, figure 20).

All start within a base RTT, at line rate, with packets of 1040 bytes, into a buffer that
drops nothing. Once the first windows have drained:

    200 flows      queue not above 230 KB
    1,000 flows    not above 900 KB: all but a BDP of one packet each, 1040 - 150 = 890 KB

no timeout, and no flow has less than a tenth of its share. An ordinary receiver holds
single ACKs back, so a flow has two packets there: 1,000 of them stand in 2,080 - 150 KB.
"""

from tap import SEEDS, Tap, run_all, spread

PACKET, ADVMSS = 1040, 980              # 1040 with 72 B of headers, time stamps among them
MEASURE_NS, SAMPLE_NS = 30_000_000, 5_000_000
STARVING = 0.1
CASES = (                               # flows, until, limit, receiver, seeds
    (200, 80_000_000, 230_000, "ideal", SEEDS),
    (1000, 280_000_000, 900_000, "ideal", SEEDS[:1]),
    (200, 80_000_000, 2 * 200 * PACKET, "ordinary", SEEDS[:2]),
)

TEXT = f"""
set n 200
set stop 80000000
set receiver ideal
set quick 1
title incast of $n oscar flows, $receiver receivers
topology star hosts=201 rate=10Gbps rtt=120us mtu=1280B buffer=0 nic=ideal
host * receiver $receiver
host * knob oscar.base_rtt_ns=120000 oscar.eps_ns=10000
host h1 run "ip -6 route change default via fe80::1 dev eth0 quickack $quick advmss {ADVMSS}"
workload incast n=$n to=h1 size=forever cc=oscar repeat=yes warm=3ms jitter=120us
sample every={SAMPLE_NS}ns
stop at=${{stop}}ns
expect rto == 0
expect drops == 0
"""


def measure(result, flows, links):
    """Queue, bytes; the least flow's part of an even share."""
    end = result["summary"]["virtual_time"] - SAMPLE_NS
    start = end - MEASURE_NS
    had = [track.grown(start, end, "bytes_received") for track in flows.values()]
    return (links["h1-s:ba"].grown(start, end, "queue_byte_ns") / MEASURE_NS,
            min(had) * len(had) / sum(had))


def main():
    """One case for each size of the incast."""
    tap = Tap()
    for flows, stop, limit, receiver, seeds in CASES:
        quick = int(receiver == "ideal")
        sets = {"n": flows, "stop": stop, "receiver": receiver, "quick": quick}
        rows = [row.measured for row in
                run_all([(TEXT, sets, seed) for seed in seeds], tap, measure) if row]
        queues, least = zip(*rows)
        name = f"{flows} flows, {receiver} receivers"
        tap.ok(max(queues) <= limit, f"{name}: queue not above {limit / 1e3:.0f} KB",
               spread(queues)[1])
        tap.ok(min(least) >= STARVING, f"{name}: each has {STARVING:.0%} of its share",
               f"{min(least):.2f}")
    tap.finish()


if __name__ == "__main__":
    main()
