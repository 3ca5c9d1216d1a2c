#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# long
"""Is a grey link named from what the end hosts heard of their labels? (dccstat.md, "A grey link")

Hosts of a fat-tree send 8 MB each to another one, sprayed, while one direction of one link
between switches loses 1 % of its packets. Each host has the records of its own flows alone
and asks for the ways of their packets by probes, in the same network; then all records and
ways are put together:

    labels   -> labels.csv of the lab, cut up by host
    ways     -> dccstat ways, on each host of a second run (same hash seeds)
    blame    -> dccstat blame

    grey     the link and its direction are named, and nothing else, with a loss near 1 %,
             from what was heard within a second; and the ways are those of the data: on
             the link are exactly the labels that the probes say
    none     no link loses anything: none is named
    even     all links lose a little: none is named
    two      two links are grey: both are named

grey_link.py [--full]   also on six more links of 128 hosts, on all four kinds of them
"""

import csv
import json
import random
import subprocess
from pathlib import Path

from labkit import run, runner, scratch
from tap import ROOT, SEEDS, run_parts

TOOL = ROOT / "tools" / "dccstat" / "dccstat"
PROGRAM = ROOT / "build" / "dccstat" / "dccstat"
LOSS = 0.01
WITHIN_NS = 10**9
TOOL_S = 300
ACK_MOST = 200                  # bytes; the last packet of a flow has 288 of payload
KINDS = ("edge up", "edge down", "core up", "core down")
# (k, seed, kind)
SOON = ((4, 1, "edge up"), (4, 2, "core down"), (8, 1, "core up"), (8, 2, "edge down"))
FULL = tuple((8, seed, KINDS[seed % 4]) for seed in range(3, 9))
EVEN_LOSS = 0.0005
EVEN_SEEDS = SEEDS[:3]

NETWORK = """
set k 4
topology fattree k=$k rate=8Gbps delay=50us mtu=4096B buffer=5bdp ecn=1bdp nic=ideal
"""
TRAFFIC = NETWORK + """
host * route rto_min=5ms initcwnd=155
host * knob mswift.target_qdelay_us=160
workload permutation size=8MB cc=mswift
host @permutation knob spray=oblivious
labels permutation.*
stop when=done at=1s
"""
ASKING = NETWORK + """
# so that switches answer, and each probe
switch * sysctl net.ipv6.icmp.ratemask=0-1,4-127
flow nothing h1 -> h2 size=1KB cc=reno
stop when=done at=1s
"""


class Tree:
    """Names and addresses of a fat-tree's switches and hosts."""

    def __init__(self, k):
        self.k, half = k, k // 2
        self.edges, self.cores = [], []
        self.hosts = {}
        for pod in range(1, k + 1):
            for one in range(1, half + 1):
                for other in range(1, half + 1):
                    self.edges.append(f"e{pod}.{one}-a{pod}.{other}")
                    self.cores.append(f"a{pod}.{one}-c{(one - 1) * half + other}")
                    self.hosts[f"fd00::{pod:x}:{one:x}:{other:x}"] = f"h{len(self.hosts) + 1}"
        switches = dict.fromkeys(end for link in self.edges + self.cores
                                 for end in link.split("-"))
        self.switches = {f"fd00:ffff::{number:x}": name
                         for number, name in enumerate(switches, 1)}

    def draw(self, kind, seed):
        """A direction of a link, as the lab names it."""
        where, way = kind.split()
        link = random.Random(f"{kind} {seed}").choice(
            self.edges if where == "edge" else self.cores)
        return f"{link}:{'ab' if way == 'up' else 'ba'}"

    def name(self, link):
        """What blame names by addresses, as the lab does."""
        ends = [{**self.switches, **self.hosts}[link[end]] for end in ("from", "to")]
        return f"{ends[0]}-{ends[1]}:ab" if f"{ends[0]}-{ends[1]}" in self.edges + self.cores \
            else f"{ends[1]}-{ends[0]}:ba"


def split(folder, into):
    """What each host has itself: the records of its flows. {address: file}."""
    own = {}
    with (folder / "labels.csv").open(encoding="ascii") as lines:
        head = next(lines)
        column = head.split(",").index("src")
        for line in lines:
            own.setdefault(line.split(",", column + 1)[column], []).append(line)
    into.mkdir()
    files = {}
    for address, lines in own.items():
        files[address] = into / f"{address.replace(':', '_')}.csv"
        files[address].write_text(head + "".join(lines), encoding="ascii")
    return files


def ask(tree, seed, files, folder, tools, of):
    """Each host asks for the ways of its packets; the tables."""
    text = ASKING
    for address, switch in tree.switches.items():
        text += f'switch {switch} run "ip -6 addr add {address}/128 dev lo"\n'
    tables = []
    for address, file in files.items():
        tables.append(f"{file}.ways")
        text += (f'host {tree.hosts[address]} run'
                 f' "{PROGRAM} ways {file} --of {of} --out {tables[-1]}"\n')
    run(text, folder, tools, seed=seed, sets={"k": str(tree.k)})
    return tables


def blame(files, tables):
    """What dccstat says."""
    words = [TOOL, "blame", "--json", *files]
    for table in tables:
        words += ["--ways", table]
    done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=TOOL_S)
    return json.loads(done.stdout)


def look(tree, seed, lines, base, tools):
    """Traffic with these links, and what is said of them: (verdict, run, tables)."""
    result = run(TRAFFIC + lines, base / "traffic", tools, seed=seed,
                 sets={"k": str(tree.k)})
    files = split(base / "traffic", base / "hosts")
    tables = ask(tree, seed, files, base / "ways", tools, 4 * tree.k)
    return blame(files.values(), tables), result, tables


def told(tree, found):
    """A verdict in a line."""
    named = [f"{tree.name(link)} {link['loss']:.2%} ({link['loss_low']:.2%} to"
             f" {link['loss_high']:.2%}), {link['lost_packets']} lost, by chance"
             f" {link['by_chance']:.1g}, next {tree.name(link['next'])}"
             f" {link.get('next_times_less_likely', 0):.1g} times less likely,"
             f" {link['alike_links']} alike" for link in found["named"]]
    return (f"{found['lost_packets']} lost, {found['lost_packets_placed']} placed,"
            f" {found['came_packets_sampled']} others; {'; '.join(named) or 'none named'}")


def labels_on(folder, link):
    """Labels of data on a traced link: {(port, label)}."""
    seen = set()
    with (folder / "trace.csv").open(encoding="ascii") as lines:
        for row in csv.DictReader(lines):
            if f"{row['link']}:{row['dir']}" == link and int(row["len"]) > ACK_MOST:
                seen.add((row["flow"].split()[1], int(row["label"], 16)))
    return seen


def check_ways(tap, tree, link, folder, tables, name):
    """On the link were those whose way crosses it by the probes, and no others."""
    on_link, wrong, asked = labels_on(folder, link), [], 0
    for table in tables:
        with open(table, encoding="ascii") as lines:
            for row in csv.DictReader(lines):
                hops = [row["src"], *(row[f"hop{n}"] for n in range(1, int(row["hops"]) + 1))]
                crosses = link in [tree.name({"from": a, "to": b})
                                   for a, b in zip(hops[1:-1], hops[2:-1])]
                asked += 1
                if crosses != ((row["dport"], int(row["label"])) in on_link):
                    wrong.append(f"label {row['label']} of port {row['dport']}")
    tap.ok(asked and not wrong, f"{name}: probes go the ways of the data",
           f"{asked} ways; wrong: {wrong[:3]}")


def grey(tap, k, seed, kind, base, tools):
    """One link is grey."""
    tree = Tree(k)
    link = tree.draw(kind, seed)
    name = f"k={k}, seed {seed}, {link}"
    found, result, tables = look(tree, seed, f"link {link} loss={LOSS}\ntrace {link}\n",
                                 base, tools)
    named = found["named"]
    tap.say(f"{name}: {told(tree, found)}; {result['virtual_ns'] / 1e6:.1f} ms")
    tap.ok([tree.name(one) for one in named] == [link] and not named[0]["alike_links"]
           and result["virtual_ns"] <= WITHIN_NS,
           f"{name}: it is named, and no other", told(tree, found))
    tap.ok(named and named[0]["loss_low"] <= LOSS <= named[0]["loss_high"],
           f"{name}: its loss is 1 %", told(tree, found))
    check_ways(tap, tree, link, base / "traffic", tables, name)


def none(tap, base, tools):
    """No link is."""
    tree = Tree(4)
    found, *_ = look(tree, 1, "", base, tools)
    tap.ok(not found["named"] and not found["lost_packets"], "no link loses: none is named",
           told(tree, found))


def even(tap, seed, base, tools):
    """All are, a little."""
    tree = Tree(4)
    found, *_ = look(tree, seed, f"link inter-switch loss={EVEN_LOSS}\n", base, tools)
    tap.ok(not found["named"] and found["lost_packets"] >= 20,
           f"all links lose alike, seed {seed}: none is named", told(tree, found))


def two(tap, base, tools):
    """Two are."""
    tree = Tree(4)
    links = ["e1.1-a1.2:ab", "a3.1-c2:ba"]
    found, *_ = look(tree, 1, "".join(f"link {link} loss={LOSS}\n" for link in links), base,
                     tools)
    tap.ok(sorted(map(tree.name, found["named"])) == sorted(links),
           "two links are grey: both are named", told(tree, found))


def check(tap, full):
    """All of it."""
    tools = runner.Tools()
    subprocess.run([TOOL, "--help"], check=True, capture_output=True, timeout=TOOL_S)
    with scratch("grey") as folder:
        base = Path(folder)
        for k, seed, kind in SOON + (FULL if full else ()):
            grey(tap, k, seed, kind, base / f"grey-{k}-{seed}", tools)
        none(tap, base / "none", tools)
        for seed in EVEN_SEEDS:
            even(tap, seed, base / f"even-{seed}", tools)
        two(tap, base / "two", tools)


if __name__ == "__main__":
    run_parts({"links": check}, soon=["links"])
