# SPDX-License-Identifier: MIT OR Apache-2.0
# Copyright (c) 2026 The Hotframe authors
"""Values of functions that a trace was asked for: arguments, what is returned, chosen variables."""

from __future__ import annotations

import json
import reprlib
import sys
from typing import Any, Callable, Dict, List, Sequence, Tuple

# As the tracer has them.
_CALL, _UNWIND, _SUSPEND = 0, 2, 3

#: Letters of a value.
_LONGEST = 200


def _shortening() -> reprlib.Repr:
    short = reprlib.Repr()
    short.maxstring = short.maxother = short.maxlong = _LONGEST
    short.maxlevel = 3
    return short


_SHORT = _shortening()


def variables(asked: Sequence[str]) -> "List[Tuple[str, List[str]]]":
    """Names of functions with the variables that are told when they end, from texts like `f` and `A.f:x,y`.

    Raises ValueError where a text is none of them.
    """
    found = []
    for text in asked:
        name, _, listed = text.partition(":")
        chosen = [one.strip() for one in listed.split(",") if one.strip()]
        if not name or not all(one.isidentifier() for one in chosen):
            raise ValueError(f"log: {text!r}: write a function as NAME or NAME:VARIABLE,VARIABLE")
        found.append((name, chosen))
    return found


def teller(asked: Sequence[str]) -> "Callable[[int, Any], str]":
    """What the tracer calls where such a function is called or left."""
    chosen = variables(asked)

    def tell(happened: int, value: Any) -> str:
        frame = sys._getframe(1)
        code = frame.f_code
        told: Dict[str, str] = {}
        if happened == _CALL:
            has = bool(code.co_flags & 4) + bool(code.co_flags & 8)
            count = code.co_argcount + code.co_kwonlyargcount + has
            for name in code.co_varnames[:count]:
                if name in frame.f_locals:
                    told[name] = _text(frame.f_locals[name])
        else:
            how = {_UNWIND: "raises", _SUSPEND: "yields"}.get(happened, "returns")
            is_told = happened != _UNWIND or value is not None
            told[how] = _text(value) if is_told else "(an exception, which Python tells from 3.12 on)"
            qualified = getattr(code, "co_qualname", code.co_name)
            for name, names in chosen:
                if qualified == name or qualified.endswith("." + name):
                    for one in names:
                        told[one] = _text(frame.f_locals[one]) if one in frame.f_locals else "(not set)"
        return json.dumps(told)

    return tell


def _text(value: Any) -> str:
    if isinstance(value, (bytes, bytearray, memoryview)) and len(value) > _LONGEST:
        return f"({type(value).__name__} of {len(value)} bytes)"
    try:
        text = _SHORT.repr(value)
    except BaseException as error:
        return f"({type(value).__name__}, of which {type(error).__name__} is all that repr gives)"
    # Half of a pair is not a letter.
    text = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
