#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Is a run of the lab the same every time, byte for byte?

Eight sprayed flows on a leaf-spine network with random loss, RED marking and
jitter, many times over: on an idle host, with every processor busy twice over,
from another directory, with another $HOME, as another user. All must give the
same results.json (which holds the hash of every event of every link), the same
trace of the traced links and the same time series. Another seed must differ.

A comparison that cannot fail proves nothing: two sources of nondeterminism are
planted, the host's entropy (a guest without labseed=) and the time stamp of a
file of the host, and both must be caught.
"""

import hashlib
import os
import shutil
from pathlib import Path

from labkit import LAB, Load, command, load_average, run, runner, scratch
from tap import ROOT, Tap, scenario

SAME = ("results.json", "trace.csv", "links.csv", "flows.csv")
NOBODY = 65534
PYTHON = "/usr/bin/python3"     # one that every user may run
SMALL = """topology leafspine leaves=4 spines=4 hosts=2 rate=10Gbps rtt=120us nic=ideal \
mtu=4096B buffer=60KB red=20KB,60KB,0.3 loss=0.05%
host * knob spray=oblivious
host * sysctl net.ipv4.tcp_ecn=1
workload permutation size=2MB cc=mswift jitter=50us
trace inter-switch
sample every=100us
expect unfinished == 0
"""
# The host's time gets into a guest through a file's time stamp: 0 to 999 us
PLANT = """topology star hosts=2 rate=10Gbps rtt=120us mtu=4096B nic=ideal
host h1 run "tc qdisc add dev eth0 root netem delay \
$$(($$(stat -c %Y {stamp}) % 1000))us"
flow f h1 -> h2 size=1MB cc=reno
trace *
"""


def digests(folder):
    """What a run left, each file by its hash; {} of files that are not there."""
    return {name: hashlib.sha256((Path(folder) / name).read_bytes()).hexdigest()
            for name in SAME if (Path(folder) / name).exists()}


def difference(one, other):
    """The files in which two runs differ."""
    return [name for name in SAME if one.get(name) != other.get(name)]


class Small:
    """Runs the small scenario through the command, as users do."""

    def __init__(self, base):
        self.base = Path(base)
        self.path = self.base / "small.lab"
        self.path.write_text(SMALL, encoding="ascii")
        self.path.chmod(0o644)

    def run(self, name, seed=7, folder=None, **options):
        """One run; its digests."""
        out = Path(folder or self.base) / name
        done = command("run", self.path, "--seed", seed, "--out", out, **options)
        if done.returncode:
            return {"error": (done.stderr + done.stdout)[-300:]}
        return digests(out)


def judge(tap, name, want, got):
    """Same files, same bytes."""
    unlike = difference(want, got)
    tap.ok(len(got) == len(SAME) and not unlike, name,
           got.get("error", "") or (f"differ: {unlike}" if unlike else
                                    f"{len(got)} files equal, results.json"
                                    f" {got['results.json'][:12]}"))


def check_small(tap, tools, base):
    """Idle, loaded, elsewhere, at another home, as another user."""
    small = Small(base)
    first = small.run("idle1")
    judge(tap, "idle, first of three: all files are there", first, first)
    for number in (2, 3):
        judge(tap, f"idle, run {number}", first, small.run(f"idle{number}"))
    with Load():
        for number in (1, 2, 3):
            judge(tap, f"every processor busy twice, run {number}", first,
                  small.run(f"busy{number}"))
    deep = Path(base) / "another" / "much-deeper-directory" / "with-a-longer-name"
    judge(tap, "from another directory", first,
          small.run("x", folder=deep, cwd="/"))
    cache = str(runner.Tools().labbuild.cache_root())
    judge(tap, "with another $HOME and other variables", first,
          small.run("home", env={"HOME": str(deep), "LAB_CACHE": cache,
                                 "LANG": "C.UTF-8", "SOMETHING": "x" * 5000}))
    check_user(tap, tools, small, first)
    other = small.run("seed8", seed=8)
    tap.ok(len(other) == len(SAME) and len(difference(first, other)) == len(SAME),
           "another seed differs", f"in {len(difference(first, other))} of"
           f" {len(SAME)} files")


def for_everybody(tools, base):
    """(the lab's program, a cache) as copies that every user may read."""
    tree, cache = base / "tree", base / "cache"
    shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(".git", "build", "demo-results"))
    made = [tools.kernel.kdir.parent, tools.agent.parent, next(iter(tools.modules.values())).parent]
    for home in made:
        shutil.copytree(home, cache / home.name, symlinks=True)
    for folder in (base, tree, cache):
        folder.chmod(0o755)
    return tree / LAB.relative_to(ROOT), cache


def check_user(tap, tools, small, first):
    """As nobody, if we may become so, which may have no way to our tree and cache."""
    name = "as another user"
    if os.geteuid():
        tap.ok(True, name, "SKIP not root")
        return
    lab, cache = for_everybody(tools, small.base)
    home = small.base / "nobody"
    home.mkdir()
    os.chown(home, NOBODY, NOBODY)
    judge(tap, name, first, small.run(
        "run", folder=home, python=PYTHON, lab=lab,
        env={"HOME": str(home), "LAB_CACHE": str(cache)},
        user=NOBODY, group=NOBODY, extra_groups=[], cwd="/"))


def planted(tools, text, folder):
    """A run through the library, and its digests."""
    run(text, folder, tools)
    return digests(folder)


def check_entropy(tap, tools, base):
    """Without labseed= the guest takes the host's entropy: no two runs agree."""
    whole = runner.command_line

    def without_seed(*words):
        return [word for word in whole(*words) if not word.startswith("labseed=")]

    text = PLANT.format(stamp=LAB)
    control = [planted(tools, text, f"{base}/seeded{n}") for n in (1, 2)]
    runner.command_line = without_seed
    try:
        found = [planted(tools, text, f"{base}/entropy{n}") for n in (1, 2)]
    finally:
        runner.command_line = whole
    tap.ok(not difference(*control) and difference(*found),
           "planted: the host's entropy is caught",
           f"with a seed {len(difference(*control))} files differ, without"
           f" {difference(*found)}")


def check_stamp(tap, tools, base):
    """A delay of some us that comes from the host's time is caught."""
    stamp = Path(base) / "stamp"
    stamp.write_text("", encoding="ascii")
    text, found = PLANT.format(stamp=stamp), []
    for number, when in enumerate((1000000100, 1000000100, 1000000101)):
        os.utime(stamp, (when, when))
        found.append(planted(tools, text, f"{base}/stamp{number}"))
    tap.ok(not difference(found[0], found[1]) and difference(found[0], found[2]),
           "planted: 1 us that depends on a file's time stamp is caught",
           f"same stamp: {len(difference(found[0], found[1]))} files differ,"
           f" a second later: {difference(found[0], found[2])}")


def check_large(tap, tools, base):
    """124 flows on a fat-tree, once idle and once loaded."""
    path = Path(scenario("fattree-permutation"))

    def once(name):
        result = runner.run(path, seed=5, sets={"elephants": "4", "size": "2MB"},
                            out=f"{base}/{name}", tools=tools)
        return digests(f"{base}/{name}"), result

    idle, result = once("idle")
    with Load():
        busy, other = once("busy")
    tap.ok(idle and not difference(idle, busy)
           and result["summary"]["unfinished"] == 0,
           "124 sprayed flows and 4 elephants on 128 hosts, idle and loaded",
           f"results.json {idle['results.json'][:12]} and"
           f" {busy['results.json'][:12]}, trace hash {result['trace_hash']},"
           f" {result.wall_s:.1f} and {other.wall_s:.1f} s")


def main():
    """All of it."""
    tap, tools = Tap(), runner.Tools()
    tap.say(f"load average at the start: {load_average():.1f}")
    with scratch("determinism") as base:
        check_small(tap, tools, base)
        check_entropy(tap, tools, base)
        check_stamp(tap, tools, base)
        check_large(tap, tools, base)
    tap.finish()


if __name__ == "__main__":
    main()
