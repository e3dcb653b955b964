"""Firefox's profiles, processed and gecko. Markers with a begin and an end are spans of their thread: in
each other, or asynchronous where those of the thread overlap; an end is of the last begin of its name; what
never ends has no length. Pictures are left out. Times of a gecko profile's inner
processes are after the start of their own. Memory is told as what came and went; values are what is in use."""

import decimal
import json

from recording import Mark, Recording, Sample, Span, nests


def nanoseconds(value):
    return None if value is None else int(decimal.Decimal(str(value)) * 10**6)


def columns(table):
    """Rows as dicts, of both forms."""
    if not table:
        return []
    if "schema" in table:
        places = table["schema"]
        return [
            {key: row[place] if place < len(row) else None for key, place in places.items()}
            for row in table["data"]
        ]
    lists = {key: rows for key, rows in table.items() if isinstance(rows, list)}
    count = max(map(len, lists.values()), default=0)
    return [{key: rows[at] if at < len(rows) else None for key, rows in lists.items()} for at in range(count)]


def times_of(table):
    """The time of each row, or what passed since the one before."""
    rows, clock = columns(table), decimal.Decimal(0)
    for row in rows:
        if "timeDeltas" in row:
            clock += row["timeDeltas"] or 0
            row["time"] = clock
        yield row


def read(file):
    found = Recording()
    found.origin = 0
    process(file, file, found)
    return found


def process(part, root, found):
    offset = 0
    if part is not root:
        offset = nanoseconds(decimal.Decimal(str(part["meta"]["startTime"])) - decimal.Decimal(str(root["meta"]["startTime"])))
    shared = root.get("shared", {}).get("stringArray", [])
    for place, thread in enumerate(part["threads"]):
        if isinstance(thread, str):
            # Old profiles have other processes as text.
            inner = json.loads(thread, parse_float=decimal.Decimal)
            process(inner, root, found)
            continue
        strings = thread.get("stringArray") or thread.get("stringTable") or shared
        strings = strings if isinstance(strings, list) else shared
        # A thread without a number has that of its place.
        track = str(place if thread.get("tid") is None else thread["tid"])
        cpu_use(thread, root, offset, found)
        last = None
        for table in ("samples", "jsAllocations", "nativeAllocations"):
            for row in times_of(thread.get(table)):
                if row.get("time") is None:
                    continue
                time = nanoseconds(row["time"]) + offset
                found.samples.append(Sample(track, time, 0))
                if table == "samples":
                    last = time if last is None else max(last, time)
        markers(columns(thread.get("markers")), strings, track, offset, last, found)
    for counter in part.get("counters", []):
        groups = [counter["samples"]] if "samples" in counter else []
        groups += [one["samples"] for one in counter.get("sampleGroups", counter.get("sample_groups", []))]
        for number, group in enumerate(groups):
            name = counter["name"] + (f" [{number}]" if number else "")
            value = 0
            for row in times_of(group):
                if row.get("time") is None or row.get("count") is None:
                    continue
                value = row["count"] + (value if counter["category"] == "Memory" else 0)
                found.counters[name].append((nanoseconds(row["time"]) + offset, value))
    for inner in part.get("processes", []):
        process(inner, root, found)


def cpu_use(thread, root, offset, found):
    """The delta of a sample is of the time since the one before: its share of it, or cycles in a second."""
    unit = root["meta"].get("sampleUnits", {}).get("threadCPUDelta", "µs")
    scale = {"ns": 1, "µs": 1000, "ms": 10**6, "variable CPU cycles": 10**9}[unit]
    before = None
    for row in times_of(thread.get("samples")):
        time, cpu = row.get("time"), row.get("threadCPUDelta")
        if time is None:
            continue
        time = nanoseconds(time)
        if before is not None and cpu is not None and time > before:
            found.counters["CPU use"].append((before + offset, float(cpu) * scale / (time - before)))
        before = time


def kind_of(row, data):
    """instant, interval, begin or end, with its times."""
    start, end, time = (nanoseconds(row.get(key)) for key in ("startTime", "endTime", "time"))
    phases = {0: "instant", 1: "interval", 2: "begin", 3: "end"}
    if row.get("phase") in phases:
        kind = phases[row["phase"]]
    elif data.get("interval") in ("start", "end"):
        kind = {"start": "begin", "end": "end"}[data["interval"]]
    elif start is None and isinstance(data.get("startTime"), (int, float, decimal.Decimal)) and "endTime" in data:
        return "interval", nanoseconds(data["startTime"]), nanoseconds(data["endTime"])
    else:
        kind = "interval" if start is not None and end is not None and time is None else "instant"
    return kind, time if start is None else start, time if end is None else end


def markers(rows, strings, track, offset, last, found):
    spans, opened = [], []
    for row in rows:
        data = row.get("data") or {}
        if data.get("type") == "CompositorScreenshot":
            continue
        name = strings[row["name"]] or "(unnamed)"
        kind, begin, end = kind_of(row, data)
        begin, end = (None if time is None else time + offset for time in (begin, end))
        if {"instant": begin, "begin": begin, "end": end}.get(kind, begin) is None:
            continue
        used = {"instant": [begin], "begin": [begin], "end": [end], "interval": [begin, end]}[kind]
        last = max([time for time in used if time is not None] + ([] if last is None else [last]))
        if kind == "instant":
            found.marks.append(Mark(name, begin))
        elif kind == "interval":
            if end is not None:
                spans.append(Span(track, name, False, begin, max(end, begin)))
        elif kind == "begin":
            opened.append((name, begin))
        else:
            places = [place for place, one in enumerate(opened) if one[0] == name]
            if places:
                _, begin = opened.pop(places[-1])
                spans.append(Span(track, name, False, begin, max(end, begin)))
    # What never ends has no length.
    found.times += [max(last, begin) for _, begin in opened]
    spans += [Span(track, name, False, begin, begin) for name, begin in opened]
    if not nests(spans):
        spans = [span._replace(track=None, is_asynchronous=True) for span in spans]
    found.spans += spans
