# SPDX-License-Identifier: GPL-2.0
"""`expect` lines: what a scenario asserts about its own results.

    expect [SUBJECT] METRIC OP VALUE [+- TOLERANCE] [from=T] [to=T]
           [above=SIZE] [upto=SIZE]

SUBJECT is `flow GLOB`, `flows`, `link SELECTOR`, `links`, or nothing for the
run as a whole. Every flow or link that matches must satisfy the comparison;
AGG(METRIC) compares one value made of all of them instead. Of flows, above= and
upto= leave only those of such a size.
"""

import fnmatch
import operator
import re
from dataclasses import dataclass

from . import units
from .errors import BadValue, unknown
from .keys import Key, read_keys

OPERATORS = {"==": operator.eq, "!=": operator.ne, ">=": operator.ge,
             "<=": operator.le, ">": operator.gt, "<": operator.lt}

# of the distributions that results have
AGGREGATES = ("mean", "p50", "p95", "p99", "max")

# metric -> kind of its value; "count" may be compared with a percentage,
# which then is a share of the packets sent
FLOW_METRICS = {
    "fct": "time", "bound": "time", "slowdown": "", "goodput": "rate",
    "bytes": "size", "retrans": "count", "spurious": "count",
    "reorder": "count", "rto": "count", "ce": "count", "rehash": "count",
    "packets": "count", "connect": "time", "syn_lost": "count",
    "acks": "count", "packets_per_ack": "", "cwnd": "", "rtt": "time", "min_rtt": "time",
    "subflows": "count",
    "mss": "size", "error": "", "cc": "name",
    **{f"call.{agg}": "time" for agg in AGGREGATES},
}
LINK_METRICS = {
    "bytes": "size", "packets": "count", "drops": "count", "lost": "count",
    "down": "count", "marks": "count", "utilisation": "%", "queue.mean": "size",
    "queue.max": "size", "queue_delay.mean": "time", "queue_delay.max": "time",
    "queued": "%", "interrupts": "count", "packets_per_skb": "",
}
RUN_METRICS = {
    "cct": "time", "cct_bound": "time", "cct_inflation": "", "jain": "",
    "goodput": "rate", "carried": "rate", "utilisation": "%",
    "packets_per_ack": "", "retrans": "count", "spurious": "count",
    "syn_lost": "count", "rto": "count", "drops": "count", "marks": "count",
    "lost": "count", "down": "count", "unfinished": "count", "virtual_time": "time",
    **{f"fct.{agg}": "time" for agg in AGGREGATES},
    **{f"slowdown.{agg}": "" for agg in AGGREGATES},
}
METRICS = {"flow": FLOW_METRICS, "link": LINK_METRICS, "run": RUN_METRICS}
# what the time series can tell about a part of the run
WINDOWED = {
    "flow": ("goodput", "bytes", "retrans", "cwnd", "rtt"),
    "link": ("bytes", "packets", "drops", "marks", "utilisation",
             "queue.mean", "queue.max", "queue_delay.mean", "queued"),
    "run": ("goodput", "carried", "jain", "retrans", "drops", "marks"),
}
REFERENCES = {"line": "the rate of the slowest link on the way",
              "capacity": "the payload that link can carry",
              "bound": "the zero-queue lower bound"}
_AGGREGATED = re.compile(r"(sum|mean|min|max|p[0-9]{1,2})\((\S+)\)$")
EXACT_EPSILON = 1e-9            # of floating point, for == without tolerance


@dataclass
class Expect:
    """One assertion, parsed."""

    line: int
    text: str
    subject: str = "run"
    pattern: str = "*"
    aggregate: str = ""
    metric: str = ""
    operator: str = "=="
    value: object = 0.0
    kind: str = ""
    reference: str = ""         # of what a percentage is: line, flow NAME, ...
    tolerance: float = 0.0      # absolute, in the value's unit
    relative: float = 0.0       # relative to the value, of == and !=
    slack: float = 0.0          # the same of all comparisons: what the line itself says
    start: object = None
    end: object = None
    above: int = 0              # bytes: of flows larger than that
    upto: object = None         # and not larger than that

    @property
    def windowed(self):
        """Does it look at a part of the run only?"""
        return self.start is not None or self.end is not None

    @property
    def sized(self):
        """Does it look at flows of some sizes only?"""
        return bool(self.above) or self.upto is not None

    def fits(self, size):
        """Is a flow of this size (None: without one) meant?"""
        if not self.sized:
            return True
        return size is not None and self.above < size <= (self.upto or size)


def aggregate(name, values):
    """sum, mean, min, max or a percentile (nearest rank) of values."""
    values = sorted(values)
    if not values:
        return None
    if name == "sum":
        return sum(values)
    if name == "mean":
        return sum(values) / len(values)
    if name in ("min", "max"):
        return values[0 if name == "min" else -1]
    rank = -(-int(name[1:]) * len(values) // 100)
    return values[max(rank, 1) - 1]


def jain(values):
    """Jain's fairness index: 1 when all are equal, 1/n when one has it all."""
    squares = sum(value * value for value in values)
    return sum(values) ** 2 / (len(values) * squares) if squares else None


# Parsing

def _subject(words, expect):
    if words[:1] == ["flows"] or words[:1] == ["links"]:
        expect.subject = words[0][:-1]
        return words[1:]
    if words[:1] == ["flow"] or words[:1] == ["link"]:
        if len(words) < 2:
            raise BadValue(f"'{words[0]}' names nothing; allowed: {words[0]} GLOB")
        expect.subject, expect.pattern = words[:2]
        return words[2:]
    return words


def _metric(text, expect):
    match = _AGGREGATED.match(text)
    if match and expect.subject == "run":
        raise BadValue(f"'{text}' aggregates nothing; allowed: flows"
                       f" {text}, links {text}, or a metric of the run")
    if match:
        expect.aggregate, text = match.groups()
    if text not in METRICS[expect.subject]:
        raise BadValue(unknown(f"the metric of a {expect.subject},", text,
                               METRICS[expect.subject]))
    if expect.aggregate and METRICS[expect.subject][text] == "name":
        raise BadValue(f"'{match.group(0)}' aggregates names; allowed: {text}, of each flow")
    expect.metric = text


def _check_kind(expect):
    allowed = METRICS[expect.subject][expect.metric]
    if (allowed, expect.kind, expect.aggregate) == ("count", "%", "sum"):
        raise BadValue(f"a sum of shares means nothing; allowed: {expect.metric}"
                       " without flows or links, which is the share of all")
    fits = {"": ("", "%"), "%": ("", "%"), "count": ("", "%")}
    fits = fits.get(allowed, (allowed,))
    if expect.kind in fits or expect.kind == "" and expect.value == 0:
        return
    shown = {"time": "a time like 5ms", "rate": "a rate like 9.7Gbps",
             "size": "a size like 30KB", "count": "a number or a percentage",
             "": "a number", "%": "a percentage"}[allowed]
    raise BadValue(f"'{expect.metric}' is compared with a"
                   f" {expect.kind or 'bare number'}; allowed: {shown}")


def _reference(words, expect):
    """`P% of line|capacity|bound` or `P% of flow NAME`."""
    if expect.kind not in ("%", ""):
        raise BadValue("'of' follows a time, rate or size; allowed: a share,"
                       " like 97% of line")
    if words[:1] == ["flow"] and len(words) > 1:
        if expect.subject != "flow":
            raise BadValue(f"'of flow {words[1]}' is of flows; allowed: expect flow"
                           f" GLOB {expect.metric} ... of flow {words[1]}")
        expect.reference = "flow " + words[1]
        return words[2:]
    what = words[0] if words else ""
    if what not in REFERENCES:
        raise BadValue(unknown("the reference", what,
                               [*REFERENCES, "flow NAME"]))
    fits = ("fct", "cct") if what == "bound" else ("goodput",)
    if expect.metric not in fits:
        raise BadValue(f"'of {what}' does not fit '{expect.metric}'; allowed"
                       f" for: {', '.join(fits)}")
    expect.reference = what
    return words[1:]


def _value(words, expect):
    if METRICS[expect.subject][expect.metric] == "name":
        if expect.operator not in ("==", "!="):
            raise BadValue(f"'{expect.operator}' cannot compare names; allowed:"
                           " ==, !=")
        expect.value, expect.kind = words[0], "name"
        return words[1:]
    expect.value, expect.kind = units.parse_any(words[0])
    words = words[1:]
    if words[:1] == ["of"]:
        return _reference(words[1:], expect)
    _check_kind(expect)
    return words


def _tolerance(words, expect):
    if words[:1] != ["+-"]:
        return words
    if len(words) < 2:
        raise BadValue("'+-' without a tolerance; allowed: +- 1%, +- 2us")
    value, kind = units.parse_any(words[1])
    own = METRICS[expect.subject][expect.metric]
    if kind == "%":
        expect.relative = expect.slack = value
    elif kind == ("" if own in ("count", "%") else own):
        expect.tolerance = value
    else:
        raise BadValue(f"'+- {words[1]}' has another unit than {expect.metric};"
                       " allowed: the same unit, or %")
    return words[2:]


def _parts(words, expect, report, extra):
    """The part of the run, or of the flows, that is looked at."""
    size = Key(lambda text: units.parse_size(text, extra))
    time = Key(units.parse_time)
    given = read_keys(words, {"from": time, "to": time, "above": size,
                              "upto": size}, report)
    expect.start, expect.end = given.get("from"), given.get("to")
    expect.above, expect.upto = given.get("above", 0), given.get("upto")
    if None not in (expect.start, expect.end) and expect.start >= expect.end:
        raise BadValue(f"'from={expect.start}ns to={expect.end}ns' is empty;"
                       " allowed: from < to")
    if expect.windowed and expect.metric not in WINDOWED[expect.subject]:
        raise BadValue(f"'{expect.metric}' cannot be told for a part of the run;"
                       " allowed with from= and to=: "
                       + ", ".join(WINDOWED[expect.subject]))
    if (expect.windowed and expect.kind == "%" and not expect.reference
            and METRICS[expect.subject][expect.metric] == "count"):
        raise BadValue(f"a share of '{expect.metric}' cannot be told for a part of the run;"
                       " allowed with from= and to=: a number")
    if expect.sized and expect.subject != "flow":
        raise BadValue("above= and upto= are of flows; allowed: expect flows ...")
    if expect.upto is not None and expect.above >= expect.upto:
        raise BadValue(f"'above={expect.above}B upto={expect.upto}B' is empty;"
                       " allowed: above < upto")


def parse(statement, tolerance, report, extra=None):
    """Parse one `expect` line; raises BadValue, or tells report().

    `extra` are the network's own units of size.
    """
    expect = Expect(statement.line, statement.text, relative=tolerance)
    words = _subject(statement.words[1:], expect)
    if len(words) < 3:
        raise BadValue(f"'{statement.text}' is incomplete; allowed: expect"
                       " [flow GLOB|flows|link GLOB|links] METRIC OP VALUE"
                       " [+- TOLERANCE] [from=T] [to=T] [above=SIZE] [upto=SIZE]")
    _metric(words[0], expect)
    if words[1] not in OPERATORS:
        raise BadValue(unknown("the comparison", words[1], OPERATORS))
    expect.operator = words[1]
    if METRICS[expect.subject][expect.metric] in ("count", "name"):
        expect.relative = 0.0
    words = _tolerance(_value(words[2:], expect), expect)
    _parts(words, expect, report, extra)
    return expect


# Judging

def holds(expect, measured, wanted):
    """Does the measured value satisfy the comparison?"""
    if measured is None or wanted is None:
        return False
    if expect.kind == "name":
        return OPERATORS[expect.operator](measured, wanted)
    slack = expect.tolerance + abs(wanted) * (expect.relative + EXACT_EPSILON)
    if expect.operator == "==":
        return abs(measured - wanted) <= slack
    if expect.operator == "!=":
        return abs(measured - wanted) > slack
    slack = expect.tolerance + abs(wanted) * expect.slack
    wanted += slack if expect.operator[0] == "<" else -slack
    return OPERATORS[expect.operator](measured, wanted)


def matching(names, pattern):
    """Names that a glob selects, in order."""
    return [name for name in names if fnmatch.fnmatchcase(name, pattern)]


def show(metric_kind, value):
    """A measured value as people write it."""
    if value is None:
        return "nothing"
    if isinstance(value, str):
        return value
    shown = {"time": units.show_time, "rate": units.show_rate,
             "size": units.show_size, "%": units.show_share}
    if metric_kind in shown:
        return shown[metric_kind](value)
    return f"{value:.6g}"
