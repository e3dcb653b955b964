#!/bin/sh
# Records two runs of two placements of testdata/pipeline, in /opt/demo, and lays them out as VisPerf does.
# Debian packages: linux-perf (6.1), g++ (12.2), python3.
set -eu
record=$(cd "$(dirname "$0")" && pwd)
out=$(dirname "$record")
mkdir -p /opt/demo
cd /opt/demo
g++ -O2 -g -fno-omit-frame-pointer -pthread "$record/../../pipeline/pipeline.cpp" -o pipeline
rm -rf "$out/runs"
for placement in free apart; do
    mkdir -p "$out/runs/$placement"
    for run in 1 2; do
        perf record -q -e cpu-clock/period=32000000,name=cpu-clock/ -e page-faults/period=20,name=page-faults/ -g --sample-cpu -o p.data -- \
            ./pipeline --frames 5500 --workers 2 --placement $placement
        perf script --max-stack 3 --ns -F comm,tid,cpu,time,period,event,ip,sym -i p.data 2>/dev/null |
            python3 "$record/to_csv.py" > "$out/runs/$placement/$run.csv"
        # The program logs no names, but the kernel knows them.
        perf script -F comm,tid -i p.data 2>/dev/null | sed -E 's/^ +//; s/ +([0-9]+) *$/,\1/' |
            sort -u > "$out/runs/$placement/tids-$run.txt"
    done
done
python3 "$record/to_json.py" "$out/runs" 2
mv "$out/runs/experiments.json" "$out/pipeline.visperf.json"
