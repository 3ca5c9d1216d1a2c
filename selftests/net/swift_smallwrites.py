#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Requests of two small writes: a held-back ACK is not congestion.

A receiver acknowledges at once what is more than a full packet, however many
packets it came in; anything less waits up to 40 ms for more. A request of two
writes of 100 bytes is two packets and one such ACK. Who counts packets takes
its 40 ms for a queue, and the window of an idle network falls to its floor.

    a ---- s ---- b        a request of 200 bytes every 50 ms, nothing else

After as many requests the window must be the same whether each was one write
or two; and that of a sender whom nothing ever held back: the first one.

Tail-loss probes are off: with two packets in flight the sender would send one
again after two round trips, and a receiver answers what it has already at once.
"""

from tap import Tap, run_all

REQUEST = 200                   # bytes
REQUESTS = 80                   # the first 16 packets are acknowledged at once
EVERY_MS = 50                   # longer than a receiver holds an ACK back
HELD_MS = 40                    # ... which is so long
FIRST_WINDOW = 10               # TCP_INIT_CWND
SEED = 1
ALGORITHMS = ("swift", "lswift", "mswift", "nscc", "mnscc")
PARTS = (1, 2)


def scenario(algorithm, parts):
    """A request every EVERY_MS; the receiver does not read in between."""
    return f"""
title {algorithm}: requests of {parts} writes
topology chain hops=2 rate=10Gbps rtt=120us mtu=4096B nic=ideal
host a sysctl net.ipv4.tcp_early_retrans=0
flow f a -> b size=forever cc={algorithm} rate={REQUEST * 8000 // EVERY_MS}bps """ \
        f"""write={REQUEST // parts}B writes={parts}
sample every={EVERY_MS}ms
stop at={REQUESTS * EVERY_MS}ms
expect flow f retrans == 0
expect flow f packets >= {REQUESTS * parts * 9 // 10}
"""


def held_back(result, _flows, _links):
    """Longest smoothed RTT that the sender's stack saw, in ms.

    Of the stack, which counts every ACK: it says that ACKs were held back.
    """
    return max(row["rtt_us"] for row in _flows["f"].rows) / 1000


def check(tap, algorithm, results):
    """The windows of one algorithm, by parts of a request."""
    windows = {parts: result["flows"]["f"]["cwnd"]
               for parts, result in zip(PARTS, results)}
    waits = [result.measured for result in results]
    tap.ok(min(waits) > HELD_MS / 2, f"{algorithm}: the receiver held ACKs back",
           "srtt up to " + ", ".join(f"{wait:.1f}" for wait in waits) + " ms")
    for parts in PARTS:
        tap.ok(windows[parts] == windows[1] == FIRST_WINDOW,
               f"{algorithm}: window after {REQUESTS} requests of {parts}"
               f" x {REQUEST // parts} bytes",
               f"{windows[parts]} packets; of one write {windows[1]},"
               f" first {FIRST_WINDOW}")


def main():
    """All algorithms, all ways to write a request."""
    tap = Tap()
    jobs = [(scenario(algorithm, parts), {}, SEED)
            for algorithm in ALGORITHMS for parts in PARTS]
    results = run_all(jobs, tap, measure=held_back)
    for number, algorithm in enumerate(ALGORITHMS):
        group = results[number * len(PARTS):(number + 1) * len(PARTS)]
        if all(group):
            check(tap, algorithm, group)
    tap.finish()


if __name__ == "__main__":
    main()
