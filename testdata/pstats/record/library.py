"""Shelves, sorts and looks up made-up books: recursion, built-ins, generators, a lambda.

    python3 library.py
"""

import json
import random
import re

SYLLABLES = ["ba", "lu", "mor", "ti", "sen", "ka", "ro", "vel"]


def title(source: random.Random) -> str:
    return " ".join("".join(source.choices(SYLLABLES, k=3)) for _ in range(2))


def acquire(count: int, seed: int) -> list[str]:
    source = random.Random(seed)
    return [title(source) for _ in range(count)]


def sort(books: list[str]) -> list[str]:
    """A merge sort: direct recursion."""
    if len(books) < 2:
        return books
    middle = len(books) // 2
    left, right = sort(books[:middle]), sort(books[middle:])
    merged = []
    while left and right:
        merged.append((left if left[0] <= right[0] else right).pop(0))
    return merged + left + right


def fiction(depth: int) -> int:
    """Calls `history`, which calls it: indirect recursion."""
    return 1 if depth == 0 else history(depth - 1) + history(depth // 2)


def history(depth: int) -> int:
    return 1 if depth == 0 else fiction(depth - 1) + len(str(depth))


class Catalogue:
    def __init__(self, books: list[str]) -> None:
        self.books = sorted(books, key=lambda book: book[::-1])

    def search(self, pattern: str):
        for book in self.books:
            if re.search(pattern, book):
                yield book

    def __str__(self) -> str:
        return json.dumps(self.books, indent=1)


def visit(count: int, seed: int) -> int:
    catalogue = Catalogue(sort(acquire(count, seed)))
    return len(list(catalogue.search("^mo"))) + fiction(12) + len(str(catalogue))


if __name__ == "__main__":
    visit(300, 1)
