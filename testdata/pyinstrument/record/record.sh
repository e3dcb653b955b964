#!/bin/sh
# Records the samples and reports of this folder again, in /opt/demo, and
# `pyinstrument.speedscope.json` of ../../speedscope.
# Debian package: python3-venv (3.11.2); PyPI: pyinstrument (5.1.3).
set -eu
record=$(cd "$(dirname "$0")" && pwd)
out=$(dirname "$record")
mkdir -p /opt/demo/meadow "$out/reports" "$out/../speedscope"
cp "$record/meadow.py" /opt/demo/meadow/
cd /opt/demo
[ -x venv/bin/python3 ] || /usr/bin/python3 -m venv --copies venv
venv/bin/python3 -c 'import pyinstrument' 2>/dev/null || venv/bin/pip install -q pyinstrument
export HOME=/opt/demo PYTHONDONTWRITEBYTECODE=1
cd meadow

pyinstrument() { ../venv/bin/python3 -m pyinstrument "$@"; }
take() { # SAMPLE INTERVAL ARGUMENT...
    sample=$1 interval=$2; shift 2
    pyinstrument -i "$interval" -r pyisession -o $sample.pyisession meadow.py "$@"
    # Every other file comes from the same session.
    pyinstrument --load $sample.pyisession -r json -o $sample.json
    pyinstrument --load $sample.pyisession -r json --show-all --timeline -o $sample-timeline.json
    pyinstrument --load $sample.pyisession -r text --show-all -p short_mode=False > text.txt
    pyinstrument --load $sample.pyisession -r text --show-all -p flat=True > flat.txt
    pyinstrument --load $sample.pyisession -r speedscope --timeline --show-all -o $sample.speedscope.json
    cp text.txt "$out/reports/$sample.text.txt"
    cp flat.txt "$out/reports/$sample.flat.txt"
    cp $sample.pyisession $sample.json $sample-timeline.json "$out/"
}
take thread 0.004 0.4
take tasks 0.004 0.4 tasks
cp tasks.speedscope.json "$out/../speedscope/pyinstrument.speedscope.json"
