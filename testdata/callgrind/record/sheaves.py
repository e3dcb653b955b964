"""Binds and threshes sheaves in two threads, for yappi's callgrind and pstat output.

    python3 sheaves.py OUT.callgrind
"""

import sys
import threading

import yappi


def bind(stalks: int) -> list[int]:
    return [stalk * 7 % 31 for stalk in range(stalks)]


def thresh(sheaf: list[int]) -> int:
    """Recursive."""
    if len(sheaf) < 2:
        return sum(sheaf)
    middle = len(sheaf) // 2
    return thresh(sheaf[:middle]) + thresh(sheaf[middle:])


def is_even(number: int) -> bool:
    return number == 0 or is_odd(number - 1)


def is_odd(number: int) -> bool:
    return number != 0 and is_even(number - 1)


class Barn(threading.Thread):
    def __init__(self, name: str, sheaves: int) -> None:
        super().__init__(name=name)
        self.sheaves = sheaves

    def run(self) -> None:
        for number in range(self.sheaves):
            thresh(bind(number * 3))
            is_even(number)


yappi.set_clock_type("cpu")
yappi.start()
barns = [Barn("north barn", 40), Barn("south barn", 60)]
for barn in barns:
    barn.start()
for barn in barns:
    barn.join()
yappi.stop()
yappi.get_func_stats().save(sys.argv[1], type="callgrind")
