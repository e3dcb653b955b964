"""Records the graphs of `programs.py` with the DaCe that runs this, and what DaCe says that they cost.

    python record/record.py

writes `dace-VERSION/` and `truth/dace-VERSION.json` into the folder above this one. The README there
says which versions, and what 1.0.2 wants besides.
"""

import glob
import gzip
import json
import os
import shutil
import sys
import tempfile
from copy import deepcopy

import dace
import numpy
import sympy
from dace.sdfg.performance_evaluation import operational_intensity, work_depth
from dace.sdfg.performance_evaluation.helpers import get_uuid
from dace.sdfg.propagation import propagate_states
from dace.transformation.auto.auto_optimize import auto_optimize
from dace.transformation.dataflow import MapFusion, MapTiling

import programs

HERE = os.path.dirname(os.path.abspath(__file__))
SAMPLES = os.path.dirname(HERE)
DACE = os.path.dirname(os.path.abspath(dace.__file__))
NAME = "dace-" + dace.__version__
LARGE = 40_000


def relative(value):
    """A copy of JSON with paths that are the same on every machine."""
    if isinstance(value, dict):
        return {name: relative(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [relative(inner) for inner in value]
    if isinstance(value, str) and (HERE in value or DACE in value):
        return value.replace(HERE, "record").replace(DACE, "dace")
    return value


def save(graph, name):
    """Saves a graph, packed if it is large, always to the same bytes."""
    folder = os.path.join(SAMPLES, NAME)
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, name + ".sdfg")
    graph.save(path)
    with open(path) as file:
        told = relative(json.load(file))
    os.remove(path)
    text = json.dumps(told, indent=1, default=str).encode()
    if len(text) > LARGE:
        with open(path + "z", "wb") as file:
            file.write(gzip.compress(text, 9, mtime=0))
    else:
        with open(path, "wb") as file:
            file.write(text)
    for secret in (HERE, DACE, sys.prefix, os.path.expanduser("~")):
        assert secret.encode() not in text, (name, secret)


def compact(value):
    return json.dumps(relative(value), separators=(",", ":"))


def number(expression, symbols):
    """The value of an expression; none if something in it has no value."""
    value = sympy.sympify(expression)
    named = {symbol: symbols[symbol.name] for symbol in value.free_symbols if symbol.name in symbols}
    value = value.subs(named).doit()
    if value.free_symbols or value.is_number is not True:
        return None
    return int(value) if value.is_Integer else float(value)


def outermost(graph, symbols):
    """Bytes over the edges outside of all maps, and what of it binds views: by DaCe's volumes and executions."""
    graph = deepcopy(graph)
    propagate_states(graph, concretize_dynamic_unbounded=True)
    told = {"outermost_bytes": 0, "view_bytes": 0}
    for state in graph.all_control_flow_blocks():
        if not isinstance(state, dace.SDFGState):
            continue
        scopes = state.scope_dict()
        for edge in state.edges():
            leaves = scopes[edge.src] is None and not isinstance(edge.src, dace.nodes.EntryNode)
            if edge.data.is_empty() or not (leaves or scopes[edge.dst] is None):
                continue
            size = graph.arrays[edge.data.data].dtype.bytes
            moved = number(edge.data.volume * state.executions * size, symbols)
            if moved is None or edge.data.dynamic:
                return {}
            told["outermost_bytes"] += moved
            if edge.dst_conn == "views" or edge.src_conn == "views":
                told["view_bytes"] += moved
    return told


def truth(graph, symbols, with_intensity):
    """Volumes, work and depth as DaCe tells them."""
    told = {"symbols": symbols, "edges": []}
    sizes = []
    for inner in graph.all_sdfgs_recursive():
        for state in inner.all_control_flow_blocks():
            if not isinstance(state, dace.SDFGState):
                continue
            for edge in state.edges():
                memlet = edge.data
                if memlet.is_empty():
                    continue
                elements = number(memlet.volume, symbols)
                size = inner.arrays[memlet.data].dtype.bytes
                value = None if elements is None else elements * size
                sizes.append(value or 0)
                told["edges"].append({
                    "sdfg": inner.cfg_id, "state": state.label,
                    "src": state.node_id(edge.src), "dst": state.node_id(edge.dst),
                    "src_conn": edge.src_conn, "dst_conn": edge.dst_conn,
                    "data": memlet.data, "volume": str(memlet.volume), "dynamic": memlet.dynamic,
                    "elements": elements, "bytes": value,
                })  # fmt: skip
    told["edge_count"] = len(sizes)
    told["sum_of_all_edge_bytes"] = sum(sizes)
    told["max_edge_bytes"] = max(sizes, default=0)
    told.update(outermost(graph, symbols))
    costs = {}
    try:
        work_depth.analyze_sdfg(deepcopy(graph), costs, work_depth.get_tasklet_work_depth, [], False)
        for place, what in enumerate(("work", "depth")):
            told[what] = {
                key: {"expr": str(cost[place]), "value": number(cost[place], symbols)} for key, cost in costs.items()
            }
    except Exception as error:
        told["work_error"] = told["depth_error"] = f"{type(error).__name__}: {error}"
    if with_intensity:
        told["op_in"] = {}
        for capacity in with_intensity:
            found = {}
            operational_intensity.analyze_sdfg_op_in(deepcopy(graph), found, capacity, 64, dict(symbols))
            told["op_in"][f"C={capacity},L=64"] = {key: str(value) for key, value in found.items()}
    return told


def expanded(graph):
    """A copy whose library nodes are what they stand for, without libraries of other people."""
    graph = deepcopy(graph)
    for node, _ in list(graph.all_nodes_recursive()):
        if isinstance(node, dace.nodes.LibraryNode):
            node.implementation = "pure" if "pure" in node.implementations else node.implementation
    graph.expand_library_nodes()
    return graph


def fused(graph):
    graph = deepcopy(graph)
    graph.apply_transformations_repeated(MapFusion)
    return graph


def optimised(graph):
    return auto_optimize(deepcopy(graph), dace.DeviceType.CPU)


def for_gpu(graph):
    graph = deepcopy(graph)
    graph.apply_gpu_transformations()
    return graph


def tiled(graph):
    graph = deepcopy(graph)
    graph.apply_transformations(MapTiling, options={"tile_sizes": (16, 64), "divides_evenly": False})
    return graph


def of(program):
    return program.to_sdfg(simplify=True)


def raw(program):
    return program.to_sdfg(simplify=False)


def everything():
    """Name, graph, and the sizes at which DaCe is asked for costs, with capacities where it may take its time."""
    heat = of(programs.heat)
    sizes = {"N": 40, "T": 6}
    yield "heat", heat, sizes, None
    yield "heat.raw", raw(programs.heat), sizes, None
    yield "heat.mapfusion", fused(heat), sizes, None
    yield "heat.autoopt", optimised(heat), sizes, None
    yield "heat.gpu", for_gpu(heat), None, None
    glance = of(programs.glance)
    sizes = {"B": 2, "C": 16, "D": 24, "H": 3, "T": 20}
    yield "glance", glance, sizes, None
    yield "glance.raw", raw(programs.glance), None, None
    yield "glance.expanded", expanded(glance), sizes, None
    yield "glance.mapfusion", fused(expanded(glance)), sizes, None
    yield "glance.autoopt", optimised(glance), sizes, None
    product = of(programs.product)
    sizes = {"M": 12, "N": 14, "K": 16}
    yield "product", product, sizes, None
    yield "product.raw", raw(programs.product), None, None
    yield "product.expanded", expanded(product), sizes, None
    yield "loops", of(programs.loops), {"M": 3, "N": 4, "K": 5}, (256, 512)
    yield "tally", of(programs.tally), {"N": 50, "K": 8}, None
    fade = of(programs.fade)
    yield "fade", fade, {"H": 4, "W": 20}, (512,)
    yield "fade.tiled", tiled(fade), {"H": 24, "W": 100}, None
    yield "comb", of(programs.comb), {"N": 50}, None
    yield "lens", of(programs.lens), {"N": 6, "M": 9}, None
    yield "ladder", of(programs.ladder), {"N": 12}, None
    yield "climb", of(programs.climb), {"N": 12}, None
    yield "choose", of(programs.choose), None, None
    # DaCe's analysis ends with an error, or tells 0: `count.py` counts this one.
    yield "leave", programs.leave(), None, None
    yield "funnel", programs.funnel(), None, None
    yield "kinds", programs.kinds(), {"N": 10}, None
    yield "phases", programs.phases(60), None, None
    yield "phases.long", programs.phases(120), None, None
    if NAME == "dace-1.0.2":
        yield "nest", programs.nest(4), {"N": 5}, None


def timed():
    """Two runs of a program with timers on its maps and on all of it."""
    graph = of(programs.heat)
    graph.name = "heat_timed"
    graph.instrument = dace.InstrumentationType.Timer
    for node, _ in graph.all_nodes_recursive():
        if isinstance(node, dace.nodes.MapEntry):
            node.map.instrument = dace.InstrumentationType.Timer
    save(graph, "heat.timed")
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        compiled = graph.compile()
        for _ in range(2):
            plate = numpy.random.default_rng(7).random((200, 200))
            compiled(now=plate, then=numpy.zeros_like(plate), N=200, T=2)
        reports = sorted(glob.glob(".dacecache/heat_timed/perf/*.json"))
        assert len(reports) == 2, reports
        for run, report in enumerate(reports):
            shutil.copy(report, os.path.join(SAMPLES, "reports", f"heat.timed-{run}.json"))
        os.chdir(here)


def main():
    cases = {}
    for name, graph, symbols, capacities in everything():
        graph.validate()
        save(graph, name)
        print(name, flush=True)
        if symbols:
            cases[name] = truth(graph, symbols, capacities)
    os.makedirs(os.path.join(SAMPLES, "truth"), exist_ok=True)
    with open(os.path.join(SAMPLES, "truth", NAME + ".json"), "w") as file:
        rows = ",\n".join(f"{json.dumps(name)}:{compact(case)}" for name, case in cases.items())
        file.write(f'{{"dace_version":"{dace.__version__}","cases":{{\n{rows}\n}}}}\n')
    if NAME == "dace-1.0.2":
        timed()


main()
