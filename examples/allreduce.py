#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""An all-reduce over plain sockets, around a ring, as collective libraries do it.

    allreduce.py RANK ADDRESS/PORT,ADDRESS/PORT,... [--numbers N] [--rounds N] [--cc NAME]

Every rank is started with the same list, each with its own number from 0. All have N
numbers; at the end of a round each has the sums over all ranks. In n - 1 steps every rank
passes a part on to the next, which adds its own; in n - 1 more the sums go around. All
connections are made first and kept. Prints how long each round took, and fails if a sum
is wrong.
"""

import argparse
import array
import contextlib
import socket
import sys
import threading
import time

PATIENCE_S = 60                 # until the others have started, too
RETRY_S = 0.1
WORD = 8                        # bytes of a number


def parse_place(text):
    """'fd00::1/7000' -> ('fd00::1', 7000)."""
    address, _, port = text.rpartition("/")
    if not address or not port.isdecimal() or not 0 < int(port) < 65536:
        raise argparse.ArgumentTypeError(f"'{text}' is no place; allowed: ADDRESS/PORT, like"
                                         " fd00::1/7000")
    return address, int(port)


def parse_places(text):
    """All of them."""
    return [parse_place(place) for place in text.split(",")]


def parse_count(text):
    """A whole number of 1 or more."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}': allowed: a whole number above 0")
    return int(text)


def choose(sock, cc):
    """The algorithm of a connection."""
    try:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, cc.encode())
    except OSError as error:
        raise OSError(f"--cc '{cc}': {error.strerror}; allowed: what sysctl"
                      " net.ipv4.tcp_available_congestion_control has") from None


def connect(place, cc):
    """To the next rank, which may not be there yet."""
    end = time.monotonic() + PATIENCE_S
    while True:
        sock = socket.socket(socket.AF_INET6)
        if cc:
            choose(sock, cc)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            sock.connect(place)
            return sock
        except OSError as error:
            sock.close()
            if time.monotonic() > end:
                raise OSError(f"{place[0]}/{place[1]}: {error.strerror}") from None
            time.sleep(RETRY_S)


class Ring:
    """Connections to the next rank and from the one before."""

    def __init__(self, rank, places, cc=None):
        self.rank, self.ranks = rank, len(places)
        with socket.create_server(places[rank], family=socket.AF_INET6) as listener:
            self.to_next = connect(places[(rank + 1) % self.ranks], cc)
            listener.settimeout(PATIENCE_S)
            try:
                self.from_previous = listener.accept()[0]
            except TimeoutError:
                raise OSError(f"rank {rank}: the one before did not come in {PATIENCE_S} s"
                              ) from None
            self.from_previous.settimeout(None)

    def send(self, out):
        """To one who may be gone: the one after him will miss it, and say so."""
        with contextlib.suppress(OSError):
            self.to_next.sendall(out)

    def exchange(self, out, size):
        """Send to the next while receiving `size` bytes from the one before."""
        sender = threading.Thread(target=self.send, args=(out,))
        sender.start()
        data = bytearray(size)
        view = memoryview(data)
        while view:
            got = self.from_previous.recv_into(view)
            if not got:
                raise ConnectionError(f"rank {self.rank}: the one before is gone")
            view = view[got:]
        sender.join()
        return array.array("q", bytes(data))

    def all_reduce(self, numbers):
        """Sums over all ranks, in place."""
        bounds = [len(numbers) * part // self.ranks for part in range(self.ranks + 1)]
        for step in range(2 * (self.ranks - 1)):
            out, into = ((self.rank - step) % self.ranks, (self.rank - step - 1) % self.ranks)
            low, high = bounds[into], bounds[into + 1]
            got = self.exchange(numbers[bounds[out]:bounds[out + 1]].tobytes(),
                                (high - low) * WORD)
            if step < self.ranks - 1:
                got = array.array("q", map(int.__add__, got, numbers[low:high]))
            numbers[low:high] = got


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rank", type=int)
    parser.add_argument("places", type=parse_places, metavar="ADDRESS/PORT,...")
    parser.add_argument("--numbers", type=parse_count, default=100_000)
    parser.add_argument("--rounds", type=parse_count, default=3)
    parser.add_argument("--cc", help="algorithm of the connections (default: the host's)")
    arguments = parser.parse_args()
    places = arguments.places
    if not 0 <= arguments.rank < len(places):
        parser.error(f"rank {arguments.rank}: allowed: 0 to {len(places) - 1}")
    ring = Ring(arguments.rank, places, arguments.cc)
    ranks = len(places)
    for number in range(arguments.rounds):
        numbers = array.array("q", range(arguments.rank, arguments.rank + arguments.numbers))
        start = time.monotonic()
        ring.all_reduce(numbers)
        took = time.monotonic() - start
        shift = ranks * (ranks - 1) // 2
        if numbers != array.array("q", (ranks * at + shift for at in range(arguments.numbers))):
            raise SystemExit(f"allreduce: rank {arguments.rank}: a sum is wrong")
        print(f"rank {arguments.rank} round {number}: {took * 1000:.1f} ms, sums are right",
              flush=True)


if __name__ == "__main__":
    try:
        main()
    except OSError as failed:
        sys.exit(f"allreduce: {failed}")
    except KeyboardInterrupt:
        sys.exit(130)
