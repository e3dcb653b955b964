"""Writes samples as VisPerf does: perf script with three functions a stack, as CSV in quotes.

    perf record -e cpu-clock,page-faults -c 100000 -g --sample-cpu -o p.data -- pipeline --frames 300
    perf script --max-stack 3 --ns -F comm,tid,cpu,time,period,event,ip,sym -i p.data | to_csv.py > pipeline.csv
"""

import csv
import re
import sys

HEAD = re.compile(r"^.*?\s(\d+)\s+\[(\d+)\]\s+([\d.]+):\s+(\d+)\s+(\S+?):\s*$")


def main():
    out = csv.writer(sys.stdout, quoting=csv.QUOTE_ALL, lineterminator="\n")
    out.writerow(["time", "tid", "event", "counter", "cpu", "stack"])
    head, stack = None, []
    for line in [*sys.stdin, ""]:
        found = HEAD.match(line)
        if found:
            head, stack = found, []
        elif line.strip():
            words = line.split(None, 1)
            stack.append(words[1].strip() if len(words) > 1 else "[unknown]")
        elif head is not None:
            tid, cpu, time, period, event = head.groups()
            out.writerow([time, tid, event, period, cpu, "|".join(stack)])
            head = None


main()
