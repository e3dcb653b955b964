"""Java's recordings, as `jfr print --json` of the JDK has them. Events that lasted are spans on their
thread: in each other, or asynchronous where those of the thread overlap or there is none; others are
instants. What tells of settings or lists what the machine has is not an event in time; samples and allocations
are points only, with what else has a stack. Series of values are counters. Time 0 is the start of the first
chunk; ticks become nanoseconds with a rounding each."""

import collections
import datetime
import json
import re
import shutil
import struct
import subprocess
import tempfile

from recording import Mark, Recording, Sample, Span, nests

SETTINGS = (
    "Flag Property Variable Configuration Information ActiveRecording ActiveSetting ModuleExport "
    "ModuleRequire NativeLibrary NativeAgent JavaAgent SystemProcess ThreadDump CPUTimeStampCounter"
)
SAMPLES = ["Sample", "ObjectAllocation"]
SERIES = (
    "CPULoad ThreadCPULoad GCHeapSummary GCHeapMemoryUsage GCHeapMemoryPoolUsage G1HeapSummary PSHeapSummary "
    "MetaspaceSummary JavaThreadStatistics ThreadAllocationStatistics ThreadContextSwitchRate "
    "ClassLoadingStatistics ExceptionStatistics CompilerStatistics CodeCacheStatistics ResidentSetSize "
    "PhysicalMemory NativeMemoryUsageTotal DirectBufferStatistics NetworkUtilization"
)


def printed(data):
    if shutil.which("jfr") is None:
        return None
    with tempfile.NamedTemporaryFile(suffix=".jfr") as file:
        file.write(data)
        file.flush()
        said = subprocess.run(["jfr", "print", "--json", file.name], capture_output=True, text=True)
    # Recordings that were cut short are not printed.
    return json.loads(said.stdout)["recording"]["events"] if said.returncode == 0 else None


def nanoseconds(text):
    date, fraction, zone = re.fullmatch(r"(.*?)(?:\.(\d+))?([+-].*|Z)", text[10:]).groups()
    whole = datetime.datetime.fromisoformat(text[:10] + date + zone.replace("Z", "+00:00"))
    return int(whole.timestamp()) * 10**9 + int((fraction or "").ljust(9, "0"))


def length(text):
    """PT1M2.5S"""
    hours, minutes, seconds, fraction = re.fullmatch(
        r"PT(?:(\d+)H)?(?:(\d+)M)?(?:(-?\d+)(?:\.(\d+))?S)?", text
    ).groups("0")
    whole = (int(hours) * 60 + int(minutes)) * 60 + int(seconds)
    return whole * 10**9 + int(fraction.ljust(9, "0"))


def leaves(values, path=""):
    for key, value in values.items():
        if isinstance(value, dict):
            yield from leaves(value, f"{path}{key}.")
        else:
            yield path + key, value


def read(data):
    events = printed(data)
    if events is None:
        return None
    found = Recording()
    found.has_more_counters = True
    (found.origin,) = struct.unpack_from(">Q", data, 32)
    found.times.append(found.origin)
    # Events count that can have a stack, with one or without. Settings of the recorder are not events.
    can_have = {event["type"] for event in events if "stackTrace" in event["values"]}
    with_stack = {kind for kind in can_have if not kind.endswith(".ActiveSetting")}
    lines = collections.defaultdict(list)
    for event in events:
        kind, values = event["type"], event["values"]
        short = kind.rsplit(".", 1)[-1]
        time = nanoseconds(values["startTime"])
        lasted = length(values.get("duration") or "PT0S")
        thread = values.get("sampledThread") or values.get("eventThread") or {}
        if kind in with_stack:
            track = str(thread["osThreadId"]) if thread else "all samples"
            found.samples.append(Sample(track, time, 0 if short in SERIES.split() else lasted))
        if any(kind.endswith(ending) for ending in SETTINGS.split()):
            continue
        if short in SERIES.split():
            texts = [value for _, value in leaves(values) if isinstance(value, str)]
            for path, value in leaves(values):
                if isinstance(value, (int, float)) and not isinstance(value, bool):
                    for name in [f"{kind} {path}"] + [f"{kind} {path}: {text}" for text in texts]:
                        found.counters[name].append((time, value))
        elif not any(part in kind for part in SAMPLES):
            if lasted > 0:
                track = str(thread["osThreadId"]) if thread else None
                lines[track].append(Span(track, kind, False, time, time + lasted))
            else:
                found.marks.append(Mark(kind, time))
    for track, line in lines.items():
        if track is None or not nests(line):
            line = [span._replace(track=None, is_asynchronous=True) for span in line]
        found.spans += line
    return found
