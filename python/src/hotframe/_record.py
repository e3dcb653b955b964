# SPDX-License-Identifier: MIT OR Apache-2.0
# Copyright (c) 2026 The Hotframe authors
"""Runs a command whose Python programs are traced, and puts the files of its processes together."""

from __future__ import annotations

import json
import os
import pstats
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from typing import BinaryIO, Iterator, List, Mapping, NamedTuple, Optional, Sequence

from ._begin import VARIABLE

_HEADS = (b"hotframe calls ", b"hotframe bytes ")
_MAGIC = 18
_ENDINGS = (".calls", ".prof", ".memory")
#: Seconds.
_PATIENCE = 3


class Asked(NamedTuple):
    """What is asked of the tracer."""

    #: After so many calls a function is no longer traced; None for never.
    limit: Optional[int]
    c_functions: bool
    #: Whether calls are added up in place of being traced.
    counts: bool
    #: Functions whose values are told.
    log: Sequence[str] = ()
    #: Bytes between samples of memory, 0 for all; None where calls are traced.
    memory: Optional[int] = None


def environment(folder: str, asked: Asked, around: Mapping[str, str]) -> "dict[str, str]":
    """The environment of a traced command, whose files go into a folder that is there."""
    package = os.path.dirname(os.path.abspath(__file__))
    site = os.path.join(folder, "site")
    os.makedirs(site)
    os.symlink(package, os.path.join(site, "hotframe"))
    os.symlink(os.path.join(package, "_site", "sitecustomize.py"), os.path.join(site, "sitecustomize.py"))
    settings = {**asked._asdict(), "folder": folder, "limit": asked.limit or 0}
    paths = [site, *filter(None, [around.get("PYTHONPATH")])]
    return {**around, VARIABLE: json.dumps(settings), "PYTHONPATH": os.pathsep.join(paths)}


def record(command: Sequence[str], output: str, asked: Asked) -> int:
    """Runs a command, writes the trace or the counts of its processes and gives its exit status.

    Raises RuntimeError where no process of it was traced, OSError where the command cannot be started or the output
    not be written.
    """
    with _folder() as folder:
        status = subprocess.call(command, env=environment(folder, asked, os.environ))
        for process in _wait(folder):
            told = "it is not counted" if asked.counts else "its recording goes up to here"
            print(f"hotframe: process {process} still runs: {told}", file=sys.stderr)
        silent = _silent(folder)
        for process in silent:
            print(f"hotframe: process {process} was killed: it is not counted", file=sys.stderr)
        traces = sorted(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(_ENDINGS))
        traces = [trace for trace in traces if os.path.getsize(trace) > 0]
        if not traces and silent:
            raise RuntimeError("nothing was counted: every process was killed; a trace has what they did before")
        if not traces:
            raise RuntimeError(
                "nothing was traced: the command started no Python program that takes PYTHONPATH "
                "(interpreters that are started with -I, -E or -S do not)"
            )
        if asked.counts:
            _added(traces).dump_stats(output)
        else:
            join(traces, output)
    return status


@contextmanager
def _folder() -> Iterator[str]:
    """A folder that is gone afterwards, as far as no process that still runs writes into it."""
    folder = tempfile.mkdtemp(prefix="hotframe-")
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _added(counts: Sequence[str]) -> pstats.Stats:
    """The counts of processes, added up."""
    stats = pstats.Stats()
    for one in counts:
        try:
            stats.add(one)
        except TypeError:
            # As pstats says of a process that called nothing.
            continue
    return stats


def _wait(folder: str) -> "list[int]":
    """Waits for processes that a program left behind and that end soon, and gives those that do not.

    multiprocessing has one that ends when all others have.
    """
    until = time.monotonic() + _PATIENCE
    while True:
        names = [name for name in os.listdir(folder) if name.endswith(_ENDINGS)]
        alive = [process for process in {int(name.split("-")[0]) for name in names} if _is_alive(process)]
        if not alive or time.monotonic() > until:
            return sorted(alive)
        time.sleep(0.01)


def _silent(folder: str) -> "list[int]":
    """Processes that ended before they wrote what they counted."""
    names = [name for name in os.listdir(folder) if name.endswith(".prof")]
    empty = [name for name in names if os.path.getsize(os.path.join(folder, name)) == 0]
    return sorted(process for process in {int(name.split("-")[0]) for name in empty} if not _is_alive(process))


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass
    return True


def join(traces: List[str], output: str) -> None:
    """Puts files of processes one behind the other, each up to its last whole section."""
    traces.sort(key=lambda trace: os.stat(trace).st_ctime_ns)
    part = output + ".part"
    try:
        with open(part, "wb") as whole:
            for trace in traces:
                with open(trace, "rb") as one:
                    length = _whole(one)
                    one.seek(0)
                    _copy(one, whole, length)
        os.replace(part, output)
    except BaseException:
        if os.path.exists(part):
            os.remove(part)
        raise


def _whole(file: BinaryIO) -> int:
    """The length of a file up to its last whole section."""
    size = os.fstat(file.fileno()).st_size
    at = 0
    while at < size:
        file.seek(at)
        head = file.read(_MAGIC + 5)
        section = head[_MAGIC:] if head.startswith(_HEADS) else head[:5]
        if len(section) < 5:
            break
        end = at + (_MAGIC if head.startswith(_HEADS) else 0) + 5 + int.from_bytes(section[1:], "little")
        if end > size:
            break
        at = end
    return at


def _copy(source: BinaryIO, target: BinaryIO, length: int) -> None:
    while length > 0:
        piece = source.read(min(length, 1 << 20))
        if not piece:
            break
        target.write(piece)
        length -= len(piece)


def free_name(output: str) -> str:
    """The name, or that with a number where it is taken."""
    stem, ending = os.path.splitext(output)
    number, name = 1, output
    while os.path.exists(name):
        number += 1
        name = f"{stem}-{number}{ending}"
    return name

