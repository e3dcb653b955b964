"""Works out expressions in sympy's exact numbers.

Reads a line of settings, `N M K` behind each other, and then one expression a line; writes the values
at all settings for each, exact, with `nan` where there is none."""
import sys
from sympy import Abs, Integer, Max, Min, Mod, Piecewise, ceiling, floor, sympify
from sympy.parsing.sympy_parser import auto_number, stringify_expr

names = dict(Abs=Abs, Integer=Integer, Max=Max, Min=Min, Mod=Mod, Piecewise=Piecewise, ceiling=ceiling, floor=floor)
# sympy 1.14 cuts a fraction to a whole number before it divides it by one: `Rational(-37, 40) // 46` is
# 0, where `floor` of the quotient is -1.
Integer.__rfloordiv__ = lambda self, other: floor(other / self)
names["int_floor"] = lambda a, b: floor(a / b)
names["int_ceil"] = lambda a, b: ceiling(a / b)

lines = sys.stdin.read().splitlines()
settings = [[Integer(value) for value in one.split()] for one in lines[0].split(";")]


def told(code, setting):
    try:
        value = sympify(eval(code, dict(names, **dict(zip("NMK", setting)))))
    except (ArithmeticError, TypeError):
        return "nan"
    if value in (True, False):
        value = Integer(bool(value))
    return f"{value.p}/{value.q}" if value.is_Rational else "nan"


for text in lines[1:]:
    code = compile(stringify_expr(text, {}, names, (auto_number,)), text, "eval")
    print(*(told(code, setting) for setting in settings))
