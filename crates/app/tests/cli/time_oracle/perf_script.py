"""Text of perf script. A line that tells a thread and a time begins a sample. Time 0 is the first one. What
a tracepoint tells is an instant. Of sched:sched_switch: what a switch began and the next one of its
processor ended ran; where one of both is missing it is a span of no length. A wake-up goes to where the
thread runs next, unless it leaves a processor first."""

import collections
import re

from recording import Flow, Mark, Recording, Sample, Span

HEADER = re.compile(
    r"^\s*(?P<comm>\S.*?)\s+(?:(?P<pid>-?\d+)/)?(?P<tid>-?\d+)\s+(?:\[(?P<cpu>\d+)\]\s+)?(?:[a-zA-Z.]{5,7}\s+)?"
    r"(?P<time>\d+\.\d{3,9}):\s+(?:(?P<period>\d+)\s+)?(?P<event>[a-zA-Z_][^\s]*?):(?:\s(?P<rest>.*))?$"
)
TRACEPOINT = re.compile(r"^[a-z0-9_]+:[a-z0-9_]+$")
FIELD = re.compile(r"(\w+)=((?:(?! \w+=| ==>).)*)")


def read(text):
    found = Recording()
    switches, wakeups, moves = [], [], collections.defaultdict(list)
    for line in text.splitlines():
        header = None if line.startswith(("\t", "#")) else HEADER.match(line)
        # Records of what threads did, such as PERF_RECORD_COMM, are not samples.
        if header is None or (header["event"] or "").startswith("PERF_RECORD"):
            continue
        whole, fraction = header["time"].split(".")
        time = int(whole) * 10**9 + int(fraction.ljust(9, "0"))
        event, rest = header["event"], (header["rest"] or "").strip()
        found.samples.append(Sample(header["tid"], time, 0))
        is_tracepoint = TRACEPOINT.match(event) and event.split(":")[1] not in ("u", "k", "p", "pp", "ppp")
        if not is_tracepoint or not rest:
            continue
        found.marks.append(Mark(event, time))
        fields = dict(FIELD.findall(rest))
        if event == "sched:sched_switch" and header["cpu"]:
            switches.append((time, int(header["cpu"]), fields))
        elif event in ("sched:sched_wakeup", "sched:sched_wakeup_new") and header["cpu"]:
            wakeups.append((time, event, fields["pid"].strip()))
    running, whole = {}, 0
    ran = lambda cpu, name, begin, end: found.spans.append(Span(f"processor {cpu}", name, False, begin, end))
    for time, cpu, fields in sorted(switches, key=lambda one: one[0]):
        before, following = fields["prev_pid"].strip(), fields["next_pid"].strip()
        moves[before].append((time, False))
        came = running.pop(cpu, None)
        is_same = came is not None and came[1] == before
        whole += is_same
        if came is not None:
            ran(cpu, came[2], came[0], time if is_same else came[0])
        if not is_same and before != "0":
            ran(cpu, fields["prev_comm"], time, time)
        if following != "0":
            moves[following].append((time, True))
            running[cpu] = (time, following, fields["next_comm"])
    for cpu, (begin, _, name) in running.items():
        ran(cpu, name, begin, begin)
    # One end is missing of more than each processor has a first and a last of, and of more than a tenth.
    runs, processors = len(found.spans), {cpu for _, cpu, _ in switches}
    open_runs = runs - whole
    if open_runs > 2 * max(1, len(processors)) and open_runs * 10 > runs:
        count_moves(found, switches)
    else:
        count_absences(found, switches, wakeups)
    for time, name, thread in wakeups:
        later = [move for move in moves[thread] if move[0] >= time]
        if later and later[0][1]:
            found.flows.append(Flow(name, time, later[0][0]))
    return found


def count_moves(found, switches):
    """Where most runs have one end alone, nothing is told of how long threads were away: a run elsewhere than
    the one before counts where that one ended."""
    runs = collections.defaultdict(list)  # by thread: where, and when each ended
    came = {}
    for time, cpu, fields in sorted(switches, key=lambda one: one[0]):
        before, following = fields["prev_pid"].strip(), fields["next_pid"].strip()
        was = came.pop(cpu, None)
        if was is not None and was != before and was != "0":
            runs[was].append((cpu, time))
        runs[before].append((cpu, time))
        came[cpu] = following
    for thread, all_runs in runs.items():
        for (cpu, left), (next_cpu, _) in zip(all_runs, all_runs[1:]):
            if thread != "0" and cpu != next_cpu:
                found.samples.append(Sample(thread, left, 0))


def count_absences(found, switches, wakeups):
    """Whiles in which threads were away from processors count on their tracks: one from where each left to
    where it came back, and one from its wake-up on, unless it could have gone on."""
    moves = collections.defaultdict(list)  # by thread: when, whether it left, where, what became of it
    for time, cpu, fields in sorted(switches, key=lambda one: one[0]):
        moves[fields["prev_pid"].strip()].append((time, True, cpu, fields.get("prev_state", "").strip()))
        moves[fields["next_pid"].strip()].append((time, False, cpu, ""))
    for thread, all_moves in moves.items():
        for (left, leaves, cpu, state), (back, leaves_again, next_cpu, _) in zip(all_moves, all_moves[1:]):
            if thread == "0" or not leaves or state[:1] in ("X", "Z"):
                continue
            if leaves_again:
                # It came back unseen, but elsewhere.
                if next_cpu != cpu:
                    found.samples.append(Sample(thread, left, 0))
                continue
            found.samples.append(Sample(thread, left, back - left))
            if next_cpu != cpu:
                found.flows.append(Flow("migration", left, back))
            woken = [time for time, _, pid in wakeups if pid == thread and left <= time <= back]
            if not state.startswith("R") and woken and min(woken) > left:
                found.samples.append(Sample(thread, min(woken), back - min(woken)))
