#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The lab's hosts are ordinary hosts.

Their sysctls are those of a new network namespace of Debian's stock kernel:
selftests/real/stock-sysctls.txt, which selftests/real compares with the booted
kernel itself. And their receivers acknowledge as Linux's do: every second packet
of a flow in order, every packet where the scenario asks for that.
"""

from pathlib import Path

from labkit import run, runner, scratch
from lablib import plan
from tap import ROOT, Tap

REAL = ROOT / "selftests" / "real"
FILE = "sysctls.txt"
# What the lab sets for all namespaces: what sndbuf= and rcvbuf= may ask for.
OTHERWISE = dict.fromkeys(("net/core/rmem_max", "net/core/wmem_max"),
                          str(plan.SOCKET_MAX))
SIZE = 8_000_000
# Per ACK. The end of the connection is acknowledged, too.
PACKETS = {"ordinary": (1.8, 2.0), "ideal": (0.999, 1.0)}

SYSCTLS = f"""
topology star hosts=2 nic=ideal
host h1 run "{REAL}/sysctls.sh > `cat /proc/labdir`/{FILE}"
flow f h1 -> h2 size=1KB
"""

FLOW = f"""
topology star hosts=2 rate=10Gbps rtt=120us mtu=4096B buffer=100MB nic=ideal
host * receiver $receiver
set receiver ordinary
flow f h1 -> h2 size={SIZE}B cc=cubic
"""


def sysctls(path):
    """{name: value} of a list."""
    lines = Path(path).read_text("ascii").splitlines()
    return dict(line.split(" ", 1) for line in lines if not line.startswith("#"))


def check_sysctls(tap, folder, tools):
    """Each one that the lab's kernel has."""
    run(SYSCTLS, folder, tools, seed=1)
    lab, stock = sysctls(f"{folder}/{FILE}"), sysctls(REAL / "stock-sysctls.txt")
    shared = lab.keys() & stock.keys()
    tap.ok(len(shared) >= 150, "the lab's kernel has most of the stock kernel's sysctls",
           f"{len(shared)} of {len(stock)}")
    other = {name: (stock[name], lab[name]) for name in sorted(shared)
             if lab[name] != OTHERWISE.get(name, stock[name])}
    tap.ok(not other, "a host's sysctls are a stock kernel's", str(other))


def check_acks(tap, receiver, folder, tools):
    """How many packets an ACK is for, in order and without loss."""
    flow = run(FLOW, folder, tools, seed=1, sets={"receiver": receiver})["flows"]["f"]
    low, high = PACKETS[receiver]
    found = flow["packets_per_ack"]
    tap.ok(low <= found <= high and not flow["retrans"],
           f"{receiver} receiver: {low} to {high} packets per ACK", f"{found:.3f}")
    tap.say(f"{receiver}: {flow['acks']} ACKs for {flow['packets']} packets")


def main():
    """A host as it is, and as a scenario may want it."""
    tap, tools = Tap(), runner.Tools()
    with scratch("hosts") as base:
        check_sysctls(tap, f"{base}/sysctls", tools)
        for receiver in PACKETS:
            check_acks(tap, receiver, f"{base}/{receiver}", tools)
    tap.finish()


if __name__ == "__main__":
    main()
