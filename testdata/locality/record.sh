#!/bin/sh
# Records misses with cachegrind: `sh record.sh`, in this folder. Needs gcc and valgrind.
set -e
work=$(mktemp -d)
for row in 64 72; do
  gcc -O1 -gdwarf-4 -no-pie -DSIZE=64 -DROW=$row product.c -o "$work/product"
  for cache in 4096,1,64 8192,4,64 16384,8,64; do
    valgrind --tool=cachegrind --cache-sim=yes --D1=$cache --LL=1048576,16,64 \
      --cachegrind-out-file="$work/out" "$work/product" 2>"$work/log"
    # The line of the innermost statement: reads, writes, and those that miss in D1.
    awk -v row=$row -v cache=$cache '
      /^events:/ { for (n = 2; n <= NF; n++) at[$n] = n }
      /^fl=/ { inside = /product\.c/ }
      inside && $1 == 16 {
        reads += $at["Dr"]; writes += $at["Dw"]
        read_misses += $at["D1mr"]; write_misses += $at["D1mw"]
      }
      END { print row, cache, reads, writes, read_misses, write_misses }
    ' "$work/out"
  done
done >product.cachegrind.txt
rm -r "$work"
