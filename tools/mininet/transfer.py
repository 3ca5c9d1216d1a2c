#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""One TCP transfer whose bytes are counted and summed at both ends.

    transfer.py serve PORT [EVERY_MS]
    transfer.py send ADDRESS PORT BYTES CC

serve takes one connection, prints "ready" when it listens, then a line
"TIME BYTES" every so many ms (machine's monotonic clock, s; bytes so far), and at the
end "got BYTES CRC". send prints "sent BYTES CRC CC START" once the receiver has it all.
"""

import os
import socket
import sys
import time
import zlib

CHUNK = 65536


def serve(port, every_ms="100"):
    """Receive until the end of the stream; the answer is one byte."""
    with socket.create_server(("::", int(port)), family=socket.AF_INET6) as listener:
        print("ready", flush=True)
        connection = listener.accept()[0]
    total, crc, told = 0, 0, 0.0
    with connection:
        while data := connection.recv(CHUNK):
            total += len(data)
            crc = zlib.crc32(data, crc)
            now = time.monotonic()
            if now - told >= int(every_ms) / 1000:
                told = now
                print(f"{now:.4f} {total}", flush=True)
        connection.sendall(b".")
    print(f"{time.monotonic():.4f} {total}\ngot {total} {crc}", flush=True)


def send(address, port, size, cc):
    """Random bytes, the same chunk over and over but for its number."""
    left, crc, chunk, number = int(size), 0, bytearray(os.urandom(CHUNK)), 0
    with socket.socket(socket.AF_INET6) as sock:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, cc.encode())
        start = time.monotonic()
        sock.connect((address, int(port)))
        while left:
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


if __name__ == "__main__":
    {"serve": serve, "send": send}[sys.argv[1]](*sys.argv[2:])
