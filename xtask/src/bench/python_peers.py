"""What recording a Python program costs, with Hotframe and with its peers.

`cargo xtask bench-python` runs it, once for each interpreter; by itself: `python python_peers.py HOTFRAME`. It prints a
table in Markdown. Each figure is the median of ratios of runs that stand in pairs, with and without the tool, in one
process for what records from inside and in processes of their own for what samples from outside.
"""

import functools
import importlib
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time

PAIRS = 7


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def queens(n, row=0, taken=()):
    if row == n:
        return 1
    found = 0
    for column in range(n):
        if all(abs(column - other) not in (0, row - at) for at, other in enumerate(taken)):
            found += queens(n, row + 1, (*taken, column))
    return found


def nq_fib():
    """Small functions that call themselves."""
    return fibonacci(25), queens(8)


def np_mix():
    """Many small arrays, and some large ones."""
    numpy = importlib.import_module("numpy")
    small = [numpy.arange(8.0) + k for k in range(64)]
    total = 0.0
    for _ in range(500):
        for one in small:
            total += float(numpy.dot(one, one))
    large = numpy.ones((300, 300))
    for _ in range(30):
        large = numpy.sqrt(large @ large / 300.0)
    return total, large[0, 0]


_PATTERN = re.compile(r"(\w+)=(\d+)")


def parsed(line):
    return {name: int(value) for name, value in _PATTERN.findall(line)}


def json_re():
    """Text in and out."""
    draw = random.Random(1)
    lines = [f"user={draw.randrange(99)} time={draw.randrange(9999)} size={k}" for k in range(12_000)]
    rows = [parsed(line) for line in lines]
    return len(json.loads(json.dumps(rows))), sum(row["size"] for row in rows)


class Account:
    def __init__(self, owner, amount):
        self.owner = owner
        self._amount = amount

    @property
    def amount(self):
        return self._amount

    def move(self, other, amount):
        if self.amount >= amount:
            self._amount -= amount
            other._amount += amount


def steps(limit):
    value = 0
    while value < limit:
        yield value
        value += 1


def calls():
    """Methods, properties, generators, closures."""
    accounts = [Account(str(k), 100) for k in range(50)]
    add = functools.reduce
    for k in steps(120_000):
        accounts[k % 50].move(accounts[(k * 7) % 50], k % 5)
    return add(lambda sum, one: sum + one.amount, accounts, 0)


PROGRAMS = [nq_fib, np_mix, json_re, calls]


def busy(program):
    """Time on the processor of this thread, in seconds."""
    start = time.thread_time()
    program()
    return time.thread_time() - start


def paired(program, traced, clock=busy):
    """The median of what a tool makes of the time."""
    program()
    ratios = []
    for _ in range(PAIRS):
        bare = clock(program)
        ratios.append(traced(program) / bare)
    return statistics.median(ratios)


def tracers(folder):
    """What records from inside, by name."""
    import cProfile

    import hotframe

    def hotframe_with(counts=False, **options):
        def traced(program):
            path = os.path.join(folder, "bench.calls")
            if os.path.exists(path):
                os.remove(path)
            trace = hotframe.count(path) if counts else hotframe.trace(path, **options)
            with trace:
                took = busy(program)
            return took

        return traced

    def cprofile(program):
        profile = cProfile.Profile()
        profile.enable()
        took = busy(program)
        profile.disable()
        return took

    tools = {
        "Hotframe, Python calls": hotframe_with(limit=None, c_functions=False),
        "Hotframe, with C functions": hotframe_with(limit=None),
        "Hotframe, bounded": hotframe_with(),
        "Hotframe, counts": hotframe_with(counts=True),
        "cProfile": cprofile,
    }
    try:
        import viztracer
    except ImportError:
        return tools

    def with_viztracer(program):
        tracer = viztracer.VizTracer(tracer_entries=5_000_000, verbose=0)
        tracer.start()
        took = busy(program)
        tracer.stop()
        tracer.clear()
        return took

    tools["viztracer"] = with_viztracer
    return tools


def busy_in_all(program):
    """As `busy`, of all threads of the process: what writes a recording down is one."""
    start = time.process_time()
    program()
    return time.process_time() - start


def recorders_of_memory(folder):
    """What records allocations, by name."""
    import tracemalloc

    import hotframe

    def into(recording, **options):
        def recorded(program):
            path = os.path.join(folder, "bench.memory")
            if os.path.exists(path):
                os.remove(path)
            with recording(path, **options):
                took = busy_in_all(program)
            return took

        return recorded

    def with_tracemalloc(program):
        tracemalloc.start()
        took = busy_in_all(program)
        tracemalloc.stop()
        return took

    tools = {
        "Hotframe, memory": into(hotframe.memory),
        "Hotframe, memory, exact": into(hotframe.memory, sample=None),
        "tracemalloc": with_tracemalloc,
    }
    try:
        import memray
    except ImportError:
        return tools
    tools["memray"] = into(memray.Tracker)
    tools["memray, every object"] = into(memray.Tracker, trace_python_allocators=True)
    return tools


def repeated(program):
    """The program for a while; prints what a run of it took."""
    program()
    until = time.perf_counter() + 2.0
    times = []
    print("ready", flush=True)
    while time.perf_counter() < until:
        start = time.perf_counter()
        program()
        times.append(time.perf_counter() - start)
    print(statistics.median(times), flush=True)


def sampled(program, sampler):
    """What a sampler makes of the time of a process, and the processor time that it takes itself, by second."""
    ratios, costs = [], []
    for _ in range(3):
        pair = []
        for with_sampler in (False, True):
            child = subprocess.Popen(
                [sys.executable, __file__, "--repeat", program.__name__], stdout=subprocess.PIPE, text=True
            )
            child.stdout.readline()
            start = time.perf_counter()
            before = os.times()
            if with_sampler:
                subprocess.run(
                    [*sampler, "--pid", str(child.pid)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=True
                )
                after = os.times()
                took = after.children_user + after.children_system - before.children_user - before.children_system
                costs.append(took / (time.perf_counter() - start))
            pair.append(float(child.stdout.readline()))
            child.wait()
        ratios.append(pair[1] / pair[0])
    return statistics.median(ratios), statistics.median(costs)


def samplers(hotframe, folder):
    """What samples from outside a thousand times a second, without holding the program."""
    out = os.path.join(folder, "bench.hotframe")
    own = [hotframe, "record", "python", "-F", "1000", "--duration", "1500ms", "--no-open", "-o", out]
    tools = {
        "Hotframe, 1 kHz": [*own, "--pause", "never"],
        "Hotframe, 1 kHz, holding": [*own, "--pause", "always"],
    }
    beside = os.path.join(os.path.dirname(sys.executable), "py-spy")
    if os.path.exists(beside):
        raw = os.path.join(folder, "bench.raw")
        theirs = [beside, "record", "-r", "1000", "-d", "2", "-f", "raw", "-o", raw]
        tools["py-spy, 1 kHz, `--nonblocking`"] = [*theirs, "--nonblocking"]
        tools["py-spy, 1 kHz"] = theirs
    return tools


def main(hotframe):
    version = ".".join(map(str, sys.version_info[:3]))
    programs = []
    for program in PROGRAMS:
        try:
            program()
        except ImportError:
            continue
        programs.append(program)
    names = " | ".join(program.__name__ for program in programs)
    print(f"\n| CPython {version} | {names} | geometric mean |")
    print("|---|" + "---:|" * (len(programs) + 1))
    with tempfile.TemporaryDirectory() as folder:
        for name, traced in tracers(folder).items():
            ratios = [paired(program, traced) for program in programs]
            print(f"| {name} | {cells(ratios)} |", flush=True)
        for name, recorded in recorders_of_memory(folder).items():
            ratios = [paired(program, recorded, busy_in_all) for program in programs]
            print(f"| {name} | {cells(ratios)} |", flush=True)
        for name, sampler in samplers(hotframe, folder).items():
            try:
                found = [sampled(program, sampler) for program in programs]
            except subprocess.CalledProcessError as error:
                print(f"{name}: {error.stdout.decode(errors='replace')}", file=sys.stderr)
                continue
            own = statistics.mean(cost for _, cost in found)
            print(f"| {name} (its own processor time: {own:.2f}) | {cells([ratio for ratio, _ in found])} |", flush=True)


def cells(ratios):
    mean = statistics.geometric_mean(ratios)
    return " | ".join(f"×{ratio:.2f}" for ratio in [*ratios, mean])


if __name__ == "__main__":
    if sys.argv[1] == "--repeat":
        repeated(globals()[sys.argv[2]])
    else:
        main(sys.argv[1])
