"""Samples by thread and by leaf of a processed Firefox profile (tables by thread, version 55).

    python3 report.py FILE
"""

import collections
import json
import sys

profile = json.load(open(sys.argv[1]))
meta = profile["meta"]
print("version", meta["version"], "preprocessed", meta["preprocessedProfileVersion"], "interval", meta["interval"])
for thread in profile["threads"]:
    names = thread["stringArray"] if "stringArray" in thread else thread["stringTable"]
    stacks, frames, functions = thread["stackTable"], thread["frameTable"], thread["funcTable"]
    samples = thread["samples"]
    weights = samples.get("weight") or [1] * samples["length"]
    selves, totals = collections.Counter(), collections.Counter()
    for stack, weight in zip(samples["stack"], weights):
        seen, leaf = set(), True
        while stack is not None:
            name = names[functions["name"][frames["func"][stacks["frame"][stack]]]]
            if leaf:
                selves[name] += weight
            leaf = False
            seen.add(name)
            stack = stacks["prefix"][stack]
        for name in seen:
            totals[name] += weight
    deltas = samples.get("threadCPUDelta") or []
    print(f'\n{thread["name"]} (process {thread["processName"]}, pid {thread["pid"]}, tid {thread["tid"]}): '
          f'samples {samples["length"]}, weight {sum(weights)} {samples.get("weightType")}, '
          f'without a stack {samples["stack"].count(None)}, cpu {sum(d or 0 for d in deltas)}, markers {thread["markers"]["length"]}')
    for name, total in sorted(totals.items(), key=lambda row: (-row[1], row[0]))[:15]:
        print(selves[name], total, name)
