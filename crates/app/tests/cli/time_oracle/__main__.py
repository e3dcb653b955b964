"""What happened when in recordings, counted from the files alone: spans, marks, samples, values of
counters and flows, by name and by thread, in all and in two ranges of time. Prints a line for each file
that tells of time.

    python3 time_oracle FILE...

Each module has the rules of its format that are not a matter of course; docs/formats.md states them too.
"""

import json
import os
import sys

import austin
import firefox
import hpctoolkit
import jfr
import perf_script
import perfetto
import recording
import simpleperf
import speedscope
import trace_events


def read(path):
    if os.path.isdir(path):
        return hpctoolkit.read(path)
    if "perfetto" in os.path.basename(path):
        return perfetto.read(recording.unpacked(path))
    data = recording.unpacked(path)
    if data[:4] == b"FLR\0":
        return jfr.read(data)
    if data[:10] == b"SIMPLEPERF":
        return simpleperf.read(data)
    if "perf" in os.path.basename(os.path.dirname(path)) or ".perf" in path:
        return perf_script.read(data.decode("utf-8", "replace"))
    if data.startswith(b"# austin"):
        return austin.read(data.decode("utf-8", "replace"))
    if path.endswith(".mojo"):
        # As austin's own converter has it.
        folder, name = os.path.split(path)
        report = os.path.join(folder, "reports", name + ".mojo2austin.txt")
        return read(report) if os.path.exists(report) else None
    file = trace_events.load(data)
    if isinstance(file, dict) and "shared" in file and "profiles" in file:
        return speedscope.read(file)
    if isinstance(file, dict) and "threads" in file and "meta" in file:
        return firefox.read(file)
    is_trace = "traceEvents" in file if isinstance(file, dict) else isinstance(file, list)
    return trace_events.read(file) if is_trace else None


for path in sys.argv[1:]:
    found = read(path)
    figures = found and found.figures()
    if figures:
        print(json.dumps({"file": path, **figures}))
