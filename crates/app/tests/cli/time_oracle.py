"""What happened when in a trace, counted from its JSON alone: Trace Event (and DevTools) and speedscope's
evented profiles. Prints spans by name with how many there are and how long they are, in all and in a
quarter to three quarters of the recording, marks by kind, and whether spans cross, which divides them, so
that only lengths are comparable.

Rules: times are nanoseconds, cut. Begins and ends pair on their thread (B, E) or by process, category and
id (b, e, S, F); an end is of the nearest span that is open under its name, without a name of the innermost
one, and one without a begin is left out unless the begin stands behind it at the same time. What never
ends ends with the last event of its thread, or of its process's operations of one category. X is as long as dur says, else tdur. A name with a place behind
it, as "f (file.py:3)", is the name alone. Counters among DevTools' instants, pictures, pieces of sampled
profiles and events without a time are no spans and no marks."""

import collections
import decimal
import gzip
import json
import re
import sys

PLACE = re.compile(r"^(.+?) \((.*):(\d+)\)$")


def nanoseconds(value):
    return int(decimal.Decimal(str(value)) * 1000)


def plain(name):
    found = PLACE.match(name)
    return (found.group(1) if found else name) or "(unnamed)"


def load(path):
    with open(path, "rb") as file:
        data = file.read()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    text = data.decode("utf-8", "replace").strip()
    # Traces that were cut have no end.
    for end in ("", "]", "]}"):
        try:
            return json.loads(text.rstrip().rstrip(",") + end, parse_float=decimal.Decimal)
        except ValueError:
            pass
    return None


spans = []  # name, asynchronous, begin, end
marks = []  # kind, time
times = []
crosses = False


def nests(own):
    ends = []
    for begin, end in sorted(own, key=lambda span: (span[0], -span[1])):
        while ends and ends[-1] <= begin:
            ends.pop()
        if ends and end > ends[-1]:
            return False
        ends.append(end)
    return True


def trace_events(events):
    global crosses
    order = []
    for event in events:
        phase = event.get("ph", "")
        if phase == "M" or event.get("name") in ("Screenshot", "Profile", "ProfileChunk"):
            continue
        if phase in tuple("BEXbeSFIiRnTpCstf") and "ts" in event:
            order.append((nanoseconds(event["ts"]), event))
    lines = collections.defaultdict(list)
    for at, event in order:
        phase, name = event["ph"], event.get("name", "")
        thread = (str(event.get("pid")), str(event.get("tid")))
        times.append(at)
        if phase in "BEX":
            lines[thread].append((at, event))
        elif phase in "beSF":
            lines[thread[0], event.get("cat", ""), str(event.get("id", event.get("id2")))].append((at, event))
        elif phase in "IiRnTp" and not (phase in "Ii" and name == "UpdateCounters"):
            marks.append((name, at))
    ends = collections.defaultdict(int)
    for key, line in lines.items():
        ends[key[:2]] = max(ends[key[:2]], max(at for at, _ in line))
    for key, line in lines.items():
        pair(line, ends[key[:2]] if len(key) == 3 else 0)


def pair(line, last):
    """Of events at one time the complete spans stand behind the others, the longer first."""
    global crosses
    length = lambda event: max(nanoseconds(event.get("dur", event.get("tdur", 0))), 0)
    line.sort(key=lambda one: (one[0], one[1]["ph"] == "X", -length(one[1]) if one[1]["ph"] == "X" else 0))
    opened, early, own = [], [], []
    for at, event in line:
        phase, name = event["ph"], event.get("name", "")
        is_asynchronous = phase not in "BEX"
        early = [one for one in early if one[0] == at]
        last = max(last, at)
        if phase == "X":
            end = at + length(event)
            times.append(end)
            last = max(last, end)
            own.append((plain(name), False, at, end))
        elif phase in "BbS":
            opened.append((name, is_asynchronous, at))
            if (at, name) in early:
                early.remove((at, name))
                opened.pop()
                own.append((plain(name), is_asynchronous, at, at))
        else:
            places = [place for place, one in enumerate(opened) if name in ("", one[0])]
            if places:
                # Those inside go on outside of it.
                crosses = crosses or places[-1] + 1 < len(opened)
                known, _, begin = opened.pop(places[-1])
                own.append((plain(known), is_asynchronous, begin, at))
            else:
                early.append((at, name))
    own += [(plain(name), is_asynchronous, begin, last) for name, is_asynchronous, begin in opened]
    crosses = crosses or not nests([span[2:] for span in own])
    spans.extend(own)


def speedscope(file):
    global crosses
    frames = file["shared"]["frames"]
    scale = {"nanoseconds": 1, "microseconds": 10**3, "milliseconds": 10**6, "seconds": 10**9}
    first = min(decimal.Decimal(str(one["startValue"])) for one in file["profiles"])
    for one in file["profiles"]:
        if one["type"] != "evented" or one["unit"] not in scale:
            return False
        opened = []
        for event in one["events"]:
            at = int((decimal.Decimal(str(event["at"])) - first) * scale[one["unit"]])
            times.append(at)
            if event["type"] == "O":
                opened.append((event["frame"], at))
            elif opened and opened[-1][0] == event["frame"]:
                frame, begin = opened.pop()
                spans.append((frames[frame]["name"], False, begin, at))
            else:
                return False
        if opened:
            return False
    return True


file = load(sys.argv[1])
if isinstance(file, dict) and "shared" in file:
    if not speedscope(file):
        sys.exit(0)
elif file is not None:
    events = file.get("traceEvents", []) if isinstance(file, dict) else file
    trace_events([event for event in events if isinstance(event, dict)])
if not times:
    sys.exit(0)
origin = min(times) if not (isinstance(file, dict) and "shared" in file) else 0
whole = max(times) - origin
window = [whole // 4, whole * 3 // 4]
told = collections.defaultdict(lambda: [0, 0, 0])
for name, is_asynchronous, begin, end in spans:
    sums = told[json.dumps([name, is_asynchronous])]
    sums[0] += 1
    sums[1] += end - begin
    sums[2] += max(min(end - origin, window[1]) - max(begin - origin, window[0]), 0)
print(json.dumps({
    "window": window,
    "crosses": crosses,
    "spans": told,
    "marks": collections.Counter(kind for kind, _ in marks),
}))
