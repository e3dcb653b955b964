"""The example of every builder: allocations with their use and reuse, on two threads."""

import sys

import hotframe


def main(path):
    with hotframe.Profile(path, producer="builders example 1.0", time_ns=1_700_000_000_000_000_000) as profile:
        size = profile.metric("allocated", "bytes")
        count = profile.metric("allocations", "count")
        module = profile.module("/usr/bin/example", "c0ffee")
        main = profile.context(None, profile.frame("main", "example.c", 10, module=module))
        grow = profile.context(main, profile.frame("grow", "list.c", 21, module=module))
        heap = profile.context(grow, profile.frame("list", kind=hotframe.Kind.DATA))
        walk = profile.context(main, profile.frame("walk", "list.c", 40, inlined=[("next", "list.h", 7)]))
        process = profile.process(42, "example")
        threads = [profile.thread(number, f"worker {number}", process) for number in (1, 2)]
        for step in range(10):
            thread = threads[step % 2]
            links = [("allocation", heap), ("use", walk), ("reuse", walk)]
            labels = {"phase": "grow" if step < 5 else "steady", "step": step, "size": (64 * step, "bytes")}
            profile.point(heap, {size: 4096 + step, count: 1}, labels, step * 1_000_000, thread, step % 4, links=links)
        profile.point(walk, {count: -1})


main(sys.argv[1])
