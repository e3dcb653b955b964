"""A hive: recursion, two threads, tasks, a child process, counters and marks.

    python3 hive.py
"""

import asyncio
import gc
import multiprocessing
import sys
import threading

from viztracer import get_tracer
from viztracer.vizcounter import VizCounter


def honeycomb(depth: int) -> int:
    """Recursive."""
    return 1 if depth == 0 else sum(honeycomb(depth - 1) for _ in range(2))


def is_queen(number: int) -> bool:
    return number == 0 or is_drone(number - 1)


def is_drone(number: int) -> bool:
    return number != 0 and is_queen(number - 1)


def gather(flowers: int, counter: VizCounter | None) -> list[list[int]]:
    pollen = []
    for flower in range(flowers):
        pollen.append(sorted(range(flower, 0, -1)))
        if counter and flower % 5 == 0:
            counter.pollen = len(pollen)
    return pollen


async def dance(steps: int) -> int:
    for _ in range(steps):
        await asyncio.sleep(0.001)
    return honeycomb(2)


async def waggle() -> None:
    await asyncio.gather(dance(2), dance(3))


def brood() -> None:
    gather(5, None)
    honeycomb(3)


def main() -> None:
    tracer = get_tracer()
    counter = VizCounter(tracer, "pollen")
    bees = [threading.Thread(target=gather, args=(12, counter), name='bee "one"'),
            threading.Thread(target=honeycomb, args=(4,), name="bee two")]
    for bee in bees:
        bee.start()
    for bee in bees:
        bee.join()
    is_queen(9)
    tracer.log_instant("swarm", {"bees": 2}, scope="p")
    with tracer.log_event("dancing"):
        asyncio.run(waggle())
    gc.collect()
    if "child" in sys.argv:
        child = multiprocessing.Process(target=brood, name="brood")
        child.start()
        child.join()


if __name__ == "__main__":
    main()
