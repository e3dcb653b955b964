"""Sums up `jfr print --json --stack-depth 64` by event, thread and function.

    jfr print --json --stack-depth 64 --events A,B FILE | python3 report.py
"""

import collections
import json
import re
import sys


def seconds(duration: str) -> float:
    return float(re.fullmatch(r"PT(.*)S", duration)[1]) if duration else 0.0


kinds = collections.defaultdict(list)
for event in json.load(sys.stdin)["recording"]["events"]:
    kinds[event["type"]].append(event["values"])
for kind, events in sorted(kinds.items()):
    threads, selves, totals = collections.Counter(), collections.Counter(), collections.Counter()
    weights, truncated, lost = collections.Counter(), 0, 0
    for values in events:
        thread = values.get("sampledThread") or values.get("eventThread") or {}
        threads[thread.get("javaName") or thread.get("osName")] += 1
        for key in ("weight", "allocationSize", "tlabSize"):
            weights[key] += values.get(key, 0)
        weights["duration, s"] += seconds(values.get("duration", ""))
        if not values.get("stackTrace"):
            lost += 1
            continue
        truncated += values["stackTrace"]["truncated"]
        names = []
        for frame in values["stackTrace"]["frames"]:
            method = frame["method"]
            names.append(f'{method["type"]["name"]}.{method["name"]}{method["descriptor"]}')
        selves[names[0] if names else "(no frames)"] += 1
        for name in set(names):
            totals[name] += 1
    print(f"{kind}: {len(events)} events, {lost} without a stack, {truncated} truncated")
    print("threads", dict(threads.most_common()))
    print("sums", {key: round(value, 6) for key, value in weights.items() if value})
    print("self total function")
    for name, total in sorted(totals.items(), key=lambda row: (-row[1], row[0]))[:20]:
        print(selves[name], total, name)
    print()
