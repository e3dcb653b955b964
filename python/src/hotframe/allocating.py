# SPDX-License-Identifier: MIT OR Apache-2.0
# Copyright (c) 2026 The Hotframe authors
"""Records what a program allocates and holds, by the stacks that it does so with.

What is allocated through the interpreter's allocators is seen, which is all of Python's objects. What libraries get
from the system by themselves is not.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from typing import Any, Optional, Union

from ._running import OWN_FILES, Recording, check_none_runs, facts, load, name_thread, name_threads, running

__all__ = ["Memory", "memory"]

#: Bytes from one sample to the next on average, unless asked for otherwise.
DEFAULT_SAMPLE = 8_192

OWN_FILES.append(__file__)


class Memory(Recording):
    """A recording of memory, as a context manager or a decorator.

    path is the file; it is appended to. sample is the number of bytes from one sample to the next, on average: sums
    are estimates, and the profile says how good they are. None takes every allocation.
    """

    def __init__(
        self,
        path: Union[str, "os.PathLike[str]"] = "allocations.memory",
        *,
        sample: Optional[int] = DEFAULT_SAMPLE,
    ) -> None:
        if sample is not None and (not isinstance(sample, int) or isinstance(sample, bool) or sample < 1):
            raise ValueError("sample: a number of bytes from 1 on, or None for all allocations")
        self.path = os.path.abspath(os.fspath(path))
        self.sample = sample
        self._names_threads = False

    def start(self) -> None:
        """Begins to record.

        Raises RuntimeError where this interpreter cannot be watched or a recording runs, OSError where the file
        cannot be written.
        """
        check_none_runs()
        self._native = load()
        told = json.dumps(facts(hook="PyMem_SetAllocator"))
        self._native.start_memory(self.path, "\n".join(OWN_FILES), told, self.sample or 0)
        running[:] = [self]
        name_threads(self._native)
        # Another's function, which before 3.10 nobody can ask for, stays.
        before: Any = getattr(threading, "_profile_hook", None)
        if before is None and sys.getprofile() is None:
            threading.setprofile(name_thread)
            self._names_threads = True
        self._native.pause(False)

    def stop(self, reason: str = "stopped") -> Optional[int]:
        """Ends the recording and gives the number of samples in it, or None where it does not run.

        Raises OSError where the file could not be written to its end: it holds what came before.
        """
        if running != [self]:
            return None
        self._native.pause(True)
        name_threads(self._native)
        samples: Optional[int] = self._native.stop_memory(reason)
        running.clear()
        self._unname()
        return samples

    def _unname(self) -> None:
        if self._names_threads:
            threading.setprofile(None)
            self._names_threads = False

    def _leave_behind(self) -> None:
        self._unname()
        self._native.forget()


def memory(
    path: Union[str, "os.PathLike[str]"] = "allocations.memory", *, sample: Optional[int] = DEFAULT_SAMPLE
) -> Memory:
    """Records what is allocated inside of `with hotframe.memory(path):`, or of a function that it decorates, and what
    of it is still held at the end."""
    return Memory(path, sample=sample)
