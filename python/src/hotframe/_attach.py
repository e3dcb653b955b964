# SPDX-License-Identifier: MIT OR Apache-2.0
# Copyright (c) 2026 The Hotframe authors
"""Begins and ends a trace in a process that runs already: `hotframe record python --trace --pid PID` lets it run a
script that calls these.

Several threads may be asked to run the same script, and one of them may come to it late.
"""

from __future__ import annotations

import atexit
import os
import threading
from typing import Any

from . import _begin, tracing

tracing.OWN_FILES.append(__file__)

_LOCK = threading.Lock()

#: Folders whose trace is over or could not begin.
_done: "set[str]" = set()


def begin(asked: Any) -> None:
    """Begins a trace into a folder, once."""
    folder = asked["folder"]
    with _LOCK:
        if folder in _done or not os.path.isdir(folder):
            return
        if tracing.running and os.path.dirname(tracing.running[0].path) == folder:
            return
        try:
            _begin._start(asked)
        except Exception as error:
            _done.add(folder)
            _tell(folder, str(error))
            return
        # What it forks is left alone: nobody waits for its file.
        tracing.following.clear()
        atexit.register(_begin._end, "exit")


def end(folder: str) -> None:
    """Ends the trace into a folder."""
    with _LOCK:
        if folder in _done:
            return
        _done.add(folder)
        if tracing.running and os.path.dirname(tracing.running[0].path) == folder:
            _begin._end("stopped")
            atexit.unregister(_begin._end)
        _tell(folder, "")


def _tell(folder: str, what: str) -> None:
    """What became of it, for the recorder: the file is there at once with all of it."""
    path = os.path.join(folder, "told")
    with open(path + ".part", "w", encoding="utf-8") as file:
        file.write(what)
    os.replace(path + ".part", path)
