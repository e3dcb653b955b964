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
    kept = columns(tree.transform(lambda node: None))
    for column, values in columns(tree).items():
        assert kept[column] == values, (what, column)
    assert len(kept) == len(columns(tree))
    draw = random.Random(len(tree))
    said = [draw.choice([None] * 12 + [hotframe.ELIDE, hotframe.FOLD, hotframe.merge_as(1)]) for _ in range(len(tree))]
    origin = tree.derive("row", range(len(tree)))
    changed = origin.transform(lambda node: said[node.row])
    saved = changed.profile("saved").top_down(granularity="name")
    written = tree.profile("written").top_down(granularity="name")
    for metric in tree.metrics:
        # Values that are scaled are rounded, each by itself.
        rounding = 1e-6 + 1e-9 * sum(abs(value) for value in tree.self_values[metric.name] if value == value)
        if tree.shape == "top_down":
            # What is written down of totals is so, or nothing.
            one, other = saved.totals[metric.name][0], changed.totals[metric.name][0]
            assert abs(one - other) <= rounding or one != one and not metric.adds_up, (what, metric, one, other)
        own, total = tree.self_values[metric.name].view, tree.totals[metric.name].view
        values = zip(changed.totals["row"], changed.self_values[metric.name], changed.totals[metric.name])
        for row, (old, new_own, new_total) in enumerate(values):
            if old == old:
                was = own[int(old)], total[int(old)]
                assert same(new_own, was[0]) and same(new_total, was[1]), (what, metric, row, new_own, new_total, was)
        if metric.adds_up:
            before, after = tree.totals[metric.name][0], changed.totals[metric.name][0]
            assert before == after, (what, metric, before, after)
            # What is written down has the sums, whatever self values of the shape hold.
            for one, made in ((written, tree), (saved, changed)):
                outer = sum(own for own, depth in zip(made.self_values[metric.name], made.depth) if depth < 2)
                sums = outer if tree.shape == "flat" else made.self_values[metric.name].sum()
                assert abs(one.totals[metric.name][0] - sums) <= rounding, (what, metric, one.totals[metric.name][0], sums)
            # Self values of a flat tree's modules and files hold those of functions.
            nested = tree.shape == "flat"
            owns = [
                sum(own for own, depth in zip(one.self_values[metric.name], one.depth) if depth < 2 or not nested)
                for one in (tree, changed)
            ]
            assert abs(owns[0] - owns[1]) <= rounding, (what, metric, owns)
        if metric.adds_up and tree.shape == "top_down":
            sums = changed.self_values[metric.name].list()
            for row in range(len(changed) - 1, 0, -1):
                sums[changed.parent[row]] += sums[row]
            for one, other in zip(sums, changed.totals[metric.name]):
                assert abs(one - other) <= rounding, (what, metric, one, other)
    for compared in tree.document.compared_metrics:
        sides = [tree.document.metrics[compared[side]] for side in ("base", "new", "change", "ratio")]
        # Changes are told in the smallest unit.
        larger = {"seconds": 1e9, "milliseconds": 1e6, "microseconds": 1e3, "MB": 2**20, "MB/s": 2**20}
        scale = 1 if sides[0].unit == sides[2].unit else larger[sides[0].unit]
        for values in (changed.totals, changed.self_values):
            for base, new, change, ratio in zip(*(values[side.name] for side in sides)):
                if sides[0].adds_up and base == base:
                    wanted = (new - base) * scale
                    assert abs(change - wanted) <= 1e-6 * scale * max(1, abs(base), abs(new)), (what, base, new, change)
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
base, new = profiles[0], profiles[-1]
for one in [*profiles, new.compare(base), base.compare(new, normalise="total", noise=0.1)]:
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
