"""speedscope's evented and sampled profiles. Each profile is a thread; one that has the samples of the one
before in another unit is none of its own. Time 0 is the earliest start."""

import decimal

from recording import Recording, Sample, Span

SCALE = {"nanoseconds": 1, "microseconds": 10**3, "milliseconds": 10**6, "seconds": 10**9}


def read(file):
    found = Recording()
    found.has_names = False
    found.origin = 0
    frames = file["shared"]["frames"]
    profiles = file["profiles"]
    if any(one["unit"] not in SCALE for one in profiles):
        return None
    first = min(decimal.Decimal(str(one["startValue"])) for one in profiles)
    for number, one in enumerate(profiles):
        def time(value):
            return int((decimal.Decimal(str(value)) - first) * SCALE[one["unit"]])

        if one["type"] == "sampled":
            at = decimal.Decimal(str(one["startValue"]))
            for weight in one["weights"]:
                weight = decimal.Decimal(str(weight))
                found.samples.append(Sample(str(number), time(at), time(at + weight) - time(at)))
                at += weight
            found.times.append(time(at))
            continue
        opened = []
        for event in one["events"]:
            at = time(event["at"])
            found.times.append(at)
            if event["type"] == "O":
                opened.append((event["frame"], at))
            elif opened and opened[-1][0] == event["frame"]:
                frame, begin = opened.pop()
                found.spans.append(Span(str(number), frames[frame]["name"], False, begin, at))
            else:
                return None
        if opened:
            return None
    return found
