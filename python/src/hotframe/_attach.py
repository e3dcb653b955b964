# SPDX-License-Identifier: MIT OR Apache-2.0
# Copyright (c) 2026 The Hotframe authors
"""Begins and ends a trace in a process that runs already: `hotframe record python --trace --pid PID` lets it run a
script that calls these.

Several threads may be asked to run the same script, and one of them may come to it late.
"""

from __future__ import annotations

import atexit
import os
from typing import Any, Dict

from . import _begin, _running

_running.OWN_FILES.append(__file__)

_BEGINS, _RUNS, _OVER = "begins", "runs", "over"

#: What became of the trace into a folder. A script may run while another one does, in another thread or on top of it
#: in the same one, so nothing here waits for a lock.
_states: Dict[str, str] = {}
_traces: "Dict[str, _running.Recording]" = {}


def begin(asked: Any) -> None:
    """Begins a trace into a folder, once."""
    folder = asked["folder"]
    if folder in _states or not os.path.isdir(folder):
        return
    _states[folder] = _BEGINS
    try:
        _begin._start(asked)
    except Exception as error:
        _states[folder] = _OVER
        _tell(folder, str(error))
        return
    _traces[folder] = _running.running[0]
    # What it forks is left alone: nobody waits for its file.
    _running.following.clear()
    atexit.register(_begin._end, "exit")
    if _states[folder] == _OVER:
        _stop(folder)
    else:
        _states[folder] = _RUNS


def end(folder: str) -> None:
    """Ends the trace into a folder."""
    before, _states[folder] = _states.get(folder), _OVER
    if before == _RUNS:
        _stop(folder)


def _stop(folder: str) -> None:
    if _running.running == [_traces.pop(folder)]:
        _begin._end("stopped")
        atexit.unregister(_begin._end)
    _tell(folder, "")


def _tell(folder: str, what: str) -> None:
    """What became of it, for the recorder: the file is there at once with all of it."""
    path = os.path.join(folder, "told")
    with open(path + ".part", "w", encoding="utf-8") as file:
        file.write(what)
    os.replace(path + ".part", path)
