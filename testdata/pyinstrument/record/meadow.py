"""Mows, rakes and bales, for the samplers of Python: recursion, two threads, tasks, memory.

    python3 meadow.py SECONDS [tasks]
"""

import asyncio
import json
import sys
import threading
import time


def mow(width: int) -> int:
    """Recursive."""
    return 1 if width < 2 else mow(width - 1) + mow(width - 2)


def rake(rows: int) -> list[str]:
    return sorted(("hay " * (row % 17) for row in range(rows)), key=lambda row: row[::-1])


class Barn:
    def __init__(self) -> None:
        self.bales: list[bytearray] = []

    def bale(self, count: int) -> None:
        for number in range(count):
            self.bales.append(bytearray(20_000 + number % 7))
        del self.bales[200:]

    @property
    def stock(self) -> str:
        return json.dumps({number: len(bale) for number, bale in enumerate(self.bales)})


def harvest(until: float, barn: Barn) -> None:
    while time.monotonic() < until:
        mow(16)
        rake(3000)
        barn.bale(40)
        len(barn.stock)


def rest(until: float) -> None:
    while time.monotonic() < until:
        time.sleep(0.01)
        mow(10)


async def graze(until: float, cow: int) -> None:
    while time.monotonic() < until:
        await asyncio.sleep(0.003 * cow)
        mow(13 + cow)


async def herd(until: float) -> None:
    await asyncio.gather(*(asyncio.create_task(graze(until, cow), name=f"cow {cow}") for cow in (1, 2)))


def main() -> None:
    until = time.monotonic() + float(sys.argv[1])
    if "tasks" in sys.argv:
        asyncio.run(herd(until))
        return
    resting = threading.Thread(target=rest, args=(until,), name="resting hand")
    resting.start()
    harvest(until, Barn())
    resting.join()


if __name__ == "__main__":
    main()
