#!/bin/sh
# Records five runs of the program before and after its fix: ./record.sh FOLDER
# Needs Go on the PATH and a quiet machine. The versions take turns, so that whatever else goes on
# meets both alike, and run from the same path, as releases do.
set -eu
folder=$(realpath "$1")
cd "$(dirname "$0")"
mkdir -p /opt/logsummary
for version in before after; do
    (cd $version && go build -trimpath -o /opt/logsummary/$version .)
done
for run in 1 2 3 4 5; do
    for version in before after; do
        mv /opt/logsummary/$version /opt/logsummary/logsummary
        /opt/logsummary/logsummary "$folder/$version-$run.pb.gz" $run
        mv /opt/logsummary/logsummary /opt/logsummary/$version
    done
done
