#!/bin/sh
# Records the samples and reports of this folder again, in /opt/demo. Node 20.20.2.
# `browser.cpuprofile` comes from ../../chrome-trace/record/record.sh.
set -eu
record=$(cd "$(dirname "$0")" && pwd)
out=$(dirname "$record")
mkdir -p /opt/demo/kitchen "$out/reports"
cp "$record"/*.js /opt/demo/kitchen/
cd /opt/demo/kitchen
export HOME=/opt/demo
rm -f CPU.*

node --cpu-prof --cpu-prof-interval 1500 kitchen.js 40
cp CPU.*.0.001.cpuprofile "$out/main.cpuprofile"
cp CPU.*.1.002.cpuprofile "$out/worker.cpuprofile"
node inspect.js cpu "$out/inspector.cpuprofile" 1000
chmod 644 "$out"/*.cpuprofile

for file in "$out"/*.cpuprofile; do
    python3 "$record/report.py" "$file" | head -60 > "$out/reports/$(basename "$file").report.txt"
done
