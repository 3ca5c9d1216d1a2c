# SPDX-License-Identifier: GPL-2.0
"""The demo's report: what was measured, drawn and told in plain words."""

from html import escape

import sprayed
from lablib import page, report
from lablib.plot import ALGORITHM_COLORS, MODEL_COLOR, Curve, Plot

TITLE = "One slow path among many: who keeps the throughput?"
STACK_NAMES = {
    "linux": "Linux as it is",
    "textbook": "Textbook TCP (no RACK, no DSACK undo)",
}
FREE_X = 1 / 128                # where q = 0 stands on a logarithmic axis
RATES = (0.1, 0.2, 0.5, 1, 2, 5, 10)   # ticks, Gbps
SLOW = 0.5                      # less is shown where somebody has less
WAIT_FLOOR = 0.05               # us; no delay at all has no logarithm
WAITS = (WAIT_FLOOR, 0.1, 1, 10, 100, 1000)     # ticks, us
LINE_DIGITS = 1                 # of a share of the line, in %
OURS = ("mswift", "lswift", "swift")
BOLD, PLAIN = 3.2, 1.8
SHOWN_PATHS = 16                # the q = 1/16 of the curves over time
# curves over time: (stack, algorithm, what the legend says)
SHOWN = (("linux", "mswift", "mswift"), ("linux", "lswift", "lswift"),
         ("textbook", "cubic", "cubic, textbook TCP"))
MODEL_LABEL = "Table I of the paper"
MODEL_STEPS = 24
REPOSITORY_COMMAND = ("tools/lab/lab run tools/demo/sprayed.lab"
                      " --set cc=lswift --set n=16")


def counts(points):
    """The numbers of paths that were run: 0 first, then from many to few."""
    return sorted({case.paths for case in points}, key=lambda n: 1 / n if n else 0)


def late_points(points, stack, name):
    """An algorithm's points with a longer path."""
    return [point for case, point in points.items()
            if (case.stack, case.cc) == (stack, name) and case.paths]


def shown_paths(points):
    """The number of paths of the curves over time: 16, or the next there is."""
    return min((count for count in counts(points) if count),
               key=lambda count: abs(count - SHOWN_PATHS))


# The drawing of the network

_PATHS_DRAWN = 5
_SLOW = 3                       # which of them is the longer one
_LINE = "fill='none' stroke='{}' stroke-width='{}'"


def _box(x, y, text, under):
    return (f"<rect x='{x - 24}' y='{y - 19}' width='48' height='38' rx='8'"
            " fill='var(--card)' stroke='var(--ink)' stroke-width='1.6'/>"
            f"<text x='{x}' y='{y + 6}' text-anchor='middle' font-size='17'"
            f" fill='var(--strong)'>{text}</text>"
            f"<text x='{x}' y='{y + 38}' text-anchor='middle' font-size='13'"
            f" fill='var(--soft)'>{under}</text>")


def _path(number):
    """One of the parallel paths; the slow one makes a detour."""
    y = 40 + 42 * number
    slow = number == _SLOW
    color, width = ("var(--bad)", 3) if slow else ("var(--c2)", 1.8)
    middle = (f"C270 {y} 262 {y + 16} 286 {y}S302 {y - 16} 318 {y}"
              f"S334 {y + 16} 350 {y}S360 {y} 370 {y}") if slow else f"L370 {y}"
    d = f"M184 124C225 124 215 {y} 260 {y}{middle}C415 {y} 405 124 446 124"
    return f"<path d='{d}' {_LINE.format(color, width)}/>"


def network():
    """The topology as a small picture."""
    parts = [f"<path d='M64 124H136M494 124H566' {_LINE.format('var(--ink)', 2)}/>"]
    parts += [_path(number) for number in range(_PATHS_DRAWN)]
    parts += [_box(40, 124, "a", "sender"), _box(160, 124, "s1", "sprays"),
              _box(470, 124, "s2", "collects"), _box(590, 124, "b", "receiver")]
    slow_y = 40 + 42 * _SLOW
    notes = [(315, 26, "n equal paths, 10 Gbps each, 120 us there and back", "soft"),
             (315, slow_y + 30, "one path: +100 us", "bad")]
    parts += [f"<text x='{x}' y='{y}' text-anchor='middle' font-size='14'"
              f" fill='var(--{color})'>{text}</text>" for x, y, text, color in notes]
    return ("<svg viewBox='0 0 630 236' role='img' font-family='sans-serif'"
            " aria-label='A sender, a switch that sprays over n paths, one of them"
            " longer, a switch that collects, a receiver'>" + "".join(parts)
            + "</svg>")


# Plots over q

def _x(case_q):
    return case_q or FREE_X


def _curve(points, stack, name, value):
    """One algorithm's curve over q."""
    found = [(_x(case.q), value(point)) for case, point in points.items()
             if (case.stack, case.cc) == (stack, name)]
    return Curve(name, sorted(found), ALGORITHM_COLORS[name], marks=True,
                 width=BOLD if name == "mswift" else PLAIN)


def _model(low, high):
    """The curve of Table I; Swift's is 0.4 % above TCP's, so one stands for both."""
    steps = [low * (high / low) ** (step / MODEL_STEPS)
             for step in range(MODEL_STEPS + 1)]
    return Curve(MODEL_LABEL, [(q, sprayed.table_one("tcp", q) / 1e9)
                               for q in steps], MODEL_COLOR, dashed=True)


def _over_q(points, stack, value, unit, ticks):
    qs = [1 / count for count in counts(points) if count]
    curves = [_curve(points, stack, name, value)
              for name in reversed(sprayed.STACKS[stack][1])]
    labels = [("q = 0", FREE_X)] + [(f"1/{count}", 1 / count)
                                    for count in counts(points) if count]
    return qs, Plot("share q of packets that come late", unit, curves,
                    height=360, log_x=True, log_y=True,
                    x_range=(FREE_X / 1.2, max(qs) * 1.2), x_ticks=labels,
                    y_ticks=[(f"{tick:g}" if tick > WAIT_FLOOR else "0", tick)
                             for tick in ticks])


def rate_plot(points, stack):
    """Throughput over q, with the curves of Table I."""
    qs, plot = _over_q(points, stack, lambda point: point.goodput / 1e9, "Gbps",
                       RATES)
    least = min((rate for curve in plot.curves for _, rate in curve.points if rate > 0),
                default=SLOW)
    plot.y_range = (min(SLOW, least / 1.25), RATES[-1] * 1.25)
    plot.curves.append(_model(min(qs), max(qs)))
    return plot


def wait_plot(points, stack):
    """Queueing delay over q."""
    plot = _over_q(points, stack, lambda point: max(point.wait / 1e3, WAIT_FLOOR),
                   "us", WAITS)[1]
    longest = max(y for curve in plot.curves for _, y in curve.points)
    plot.y_range = (WAIT_FLOOR, max(2 * WAITS[-1], 1.25 * longest))
    return plot


# Curves over time

def time_plots(points):
    """Throughput and window of a few algorithms over time."""
    rates, windows = [], []
    for stack, name, label in SHOWN:
        point = points[sprayed.Case(stack, name, shown_paths(points))]
        track = report.read_series(point.folder, "flows", report.FLOW_COLUMNS)["f1"]
        for curves, kind in ((rates, "throughput"), (windows, "window")):
            curves.append(Curve(label, report.FLOW_PLOTS[kind][1](track),
                                ALGORITHM_COLORS[name]))
    return Plot("time (ms)", "Gbps", rates), Plot("time (ms)", "packets", windows)


# Words

def percent(share, digits=0):
    """0.364 -> '36 %', with one digit '36.4 %'."""
    return f"{100 * share:.{digits}f} %"


def above_the_line(points):
    """Does a table say that more than the line can carry arrived?"""
    return any(round(point.share, LINE_DIGITS + 2) > 1 for point in points.values())


def gbps(rate):
    """9128000000 -> '9.13 Gbps': the same digits for all of a column."""
    return f"{rate / 1e9:.2f} Gbps"


def micros(wait):
    """14130 -> '14.1 us': the same digits for all of a column."""
    return f"{wait / 1e3:.1f} us"


def listed(names):
    """['a', 'b', 'c'] -> 'a, b and c'."""
    names = list(names)
    return " and ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names) or "none"


def span_of(values, show):
    """'98 to 100 %': the least and the most of some values, as shown."""
    low, high = show(min(values)), show(max(values))
    return low if low == high else f"{low.rpartition(' ')[0]} to {high}"


def worst_kept(points, stack, name):
    """The least of its throughput that an algorithm keeps at any q."""
    return min(sprayed.kept(points, case) for case in points
               if (case.stack, case.cc) == (stack, name) and case.paths)


def worst_wait(points, stack, name):
    """Its longest mean queueing delay with a longer path, ns."""
    return max(point.wait for point in late_points(points, stack, name))


def split(names, holds):
    """(those for which it holds, the others)."""
    return [name for name in names if holds(name)], [name for name in names if not holds(name)]


def lead(points):
    """The result in a few sentences, from what was measured."""
    count = shown_paths(points)
    def share(name, stack="linux"):
        return sprayed.kept(points, sprayed.Case(stack, name, count))
    stock = [name for name in sprayed.STACKS["linux"][1] if name not in OURS]
    return (f"When one of {count} equal paths is 100 us longer, Swift keeps"
            f" {percent(share('swift'))} of its throughput, Swift made tolerant of"
            f" reordering (lswift) {percent(share('lswift'))}, textbook cubic"
            f" {percent(share('cubic', 'textbook'))}, mswift {percent(share('mswift'))}. On"
            f" Linux as it is {listed(stock)} keep"
            f" {span_of([share(name) for name in stock], percent)} here; their packets wait"
            f" {span_of([worst_wait(points, 'linux', name) for name in stock], micros)} in queues"
            f" (each at its worst q), mswift's {micros(worst_wait(points, 'linux', 'mswift'))},"
            f" swift's {micros(worst_wait(points, 'linux', 'swift'))}. No link is"
            " overloaded in any of these runs: what is lost is lost to the senders'"
            " own reaction.")


def rates_caption(points, stack):
    """What the picture of throughputs shows, by name."""
    stay, fall = split(sprayed.STACKS[stack][1],
                       lambda name: worst_kept(points, stack, name) >= sprayed.KEPT_SHARE)
    return (f"{CAPTIONS[stack]} Up at every q: {listed(stay)}. Falling by more than"
            f" {percent(1 - sprayed.KEPT_SHARE)} at some: {listed(fall)}.")


def wait_caption(points):
    """What the picture of delays shows, by name."""
    high, low = split(sprayed.STACKS["linux"][1], lambda name: max(
        point.wait for case, point in points.items()
        if (case.stack, case.cc) == ("linux", name)) > sprayed.BASE_RTT * 1e9)
    return (f"{CAPTIONS['wait']} {listed(high)} keep a queue of more than a round trip"
            f" ({micros(sprayed.BASE_RTT * 1e9)}) at some q; {listed(low)} never do.")


WHY = (
    "A datacenter network has many equal paths. Spraying sends each packet of a flow"
    " over another one, so that no path fills up while others are idle. But as soon"
    " as a few paths are slow, a few packets come late, and a sender that takes each"
    " late packet for congestion slows down again and again.",
    "Between two such reactions it can send 1/q packets, and its window grows by a"
    " packet per round trip; so its throughput falls like 1/sqrt(q): even one path"
    " in a hundred can cost most of it. The dashed line is that rule as the paper's Table"
    " I states it: MSS / RTT x 1.22 / sqrt(q) for TCP, the same as an upper bound for"
    " DCTCP, and within 0.4 % the same for Swift (max_mdf = 0.5, ai = 1). For"
    " reordering-tolerant Swift the paper has the slope but no constant.",
    "mswift takes the median of the delays of recent packets instead of each one."
    " A minority of slow paths does not move the median; a majority does.")

CAPTIONS = {
    "linux": "Both axes are logarithmic; q = 0 (no longer path) stands at the left."
    " Flat at the top is good. The dashed line is the paper's. Today's Linux"
    " waits longer before it calls a late packet lost, and takes wrong reductions"
    " back. What it costs is in the next picture.",
    "textbook": "The same network with the TCP that the paper's Table I describes:"
    " three duplicate ACKs are a loss, and no reduction is taken back.",
    "wait": "Mean time that a packet waits in queues on its way there, logarithmic;"
    " what waits less than 0.05 us, or not at all, stands at 0. The flow has the network"
    " to itself, so every microsecond is of its own making. Nearly all of it is spent in"
    " the sending host, whose own queue marks nothing and holds 1000 packets, as Linux has"
    " it.",
    "rates": "Payload that arrived, in order. When a late packet fills a gap, all"
    " that waited for it counts at once: hence values above the line's 10 Gbps.",
    "windows": "How many packets the sender may have on their way. The line needs"
    " about 37; below that it idles.",
}


def result_table(points, stack):
    """A row per algorithm: throughput per q, delay, needless retransmissions."""
    some = counts(points)
    head = ["algorithm"] + ["q = " + sprayed.Case(stack, "", count).q_text
                            for count in some]
    head += ["queueing delay, q = 0", "worst at q > 0",
             "needless retrans., worst"]
    rows = []
    for name in sprayed.STACKS[stack][1]:
        row = [name]
        for count in some:
            case = sprayed.Case(stack, name, count)
            kept = sprayed.kept(points, case)
            own = f" ({percent(kept)})" if count else ""
            look = "bad" if count and kept < sprayed.KEPT_SHARE else ""
            row.append(page.cell(f"{percent(points[case].share)}{own}", look,
                                 points[case].share))
        late = late_points(points, stack, name)
        row += [micros(points[sprayed.Case(stack, name, 0)].wait),
                micros(worst_wait(points, stack, name)),
                percent(max(point.needless for point in late), 2)]
        rows.append(row)
    return page.table(head, rows)


def verdict(points):
    """Whether mswift kept what it promises."""
    broken = sprayed.broken_promises(points)
    if broken:
        return page.paragraph("mswift does not keep its promise: "
                              + ", ".join(f"{case.stack}, q = {case.q_text}:"
                                          f" {percent(sprayed.kept(points, case))}"
                                          for case in broken), "bad")
    worst = min(sprayed.kept(points, case) for case in points
                if case.cc == "mswift")
    return page.paragraph(f"mswift kept at least {percent(worst)} of its throughput"
                          f" in every run (wanted: {percent(sprayed.KEPT_SHARE)}).",
                          "good")


def curves_over_time(points):
    """The section with the curves over time."""
    rates, windows = time_plots(points)
    count = shown_paths(points)
    return (page.heading(f"The same over time, q = 1/{count}")
            + page.grid([page.figure("Throughput", rates, CAPTIONS["rates"]),
                         page.figure("Window", windows, CAPTIONS["windows"])]))


def how(points, span, seed):
    """What was run, and how to run it again."""
    first = next(iter(points.values())).folder
    run = report.read_run(first)
    text = (f"{len(points)} runs of the real Linux TCP stack in User Mode Linux with"
            f" virtual time (lab kernel {run.result['kernel']}, seed {seed}):"
            f" one long flow, packets of 4 KB, {span[1]} ms each, measured from"
            f" {span[0]} ms on. Buffers of 4 BDP, ECN marks from half a BDP."
            " Percentages are of the payload the line can carry; those in brackets"
            " of the same algorithm's throughput at q = 0. Retransmissions are"
            " needless when no link had dropped the packet.")
    return (page.heading("What was run") + page.paragraph(text)
            + f"<p>One run by hand: <code>{escape(REPOSITORY_COMMAND)}</code></p>\n"
            + page.fold("The scenario's text", sprayed.SCENARIO.read_text(
                encoding="utf-8")))


def body(points, span, seed, second_scene):
    """The whole report; the second scene is HTML of its own."""
    html = f"<h1>{escape(TITLE)}</h1>\n" + page.paragraph(lead(points), "lead")
    html += verdict(points)
    html += page.picture_figure(
        "The network", network(), "One flow from a to b. The switch s1 sends each"
        " packet over the path that the packet's label hashes to. q = 1/n of the"
        " packets take the longer path.", wide=True)
    html += page.heading("Why it happens") + "".join(map(page.paragraph, WHY))
    html += page.heading("Throughput")
    html += page.grid([page.figure(STACK_NAMES[stack], rate_plot(points, stack),
                                   rates_caption(points, stack)) for stack in sprayed.STACKS])
    html += page.heading("Queueing delay") + page.figure(
        STACK_NAMES["linux"], wait_plot(points, "linux"), wait_caption(points), wide=True)
    html += curves_over_time(points)
    html += second_scene
    for stack in sprayed.STACKS:
        html += page.heading(f"In numbers: {STACK_NAMES[stack]}")
        html += result_table(points, stack)
    return html + how(points, span, seed)
