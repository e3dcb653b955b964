# SPDX-License-Identifier: MIT OR Apache-2.0
# Copyright (c) 2026 The Hotframe authors
"""The cell magic `%%hotframe` of IPython and of notebooks: traces what a cell calls."""

from __future__ import annotations

import argparse
import shlex
from typing import Any, NoReturn, Optional

from ._record import free_name
from .tracing import DEFAULT_LIMIT, Trace


class _Options(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """A cell has no process to end."""
        raise ValueError(f"%%hotframe: {message}")

    def exit(self, status: int = 0, message: Optional[str] = None) -> NoReturn:
        raise _Told()


class _Told(Exception):
    """Help was asked for and is told."""


def _options() -> argparse.ArgumentParser:
    options = _Options(prog="%%hotframe", description="Traces what this cell calls.")
    options.add_argument("-o", "--output", metavar="FILE", help="where to (default: cell.calls, or a free name like it)")
    options.add_argument("--exact", action="store_true", help="trace every call, whatever it costs")
    options.add_argument(
        "--limit",
        type=int,
        default=DEFAULT_LIMIT,
        metavar="CALLS",
        help="no longer trace a function after so many calls (default: %(default)s)",
    )
    options.add_argument("--counts", action="store_true", help="add calls up for pstats in place of tracing them")
    options.add_argument("--no-c-functions", action="store_true", help="leave out functions that are written in C")
    return options


def register(shell: Any) -> None:
    """Gives a shell of IPython the magic."""

    def hotframe(line: str, cell: str) -> None:
        try:
            asked = _options().parse_args(shlex.split(line))
        except _Told:
            return
        output = asked.output or free_name("cell.prof" if asked.counts else "cell.calls")
        trace = Trace(
            output,
            limit=None if asked.exact else asked.limit,
            c_functions=not asked.no_c_functions,
            counts=asked.counts,
        )
        with trace:
            result = shell.run_cell(cell)
        print(f"hotframe: {output} (hotframe open {output} shows it)")
        # The cell's own error stands above; cells behind this one are not to run.
        if result is not None:
            result.raise_error()

    hotframe.__doc__ = _options().format_help()
    shell.register_magic_function(hotframe, magic_kind="cell", magic_name="hotframe")
