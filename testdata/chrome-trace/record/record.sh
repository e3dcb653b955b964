#!/bin/sh
# Records the samples and reports of this folder again, in /opt/demo, and `browser.*` of
# ../../cpuprofile and ../../heapprofile. Debian package: chromium (156.0.8078.79).
# npm: playwright-core 1.65.1, copied from the repository's node_modules. Node 20.20.2.
set -eu
record=$(cd "$(dirname "$0")" && pwd)
out=$(dirname "$record")
mkdir -p /opt/demo/chrome/node_modules /opt/demo/chrome/out "$out/reports"
cp "$record"/page.js "$record"/record.mjs /opt/demo/chrome/
cp -r "$record/../../../node_modules/playwright-core" /opt/demo/chrome/node_modules/
cd /opt/demo/chrome

node record.mjs out
cp out/*.trace.json "$out/"
for sample in object array; do
    python3 "$record/report.py" "out/$sample.trace.json" > "$out/reports/$sample.trace.json.report.txt"
done
for format in cpuprofile heapprofile; do
    cp out/browser.$format "$out/../$format/"
    python3 "$out/../$format/record/report.py" out/browser.$format | head -60 > "$out/../$format/reports/browser.$format.report.txt"
done
