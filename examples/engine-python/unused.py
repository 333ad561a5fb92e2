"""An engine that removes unused dimensions and runtime variables, and reports which ones it kept.

    affirm score --engine-cmd 'python3 examples/engine-python/unused.py'
"""
from engine import Map, fold, read_map, replace, serve, write_map


def names_in(tree):
    return fold(tree, lambda name: {name}, lambda value: set(), lambda word, left, right: left | right)


def without_unused(one):
    """Returns the map and the names that it keeps: an unused variable with a nonempty interval is removed, and the others are
    renumbered."""
    trees = one.results + [tree for tree, _, _ in one.constraints]
    used = set().union(*map(names_in, trees))
    keep = {name for name, lo, hi in one.variables() if name in used or lo > hi}
    dims, runtimes = ([v for v in kind if v[0] in keep] for kind in (one.dims, one.runtimes))
    renamed = {v[0]: (f"{prefix}{i}", *v[1:]) for kind, prefix in ((dims, "d"), (runtimes, "rt")) for i, v in enumerate(kind)}
    values = {name: ("var", renamed.get(name, (name,))[0]) for name, _, _ in one.variables()}
    results = [replace(tree, values) for tree in one.results]
    constraints = [(replace(tree, values), lo, hi) for tree, lo, hi in one.constraints]
    made = Map([renamed[v[0]] for v in dims], one.ranges, [renamed[v[0]] for v in runtimes], results, constraints)
    return made, [v[0] for v in dims + runtimes]


def drop_unused(text):
    made, kept = without_unused(read_map(text))
    return f"kept: {', '.join(kept)}\n{write_map(made)}"


serve("unused variables removed", simplify=drop_unused)
