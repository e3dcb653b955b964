#!/bin/sh
# Records the samples and reports of this folder again, in /opt/demo.
# Debian package: openjdk-17-jdk-headless (17.0.15).
set -eu
record=$(cd "$(dirname "$0")" && pwd)
out=$(dirname "$record")
rm -rf /opt/demo/smithy
mkdir -p /opt/demo/smithy "$out/reports"
cp "$record"/Smithy.java "$record"/*.jfc /opt/demo/smithy/
cd /opt/demo/smithy
export HOME=/opt/demo
javac -g -d . Smithy.java

smithy() { # MILLISECONDS OPTIONS
    java -Xmx64m -Xlog:disable -XX:FlightRecorderOptions=repository=/opt/demo/smithy/repository,stackdepth=${depth:-64} \
        -XX:StartFlightRecording="$2" -cp . Smithy "$1"
}
smithy 500 settings=small.jfc,filename=plain.jfr,dumponexit=true
depth=5 smithy 300 settings=tlab.jfc,filename=tlab.jfr,dumponexit=true

# A dump begins a new chunk; the last holds all.
smithy 2500 name=smithy,settings=small.jfc,filename=chunks.jfr,dumponexit=true &
sleep 1.5
jcmd Smithy JFR.dump name=smithy filename=/opt/demo/smithy/dump.jfr >/dev/null
wait
gzip -n9 chunks.jfr

# What is left of a recording when the program is killed.
rm -rf repository
java -Xmx64m -Xlog:disable -XX:FlightRecorderOptions=repository=/opt/demo/smithy/repository \
    -XX:StartFlightRecording=settings=small.jfc -cp . Smithy 20000 &
killed=$!
sleep 2.5
kill -9 $killed
wait $killed || true
cp repository/*/*.jfr killed.jfr

events=jdk.ExecutionSample,jdk.NativeMethodSample,jdk.ObjectAllocationSample,jdk.ObjectAllocationInNewTLAB,jdk.ObjectAllocationOutsideTLAB,jdk.JavaMonitorEnter,jdk.ThreadSleep,jdk.ThreadPark
for sample in plain tlab chunks killed; do
    [ $sample = chunks ] && gzip -dck chunks.jfr.gz > chunks.jfr
    {
        jfr summary $sample.jfr | awk 'NF != 3 || $2 != 0 || $1 == "Chunks:"'
        jfr print --json --stack-depth 64 --events $events $sample.jfr | python3 "$record/report.py"
    } > "$out/reports/$sample.jfr.txt" 2>&1 || echo "$sample: jfr fails" >&2
done
cp plain.jfr tlab.jfr chunks.jfr.gz killed.jfr "$out/"
