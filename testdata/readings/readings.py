"""Readings of sensors: asyncio receives them, threads clean them, numpy sums them up. Its
workers hold one lock for all that they do, and clip value by value; `fixed` as an argument mends both."""

import asyncio
import queue
import sys
import threading

import numpy

SENSORS, BATCHES, VALUES = 12, 80, 2_000
LOW, HIGH = -2.0, 2.0


class Totals:
    def __init__(self):
        self.lock = threading.Lock()
        self.counts = numpy.zeros(40, dtype=int)

    def add(self, values):
        counts, _ = numpy.histogram(values, bins=40, range=(LOW, HIGH))
        self.counts += counts


def clip(value):
    return LOW if value < LOW else HIGH if value > HIGH else value


def clean(batch):
    return numpy.array([clip(value) for value in batch])


def work(batches, totals):
    while (batch := batches.get()) is not None:
        with totals.lock:
            totals.add(clean(batch))


def work_fixed(batches, totals):
    while (batch := batches.get()) is not None:
        cleaned = numpy.clip(batch, LOW, HIGH)
        with totals.lock:
            totals.add(cleaned)


async def sensor(number, batches):
    draw = numpy.random.default_rng(number)
    for _ in range(BATCHES):
        await asyncio.sleep(0.004)
        batches.put(draw.normal(size=VALUES))


async def receive(batches):
    tasks = [asyncio.create_task(sensor(n, batches), name=f"sensor {n}") for n in range(SENSORS)]
    await asyncio.gather(*tasks)


def main(worker):
    batches, totals = queue.Queue(), Totals()
    workers = [threading.Thread(target=worker, args=(batches, totals), name=f"worker {n}") for n in (1, 2)]
    for thread in workers:
        thread.start()
    asyncio.run(receive(batches))
    for _ in workers:
        batches.put(None)
    for thread in workers:
        thread.join()
    print(totals.counts.sum(), "readings,", totals.counts[[0, -1]].sum(), "at the ends")


if __name__ == "__main__":
    main(work_fixed if sys.argv[1:] == ["fixed"] else work)
