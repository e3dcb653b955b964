#!/bin/sh
# Records the samples and reports again, in /opt/demo.
# Debian packages: ruby (3.1), ruby-stackprof (0.2.21).
set -eu
record=$(cd "$(dirname "$0")" && pwd)
out=$(dirname "$record")
mkdir -p /opt/demo/mint "$out/reports"
cp "$record/mint.rb" /opt/demo/mint/
cd /opt/demo/mint
export HOME=/opt/demo
for sample in cpu/cpu/raw wall/wall/no object/object/raw; do
    name=${sample%%/*} raw=${sample##*/}
    ruby mint.rb $name $name.stackprof.json $raw
    cp $name.stackprof.json "$out/"
    stackprof --text --limit 30 $name.stackprof.dump > "$out/reports/$name.stackprof.json.stackprof.txt"
done
cp cpu.stackprof.dump "$out/record/"
