"""Writes a Perfetto trace of a bakery: two processes on two processors, told by several writers.

Everything is written byte by byte, with nothing but Python's library, so that the file is the same
everywhere: python3 trace.py bakery.perfetto-trace
"""

import struct
import sys
import zlib


def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def integer(field, value):
    return varint(field << 3) + varint(value)


def fixed(field, value):
    return varint(field << 3 | 1) + struct.pack("<Q", value)


def double(field, value):
    return varint(field << 3 | 1) + struct.pack("<d", value)


def message(field, *parts):
    body = b"".join(part.encode() if isinstance(part, str) else part for part in parts)
    return varint(field << 3 | 2) + varint(len(body)) + body


def packed(field, values):
    return message(field, *[varint(value) for value in values])


trace = bytearray()


def packet(*parts):
    trace.extend(message(1, *parts))


BOOT = 5_000_000_000
MONOTONIC_BEHIND = 1_000_000  # what the monotonic clock is behind that since the boot


def clock(number, time, incremental=False, unit=None):
    parts = [integer(1, number), integer(2, time)]
    if incremental:
        parts.append(integer(3, 1))
    if unit:
        parts.append(integer(4, unit))
    return message(1, *parts)


packet(
    message(
        6,
        clock(6, BOOT),
        clock(3, BOOT - MONOTONIC_BEHIND),
        clock(1, 1_700_000_000_000_000_000),
        integer(2, 6),
    ),
    integer(10, 1),
)
packet(message(89, integer(1, 7)), integer(10, 1))

# The program's own events, by the monotonic clock, with numbered names.
SHOP, MAIN, OVEN, ORDERS, TILL = 100, 101, 102, 103, 104
packet(integer(10, 2), integer(13, 1), message(59, integer(58, 3), message(11, integer(11, MAIN))))
packet(integer(10, 2), message(60, integer(1, SHOP), message(3, integer(1, 40), message(6, "bakery"))))
packet(
    integer(10, 2),
    message(60, integer(1, MAIN), integer(5, SHOP), message(4, integer(1, 40), integer(2, 41), message(5, "counter"))),
)
packet(
    integer(10, 2),
    message(60, integer(1, OVEN), integer(5, SHOP), message(4, integer(1, 40), integer(2, 42), message(5, "oven"), integer(3, 2))),
)
packet(integer(10, 2), message(60, integer(1, ORDERS), integer(5, SHOP), message(2, "orders"), integer(12, -1)))
packet(
    integer(10, 2),
    message(60, integer(1, TILL), integer(5, SHOP), message(2, "till"), message(8, integer(3, 3), integer(4, 2))),
)


def at(time):
    return integer(8, BOOT - MONOTONIC_BEHIND + time)


names = {}


def name(text, field=2):
    """The number of a name, and what tells it the first time."""
    table = names.setdefault(field, {})
    known = text in table
    number = table.setdefault(text, len(table) + 1)
    return number, b"" if known else message(field, integer(1, number), message(2, text))


def event(time, kind, text=None, track=None, category=None, *more, sequence=2):
    told, parts = b"", [integer(9, kind)]
    if text:
        number, new = name(text)
        told += new
        parts.append(integer(10, number))
    if category:
        number, new = name(category, 1)
        told += new
        parts.append(integer(3, number))
    if track is not None:
        parts.append(integer(11, track))
    parts.extend(more)
    inside = [message(12, told)] if told else []
    packet(at(time), integer(10, sequence), integer(13, 2), message(11, *parts), *inside)


BEGIN, END, INSTANT, VALUE = 1, 2, 3, 4


def note(key, field, value):
    parts = message(field, value) if isinstance(value, str) else integer(field, value)
    return message(4, message(10, key), parts)


for customer in range(8):
    start = customer * 100_000
    event(start, BEGIN, "serve", None, "shop", note("customer", 4, customer), note("says", 6, "two \"buns\", please\n"))
    event(start + 5_000, BEGIN, "take order", None, "shop", fixed(47, 9000 + customer))
    order = 500 + customer
    packet(integer(10, 2), message(60, integer(1, order), integer(5, ORDERS), message(2, "order")))
    event(start + 20_000, END)
    event(start + 20_000, BEGIN, "wait for bread", order, "orders", message(4, message(10, "bread"), message(11, message(10, "kind"), message(6, "rye")), message(11, message(10, "slices"), message(12, integer(4, 3)), message(12, double(5, 0.5)))))
    event(start + 30_000, BEGIN, "bake", OVEN, "oven", fixed(48, 9000 + customer), integer(34, 1))
    if customer == 3:
        event(start + 44_000, INSTANT, "smoke", OVEN, "oven", note("alarm", 2, 1))
    event(start + 70_000 + customer, END, None, OVEN)
    event(start + 130_000, END, None, order)
    event(start + 90_000, VALUE, None, TILL, None, integer(30, 250 * customer))
    event(start + 99_000, END)
event(800_000, BEGIN, "close", None, "shop")

# Another writer with a clock of its own, in microseconds and as differences, and a double counter.
packet(integer(10, 3), integer(13, 1), message(6, clock(64, 0, True, 1000), clock(6, BOOT + 2_000)), message(59, integer(58, 64)))
packet(
    integer(10, 3),
    message(60, integer(1, 200), message(2, "heat"), integer(5, SHOP), message(8, message(6, "degrees"))),
)
for step in range(10):
    packet(integer(8, 50), integer(10, 3), message(11, integer(9, 4), integer(11, 200), double(44, 180 + step / 4)))

# Chrome's older events, of which the first is lost with its sequence's state.
packet(integer(10, 4), integer(42, 1), integer(13, 2), integer(8, BOOT + 10), message(11, integer(10, 1), message(6, integer(2, ord("B")))))
packet(
    integer(10, 4),
    integer(13, 1),
    message(44, integer(1, 50), integer(2, 51), message(5, "mill"), integer(6, (BOOT - MONOTONIC_BEHIND) // 1000 + 5)),
    message(12, message(2, integer(1, 1), message(2, "grind")), message(2, integer(1, 2), message(2, "deliver")), message(1, integer(1, 1), message(2, "mill"))),
)
packet(integer(10, 4), message(43, integer(1, 50), message(6, "miller")))


def older(delta, identifier, *legacy):
    packet(integer(10, 4), integer(13, 2), message(11, integer(1, delta), integer(3, 1), message(6, integer(1, identifier), *legacy)))


older(10, 1, integer(2, ord("X")), integer(3, 120))
older(0, 2, integer(2, ord("b")), integer(6, 77))
older(40, 2, integer(2, ord("b")), integer(6, 78))
older(60, 2, integer(2, ord("e")), integer(6, 77))
older(90, 2, integer(2, ord("n")), integer(6, 78))
older(10, 2, integer(2, ord("e")), integer(6, 78))
older(5, 1, integer(2, ord("I")), integer(14, 2))
older(1, 1, integer(2, ord("N")))

# The kernel's view.
packet(
    message(
        2,
        message(1, integer(1, 40), message(3, "/usr/bin/bakery"), message(3, "--open")),
        message(2, integer(1, 41), integer(3, 40), message(2, "counter")),
        message(2, integer(1, 42), integer(3, 40), message(2, "oven")),
        message(2, integer(1, 60), integer(3, 60), message(2, "cleaner")),
    ),
    integer(10, 5),
)


def kernel(time, thread, kind, *parts):
    return message(2, integer(1, BOOT + time), integer(2, thread), message(kind, *parts))


def switch(time, before, state, after, comm):
    return kernel(time, before, 4, message(1, {0: "swapper", 41: "counter", 60: "cleaner"}[before]), integer(2, before), integer(4, state), message(5, comm), integer(6, after), integer(7, 120))


packet(
    message(
        1,
        integer(1, 0),
        switch(0, 0, 0, 41, "counter"),
        kernel(10_000, 41, 20, message(1, "oven"), integer(2, 42), integer(3, 120), integer(5, 1)),
        switch(40_000, 41, 1, 60, "cleaner"),
        kernel(41_000, 60, 3, message(2, "B|60|mop | floor\n")),
        kernel(42_000, 60, 3, message(2, "C|60|water|-12\n")),
        kernel(43_000, 60, 3, message(2, "S|60|dry|5\n")),
        kernel(44_000, 60, 3, message(2, "S|60|dry|6\n")),
        kernel(47_000, 60, 3, message(2, "E|60\n")),
        kernel(48_000, 60, 3, message(2, "F|60|dry|5\n")),
        kernel(49_000, 60, 3, message(2, "F|60|dry|6\n")),
        switch(50_000, 60, 2, 41, "counter"),
        switch(90_000, 41, 256, 0, "swapper"),
        kernel(95_000, 0, 13, integer(1, 1)),
    ),
    integer(10, 5),
)
packet(
    message(
        1,
        integer(1, 1),
        kernel(0, 0, 11, integer(1, 1_800_000), integer(2, 1)),
        kernel(30_000, 0, 11, integer(1, 2_400_000), integer(2, 1)),
        message(
            4,
            message(5, "oven"),
            message(5, "swapper"),
            packed(1, [BOOT + 15_000, 45_000, 40_000]),
            packed(2, [0, 1, 0]),
            packed(3, [42, 0, 42]),
            packed(4, [120, 120, 110]),
            packed(6, [0, 1, 0]),
            packed(7, [BOOT + 95_000]),
            packed(8, [41]),
            packed(9, [0]),
        ),
    ),
    integer(10, 6),
)

# Samples of perf, packed as one.
inner = bytearray()
outer, trace = trace, inner
packet(
    integer(10, 7),
    integer(13, 1),
    message(
        12,
        message(7, integer(1, 1), integer(2, 1), integer(2, 2)),
        message(7, integer(1, 2), integer(2, 1)),
        message(6, integer(1, 1), integer(2, 1), integer(3, 1), integer(4, 0x1000)),
        message(6, integer(1, 2), integer(2, 2), integer(3, 1), integer(4, 0x2000), integer(5, 1), integer(6, 12)),
        message(19, integer(1, 1), integer(7, 1), integer(7, 2)),
        message(17, integer(1, 1), message(2, "usr")),
        message(17, integer(1, 2), message(2, "bin/bakery")),
        message(5, integer(1, 1), message(2, "main")),
        message(5, integer(1, 2), message(2, "knead")),
        message(18, integer(1, 1), message(2, "src/dough.c")),
    ),
)
for sample in range(5):
    packet(integer(8, BOOT + 1_000 + sample * 10_000), integer(10, 7), integer(13, 2), message(66, integer(1, sample % 2), integer(2, 40), integer(3, 42), integer(4, 1 + sample % 2)))
packet(integer(8, BOOT + 77_000), integer(10, 7), message(66, integer(1, 0), integer(2, 40), integer(3, 42), integer(18, 1)))
trace = outer
packet(message(50, zlib.compress(bytes(inner), 9)))

# What is counted only.
packet(integer(8, BOOT + 5), message(7, integer(4, 3)), integer(10, 8))
packet(integer(8, BOOT + 6), message(39, integer(1, 3)), integer(10, 8))
packet(integer(8, BOOT + 7), message(37, integer(7, 3)), integer(10, 8))

with open(sys.argv[1], "wb") as file:
    file.write(trace)
