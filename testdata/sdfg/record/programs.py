"""The programs whose graphs are recorded, and the graphs that are built without one."""

import dace
import numpy
from dace.properties import CodeBlock
from dace.sdfg.state import BreakBlock, ConditionalBlock, ControlFlowRegion, LoopRegion, ReturnBlock

B, C, D, H, K, M, N, P, R, T, W = (dace.symbol(name) for name in "BCDHKMNPRTW")


@dace.program
def heat(now: dace.float64[N, N], then: dace.float64[N, N]):
    """A plate that cools, step by step from one array into the other and back."""
    for _ in range(T):
        then[1:-1, 1:-1] = 0.5 * now[1:-1, 1:-1] + 0.125 * (
            now[:-2, 1:-1] + now[2:, 1:-1] + now[1:-1, :-2] + now[1:-1, 2:]
        )
        now[1:-1, 1:-1] = 0.5 * then[1:-1, 1:-1] + 0.125 * (
            then[:-2, 1:-1] + then[2:, 1:-1] + then[1:-1, :-2] + then[1:-1, 2:]
        )


@dace.program
def product(left: dace.float64[M, K], right: dace.float64[K, N], out: dace.float64[M, N]):
    """A product of matrices, which is one library node."""
    out[:] = 2.0 * (left @ right)


@dace.program
def loops(left: dace.float32[M, K], right: dace.float32[K, N], out: dace.float32[M, N]):
    """The same as a map of three parameters that adds up where writes meet."""
    for i, k, j in dace.map[0:M, 0:K, 0:N]:
        with dace.tasklet:
            a << left[i, k]
            b << right[k, j]
            c >> out(1, lambda x, y: x + y)[i, j]
            c = a * b


@dace.program
def glance(
    asked: dace.float32[B, H, T, C],
    keys: dace.float32[B, H, T, C],
    values: dace.float32[B, H, T, C],
    mixed: dace.float32[B * H, T, C],
    wide: dace.float32[C, D],
    bias: dace.float32[D],
    seen: dace.float32[B * H * T, D],
):
    """Weights that add up to one, of every row with every other: products, reductions, views."""
    q = numpy.reshape(asked, (B * H, T, C))
    k = numpy.reshape(keys, (B * H, T, C))
    v = numpy.reshape(values, (B * H, T, C))
    alike = q @ numpy.transpose(k, (0, 2, 1))
    largest = numpy.max(alike, axis=2)
    raised = numpy.exp(alike - numpy.reshape(largest, (B * H, T, 1)))
    sums = numpy.sum(raised, axis=2)
    weights = raised / numpy.reshape(sums, (B * H, T, 1))
    mixed[:] = weights @ v
    rows = numpy.reshape(mixed, (B * H * T, C))
    seen[:] = numpy.maximum(rows @ wide + bias, 0)


@dace.program
def tally(values: dace.float64[N], bins: dace.int64[K], total: dace.float64[1]):
    """How many values fall into each bin, and their sum."""
    for i in dace.map[0:N]:
        with dace.tasklet:
            v << values[i]
            hit >> bins(1, lambda x, y: x + y)[:]
            hit[int(v)] = 1
    dace.reduce(lambda x, y: x + y, values, total, axis=(0,), identity=0)


@dace.program
def fade(picture: dace.float64[H, W], dark: dace.float64[H, W]):
    """One map over two parameters, to be tiled."""
    for y, x in dace.map[0:H, 0:W]:
        with dace.tasklet:
            a << picture[y, x]
            b >> dark[y, x]
            b = a * 0.75 + 1.0


@dace.program
def comb(teeth: dace.float64[N], out: dace.float64[N]):
    """Every third element, with an offset."""
    for i in dace.map[1 : N - 1 : 3]:
        with dace.tasklet:
            a << teeth[i - 1]
            b << teeth[i + 1]
            c >> out[i]
            c = (a + b) * 0.5


@dace.program
def lens(rows: dace.float64[N, M], flat: dace.float64[N * M], corner: dace.float64[2, 2]):
    """The same memory under other shapes."""
    line = numpy.reshape(rows, (N * M,))
    flat[:] = line + 1.0
    square = rows[0:2, 0:2]
    corner[:] = square * 2.0


@dace.program
def ladder(rungs: dace.float64[N], out: dace.float64[N]):
    """A triangle of iterations: every rung is added to all that are above it."""
    for i in range(N):
        for j in range(i + 1):
            out[i] = out[i] + rungs[j]


@dace.program
def climb(height: dace.float64[N, N], out: dace.float64[N]):
    """A map whose inside is a graph of its own, with a loop in it."""
    for i in dace.map[0:N]:
        top = dace.define_local_scalar(dace.float64)
        top = 0
        for j in range(N):
            top = top + height[i, j] * height[i, j]
        out[i] = top


@dace.program
def choose(values: dace.float64[N], out: dace.float64[N]):
    """Loops and branches in each other."""
    for i in range(N):
        if i % 2 == 0:
            for j in range(3):
                out[i] = out[i] + values[j]
        elif i < 5:
            out[i] = values[i] * values[i]
        else:
            out[i] = 1.0


def funnel():
    """Numbers that count themselves down in a stream, added up by those who take them."""
    graph = dace.SDFG("funnel")
    graph.add_array("start", [N], dace.int32)
    graph.add_array("sum", [1], dace.int32)
    graph.add_symbol("P", dace.int32)
    graph.add_stream("numbers", dace.int32, transient=True, buffer_size=N)
    state = graph.add_state("run")
    source, numbers = state.add_read("start"), state.add_access("numbers")
    state.add_nedge(source, numbers, dace.Memlet("start[0:N]"))
    entry, exit = state.add_consume("take", ("p", P))
    code = "if number > 0:\n    total = number\n    more = number - 1"
    take = state.add_tasklet("take", {"number"}, {"more", "total"}, code)
    again, out = state.add_write("numbers"), state.add_write("sum")
    entry.add_in_connector("IN_stream")
    entry.add_out_connector("OUT_stream")
    state.add_edge(numbers, None, entry, "IN_stream", dace.Memlet("numbers[0]", volume=0, dynamic=True))
    state.add_edge(entry, "OUT_stream", take, "number", dace.Memlet("numbers[0]"))
    for connector, target, more in (("more", again, {}), ("total", out, {"wcr": "lambda x, y: x + y"})):
        exit.add_in_connector("IN_" + target.data)
        exit.add_out_connector("OUT_" + target.data)
        inside = dace.Memlet(f"{target.data}[0]", volume=0, dynamic=True, **more)
        outside = dace.Memlet(f"{target.data}[0]", volume=0, dynamic=True, **more)
        state.add_edge(take, connector, exit, "IN_" + target.data, inside)
        state.add_edge(exit, "OUT_" + target.data, target, None, outside)
    return graph


def kinds():
    """Containers of many types, and code in C++."""
    graph = dace.SDFG("kinds")
    pair = dace.struct("pair", first=dace.int32, second=dace.float64)
    types = {
        "tiny": dace.int8, "small": dace.uint16, "half": dace.float16, "whole": dace.uint64,
        "pairs": pair, "turned": dace.complex64, "four": dace.vector(dace.float32, 4), "yes": dace.bool_,
    }  # fmt: skip
    state = graph.add_state("copy")
    for name, kind in types.items():
        graph.add_array(name, [N, 3], kind)
        graph.add_transient(name + "_again", [N, 3], kind)
        target = dace.Memlet.from_array(name, graph.arrays[name])
        state.add_nedge(state.add_read(name), state.add_write(name + "_again"), target)
    graph.add_scalar("factor", dace.float64)
    graph.add_array("spread", [N], dace.float64, strides=[4], total_size=4 * N)
    entry, exit = state.add_map("all", {"i": "0:N"})
    code = "s = f * std::sqrt(f) + 1.0; // one more"
    work = state.add_tasklet("scale", {"f"}, {"s"}, code, language=dace.Language.CPP)
    state.add_memlet_path(state.add_read("factor"), entry, work, dst_conn="f", memlet=dace.Memlet("factor[0]"))
    state.add_memlet_path(work, exit, state.add_write("spread"), src_conn="s", memlet=dace.Memlet("spread[i]"))
    return graph


def leave():
    """Regions as such: a loop in a loop, a branch that ends the inner one, and one that ends all."""
    graph = dace.SDFG("leave")
    graph.add_array("x", [N, N], dace.float64)
    graph.add_scalar("enough", dace.float64)

    def write(region, name, place, value, **how):
        state = region.add_state(name, **how)
        code = state.add_tasklet("set_" + name, {"a"}, {"b"}, f"b = {value}")
        state.add_edge(state.add_read("x"), None, code, "a", dace.Memlet(f"x[{place}]"))
        state.add_edge(code, "b", state.add_write("x"), None, dace.Memlet(f"x[{place}]"))
        return state

    def choice(label, around, *branches):
        block = ConditionalBlock(label)
        around.add_node(block)
        for place, (condition, fill) in enumerate(branches):
            branch = ControlFlowRegion(f"{label}_{place}", sdfg=graph)
            fill(branch)
            block.add_branch(condition and CodeBlock(condition), branch)
        return block

    rows = LoopRegion("rows", "i < N", "i", "i = 0", "i = i + 1")
    columns = LoopRegion("columns", "j <= i", "j", "j = 0", "j = j + 1")
    graph.add_node(rows, is_start_block=True)
    rows.add_node(columns, is_start_block=True)
    first = write(columns, "raise", "i, j", "a * a + 1", is_start_block=True)
    stop = choice(
        "stop",
        columns,
        ("j > 7", lambda branch: branch.add_node(BreakBlock("enough_columns"), is_start_block=True)),
        (None, lambda branch: write(branch, "lower", "i, j", "a - 1", is_start_block=True)),
    )
    columns.add_edge(first, stop, dace.InterstateEdge())
    last = write(graph, "close", "0, 0", "-a")
    graph.add_edge(rows, last, dace.InterstateEdge())
    end = ReturnBlock("end")
    graph.add_node(end)
    graph.add_edge(last, end, dace.InterstateEdge())
    return graph


def phases(count):
    """Many states: a chain in which every fifth is a loop and every seventh a branch that leads nowhere else."""
    graph = dace.SDFG("phases")
    graph.add_array("tape", [count], dace.int64)
    graph.add_symbol("T", dace.int64)

    def write(name, place, value):
        state = graph.add_state(name)
        code = state.add_tasklet("set_" + name, {}, {"w"}, f"w = {value} + {place} * 2")
        state.add_edge(code, "w", state.add_write("tape"), None, dace.Memlet(f"tape[{place}]"))
        return state

    last = write("begin", 0, 0)
    for place in range(1, count):
        if place % 5 == 0:
            body = write(f"turn_{place}", place, f"i{place}")
            before = graph.add_state(f"enter_{place}")
            graph.add_edge(last, before, dace.InterstateEdge())
            ends = f"i{place} < {'T' if place % 2 else place % 4 + 1}"
            made = graph.add_loop(before, body, None, f"i{place}", "0", ends, f"i{place} + {1 + place % 3}")
            # Until 2.0 the states before, in front of and behind the loop, then a region.
            last = made[2] if isinstance(made, (list, tuple)) else made
        elif place % 7 == 0:
            yes, no = write(f"yes_{place}", place, 1), write(f"no_{place}", place, 2)
            after = graph.add_state(f"join_{place}")
            graph.add_edge(last, yes, dace.InterstateEdge(condition="T > 2"))
            graph.add_edge(last, no, dace.InterstateEdge(condition="not (T > 2)"))
            graph.add_edge(yes, after, dace.InterstateEdge())
            graph.add_edge(no, after, dace.InterstateEdge())
            last = after
        else:
            next_one = write(f"step_{place}", place, place)
            graph.add_edge(last, next_one, dace.InterstateEdge())
            last = next_one
    return graph


def nest(depth):
    """Graphs in graphs, each inside a map of the one around it; 2.0 wants views in between."""
    inner = dace.SDFG(f"level_{depth}")
    inner.add_array("x", [1], dace.float64)
    inner.add_array("y", [1], dace.float64)
    state = inner.add_state("work")
    code = state.add_tasklet("square", {"a"}, {"b"}, "b = a * a + 1")
    state.add_edge(state.add_read("x"), None, code, "a", dace.Memlet("x[0]"))
    state.add_edge(code, "b", state.add_write("y"), None, dace.Memlet("y[0]"))
    for level in reversed(range(depth)):
        size = [N] * (depth - level)
        outer = dace.SDFG(f"level_{level}")
        outer.add_array("x", size, dace.float64)
        outer.add_array("y", size, dace.float64)
        state = outer.add_state("around")
        entry, exit = state.add_map("each", {f"i{level}": "0:N"})
        symbols = {"N": "N"} if level < depth - 1 else {}
        node = state.add_nested_sdfg(inner, None, {"x"}, {"y"}, symbol_mapping=symbols)
        place = ", ".join([f"i{level}"] + ["0:N"] * (len(size) - 1))
        state.add_memlet_path(state.add_read("x"), entry, node, dst_conn="x", memlet=dace.Memlet(f"x[{place}]"))
        state.add_memlet_path(node, exit, state.add_write("y"), src_conn="y", memlet=dace.Memlet(f"y[{place}]"))
        inner = outer
    return inner
