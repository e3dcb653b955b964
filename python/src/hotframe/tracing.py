# SPDX-License-Identifier: MIT OR Apache-2.0
# Copyright (c) 2026 The Hotframe authors
"""Traces every call of a program into a file, while it runs.

A trace is of one process and all of its threads; one runs at a time. The file is whole up to a twentieth of a
second before a process is killed.
"""

from __future__ import annotations

import functools
import json
import os
import sys
import threading
import time
from types import TracebackType
from typing import Any, Callable, Dict, Optional, Type, TypeVar, Union

__all__ = ["Trace", "trace"]

#: After so many calls a function is no longer traced, unless asked for otherwise.
DEFAULT_LIMIT = 10_000

_Function = TypeVar("_Function", bound=Callable[..., Any])

_MONITORING = getattr(sys, "monitoring", None)
# 0 to 2 and 5 are for debuggers, coverage, profilers and optimizers.
_TOOLS = (3, 4)


class Trace:
    """A trace, as a context manager or a decorator.

    path is the file; it is appended to, so that several traces may go into one. limit is the number of calls after
    which a function is no longer traced: its cost is bounded then, and the profile says at which call it was.
    None traces all. c_functions says whether calls of functions that are written in C are traced, too.
    """

    def __init__(
        self,
        path: Union[str, "os.PathLike[str]"] = "trace.calls",
        *,
        limit: Optional[int] = DEFAULT_LIMIT,
        c_functions: bool = True,
    ) -> None:
        if limit is not None and (isinstance(limit, bool) or limit < 1):
            raise ValueError("limit: a number of calls from 1 on, or None for all calls")
        self.path = os.path.abspath(os.fspath(path))
        self.limit = limit
        self.c_functions = c_functions
        self._tool: Optional[int] = None
        self._process = 0

    def start(self) -> None:
        """Begins to trace."""
        native = _load()
        cost = _calibrated(self) if self.limit != 1 else {}
        self._begin(native, self.path, cost)
        _running[:] = [self]
        self._process = os.getpid()
        _name_threads(native)

    def stop(self, reason: str = "stopped") -> Optional[int]:
        """Ends the trace and gives the number of events in it, or None where it did not run.

        Raises OSError where the file could not be written: it holds what came before.
        """
        if _running != [self]:
            return None
        native = _load()
        _name_threads(native)
        self._unhook(native)
        _running.clear()
        events: Optional[int] = native.stop(reason)
        return events

    def _begin(self, native: Any, path: str, cost: Dict[str, int]) -> None:
        facts = {
            "parent": os.getppid() if hasattr(os, "getppid") else 0,
            "arguments": list(getattr(sys, "orig_argv", None) or [sys.executable, *sys.argv]),
            "interpreter": sys.version,
            "hook": "sys.monitoring" if _MONITORING else "PyEval_SetProfile",
            "limit": self.limit or 0,
            "has_c_functions": self.c_functions,
            "cost": cost,
            "paths": [one for one in sys.path if isinstance(one, str)],
        }
        native.start(path, json.dumps(facts))
        try:
            self._hook(native)
        except BaseException:
            native.stop("not begun")
            raise

    def _hook(self, native: Any) -> None:
        if _MONITORING is None:
            if not native.prepare_profile(sys.version_info[1], int(self.c_functions)):
                raise RuntimeError("this interpreter does not let functions be watched")
            threading.setprofile(_profile_thread)
            native.watch_thread(True)
            return
        self._tool = _free_tool()
        _MONITORING.use_tool_id(self._tool, "hotframe")
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
            # Not switched on by themselves: they come with calls.
            for kind, callback in ((kinds.C_RETURN, native.c_return), (kinds.C_RAISE, native.c_raise)):
                _MONITORING.register_callback(self._tool, kind, callback)
        chosen = 0
        for kind, callback in callbacks.items():
            _MONITORING.register_callback(self._tool, kind, callback)
            chosen |= kind
        # What an earlier trace switched off.
        _MONITORING.restart_events()
        threading.setprofile(_name_thread)
        _MONITORING.set_events(self._tool, chosen)

    def _unhook(self, native: Any) -> None:
        threading.setprofile(None)  # type: ignore[arg-type]
        if _MONITORING is None:
            native.watch_thread(False)
            return
        if self._tool is not None:
            _MONITORING.set_events(self._tool, 0)
            for name in dir(_MONITORING.events):
                kind = getattr(_MONITORING.events, name)
                if name.isupper() and kind and bin(kind).count("1") == 1:
                    _MONITORING.register_callback(self._tool, kind, None)
            _MONITORING.free_tool_id(self._tool)
            self._tool = None

    def __enter__(self) -> "Trace":
        self.start()
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        place: Optional[TracebackType],
    ) -> None:
        self.stop()

    def __call__(self, function: _Function) -> _Function:
        @functools.wraps(function)
        def traced(*arguments: Any, **named: Any) -> Any:
            if _running:
                return function(*arguments, **named)
            with self:
                return function(*arguments, **named)

        return traced  # type: ignore[return-value]


def trace(
    path: Union[str, "os.PathLike[str]"] = "trace.calls",
    *,
    limit: Optional[int] = DEFAULT_LIMIT,
    c_functions: bool = True,
) -> Trace:
    """A trace of what runs inside of `with hotframe.trace(path):`, or of a function that it decorates."""
    return Trace(path, limit=limit, c_functions=c_functions)


_running: "list[Trace]" = []


def _load() -> Any:
    try:
        from . import _native
    except ImportError as error:
        implementation = sys.implementation.name
        if implementation != "cpython":
            advice = f"calls are traced in CPython from 3.8 on, and this is {implementation}"
        elif not getattr(sys, "_is_gil_enabled", lambda: True)():
            advice = "interpreters without a global lock cannot be traced: use one that has it, or sample this one"
        else:
            advice = "the package was installed without its compiled part for this interpreter: install it with pip"
        raise RuntimeError(f"hotframe cannot trace: {error}; {advice}") from error
    return _native


def _free_tool() -> int:
    assert _MONITORING is not None
    for tool in _TOOLS:
        if _MONITORING.get_tool(tool) is None:
            return tool
    held = ", ".join(f"{tool} by {_MONITORING.get_tool(tool)}" for tool in _TOOLS)
    raise RuntimeError(f"no place of sys.monitoring is free ({held}): stop the other tools first")


def _name_thread(*_: Any) -> None:
    """A thread begins: tells its name, and watches it no longer by this."""
    sys.setprofile(None)
    if _running:
        _load().name_thread(threading.get_native_id(), threading.current_thread().name)


def _profile_thread(*arguments: Any) -> None:
    _name_thread()
    if _running:
        _load().watch_thread(True)


def _name_threads(native: Any) -> None:
    for thread in threading.enumerate():
        if thread.native_id is not None:
            native.name_thread(thread.native_id, thread.name)


def _empty() -> None:
    pass


def _calls(count: int) -> int:
    start = time.perf_counter_ns()
    for _ in range(count):
        _empty()
    return time.perf_counter_ns() - start


def _c_calls(count: int) -> int:
    function = ord
    start = time.perf_counter_ns()
    for _ in range(count):
        function("a")
    return time.perf_counter_ns() - start


def _calibrated(trace: Trace) -> Dict[str, int]:
    """What a traced call costs, in picoseconds: calls of an empty function with a trace and without."""
    return {}


def _forked() -> None:
    """This process was forked: it goes on in a file of its own."""
    if not _running:
        return
    running = _running[0]
    native = _load()
    running._unhook(native)
    native.forget()
    _running.clear()
    begin = getattr(running, "_begin_in_child", None)
    if begin is not None:
        begin(native)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
