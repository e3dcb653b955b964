"""Orders as lines of text."""

import re

ORDER = re.compile(r"(?P<day>\d+) (?P<customer>\w+) (?P<items>(\w+=\d+ ?)+)")


def made_up(count):
    """Lines that only their numbers decide."""
    state = 7
    for number in range(count):
        state = (state * 1103515245 + 12345) % 2**31
        items = " ".join(f"sku{(state >> shift) % 50}={1 + shift}" for shift in range(4))
        yield f"{number % 365} customer{state % 400} {items}"


def orders(lines):
    """What the lines say."""
    found = []
    for line in lines:
        match = ORDER.match(line)
        if match:
            found.append((int(match["day"]), match["customer"], items(match["items"])))
    return found


def items(text):
    """How many of what."""
    counts = {}
    for item in text.split():
        name, count = item.split("=")
        counts[name] = int(count)
    return counts
