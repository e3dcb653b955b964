#!/bin/sh
# Records `orchard.py`, and `cellar.py` by `python -m profile`, with several versions of Python, with what the pstats of each says:
#     versions.sh PYTHON...
set -eu
record=$(cd "$(dirname "$0")" && pwd)
out=$(dirname "$record")
mkdir -p /opt/demo
cp "$record"/orchard.py "$record"/cellar.py "$record"/report.py /opt/demo/
cd /opt/demo
for python in "$@"; do
    version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    sample=orchard-$version.prof
    "$python" orchard.py "$sample"
    "$python" -m profile -o "cellar-$version.prof" cellar.py
    for one in "$sample" "cellar-$version.prof"; do
        cp "$one" "$out/"
        "$python" report.py "$one" > "$out/reports/$one.pstats.json"
    done
done
