# Merges neighbours that stand on one source line: instructions of one line become one node.

tree = profile.top_down(granularity="address")


def visit(node):
    if node.line:
        return hotframe.merge_as((node.file, node.line), name=f"{node.function}:{node.line}")


merged = tree.transform(visit)
print(f"{len(tree):,} nodes, {len(merged):,} after those of one line were merged")
merged.show(f"{profile.title}, by line")
