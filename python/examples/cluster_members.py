# Sorts the members of a profile (runs, snapshots, threads) into two clusters by what they spend where: k-means
# over the shares of functions, begun with the two members that are furthest apart.
#
#     hotframe convert RUN... -o runs.hotframe; hotframe run cluster_members.py runs.hotframe

metric = profile.metric().name
functions = profile.tree("flat", members_of=metric).functions_only()
if len(functions.members) < 3:
    raise SystemExit(f"needs three members or more: the profile has {len(functions.members)}")

shares = {}
for name, values in functions.members.items():
    whole = values.sum()
    shares[name] = [value / whole if whole else 0.0 for value in values]


def apart(one, other):
    return sum((a - b) ** 2 for a, b in zip(one, other))


names = sorted(shares)
pairs = [(apart(shares[a], shares[b]), a, b) for a in names for b in names if a < b]
_, first, second = max(pairs)
centres = [shares[first], shares[second]]
clusters = None
while True:
    nearest = {name: min((0, 1), key=lambda k: apart(shares[name], centres[k])) for name in names}
    if nearest == clusters:
        break
    clusters = nearest
    for k in (0, 1):
        own = [shares[name] for name in names if clusters[name] == k]
        centres[k] = [sum(column) / len(own) for column in zip(*own)]

for k in (0, 1):
    print(f"cluster {k + 1}: {', '.join(name for name in names if clusters[name] == k)}")
distinct = sorted(range(len(functions)), key=lambda row: -abs(centres[0][row] - centres[1][row]))
print("told apart by:")
for row in distinct[:5]:
    print(f"  {100 * centres[0][row]:5.1f} %  {100 * centres[1][row]:5.1f} %  {functions[row].name}")
