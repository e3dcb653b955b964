# SPDX-License-Identifier: MIT OR Apache-2.0
# Copyright (c) 2026 The Hotframe authors
"""Trees that are made of others.

    def visit(node):
        if node.module == "libc.so.6":
            return hotframe.ELIDE                     # its value goes to its caller, its callees too
        if node.name.startswith("test_"):
            return hotframe.merge_as("tests")         # siblings of one key become one node
        if node.line == 12:
            return hotframe.annotate("allocates in a loop")

    tree.transform(visit)

A function is called for each node, callers before callees, and says what becomes of it:

- nothing: it stays;
- `ELIDE`: it goes, what is right below it goes up to what is around it, and so does its self value;
- `FOLD`: what is below it goes, and its values become the node's own;
- `merge_as(key, name=None)`: siblings with equal keys become one;
- `rename(name)`: it is called otherwise; siblings that are called the same and have one place become one;
- `annotate(text)`: it gets a note.

Changes of one node are put together by `|`. Sums stay what they were. Values that do not add up are combined as
their metric says; where it says that they do not combine, a node that is made of several has none.
"""

from array import array
from typing import TYPE_CHECKING, Any, Callable, Dict, Hashable, List, Optional, Tuple

from . import _engine
from .columns import NAN, Column, packed
from .metrics import MetricInfo, Values
from .tree import Places, Tree

if TYPE_CHECKING:
    from .document import Document

_NONE = 0xFFFFFFFF
_BETWEEN_LOOKS = 1 << 14
_LIMIT = (1 << 63) - 1


class Change:
    """What becomes of a node."""

    __slots__ = ("elides", "folds", "key", "name", "note")

    def __init__(
        self,
        elides: bool = False,
        folds: bool = False,
        key: Optional[Hashable] = None,
        name: Optional[str] = None,
        note: Optional[str] = None,
    ) -> None:
        self.elides = elides
        self.folds = folds
        self.key = key
        self.name = name
        self.note = note

    def __or__(self, other: "Change") -> "Change":
        notes = [note for note in (self.note, other.note) if note is not None]
        return Change(
            self.elides or other.elides,
            self.folds or other.folds,
            self.key if other.key is None else other.key,
            self.name if other.name is None else other.name,
            "; ".join(notes) if notes else None,
        )


ELIDE = Change(elides=True)
FOLD = Change(folds=True)


def merge_as(key: Hashable, name: Optional[str] = None) -> Change:
    """The node becomes one with its siblings of an equal key; it may be called otherwise."""
    return Change(key=(key,), name=name)


def rename(name: str) -> Change:
    """The node is called otherwise."""
    return Change(name=name)


def annotate(text: str) -> Change:
    """The node gets a note."""
    return Change(note=text)


def transformed(tree: Tree, visit: Callable[[Any], Any]) -> Tree:
    """The tree of what `visit` says of each node."""
    shape = _Shape(tree)
    ends = tree._ends()
    folded = 0
    for row in range(1, len(tree)):
        if row % _BETWEEN_LOOKS == 0:
            _engine.told("visiting", row, len(tree))
        above = shape.new_of[tree.parent.view[row]]
        if row < folded:
            shape.new_of.append(above)
            continue
        change = visit(tree[row])
        if change is None:
            change = _KEPT
        elif not isinstance(change, Change):
            raise TypeError(f"{tree[row]}: {change!r} is no change; see hotframe.transform")
        if change.folds:
            folded = ends[row]
        shape.new_of.append(above if change.elides else shape.child(above, row, change))
    return shape.finish()


_KEPT = Change()


class _Shape:
    """The nodes of a tree that is being made, in the order in which they were met."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        # By old row, the new node.
        self.new_of: List[int] = [0]
        self.parents: List[int] = [0]
        self.place_of: List[int] = [tree.place.view[0]]
        self.notes: Dict[int, str] = dict(tree.notes if 0 in tree.notes else {})
        self._found: Dict[Tuple[int, Any], int] = {}
        self._names = list(tree.places.name)
        self._functions = list(tree.places.function)
        self._files = list(tree.places.file)
        self._modules = list(tree.places.module)
        self._lines = list(tree.places.line)
        self._is_frame = list(tree.places.is_frame)
        self._renamed: Dict[Tuple[int, str], int] = {}

    def child(self, parent: int, row: int, change: Change) -> int:
        """The node below another that a row becomes."""
        place = self.tree.place.view[row]
        if change.name is not None:
            place = self._place_called(place, change.name)
        key: Tuple[int, Any] = (parent, place if change.key is None else change.key)
        node = self._found.get(key)
        if node is None:
            node = len(self.parents)
            self._found[key] = node
            self.parents.append(parent)
            self.place_of.append(place)
        for note in (self.tree.notes.get(row), change.note):
            known = self.notes.get(node)
            if note is not None and note != known:
                self.notes[node] = note if known is None else f"{known}; {note}"
        return node

    def _place_called(self, place: int, name: str) -> int:
        found = self._renamed.get((place, name))
        if found is None:
            found = len(self._names)
            self._names.append(name)
            self._functions.append(self._functions[place])
            self._files.append(self._files[place])
            self._modules.append(self._modules[place])
            self._lines.append(self._lines[place])
            self._is_frame.append(self._is_frame[place])
            self._renamed[place, name] = found
        return found

    def finish(self) -> Tree:
        """The tree, in preorder."""
        order = self._preorder()
        row_of = array("I", bytes(4 * len(order)))
        for row, node in enumerate(order):
            row_of[node] = row
        parent = Column(array("I", [row_of[self.parents[node]] for node in order]))
        place = Column(array("I", [self.place_of[node] for node in order]))
        places = Places(
            self._names, self._functions, self._files, self._modules, self._lines, self._is_frame
        )
        rows = [row_of[node] for node in self.new_of]
        totals, own = Values([], None, len(order)), Values([], None, len(order))
        old = self.tree
        for metric in old.metrics:
            made = _combined(metric, old, rows, parent)
            own = own.with_column(metric.name, made[0])
            totals = totals.with_column(metric.name, made[1])
        tree = Tree(old.document, parent, place, places, old.metrics, totals, own)
        tree.notes = {row_of[node]: note for node, note in self.notes.items()}
        return tree

    def _preorder(self) -> List[int]:
        """Nodes that were met late may be below ones that were met early."""
        children: List[Optional[List[int]]] = [None] * len(self.parents)
        for node in range(1, len(self.parents)):
            below = children[self.parents[node]]
            if below is None:
                children[self.parents[node]] = [node]
            else:
                below.append(node)
        order: List[int] = []
        waiting = [0]
        while waiting:
            node = waiting.pop()
            order.append(node)
            below = children[node]
            if below is not None:
                waiting.extend(reversed(below))
        return order


def _combined(metric: MetricInfo, old: Tree, rows: List[int], parent: Column) -> Tuple[Column, Column]:
    """Self values and totals of the new rows in a metric."""
    values = old.self_values[metric.name].view
    count = len(parent)
    if metric.adds_up:
        sums: List[Any] = [0] * count if values.format != "d" else [0.0] * count
        for row, value in zip(rows, values):
            sums[row] += value
        totals = list(sums)
        for row in range(count - 1, 0, -1):
            totals[parent.view[row]] += totals[row]
        return _column(sums, values.format), _column(totals, values.format)
    folded: List[Any] = [None] * count
    for row, value in zip(rows, values):
        if value == value:
            folded[row] = value if folded[row] is None else _together(metric, folded[row], value)
    own = Column(array("d", [NAN if value is None else value for value in folded]))
    if metric.combine not in ("maximum", "minimum"):
        # A node's value is its own: it says nothing of what is around it.
        return own, own
    for row in range(count - 1, 0, -1):
        above, value = parent.view[row], folded[row]
        if value is not None:
            folded[above] = value if folded[above] is None else _together(metric, folded[above], value)
    return own, Column(array("d", [NAN if value is None else value for value in folded]))


def _together(metric: MetricInfo, one: Any, other: Any) -> Any:
    """What two values are together."""
    if metric.combine == "maximum":
        return max(one, other)
    if metric.combine == "minimum":
        return min(one, other)
    return NAN


def _column(values: List[Any], kind: str) -> Column:
    """Sums; such as do not fit into 64 bits are rounded."""
    return Column(array("d", values)) if kind == "d" else Column(values)


def built(tree: Tree, name: str) -> "Document":
    """A profile whose contexts are the nodes of a tree."""
    from .document import Document

    numbers: Dict[str, int] = {}

    def text(value: str) -> int:
        return numbers.setdefault(value, len(numbers))

    places = tree.places
    columns: Dict[str, Any] = {
        "place_name": array("I", map(text, places.name)),
        "place_file": array("I", map(text, places.file)),
        "place_module": array("I", map(text, places.module)),
        "place_line": array("I", places.line),
        "parent": tree.parent.view,
        "place": tree.place.view,
        "self_value": _raw_values(tree),
    }
    if tree.notes:
        notes = array("I", [_NONE]) * len(tree)
        for row, note in tree.notes.items():
            notes[row] = text(note)
        columns["note"] = notes
    columns["text"], columns["text_end"] = packed(numbers)
    metrics = [
        {
            "name": metric.name,
            "unit": metric.unit,
            "decimals": metric.decimals,
            "combine": metric.combine if metric.combine in ("sum", "maximum", "minimum") else "none",
            "weight": None,
        }
        for metric in tree.metrics
    ]
    shown = tree.document.metric().number
    params = {
        "name": name,
        "metrics": metrics,
        "default_metric": shown if shown < len(metrics) else 0,
        "comments": [f"Made by a script of {tree.document.title}"],
    }
    engine = tree.document.engine
    result, _ = engine.ask("build_profile", params, columns)
    return Document(engine, result["document"])


def _raw_values(tree: Tree) -> Any:
    """Self values as whole numbers of 10^-decimals, metric by metric; 0 where there is no value."""
    raw = array("q")
    for metric in tree.metrics:
        column = tree.self_values[metric.name]
        if column.kind == "q":
            raw.extend(column.view)
            continue
        scale = 10**metric.decimals
        for value in column.view:
            known = round(value * scale) if value == value and abs(value) != float("inf") else 0
            raw.append(min(max(known, -_LIMIT), _LIMIT))
    return raw
