# SPDX-License-Identifier: MIT OR Apache-2.0
# Copyright (c) 2026 The Hotframe authors
"""Writes Hotframe's exchange file: profiles that `hotframe open` shows.

    import hotframe

    with hotframe.Profile("run.hotframe", producer="my profiler 1.0") as profile:
        time = profile.metric("time", "nanoseconds")
        main = profile.context(None, profile.frame("main", "main.py", 3))
        load = profile.context(main, profile.frame("load", "load.py", 12))
        profile.point(load, {time: 1200})

Rows are written block by block: what is held in memory are the tables that name things, never the
points. Labels are kept until they are many, then they are forgotten and written again where they
return. The format is schema/profile.proto; this file needs nothing but the standard library.

A call that is wrong raises TypeError or ValueError and changes nothing. A profile may be used by
several threads. Texts are UTF-8: a lone surrogate, as in names of files that are not UTF-8, becomes
U+FFFD.
"""

from __future__ import annotations

import enum
import io
import operator
import os
import threading
from types import TracebackType
from typing import (
    Any,
    BinaryIO,
    Dict,
    Hashable,
    Iterable,
    List,
    Mapping,
    Optional,
    Sequence,
    SupportsIndex,
    Tuple,
    Type,
    TypeVar,
    Union,
)

__all__ = [
    "Combine",
    "Context",
    "Frame",
    "Kind",
    "Member",
    "Metric",
    "Module",
    "Process",
    "Profile",
    "Thread",
]
__version__ = "1.0.0"

MAGIC = "hotframe profile"
VERSION = 1

#: Points in one block.
BLOCK_POINTS = 4096
#: Label sets and texts of labels that are remembered beyond a block.
MOST_LABELS = 65536
MOST_DECIMALS = 18
#: How a link of a note begins: others lead nowhere, or run something.
LINKS = ("https://", "http://", "file://")


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
    #: A basic block of the function around it: instructions that run one after the other.
    BLOCK = 4


class Combine(enum.IntEnum):
    """What several values together say."""

    SUM = 0
    MAXIMUM = 1
    MINIMUM = 2
    #: The last in time; of points without time the last in the file.
    LAST = 3
    MEAN = 4
    #: There is no such figure.
    NONE = 5


class _Row:
    """The number of a row, of a type for each table."""

    __slots__ = ("number",)

    def __init__(self, number: int) -> None:
        self.number = number

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.number == self.number

    def __hash__(self) -> int:
        return self.number

    def __repr__(self) -> str:
        return f"hotframe.{type(self).__name__}({self.number})"


class Metric(_Row):
    """The row of a metric."""

    __slots__ = ()


class Module(_Row):
    """The row of a module."""

    __slots__ = ()


class Frame(_Row):
    """The row of a frame."""

    __slots__ = ()


class Context(_Row):
    """The row of a context."""

    __slots__ = ()


class Process(_Row):
    """The row of a process."""

    __slots__ = ()


class Thread(_Row):
    """The row of a thread."""

    __slots__ = ()


class Member(_Row):
    """The row of a member."""

    __slots__ = ()


_R = TypeVar("_R", bound=_Row)
Label = Union[str, SupportsIndex, Tuple[SupportsIndex, str]]
#: `(function, file, line)`, and where they are known column, first line and the linker's name.
Inlined = Union[
    Tuple[str, str, SupportsIndex],
    Tuple[str, str, SupportsIndex, SupportsIndex],
    Tuple[str, str, SupportsIndex, SupportsIndex, SupportsIndex],
    Tuple[str, str, SupportsIndex, SupportsIndex, SupportsIndex, str],
]


class Profile:
    """A profile under construction. Close it, or use it in a `with` statement.

    Every method that adds something gives its row, and the same row for the same arguments.
    """

    def __init__(
        self,
        target: Union[str, os.PathLike[str], BinaryIO],
        producer: str = "",
        time_ns: SupportsIndex = 0,
        duration_ns: SupportsIndex = 0,
        comments: Sequence[str] = (),
        *,
        clock_ns: SupportsIndex = 0,
        period: SupportsIndex = 0,
        period_type: str = "",
        period_unit: str = "",
    ) -> None:
        """`target` is a path or a binary file.

        `producer`: what measured it, with version. `time_ns`: start, in nanoseconds since 1970; 0
        if unknown. `duration_ns`: length in nanoseconds; 0 if unknown; see `duration`. `clock_ns`:
        what the producer's own clock showed at time 0 of the points, in nanoseconds. `period`:
        events between two samples, and what they count.
        """
        if isinstance(comments, str):
            raise TypeError("comments are a sequence of texts")
        origin = _text(2, _utf8(producer))
        for field, number in ((5, time_ns), (6, duration_ns), (7, clock_ns), (8, period)):
            origin += _integer(field, _zigzag(_signed(number)))
        origin += _text(9, _utf8(period_type)) + _text(10, _utf8(period_unit))
        origin += b"".join(_text(13, _utf8(comment)) for comment in comments)
        if isinstance(target, io.TextIOBase):
            raise TypeError("the file is open for text: open it with 'wb'")
        self._owns_file = isinstance(target, (str, os.PathLike))
        self._file: BinaryIO
        if isinstance(target, (str, os.PathLike)):
            self._file = open(target, "wb")
        elif hasattr(target, "write"):
            self._file = target
        else:
            raise TypeError(f"a profile is written to a path or a binary file, not to {target!r}")
        self._origin = origin
        self._head_written = self._has_points = self._is_closed = False
        self._broken: Optional[BaseException] = None
        self._lock = threading.RLock()
        self._rows: Dict[str, Dict[Hashable, int]] = {name: {} for name in _TABLES}
        self._rows["label_string"] = {}
        #: The function of each frame; None where it has no name.
        self._functions: List[Optional[int]] = []
        #: String 0, context 0 and label set 0 always exist.
        self._counts = {name: int(name in ("string", "context", "label_set")) for name in _TABLES}
        #: Rows that are not written yet, as lists of cells.
        self._new: Dict[str, List[Any]] = {name: [] for name in _TABLES}
        self._points = _Points()

    # What points measure.

    def metric(
        self,
        name: str,
        unit: str,
        decimals: SupportsIndex = 0,
        *,
        over_contexts: Combine = Combine.SUM,
        over_time: Combine = Combine.SUM,
        over_members: Combine = Combine.SUM,
        weight: Optional[Metric] = None,
    ) -> Metric:
        """A metric. Values count 10^-decimals of the unit. All must come before the first point.

        How it combines: over the contexts below one, or several contexts shown as one; over the
        times of one context; over several members. `weight` is the metric that weights a mean.
        """
        with self._lock:
            self._check_open()
            ways = [int(Combine(way)) for way in (over_contexts, over_time, over_members)]
            weight_plus_1 = self._plus_1(weight, Metric, "metric")
            places = _number(decimals, MOST_DECIMALS, "decimals")
            cells = (_utf8(name), _utf8(unit), places, *ways, weight_plus_1)
            if not name:
                raise ValueError("a metric needs a name")
            if self._has_points and cells not in self._rows["metric"]:
                raise ValueError(f"the metric {name!r} comes after the first point")
            return Metric(self._add("metric", cells, cells))

    def default_metric(self, metric: Metric) -> None:
        """The metric to show first."""
        with self._lock:
            self._check_open()
            number = self._row(metric, Metric, "metric")
            self._origin += _varint(3 << 3) + _varint(number) + _varint(4 << 3) + _varint(1)

    # Where it was measured.

    def module(
        self,
        path: str,
        build_id: str = "",
        *,
        memory_start: SupportsIndex = 0,
        memory_limit: SupportsIndex = 0,
        file_offset: SupportsIndex = 0,
    ) -> Module:
        """A binary or library; its mapping: first address, first address after it, offset in the
        file."""
        with self._lock:
            self._check_open()
            mapping = [_unsigned(at) for at in (memory_start, memory_limit, file_offset)]
            if mapping[1] < mapping[0]:
                raise ValueError("the mapping of a module ends before it starts")
            texts = [_utf8(path), _utf8(build_id)]
            cells = (*map(self._string, texts), *mapping)
            return Module(self._add("module", cells, cells))

    def frame(
        self,
        function: str,
        file: str = "",
        line: SupportsIndex = 0,
        column: SupportsIndex = 0,
        start_line: SupportsIndex = 0,
        module: Optional[Module] = None,
        address: SupportsIndex = 0,
        kind: Kind = Kind.CODE,
        inlined: Sequence[Inlined] = (),
        *,
        system_name: str = "",
        instruction: str = "",
    ) -> Frame:
        """A place in code; what is unknown is empty or 0. `system_name` is the linker's name,
        `instruction` the instruction at the address, as a disassembler writes it.

        `inlined` are functions that the compiler put there, the outermost first, each as
        `(function, file, line)`, or longer with column, first line and the linker's name.
        """
        with self._lock:
            self._check_open()
            places = [_place(function, file, line, column, start_line, system_name)]
            places += [_place(*one) for one in inlined]
            text = _utf8(instruction)
            numbers = (int(Kind(kind)), self._plus_1(module, Module, "module"), _unsigned(address))
            cells = (*numbers, self._string(text))
            frames = tuple((self._function(*own), at, column) for own, at, column in places)
            row = self._add("location", (cells, frames), (*cells, frames))
            if row == len(self._functions):
                name, system, *_ = places[0][0]
                self._functions.append(frames[0][0] if name or system else None)
            return Frame(row)

    def context(self, parent: Optional[Context], frame: Frame) -> Context:
        """A frame called from the context `parent`; without parent the start of a stack."""
        with self._lock:
            self._check_open()
            above = 0 if parent is None else self._row(parent, Context, "context")
            at = self._row(frame, Frame, "location")
            known = self._rows["context"].get((above, at))
            if known is None:
                distance = self._counts["context"] - above
                known = self._add("context", (above, at), (distance, at))
            return Context(known)

    def stack(self, frames: Iterable[Frame]) -> Context:
        """The context of a stack of frames, the outermost first."""
        context: Optional[Context] = None
        for frame in frames:
            context = self.context(context, frame)
        return context or Context(0)

    def process(self, id: Union[int, str], name: str = "") -> Process:
        """A process, or a rank of a parallel program."""
        with self._lock:
            self._check_open()
            texts = [_utf8(_identifier(id)), _utf8(name)]
            cells = tuple(map(self._string, texts))
            return Process(self._add("process", cells, cells))

    def thread(self, id: Union[int, str], name: str = "", process: Optional[Process] = None) -> Thread:
        """A thread."""
        with self._lock:
            self._check_open()
            process_plus_1 = self._plus_1(process, Process, "process")
            texts = [_utf8(_identifier(id)), _utf8(name)]
            cells = (process_plus_1, *map(self._string, texts))
            return Thread(self._add("thread", cells, cells))

    def member(
        self,
        name: str,
        time_ns: SupportsIndex = 0,
        duration_ns: SupportsIndex = 0,
        *,
        producer: str = "",
        host: str = "",
    ) -> Member:
        """One of several profiles in the file: a snapshot, a run.

        `time_ns`: start, in nanoseconds since 1970; 0 if unknown. `duration_ns`: length in
        nanoseconds; 0 if unknown.
        """
        with self._lock:
            self._check_open()
            texts = (_utf8(name), _utf8(producer), _utf8(host))
            cells = (*texts, _zigzag(_signed(time_ns)), _zigzag(_signed(duration_ns)))
            return Member(self._add("member", cells, cells))

    def duration(self, duration_ns: SupportsIndex) -> None:
        """The profile's length in nanoseconds, once it is known."""
        with self._lock:
            self._check_open()
            self._origin += _varint(6 << 3) + _varint(_zigzag(_signed(duration_ns)))

    # The measured records.

    def point(
        self,
        context: Context,
        values: Mapping[Metric, SupportsIndex],
        labels: Mapping[str, Label] = {},
        time_ns: Optional[SupportsIndex] = None,
        thread: Optional[Thread] = None,
        cpu: Optional[SupportsIndex] = None,
        member: Optional[Member] = None,
        links: Sequence[Tuple[str, Context]] = (),
    ) -> None:
        """A monitoring point: values by metric, measured in a context; one without a value is 0.

        Labels are texts, numbers, or numbers with a unit. `time_ns`: nanoseconds after the start of
        the member, or of the profile. `links` are the contexts that the point relates, each with
        its role, such as `("use", context)`; its own context must be among them.
        """
        with self._lock:
            self._check_open()
            at = self._row(context, Context, "context")
            own_values = [0] * self._counts["metric"]
            for metric, value in values.items():
                own_values[self._row(metric, Metric, "metric")] = _zigzag(_signed(value))
            own_labels = [_label(key, label) for key, label in labels.items()]
            time = None if time_ns is None else _signed(time_ns)
            thread_plus_1 = self._plus_1(thread, Thread, "thread")
            cpu_plus_1 = 0 if cpu is None else _number(cpu, 2**32 - 2, "cpu") + 1
            own_member = 0 if member is None else self._row(member, Member, "member")
            related = [(_utf8(role), self._row(one, Context, "context")) for role, one in links]
            if related and all(linked != at for _, linked in related):
                raise ValueError("a point's own context must be among its links")
            roles = [(self._role(role), linked) for role, linked in related]
            label_set = self._label_set(own_labels)
            self._points.add(
                at, own_values, label_set, time, thread_plus_1, cpu_plus_1, own_member, roles
            )
            self._has_points = True
            if len(self._points.context) >= BLOCK_POINTS:
                self._write_block()

    # What is said of it.

    def note(
        self,
        title: str,
        text: str = "",
        *,
        link: str = "",
        context: Optional[Context] = None,
        frame: Optional[Frame] = None,
        file: str = "",
        line: SupportsIndex = 0,
    ) -> None:
        """What is to be said of a place: a few words, and more of it, both plain.

        It is about one of these: a context; the function of a frame, wherever it is called; a line
        of a source file, from 1. If none is given, it is about the whole program. `link` is where
        more is said: it begins with https://, http:// or file://.
        """
        with self._lock:
            self._check_open()
            texts = [_utf8(title), _utf8(text), _utf8(link)]
            at = 0 if context is None else self._row(context, Context, "context")
            called = None if frame is None else self._functions[self._row(frame, Frame, "location")]
            source, own_line = _utf8(file), _number(line, 2**32 - 1, "a line")
            if not title:
                raise ValueError("a note needs a title")
            if link and not link.startswith(LINKS):
                raise ValueError(f"{link!r} is not a link: it begins with {', '.join(LINKS)}")
            if frame is not None and called is None:
                raise ValueError(f"{frame!r} has no function that a note could be about")
            if (source != b"") != (own_line > 0):
                raise ValueError("a note is about a line of a file: it needs both")
            if (at > 0) + (called is not None) + (own_line > 0) > 1:
                raise ValueError("a note is about one place")
            about = (0, at) if called is None else (1, called)
            if own_line:
                about = (2, self._string(source))
            cells = (*about, own_line, *map(self._string, texts))
            self._add("note", cells, cells)

    # The file.

    def flush(self) -> None:
        """Writes what is known so far. A file that ends here is a sound profile."""
        with self._lock:
            self._check_open()
            self._write_block()

    def close(self) -> None:
        """Writes the rest. Later calls are refused, but for `close`."""
        with self._lock:
            if self._is_closed:
                return
            self._is_closed = True
            try:
                if self._broken is not None:
                    raise self._broken
                self._write_block()
            finally:
                if self._owns_file:
                    self._file.close()

    def __enter__(self) -> "Profile":
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        # What was measured before an error is still worth looking at.
        self.close()

    # Tables.

    def _check_open(self) -> None:
        if self._is_closed:
            raise ValueError("the profile is closed")
        if self._broken is not None:
            raise self._broken

    def _row(self, row: _R, kind: Type[_R], table: str) -> int:
        if type(row) is not kind:
            raise TypeError(f"a {kind.__name__} of this profile is wanted, not {row!r}")
        if not 0 <= row.number < self._counts[table]:
            raise ValueError(f"{row!r} does not exist: there are {self._counts[table]}")
        return row.number

    def _plus_1(self, row: Optional[_R], kind: Type[_R], table: str) -> int:
        return 0 if row is None else self._row(row, kind, table) + 1

    def _add(self, table: str, key: Hashable, cells: Any) -> int:
        known = self._rows[table].get(key)
        if known is None:
            known = self._rows[table][key] = self._counts[table]
            self._counts[table] += 1
            self._new[table].append(cells)
        return known

    def _string(self, text: bytes, is_label: bool = False) -> int:
        """The row of a text. Texts of labels are kept apart, so that they can be forgotten."""
        if not text:
            return 0
        row = self._rows["string"].get(text)
        if row is not None:
            return row
        row = self._rows["label_string"].get(text)
        if row is None:
            row = self._counts["string"]
            self._counts["string"] += 1
            self._new["string"].append(text)
        self._rows["label_string" if is_label else "string"][text] = row
        return row

    def _function(self, name: bytes, system_name: bytes, file: bytes, start_line: int) -> int:
        cells = (*map(self._string, (name, system_name, file)), start_line)
        return self._add("function", cells, cells)

    def _role(self, name: bytes) -> int:
        text = self._string(name)
        return self._add("role", text, text)

    def _label_set(self, labels: List[Tuple[bytes, Optional[bytes], Union[bytes, int]]]) -> int:
        if not labels:
            return 0
        cells = []
        for key, unit, value in labels:
            row = self._string(key, True)
            if isinstance(value, bytes):
                cells.append((row, 0, _zigzag(self._string(value, True))))
            else:
                cells.append((row, self._string(unit or b"", True) + 1, _zigzag(value)))
        return self._add("label_set", tuple(cells), cells)

    def _write_block(self) -> None:
        head = b"" if self._head_written else _text(1, MAGIC.encode()) + _integer(2, VERSION)
        block = self._block()
        self._head_written = True
        try:
            self._write(head + (_bytes(3, block) if block else b""))
        except BaseException as error:
            # Later blocks would name rows of the one that is lost.
            self._broken = error
            raise

    def _write(self, data: bytes) -> None:
        """Writes all, also to a file without a buffer, which may take less at a time."""
        rest = memoryview(data)
        while rest:
            written = self._file.write(rest)
            if written is None and isinstance(self._file, io.RawIOBase):
                raise BlockingIOError("the file takes no more: open it to wait for its reader")
            rest = rest[len(rest) if written is None else written :]
        flush = getattr(self._file, "flush", None)
        if flush is not None:
            flush()

    def _block(self) -> bytes:
        new, self._new = self._new, {name: [] for name in _TABLES}
        points, self._points = self._points, _Points()
        origin, self._origin = self._origin, b""
        out = b"".join(_bytes(1, text) for text in new["string"])
        if origin or not self._head_written:
            out += _bytes(2, origin)
        for name, unit, *numbers in new["metric"]:
            out += _bytes(3, _text(1, name) + _text(2, unit) + _integers(3, numbers))
        for cells in new["module"]:
            out += _bytes(4, _integers(1, cells))
        if new["function"]:
            names, system_names, files, lines = zip(*new["function"])
            message = _integer(1, len(names)) + _column(2, names) + _column(3, system_names)
            out += _bytes(5, message + _column(4, files) + _column(5, lines))
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
            for cell in range(3):
                message += _column(3 + cell, [label[cell] for label in labels])
            out += _bytes(8, message)
        for cells in new["process"]:
            out += _bytes(9, _integers(1, cells))
        for cells in new["thread"]:
            out += _bytes(10, _integers(1, cells))
        for name, producer, host, *times in new["member"]:
            message = _text(1, name) + _text(2, producer) + _text(3, host)
            out += _bytes(11, message + _integers(4, times))
        if new["role"]:
            out += _packed(12, new["role"])
        if points.context:
            out += _bytes(13, points.message(self._counts["metric"]))
        if new["note"]:
            columns = enumerate(zip(*new["note"]), 2)
            message = _integer(1, len(new["note"]))
            message += b"".join(_column(field, column) for field, column in columns)
            out += _bytes(23, message)
        if len(self._rows["label_set"]) + len(self._rows["label_string"]) > MOST_LABELS:
            self._rows["label_set"], self._rows["label_string"] = {}, {}
        return out


#: Tables whose rows are written once they are new.
_TABLES = (
    "string metric module function location context label_set process thread member role note"
).split()


class _Points:
    """The points of a block, as columns."""

    def __init__(self) -> None:
        self.context: List[int] = []
        self.values: List[List[int]] = []
        self.labels: List[int] = []
        self.times: List[Optional[int]] = []
        self.threads: List[int] = []
        self.cpus: List[int] = []
        self.members: List[int] = []
        self.links: List[List[Tuple[int, int]]] = []

    def add(
        self,
        context: int,
        values: List[int],
        labels: int,
        time_ns: Optional[int],
        thread: int,
        cpu: int,
        member: int,
        links: List[Tuple[int, int]],
    ) -> None:
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
            out += _bytes(3, _column(1, [row[metric] for row in self.values]))
        out += _column(4, self.labels)
        times = [time for time in self.times if time is not None]
        if times:
            out += _packed(5, _deltas(times))
            if len(times) < len(self.times):
                out += _packed(6, [int(time is not None) for time in self.times])
        out += _column(7, self.threads) + _column(8, self.cpus) + _column(9, self.members)
        out += _column(10, [len(links) for links in self.links])
        links = [link for own in self.links for link in own]
        return out + _column(11, [role for role, _ in links]) + _column(12, [at for _, at in links])


def _locations(rows: Sequence[Tuple[int, int, int, int, Tuple[Tuple[int, int, int], ...]]]) -> bytes:
    kinds, modules, addresses, instructions, frames = zip(*rows)
    out = _integer(1, len(rows)) + _column(2, kinds) + _column(3, modules)
    if any(addresses):
        out += _packed(4, _deltas(addresses))
    counts = [len(own) for own in frames]
    if any(count != 1 for count in counts):
        out += _packed(6, counts)
    every = [frame for own in frames for frame in own]
    out += _column(7, [function + 1 for function, _, _ in every])
    out += _column(8, [line for _, line, _ in every])
    out += _column(9, [column for _, _, column in every])
    return out + _column(10, instructions)


# Checks of arguments.


def _utf8(text: str) -> bytes:
    if not isinstance(text, str):
        raise TypeError(f"a text is wanted, not {text!r}")
    try:
        return text.encode()
    except UnicodeEncodeError:
        units = text.encode("utf-16-le", "surrogatepass")
        return units.decode("utf-16-le", "replace").encode()


def _identifier(id: Union[int, str]) -> str:
    return id if isinstance(id, str) else str(operator.index(id))


def _number(number: SupportsIndex, most: int, what: str) -> int:
    found = operator.index(number)
    if not 0 <= found <= most:
        raise ValueError(f"{what} must be 0 to {most}, not {found}")
    return found


def _unsigned(number: SupportsIndex) -> int:
    return _number(number, 2**64 - 1, "an address")


def _signed(number: SupportsIndex) -> int:
    found = operator.index(number)
    if not -(2**63) <= found < 2**63:
        raise ValueError(f"{found} does not fit 64 bits")
    return found


def _place(
    function: str,
    file: str = "",
    line: SupportsIndex = 0,
    column: SupportsIndex = 0,
    start_line: SupportsIndex = 0,
    system_name: str = "",
) -> Tuple[Tuple[bytes, bytes, bytes, int], int, int]:
    first = _number(start_line, 2**32 - 1, "a line")
    own = (_utf8(function), _utf8(system_name), _utf8(file), first)
    return own, _number(line, 2**32 - 1, "a line"), _number(column, 2**32 - 1, "a column")


def _label(key: str, value: Label) -> Tuple[bytes, Optional[bytes], Union[bytes, int]]:
    """Key, unit and value; without unit if the value is a text."""
    if isinstance(value, str):
        return _utf8(key), None, _utf8(value)
    number, unit = value if isinstance(value, tuple) else (value, "")
    return _utf8(key), _utf8(unit), _signed(number)


# Protobuf's wire format.


def _varint(value: int) -> bytes:
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _zigzag(value: int) -> int:
    return value << 1 if value >= 0 else (-value << 1) - 1


def _deltas(values: Iterable[int]) -> List[int]:
    """Differences between neighbours, modulo 2^64."""
    out, before = [], 0
    for value in values:
        out.append(_zigzag((value - before + 2**63) % 2**64 - 2**63))
        before = value
    return out


def _integer(field: int, value: int) -> bytes:
    """An integer field; 0 is left out."""
    return _varint(field << 3) + _varint(value) if value else b""


def _integers(first: int, values: Iterable[int]) -> bytes:
    """Integer fields whose numbers follow each other."""
    return b"".join(_integer(field, value) for field, value in enumerate(values, first))


def _bytes(field: int, value: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(value)) + value


def _text(field: int, value: bytes) -> bytes:
    """A text field; the empty text is left out."""
    return _bytes(field, value) if value else b""


def _packed(field: int, values: Iterable[int]) -> bytes:
    return _bytes(field, b"".join(map(_varint, values)))


def _column(field: int, values: Sequence[int]) -> bytes:
    """A column; left out if every cell is 0."""
    return _packed(field, values) if any(values) else b""
