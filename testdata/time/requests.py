"""A server's day in two seconds: thousands of requests, and one that is slow.

    viztracer --tracer_entries 200000 -o requests.json requests.py
"""

import time

PRICES = {}


def parse(text):
    return [int(part) for part in text.split(",")]


def load_prices():
    """Reads the price list, which is found to be old now and then."""
    table = {}
    for number in range(60_000):
        table[number] = number * 31 % 997
    return table


def price_of(item):
    if item == 777_777:
        PRICES.update(load_prices())
    return PRICES.get(item, 1)


def answer(total):
    return f"total={total}"


def handle(text):
    return answer(sum(price_of(item) for item in parse(text)))


def serve():
    for number in range(1_200):
        items = [number * 7 % 1_000, number * 13 % 1_000]
        if number == 871:
            items[1] = 777_777
        handle(",".join(map(str, items)))
        if number % 4 == 0:
            time.sleep(0.0004)


serve()
