"""A notebook's kernel: examples give what the command line gives, and a profile has a picture and a widget."""

import json
import sys

import nbformat
from nbclient import NotebookClient

example, expected, *files = sys.argv[1:]
opened = "import hotframe\nprofiles = [hotframe.open(file) for file in %r]\nprofile = profiles[0]\nprofile" % files
relay = """
from hotframe import widget
sent = []
live = widget.widget(profile)
live.send = lambda message, buffers=None: sent.append((message, buffers))
from hotframe import _frames
def told(message, buffers=()):
    sent.clear()
    live._handle_custom_msg(message, list(buffers))
    return list(sent)
(page, _), = told({"kind": "page"})
assert page["text"].startswith("<!doctype html>") and "</script" in page["text"]
assert told({"kind": "connect"}) == [({"kind": "opened", "document": profile.number}, None)]
def ask(method, **params):
    header = {"kind": "request", "id": 3, "request": {"method": method, "params": params}}
    answers = told({"kind": "frame"}, [_frames.encode(header, {})])
    return _frames.decode(answers[-1][1][0])
header, columns = ask("summary", document=profile.number)
assert header["id"] == 3 and header["result"]["title"] == profile.title
header, _ = ask("open_files", paths=["/etc/passwd"])
assert header["kind"] == "error" and header["error"]["code"] == "not_allowed"
assert told({"kind": "frame"}, [_frames.encode({"kind": "cancel", "id": 3}, {})]) == []
print("frames are relayed")
"""
with open(example, encoding="utf-8") as file:
    script = file.read()
cells = [nbformat.v4.new_code_cell(text) for text in (opened, script, relay)]
notebook = nbformat.v4.new_notebook(cells=cells)
NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
first, second, third = (cell["outputs"] for cell in notebook["cells"])
data = first[0]["data"]
assert data["image/svg+xml"].startswith("<svg") and "application/vnd.jupyter.widget-view+json" in data, list(data)
printed = "".join(output["text"] for output in second if output["output_type"] == "stream")
with open(expected, encoding="utf-8") as file:
    assert printed == file.read(), printed
assert any("image/svg+xml" in output.get("data", {}) for output in second), "what was shown is below the cell"
# A line may come in pieces.
relayed = "".join(output["text"] for output in third if output["output_type"] == "stream")
assert relayed == "frames are relayed\n", json.dumps(third)[:2000]
print("the notebook holds")
