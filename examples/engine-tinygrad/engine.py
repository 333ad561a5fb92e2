"""tinygrad's symbolic rewriting as an engine: UOp.simplify, and with --valid also uop_given_valid on results under the constraints.

    PYTHONPATH=PATH-OF-TINYGRAD affirm score --engine-cmd 'python3 examples/engine-tinygrad/engine.py'
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "engine-python"))
from engine import Map, NotOffered, composed, fold, number, read_map, serve, write_map  # noqa: E402

from tinygrad.uop.ops import Ops, UOp  # noqa: E402
from tinygrad.uop.symbolic import uop_given_valid  # noqa: E402

BUILD = {
    "+": lambda a, b: a + b,
    "*": lambda a, b: a * b,
    "floordiv": lambda a, b: a // b,
    "ceildiv": lambda a, b: -(-a // b),
    "mod": lambda a, b: a % b,
    "min": lambda a, b: a.minimum(b),
    "max": lambda a, b: a.maximum(b),
}
READ = {Ops.ADD: "+", Ops.MUL: "*", Ops.FLOORDIV: "floordiv", Ops.FLOORMOD: "mod", Ops.MAX: "max"}
MINUS_ONE = number(-1)


def build(tree, symbols):
    return fold(tree, lambda name: symbols[name], UOp.const, lambda word, a, b: BUILD[word](a, b))


def where_tree(uop):
    """(a < b) ? a : b is the minimum, (a < b) ? b : a the maximum."""
    condition, yes, no = uop.src
    if condition.op is Ops.CMPLT and {yes, no} == set(condition.src):
        return ("min" if yes is condition.src[0] else "max", tree_of(yes), tree_of(no))
    raise NotOffered("tinygrad answers with a choice")


def tree_of(uop):
    if uop.op is Ops.CONST:
        return number(uop.arg)
    if getattr(uop.arg, "name", None) is not None:
        return ("var", uop.arg.name)
    if uop.op is Ops.WHERE:
        return where_tree(uop)
    if uop.op is Ops.XOR and uop.src[1].op is Ops.CONST and uop.src[1].arg == -1:
        return ("+", ("*", tree_of(uop.src[0]), MINUS_ONE), MINUS_ONE)
    if uop.op not in READ:
        raise NotOffered(f"tinygrad answers with {uop.op.name}")
    word, trees = READ[uop.op], [tree_of(part) for part in uop.src]
    if word in ("floordiv", "mod") and (trees[1][0] != "num" or trees[1][1] <= 0):
        raise NotOffered("a divisor that is no positive constant")
    return (word, *trees)


def condition_of(symbols, constraints):
    clauses = [part for tree, lo, hi in constraints for part in (build(tree, symbols) < hi + 1, (build(tree, symbols) < lo).ne(True))]
    return UOp.const(True).uprod(*clauses).simplify()


def simplify(one):
    symbols = {name: UOp.variable(name, lo, hi) for name, lo, hi in one.variables()}
    results = [build(tree, symbols).simplify() for tree in one.results]
    if "--valid" in sys.argv and one.constraints:
        condition = condition_of(symbols, one.constraints)
        results = [uop_given_valid(condition, result) for result in results]
    constraints = [(tree_of(build(tree, symbols).simplify()), lo, hi) for tree, lo, hi in one.constraints]
    return Map(one.dims, one.ranges, one.runtimes, [tree_of(result) for result in results], constraints)


serve(
    "tinygrad" + (" given valid" if "--valid" in sys.argv else ""),
    simplify=lambda text: write_map(simplify(read_map(text))),
    compose=lambda consumer, producer: write_map(simplify(composed(read_map(consumer), read_map(producer)))),
)
