#!/usr/bin/env python3
"""Records `recurse` twice: every call as a Trace Event file, and by cProfile.

    python3 record.py

writes recurse.trace.json and, as pstats reads the other one, recurse.pstats.json: by function the
primitive calls and all calls.
"""
import cProfile
import json
import pstats
import sys
import time


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def even(n):
    return True if n == 0 else odd(n - 1)


def odd(n):
    return False if n == 0 else even(n - 1)


def walk(tree, visit):
    visit(tree)
    for child in tree:
        walk(child, visit)


def depth(tree):
    return 1 + max((depth(child) for child in tree), default=0)


def recurse():
    for n in range(6):
        fib(n)
        even(n)
    tree = [[[], [[]]], [], [[], [[], []]]]
    walk(tree, lambda node: depth(node))
    walk(tree[0], lambda node: fib(len(node)))


def traced():
    events, stack = [], []
    begun = time.perf_counter_ns()

    def hook(frame, event, _):
        now = time.perf_counter_ns() - begun
        if event == "call":
            stack.append((frame.f_code.co_name, frame.f_code.co_firstlineno, now))
        elif event == "return" and stack:
            name, line, start = stack.pop()
            events.append({"ph": "X", "pid": 1, "tid": 1, "name": f"{name}:{line}",
                           "ts": start / 1000, "dur": (now - start) / 1000})

    sys.setprofile(hook)
    recurse()
    sys.setprofile(None)
    events.sort(key=lambda event: (event["ts"], -event["dur"]))
    return events


profiler = cProfile.Profile(builtins=False)
profiler.runcall(recurse)
counts = {
    f"{name}:{line}": [primitive, calls]
    for (_, line, name), (primitive, calls, *_) in pstats.Stats(profiler).stats.items()
}
with open("recurse.pstats.json", "w") as out:
    json.dump(counts, out, indent=1, sort_keys=True)
    out.write("\n")
with open("recurse.trace.json", "w") as out:
    rows = ",\n".join(json.dumps(event) for event in traced())
    out.write('{"traceEvents": [\n' + rows + "\n]}\n")
