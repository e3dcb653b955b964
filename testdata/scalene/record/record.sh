#!/bin/sh
# Records the samples and reports of this folder again, in /opt/demo.
# Debian package: python3-venv (3.11.2); PyPI: scalene (2.4.0, and 1.5.51 in a venv of its own).
# The program is that of ../../pyinstrument.
set -eu
record=$(cd "$(dirname "$0")" && pwd)
out=$(dirname "$record")
mkdir -p /opt/demo/meadow "$out/reports"
cp "$record/../../pyinstrument/record/meadow.py" /opt/demo/meadow/
cd /opt/demo
for venv in venv/scalene==2.4.0 venv-old/scalene==1.5.51; do
    [ -x ${venv%/*}/bin/python3 ] || /usr/bin/python3 -m venv --copies ${venv%/*}
    ${venv%/*}/bin/python3 -c 'import scalene' 2>/dev/null || ${venv%/*}/bin/pip install -q ${venv#*/}
done
export HOME=/opt/demo PYTHONDONTWRITEBYTECODE=1 COLUMNS=140
cd meadow

take() { # SAMPLE SECONDS OPTION...
    sample=$1 seconds=$2; shift 2
    ../venv/bin/python3 -m scalene run -o $sample.scalene.json "$@" meadow.py --- "$seconds"
    cp $sample.scalene.json "$out/"
    ../venv/bin/python3 -m scalene view --cli $sample.scalene.json |
        sed 's/\x1b\[[0-9;]*m//g; s/ *$//' | grep '%\|[a-z]: [0-9]' > "$out/reports/$sample.scalene.json.view.txt"
}
take cpu 1 --cpu-only --no-stacks
take memory 0.8 --memory --no-stacks --allocation-sampling-window 524288
take stacks 0.5 --cpu-only --stacks --cpu-sampling-rate 0.02
../venv-old/bin/python3 -m scalene --json --outfile old.scalene.json meadow.py 1
cp old.scalene.json "$out/"
