#!/bin/sh
# Records the samples and reports of this folder again, in /opt/demo.
# Debian packages: heaptrack (1.4.0), gcc (12.2), libc6-dbg, zstd.
set -eu
record=$(cd "$(dirname "$0")" && pwd)
out=$(dirname "$record")
mkdir -p /opt/demo/heaptrack "$out/reports"
cp "$record/larder.c" "$record/spill.c" /opt/demo/heaptrack/
cd /opt/demo/heaptrack
export HOME=/opt/demo
rm -f heaptrack.*

gcc -g -O1 -pthread -o larder larder.c
gcc -g -O2 -pthread -DNOINLINE= -o larder-inlined larder.c
heaptrack -o heaptrack.larder ./larder 40
heaptrack -o heaptrack.larder-inlined ./larder-inlined 40
heaptrack --raw -o heaptrack.larder ./larder 40            # heaptrack.larder.raw.zst
gcc -g -O1 -rdynamic -o spill spill.c
heaptrack -o heaptrack.spill ./spill
zstd -dcq heaptrack.larder-inlined.zst > heaptrack.larder-inlined.txt
zstd -dcq heaptrack.larder.raw.zst | /usr/lib/heaptrack/libexec/heaptrack_interpret | gzip -n9 > heaptrack.larder-interpreted.gz
cp heaptrack.* "$out/"

for sample in larder.zst larder-inlined.zst larder-interpreted.gz; do
    heaptrack_print --print-leaks=1 --merge-backtraces=0 "heaptrack.$sample" 2>&1 |
        sed -n '/^reading file/d; /^MOST CALLS/,$p' | head -c 12000 > "$out/reports/$sample.heaptrack_print.txt"
    heaptrack_print "heaptrack.$sample" 2>&1 | tail -10 > "$out/reports/$sample.totals.txt"
    for cost in allocations temporary leaked peak; do
        heaptrack_print -F stacks.txt --flamegraph-cost-type=$cost "heaptrack.$sample" >/dev/null 2>&1
        sort stacks.txt > "$out/reports/$sample.$cost.stacks.txt"
    done
done

# heaptrack_print 1.4 does not read suppressions with their length, as heaptrack 1.4 writes them.
zstd -dcq heaptrack.spill.zst | sed 's/^S [0-9a-f]* /S /' | gzip -n9 > plain.gz
heaptrack_print --print-suppressions=1 plain.gz 2>&1 | sed -n '/^total runtime/,$p' |
    grep -v '^heaptrack stats' > "$out/reports/spill.zst.totals.txt"
heaptrack_print -F stacks.txt --flamegraph-cost-type=leaked plain.gz >/dev/null 2>&1
sort stacks.txt > "$out/reports/spill.zst.leaked.stacks.txt"
