# The ratios of the example, held against totals of both profiles by themselves.
made, base, new = profiles


def totals(one, metric):
    return {tuple(n.name for n in node.path): node.total(metric) for node in one.top_down().walk()}


metric = base.metric().name
sides = [totals(base, metric), totals(new, metric)]
ratio = f"{metric} ratio"
count = 0
for node in made.top_down(metric=ratio).walk():
    path = tuple(n.name for n in node.path)
    before, after = (side.get(path, 0) for side in sides)
    value = node.self_value(ratio)
    if before and after:
        assert abs(value - after / before) < 1e-6, (path, value, after / before)
        count += 1
    else:
        assert value != value or value == 0, (path, value, before, after)
assert count > 20
print(f"{count} ratios are equal")
