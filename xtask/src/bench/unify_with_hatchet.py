"""Reads profiles as folded stacks into Hatchet and makes one of them, pair by pair.

Each profile becomes a GraphFrame of the literal format; then the sum of both of a pair is taken,
which unifies their graphs, until one is left.
"""

import sys

import hatchet


def literal(path):
    """The tree of a file of folded stacks, as Hatchet's literal format has it."""
    roots = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            stack, value = line.rsplit(" ", 1)
            level = roots
            for name in stack.split(";"):
                node = level.setdefault(name, [0, {}])
                level = node[1]
            node[0] += int(value)

    def tree(level):
        return [
            {
                "frame": {"name": name, "type": "function"},
                "metrics": {"time": float(value)},
                "children": tree(children),
            }
            for name, (value, children) in level.items()
        ]

    return tree(roots)


frames = [hatchet.GraphFrame.from_literal(literal(path)) for path in sys.argv[1:]]
while len(frames) > 1:
    pairs = [frames[at : at + 2] for at in range(0, len(frames), 2)]
    frames = [pair[0] + pair[1] if len(pair) == 2 else pair[0] for pair in pairs]
print(frames[0].dataframe["time"].sum())
