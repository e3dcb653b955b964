#!/bin/sh
# Makes the samples again from the perf.data files that ../../perf-script/record/record.sh
# leaves in /opt/demo. samply 0.13.1: `cargo install samply --root /opt/demo/samply`.
# (`samply record` itself wants kernel.perf_event_paranoid at 1 or below.)
set -eu
record=$(cd "$(dirname "$0")" && pwd)
out=$(dirname "$record")
mkdir -p "$out/reports"
cd /opt/demo
export HOME=/opt/demo
release=$(uname -r)
import() { # SAMPLE DATA OPTION...
    sample=$1 data=$2; shift 2
    samply/bin/samply import --save-only "$@" -o $sample.firefox.json.gz $data.data >/dev/null 2>&1
    # The kernel's release is that of the recording machine.
    gzip -dc $sample.firefox.json.gz | sed "s/$release/6.1.0/g" > $sample.firefox.json
    gzip -n9c $sample.firefox.json > "$out/$sample.firefox.json.gz"
    python3 "$record/report.py" $sample.firefox.json > "$out/reports/$sample.firefox.json.gz.report.txt"
}
import events events
import inlined inlined
import per-cpu events --per-cpu-threads --cswitch-markers
for sample in events inlined; do
    perf report -i $sample.data --stdio -n --no-children -g none --fields overhead,sample,period,pid,dso,sym 2>/dev/null |
        grep -v '(Tip:\|^#$\|^$' | sed 's/ *$//' | head -40 > "$out/reports/$sample.perf-report.txt"
done
cp inlined.firefox.json "$out/inlined-unpacked.firefox.json"
