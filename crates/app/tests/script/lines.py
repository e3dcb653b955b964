# What the example says, by the engine's own tree.
addresses, lines = profile.top_down(granularity="address"), profile.top_down(granularity="line")
print(f"{len(addresses):,} nodes, {len(lines):,} after those of one line were merged")
