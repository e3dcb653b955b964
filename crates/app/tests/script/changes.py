# Changes of trees keep sums, and are what the engine's own views are.
import os
import random
import runpy
import subprocess
import sys
import tempfile
import warnings

metrics = [metric.name for metric in profile.metrics]
tree = profile.top_down()


def values(one):
    """By path of names: self value and total of each metric."""
    found = {}
    for node in one.walk():
        path = tuple(n.name for n in node.path)
        rows = tuple((node.self_value(name), node.total(name)) for name in metrics)
        assert path not in found, path
        found[path] = rows
    return found


def checked(one):
    """Totals are self values and the totals below."""
    for name in metrics:
        sums = list(one.self_values[name])
        for row in range(len(one) - 1, 0, -1):
            sums[one.parent[row]] += sums[row]
        assert sums == list(one.totals[name]), name
        assert one.totals[name][0] == tree.totals[name][0]
    return one


# A frame that is hidden is one that is elided.
for pattern in ("runtime.mallocgc", "main.summarize", "runtime.main"):
    hidden = profile.top_down(filters=[("hide", f"^{pattern}$")])
    elided = checked(tree.transform(lambda node: hotframe.ELIDE if node.name == pattern else None))
    # Hiding a frame leaves its neighbours apart only where their places are.
    assert values(elided) == values(hidden), pattern

# Whatever changes there are, nothing is lost.
for seed in range(20):
    draw = random.Random(seed)

    def visit(node):
        what = draw.randrange(8)
        if what == 0:
            return hotframe.ELIDE
        if what == 1:
            return hotframe.FOLD
        if what == 2:
            return hotframe.merge_as(draw.randrange(2))
        if what == 3:
            return hotframe.rename(f"r{draw.randrange(3)}") | hotframe.annotate("noted")
        return None

    changed = checked(tree.transform(visit))
    assert len(changed) <= len(tree)
    assert list(changed.parent)[0] == 0 and all(p < row for row, p in enumerate(changed.parent) if row)
    # What is built of it is the same once more. Siblings of one place that had several keys are one there.
    again = changed.profile("again").top_down(granularity="name")
    for name in metrics:
        assert again.totals[name][0] == changed.totals[name][0]
        assert sum(again.self_values[name]) == sum(changed.self_values[name])

same = tree.profile("same").top_down()
assert values(same) == values(tree)

# The orders of a walk.
pre, post, level = ([node.row for node in tree.walk(order)] for order in ("pre", "post", "level"))
assert pre == list(range(len(tree)))
assert sorted(post) == pre and sorted(level) == pre
seen = set()
for row in post:
    assert all(child.row in seen for child in tree[row].children)
    seen.add(row)
assert [tree[row].depth for row in level] == sorted(tree.depth)
met = []
tree.visit(lambda node: met.append(node.row) or (hotframe.STOP if len(met) == 5 else None))
assert met == [0, 1, 2, 3, 4]
met = []
tree.visit(lambda node: met.append(node.row) or (hotframe.SKIP if node.depth == 2 else None))
assert met == [node.row for node in tree.walk() if node.depth <= 2]

# Notes stay with their nodes, as notes of what is built.
noted = tree.transform(lambda node: hotframe.annotate("here") if node.name == "main.main" else None)
assert [noted[row].name for row in noted.notes] == ["main.main"] * len(noted.notes) and noted.notes
said = [one for one in noted.profile("noted").advice() if one["origin"] == "a note of the profile"]
assert [(one["name"], one["title"], one["text"]) for one in said] == [("main.main", "Note", "here")] * len(noted.notes)

# What does not add up has no sum.
derived = tree.derive("share", tree.totals[metrics[0]] / tree.totals[metrics[0]][0])
assert derived.totals["share"][0] == 1
folded = derived.transform(lambda node: hotframe.merge_as("all") if node.depth == 1 else None)
one = folded[1].total("share")
assert one != one, "a value of several nodes that do not combine"
for wrong in (lambda: tree.derive(metrics[0], [0] * len(tree)), lambda: tree.derive("x", [1, 2])):
    try:
        wrong()
    except ValueError:
        pass
    else:
        raise AssertionError("accepted")
try:
    tree.transform(lambda node: "elide")
except TypeError as error:
    assert "is no change" in str(error)
else:
    raise AssertionError("accepted")
# Members of one name are told apart.
twice = hotframe.merge([profile, profile]).tree(members_of=0).members
assert len(twice) == 2 and all(column[0] == tree.totals[metrics[0]][0] for column in twice.values()), list(twice)

# A value of a node alone is its self value in what is written down, which has no totals of it.
kept = derived.profile("kept").top_down()
assert abs(kept.self_values["share"][1] - derived.totals["share"][1]) < 1e-6
assert all(value != value for value in kept.totals["share"])

# Columns are read, not written: trees share them.
column = tree.totals[metrics[0]]
assert column.view.readonly and (column + 1).view.readonly and tree.transform(lambda node: None).parent.view.readonly

# Metrics of one name are called as the command line calls them, also where they are compared.
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "twice.hotframe")
    with hotframe.Profile(path) as made:
        counts, sizes = made.metric("x", "count"), made.metric("x", "bytes")
        made.point(made.context(None, made.frame("main")), {counts: 1, sizes: 10})
    one = hotframe.open(path)
assert [metric.name for metric in one.metrics] == ["x (count)", "x (bytes)"]
assert one.define("each", "`x (bytes)` / `x (count)`").top_down().totals["each"][0] == 10
base = one.compare(one).top_down().base
assert {name: base[name][0] for name in base} == {"x (count)": 1, "x (bytes)": 10}

# Rules that ask for what is not there are told.
rules = [{"title": title, "name": ".", "when": when, "text": "."} for title, when in (("one", "cpu +"), ("two", "no > 3"))]
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    profile.advice(rules=rules)
assert len(told) == 2 and "no metric" in str(told[1].message), told
assert all(warning.filename == __file__ for warning in told)

# What else is checked: of changes, of the script's process, and of what runs scripts in the page.
for script in ("same.py", "orphan.py"):
    given = {"hotframe": hotframe, "profile": profile, "profiles": profiles}
    runpy.run_path(os.path.join(os.path.dirname(os.path.abspath(__file__)), script), given)
if sys.version_info >= (3, 11):
    # The page has a Python of its own, which is not an old one.
    pane = os.path.join(os.path.dirname(os.path.abspath(__file__)), "pane.py")
    subprocess.run([sys.executable, pane], check=True, stdout=subprocess.DEVNULL)
print("all changes hold")
