# SPDX-License-Identifier: GPL-2.0
"""Random draws that are the same everywhere, for ever.

Python's own generator promises its bits but not what shuffle() makes of them;
a scenario's workload must not change with the Python that reads it. SplitMix64
(Steele, Lea, Flood 2014) is ten lines and enough for workloads.
"""

_MASK = 2**64 - 1
_GOLDEN = 0x9E3779B97F4A7C15    # 2^64 / golden ratio


def _name_hash(text):
    """FNV-1a, so that each use of a seed has its own stream."""
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = ((value ^ byte) * 0x100000001B3) & _MASK
    return value


class Draw:
    """A stream of draws, named so that streams of one seed do not share."""

    def __init__(self, seed, name):
        self.state = (_name_hash(name) ^ (seed * _GOLDEN)) & _MASK

    def bits(self):
        """The next 64 bits."""
        self.state = (self.state + _GOLDEN) & _MASK
        value = self.state
        value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & _MASK
        return value ^ (value >> 31)

    def below(self, limit):
        """A whole number from 0 to limit - 1 (the bias is below 2^-32)."""
        return self.bits() * limit >> 64

    def chance(self, probability):
        """True with this probability."""
        return self.bits() < probability * 2**64

    def shuffled(self, items):
        """The items in random order (Fisher and Yates)."""
        items = list(items)
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]
        return items

    def permutation(self, items):
        """Pairs (from, to): everyone sends and receives once, none to itself.

        Rejection keeps all such permutations equally likely; about e tries.
        """
        items = list(items)
        if len(items) < 2:
            return []
        while True:
            targets = self.shuffled(items)
            if all(a != b for a, b in zip(items, targets)):
                return list(zip(items, targets))
