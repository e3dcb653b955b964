#!/bin/sh
# Records the samples and reports of this folder again, in /opt/demo.
# Debian packages: linux-perf (6.1.187), g++ (12.2), binutils, libc6-dbg, util-linux (unshare).
# Wants root: kernel symbols, tracepoints, and a host name of its own.
set -eu
record=$(cd "$(dirname "$0")" && pwd)
out=$(dirname "$record")
mkdir -p /opt/demo "$out/reports"
cp "$record/orchard.cpp" /opt/demo/
cd /opt/demo
export HOME=/opt/demo

g++ -g -O1 -finline-functions -fno-omit-frame-pointer -fno-optimize-sibling-calls -o orchard orchard.cpp
unshare --uts sh -eu <<'EOF'
hostname demo
perf record -q -F 99 -e cpu-clock,page-faults,context-switches -g --sample-cpu -o events.data ./orchard 5000
perf record -q -F 149 -e cpu-clock:u --call-graph dwarf,4096 -o inlined.data ./orchard 4000
perf record -q -F 299 -e task-clock:u -o flat.data ./orchard 4000
perf record -q -e sched:sched_switch -g -o tracepoint.data ./orchard 1200
EOF

script() { # DATA SAMPLE OPTION...
    data=$1 sample=$2; shift 2
    # The kernel's release and other programs' names are those of the recording machine.
    perf script -i "$data.data" "$@" 2>/dev/null |
        sed "s/$(uname -r)/6.1.0/
            /next_comm=\(apple\|hash\|tree\|orchard\|swapper\|rcu_preempt\)/! s/next_comm=.* next_pid/next_comm=other next_pid/" > "$out/$sample.perf-script"
}
script events default
script events header --header
script events all-fields -F comm,tid,pid,time,event,ip,sym,dso,period,cpu,srcline
script events symoff -F comm,tid,time,event,ip,sym,symoff,dso --ns
script events no-event -F comm,pid,tid,ip,sym
script events ip-sym -F ip,sym
script events task-events -F +pid --show-task-events --show-mmap-events
script inlined inlined
script inlined inlined-srcline -F +srcline
script inlined no-inline --no-inline
script flat flat
script tracepoint tracepoint

for data in events inlined flat tracepoint; do
    for how in no-children children; do
        [ $data.$how = flat.children ] && continue
        fields=overhead,sample,period
        [ $how = children ] && fields=overhead_children,$fields
        for sort in sym pid,dso,sym; do
            echo "\$ perf report --stdio --$how --fields $fields,$sort"
            perf report -i $data.data --stdio --$how -g none --fields $fields,$sort 2>/dev/null |
                grep -v '^# To display\|(Tip:\|^#$\|^$' | sed 's/ *$//' | head -60
        done > "$out/reports/$data.perf-report.$how.txt"
    done
done
