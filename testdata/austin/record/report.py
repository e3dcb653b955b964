"""Totals of austin's text, by process and thread and by function.

    python3 report.py FILE

Metrics as they are in the file: time in microseconds, or bytes, or time, idle state and
memory in a row (`full`).
"""

import collections
import sys

lines = [line.rstrip("\n") for line in open(sys.argv[1])]
print(*(line for line in lines if line.startswith("#")), sep="\n")
tables = {name: {} for name in ("threads", "self", "total")}
for line in lines:
    if not line or line.startswith("#"):
        continue
    stack, metrics = line.rsplit(" ", 1)
    values = [1, *map(int, metrics.split(","))]
    process, thread, *frames = stack.split(";")
    # file:function:line, special frames like :GC: have no line
    functions = [frame.rsplit(":", 1)[0] if frame.count(":") > 1 else frame for frame in frames]
    for table, keys in (
        ("threads", [f"{process};{thread}"]),
        ("self", functions[-1:] or ["(no frames)"]),
        ("total", set(functions)),
    ):
        for key in keys:
            old = tables[table].get(key, [0] * len(values))
            tables[table][key] = [a + b for a, b in zip(old, values)]
for table, rows in tables.items():
    print(f"\n{table}: samples, metrics")
    for key, values in sorted(rows.items(), key=lambda row: (-abs(row[1][1]), row[0]))[:25]:
        print(*values, key)
