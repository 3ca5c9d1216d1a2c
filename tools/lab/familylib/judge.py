# SPDX-License-Identifier: GPL-2.0
"""What a family says of a run: functions of (result, flows, links) -> {column: number}."""

from lablib import expect

from .draw import NS

BUSY = 0.95
ROUNDS = 60                     # after a departure that are looked at
CENT = 100
MOST = 90                       # per cent


def _percent(part, whole):
    return CENT * part / whole if whole else 0.0


def _queue_us(link, start, end):
    """Mean time that a packet waited, us."""
    return link.grown(start, end, "wait_ns_sum") / max(link.grown(start, end, "tx_packets"),
                                                       1) / NS


def _worst_us(link, rate, start, end):
    """The longest queue that was sampled, us."""
    return max(link.within(start, end, "queue"), default=0) * 8 / rate / NS


def _received(result, flows, start, end):
    """{name: bytes} of all flows; one whose handshake was lost has no track, and nothing."""
    return {name: flows[name].grown(start, end, "bytes_received") if name in flows else 0
            for name in result["flows"]}


def _room(rate, start, end):
    """Bytes that a link of so many Gbit/s carries in a window."""
    return rate * (end - start) / 8


def shares(link, drawn, start, end, far=None):
    """How a link's flows share it from one time to another, us."""
    rate, start, end = drawn.rate, start * NS, end * NS

    def measure(result, flows, links):
        got = _received(result, flows, start, end)
        mean = sum(got.values()) / len(got)
        row = {"jain": expect.jain(got.values()), "least": _percent(min(got.values()), mean),
               "queue": _queue_us(links[link], start, end),
               "worst": _worst_us(links[link], rate, start, end),
               "used": _percent(links[link].grown(start, end, "tx_bytes"),
                                _room(rate, start, end))}
        if far:
            row["far"] = _percent(got[far], mean)
        return row
    return measure


def refill(link, drawn, leave):
    """How long a link was not busy after most of its flows had gone, base RTTs."""
    rate, leave, rtt = drawn.rate, leave * NS, drawn.round * NS

    def measure(_result, _flows, links):
        track, end = links[link], leave + ROUNDS * rtt
        room = _room(rate, 0, rtt)
        busy = [track.grown(at, at + rtt, "tx_bytes") >= BUSY * room
                for at in range(leave, end - rtt, rtt // 2)]
        # a queue that was left keeps the link busy at first
        idle = busy.index(False) if False in busy else None
        back = 0 if idle is None else next(
            (n for n, now in enumerate(busy) if now and n > idle), 2 * ROUNDS)
        return {"back": back / 2,
                "idle": CENT - _percent(track.grown(leave, end, "tx_bytes"),
                                             room * ROUNDS),
                "worst": _worst_us(track, rate, leave, end)}
    return measure


def levels(high, after, link, drawn, begin, end):
    """What the flows called `high` have while they send, and those called `after` then."""
    rtt, begin, end = drawn.round * NS, begin * NS, end * NS
    last = end + begin

    def part(got, name):
        mine = sum(value for flow, value in got.items() if flow.startswith(name))
        return _percent(mine, sum(got.values()))

    def rounds(result, flows, start, stop, name):
        """Until one level has nearly all that arrives in a round trip."""
        count = (stop - start) // rtt - 1
        return next((n for n in range(count)
                     if part(_received(result, flows, start + n * rtt, start + (n + 1) * rtt),
                             name) >= MOST), count + 1)

    def measure(result, flows, links):
        return {"share": part(_received(result, flows, begin, end), high),
                "takeover": rounds(result, flows, begin, end, high),
                "next": part(_received(result, flows, end, last), after),
                "back": rounds(result, flows, end, last, after),
                "idle": CENT - _percent(links[link].grown(begin, last, "tx_bytes"),
                                        _room(drawn.rate, begin, last))}
    return measure


def completion(result, _flows, _links):
    """Of flows with a size, beside any without."""
    total = result["summary"]
    sized = sum(entry["size"] is not None for entry in result["flows"].values())
    return {"time": total["cct_inflation"], "p99": total["slowdown.p99"],
            "rtos": total["rto"] / sized, "unfinished": total["unfinished"],
            "again": _percent(total["retrans"], total["packets"])}


def lossy(link, drawn, start, end):
    """How busy a lossy link is."""
    rate, start, end = drawn.rate, start * NS, end * NS

    def measure(result, _flows, links):
        return {"kept": _percent(links[link].grown(start, end, "tx_bytes"),
                                 _room(rate, start, end)),
                "rtos": result["summary"]["rto"] / len(result["flows"])}
    return measure


def calls(name, link, size, drawn):
    """Responses against what they take of an idle network, and what the others carry."""
    ideal = drawn.round * NS + size * 8 / drawn.rate

    def measure(result, _flows, links):
        flow, end = result["flows"][name], result["summary"]["virtual_time"]
        p50, p99 = flow.get("call.p50"), flow.get("call.p99")
        return {"p50": p50 and p50 / ideal, "p99": p99 and p99 / ideal, "rtos": flow["rto"],
                "bulk": _percent(links[link].grown(end // 3, end, "tx_bytes"),
                                 _room(drawn.rate, end // 3, end))}
    return measure


def beside(own, link, start, end):
    """The share of an algorithm's flows of what an even one would be."""
    start, end = start * NS, end * NS

    def measure(result, flows, links):
        got = _received(result, flows, start, end)
        mine = sum(value for name, value in got.items() if name.startswith(own))
        return {"share": _percent(2 * mine, sum(got.values())),
                "queue": _queue_us(links[link], start, end)}
    return measure


def by_size(result, _flows, _links):
    """Slowdowns of small flows and of large ones, of which a draw may have none."""
    groups = {group["upto"]: group for group in result["summary"]["slowdown_by_size"]}
    small = groups[min(size for size in groups if size)]
    total = result["summary"]
    large = {"large": groups[None]["mean"]} if None in groups else {}
    return {"small": small["p99"], "mean": total["slowdown.mean"], **large,
            "rtos": total["rto"] / total["flows"], "unfinished": total["unfinished"]}
