"""A program with every kind of call: recursion, generators, exceptions, coroutines, threads, a child."""

import asyncio
import os
import threading


def tune(strings):
    return 1 if strings == 0 else strings * tune(strings - 1)


def notes(count):
    for pitch in range(count):
        yield abs(pitch - 3)


def slip(depth):
    if depth == 0:
        raise ValueError("wrong note")
    slip(depth - 1)


async def play(part):
    await asyncio.sleep(0.002 * part)
    return sum(notes(part + 4))


async def concert():
    return await asyncio.gather(*(play(part) for part in range(3)))


def rehearse(rounds):
    for _ in range(rounds):
        tune(5)


def main():
    rehearse(20)
    for _ in range(2):
        try:
            slip(3)
        except ValueError:
            pass
    threads = [threading.Thread(target=rehearse, args=(7,), name=f"section {row}") for row in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    asyncio.run(concert())
    child = os.fork()
    if child == 0:
        tune(9)
        os._exit(0)
    os.waitpid(child, 0)


if __name__ == "__main__":
    main()
