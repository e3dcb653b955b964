# SPDX-License-Identifier: MIT OR Apache-2.0
# Copyright (c) 2026 The Hotframe authors
"""Columns of numbers and texts.

They need no library, and are NumPy arrays, Arrow arrays, and columns of pandas and Polars without being copied
where those are there. Arithmetic is that of Python's numbers: whole numbers do not overflow, and what is divided
by zero is not a number.
"""

import importlib
import math
import operator
import sys
from array import array
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple, Union

NAN = float("nan")
_TYPES = {"B": "|u1", "I": "<u4", "q": "<i8", "d": "<f8"}

Number = Union[int, float]
Operand = Union["Column", Sequence[Number], Number]


class Column:
    """Numbers, as a view of memory that whoever made it holds: `B`, `I`, `q` and `d` of the module `array`. They can
    be read alone: columns share memory, as trees share columns."""

    __slots__ = ("_view",)

    def __init__(self, values: Any) -> None:
        """Of what has a buffer, which is not copied, or of any numbers."""
        if isinstance(values, Column):
            self._view: memoryview = values._view
            return
        try:
            view = memoryview(values)
        except TypeError:
            view = memoryview(_packed(list(values)))
        view = _recast(view) if view.format in _TYPES else memoryview(_packed(view.tolist()))
        self._view = view.toreadonly()

    @property
    def view(self) -> memoryview:
        """The memory."""
        return self._view

    @property
    def kind(self) -> str:
        """The type of the numbers, such as `d` for floats of 64 bits."""
        return self._view.format

    def list(self) -> List[Number]:
        """As a list."""
        return list(self._view)

    def numpy(self) -> Any:
        """As a NumPy array of the same memory, which can be read alone: `.numpy().copy()` can be written."""
        numpy: Any = importlib.import_module("numpy")

        return numpy.frombuffer(self._view, dtype=_TYPES[self.kind])

    def arrow(self) -> Any:
        """As an Arrow array of the same memory; what is not a number stays that."""
        pyarrow: Any = importlib.import_module("pyarrow")

        types = {"B": pyarrow.uint8, "I": pyarrow.uint32, "q": pyarrow.int64, "d": pyarrow.float64}
        buffer = pyarrow.py_buffer(self._view)
        return pyarrow.Array.from_buffers(types[self.kind](), len(self), [None, buffer])

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> Any:
        values = self.numpy()
        if dtype is not None and values.dtype != dtype:
            return values.astype(dtype)
        return values.copy() if copy else values

    def __len__(self) -> int:
        return len(self._view)

    def __iter__(self) -> Iterator[Number]:
        return iter(self._view)

    def __getitem__(self, index: Any) -> Any:
        """A number; a part by a slice; those where a mask, a column of comparisons, is true; those at numbers."""
        if isinstance(index, slice):
            part = self._view[index]
            return Column(part if part.contiguous else array(self.kind, part))
        if isinstance(index, Column):
            if index.kind == "B":
                _same_length(self, index)
                return Column(array(self.kind, (v for v, m in zip(self._view, index._view) if m)))
            return Column(array(self.kind, map(self._view.__getitem__, index._view)))
        return self._view[operator.index(index)]

    def __repr__(self) -> str:
        shown = ", ".join(f"{value:g}" if self.kind == "d" else str(value) for value in self._view[:8])
        return f"<Column of {len(self):,}: {shown}{', …' if len(self) > 8 else ''}>"

    def __add__(self, other: Operand) -> "Column":
        return self._with(other, operator.add)

    def __radd__(self, other: Operand) -> "Column":
        return self._with(other, lambda one, two: two + one)

    def __sub__(self, other: Operand) -> "Column":
        return self._with(other, operator.sub)

    def __rsub__(self, other: Operand) -> "Column":
        return self._with(other, lambda one, two: two - one)

    def __mul__(self, other: Operand) -> "Column":
        return self._with(other, operator.mul)

    def __rmul__(self, other: Operand) -> "Column":
        return self._with(other, lambda one, two: two * one)

    def __truediv__(self, other: Operand) -> "Column":
        return self._divided(self._view, self._of(other))

    def __rtruediv__(self, other: Operand) -> "Column":
        return self._divided(self._of(other), self._view)

    def __neg__(self) -> "Column":
        return Column(_packed(list(map(operator.neg, self._view))))

    def __abs__(self) -> "Column":
        return Column(_packed(list(map(abs, self._view))))

    def __lt__(self, other: Operand) -> "Column":
        return self._mask(other, operator.lt)

    def __le__(self, other: Operand) -> "Column":
        return self._mask(other, operator.le)

    def __gt__(self, other: Operand) -> "Column":
        return self._mask(other, operator.gt)

    def __ge__(self, other: Operand) -> "Column":
        return self._mask(other, operator.ge)

    def __eq__(self, other: Any) -> "Column":  # type: ignore[override]
        return self._mask(other, operator.eq)

    def __ne__(self, other: Any) -> "Column":  # type: ignore[override]
        return self._mask(other, operator.ne)

    __hash__ = None  # type: ignore[assignment]

    def __and__(self, other: "Column") -> "Column":
        return self._mask(other, lambda one, two: bool(one) and bool(two))

    def __or__(self, other: "Column") -> "Column":
        return self._mask(other, lambda one, two: bool(one) or bool(two))

    def __invert__(self) -> "Column":
        return Column(bytes(map(operator.not_, self._view)))

    def __bool__(self) -> bool:
        raise TypeError("a column is neither true nor false: ask it for any() or all()")

    def any(self) -> bool:
        """Whether one is not 0."""
        return any(self._view)

    def all(self) -> bool:
        """Whether none is 0."""
        return all(self._view)

    def where(self, mask: "Column", other: Operand) -> "Column":
        """Its numbers where a mask is true, and others where it is not."""
        _same_length(self, mask)
        return Column(_packed([a if m else b for a, m, b in zip(self._view, mask._view, self._of(other))]))

    def is_nan(self) -> "Column":
        """Where it has no number."""
        return Column(bytes(map(math.isnan, self._view)))

    def map(self, function: Callable[[Number], Number]) -> "Column":
        """What a function makes of each number."""
        return Column(_packed(list(map(function, self._view))))

    def sum(self) -> Number:
        """The sum; what is not a number is left out. Floats are added exactly and rounded once."""
        if self.kind == "d":
            return math.fsum(value for value in self._view if value == value)
        return sum(self._view)

    def max(self) -> Number:
        """The largest; what is not a number is left out."""
        return max((value for value in self._view if value == value), default=NAN)

    def min(self) -> Number:
        """The smallest; what is not a number is left out."""
        return min((value for value in self._view if value == value), default=NAN)

    def argsort(self, reverse: bool = False) -> "Column":
        """Numbers of rows, the smallest value first; equal ones stay in order, what is not a number comes last."""
        values = self._view
        known = (row for row in range(len(values)) if values[row] == values[row])
        rows = sorted(known, key=values.__getitem__, reverse=reverse)
        rows += [row for row in range(len(values)) if values[row] != values[row]]
        return Column(array("I", rows))

    def _of(self, other: Operand) -> Iterable[Number]:
        if isinstance(other, Column):
            _same_length(self, other)
            return other._view
        if isinstance(other, (int, float)):
            return _Repeated(other, len(self))
        values = list(other)
        _same_length(self, values)
        return values

    def _with(self, other: Operand, operation: Callable[[Any, Any], Any]) -> "Column":
        return Column(_packed(list(map(operation, self._view, self._of(other)))))

    def _mask(self, other: Operand, operation: Callable[[Any, Any], Any]) -> "Column":
        return Column(bytes(map(operation, self._view, self._of(other))))

    @staticmethod
    def _divided(over: Iterable[Number], under: Iterable[Number]) -> "Column":
        return Column(array("d", [a / b if b else NAN for a, b in zip(over, under)]))


class _Repeated:
    """One number, as often as a column has rows."""

    def __init__(self, value: Number, count: int) -> None:
        self._value = value
        self._count = count

    def __iter__(self) -> Iterator[Number]:
        from itertools import repeat

        return repeat(self._value, self._count)


class Missing:
    """Numbers by row, of which some are missing: None."""

    __slots__ = ("values",)

    def __init__(self, values: List[Optional[Number]]) -> None:
        self.values = values

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, row: int) -> Optional[Number]:
        return self.values[row]

    def __iter__(self) -> Iterator[Optional[Number]]:
        return iter(self.values)

    def __repr__(self) -> str:
        return f"<Missing of {len(self):,}: {', '.join(map(repr, self.values[:4]))}{', …' if len(self) > 4 else ''}>"

    def list(self) -> List[Optional[Number]]:
        """As a list."""
        return [*self.values]

    def numpy(self) -> Any:
        """As a NumPy array of floats, with NaN for what is missing. Above 2**53 it has the nearest floats."""
        numpy: Any = importlib.import_module("numpy")

        return numpy.array([NAN if value is None else value for value in self.values], dtype="float64")

    def arrow(self) -> Any:
        """As an Arrow array with nulls."""
        pyarrow: Any = importlib.import_module("pyarrow")

        return pyarrow.array(self.values)

    def pandas(self) -> Any:
        """As an array of pandas that knows missing whole numbers."""
        pandas: Any = importlib.import_module("pandas")

        return pandas.array(self.values)


class Texts:
    """Texts by row, each kept once: `codes` says which of `values` a row has."""

    __slots__ = ("codes", "values")

    def __init__(self, codes: Column, values: List[str]) -> None:
        self.codes = codes
        self.values = values

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, row: int) -> str:
        return self.values[self.codes.view[row]]

    def __iter__(self) -> Iterator[str]:
        return map(self.values.__getitem__, self.codes.view)

    def __repr__(self) -> str:
        shown = ", ".join(map(repr, list(self)[:4] if len(self) < 1000 else [self[row] for row in range(4)]))
        return f"<Texts of {len(self):,}: {shown}{', …' if len(self) > 4 else ''}>"

    def matching(self, test: Union[str, Callable[[str], Any]]) -> Column:
        """A mask of the rows whose text is equal to one, or that a function is true of: asked once for each text."""
        is_it = test if callable(test) else lambda text: text == test
        known = [1 if is_it(text) else 0 for text in self.values]
        return Column(bytes(map(known.__getitem__, self.codes.view)))

    def distinct(self) -> "Texts":
        """The same, whose values are all different: several places may be called the same."""
        numbers: Dict[str, int] = {}
        codes = [numbers.setdefault(value, len(numbers)) for value in self.values]
        if len(numbers) == len(self.values):
            return self
        return Texts(Column(array("I", map(codes.__getitem__, self.codes.view))), list(numbers))

    def numpy(self) -> Any:
        """As a NumPy array of objects."""
        numpy: Any = importlib.import_module("numpy")

        return numpy.array(self.values, dtype=object)[self.codes.numpy()]

    def arrow(self) -> Any:
        """As an Arrow array with a dictionary."""
        pyarrow: Any = importlib.import_module("pyarrow")

        texts = self.distinct()
        values = pyarrow.array(texts.values, pyarrow.string())
        return pyarrow.DictionaryArray.from_arrays(texts.codes.arrow(), values)


class Table:
    """Columns of one length by name. Polars, pandas, DuckDB and Arrow take it as it is.

    `notes` says what you need to know to read the rows. `left_out` counts the rows that are not there."""

    def __init__(self, columns: "dict[str, Any]", notes: Sequence[str] = (), left_out: int = 0) -> None:
        self._columns = columns
        self.notes = list(notes)
        self.left_out = left_out

    @property
    def names(self) -> List[str]:
        """The names of the columns."""
        return list(self._columns)

    def __len__(self) -> int:
        return len(next(iter(self._columns.values()))) if self._columns else 0

    def __getitem__(self, name: str) -> Any:
        try:
            return self._columns[name]
        except KeyError:
            raise KeyError(f"no column {name!r}: there are {', '.join(self._columns)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __repr__(self) -> str:
        return f"<Table of {len(self):,} rows: {', '.join(self._columns)}>"

    def rows(self) -> Iterator[Tuple[Any, ...]]:
        """Row by row."""
        return zip(*self._columns.values())

    def arrow(self) -> Any:
        """As an Arrow table; numbers are the same memory."""
        pyarrow: Any = importlib.import_module("pyarrow")

        return pyarrow.table({name: column.arrow() for name, column in self._columns.items()})

    def pandas(self) -> Any:
        """As a data frame of pandas; numbers are the same memory where pandas leaves them."""
        pandas: Any = importlib.import_module("pandas")

        made = {}
        for name, column in self._columns.items():
            if isinstance(column, Texts):
                texts = column.distinct()
                codes = texts.codes.numpy().astype("int64")
                made[name] = pandas.Categorical.from_codes(codes, categories=texts.values)
            else:
                made[name] = column.pandas() if isinstance(column, Missing) else column.numpy()
        return pandas.DataFrame(made, copy=False)

    def polars(self) -> Any:
        """As a data frame of Polars."""
        polars: Any = importlib.import_module("polars")

        return polars.from_arrow(self.arrow())

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.arrow().__arrow_c_stream__(requested_schema)


def unpacked(text: memoryview, ends: memoryview) -> List[str]:
    """Texts that stand one after the other."""
    whole = bytes(text)
    starts = [0, *ends[:-1]] if len(ends) else []
    return [whole[start:end].decode("utf-8", "replace") for start, end in zip(starts, ends)]


def packed(texts: Iterable[str]) -> Tuple[bytes, array]:  # type: ignore[type-arg]
    """Texts one after the other, and where each ends."""
    ends = array("I")
    parts = []
    end = 0
    for text in texts:
        part = text.encode("utf-8", "replace")
        parts.append(part)
        end += len(part)
        ends.append(end)
    return b"".join(parts), ends


def _packed(values: List[Any]) -> array:  # type: ignore[type-arg]
    """Whole numbers where all are, else floats; none is not a number."""
    try:
        return array("q", values)
    except (TypeError, OverflowError):
        return array("d", [NAN if value is None else value for value in values])


def _recast(view: Any) -> memoryview:
    """The same memory in one dimension."""
    flat: memoryview = view.cast("B").cast(view.format)
    return flat


def _same_length(one: Any, other: Any) -> None:
    if len(one) != len(other):
        raise ValueError(f"columns of {len(one):,} and {len(other):,} rows do not go together")


if sys.byteorder != "little":
    raise ImportError("columns are little-endian, and this machine is not")
