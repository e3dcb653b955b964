"""Writes Hotframe's exchange file: profiles that `hotframe open` shows.

    import hotframe

    with hotframe.Profile("run.hotframe", producer="my profiler 1.0") as profile:
        time = profile.metric("time", "nanoseconds")
        main = profile.context(None, profile.frame("main", "main.py", 3))
        load = profile.context(main, profile.frame("load", "load.py", 12))
        profile.point(load, {time: 1200})

Rows are written block by block: what is held in memory are the tables that name things, never the
points. The format is schema/profile.proto; this file needs nothing but the standard library.
"""

from __future__ import annotations

import enum
from typing import BinaryIO, Iterable, Mapping, Optional, Sequence, Tuple, Union

__all__ = ["Kind", "Profile"]
__version__ = "1.0.0"

MAGIC = "hotframe profile"
VERSION = 1

#: Points in one block.
BLOCK_POINTS = 4096


class Kind(enum.IntEnum):
    """What a frame is."""

    #: Code of a function.
    CODE = 0
    #: A loop of the function around it.
    LOOP = 1
    #: A data object: a variable, or the memory that its parent context allocated.
    DATA = 2
    #: A region that somebody named: a phase, an annotation, an event.
    REGION = 3


class Profile:
    """A profile under construction. Close it, or use it in a `with` statement.

    Every method that adds something gives the number of its row, and the same number for the same
    arguments.
    """

    def __init__(
        self,
        target: Union[str, BinaryIO],
        producer: str = "",
        time_ns: int = 0,
        duration_ns: int = 0,
        comments: Sequence[str] = (),
    ):
        """`target` is a path or a binary file; `time_ns` counts from 1970."""
        self._file = open(target, "wb") if isinstance(target, str) else target
        self._owns_file = isinstance(target, str)
        self._origin = (producer, time_ns, duration_ns, list(comments))
        self._head_written = False
        self._rows: dict = {"strings": {"": 0}}
        # Rows that are not written yet, as lists of cells.
        self._new: dict = {name: [] for name in _TABLES}
        self._metrics = 0
        self._points = _Points()

    # What points measure.

    def metric(self, name: str, unit: str, decimals: int = 0) -> int:
        """A metric. Values count 10^-decimals of the unit. All must come before the first point."""
        if self._head_written and ("metric", name, unit, decimals) not in self._rows:
            raise ValueError(f"the metric {name!r} comes after the first points were written")
        row, is_new = self._row("metric", (name, unit, decimals))
        if is_new:
            self._new["metric"].append((name, unit, decimals))
            self._metrics += 1
        return row

    # Where it was measured.

    def module(self, path: str, build_id: str = "") -> int:
        """A binary or library."""
        cells = (self._string(path), self._string(build_id))
        return self._add("module", cells, cells)

    def frame(
        self,
        function: str,
        file: str = "",
        line: int = 0,
        column: int = 0,
        start_line: int = 0,
        module: Optional[int] = None,
        address: int = 0,
        kind: Kind = Kind.CODE,
        inlined: Sequence[Tuple[str, str, int]] = (),
    ) -> int:
        """A place in code; what is unknown is empty or 0.

        `inlined` are functions that the compiler put there, the outermost first, each as
        `(function, file, line)`.
        """
        frames = [(self.function(function, file, start_line), line, column)]
        frames += [(self.function(name, path), at, 0) for name, path, at in inlined]
        module_plus_1 = 0 if module is None else module + 1
        cells = (int(kind), module_plus_1, address, tuple(frames))
        return self._add("location", cells, cells)

    def function(self, name: str, file: str = "", start_line: int = 0) -> int:
        """A function; `frame` adds it by itself."""
        cells = (self._string(name), self._string(file), start_line)
        return self._add("function", cells, cells)

    def context(self, parent: Optional[int], frame: int) -> int:
        """A frame called from the context `parent`; without parent the start of a stack."""
        row, is_new = self._row("context", (parent or 0, frame), first=1)
        if is_new:
            self._new["context"].append((row - (parent or 0), frame))
        return row

    def stack(self, frames: Iterable[int]) -> int:
        """The context of a stack of frames, the outermost first."""
        context: Optional[int] = None
        for frame in frames:
            context = self.context(context, frame)
        return context or 0

    def process(self, id: Union[int, str], name: str = "") -> int:
        """A process, or a rank of a parallel programme."""
        cells = (self._string(str(id)), self._string(name))
        return self._add("process", cells, cells)

    def thread(self, id: Union[int, str], name: str = "", process: Optional[int] = None) -> int:
        """A thread."""
        process_plus_1 = 0 if process is None else process + 1
        cells = (process_plus_1, self._string(str(id)), self._string(name))
        return self._add("thread", cells, cells)

    def member(self, name: str, time_ns: int = 0, duration_ns: int = 0) -> int:
        """One of several profiles in the file: a snapshot, a run."""
        cells = (name, time_ns, duration_ns)
        return self._add("member", cells, cells)

    # The measured records.

    def point(
        self,
        context: int,
        values: Mapping[int, int],
        labels: Mapping[str, Union[str, int, Tuple[int, str]]] = {},
        time_ns: Optional[int] = None,
        thread: Optional[int] = None,
        cpu: Optional[int] = None,
        member: int = 0,
        links: Sequence[Tuple[str, int]] = (),
    ) -> None:
        """A monitoring point: values by metric, measured in a context.

        Labels are texts, numbers, or numbers with a unit. `time_ns` counts from the start of the
        profile. `links` are other contexts that the point relates, each with its role, such as
        `("use", context)`; its own context must be among them.
        """
        if links and all(linked != context for _, linked in links):
            raise ValueError("a point's own context must be among its links")
        unknown = [metric for metric in values if not 0 <= metric < self._metrics]
        if unknown:
            raise ValueError(f"metric {unknown[0]} is not defined")
        roles = [(self._role(role), linked) for role, linked in links]
        self._points.add(
            context,
            [values.get(metric, 0) for metric in range(self._metrics)],
            self._labels(labels),
            time_ns,
            0 if thread is None else thread + 1,
            0 if cpu is None else cpu + 1,
            member,
            roles,
        )
        if len(self._points.context) >= BLOCK_POINTS:
            self.flush()

    def flush(self) -> None:
        """Writes what is known so far. A file that ends here is a sound profile."""
        if not self._head_written:
            self._file.write(_text(1, MAGIC) + _integer(2, VERSION))
        block = self._block()
        if block:
            self._file.write(_bytes(3, block))
        self._head_written = True

    def close(self) -> None:
        """Writes the rest."""
        self.flush()
        if self._owns_file:
            self._file.close()

    def __enter__(self) -> "Profile":
        return self

    def __exit__(self, kind, *_) -> None:
        # What was measured before an error is still worth looking at.
        self.close()

    # Tables.

    def _row(self, table: str, key, first: int = 0) -> Tuple[int, bool]:
        rows = self._rows.setdefault(table, {})
        known = rows.get(key)
        if known is not None:
            return known, False
        rows[key] = row = len(rows) + first
        return row, True

    def _add(self, table: str, key, cells) -> int:
        row, is_new = self._row(table, key)
        if is_new:
            self._new[table].append(cells)
        return row

    def _string(self, text: str) -> int:
        row, is_new = self._row("strings", text)
        if is_new:
            self._new["string"].append(text)
        return row

    def _role(self, name: str) -> int:
        return self._add("role", name, self._string(name))

    def _labels(self, labels) -> int:
        if not labels:
            return 0
        cells = []
        for key, value in labels.items():
            if isinstance(value, str):
                cells.append((self._string(key), 0, self._string(value)))
            else:
                number, unit = value if isinstance(value, tuple) else (value, "")
                cells.append((self._string(key), self._string(unit) + 1, number))
        row, is_new = self._row("label_set", tuple(cells), first=1)
        if is_new:
            self._new["label_set"].append(cells)
        return row

    def _block(self) -> bytes:
        new, self._new = self._new, {name: [] for name in _TABLES}
        out = b"".join(_bytes(1, text.encode()) for text in new["string"])
        if not self._head_written:
            out += _bytes(2, self._origin_message())
        for name, unit, decimals in new["metric"]:
            out += _bytes(3, _text(1, name) + _text(2, unit) + _integer(3, decimals))
        for name, build_id in new["module"]:
            out += _bytes(4, _integer(1, name) + _integer(2, build_id))
        if new["function"]:
            names, files, lines = zip(*new["function"])
            message = _integer(1, len(names)) + _column(2, names) + _column(4, files)
            out += _bytes(5, message + _column(5, lines))
        if new["location"]:
            out += _bytes(6, _locations(new["location"]))
        if new["context"]:
            distances, frames = zip(*new["context"])
            message = _integer(1, len(frames)) + _column(2, distances) + _column(3, frames)
            out += _bytes(7, message)
        if new["label_set"]:
            labels = [label for cells in new["label_set"] for label in cells]
            message = _integer(1, len(new["label_set"]))
            message += _column(2, [len(cells) for cells in new["label_set"]])
            message += _column(3, [key for key, _, _ in labels])
            message += _column(4, [unit for _, unit, _ in labels])
            out += _bytes(8, message + _column(5, [_zigzag(value) for _, _, value in labels]))
        for id, name in new["process"]:
            out += _bytes(9, _integer(1, id) + _integer(2, name))
        for process, id, name in new["thread"]:
            out += _bytes(10, _integer(1, process) + _integer(2, id) + _integer(3, name))
        for name, time_ns, duration_ns in new["member"]:
            message = _text(1, name) + _integer(4, _zigzag(time_ns))
            out += _bytes(11, message + _integer(5, _zigzag(duration_ns)))
        if new["role"]:
            out += _packed(12, new["role"])
        if self._points.context:
            out += _bytes(13, self._points.message(self._metrics))
            self._points = _Points()
        return out

    def _origin_message(self) -> bytes:
        producer, time_ns, duration_ns, comments = self._origin
        out = _text(2, producer)
        out += _integer(5, _zigzag(time_ns)) + _integer(6, _zigzag(duration_ns))
        return out + b"".join(_text(13, comment) for comment in comments)


#: Tables whose rows are written once they are new.
_TABLES = (
    "string metric module function location context label_set process thread member role".split()
)


class _Points:
    """The points of a block, as columns."""

    def __init__(self):
        self.context, self.values, self.labels, self.times = [], [], [], []
        self.threads, self.cpus, self.members, self.links = [], [], [], []

    def add(self, context, values, labels, time_ns, thread, cpu, member, links):
        self.context.append(context)
        self.values.append(values)
        self.labels.append(labels)
        self.times.append(time_ns)
        self.threads.append(thread)
        self.cpus.append(cpu)
        self.members.append(member)
        self.links.append(links)

    def message(self, metrics: int) -> bytes:
        out = _integer(1, len(self.context)) + _column(2, _deltas(self.context))
        for metric in range(metrics):
            values = [_zigzag(row[metric]) for row in self.values]
            out += _bytes(3, _column(1, values))
        out += _column(4, self.labels)
        times = [time for time in self.times if time is not None]
        if times:
            out += _packed(5, _deltas(times))
            if len(times) < len(self.times):
                out += _packed(6, [int(time is not None) for time in self.times])
        out += _column(7, self.threads) + _column(8, self.cpus) + _column(9, self.members)
        out += _column(10, [len(links) for links in self.links])
        links = [link for links in self.links for link in links]
        return out + _column(11, [role for role, _ in links]) + _column(12, [at for _, at in links])


def _locations(rows) -> bytes:
    kinds, modules, addresses, frames = zip(*rows)
    out = _integer(1, len(rows)) + _column(2, kinds) + _column(3, modules)
    if any(addresses):
        out += _column(4, _deltas(addresses))
    counts = [len(own) for own in frames]
    if any(count != 1 for count in counts):
        out += _packed(6, counts)
    every = [frame for own in frames for frame in own]
    out += _column(7, [function + 1 for function, _, _ in every])
    out += _column(8, [line for _, line, _ in every])
    return out + _column(9, [column for _, _, column in every])


# Protobuf's wire format.


def _varint(value: int) -> bytes:
    value &= 0xFFFFFFFFFFFFFFFF
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _zigzag(value: int) -> int:
    if not -(2**63) <= value < 2**63:
        raise OverflowError(f"{value} does not fit 64 bits")
    return value << 1 if value >= 0 else (-value << 1) - 1


def _deltas(values: Iterable[int]) -> list:
    out, before = [], 0
    for value in values:
        out.append(_zigzag(value - before))
        before = value
    return out


def _integer(field: int, value: int) -> bytes:
    """An integer field; 0 is left out."""
    return _varint(field << 3) + _varint(value) if value else b""


def _bytes(field: int, value: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(value)) + value


def _text(field: int, value: str) -> bytes:
    """A text field; the empty text is left out."""
    return _bytes(field, value.encode()) if value else b""


def _packed(field: int, values: Iterable[int]) -> bytes:
    return _bytes(field, b"".join(map(_varint, values)))


def _column(field: int, values: Sequence[int]) -> bytes:
    """A column; left out if every cell is 0."""
    return _packed(field, values) if any(values) else b""
