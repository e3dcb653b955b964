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
    assert "is not a change" in str(error)
else:
    raise AssertionError("accepted")
# Members of one name are told apart.
twice = hotframe.merge([profile, profile]).tree(members_of=0).members
assert len(twice) == 2 and all(column[0] == tree.totals[metrics[0]][0] for column in twice.values()), list(twice)

# A value of a node alone is its self value in what is written down, which has no totals of it.
kept = derived.profile("kept").top_down()
assert abs(kept.self_values["share"][1] - derived.totals["share"][1]) < 1e-6
assert all(value != value for value in kept.totals["share"])



def told(work):
    """What work makes, and the warnings of it."""
    with warnings.catch_warnings(record=True) as met:
        warnings.simplefilter("always")
        made = work()
    assert all(warning.filename == __file__ for warning in met), met
    return made, [str(warning.message) for warning in met]


def written(values, **more):
    """Self values of a derived metric as a document has them, and the warnings."""
    made, met = told(lambda: tree.derive("x", values, **more).profile("x"))
    return made.top_down().self_values["x"], met


# Modules and files of a flat tree have what is theirs alone once they are written down.
by_file = profile.tree("flat")
for one in (by_file, by_file.transform(lambda node: hotframe.ELIDE if node.row % 3 else None)):
    kept = one.profile("kept").top_down()
    for name in metrics:
        assert kept.totals[name][0] == by_file.totals[name][0], name
assert [node.self_value(metrics[0]) for node in by_file.profile("kept").top_down().walk() if node.depth in (1, 2)] == [
    0
] * sum(depth in (1, 2) for depth in by_file.depth)

# Whole numbers are kept as they are, others with as many decimals as there is room for.
count = len(tree)
for values in ([10**15 + row for row in range(count)], [1e13] * count, lambda node: 3 * 10**12 + node.row):
    wanted = [values(node) for node in tree.walk()] if callable(values) else values
    kept, met = written(values)
    # Siblings may stand in another order there.
    assert sorted(kept) == sorted(wanted) and not met, (kept, met)
kept, met = written([10.0**15 / count + 0.25] * count)
assert abs(kept[1] - 10.0**15 / count - 0.25) <= 0.05, kept
assert len(met) == 1 and "x: 3 of 6 decimals are kept" in met[0], met
kept, met = written([0.125] * count, decimals=2)
assert kept[1] == 0.12 and not met, (kept, met)
kept, met = written([1.25e-9] * (count - 1) + [7.5e-12])
assert not met and {round(value * 1e13) for value in kept} == {12500, 75}, (kept, met)
kept, met = written([1.5, float("inf"), -float("inf"), float("nan")] + [0.5] * (count - 4))
assert kept[0] == 1.5 and len(met) == 1 and "x: 2 values are infinite" in met[0], (kept, met)
for large in (1e19, 2.0**63, -(2**70) + 0.0):
    try:
        written([large] * count)
    except hotframe.Error as error:
        assert "x: " in str(error) and "does not fit into the 64 bits" in str(error), error
    else:
        raise AssertionError("accepted")

# What a change is not is told where it is said.
for wrong, said in (
    (lambda: hotframe.rename(5), "rename: the name must be a text, not 5"),
    (lambda: hotframe.merge_as("tests", name=b"x"), "merge_as: the name must be a text, not b'x'"),
    (lambda: hotframe.merge_as([]), "unhashable"),
    (lambda: hotframe.annotate(None), "annotate: the text must be a text, not None"),
    (lambda: hotframe.ELIDE | "x", "unsupported operand"),
    (lambda: profile.show(5), "show: the name must be a text, not 5"),
):
    try:
        wrong()
    except TypeError as error:
        assert said in str(error), error
    else:
        raise AssertionError("accepted")

# Siblings of several keys are apart in the tree, and in what is written down where names tell them apart.
leaves = [node.row + 1 == node.tree.end[node.row] for node in tree.walk()]
places = {(node.name, node.file, node.module, node.line) for node in tree.walk() if leaves[node.row]}
for name_of, expected in ((lambda node: None, len(places)), (lambda node: f"{node.name} {node.row}", sum(leaves))):
    apart = tree.transform(
        lambda node: hotframe.merge_as(node.row, name=name_of(node)) if leaves[node.row] else hotframe.ELIDE
    )
    assert len(apart) - 1 == sum(leaves) > len(places)
    assert apart.profile("apart").summary["contexts"] == expected

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
_, met = told(lambda: profile.advice(rules=rules))
assert len(met) == 2 and "no metric" in met[1], met

# What else is checked: of changes, of the script's process, and of what runs scripts in the page.
for script in ("same.py", "orphan.py"):
    given = {"hotframe": hotframe, "profile": profile, "profiles": profiles}
    runpy.run_path(os.path.join(os.path.dirname(os.path.abspath(__file__)), script), given)
if sys.version_info >= (3, 11):
    # The page has a Python of its own, which is not an old one.
    pane = os.path.join(os.path.dirname(os.path.abspath(__file__)), "pane.py")
    subprocess.run([sys.executable, pane], check=True, stdout=subprocess.DEVNULL)
print("all changes hold")
