"""Runs all of it on orders that are made up."""

from orders import parse, pricing, report

ORDERS = 300_000


def main():
    lines = parse.made_up(ORDERS)
    orders = parse.orders(lines)
    priced = pricing.price_all(orders)
    print(report.summary(priced))


main()
