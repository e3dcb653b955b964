#!/bin/sh
# Records the samples and reports of this folder again, in /opt/demo. Node 20.20.2.
# The programs are those of ../../cpuprofile.
# `browser.heapprofile` comes from ../../chrome-trace/record/record.sh.
set -eu
record=$(cd "$(dirname "$0")" && pwd)
out=$(dirname "$record")
mkdir -p /opt/demo/kitchen "$out/reports"
cp "$record"/../../cpuprofile/record/*.js /opt/demo/kitchen/
cd /opt/demo/kitchen
export HOME=/opt/demo
rm -f Heap.*

node --heap-prof --heap-prof-interval 65536 kitchen.js 30
cp Heap.*.0.001.heapprofile "$out/main.heapprofile"
cp Heap.*.1.002.heapprofile "$out/worker.heapprofile"
node inspect.js heap "$out/collected.heapprofile" 65536
chmod 644 "$out"/*.heapprofile

for file in "$out"/*.heapprofile; do
    python3 "$record/report.py" "$file" | head -60 > "$out/reports/$(basename "$file").report.txt"
done
