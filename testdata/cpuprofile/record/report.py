"""Totals of a .cpuprofile, from its definition in the DevTools protocol and nothing else.

    python3 report.py FILE

A sample's time is given twice: the delta before it (`delta`), and the delta after it, until
the next sample (`until_next`, what DevTools shows; the last sample lasts until `endTime`).
"""

import collections
import json
import sys

profile = json.load(open(sys.argv[1]))
nodes = {node["id"]: node for node in profile["nodes"]}
parents = {child: node["id"] for node in profile["nodes"] for child in node.get("children", [])}
samples, deltas = profile["samples"], profile["timeDeltas"]
times = [profile["startTime"] + sum(deltas[: i + 1]) for i in range(len(deltas))]


def name(node: dict) -> str:
    frame = node["callFrame"]
    place = f' {frame["url"]}:{frame["lineNumber"] + 1}:{frame["columnNumber"] + 1}' if frame["url"] else ""
    return (frame["functionName"] or "(anonymous)") + place


selves, totals = collections.defaultdict(lambda: [0, 0, 0]), collections.defaultdict(lambda: [0, 0, 0])
for i, sample in enumerate(samples):
    end = times[i + 1] if i + 1 < len(times) else profile["endTime"]
    value = (1, deltas[i], end - times[i])
    stack, node = set(), sample
    while node is not None:
        stack.add(name(nodes[node]))
        node = parents.get(node)
    for table, names in (selves, [name(nodes[sample])]), (totals, stack):
        for key in names:
            table[key] = [a + b for a, b in zip(table[key], value)]

print("start", profile["startTime"], "end", profile["endTime"], "duration", profile["endTime"] - profile["startTime"])
print("nodes", len(nodes), "samples", len(samples), "hits", sum(node.get("hitCount", 0) for node in nodes.values()))
print("deltas: sum", sum(deltas), "first", deltas[0], "least", min(deltas), "negative", sum(d < 0 for d in deltas))
print("sum of until_next", sum(value[2] for value in selves.values()))
print("self: samples delta until_next | total: samples delta until_next | function")
for key in sorted(totals, key=lambda key: (-totals[key][0], key)):
    print(*selves.get(key, [0, 0, 0]), "|", *totals[key], "|", key)
