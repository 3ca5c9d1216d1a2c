#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""What the stack does on its own is neither undone behind an algorithm's back nor
mistaken for a timeout.

    a ---- s1 ---- s2 ---- b

    late    the way becomes so long that the timer runs out although nothing was
            lost, and the ACKs of the originals come then, each for several packets
            (F-RTO; an ACK for each would come after the packet was sent again).
            Undone, packets that were really lost would be off RACK's list: a flow
            that tolerates reordering undoes nothing, any other leaves it to the
            stack.
    mtu     the way takes smaller packets time and again, while packets are lost:
            the stack then declares the whole flight lost, in whatever state it is,
            and no time has run out.
    turn    each packet waits for its turn for longer than a retransmission timeout.
            That is no silence: what was measured would be void with every packet. A
            pause of the application's is.
"""

from labkit import acks, run, runner, scratch
from tap import SEEDS, Tap

ALGORITHMS = ("mswift", "nscc")
CONTROL = "cubic"
FEW_SEEDS = SEEDS[:3]
LONGER_AT_MS, SHORT_AT_MS = 20, 600
LONGER_MS = 300                 # more than the smallest timeout, 200 ms
UNDONE = "TcpExtTCPLossUndo"
MTU_FIRST, MTU_STEP, MTU_STEPS = 1500, 8, 24    # down to 1308; IPv6 needs 1280
MTU_EVERY_MS = 5
TOO_BIG = "Ip6InTooBigErrors"      # of the switch: packets that it sent back

LATE = f"""
set cc cubic
topology chain hops=3 rate=1Gbps delay=5us buffer=100MB nic=ideal
flow f a -> b size=4MB cc=$cc
at {LONGER_AT_MS}ms link s1-s2:ab delay={LONGER_MS}ms
at {LONGER_AT_MS}ms link s1-s2:ba loss=0.5
at {SHORT_AT_MS}ms link s1-s2 delay=5us loss=0
stop when=done at=10s
"""

MTU = f"""
set cc cubic
topology chain hops=3 rate=1Gbps delay=20us buffer=100MB nic=ideal
link s1-s2:ab loss=0.01
# whoever sends an ICMP error needs an address
switch s1 run "ip -6 addr add fd00:ffff::1/128 dev lo"
flow f a -> b size=forever cc=$cc
""" + "".join(f"""
at {(step + 1) * MTU_EVERY_MS}ms switch s1 run "ip link set p2 mtu {MTU_FIRST - (step + 1) * MTU_STEP}"
""" for step in range(MTU_STEPS)) + f"""
stop at={(MTU_STEPS + 2) * MTU_EVERY_MS}ms
"""

TURN_PACKETS, PAUSES, FIRST_NS = 150, 3, 50_000_000
TURN = """
topology chain hops=1 rate=1Gbps delay=5us mtu=1280B nic=ideal
host * route rto_min=5ms
host * receiver ideal
flow turn a -> b size=forever cc=$cc maxrate=1Mbps
flow pause a -> b size=forever cc=$cc rate=100Mbps on=100ms off=400ms
set cc mswift
record turn pause
stop at=1550ms
"""


def late(tap, cc, seed, folder, tools, tolerant=None):
    """One flow whose timer runs out in vain; how often that was undone."""
    lines = "" if tolerant is None else \
        f"host a knob {cc}.reorder={'on' if tolerant else 'off'}\n"
    result = run(LATE + lines, folder, tools, seed=seed, sets={"cc": cc})
    undone = result["nodes"]["a"].get(UNDONE, 0)
    told = (f"undone {undone} times, {result['flows']['f']['rto']} timeouts,"
            f" {result['flows']['f']['retrans']} packets sent again; {result['problems']}")
    name = f"{cc}, seed {seed}" if tolerant is None else \
        f"{cc}, seed {seed}, reorder={'on' if tolerant else 'off'}"
    tap.ok(result["flows"]["f"]["fct"] and result["flows"]["f"]["rto"] >= 1
           and (undone == 0 if tolerant else undone >= 1),
           f"{name}: a timeout in vain is {'not ' if tolerant else ''}undone", told)
    tap.say(f"{name}: {told}")


def mtu(tap, cc, seed, folder, tools):
    """The module's count of timeouts beside the stack's."""
    result = run(MTU, folder, tools, seed=seed, sets={"cc": cc})
    ours = result["counters"]["rtos"]
    stacks = result["flows"]["f"]["rto"]
    too_big = result["nodes"]["s1"].get(TOO_BIG, 0)
    told = (f"{ours} timeouts, the stack's {stacks}; {too_big} packets were too big;"
            f" {result['problems']}")
    tap.ok(ours == stacks and too_big >= MTU_STEPS and not result["problems"],
           f"{cc}, seed {seed}: a smaller MTU is no timeout", told)
    tap.say(f"{cc}, seed {seed}: {told}")


def turn(tap, cc, folder, tools):
    """Packets further apart than a timeout, by pacing and by the application."""
    result = run(TURN, folder, tools, seed=1, sets={"cc": cc})
    rows = acks(folder)
    # prioplus: the first full packet's delay takes the place of the first probe's
    silent = {name: sum(int(row["idle"]) for row in rows[name] if int(row["t"]) > FIRST_NS)
              for name in ("turn", "pause")}
    told = f"{silent} times in {({name: len(rows[name]) for name in rows})} ACKs"
    tap.ok(len(rows["turn"]) >= TURN_PACKETS - 2 and not silent["turn"]
           and silent["pause"] == PAUSES and not result["problems"],
           f"{cc}: who waits for his turn is not silent, who pauses is", told)


def main():
    """All algorithms that are told apart here."""
    tap, tools = Tap(), runner.Tools()
    with scratch("events") as base:
        for seed in FEW_SEEDS:
            late(tap, CONTROL, seed, f"{base}/late-{seed}", tools)
        for cc in (*ALGORITHMS, "prioplus"):
            turn(tap, cc, f"{base}/turn-{cc}", tools)
        for cc in ALGORITHMS:
            for seed in FEW_SEEDS:
                for tolerant in (True, False):
                    late(tap, cc, seed, f"{base}/late-{cc}-{seed}-{tolerant}", tools,
                         tolerant)
                mtu(tap, cc, seed, f"{base}/mtu-{cc}-{seed}", tools)
    tap.finish()


if __name__ == "__main__":
    main()
