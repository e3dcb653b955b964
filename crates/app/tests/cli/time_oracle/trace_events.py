"""Trace Event JSON, also DevTools' and VizTracer's.

Times are nanoseconds, cut; time 0 is the first event. Begins and ends pair on their thread (B, E) or by
process, category and id (b, e, S, F); an end is of the nearest span that is open under its name, without a
name of the innermost one, and one without a begin is left out unless the begin stands behind it at the same
time. What never ends has no length; it is drawn to the last event of its thread, or of its process's
operations of one category. X is as long as dur says, else tdur. A name with a place behind it, as "f (file.py:3)", is the name alone.
Instants of DevTools' counters are counters. A step of a flow is an arrow from the step before. A sample lasts
until the next one of its thread."""

import collections
import decimal
import json
import re

from recording import Flow, Mark, Recording, Sample, Span, nests

PLACE = re.compile(r"^(.+?) \((.*):(\d+)\)$")
PROFILES = ("Profile", "ProfileChunk", "CpuProfile")


def nanoseconds(value):
    return int(decimal.Decimal(str(value)) * 1000)


def plain(name):
    found = PLACE.match(name)
    return (found.group(1) if found else name) or "(unnamed)"


def load(data):
    text = data.decode("utf-8", "replace").strip()
    # Traces that were cut have no end.
    for end in ("", "]", "]}"):
        try:
            return json.loads(text.rstrip().rstrip(",") + end, parse_float=decimal.Decimal)
        except ValueError:
            pass
    return None


def read(file):
    events = file.get("traceEvents", []) if isinstance(file, dict) else file
    events = [event for event in events if isinstance(event, dict)]
    found = Recording()
    lines, flows = collections.defaultdict(list), collections.defaultdict(list)
    for event in events:
        phase, name = event.get("ph", ""), event.get("name", "")
        if "ts" not in event or phase in ("M", "") or name == "Screenshot" or name in PROFILES:
            continue
        at = nanoseconds(event["ts"])
        thread = (str(event.get("pid")), str(event.get("tid")))
        if phase in "BEXbeSFIiRnTpCstf":
            found.times.append(at)
        if phase in "BEX":
            lines[thread].append((at, event))
        elif phase in "beSF":
            lines[thread[0], event.get("cat", ""), str(event.get("id", event.get("id2")))].append((at, event))
        elif phase == "C" or phase in "Ii" and name == "UpdateCounters":
            counter(event, at, found)
        elif phase in "IiRnTp":
            found.marks.append(Mark(name, at))
        elif phase in "stf":
            flows[event.get("cat"), name, str(event.get("id", event.get("bind_id")))].append((at, "stf".index(phase)))
    ends = collections.defaultdict(int)
    for key, line in lines.items():
        ends[key[:2]] = max(ends[key[:2]], max(at for at, _ in line))
    for key, line in lines.items():
        pair(line, ends[key[:2]] if len(key) == 3 else 0, key[1] if len(key) == 2 else None, found)
    for (_, name, _), steps in flows.items():
        flow(name, sorted(steps), found)
    sampled(file, found)
    profiles(events, found)
    return found


def counter(event, at, found):
    values = event.get("args", {})
    values = values.get("data", values) if event["ph"] != "C" else values
    for key, value in values.items():
        try:
            value = float(value)
        except (TypeError, ValueError):
            continue
        name = event["name"] + (f" [{event['id']}]" if "id" in event else "")
        unit = re.fullmatch(r"value( \(.*\))?", key)
        found.counters[name if unit or key == event["name"] else f"{name}: {key}"].append((at, value))


def flow(name, steps, found):
    if [phase for _, phase in steps] == [2, 0]:
        # It arrives before it left, by clocks that differ.
        steps.reverse()
    before = None
    for at, phase in steps:
        if phase > 0 and before is not None:
            found.flows.append(Flow(name, before, at))
        before = at if phase == 0 or phase == 1 and before is not None else None


def pair(line, last, track, found):
    """Of events at one time the complete spans stand behind the others, the longer first."""
    length = lambda event: max(nanoseconds(event.get("dur", event.get("tdur", 0))), 0)
    line.sort(key=lambda one: (one[0], one[1]["ph"] == "X", -length(one[1]) if one[1]["ph"] == "X" else 0))
    opened, early, own = [], [], []
    span = lambda name, begin, end: own.append(Span(track, plain(name), track is None, begin, end))
    for at, event in line:
        phase, name = event["ph"], event.get("name", "")
        early = [one for one in early if one[0] == at]
        last = max(last, at)
        if phase == "X":
            last = max(last, at + length(event))
            span(name, at, at + length(event))
        elif phase in "BbS":
            if (at, name) in early:
                early.remove((at, name))
                span(name, at, at)
            else:
                opened.append((name, at))
        else:
            places = [place for place, one in enumerate(opened) if name in ("", one[0])]
            if places:
                # Those inside go on outside of it.
                found.crosses = found.crosses or places[-1] + 1 < len(opened)
                span(*opened.pop(places[-1]), at)
            else:
                early.append((at, name))
    for name, begin in opened:
        found.times.append(last)
        span(name, begin, begin)
    found.crosses = found.crosses or not nests(own)
    found.spans += own


def sampled(file, found):
    rows = collections.defaultdict(list)
    for row in file.get("samples", []) if isinstance(file, dict) else []:
        rows[str(row["tid"])].append(nanoseconds(row["ts"]))
    for track, times in rows.items():
        times.sort()
        for time, until in zip(times, times[1:] + times[-1:]):
            found.samples.append(Sample(track, time, until - time))


def profiles(events, found):
    """Sampled profiles of DevTools: their times are what passed since the sample before."""
    known = {}
    for event in events:
        if event.get("name") not in PROFILES or event.get("ph") not in ("P", "I"):
            continue
        data = event.get("args", {}).get("data", {})
        key = (event.get("pid"), event.get("id", event.get("tid")))
        one = known.setdefault(key, {"track": str(event.get("tid")), "start": None, "deltas": []})
        if event["name"] != "ProfileChunk":
            one["track"] = str(event.get("tid"))
        whole = data.get("cpuProfile", {})
        one["start"] = data.get("startTime", whole.get("startTime", one["start"]))
        deltas = data.get("timeDeltas", whole.get("timeDeltas", []))
        one["deltas"] += deltas
        one["end"] = data.get("endTime", whole.get("endTime", one.get("end")))
    others = found.extent()
    for one in known.values():
        times, clock = [], one["start"]
        for delta in one["deltas"]:
            clock += delta
            times.append(nanoseconds(clock))
        times.sort()
        begin = nanoseconds(one["start"])
        if others and times and is_far([begin, times[-1]], others):
            # Told by another clock: it begins with the others.
            shift = others[0] - begin
            begin, times = begin + shift, [time + shift for time in times]
            one["end"] = None
        found.times += [begin] if times else []
        end = times[-1:] if one["end"] is None else [max(nanoseconds(one["end"]), times[-1])]
        for time, until in zip(times, times[1:] + end):
            found.samples.append(Sample(one["track"], time, until - time))


def is_far(one, other):
    """Apart by more than both last, and a minute."""
    gap = max(one[0], other[0]) - min(one[1], other[1])
    return gap > one[1] - one[0] + other[1] - other[0] + 60 * 10**9
