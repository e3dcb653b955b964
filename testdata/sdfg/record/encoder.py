"""Records the encoder layer of a transformer as DaCe's graph: as it is, expanded, and with its maps fused.

Wants DaCe 1.0.2. Writes into `tour/` beside this folder: `python record/encoder.py`
"""

import gzip
import os

import dace
import numpy as np
from dace.transformation.dataflow import MapFusion

HERE = os.path.dirname(os.path.abspath(__file__))
SAMPLES = os.path.join(os.path.dirname(HERE), "tour")
# Sequences, heads, their width, words, width of the model and of the feed-forward part.
B, H, P, S, E, F = (dace.symbol(name) for name in "BHPSEF")
f32 = dace.float32


@dace.program
def softmax(scores: f32[H, B, S, S]):
    largest = np.max(scores, axis=3)
    differences = scores - largest[:, :, :, np.newaxis]
    powers = np.exp(differences)
    sums = np.sum(powers, axis=3)
    return powers / sums[:, :, :, np.newaxis]


@dace.program
def attention(x: f32[B, S, E], wq: f32[P, H, E], wk: f32[P, H, E], wv: f32[P, H, E], wo: f32[P, H, E],
              bo: f32[E], scale: f32):
    queries = np.einsum("phe,bse->phbs", wq, x)
    keys = np.einsum("phe,bse->phbs", wk, x)
    values = np.einsum("phe,bse->phbs", wv, x)
    scores = scale * np.einsum("phbs,phbt->hbst", queries, keys)
    weights = softmax(scores)
    heads = np.einsum("phbt,hbst->phbs", values, weights)
    return np.einsum("phe,phbs->bse", wo, heads) + bo


@dace.program
def norm(x: f32[B, S, E], gain: f32[E], shift: f32[E]):
    mean = np.sum(x, axis=2) / E
    centred = x - mean[:, :, np.newaxis]
    variance = np.sum(centred * centred, axis=2) / E
    deviation = np.sqrt(variance)
    return gain * (centred / deviation[:, :, np.newaxis]) + shift


@dace.program
def encoder(x: f32[B, S, E], wq: f32[P, H, E], wk: f32[P, H, E], wv: f32[P, H, E], wo: f32[P, H, E],
            bo: f32[E], scale: f32, gain1: f32[E], shift1: f32[E], w1: f32[F, E], b1: f32[F],
            w2: f32[E, F], b2: f32[E], gain2: f32[E], shift2: f32[E]):
    attended = x + attention(x, wq, wk, wv, wo, bo, scale)
    middle = norm(attended, gain1, shift1)
    wide = np.einsum("fe,bse->bsf", w1, middle) + b1
    positive = np.maximum(wide, 0)
    narrow = np.einsum("ef,bsf->bse", w2, positive) + b2
    return norm(middle + narrow, gain2, shift2)


def save(graph, name):
    """Saves a graph, packed, with paths that are the same on every machine."""
    path = os.path.join(SAMPLES, name)
    graph.save(path)
    with open(path) as file:
        text = file.read()
    os.remove(path)
    text = text.replace(HERE, "record").replace(os.path.dirname(dace.__file__), "dace")
    with open(path + "z", "wb") as file:
        file.write(gzip.compress(text.encode(), 9, mtime=0))


def main():
    save(encoder.to_sdfg(simplify=True), "encoder.sdfg")
    graph = encoder.to_sdfg(simplify=True)
    graph.expand_library_nodes()
    save(graph, "encoder.expanded.sdfg")
    graph.apply_transformations_repeated(MapFusion)
    save(graph, "encoder.fused.sdfg")


main()
