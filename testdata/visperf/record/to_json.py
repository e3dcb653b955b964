"""Writes the two JSON files of VisPerf for runs in a folder: the list of runs, and what its page shows.

    to_json.py FOLDER PROCESSORS

Counts by thread are sums; a grid has the first count of each processor and second; means are of the
counts of seconds and threads.
"""

import csv
import json
import pathlib
import sys

# Where the list says that files are: on the machine that recorded.
ELSEWHERE = "/home/demo/out"


def label(cpu):
    return f"CPU{cpu}"


def run_of(folder, name, number):
    names = {}
    for line in (folder / name / f"tids-{number}.txt").read_text().splitlines():
        thread, tid = line.rsplit(",", 1)
        names[tid] = thread
    rows = list(csv.DictReader((folder / name / f"{number}.csv").open()))
    first = min(float(row["time"]) for row in rows)
    counts = {}
    for row in rows:
        second = int(float(row["time"]) - first)
        key = (second, row["tid"], row["event"], int(row["cpu"]))
        counts[key] = counts.get(key, 0) + int(row["counter"])
    return names, counts


def summary(names, counts, cpus):
    events = sorted({event for _, _, event, _ in counts})
    seconds = sorted({second for second, _, _, _ in counts})
    run = {"time_series": {}, "cpu": {}, "threads": {"time_series": {}}}
    for event in events:
        grids, threads = {}, {}
        for second in seconds:
            grid, by_cpu = [0.0] * cpus, {}
            for (of, tid, which, cpu), count in sorted(counts.items()):
                if (of, which) != (second, event):
                    continue
                grid[cpu] = grid[cpu] or float(count)
                by_thread = by_cpu.setdefault(label(cpu), {})
                thread = names.get(tid, "Other threads")
                by_thread[thread] = by_thread.get(thread, 0) + count
            grids[str(second)], threads[str(second)] = [grid], by_cpu
        run["time_series"][event] = {"times": seconds, "captures": grids}
        run["threads"]["time_series"][event] = threads
        means = []
        for cpu in range(cpus):
            of = [count for key, count in counts.items() if key[2:] == (event, cpu)]
            means.append(sum(of) / len(of) if of else 0)
        run["cpu"][event] = {"mean": [means]}
    return run


def main():
    folder, cpus = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    experiments, shown, compared, events = {}, {}, [], set()
    for name in sorted(path.name for path in folder.iterdir() if path.is_dir()):
        runs, shown[name] = [], {}
        for number in sorted(int(path.stem) for path in (folder / name).glob("*.csv")):
            title = f"Run {number}"
            where = f"{ELSEWHERE}/{name}"
            runs.append({"title": title, "path": f"{where}/{number}.csv", "tids": f"{where}/tids-{number}.txt"})
            names, counts = run_of(folder, name, number)
            events |= {event for _, _, event, _ in counts}
            shown[name][title] = summary(names, counts, cpus)
            compared.append({"text": f"{name} - {title}", "value": {"experiment": name, "run": title}})
        experiments[name] = {"title": name, "runs": runs}
    common = {"cpus": cpus, "cpu_setup": [[0] * cpus]}
    listed = {**common, "events_captured": sorted(events), "experiments": experiments}
    (folder / "config.json").write_text(json.dumps(listed, indent=2) + "\n")
    labels = {"cpu_labels": [[label(cpu) for cpu in range(cpus)]], "events_captured": sorted(events)}
    page = {**common, **labels, "experiments_to_compare": compared, "experiments": shown}
    (folder / "experiments.json").write_text(json.dumps(page) + "\n")


main()
