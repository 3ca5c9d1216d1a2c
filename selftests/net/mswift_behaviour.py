#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The situations of a flow's life, one small scenario each: switching the
algorithm, idling, being limited by the application or the receiver, losses,
a dead path, another MTU, IPv4, windows below one packet, foreign algorithms.

Every scenario carries its own expectations; the numbers are from the link (10
Gbps, 120 us) or from Swift's rules, as the comments say.
"""

from labkit import acks, run, runner, scratch
from tap import Tap, run_all

SEEDS = (1, 2)
FEW = 8                         # delays that mswift remembers at first

NET = """
topology paths n=4 rate=10Gbps rtt=120us mtu=4096B buffer=16bdp nic=ideal
host * knob spray=oblivious spray_paths=1024
sample every=100us
"""

CASES = {
    "switching algorithm in mid-flow, there and back": NET + """
flow f1 a -> b size=forever cc=mswift
at 20ms flow f1 cc=cubic
at 40ms flow f1 cc=mswift
stop at=80ms
expect flow f1 cc == mswift
expect flow f1 goodput >= 95% of capacity from=25ms to=40ms
# back: what cubic had in flight drains, then Swift adds a packet per RTT: 5 ms
expect flow f1 goodput >= 95% of capacity from=55ms
# and the queue is Swift's again, not cubic's
expect link a-s1:ab queue_delay.mean <= 45us from=55ms
expect flow f1 rto == 0
""",
    "switching from mswift to every stock algorithm": NET + """
flow f1 a -> b size=forever cc=mswift
at 10ms flow f1 cc=reno
at 20ms flow f1 cc=lswift
at 30ms flow f1 cc=dctcp
at 40ms flow f1 cc=swift
at 50ms flow f1 cc=bbr
stop at=70ms
expect flow f1 cc == bbr
expect flow f1 goodput >= 80% of capacity from=10ms
expect flow f1 rto == 0
""",
    "idle restart: the window is kept, stale delays are not": NET + """
flow f1 a -> b size=forever cc=mswift rate=9Gbps on=10ms off=400ms
stop at=1240ms
expect flow f1 cwnd >= 20 from=1000ms
expect flow f1 retrans == 0
# the fourth burst starts at 1230 ms and runs at its rate at once
expect flow f1 goodput >= 8Gbps from=1231ms to=1239ms
""",
    "application-limited: the window does not grow": NET + """
flow f1 a -> b size=forever cc=mswift rate=500Mbps
stop at=60ms
expect flow f1 cwnd <= 20 from=20ms
expect flow f1 goodput >= 480Mbps from=20ms
""",
    "receiver-limited: the window does not grow": NET + """
flow f1 a -> b size=forever cc=mswift drain=1Gbps rcvbuf=128KiB
stop at=60ms
expect flow f1 cwnd <= 45 from=20ms
expect flow f1 goodput <= 1.1Gbps from=20ms
expect flow f1 goodput >= 0.9Gbps from=20ms
expect flow f1 rto == 0
""",
    "random loss of 0.5 %: isolated losses do not cut mswift": NET + """
link path*:ab loss=0.5%
flow f1 a -> b size=forever cc=mswift
stop at=80ms
# a loss holds its place in the window until RACK's timer, in whole ms, ends:
# 1.5 losses/ms for 2.3 ms are 3.5 of 44 packets; half as much again is allowed
expect flow f1 goodput >= 80% of capacity from=30ms
expect flow f1 rto == 0
""",
    "random loss of 0.5 %: swift cuts once per recovery": NET + """
link path*:ab loss=0.5%
flow f1 a -> b size=forever cc=swift
stop at=80ms
expect flow f1 goodput <= 75% of capacity from=30ms
expect flow f1 goodput >= 10% of capacity from=30ms
""",
    "timeout: all paths dead for 30 ms, back within 10 ms": NET + """
host * route rto_min=5ms
flow f1 a -> b size=forever cc=mswift
at 20ms link path* down
at 50ms link path* up
stop at=140ms
expect flow f1 rto >= 1
expect flow f1 goodput >= 90% of capacity from=110ms
""",
    "smaller, then larger MTU in mid-flow": NET + """
flow f1 a -> b size=forever cc=mswift
at 20ms host a run "ip link set dev eth0 mtu 1500"
at 40ms host a run "ip link set dev eth0 mtu 4096"
stop at=80ms
# 1500-byte packets carry 1428 of payload; headers take 4.8 % of the line
expect flow f1 goodput >= 8.5Gbps from=25ms to=40ms
expect flow f1 goodput >= 93% of capacity from=60ms
expect flow f1 rto == 0
""",
    "IPv4: works, unsprayed": NET + """
host * knob mswift.spray=oblivious
flow f1 a -> b size=forever cc=mswift family=4
stop at=40ms
expect flow f1 goodput >= 95% of capacity from=20ms
expect flow f1 retrans == 0
""",
    "windows near one packet: 64 flows on one link, nobody starves": """
topology star hosts=101 rate=10Gbps rtt=120us mtu=4096B buffer=30bdp nic=ideal
host * knob mswift.base_target_us=145
flow f h[2-9]* -> h1 count=64 size=forever cc=mswift jitter=1ms
sample every=1ms
stop at=200ms
expect goodput >= 90% of capacity from=100ms
expect jain >= 0.95 from=100ms
expect rto == 0
""",
    "a foreign algorithm is sprayed by the namespace's knob, evenly": """
topology paths n=4 rate=10Gbps rtt=120us mtu=4096B buffer=16bdp nic=ideal
host a knob spray=oblivious spray_paths=4096
flow f1 a -> b size=forever cc=reno
sample every=1ms
stop at=60ms
# 4096 labels on 4 paths: 1024 +- 28 each by chance
expect link path*:ab utilisation >= 22% from=20ms
expect link path*:ab utilisation <= 28% from=20ms
""",
    "without the knob a flow stays on one path": """
topology paths n=4 rate=10Gbps rtt=120us mtu=4096B buffer=16bdp nic=ideal
flow f1 a -> b size=forever cc=mswift
sample every=1ms
stop at=60ms
expect link path*:ab max(utilisation) >= 95% from=30ms
""",
}

# One path of four is 100 us longer: of a window of 64 packets the slowest of the last
# 32 nearly always came by it, of the last 8 often none did.
HISTORY = NET + """
link path1:ab delay+=100us
host * knob mswift.percentile=100 mswift.stale_rtts=64 mswift.target_qdelay_us=200
host * knob mswift.init_cwnd=64 mswift.records=%d
flow f1 a -> b size=forever cc=mswift
record f1
stop at=6ms
"""


def remembered(rows):
    """ACKs with a delay, and those of them acted on with one of before the last FEW."""
    fed, samples, older = [], 0, 0
    for row in rows:
        if not row["rtt"]:
            continue
        fed = (fed + [row["rtt"]] * row["acked"])[-FEW:]
        samples += 1
        older += row["delay"] > 1.2 * max(fed)
    return samples, older


def check_history(tap):
    """However few send records there may be, the algorithm has its history in full."""
    with scratch("history") as base:
        for records in (16, 1024):
            folder = f"{base}/{records}"
            run("title history\n" + HISTORY % records, folder, runner.Tools())
            samples, older = remembered(acks(folder)["f1"])
            tap.ok(samples >= 100 and older >= samples / 20,
                   f"records={records}: mswift remembers more than {FEW} delays",
                   f"{older} of {samples} ACKs acted on an older one")

# A record keeps the time in 32 bits of ns: half of them last 2.1 s, all of them 4.3 s.
FAR = """
topology chain hops=2 rate=100Mbps rtt=%ds mtu=4096B buffer=10MB nic=ideal
flow f a -> b size=forever cc=mswift
record f
stop at=40s
"""
MOST_NS = 2**32 - 1             # what a delay ends at


def check_far(tap):
    """The delay of a path of seconds is no shorter than that, and never unknown."""
    with scratch("far") as base:
        for seconds in (2, 3, 5):
            run("title far\n" + FAR % seconds, f"{base}/{seconds}", runner.Tools())
            rows = acks(f"{base}/{seconds}")["f"]
            heard = [row["rtt"] for row in rows if row["rtt"]]
            least = min(seconds * 10**9, MOST_NS)
            tap.ok(len(heard) >= 20 and min(heard) >= least <= rows[-1]["base"],
                   f"a path of {seconds} s: no delay is shorter",
                   f"{len(heard)} of {len(rows)} ACKs gave one, {min(heard, default=0)} ns"
                   f" and more; base RTT {rows[-1]['base']} ns")


def main():
    tap = Tap()
    check_history(tap)
    check_far(tap)
    jobs = [(f"title {name}\n{text}", {}, seed)
            for name, text in CASES.items() for seed in SEEDS]
    results = run_all(jobs, tap)
    for (name, seed), result in zip([(n, s) for n in CASES for s in SEEDS], results):
        if result is None:
            continue
        shown = "; ".join(f"{e['text'].removeprefix('expect ')}: {e['shown']}"
                          for e in result["expects"])
        tap.ok(result.exit_code == 0, f"{name}, seed {seed}", shown)
    ipv4 = results[list(CASES).index("IPv4: works, unsprayed") * len(SEEDS)]
    tap.ok(ipv4 is not None and ipv4["counters"]["label_ipv4"] >= 1,
           "IPv4: the counter label_ipv4 says so")
    tap.finish()


if __name__ == "__main__":
    main()
