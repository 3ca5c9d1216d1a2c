# SPDX-License-Identifier: GPL-2.0
"""Why a draw went as it did: facts that its run measured, and a sentence of the worst.

A fact is a number of the stack's counters, of TCP_CC_INFO or of the links. A cause is a
mechanism whose fact lies beyond what a network without trouble shows; the sentence names
the first two in the order of CAUSES, from what stops a flow to what slows it.
"""

import statistics
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "ccinfo"))

import dcc_cc_info  # noqa: E402

CENT = 100
US = 1000                       # ns
SUSPENDED = next(bit for bit, word in dcc_cc_info.BITS.items() if word == "suspended")
OVERRATED = 1.25                # a base RTT, over the path's
NAMED = 2                       # causes that a sentence names


def _infos(rows):
    """(row, its TCP_CC_INFO) of the algorithms of tcp_dcc."""
    for row in rows:
        try:
            yield row, dcc_cc_info.read(bytes.fromhex(row["ccinfo"]))
        except ValueError:
            continue


def _median(values):
    return statistics.median(values) if values else 0


def _imbalance_of(result, hosts):
    """What the busiest link between switches carried, over the mean of the links of its
    switch in that direction: 1 is an even spread, 0 that there is no such link."""
    groups = {}
    for name, link in result["links"].items():
        ends, _, direction = name.partition(":")
        if not hosts & set(ends.split("-")):
            groups.setdefault((ends.split("-")[0], direction), []).append(link["bytes"])
    carried = max(groups.values(), key=max, default=[0])
    return max(carried) * len(carried) / (sum(carried) or 1)


def _later_half(track):
    """Its samples from the middle on; a track reads the rows that are asked for."""
    return [track.row(index) for index in range(len(track.times) // 2, len(track.times))]


def _at_end(flows):
    """The last samples of the flows that were there until the end."""
    end = max((track.times[-1] for track in flows.values()), default=0)
    return [track.row(-1) for track in flows.values() if track.times[-1] == end]


def facts(result, flows, net):
    """{fact: number} of a run: plain numbers, so that rows can keep them."""
    total, ends = result["summary"], result["flows"].values()
    sent, last = max(total["packets"], 1), _at_end(flows)
    seen = list(_infos([row for track in flows.values() for row in _later_half(track)] or ends))
    waits = sorted(link["queue_delay.mean"] / US for link in result["links"].values())
    over = [info.base_rtt_ns / (flow["base_rtt"] + 2 * net.interrupt * US)
            for flow, info in _infos(ends)]
    windows, rtts = [row["cwnd"] for row in last], [row["rtt_us"] for row in last]
    imbalance = _imbalance_of(result, {flow[end] for flow in ends for end in ("src", "dst")})
    return {
        "flows": len(ends), "sized": sum(flow["size"] is not None for flow in ends),
        "middle": total["slowdown.p50"] or 0, "slowest": total["slowdown.max"] or 0,
        "silent": sum(flow["established"] is None for flow in ends),
        "timed_out": sum(flow["rto"] > 0 for flow in ends), "rtos": total["rto"],
        "spurious": CENT * total["spurious"] / sent, "dropped": CENT * total["drops"] / sent,
        "damaged": CENT * (total["lost"] + total["down"]) / sent,
        "marked": CENT * total["marks"] / sent,
        "overrated": sum(ratio > OVERRATED for ratio in over), "base": max(over, default=0),
        "suspended": CENT * sum(bool(info.bits & SUSPENDED) for _, info in seen)
        / max(len(seen), 1),
        "excess": _median([(info.delay_ns - info.base_rtt_ns) / US for _, info in seen
                           if info.delay_ns]),
        "queue": waits[-1], "links": sum(waits[-2:]),       # a host's own, and the bottleneck
        "rtt": net.rtt, "round": net.round, "imbalance": imbalance,
        "holds": 0 if imbalance else net.holds,
        "least_window": min(windows, default=0), "most_window": max(windows, default=0),
        "windows": sum(windows), "least_rtt": min(rtts, default=0),
        "most_rtt": max(rtts, default=0),
    }


def _number(value):
    return f"{value:.0f}" if value >= 10 else f"{value:.2g}"


def _unconnected(of):
    return of["silent"] and f"{of['silent']} of {of['flows']} flows never connected"


def _lost(of):
    if of["damaged"] > of["dropped"]:
        return f"links lost {_number(of['damaged'])} % of packets"
    return f"{_number(of['dropped'])} % of packets found a full buffer"


def _timeouts(of):
    enough = CENT if of["sized"] else 10        # the slowest flow ends the run
    return of["timed_out"] * enough >= max(of["flows"], 1) and \
        f"{of['timed_out']} of {of['flows']} flows waited for a retransmission timeout," \
        f" {of['rtos']} in all, and {_lost(of)}"


def _suspended(of):
    return of["suspended"] >= 20 and \
        f"flows were suspended in {_number(of['suspended'])} % of the samples"


def _base_rtt(of):
    return of["overrated"] * 5 >= of["flows"] and \
        f"{of['overrated']} of {of['flows']} flows never saw the path without a queue: their" \
        f" base RTTs were up to {_number(of['base'])} times the path's"


def _small_share(of):
    return 0 < of["holds"] < 2 * of["flows"] and \
        f"a fair share was {_number(of['holds'] / of['flows'])} packets per base RTT"


def _no_queue(of):
    return of["excess"] > max(2 * of["links"], of["round"] / 4, 5) and \
        f"the median delay was {_number(of['excess'])} us above the base RTT, of which" \
        f" queues of links held {_number(of['links'])} us: hosts or longer paths took the rest"


def _imbalance(of):
    return of["imbalance"] > 1.5 and "the busiest link between switches carried" \
        f" {_number(of['imbalance'])} times the mean of its switch's"


def _spurious(of):
    return of["spurious"] > 3 and \
        f"{_number(of['spurious'])} % of packets were spurious retransmissions"


def _loss(of):
    return of["dropped"] + of["damaged"] > 0.5 and not _timeouts(of) and _lost(of)


def _queue(of):
    return of["queue"] > of["round"] and \
        f"the mean queue was {_number(of['queue'] / of['round'])} base RTTs"


def _short_window(of):
    return 0 < of["windows"] < 0.9 * of["holds"] and \
        f"the windows were {of['windows']} packets together at the end, and the path holds" \
        f" {of['holds']}"


def _uneven(of):
    return of["most_window"] > 2 * of["least_window"] and \
        f"windows were {of['least_window']} to {of['most_window']} packets at the end, round" \
        f" trips {of['least_rtt']} to {of['most_rtt']} us"


def _interrupts(of):
    return of["round"] > 1.5 * of["rtt"] and "interrupts made a round trip" \
        f" {_number(of['round'] / of['rtt'])} times that of the links"


def _marks(of):
    return of["marked"] > 20 and f"{_number(of['marked'])} % of packets were CE-marked"


def _straggler(of):
    return of["slowest"] > 2 * of["middle"] > 0 and \
        f"the slowest flow's slowdown was {_number(of['slowest'])}, the median" \
        f" {_number(of['middle'])}"


def _all_slow(of):
    return of["middle"] > 1.5 and f"the median flow's slowdown was {_number(of['middle'])}"


CAUSES = (_unconnected, _timeouts, _suspended, _base_rtt, _no_queue, _small_share, _imbalance,
          _spurious, _loss, _short_window, _queue, _uneven, _interrupts, _marks,
          _straggler, _all_slow)


def sentence(of):
    """The causes of a run, of its facts."""
    found = [text for text in (cause(of) for cause in CAUSES) if text][:NAMED]
    if not found:
        return "Nothing stands out" + (
            f": the windows were {of['windows']} packets together at the end, and the path"
            f" holds {of['holds']}." if of["windows"] else ".")
    text = "; ".join(found) + "."
    return text[0].upper() + text[1:]
