# SPDX-License-Identifier: MIT OR Apache-2.0
# Copyright (c) 2026 The Hotframe authors
"""Hotframe for Python: records what a program calls, and writes profiles.

    import hotframe

    with hotframe.trace("run.calls"):
        work()

`hotframe open run.calls` shows it. From a shell, `python -m hotframe record prog.py` does the same for a whole
program. `hotframe.memory` records what is allocated and held. `hotframe.Profile` writes profiles of anything else.

    profile = hotframe.open("cpu.pb.gz")
    tree = profile.top_down()

opens profiles of any format and works on them: see `hotframe.document`, `hotframe.tree` and `hotframe.transform`.
"""

from typing import TYPE_CHECKING, Any

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

if TYPE_CHECKING:
    from ._engine import Error as Error
    from .columns import Column as Column
    from .columns import Table as Table
    from .columns import Texts as Texts
    from .document import Document as Document
    from .document import merge as merge
    from .document import open as open
    from .transform import ELIDE as ELIDE
    from .transform import FOLD as FOLD
    from .transform import annotate as annotate
    from .transform import merge_as as merge_as
    from .transform import rename as rename
    from .tree import SKIP as SKIP
    from .tree import STOP as STOP
    from .tree import Node as Node
    from .tree import Tree as Tree

# What works on profiles that are there, by the module that has it: loaded when it is asked for, for a program that
# is recorded needs none of it.
_LATER = {
    "Column": "columns",
    "Document": "document",
    "ELIDE": "transform",
    "Error": "_engine",
    "FOLD": "transform",
    "Node": "tree",
    "SKIP": "tree",
    "STOP": "tree",
    "Table": "columns",
    "Texts": "columns",
    "Tree": "tree",
    "annotate": "transform",
    "merge": "document",
    "merge_as": "transform",
    "open": "document",
    "rename": "transform",
}

__all__ = [
    *_LATER,
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


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        module = _LATER.get(name)
        if module is None:
            raise AttributeError(f"module 'hotframe' has no attribute {name!r}")
        import importlib

        return getattr(importlib.import_module(f"hotframe.{module}"), name)


def __dir__() -> Any:
    return sorted({*globals(), *_LATER})


def load_ipython_extension(shell: Any) -> None:
    """`%load_ext hotframe` in IPython and notebooks: gives them the cell magic `%%hotframe`."""
    from ._magic import register

    register(shell)
