# Cycles per instruction of every node, from two metrics that were counted: high where the processor waits.
#
# By columns, and once more node by node: both give the same.

names = [metric.name for metric in profile.metrics]
cycles = next((name for name in names if "cycles" in name), None)
instructions = next((name for name in names if "instructions" in name), None)
if cycles is None or instructions is None:
    raise SystemExit(f"needs cycles and instructions: the profile has {', '.join(names)}")

tree = profile.top_down()
by_columns = tree.derive("cycles per instruction", tree.totals[cycles] / tree.totals[instructions])


def per_instruction(node):
    counted = node.total(instructions)
    return node.total(cycles) / counted if counted else None


by_nodes = tree.derive("cycles per instruction", per_instruction)
one, other = (each.totals["cycles per instruction"] for each in (by_columns, by_nodes))
assert all(a == b or a != a and b != b for a, b in zip(one, other))

for node in sorted(by_columns.root.children, key=lambda node: -node.total(cycles))[:10]:
    print(f"{node.total('cycles per instruction'):8.3f}  {node.name}")
by_columns.show(f"{profile.title}, cycles per instruction")
