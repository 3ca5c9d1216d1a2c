#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Does the lab run other people's congestion control?

The kernel's own: each runs, and is the one really active (getsockopt on the
sender at the end). An out-of-tree module given by its path: oot/tcp_fixedcwnd.c,
whose throughput is known: its window per round trip.

    a ==== 10 Gbps, 1 ms ==== b        one flow, one switch between

The round trip of a full window: packets leave as ACKs let them, two at a time
(delayed ACKs), so that the first of two waits for the second: base RTT plus the
serialisation of one packet on the slowest link.
"""

from fractions import Fraction

from labkit import OUR_MODULES, command, run, runner, scratch
from tap import Tap, lablib, series

STOCK = ("reno", "cubic", "dctcp", "bbr", "vegas")
WINDOWS = (10, 64, 200)
TOLERANCE = Fraction(1, 100)
RATE = 10**10
MTU = 4096
RTT_NS = 10**6
PATH = f"topology star hosts=2 rate={RATE}bps rtt={RTT_NS}ns mtu={MTU}B nic=ideal"


def stock_text(name):
    """The algorithm has to cope with a bottleneck, a buffer and marks."""
    return (f"{PATH} buffer=2bdp ecn=0.2bdp\nlink *-s:ba rate=5Gbps\n"
            f"flow f h1 -> h2 size=20MB cc={name}\n"
            f"flow g h1 -> h2 size=5MB cc={name} family=4\n"
            f"expect flow * cc == {name}\nexpect unfinished == 0\n"
            "expect flow f goodput >= 50% of line\n")


def check_stock(tap, tools, base):
    """Each of the kernel's algorithms, by name and at work."""
    seen = set()
    for name in STOCK:
        result = run(stock_text(name), f"{base}/{name}", tools)
        flow = result["flows"]["f"]
        seen.add(result["trace_hash"])
        tap.ok(result.exit_code == 0 and flow["cc"] == name,
               f"{name} runs and is the active algorithm",
               f"cc={flow['cc']}, goodput {flow['goodput'] / 1e9:.2f} of 5 Gbit/s,"
               f" retrans {flow['retrans']}, CE {flow['ce']}"
               + "".join(f"; {problem}" for problem in result["problems"]))
    tap.ok(len(seen) == len(STOCK), "no two algorithms give the same run",
           f"{len(seen)} different traces of {len(STOCK)}")


def fixed_text(window):
    """The out-of-tree module, with its window as parameter."""
    return (f"module {OUR_MODULES['fixedcwnd']} provides=fixedcwnd window={window}\n"
            f"{PATH} buffer=0\nflow f h1 -> h2 size=forever cc=fixedcwnd\n"
            "sample every=1ms\nstop at=100ms\n"
            "expect flow f cc == fixedcwnd\nexpect flow f rto == 0\n")


def expected_goodput(window, mss):
    """Payload bit/s: a window per round trip, the wait for the second included."""
    wait = Fraction(MTU * 8 * 10**9, RATE)
    return window * mss * 8 * Fraction(10**9) / (RTT_NS + wait)


def check_fixed(tap, tools, base):
    """An out-of-tree module by its path: built, loaded, active, and exact."""
    for window in WINDOWS:
        folder = f"{base}/fixed{window}"
        result = run(fixed_text(window), folder, tools)
        flow = result["flows"]["f"]
        track = series.load(folder, "flows")["f"]
        start, end = 20 * 10**6, 90 * 10**6
        got = Fraction(track.grown(start, end, "bytes_received") * 8 * 10**9,
                       end - start)
        want = expected_goodput(window, flow["mss"])
        error = got / want - 1
        tap.ok(result.exit_code == 0 and abs(error) <= TOLERANCE
               and flow["cwnd"] == window,
               f"out-of-tree module, window {window}: throughput is window / RTT",
               f"{float(got) / 1e9:.5f} Gbit/s, closed form"
               f" {float(want) / 1e9:.5f}, off by {float(error) * 100:+.3f} %,"
               f" cwnd {flow['cwnd']}, cc {flow['cc']}")


def check_refusals(tap, tools, base):
    """A parameter that the module refuses ends the run and is told."""
    try:
        run(fixed_text(0), f"{base}/zero", tools)
        said = "no error"
    except lablib.RunError as error:
        said = str(error)
    tap.ok("window=0" in said and "Invalid argument" in said,
           "a module that refuses its parameter ends the run, and is quoted",
           " | ".join(said.splitlines())[-120:])


def check_command(tap):
    """The list of algorithms that the command shows names them all."""
    listed = command("algorithms").stdout.split()
    missing = [name for name in (*STOCK, "mswift") if name not in listed]
    tap.ok(not missing, "`lab algorithms` lists them",
           f"missing: {missing or 'none'}")


def main():
    """All of it."""
    tap, tools = Tap(), runner.Tools()
    with scratch("modules") as base:
        check_stock(tap, tools, base)
        check_fixed(tap, tools, base)
        check_refusals(tap, tools, base)
    check_command(tap)
    tap.finish()


if __name__ == "__main__":
    main()
