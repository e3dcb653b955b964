# Columns against the engine's formula.
names = [metric.name for metric in profile.metrics]
cycles = next(name for name in names if "cycles" in name)
instructions = next(name for name in names if "instructions" in name)
quoted = [f'"{name}"' if not name.isidentifier() else name for name in (cycles, instructions)]
defined = profile.define("by formula", f"{quoted[0]} / {quoted[1]}").top_down()
tree = profile.top_down()
column = tree.totals[cycles] / tree.totals[instructions]
formula = defined.totals["by formula"]
assert len(column) == len(formula) > 10
for one, other in zip(column, formula):
    assert one != one and other != other or abs(one - other) < 1e-6 * max(1, abs(one)), (one, other)
print(f"{len(column)} values are as the formula gives them")
