# The list of functions, held against the top-down tree: a function has what its outermost nodes have, once.
import math


def listed(tree):
    """By function its self value and total in a metric, of what the nodes of a tree add up to."""
    found = {}
    around = []
    for node in tree.walk():
        del around[node.depth :]
        place = tree.place[node.row]
        own, total = found.get(place, (0, 0))
        found[place] = own + node.self_value(metric.name), total + (0 if place in around else node.total(metric.name))
        around.append(place)
    rows = [(tree.places.name[place], *values) for place, values in found.items() if place != tree.place[0]]
    return sorted(rows)


def told(tree):
    return sorted((node.name, node.self_value(metric.name), node.total(metric.name)) for node in tree.root.children)


count = 0
for one in [*profiles, hotframe.merge([profiles[0], profiles[-1]]), profiles[-1].compare(profiles[0])]:
    if one.summary["estimated_paths"]:
        continue
    for granularity in ("function", "name", "line", "file"):
        for metric in one.metrics:
            if not metric.adds_up:
                continue
            view = {"granularity": granularity, "metric": metric.name}
            tree, flat = one.top_down(**view), one.flat(**view)
            assert flat.depth.max() <= 1 and len(set(flat.place)) == len(flat)
            wanted, got = [row for row in listed(tree) if any(row[1:])], told(flat)
            assert len(wanted) == len(got), (one.title, granularity, metric, len(wanted), len(got))
            for a, b in zip(wanted, got):
                assert a[0] == b[0] and all(math.isclose(x, y, rel_tol=1e-9, abs_tol=1e-6) for x, y in zip(a[1:], b[1:])), (a, b)
            assert flat.totals[metric.name][0] == tree.totals[metric.name][0]
            count += len(got)
        if granularity == "function":
            functions = {node.name: node.function for node in flat.walk()}
            assert all(name == function for name, function in functions.items() if function and name != "all")
both = hotframe.merge([profiles[0], profiles[0]])
metric = both.metric()
flat = both.flat(members_of=metric.name)
if metric.adds_up and not both.summary["estimated_paths"]:
    for node in flat.walk():
        parts = [value for value in node.members.values() if value == value]
        total = node.total(metric.name)
        # Sums stop where 64 bits end.
        assert not parts or math.isclose(min(sum(parts), 2**63 - 1), total, rel_tol=1e-9), (node, parts, total)
print(f"{count} values of functions are equal")
