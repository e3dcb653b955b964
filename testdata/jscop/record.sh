#!/bin/sh
# Records loops with Polly: `sh record.sh`, in this folder. Needs clang and opt of LLVM 14.
set -e
work=$(mktemp -d)
for name in gemm heat solve sequence; do
  mkdir "$work/$name"
  # Names of the source keep sizes and parameters together.
  clang -O1 -fno-vectorize -fno-unroll-loops -fno-discard-value-names -S -emit-llvm \
    "$name.c" -o "$work/$name/$name.ll"
  (cd "$work/$name" && opt-14 -polly-canonicalize -polly-process-unprofitable \
    -polly-use-llvm-names -polly-export-jscop -disable-output "$name.ll")
  cp "$work/$name"/*.jscop "$name.jscop"
done
rm -r "$work"
