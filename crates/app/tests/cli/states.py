"""States of threads from the text of perf script with sched_switch and sched_wakeup, worked out event by
event. Rules: a thread runs from the switch to it up to the switch from it; where one of both is missing,
its state on that side is not known. Behind a run it is as prev_state says; a thread that sleeps is runnable
from the first wake-up on that is followed by a switch to it. What it did behind its last run is known only
if no switch between others is missing. Prints nanoseconds by thread and state."""

import collections
import json
import re
import sys

WORDS = {"R": "runnable", "S": "sleeping", "D": "sleeping, not interruptible", "X": "ended"}
LINE = re.compile(r"^\s*(.+?)\s+(?:\d+/)?(\d+) \[(\d+)\]\s+(\d+)\.(\d+):\s+sched:(\w+): (.*)$")

sums = collections.defaultdict(int)
events = []
for line in open(sys.argv[1], encoding="utf-8"):
    found = LINE.match(line)
    if found:
        _, _, cpu, seconds, fraction, event, text = found.groups()
        at = int(seconds) * 10**9 + int(fraction.ljust(9, "0"))
        events.append((at, cpu, event, text))
first, last = min(event[0] for event in events), max(event[0] for event in events)


def field(name, text):
    found = re.search(rf"\b{name}=(\S+)", text)
    return found and found.group(1)


since = collections.defaultdict(lambda: first)
state = collections.defaultdict(lambda: "not measured")
woken = {}
running = {}
seen = set()
is_whole = True


def spend(thread, until, what):
    sums[thread, what] += until - since[thread]
    since[thread] = until


for at, cpu, event, text in events:
    if event.startswith("sched_wakeup"):
        woken.setdefault(field("pid", text), at)
        continue
    before, after = field("prev_pid", text), field("next_pid", text)
    came = running.pop(cpu, None)
    if came == before and before != "0":
        spend(before, at, "running")
    else:
        if came is not None:
            state[came] = "not measured"
            is_whole = False
        if before != "0":
            is_whole = is_whole and cpu not in seen
            spend(before, at, "not measured")
    seen.add(cpu)
    if before != "0":
        state[before] = WORDS.get(field("prev_state", text)[0], "off processor")
        woken.pop(before, None)
    if after != "0":
        wake = woken.pop(after, None)
        if wake is not None and state[after] != "runnable" and wake >= since[after]:
            spend(after, wake, state[after])
            state[after] = "runnable"
        spend(after, at, state[after])
        running[cpu] = after
for thread in running.values():
    state[thread] = "not measured"
for thread in list(since):
    spend(thread, last, state[thread] if is_whole else "not measured")
told = collections.defaultdict(dict)
for (thread, what), length in sums.items():
    if length:
        told[thread][what] = length
print(json.dumps({thread: of for thread, of in told.items() if set(of) != {"not measured"}}))
