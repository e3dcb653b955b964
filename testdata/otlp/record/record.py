"""Profiles its own threads by sampling and writes what OpenTelemetry's own classes encode.

Needs the package opentelemetry-proto (1.45.2). Usage: python3 record.py profile FILE, or
python3 record.py report FILE to print what the package decodes.
"""

import collections
import json
import sys
import threading
import time

from opentelemetry.proto.profiles.v1development import profiles_pb2 as otlp


def grind(size):
    return sum(number * number for number in range(size))


def sift(size):
    return sorted(str(number) for number in range(size))


def mill(stop):
    while not stop.is_set():
        grind(2000)
        sift(800)


class Dictionary:
    """The shared tables; entry 0 of each is the zero value."""

    def __init__(self):
        self.message = otlp.ProfilesDictionary()
        self.known = {}
        for table in ("mapping", "location", "function", "link", "attribute", "stack"):
            getattr(self.message, table + "_table").add()
        self.message.string_table.append("")

    def string(self, text):
        if text not in self.message.string_table:
            self.message.string_table.append(text)
        return list(self.message.string_table).index(text)

    def add(self, table, key, fill):
        if (table, key) not in self.known:
            rows = getattr(self.message, table + "_table")
            fill(rows.add())
            self.known[table, key] = len(rows) - 1
        return self.known[table, key]

    def attribute(self, key, value, unit=""):
        def fill(row):
            row.key_strindex = self.string(key)
            row.unit_strindex = self.string(unit)
            if isinstance(value, int):
                row.value.int_value = value
            else:
                row.value.string_value = value

        return self.add("attribute", (key, value), fill)

    def mapping(self, path, build_id):
        def fill(row):
            row.memory_start, row.memory_limit = 0x400000, 0x500000
            row.filename_strindex = self.string(path)
            row.attribute_indices.append(self.attribute("process.executable.build_id.gnu", build_id))

        return self.add("mapping", path, fill)

    def function(self, name, file, line):
        def fill(row):
            row.name_strindex, row.filename_strindex = self.string(name), self.string(file)
            row.start_line = line

        return self.add("function", (name, file, line), fill)

    def location(self, frame):
        code = frame.f_code
        place = ("mill.py", frame.f_lineno, code.co_name)

        def fill(row):
            row.mapping_index = self.mapping("/usr/bin/python3", "a1b2c3")
            row.address = 0x400000 + frame.f_lineno
            line = row.lines.add()
            line.function_index = self.function(code.co_name, "mill.py", code.co_firstlineno)
            line.line = frame.f_lineno

        return self.add("location", place, fill)

    def stack(self, frames):
        locations = tuple(self.location(frame) for frame in frames)
        return self.add("stack", locations, lambda row: row.location_indices.extend(locations))


def frames_of(frame):
    """Our own frames, the innermost first."""
    found = []
    while frame is not None:
        if frame.f_code.co_filename == __file__:
            found.append(frame)
        frame = frame.f_back
    return found


def record(path):
    data = otlp.ProfilesData()
    dictionary = Dictionary()
    resource = data.resource_profiles.add()
    attribute = resource.resource.attributes.add()
    attribute.key, attribute.value.string_value = "service.name", "mill"
    scope = resource.scope_profiles.add()
    scope.scope.name, scope.scope.version = "record.py", "1"
    on_cpu, observed = scope.profiles.add(), scope.profiles.add()
    on_cpu.sample_type.type_strindex = dictionary.string("cpu")
    on_cpu.sample_type.unit_strindex = dictionary.string("nanoseconds")
    on_cpu.period_type.CopyFrom(on_cpu.sample_type)
    on_cpu.period = 5_000_000
    observed.sample_type.type_strindex = dictionary.string("samples")
    observed.sample_type.unit_strindex = dictionary.string("count")

    stop = threading.Event()
    threads = [threading.Thread(target=mill, args=[stop], name=f"miller {n}") for n in range(2)]
    for thread in threads:
        thread.start()
    start = time.time_ns()
    times = collections.defaultdict(list)
    for _ in range(40):
        time.sleep(0.005)
        now = time.time_ns()
        for thread in threads:
            frames = frames_of(sys._current_frames()[thread.ident])
            where = tuple(
                dictionary.attribute(key, value)
                for key, value in [
                    ("process.pid", 4711),
                    ("thread.id", threads.index(thread) + 1),
                    ("thread.name", thread.name),
                    ("queue", 3 + threads.index(thread)),
                ]
            )
            times[dictionary.stack(frames), where].append(now)
    stop.set()
    for profile in (on_cpu, observed):
        profile.time_unix_nano = start
        profile.duration_nano = time.time_ns() - start
    for (stack, where), seen in times.items():
        # With values and times, with values only, with times only: all are allowed.
        sample = on_cpu.samples.add()
        sample.stack_index = stack
        sample.attribute_indices.extend(where)
        sample.values.extend([5_000_000] * len(seen))
        sample.timestamps_unix_nano.extend(seen)
        sample = observed.samples.add()
        sample.stack_index = stack
        sample.attribute_indices.extend(where)
        sample.timestamps_unix_nano.extend(seen)
    data.dictionary.CopyFrom(dictionary.message)
    with open(path, "wb") as out:
        out.write(data.SerializeToString())


def report(path):
    """Values by stack, with the leaf last, as decoded by the package."""
    data = otlp.ProfilesData()
    with open(path, "rb") as source:
        data.ParseFromString(source.read())
    tables = data.dictionary
    text = tables.string_table
    rows = []
    for resource in data.resource_profiles:
        for scope in resource.scope_profiles:
            for profile in scope.profiles:
                metric = text[profile.sample_type.type_strindex]
                sums = collections.Counter()
                for sample in profile.samples:
                    stack = tables.stack_table[sample.stack_index].location_indices
                    names = [
                        text[tables.function_table[line.function_index].name_strindex]
                        for index in reversed(stack)
                        for line in reversed(tables.location_table[index].lines)
                    ]
                    value = sum(sample.values) or len(sample.timestamps_unix_nano)
                    sums[";".join(names)] += value
                rows.append({"metric": metric, "stacks": dict(sorted(sums.items()))})
    json.dump(rows, sys.stdout, indent=1)
    print()


{"profile": record, "report": report}[sys.argv[1]](sys.argv[2])
