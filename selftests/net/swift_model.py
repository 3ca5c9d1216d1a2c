# SPDX-License-Identifier: GPL-2.0
"""Swift's arithmetic in floating point, from the paper: what tests compare to."""

from math import sqrt

FS_MIN, FS_MAX, FS_RANGES = 0.1, 100.0, 5.0
TARGET_QDELAY = 25e-6
MAX_MDF, AI = 0.5, 1.0


def flow_scaling(window, base_target, fs_range=None):
    """Seconds added to the target at a window of so many packets."""
    fs_range = FS_RANGES * base_target if fs_range is None else fs_range
    alpha = fs_range / (1 / sqrt(FS_MIN) - 1 / sqrt(FS_MAX))
    beta = -alpha / sqrt(FS_MAX)
    return min(max(alpha / sqrt(window) + beta, 0.0), fs_range)


def target(window, base_rtt):
    """Target of the whole RTT, seconds, with the default knobs."""
    base = base_rtt + TARGET_QDELAY
    return base + flow_scaling(window, base)


def window_at(delay, base_rtt):
    """The window at which a constant delay is just on target (bisection)."""
    low, high = 0.01, 1e6
    for _ in range(200):
        mid = sqrt(low * high)
        if target(mid, base_rtt) > delay:
            low = mid
        else:
            high = mid
    return low


def table_one(cc, q, mss, rtt):
    """Table I: throughput in bit/s when a share q of the paths is congested."""
    constant = sqrt((1 / MAX_MDF - 0.5) * AI) if cc == "swift" else 1.22
    return 8 * mss / rtt * constant / sqrt(q)
