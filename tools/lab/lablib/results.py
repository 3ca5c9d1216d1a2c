# SPDX-License-Identifier: GPL-2.0
"""What the guest recorded, as one document.

Nothing of the host's time or paths is in it: the same kernel, scenario and
seed give the same bytes. Times are ns, rates bit/s, sizes bytes.
"""

import json
from pathlib import Path

from . import bound, expect, pcap, series, topology, units
from .errors import EXIT_EXPECT, EXIT_OK, EXIT_RUN, RunError

FORMAT = 3
NS_PER_S = 10**9
BITS = 8
SYN_TIMEOUT_NS = 10**9          # the stack's first, RFC 6298
LATE_NS = 100_000               # at the end: more are figures by a wrong clock
# DCTCP is this when the peer refused ECN: its own choice, and the stack's name.
FALLBACKS = {"dctcp": "dctcp-reno"}


class Result(dict):
    """The document of one run, and where its files are."""

    folder = None

    @property
    def failed_expects(self):
        """The `expect` lines that did not hold."""
        return [item for item in self["expects"] if not item["ok"]]

    @property
    def exit_code(self):
        """What `lab run` exits with."""
        if self["problems"]:
            return EXIT_RUN
        return EXIT_EXPECT if self.failed_expects else EXIT_OK

    def text(self):
        """The document as JSON, always the same way."""
        return json.dumps(self, indent=1, sort_keys=False) + "\n"


# Reading result.tsv

TEXTS = ("id", "name", "cc", "ccinfo")

def _value(key, text):
    if key in TEXTS:        # also where it has digits only
        return text
    try:
        return int(text)
    except ValueError:
        return text


def read_records(path):
    """{kind: [record, ...]} of result.tsv; incomplete is an error."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except OSError:
        raise RunError("the guest wrote no results") from None
    if not lines or lines[-1] != "end":
        raise RunError("the guest's results stop in the middle: "
                       + (f"last line '{lines[-1]}'" if lines else "empty")
                       + ", wanted 'end'")
    records = {}
    for line in lines[:-1]:
        kind, *words = line.split("\t")
        record = dict(text.partition("=")[::2] for text in words)
        records.setdefault(kind, []).append(
            {key: _value(key, value) for key, value in record.items()})
    return records


# Flows

def _ratio(a, b):
    return a / b if a is not None and b else None


def _goodput(received, start, end):
    return received * BITS * NS_PER_S / (end - start) if end > start else 0.0


def _connect_time(record):
    """From connect() to the answer; a warm flow's lies before its start."""
    if record["start"] < 0 or record["established"] < 0:
        return None
    return max(record["established"] - record["start"], 0)


def _syn_lost(record, warm, run_end):
    """Did it wait for the stack's timeout of a SYN, or of a SYN-ACK?"""
    if record["start"] < 0:
        return 0
    until = record["established"] if record["established"] >= 0 else run_end
    return int(until - (record["start"] - warm) >= SYN_TIMEOUT_NS)


def flow_entry(record, item, run_end):
    """The document's part about one flow."""
    flow = item.flow
    done = record["end"] >= 0
    end = record["end"] if done else run_end
    fct = end - record["start"] if done else None
    floor = None if flow.forever else item.fct()
    return {
        "src": flow.source, "dst": flow.target, "family": flow.family,
        "size": None if flow.forever else flow.size,
        "cc": record["cc"], "start": record["start"],
        "established": record["established"],
        "end": record["end"] if done else None,
        "fct": fct, "bound": floor, "slowdown": _ratio(fct, floor),
        "goodput": _goodput(record["bytes_received"], record["start"], end),
        "bytes": record["bytes_received"], "bytes_acked": record["bytes_acked"],
        "packets": record["data_segs_out"], "retrans": record["retrans"],
        "spurious": record["dsack_dups"], "reorder": record["reord_seen"],
        "ooo": record["rcv_ooo"], "rto": record["rto"],
        "connect": _connect_time(record), "syn_lost": _syn_lost(record, flow.keys["warm"], run_end),
        "rehash": record["rehash"], "ce": record["delivered_ce"],
        "acks": record["acks"], "arrived": record["arrived"],
        "packets_per_ack": _ratio(record["arrived"], record["acks"]),
        "delivered": record["delivered"], "cwnd": record["cwnd"],
        "rtt": record["rtt_us"] * 1000, "min_rtt": record["min_rtt_us"] * 1000,
        "subflows": record.get("subflows", 0),
        "mss": record["mss"], "ca_state": record["ca_state"],
        "error": record["error"], "ccinfo": record["ccinfo"],
        "base_rtt": item.base_rtt / 1000, "line": item.line,
        "capacity": item.capacity,
    }


def add_calls(flows, folder):
    """How long the responses took, to flows that were asked for any."""
    for name, track in series.load(folder, series.CALLS).items():
        took = [row["ns"] for row in track.rows]
        flows[name]["calls"] = len(took)
        flows[name].update({f"call.{how}": expect.aggregate(how, took)
                            for how in expect.AGGREGATES})


def expected_cc(scenario, flow, end):
    """The algorithm that should be active at the end; '-' if not asked for."""
    name = flow.cc
    for timed in scenario.timed:
        if timed.words[:2] == ["setcc", flow.name] and timed.when <= end:
            name = timed.words[2]
    return name


def check_flows(scenario, flows, run_end):
    """What makes the run invalid: another algorithm, a broken connection."""
    problems = []
    for flow in scenario.flows:
        entry = flows[flow.name]
        end = run_end if entry["end"] is None else entry["end"]
        wanted = expected_cc(scenario, flow, end)
        if entry["error"]:
            problems.append(f"flow {flow.name}: the connection failed, errno"
                            f" {entry['error']}")
        elif (wanted != "-" and entry["start"] >= 0
              and entry["cc"] not in (wanted, FALLBACKS.get(wanted))):
            problems.append(f"flow {flow.name}: '{wanted}' was asked for,"
                            f" '{entry['cc']}' was active at the end")
    return problems


# Links

def rate_changes(scenario, link, direction):
    """[(time, bit/s)] of the timed changes of one direction of a link."""
    return [(timed.when, timed.words[3]["rate"]) for timed in scenario.timed
            if timed.words[:3] == ["dir", link.name, direction]
            and "rate" in timed.words[3]]


def _room(scenario, link, direction, start, end):
    """What one direction of a link can carry in a window, in bits times NS_PER_S."""
    rate, room = link.params[direction]["rate"], 0
    for when, other in rate_changes(scenario, link, direction):
        if when < end:
            room += rate * max(when - start, 0)
            start, rate = max(when, start), other
    return room + rate * (end - start)


def _full_packet_wait(scenario, record):
    """How long a packet that found the longest queue waited, in ns.

    From bytes at the rate of the start; None where a timed change alters it.
    """
    link = scenario.network.links[record["id"]]
    params = link.params[record["dir"]]
    if rate_changes(scenario, link, record["dir"]) or not params["rate"]:
        return None
    before = max(record["max_queue"] - scenario.network.units["pkt"], 0)
    return before * BITS * NS_PER_S // params["rate"]


def merged_entry(record):
    """Of a direction into a host that merges: its interrupts, and what came of them."""
    if "interrupts" not in record:
        return {}
    return {"interrupts": record["interrupts"],
            "gro_packets": record["gro_packets"], "gro_skbs": record["gro_skbs"],
            "packets_per_skb": _ratio(record["gro_packets"], record["gro_skbs"])}


def link_entry(scenario, record, run_end):
    """The document's part about one direction of a link."""
    return {
        "packets": record["tx_packets"], "bytes": record["tx_bytes"],
        "drops": record["drops"], "drop_bytes": record["drop_bytes"],
        "lost": record["lost"], "down": record["down"], "marks": record["marks"],
        "utilisation": _ratio(record["busy_ns"], run_end) or 0.0,
        "queue.mean": _ratio(record["queue_byte_ns"], run_end) or 0.0,
        "queue.max": record["max_queue"],
        "queue_delay.mean": _ratio(record["wait_ns_sum"],
                                   record["tx_packets"]) or 0.0,
        "queued": _ratio(record["queued_ns"], run_end) or 0.0,
        "queue_delay.max": _full_packet_wait(scenario, record),
        **merged_entry(record),
    }


def links_of(scenario, records, run_end):
    """Every direction's part; a link that somebody deleted has none."""
    links = {f"{record['id']}:{record['dir']}": link_entry(scenario, record, run_end)
             for record in records.get("link", ())}
    for link in scenario.network.links.values():
        if not all(f"{link.name}:{direction}" in links for direction in topology.DIRECTIONS):
            ends = " and ".join(f"{interface} of {node}" for node, interface
                                in zip(link.ends, link.interfaces))
            raise RunError(f"the link '{link.name}' ({ends}) is no longer there: a command"
                           " of the scenario deleted it; allowed: at TIME link"
                           f" {link.name} down")
    return links


# The run as a whole

def receiving_links(scenario):
    """The directions of links that lead into hosts which receive flows."""
    receivers = {flow.target for flow in scenario.flows}
    return [f"{link.name}:{direction}" for link in scenario.network.links.values()
            for direction in ("ab", "ba") if link.receiver(direction) in receivers]


def _spread(name, values):
    return {f"{name}.{how}": expect.aggregate(how, values)
            for how in expect.AGGREGATES}


def show_sizes(group):
    """'10KB to 100KB' of a group of by_size()."""
    upto = "any" if group["upto"] is None else units.show_size(group["upto"])
    return f"{units.show_size(group['above'])} to {upto}"


def by_size(edges, sized):
    """The slowdown of the flows with a size, group by group of their sizes."""
    groups = []
    for above, upto in zip([0, *edges], [*edges, None]):
        inside = [entry for entry in sized if above < entry["size"]
                  and (upto is None or entry["size"] <= upto)]
        done = [entry["slowdown"] for entry in inside if entry["fct"] is not None]
        if inside:
            groups.append({"above": above, "upto": upto, "flows": len(inside),
                           "unfinished": len(inside) - len(done),
                           **{how: expect.aggregate(how, done)
                              for how in expect.AGGREGATES}})
    return groups


def summarise(scenario, flows, links, items, cct_bound, run_end):
    """Figures of the run as a whole."""
    line = bound.run_line(list(items.values()))
    payload = min((item.capacity / item.line for item in items.values()),
                  default=0)
    sized = [entry for entry in flows.values() if entry["size"] is not None]
    unfinished = sum(1 for flow in scenario.flows
                     if not flow.endless and flows[flow.name]["end"] is None)
    cct = None
    if sized and None not in [entry["end"] for entry in sized]:
        cct = (max(entry["end"] for entry in sized)
               - min(entry["start"] for entry in sized))
    into = [links[name] for name in receiving_links(scenario)]
    done = [entry for entry in sized if entry["end"] is not None]
    return {
        "flows": len(flows), "unfinished": unfinished,
        "cct": cct, "cct_bound": cct_bound,
        "cct_inflation": _ratio(cct, cct_bound),
        **_spread("fct", [entry["fct"] for entry in done]),
        **_spread("slowdown", [entry["slowdown"] for entry in done]),
        "slowdown_by_size": by_size(scenario.size_groups, sized),
        "jain": expect.jain([entry["goodput"] for entry in flows.values()]),
        "goodput": sum(entry["goodput"] for entry in flows.values()),
        "carried": _goodput(sum(entry["bytes"] for entry in into), 0, run_end),
        "utilisation": expect.aggregate(
            "mean", [entry["utilisation"] for entry in into]) or 0.0,
        **{key: sum(entry[key] for entry in flows.values())
           for key in ("packets", "retrans", "spurious", "rto", "acks", "syn_lost")},
        "packets_per_ack": _ratio(sum(entry["arrived"] for entry in flows.values()),
                                  sum(entry["acks"] for entry in flows.values())),
        **{key: sum(entry[key] for entry in links.values())
           for key in ("drops", "lost", "down", "marks")},
        "line": line, "capacity": line * payload,
        "virtual_time": run_end,
    }


# Judging the expects

class Judge:
    """Answers what an `expect` asks about a run."""

    def __init__(self, scenario, document, folder):
        self.scenario = scenario
        self.document = document
        self.end = document["virtual_ns"]
        self.tracks = {name: series.load(folder, name) if scenario.sample else {}
                       for name in series.SERIES}

    def judge(self, item):
        """The document's entry about one `expect`."""
        rows = self._rows(item)
        bad = [row for row in rows
               if not expect.holds(item, row[1], row[2])]
        kind = expect.METRICS[item.subject][item.metric]
        if item.kind == "%" and kind == "count":
            kind = "%"
        who, measured, wanted = (bad or rows)[0] if rows else ("", None, None)
        return {"line": item.line, "text": item.text, "ok": bool(rows) and not bad,
                "who": who, "measured": measured, "wanted": wanted,
                "shown": expect.show(kind, measured),
                "shown_wanted": expect.show(kind, wanted), "failed": len(bad),
                "of": len(rows)}

    def _rows(self, item):
        """(name, measured, wanted) of every flow or link that matches."""
        names = self._names(item)
        rows = [(name, self._measure(item, name), self._wanted(item, name))
                for name in names]
        if not item.aggregate:
            return rows
        values = [row[1] for row in rows]
        if not rows:
            return []
        if None in values:
            return [(item.aggregate, None, rows[0][2])]
        wanted = expect.aggregate(item.aggregate, [row[2] for row in rows]) \
            if item.reference else item.value
        return [(item.aggregate, expect.aggregate(item.aggregate, values), wanted)]

    def _names(self, item):
        if item.subject == "run":
            return [""]
        if item.subject == "flow":
            return [name for name in expect.matching(self.document["flows"],
                                                     item.pattern)
                    if item.fits(self.document["flows"][name]["size"])]
        return [f"{link.name}:{direction}" for link, direction
                in self.scenario.network.select(item.pattern)]

    def _wanted(self, item, name):
        if not item.reference:
            return item.value
        if item.reference.startswith("flow "):
            other = self._measure(item, item.reference[5:])
            return None if other is None else item.value * other
        if item.subject == "run":
            entry = self.document["summary"]
            entry = {"bound": entry["cct_bound"], **entry}
        else:
            entry = self.document["flows"][name]
        return item.value * (entry[item.reference] or 0)

    def _measure(self, item, name):
        if item.windowed:
            return self._in_window(item, name)
        entry = (self.document["summary"] if item.subject == "run" else
                 self.document[item.subject + "s"][name])
        value, packets = entry.get(item.metric), entry.get("packets")
        if item.metric == "queue_delay.mean" and not packets:
            return None         # nobody waited, and nobody would have noticed
        counted = expect.METRICS[item.subject][item.metric] == "count"
        if item.kind == "%" and counted and not item.reference:
            return _ratio(value, packets) if value else value
        return value

    # Windows

    def _in_window(self, item, name):
        start = self._sampled(item.start or 0)
        end = self._sampled(self.end if item.end is None else item.end)
        if end <= start:
            return None
        if item.subject == "run":
            return self._run_window(item.metric, start, end)
        track = self.tracks[item.subject + "s"].get(name)
        if track is None:
            return None
        window = self._flow_window if item.subject == "flow" else \
            self._link_window
        return window(track, item.metric, start, end)

    def _sampled(self, when):
        """The last time up to then at which everything was sampled: windows are between two."""
        if when >= self.end:
            return self.end
        return when - when % self.scenario.sample

    def _flow_window(self, track, metric, start, end):
        received = track.grown(start, end, "bytes_received")
        if metric == "goodput":
            return _goodput(received, start, end)
        if metric == "bytes":
            return received
        if metric == "retrans":
            return track.grown(start, end, "retrans")
        column, scale = {"cwnd": ("cwnd", 1), "rtt": ("rtt_us", 1000)}[metric]
        mean = expect.aggregate("mean", track.within(start, end, column))
        return None if mean is None else mean * scale

    def _link_window(self, track, metric, start, end):
        columns = {"bytes": "tx_bytes", "packets": "tx_packets",
                   "drops": "drops", "marks": "marks"}
        if metric in columns:
            return track.grown(start, end, columns[metric])
        if metric == "queue.max":
            return expect.aggregate("max", track.within(start, end, "queue"))
        if metric == "queue.mean":
            return track.grown(start, end, "queue_byte_ns") / (end - start)
        if metric == "queue_delay.mean":
            return _ratio(track.grown(start, end, "wait_ns_sum"),
                          track.grown(start, end, "tx_packets"))
        if metric == "queued":
            return track.grown(start, end, "queued_ns") / (end - start)
        return self._utilisation(track, start, end)

    def _utilisation(self, track, start, end):
        row = track.rows[0]
        link = self.scenario.network.links[row["id"]]
        sent = track.grown(start, end, "tx_bytes") * BITS * NS_PER_S
        return _ratio(sent, _room(self.scenario, link, row["dir"], start, end))

    def _carried(self, start, end):
        into = [self.tracks["links"].get(name)
                for name in receiving_links(self.scenario)]
        if None in into:
            return None
        return _goodput(sum(track.grown(start, end, "tx_bytes") for track in into), start, end)

    def _run_window(self, metric, start, end):
        if metric == "carried":
            return self._carried(start, end)
        kind = "link" if metric in ("drops", "marks") else "flow"
        how = self._link_window if kind == "link" else self._flow_window
        one = "goodput" if metric == "jain" else metric
        values = [how(track, one, start, end) for track in self.tracks[kind + "s"].values()]
        if metric == "jain":
            # of a flow that never connected there is no sample
            return expect.jain(values + [0] * (len(self.document["flows"]) - len(values)))
        return sum(values)


def build(scenario, folder, plan_hash, kernel):
    """The Result of a finished run, from the files the guest left."""
    records = read_records(Path(folder) / "result.tsv")
    series.to_csv(folder)
    pcap.sort(folder)
    run = records["run"][0]
    items, cct_bound = bound.bounds(scenario)
    flows = {str(record["id"]): flow_entry(record, items[str(record["id"])],
                                           run["end_ns"])
             for record in records.get("flow", ())}
    add_calls(flows, folder)
    links = links_of(scenario, records, run["end_ns"])
    problems = [f"the guest's kernel complained: {record.get('text', '')}"
                for record in records.get("oops", ())]
    if run.get("trace_lost"):
        problems.append(f"{run['trace_lost']} trace records found no room;"
                        " trace fewer links, or without pcap")
    if run.get("late_ns", 0) > LATE_NS:
        problems.append(f"the guest came to its end {run['late_ns']} ns late: its programs took"
                        " more virtual time than there was; fewer writes a second, or flows")
    if run.get("record_lost"):
        problems.append(f"{run['record_lost']} recorded ACKs or labels found no room;"
                        " record fewer flows")
    document = Result(
        format=FORMAT, title=scenario.title, scenario=scenario.name,
        scenario_hash=scenario.text_hash, plan_hash=plan_hash, kernel=kernel,
        seed=scenario.seed, variables=scenario.variables, why=run["why"],
        virtual_ns=run["end_ns"], trace_hash=str(run["trace_hash"]),
        problems=problems + check_flows(scenario, flows, run["end_ns"]),
        summary=summarise(scenario, flows, links, items, cct_bound,
                          run["end_ns"]),
        flows=flows, links=links,
        counters={record["name"]: record["value"]
                  for record in records.get("counter", ())},
        nodes={str(record.pop("name")): record
               for record in records.get("node", ())},
        groups=scenario.groups, expects=[])
    judge = Judge(scenario, document, folder)
    document["expects"] = [judge.judge(item) for item in scenario.expects]
    document.folder = Path(folder)
    return document
