"""What is told of the orders."""

from collections import defaultdict


def summary(priced):
    """The best customers, and how many orders there are."""
    best = sorted(by_customer(priced).items(), key=lambda entry: entry[1], reverse=True)[:3]
    return f"{len(priced)} orders, best: " + ", ".join(name for name, _ in best)


def by_customer(priced):
    sums = defaultdict(int)
    for customer, _, price in priced:
        sums[customer] += price
    return sums
