"""Reads forty files of orders, one after the other; the second run meets a file with other dates.

    viztracer --tracer_entries 400000 -o imports-before.json imports.py
    viztracer --tracer_entries 400000 -o imports-after.json imports.py 27
"""

import random
import sys

FORMATS = ["%d.%m.%Y", "%m/%d/%Y", "%Y-%m-%d"]


def day_of(text):
    return int(text[0:4]) * 372 + int(text[5:7]) * 31 + int(text[8:10])


def guess_day(text):
    """Tries what dates may look like."""
    found = []
    for form in FORMATS:
        separator = next(letter for letter in form if letter in "./-")
        parts = text.split(separator)
        if len(parts) == 3:
            found.append(sum(int(part) * scale for part, scale in zip(parts, (1, 31, 372))))
    return found[0]


def parse(line):
    day, amount = line.split(";")
    return (day_of(day) if day[4] == "-" else guess_day(day), int(amount))


def read(number, odd):
    line = "07.11.2026;{}" if number == odd else "2026-11-07;{}"
    return [line.format(order) for order in range(60 + random.Random(number).randrange(60))]


def store(rows):
    return sum(amount for _, amount in rows)


def import_file(number, odd):
    return store([parse(line) for line in read(number, odd)])


def main():
    odd = int(sys.argv[1]) if len(sys.argv) > 1 else None
    for number in range(40):
        import_file(number, odd)


main()
