#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""In the guest: a burst over one link of mininet's, and over one of ours.

    links.py                 prints when the last packet of the burst came, over each
    links.py receive         the burst's receiver: prints ms
    links.py send ADDRESS    its sender

A link of 10 Mbit/s and 20 ms takes 1.2 ms for a packet of 1500 bytes: the last of 20
sent at once arrives after 24 + 20 ms, 12 ms earlier if ten pass at once (htb's 15 KB).
"""

import socket
import sys
import time

PORT = 5001
PACKETS = 20
MBPS = 10
DELAY_MS = 20
PAYLOAD = 1472
FRAME_MS = 1514 * 8 / MBPS / 1000
BURST_PACKETS = 10
SETTLE_S = 1                    # after the first packet, for which neighbours are looked up


def receive():
    """The first packet is not of the burst; the others say when it began."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.bind(("", PORT))
        print("ready", flush=True)
        sock.recv(PAYLOAD)
        for _ in range(PACKETS):
            sent = float(sock.recv(PAYLOAD))
        print((time.monotonic() - sent) * 1000)


def send(address):
    """All at once."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.connect((address, PORT))
        sock.send(b"0")
        time.sleep(SETTLE_S)
        data = str(time.monotonic()).encode().ljust(PAYLOAD)
        for _ in range(PACKETS):
            sock.send(data)


def last_arrival(link):
    """ms from when a burst was sent to when its last packet came."""
    # pylint: disable=import-outside-toplevel
    from mininet.net import Mininet
    from mininet.topo import Topo
    topo = Topo()
    topo.addLink(topo.addHost("a"), topo.addHost("b"), bw=MBPS, delay=f"{DELAY_MS}ms",
                 max_queue_size=5 * PACKETS)
    net = Mininet(topo=topo, link=link, controller=None)
    net.start()
    receiver = net["b"].popen([sys.executable, __file__, "receive"], text=True)
    assert receiver.stdout.readline() == "ready\n", receiver.communicate()
    net["a"].pexec([sys.executable, __file__, "send", net["b"].IP()])
    late = float(receiver.communicate()[0])
    net.stop()
    return late


def main():
    """Both links."""
    # pylint: disable=import-outside-toplevel
    from dcc_mininet import FabricLink
    from mininet.link import TCLink
    low, high = (PACKETS - BURST_PACKETS) * FRAME_MS, PACKETS * FRAME_MS
    for kind in (TCLink, FabricLink):
        late = last_arrival(kind)
        print(f"{kind.__name__}: the last of {PACKETS} packets after {late:.1f} ms: the line's"
              f" {low:.1f} to {high:.1f} ms and the delay's {DELAY_MS}"
              + (" add up" if late >= low + DELAY_MS else " do not add up"))


if __name__ == "__main__":
    {"receive": receive, "send": send}.get(sys.argv[1] if len(sys.argv) > 1 else "",
                                           main)(*sys.argv[2:])
