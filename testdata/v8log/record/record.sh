#!/bin/sh
# Records the samples and reports of this folder again, in /opt/demo. Node 20.20.2.
# The program is that of ../../cpuprofile.
set -eu
record=$(cd "$(dirname "$0")" && pwd)
out=$(dirname "$record")
rm -rf /opt/demo/v8log
mkdir -p /opt/demo/v8log "$out/reports"
cp "$record"/../../cpuprofile/record/kitchen.js /opt/demo/v8log/
cd /opt/demo/v8log
export HOME=/opt/demo

node --prof kitchen.js 30
n=0
for log in $(ls -S isolate*.log); do
    n=$((n + 1))
    mv "$log" isolate-$n.full.log
done
mv isolate-1.full.log main.full.log
mv isolate-2.full.log worker.full.log
node --prof --no-logfile-per-isolate --logfile=both.full.log --no-log-source-code --no-log-source-position \
    --prof-sampling-interval=2500 --log-internal-timer-events --no-opt kitchen.js 15

for sample in main worker both; do
    python3 "$record/trim.py" < $sample.full.log > $sample.v8.log
    node --prof-process $sample.full.log 2>/dev/null > full.txt
    node --prof-process $sample.v8.log 2>/dev/null > trimmed.txt
    sed 's/full.log/v8.log/' full.txt | diff - trimmed.txt && echo "$sample: same report after trimming"
    head -150 trimmed.txt > "$out/reports/$sample.v8.log.prof-process.txt"
    cp $sample.v8.log "$out/"
done

# Without `nm`, which would add every symbol of Node.
node --prof-process --preprocess --nm=/bin/true main.v8.log 2>/dev/null > "$out/main.v8log.json"
node --prof-process --nm=/bin/true main.v8.log 2>/dev/null | head -150 > "$out/reports/main.v8log.json.prof-process.txt"
