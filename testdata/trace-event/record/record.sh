#!/bin/sh
# Records the samples and reports of this folder again, in /opt/demo.
# Debian packages: python3-venv (3.11.2); PyPI: viztracer (1.1.1); Node 20.20.2.
set -eu
record=$(cd "$(dirname "$0")" && pwd)
out=$(dirname "$record")
mkdir -p /opt/demo/hive "$out/reports"
cp "$record/hive.py" "$record"/../../cpuprofile/record/kitchen.js /opt/demo/hive/
cd /opt/demo
[ -x venv/bin/python3 ] || /usr/bin/python3 -m venv --copies venv
venv/bin/python3 -c 'import viztracer' 2>/dev/null || venv/bin/pip install -q viztracer
export HOME=/opt/demo
cd hive
rm -f ./*.json ./node_trace*

viztracer() { ../venv/bin/python3 -m viztracer --quiet --ignore_frozen "$@"; }
viztracer --max_stack_depth 12 --min_duration 2us -o default.json hive.py
viztracer --max_stack_depth 6 --ignore_c_function --log_func_args --log_func_retval --log_gc --log_async -o detailed.json hive.py child
viztracer --ignore_c_function --include_files ./ -o file-info.json hive.py
node --trace-event-categories v8,node.perf,node.async_hooks,node.fs.sync --trace-event-file-pattern node-trace.json kitchen.js 2
mv node-trace.json node.json

# `file_info` holds the source texts of Python's own library.
for sample in default detailed; do
    python3 -c 'import json, sys; trace = json.load(sys.stdin); del trace["file_info"]; json.dump(trace, sys.stdout)' < $sample.json > trimmed
    mv trimmed $sample.json
done

for sample in default detailed file-info node; do
    cp $sample.json "$out/$sample.trace.json"
    python3 "$record/report.py" $sample.json > "$out/reports/$sample.trace.json.report.txt"
done
