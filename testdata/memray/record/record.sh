#!/bin/sh
# Records the samples and reports of this folder again, in /opt/demo, and
# `memray.speedscope.json` of ../../speedscope and `memray.gprof2dot.json` of ../../gprof2dot-json.
# Debian package: python3-venv (3.11.2); PyPI: memray (1.20.0).
# `meadow.py` is that of ../../pyinstrument.
set -eu
record=$(cd "$(dirname "$0")" && pwd)
out=$(dirname "$record")
mkdir -p /opt/demo/meadow "$out/reports" "$out/../speedscope" "$out/../gprof2dot-json"
cp "$record/../../pyinstrument/record/meadow.py" /opt/demo/meadow/
cd /opt/demo
[ -x venv/bin/python3 ] || /usr/bin/python3 -m venv --copies venv
venv/bin/python3 -c 'import memray' 2>/dev/null || venv/bin/pip install -q memray
export HOME=/opt/demo PYTHONDONTWRITEBYTECODE=1 COLUMNS=130 NO_COLOR=1 TERM=dumb
cd meadow

memray() { ../venv/bin/python3 -m memray "$@" 2>/dev/null; }
memray run -q -f -o all.bin meadow.py 0.1
memray run -q -f -o aggregated.bin --aggregate meadow.py 0.1
memray run -q -f -o native.bin --native --no-compress meadow.py 0.1
memray run -q -f -o allocators.bin --trace-python-allocators --compress-on-exit meadow.py 0.02
for sample in all aggregated native allocators; do
    cp $sample.bin "$record/"
    memray stats --json -f -o "$out/reports/$sample.bin.stats.json" $sample.bin >/dev/null || true # not of aggregated ones
    memray summary -r 25 $sample.bin | sed 's/ *$//' > "$out/reports/$sample.bin.summary.txt"
done

cp "$out/reports/all.bin.stats.json" "$out/all.stats.json"

# Every kind of export, all of all.bin, and one of native.bin.
memray transform -f -o "$out/peak.csv" csv all.bin >/dev/null
memray transform -f -o "$out/leaks.csv" --leaks csv all.bin >/dev/null
memray transform -f -o "$out/temporary.csv" --temporary-allocations csv all.bin >/dev/null
memray transform -f -o "$out/native.csv" csv native.bin >/dev/null
memray transform -f -o "$out/../gprof2dot-json/memray.gprof2dot.json" gprof2dot all.bin >/dev/null
memray transform -f -o "$out/../speedscope/memray.speedscope.json" speedscope all.bin >/dev/null
