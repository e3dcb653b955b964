"""Totals of the CPU profiles in a trace of Chromium, put together from their chunks.

    python3 report.py FILE

A sample's time is the delta after it; the last has none here.
"""

import collections
import json
import sys

trace = json.load(open(sys.argv[1]))
events = trace["traceEvents"] if isinstance(trace, dict) else trace
threads = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name"}
print("events", len(events), "by phase", dict(sorted(collections.Counter(e["ph"] for e in events).items())))
profiles = {(e["pid"], e["id"]): e for e in events if e["name"] == "Profile"}
for key, head in sorted(profiles.items()):
    nodes, samples, deltas = {}, [], []
    chunks = [e for e in events if e["name"] == "ProfileChunk" and (e["pid"], e["id"]) == key]
    for chunk in chunks:
        data = chunk["args"]["data"]
        cpu = data.get("cpuProfile", {})
        nodes |= {node["id"]: node for node in cpu.get("nodes", [])}
        samples += cpu.get("samples", [])
        deltas += data.get("timeDeltas", [])

    def name(node: dict) -> str:
        frame = node["callFrame"]
        url = frame.get("url")
        # Lines and columns are from 0 here too.
        place = f' {url}:{frame.get("lineNumber", -1) + 1}:{frame.get("columnNumber", -1) + 1}' if url else ""
        return (frame["functionName"] or "(anonymous)") + place

    selves, totals = collections.defaultdict(lambda: [0, 0]), collections.defaultdict(lambda: [0, 0])
    for i, sample in enumerate(samples):
        value = (1, deltas[i + 1] if i + 1 < len(deltas) else 0)
        stack, node = set(), sample
        while node is not None:
            stack.add(name(nodes[node]))
            node = nodes[node].get("parent")
        for table, names in (selves, [name(nodes[sample])]), (totals, stack):
            for function in names:
                table[function] = [a + b for a, b in zip(table[function], value)]
    thread = threads.get((head["pid"], head["tid"]), "?")
    print(f"\nprofile {key[1]} of {thread}: start {head['args']['data']['startTime']}")
    print("chunks", len(chunks), "nodes", len(nodes), "samples", len(samples))
    print("deltas: sum", sum(deltas), "first", deltas[0], "least", min(deltas), "negative", sum(d < 0 for d in deltas))
    print("self: samples us | total: samples us | function")
    for function in sorted(totals, key=lambda f: (-totals[f][0], f))[:25]:
        print(*selves.get(function, [0, 0]), "|", *totals[function], "|", function)
