"""Perfetto's traces, by the numbers of their published descriptors. Times go to the clock since the boot by the
snapshots of clocks; time 0 is the first. What packets build on that were lost is left out."""

import collections
import struct
import zlib

from protobuf import fields, message, packed, signed
from recording import Flow, Mark, Recording, Sample, Span


def text(values):
    return values[0].decode() if values else ""


def first(values, default=0):
    return values[0] if values else default


class Sequence:
    def __init__(self):
        self.names, self.clock, self.track, self.is_lost, self.time = {}, 6, None, False, 0
        self.older = None


class Reader:
    def __init__(self):
        self.found = Recording()
        self.sequences = collections.defaultdict(Sequence)
        self.offsets, self.own, self.tracks = {6: 0}, {}, {}
        self.opened, self.last = collections.defaultdict(list), collections.defaultdict(int)
        self.switches, self.flows = collections.defaultdict(list), collections.defaultdict(list)
        self.wakings = []

    def name_of(self, uuid):
        """The number of the thread; nothing for what is none."""
        track = self.tracks.get(uuid, {})
        return track.get("tid")

    def happen(self, uuid, time):
        self.last[uuid] = max(self.last[uuid], time)

    def end(self, uuid, time):
        if self.opened[uuid]:
            name, begin = self.opened[uuid].pop()
            self.span(uuid, name, begin, time)

    def span(self, uuid, name, begin, end):
        track = self.name_of(uuid) if isinstance(uuid, int) else uuid[0]
        self.found.spans.append(Span(track, name, track is None, begin, end))

    def packet(self, packet):
        sequence = self.sequences[first(packet[10])]
        flags = first(packet[13])
        if flags & 1:
            sequence.names, sequence.is_lost = {}, False
        elif first(packet[42]):
            sequence.is_lost = True
        for snapshot in packet[6]:
            self.snapshot(message(snapshot), first(packet[10]))
        for data in packet[12]:
            self.intern(message(data), sequence)
        for defaults in packet[59]:
            defaults = message(defaults)
            sequence.clock = first(defaults[58], 6)
            for inner in defaults[11]:
                sequence.track = first(message(inner)[11], None)
        for descriptor in packet[60]:
            self.descriptor(message(descriptor))
        for descriptor in packet[44]:
            descriptor = message(descriptor)
            sequence.older = str(first(descriptor[2]))
            sequence.time = signed(first(descriptor[6]))
        if sequence.is_lost and flags & 2:
            return
        time = self.time(packet, sequence)
        for event in packet[11]:
            self.event(message(event), sequence, time)
        for bundle in packet[1]:
            self.kernel(message(bundle))
        for sample in packet[66]:
            sample = message(sample)
            if not sample[18]:
                self.found.samples.append(Sample(str(first(sample[3])), time, 0))

    def time(self, packet, sequence):
        time = first(packet[8])
        clock = first(packet[58], sequence.clock)
        if clock == 64 and packet[8]:
            key = first(packet[10])
            self.own[key] = self.own.get(key, 0) + time * 1000
            return self.own[key]
        return time + self.offsets.get(clock, 0)

    def snapshot(self, snapshot, sequence):
        clocks = {first(clock[1]): clock for clock in map(message, snapshot[1])}
        boot = first(clocks[6][2])
        for number, clock in clocks.items():
            time = first(clock[2])
            if first(clock[3]):
                self.own[sequence] = boot - time * first(clock[4], 1)
            else:
                self.offsets[number] = boot - time

    def intern(self, data, sequence):
        for table in (2, 5, 6, 7):  # event_names, function_names, frames, callstacks
            for entry in map(message, data[table]):
                if table == 2:
                    sequence.names[first(entry[1])] = text(entry[2])

    def descriptor(self, track):
        uuid = first(track[1])
        known = self.tracks.setdefault(uuid, {"multiplier": 1})
        known["parent"] = first(track[5], None)
        known["name"] = text(track[2]) or known.get("name", "")
        for thread in map(message, track[4]):
            known["tid"] = str(first(thread[2]))
        for counter in map(message, track[8]):
            known["multiplier"] = first(counter[4], 1)

    def event(self, event, sequence, time):
        name = text(event[23]) or sequence.names.get(first(event[10]), "")
        if event[6]:
            return self.legacy(message(event[6][0]), event, sequence)
        uuid = first(event[11], sequence.track)
        kind = first(event[9])
        self.happen(uuid, time)
        if kind == 1:
            self.opened[uuid].append((name, time))
        elif kind == 2:
            self.end(uuid, time)
        elif kind == 3:
            self.found.marks.append(Mark(name, time))
        elif kind == 4:
            value = struct.unpack("<d", event[44][0])[0] if event[44] else signed(first(event[30]))
            track = self.tracks[uuid]
            self.found.counters[track["name"]].append((time, value * track["multiplier"]))
        for number in (36, 47, 42, 48):  # flow_ids, with the older numbers, and those that end
            for flow in packed(event[number]) if number in (36, 42) else fixed(event[number]):
                self.flows[flow].append((time, name))

    def legacy(self, legacy, event, sequence):
        sequence.time += signed(first(event[1]))
        time = sequence.time * 1000 + self.offsets[3]
        phase = chr(first(legacy[2]))
        name = sequence.names.get(first(legacy[1]) or first(event[10]), "")
        track, key = sequence.older, ("legacy", first(legacy[6]) or first(legacy[10]))
        if phase == "X":
            length = signed(first(legacy[3])) * 1000
            self.found.spans.append(Span(track, name, False, time, time + length))
        elif phase == "b":
            self.opened[key].append((name, time))
        elif phase == "e" and self.opened[key]:
            name, begin = self.opened[key].pop()
            self.found.spans.append(Span(None, name, True, begin, time))
        elif phase in "nI":
            self.found.marks.append(Mark(name, time))

    def kernel(self, bundle):
        cpu = first(bundle[1])
        for event in map(message, bundle[2]):
            time, thread = first(event[1]), first(event[2])
            for switch in map(message, event[4]):
                self.switches[cpu].append((time, first(switch[6]), text(switch[5])))
            for waking in map(message, event[20]):
                self.wakings.append((time, first(waking[2])))
            for frequency in map(message, event[11]):
                self.found.counters["frequency"].append((time, first(frequency[1])))
            for line in map(message, event[3]):
                self.atrace(text(line[2]).strip().split("|"), thread, time)
        for compact in map(message, bundle[4]):
            names, time = [one.decode() for one in compact[5]], 0
            columns = [list(packed(compact[number])) for number in (1, 3, 6)]
            for passed, thread, name in zip(*columns):
                time += passed
                self.switches[cpu].append((time, thread, names[name]))
            time = 0
            for passed, thread in zip(packed(compact[7]), packed(compact[8])):
                time += passed
                self.wakings.append((time, thread))

    def atrace(self, parts, thread, time):
        key = (str(thread), "atrace")
        if parts[0] == "B":
            self.opened[key].append(("|".join(parts[2:]), time))
        elif parts[0] == "E":
            self.end(key, time)
        elif parts[0] == "S":
            self.opened[parts[2], parts[3]].append(time)
        elif parts[0] == "F" and self.opened[parts[2], parts[3]]:
            begin = self.opened[parts[2], parts[3]].pop()
            self.found.spans.append(Span(None, parts[2], True, begin, time))
        elif parts[0] == "C":
            self.found.counters[parts[2]].append((time, int(parts[3])))

    def finish(self):
        for uuid, rows in self.opened.items():
            for row in rows:
                if isinstance(row, tuple):
                    self.found.times.append(self.last[uuid])
                    self.span(uuid, row[0], row[1], row[1])
        last = self.found.extent()
        times = [time for rows in self.switches.values() for time, *_ in rows]
        last = max([last[1]] + times + [time for time, _ in self.wakings])
        runs = collections.defaultdict(list)
        for cpu, rows in self.switches.items():
            rows.sort(key=lambda row: row[0])
            for (begin, thread, name), end in zip(rows, [row[0] for row in rows[1:]] + [last]):
                if thread:
                    runs[thread].append(begin)
                    self.found.spans.append(Span(f"processor {cpu}", name, False, begin, end))
        for time, thread in self.wakings:
            self.found.marks.append(Mark("waking", time))
            later = sorted(begin for begin in runs[thread] if begin >= time)
            if later:
                self.found.flows.append(Flow("waking", time, later[0]))
        for rows in self.flows.values():
            for (begin, name), (end, _) in zip(rows, rows[1:]):
                self.found.flows.append(Flow(name, begin, end))
        return self.found


def fixed(values):
    for value in values:
        for at in range(0, len(value), 8):
            yield struct.unpack_from("<Q", value, at)[0]


def packets(data):
    for number, value in fields(data):
        if number == 1:
            packet = message(value)
            if packet[50]:
                yield from packets(zlib.decompress(packet[50][0]))
            else:
                yield packet


def read(data):
    reader = Reader()
    for packet in packets(data):
        reader.packet(packet)
    return reader.finish()
