#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""A scenario of the lab (lab-scenario(5)) from a topology of mininet.

    mn2lab.py FILE NAME[,ARGUMENT...] [--rate RATE] [--size SIZE] [--cc NAME] >x.lab

FILE is what mn --custom takes: it has `topos`, a dictionary, and NAME and its arguments
are as in mn --topo NAME,k=4. mininet's Python modules must be there, nothing else of it.
Links need their bw, or --rate. The scenario has the network, its links as they were
asked for, and one transfer (--size, 1MB) from each host to another.

One switch, a chain, parallel links, leaf-spine and fat-tree become the lab's networks of
that shape; names there are the lab's own (the scenario's comments say which is which).
Any other is drawn as a graph, with its own names. What cannot be expressed is an error.
"""

import argparse
import inspect
import re
import sys
import traceback
from collections import Counter
from decimal import Decimal
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lab"))

import ending  # noqa: E402  first: Ctrl-C is quiet while the rest loads
import mn_missing  # noqa: E402
from lablib import algorithms, flows, topology, units  # noqa: E402
from lablib.errors import BadValue, LabError, unknown  # noqa: E402
import dcc_targets  # noqa: E402
from mn_shapes import Graph, recognise  # noqa: E402

FRAME_BYTES = 14                # Ethernet's header, which tc counts, too
QUEUE_PACKETS = 1000            # of a link that says nothing
DEFAULT_TARGET_US = 25          # of our algorithms
# mininet's: red min 30000 max 35000 probability 1 ecn
RED_OF_MININET = "30000B,35000B,100%"
TC_TIMES = {"": 10**3, "us": 10**3, "usec": 10**3, "usecs": 10**3, "ms": 10**6,
            "msec": 10**6, "msecs": 10**6, "s": 10**9, "sec": 10**9, "secs": 10**9}
# Of no concern to the lab: names, addresses, offloads, the way tc is asked for a rate.
NOT_OF_THE_NETWORK = ("node1", "node2", "port1", "port2", "intfName1", "intfName2", "addr1",
                      "addr2", "cls", "cls1", "cls2", "intf", "fast", "gro", "txo", "rxo",
                      "disable_gro", "use_hfsc", "up", "mac", "ip", "ifconfig")
LINK_OPTIONS = ("bw", "delay", "jitter", "loss", "max_queue_size", "enable_ecn")
LIMITED_CPU = ("cpu", "cores", "sched", "period_us")
SOME_RATE = flows.FLOW_KEYS["rate"].read
TOPO = ("hosts", "switches", "links", "nodeInfo")   # what is asked of a Topo
KEYS = ("rate", "delay", "buffer", "loss", "noise", "red")
DEFAULTS = {"loss": "0", "noise": "0", "red": None}


def refuse(name, value, allowed):
    """The message for what a scenario cannot say."""
    return LabError(f"{name}={value!r} cannot be expressed; allowed: {allowed}")


# One link's options

def read_time(name, value):
    """What tc takes for a time, in ns; a bare number is us."""
    match = re.fullmatch(r"([0-9]*\.?[0-9]+)([a-z]*)", str(value))
    if not match or match[2] not in TC_TIMES:
        raise refuse(name, value, "a time as tc has it, like 5ms or 20us")
    return round(float(match[1]) * TC_TIMES[match[2]])


def show_ns(ns):
    """'1ms': exact, unlike units.show_time."""
    unit = next(unit for unit, factor in reversed(units.TIME.items()) if ns % factor == 0)
    return f"{ns // units.TIME[unit]}{unit}" if ns else "0"


def read_rate(where, value, default):
    """Mbit/s."""
    if value is None and default:
        return default
    if value is None:
        raise LabError(f"{where}: no bw; allowed: bw in Mbit/s, or --rate for all such links")
    try:
        text = f"{Decimal(str(value)):f}Mbps"
        SOME_RATE(text)
    except (BadValue, ArithmeticError):
        raise refuse(f"{where}: bw", value, "a number above 0, Mbit/s, of whole bit/s") from None
    return text


def read_delay(where, options):
    """Delay and noise; netem is late by up to jitter, or early."""
    delay = read_time(f"{where}: delay", options.get("delay") or 0)
    jitter = read_time(f"{where}: jitter", options.get("jitter") or 0)
    if jitter > delay:
        raise refuse(f"{where}: jitter", options["jitter"], "up to the delay,"
                     f" {options.get('delay') or 0}")
    noise = f"uniform,{show_ns(2 * jitter)},overtake" if jitter else "0"
    return show_ns(delay - jitter), noise


def read_loss(where, value):
    """Percent."""
    if not isinstance(value, (int, float)) or not 0 <= value <= 100 \
            or Decimal(str(value)) % Decimal("0.0001"):
        raise refuse(f"{where}: loss", value, "0 to 100 (percent) in steps of 0.0001")
    return f"{Decimal(str(value)):f}%" if value else "0"


def read_queue(where, value):
    """Packets."""
    if not isinstance(value, int) or value < 1:
        raise refuse(f"{where}: max_queue_size", value, "a whole number of packets above 0")
    return f"{value}pkt"


def check_options(where, options):
    """What the lab has no word for."""
    for name, value in options.items():
        if name in LINK_OPTIONS or name in NOT_OF_THE_NETWORK or not value:
            continue
        if name in ("use_tbf", "latency_ms"):
            raise refuse(f"{where}: {name}", value, "max_queue_size=PACKETS instead")
        if name == "enable_red":
            raise refuse(f"{where}: {name}", value, "enable_ecn=True: the lab's RED marks")
        raise LabError(f"{where}: " + unknown("the option", name, LINK_OPTIONS))


def direction_of(where, options, rate):
    """What the lab's `link` line says of one direction: {key: text}."""
    check_options(where, options)
    delay, noise = read_delay(where, options)
    asked = options.get("max_queue_size")       # 0 would drop all, not mean the default
    return {"rate": read_rate(where, options.get("bw"), rate), "delay": delay,
            "buffer": read_queue(where, QUEUE_PACKETS if asked is None else asked),
            "loss": read_loss(where, options.get("loss") or 0), "noise": noise,
            "red": RED_OF_MININET if options.get("enable_ecn") else None}


# The scenario

def options_of(info, end):
    """Of the direction that end 1 or 2 sends; params1 and params2 come first."""
    common = {name: value for name, value in info.items()
              if name not in ("params1", "params2")}
    return {**(info.get(f"params{end}") or {}), **common}


def read_links(graph, links, rate):
    """(lab's link, direction) -> {key: text}."""
    said = {}
    for (one, two, info), (link, same) in zip(graph.links, links):
        for end in (1, 2):
            direction = "ab" if (end == 1) == same else "ba"
            said[link.name, direction] = direction_of(f"link {one}-{two}",
                                                      options_of(info, end), rate)
    return said


def show(values, usual):
    """'key=value ...' of what is not usual."""
    return " ".join(f"{key}={values[key]}" for key in KEYS if values[key] != usual.get(key))


def most_common(all_of):
    """What most directions have; RED, which nothing switches off, only if all have it."""
    usual = {key: Counter(values[key] for values in all_of).most_common(1)[0][0]
             for key in KEYS}
    if any(values["red"] != usual["red"] for values in all_of):
        usual["red"] = None
    return usual


def link_lines(network, said):
    """What all links of a class have, then those that differ."""
    lines, usual = [], {}
    for cls in topology.CLASSES:
        all_of = [values for (name, _), values in said.items()
                  if network.links[name].cls == cls]
        if all_of:
            usual[cls] = most_common(all_of)
            lines.append(f"link {cls} {show(usual[cls], DEFAULTS)}")
    for link in network.links.values():
        both = [show(said[link.name, direction], usual[link.cls])
                for direction in topology.DIRECTIONS]
        if both[0] == both[1]:
            lines += [f"link {link.name} {both[0]}"] if both[0] else []
            continue
        lines += [f"link {link.name}:{direction} {words}"
                  for direction, words in zip(topology.DIRECTIONS, both) if words]
    return lines


def host_lines(graph, names):
    """What DccHost's options say; the others are mininet's own affair."""
    lines = []
    for host in graph.hosts:
        info = graph.topo.nodeInfo(host)
        for option in LIMITED_CPU:
            if info.get(option):
                raise refuse(f"host {host}: {option}", info[option],
                             "none: the lab's hosts have no processor of their own")
        knobs = {**(info.get("knobs") or {}),
                 **({"spray": info["spray"]} if info.get("spray") else {})}
        if knobs and not info.get("cc"):
            raise LabError(f"host {host}: knobs {' '.join(knobs)} without cc; allowed: with"
                           " cc=ALGORITHM, whose knobs they are")
        lines += [f"host {names[host]} route congctl={info['cc']}"] if info.get("cc") else []
        lines += [f"host {names[host]} knob {info['cc']}.{name}={value}"
                  for name, value in knobs.items()]
        lines += [f"host {names[host]} sysctl {name}={value}"
                  for name, value in (info.get("sysctls") or {}).items()]
    return lines


def check_switches(graph):
    """The lab's hash addresses and label, and have no other sysctls."""
    for switch in graph.switches:
        info = graph.topo.nodeInfo(switch)
        for option in ("hash_policy", "sysctls"):
            if info.get(option):
                raise refuse(f"switch {switch}: {option}", info[option], "none: the lab's"
                             " switches hash addresses and label")


def target_lines(said, hosts, algs):
    """On slow links the algorithms' default of 25 us is less than a packet takes.

    hosts: {lab's name: packets that DccHost's queue= says}
    """
    rate = min(units.parse_rate(values["rate"]) for values in said.values())
    lasts_us = dcc_targets.PACKETS * dcc_targets.PACKET_BITS * 10**6 / rate
    if lasts_us <= DEFAULT_TARGET_US and not hosts:
        return []
    knobs = {host: dcc_targets.of(algs, rate, packets)
             for host, packets in {"*": dcc_targets.PACKETS, **hosts}.items()}
    return [" ".join([f"host {host} knob", *(f"{name}={value}" for name, value in told.items())])
            for host, told in knobs.items() if told]


def name_lines(names):
    """Whose names changed."""
    changed = [f"{new} is {old}" for old, new in names.items() if old != new]
    return [f"# {', '.join(changed[at:at + 6])}" for at in range(0, len(changed), 6)]


def check_arguments(rate, size, cc):
    """Values of the command line, by what a scenario may say."""
    for name, value, read in (("--rate", rate, SOME_RATE),
                              ("--size", size, flows.FLOW_KEYS["size"].read)):
        try:
            _ = value is None or read(value)
        except BadValue as bad:
            raise LabError(f"{name}: {bad}") from None
    known = [*algorithms.builtin(), *algorithms.ours()]
    if cc not in known:
        raise LabError(unknown("--cc: the algorithm", cc, known))


def algs_of(graph, cc):
    """(the hosts' own algorithms, or none; all that may be chosen)."""
    own = {graph.topo.nodeInfo(host).get("cc") for host in graph.hosts} - {None, ""}
    if own and cc:
        raise LabError(f"--cc: '{cc}' beside hosts that say cc= ({', '.join(sorted(own))});"
                       " allowed: one of both")
    return own, own or set(algorithms.ours())


def queues_of(graph, names):
    """{lab's name: packets} of hosts that say queue=."""
    found = {names[host]: graph.topo.nodeInfo(host).get("queue") for host in graph.hosts}
    for host, packets in found.items():
        if packets is not None and (not isinstance(packets, int) or packets < 1):
            raise refuse(f"host {host}: queue", packets, "a whole number of packets above 0")
    return {host: packets for host, packets in found.items() if packets}


def convert(topo, title, rate=None, size="1MB", cc=None):
    """The scenario's text."""
    graph = Graph(topo)
    own_cc, algs = algs_of(graph, cc)
    cc = cc or "mswift"
    check_arguments(rate, size, cc)
    check_switches(graph)
    words, network, names, links, drawing = recognise(graph)
    said = read_links(graph, links, rate)
    title = re.sub(r"[$#]", "", title)      # a variable's name, and a comment, in a scenario
    traffic = [*host_lines(graph, names), f"workload permutation size={size}"]
    if not own_cc:
        traffic[-1] += " cc=$cc"
        traffic[:0] = [f"host * knob {cc}.spray=oblivious"] if cc in algorithms.ours() else []
    return "\n".join([
        "# SPDX-License-Identifier: GPL-2.0",
        f"# From mininet's {title} by tools/mininet/mn2lab.py.", *name_lines(names),
        f"title {title}", *([] if own_cc else [f"set cc {cc}"]), "",
        f"topology {words} overhead={FRAME_BYTES}B nic=ideal", *drawing,
        *link_lines(network, said), "",
        *target_lines(said, queues_of(graph, names), algs), *traffic,
        "expect flow * error == 0", ""])


def of_file(file, call, *arguments, **named):
    """What a call of somebody else's program says; its errors, whatever they are, in a line."""
    try:
        return call(*arguments, **named)
    except ModuleNotFoundError as error:
        raise LabError(f"{file}: {mn_missing.advice(error)}") from None
    except Exception as error:  # pylint: disable=broad-exception-caught
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__)
                 if frame.filename == file] or [getattr(error, "lineno", None)]
        where = file if lines[-1] is None else f"{file}:{lines[-1]}"
        raise LabError(f"{where}: {type(error).__name__}: {getattr(error, 'msg', error)}"
                       ) from None


def topos_of(file):
    """What mn --custom would find in a file."""
    place, source = {"__name__": "topology", "__file__": file}, Path(file).read_bytes()
    of_file(file, lambda: exec(compile(source, file, "exec"), place))
    topos = place.get("topos")
    if not isinstance(topos, dict):
        raise LabError(f"{file}: no dictionary 'topos'; allowed: what mn --custom takes")
    return topos


def load_topo(file, words):
    """The Topo that mn --custom FILE --topo WORDS would take."""
    topos = topos_of(file)
    name, *arguments = words.split(",")
    if name not in topos:
        raise LabError(unknown(f"{file}: the topology", name, topos))
    pairs = [text.partition("=") for text in arguments]
    plain = [number(text) for text, equals, _ in pairs if not equals]
    topo = of_file(file, topos[name], *plain, **{key: number(value)
                                                 for key, equals, value in pairs if equals})
    if not all(hasattr(topo, asked) for asked in TOPO):
        raise LabError(f"{file}: the topology '{name}' is no Topo; allowed: one that has"
                       f" {', '.join(TOPO)}")
    return topo


def number(text):
    """As mn takes arguments."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=inspect.getdoc(sys.modules[__name__]),
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("name", metavar="NAME[,ARGUMENT...]")
    parser.add_argument("--rate", help="of links without bw, like 10Gbps")
    parser.add_argument("--size", default="1MB", help="of each transfer")
    parser.add_argument("--cc", help="of the transfers, if no host says cc= (mswift)")
    arguments = parser.parse_args()
    print(convert(load_topo(arguments.file, arguments.name),
                  f"{Path(arguments.file).name} {arguments.name}", arguments.rate,
                  arguments.size, arguments.cc), end="")


if __name__ == "__main__":
    sys.exit(ending.run("mn2lab", main, (LabError, BadValue, OSError)))
