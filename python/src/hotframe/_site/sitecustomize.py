# SPDX-License-Identifier: MIT OR Apache-2.0
# Copyright (c) 2026 The Hotframe authors
"""Begins a recording in every Python program that is started with this folder first on its path."""

import os
import sys


def _others():  # type: () -> None
    """Runs the sitecustomize that would run if this one were not here."""
    here = os.path.dirname(os.path.abspath(__file__))
    others = [path for path in sys.path if os.path.abspath(path) != here]
    if sys.version_info < (3, 4):
        import imp

        try:
            found = imp.find_module("sitecustomize", others)
        except ImportError:
            return
        imp.load_module("sitecustomize", *found)
        return
    from importlib.machinery import PathFinder
    from importlib.util import module_from_spec

    spec = PathFinder.find_spec("sitecustomize", others)
    if spec is not None and spec.loader is not None:
        module = module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


def _begin():  # type: () -> None
    if sys.version_info < (3, 8):
        why = "calls are traced from Python 3.8 on, and this is %d.%d: sample it instead" % sys.version_info[:2]
        sys.stderr.write("hotframe: process %d is not traced: %s\n" % (os.getpid(), why))
        return
    try:
        from hotframe._begin import begin
        from hotframe._running import OWN_FILES
    except Exception as error:
        sys.stderr.write("hotframe: process %d is not traced: %s\n" % (os.getpid(), error))
    else:
        OWN_FILES.append(__file__)
        begin()


# An error in the other one is told by the interpreter, as without a trace.
try:
    _others()
finally:
    _begin()
