#!/bin/sh
# Records orders.prof and orders.collapsed: needs Python 3 with its venv module, and the right
# to look into processes of one's own.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -r "$work" /tmp/build-orders' EXIT

# Another root than the one that is edited, as on a server.
mkdir /tmp/build-orders
cp -r orders /tmp/build-orders/
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet py-spy==0.4.3

here=$PWD
cd /tmp/build-orders
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=/tmp/build-orders
python3 -m cProfile -o "$work/all.prof" -m orders
"$work/venv/bin/py-spy" record --rate 250 --full-filenames --format raw \
  --output "$here/orders.collapsed" -- python3 -I -S -c \
  'import sys; sys.path.insert(0, "/tmp/build-orders"); import orders.__main__'
cd "$here"
cp "$work/all.prof" orders.prof
for order in cumulative tottime; do
  python3 -c 'import pstats, sys; pstats.Stats(sys.argv[1]).sort_stats(sys.argv[2]).print_stats("orders|Decimal")' \
    orders.prof $order >"report-$order.txt"
done
