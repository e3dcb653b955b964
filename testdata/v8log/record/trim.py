"""Drops what makes a V8 log large and changes nothing that is reported of it: source texts
and source positions of Node's own scripts, and built-ins and Node's functions that no
stack names.

    python3 trim.py < LOG > TRIMMED
"""

import bisect
import sys

lines = sys.stdin.read().splitlines()
starts, used, scripts = [], set(), set()
for line in lines:
    fields = line.split(",")
    if fields[0] == "code-creation":
        starts.append(int(fields[4], 16))
    if fields[0] == "script-source" and "/opt/demo" in fields[2]:
        scripts.add(fields[1])
starts.sort()


def use(address: int) -> None:
    at = bisect.bisect(starts, address) - 1
    if at >= 0:
        used.add(starts[at])


for line in lines:
    fields = line.split(",")
    if fields[0] != "tick":
        continue
    use(int(fields[1], 16))
    use(int(fields[4], 16))
    address = int(fields[1], 16)
    for frame in fields[6:]:
        # Each is relative to the one before, or absolute, or says `overflow`.
        if frame[0] in "+-":
            address += int(frame, 16)
        elif frame.startswith("0x"):
            address = int(frame, 16)
        use(address)

kept_code = set()
for line in lines:
    fields = line.split(",")
    if fields[0] == "code-creation":
        own = "/opt/demo" in line
        if not own and int(fields[4], 16) not in used:
            continue
        kept_code.add(fields[4])
    elif fields[0] == "script-source" and fields[1] not in scripts:
        continue
    elif fields[0] == "code-source-info" and (fields[2] not in scripts or fields[1] not in kept_code):
        continue
    print(line)
