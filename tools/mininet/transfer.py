#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""One TCP transfer whose bytes are counted and summed at both ends.

    transfer.py serve PORT [EVERY_MS]
    transfer.py send ADDRESS PORT BYTES CC

serve takes one connection, prints "ready" when it listens, then a line
"TIME BYTES" every so many ms (machine's monotonic clock, s; bytes so far), and at the
end "got BYTES CRC". send prints "sent BYTES CRC CC START" once the receiver has it all.
"""

import argparse
import os
import socket
import sys
import time
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lab"))

import ending  # noqa: E402

CHUNK = 65536


def serve(port, every_ms):
    """Receive until the end of the stream; the answer is one byte."""
    with socket.create_server(("::", port), family=socket.AF_INET6) as listener:
        print("ready", flush=True)
        connection = listener.accept()[0]
    total, crc, told = 0, 0, 0.0
    with connection:
        while data := connection.recv(CHUNK):
            total += len(data)
            crc = zlib.crc32(data, crc)
            now = time.monotonic()
            if now - told >= every_ms / 1000:
                told = now
                print(f"{now:.4f} {total}", flush=True)
        connection.sendall(b".")
    print(f"{time.monotonic():.4f} {total}\ngot {total} {crc}", flush=True)


def send(address, port, size, cc):
    """Random bytes, the same chunk over and over but for its number."""
    left, crc, chunk, number = size, 0, bytearray(os.urandom(CHUNK)), 0
    with socket.socket(socket.AF_INET6) as sock:
        try:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, cc.encode())
        except OSError as error:
            raise OSError(f"the algorithm '{cc}': {error.strerror}; allowed: what sysctl"
                          " net.ipv4.tcp_available_congestion_control has") from None
        start = time.monotonic()
        sock.connect((address, port))
        while left > 0:
            chunk[:8] = number.to_bytes(8, "little")
            data = memoryview(chunk)[:left]
            sock.sendall(data)
            crc = zlib.crc32(data, crc)
            left -= len(data)
            number += 1
        sock.shutdown(socket.SHUT_WR)
        sock.recv(1)
        used = sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, 16)
    print(f"sent {size} {crc} {used.rstrip(bytes(1)).decode()} {start:.4f}")


def port_type(text):
    """0 to 65535."""
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"port '{text}'; allowed: 0 to 65535")
    return int(text)


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    ends = parser.add_subparsers(required=True, metavar="serve|send")
    one = ends.add_parser("serve")
    one.add_argument("port", type=port_type)
    one.add_argument("every_ms", type=int, nargs="?", default=100)
    one.set_defaults(end=serve)
    one = ends.add_parser("send")
    one.add_argument("address")
    one.add_argument("port", type=port_type)
    one.add_argument("size", type=int)
    one.add_argument("cc")
    one.set_defaults(end=send)
    arguments = vars(parser.parse_args())
    arguments.pop("end")(**arguments)


if __name__ == "__main__":
    sys.exit(ending.run("transfer", main, (OSError,)))
