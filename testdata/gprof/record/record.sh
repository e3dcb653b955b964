#!/bin/sh
# Records the samples again, in /opt/demo, and ../../gprof2dot's.
# Debian packages: gcc (12.2), binutils (2.40), python3-venv; PyPI: gprof2dot (2025.4.14).
set -eu
record=$(cd "$(dirname "$0")" && pwd)
out=$(dirname "$record")
mkdir -p /opt/demo/brewery "$out/reports"
cp "$record/brewery.c" /opt/demo/brewery/
cd /opt/demo
[ -x venv/bin/gprof2dot ] || { /usr/bin/python3 -m venv --copies venv; venv/bin/pip install -q gprof2dot; }
export HOME=/opt/demo
cd brewery

gcc -g -O1 -pg -fno-optimize-sibling-calls -o brewery brewery.c
./brewery 400
gprof() { sample=$1; shift; command gprof "$@" brewery gmon.out > "$out/$sample.gprof.txt" 2>/dev/null; }
gprof default
gprof brief -b
gprof flat -b -p
gprof graph -b -q
gprof lines -b -p -l
gprof no-static -b -a
cp gmon.out "$out/record/"

gcc -O1 -pg -fno-optimize-sibling-calls -o mill "$record/mill.c"
./mill 4000
command gprof -b mill gmon.out > "$out/mill.gprof.txt"

for sample in default brief graph no-static; do
    ../venv/bin/gprof2dot -f prof -n 0 -e 0 "$out/$sample.gprof.txt" > "$out/reports/$sample.gprof2dot.txt"
done
