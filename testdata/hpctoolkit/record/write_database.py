"""Writes a small HPCToolkit database of version 4: two ranks of two threads, and a GPU stream.

The layout follows HPCToolkit's doc/FORMATS.md. Usage: python3 write_database.py FOLDER [wider]
With `wider` every record that may grow in later versions is longer, and the version is 4.1.
"""

import os
import struct
import sys

WIDER = 8 if "wider" in sys.argv else 0
MINOR = 1 if WIDER else 0

KINDS = ["SUMMARY", "NODE", "RANK", "THREAD", "GPUDEVICE", "GPUCONTEXT", "GPUSTREAM", "CORE"]
HOST = 0xA8C00270
# Kind, physical identifier or none, logical identifier.
PROFILES = [
    [(1, HOST, 0), (2, None, 1), (3, None, 0)],
    [(1, HOST, 0), (2, None, 0), (3, None, 0)],
    [(1, HOST, 0), (2, None, 0), (3, None, 1)],
    [(1, HOST, 0), (2, None, 0), (5, None, 0), (6, None, 2)],
    [(1, HOST, 0), (2, None, 1), (3, None, 1)],
]

MODULES = ["/opt/demo/field", "/lib/libm.so.6", "/opt/demo/libfast.so", "gpubins/grow.gpubin"]
FILES = ["src/demo/field.c", "/opt/demo/seed.h", "/opt/demo/list.h", "[libm.so.6]",
         "/opt/demo/grow.cu", "/opt/demo/common.h"]
# Name, module, offset, file, line.
FUNCTIONS = [
    ("main", 0, 0x1100, 0, 19),
    ("sow<int>", 0, 0x1300, 1, 5),
    ("next", 0, 0x1400, 2, 2),
    ("sqrt [libm.so.6]", 1, 0x8000, 3, 0),
    (None, 2, 0x900, None, 0),
    ("<gpu kernel>", None, 0, None, 0),
    ("grow(float*)", 3, 0, 4, 10),
    ("worker", 0, 0x1800, 0, 38),
]

LEXICAL, CALL, INLINED = 0, 1, 2
FUNCTION, LOOP, LINE, INSTRUCTION = 0, 1, 2, 3


def node(number, relation, kind, inside=(), function=None, source=None, point=None, hidden=False):
    return dict(id=number, relation=relation, kind=kind, inside=list(inside), function=function,
                source=source, point=point, hidden=hidden)


ENTRIES = [
    ("main thread", 1, 1, [
        node(2, CALL, FUNCTION, function=0, inside=[
            node(3, LEXICAL, LINE, source=(0, 21)),
            node(4, LEXICAL, LOOP, source=(0, 24), point=(0, 0x1180), inside=[
                node(5, LEXICAL, LINE, source=(0, 26), inside=[
                    # hpcprof leaves instructions out of the tree where their line is known.
                    node(33, LEXICAL, INSTRUCTION, point=(0, 0x1190), hidden=True),
                ]),
                node(6, LEXICAL, LINE, source=(0, 28), inside=[
                    node(7, INLINED, FUNCTION, function=1, inside=[
                        node(8, LEXICAL, LINE, source=(1, 6)),
                        node(9, LEXICAL, LINE, source=(1, 8), inside=[
                            node(10, INLINED, FUNCTION, function=2, inside=[
                                node(11, LEXICAL, LINE, source=(2, 3)),
                            ]),
                        ]),
                    ]),
                    node(12, CALL, FUNCTION, function=5, inside=[
                        node(13, CALL, FUNCTION, function=6, inside=[
                            node(14, LEXICAL, LINE, source=(4, 12)),
                        ]),
                    ]),
                ]),
            ]),
            node(15, LEXICAL, LINE, source=(0, 33), inside=[
                node(16, CALL, FUNCTION, function=3, inside=[
                    node(17, LEXICAL, LINE, source=(3, 0), inside=[
                        node(18, LEXICAL, INSTRUCTION, point=(1, 0x8010)),
                    ]),
                ]),
            ]),
            node(19, LEXICAL, LINE, source=(0, 34), inside=[
                node(20, CALL, INSTRUCTION, point=(2, 0x4F0), inside=[
                    node(21, CALL, FUNCTION, function=4, inside=[
                        node(22, LEXICAL, INSTRUCTION, point=(2, 0x910)),
                    ]),
                ]),
            ]),
            node(23, LEXICAL, LINE, source=(0, 30), inside=[
                node(24, INLINED, FUNCTION, function=2, inside=[
                    node(25, LEXICAL, LINE, source=(2, 3)),
                ]),
            ]),
            node(26, LEXICAL, LOOP, source=(3, 0), point=(0, 0x11B0), inside=[
                node(27, LEXICAL, LINE, source=(5, 7)),
            ]),
        ]),
    ]),
    ("application thread", 28, 2, [
        node(29, CALL, FUNCTION, function=7, inside=[node(30, LEXICAL, LINE, source=(0, 40))]),
    ]),
    ("unknown entry", 31, 0, [node(32, CALL, FUNCTION)]),
]

POINT, LEX_AWARE, EXECUTION, FUNCTION_SCOPE = "point", "lex_aware", "execution", "function"
SCOPES = {POINT: (1, 255), FUNCTION_SCOPE: (3, 0), LEX_AWARE: (0, 255), EXECUTION: (2, 255)}
# Name, scopes.
METRICS = [
    ("GKER:COUNT", [POINT, FUNCTION_SCOPE, LEX_AWARE, EXECUTION]),
    ("GMEM:DEV (B)", [LEX_AWARE, FUNCTION_SCOPE]),
    ("GPUOP (sec)", [POINT, LEX_AWARE]),
    ("CPUTIME (sec)", [FUNCTION_SCOPE, LEX_AWARE, EXECUTION]),
]
CPU, GPU, BYTES = 3, 2, 1
# By profile: what contexts have by themselves, by metric.
OWN = [
    {3: {CPU: .4}, 5: {CPU: 2.1}, 8: {CPU: .65}, 11: {CPU: .053}, 18: {CPU: .9}},
    {3: {CPU: .5}, 5: {CPU: 2.9}, 33: {CPU: .2}, 6: {BYTES: 4096}, 8: {CPU: .7}, 9: {CPU: .007},
     11: {CPU: .041}, 12: {BYTES: 1 << 40}, 22: {CPU: .02}, 25: {CPU: .3}, 27: {CPU: .011}},
    {30: {CPU: 1.2}, 32: {CPU: .003}},
    {14: {GPU: .000_123_456}, 12: {GPU: .000_000_789}},
    {30: {CPU: .8}},
]
START = 1_700_000_000_000_000_000
# Profile, samples: nanoseconds after the start, context.
TRACES = [
    (2, [(0, 3), (5_000_000, 5), (10_000_000, 11), (15_000_000, 0), (20_000_000, 27)]),
    (4, [(2_000_000, 14), (2_500_000, 0), (3_000_000, 14), (3_125_000, 0)]),
    (3, [(1_000_000, 30)]),
]


class File:
    """Bytes with alignment, and places that are filled in later."""

    def __init__(self, kind, sections):
        self.bytes = bytearray(b"HPCTOOLKIT" + kind + bytes([4, MINOR]))
        self.bytes += bytes(16 * sections + WIDER)

    def align(self, to):
        self.bytes += bytes(-len(self.bytes) % to)
        return len(self.bytes)

    def put(self, data, align=8):
        at = self.align(align)
        self.bytes += data
        return at

    def text(self, text):
        return self.put(text.encode() + b"\0", 1)

    def records(self, rows):
        """An array whose records are as long as this version has them."""
        at = self.align(8)
        for row in rows:
            self.put(row + bytes(WIDER))
        return at

    def section(self, number, start):
        struct.pack_into("<QQ", self.bytes, 16 + 16 * number, len(self.bytes) - start, start)

    def save(self, folder, name, footer):
        with open(os.path.join(folder, name), "wb") as out:
            out.write(self.bytes + footer)


def meta(ids):
    file = File(b"meta", 8)
    start = file.put(bytes(16))
    struct.pack_into("<QQ", file.bytes, start, file.text("field"), file.text("Two ranks *and* a GPU"))
    file.section(0, start)

    start = file.put(bytes(9))
    names = [file.text(name) for name in KINDS]
    names = file.put(struct.pack(f"<{len(names)}Q", *names))
    struct.pack_into("<QB", file.bytes, start, names, len(KINDS))
    file.section(1, start)

    start = file.put(bytes(0x1B))
    texts = {name: file.text(name) for name in SCOPES}
    at = file.records(struct.pack("<QBB6x", texts[name], *kind) for name, kind in SCOPES.items())
    scopes = {name: at + (16 + WIDER) * row for row, name in enumerate(SCOPES)}
    formula = file.text("$$")
    squares = file.text("($$^2)")
    rows = []
    for metric, (name, known) in enumerate(METRICS):
        text = file.text(name)
        instances = file.records(
            struct.pack("<QH6x", scopes[scope], ids[metric, scope]) for scope in known)
        sums = [(scopes[scope], formula, 0, 100 + ids[metric, scope]) for scope in known]
        if metric == CPU:
            sums.append((scopes[EXECUTION], squares, 0, 300))
            sums.append((scopes[EXECUTION], formula, 2, 301))
        summaries = file.records(struct.pack("<QQBxH4x", *row) for row in sums)
        rows.append(struct.pack("<QQQHH4x", text, instances, summaries, len(known), len(sums)))
    metrics = file.records(rows)
    struct.pack_into("<QIBBBxQHB", file.bytes, start, metrics, len(METRICS), 32 + WIDER, 16 + WIDER,
                     24 + WIDER, at, len(SCOPES), 16 + WIDER)
    file.section(2, start)

    start = file.align(1)
    modules = [file.text(path) for path in MODULES]
    files = [file.text(path) for path in FILES]
    names = [name and file.text(name) for name, *_ in FUNCTIONS]
    entries = [file.text(name) for name, *_ in ENTRIES]
    file.section(4, start)

    def table(section, size, rows):
        start = file.put(bytes(14))
        at = file.records(rows)
        struct.pack_into("<QIH", file.bytes, start, at, len(rows), size + WIDER)
        file.section(section, start)
        return [at + (size + WIDER) * row for row in range(len(rows))]

    modules = table(5, 16, [struct.pack("<I4xQ", 0, path) for path in modules])
    files = table(6, 16, [struct.pack("<I4xQ", path == files[0], path) for path in files])
    functions = table(7, 40, [
        struct.pack("<QQQQII", names[row] or 0, 0 if module is None else modules[module], offset,
                    0 if source is None else files[source], line, 0)
        for row, (_, module, offset, source, line) in enumerate(FUNCTIONS)])

    def contexts(inside):
        """Writes children before their parents, as hpcprof does."""
        inside = [child for child in inside if not child["hidden"]]
        below = [contexts(child["inside"]) for child in inside]
        if not inside:
            return 0, 0
        start = file.align(8)
        for child, (at, size) in zip(inside, below):
            flags, flex = 0, b""
            if child["function"] is not None:
                flags, flex = flags | 1, flex + struct.pack("<Q", functions[child["function"]])
            if child["source"]:
                source, line = child["source"]
                flags, flex = flags | 2, flex + struct.pack("<QI4x", files[source], line)
            if child["point"]:
                module, offset = child["point"]
                flags, flex = flags | 4, flex + struct.pack("<QQ", modules[module], offset)
            flex += bytes(WIDER)
            file.put(struct.pack("<QQIBBBBH6x", size, at, child["id"], flags, child["relation"],
                                 child["kind"], len(flex) // 8, child["relation"] == LEXICAL) + flex)
        return start, len(file.bytes) - start

    start = file.put(bytes(11))
    rows = []
    for text, (_, number, kind, inside) in zip(entries, ENTRIES):
        at, size = contexts(inside)
        rows.append(struct.pack("<QQIHxxQ", size, at, number, kind, text))
    struct.pack_into("<QHB", file.bytes, start, file.records(rows), len(rows), 32 + WIDER)
    file.section(3, start)
    return file


def summed(own, ids):
    """The values of one profile: by context, then by the number of metric and scope."""
    values = {}

    def add(context, key, value):
        row = values.setdefault(context, {})
        row[key] = row.get(key, 0) + value

    def walk(number, inside, relation, above):
        above = above + [(number, relation)]
        for metric, value in own.get(number, {}).items():
            for scope in METRICS[metric][1]:
                for place in range(len(above) - 1, -1, -1):
                    at, relation_at = above[place]
                    add(at, ids[metric, scope], value)
                    if scope == POINT or scope != EXECUTION and relation_at != LEXICAL:
                        break
        for child in inside:
            walk(child["id"], child["inside"], child["relation"], above)

    for _, number, _, inside in ENTRIES:
        walk(number, inside, CALL, [(0, CALL)])
    return values


def profiles(ids):
    file = File(b"prof", 2)
    infos = file.put(bytes(13))
    at = file.align(8)
    size = 48 + WIDER
    file.bytes += bytes(size * (1 + len(PROFILES)))
    file.section(0, infos)
    struct.pack_into("<QIB", file.bytes, infos, at, 1 + len(PROFILES), size)
    tuples = file.align(8)
    pointers = [0]
    for parts in PROFILES:
        rows = b"".join(
            struct.pack("<BxHIQ", kind, physical is not None, logical, physical or logical)
            for kind, physical, logical in parts)
        pointers.append(file.put(struct.pack("<H6x", len(parts)) + rows + bytes(WIDER)))
    file.section(1, tuples)
    blocks = [summed(own, ids) for own in OWN]
    total = {}
    for block in blocks:
        for context, row in block.items():
            for key, value in row.items():
                known = total.setdefault(context, {})
                known[key + 100] = known.get(key + 100, 0) + value
    for number, block in reversed(list(enumerate([total] + blocks))):
        values, indices, count = b"", b"", 0
        for context in sorted(block):
            indices += struct.pack("<IQ", context, count)
            for key in sorted(block[context]):
                values += struct.pack("<Hd", key, block[context][key])
                count += 1
        values = file.put(values, 2)
        start = file.put(indices, 4)
        struct.pack_into("<QQI4xQQI4x", file.bytes, at + size * number, count, values, len(block),
                         start, pointers[number], number == 0)
    return file


def traces():
    file = File(b"trce", 1)
    start = file.put(bytes(32))
    at = file.align(8)
    size = 24 + WIDER
    file.bytes += bytes(size * len(TRACES))
    file.section(0, start)
    times = [time for _, samples in TRACES for time, _ in samples]
    struct.pack_into("<QIB3xQQ", file.bytes, start, at, len(TRACES), size, START + min(times),
                     START + max(times))
    for row, (profile, samples) in enumerate(TRACES):
        data = b"".join(struct.pack("<QI", START + time, context) for time, context in samples)
        begin = file.put(data)
        struct.pack_into("<I4xQQ", file.bytes, at + size * row, profile, begin, begin + len(data))
    return file


def main():
    folder = sys.argv[1]
    os.makedirs(os.path.join(folder, "metrics"), exist_ok=True)
    ids = {}
    for metric, (_, known) in enumerate(METRICS):
        for scope in known:
            ids[metric, scope] = len(ids)
    meta(ids).save(folder, "meta.db", b"_meta.db")
    profiles(ids).save(folder, "profile.db", b"_prof.db")
    traces().save(folder, "trace.db", b"trace.db")
    with open(os.path.join(folder, "metrics", "default.yaml"), "w") as out:
        out.write("version: 0\ninputs:\n  []\nroots:\n")
        for name, _ in reversed(METRICS):
            out.write(f"  - name: {name}\n    description: \"{name}\"\n    variants:\n")


if __name__ == "__main__":
    main()
