#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Strict priorities inside one queue: groups of flows of four priorities start from the
lowest to the highest, and end in the reverse order (the manner of the paper's figure
10a), on one link of 10 Gbit/s and 120 us, which is 100 Gbit/s and 12 us ten times as
slow. Channels, noise and eps are ten times as wide.

Of each phase its second half is judged: the highest priority that is there has the link,
with two flows in each and with ten, and all others together hardly any. So is how long it
takes to get it. How long it takes to get it back is told: the families' draws judge that.

And a flow whose application pauses for longer than a retransmission timeout asks before it
goes on: into a queue of higher priorities it sends nothing, and alone it is as fast as at
its start. That an answer may take longer than that timeout is no second silence.
"""

from tap import SEEDS, Tap, run_all, spread

GROUPS = 4
SIZES = (2, 10)                         # flows in each
STEP_NS = 20_000_000
SAMPLE_NS = 200_000
RTT_NS = 120_000
LINE = 10 / 8 * 1208 / 1280             # payload, bytes/ns
SHARE = 0.95                            # of what all received: the paper's figure
OTHERS = 0.03                           # the rest has no more, mean of the seeds
BACK, TAKEOVER_RTTS = 0.90, 50

TEXT = """
title prioplus: $n flows of each of four priorities
set n 10
topology paths n=1 hosts=$n rate=10Gbps rtt=120us mtu=1280B buffer=256bdp nic=ideal
host * receiver ideal
host * knob prioplus.base_rtt_ns=120000 prioplus.eps_ns=10000
host * knob prioplus.channel_fluct_ns=32000 prioplus.channel_noise_ns=8000
flow p0 a* -> b1 count=$n size=forever cc=prioplus prio=0 jitter=100us
flow p1 a* -> b1 count=$n size=forever cc=prioplus prio=1 jitter=100us start=20ms lasts=100ms
flow p2 a* -> b1 count=$n size=forever cc=prioplus prio=2 jitter=100us start=40ms lasts=60ms
flow p3 a* -> b1 count=$n size=forever cc=prioplus prio=3 jitter=100us start=60ms lasts=20ms
sample every=200us
stop at=140ms
expect rto == 0
expect drops == 0
"""

# A flow of the lowest priority sends, pauses, and goes on; two of a higher one come or not.
BEGINS_NS, AGAIN_NS, LOOK_NS = 1_000_000, 421_000_000, 19_000_000
OVERDUE_BYTES = 1208                    # a packet, of a flow that was stopped for 128 base RTTs
PAUSE_TEXT = """
title prioplus: a flow that pauses
set others 300ms
topology paths n=1 hosts=3 rate=10Gbps rtt=120us mtu=1280B buffer=256bdp nic=ideal
host * receiver ideal
host * knob prioplus.base_rtt_ns=120000 prioplus.eps_ns=10000
host * knob prioplus.channel_fluct_ns=32000 prioplus.channel_noise_ns=8000
flow low a1 -> b1 size=forever cc=prioplus prio=0 start=1ms rate=9Gbps on=20ms off=400ms
flow high a[23] -> b1 size=forever cc=prioplus prio=3 start=$others jitter=100us lasts=100s
sample every=200us
stop at=440ms
expect rto == 0
expect drops == 0
"""


# A connection that waited, into a queue of 20 ms, which is within its channel.
SLOW_TEXT = """
title prioplus: an answer takes longer than a retransmission timeout
topology paths n=1 hosts=3 rate=1Gbps rtt=120us mtu=1280B buffer=2500KB nic=ideal
host * receiver ideal
host * route rto_min=5ms
host * knob prioplus.base_rtt_ns=120000 prioplus.channel_fluct_ns=40000000
flow full a[23] -> b1 size=forever cc=cubic start=20ms
flow low a1 -> b1 size=100KB cc=prioplus prio=0 warm=149ms start=150ms
sample every=1ms
stop at=600ms
expect link path1:ab queue_delay.mean >= 10ms from=150ms
expect flow low fct <= 300ms
"""


def received(flows, group, start, end):
    """Bytes that the flows of a group received in a time."""
    return sum(track.grown(start, end, "bytes_received")
               for name, track in flows.items() if name.startswith(f"p{group}."))


def shares(flows, start, end):
    """What part of what all received each group has."""
    parts = [received(flows, group, start, end) for group in range(GROUPS)]
    return [part / sum(parts) for part in parts]


def phases():
    """(first ns, highest group) of each phase."""
    order = [*range(GROUPS), *reversed(range(GROUPS - 1))]
    return [(n * STEP_NS, group) for n, group in enumerate(order)]


def delay(flows, start, group):
    """From the beginning of a phase until its group has BACK of the link for five samples,
    base RTTs."""
    for t in range(start, start + STEP_NS - 5 * SAMPLE_NS, SAMPLE_NS):
        rate = received(flows, group, t, t + 5 * SAMPLE_NS) / (5 * SAMPLE_NS)
        if rate >= BACK * LINE:
            return (t - start) / RTT_NS
    return STEP_NS / RTT_NS


def measure(_result, flows, _links):
    """For each phase: share of the highest group in the second half, and the delay."""
    return [(shares(flows, start + STEP_NS // 2, start + STEP_NS)[group],
             delay(flows, start, group)) for start, group in phases()]


def pause(tap):
    """A flow that pauses, in a queue of higher priorities, and alone."""
    def measure_low(_result, flows, _links):
        return [flows["low"].grown(start, start + LOOK_NS, "bytes_received")
                for start in (BEGINS_NS, AGAIN_NS)]
    for others, name in ("300ms", "in a queue"), ("439900us", "alone"):
        rows = [row.measured for row in run_all(
            [(PAUSE_TEXT, {"others": others}, seed) for seed in SEEDS], tap, measure_low) if row]
        text = f"after its pause {spread(again for _, again in rows)[1]} bytes, " \
               f"{spread(begun for begun, _ in rows)[1]} when it began"
        if name == "alone":
            tap.ok(all(again >= .98 * begun > 0 for begun, again in rows),
                   "a flow that pauses is as fast as it was, if nobody else came", text)
        else:
            tap.ok(all(again <= OVERDUE_BYTES for _, again in rows),
                   "a flow that pauses asks, and sends a packet into a queue of others at most",
                   text)


def slow_answers(tap):
    """A flow that waited with nothing to send, in a queue longer than its timeout."""
    rows = run_all([(SLOW_TEXT, {}, seed) for seed in SEEDS], tap)
    found = [row["flows"]["low"]["fct"] for row in rows if row]
    tap.ok(len(found) == len(SEEDS) and None not in found, "a flow that pauses goes on, though"
           " an answer takes longer than its timeout", f"{found} ns")


def main():
    """One case."""
    tap = Tap()
    pause(tap)
    slow_answers(tap)
    for n in SIZES:
        rows = [row.measured for row in
                run_all([(TEXT, {"n": n}, seed) for seed in SEEDS], tap, measure) if row]
        backs = []
        for number, (_, group) in enumerate(phases()):
            found = [row[number][0] for row in rows]
            name = f"{n} flows each, phase {number + 1}: priority {group}"
            detail = f"least {min(found):.3f}, {spread(found)[1]}"
            tap.ok(min(found) >= SHARE and spread(found)[0] >= 1 - OTHERS,
                   f"{name} has {SHARE:.0%} of what arrives, the others {OTHERS:.0%}", detail)
            took = [row[number][1] for row in rows]
            mean, text = spread(took)
            if 0 < number < GROUPS:
                tap.ok(mean <= TAKEOVER_RTTS, f"{n} flows each: {BACK:.0%} of the line"
                       f" within {TAKEOVER_RTTS} base RTTs after it started", text)
            elif number:
                backs += took
        tap.say(f"{n} flows each: {BACK:.0%} of the line after the end of the one above after"
                f" {spread(backs)[1]} base RTTs, most {max(backs):.1f}")
    tap.finish()


if __name__ == "__main__":
    main()
