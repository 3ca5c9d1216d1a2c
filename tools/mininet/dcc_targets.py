# SPDX-License-Identifier: GPL-2.0
"""What algorithms aim at on links as slow as mininet's: hosts and mn2lab.py take it from here.

Their default of 25 us is of networks a thousand times as fast.
"""

import math

PACKET_BITS = 1500 * 8
PACKETS = 10                    # that a queue holds then, if nobody says otherwise
SWIFT = ("target_qdelay_us", 10**6, 10**6)
NSCC = ("target_qdelay_ns", 10**9, 10**9)
# The algorithms that aim at a queueing delay: its knob, parts of a second, the most it takes
KNOBS = {"swift": SWIFT, "lswift": SWIFT, "mswift": SWIFT,
         "ledbat": ("target_qdelay_us", 10**6, 10**5), "nscc": NSCC, "mnscc": NSCC}


def of(algs, rate, packets=PACKETS):
    """{algorithm.knob: what so many packets last at a rate in bit/s}, where there is such a knob."""
    return {f"{alg}.{knob}": min(math.ceil(packets * PACKET_BITS * parts / rate), most)
            for alg, (knob, parts, most) in KNOBS.items() if alg in algs}
