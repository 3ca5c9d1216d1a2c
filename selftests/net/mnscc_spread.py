#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The path selectors at work: an even spread, a slow path, a dead path.

The network of the last two is n = 4 paths of a quarter of the line rate each,
behind access links of the line rate (10 Gbps, 120 us): the paths together are
just enough, so each one counts.

A path's share is of the packets sent into it, lost ones included. On n equal
paths it is 1 / n. With one at a quarter of its speed its capacity allows it
c = 0.25 / (n - 0.75) of what all paths carry; 1 / n - c is the excess that a
flow which does not notice leaves on it.

Selectors steer by what each packet's ACK says: with an ideal receiver, as the
reference has it, and with Linux's own, whose ACKs are for two packets.
"""

import statistics

from tap import SEEDS, Tap, by_case, run_all, scenario, spread

RTT = 120_000                           # ns
PACKET = 4096
SPREAD_TIME = {4: "40ms", 8: "60ms", 16: "100ms"}
SPREAD = [(cc, n) for cc in ("nscc", "mswift") for n in SPREAD_TIME]
N = 4
FAIR, ALLOWED = 1 / N, 0.25 / (N - 0.75)
# mixed may have anything from none to all of a slow path's excess in ten RTTs of a seed.
SLOW_SEEDS = range(1, 11)
STEERS = ("bitmap", "reps", "mixed")
SELECTORS = (*STEERS, "oblivious")
EVENT, BACK, END = 10_000_000, 30_000_000, 45_000_000
MOVED_BY, RECOVERED_BY, FULL_BY = 10 * RTT, 20 * RTT, 3_000_000


def paths(links):
    return [track for name, track in sorted(links.items())
            if name.startswith("path") and name.endswith(":ab")]


def offered(track, start, end):
    """Packets sent into a path in a window: through it, lost, or waiting."""
    waiting = track.at(end, "queue") - track.at(start, "queue")
    return (track.grown(start, end, "tx_packets")
            + track.grown(start, end, "drops") + waiting / PACKET)


def sent_into(links, start, end):
    """Packets sent into path1, and into all paths."""
    sent = [offered(track, start, end) for track in paths(links)]
    return sent[0], sum(sent)


def share_of_first(links, start, end):
    """path1's share of the packets sent into all paths; None if none were."""
    first, every = sent_into(links, start, end)
    return first / every if every else None


def goodput(flows, start, end):
    """In bit/s, what the application got."""
    return flows["f1"].grown(start, end, "bytes_received") * 8e9 / (end - start)


def measure(result, flows, links):
    """A run of spread.lab has no series: only its links' totals count."""
    if not flows:
        return {}
    after = EVENT + MOVED_BY
    return {
        "before": share_of_first(links, EVENT - 4_000_000, EVENT),
        "shares": [share_of_first(links, EVENT + i * MOVED_BY,
                                  EVENT + (i + 1) * MOVED_BY) for i in range(4)],
        "after": sent_into(links, after, after + MOVED_BY),
        "left": goodput(flows, EVENT + RECOVERED_BY, BACK),
        "full": goodput(flows, BACK + FULL_BY, END),
        "wire": links["s2-b:ab"].grown(
            EVENT + RECOVERED_BY, EVENT + RECOVERED_BY + MOVED_BY,
            "tx_bytes") * 8e9 / MOVED_BY,
    }


def deviation(result):
    """How far the path farthest from the mean is from it, as a share of it."""
    counts = [link["packets"] for name, link in result["links"].items()
              if name.startswith("path") and name.endswith(":ab")]
    mean = sum(counts) / len(counts)
    return max(abs(count / mean - 1) for count in counts)


def check_spread(tap, runs):
    for (cc, n), rows in runs.items():
        worst = [deviation(r) for r in rows]
        tap.ok(max(worst) <= 0.1,
               f"{cc}, 64 labels over {n} paths: each path's packets within 10 %",
               f"farthest path {spread(worst)[1]}, worst {max(worst):.2%}")


def check_slow(tap, runs, receiver):
    excess = FAIR - ALLOWED
    tap.say(f"slow path, {receiver} receiver: fair share {FAIR:.1%}, its capacity allows {ALLOWED:.1%}")
    for selector, rows in runs.items():
        # of all packets of all seeds: a seed that hardly sends says little
        first, every = map(sum, zip(*(r.measured["after"] for r in rows)))
        share = first / every
        text = " ".join(f"{a / b:.3f}" if b else "-" for a, b in
                        (r.measured["after"] for r in rows))
        moved = (FAIR - share) / excess
        by_time = " ".join(
            f"{statistics.fmean(found):.1%}" for found in (
                [r.measured["shares"][i] for r in rows
                 if r.measured["shares"][i] is not None] for i in range(4)))
        tap.say(f"{selector}: share before {spread(r.measured['before'] for r in rows)[1]},"
                f" then in steps of 10 RTTs {by_time}")
        if selector == "mixed" and receiver == "ordinary":
            tap.say(f"mixed: {moved:.0%} moved, shares {text}")
        elif selector in STEERS:
            tap.ok(moved >= 0.5, f"{selector}: half of the slow path's excess is"
                   " gone after 10 RTTs", f"{moved:.0%} moved, shares {text}")
        else:
            tap.ok(moved <= 0.25, f"{selector}, the control: moves none of it",
                   f"{moved:.0%} moved, shares {text}")


def check_dead(tap, runs, receiver):
    tap.say(f"dead path, {receiver} receiver")
    capacity = runs["reps"][0]["flows"]["f1"]["capacity"]
    for selector, rows in runs.items():
        left, left_text = spread(r.measured["left"] / capacity * N / (N - 1)
                                 for r in rows)
        full, full_text = spread(r.measured["full"] / capacity for r in rows)
        wire, wire_text = spread(r.measured["wire"] / capacity * N / (N - 1)
                                 for r in rows)
        tap.say(f"{selector}: of the paths left, from 20 RTTs after the death on"
                f" {left_text} (wire, 20 to 30 RTTs: {wire_text}), of all paths,"
                f" from 3 ms after the return on {full_text}, retransmissions"
                f" {spread(r['flows']['f1']['retrans'] for r in rows)[1]}")
        if selector == "reps":
            tap.ok(left >= 0.85, "reps: at least 85 % of the remaining capacity"
                   " 20 RTTs after a path died", left_text)
            tap.ok(full >= 0.9, "reps: at least 90 % of the full capacity 3 ms"
                   " after it is back", full_text)
        if selector == "oblivious":
            tap.ok(left < 0.9, "oblivious, the control: below 90 % of the"
                   " remaining capacity", left_text)


def finished(tap, jobs):
    """The results of runs, or the end."""
    results = run_all(jobs, tap, measure)
    if None in results:
        tap.finish()
    return results


def main():
    tap = Tap()
    jobs = [(scenario("spread"), {"cc": cc, "n": str(n), "time": SPREAD_TIME[n]}, seed)
            for cc, n in SPREAD for seed in SEEDS]
    check_spread(tap, by_case(SPREAD, SEEDS, finished(tap, jobs)))
    for receiver in ("ideal", "ordinary"):
        for name, check, seeds in (("slowpath", check_slow, SLOW_SEEDS),
                                   ("deadpath", check_dead, SEEDS)):
            jobs = [(scenario(name), {"spray": selector, "receiver": receiver}, seed)
                    for selector in SELECTORS for seed in seeds]
            check(tap, by_case(SELECTORS, seeds, finished(tap, jobs)), receiver)
    tap.finish()


if __name__ == "__main__":
    main()
