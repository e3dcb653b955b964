"""What runs scripts in the page, without one: what it says of asyncio and of limits, and which frames tracebacks
have."""

import importlib.util
import json
import os
import sys
import types

here = os.path.dirname(os.path.abspath(__file__))
path = os.path.join(here, "../../../../web/engine/src/python/runner.py")
spec = importlib.util.spec_from_file_location("hotframe_runner", path)
runner = importlib.util.module_from_spec(spec)
spec.loader.exec_module(runner)
runner.close(lambda name: None)
runner._given = lambda: {"show": shown["show"]}
shown = {}
exec(compile("def show():\n    raise RangeError('too many')\nclass RangeError(Exception): pass", "blob:null/12-34", "exec"), shown)
scripts = runner.scripts()


def told(source):
    return json.loads(scripts.run(source))


for source in (
    "import asyncio\nasync def f(): pass\nasyncio.run(f())",
    "import asyncio\nloop = asyncio.new_event_loop()\nloop.run_until_complete(asyncio.sleep(0))",
    "import asyncio\n\nasyncio.Runner()",
):
    failed = told(source)
    assert failed["line"] == 3 and "asyncio does not run in the page" in failed["message"], failed
    assert "runner.py" not in failed["traceback"] and "File \"script.py\", line 3" in failed["traceback"], failed
failed = told("\nshow()")
assert failed["line"] == 2 and "too many" in failed["message"] and "blob:" not in failed["traceback"], failed

# A mark of the byte order is none of the script; what it says of a coding was of its file.
assert scripts.run("\ufeff# coding: latin-1\nassert ord('\xe9') == 233") is None


# What the page has no room for is told as an error of the package, and not as one of JavaScript.
class JsException(Exception):
    message = "show: a script may open 20 profiles"


def refuse(name, data):
    raise JsException(f"RangeError: {JsException.message}")


sys.path.insert(0, os.path.join(here, "../../../../python/src"))
sys.modules["_hotframe_page"] = types.SimpleNamespace(show=refuse)
from hotframe import Document, _pane

_pane.sys = types.SimpleNamespace(platform="emscripten")
made = Document.__new__(Document)
made.bytes = lambda: b""
shown["show"] = lambda: made.show("one more")
failed = told("\nshow()")
assert failed["line"] == 2 and failed["message"] == f"hotframe._engine.Error: {JsException.message}", failed
assert "JsException" not in failed["traceback"], failed
print("the pane's runner holds")
