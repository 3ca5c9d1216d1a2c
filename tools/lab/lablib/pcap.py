# SPDX-License-Identifier: GPL-2.0
"""Captures of links: the guest notices packets late, files are in order of time."""

import struct
from pathlib import Path

_FILE = struct.Struct("=IHHiIII")
_PACKET = struct.Struct("=IIII")        # s, ns, bytes kept, bytes


def packets(data):
    """(ns, bytes of the packet, record) of each packet of a capture, as they stand there."""
    at = _FILE.size
    while at < len(data):
        seconds, nanoseconds, kept, length = _PACKET.unpack_from(data, at)
        end = at + _PACKET.size + kept
        yield seconds * 10**9 + nanoseconds, length, data[at:end]
        at = end


def sort(folder):
    """Put every capture of a run in order of time."""
    for path in Path(folder).glob("*.pcap"):
        data = path.read_bytes()
        records = sorted(packets(data), key=lambda packet: packet[0])
        path.write_bytes(data[:_FILE.size] + b"".join(record for _, _, record in records))
