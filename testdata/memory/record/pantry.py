"""A program whose memory follows from its text: what is kept, what is given back, threads, a child."""

import os
import threading
import time

shelves = []


def fill(count, size):
    for _ in range(count):
        shelves.append(bytes(size))


def taste(count):
    for _ in range(count):
        bytearray(40_000)


def feast(size):
    table = [bytearray(size) for _ in range(20)]
    time.sleep(0.12)
    return len(table)


def jars(count):
    for number in range(count):
        yield str(number) * 300


def stack(depth):
    if depth == 0:
        shelves.append(bytes(1_000_000))
    else:
        stack(depth - 1)


fill(300, 10_000)
taste(500)
feast(400_000)
stack(6)
cook = threading.Thread(target=fill, args=(100, 20_000), name="cook")
cook.start()
cook.join()
shelves.extend(jars(2_000))
child = os.fork()
if child == 0:
    fill(50, 30_000)
    os._exit(0)
os.waitpid(child, 0)
