# SPDX-License-Identifier: GPL-2.0
"""What a seed chooses of a network: the ranges that all families share."""

from dataclasses import dataclass

from lablib.draw import Draw

RATES = (1, 10, 25, 40, 50, 100, 200, 400)              # Gbit/s
PACKETS = (1500, 4096, 9000)                            # MTU, bytes
# Base RTTs, us: 8 to 1000, as far apart in proportion.
ROUNDS = (8, 10, 12, 16, 20, 25, 30, 40, 50, 60, 80, 100, 120, 160, 200, 250, 300, 400,
          500, 600, 800, 1000)
HOLDS = (4, 3000)               # packets that a path holds: rate * RTT
INTERRUPTS = (8, 16, 30, 60, 125, 200)                  # us, of cards as they come
MARKS = "0.5bdp"
NS = 1000                       # of a us
ACK = 300                       # bytes, with all that may come with it


class Dice(Draw):
    """The draws of one seed in one family."""

    def __init__(self, family, seed):
        super().__init__(seed, f"family {family}")

    def one(self, items):
        """One of them."""
        return items[self.below(len(items))]

    def between(self, low, high):
        """A whole number, both ends included."""
        return low + self.below(high - low + 1)

    def spread(self, low, high):
        """The same, each doubling as likely: small ones are not rare."""
        doublings = 0
        while low << doublings + 1 < high:
            doublings += 1
        first = low << self.below(doublings + 1)
        return self.between(first, min(2 * first, high))


@dataclass(frozen=True)
class Net:
    """Links of one rate, hosts of one kind."""

    rate: int                   # Gbit/s
    rtt: int                    # us
    mtu: int                    # bytes
    interrupt: int              # us after a packet; 0: the card neither cuts nor merges
    jitter: int                 # us, of each way of a host's link

    @property
    def round(self):
        """A round trip of the idle network, us: an interrupt for the packet, one for its ACK."""
        return self.rtt + 2 * self.interrupt

    @property
    def holds(self):
        """Packets in a round trip."""
        return self.rate * 1000 * self.round // (8 * self.mtu)

    def words(self):
        """For a table."""
        card = f", interrupts {self.interrupt} us" if self.interrupt else ""
        noise = f", jitter {self.jitter} us" if self.jitter else ""
        return f"{self.rate} Gbit/s x {self.rtt} us, {self.mtu} B{card}{noise}"

    def keys(self, rtt=True):
        """Of a line `topology`."""
        way = f" rtt={self.rtt}us" if rtt else ""
        return f"rate={self.rate}Gbps{way} mtu={self.mtu}B nic=ideal"

    def lines(self):
        """What hosts have besides."""
        return [f"host * offload tso=1 gro={self.interrupt}us"] if self.interrupt else []


def net(dice, most=HOLDS[1], least=HOLDS[0], jitter=True, hops=2):
    """A network whose paths, of so many links, hold `least` to `most` packets."""
    while True:
        rate, rtt, mtu = dice.one(RATES), dice.one(ROUNDS), dice.one(PACKETS)
        card = dice.one(INTERRUPTS) if dice.chance(1 / 2) else 0
        noise = rtt // 10 if jitter and dice.chance(1 / 4) else 0
        drawn = Net(rate, rtt, mtu, card, noise)
        sending = hops * (mtu + ACK) * 8 // rate        # ns, of a packet and its ACK
        if least <= drawn.holds <= most and sending < rtt * NS:
            return drawn
