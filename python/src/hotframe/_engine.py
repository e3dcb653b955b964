# SPDX-License-Identifier: MIT OR Apache-2.0
# Copyright (c) 2026 The Hotframe authors
"""The engine that answers: a process of the program `hotframe`, or the one of the page that Python runs in."""

import atexit
import functools
import os
import shutil
import struct
import subprocess
import sys
import threading
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Tuple

from . import _frames

Columns = Dict[str, memoryview]
# Gets what is done, how much of it, and of how much in all (0 where that is not known).
Progress = Callable[[str, float, float], None]


class Error(Exception):
    """What the engine could not do: the message says what and where, `hint` what to do about it."""

    def __init__(self, message: str, hint: str = "", code: str = "") -> None:
        super().__init__(f"{message}\n{hint}" if hint else message)
        self.message = message
        self.hint = hint
        self.code = code


# Who is told of progress; none where nobody is.
progress: Optional[Progress] = None


def told(phase: str, done: float, total: float) -> None:
    """Tells how far something is."""
    if progress is not None:
        progress(phase, done, total)


class Engine:
    """Asks one method after the other."""

    def __init__(self) -> None:
        self._last = 0
        self._lock = threading.Lock()

    def ask(
        self, method: str, params: Mapping[str, Any], columns: Optional[Mapping[str, Any]] = None
    ) -> Tuple[Dict[str, Any], Columns]:
        """The result of a method and its columns, which are views of the answer's bytes."""
        with self._lock:
            self._last += 1
            request = {"method": method, "params": params}
            header = {"kind": "request", "id": self._last, "request": request}
            return self._answer(_frames.encode(header, columns or {}))

    def relay(self, frame: bytes) -> List[bytes]:
        """All frames that answer one, unopened: progress, then the answer."""
        with self._lock:
            return [bytes(answer) for answer in self._frames(frame)]

    def _answer(self, frame: bytes) -> Tuple[Dict[str, Any], Columns]:
        for answer in self._frames(frame):
            told = self._told(answer)
            if told is not None:
                return told
        raise Error("the engine did not answer")

    def _frames(self, frame: bytes) -> Iterator[Any]:
        """The frames that answer one, the last of them the answer."""
        raise NotImplementedError

    @staticmethod
    def _told(frame: Any) -> Optional[Tuple[Dict[str, Any], Columns]]:
        """The answer that a frame is; none for one that tells of progress."""
        header, columns = _frames.decode(frame)
        if header["kind"] == "progress":
            now = header["progress"]
            told(now["phase"], now["done"], now["total"])
            return None
        if header["kind"] == "error":
            error = header["error"]
            raise Error(error["message"], error.get("hint", ""), error.get("code", ""))
        return header["result"], columns


class Process(Engine):
    """An engine of its own process, which ends with this one."""

    def __init__(self, program: str) -> None:
        super().__init__()
        self._process = subprocess.Popen(
            [program, "engine"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        atexit.register(self.close)

    def close(self) -> None:
        """Ends it."""
        process = self._process
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                try:
                    stream.close()
                except OSError:
                    pass
        process.kill()
        process.wait()
        atexit.unregister(self.close)

    def is_running(self) -> bool:
        """Whether it answers."""
        return self._process.poll() is None

    def _frames(self, frame: bytes) -> Iterator[Any]:
        stdin, stdout = self._process.stdin, self._process.stdout
        if stdin is None or stdout is None:
            raise Error("the engine was not started")
        is_whole = False
        try:
            stdin.write(struct.pack("<I", len(frame)) + frame)
            stdin.flush()
            while True:
                (length,) = struct.unpack("<I", self._read(stdout, 4))
                answer = self._read(stdout, length)
                is_whole = _frames.decode(answer)[0]["kind"] != "progress"
                yield answer
                if is_whole:
                    return
        except (BrokenPipeError, EOFError, ValueError) as error:
            code = self._process.poll()
            raise Error(f"the engine ended, with code {code}, before it had answered") from error
        finally:
            # Who is interrupted would take the answer for that to the next question.
            if not is_whole:
                self.close()

    @staticmethod
    def _read(stream: Any, count: int) -> memoryview:
        buffer = memoryview(bytearray(count))
        done = 0
        while done < count:
            got = stream.readinto(buffer[done:])
            if not got:
                raise EOFError
            done += got
        return buffer


class Page(Engine):
    """The engine of the page that Python runs in."""

    def _frames(self, frame: bytes) -> Iterator[Any]:
        import _hotframe_page  # type: ignore[import-not-found]

        for answer in _hotframe_page.take(frame):
            # A copy into Python's memory, which is not the page's.
            to_bytes = getattr(answer, "to_bytes", None)
            yield to_bytes() if to_bytes is not None else bytes(answer)


_engine: Optional[Engine] = None
_engine_lock = threading.Lock()


def engine() -> Engine:
    """The engine of this process, started when it is first asked for."""
    global _engine
    with _engine_lock:
        if isinstance(_engine, Process) and not _engine.is_running():
            _engine = None
        if _engine is None:
            _engine = Page() if sys.platform == "emscripten" else Process(_program())
        return _engine


@functools.lru_cache(maxsize=None)
def page() -> str:
    """The page that shows what is open, for whoever relays its frames: one file."""
    return subprocess.run([_program(), "engine", "--page"], stdout=subprocess.PIPE, check=True).stdout.decode()


def _program() -> str:
    """The program `hotframe`: the one that runs this script, that came with this package, or is on PATH."""
    found = os.environ.get("HOTFRAME_ENGINE") or _packaged() or shutil.which("hotframe")
    if not found:
        raise Error(
            "the program hotframe, whose engine reads profiles, is not on PATH",
            "Install it, or name it in the variable HOTFRAME_ENGINE.",
        )
    return found


def _packaged() -> Optional[str]:
    """The program of the wheel that this package was installed from: in the folder of scripts that goes with it."""
    package = os.path.realpath(os.path.dirname(__file__))
    site = os.path.dirname(package)
    # `pip install --target` puts it beside the package. Lists of files are not asked: theirs may lead elsewhere.
    folders = [os.path.join(site, "bin")]
    for prefix in (sys.prefix, _user_base()):
        if prefix and os.path.commonpath([os.path.realpath(prefix), site]) == os.path.realpath(prefix):
            folders.append(os.path.join(prefix, "bin"))
    for folder in folders:
        path = os.path.join(folder, "hotframe")
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    return None


def _user_base() -> Optional[str]:
    """Where `pip install --user` installs."""
    import site

    return site.getuserbase()
