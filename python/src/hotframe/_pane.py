# SPDX-License-Identifier: MIT OR Apache-2.0
# Copyright (c) 2026 The Hotframe authors
"""Where scripts run: the pane of a page, `hotframe run`, or anything else."""

import os
import sys
import warnings
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Union

from . import _engine

if TYPE_CHECKING:
    from .document import Document

# What `show` does, where whoever runs the script wants to know.
shower: "Optional[Callable[[Document, str], None]]" = None


def names() -> "Dict[str, Any]":
    """What a script of the pane has: `profile`, which the page shows, and `profiles`, what that was made of."""
    import _hotframe_page  # type: ignore[import-not-found]

    import hotframe

    from .document import Document

    _engine.progress = _hotframe_page.progress
    engine = _engine.engine()
    parts = [Document(engine, int(number)) for number in _hotframe_page.documents()]
    shown = int(_hotframe_page.document())
    known = [part for part in parts if part.number == shown]
    profile = known[0] if known else Document(engine, shown)
    return {"hotframe": hotframe, "profile": profile, "profiles": parts}


def show(document: "Document", name: str) -> None:
    """Shows a profile to whoever runs the script."""
    if shower is not None:
        shower(document, name)
    elif sys.platform == "emscripten":
        _show_in_page(name, document.bytes())
    else:
        display(document)


def _show_in_page(name: str, data: bytes) -> None:
    import _hotframe_page

    try:
        _hotframe_page.show(name, data)
    except Exception as error:
        # The page says what it has no room for, as an error of JavaScript.
        raise _engine.Error(str(getattr(error, "message", error))) from None


def warn(message: str) -> None:
    """A warning of the line outside of this package that led here."""
    package = os.path.dirname(__file__)
    frame: Any = sys._getframe()
    level = 1
    while frame.f_back is not None and os.path.dirname(frame.f_code.co_filename) == package:
        frame = frame.f_back
        level += 1
    warnings.warn(message, stacklevel=level)


def display(document: "Document") -> None:
    """In a notebook: below the cell."""
    shell: Any = None
    try:
        from IPython import get_ipython  # type: ignore[import-not-found,unused-ignore]

        shell = get_ipython()
    except ImportError:
        pass
    if shell is None:
        raise _engine.Error(
            "there is nobody here to show a profile to",
            "Run the script by `hotframe run`, or write a file by .save(path).",
        )
    from IPython.display import display as display_object  # type: ignore[import-not-found,unused-ignore]

    display_object(document)


def run(source: Union[str, bytes], name: str, documents: "List[Document]") -> None:
    """Runs a script, which has the first document as `profile` and all of them as `profiles`. Of bytes Python finds
    the coding itself.

    What it raises is raised, with the frames of the script alone.
    """
    import hotframe

    names = {
        "__name__": "__main__",
        "__file__": name,
        "hotframe": hotframe,
        "profile": documents[0],
        "profiles": documents,
    }
    code = compile(source, name, "exec")
    try:
        exec(code, names)
    except BaseException as error:
        traceback = error.__traceback__
        # Not the line above.
        raise error.with_traceback(traceback and traceback.tb_next) from error.__cause__


def draw_progress() -> None:
    """Draws progress on a terminal, once something takes a second."""
    if sys.stderr is None or not sys.stderr.isatty():
        return
    import time

    started = [0.0, 0.0]

    def draw(phase: str, done: float, total: float) -> None:
        now = time.monotonic()
        if now - started[1] > 1:
            started[0] = now
        started[1] = now
        if now - started[0] < 1:
            return
        share = f" {100 * done / total:.0f} %" if total else ""
        width = os.get_terminal_size(sys.stderr.fileno()).columns - 1
        sys.stderr.write(f"\r{phase}{share}"[:width] + "\x1b[K\r")
        sys.stderr.flush()

    _engine.progress = draw
