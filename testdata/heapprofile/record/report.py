"""Totals of a .heapprofile, from its definition in the DevTools protocol and nothing else.

    python3 report.py FILE
"""

import collections
import json
import sys

profile = json.load(open(sys.argv[1]))
selves, totals = collections.Counter(), collections.Counter()
nodes = [(profile["head"], frozenset())]
count = 0
while nodes:
    node, stack = nodes.pop()
    frame = node["callFrame"]
    place = f' {frame["url"]}:{frame["lineNumber"] + 1}:{frame["columnNumber"] + 1}' if frame["url"] else ""
    name = (frame["functionName"] or "(anonymous)") + place
    stack |= {name}
    count += 1
    selves[name] += node["selfSize"]
    for key in stack:
        totals[key] += node["selfSize"]
    nodes += [(child, stack) for child in node["children"]]

samples = profile.get("samples", [])
print("nodes", count, "bytes", sum(selves.values()))
print("samples", len(samples), "bytes", sum(sample["size"] for sample in samples))
print("self total function")
for key in sorted(totals, key=lambda key: (-totals[key], key)):
    print(selves[key], totals[key], key)
