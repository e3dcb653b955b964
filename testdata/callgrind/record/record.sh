#!/bin/sh
# Records the samples and reports of this folder again, in /opt/demo.
# Debian packages: valgrind (3.19.0), gcc and g++ (12.2), libc6-dbg, python3-venv (3.11.2); PyPI: yappi (1.7.6).
set -eu
record=$(cd "$(dirname "$0")" && pwd)
out=$(dirname "$record")
mkdir -p /opt/demo/callgrind "$out/reports"
cp "$record"/mill.c "$record"/grain.h "$record"/shelf.cpp "$record"/sheaves.py /opt/demo/
cd /opt/demo
[ -x venv/bin/python3 ] || /usr/bin/python3 -m venv --copies venv
venv/bin/python3 -c 'import yappi' 2>/dev/null || venv/bin/pip install -q yappi
export HOME=/opt/demo

gcc -g -O1 -fno-optimize-sibling-calls -pthread -o mill mill.c
rm -f callgrind/*

grind() { # SAMPLE OPTION...
    sample=$1; shift
    valgrind -q --tool=callgrind --callgrind-out-file="callgrind/$sample.callgrind" "$@" ./mill 12
}
inside='--toggle-collect=miller --toggle-collect=baker'
grind plain
grind instr $inside --dump-instr=yes
grind jumps $inside --collect-jumps=yes
grind instr-jumps $inside --dump-instr=yes --collect-jumps=yes
grind threads $inside --separate-threads=yes
grind caches $inside --cache-sim=yes --branch-sim=yes
grind system $inside --collect-systime=nsec --collect-bus=yes
grind uncompressed $inside --compress-strings=no --compress-pos=no
grind callers $inside --separate-callers=2 --separate-recs=3
grind cycles $inside --separate-recs=1
grind parts $inside --dump-every-bb=8000 --combine-dumps=yes
grind thread-parts $inside --separate-threads=yes --combine-dumps=yes --dump-before=baker
g++ -g -O1 -o shelf shelf.cpp
for options in shelf 'shelf-cycles --separate-recs=1' 'shelf-jumps --collect-jumps=yes'; do
    set -- $options; sample=$1; shift
    valgrind -q --tool=callgrind --callgrind-out-file="callgrind/$sample.callgrind" \
        --toggle-collect=main "$@" ./shelf
done
valgrind -q --tool=cachegrind --cache-sim=yes --cachegrind-out-file=callgrind/shelf.cachegrind ./shelf
venv/bin/python3 sheaves.py callgrind/yappi.callgrind

# One file a thread: `callgrind.out-01` becomes `threads-01.callgrind`; the one without a number is empty.
rm callgrind/threads.callgrind
for thread in 01 02 03; do mv callgrind/threads.callgrind-$thread callgrind/threads-$thread.callgrind; done

chmod 644 callgrind/*
cp callgrind/* "$out/"
cg_annotate --threshold=0 --show-percs=no --auto=no callgrind/shelf.cachegrind |
    sed -n '/file:function$/,$p' > "$out/reports/shelf.cachegrind.cg_annotate.txt"
for file in callgrind/*.callgrind; do
    sample=$(basename "$file")
    for how in '--inclusive=no' '--inclusive=yes' '--tree=both --inclusive=yes'; do
        echo "\$ callgrind_annotate $how --threshold=100 --show-percs=no --auto=no $sample"
        # Not in the sources' folder: the tool would shorten some names of one file and not others.
        (cd / && callgrind_annotate $how --threshold=100 --show-percs=no --auto=no "/opt/demo/$file") |
            sed -n '/^Events shown/,$p' | head -$([ "${sample#shelf}" = "$sample" ] && echo 70 || echo 120)
    done > "$out/reports/$sample.callgrind_annotate.txt" 2>&1
done
