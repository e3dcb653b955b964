# SPDX-License-Identifier: MIT OR Apache-2.0
# Copyright (c) 2026 The Hotframe authors
"""Profiles that were opened: what is in them, their trees, and every analysis of the engine.

    import hotframe

    profile = hotframe.open("cpu.pb.gz")
    tree = profile.top_down()
    tree.totals["cpu"]            # a column, a row a node
    for node in tree.walk():
        print("  " * node.depth, node.name, node.total("cpu"))
"""

import io
import os
import warnings
from array import array
from collections import Counter
from itertools import count
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from . import _engine
from .columns import Column, Missing, Table, Texts, unpacked
from .metrics import MetricInfo, Values
from .tree import Tree

Path = Union[str, "os.PathLike[str]"]
# The shapes of trees, as the engine calls them.
SHAPES = ("top_down", "bottom_up", "all_callers", "flat")
# Nodes of a tree that are asked for unless more are.
MOST_NODES = 20_000_000
_NONE = 0xFFFFFFFF
_FUNCTIONS_AT_ONCE = 10_000


def open(*paths: Path) -> "Document":
    """Opens a profile in any format; several files become one profile, whose members they are."""
    if not paths:
        raise TypeError("open() needs a path")
    names = [os.path.abspath(os.fspath(path)) for path in paths]
    engine = _engine.engine()
    result, _ = engine.ask("open_files", {"paths": names})
    return Document(engine, result["document"])


def merge(documents: "Sequence[Document]") -> "Document":
    """One profile of several that are open, whose members they are."""
    if not documents:
        raise ValueError("no profile to merge")
    engine = documents[0].engine
    result, _ = engine.ask("merge", {"documents": [one.number for one in documents]})
    return Document(engine, result["document"])


class Document:
    """A profile that is open."""

    def __init__(self, engine: _engine.Engine, number: int) -> None:
        self.engine = engine
        self.number = number
        self.summary, columns = engine.ask("summary", {"document": number})
        totals = columns["total"]
        told: List[Mapping[str, Any]] = self.summary["metrics"]
        self.metrics = [MetricInfo(at, one, totals[at]) for at, one in enumerate(told)]
        for metric, name in zip(self.metrics, _apart([(one.name, one.unit) for one in self.metrics])):
            metric.name = name
        for compared in self.compared_metrics:
            # New less base, which add up.
            if self.metrics[compared["base"]].adds_up:
                change = self.metrics[compared["change"]]
                change.combine, change.adds_up = "sum", True

    @property
    def title(self) -> str:
        """What it is called."""
        return str(self.summary["title"])

    @property
    def warnings(self) -> List[str]:
        """What its reader repaired or skipped, and what is to be known of its numbers."""
        return [str(warning["message"]) for warning in self.summary["warnings"]]

    def metric(self, name: Union[str, int, None] = None) -> MetricInfo:
        """A metric by its name or number; the one to show first."""
        if name is None:
            return self.metrics[int(self.summary["default_metric"])]
        if isinstance(name, int):
            return self.metrics[name]
        found = [metric for metric in self.metrics if metric.name == name]
        if len(found) != 1:
            known = ", ".join(metric.name for metric in self.metrics)
            many = f"{len(found)} metrics are called" if found else "no metric is called"
            raise KeyError(f"{many} {name!r}: there are {known}")
        return found[0]

    def ask(self, method: str, **params: Any) -> Tuple[Dict[str, Any], Dict[str, memoryview]]:
        """Any method of the engine on this document: its result, and columns by name."""
        return self.engine.ask(method, {"document": self.number, **params})

    def ask_view(self, method: str, view: Mapping[str, Any], **params: Any) -> Tuple[Dict[str, Any], Dict[str, memoryview]]:
        """Any method of the engine on a view of this document, see `view`."""
        return self.engine.ask(method, {"view": dict(view), **params})

    def view(
        self,
        shape: str = "top_down",
        metric: Union[str, int, None] = None,
        granularity: str = "function",
        filters: Sequence[Tuple[str, str]] = (),
        order: str = "value",
        collapse_recursion: Union[bool, str] = "none",
    ) -> Dict[str, Any]:
        """What names a view of this document. The shape is `top_down`, `bottom_up`, `all_callers` or `flat` (with
        `-` as on the command line, too). Filters are pairs of a kind (`focus`, `ignore`, `hide`, `show`,
        `show_from`, `search`, `label_focus`, `label_ignore`, `time`, `during`, `around`) and a pattern. `collapse_recursion` is
        `none`, `direct` (as `True`) or `all`."""
        kind = shape.replace("-", "_")
        if kind not in SHAPES:
            raise ValueError(f"no shape is called {shape!r}: there are {', '.join(SHAPES)}")
        if isinstance(collapse_recursion, bool):
            collapse_recursion = "direct" if collapse_recursion else "none"
        return {
            "document": self.number,
            "metric": self.metric(metric).number,
            "shape": {"kind": kind},
            "granularity": granularity,
            "filters": [{"kind": kind, "pattern": pattern} for kind, pattern in filters],
            "order": order,
            "collapse_recursion": collapse_recursion,
        }

    def tree(self, shape: str = "top_down", members_of: Union[str, int, None] = None, most: int = MOST_NODES, **view: Any) -> Tree:
        """The tree of a view with all its nodes, see `view`. With `members_of`, a metric, nodes have its totals
        by member. A tree of more than `most` nodes is refused."""
        spec = self.view(shape, **view)
        params: Dict[str, Any] = {"view": spec, "most": most}
        if members_of is not None:
            params["members_of"] = self.metric(members_of).number
        result, columns = self.engine.ask("tree_table", params)
        return Tree.of_answer(self, spec, result, columns, members_of)

    def top_down(self, **view: Any) -> Tree:
        """Callers above callees."""
        return self.tree("top_down", **view)

    def bottom_up(self, **view: Any) -> Tree:
        """Functions with their self values first, their callers below."""
        return self.tree("bottom_up", **view)

    def flat(self, members_of: Union[str, int, None] = None, most: int = MOST_NODES, **view: Any) -> Tree:
        """Functions that have a value in the view's metric, each once, below the whole program. Where a function
        stands in several files its totals by member are none: `tree("flat")` has them by module and file."""
        by_file = self.tree("flat", members_of, most, **view)
        return Tree.of_functions(by_file, *self._functions(self.view("flat", **view), by_file.metrics))

    def _functions(
        self, spec: Mapping[str, Any], metrics: Sequence[MetricInfo]
    ) -> "Tuple[List[Mapping[str, Any]], array[int], array[int]]":
        """What the engine lists of functions, and one by one their self values and totals in all metrics."""
        by = {"name": "name", "total": "total_value"}.get(spec["order"], "self_value")
        asked = {
            "metrics": [metric.number for metric in metrics],
            "sort": {"by": by, "metric": spec["metric"], "reverse": False},
            "filter": "",
            "direction": None,
            "count": _FUNCTIONS_AT_ONCE,
        }
        found: List[Mapping[str, Any]] = []
        own, total = array("q"), array("q")
        first = 0
        while True:
            result, got = self.ask_view("functions", spec, first=first, **asked)
            for at, function in enumerate(result["rows"]):
                row = slice(at * len(metrics), (at + 1) * len(metrics))
                values = got["self_value"][row], got["total_value"][row]
                if any(metrics[spec["metric"]].value(side[spec["metric"]]) for side in values):
                    found.append(function)
                    own.extend(values[0])
                    total.extend(values[1])
            first += len(result["rows"])
            if not result["rows"] or first >= result["total_rows"]:
                return found, own, total

    def advice(self, rules: Sequence[Mapping[str, Any]] = (), most: int = 100, **view: Any) -> List[Mapping[str, Any]]:
        """What rules say of functions, the largest share of the program first: those that come with Hotframe,
        those of `hotframe-rules.toml` and of the user where the engine runs on this machine, and `rules`, each
        with the keys of such a file: a `title`, a `text`, and a `name` (regular expression) or another condition.

        Raises `hotframe.Error` for a rule that is none, and warns of rules that ask for what the profile does not
        have, such as a metric: these are left out."""
        result, _ = self.ask_view("advice", self.view("flat", **view), rules=[dict(rule) for rule in rules], limit=most)
        for sentence in result["left_out"]:
            warnings.warn(sentence, stacklevel=2)
        rows: List[Mapping[str, Any]] = result["rows"]
        return rows

    def define(self, name: str, formula: str) -> "Document":
        """The profile with a metric by a formula over others, such as `cycles / instructions`: worked out from
        the sums of each node. It belongs to the profile from then on; a name that another metric has is refused."""
        self.ask("define_metric", name=name, formula=formula)
        return Document(self.engine, self.number)

    def compare(self, base: "Document", normalise: str = "absolute", noise: float = 0.0) -> "Document":
        """The comparison of a base with this profile. With `normalise="total"` both sides get the total of the
        base. Differences up to a share `noise` of the larger value are none."""
        params = {
            "base": [base.number],
            "new": [self.number],
            "by_age": False,
            "normalise": {"kind": normalise},
            "noise": noise,
        }
        result, _ = self.engine.ask("compare", params)
        return Document(self.engine, result["document"])

    def close(self) -> None:
        """Closes it: the engine frees what it holds."""
        self.engine.ask("close", {"document": self.number})

    @property
    def compared_metrics(self) -> List[Mapping[str, Any]]:
        """Of a comparison: the metrics that are compared, with the numbers of their columns."""
        comparison = self.summary.get("comparison")
        compared: List[Mapping[str, Any]] = comparison["metrics"] if comparison else []
        names = _apart([(one["name"], self.metrics[one["base"]].unit) for one in compared])
        return [{**one, "name": name} for one, name in zip(compared, names)]

    def tables(self) -> Dict[str, Table]:
        """The profile's own tables, no filter applied: `contexts`, `frames`, `functions`, `points`, `labels`."""
        result, got = self.engine.ask("profile_tables", {"document": self.number})
        texts = unpacked(got["text"], got["text_end"])
        return _tables(self, result, got, texts)

    def list(
        self,
        name: str,
        filter: str = "",
        sort: Optional[str] = None,
        reverse: bool = False,
        most: int = _NONE,
        span: Optional[int] = None,
        **view: Any,
    ) -> Table:
        """A list of a profile with times, with the columns of `hotframe show --format csv`: `spans`, `longest_spans`,
        `gaps`, `concurrency`, `thread_states`, `critical_path`, `marks`, `tracks`, and of a comparison `span_changes`.

        `filter` is a regular expression that a row must match. `sort` is the key of a column: an error lists those that
        there are. `span` chooses the span of a critical path. `view` takes filters, see `view`. What you need to know to
        read the rows is in `notes` of the table."""
        result, _ = self.ask_view(
            "list",
            self.view(**view),
            list=name.replace("-", "_"),
            span=span,
            filter=filter,
            sort=sort,
            reverse=reverse,
            limit=most,
            reader="programs",
        )
        columns = {}
        for column in result["columns"]:
            key = f"{column['group']}.{column['key']}" if column["group"] else column["key"]
            columns[key] = _cells(**column["cells"])
        return Table(columns, result["notes"], result["total"] - len(result["ids"]))

    def bytes(self) -> bytes:
        """As a file of Hotframe's own format."""
        _, columns = self.engine.ask("write_profile", {"document": self.number})
        return bytes(columns["bytes"])

    def save(self, path: Path) -> None:
        """Writes a file of Hotframe's own format."""
        data = self.bytes()
        with io.open(path, "wb") as file:
            file.write(data)

    def show(self, name: Optional[str] = None) -> "Document":
        """Shows it to whoever runs the script: as a document beside the others in a page, as the result of
        `hotframe run`, as the flame graph of a notebook's cell."""
        from . import _pane

        if name is not None and not isinstance(name, str):
            raise TypeError(f"show: the name must be a text, not {name!r}")
        _pane.show(self, name or self.title)
        return self

    def svg(self, width: float = 1200, **view: Any) -> str:
        """The flame graph of a view as a picture."""
        from .widget import svg

        return svg(self, width, self.view(**view))

    def _repr_mimebundle_(self, **_: Any) -> Any:
        from .widget import mimebundle

        return mimebundle(self)

    def __repr__(self) -> str:
        metrics = ", ".join(metric.name for metric in self.metrics)
        return f"<profile {self.title}: {self.summary['contexts']:,.0f} contexts; {metrics}>"


def _cells(kind: str, values: Sequence[Any]) -> Any:
    """The cells of a list."""
    if kind == "flag":
        return Column(bytes(values))
    if kind != "text":
        return Missing(list(values)) if None in values else Column(values)
    texts = list(dict.fromkeys(value or "" for value in values))
    codes = {text: code for code, text in enumerate(texts)}
    return Texts(Column(array("I", [codes[value or ""] for value in values])), texts)


def _apart(named: Sequence[Tuple[str, str]]) -> List[str]:
    """Names that tell apart what is called the same, as formulas have them: with the unit, `cpu (ns)`, and where
    that is not enough with a number, `cpu (ns) 2`."""
    known = Counter(name for name, _ in named)
    apart: Dict[str, None] = {}
    for name, unit in named:
        plain = f"{name} ({unit})" if known[name] > 1 and unit else name
        numbered = (plain if number == 1 else f"{plain} {number}" for number in count(1))
        apart[next(one for one in numbered if one not in apart)] = None
    return list(apart)


def _tables(
    document: Document, result: Mapping[str, Any], got: Mapping[str, memoryview], texts: List[str]
) -> Dict[str, Table]:
    points, metrics = result["points"], document.metrics[: result["metrics"]]
    values = Values(metrics, got["point_value"], points)

    def named(codes: memoryview) -> Texts:
        if _NONE not in codes:
            return Texts(Column(codes), texts)
        known = [*texts, ""]
        return Texts(Column(array("I", [min(code, len(texts)) for code in codes])), known)

    of_points: Dict[str, Any] = {"context": Column(got["point_context"])}
    of_points.update({metric.name: values[metric.name] for metric in metrics})
    for name, column in (("time", "point_time"), ("member", "point_member")):
        if len(got[column]) == points and points:
            of_points[name] = Column(got[column])
    if len(got["point_thread"]) == points and points:
        of_points["thread"] = named(got["point_thread"])
    of_points["labels"] = Column(got["point_labels"])
    starts = [0, *got["labels_end"][:-1]]
    sets = array("I", [at for at, (a, b) in enumerate(zip(starts, got["labels_end"])) for _ in range(a, b)])
    owners = array("I")
    firsts = [*got["location_frame"], len(got["frame_function"])]
    for location, (first, end) in enumerate(zip(firsts, firsts[1:])):
        owners.extend([location] * (end - first))
    return {
        "contexts": Table({"parent": Column(got["context_parent"]), "location": Column(got["context_location"])}),
        "locations": Table(
            {
                "module": named(got["location_module"]),
                "address": Column(got["location_address"]),
                "first_frame": Column(got["location_frame"]),
            }
        ),
        "frames": Table(
            {
                "location": Column(owners),
                "function": Column(got["frame_function"]),
                "line": Column(got["frame_line"]),
            }
        ),
        "functions": Table(
            {
                "name": named(got["function_name"]),
                "file": named(got["function_file"]),
                "line": Column(got["function_line"]),
            }
        ),
        "points": Table(of_points),
        "labels": Table({"set": Column(sets), "key": named(got["label_key"]), "value": named(got["label_value"])}),
    }
