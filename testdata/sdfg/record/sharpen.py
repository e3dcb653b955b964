"""Records a small program as DaCe's graph, before and after its maps are fused, with a report of a run.

Wants DaCe 1.0.2, a C++ compiler and CMake. Writes into the folder above this one:
`python record/sharpen.py`
"""

import glob
import os
import shutil
import tempfile

import dace
import numpy
from dace.transformation.dataflow import MapFusion

HERE = os.path.dirname(os.path.abspath(__file__))
SAMPLES = os.path.dirname(HERE)
H, W = (dace.symbol(name) for name in "HW")


@dace.program
def sharpen(image: dace.float64[H, W], sharp: dace.float64[H, W]):
    blurred = 0.25 * (image[:-2, 1:-1] + image[2:, 1:-1] + image[1:-1, :-2] + image[1:-1, 2:])
    edges = image[1:-1, 1:-1] - blurred
    sharp[1:-1, 1:-1] = image[1:-1, 1:-1] + 1.5 * edges


def save(graph, name):
    """Saves a graph with paths that are the same on every machine."""
    path = os.path.join(SAMPLES, name)
    graph.save(path)
    with open(path) as file:
        text = file.read()
    text = text.replace(HERE, "record").replace(os.path.dirname(dace.__file__), "dace")
    with open(path, "w") as file:
        file.write(text)


def main():
    before = sharpen.to_sdfg(simplify=True)
    for node, _ in before.all_nodes_recursive():
        if isinstance(node, dace.nodes.MapEntry):
            node.map.instrument = dace.InstrumentationType.Timer
    save(before, "sharpen.sdfg")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        image = numpy.random.default_rng(7).random((1024, 768))
        before(image=image, sharp=numpy.zeros_like(image), H=1024, W=768)
        (report,) = glob.glob(".dacecache/sharpen/perf/*.json")
        shutil.copy(report, os.path.join(SAMPLES, "reports", "sharpen.json"))
    after = sharpen.to_sdfg(simplify=True)
    after.apply_transformations_repeated(MapFusion)
    save(after, "sharpen.fused.sdfg")


main()
