//! The plan to begin with.

/// A plan with comments, which runs as it is.
pub const TEMPLATE: &str = r#"# An experiment of Hotframe: one command in several conditions.
#   hotframe experiment plan PLAN    tells what would run
#   hotframe experiment run PLAN     runs what has not run yet, into NAME.hotframe
name = "example"

# No shell comes in between. {seconds} is filled in from the matrix below.
command = ["python3", "-c", "import time; end = time.time() + {seconds}\nwhile time.time() < end: sum(range(1000))"]

# How often each cell is measured. Cells take turns, so that what changes on the machine changes all.
runs = 3

# What measures: "time" (only how long it takes), "python" (samples), "python-trace" (every call),
# "perf", or "file" with file = "out.prof": what the command leaves is read.
recorder = "time"

# warm_up_runs = 1         # runs of each cell before those that count
# timeout_s = 600          # a run that takes longer has failed
# repeats = 2              # a run during which others kept the machine busy is repeated so often
# isolated = true          # no network, none of your files, bounded memory, time and disk
# requirements = ["numpy"] # of all cells, as pip writes them

# Which files the command needs: without this all that git knows in the folder of the plan.
# [source]
# files = ["p.py", "data"]

[matrix]
seconds = [0.05, 0.1]
# interpreter = ["3.11", "3.12", "/usr/bin/python3"]
# revision = ["v1.0", "HEAD"]
# machine = ["one", "two"]

# [matrix.requirements]
# numpy = ["1.26.4", ">=2"]

# [matrix.environment]
# OMP_NUM_THREADS = ["1", "2"]

# [[exclude]]
# interpreter = "3.11"
# numpy = ">=2"
"#;
