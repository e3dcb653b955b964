"""Measures a small recursive program and writes it as TAU does: a file a thread and metric.

TAU itself is in no package repository, so this follows its user guide ("profile format").
Usage: python3 write.py FOLDER
"""

import os
import sys
import time

METRICS = ["TIME", "PAPI_TOT_INS"]


class Timers:
    """Own and inclusive values by call path."""

    def __init__(self):
        self.rows = {}
        self.stack = []
        self.steps = 0

    def read(self):
        self.steps += 1
        return [time.perf_counter_ns() // 1000, self.steps * 1000]

    def call(self, name, body, *arguments):
        start = self.read()
        self.stack.append([name, [0, 0]])
        path = " => ".join(frame[0] for frame in self.stack)
        result = body(*arguments)
        inclusive = [end - begin for begin, end in zip(start, self.read())]
        children = self.stack.pop()[1]
        if self.stack:
            self.stack[-1][1] = [a + b for a, b in zip(self.stack[-1][1], inclusive)]
            # TAU counts a direct call of its caller.
            caller = " => ".join(frame[0] for frame in self.stack)
            self.rows.setdefault(caller, [0, 0, [0, 0], [0, 0]])[1] += 1
        row = self.rows.setdefault(path, [0, 0, [0, 0], [0, 0]])
        row[0] += 1
        row[2] = [a + b - c for a, b, c in zip(row[2], inclusive, children)]
        row[3] = [a + b for a, b in zip(row[3], inclusive)]
        return result


def program(timers, size):
    def sow(count):
        return sum(range(count * 50))

    def reap(count):
        timers.call("sow(int) [{field.c} {3,1}-{7,1}]", sow, count)
        return timers.call("bind()  ", sow, count // 2)

    def harvest():
        for field in range(size):
            timers.call("reap(int) [{field.c} {9,1}-{15,1}]", reap, field)

    timers.call(".TAU application", harvest)


def main(folder):
    for node in range(2):
        for thread in range(2):
            timers = Timers()
            program(timers, 4 + 3 * node + thread)
            flat = {}
            for path, row in timers.rows.items():
                name = path.rsplit(" => ", 1)[-1]
                total = flat.setdefault(name, [0, 0, [0, 0], [0, 0]])
                total[0] += row[0]
                total[1] += row[1]
                total[2] = [a + b for a, b in zip(total[2], row[2])]
                total[3] = [a + b for a, b in zip(total[3], row[3])]
            rows = list(flat.items()) + [item for item in timers.rows.items() if " => " in item[0]]
            for number, metric in enumerate(METRICS):
                target = os.path.join(folder, f"MULTI__{metric}")
                os.makedirs(target, exist_ok=True)
                with open(os.path.join(target, f"profile.{node}.0.{thread}"), "w") as out:
                    out.write(f"{len(rows)} templated_functions_MULTI_{metric}\n")
                    out.write(
                        "# Name Calls Subrs Excl Incl ProfileCalls # <metadata><attribute>"
                        f"<name>Metric Name</name><value>{metric}</value></attribute><attribute>"
                        "<name>Command Line</name><value>field 4 &amp; more</value></attribute>"
                        "<attribute><name>Starting Timestamp</name><value>1700000000000000"
                        "</value></attribute></metadata>\n"
                    )
                    for name, (calls, children, own, inclusive) in rows:
                        group = "TAU_CALLPATH|TAU_USER" if " => " in name else "TAU_USER"
                        out.write(
                            f'"{name}" {calls} {children} {own[number]} {inclusive[number]} 0 '
                            f'GROUP="{group}" \n'
                        )
                    out.write("0 aggregates\n1 userevents\n")
                    out.write("# eventname numevents max min mean sumsqr\n")
                    out.write('"Message size" 3 8 4 6 116\n')


main(sys.argv[1])
