"""The example of every builder: allocations with their use and reuse, on two threads."""

import pathlib
import sys

import hotframe
from hotframe import Combine


def main(path: pathlib.Path) -> None:
    with hotframe.Profile(
        path,
        producer="builders example 1.0",
        time_ns=1_700_000_000_000_000_000,
        clock_ns=5000,
        period=512,
        period_type="space",
        period_unit="bytes",
    ) as profile:
        size = profile.metric("allocated", "bytes")
        count = profile.metric("allocations", "count")
        lifetime = profile.metric(
            "lifetime",
            "seconds",
            3,
            over_contexts=Combine.MEAN,
            over_time=Combine.MEAN,
            over_members=Combine.NONE,
            weight=count,
        )
        profile.default_metric(count)
        module = profile.module(
            "/usr/bin/example",
            "c0ffee",
            memory_start=0xFFFFFFFF81000000,
            memory_limit=0xFFFFFFFF82000000,
            file_offset=4096,
        )
        main_frame = profile.frame("main", "example.c", 10, start_line=8, module=module)
        grow_frame = profile.frame(
            "List::grow",
            "list.cpp",
            21,
            system_name="_ZN4List4growEv",
            module=module,
            address=0xFFFFFFFF81000010,
            instruction="call malloc",
        )
        main = profile.context(None, main_frame)
        grow = profile.context(main, grow_frame)
        heap = profile.context(grow, profile.frame("list", kind=hotframe.Kind.DATA))
        walk_frame = profile.frame("walk", "list.cpp", 40, inlined=[("next", "list.h", 7)])
        walk = profile.context(main, walk_frame)
        block_frame = profile.frame(
            "next",
            "list.h",
            8,
            module=module,
            address=0xFFFFFFFF81000020,
            kind=hotframe.Kind.BLOCK,
            instruction="mov rax, [rax + 8]",
        )
        block = profile.context(walk, block_frame)
        process = profile.process(42, "example")
        threads = [profile.thread(number, f"worker {number}", process) for number in (1, 2)]
        profile.member("run 1", 1_700_000_000_000_000_000, host="node 1")
        for step in range(10):
            labels = {"phase": "grow" if step < 5 else "steady", "step": step, "size": (64 * step, "bytes")}
            profile.point(
                heap,
                {size: 4096 + step, count: 1, lifetime: 250},
                labels,
                time_ns=step * 1_000_000,
                thread=threads[step % 2],
                cpu=step % 4,
                links=[("allocation", heap), ("use", walk), ("reuse", walk)],
            )
        profile.point(block, {count: -1})
        profile.note("Sampled", "One in 512 bytes was seen.")
        again = "What is read here is read again."
        profile.note("Reused", again, link="https://example.com/reuse", context=heap)
        profile.note("Grows by one", frame=grow_frame)
        profile.note("Chases pointers", "An array is faster.", file="list.cpp", line=40)
        profile.duration(9_000_000)


main(pathlib.Path(sys.argv[1]))
