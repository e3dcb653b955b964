#!/bin/sh
# Records the samples and reports of this folder again, in /opt/demo.
# Debian packages: linux-perf (6.1.187), g++ (12.2), util-linux (unshare).
# Wants root: tracepoints, and a host name of its own.
set -eu
record=$(cd "$(dirname "$0")" && pwd)
out=$(dirname "$record")
mkdir -p /opt/demo "$out/reports"
cp "$record/../../perf-script/record/orchard.cpp" /opt/demo/
cd /opt/demo
export HOME=/opt/demo
mount | grep -q tracefs || mount -t tracefs nodev /sys/kernel/tracing

g++ -g -O1 -finline-functions -fno-omit-frame-pointer -fno-optimize-sibling-calls -o orchard orchard.cpp
rm -rf folder.perf.data
unshare --uts sh -eu <<'EOF'
hostname demo
perf record -q -F 99 -e cpu-clock,page-faults,context-switches -g --sample-cpu -o events.perf.data ./orchard 12000
perf record -q -z -F 99 -e cpu-clock -g --sample-cpu -o packed.perf.data ./orchard 12000
perf record -q -F 99 -e cpu-clock --period -g -o - ./orchard 12000 > pipe.perf.data
perf record -q -F 4999 -e '{cpu-clock,page-faults,context-switches}:S' --sample-cpu -g -o group.perf.data ./orchard 12000
perf record -q -e sched:sched_switch -e sched:sched_wakeup --sample-cpu -o sched.perf.data ./orchard 3000
perf record -q -F 99 -e cpu-clock --switch-events --sample-cpu -o switches.perf.data ./orchard 3000
perf record -q -F 19 -e cpu-clock:u --sample-cpu --period --call-graph dwarf,2048 -o dwarf.perf.data ./orchard 12000
perf record -q --threads -F 99 -e cpu-clock -g --sample-cpu -o folder.perf.data ./orchard 12000
perf stat record -o stat.perf.data -I 50 -e cpu-clock,page-faults,context-switches ./orchard 10000 2> stat.txt
EOF

# The kernel's release and names of other programs are those of the recording machine; their
# lengths stay.
release=$(uname -r)
same=$(printf '6.1.0-demo-recording-machine' | cut -c1-${#release})
for file in *.perf.data folder.perf.data/*; do
    [ -f "$file" ] || continue
    case $file in folder.perf.data/*) to="$out/$file";; *) to="$out/$file";; esac
    mkdir -p "$(dirname "$to")"
    LC_ALL=C sed "s/$release/$same/g; s/memfd:sealed-[0-9]*/other-program-1/g" "$file" > "$to"
done

cd "$out"
script() { # DATA FIELDS
    perf script -i $1.perf.data --ns -F comm,pid,tid,time,event$2 2>/dev/null > "$out/reports/$1.perf-script"
}
for data in events packed switches dwarf; do script $data ,ip,sym,dso,cpu,period; done
script sched ,cpu,period,trace
script pipe ,ip,sym,dso,period
script folder ,ip,sym,dso,cpu
script group ,cpu,period
perf stat report -i stat.perf.data 2> "$out/reports/stat.txt"

