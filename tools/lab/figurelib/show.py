# SPDX-License-Identifier: GPL-2.0
"""Tables, CSV, pictures and the page of figures that were run."""

import csv
import statistics

from lablib import cli, page, plot, report
from lablib.expect import aggregate

from . import paper
from .catalogue import PAPER_BALANCERS

# One colour for a bar in every picture; what is not here takes the rest in turn. The
# variants of mswift stand in a picture without those whose colours they have.
COLORS = {**plot.ALGORITHM_COLORS, "mswift-p10": 5, "mswift-p90": 6}
CAPTION = "Lines: standard error of the mean. Points: the paper's bars, where known."
HEADER = ("balancer", "algorithm", "seeds", "CCT above the bound, %", "min to max",
          "paper's (128 hosts)", "median FCT, ms", "99th", "wait, us", "sent again", "needlessly",
          "RTOs", "drops", "marks", "s")
CSV_HEADER = ("figure", "balancer", "bar", "seed", "inflation_percent",
              "paper_percent", "fct_median_ms", "fct_p99_ms", "wait_us", "packets",
              "retrans", "spurious", "rto", "drops", "marks", "wall_s", "run")


def standard_error(values):
    """Of the mean, as the paper's error bars; 0 of a single value."""
    if len(values) < 2:
        return 0.0
    return statistics.stdev(values) / len(values) ** 0.5


def mean_and_error(values):
    """'15.7 +- 0.5'; a single value has no error."""
    mean = f"{statistics.fmean(values):.1f}"
    return f"{mean} +- {standard_error(values):.1f}" if len(values) > 1 else mean


def balancer_name(name):
    """'oblivious (OPS)'; selectors that the paper does not have go by their own name."""
    return f"{name} ({PAPER_BALANCERS[name]})" if name in PAPER_BALANCERS else name


class Shown:
    """One figure with what was measured for it: {case: {seed: Point}}."""

    def __init__(self, figure, cases, points, scale):
        self.figure = figure
        self.title = figure.heading(scale)
        self.found = {case: points[case] for case in cases if points[case]}
        self.bars = paper.read_bars()

    def paper(self, case):
        """The paper's bar, or None: it had 128 hosts."""
        number = 4 if self.figure.number in (5, 12) else self.figure.number
        return self.bars.get((number, case.balancer, case.bar))

    def row(self, case):
        """One line of the table: means over the seeds."""
        points = list(self.found[case].values())
        inflation = [point.inflation for point in points]
        said = self.paper(case)

        def mean(read):
            return statistics.fmean(read(point) for point in points)
        return (balancer_name(case.balancer), case.bar, str(len(points)),
                mean_and_error(inflation),
                f"{min(inflation):.1f} to {max(inflation):.1f}",
                "-" if said is None else f"{said:g}",
                f"{mean(lambda p: aggregate('p50', p.fct)):.2f}",
                f"{mean(lambda p: aggregate('p99', p.fct)):.2f}",
                f"{mean(lambda p: p.wait):.0f}",
                f"{mean(lambda p: p.retrans / p.packets):.3%}",
                f"{mean(lambda p: p.spurious / p.packets):.3%}",
                f"{mean(lambda p: p.rto):.1f}", f"{mean(lambda p: p.drops):.0f}",
                f"{mean(lambda p: p.marks):.0f}", f"{mean(lambda p: p.wall):.0f}")

    def rows(self):
        """The table without its head."""
        return [self.row(case) for case in self.found]

    def write_csv(self, path):
        """A line for each run."""
        with path.open("w", encoding="utf-8", errors="surrogateescape", newline="") as out:
            writer = csv.writer(out)
            writer.writerow(CSV_HEADER)
            for case, found in self.found.items():
                for seed, p in found.items():
                    writer.writerow((
                        self.figure.number, case.balancer, case.bar, seed,
                        f"{p.inflation:.3f}", self.paper(case), f"{aggregate('p50', p.fct):.4f}",
                        f"{aggregate('p99', p.fct):.4f}", f"{p.wait:.1f}", p.packets,
                        p.retrans, p.spurious, p.rto, p.drops, p.marks, p.wall, p.folder))

    def colors(self):
        """{bar: index of a colour}, in the order of the table."""
        rest = [index for index in range(len(plot.PALETTE)) if index not in COLORS.values()]
        names = dict.fromkeys(case.bar for case in self.found)
        return {name: COLORS.get(name, rest[number % len(rest)])
                for number, name in enumerate(names)}

    def balancers(self):
        """Those that were run."""
        return list(dict.fromkeys(case.balancer for case in self.found))

    def picture_of_bars(self):
        """A bar for each algorithm, a group for each balancer; the paper's as points."""
        values, others = {}, {}
        for case, found in self.found.items():
            key = balancer_name(case.balancer), case.bar
            inflation = [point.inflation for point in found.values()]
            values[key] = statistics.fmean(inflation), standard_error(inflation)
            if self.paper(case) is not None:
                others[key] = self.paper(case)
        return plot.Bars("CCT above the zero-queue bound, %",
                         [balancer_name(name) for name in self.balancers()],
                         self.colors(), values, others, "the paper's")

    def picture_of_times(self, balancer):
        """Completion times of all flows of all seeds, a curve for each algorithm."""
        curves = [plot.Curve(case.bar, report.distribution(
            [value for point in found.values() for value in point.fct]),
            color=self.colors()[case.bar], steps=True)
            for case, found in self.found.items() if case.balancer == balancer]
        return report.cdf_plot(curves, "flow completion time, ms")

    def pictures(self):
        """[(name of the file, title, svg, legend's curves)]."""
        number, title = self.figure.number, self.title
        if self.figure.distribution:
            return [(f"figure{number}-{balancer}.svg", f"{title}: {balancer_name(balancer)}",
                     plot.svg(drawn, title), drawn.drawn())
                    for balancer in self.balancers()
                    for drawn in [self.picture_of_times(balancer)]]
        bars = self.picture_of_bars()
        names = [plot.Curve(name, [], color=color) for name, color in bars.names.items()]
        return [(f"figure{number}.svg", title, plot.bars_svg(bars, title), names)]


def differences(shown, measured):
    """What the paper says of a figure, and whether it is so here; plain sentences."""
    for case, found in shown.found.items():
        said = shown.paper(case)
        if said is not None and not shown.figure.distribution:
            ours = statistics.fmean(point.inflation for point in found.values())
            yield (f"{case.bar}, {balancer_name(case.balancer)}: {ours:.1f} %, the paper's"
                   f" {said:g} %: {ours / said:.2f} times it", None)
    for statement, verdict in paper.judged(shown.figure.number, measured):
        text = f"\"{statement.text}\": {'yes' if verdict.holds else 'no'} ({verdict.ours})"
        yield text if verdict.holds else f"{text}; {statement.why}", verdict.holds


def print_figure(shown, measured, out):
    """The figure as text."""
    print(f"\nFigure {shown.figure.number}. {shown.title}", file=out)
    if not shown.found:
        print("  nothing was run", file=out)
        return
    cli.table([HEADER, *shown.rows()], out)
    for text, _ in differences(shown, measured):
        print(f"  {text}", file=out)


def section(shown, measured, folder):
    """The figure's part of the page; its pictures and table are written, too."""
    number = shown.figure.number
    shown.write_csv(folder / f"figure{number}.csv")
    html = page.heading(f"Figure {number}. {shown.title}")
    parts = []
    for name, title, svg, curves in shown.pictures():
        (folder / name).write_text(svg, encoding="utf-8")
        parts.append(page.picture_figure(title, svg + page.legend(curves),
                                         "" if shown.figure.distribution else CAPTION))
    html += page.grid(parts) if len(parts) > 1 else "".join(parts)
    html += page.table(HEADER, shown.rows())
    rows = [(page.cell("" if holds is None else "yes" if holds else "no",
                       "" if holds is None else "good" if holds else "bad"), text)
            for text, holds in differences(shown, measured)]
    return html + page.table(("", "beside the paper"), [
        (str(place), row[0], page.cell(row[1], "left")) for place, row in
        enumerate(rows, 1)]) if rows else html


def write_page(all_shown, measured, failed, folder, intro):
    """index.html, with all that belongs to it."""
    html = "<h1>The MSwift paper's evaluation, on Linux</h1>\n"
    html += "".join(page.paragraph(text) for text in intro)
    for text in failed:
        html += page.paragraph(f"failed: {text}", "bad")
    for shown in all_shown:
        if shown.found:
            html += section(shown, measured, folder)
    path = folder / "index.html"
    path.write_text(page.document("The MSwift paper's evaluation", html), encoding="utf-8")
    return path
