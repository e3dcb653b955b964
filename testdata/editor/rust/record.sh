#!/bin/sh
# Records gazetteer.perf-script.gz: needs cargo and Linux' perf with the right to record.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

# Paths as if it had been built in a container. perf knows inlined calls by DWARF alone.
RUSTFLAGS="--remap-path-prefix=$PWD=/build/gazetteer" \
  cargo build --release --quiet --target-dir "$work/target"
perf record --quiet -F 299 -e cpu-clock:u --call-graph dwarf -o "$work/perf.data" \
  "$work/target/release/gazetteer"
perf script -i "$work/perf.data" --full-source-path -F comm,tid,time,period,event,ip,sym,srcline |
  sed 's|/rustc/[0-9a-f]*/|/rustc/|' | gzip -9n >gazetteer.perf-script.gz
for order in no-children children; do
  perf report -i "$work/perf.data" --stdio "--$order" -g none --percent-limit 1 >"report-$order.txt"
done
