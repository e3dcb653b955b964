"""What is in a Perfetto trace, by the format's published descriptors (the package `perfetto` of PyPI).

    python3 report.py bakery.perfetto-trace > ../reports/bakery.txt

One line each: slices by track and name with how many and how long (nanoseconds), instants, counters
with how many values and their sum, flows, what ran on processors, samples by stack.
"""

import collections
import sys
import zlib

from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as pb

trace = pb.Trace()
trace.ParseFromString(open(sys.argv[1], "rb").read())
packets = []
for packet in trace.packet:
    if packet.WhichOneof("data") == "compressed_packets":
        inner = pb.Trace()
        inner.ParseFromString(zlib.decompress(packet.compressed_packets))
        packets.extend(inner.packet)
    else:
        packets.append(packet)

tracks = {}
for packet in packets:
    if packet.HasField("track_descriptor"):
        tracks[packet.track_descriptor.uuid] = packet.track_descriptor

state = collections.defaultdict(lambda: {"names": {}, "clock": 6, "track": None, "lost": False})
offsets = {6: 0}  # nanoseconds to the clock since the boot
own = {}  # the last time of each sequence's own clock
slices = collections.Counter()
lengths = collections.Counter()
instants = collections.Counter()
counters = collections.defaultdict(list)
flows = collections.defaultdict(list)
opened = collections.defaultdict(list)
switches = collections.defaultdict(list)
stacks = collections.Counter()


def track_name(uuid):
    found = tracks[uuid]
    return found.thread.thread_name or found.process.process_name or found.name


for packet in packets:
    sequence = packet.trusted_packet_sequence_id
    known = state[sequence]
    if packet.sequence_flags & 1:
        known.update(names={}, lost=False)
    elif packet.previous_packet_dropped:
        known["lost"] = True
    if packet.HasField("clock_snapshot"):
        clocks = {clock.clock_id: clock for clock in packet.clock_snapshot.clocks}
        for number, clock in clocks.items():
            if clock.is_incremental:
                own[sequence] = clocks[6].timestamp - clock.timestamp * clock.unit_multiplier_ns
            else:
                offsets[number] = clocks[6].timestamp - clock.timestamp
    for table in ("event_names", "function_names"):
        for entry in getattr(packet.interned_data, table):
            text = entry.name if table == "event_names" else entry.str.decode()
            known["names"][table, entry.iid] = text
    for frame in packet.interned_data.frames:
        known["names"]["frame", frame.iid] = known["names"]["function_names", frame.function_name_id]
    for stack in packet.interned_data.callstacks:
        known["names"]["stack", stack.iid] = [known["names"]["frame", i] for i in stack.frame_ids]
    if packet.HasField("trace_packet_defaults"):
        known["clock"] = packet.trace_packet_defaults.timestamp_clock_id or 6
        known["track"] = packet.trace_packet_defaults.track_event_defaults.track_uuid
    if known["lost"] and packet.sequence_flags & 2:
        continue
    if packet.HasField("thread_descriptor"):
        known["older"] = packet.thread_descriptor
        known["time"] = packet.thread_descriptor.reference_timestamp_us
    time = packet.timestamp
    clock = packet.timestamp_clock_id or known["clock"]
    if clock == 64 and packet.HasField("timestamp"):
        own[sequence] += time * 1000
        time = own[sequence]
    else:
        time += offsets.get(clock, 0)
    kind = packet.WhichOneof("data")
    if kind == "track_event":
        event = packet.track_event
        name = event.name or known["names"].get(("event_names", event.name_iid), "")
        uuid = event.track_uuid if event.HasField("track_uuid") else known["track"]
        if event.HasField("legacy_event"):
            known["time"] += event.timestamp_delta_us
            time = known["time"] * 1000 + offsets[3]
            legacy = event.legacy_event
            thread = known["older"].thread_name
            phase = chr(legacy.phase)
            name = known["names"].get(("event_names", legacy.name_iid or event.name_iid))
            if phase == "X":
                slices[thread, name] += 1
                lengths[thread, name] += legacy.duration_us * 1000
            elif phase == "b":
                opened[sequence, legacy.unscoped_id].append((name, time))
            elif phase == "e":
                name, start = opened[sequence, legacy.unscoped_id].pop()
                slices["asynchronous: mill", name] += 1
                lengths["asynchronous: mill", name] += time - start
            elif phase in "nI":
                instants[name] += 1
            continue
        if event.type == 1:
            opened[uuid].append((name, time))
        elif event.type == 2:
            name, start = opened[uuid].pop()
            slices[track_name(uuid), name] += 1
            lengths[track_name(uuid), name] += time - start
        elif event.type == 3:
            instants[name] += 1
        elif event.type == 4:
            value = event.counter_value
            if event.HasField("double_counter_value"):
                value = event.double_counter_value
            counters[tracks[uuid].name].append(value * (tracks[uuid].counter.unit_multiplier or 1))
        for flow in list(event.flow_ids) + list(event.terminating_flow_ids):
            flows[flow].append(time)
    elif kind == "ftrace_events":
        cpu = packet.ftrace_events.cpu
        for event in packet.ftrace_events.event:
            what = event.WhichOneof("event")
            if what == "sched_switch":
                switches[cpu].append((event.timestamp, event.sched_switch.next_pid))
            elif what == "sched_waking":
                instants["waking"] += 1
            elif what == "cpu_frequency":
                counters["frequency"].append(event.cpu_frequency.state)
            elif what == "print":
                parts = event.print.buf.strip().split("|")
                if parts[0] == "B":
                    opened[event.pid].append(("|".join(parts[2:]), event.timestamp))
                elif parts[0] == "E":
                    name, start = opened[event.pid].pop()
                    slices["cleaner", name] += 1
                    lengths["cleaner", name] += event.timestamp - start
                elif parts[0] == "S":
                    opened[parts[2], parts[3]].append(event.timestamp)
                elif parts[0] == "F":
                    start = opened[parts[2], parts[3]].pop()
                    slices[parts[2], parts[2]] += 1
                    lengths[parts[2], parts[2]] += event.timestamp - start
                elif parts[0] == "C":
                    counters[parts[2]].append(int(parts[3]))
        compact = packet.ftrace_events.compact_sched
        at = 0
        for passed, thread in zip(compact.switch_timestamp, compact.switch_next_pid):
            at += passed
            switches[cpu].append((at, thread))
        instants["waking"] += len(compact.waking_timestamp)
    elif kind == "perf_sample" and not packet.perf_sample.HasField("sample_skipped_reason"):
        stacks[";".join(known["names"]["stack", packet.perf_sample.callstack_iid])] += 1

for uuid, rows in opened.items():
    for name, _ in rows:
        slices[track_name(uuid), name] += 1
for key in sorted(slices):
    print("slice", *key, slices[key], lengths[key], sep="\t")
for name in sorted(instants):
    print("instant", name, instants[name], sep="\t")
for name, values in sorted(counters.items()):
    print("counter", name, len(values), float(sum(values)), sep="\t")
for flow, times in sorted(flows.items()):
    print("flow", times[1] - times[0], sep="\t")
for cpu, rows in sorted(switches.items()):
    rows.sort()
    ran = collections.Counter()
    for (start, thread), (end, _) in zip(rows, rows[1:]):
        ran[thread] += end - start
    for thread in sorted(thread for thread in ran if thread):
        print("ran", cpu, thread, ran[thread], sep="\t")
for stack in sorted(stacks):
    print("sample", stack, stacks[stack], sep="\t")
