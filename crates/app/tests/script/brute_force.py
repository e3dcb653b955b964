# Adds up the profile's own tables stack by stack, and holds every node of the tree against it.
import os
import runpy
import sys
from collections import defaultdict

NONE = 0xFFFFFFFF
for script in ("functions.py", "same.py"):
    given = {"hotframe": hotframe, "profile": profile, "profiles": profiles}
    runpy.run_path(os.path.join(os.path.dirname(os.path.abspath(__file__)), script), given)
tables = profile.tables()
contexts, locations, frames = (tables[name] for name in ("contexts", "locations", "frames"))
names = list(tables["functions"]["name"])
first = locations["first_frame"].list() + [len(frames)]

if any(metric.combine != "sum" for metric in profile.metrics):
    print("0 nodes are equal: not everything adds up")
    sys.exit()

paths = []
unnamed = False
for row, (parent, location) in enumerate(contexts.rows()):
    path = paths[parent] if row else ()
    if location != NONE:
        for frame in range(first[location], first[location + 1]):
            function = frames["function"][frame]
            unnamed |= function == NONE or not names[function]
            path += (names[function] if function != NONE else None,)
    paths.append(path)
if unnamed:
    print("0 nodes are equal: places without names are not told apart by names")
    sys.exit()

points = tables["points"]
for metric in profile.metrics:
    if metric.formula is not None:
        continue
    own, total = defaultdict(int), defaultdict(int)
    for context, value in zip(points["context"], points[metric.name]):
        path = paths[context]
        own[path] += value
        for depth in range(len(path) + 1):
            total[path[:depth]] += value
    tree = profile.top_down(granularity="name", metric=metric.name)
    found = {tuple(n.name for n in node.path): node for node in tree.walk()}
    assert len(found) == len(tree)
    for path, node in found.items():
        # Sums stop where 64 bits end, which a warning tells.
        own[path], total[path] = (min(values[path], 2**63 - 1) for values in (own, total))
        told = (node.self_value(metric.name), node.total(metric.name))
        assert abs(told[0] - own[path]) < 1e-6 and abs(told[1] - total[path]) < 1e-6, (path, told, own[path], total[path])
    for path, value in total.items():
        assert value == 0 or path in found, path
print(f"{len(tree)} nodes are equal")
