"""Two functions that one calls by turns, for 0.15 and 0.45 ms each, most of the time."""

import time


def short(begin):
    while time.perf_counter_ns() < begin + 150_000:
        pass


def long(begin):
    while time.perf_counter_ns() < begin + 450_000:
        pass


def parent(calls):
    for _ in range(calls):
        short(time.perf_counter_ns())
        long(time.perf_counter_ns())


parent(1000)
