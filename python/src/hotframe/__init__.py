# SPDX-License-Identifier: MIT OR Apache-2.0
# Copyright (c) 2026 The Hotframe authors
"""Hotframe for Python: records what a program calls, and writes profiles.

    import hotframe

    with hotframe.trace("run.calls"):
        work()

`hotframe open run.calls` shows it. From a shell, `python -m hotframe record prog.py` does the same for a whole
program. `hotframe.memory` records what is allocated and held. `hotframe.Profile` writes profiles of anything else.
"""

from typing import Any

from .allocating import Memory, memory
from .builder import (
    Combine,
    Context,
    Frame,
    Kind,
    Member,
    Metric,
    Module,
    Process,
    Profile,
    Thread,
    __version__,
)
from .tracing import Trace, count, trace

__all__ = [
    "Combine",
    "Context",
    "Frame",
    "Kind",
    "Member",
    "Memory",
    "Metric",
    "Module",
    "Process",
    "Profile",
    "Thread",
    "Trace",
    "__version__",
    "count",
    "load_ipython_extension",
    "memory",
    "trace",
]


def load_ipython_extension(shell: Any) -> None:
    """`%load_ext hotframe` in IPython and notebooks: gives them the cell magic `%%hotframe`."""
    from ._magic import register

    register(shell)
