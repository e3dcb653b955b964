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
- `merge_as(key, name=None)`: siblings with equal keys become one; a profile that is made of the tree keeps siblings
  apart only if they differ in name or place, so give those of different keys names of their own;
- `rename(name)`: it is called otherwise; siblings that are called the same and have one place become one;
- `annotate(text)`: it gets a note.

Changes of one node are put together by `|`. Sums stay what they were, and a node that stands for what it stood for
keeps all its values. Where nodes become one, the ratio of a comparison is made anew of base and new, and other
values that do not add up are none; so are totals of flat trees, for one function may call the other.
"""

import math
import operator
from array import array
from typing import TYPE_CHECKING, Any, Callable, Dict, Hashable, Iterable, List, Optional, Tuple

from . import _engine, _pane
from .columns import NAN, Column, packed
from .metrics import MetricInfo, Values
from .tree import Places, Tree

if TYPE_CHECKING:
    from .document import Document

_NONE = 0xFFFFFFFF
_BETWEEN_LOOKS = 1 << 14
_LIMIT = (1 << 63) - 1
# Values that are smaller than so many of their last decimal get more.
_FEW_DIGITS = 1e5
_USUAL_DECIMALS = 6
_MOST_DECIMALS = 18


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
        if not isinstance(other, Change):
            return NotImplemented
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
    """The node becomes one with its siblings of an equal key; it may be called otherwise.

    Siblings of different keys stay apart in the tree. A profile that is made of it tells siblings apart by name and
    place alone: where these are equal they are one there, unless `name` differs.
    """
    # What can be no key is told here, where the script says it.
    hash(key)
    return Change(key=(key,), name=None if name is None else _text(name, "merge_as", "name"))


def rename(name: str) -> Change:
    """The node is called otherwise."""
    return Change(name=_text(name, "rename", "name"))


def annotate(text: str) -> Change:
    """The node gets a note."""
    return Change(note=_text(text, "annotate", "text"))


def _text(value: Any, function: str, what: str) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{function}: the {what} must be a text, not {value!r}")
    return value


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
            raise TypeError(f"{tree[row]}: {change!r} is not a change; see hotframe.transform")
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
        self.notes: Dict[int, str] = {row: note for row, note in tree.notes.items() if row == 0}
        self._found: Dict[Tuple[Any, ...], int] = {}
        self._twins = _twins(tree)
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
        key: Tuple[Any, ...] = (parent, place, self._twins.get(row, 0))
        if change.name is not None:
            place = self._place_called(place, change.name)
            key = (parent, place, 0)
        if change.key is not None:
            key = (parent, change.key)
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
        old = self.tree
        merged = _Merged(old, [row_of[node] for node in self.new_of], parent)
        totals, own = Values([], None, len(order)), Values([], None, len(order))
        for metric in old.metrics:
            own = own.with_column(metric.name, merged.own(old.self_values[metric.name], metric))
            totals = totals.with_column(metric.name, merged.total(old.totals[metric.name], metric))
        for compared in old.document.compared_metrics:
            base, new, ratio = (old.document.metrics[compared[side]] for side in ("base", "new", "ratio"))
            own = _with_ratio(own, base, new, ratio, merged.own_of)
            totals = _with_ratio(totals, base, new, ratio, merged.total_of)
        tree = Tree(old.document, parent, place, places, old.metrics, totals, own)
        tree.shape, tree.members_of = old.shape, old.members_of
        if old.members_of is not None:
            for name, column in old.members.items():
                tree.members[name] = merged.total(column, old.members_of)
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


def _twins(tree: Tree) -> Dict[int, int]:
    """Of rows that have an older sibling of the same place, how many: they were apart, and stay it."""
    met: Dict[Tuple[int, int], int] = {}
    twins: Dict[int, int] = {}
    for row, at in enumerate(zip(tree.parent.view, tree.place.view)):
        before = met.get(at, 0)
        met[at] = before + 1
        if before and row:
            twins[row] = before
    return twins


class _Merged:
    """What new rows have of the old ones that they are made of."""

    def __init__(self, old: Tree, new_of: List[int], parent: Column) -> None:
        self._old = old
        self._new_of = new_of
        self._parent = parent
        old_parents = old.parent.view
        # An old row below another of the same new one is part of its total, and in a flat tree of its self value.
        self._outermost = [row for row, new in enumerate(new_of) if not row or new_of[old_parents[row]] != new]
        self._is_flat = old.shape == "flat"
        # By new row, of how many old ones it is made.
        self.own_of = _counts(new_of, len(parent))
        self.total_of = _counts(map(new_of.__getitem__, self._outermost), len(parent))

    def own(self, values: Column, metric: MetricInfo) -> Column:
        """Self values of the new rows."""
        if not self._is_flat or not metric.adds_up:
            return self._together(values, metric, range(len(values)), metric.adds_up)
        made = self._together(values, metric, self._outermost, True)
        if self.own_of[0] > 1:
            # What stands below the program no more is its own.
            gone = _sum_below(values, self._old.parent) - _sum_below(made, self._parent)
            rows = made.list()
            rows[0] = _rounded(rows[0] + gone, metric)
            made = _column(rows, made.kind)
        return made

    def total(self, values: Column, metric: MetricInfo) -> Column:
        """Totals of the new rows: one that is made of one row has all that was below it."""
        if metric.is_of_node:
            return self._together(values, metric, range(len(values)), False)
        return self._together(values, metric, self._outermost, metric.adds_up and not self._is_flat)

    def _together(self, values: Column, metric: MetricInfo, rows: Iterable[int], adds_up: bool) -> Column:
        made: List[Any] = [None] * len(self._parent)
        view, new_of = values.view, self._new_of
        for row in rows:
            new = new_of[row]
            value: Any = view[row]
            known = made[new]
            if known is not None:
                value = _rounded(known + value, metric) if adds_up else NAN
            made[new] = value
        return _column(made, values.kind)


def _counts(rows: Iterable[int], count: int) -> List[int]:
    counts = [0] * count
    for row in rows:
        counts[row] += 1
    return counts


def _sum_below(values: Column, parent: Column) -> Any:
    """The sum of the rows right below the program."""
    return sum(value for value, above in zip(values.view[1:], parent.view[1:]) if not above)


def _rounded(value: Any, metric: MetricInfo) -> Any:
    """A sum of decimals, without what floats add to it."""
    return round(value, metric.decimals) if isinstance(value, float) else value


def _with_ratio(values: Values, base: MetricInfo, new: MetricInfo, ratio: MetricInfo, made_of: List[int]) -> Values:
    """With the ratio of rows that are made of several."""
    bases, news = values[base.name].view, values[new.name].view
    ratios = values[ratio.name].list()
    for row, count in enumerate(made_of):
        if count > 1:
            ratios[row] = _rounded(news[row] / bases[row] if bases[row] else NAN, ratio)
    return values.with_column(ratio.name, _column(ratios, "d"))


def _column(values: List[Any], kind: str) -> Column:
    """A column of a kind; of floats where a value is not of it."""
    try:
        return Column(array(kind, values))
    except (TypeError, OverflowError):
        return Column(array("d", values))


def built(tree: Tree, name: str) -> "Document":
    """A profile whose contexts are the nodes of a tree."""
    from .document import Document

    numbers: Dict[str, int] = {}

    def text(value: str) -> int:
        return numbers.setdefault(value, len(numbers))

    own = _of_nodes_alone(tree)
    decimals = [_decimals(own[metric.name], metric) for metric in tree.metrics]
    raw = array("q")
    for metric, kept in zip(tree.metrics, decimals):
        raw.extend(_raw_values(own[metric.name], metric, kept))
    places = tree.places
    columns: Dict[str, Any] = {
        "place_name": array("I", map(text, places.name)),
        "place_file": array("I", map(text, places.file)),
        "place_module": array("I", map(text, places.module)),
        "place_line": array("I", places.line),
        "parent": tree.parent.view,
        "place": tree.place.view,
        "self_value": raw,
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
            "decimals": kept,
            "combine": metric.combine if metric.adds_up or _holds(tree, own[metric.name], metric) else "none",
            "weight": None,
        }
        for metric, kept in zip(tree.metrics, decimals)
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


def _of_nodes_alone(tree: Tree) -> Values:
    """Self values without what is below: in a flat tree those of modules and files hold those of what is in them."""
    below = _counts(tree.parent.view[1:], len(tree))
    if tree.shape != "flat" or below[0] + 1 == len(tree):
        return tree.self_values
    # The program's own are its own, and no sum.
    below[0] = 0
    values = tree.self_values
    for metric in tree.metrics:
        if metric.adds_up:
            own = values[metric.name]
            made = own.list()
            for value, above in zip(own.view[1:], tree.parent.view[1:]):
                if above and value == value:
                    made[above] -= value
            made = [_rounded(value, metric) if count else value for value, count in zip(made, below)]
            values = values.with_column(metric.name, _column(made, own.kind))
    for compared in tree.document.compared_metrics:
        base, new, ratio = (tree.document.metrics[compared[side]] for side in ("base", "new", "ratio"))
        if base.adds_up:
            values = _with_ratio(values, base, new, ratio, [count + 1 for count in below])
    return values


def _holds(tree: Tree, own: Column, metric: MetricInfo) -> bool:
    """Whether totals are what self values are together, in a metric that does not add up."""
    together: Any = {"sum": operator.add, "maximum": max, "minimum": min}.get(metric.combine)
    if together is None:
        return False
    made = own.list()
    parents = tree.parent.view
    for row in range(len(made) - 1, 0, -1):
        above, value = made[parents[row]], made[row]
        if value == value:
            made[parents[row]] = _rounded(together(above, value), metric) if above == above else value
    totals = tree.totals[metric.name].view
    return made[0] == made[0] and all(one == other or one != one and other != other for one, other in zip(made, totals))


def _decimals(own: Column, metric: MetricInfo) -> int:
    """The decimals that a document keeps: of what a script derived none where all values are whole, else as many as
    let them and their sums fit into 64 bits, which is told where it is fewer than were asked for, and more where
    small values would lose their digits."""
    if not metric.is_of_node:
        return metric.decimals
    known = [abs(value) for value in own.view if math.isfinite(value)]
    largest = max(known, default=0)
    if largest > _LIMIT:
        raise _engine.Error(
            f"{metric.name}: {largest:g} does not fit into the 64 bits that documents have for a value",
            "Derive it in a larger unit.",
        )
    if own.kind != "d" or all(value == int(value) for value in known):
        return 0
    # Each may be rounded up.
    most = _LIMIT - len(known)
    total = int(math.fsum(known)) + 1
    wanted = metric.decimals
    if wanted == _USUAL_DECIMALS and largest * 10**wanted < _FEW_DIGITS:
        wanted = min(_MOST_DECIMALS, 8 - math.floor(math.log10(largest)))
    kept = next((at for at in range(wanted, 0, -1) if total * 10**at <= most), 0)
    if kept < metric.decimals:
        _pane.warn(
            f"{metric.name}: {kept} of {metric.decimals} decimals are kept, for values as large as {largest:g} leave no "
            "room for more in 64 bits; derive it in a larger unit to keep more"
        )
    return kept


def _raw_values(own: Column, metric: MetricInfo, decimals: int) -> Any:
    """Self values as whole numbers of 10^-decimals; 0 where there is no value."""
    if own.kind == "q" and not decimals:
        return own.view
    raw = array("q")
    scale = 10**decimals
    infinite = large = 0
    for value in own.view:
        if not math.isfinite(value):
            infinite += value == value
            raw.append(0)
            continue
        known = round(value * scale)
        if abs(known) > _LIMIT:
            large += 1
            known = _LIMIT if known > 0 else -_LIMIT
        raw.append(known)
    if infinite:
        _pane.warn(f"{metric.name}: {_counted(infinite)} infinite and left out, for documents have no such value")
    if large:
        _pane.warn(f"{metric.name}: {_counted(large)} cut to what 64 bits hold")
    return raw


def _counted(count: int) -> str:
    return "1 value is" if count == 1 else f"{count:,} values are"
