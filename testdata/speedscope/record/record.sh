#!/bin/sh
# Records `py-spy*.speedscope.json` again, in /opt/demo, and all reports. The other samples come
# from ../../pyinstrument, ../../austin and ../../memray. Node 20.20.2.
# Debian package: python3-venv (3.11.2); PyPI: py-spy (0.4.3). Wants root, or the right to trace.
set -eu
record=$(cd "$(dirname "$0")" && pwd)
out=$(dirname "$record")
mkdir -p /opt/demo/meadow "$out/reports"
cp "$record/../../pyinstrument/record/meadow.py" "$record/../../austin/record/flock.py" /opt/demo/meadow/
cd /opt/demo
[ -x venv/bin/py-spy ] || { /usr/bin/python3 -m venv --copies venv; venv/bin/pip install -q py-spy; }
export HOME=/opt/demo PYTHONDONTWRITEBYTECODE=1
cd meadow

../venv/bin/py-spy record -r 100 --threads -f speedscope -o py-spy.speedscope.json -- /usr/bin/python3 -I -S meadow.py 1
../venv/bin/py-spy record -r 50 --subprocesses --idle -f speedscope -o py-spy-processes.speedscope.json -- /usr/bin/python3 flock.py
../venv/bin/py-spy record -r 100 --threads -f chrometrace -o py-spy.chrome.json -- /usr/bin/python3 -I -S meadow.py 1
cp ./py-spy*.speedscope.json "$out/"
cp py-spy.chrome.json "$out/../trace-event/py-spy.trace.json"
python3 "$record/../../trace-event/record/report.py" py-spy.chrome.json > "$out/../trace-event/reports/py-spy.trace.json.report.txt"
for file in "$out"/*.speedscope.json; do
    python3 "$record/report.py" "$file" > "$out/reports/$(basename "$file").report.txt"
done
