"""What orders cost."""

from decimal import Decimal

RATES = [(10, Decimal("0.10")), (6, Decimal("0.05")), (0, Decimal("0.00"))]


def price_all(orders):
    """The orders with their prices, by customer and day."""
    return [(customer, day, price(items)) for day, customer, items in orders]


def price(items):
    """The price of some items, with the discount for many."""
    total = Decimal(0)
    for name, count in items.items():
        total += list_price(name) * count
    return total * (1 - discount(sum(items.values())))


def list_price(name):
    return Decimal(name.removeprefix("sku")) + Decimal("0.99")


def discount(count):
    for least, rate in RATES:
        if count >= least:
            return rate
    return Decimal(0)
