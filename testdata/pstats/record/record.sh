#!/bin/sh
# Records the samples and reports of this folder again, in /opt/demo.
# Debian package: python3-venv (3.11.2); PyPI: yappi (1.7.6).
set -eu
record=$(cd "$(dirname "$0")" && pwd)
out=$(dirname "$record")
mkdir -p /opt/demo "$out/reports"
cp "$record"/*.py /opt/demo/
cd /opt/demo
[ -x venv/bin/python3 ] || /usr/bin/python3 -m venv --copies venv
venv/bin/python3 -c 'import yappi' 2>/dev/null || venv/bin/pip install -q yappi
export HOME=/opt/demo PYTHONDONTWRITEBYTECODE=1

venv/bin/python3 -m cProfile -o "$out/script.prof" library.py
for how in cprofile no-builtins no-subcalls profile threads; do
    venv/bin/python3 profilers.py $how "$out/$how.prof"
done
venv/bin/python3 profilers.py yappi "$out/yappi.pstat"
venv/bin/python3 profilers.py yappi-wall "$out/yappi-wall.pstat"

for file in "$out"/*.prof "$out"/*.pstat; do
    sample=$(basename "$file")
    cp "$file" "$sample"
    venv/bin/python3 report.py "$sample" > "$out/reports/$sample.pstats.json"
    printf 'sort cumulative\nstats 30\nsort tottime\nstats 30\n' | venv/bin/python3 -m pstats "$sample" |
        grep -v 'profile statistics browser\|Goodbye' > "$out/reports/$sample.pstats.txt"
done
