# SPDX-License-Identifier: MIT OR Apache-2.0
# Copyright (c) 2026 The Hotframe authors
"""`python -m hotframe record program.py ...` traces a program with this interpreter."""

from __future__ import annotations

import argparse
import sys
from typing import List, Optional

from ._log import variables
from .allocating import DEFAULT_SAMPLE
from ._record import Asked, free_name, record
from .tracing import DEFAULT_LIMIT


#: Options with a value of their own.
_VALUED = ("-o", "--output", "--limit", "--sample", "--log")


def _apart(arguments: List[str]) -> List[str]:
    """The arguments with what is run behind `--`: argparse takes `-m` for an option of ours."""
    at = 1
    while at < len(arguments) and arguments[at].startswith("-") and arguments[at] not in ("-m", "-c", "-", "--"):
        at += 2 if arguments[at] in _VALUED else 1
    if arguments[:1] != ["record"] or at >= len(arguments) or arguments[at] == "--":
        return arguments
    return [*arguments[:at], "--", *arguments[at:]]


def main(arguments: Optional[List[str]] = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m hotframe", description="Records Python programs for Hotframe.")
    commands = parser.add_subparsers(dest="command", required=True)
    asked = commands.add_parser("record", help="trace a program and the Python programs that it starts")
    asked.add_argument("-o", "--output", metavar="FILE", help="where to (default: trace.calls, .prof or .memory, or a free name like it)")
    asked.add_argument("--exact", action="store_true", help="trace every call (or allocation), whatever it costs")
    asked.add_argument(
        "--limit",
        type=int,
        default=DEFAULT_LIMIT,
        metavar="CALLS",
        help="no longer trace a function after so many calls (default: %(default)s)",
    )
    asked.add_argument("--counts", action="store_true", help="add calls up for pstats in place of tracing them")
    asked.add_argument("--memory", action="store_true", help="record what is allocated and held in place of calls")
    asked.add_argument(
        "--sample",
        type=int,
        default=DEFAULT_SAMPLE,
        metavar="BYTES",
        help="with --memory: bytes between samples on average; --exact takes every allocation (default: %(default)s)",
    )
    asked.add_argument("--no-c-functions", action="store_true", help="leave out functions that are written in C")
    asked.add_argument(
        "--log",
        action="append",
        default=[],
        metavar="NAME",
        help="tell arguments and results of a function as marks, and variables when it ends: NAME or NAME:VARIABLE,...",
    )
    asked.add_argument("program", nargs=argparse.REMAINDER, help="program.py and its arguments, or -m MODULE ...")
    options = parser.parse_args(_apart(sys.argv[1:] if arguments is None else arguments))
    program = options.program[1:] if options.program[:1] == ["--"] else options.program
    if not program:
        asked.error("which program? python -m hotframe record program.py ...")
    if options.counts and (options.exact or options.limit != DEFAULT_LIMIT):
        asked.error("--counts counts all calls: leave --exact and --limit out")
    if (options.counts or options.memory) and options.log:
        asked.error("values are told in traces alone: leave --log out")
    try:
        variables(options.log)
    except ValueError as error:
        asked.error(str(error))
    if options.memory and (options.counts or options.no_c_functions or options.limit != DEFAULT_LIMIT):
        asked.error("--memory records no calls: leave --counts, --limit and --no-c-functions out")
    if options.sample < 1:
        asked.error("--sample: a number of bytes from 1 on; --exact takes every allocation")
    if options.sample != DEFAULT_SAMPLE and (options.exact or not options.memory):
        asked.error("--sample is for --memory without --exact")
    if options.limit < 1:
        asked.error("--limit: a number of calls from 1 on; --exact traces all")
    ending = "memory" if options.memory else "prof" if options.counts else "calls"
    output = options.output or free_name(f"trace.{ending}")
    memory = None if not options.memory else 0 if options.exact else options.sample
    limit = None if options.exact or options.counts else options.limit
    what = Asked(limit, not options.no_c_functions, options.counts, options.log, memory)
    try:
        status = record([sys.executable, *program], output, what)
    except (OSError, RuntimeError) as error:
        print(f"hotframe: {error}", file=sys.stderr)
        return 1
    print(f"hotframe: {output} (hotframe open {output} shows it)", file=sys.stderr)
    # As shells tell signals.
    return status if status >= 0 else 128 - status


if __name__ == "__main__":
    sys.exit(main())
