#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""prioplus on real workloads, beside swift with real priority queues and swift alone.

    fct        WebSearch sizes at 70 % load on a k=4 fat-tree, grouped by size into eight
               priorities, the smallest the highest: slowdown of each group, mean and 99 %
               (the paper's figure 11)
    idle       one flow of each of these groups after the other, on the idle network: what the
               algorithm's start alone takes; no verdict; by name or with --full
    coflows    files in 20 pieces come from as many hosts, 64 hosts, 40 % load, grouped by size
               into eight priorities: how soon the last piece is there (12a, without the
               trace that is its other half); by name or with --full, no verdict
    training   eight models train on 64 hosts, 2:1 oversubscribed, by steps around rings: how
               long an iteration takes, four small models above four large ones (12c); by name
               or with --full

10 Gbit/s x 120 us is 100 Gbit/s x 12 us ten times as slow; channels are as wide. "Queues"
are eight strict classes on every link, hosts' too, by DSCP; ACKs have the highest, for all
three, as in the paper, but where only the hosts have classes. All connections are made before, on the empty network. One seed,
and few flows; --full: five, more, prioplus with other knobs, and ordinary hosts, no verdict.
"""

import random
import tempfile
from fractions import Fraction
from pathlib import Path

from tap import by_case, groups_of, run_all, run_parts, seeds_for, spread
from lablib import sizes

BASE = """
set cc prioplus
set classes 0
set eps 10000
set fluct 32000
set ai 1000
set switches 1
link * buffer=0 strict=$switches
link h*:ab strict=1
set nic ideal
set base 120
set target 160
set unfinished 0
host * receiver $nic
host * nic $nic
host * route initcwnd=117
host * knob prioplus.base_rtt_ns=${base}000 prioplus.eps_ns=$eps
host * knob prioplus.channel_fluct_ns=$fluct prioplus.channel_noise_ns=8000
host * knob prioplus.probe_start=6 prioplus.ai=$ai
host * knob swift.base_target_us=$target
default cc=$cc ackdscp=56
expect unfinished <= $unfinished
expect rto == 0
"""
# What runs: name -> what is set.
QUEUES, ALONE, OURS = "swift, real queues", "swift alone", "prioplus"
ALGS = {QUEUES: {"cc": "swift", "classes": "size"}, ALONE: {"cc": "swift"}, OURS: {}}
# Ordinary hosts: NICs and receivers as they come, and nothing configured of the network.
ORDINARY = {"nic": "ordinary", "base": "0", "target": "0", "unfinished": "100"}
KINDS = {"ideal hosts": {}, "ordinary hosts": ORDINARY}
MORE = {"prioplus, channels 12 us apart": {"ai": "125", "fluct": "4000", "eps": "8000"},
        "prioplus, classes in the hosts only": {"classes": "size", "switches": "0"}}

# --- fct --------------------------------------------------------------------------------

FCT = f"""
title WebSearch at 70 %, $cc
set until 20ms
topology fattree k=4 rate=10Gbps rtt=120us mtu=1280B nic=ideal
{BASE}
workload poisson sizes=websearch load=70% until=$until warm=60ms prio=size dscp=$classes
sizegroups 30KB 150KB 500KB 1MB 2MB 5MB 10MB
stop when=done at=10s
"""
# As W_LS has it: the top quarter of the priorities, up to a BDP, three eighths, the rest.
SMALL, MIDDLE = 150_000, 2_000_000
NO_WAIT = 1.1                           # a packet in service on each of six hops, at most
NEAR = 1.1                              # the paper: 0.75 at most


def part_of(upto):
    """What is told together."""
    return "large" if upto is None or upto > MIDDLE else "middle" if upto > SMALL else "small"


def pooled(groups):
    """The mean of several groups."""
    return sum(count * mean for count, mean, _ in groups) / sum(count for count, *_ in groups)


def fct_say(tap, name, rows):
    """Each group over the seeds, mean and 99 % (mean of the seeds' values)."""
    cells = []
    for upto in max(rows, key=len):
        seeds = [row[upto] for row in rows if upto in row]
        cells.append(f"{sum(count for count, *_ in seeds)}: {pooled(seeds):.2f}"
                     f" ({sum(last for *_, last in seeds) / len(seeds):.1f})")
    tap.say(f"fct, {name}, flows of each group: mean (99 %) " + ", ".join(cells))


def fct_means(tap, algs, seeds, sets, hosts):
    """Mean slowdown of each case's small, middle and large flows; all is told."""
    found = by_case(algs, seeds, run_all([(FCT, {**alg, **sets}, seed) for alg in
                                          algs.values() for seed in seeds], tap, groups_of))
    means = {}
    for name, results in found.items():
        rows = [row.measured for row in results if row]
        fct_say(tap, f"{hosts}, {name}", rows)
        means[name] = {part: pooled([group for row in rows for upto, group in row.items()
                                     if part_of(upto) == part])
                       for part in ("small", "middle", "large")}
    for name, mean in means.items():
        lost = sum(row["summary"]["unfinished"] for row in found[name] if row)
        tap.say(f"fct, {hosts}, {name}: {lost} unfinished, mean slowdown " + ", ".join(
            f"{part} {mean[part]:.2f}, {mean[part] / means[QUEUES][part] - 1:+.0%}"
            for part in mean) + " over real queues'")
    return means


def fct(tap, full):
    """Slowdown by size."""
    seeds = seeds_for(full)
    until = {"until": "40ms"} if full else {}
    means = fct_means(tap, {**ALGS, **MORE} if full else ALGS, seeds, until, "ideal hosts")
    if full:
        fct_means(tap, ALGS, seeds, {**until, **ORDINARY}, "ordinary hosts")
    queues, alone, ours = (means[name] for name in ALGS)
    tap.ok(queues["small"] <= NO_WAIT, f"fct: in real queues small flows take {NO_WAIT} of"
           " their bound at most: the links serve the highest class first",
           f"{queues['small']:.3f}")
    for part in ("small", "middle"):
        tap.ok(ours[part] < alone[part], f"fct: {part} flows are sooner with prioplus than"
               " with swift alone", f"{ours[part]:.3f} against {alone[part]:.3f}")
    tap.ok(ours["large"] <= NEAR * queues["large"], f"fct: large flows take {NEAR} of what they"
           " do in real queues at most", f"{ours['large']:.3f} against {queues['large']:.3f}")


# --- idle -------------------------------------------------------------------------------

IDLE = f"""
title a flow of each size on the idle network, $cc
topology fattree k=4 rate=10Gbps rtt=120us mtu=1280B nic=ideal
{BASE}
$flows
stop when=done at=10s
"""
GROUPS = ("30KB", "150KB", "500KB", "1MB", "2MB", "5MB", "10MB", "20MB")


def idle(tap, _full):
    """Slowdown of each size with nobody else there."""
    flows = "\n".join(f"flow s{number} h1 -> h16 size={size} prio={7 - number} warm=10ms"
                      f" start={30 * number}ms" for number, size in enumerate(GROUPS))
    for cc in ("prioplus", "swift"):
        (row,) = run_all([(IDLE.replace("$flows", flows), {"cc": cc}, 1)], tap)
        tap.say(f"idle, {cc}: slowdown of " + ", ".join(
            f"{size} {row['flows'][f's{number}']['slowdown']:.2f}"
            for number, size in enumerate(GROUPS)))


# --- coflows ----------------------------------------------------------------------------

COFLOWS = f"""
title files in pieces, $cc
topology leafspine leaves=8 spines=2 hosts=8 rate=10Gbps rtt=120us mtu=1280B nic=ideal
link leaf*-spine* rate=40Gbps
{BASE}
set file none
workload trace name=c file=$file warm=60ms
stop when=done at=10s
"""
HOSTS_64, PIECES, LEVELS = 64, 20, 8
LINE, COFLOW_LOAD, COFLOWS_NS = 1.25, 0.4, 20_000_000   # bytes/ns of a host's link


def files_of(seed):
    """Files: start, receiver, senders, size of a piece. Poisson arrivals; pieces are half as
    large as WebSearch's flows."""
    draw, found, at = random.Random(seed), [], 0
    pieces = sizes.load("websearch", ".", Fraction(1, 2))
    mean_ns = PIECES * float(pieces.mean()) / (HOSTS_64 * LINE * COFLOW_LOAD)
    while (at := at + round(draw.expovariate(1 / mean_ns))) < COFLOWS_NS:
        receiver, *senders = draw.sample(range(HOSTS_64), PIECES + 1)
        found.append((at, receiver, senders, pieces.at(Fraction(draw.random()))))
    return found


def levels_of(files):
    """Eight groups of as many files each, the smallest the highest, 7."""
    order = sorted(range(len(files)), key=lambda number: files[number][3])
    return {number: LEVELS - 1 - place * LEVELS // len(order)
            for place, number in enumerate(order)}


def write_files(path, files, queues):
    """As a trace of flows, a file's pieces one after the other."""
    levels = levels_of(files)
    path.write_text("".join(
        f"{at}ns {sender} {receiver} {size}B prio={levels[number]}"
        f" dscp={8 * levels[number] if queues else 0}\n"
        for number, (at, receiver, senders, size) in enumerate(files)
        for sender in senders), encoding="ascii")


def coflows_measure(result, _flows, _links):
    """ns from each file's start until its last piece is there, None: it never was."""
    flows = [result["flows"][f"c.{number}"] for number in range(1, len(result["flows"]) + 1)]
    ends = [[flow["end"] for flow in flows[at:at + PIECES]]
            for at in range(0, len(flows), PIECES)]
    return [None if None in end else max(end) - flows[number * PIECES]["start"]
            for number, end in enumerate(ends)]


def coflow_jobs(seeds, folder, hosts):
    """Every case with every seed."""
    for name, sets in ALGS.items():
        for seed in seeds:
            path = Path(folder) / f"{seed}-{name == QUEUES:d}"
            write_files(path, files_of(seed), name == QUEUES)
            yield COFLOWS, {"cc": sets.get("cc", "prioplus"), "file": str(path), **hosts}, seed


def coflow_ups(levels, alone, row):
    """How much sooner files that arrived are there than with swift alone, by the means."""
    parts = {"high": lambda level: level >= LEVELS // 2,
             "low": lambda level: level < LEVELS // 2, "all": lambda level: True}
    both = [(levels[number], *times) for number, times in enumerate(zip(alone, row))
            if None not in times]
    return {part: sum(before for level, before, _ in both if chosen(level)) /
            sum(took for level, _, took in both if chosen(level))
            for part, chosen in parts.items()}


def coflows_of(tap, seeds, kind):
    """The higher and the lower four priorities, beside swift alone; no verdict."""
    with tempfile.TemporaryDirectory(prefix="coflows-") as folder:
        found = by_case(ALGS, seeds, run_all(list(coflow_jobs(seeds, folder, KINDS[kind])), tap,
                                             coflows_measure))
    levels = {seed: levels_of(files_of(seed)) for seed in seeds}
    for name in (QUEUES, OURS):
        ups = [coflow_ups(levels[seed], alone.measured, row.measured)
               for seed, alone, row in zip(seeds, found[ALONE], found[name]) if alone and row]
        lost = sum(row.measured.count(None) for row in found[name] if row)
        tap.say(f"coflows, {kind}, {sum(map(len, levels.values()))} files, {name}: {lost} never"
                " arrived; speed-up over swift alone, " + ", ".join(f"{part} {spread(up[part] for up in ups)[1]}"
                                             for part in ups[0]))


def coflows(tap, full):
    """Both kinds of hosts."""
    for kind in KINDS if full else ("ideal hosts",):
        coflows_of(tap, seeds_for(full), kind)


# --- training ---------------------------------------------------------------------------

TRAINING = f"""
title eight models train, $cc
topology leafspine leaves=16 spines=2 hosts=4 rate=10Gbps rtt=120us mtu=1280B nic=ideal
{BASE}
stop when=done at=10s
"""
LEAVES, HOSTS, MODELS = 16, 4, 8
# What is passed on in each of so many steps around a ring of eight, how long they compute,
# how often: of small models, and of large ones. A whole all-reduce has 14 steps.
LONG = (4, ("1MB", "4ms", 4), ("3MB", "6ms", 3))
SHORT = (14, ("100KB", "2ms", 6), ("400KB", "3ms", 3))
IS_SMALL = MODELS // 2                  # the first half, of higher priorities
TOLD_MODELS = {"small": slice(IS_SMALL), "large": slice(IS_SMALL, MODELS),
               "all": slice(MODELS)}
FASTER = 1.1                            # all models, as in the paper


def model_of(shape, model):
    """Its message, how long it computes, how often."""
    return shape[1 if model < IS_SMALL else 2]


def training_text(shape, queues):
    """Each model has eight hosts on as many leaves, each leaf two models of each size."""
    lines = [TRAINING]
    for model in range(MODELS):
        place, first = divmod(model, 2)
        hosts = ",".join(f"h{HOSTS * leaf + place + 1}" for leaf in range(first, LEAVES, 2))
        size, compute, times = model_of(shape, model)
        level = MODELS - 1 - model
        for number in range(times):
            after = f" after=m{model}i{number - 1}.* start={compute}" if number else \
                f" start={400 * model}us"
            lines.append(f"workload ring name=m{model}i{number} hosts={hosts} size={size}"
                         f" steps={shape[0]}"
                         f" prio={level} dscp={8 * level if queues else 0} warm=10ms{after}")
    return "\n".join(lines)


def training_measure(shape):
    """ns from one iteration's end to the next one's, mean of each model."""
    def measure(result, _flows, _links):
        ends = {}
        for name, flow in result["flows"].items():
            part = name.split(".")[0]
            ends[part] = max(ends.get(part, 0), flow["end"])
        last = [model_of(shape, model)[2] - 1 for model in range(MODELS)]
        return [(ends[f"m{model}i{number}"] - ends[f"m{model}i0"]) / number
                for model, number in enumerate(last)]
    return measure


def speed_ups(tap, seeds, shape, kind="ideal hosts"):
    """Of each case over swift alone, all models, seed by seed; parts are told."""
    jobs = [(training_text(shape, name == QUEUES),
             {"cc": "swift" if name != OURS else "prioplus", **KINDS[kind]}, seed)
            for name in ALGS for seed in seeds]
    found = by_case(ALGS, seeds, run_all(jobs, tap, training_measure(shape)))
    whole = {}
    for name, results in found.items():
        ups = [[base / took for base, took in zip(alone.measured, row.measured)]
               for alone, row in zip(found[ALONE], results) if alone and row]
        means = {part: [sum(row[which]) / len(row[which]) for row in ups]
                 for part, which in TOLD_MODELS.items()}
        whole[name] = means["all"]
        title = f"training, {kind}, messages of {shape[1][0]} and {shape[2][0]}, {name}"
        tap.say(f"{title}: speed-up over swift alone, " + ", ".join(
            f"{part} {spread(values)[1]}" for part, values in means.items()))
        tap.say(f"{title}: ms of an iteration " + " ".join(
            f"{sum(times) / len(times) / 1e6:.2f}" for times in
            zip(*(row.measured for row in results if row))))
    return whole


def training(tap, full):
    """Speed beside swift alone; messages of a BDP are only told."""
    seeds = seeds_for(full)
    whole = speed_ups(tap, seeds, LONG)
    speed_ups(tap, seeds, SHORT)
    if full:
        speed_ups(tap, seeds, LONG, "ordinary hosts")
    tap.ok(min(whole[OURS]) >= FASTER, f"training: priorities make it {FASTER} times as fast",
           f"{spread(whole[OURS])[1]}; real queues {spread(whole[QUEUES])[1]}")


PARTS = {"fct": fct, "idle": idle, "coflows": coflows, "training": training}


if __name__ == "__main__":
    run_parts(PARTS, soon=["fct"])
