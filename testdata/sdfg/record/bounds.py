"""Programs whose loops' bounds depend on loops, sizes and data, each as written and simplified.

    python record/bounds.py FOLDER

writes `<program>.raw.sdfgz` and `<program>.sdfgz` into the folder.
"""

import os
import sys

import dace

B, H, K, M, N, T, W = (dace.symbol(name) for name in "BHKMNTW")
Z = dace.symbol("Z")


@dace.program
def sparse(start: dace.int32[H + 1], column: dace.int32[Z], value: dace.float64[Z], x: dace.float64[W], y: dace.float64[H]):
    """Rows of a sparse matrix times a vector."""
    for i in dace.map[0:H]:
        for j in dace.map[start[i] : start[i + 1]]:
            y[i] += value[j] * x[column[j]]


@dace.program
def rows(start: dace.int32[H + 1], column: dace.int32[Z], value: dace.float64[Z], x: dace.float64[W], y: dace.float64[H]):
    """The same with loops."""
    for i in range(H):
        y[i] = 0.0
        for j in range(start[i], start[i + 1]):
            y[i] = y[i] + value[j] * x[column[j]]


@dace.program
def corner(a: dace.float64[N, N], b: dace.float64[N, N]):
    """Rows that end before the matrix does."""
    for i in range(N):
        for j in range(3 * i, N):
            b[i, j] = a[i, j] * 2.0


@dace.program
def band(a: dace.float64[N, N], b: dace.float64[N]):
    """A band around the diagonal."""
    for i in range(N):
        for j in range(max(0, i - 2), min(N, i + 3)):
            b[i] = b[i] + a[i, j]


@dace.program
def blocks(a: dace.float64[N], b: dace.float64[N]):
    """Tiles whose beginnings are worked out on the way."""
    for t in range((N + 31) // 32):
        first = t * 32
        last = min(N, first + 32)
        for i in range(first, last):
            b[i] = a[i] + 1.0


@dace.program
def factors(a: dace.float64[N, N]):
    """A triangular factor in place."""
    for i in range(N):
        for j in range(i):
            for k in range(j):
                a[i, j] = a[i, j] - a[i, k] * a[j, k]
            a[i, j] = a[i, j] / a[j, j]
        for k in range(i):
            a[i, i] = a[i, i] - a[i, k] * a[i, k]
        a[i, i] = a[i, i] * 0.5


@dace.program
def half(a: dace.float64[N]):
    """One level of a tree."""
    for i in dace.map[0:N]:
        a[i] = a[i] * 0.5


@dace.program
def twice(a: dace.float64[N], b: dace.float64[N]):
    """Calls a program in a loop and beside it."""
    half(a)
    for t in range(T):
        half(b)
        b[:] = b + a


@dace.program
def rectified(a: dace.float32[B, M], out: dace.float32[B]):
    """Only comparisons: each is at least nothing, and the largest of each row."""
    for b, m in dace.map[0:B, 0:M]:
        a[b, m] = max(a[b, m], dace.float32(0))
    for b, m in dace.map[0:B, 0:M]:
        with dace.tasklet:
            value << a[b, m]
            most >> out(1, lambda x, y: max(x, y))[b]
            most = value


@dace.program
def sides(a: dace.float64[N], b: dace.float64[M]):
    """A size decides which way is taken."""
    if N > M:
        for i in range(N):
            a[i] = a[i] + 1.0
    else:
        for i in range(M):
            b[i] = b[i] * 2.0 + 1.0


def main(folder):
    os.makedirs(folder, exist_ok=True)
    programs = [sparse, rows, corner, band, blocks, factors, twice, rectified, sides]
    for program in programs:
        forms = {}
        for form, made in [
            ("raw", lambda: program.to_sdfg(simplify=False)),
            ("", lambda: program.to_sdfg(simplify=True)),
        ]:
            name = ".".join(filter(None, [program.name, form]))
            try:
                sdfg = made()
            except Exception as error:
                print(f"{name}: {type(error).__name__}: {error}", file=sys.stderr)
                continue
            sdfg.save(os.path.join(folder, f"{name}.sdfgz"), compress=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
