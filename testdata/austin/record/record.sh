#!/bin/sh
# Records the samples and reports of this folder again, in /opt/demo, and
# `austin.speedscope.json` of ../../speedscope. Wants root, or the right to trace processes.
# Debian package: python3-venv (3.11.2); PyPI: austin-dist (3.7.0), austin-python (2.4.0).
# (austin-dist 4.0.0 needs a newer glibc; Debian's austin 1.0.1 does not know Python 3.11.)
# `meadow.py` is that of ../../pyinstrument.
set -eu
record=$(cd "$(dirname "$0")" && pwd)
out=$(dirname "$record")
mkdir -p /opt/demo/meadow "$out/reports" "$out/../speedscope"
cp "$record/../../pyinstrument/record/meadow.py" "$record/flock.py" /opt/demo/meadow/
cd /opt/demo
[ -x venv-austin/bin/python3 ] || /usr/bin/python3 -m venv --copies venv-austin
venv-austin/bin/pip install -q austin-dist==3.7.0 austin-python==2.4.0
export HOME=/opt/demo PYTHONDONTWRITEBYTECODE=1
cd meadow

austin() { ../venv-austin/bin/austin "$@" >/dev/null 2>&1; }
meadow='/usr/bin/python3 -I -S meadow.py 0.3'
for format in austin mojo; do
    binary=$([ $format = mojo ] && echo -b || true)
    austin $binary -i 8ms -o wall.$format $meadow
    austin $binary -i 8ms -s -o cpu.$format $meadow
    austin $binary -i 8ms -m -o memory.$format $meadow
    austin $binary -i 8ms -f -g -o full.$format $meadow
    austin $binary -i 8ms -C -o children.$format /usr/bin/python3 flock.py
    for sample in wall cpu memory full children; do
        cp $sample.$format "$out/"
        if [ $format = mojo ]; then
            ../venv-austin/bin/mojo2austin $sample.mojo "$out/reports/$sample.mojo.mojo2austin.txt"
        else
            python3 "$record/report.py" $sample.austin > "$out/reports/$sample.austin.report.txt"
        fi
    done
done
../venv-austin/bin/austin2speedscope wall.austin wall.speedscope.json
../venv-austin/bin/austin2speedscope full.austin "$out/../speedscope/austin.speedscope.json"
