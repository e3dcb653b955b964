#!/bin/sh
# Records the samples and reports of this folder again, in /opt/demo.
# Debian packages: valgrind (3.19.0), gcc (12.2), libc6-dbg; Rust 1.95 (rustup).
set -eu
record=$(cd "$(dirname "$0")" && pwd)
out=$(dirname "$record")
mkdir -p /opt/demo "$out/reports"
cp "$record/larder.c" "$record/jars.c" /opt/demo/
cd /opt/demo
builder=$HOME
export HOME=/opt/demo

gcc -g -O1 -pthread -o larder larder.c
gcc -g -O1 -o jars jars.c
gcc -g -O1 -pthread -DAD_HOC -o larder-ad-hoc larder.c
dhat() { # SAMPLE PROGRAMME OPTION...
    sample=$1 program=$2; shift 2
    # DHAT has no tool that prints a profile, only a page; its totals go to standard error.
    valgrind --tool=dhat --dhat-out-file="$sample.dhat.json" "$@" ./$program 40 2>&1 >/dev/null |
        sed 's/^==[0-9]*== //; /^Total/,/^$/!d' > "$out/reports/$sample.valgrind.txt"
    install -m 644 "$sample.dhat.json" "$out/"
}
dhat heap larder
dhat heap-shallow larder --num-callers=3
dhat copy larder --mode=copy
dhat jars jars
dhat ad-hoc larder-ad-hoc --mode=ad-hoc

# The Rust crate dhat (0.3.3) writes the same format. Paths of the crates' sources begin with /cargo here.
cp -r "$record/pantry" /opt/demo/
(cd pantry && HOME=$builder RUSTFLAGS="--remap-path-prefix=$builder/.cargo=/cargo" cargo build -q --release)
(cd pantry && target/release/pantry) 2>&1 | sed -n '/^dhat: /p' | grep -v 'Total time\|view' > "$out/reports/rust.dhat-crate.txt"
install -m 644 pantry/dhat-heap.json "$out/rust.dhat.json"

# The page's figures, by its own code (Node 20).
for sample in heap heap-shallow copy ad-hoc rust jars; do
    LC_ALL=C node "$record/dh_view_report.cjs" /usr/libexec/valgrind/dh_view.js "$out/$sample.dhat.json" > "$out/reports/$sample.dh_view.txt"
done
