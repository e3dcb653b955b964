"""Counts and sorts made-up words in two threads: something for py-spy to look at.

    python3 words.py SECONDS
"""

import json
import random
import re
import sys
import threading
import time
from collections import Counter

SYLLABLES = ["ba", "lu", "mor", "ti", "sen", "ka", "ro", "vel"]


def make_word(source: random.Random) -> str:
    return "".join(source.choice(SYLLABLES) for _ in range(source.randint(2, 5)))


def make_text(seed: int) -> str:
    source = random.Random(seed)
    return " ".join(make_word(source) for _ in range(3000))


def count(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", text))


def halves(words: list[str]) -> list[str]:
    """A merge sort, for the recursion."""
    if len(words) < 2:
        return words
    middle = len(words) // 2
    left, right = halves(words[:middle]), halves(words[middle:])
    merged = []
    while left and right:
        merged.append((left if left[0] <= right[0] else right).pop(0))
    return merged + left + right


class Worker(threading.Thread):
    def __init__(self, name: str, deadline: float) -> None:
        super().__init__(name=name)
        self.deadline = deadline

    def run(self) -> None:
        seed = 0
        while time.monotonic() < self.deadline:
            counts = count(make_text(seed))
            json.dumps({word: counts[word] for word in halves(list(counts))})
            seed += 1


def main() -> None:
    deadline = time.monotonic() + float(sys.argv[1])
    workers = [Worker(name, deadline) for name in ("reader", "writer")]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


if __name__ == "__main__":
    main()
