"""Two processes that mow."""

import multiprocessing
import time

import meadow


def mow_until(until: float) -> None:
    while time.monotonic() < until:
        meadow.mow(14)


if __name__ == "__main__":
    until = time.monotonic() + 0.3
    sheep = [multiprocessing.Process(target=mow_until, args=(until,)) for _ in range(2)]
    for process in sheep:
        process.start()
    meadow.rest(until)
    for process in sheep:
        process.join()
