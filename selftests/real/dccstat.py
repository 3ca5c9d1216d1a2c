#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Is what dccstat says of a flow what the kernel traced? In the emulated machine.

    dccstat.py flow CC JSON TRACE       of dccstat --once --json, and of trace
    dccstat.py told CC JSON TRACE       of a flow that sends no more
    dccstat.py table CC TABLE TRACE     of dccstat record
    dccstat.py labels CC TABLE TRACE    of dccstat record --labels
    dccstat.py again CC TABLE REPLAYED  of dccstat record, put through the algorithm once more

JSON of "flow" was made while the trace events of dcc were on in an instance of its own,
of which TRACE is the text. Prints what was compared, or what differs and exits 1.
"""

import csv
import json
import re
import sys

WORD = re.compile(r"(\w+)=(\S+)")
SWIFT = ("hold", "increase", "decrease", "wait", "loss", "slow_start")
NSCC = ("hold", "fair", "proportional", "fast", "decrease", "wait", "noop", "ignored",
        "quick_adapt", "loss", "slow_start", "reno")
OSCAR = ("hold", "hyper", "speed_up", "slow_down", "long", "reno")
PRIOPLUS = ("idle", "increase", "decrease", "wait", "loss", "empty", "linear", "stop",
            "small", "suspended", "probe", "resume", "resume_one", "start", "start_now", "ask")
LEDBAT = ("hold", "increase", "decrease", "loss")
# Rules by number and what the bits above them say, as the pages of the algorithms have it.
RULES = {
    **dict.fromkeys(("swift", "lswift", "mswift"), (SWIFT, {})),
    **dict.fromkeys(("nscc", "mnscc"), (NSCC, {
        0x10: "fulfil", 0x20: "period", 0x40: "loss", 0x80: "loss_quick_adapt"})),
    "oscar": (OSCAR, {0x10: "rate", 0x20: "app", 0x40: "empty"}),
    **dict.fromkeys(("prioplus", "prioplus_ledbat"), (PRIOPLUS, {
        0x10: "rtt", 0x20: "step", 0x40: "flows", 0x80: "no_line"})),
    "ledbat": (LEDBAT, {}),
}
# Columns of a table of dccstat record, and the event's field.
COLUMNS = {"now_ns": "now", "delay_ns": "rtt", "base_rtt_ns": "base", "hosts_ns": "hosts", "srtt_ns": "srtt",
           "acked": "acked", "ce": "ce", "losses": "losses", "lost_run": "run",
           "inflight": "inflight", "cwnd_limited": "limited", "mss": "mss",
           "flight": "flight", "line_rate": "line",
           "app_limited": "app", "fills": "fills", "maybe_delayed": "delayed",
           "recovery": "recovery", "drains": "drains", "no_ecn": "no_ecn", "sprayed": "sprayed",
           "priority": "priority", "dscp": "dscp", "small": "small", "was_delay_ns": "delay",
           "was_target_ns": "target", "was_pacing": "pacing", "was_share": "share",
           "was_gradient": "gradient", "was_sport": "sport", "was_dport": "dport",
           "was_alg": "alg"}
UNDECIDED = ("begin", "idle", "rto")    # rows on which nothing is decided


def rule(algorithm, branch):
    """A branch in words."""
    names, marks = RULES[algorithm]
    mask = 0x0f if marks else 0xff
    return "+".join([names[branch & mask]] + [m for bit, m in marks.items() if branch & bit])


def traced(path, algorithm, event="dcc_ack"):
    """The flow's ACKs, or packets, each as a dictionary of words."""
    found = []
    with open(path, encoding="ascii", errors="replace") as file:
        for line in file:
            if f"{event}: alg={algorithm} " in line:
                found.append(dict(WORD.findall(line.partition(f"{event}: ")[2])))
    return found


def differ(what, said, want):
    """End with what is not the same."""
    if said != want:
        sys.exit(f"{what}: dccstat has {said!r}, the trace {want!r}")


def compare_flow(algorithm, path, acks):
    """One flow of JSON."""
    with open(path, encoding="ascii") as file:
        flows = [f for f in json.load(file)["flows"] if f["cc"] == algorithm]
    differ("flows", len(flows), 1)
    flow = flows[0]
    last = flow.get("last_ack") or sys.exit(f"no last_ack: {flow}")
    own = [a for a in acks if int(a["sport"]) == flow["local"]["port"]]
    ack, = [a for a in own if int(a["now"]) == last["now_ns"]] or sys.exit(
        f"no ACK at {last['now_ns']} among {len(own)}")
    for name, word in (("rtt_ns", "rtt"), ("delay_ns", "delay"), ("target_ns", "target"),
                       ("base_rtt_ns", "base"), ("srtt_ns", "srtt"), ("pacing_rate", "pacing"),
                       ("lost_packets", "losses"), ("marked_packets", "ce"),
                       ("labels", "labels"), ("labels_avoided", "avoided")):
        differ(name, last.get(name, 0), int(ack[word]))
    differ("rule", last["rule"], rule(algorithm, int(ack["branch"])))
    differ("window", last["window_bytes"], int(ack["cwnd"]) >> 8)
    print(f"rule {last['rule']} target {last.get('target_ns')} delay {last.get('delay_ns')}"
          f" base {last.get('base_rtt_ns')} labels {last.get('labels', 0)}"
          f" of {len(own)} ACKs")


def compare_told(algorithm, path, acks):
    """What a flow tells itself, which has nothing on its way: as after its last ACK."""
    with open(path, encoding="ascii") as file:
        flow, = [f for f in json.load(file)["flows"] if f["cc"] == algorithm] or sys.exit(
            "no such flow")
    last = [a for a in acks if int(a["sport"]) == flow["local"]["port"]][-1]
    differ("delay_ns", flow.get("delay_ns", 0), int(last["delay"]))
    differ("base_rtt_ns", flow.get("base_rtt_ns", 0), int(last["base"]))
    differ("pacing_rate", flow["pacing_rate"], int(last["pacing"]))
    print(f"delay {flow.get('delay_ns')} base {flow.get('base_rtt_ns')}")


def compare_table(algorithm, path, acks):
    """Every row of a table."""
    by_time = {a["now"]: a for a in acks}
    with open(path, encoding="ascii") as file:
        rows = [row for row in csv.DictReader(file) if row["event"] not in UNDECIDED]
    for row in rows:
        ack = by_time.get(row["now_ns"]) or sys.exit(f"no ACK at {row['now_ns']}")
        for column, word in COLUMNS.items():
            differ(column, row[column], ack[word])
        differ("rule", row["was_branch"], rule(algorithm, int(ack["branch"])))
        differ("window", int(float(row["was_cwnd_bytes"])), int(ack["cwnd"]) >> 8)
    first, last = int(rows[0]["now_ns"]), int(rows[-1]["now_ns"])
    between = [a for a in acks if first <= int(a["now"]) <= last]
    differ("ACKs", len(rows), len(between))
    print(f"{len(rows)} ACKs")


def compare_labels(path, packets):
    """Every row of a table of labels: those of the trace, in its order."""
    columns = ("src", "sport", "dst", "dport", "label", "what", "delay")
    with open(path, encoding="ascii") as file:
        rows = [(int(row["now_ns"]), *(row[column] for column in columns))
                for row in csv.DictReader(file)]
    found = [(int(p["now"]), *(p[column] for column in columns)) for p in packets]
    first = found.index(rows[0])
    differ("packets", rows, found[first:first + len(rows)])
    if not any(int(row[5]) for row in rows) or not any(int(row[7]) for row in rows):
        sys.exit("no label is known, or no delay")
    print(f"{len(rows)} packets")


def compare_again(path, again):
    """Every decision of a flow recorded from its first ACK: the algorithm makes it once more."""
    with open(path, encoding="ascii") as file:
        told = list(csv.DictReader(file))
    with open(again, encoding="ascii") as file:
        rows = list(csv.DictReader(file))
    differ("rows", len(rows), len(told))
    for row in rows:
        if row["event"] in UNDECIDED:
            continue
        for column in ("branch", "cwnd_bytes", "delay_ns", "target_ns"):
            if row[column] != row[f"was_{column}"]:
                sys.exit(f"row {row['row']}: {column} is {row[column]},"
                         f" was {row[f'was_{column}']}; told {told[int(row['row']) - 1]}")
    kinds = {kind: sum(row["event"] == kind for row in rows) for kind in ("ack", *UNDECIDED)}
    differ("beginnings", kinds["begin"], 1)
    print(f"{kinds['ack']} ACKs, {kinds['idle']} times idle, {kinds['rto']} timeouts")


def main():
    """The command line."""
    what, algorithm, path, trace = sys.argv[1:]
    if what == "again":
        compare_again(path, trace)
        return
    if what == "labels":
        compare_labels(path, traced(trace, algorithm, "dcc_path"))
        return
    compare = {"flow": compare_flow, "told": compare_told, "table": compare_table}[what]
    compare(algorithm, path, traced(trace, algorithm))


if __name__ == "__main__":
    main()
