"""What pstats knows of a file, exactly: its totals and the rows of its table.

    python3 report.py FILE
"""

import json
import pstats
import sys


def name(function):
    return "{}:{}({})".format(*function)


stats = pstats.Stats(sys.argv[1])
rows = [
    {
        "function": name(function), "primitive_calls": cc, "calls": nc, "self": tt, "cumulative": ct,
        "callers": {name(caller): value for caller, value in callers.items()},
    }
    for function, (cc, nc, tt, ct, callers) in stats.stats.items()
]
rows.sort(key=lambda row: (-row["cumulative"], row["function"]))
print(json.dumps({
    "total_calls": stats.total_calls, "primitive_calls": stats.prim_calls, "total_self": stats.total_tt,
    "top_level": sorted(map(name, stats.top_level)), "functions": len(rows), "rows": "ROWS",
}, indent=1).replace('"ROWS"', "[\n  " + ",\n  ".join(map(json.dumps, rows)) + "\n ]"))
