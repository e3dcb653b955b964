"""Totals of a speedscope file by profile and function, from speedscope's file-format-spec.

    python3 report.py FILE

A function that is on the stack several times counts once in its total.
"""

import collections
import json
import sys

file = json.load(open(sys.argv[1]))
frames = file["shared"]["frames"]
print("profiles", len(file["profiles"]), "frames", len(frames), "exporter", file.get("exporter"))
for profile in file["profiles"]:
    selves, totals = collections.Counter(), collections.Counter()

    def add(stack, value):
        names = [frames[i]["name"] for i in stack]
        if names:
            selves[names[-1]] += value
        for name in set(names):
            totals[name] += value

    whole = 0
    if profile["type"] == "sampled":
        for stack, weight in zip(profile["samples"], profile["weights"]):
            add(stack, weight)
            whole += weight
        size = f'samples {len(profile["samples"])}'
    else:
        stack, last = [], profile["startValue"]
        for event in profile["events"]:
            add(stack, event["at"] - last)
            whole += (event["at"] - last) if stack else 0
            last = event["at"]
            if event["type"] == "O":
                stack.append(event["frame"])
            else:
                assert stack.pop() == event["frame"]
        size = f'events {len(profile["events"])}'
    print(f'\n{profile["name"]}: {profile["type"]}, {size}, {profile["unit"]}, {profile["startValue"]} to {profile["endValue"]}, sum {whole:.6f}')
    print("self | total | function")
    for name, total in sorted(totals.items(), key=lambda row: (-abs(row[1]), row[0]))[:20]:
        print(f"{selves[name]:.6f} | {total:.6f} | {name}")
