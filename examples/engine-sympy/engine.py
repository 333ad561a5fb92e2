"""sympy as an engine: floor, ceiling, Mod, Min, Max over integer symbols, and sympy.simplify with --simplify.

    affirm score --engine-cmd 'python3 examples/engine-sympy/engine.py'
"""
import pathlib
import sys
from math import lcm

import sympy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "engine-python"))
from engine import NotOffered, Rejected, fold, number, serve_algebra  # noqa: E402

BUILD = {
    "+": lambda a, b: a + b,
    "*": lambda a, b: a * b,
    "floordiv": lambda a, b: sympy.floor(a / b),
    "ceildiv": lambda a, b: sympy.ceiling(a / b),
    "mod": sympy.Mod,
    "min": sympy.Min,
    "max": sympy.Max,
}


def assumptions_of(lo):
    """Returns the assumptions about a symbol that follow from its lower bound."""
    return {"integer": True} | ({"positive": True} if lo > 0 else {"nonnegative": True} if lo == 0 else {})


def build(tree, variables):
    symbols = {name: sympy.Symbol(name, **assumptions_of(lo)) for name, lo, _ in variables}
    return fold(tree, lambda name: symbols[name], sympy.Integer, lambda word, a, b: BUILD[word](a, b))


def scaled(tree, factor):
    return tree if factor == 1 else ("*", tree, number(factor))


def joined(word, parts):
    """Takes (tree, denominator) pairs; returns the operation over their common denominator."""
    common = lcm(*(below for _, below in parts))
    trees = [scaled(tree, common // below) for tree, below in parts]
    whole = trees[0]
    for tree in trees[1:]:
        whole = (word, whole, tree)
    return whole, common


def product(parts):
    whole, below = parts[0]
    for tree, denominator in parts[1:]:
        whole, below = ("*", whole, tree), below * denominator
    return whole, below


def modulo(dividend, divisor):
    (left, below_left), (right, below_right) = dividend, divisor
    if right[0] != "num" or right[1] <= 0:
        raise NotOffered("a modulus that is no positive constant")
    common = lcm(below_left, below_right)
    return ("mod", scaled(left, common // below_left), number(right[1] * common // below_right)), common


def rational_tree(expr):
    """Returns (tree, denominator): sympy's expressions contain fractions, affirm's do not."""
    if expr.is_Rational:
        return number(expr.p), int(expr.q)
    if expr.is_Symbol:
        return ("var", expr.name), 1
    parts = [rational_tree(part) for part in expr.args]
    if isinstance(expr, sympy.Add):
        return joined("+", parts)
    if isinstance(expr, sympy.Mul):
        return product(parts)
    if isinstance(expr, sympy.Pow) and expr.exp.is_Integer and expr.exp > 0:
        return product([parts[0]] * int(expr.exp))
    if isinstance(expr, (sympy.floor, sympy.ceiling)):
        word = "floordiv" if isinstance(expr, sympy.floor) else "ceildiv"
        return (word, parts[0][0], number(parts[0][1])), 1
    if isinstance(expr, sympy.Mod):
        return modulo(*parts)
    if isinstance(expr, (sympy.Min, sympy.Max)):
        return joined("min" if isinstance(expr, sympy.Min) else "max", parts)
    if isinstance(expr, sympy.frac):
        return ("mod", parts[0][0], number(parts[0][1])), parts[0][1]
    raise NotOffered(f"sympy answers with {type(expr).__name__}")


def simplify_tree(tree, variables):
    expr = build(tree, variables)
    if "--simplify" in sys.argv:
        expr = sympy.simplify(expr)
    if expr.has(sympy.nan, sympy.zoo, sympy.oo):
        raise Rejected("no number")
    whole, below = rational_tree(expr)
    return whole if below == 1 else ("floordiv", whole, number(below))


serve_algebra(f"sympy {sympy.__version__}" + (" simplify" if "--simplify" in sys.argv else ""), simplify_tree)
