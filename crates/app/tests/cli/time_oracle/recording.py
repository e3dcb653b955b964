"""What all formats tell, in one shape, and its figures."""

import collections
import gzip
import json

Span = collections.namedtuple("Span", "track name is_asynchronous begin end")
Sample = collections.namedtuple("Sample", "track time length")
Mark = collections.namedtuple("Mark", "kind time")
Flow = collections.namedtuple("Flow", "name begin end")


def unpacked(path):
    with open(path, "rb") as file:
        data = file.read()
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


def nests(spans):
    """Whether each ends before the one ends that it began in."""
    ends = []
    for begin, end in sorted(((one.begin, one.end) for one in spans), key=lambda one: (one[0], -one[1])):
        while ends and ends[-1] <= begin:
            ends.pop()
        if ends and end > ends[-1]:
            return False
        ends.append(end)
    return True


class Recording:
    """Times are nanoseconds after `origin`, whichever clock that is of. A track is named by what stands in
    the brackets behind its name, its number; nothing for lanes, whose spans have none."""

    def __init__(self):
        self.spans, self.samples, self.marks, self.flows = [], [], [], []
        self.counters = collections.defaultdict(list)  # by name, (time, value)
        self.times = []  # of what else there is
        self.origin = None
        # Spans that cross are divided, so that only lengths are comparable.
        self.crosses = False
        # Tracks are not told by a number of the file.
        self.has_names = True
        # Of the counters here only some are shown.
        self.has_more_counters = False

    def extent(self):
        times = [time for span in self.spans for time in span[3:]]
        times += [sample.time for sample in self.samples] + [mark.time for mark in self.marks]
        times += [time for rows in self.counters.values() for time, _ in rows]
        times += [time for flow in self.flows for time in flow[1:]] + self.times
        return (min(times), max(times)) if times else None

    def figures(self):
        extent = self.extent()
        if extent is None:
            return None
        origin = extent[0] if self.origin is None else self.origin
        first, last = (time - origin for time in extent)
        length = last - first
        windows = [[first + length // 4, first + length * 3 // 4], [first, first + length // 10]]
        windows = [window for window in windows if window[0] < window[1]]
        absolute = [[begin + origin, end + origin] for begin, end in windows]
        names = collections.defaultdict(lambda: [0, 0] + [0] * len(windows))
        # Spans, their length, samples; then the latter two in each window.
        tracks = collections.defaultdict(lambda: [0, 0, 0] + [0, 0] * len(windows))
        for span in self.spans:
            sums = [names[json.dumps([span.name, span.is_asynchronous])]]
            sums += [] if span.track is None else [tracks[span.track]]
            for row in sums:
                row[0] += 1
                row[1] += span.end - span.begin
            for place, (begin, end) in enumerate(absolute):
                part = max(min(span.end, end) - max(span.begin, begin), 0)
                sums[0][2 + place] += part
                if len(sums) > 1:
                    sums[1][3 + 2 * place] += part
        for sample in self.samples:
            row = tracks[sample.track]
            row[2] += 1
            for place, (begin, end) in enumerate(absolute):
                touches = sample.time < end and sample.time + max(sample.length, 1) > begin
                row[4 + 2 * place] += touches
        marks = collections.defaultdict(lambda: 0)
        for mark in self.marks:
            marks[mark.kind] += 1
        inside = [sum(begin <= mark.time < end for mark in self.marks) for begin, end in absolute]
        flows = collections.defaultdict(lambda: [0, 0])
        for flow in self.flows:
            flows[flow.name][0] += 1
            flows[flow.name][1] += flow.end - flow.begin
        return {
            "windows": windows,
            "crosses": self.crosses,
            "has_names": self.has_names,
            "has_more_counters": self.has_more_counters,
            "spans": names,
            "tracks": tracks,
            "marks": marks,
            "marks_inside": inside,
            "counters": {
                name: [len(rows), float(sum(value for _, value in rows))] for name, rows in self.counters.items()
            },
            "flows": flows,
        }
