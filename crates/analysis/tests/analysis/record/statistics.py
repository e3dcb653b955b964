"""Prints what numpy and scipy say of some numbers, for `tests/analysis/statistics.rs`.

    python3 -m venv VENV && VENV/bin/pip install numpy scipy
    VENV/bin/python statistics.py > statistics.txt

A line is a question and lists of numbers, parted by `|`; the last list is the answer.
"""

import itertools

import numpy
import scipy
from scipy import stats

random = numpy.random.default_rng(20260101)


def line(question, *lists):
    text = [" ".join(repr(float(x)) if x % 1 else str(int(x)) for x in numbers) for numbers in lists]
    print(question, *text, sep="|")


def ints(n, scale=1000, zeros=0.0):
    values = random.integers(-scale // 4, scale, n)
    return [int(v) for v in numpy.where(random.random(n) < zeros, 0, values)]


print(f"# numpy {numpy.__version__}, scipy {scipy.__version__}")

samples = [ints(n, scale, zeros) for n, scale, zeros in
           [(1, 10, 0), (2, 10, 0), (5, 100, 0.4), (12, 20, 0.2), (40, 1000, 0.9), (101, 50, 0), (245, 10**6, 0.5), (300, 10**15, 0.1)]]
samples += [[7] * 9, [0] * 4, [0, 0, 0, 5]]
for values in samples:
    a = numpy.array(values, dtype=numpy.int64)
    deviation = [numpy.std(a, ddof=1)] if len(a) > 1 else []
    line("summary", values, [len(a), numpy.count_nonzero(a), sum(values), a.min(), a.max(), numpy.mean(a), numpy.median(a)] + deviation)
    percents = [0, 1, 12.5, 25, 33.3, 50, 75, 90, 99, 100]
    line("percentiles", values, percents, numpy.percentile(a, percents))
    if len(a) > 1 and a.min() < a.max():
        for bins in [1, 3, 7, 10]:
            counts, edges = numpy.histogram(a, bins)
            line("histogram", values, [bins], edges, counts)
    low, high = numpy.percentile(a, [25, 75])
    reach = 1.5 * (high - low)
    line("fences", values, [low - reach, high + reach])
    if high > low:
        line("automatic", values, [len(numpy.histogram_bin_edges(a, "fd")) - 1])


def mann_kendall(values):
    n = len(values)
    s = sum(int(numpy.sign(values[j] - values[i])) for i in range(n) for j in range(i + 1, n))
    _, ties = numpy.unique(values, return_counts=True)
    variance = (n * (n - 1) * (2 * n + 5) - sum(int(t) * (int(t) - 1) * (2 * int(t) + 5) for t in ties)) / 18
    if len(ties) == n and n <= 33:
        p = stats.kendalltau(range(n), values, method="exact").pvalue
    elif s == 0:
        p = 1
    else:
        p = 2 * stats.norm.sf((abs(s) - 1) / variance**0.5)
    return s, p


trends = [[3, 1], [1, 2, 3], [5, 4, 3, 2, 1], list(range(10)), [0, 0, 0, 1, 0, 2, 0, 3], [4] * 6,
          [2, 9, 4, 7, 1, 8, 3, 6, 5, 0], list(random.permutation(33)), list(random.permutation(34))]
trends += [ints(n, scale, zeros) for n, scale, zeros in [(8, 10, 0.3), (20, 5, 0), (60, 1000, 0.8), (245, 1000, 0.95), (245, 30, 0.1), (400, 10**9, 0)]]
trends += [[int(3 * i + x) for i, x in enumerate(ints(50, 100))], [int(x - i) for i, x in enumerate(ints(200, 400))]]
for values in trends:
    times = [int(t) for t in numpy.cumsum(random.integers(1, 9, len(values)))]
    s, p = mann_kendall(values)
    line("trend", times, values, [stats.linregress(times, values).slope, s, p, stats.theilslopes(values, times).slope])

groups = [([1], [2]), ([1, 2, 3], [4, 5, 6]), ([6, 1, 9], [4, 2, 8, 5, 11]), ([1, 1, 2], [1, 2, 2]), ([5, 5], [5, 5, 5])]
for m, n, scale in [(8, 8, 10**6), (7, 60, 10**6), (8, 200, 10**9), (9, 9, 10**6), (30, 40, 10**6), (25, 25, 12), (12, 230, 20), (4, 5, 4), (60, 60, 10**9)]:
    groups.append((ints(m, scale), [v + int(random.integers(0, scale // 2)) for v in ints(n, scale)]))
for a, b in groups:
    for method, name in [("auto", 0), ("exact", 1), ("asymptotic", 2)]:
        if len(a) * len(b) > 4000 or len(set(a + b)) == 1 and name != 1:
            continue
        found = stats.mannwhitneyu(a, b, method=method)
        line("mann_whitney", a, b, [name], [found.statistic, found.pvalue])

for a, b in [([1], [2]), ([1, 2, 3], [4, 5, 6]), ([6, 1, 9], [4, 2, 8, 5, 11]), ([1, 1, 2], [1, 2, 2]), (ints(5), ints(7)), (ints(8, 10), ints(4, 10))]:
    for centre in [numpy.mean, numpy.median]:
        values, own = numpy.array(a + b), len(a)
        observed = centre(b) - centre(a)
        far = ways = 0
        for chosen in itertools.combinations(range(len(values)), own):
            is_first = numpy.isin(range(len(values)), chosen)
            ways += 1
            far += abs(centre(values[~is_first]) - centre(values[is_first])) >= abs(observed) - 1e-9
        line("permutation", a, b, [int(centre is numpy.median)], [observed, far / ways])

for n in [1, 2, 5, 20, 100]:
    p = random.random(n) ** 3
    line("false_discovery", p, stats.false_discovery_control(p))
line("false_discovery", [0.01, 0.01, 0.5, 1, 0.04, 0], stats.false_discovery_control([0.01, 0.01, 0.5, 1, 0.04, 0]))

for m, n in [(20, 30), (50, 45)]:
    a, b = ints(m), [v + 150 for v in ints(n)]
    for centre in [numpy.mean, numpy.median]:
        difference = lambda x, y, axis: centre(y, axis=axis) - centre(x, axis=axis)
        found = stats.bootstrap((a, b), difference, vectorized=True, confidence_level=0.9, n_resamples=40000, method="percentile", rng=1)
        line("bootstrap", a, b, [int(centre is numpy.median)], [difference(a, b, 0), found.confidence_interval.low, found.confidence_interval.high, found.standard_error])
