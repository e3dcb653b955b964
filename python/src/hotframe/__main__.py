# SPDX-License-Identifier: MIT OR Apache-2.0
# Copyright (c) 2026 The Hotframe authors
"""`python -m hotframe record program.py ...` traces a program with this interpreter."""

from __future__ import annotations

import argparse
import sys
from typing import List, Optional

from ._log import variables
from ._record import Asked, free_name, record
from .tracing import DEFAULT_LIMIT


def main(arguments: Optional[List[str]] = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m hotframe", description="Records Python programs for Hotframe.")
    commands = parser.add_subparsers(dest="command", required=True)
    asked = commands.add_parser("record", help="trace a program and the Python programs that it starts")
    asked.add_argument("-o", "--output", metavar="FILE", help="where to (default: trace.calls or trace.prof, or a free name like it)")
    asked.add_argument("--exact", action="store_true", help="trace every call, whatever it costs")
    asked.add_argument(
        "--limit",
        type=int,
        default=DEFAULT_LIMIT,
        metavar="CALLS",
        help="no longer trace a function after so many calls (default: %(default)s)",
    )
    asked.add_argument("--counts", action="store_true", help="add calls up for pstats in place of tracing them")
    asked.add_argument("--no-c-functions", action="store_true", help="leave out functions that are written in C")
    asked.add_argument(
        "--log",
        action="append",
        default=[],
        metavar="NAME",
        help="tell arguments and results of a function as marks, and variables when it ends: NAME or NAME:VARIABLE,...",
    )
    asked.add_argument("program", nargs=argparse.REMAINDER, help="program.py and its arguments, or -m MODULE ...")
    options = parser.parse_args(arguments)
    program = options.program[1:] if options.program[:1] == ["--"] else options.program
    if not program:
        asked.error("which program? python -m hotframe record program.py ...")
    if options.counts and (options.exact or options.limit != DEFAULT_LIMIT):
        asked.error("--counts counts all calls: leave --exact and --limit out")
    if options.counts and options.log:
        asked.error("--counts has no values: leave --log out")
    try:
        variables(options.log)
    except ValueError as error:
        asked.error(str(error))
    if options.limit < 1:
        asked.error("--limit: a number of calls from 1 on; --exact traces all")
    output = options.output or free_name("trace.prof" if options.counts else "trace.calls")
    limit = None if options.exact or options.counts else options.limit
    try:
        wanted = Asked(limit, not options.no_c_functions, options.counts, options.log)
        status = record([sys.executable, *program], output, wanted)
    except (OSError, RuntimeError) as error:
        print(f"hotframe: {error}", file=sys.stderr)
        return 1
    print(f"hotframe: {output} (hotframe open {output} shows it)", file=sys.stderr)
    # As shells tell signals.
    return status if status >= 0 else 128 - status


if __name__ == "__main__":
    sys.exit(main())
