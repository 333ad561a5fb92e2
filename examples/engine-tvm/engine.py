"""TVM's arith.Analyzer as an engine: simplify of each result and each constraint, over variables with their bounds.

    PYTHONPATH=TVM/python affirm score --engine-cmd 'python3 examples/engine-tvm/engine.py'

A further argument selects another simplification: rewrite_simplify, canonical_simplify, or iter_map. iter_map represents the results of a map as
sums of splits of its dimensions, by detect_iter_map under the constraints, and prints them by normalize_iter_map_to_expr.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "engine-python"))
from engine import Map, NotOffered, composed, fold, number, read_map, serve, serve_algebra, write_map  # noqa: E402

import tvm  # noqa: E402

tir = getattr(tvm, "tir", None) or tvm.tirx
VERB = sys.argv[1] if len(sys.argv) > 1 else "simplify"
WORDS = {"Add": "+", "Mul": "*", "FloorDiv": "floordiv", "FloorMod": "mod", "Min": "min", "Max": "max"}


def integer(value):
    return tir.IntImm("int64", value)


def divided(word, left, right):
    if word == "ceildiv":
        return integer(0) - tir.FloorDiv(integer(0) - left, right)
    return tir.FloorDiv(left, right) if word == "floordiv" else tir.FloorMod(left, right)


def operation(word, left, right):
    if word in ("floordiv", "ceildiv", "mod"):
        return divided(word, left, right)
    return {"+": tir.Add, "*": tir.Mul, "min": tir.Min, "max": tir.Max}[word](left, right)


def tree_of(expr):
    kind = type(expr).__name__
    if kind == "IntImm":
        return number(expr.value)
    if kind == "Var":
        return ("var", expr.name)
    if kind == "Sub":
        return ("+", tree_of(expr.a), ("*", tree_of(expr.b), number(-1)))
    if kind not in WORDS:
        raise NotOffered(f"TVM answers with {kind}")
    left, right = tree_of(expr.a), tree_of(expr.b)
    if WORDS[kind] in ("floordiv", "mod") and (right[0] != "num" or right[1] <= 0):
        raise NotOffered("a divisor that is no positive constant")
    return (WORDS[kind], left, right)


def simplify_tree(tree, variables):
    analyzer = tvm.arith.Analyzer()
    symbols = {name: tir.Var(name, "int64") for name, _, _ in variables}
    for name, lo, hi in variables:
        analyzer.bind(symbols[name], tvm.ir.Range(integer(lo), integer(hi + 1)))
    expr = fold(tree, lambda name: symbols[name], integer, operation)
    return tree_of(getattr(analyzer, VERB)(expr))


# --- iterator maps: over dimensions from 0, every result a sum of splits ---


def condition_of(one, symbols):
    condition = tir.const(True, "bool")
    for tree, lo, hi in one.constraints:
        value = fold(tree, lambda name: symbols[name], integer, operation)
        condition = tir.And(condition, tir.And(value >= integer(lo), value <= integer(hi)))
    return condition


def iter_map(one):
    if one.ranges or one.runtimes or any(lo != 0 or hi < 0 for _, lo, hi in one.dims):
        raise NotOffered("iterators count from 0, and are dimensions")
    symbols = {name: tir.Var(name, "int64") for name, _, _ in one.dims}
    iterators = {symbols[name]: tvm.ir.Range(integer(0), integer(hi + 1)) for name, _, hi in one.dims}
    indices = [fold(tree, lambda name: symbols[name], integer, operation) for tree in one.results]
    found = tvm.arith.detect_iter_map(indices, iterators, condition_of(one, symbols), check_level="nocheck")
    if len(found.indices) != len(indices):
        raise NotOffered("no iterator map")
    results = [tree_of(tvm.arith.normalize_iter_map_to_expr(index)) for index in found.indices]
    return Map(one.dims, [], [], results, one.constraints)


if VERB == "iter_map":
    serve(
        f"tvm {tvm.__version__} {VERB}",
        simplify=lambda text: write_map(iter_map(read_map(text))),
        compose=lambda consumer, producer: write_map(iter_map(composed(read_map(consumer), read_map(producer)))),
    )
else:
    serve_algebra(f"tvm {tvm.__version__} {VERB}", simplify_tree)
