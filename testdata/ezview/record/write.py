"""Writes a reuse profile in DrCCTProf's layout: three records, each once for every role.

DrCCTProf needs DynamoRIO, which is in no package repository; the layout is the one that its data
builder writes. Usage: python3 write.py FILE
"""

import sys


def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value) if value else b""
    return varint(number << 3 | 2) + varint(len(value)) + value


def message(*values):
    """A message whose fields 1, 2, 3 … have these values."""
    return b"".join(field(number, value) for number, value in enumerate(values, 1))


STRINGS = ["", " "]


def text(value):
    if value not in STRINGS:
        STRINGS.append(value)
    return STRINGS.index(value)


FUNCTIONS = {}
CONTEXTS = {(): 1}


def context(path):
    """The id of a path of (function, line)."""
    path = tuple(path)
    if path not in CONTEXTS:
        context(path[:-1])
        CONTEXTS[path] = len(CONTEXTS) + 1
    return CONTEXTS[path]


def main(target):
    names = ["sample type", "alloc context", "use context", "counts", "total distance"]
    out = b"".join(field(1, message(1, 1, text(name))) for name in names)
    top = [("THREAD[0]_ROOT_CTXT", 0), ("main", 12)]
    records = [
        (top + [("Grid::Grid", 30), ("malloc", 0)], top + [("sweep", 41)], top + [("relax", 58)], 90, 7200),
        (top + [("Grid::Grid", 31), ("malloc", 0)], top + [("sweep", 42)], top + [("sweep", 42)], 40, 40),
        (top + [("Grid::Grid", 30), ("malloc", 0)], top + [("relax", 57)], top + [("norm", 66)], 8, 96000),
    ]
    for allocated, used, reused, counts, distance in records:
        ids = [context(path) for path in (allocated, used, reused)]
        for kind in (1, 2, 3):
            known = [ids[0] if kind > 1 else 0, ids[1] if kind > 2 else 0]
            values = [kind, *known, counts, distance]
            metrics = b"".join(field(2, message(0, value)) for value in values)
            out += field(2, field(1, ids[kind - 1]) + metrics)
    for path, number in CONTEXTS.items():
        parent = CONTEXTS[path[:-1]] if path else 0
        out += field(3, message(number, number - 1, parent))
    for path, number in CONTEXTS.items():
        function, line = path[-1] if path else ("PROCESS[1]_ROOT_CTXT", 0)
        row = FUNCTIONS.setdefault(function, len(FUNCTIONS))
        out += field(4, message(number - 1, message(row, line)))
    file = text("/src/grid.cc")
    for function, row in FUNCTIONS.items():
        out += field(5, message(row, text(function), text(function), file, 10 + row))
    out += field(6, message(file, file, file))
    for string in STRINGS:
        out += field(7, string.encode())
    with open(target, "wb") as sink:
        sink.write(out)


main(sys.argv[1])
