# SPDX-License-Identifier: MIT OR Apache-2.0
# Copyright (c) 2026 The Hotframe authors
"""What all recordings of a process share: one runs at a time, as a context manager or a decorator."""

from __future__ import annotations

import functools
import os
import sys
import threading
from types import TracebackType
from typing import Any, Callable, Dict, List, Optional, Type, TypeVar

_Function = TypeVar("_Function", bound=Callable[..., Any])

#: Functions in these files are not part of a recording.
OWN_FILES = [__file__]

#: The recording that runs, if one does.
running: "List[Recording]" = []

#: What goes on in a process that was made by `fork` out of one that is recorded.
following: "List[Callable[[], None]]" = []


class Recording:
    """What begins and ends."""

    path: str
    _native: Any = None

    def start(self) -> None:
        raise NotImplementedError

    def stop(self, reason: str = "stopped") -> Optional[int]:
        raise NotImplementedError

    def _leave_behind(self) -> None:
        """This process is a copy of the one that is recorded: what happens here is not that one's."""
        raise NotImplementedError

    def __enter__(self) -> Any:
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
        import inspect

        if inspect.isasyncgenfunction(function) or inspect.isgeneratorfunction(function):
            raise TypeError(
                f"{function.__qualname__} is a generator, which runs a stretch at a time: "
                "record what goes through it, or a part of it by `with`"
            )
        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def awaited(*arguments: Any, **named: Any) -> Any:
                if running:
                    return await function(*arguments, **named)
                with self:
                    return await function(*arguments, **named)

            return awaited  # type: ignore[return-value]

        @functools.wraps(function)
        def recorded(*arguments: Any, **named: Any) -> Any:
            if running:
                return function(*arguments, **named)
            with self:
                return function(*arguments, **named)

        return recorded  # type: ignore[return-value]


def check_none_runs() -> None:
    if running:
        raise RuntimeError(f"a recording runs already, into {running[0].path}: one runs at a time")


def load() -> Any:
    """The compiled part; what is in the way is told."""
    try:
        from . import _native  # type: ignore[attr-defined]
    except ImportError as error:
        if sys.implementation.name != "cpython":
            advice = f"calls are traced in CPython, and this is {sys.implementation.name}: sample it instead"
        elif sys.version_info < (3, 8):
            advice = "calls are traced from Python 3.8 on: sample this one instead"
        elif not getattr(sys, "_is_gil_enabled", lambda: True)():
            advice = "an interpreter without a global lock cannot be traced: use one that has it, or sample this one"
        elif "subinterpreter" in str(error):
            advice = "the first interpreter of a process alone can be traced"
        else:
            advice = "the package is here without its compiled part: install it with pip"
        raise RuntimeError(f"hotframe cannot trace: {error}; {advice}") from error
    return _native


def facts(**more: Any) -> Dict[str, Any]:
    """What is known of this process."""
    return {
        "parent": os.getppid() if hasattr(os, "getppid") else 0,
        "arguments": list(getattr(sys, "orig_argv", None) or [sys.executable, *getattr(sys, "argv", [])]),
        "interpreter": sys.version,
        "paths": [one for one in sys.path if isinstance(one, str)],
        **more,
    }


def name_thread(*_: Any) -> None:
    """A thread begins: tells its name, and is not called for it again."""
    sys.setprofile(None)
    if running:
        running[0]._native.name_thread(threading.get_native_id(), threading.current_thread().name)


def name_threads(native: Any) -> None:
    for thread in threading.enumerate():
        if thread.native_id is not None:
            native.name_thread(thread.native_id, thread.name)


def _forked() -> None:
    if running:
        recording = running.pop()
        recording._leave_behind()
        for follow in following:
            follow()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
