# A change that leaves nodes as they are keeps every value of theirs bit for bit, in every metric and every shape.
import random
import struct


def bits(column):
    return column.kind, column.view.tobytes()


def columns(tree):
    found = {"parent": bits(tree.parent), "name": list(tree.name)}
    for kind, values in (("self", tree.self_values), ("total", tree.totals), ("member", tree.members)):
        found.update({(kind, name): bits(values[name]) for name in values})
    return found


def same(one, other):
    return one == other or one != one and other != other


def checked(tree, what):
    """Nodes that are made of one node have what it had, those of several the sum, and others no value."""
    changed = tree.transform(lambda node: None)
    for column, values in columns(tree).items():
        assert columns(changed)[column] == values, (what, column)
    draw = random.Random(len(tree))
    said = [draw.choice([None] * 12 + [hotframe.ELIDE, hotframe.FOLD, hotframe.merge_as(1)]) for _ in range(len(tree))]
    origin = tree.derive("row", range(len(tree)))
    changed = origin.transform(lambda node: said[node.row])
    adds_up = {metric.name for metric in tree.metrics if metric.adds_up}
    saved = changed.profile("saved").top_down(granularity="name")
    for metric in tree.metrics:
        if not (saved.totals[metric.name][0] != saved.totals[metric.name][0] or not metric.adds_up and tree.shape != "top_down"):
            one, other = saved.totals[metric.name][0], changed.totals[metric.name][0]
            assert tree.shape == "flat" and max(tree.depth) > 1 or abs(one - other) <= 1e-6 * max(1, abs(other)), (what, metric, one, other)
        kept = zip(changed.totals["row"], changed.self_values[metric.name], changed.totals[metric.name])
        for row, (old, own, total) in enumerate(kept):
            if old == old and row:
                was = tree.self_values[metric.name][int(old)], tree.totals[metric.name][int(old)]
                assert same(own, was[0]) and same(total, was[1]), (what, metric, row, own, total, was)
        if metric.name in adds_up:
            before, after = tree.totals[metric.name][0], changed.totals[metric.name][0]
            assert before == after, (what, metric, before, after)
            # Self values of a flat tree's modules and files hold those of functions.
            nested = tree.shape == "flat"
            owns = [
                sum(own for own, depth in zip(one.self_values[metric.name], one.depth) if depth < 2 or not nested)
                for one in (tree, changed)
            ]
            assert abs(owns[0] - owns[1]) <= 1e-9 * abs(owns[0]), (what, metric, owns)
        if metric.name in adds_up and tree.shape == "top_down":
            sums = changed.self_values[metric.name].list()
            for row in range(len(changed) - 1, 0, -1):
                sums[changed.parent[row]] += sums[row]
            for one, other in zip(sums, changed.totals[metric.name]):
                assert abs(one - other) <= 1e-6 * max(1, abs(other)), (what, metric, one, other)
    for compared in tree.document.compared_metrics:
        sides = [tree.document.metrics[compared[side]] for side in ("base", "new", "change", "ratio")]
        # Changes of seconds are told in nanoseconds.
        scale = 1 if sides[0].unit == sides[2].unit else {"seconds": 1e9, "milliseconds": 1e6, "microseconds": 1e3}[sides[0].unit]
        for values in (changed.totals, changed.self_values):
            for base, new, change, ratio in zip(*(values[side.name] for side in sides)):
                if sides[0].adds_up and base == base:
                    assert abs(change - (new - base) * scale) <= 1e-6 * scale * max(1, abs(base), abs(new)), (what, base, new, change)
                elif sides[0].adds_up:
                    assert change != change, (what, base, new, change)
                if base and ratio == ratio:
                    assert abs(ratio * base - new) <= 1e-5 * max(1, abs(base), abs(new)), (what, base, new, ratio)
                elif sides[0].adds_up:
                    assert not base or base != base, (what, base, new, ratio)
    return changed


def trees(one, **more):
    for shape in ("top_down", "bottom_up", "flat"):
        yield shape, one.tree(shape, **more)
    yield "functions", one.flat(**more)
    yield "lines", one.top_down(granularity="line", collapse_recursion=True, **more)


count = 0
for one in [*profiles, profiles[-1].compare(profiles[0])]:
    for what, tree in trees(one):
        checked(tree, (one.title, what))
        count += 1
both = hotframe.merge([profiles[0], profiles[-1]])
quoted = '"' + both.metric().name + '"'
both = both.define("largest", f"max_of({quoted})").define("double", f"{quoted} + {quoted}")
for metric in both.metrics[: len(profile.metrics)]:
    for what, tree in trees(both, members_of=metric.name):
        assert len(tree.members) >= 2
        changed = checked(tree, ("merged", metric.name, what))
        assert list(changed.members) == list(tree.members)
        for name in tree.members:
            assert same(changed.members[name][0], tree.members[name][0])
        count += 1
print(f"{count} trees stay the same")
