#!/bin/sh
# Records loops with Polly, and misses of one with cachegrind: `sh record.sh`, in this folder. Needs
# clang and opt of LLVM 14, and valgrind.
set -e
work=$(mktemp -d)
flags="-O1 -fno-vectorize -fno-unroll-loops"
for name in gemm heat rows sequence solve; do
  mkdir "$work/$name"
  # Names of the source keep sizes and parameters together.
  clang $flags -fno-discard-value-names -S -emit-llvm "$name.c" -o "$work/$name/$name.ll"
  (cd "$work/$name" && opt-14 -polly-canonicalize -polly-process-unprofitable \
    -polly-use-llvm-names -polly-export-jscop -disable-output "$name.ll")
  cp "$work/$name"/*.jscop "$name.jscop"
done
clang $flags -gdwarf-4 -no-pie gemm.c run.c -o "$work/run"
for sizes in "64 64 64" "40 48 72"; do
  for cache in 4096,1,64 8192,4,64 16384,8,64; do
    valgrind --tool=cachegrind --cache-sim=yes --D1=$cache --LL=1048576,16,64 \
      --cachegrind-out-file="$work/out" "$work/run" $sizes 2>"$work/log"
    # The lines of both statements: reads, writes, and those that miss in D1.
    awk -v sizes="$sizes" -v cache=$cache '
      /^events:/ { for (n = 2; n <= NF; n++) at[$n] = n }
      /^fl=/ { inside = /gemm\.c/ }
      inside && ($1 == 5 || $1 == 7) {
        told = told " " $at["Dr"] " " $at["Dw"] " " $at["D1mr"] " " $at["D1mw"]
      }
      END { print sizes, cache told }
    ' "$work/out"
  done
done >gemm.cachegrind.txt
rm -r "$work"
