# SPDX-License-Identifier: GPL-2.0
"""What a flow tells by getsockopt(TCP_CC_INFO): common/ctl/dcc_cc_info.h for Python.

    info = dcc_cc_info.of(sock)
    print(info.delay_ns, info.words())

Copy this file wherever it is wanted; it needs the standard library alone. Numbers
keep their meaning as long as the layout is the same; another one is refused.
"""

import socket
import struct
from typing import NamedTuple

LAYOUT = 2
TCP_CC_INFO = 26                # linux/tcp.h
ROOM = 64                       # union tcp_cc_info has 20 bytes, and may grow
FORM = struct.Struct("=2H3I")

# Word for people by bit, in the order of the header.
BITS = {
    1: "no-memory", 2: "ipv4", 4: "label-off", 8: "label-owned", 16: "no-line-rate",
    32: "overrun", 64: "sprays", 128: "no-ecn", 256: "ipsec", 512: "not-wrapped",
    1024: "suspended", 2048: "no-probes", 4096: "auto-instead", 8192: "one-flow",
}


class NotOurs(ValueError):
    """What was told is not of an algorithm of ours, or of another layout."""


class Info(NamedTuple):
    """delay_ns: what the algorithm acted on last, 0: its last ACK told none; base_rtt_ns: 0:
    unknown; priority: from 1, 0: the algorithm has none."""
    bits: int
    delay_ns: int
    base_rtt_ns: int
    priority: int

    def words(self) -> list[str]:
        """The bits by name; one that is not known here is left out."""
        return [word for bit, word in BITS.items() if self.bits & bit]


def read(data: bytes) -> Info:
    """Take what a flow told."""
    if len(data) < FORM.size:
        raise NotOurs(f"{len(data)} bytes; allowed: {FORM.size} or more, of an algorithm of"
                      " tcp_dcc")
    layout, *rest = FORM.unpack_from(data)
    if layout < LAYOUT:
        raise NotOurs(f"layout {layout} is dctcp's own; allowed: {LAYOUT}")
    if layout > LAYOUT:
        raise NotOurs(f"layout {layout} is newer than this reader; allowed: {LAYOUT}")
    return Info(*rest)


def of(connection: socket.socket) -> Info:
    """What the flow of a socket tells now."""
    return read(connection.getsockopt(socket.IPPROTO_TCP, TCP_CC_INFO, ROOM))
