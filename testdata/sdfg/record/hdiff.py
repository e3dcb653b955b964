"""Records horizontal diffusion as DaCe's graph: one map whose code reads 13 elements of a field.

Wants DaCe 1.0.2. Writes into `tour/` beside this folder: `python record/hdiff.py`
"""

import gzip
import os

import dace

HERE = os.path.dirname(os.path.abspath(__file__))
SAMPLES = os.path.join(os.path.dirname(HERE), "tour")
I, J, K = (dace.symbol(name) for name in "IJK")
f64 = dace.float64


@dace.program
def hdiff(in_field: f64[I + 4, J + 4, K], out_field: f64[I, J, K], coeff: f64[I, J, K]):
    for i, j, k in dace.map[0:I, 0:J, 0:K]:
        with dace.tasklet:
            north2 << in_field[i, j + 2, k]
            northwest << in_field[i + 1, j + 1, k]
            north << in_field[i + 1, j + 2, k]
            northeast << in_field[i + 1, j + 3, k]
            west2 << in_field[i + 2, j, k]
            west << in_field[i + 2, j + 1, k]
            here << in_field[i + 2, j + 2, k]
            east << in_field[i + 2, j + 3, k]
            east2 << in_field[i + 2, j + 4, k]
            southwest << in_field[i + 3, j + 1, k]
            south << in_field[i + 3, j + 2, k]
            southeast << in_field[i + 3, j + 3, k]
            south2 << in_field[i + 4, j + 2, k]
            factor << coeff[i, j, k]
            out >> out_field[i, j, k]

            # Laplacians of the element and of its neighbours.
            middle = 4.0 * here - (north + south + west + east)
            above = 4.0 * north - (north2 + here + northwest + northeast)
            below = 4.0 * south - (here + south2 + southwest + southeast)
            left = 4.0 * west - (northwest + southwest + west2 + here)
            right = 4.0 * east - (northeast + southeast + here + east2)
            # Fluxes go downhill only.
            to_above = 0.0 if (middle - above) * (here - north) > 0 else middle - above
            to_below = 0.0 if (below - middle) * (south - here) > 0 else below - middle
            to_left = 0.0 if (middle - left) * (here - west) > 0 else middle - left
            to_right = 0.0 if (right - middle) * (east - here) > 0 else right - middle
            out = here - factor * (to_below - to_above + to_right - to_left)


def main():
    graph = hdiff.to_sdfg(simplify=True)
    path = os.path.join(SAMPLES, "hdiff.sdfg")
    graph.save(path)
    with open(path) as file:
        text = file.read()
    os.remove(path)
    text = text.replace(HERE, "record").replace(os.path.dirname(dace.__file__), "dace")
    with open(path + "z", "wb") as file:
        file.write(gzip.compress(text.encode(), 9, mtime=0))


main()
