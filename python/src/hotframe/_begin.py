# SPDX-License-Identifier: MIT OR Apache-2.0
# Copyright (c) 2026 The Hotframe authors
"""Traces a whole program and the processes that it starts, each into a file of its own.

`hotframe record python --trace` starts programs with a `sitecustomize` that calls `begin`; so do the Python
programs that those start.
"""

from __future__ import annotations

import atexit
import json
import os
import sys
import time
from typing import Any

from . import tracing

#: Settings as JSON: folder, limit (0 for none), c_functions, counts.
VARIABLE = "HOTFRAME_TRACE"


def begin() -> None:
    """Begins where it was asked for; what is in the way is told, and the program runs on."""
    settings = os.environ.get(VARIABLE)
    if not settings:
        return
    try:
        asked = json.loads(settings)
        _start(asked)
    except Exception as error:
        print(f"hotframe: process {os.getpid()} is not traced: {error}", file=sys.stderr)
        return
    atexit.register(_end, "exit")
    _exit_at_once()


def _start(asked: Any) -> None:
    counts = bool(asked.get("counts"))
    name = f"{os.getpid()}-{time.time_ns()}.{'prof' if counts else 'calls'}"
    path = os.path.join(asked["folder"], name)
    limit = asked.get("limit") or None
    c_functions = bool(asked.get("c_functions", True))
    trace = tracing.Trace(path, limit=limit, c_functions=c_functions, counts=counts)

    def follow() -> None:
        """In a forked process."""
        try:
            _start(asked)
            _before_children_exit()
        except Exception as error:
            print(f"hotframe: process {os.getpid()} is not traced: {error}", file=sys.stderr)

    tracing.following[:] = [follow]
    trace.start()


def _end(reason: str) -> None:
    for trace in list(tracing.running):
        try:
            trace.stop(reason)
        except Exception as error:
            print(f"hotframe: process {os.getpid()}: {error}", file=sys.stderr)


def _exit_at_once() -> None:
    """Ends the trace before `os._exit`, which runs nothing else."""
    plain = os._exit

    def _exit(status: int) -> None:
        _end("os._exit")
        plain(status)

    os._exit = _exit  # type: ignore[assignment]


def _before_children_exit() -> None:
    """Processes of multiprocessing end with what they registered there."""
    util = sys.modules.get("multiprocessing.util")
    if util is not None:
        util.Finalize(None, _end, args=("exit",), exitpriority=-1000)
