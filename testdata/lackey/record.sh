#!/bin/sh
# Records the accesses of columns.c and what cachegrind says of them: gcc and valgrind.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
gcc -g -O1 -nostdlib -static -ffreestanding -fno-stack-protector -no-pie columns.c -o "$work/columns"
(cd "$work" && valgrind --tool=lackey --trace-mem=yes --log-file=trace ./columns)
sed "s/==[0-9]*==/==1==/" "$work/trace" >columns.lackey
nm -S "$work/columns" | grep -E ' (table|sums|order)$' >columns.symbols.txt
for cache in 256,1 512,2 1024,2 2048,4 1024,16 4096,64; do
    (cd "$work" && valgrind --tool=cachegrind --cache-sim=yes --D1="$cache",64 --LL=1048576,16,64 \
        --cachegrind-out-file=out ./columns 2>/dev/null)
    # Reads, their misses in D1 and LL, then the same of writes.
    echo "$cache $(sed -n 's/^summary: [0-9]* [0-9]* [0-9]* //p' "$work/out")"
done >columns.cachegrind.txt
