"""Fields of protobuf messages by number."""

import collections


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value & (1 << 64) - 1, at


def fields(data):
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        elif key & 7 == 1:
            value, at = data[at : at + 8], at + 8
        elif key & 7 == 2:
            size, at = varint(data, at)
            value, at = data[at : at + size], at + size
        elif key & 7 == 5:
            value, at = data[at : at + 4], at + 4
        else:
            raise ValueError(f"wire type {key & 7}")
        yield key >> 3, value


def message(data):
    """By number, all values; whole numbers without a sign."""
    found = collections.defaultdict(list)
    for number, value in fields(data):
        found[number].append(value)
    return found


def signed(value):
    return value - (1 << 64) if value >> 63 else value


def packed(values):
    """Whole numbers that stand packed, or one by one."""
    for value in values:
        if isinstance(value, int):
            yield value
            continue
        at = 0
        while at < len(value):
            number, at = varint(value, at)
            yield number
