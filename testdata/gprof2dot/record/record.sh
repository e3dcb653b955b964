#!/bin/sh
# Makes the samples again, from samples of other formats; gprof2dot 2025.4.14 from PyPI.
set -eu
out=$(dirname "$(cd "$(dirname "$0")" && pwd)")
[ -x /opt/demo/venv/bin/gprof2dot ] || { /usr/bin/python3 -m venv --copies /opt/demo/venv; /opt/demo/venv/bin/pip install -q gprof2dot; }
cd "$out/.."
dot() { sample=$1; shift; /opt/demo/venv/bin/gprof2dot "$@" > "$out/$sample.dot"; }
dot gprof -f prof gprof/default.gprof.txt
dot gprof-all -f prof -n 0 -e 0 --show-samples -c bw gprof/default.gprof.txt
dot pstats -f pstats pstats/cprofile.prof
dot pstats-all -f pstats -n 0 -e 0 --color-nodes-by-selftime pstats/cprofile.prof
dot callgrind -f callgrind callgrind/caches.callgrind
dot callgrind-stripped -f callgrind -w --strip callgrind/plain.callgrind
dot perf -f perf perf-script/inlined.perf-script
dot perf-all -f perf -n 0 -e 0 perf-script/no-inline.perf-script
dot memray -f json gprof2dot-json/memray.gprof2dot.json
