"""Writes expressions in sympy's own words with their exact values: `python3 expressions.py > ../expressions.tsv`."""
import random
from sympy import *

class int_floor(Function):
    @classmethod
    def eval(cls, a, b):
        if a.is_Number and b.is_Number: return floor(a / b)
class int_ceil(Function):
    @classmethod
    def eval(cls, a, b):
        if a.is_Number and b.is_Number: return ceiling(a / b)

random.seed(20261122)
N, M, K = symbols("N M K", integer=True)

def made(depth):
    if depth == 0 or random.random() < 0.15:
        return random.choice([N, M, K, Integer(random.randint(-9, 20)), Rational(random.randint(1, 9), random.randint(2, 7))])
    a, b = made(depth - 1), made(depth - 1)
    kind = random.randrange(12)
    if kind < 3: return a + b
    if kind < 5: return a * b
    if kind == 5: return a - b
    if kind == 6: return a / b if b != 0 else a
    if kind == 7: return Min(a, b)
    if kind == 8: return Max(a, b)
    if kind == 9: return random.choice([floor, ceiling])(a)
    if kind == 10: return random.choice([int_floor, int_ceil])(a, b) if b != 0 else a
    return random.choice([lambda: Mod(a, b) if b != 0 else a, lambda: a ** random.randint(2, 3), lambda: Piecewise((a, a < b), (b, True)), lambda: Abs(a)])()

count = 0
while count < 3000:
    try:
        e = made(random.randint(1, 4))
    except Exception:
        continue
    if e.has(nan, zoo, oo, I): continue
    text = str(e)
    if len(text) > 300: continue
    values = {N: random.randint(1, 40), M: random.randint(1, 40), K: random.randint(1, 40)}
    try:
        v = e.subs(values, simultaneous=True)
    except Exception:
        continue
    # What sympy makes of 1/0 on the way is no value: infinity in a quotient would be 0.
    parts = [part.subs(values, simultaneous=True) for part in preorder_traversal(e) if not part.is_Atom and not part.is_Boolean]
    if any(part.has(nan, zoo, oo) for part in parts) and not v.has(nan, zoo, oo):
        continue
    v = nan if v.has(nan, zoo, oo) else simplify(v) if not v.is_Rational else v
    if v is not nan and not v.is_Rational: continue
    told = "nan" if v is nan else f"{v.p}/{v.q}"
    if v is not nan and max(abs(v.p), v.q).bit_length() > 100: continue
    print(f"{values[N]} {values[M]} {values[K]}\t{told}\t{text}")
    count += 1
