# SPDX-License-Identifier: MIT OR Apache-2.0
# Copyright (c) 2026 The Hotframe authors
"""Metrics of profiles, and columns of their values."""

from array import array
from typing import Any, Dict, Iterator, List, Mapping, Optional

from .columns import NAN, Column

# Stands for 'no value' among whole numbers.
_NO_VALUE = -(1 << 63)


class MetricInfo:
    """A metric of a profile that was opened.

    `combine` says what several values are together: `sum`, `maximum`, `minimum`, `last`, `mean` or `none`.
    `formula` is that of a metric that was worked out from others. `adds_up` says whether several values are their
    sum together, over contexts, time and members; `is_of_node` that a script gave each node its own.
    """

    __slots__ = ("name", "unit", "decimals", "combine", "formula", "total", "number", "signed", "adds_up", "is_of_node")

    def __init__(self, number: int, told: Mapping[str, Any], total: int) -> None:
        self.number = number
        self.name: str = told["name"]
        self.unit: str = told["unit"]
        self.decimals: int = told["decimals"]
        self.formula: Optional[str] = told.get("formula")
        self.combine: str = "none" if self.formula is not None else told["combine"]
        self.signed: bool = told["signed"]
        self.adds_up: bool = self.combine == "sum" and told["adds_up"]
        self.is_of_node = False
        self.total = self.value(total)

    def value(self, raw: int) -> Any:
        """A value in the metric's unit; none where there is none."""
        if raw == _NO_VALUE:
            return None
        return raw / 10**self.decimals if self.decimals else raw

    def column(self, raw: memoryview) -> Column:
        """Values in the metric's unit: the same memory where they are whole numbers that add up."""
        if self.adds_up and self.formula is None and not self.decimals:
            return Column(raw)
        scale = 10**self.decimals
        if _NO_VALUE not in raw and not self.decimals:
            return Column(raw)
        return Column(array("d", [NAN if value == _NO_VALUE else value / scale for value in raw]))

    def __repr__(self) -> str:
        return f"<metric {self.name} in {self.unit}: {self.total}>"


class Values(Mapping[str, Column]):
    """Columns by the name of their metric, made when they are first asked for."""

    def __init__(self, metrics: List[MetricInfo], raw: Optional[memoryview], rows: int) -> None:
        self._metrics = {metric.name: metric for metric in metrics}
        self._places = {metric.name: place for place, metric in enumerate(metrics)}
        self._raw = raw
        self._rows = rows
        self._made: Dict[str, Column] = {}

    def __getitem__(self, name: str) -> Column:
        made = self._made.get(name)
        if made is None:
            if name not in self._metrics or self._raw is None:
                raise KeyError(f"no metric {name!r}: there are {', '.join(self) or 'none'}")
            start = self._places[name] * self._rows
            made = self._metrics[name].column(self._raw[start : start + self._rows])
            self._made[name] = made
        return made

    def __iter__(self) -> Iterator[str]:
        return iter({**self._metrics, **self._made})

    def __len__(self) -> int:
        return len({**self._metrics, **self._made})

    def with_column(self, name: str, column: Column) -> "Values":
        """The same with another column."""
        values = Values(list(self._metrics.values()), self._raw, self._rows)
        values._made = {**self._made, name: column}
        return values

    def __repr__(self) -> str:
        return f"<values of {', '.join(self)}>"
