"""Runs what people write beside a profile."""

import asyncio
import builtins
import importlib.abc
import io
import json
import linecache
import re
import rlcompleter
import sys
import traceback
import types

FILE = "script.py"
PACKAGE = "/hotframe-package"
MOST_FRAMES = 60
MOST_NAMES = 200
# Characters of a line that waits for its end.
MOST_HELD = 8192
_OWN = (__file__, PACKAGE)
# Frames of JavaScript have addresses for files.
_ADDRESS = re.compile("[a-z]+:")


class _Written(io.TextIOBase):
    """A stream of the script, which the page shows."""

    encoding = "utf-8"
    errors = "replace"

    def __init__(self, name, send, other=None):
        self.name = name
        self._send = send
        self._parts = []
        self._size = 0
        self._other = other
        if other is not None:
            other._other = self

    def writable(self):
        return True

    def write(self, text):
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        if self._other._parts:
            # What was written before stands before.
            self._other.flush()
        self._parts.append(text)
        self._size += len(text)
        if "\n" in text or self._size > MOST_HELD:
            self.flush()
        return len(text)

    def flush(self):
        text = "".join(self._parts)
        self._parts.clear()
        self._size = 0
        if text:
            # What is not text for a browser, halves of characters, is shown as such.
            self._send(self.name, text.encode("utf-8", "backslashreplace").decode())


class _Closed(importlib.abc.MetaPathFinder):
    """Says why ways out are not there."""

    NAMES = frozenset(["js", "pyodide_js", "micropip", "pyodide_http"])
    PARTS = frozenset(["pyodide.http", "pyodide.code", "pyodide.webloop", "pyodide.console"])

    def find_spec(self, name, path=None, target=None):
        if name in self.PARTS or name.partition(".")[0] in self.NAMES:
            raise ImportError(
                f"{name} is not there: a script of the page reaches the profile that it works on, "
                "and neither the page nor a network",
                name=name,
            )
        return None


def close(unregister):
    """Takes away what leads out of the interpreter."""
    for name in ("js", "pyodide_js"):
        unregister(name)
    loop = type(asyncio.new_event_loop())
    asyncio.run = asyncio.Runner.__init__ = loop.run_until_complete = loop.run_forever = _no_loop
    for name in [*sys.modules]:
        parts = name.partition(".")
        if parts[0] in _Closed.NAMES or name in _Closed.PARTS:
            del sys.modules[name]
            parent, _, last = name.rpartition(".")
            if parent in sys.modules and hasattr(sys.modules[parent], last):
                delattr(sys.modules[parent], last)
    sys.meta_path.insert(0, _Closed())


def _no_loop(*arguments, **_):
    """Says why nothing asynchronous runs: a browser's loop goes on once a script has ended."""
    for one in arguments:
        if asyncio.iscoroutine(one):
            one.close()
    raise RuntimeError(
        "asyncio does not run in the page, where nothing can be waited for: call functions that are not async"
    )


def open_streams(send):
    """Has the page show what is written; nothing can be read."""
    sys.stdout = sys.__stdout__ = out = _Written("stdout", send)
    sys.stderr = sys.__stderr__ = _Written("stderr", send, out)
    sys.stdin = sys.__stdin__ = io.StringIO()


class _Scripts:
    """The names of the script that ran last, for completions."""

    def __init__(self):
        self.names = _fresh()
        self._streams = sys.stdout, sys.stderr

    def run(self, source):
        """Runs a script; tells what went wrong as JSON, or nothing."""
        # The one before may have put others in their place.
        sys.stdout, sys.stderr = self._streams
        try:
            return self._run(source)
        finally:
            for stream in self._streams:
                stream.flush()

    def _run(self, source):
        # As Python takes it of files.
        source = source.removeprefix("\ufeff")
        # Tracebacks show lines of the script.
        linecache.cache[FILE] = (len(source), None, source.splitlines(keepends=True), FILE)
        main = sys.modules["__main__"] = types.ModuleType("__main__")
        names = self.names = main.__dict__
        names["__builtins__"] = builtins
        try:
            code = compile(source, FILE, "exec", dont_inherit=True)
            names.update(_given())
            exec(code, names)
        except SystemExit as end:
            if end.code is None or end.code == 0:
                return None
            return _told(None, f"SystemExit: {end.code}", f"SystemExit: {end.code}\n")
        except BaseException as error:
            return _failure(error)
        return None

    def complete(self, text):
        """Names that begin with a text, or attributes of what stands before its last dot, as JSON."""
        names = self.names
        if "profile" not in names:
            try:
                names.update(_given())
            except Exception:
                pass
        completer = rlcompleter.Completer(names)
        found = []
        try:
            for state in range(MOST_NAMES):
                name = completer.complete(text, state)
                if name is None:
                    break
                found.append(name)
        except Exception:
            # Attributes may be code that fails.
            pass
        return json.dumps(found)


def _fresh():
    return {"__name__": "__main__", "__builtins__": builtins}


def _given():
    from hotframe import _pane

    return _pane.names()


def _failure(error):
    try:
        told = traceback.TracebackException.from_exception(error, limit=-MOST_FRAMES)
        line = _line(error)
        _only_script(told, set())
        text = "".join(told.format())
        words = [*"".join(told.format_exception_only()).strip().splitlines(), type(error).__name__]
        # A mistake in what is written begins with its line.
        message = words[-2] if isinstance(error, SyntaxError) and len(words) > 1 else words[0]
    except Exception:
        line, message = None, type(error).__name__
        text = message + "\n"
    return _told(line, message, text)


def _told(line, message, text):
    return json.dumps({"line": line, "message": message, "traceback": text})


def _line(error):
    """The innermost line of the script that was on the way to an error."""
    line = None
    if isinstance(error, SyntaxError) and error.filename == FILE:
        line = error.lineno
    at = error.__traceback__
    while at is not None:
        if at.tb_frame.f_code.co_filename == FILE:
            line = at.tb_lineno
        at = at.tb_next
    return line


def _only_script(told, seen):
    """Leaves frames out that are not of the script, or of libraries that it called."""
    if told is None or id(told) in seen:
        return
    seen.add(id(told))
    if told.stack is not None:
        told.stack[:] = [
            frame
            for frame in told.stack
            if not frame.filename.startswith(_OWN) and not _ADDRESS.match(frame.filename)
        ]
    for other in (told.__cause__, told.__context__, *(told.exceptions or ())):
        _only_script(other, seen)


def scripts():
    return _Scripts()
