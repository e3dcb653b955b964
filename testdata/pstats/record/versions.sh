#!/bin/sh
# Records `orchard.py` with several versions of Python, with what the pstats of each says:
#     versions.sh PYTHON...
set -eu
record=$(cd "$(dirname "$0")" && pwd)
out=$(dirname "$record")
mkdir -p /opt/demo
cp "$record"/orchard.py "$record"/report.py /opt/demo/
cd /opt/demo
for python in "$@"; do
    version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    sample=orchard-$version.prof
    "$python" orchard.py "$sample"
    cp "$sample" "$out/"
    "$python" report.py "$sample" > "$out/reports/$sample.pstats.json"
done
