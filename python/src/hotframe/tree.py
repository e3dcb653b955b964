# SPDX-License-Identifier: MIT OR Apache-2.0
# Copyright (c) 2026 The Hotframe authors
"""Trees of profiles: columns with a row a node, in preorder, and nodes for who goes along them."""

from array import array
from collections import Counter
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Union

from . import _engine
from .columns import NAN, Column, Number, Table, Texts, unpacked
from .metrics import MetricInfo, Values

if TYPE_CHECKING:
    from .document import Document

# What a callback of `Tree.visit` returns to end, or to leave out what is below a node.
STOP = object()
SKIP = object()

# Nodes between two tellings of progress.
_BETWEEN_LOOKS = 1 << 14


class Places(NamedTuple):
    """What nodes stand for, by number."""

    name: Sequence[str]
    function: Sequence[str]
    file: Sequence[str]
    module: Sequence[str]
    line: Sequence[int]
    # Whether it stands for a function, or what stands for one: the whole program, modules and files do not.
    is_frame: Sequence[int]


class Tree:
    """A tree. Row 0 is the whole program; a node's descendants are the rows after it.

    `totals` and `self_values` are columns by metric; of a comparison `base` and `new` are totals by the name that
    a metric has in the profiles. `parent` and `place` are columns, too; `end` is the row after a node's
    descendants. `members` are totals by member, of the metric `members_of`.
    """

    def __init__(
        self,
        document: "Document",
        parent: Column,
        place: Column,
        places: Places,
        metrics: List[MetricInfo],
        totals: Values,
        self_values: Values,
    ) -> None:
        self.document = document
        self.parent = parent
        self.place = place
        self.places = places
        self.metrics = metrics
        self.totals = totals
        self.self_values = self_values
        self.shape = "top_down"
        self.members: Dict[str, Column] = {}
        self.members_of: Optional[MetricInfo] = None
        self.notes: Dict[int, str] = {}
        self._end: Optional[array] = None  # type: ignore[type-arg]
        self._depth: Optional[array] = None  # type: ignore[type-arg]

    @classmethod
    def of_answer(
        cls,
        document: "Document",
        spec: Mapping[str, Any],
        result: Mapping[str, Any],
        got: Mapping[str, memoryview],
        members_of: Union[str, int, None],
    ) -> "Tree":
        """What the engine answered."""
        texts = unpacked(got["text"], got["text_end"])

        def named(codes: memoryview) -> List[str]:
            return [texts[code] for code in codes]

        places = Places(
            named(got["place_name"]),
            named(got["place_function"]),
            named(got["place_file"]),
            named(got["place_module"]),
            got["place_line"].tolist(),
            got["place_is_frame"].tolist(),
        )
        nodes, metrics = result["nodes"], document.metrics[: result["metrics"]]
        totals = Values(metrics, got["total_value"], nodes)
        self_values = Values(metrics, got["self_value"], nodes)
        tree = cls(document, Column(got["parent"]), Column(got["place"]), places, metrics, totals, self_values)
        tree.shape = spec["shape"]["kind"]
        if members_of is not None:
            metric = tree.members_of = document.metric(members_of)
            names: List[str] = result["members"]
            known = Counter(names)
            for at, name in enumerate(names):
                # Members may be called the same.
                name = name if known[name] == 1 else f"{name} #{at + 1}"
                tree.members[name] = metric.column(got["member_total"][at * nodes : (at + 1) * nodes])
        return tree

    @classmethod
    def of_functions(
        cls,
        by_file: "Tree",
        functions: Sequence[Mapping[str, Any]],
        own: "array[int]",
        total: "array[int]",
    ) -> "Tree":
        """Functions below the program, of the engine's list; what it does not tell is of its flat tree, by file."""
        known, metrics = by_file.places, by_file.metrics
        function_of = dict(zip(known.name, known.function))
        names = [one["name"] for one in functions]
        top = by_file.place.view[0]
        places = Places(
            [known.name[top], *names],
            [known.function[top], *(function_of.get(name, name) for name in names)],
            [known.file[top], *(one["file"] for one in functions)],
            [known.module[top], *(one["module"] for one in functions)],
            [known.line[top], *(one["line"] for one in functions)],
            [0, *(1 for _ in functions)],
        )
        rows = len(functions) + 1
        self_values, totals = Values([], None, rows), Values([], None, rows)
        for at, metric in enumerate(metrics):
            one, other = (metric.column(memoryview(raw[at :: len(metrics)])) for raw in (own, total))
            self_values = self_values.with_column(metric.name, Column([by_file.self_values[metric.name][0], *one]))
            totals = totals.with_column(metric.name, Column([by_file.totals[metric.name][0], *other]))
        parent, place = Column(array("I", bytes(4 * rows))), Column(array("I", range(rows)))
        tree = cls(by_file.document, parent, place, places, metrics, totals, self_values)
        tree.shape, tree.members_of = by_file.shape, by_file.members_of
        if by_file.members:
            row_of = by_file._rows_of_places()
            at_file = [0, *(row_of.get((one["name"], one["file"], one["module"], one["line"])) for one in functions)]
            for name, column in by_file.members.items():
                tree.members[name] = Column([NAN if row is None else column.view[row] for row in at_file])
        return tree

    def _rows_of_places(self) -> "Dict[Any, Optional[int]]":
        """By name, file, module and line the row of a function; none where there are several."""
        found: Dict[Any, Optional[int]] = {}
        places = self.places
        for row, place in enumerate(self.place.view):
            if places.is_frame[place]:
                what = (places.name[place], places.file[place], places.module[place], places.line[place])
                found[what] = None if what in found else row
        return found

    def __len__(self) -> int:
        return len(self.parent)

    def __getitem__(self, row: int) -> "Node":
        return Node(self, range(len(self))[row])

    @property
    def root(self) -> "Node":
        """The whole program."""
        return Node(self, 0)

    @property
    def name(self) -> Texts:
        """The names of nodes."""
        return self._texts(self.places.name)

    @property
    def function(self) -> Texts:
        """The functions of nodes, whatever the granularity; empty for what is not a function."""
        return self._texts(self.places.function)

    @property
    def file(self) -> Texts:
        """The source files of nodes; empty where none is known."""
        return self._texts(self.places.file)

    @property
    def module(self) -> Texts:
        """The modules of nodes; empty where none is known."""
        return self._texts(self.places.module)

    @property
    def line(self) -> Column:
        """The lines of nodes; 0 where none is known."""
        return Column(array("I", map(self.places.line.__getitem__, self.place.view)))

    @property
    def end(self) -> Column:
        """The row after a node's descendants."""
        return Column(self._ends())

    @property
    def depth(self) -> Column:
        """How many nodes are around each."""
        return Column(self._depths())

    @property
    def base(self) -> Values:
        """Of a comparison: totals of the base, by the metric's name in the profiles."""
        return self._side("base")

    @property
    def new(self) -> Values:
        """Of a comparison: totals of the new side, by the metric's name in the profiles."""
        return self._side("new")

    def _side(self, side: str) -> Values:
        compared = self.document.compared_metrics
        if not compared:
            raise TypeError("the profile is not a comparison")
        values = Values([], None, len(self))
        for metric in compared:
            column = self.totals[self.document.metrics[metric[side]].name]
            values = values.with_column(metric["name"], column)
        return values

    def _texts(self, values: Sequence[str]) -> Texts:
        return Texts(self.place, list(values))

    def _ends(self) -> array:  # type: ignore[type-arg]
        if self._end is None:
            sizes = array("I", [1]) * len(self)
            parents = self.parent.view
            for row in range(len(self) - 1, 0, -1):
                sizes[parents[row]] += sizes[row]
            self._end = array("I", map(int.__add__, sizes, range(len(self))))
        return self._end

    def _depths(self) -> array:  # type: ignore[type-arg]
        if self._depth is None:
            depths = array("I", [0])
            for parent in self.parent.view[1:]:
                depths.append(depths[parent] + 1)
            self._depth = depths
        return self._depth

    def walk(self, order: str = "pre") -> Iterator["Node"]:
        """All nodes: `pre`, callers before callees; `post`, callees before callers; `level`, depth by depth."""
        for row in self._rows(order):
            yield Node(self, row)

    def _rows(self, order: str) -> Iterator[int]:
        if order == "pre":
            return iter(range(len(self)))
        if order == "post":
            return self._rows_after()
        if order == "level":
            depths = self._depths()
            return iter(sorted(range(len(self)), key=depths.__getitem__))
        raise ValueError(f"no order {order!r}: there are pre, post and level")

    def _rows_after(self) -> Iterator[int]:
        ends = self._ends()
        open_rows: List[int] = []
        for row in range(len(self)):
            while open_rows and ends[open_rows[-1]] <= row:
                yield open_rows.pop()
            open_rows.append(row)
        while open_rows:
            yield open_rows.pop()

    def visit(self, callback: "Callable[[Node], Any]", order: str = "pre") -> None:
        """Calls back for each node. Where it returns `hotframe.STOP` nothing follows; where it returns
        `hotframe.SKIP` in preorder what is below that node is left out."""
        ends = self._ends() if order == "pre" else None
        skipped = 0
        for count, row in enumerate(self._rows(order)):
            if row < skipped and ends is not None:
                continue
            if count % _BETWEEN_LOOKS == 0:
                _engine.told("visiting", count, len(self))
            said = callback(Node(self, row))
            if said is STOP:
                return
            if said is SKIP and ends is not None:
                skipped = ends[row]

    def derive(
        self,
        name: str,
        values: "Union[Column, Sequence[Optional[Number]], Callable[[Node], Optional[Number]]]",
        unit: str = "",
        decimals: int = 6,
    ) -> "Tree":
        """The same tree with one more metric: a column with a value a node, or a function that is called for
        each node. None and what is not a number are not a value. Such values do not add up: each is of its node
        alone. Documents keep `decimals` of them, as self values: fewer, with a warning, where large values leave no
        room for more in 64 bits, and more than the usual six where all are small."""
        if name in self.totals:
            raise ValueError(f"there is a metric {name!r} already")
        if callable(values):
            made: List[Optional[Number]] = []
            for row in range(len(self)):
                if row % _BETWEEN_LOOKS == 0:
                    _engine.told("working out " + name, row, len(self))
                made.append(values(Node(self, row)))
            column = Column(array("d", [NAN if value is None else value for value in made]))
        else:
            column = values if isinstance(values, Column) else Column([NAN if one is None else one for one in values])
            if len(column) != len(self):
                raise ValueError(f"{name}: {len(column):,} values for {len(self):,} nodes")
        told = {"name": name, "unit": unit, "decimals": decimals, "combine": "none", "signed": False}
        metric = MetricInfo(len(self.metrics), told, 0)
        metric.total = column[0]
        metric.is_of_node = True
        tree = self._like(self.metrics + [metric])
        tree.totals = self.totals.with_column(name, column)
        tree.self_values = self.self_values.with_column(name, column)
        return tree

    def _like(self, metrics: List[MetricInfo]) -> "Tree":
        tree = Tree(self.document, self.parent, self.place, self.places, metrics, self.totals, self.self_values)
        tree.shape, tree.members_of = self.shape, self.members_of
        tree.members, tree.notes = self.members, self.notes
        tree._end, tree._depth = self._end, self._depth
        return tree

    def transform(self, visit: "Callable[[Node], Any]") -> "Tree":
        """Another tree of what a function says of each node, see `hotframe.transform`."""
        from .transform import transformed

        return transformed(self, visit)

    def functions_only(self) -> "Tree":
        """The nodes that stand for functions, all right below the whole program: in a flat tree one for each file
        that a function stands in."""
        is_frame = self.places.is_frame
        rows = [row for row, place in enumerate(self.place.view) if row == 0 or is_frame[place]]
        kept = Column(array("I", rows))
        totals, own = Values([], None, len(rows)), Values([], None, len(rows))
        for metric in self.metrics:
            totals = totals.with_column(metric.name, self.totals[metric.name][kept])
            own = own.with_column(metric.name, self.self_values[metric.name][kept])
        parent = Column(array("I", bytes(4 * len(rows))))
        tree = Tree(self.document, parent, self.place[kept], self.places, self.metrics, totals, own)
        tree.shape, tree.members_of = self.shape, self.members_of
        tree.members = {name: column[kept] for name, column in self.members.items()}
        return tree

    def table(self) -> Table:
        """All columns of nodes: parent, depth, name, file, line, module, and for each metric its values."""
        columns: Dict[str, Any] = {
            "parent": self.parent,
            "depth": self.depth,
            "name": self.name,
            "file": self.file,
            "line": self.line,
            "module": self.module,
        }
        for metric in self.metrics:
            columns[f"{metric.name} (self)"] = self.self_values[metric.name]
            columns[f"{metric.name} (total)"] = self.totals[metric.name]
        return Table(columns)

    def profile(self, name: str) -> "Document":
        """A profile of this tree: its nodes are contexts, with the self values that are theirs alone."""
        from .transform import built

        return built(self, name)

    def show(self, name: Optional[str] = None) -> "Document":
        """Makes a profile of it and shows that, see `Document.show`."""
        return self.profile(name or f"{self.document.title}, changed").show()

    def _repr_mimebundle_(self, **arguments: Any) -> Any:
        return self.profile(self.document.title)._repr_mimebundle_(**arguments)

    def __repr__(self) -> str:
        return f"<tree of {self.document.title}: {len(self):,} nodes; {', '.join(self.totals)}>"


class Node:
    """A node of a tree."""

    __slots__ = ("row", "tree")

    def __init__(self, tree: Tree, row: int) -> None:
        self.tree = tree
        self.row = row

    @property
    def name(self) -> str:
        """The function, or what stands for one at the view's granularity."""
        return self.tree.places.name[self.tree.place.view[self.row]]

    @property
    def function(self) -> str:
        """The function, whatever the granularity; empty for what is not a function."""
        return self.tree.places.function[self.tree.place.view[self.row]]

    @property
    def file(self) -> str:
        """The source file; empty where none is known."""
        return self.tree.places.file[self.tree.place.view[self.row]]

    @property
    def module(self) -> str:
        """The module; empty where none is known."""
        return self.tree.places.module[self.tree.place.view[self.row]]

    @property
    def line(self) -> int:
        """The line; 0 where none is known."""
        return self.tree.places.line[self.tree.place.view[self.row]]

    @property
    def depth(self) -> int:
        """How many nodes are around it."""
        return int(self.tree._depths()[self.row])

    @property
    def parent(self) -> "Optional[Node]":
        """The node around it; none for the whole program."""
        return Node(self.tree, self.tree.parent.view[self.row]) if self.row else None

    @property
    def children(self) -> "Iterator[Node]":
        """The nodes right below it."""
        ends = self.tree._ends()
        row = self.row + 1
        while row < ends[self.row]:
            yield Node(self.tree, row)
            row = ends[row]

    @property
    def path(self) -> "List[Node]":
        """The nodes from below the whole program down to it."""
        found: List[Node] = []
        node: Optional[Node] = self
        while node is not None and node.row:
            found.append(node)
            node = node.parent
        return found[::-1]

    @property
    def note(self) -> Optional[str]:
        """What a script noted of it."""
        return self.tree.notes.get(self.row)

    def total(self, metric: str) -> Number:
        """The value of the node and of what is below it."""
        return self.tree.totals[metric].view[self.row]

    def self_value(self, metric: str) -> Number:
        """The value of the node alone."""
        return self.tree.self_values[metric].view[self.row]

    def base(self, metric: str) -> Number:
        """Of a comparison: the total of the base."""
        return self.tree.base[metric].view[self.row]

    def new(self, metric: str) -> Number:
        """Of a comparison: the total of the new side."""
        return self.tree.new[metric].view[self.row]

    @property
    def members(self) -> Dict[str, Number]:
        """Totals by member, of the metric that they were asked of."""
        return {name: column.view[self.row] for name, column in self.tree.members.items()}

    def __repr__(self) -> str:
        return f"<node {self.row}: {self.name}>"
