# Compares two profiles by ratio in place of difference: 2 is twice what the base has.
#
#     hotframe run ratio.py BASE NEW

if len(profiles) < 2:
    raise SystemExit("needs two profiles, the base first")
base, new = profiles[:2]
changed = new.compare(base)
metric = base.metric().name
tree = changed.top_down(metric=f"{metric} (both)")
ratio = tree.derive(f"{metric} ratio", tree.new[metric] / tree.base[metric])

rows = ratio.totals[f"{metric} ratio"]
whole = tree.base[metric].view[0]
for row in rows.argsort(reverse=True).view:
    node = ratio[row]
    if node.base(metric) >= whole / 100:
        print(f"{rows.view[row]:8.3f}  {node.name}")
ratio.show(f"{new.title} in ratio to {base.title}")
