#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""What a flow tells of itself, as README reads it; in the emulated machine.

    told.py CC ADDRESS PORT BYTES [label=NUMBER] [priority=NUMBER]

Sends BYTES, with a flow label of its own or an SO_PRIORITY, and prints when all have
arrived: "bits=20 priority=0 got=BYTES".
"""
import socket
import struct
import sys

FLOWLABEL_MGR, FLOWINFO_SEND = 32, 33   # linux/in6.h
GET, CREATE, SHARE_ANY = 0, 1, 255
TCP_CC_INFO, LAYOUT = 26, 2
PATIENCE_S = 60


def connect(cc: str, address: str, port: int, **options: int) -> socket.socket:
    """A connection that has them."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    sock = socket.socket(family)
    sock.settimeout(PATIENCE_S)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, cc.encode())
    if "priority" in options:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_PRIORITY, options["priority"])
    if label := options.get("label", 0):
        # struct in6_flowlabel_req: the label alone is in network order
        wanted = socket.inet_pton(family, address) + struct.pack("!I", label) + struct.pack(
            "2B3HI", GET, SHARE_ANY, CREATE, 0, 0, 0)
        sock.setsockopt(socket.IPPROTO_IPV6, FLOWLABEL_MGR, wanted)
        sock.setsockopt(socket.IPPROTO_IPV6, FLOWINFO_SEND, 1)
    sock.connect((address, port, label, 0) if family == socket.AF_INET6 else (address, port))
    return sock


def main() -> None:
    """The line, or an error."""
    cc, address, port, size = sys.argv[1:5]
    options = {name: int(value) for name, value in (word.split("=") for word in sys.argv[5:])}
    with connect(cc, address, int(port), **options) as sock:
        sock.sendall(bytes(int(size)))
        sock.shutdown(socket.SHUT_WR)
        got = int.from_bytes(sock.recv(8, socket.MSG_WAITALL), "little")
        layout, bits, _, _, priority = struct.unpack(
            "2H3I", sock.getsockopt(socket.IPPROTO_TCP, TCP_CC_INFO, 16))
    if layout != LAYOUT:
        sys.exit(f"layout {layout}")
    print(f"bits={bits} {priority=} {got=}")


if __name__ == "__main__":
    main()
