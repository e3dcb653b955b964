"""Folds `perf script` text into collapsed stacks.

    perf script -F comm,tid,ip,sym,dso | python3 fold.py > OUTPUT
"""

import re
import sys
from collections import Counter

FRAME = re.compile(r"^\s+[0-9a-f]+ (?P<symbol>.*) \((?P<module>.*)\)$")


def stacks(lines):
    """Yields one list of frames, root first, for every sample."""
    command, frames = "", []
    for line in lines:
        line = line.rstrip("\n")
        if match := FRAME.match(line):
            symbol = match["symbol"]
            if symbol == "[unknown]":
                symbol = f"[{match['module'].rsplit('/', 1)[-1].strip('[]')}]"
            kernel = "_[k]" if match["module"] == "[kernel.kallsyms]" else ""
            frames.append(symbol + kernel)
        elif line:
            command = line.split()[0]
        elif frames:
            yield [command, *reversed(frames)]
            frames = []


counts = Counter(";".join(stack) for stack in stacks(sys.stdin))
for stack, count in sorted(counts.items()):
    print(stack, count)
