#!/bin/sh
# Records the samples again, in /opt/demo. Debian packages: ghc, ghc-prof (9.0.2).
set -eu
record=$(cd "$(dirname "$0")" && pwd)
out=$(dirname "$record")
mkdir -p /opt/demo/loom
cp "$record/Loom.hs" /opt/demo/loom/
cd /opt/demo/loom
export HOME=/opt/demo
ghc -v0 -prof -fprof-auto -O1 -o loom Loom.hs
for kind in p P pa pj; do
    ./loom 60000 +RTS -$kind -RTS
    case $kind in
        p) cp loom.prof "$out/time.prof" ;;
        P) cp loom.prof "$out/detailed.prof" ;;
        pa) cp loom.prof "$out/all.prof" ;;
        pj) cp loom.prof "$out/time.prof.json" ;;
    esac
done
