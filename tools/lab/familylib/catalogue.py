# SPDX-License-Identifier: GPL-2.0
"""The families: what each draws, and what it judges.

Runs are as long as two cores can carry sixty draws of with all algorithms in some ten
minutes: a budget of packets bounds how much a path holds, times round trips.
"""

from dataclasses import dataclass, field

from lablib import sizes as published

from . import draw, judge
from .draw import NS

BUDGET = 40000                  # packets over one link, of a run
SETTLE = 100                    # round trips until flows are judged
JUDGED = 50                     # round trips in which they are
ARRIVALS = 1000                 # flows of a workload at most
SENDERS = 8                     # hosts, where flows are more
ROUTE = "host * route rto_min=5ms"      # a stack's 200 ms are thousands of round trips


@dataclass(frozen=True)
class Case:
    """One draw of a family, as a scenario with $cc, and what is needed to judge it."""

    words: str                  # what was drawn
    net: draw.Net               # the links and hosts of it
    lines: list                 # of the scenario, `title` first
    judge: object               # (result, flows, links) -> {column: number}
    sprayed: bool = False       # does it have several ways?
    algorithms: tuple = ()      # only these; (): all


@dataclass(frozen=True)
class Column:
    """What is judged: how it is called, and which end of it is the worse."""

    label: str
    worst: object               # min or max


def more(label):
    """The more the better."""
    return Column(label, min)


def less(label):
    """The less the better."""
    return Column(label, max)


@dataclass(frozen=True)
class Family:
    """A generator, and its columns by name; the first is the verdict's."""

    name: str
    says: str
    make: object                # seed -> Case
    columns: dict = field(default_factory=dict)
    fails: object = None        # a row -> why it has failed, or ""

    @property
    def verdict(self):
        """The name of the column by which draws are told apart."""
        return next(iter(self.columns))


FAMILIES = {}


def family(name, says, fails, **columns):
    """Register a generator."""
    def add(make):
        FAMILIES[name] = Family(name, says, lambda seed: make(draw.Dice(name, seed)),
                                columns, fails)
        return make
    return add


def scenario(name, words, topology, lines, end, sample=0):
    """A scenario's lines."""
    every = [f"sample every={sample}us"] if sample else []
    return [f"title {name}: {words}, $cc", "set cc mswift", f"topology {topology}", ROUTE,
            *lines, *every, end]


def star(drawn, hosts, buffer="4bdp"):
    """One switch."""
    return f"star hosts={hosts} {drawn.keys()} buffer={buffer} ecn={draw.MARKS}"


def jitter_of(drawn):
    """Of the receiver's link: every sender's packets are late alike."""
    return [f"link h1-s noise=uniform,{drawn.jitter}us"] if drawn.jitter else []


@family("alone", "one flow has a link to itself",
        lambda row: "less than four fifths of the link" if row["used"] < 80 else "",
        used=more("of the link, %"), queue=less("mean queue, us"))
def alone(dice):
    begin, rounds = 4 * SETTLE, 5 * SETTLE
    drawn = draw.net(dice, most=4 * BUDGET // rounds)
    buffer = dice.one(("0.5", "1", "2", "4", "8"))
    lines = drawn.lines() + jitter_of(drawn) + ["flow f h2 -> h1 size=forever cc=$cc"]
    words = f"buffer {buffer} BDP; {drawn.words()}"
    return Case(words, drawn, scenario("alone", words, star(drawn, 2, f"{buffer}bdp"), lines,
                                f"stop at={rounds * drawn.round}us", drawn.round),
                judge.shares("h1-s:ba", drawn, begin * drawn.round, rounds * drawn.round))


@family("joins", "flows come one by one, or at once, and share a link",
        lambda row: "a flow has less than a quarter of its share" if row["least"] < 25 else "",
        jain=more("Jain"), least=more("least share, %"), queue=less("mean queue, us"),
        worst=less("largest queue, us"))
def joins(dice):
    count = dice.spread(2, 64)
    step = dice.one((0, 2, 10))
    rounds = count * step + SETTLE + JUDGED
    drawn = draw.net(dice, most=max(BUDGET // rounds, 2 * draw.HOLDS[0]))
    begin = (count * step + SETTLE) * drawn.round
    lines = drawn.lines() + jitter_of(drawn) + [
        f"flow f{i} h{i % SENDERS + 2} -> h1 size=forever cc=$cc"
        f" start={i * step * drawn.round}us jitter={drawn.round}us" for i in range(count)]
    words = f"{count} flows, {step} RTTs apart; {drawn.words()}"
    return Case(words, drawn, scenario("joins", words, star(drawn, SENDERS + 1), lines,
                                f"stop at={rounds * drawn.round}us", drawn.round),
                judge.shares("h1-s:ba", drawn, begin, rounds * drawn.round))


@family("departures", "k flows end at once beside one, which takes their room",
        lambda row: "not busy again within 60 RTTs" if row["back"] >= 60 else "",
        back=less("base RTTs until 95 % busy"), idle=less("of 60 RTTs, unused, %"),
        worst=less("largest queue after, us"))
def departures(dice):
    count = dice.spread(1, 99)
    rounds = SETTLE + 60
    drawn = draw.net(dice, most=BUDGET // rounds, least=8)
    leave = SETTLE * drawn.round
    lines = drawn.lines() + jitter_of(drawn) + [
        f"flow stays h2 -> h1 size=forever cc=$cc jitter={drawn.round}us",
        f"flow goes h[3-9] -> h1 count={count} size=forever cc=$cc jitter={drawn.round}us"
        f" lasts={leave}us"]
    words = f"{count} of {count + 1} flows end; {drawn.words()}"
    return Case(words, drawn, scenario("departures", words, star(drawn, 9), lines,
                                f"stop at={rounds * drawn.round}us", max(drawn.round // 2, 1)),
                judge.refill("h1-s:ba", drawn, leave + drawn.round))


@family("distances", "flows near and far share a link",
        lambda row: "a flow has less than a quarter of its share" if row["least"] < 25 else "",
        least=more("least share, %"), far=more("the farthest's share, %"),
        queue=less("mean queue, us"))
def distances(dice):
    count, times = dice.between(2, 8), dice.between(1, 30)
    drawn = draw.net(dice, most=BUDGET // (4 * (SETTLE + JUDGED)), jitter=False)
    near = max(drawn.rtt // times, 4)
    end = 4 * (SETTLE + JUDGED) * drawn.round // 2
    ways = [near + (drawn.rtt - near) * i // (count - 1) for i in range(count)]
    lines = ["switch s", "host r " + " ".join(f"a{i}" for i in range(count)),
             "link r s delay=1us", *(f"link a{i} s delay={max(way // 2 - 1, 1)}us buffer=16MB"
                                     for i, way in enumerate(ways)), *drawn.lines()]
    lines += [f"flow f{i} a{i} -> r size=forever cc=$cc start={dice.below(10) * drawn.round}us"
              for i in range(count)]
    words = f"{count} flows, RTTs {near} to {drawn.rtt} us; {drawn.words()}"
    held = drawn.holds * drawn.mtu
    return Case(words, drawn, scenario("distances", words,
                                f"graph {drawn.keys(rtt=False)} buffer={4 * held}B"
                                f" ecn={max(held // 2, drawn.mtu)}B", lines,
                                f"stop at={end}us", drawn.round),
                judge.shares("r-s:ba", drawn, end // 2, end, far=f"f{count - 1}"))


@family("incast", "many to one, at once",
        lambda row: "unfinished" if row["time"] is None
        else "slower than three times the bound" if row["time"] > 3 else "",
        time=less("completion over the bound"), rtos=less("RTOs a flow"),
        again=less("sent again, %"))
def incast(dice):
    count = dice.spread(8, 256)
    drawn = draw.net(dice, most=600)
    packets = dice.spread(4, max(BUDGET // count, 8))
    buffer = dice.one(("0.25", "0.5", "1", "2", "4", "8", "16"))
    size = packets * drawn.mtu
    lines = drawn.lines() + jitter_of(drawn) + [f"workload incast n={count} to=h1 size={size}B cc=$cc"
                             f" jitter={drawn.round}us"]
    words = f"{count} to 1, {size // 1000} kB each, buffer {buffer} BDP; {drawn.words()}"
    return Case(words, drawn, scenario("incast", words, star(drawn, count + 1, f"{buffer}bdp"), lines,
                                "stop when=done at=10s"), judge.completion)


@family("loss", "a link loses packets at random, or in bursts",
        lambda row: "less than half of what it could carry" if row["kept"] < 50 else "",
        kept=more("goodput of what the link lets through, %"), rtos=less("RTOs a flow"))
def loss(dice):
    drawn = draw.net(dice, most=BUDGET // 300)
    lost = dice.one((1, 3, 10, 30, 100, 300, 1000, 3000, 5000))       # of 100,000
    both = dice.chance(1 / 2)
    burst = dice.one((1, 1, 4, 16))         # packets in a row
    share = f"{lost / 100000:.5f}" + (f",{burst}" if burst > 1 else "")
    lines = drawn.lines() + jitter_of(drawn) + [
        f"link h1-s{'' if both else ':ba'} loss={share}"] + [
        f"flow f{i} h{i + 2} -> h1 size=forever cc=$cc jitter={drawn.round}us"
        for i in range(4)]
    words = f"{lost / 1000:.3f} % lost{f', {burst} in a row' if burst > 1 else ''}" \
        f"{', ACKs too' if both else ''}; {drawn.words()}"
    end = 300 * drawn.round
    return Case(words, drawn, scenario("loss", words, star(drawn, 5), lines, f"stop at={end}us",
                                drawn.round),
                judge.lossy("h1-s:ba", drawn, end // 3, end))


@family("noise", "cards and hosts delay packets at random",
        lambda row: "less than half of the link" if row["used"] < 50 else "",
        used=more("of the link, %"), least=more("least share, %"))
def noise(dice):
    drawn = draw.net(dice, most=BUDGET // (2 * (SETTLE + JUDGED)), jitter=False)
    late = dice.between(0, 30) * drawn.round // 10
    some = dice.chance(1 / 2)
    lines = drawn.lines() + [f"link h{i}-s:ab noise=uniform,{late}us"
                             for i in (range(2, 4) if some else range(2, 6)) if late]
    lines += [f"flow f{i} h{i + 2} -> h1 size=forever cc=$cc jitter={drawn.round}us"
              for i in range(4)]
    words = f"up to {late} us late, {'two hosts' if some else 'all'} of 4; {drawn.words()}"
    end = 2 * (SETTLE + JUDGED) * drawn.round
    return Case(words, drawn, scenario("noise", words, star(drawn, 6), lines, f"stop at={end}us",
                                drawn.round),
                judge.shares("h1-s:ba", drawn, end // 2, end))


@family("rpc", "small requests beside flows without end of the same algorithm",
        lambda row: "a request waits for an RTO" if row["rtos"] else "",
        p99=less("p99 of a response, over an idle network's"), p50=less("the median's"),
        bulk=more("of the link, %"), rtos=less("RTOs of the requests"))
def rpc(dice):
    drawn = draw.net(dice, most=BUDGET // 300)
    size = dice.spread(1, 256)
    bulk = dice.between(1, 8)
    end = 300 * drawn.round
    lines = drawn.lines() + jitter_of(drawn) + [
        f"flow b{i} h{i + 3} -> h1 size=forever cc=$cc jitter={drawn.round}us"
        for i in range(bulk)]
    lines += [f"flow r h2 -> h1 request=100B size={size}KB calls=40 cc=$cc"
              f" start={30 * drawn.round}us"]
    words = f"{size} kB beside {bulk}; {drawn.words()}"
    return Case(words, drawn, scenario("rpc", words, star(drawn, bulk + 2), lines, f"stop at={end}us",
                                drawn.round),
                judge.calls("r", "h1-s:ba", size * NS, drawn))


@family("coexistence", "half of the flows are cubic's or dctcp's",
        lambda row: "starved" if row["share"] < 10 else "",
        share=more("share of an even one, %"), queue=less("mean queue, us"))
def coexistence(dice):
    other, buffer = dice.one(("cubic", "dctcp")), dice.one(("0.5", "1", "2", "4", "8", "16"))
    drawn = draw.net(dice, most=BUDGET // 400)
    each, first = dice.between(1, 4), dice.chance(1 / 2)
    end, later = 400 * drawn.round, 50 * drawn.round
    lines = drawn.lines() + jitter_of(drawn)
    for name, cc, start in (("own", "$cc", later * (not first)),
                            ("other", other, later * first)):
        lines.append(f"flow {name} h[2-9] -> h1 count={each} size=forever cc={cc}"
                     f" start={start}us jitter={drawn.round}us")
    words = f"{each} beside {each} of {other}, {'they' if first else 'others'} first," \
        f" buffer {buffer} BDP; {drawn.words()}"
    return Case(words, drawn, scenario("coexistence", words, star(drawn, 9, f"{buffer}bdp"), lines,
                                f"stop at={end}us", drawn.round),
                judge.beside("own", "h1-s:ba", end // 2, end))


@family("priorities", "the highest level comes to flows of lower ones, and goes",
        lambda row: "the highest has less than half" if row["share"] < 50 else "",
        share=more("share of the highest, %"), takeover=less("base RTTs until it has 90 %"),
        next=more("share of the next one after that, %"),
        back=less("base RTTs until the next one has 90 %"), idle=less("unused, %"))
def priorities(dice):
    levels, rounds = dice.between(2, 8), 100
    each = dice.spread(1, 60 // levels)
    drawn = draw.net(dice, most=BUDGET // (3 * rounds))
    begin, end = rounds * drawn.round, 2 * rounds * drawn.round
    lines = drawn.lines() + jitter_of(drawn) + [
        f"flow low{level} h[2-9] -> h1 count={each} size=forever cc=$cc prio={level}"
        f" jitter={drawn.round}us" for level in range(levels - 1)]
    lines += [f"flow high h[2-9] -> h1 count={each} size=forever cc=$cc prio={levels - 1}"
              f" start={begin}us lasts={end - begin}us"]
    words = f"{levels} levels of {each}; {drawn.words()}"
    return Case(words, drawn, scenario("priorities", words, star(drawn, 9), lines,
                                f"stop at={end + begin}us", drawn.round),
                judge.levels("high", f"low{levels - 2}", "h1-s:ba", drawn, begin, end),
                algorithms=("prioplus", "prioplus_ledbat", "dctcp", "cubic"))


# Words of the topology, its hosts, and the links of the longest way.
MANY_PATHS = (("fattree k=4", 16, 6), ("fattree k=6", 54, 6), ("fattree k=8", 128, 6),
              ("leafspine leaves=4 spines=4 hosts=4", 16, 4))


def until_done(drawn, size):
    """A run's end: who needs fifty times an idle link's time, and ten RTOs, has failed."""
    ideal = size * 8 // (drawn.rate * NS) + drawn.round
    return f"stop when=done at={50 * (ideal + NS)}us"


@family("permutation", "each host sends to another, over many paths",
        lambda row: "unfinished" if row["unfinished"] else "",
        time=less("completion over the ideal"), p99=less("p99 of a flow's slowdown"),
        rtos=less("RTOs a flow"),
        unfinished=less("unfinished flows"))
def permutation(dice):
    shape, hosts, hops = dice.one(MANY_PATHS)
    drawn = draw.net(dice, most=600, jitter=False, hops=hops)
    packets = dice.spread(16, BUDGET // 2 // hops // hosts)
    elephants = dice.one((0, 2, hosts // 8))
    whose = dice.one(("$cc", "cubic", "dctcp"))
    ecn = dice.chance(3 / 4)
    size = packets * drawn.mtu
    lines = drawn.lines() + [f"host * sysctl net.ipv4.tcp_ecn={int(ecn)}"]
    lines += [f"workload permutation size={size}B cc=$cc elephants={elephants}"
              f" elephant_cc={whose}"]
    words = f"{shape}, {size // 1000} kB, {elephants} elephants of {whose.strip('$')}," \
        f" ECN {'on' if ecn else 'off'}; {drawn.words()}"
    return Case(words, drawn, scenario("permutation", words,
                                f"{shape} {drawn.keys()} buffer=4bdp ecn={draw.MARKS}", lines,
                                until_done(drawn, size)), judge.completion, sprayed=True)


@family("degraded", "the same, one spine's links slower, lossy, longer, or down at times",
        lambda row: "unfinished" if row["unfinished"] else "",
        time=less("completion over the ideal of whole links"),
        p99=less("p99 of a flow's slowdown"),
        rtos=less("RTOs a flow"), unfinished=less("unfinished flows"))
def degraded(dice):
    drawn = draw.net(dice, most=600, jitter=False, hops=4)
    size = dice.spread(64, BUDGET // 64) * drawn.mtu
    kind = dice.one(("slow", "lossy", "down", "flapping", "longer"))
    bad = {"slow": f"rate={drawn.rate * 1000 // dice.one((2, 4, 10))}Mbps",
           "lossy": f"loss={dice.one((1, 3, 10, 30)) / 1000:.3f}",
           "longer": f"delay={drawn.rtt // 4 + dice.between(1, drawn.rtt)}us"}
    links = [f"leaf{leaf}-spine1" for leaf in range(1, 5)]
    downs = {"down": ((0, 5000),), "flapping": tuple((n * 2000, 1000) for n in range(5))}
    lines = [f"link {name} {bad[kind]}" for name in links if kind in bad]
    for after, lasts in downs.get(kind, ()):
        begin = 10 * drawn.round + after
        lines += [f"at {at}us link {name} {how}" for name in links
                  for at, how in ((begin, "down"), (begin + lasts, "up"))]
    lines = drawn.lines() + lines + [f"workload permutation size={size}B cc=$cc"]
    words = f"{bad.get(kind, kind)}, {size // 1000} kB; {drawn.words()}"
    return Case(words, drawn, scenario("degraded", words, "leafspine leaves=4 spines=4 hosts=4"
                                f" {drawn.keys()} buffer=4bdp ecn={draw.MARKS}", lines,
                                until_done(drawn, size)), judge.completion, sprayed=True)


@family("workload", "flows of published sizes arrive at random",
        lambda row: "unfinished" if row["unfinished"] else "",
        small=less("p99 slowdown, up to 150 kB"), mean=less("mean slowdown"),
        large=less("mean, above 1 MB"),
        rtos=less("RTOs a flow"), unfinished=less("unfinished flows"))
def workload(dice):
    drawn = draw.net(dice, most=300, least=16, jitter=False, hops=4)
    sizes, load = dice.one(published.named()), dice.between(30, 90)
    spines = dice.one((2, 4))
    # All links of the hosts at once: the budget's bytes, or so many flows of the mean size
    mean = published.load(sizes, ".").mean() * 100 / load
    until = int(min(BUDGET * 4 // 3 * drawn.mtu, ARRIVALS * mean) * 8 // (drawn.rate * NS * 16))
    lines = drawn.lines() + [f"workload poisson sizes={sizes} load={load}% until={until}us"
                             f" cc=$cc warm={NS + 4 * drawn.round}us", "sizegroups 150KB 1MB"]
    words = f"{sizes} at {load} %, {'1:1' if spines == 4 else '2:1'}; {drawn.words()}"
    return Case(words, drawn, scenario("workload", words, f"leafspine leaves=4 spines={spines} hosts=4"
                                f" {drawn.keys()} buffer=4bdp ecn={draw.MARKS}", lines,
                                f"stop when=done at={30 * until + 50 * NS}us"),
                judge.by_size, sprayed=True)
