#!/bin/sh
# A perf for tests. It keeps its arguments in $FAKE/log, one a line between marks, opens the events
# of $FAKE/events, has $FAKE/counters counters, and writes $FAKE/canned for a recording.
for word; do printf '<%s>' "$word"; done >>"$FAKE/log"
echo >>"$FAKE/log"

case "$1" in
--version)
    cat "$FAKE/version"
    exit 0
    ;;
esac
if [ "$1 $2" = "record -h" ]; then
    cat "$FAKE/help" >&2
    exit 129
fi

kind=$1
shift
events= out= interval= control= clock=
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    case "$1" in
    -e)
        events="$events $2"
        shift
        ;;
    -o)
        out=$2
        shift
        ;;
    -I)
        interval=$2
        shift
        ;;
    --control)
        control=$2
        shift
        ;;
    -k)
        clock=$2
        shift
        ;;
    -F | -c | -p | --call-graph) shift ;;
    esac
    shift
done
[ $# -eq 0 ] || shift

# The names in `{a,b/period=8/}:S`, one a line.
names() {
    printf '%s\n' $events | sed -e 's/^{//' -e 's/}[^}]*$//' -e 's/\/[^/]*\/[a-zA-Z]*//g' | tr ',' '\n'
}

if [ "$kind" = stat ] && [ -z "$interval" ]; then
    many=$(names | wc -l)
    for name in $(names); do
        if ! grep -qx "$name" "$FAKE/known"; then
            echo "event syntax error: '$name'" >&2
            exit 129
        elif ! grep -qx "$name" "$FAKE/events"; then
            echo "<not supported>,,$name,0,100.00,," >&2
        elif [ "$many" -gt "$(cat "$FAKE/counters")" ]; then
            echo "<not counted>,,$name,0,0.00,," >&2
        else
            echo "7,,$name,1000,100.00,," >&2
        fi
    done
    exit 0
fi
if [ "$kind" = stat ]; then
    pipes=${control#fifo:}
    read -r told <"${pipes%,*}"
    [ "$told" = enable ] || exit 9
    {
        echo "# started on a day"
        for name in $(names); do
            echo "0.1;10;;$name;1000;100.00;;"
            echo "0.2;32;;$name;1000;50.00;;"
        done
    } >"$out"
    trap 'exit 0' INT
    echo ack >"${pipes#*,}"
    while kill -0 $PPID; do sleep 0.02; done
    exit 1
fi
for name in $(names); do
    if grep -qx "$name" "$FAKE/unsampled" 2>/dev/null; then
        printf 'Error:\n%s: PMU Hardware does not support sampling\n' "$name" >&2
        exit 255
    fi
done
if [ -e "$FAKE/refuses" ] && [ "$1" = true ] && [ -n "$clock" ]; then
    cat "$FAKE/refuses" >&2
    exit 255
fi
if [ -e "$FAKE/writes-nothing" ] && [ "$1" != true ]; then
    exit 3
fi
cat "$FAKE/canned" >"$out"
exec "$@"
