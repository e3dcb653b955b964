"""Profiles `library` with one of the profilers that write pstats files.

    python3 profilers.py cprofile|builtins|profile|threads|subcalls|yappi|yappi-wall OUT
"""

import cProfile
import profile
import pstats
import sys
import threading

import library


def visit_twice(start=lambda: None, stop=lambda: None) -> None:
    def run(seed: int) -> None:
        start()
        library.visit(200, seed)
        stop()

    readers = [threading.Thread(target=run, args=(seed,), name=f"reader {seed}") for seed in (2, 3)]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()


def threads(out: str) -> None:
    """One profiler a thread, merged by pstats."""
    local, profiles = threading.local(), []

    def start() -> None:
        local.profile = cProfile.Profile()
        profiles.append(local.profile)
        local.profile.enable()

    visit_twice(start, lambda: local.profile.disable())
    pstats.Stats(*profiles).dump_stats(out)


def with_yappi(out: str, clock: str) -> None:
    import yappi

    yappi.set_clock_type(clock)
    yappi.start()
    visit_twice()
    yappi.stop()
    yappi.get_func_stats().save(out, type="pstat")


how, out = sys.argv[1:]
if how == "threads":
    threads(out)
elif how.startswith("yappi"):
    with_yappi(out, "wall" if how.endswith("wall") else "cpu")
else:
    profiler = {
        "cprofile": cProfile.Profile,
        "no-builtins": lambda: cProfile.Profile(builtins=False),
        "no-subcalls": lambda: cProfile.Profile(subcalls=False),
        "profile": profile.Profile,
    }[how]()
    profiler.runcall(library.visit, 300, 1)
    profiler.dump_stats(out)
