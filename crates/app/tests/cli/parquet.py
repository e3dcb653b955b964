"""What pyarrow reads from Parquet files, as JSON: a list with an object for each. Doubles are texts with all digits."""

import json
import sys

import pyarrow.parquet


def exact(cell):
    return repr(cell) if isinstance(cell, float) else cell


read = []
for path in sys.argv[1:]:
    table = pyarrow.parquet.read_table(path)
    read.append(
        {
            "columns": [[field.name, str(field.type)] for field in table.schema],
            "rows": [[exact(cell) for cell in row.values()] for row in table.to_pylist()],
            "metadata": json.loads(table.schema.metadata[b"hotframe"]),
        }
    )
json.dump(read, sys.stdout)
