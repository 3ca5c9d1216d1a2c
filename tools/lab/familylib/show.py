# SPDX-License-Identifier: GPL-2.0
"""Tables, CSV and a page of what families measured."""

import csv
import statistics

from lablib import cli, page, plot, report

from . import catalogue, why

DECILE = 10
WORST = 10                      # draws that the page names
HEADER = ("algorithm", "draws", "median", "worst decile", "worst", "its seed", "failed")


def _value(text):
    return "-" if text is None else f"{text:.4g}"


def _cell(row, name):
    """Of a CSV: empty where something did not end, "none" where nothing was to judge."""
    if name not in row:
        return "none"
    return "" if row[name] is None else f"{row[name]:.6g}"


class Results:
    """What one family measured: {algorithm: {seed: row}}; the page wants facts, too."""

    def __init__(self, family, found, facts=None):
        self.family = catalogue.FAMILIES[family]
        self.found = found
        self.facts = facts

    def values(self, algorithm, column):
        """[(value, seed)], from the best to the worst; what did not end is last.

        A draw whose row has no such column has nothing to judge there.
        """
        rows = [(row[column], seed) for seed, row in self.found[algorithm].items()
                if column in row]
        best_first = self.family.columns[column].worst is max
        none = float("inf") if best_first else float("-inf")
        return sorted(rows, key=lambda pair: none if pair[0] is None else pair[0],
                      reverse=not best_first)

    def failed(self, algorithm):
        """{seed: why} of the draws that failed."""
        whys = {seed: self.family.fails(row) for seed, row in self.found[algorithm].items()}
        return {seed: why for seed, why in whys.items() if why}

    def rows(self, column):
        """A line for each algorithm."""
        lines = []
        for algorithm, found in self.found.items():
            values = self.values(algorithm, column)
            if not values:
                continue
            numbers = [value for value, _ in values]
            middle = numbers[len(numbers) // 2]
            if len(numbers) % 2 == 0 and None not in numbers:
                middle = statistics.median(numbers)
            worst, seed = values[-1]
            lines.append((algorithm, str(len(found)), _value(middle),
                          _value(numbers[-(-len(numbers) * (DECILE - 1) // DECILE) - 1]),
                          _value(worst), str(seed), str(len(self.failed(algorithm)))))
        return lines

    def write_csv(self, path):
        """Every draw by every algorithm."""
        with path.open("w", encoding="utf-8", newline="") as out:
            writer = csv.writer(out, lineterminator="\n")
            writer.writerow(("algorithm", "seed", *self.family.columns, "failed", "drawn"))
            for algorithm, found in self.found.items():
                for seed, row in sorted(found.items()):
                    writer.writerow((algorithm, seed,
                                     *(_cell(row, name) for name in self.family.columns),
                                     self.family.fails(row), self.family.make(seed).words))


def print_results(results, out):
    """The tables of a family."""
    family = results.family
    print(f"\n{family.name}: {family.says}", file=out)
    for name, column in family.columns.items():
        print(f"{column.label}:", file=out)
        cli.table([HEADER, *results.rows(name)], out)


def _picture(results, column):
    """A curve for each algorithm: the share of draws that are as good."""
    curves = []
    for number, algorithm in enumerate(results.found):
        values = [value for value, _ in results.values(algorithm, column) if value is not None]
        if values:
            curves.append(plot.Curve(algorithm, report.distribution(
                values, len(results.found[algorithm])), color=number % len(plot.PALETTE),
                steps=True))
    drawn = report.cdf_plot(curves, results.family.columns[column].label)
    drawn.y = "share of draws"
    return page.figure(results.family.columns[column].label, drawn, "")


def _worst(results):
    """The worst draws of each algorithm."""
    column = results.family.verdict
    rows = []
    for algorithm in results.found:
        for value, seed in reversed(results.values(algorithm, column)[-WORST:]):
            rows.append((algorithm, page.cell(str(seed), "left"), _value(value),
                         page.cell(results.family.make(seed).words, "text"),
                         page.cell(why.sentence(results.facts[algorithm][seed]), "text")))
    return rows


def _section(results):
    family = results.family
    html = page.heading(f"{family.name}: {family.says}", family.name)
    html += page.grid(_picture(results, name) for name in family.columns)
    for name, column in family.columns.items():
        html += page.paragraph(column.label, "lead") + page.table(HEADER, results.rows(name))
    said = f"The worst {WORST} draws of each algorithm, by" \
        f" {family.columns[family.verdict].label}, and their causes;" \
        f" families show {family.name} SEED prints one."
    return html + page.folded(said, page.table(("algorithm", "seed", "value", "drawn", "cause"),
                                               _worst(results)))


def write_page(all_results, folder, intro):
    """index.html and a CSV for each family."""
    html = "<h1>Families of random networks</h1>\n"
    html += "".join(page.paragraph(text) for text in intro)
    html += page.contents(results.family.name for results in all_results)
    for results in all_results:
        results.write_csv(folder / f"{results.family.name}.csv")
        html += _section(results)
    path = folder / "index.html"
    path.write_text(page.document("Families of random networks", html), encoding="utf-8")
    return path
