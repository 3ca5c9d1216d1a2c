# SPDX-License-Identifier: GPL-2.0
"""Quantities with units: what a scenario writes and what a table prints.

Rates are in bit/s, times in integer nanoseconds, sizes in integer bytes. K, M,
G are powers of 1000; Ki, Mi, Gi of 1024. Zero needs no unit, all else does: a
bare number is a mistake more often than not.
"""

import re
from decimal import Decimal, InvalidOperation, ROUND_HALF_EVEN

from .errors import BadValue

TIME = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9}
RATE = {"bps": 1, "kbps": 10**3, "Kbps": 10**3, "Mbps": 10**6, "Gbps": 10**9,
        "Tbps": 10**12}
SIZE = {"B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9,
        "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}

RATE_MAX = 10**15               # LAB_MAX_RATE of the link device
TIME_MAX = 10**12               # LAB_MAX_DELAY of the link device, 1000 s
SIZE_MAX = 2**63 - 1
DIGITS_MOST = 30                # of a number, so that none is too much for Python
PPM = 10**6

_QUANTITY = re.compile(r"([+-]?[0-9]*\.?[0-9]+(?:[eE][+-]?[0-9]+)?)([A-Za-z%]*)$")


def _split(text):
    match = _QUANTITY.match(text)
    if not match:
        return None, text
    try:
        return Decimal(match.group(1)), match.group(2)
    except InvalidOperation:
        return None, text


def _whole(value):
    return int(value.to_integral_value(rounding=ROUND_HALF_EVEN))


def _scaled(text, kind, units, example, largest):
    number, unit = _split(text)
    allowed = f"allowed: a number with {', '.join(units)}, like {example}"
    if number is None:
        raise BadValue(f"'{text}' is not a {kind}; {allowed}")
    if unit == "" and number == 0:
        return 0
    if unit not in units:
        what = f"has the unit '{unit}'" if unit else "has no unit"
        raise BadValue(f"'{text}' {what}; {allowed}")
    value = largest + 1 if number.adjusted() > DIGITS_MOST else _whole(number * units[unit])
    if value < 0 or value > largest:
        raise BadValue(f"'{text}' is out of range; allowed: 0 to {largest}"
                       f" {next(iter(units))}")
    return value


def parse_time(text):
    """'120us' -> 120000 (ns)."""
    return _scaled(text, "time", TIME, "120us", TIME_MAX)


def parse_rate(text):
    """'10Gbps' -> 10**10 (bit/s)."""
    return _scaled(text, "rate", RATE, "10Gbps", RATE_MAX)


def parse_size(text, extra=None):
    """'8MB' -> 8000000 (bytes); extra names more units, like pkt and bdp."""
    return _scaled(text, "size", dict(SIZE, **(extra or {})), "8MB", SIZE_MAX)


def parse_count(text, low=0, high=10**9):
    """'64' -> 64, within the range."""
    if not re.fullmatch(r"[0-9]{1,%d}" % DIGITS_MOST, text) or not low <= int(text) <= high:
        raise BadValue(f"'{text}' is not allowed here; allowed: a whole number"
                       f" from {low} to {high}")
    return int(text)


def parse_fraction(text):
    """'0.01' or '1%' -> 0.01, from 0 to 1."""
    number, unit = _split(text)
    if number is not None and unit == "%":
        number /= 100
    if number is None or unit not in ("", "%") or not 0 <= number <= 1:
        raise BadValue(f"'{text}' is not a fraction; allowed: 0 to 1, or 0% to"
                       " 100%")
    return float(number)


def parse_any(text):
    """A quantity of any kind -> (value, kind); kind is '' for a bare number."""
    number, unit = _split(text)
    if number is None:
        raise BadValue(f"'{text}' is not a quantity; allowed: a number,"
                       " alone or with a unit like us, Gbps, KB or %")
    if number and abs(number.adjusted()) > DIGITS_MOST:
        raise BadValue(f"'{text}' is out of range; allowed: up to 10^{DIGITS_MOST}")
    if unit == "":
        return float(number), ""
    if unit == "%":
        return float(number / 100), "%"
    for kind, units in (("time", TIME), ("rate", RATE), ("size", SIZE)):
        if unit in units:
            return float(number * units[unit]), kind
    units = [*TIME, *RATE, *SIZE, "%"]
    raise BadValue(f"'{text}' has the unit '{unit}'; allowed: "
                   + ", ".join(units))


def _show(value, units, blank=" "):
    for unit, factor in reversed(list(units.items())):
        if abs(value) >= factor:
            return f"{value / factor:.4g}{blank}{unit}"
    return f"{value:g}{blank}{next(iter(units))}"


def show_time(ns):
    """1234567 -> '1.235 ms'; None -> '-'."""
    return "-" if ns is None else _show(ns, TIME)


def write_time(ns):
    """1234567 -> '1.235ms': the same as one writes it in a scenario."""
    return _show(ns, TIME, blank="")


def show_rate(bps):
    """9.8e9 -> '9.8 Gbps'."""
    units = {unit: RATE[unit] for unit in ("bps", "kbps", "Mbps", "Gbps", "Tbps")}
    return "-" if bps is None else _show(bps, units)


def show_size(size):
    """8000000 -> '8 MB'."""
    units = {unit: SIZE[unit] for unit in ("B", "KB", "MB", "GB")}
    return "-" if size is None else _show(size, units)


def show_share(share):
    """0.0123 -> '1.23 %'."""
    return "-" if share is None else f"{share * 100:.4g} %"
