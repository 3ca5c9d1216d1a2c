#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The situations of an nscc flow's life, one small scenario each: ECN negotiated,
echoed per packet, missing; switching the algorithm, losses, a timeout, IPv4,
other MTUs, limited by the application or the receiver, many flows.

Every scenario carries its own expectations; what they cannot say (the module's
counters, marks against delivered marks, the flow's info bits) is checked here.
"""

from tap import Tap, run_all

SEEDS = (1, 2)
INFO_NO_ECN = 128                       # DCC_INFO_NO_ECN
MARKS_TOLERANCE = 0.01

NET = """
topology paths n=4 rate=10Gbps rtt=120us mtu=4096B buffer=4bdp ecn=0.2bdp nic=ideal
sample every=100us
"""
# All meet on one link that marks at random, so that marks come and go. A flow
# without cc= takes the host's algorithm, at either end its own.
MARKED = """
topology paths n=1 hosts=4 rate=10Gbps rtt=120us mtu=4096B buffer=16bdp nic=ideal
link path1:ab red=8KB,600KB,0.5
sample every=100us
stop when=done at=60ms
"""
SMALL_MTU = NET.replace("4096B", "1280B")
LARGE_MTU = NET.replace("4096B", "9000B")

# Warm: on a new connection the receiver of these flows delays no ACK
ECN_CASES = {
    "ECN by itself, each packet's mark echoed": MARKED + """
flow f a* -> b* count=4 size=10MB warm=1ms cc=nscc
""",
    "ECN, the receiver delays its ACKs": MARKED + """
link path1:ab rate=5Gbps red=4KB,600KB,0.3
flow f a1 -> b1 size=10MB warm=1ms cc=nscc
""",
    "ECN, sender dctcp, only the receiver has nscc": MARKED + """
host b* sysctl net.ipv4.tcp_congestion_control=nscc
host a* route congctl=dctcp
module tcp_mnscc
flow f a* -> b* count=4 size=10MB warm=1ms
expect flow f.* cc == dctcp
""",
    "ECN, sender cubic with tcp_ecn=1, only the receiver has nscc": MARKED + """
host b* sysctl net.ipv4.tcp_congestion_control=nscc
host a* sysctl net.ipv4.tcp_ecn=1
module tcp_mnscc
flow f a* -> b* count=4 size=10MB warm=1ms
expect flow f.* cc == cubic
""",
}
NO_ECN = "no ECN: the peer refuses, delay alone decides"
IPV4 = "IPv4: works, unsprayed"

CASES = {
    **ECN_CASES,
    NO_ECN: MARKED + """
host b* sysctl net.ipv4.tcp_ecn=0
host a* sysctl net.ipv4.tcp_congestion_control=nscc
module tcp_mnscc
flow f a* -> b* count=4 size=forever
expect flow f.* cc == nscc
expect goodput >= 9Gbps from=10ms
expect flow f.* ce == 0
""",
    "switching algorithm in mid-flow, there and back": NET + """
host * knob nscc.spray=reps
flow f1 a -> b size=forever cc=nscc
at 20ms flow f1 cc=cubic
at 40ms flow f1 cc=nscc
stop at=60ms
expect flow f1 cc == nscc
expect flow f1 goodput >= 95% of capacity from=10ms to=20ms
expect flow f1 goodput >= 90% of capacity from=25ms to=40ms
expect flow f1 goodput >= 95% of capacity from=50ms
expect flow f1 rto == 0
""",
    "switching to and from every other algorithm": NET + """
flow f1 a -> b size=forever cc=cubic
at 10ms flow f1 cc=nscc
at 20ms flow f1 cc=mnscc
at 30ms flow f1 cc=dctcp
at 40ms flow f1 cc=mnscc
at 50ms flow f1 cc=mswift
at 60ms flow f1 cc=nscc
stop at=70ms
expect flow f1 cc == nscc
expect flow f1 goodput >= 80% of capacity from=10ms
expect flow f1 rto == 0
""",
    "random loss of 1 %": NET + """
link path*:ab loss=1%
host * knob nscc.spray=oblivious
flow f1 a -> b size=forever cc=nscc
stop at=80ms
# each lost packet takes its bytes off the window: 3 a ms against alpha's growth
expect flow f1 goodput >= 50% of capacity from=30ms
expect flow f1 rto == 0
""",
    "timeout: all paths dead for 30 ms, back within 10 ms": NET + """
host * route rto_min=5ms
host * knob nscc.spray=reps
flow f1 a -> b size=forever cc=nscc
at 20ms link path* down
at 50ms link path* up
stop at=140ms
expect flow f1 rto >= 1
expect flow f1 goodput >= 90% of capacity from=110ms
""",
    IPV4: NET + """
host * knob nscc.spray=oblivious
flow f1 a -> b size=forever cc=nscc family=4
stop at=40ms
expect flow f1 goodput >= 95% of capacity from=20ms
expect flow f1 retrans == 0
""",
    "MTU 1280": SMALL_MTU + """
host * knob nscc.spray=reps
flow f1 a -> b size=forever cc=nscc
stop at=40ms
expect flow f1 goodput >= 95% of capacity from=20ms
""",
    "MTU 9000": LARGE_MTU + """
host * knob nscc.spray=reps
flow f1 a -> b size=forever cc=nscc
stop at=40ms
expect flow f1 goodput >= 95% of capacity from=20ms
""",
    "application-limited: the window does not grow": NET + """
flow f1 a -> b size=forever cc=nscc rate=500Mbps
stop at=60ms
expect flow f1 cwnd <= 20 from=20ms
expect flow f1 goodput >= 480Mbps from=20ms
""",
    "receiver-limited: the window does not grow": NET + """
flow f1 a -> b size=forever cc=nscc drain=1Gbps rcvbuf=128KiB
stop at=60ms
expect flow f1 cwnd <= 56 from=20ms
expect flow f1 goodput <= 1.1Gbps from=20ms
expect flow f1 goodput >= 0.9Gbps from=20ms
expect flow f1 rto == 0
""",
    "64 flows on one link, windows at their floor: nobody starves": """
topology star hosts=65 rate=10Gbps rtt=120us mtu=4096B buffer=30bdp ecn=0.2bdp nic=ideal
host * knob nscc.network_rtt_ns=120000 nscc.init_cwnd=10
workload incast n=64 to=h1 size=forever cc=nscc jitter=1ms
sample every=1ms
stop at=60ms
expect goodput >= 90% of capacity from=20ms
expect flow incast.* goodput >= 20Mbps from=20ms
expect rto == 0
""",
}


def info_bits(flow):
    """The bits: the second 16 of TCP_CC_INFO (layout 2, dcc.md), little-endian.

    The results make a number of hex digits that are all decimal.
    """
    text = str(flow["ccinfo"]).zfill(32)
    return int.from_bytes(bytes.fromhex(text)[2:4], "little")


def check_ecn(tap, name, results):
    """Every mark the shared link put on a packet arrived at the sender's count."""
    marks = sum(r["links"]["path1:ab"]["marks"] for r in results)
    heard = sum(f["ce"] for r in results for f in r["flows"].values())
    echoes = [r["counters"]["ce_echoes"] for r in results]
    tap.ok(marks > 50 and abs(heard / marks - 1) <= MARKS_TOLERANCE,
           f"{name}: delivered_ce equals the marks within 1 %",
           f"{heard} of {marks}, {heard / max(marks, 1) - 1:+.2%}")
    acks = sum(r["links"]["path1:ba"]["packets"] for r in results)
    sent = sum(r["links"]["path1:ab"]["packets"] for r in results)
    tap.say(f"{name}: {acks} ACKs of {sent} packets, ce_echoes {echoes}")
    # a receiver that has no ACK waiting needs no extra one
    if acks < 0.9 * sent:
        tap.ok(min(echoes) > 0, f"{name}: an ACK held back was sent when the mark"
               " changed", f"ce_echoes {echoes}")


def check_no_ecn(tap, results):
    missing = [r["counters"]["ecn_missing"] for r in results]
    bits = [info_bits(f) for r in results for f in r["flows"].values()]
    tap.ok(min(missing) >= 4, f"{NO_ECN}: the counter ecn_missing says so",
           f"{missing}")
    tap.ok(all(b & INFO_NO_ECN for b in bits), f"{NO_ECN}: info bit {INFO_NO_ECN}",
           f"{sorted(set(bits))}")


def main():
    tap = Tap()
    results = run_all([(f"title {name}\n{text}", {}, seed)
                       for name, text in CASES.items() for seed in SEEDS], tap)
    runs = {name: [r for r in results[i * len(SEEDS):(i + 1) * len(SEEDS)] if r]
            for i, name in enumerate(CASES)}
    for name, rows in runs.items():
        for seed, result in zip(SEEDS, rows):
            shown = "; ".join(f"{e['text'].removeprefix('expect ')}: {e['shown']}"
                              for e in result["expects"])
            tap.ok(result.exit_code == 0, f"{name}, seed {seed}", shown)
    for name in ECN_CASES:
        if runs[name]:
            check_ecn(tap, name, runs[name])
    if runs[NO_ECN]:
        check_no_ecn(tap, runs[NO_ECN])
    tap.ok(bool(runs[IPV4])
           and all(r["counters"]["label_ipv4"] >= 1 for r in runs[IPV4]),
           "IPv4: the counter label_ipv4 says so")
    tap.finish()


if __name__ == "__main__":
    main()
