"""Counts what the programs do, one operation and one element after the other: no DaCe, no algebra.

    python record/count.py

writes `truth/count.json` into the folder above this one: operations of arithmetic, and elements that are
read from containers and written to them. What repeats as in `programs.py` is repeated here.
"""

import json
import os

WORK, MOVED = "work", "moved"


def heat(tell, n, t):
    # Each operator of NumPy is a pass over the inside of the plate, into an array of its own.
    for _ in range(t):
        for _ in range(2):
            for _ in range((n - 2) ** 2):
                half, *sums, eighth, last = [1, 2, 2, 2, 1, 2]
                for operands in (half, *sums, eighth, last):
                    tell(WORK, 1)
                    tell(MOVED, 8 * (operands + 1))


def loops(tell, m, n, k):
    for _ in range(m):
        for _ in range(k):
            for _ in range(n):
                # A product, and a sum where writes meet.
                tell(WORK, 2)
                tell(MOVED, 4 * 3)


def fade(tell, h, w):
    for _ in range(h):
        for _ in range(w):
            tell(WORK, 2)
            tell(MOVED, 8 * 2)


def comb(tell, n):
    for _ in range(1, n - 1, 3):
        tell(WORK, 2)
        tell(MOVED, 8 * 3)


def ladder(tell, n):
    for i in range(n):
        for _ in range(i + 1):
            tell(WORK, 1)


def leave(tell, n):
    for i in range(n):
        for j in range(i + 1):
            tell(WORK, 2)
            tell(MOVED, 8 * 2)
            if j > 7:
                break
            tell(WORK, 1)
            tell(MOVED, 8 * 2)
    tell(WORK, 1)
    tell(MOVED, 8 * 2)


def nest(tell, n):
    for _ in range(n**4):
        tell(WORK, 2)
        tell(MOVED, 8 * 2)


SIZES = [
    (heat, {"N": 5, "T": 3}),
    (heat, {"N": 40, "T": 6}),
    (loops, {"M": 3, "N": 4, "K": 5}),
    (loops, {"M": 12, "N": 14, "K": 16}),
    (fade, {"H": 1, "W": 7}),
    (fade, {"H": 24, "W": 100}),
    (comb, {"N": 3}),
    (comb, {"N": 50}),
    (comb, {"N": 52}),
    (ladder, {"N": 1}),
    (ladder, {"N": 12}),
    (leave, {"N": 6}),
    (nest, {"N": 3}),
]


def main():
    told = []
    for program, sizes in SIZES:
        sums = {}

        def tell(what, count):
            sums[what] = sums.get(what, 0) + count

        program(tell, **{name.lower(): value for name, value in sizes.items()})
        told.append({"case": program.__name__, "symbols": sizes, **sums})
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../truth/count.json")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        json.dump(told, file, indent=1)


main()
