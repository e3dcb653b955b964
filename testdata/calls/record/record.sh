#!/usr/bin/env bash
# Records the samples anew: record.sh HOTFRAME OLD_PYTHON NEW_PYTHON
set -euo pipefail
cd "$(dirname "$0")"
hotframe=$1 old=$2 new=$3
"$hotframe" record python --trace --limit 30 --no-open -o ../bounded.calls -- "$new" orchestra.py
"$hotframe" record python --trace --limit 50 --no-open -o ../estimated.calls -- "$new" split.py
"$hotframe" record python --trace --exact --no-c-functions --no-open -o ../old.calls -- "$old" orchestra.py
