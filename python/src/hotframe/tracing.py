# SPDX-License-Identifier: MIT OR Apache-2.0
# Copyright (c) 2026 The Hotframe authors
"""Traces every call of a program into a file, while it runs.

A trace is of one process and all of its threads; one runs at a time. A process that is killed leaves a file that
is whole up to a twentieth of a second before.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
import warnings
from typing import Any, Dict, Optional, Sequence, Union

from . import _log
from ._running import OWN_FILES, Recording, check_none_runs, facts, load, name_thread, name_threads, running

__all__ = ["Trace", "count", "trace"]

#: After so many calls a function is no longer traced, unless asked for otherwise.
DEFAULT_LIMIT = 10_000

_MONITORING: Any = getattr(sys, "monitoring", None)
# 0 to 2 and 5 are for debuggers, coverage, profilers and optimizers.
_TOOLS = (3, 4)

OWN_FILES += [__file__, _log.__file__]

# As the reader of traces knows it.
_REPLACED = "another profiler took the tracer's place"


class Trace(Recording):
    """A trace, as a context manager or a decorator.

    path is the file; it is appended to, so that several traces may go into one. limit is the number of calls after
    which a function is no longer traced: its cost is bounded then, and the profile says at which call it was.
    None traces all. c_functions says whether calls of functions that are written in C are traced, too. With counts
    nothing is traced: calls and times are added up by caller and callee, and the file is one that pstats reads, which
    is written when the trace ends. log names functions whose arguments and results are told as marks, and variables
    that are when they end: `["parse", "Totals.add:counts"]`; a name is a qualified one, or its end.
    """

    def __init__(
        self,
        path: Union[str, "os.PathLike[str]"] = "trace.calls",
        *,
        limit: Optional[int] = DEFAULT_LIMIT,
        c_functions: bool = True,
        counts: bool = False,
        log: Sequence[str] = (),
    ) -> None:
        if counts:
            limit = None
        if limit is not None and (not isinstance(limit, int) or isinstance(limit, bool) or limit < 1):
            raise ValueError("limit: a number of calls from 1 on, or None for all calls")
        self.path = os.path.abspath(os.fspath(path))
        self.limit = limit
        self.c_functions = c_functions
        self.counts = counts
        self.log = list(log)
        if self.log and counts:
            raise ValueError("log: values are told in a trace, and calls are only counted here")
        _log.variables(self.log)
        self._tool: Optional[int] = None
        self._native: Any = None
        #: The thread that begins.
        self._thread = 0

    def start(self) -> None:
        """Begins to trace.

        Raises RuntimeError where this interpreter cannot be traced or a trace runs, OSError where the file cannot
        be written.
        """
        check_none_runs()
        self._native = load()
        if _MONITORING is None and sys.getprofile() is not None:
            raise RuntimeError(f"hotframe cannot trace: {sys.getprofile()} is the profile function: stop that one first")
        self._thread = threading.get_ident()
        if self.log:
            self._native.set_teller(_log.teller(self.log))
        cost = {} if self.counts else _cost(self)
        self._begin(self.path, "\n".join(OWN_FILES), self.limit, cost)
        running[:] = [self]
        name_threads(self._native)
        self._native.pause(False)

    def stop(self, reason: str = "stopped") -> Optional[int]:
        """Ends the trace and gives the number of events in it, or None where it does not run.

        Raises OSError where the file could not be written to its end: it holds what came before.
        """
        if running != [self]:
            return None
        self._native.pause(True)
        running.clear()
        name_threads(self._native)
        is_replaced = _MONITORING is None and self._thread == threading.get_ident() and not self._is_watched()
        self._unhook()
        events: Optional[int] = self._native.stop(_REPLACED if is_replaced else reason)
        if is_replaced:
            warnings.warn(f"process {os.getpid()}: {_REPLACED}: calls after that are not traced", RuntimeWarning, 2)
        return events

    def _is_watched(self) -> bool:
        """Whether this thread's profile function is the tracer's; before `sys.monitoring`."""
        return sys.getprofile() is self._native.watch_again

    def _begin(self, path: str, own: str, limit: Optional[int], cost: Dict[str, int]) -> None:
        """Begins without letting events come yet."""
        told = facts(
            hook="sys.monitoring" if _MONITORING else "PyEval_SetProfile",
            limit=limit or 0,
            has_c_functions=self.c_functions,
            log=self.log if path else [],
            cost=cost,
        )
        self._native.start(path, own, json.dumps(told), self.counts)
        try:
            self._hook()
        except BaseException:
            self._unhook()
            self._native.stop("not begun")
            raise

    def _hook(self) -> None:
        native = self._native
        if _MONITORING is None:
            if not native.prepare_profile(sys.version_info[1], int(self.c_functions), native.watch_again):
                raise RuntimeError("hotframe cannot trace: this interpreter does not let functions be watched")
            threading.setprofile(_profile_thread)
            native.watch_thread(True)
            return
        tool = _free_tool()
        _MONITORING.use_tool_id(tool, "hotframe")
        self._tool = tool
        native.set_disable(_MONITORING.DISABLE)
        kinds = _MONITORING.events
        callbacks = {
            kinds.PY_START: native.py_start,
            kinds.PY_RETURN: native.py_return,
            kinds.PY_YIELD: native.py_yield,
            kinds.PY_RESUME: native.py_resume,
            kinds.PY_THROW: native.py_throw,
            kinds.PY_UNWIND: native.py_unwind,
        }
        if self.c_functions:
            callbacks[kinds.CALL] = native.call
            # They come with calls and cannot be chosen by themselves.
            _MONITORING.register_callback(tool, kinds.C_RETURN, native.c_return)
            _MONITORING.register_callback(tool, kinds.C_RAISE, native.c_raise)
        chosen = 0
        for kind, callback in callbacks.items():
            _MONITORING.register_callback(tool, kind, callback)
            chosen |= kind
        # What an earlier trace switched off.
        _MONITORING.restart_events()
        threading.setprofile(name_thread)
        _MONITORING.set_events(tool, chosen)

    def _unhook(self) -> None:
        threading.setprofile(None)
        if _MONITORING is None:
            # Another profiler that took its place goes on.
            if self._is_watched():
                self._native.watch_thread(False)
        elif self._tool is not None:
            _MONITORING.set_events(self._tool, 0)
            kinds = _MONITORING.events
            for name in ("PY_START", "PY_RETURN", "PY_YIELD", "PY_RESUME", "PY_THROW", "PY_UNWIND"):
                _MONITORING.register_callback(self._tool, getattr(kinds, name), None)
            for name in ("CALL", "C_RETURN", "C_RAISE"):
                _MONITORING.register_callback(self._tool, getattr(kinds, name), None)
            _MONITORING.free_tool_id(self._tool)
            self._tool = None

    def _leave_behind(self) -> None:
        """This process is a copy of the one that is traced: its events are not that one's."""
        self._native.pause(True)
        self._unhook()
        self._native.forget()


def trace(
    path: Union[str, "os.PathLike[str]"] = "trace.calls",
    *,
    limit: Optional[int] = DEFAULT_LIMIT,
    c_functions: bool = True,
    log: Sequence[str] = (),
) -> Trace:
    """A trace of what runs inside of `with hotframe.trace(path):`, or of a function that it decorates: of a coroutine
    from its begin to its end, with what else runs meanwhile."""
    return Trace(path, limit=limit, c_functions=c_functions, log=log)


def count(path: Union[str, "os.PathLike[str]"] = "calls.prof", *, c_functions: bool = True) -> Trace:
    """Counts what runs inside of `with hotframe.count(path):`, or of a function that it decorates: calls, primitive
    calls, own and cumulative time by function and by caller and callee, as cProfile does, into a file for pstats."""
    return Trace(path, c_functions=c_functions, counts=True)


def _free_tool() -> int:
    for tool in _TOOLS:
        if _MONITORING.get_tool(tool) is None:
            return tool
    held = ", ".join(f"{tool} by {_MONITORING.get_tool(tool)}" for tool in _TOOLS)
    raise RuntimeError(f"hotframe cannot trace: no place of sys.monitoring is free ({held}); stop the other tools first")


def _profile_thread(*_: Any) -> None:
    name_thread()
    if running:
        running[0]._native.watch_thread(True)


def _empty() -> None:
    pass


_COUNT = range(3000)


def _python_calls() -> int:
    start = time.perf_counter_ns()
    for _ in _COUNT:
        _empty()
    return time.perf_counter_ns() - start


def _c_calls() -> int:
    function = ord
    start = time.perf_counter_ns()
    for _ in _COUNT:
        function("a")
    return time.perf_counter_ns() - start


def _cost(trace: Trace) -> Dict[str, int]:
    """What a traced call costs here, in picoseconds: the best of a few tries with a trace less that without."""
    cost = {}
    for name, inside, calls in (("call", "inside", _python_calls), ("c_call", "c_inside", _c_calls)):
        if name == "c_call" and not trace.c_functions:
            continue
        bare = min(calls() for _ in range(5))
        # Nothing is written: this trace has no file.
        trace._begin("", "", None, {})
        tries = []
        for _ in range(5):
            trace._native.pause(False)
            taken = calls()
            trace._native.pause(True)
            tries.append((taken, trace._native.inside()))
        traced, between = (min(column) for column in zip(*tries))
        trace._unhook()
        trace._native.stop("")
        per_call = max(traced - bare, 0) * 1000 // len(_COUNT)
        cost[name], cost[inside] = per_call, min(between, per_call)
    return cost
