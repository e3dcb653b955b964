# SPDX-License-Identifier: MIT OR Apache-2.0
# Copyright (c) 2026 The Hotframe authors
"""Records a whole program and the processes that it starts, each into a file of its own.

`hotframe record python --trace` (or `--memory`) starts programs with a `sitecustomize` that calls `begin`; so do the Python
programs that those start.
"""

from __future__ import annotations

import atexit
import functools
import importlib
import json
import os
import sys
import time
from typing import Any, Callable

from . import _running, tracing
from .allocating import Memory

#: Settings as JSON: folder, limit (0 for none), c_functions, counts, log; memory, where that is recorded and no call
#: is: bytes between samples (0 for all).
VARIABLE = "HOTFRAME_TRACE"

_running.OWN_FILES.append(__file__)


def begin() -> None:
    """Begins where it was asked for; what is in the way is told, and the program runs on."""
    settings = os.environ.get(VARIABLE)
    if not settings:
        return
    try:
        asked = json.loads(settings)
    except ValueError as error:
        print(f"hotframe: process {os.getpid()} is not traced: {VARIABLE}: {error}", file=sys.stderr)
        return
    # Before the trace, which has nothing of this.
    atexit.register(_end, "exit")
    _exit_at_once()
    _before_exec(asked)
    if not _start_or_tell(asked):
        # Nor is it tried again.
        asked.clear()


def _start_or_tell(asked: Any) -> bool:
    try:
        _start(asked)
    except Exception as error:
        what = "an interpreter inside of process" if _is_inner() else "process"
        print(f"hotframe: {what} {os.getpid()} is not traced: {error}", file=sys.stderr)
        return False
    return True


def _is_inner() -> bool:
    """Whether this is not the first interpreter of its process."""
    for name in ("_interpreters", "_xxsubinterpreters"):
        try:
            module: Any = importlib.import_module(name)
            return bool(module.get_current() != module.get_main())
        except Exception:
            continue
    return False


def _start(asked: Any) -> None:
    recording = _recording(asked)

    def follow() -> None:
        """In a forked process."""
        if _start_or_tell(asked):
            _before_children_exit()

    _running.following[:] = [follow]
    recording.start()


def _recording(asked: Any) -> _running.Recording:
    counts, memory = bool(asked.get("counts")), asked.get("memory")
    ending = "memory" if memory is not None else "prof" if counts else "calls"
    path = os.path.join(asked["folder"], f"{os.getpid()}-{time.time_ns()}.{ending}")
    if memory is not None:
        return Memory(path, sample=memory or None)
    limit = asked.get("limit") or None
    c_functions = bool(asked.get("c_functions", True))
    log = asked.get("log") or ()
    return tracing.Trace(path, limit=limit, c_functions=c_functions, counts=counts, log=log)


def _end(reason: str) -> None:
    for recording in list(_running.running):
        try:
            recording.stop(reason)
        except Exception as error:
            print(f"hotframe: process {os.getpid()}: {error}", file=sys.stderr)


def _exit_at_once() -> None:
    """Ends the trace before `os._exit`, which runs nothing else."""
    plain = os._exit

    def _exit(status: int) -> None:
        _end("os._exit")
        plain(status)

    os._exit = _exit  # type: ignore[assignment]


def _before_exec(asked: Any) -> None:
    """Ends the trace before this process becomes another program, of which nothing is told to it."""

    def through(plain: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(plain)
        def replaced(path: Any, *rest: Any, **named: Any) -> Any:
            # What cannot be run is tried, too, on the way along PATH.
            if isinstance(path, int) or (os.path.isfile(path) and os.access(path, os.X_OK)):
                _end("exec")
            try:
                return plain(path, *rest, **named)
            finally:
                if asked and not _running.running:
                    _start_or_tell(asked)

        return replaced

    for name in ("execv", "execve"):
        setattr(os, name, through(getattr(os, name)))


def _before_children_exit() -> None:
    """Processes of multiprocessing end with what they registered there."""
    util = sys.modules.get("multiprocessing.util")
    if util is not None:
        util.Finalize(None, _end, args=("exit",), exitpriority=-1000)
