"""Totals of a trace: events by phase, and calls by process, thread and name.

    python3 report.py FILE

Complete events (`X`) and pairs (`B`, `E`) of a thread nest. Its own time is what an event
lasts less what the events directly in it last; times are microseconds.
"""

import collections
import json
import sys

trace = json.load(open(sys.argv[1]))
events = trace["traceEvents"] if isinstance(trace, dict) else trace
print("events", len(events), "by phase", dict(sorted(collections.Counter(e["ph"] for e in events).items())))
names = collections.defaultdict(dict)
for e in events:
    if e["ph"] == "M" and e["name"] in ("process_name", "thread_name"):
        names[e["pid"]][e["tid"] if e["name"] == "thread_name" else "process"] = e["args"]["name"]

threads = collections.defaultdict(list)
begun = collections.defaultdict(list)
for e in events:
    key = (e["pid"], e["tid"])
    if e["ph"] == "X":
        threads[key].append((e["ts"], e.get("dur", 0), e["name"]))
    elif e["ph"] == "B":
        begun[key].append(e)
    elif e["ph"] == "E" and begun[key]:
        start = begun[key].pop()
        threads[key].append((start["ts"], e["ts"] - start["ts"], start["name"]))

for key, calls in sorted(threads.items(), key=str):
    calls.sort(key=lambda call: (call[0], -call[1]))
    rows = collections.defaultdict(lambda: [0, 0.0, 0.0])
    stack, overlaps = [], 0
    for ts, dur, name in calls:
        while stack and ts >= stack[-1][1]:
            stack.pop()
        overlaps += bool(stack) and ts + dur > stack[-1][1] + 0.01
        if stack:
            rows[stack[-1][2]][1] -= dur
        row = rows[name]
        row[0] += 1
        row[1] += dur
        # A recursive call is in the total already.
        if all(name != outer for _, _, outer in stack):
            row[2] += dur
        stack.append((ts, ts + dur, name))
    print(f"\npid {key[0]} {names[key[0]].get('process')} tid {key[1]} {names[key[0]].get(key[1])}: {len(calls)} calls, {overlaps} not nested")
    print("calls | self us | total us | name")
    for name, (count, own, total) in sorted(rows.items(), key=lambda row: (-row[1][2], row[0]))[:25]:
        print(f"{count} | {own:.3f} | {total:.3f} | {name}")
