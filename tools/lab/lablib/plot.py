# SPDX-License-Identifier: GPL-2.0
"""Plots: gnuplot draws them, as SVG that takes its colours from the page.

gnuplot's own SVG has fixed colours and ids that clash when several pictures
stand in one page. Here every colour becomes a CSS variable, with the colour of
a light page as fallback so that a picture also stands alone, and the points
are drawn in place, so that no id is left.
"""

import math
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from html import escape

from .errors import LabError

PROGRAM, PACKAGE = "gnuplot", "gnuplot-nox"
PATIENCE_S = 60                 # no plot takes longer
FONT_SIZE = 14
MARGIN = 1.06                   # free space above the highest value

# Colours of the curves on a light page; the page names them --c0, --c1, ...
PALETTE = ("#2563c9", "#c2560a", "#1b8a4a", "#8a3fc0", "#c5283d", "#0b7f8f",
           "#8a6d00", "#5a6270", "#e0409c", "#1a1f70", "#7a0f4f", "#3d92e8",
           "#5e2f0d", "#7a9a10")
# One colour for an algorithm, in every picture; the .gp files have the same.
ALGORITHM_COLORS = {"mswift": 0, "swift": 1, "cubic": 2, "bbr": 3, "lswift": 4, "dctcp": 5,
                    "reno": 6, "nscc": 8, "oscar": 9, "mnscc": 10, "prioplus": 11,
                    "prioplus_ledbat": 12, "ledbat": 13}
MODEL_COLOR = 7
CURVES_MOST = 8                 # what has no colour of its own takes the first ones
INK, FAINT = "#333a45", "#dfe3e9"
THEME = {**{color: f"--c{number}" for number, color in enumerate(PALETTE)},
         INK: "--ink", FAINT: "--faint"}

# gnuplot's number of a point's shape -> a path around (0, 0)
SHAPES = {
    7: "M-1,0a1,1 0 1,0 2,0a1,1 0 1,0 -2,0z",
    5: "M-.9-.9h1.8v1.8h-1.8z",
    9: "M0-1.3L1.2.8L-1.2.8z",
    13: "M0-1.35L1.35 0L0 1.35L-1.35 0z",
    11: "M0 1.3L1.2-.8L-1.2-.8z",
}
SHAPE_NUMBERS = tuple(SHAPES)

_RGB = re.compile(r"rgb\(\s*(\d+),\s*(\d+),\s*(\d+)\)")
_POINT = re.compile(r"<use xlink:href='#gpPt(\d+)' transform='translate\("
                    r"([-\d.]+),([-\d.]+)\) scale\(([\d.]+)\)' color='([^']*)'/>")
_EMPTY = re.compile(r"<g [^>]*>\s*</g>\s*")
_NAME = re.compile(r"<title>gnuplot_plot_(\d+)</title>")
# what is so anyway, or names what is not there any more
_NEEDLESS = re.compile(r' (?:color="\w+"|stroke-linecap="butt"|font-family="[^"]*"'
                       r'|stroke-linejoin="miter"|stroke-width="1\.00"|id="[^"]*"'
                       r'|class="gridline")')
_STANDALONE = "xmlns='http://www.w3.org/2000/svg'"


@dataclass
class Curve:
    """One curve: its name, its points, how it is drawn."""

    label: str
    points: list                # (x, y) pairs, in order of x
    color: int = 0              # index of PALETTE
    marks: bool = False         # a shape at every point
    dots: bool = False          # and no line
    dashed: bool = False        # a model, a limit
    steps: bool = False         # a distribution
    width: float = 1.8

    @property
    def shape(self):
        """gnuplot's number of the point shape of this colour."""
        return SHAPE_NUMBERS[self.color % len(SHAPE_NUMBERS)]


@dataclass
class Plot:
    """A diagram: axes and curves."""

    x: str
    y: str
    curves: list = field(default_factory=list)
    width: int = 480
    height: int = 320
    log_x: bool = False
    log_y: bool = False
    x_range: tuple = None       # (low, high); None leaves it to the data
    y_range: tuple = None       # None: from 0, unless logarithmic
    x_ticks: list = None        # (label, value) pairs
    y_ticks: list = None

    def drawn(self):
        """The curves that have something to draw."""
        return [curve for curve in self.curves if curve.points]


@dataclass
class Bars:
    """A diagram of groups of bars with error bars, the same names in each group."""

    y: str
    groups: list                # names, from left to right
    names: dict                 # name of a bar -> index of PALETTE
    values: dict                # (group, name) -> (value, error)
    others: dict = field(default_factory=dict)  # (group, name) -> a value to compare
    others_label: str = ""
    width: int = 660
    height: int = 420
    log_y: bool = True

    GROUP = 0.8                 # of a group's room that its bars take

    def place(self, group, name):
        """Where on the x axis a bar stands."""
        order = list(self.names)
        step = self.GROUP / len(order)
        return self.groups.index(group) + (
            order.index(name) - (len(order) - 1) / 2) * step

    def rows(self, name):
        """(x, value, error) of the bars of that name."""
        return [(self.place(group, name), *self.values[group, name])
                for group in self.groups if (group, name) in self.values]


def _quote(text):
    """A gnuplot string; single quotes take everything literally."""
    return "'" + text.replace("'", "''").replace("\n", " ") + "'"


def _ticks(axis, ticks):
    if not ticks:
        return ""
    shown = ", ".join(f"{_quote(label)} {value:.9g}" for label, value in ticks)
    return f"set {axis}tics ({shown})\n"


def _y_range(plot):
    if plot.y_range:
        return f"[{plot.y_range[0]:.9g}:{plot.y_range[1]:.9g}]"
    if plot.log_y:
        return "[*:*]"
    values = [y for curve in plot.drawn() for _, y in curve.points]
    low, top = min([0, *values]), max([0, *values])
    return f"[{low * MARGIN:.9g}:{top * MARGIN or (0 if low else 1):.9g}]"


def _style(curve):
    kind = ("points" if curve.dots else "linespoints" if curve.marks else
            "steps" if curve.steps else "lines")
    style = f"with {kind} lw {curve.width} lc rgb '{PALETTE[curve.color]}'"
    if curve.marks or curve.dots:
        style += f" pt {curve.shape} ps 0.55"
    return style + (" dt (6,4)" if curve.dashed else "")


def script(plot):
    """What gnuplot is told."""
    text = (f"set terminal svg size {plot.width},{plot.height} dynamic noenhanced"
            f" font 'sans-serif,{FONT_SIZE}' linewidth 1\n"
            f"set border 3 lc rgb '{INK}'\nset tics nomirror\nset key off\n"
            f"set grid lc rgb '{FAINT}' lt 1 lw 1\n"
            f"set xlabel {_quote(plot.x)} offset 0,0.4 tc rgb '{INK}'\n"
            f"set ylabel {_quote(plot.y)} offset 1,0 tc rgb '{INK}'\n"
            "set rmargin 2.5\nset tmargin 0.8\n")
    if plot.log_x:
        text += "set logscale x\n"
    if plot.log_y:
        text += "set logscale y\n"
    text += _ticks("x", plot.x_ticks) + _ticks("y", plot.y_ticks)
    if plot.x_range:
        text += f"set xrange [{plot.x_range[0]:.9g}:{plot.x_range[1]:.9g}]\n"
    text += f"set yrange {_y_range(plot)}\n"
    orders = []
    for number, curve in enumerate(plot.drawn()):
        rows = "\n".join(f"{x:.9g} {y:.9g}" for x, y in curve.points)
        text += f"$d{number} << END_OF_DATA\n{rows}\nEND_OF_DATA\n"
        orders.append(f"$d{number} using 1:2 {_style(curve)}"
                      f" title {_quote(curve.label)}")
    return text + "plot " + ", \\\n  ".join(orders) + "\n"


def _data(number, rows):
    text = "\n".join(" ".join(f"{value:.9g}" for value in row) for row in rows)
    return f"$d{number} << END_OF_DATA\n{text}\nEND_OF_DATA\n"


def bars_script(bars):
    """What gnuplot is told; the bars' names, in the order in which it draws."""
    low = min((value for value, _ in bars.values.values()), default=1)
    bottom = f"[{10 ** math.floor(math.log10(low)) if low > 0 else 0.1:g}:*]"
    text = (f"set terminal svg size {bars.width},{bars.height} dynamic noenhanced"
            f" font 'sans-serif,{FONT_SIZE}' linewidth 1\n"
            f"set border 3 lc rgb '{INK}'\nset tics nomirror\nset key off\n"
            f"set grid ytics lc rgb '{FAINT}' lt 1 lw 1\nset style fill solid 0.85\n"
            f"set boxwidth {bars.GROUP / len(bars.names) * 0.9:.4f}\n"
            f"set ylabel {_quote(bars.y)} offset 1,0 tc rgb '{INK}'\n"
            f"set xrange [-0.6:{len(bars.groups) - 0.4}]\n"
            + ("set logscale y\n" if bars.log_y else "")
            + f"set yrange {bottom if bars.log_y else '[0:*]'}\n"
            + _ticks("x", [(name, at) for at, name in enumerate(bars.groups)]))
    orders, labels = [], []
    for name, color in bars.names.items():
        text += _data(len(labels), bars.rows(name))
        orders += [f"$d{len(labels)} using 1:2 with boxes lc rgb '{PALETTE[color]}'",
                   f"$d{len(labels)} using 1:2:3 with yerrorbars pt 0 lc rgb '{INK}'"]
        labels += [name, name]
    if bars.others:
        text += _data(len(labels), [(bars.place(*key), value)
                                    for key, value in bars.others.items()])
        orders.append(f"$d{len(labels)} using 1:2 with points pt 13 ps 0.8 lc rgb '{INK}'")
        labels.append(bars.others_label)
    return text + "plot " + ", \\\n  ".join(orders) + "\n", labels


def require():
    """Complain if gnuplot is not there."""
    if not shutil.which(PROGRAM):
        raise LabError(f"the program '{PROGRAM}' is missing; pictures need it:"
                       f" apt-get install --no-install-recommends {PACKAGE}")


def run_gnuplot(text):
    """gnuplot's SVG of a script."""
    require()
    try:
        done = subprocess.run([PROGRAM], input=text, capture_output=True, text=True,
                              encoding="utf-8", timeout=PATIENCE_S, check=False)
    except subprocess.TimeoutExpired:
        raise LabError(f"{PROGRAM} drew nothing within {PATIENCE_S} s") from None
    if done.returncode or "</svg>" not in done.stdout:
        raise LabError(f"{PROGRAM} failed (exit {done.returncode}):"
                       f" {done.stderr.strip() or 'no picture'}")
    return done.stdout


def _themed(match):
    """rgb(...) as a CSS variable with itself as fallback."""
    color = "#" + "".join(f"{int(part):02x}" for part in match.groups())
    return f"var({THEME[color]},{color})" if color in THEME else color


def _point(match):
    number, x, y, scale, color = match.groups()
    shape = SHAPES[int(number) + 1]
    return (f"<path d='{shape}' transform='translate({x},{y}) scale({scale})'"
            f" fill='{color}' stroke='none'/>")


def clean(drawn, labels):
    """gnuplot's SVG, ready to stand in a page: no prolog, ids or fixed colours.

    The labels are the curves' names, which a browser shows under the pointer.
    """
    body = drawn[drawn.index("<g id=\"gnuplot_canvas\">"):]
    body = re.sub(r"<defs>.*?</defs>", "", body, flags=re.DOTALL)
    body = _POINT.sub(_point, body)
    body = _RGB.sub(_themed, body)
    body = _NAME.sub(lambda match: f"<title>{escape(labels[int(match[1]) - 1])}"
                     "</title>", body)
    body = _NEEDLESS.sub("", body)
    while _EMPTY.search(body):
        body = _EMPTY.sub("", body)
    body = re.sub(r"\s*\n\s*", "\n", body)
    body = body.replace("currentColor", f"var(--ink,{INK})")
    return body.replace('fill="black"', f'fill="var(--ink,{INK})"')


def _element(inner, plot, name):
    return (f"<svg {_STANDALONE} viewBox='0 0 {plot.width} {plot.height}' role='img'"
            f" aria-label='{escape(name, quote=True)}' font-family='sans-serif'>\n"
            f"{inner}")


def svg(plot, name):
    """The plot as an <svg> element; `name` is read aloud to who cannot see it."""
    if not plot.drawn():
        return ""
    return _element(clean(run_gnuplot(script(plot)),
                          [curve.label for curve in plot.drawn()]), plot, name)


def bars_svg(bars, name):
    """The bars as an <svg> element, as svg() does it."""
    if not bars.values:
        return ""
    text, labels = bars_script(bars)
    return _element(clean(run_gnuplot(text), labels), bars, name)


def swatch(curve):
    """A small sample of a curve, for a legend beside the plot."""
    color = f"var(--c{curve.color},{PALETTE[curve.color]})"
    dash = " stroke-dasharray='6 4'" if curve.dashed else ""
    mark = (f"<path d='{SHAPES[curve.shape]}' transform='translate(14,6) scale(4)'"
            f" fill='{color}'/>" if curve.marks else "")
    return (f"<svg viewBox='0 0 28 12' class='swatch' aria-hidden='true'><path"
            f" d='M0 6H28' stroke='{color}' stroke-width='2.5'{dash}/>{mark}</svg>")
