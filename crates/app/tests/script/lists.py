# Lists of a trace as comma-separated values, for comparison with the command line. Guards against formulas are those
# of spreadsheets, and not here.
import csv
import io

[profile] = profiles
for name in ("spans", "longest-spans", "gaps", "concurrency", "marks", "tracks"):
    table = profile.list(name)
    assert table.left_out == 0 and len(table) > 1, name
    assert len(profile.list(name, most=1)) == 1 and profile.list(name, most=1).left_out == len(table) - 1
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(table.names)
    for row in table.rows():
        writer.writerow("" if cell is None else cell for cell in row)
    print(f"= {name}")
    print(out.getvalue(), end="")

spans = profile.list("spans", sort="count")
counts = spans["count"].list()
assert counts == sorted(counts, reverse=True) and counts != profile.list("spans")["count"].list()
[first] = profile.list("spans", filter=f"^{spans['name'][0]}$")["name"]
assert first == spans["name"][0]
for wrong in ({"name": "nothing"}, {"name": "spans", "sort": "nothing"}):
    try:
        profile.list(**wrong)
        raise SystemExit(f"{wrong} was taken")
    except hotframe.Error as error:
        print(f"! {error}")
