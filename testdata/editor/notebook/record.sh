#!/usr/bin/env bash
# Records the notebook anew; PYTHON is one that has ipykernel, HOTFRAME the program.
set -euo pipefail
cd "$(dirname "$0")"
"${HOTFRAME:-hotframe}" record python --no-open -o primes.hotframe -- "${PYTHON:-python3}" run.py primes.ipynb
