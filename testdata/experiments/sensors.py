"""Reads what accelerometers wrote, and tells of each how it shakes."""

import json
import re
import sys

import numpy as np

LINE = re.compile(r"(\w+) (-?\d+\.\d+)")
WINDOW = 64


def lines(count):
    shaking = np.random.default_rng(7).normal(0.0, 1.0, count)
    return [f"sensor{i % 50} {value:.4f}" for i, value in enumerate(shaking)]


def parse(text):
    readings = {}
    for line in text:
        name, value = LINE.match(line).groups()
        readings.setdefault(name, []).append(float(value))
    return readings


def spread(values):
    low, high = np.percentile(values, [5, 95])
    return {"mean": float(np.mean(values)), "low": float(low), "high": float(high)}


def spectrum(values):
    total = np.zeros(WINDOW // 2 + 1)
    for start in range(0, len(values) - WINDOW + 1, 4):
        window = values[start:start + WINDOW]
        total += np.abs(np.fft.rfft(window))
    return total


def report(readings):
    told = {}
    for name, values in readings.items():
        values = np.array(values)
        told[name] = spread(values)
        told[name]["loudest"] = int(np.argmax(spectrum(values)))
    return json.dumps(told)


def main(rounds):
    text = lines(60_000)
    for _ in range(rounds):
        report(parse(text))


main(int(sys.argv[1]))
