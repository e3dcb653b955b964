"""Presses what was picked. Recorded by `python -m profile`, whose first function is the code of this file.

For any Python; its constants are of every kind, so that the code is.
"""
import sys

LARGE = 123456789012345678901234567890
TURN, NOTHING, ENDLESS = 3 - 2j, None, Ellipsis
LABEL = b"cellar" if sys.version_info > (3,) else u"cellar"
NEGATIVE, REAL = -3000000000, 2.5e-3


def press(fruit, kinds=(1, "pear", (2.5, True))):
    def squeeze(one, left=10 ** 3):
        return squeeze(one, left // 2) + 1 if left else len(one)

    return [squeeze(one) for one in fruit if one in {"apple", "pear", "plum"}]


class Barrel(object):
    def __init__(self, size):
        self.size = size

    def drip(self):
        drops = (each * each for each in range(self.size))
        return sum(drops) + sum(map(lambda drop: drop % 7, range(self.size)))


press(["apple", "pear"] * 20)
Barrel(50).drip()
