# SPDX-License-Identifier: MIT OR Apache-2.0
# Copyright (c) 2026 The Hotframe authors
"""Frames of Hotframe's protocol: a JSON header and columns of numbers, each at a multiple of eight bytes."""

import json
import struct
from typing import Any, Dict, List, Mapping, Tuple

# The types of columns, as `memoryview` and `array` name them.
KINDS = {"u8": "B", "u32": "I", "i64": "q", "f64": "d"}
_NAMES = {code: name for name, code in KINDS.items()}

_MAGIC = b"HOTF"
_ALIGNMENT = 8


def encode(header: Mapping[str, Any], columns: Mapping[str, Any]) -> bytes:
    """A frame with columns, each of a type that has a buffer: array, memoryview, bytes."""
    views = {name: memoryview(column) for name, column in columns.items()}
    entries: List[Dict[str, Any]] = []
    offset = 0
    for name, view in views.items():
        kind = _NAMES["I" if view.format == "L" and view.itemsize == 4 else view.format]
        entries.append({"name": name, "kind": kind, "offset": offset, "count": len(view)})
        offset = _aligned(offset + view.nbytes)
    text = json.dumps({**header, "columns": entries}).encode()
    out = bytearray(_aligned(8 + len(text)) + offset)
    out[:8] = _MAGIC + struct.pack("<I", len(text))
    out[8 : 8 + len(text)] = text
    start = _aligned(8 + len(text))
    for entry, view in zip(entries, views.values()):
        at = start + entry["offset"]
        out[at : at + view.nbytes] = view.cast("B")
    return bytes(out)


def decode(frame: Any) -> Tuple[Dict[str, Any], Dict[str, memoryview]]:
    """Header and columns of a frame; columns are views of its bytes."""
    view = memoryview(frame)
    if len(view) < 8 or bytes(view[:4]) != _MAGIC:
        raise ValueError("what was received is not a frame")
    (length,) = struct.unpack("<I", view[4:8])
    header: Dict[str, Any] = json.loads(bytes(view[8 : 8 + length]))
    start = _aligned(8 + length)
    columns: Dict[str, memoryview] = {}
    for entry in header.pop("columns", ()):
        code = KINDS[entry["kind"]]
        at = start + entry["offset"]
        size = entry["count"] * struct.calcsize(code)
        if at + size > len(view):
            raise ValueError(f"a frame was cut short: column {entry['name']} is not whole")
        part: Any = view[at : at + size]
        columns[entry["name"]] = part.cast(code)
    return header, columns


def _aligned(offset: int) -> int:
    return -(-offset // _ALIGNMENT) * _ALIGNMENT
