# SPDX-License-Identifier: MIT OR Apache-2.0
# Copyright (c) 2026 The Hotframe authors
"""Begins a trace in every Python program that is started with this folder first on its path."""

import os
import sys


def _others() -> None:
    """Runs the sitecustomize that would run if this one were not here."""
    from importlib.machinery import PathFinder
    from importlib.util import module_from_spec

    here = os.path.dirname(os.path.abspath(__file__))
    others = [path for path in sys.path if os.path.abspath(path) != here]
    spec = PathFinder.find_spec("sitecustomize", others)
    if spec is not None and spec.loader is not None:
        module = module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


_others()

try:
    from hotframe._begin import begin
except Exception as error:
    print("hotframe: process %d is not traced: %s" % (os.getpid(), error), file=sys.stderr)
else:
    begin()
