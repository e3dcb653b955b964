#!/bin/sh
# Counts the pipeline of ../../pipeline by interval. Needs g++ and perf; all processors need rights
# (kernel.perf_event_paranoid 0 or less).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
cd "$work"
g++ -O2 -g -pthread "$here/../../pipeline/pipeline.cpp" -o pipeline
events=cpu-clock,page-faults,context-switches,cycles
perf stat -x ';' -I 50 -e $events -o "$here/../pipeline.counts.csv" ./pipeline --frames 1000 > told.txt
perf stat -x ';' -A -a -I 50 -e $events -o "$here/../processors.counts.csv" ./pipeline --frames 1000 > told.txt
rm -r "$work"
