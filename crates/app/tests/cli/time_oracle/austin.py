"""Text of austin with a head. A sample lasted as long as it says, since the one before; each process is sampled
in rounds, which begin where a thread comes again and are as long as their longest sample. A process begins when
those before it are at their latest. Recordings of processor time lack idle samples, those of memory all times."""

import re

from recording import Recording, Sample

LINE = re.compile(r"^P(\d+);T(\w+:)?(\w+)(?:;.*)? ([\d,-]+)$")


def read(text):
    if not re.search(r"^# mode: (wall|full)$", text, re.M):
        return None
    found = Recording()
    found.origin = 0
    rounds, latest = {}, 0
    for line in text.splitlines():
        line = LINE.match(line)
        if line is None:
            continue
        process, interpreter, thread, numbers = line.groups()
        key = thread if interpreter in (None, "0:") else interpreter + thread
        length = max(int(numbers.split(",")[0]), 0) * 1000
        begin, longest, seen = rounds.get(process, (latest, 0, set()))
        if key in seen:
            begin, longest, seen = begin + longest, 0, set()
        longest = max(longest, length)
        rounds[process] = (begin, longest, seen | {key})
        latest = max(latest, begin + longest)
        found.samples.append(Sample(key, begin, length))
    return found
