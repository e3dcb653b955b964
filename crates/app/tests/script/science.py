"""Columns, NumPy, Arrow, pandas and Polars; what is computed is what NumPy computes."""

import math
import random
import sys
from array import array

import numpy
import pandas
import polars
import pyarrow

import hotframe

profile = hotframe.open(sys.argv[1])
tree = profile.top_down()
cpu = tree.totals["cpu"]

# The same memory.
values = cpu.numpy()
assert values.dtype == numpy.int64 and not values.flags.owndata
assert not values.flags.writeable and values.copy().flags.writeable
address = numpy.frombuffer(cpu.view, dtype=numpy.int64).__array_interface__["data"][0]
assert values.__array_interface__["data"][0] == address
assert numpy.asarray(cpu).__array_interface__["data"][0] == address
assert cpu.arrow().buffers()[1].address == address
assert tree.parent.arrow().type == pyarrow.uint32()

# Frames of the others have the same numbers.
table = tree.table()
rows = list(table.rows())
frame = table.pandas()
assert list(frame["cpu (total)"]) == list(cpu) and list(frame["name"]) == list(tree.name)
assert frame["cpu (total)"].to_numpy().__array_interface__["data"][0] in (address, frame["cpu (total)"].to_numpy().__array_interface__["data"][0])
frame = polars.DataFrame(table)
assert frame.rows() == rows, "through the Arrow stream"
assert table.polars().rows() == rows
arrow = pyarrow.table(table)
assert arrow.num_rows == len(tree) and arrow.column("cpu (self)").to_pylist() == list(tree.self_values["cpu"])

# Arithmetic.
draw = random.Random(1)
for _ in range(200):
    count = draw.randrange(1, 40)
    pick = draw.choice(
        [lambda: draw.randrange(-5, 6), lambda: draw.uniform(-3, 3), lambda: draw.choice([0.0, math.nan, 1.5])]
    )
    one, other = ([pick() for _ in range(count)] for _ in range(2))
    columns = [hotframe.Column(values) for values in (one, other)]
    arrays = [numpy.array(values) for values in (one, other)]
    by = draw.choice([0, 2, -1.5])
    for operation in (
        lambda a, b: a + b,
        lambda a, b: a - b,
        lambda a, b: a * b,
        lambda a, b: -a,
        lambda a, b: abs(a),
        lambda a, b: a < b,
        lambda a, b: a >= b,
        lambda a, b: a == b,
        lambda a, b: (a < b) | (a > by),
        lambda a, b: (a != b) & ~(a <= by),
        lambda a, b: a * by + 1,
        lambda a, b: by - a,
    ):
        made, wanted = operation(*columns), operation(*arrays)
        numpy.testing.assert_array_equal(made.numpy().astype(float), wanted.astype(float))
    with numpy.errstate(all="ignore"):
        wanted = arrays[0].astype(float) / arrays[1]
    wanted[arrays[1] == 0] = math.nan  # What is divided by zero is not a number here.
    numpy.testing.assert_array_equal((columns[0] / columns[1]).numpy(), wanted)
    mask = columns[0] > columns[1]
    numpy.testing.assert_array_equal(columns[0][mask].numpy(), arrays[0][arrays[0] > arrays[1]])
    numpy.testing.assert_array_equal(columns[0].where(mask, by).numpy(), numpy.where(arrays[0] > arrays[1], arrays[0], by))
    numpy.testing.assert_allclose(columns[0].sum(), numpy.nansum(arrays[0]), atol=1e-12)
    order = columns[0].argsort()
    numpy.testing.assert_array_equal(columns[0][order].numpy(), arrays[0][numpy.argsort(arrays[0], kind="stable")])
    assert len(columns[0][1:3]) == len(arrays[0][1:3])

# Whole numbers do not overflow, and what is too long is said.
large = hotframe.Column(array("q", [2**62, 2**62]))
assert list(large + large) == [float(2**63)] * 2 and large.sum() == 2**63
for wrong in (lambda: large + hotframe.Column([1]), lambda: bool(large), lambda: tree.totals["no"], lambda: large[hotframe.Column(b"\1")]):
    try:
        wrong()
    except (ValueError, TypeError, KeyError):
        continue
    raise AssertionError("accepted")

# Columns of others are taken as they are.
assert hotframe.Column(numpy.arange(3)).list() == [0, 1, 2]
assert hotframe.Column(numpy.arange(6, dtype=numpy.float32)[::2]).list() == [0, 2, 4]
derived = tree.derive("root", numpy.sqrt(numpy.asarray(cpu)))
assert derived.totals["root"][0] == math.sqrt(cpu[0])

# Members.
before = profile
after = hotframe.open(sys.argv[1].replace("before", "after"))
both = hotframe.merge([before, after])
members = both.tree(members_of="cpu")
assert sum(column[0] for column in members.members.values()) == before.metric("cpu").total + after.metric("cpu").total
frames = pandas.DataFrame({name: column.numpy() for name, column in members.members.items()})
assert (frames.sum(axis=1).to_numpy() == members.totals["cpu"].numpy()).all()
print("all columns hold")
