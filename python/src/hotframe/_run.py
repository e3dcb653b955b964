# SPDX-License-Identifier: MIT OR Apache-2.0
# Copyright (c) 2026 The Hotframe authors
"""What `hotframe run` starts: `python -m hotframe._run SHOWN SCRIPT FILE...`."""

import os
import signal
import sys
import traceback
from typing import List

import hotframe
from hotframe import _engine, _pane


_SET_PARENT_DEATH_SIGNAL = 1


def main(arguments: List[str]) -> int:
    """Runs a script over files; the exit code."""
    shown, script, *files = arguments
    _end_with_parent()
    keeps = os.environ.pop("HOTFRAME_RUN_KEEPS", "1") != "0"

    def show(document: "hotframe.Document", name: str) -> None:
        document.save(shown)
        how = "" if keeps else ": --open shows it, -o FILE.hotframe keeps it"
        print(f"{os.path.basename(script)}: {name}{how}", file=sys.stderr)

    _pane.shower = show
    _pane.draw_progress()
    sys.argv = [script, *files]
    sys.path.insert(0, os.path.dirname(os.path.abspath(script)))
    try:
        with open(script, "rb") as file:
            source = file.read()
        documents = [hotframe.open(path) for path in files]
        for document in documents:
            for warning in document.warnings:
                print(f"hotframe: {warning}", file=sys.stderr)
        _pane.run(source, script, documents)
    except SystemExit as error:
        if error.code is None or isinstance(error.code, int):
            return error.code or 0
        print(error.code, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    except _engine.Error as error:
        told = traceback.extract_tb(error.__traceback__)
        lines = [frame.lineno for frame in told if frame.filename == script]
        where = f"{script}:{lines[-1]}: " if lines else ""
        print(f"hotframe: {where}{error}", file=sys.stderr)
        return 1
    except Exception as error:
        _tell(error, script)
        return 1
    return 0


def _end_with_parent() -> None:
    """Who ends `hotframe run` ends its script: on Linux, which can be asked to."""
    if not sys.platform.startswith("linux"):
        return
    parent = os.getppid()
    try:
        import ctypes

        ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGTERM, 0, 0, 0)
    except (ImportError, OSError, AttributeError):
        return
    if os.getppid() != parent:
        sys.exit(1)


def _tell(error: BaseException, script: str) -> None:
    """The traceback, but for frames of this package after the script's own ones."""
    package = os.path.dirname(os.path.abspath(__file__))
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not os.path.abspath(frame.filename).startswith(package + os.sep)
    ]
    if frames:
        print("Traceback (most recent call last):", file=sys.stderr)
        print("".join(traceback.format_list(frames)), end="", file=sys.stderr)
    print("".join(traceback.format_exception_only(type(error), error)), end="", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
