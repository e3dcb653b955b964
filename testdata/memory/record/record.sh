#!/usr/bin/env bash
# Records the samples anew: record.sh HOTFRAME OLD_PYTHON NEW_PYTHON
set -euo pipefail
cd "$(dirname "$0")"
hotframe=$1 old=$2 new=$3
"$hotframe" record python --memory --sample 65536 --no-open -o ../sampled.memory -- "$new" -W ignore pantry.py
"$hotframe" record python --memory --exact --no-open -o ../exact.memory -- "$old" pantry.py
