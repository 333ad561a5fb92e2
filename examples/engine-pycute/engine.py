"""CuTe layouts as an engine: a layout is a map of one dimension. simplify is pycute's coalesce and compose is its composition, for maps that are
layouts.

    PYTHONPATH=CUTLASS/python affirm score --pairs pairs.txt --engine-cmd 'python3 examples/engine-pycute/engine.py'

engine.py LAW prints pycute's results for every layout of up to two modes, to be judged:

    engine.py left-inverse | affirm audit --pairs -         also right-inverse, coalesce, product, complement, quotient
    engine.py composition  | affirm audit --compose -       also tile: the first mode of a quotient
    engine.py pairs                                         consumer ; producer, for score --pairs
"""
import itertools
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "engine-python"))
from engine import Map, NotOffered, Rejected, composed, number, read_map, serve, write_map  # noqa: E402

import pycute  # noqa: E402
from pycute import Layout  # noqa: E402

SIZES, STRIDES = range(1, 5), range(0, 9)


# --- a layout as a map: the index is split into the modes, the last one takes the rest ---


def modes_of(layout):
    return list(zip(pycute.flatten(layout.shape), pycute.flatten(layout.stride), strict=True))


def tree_of(layout, index):
    tree, passed, modes = number(0), 1, modes_of(layout)
    if any(size < 1 for size, _ in modes):
        raise Rejected(f"a mode without elements in {layout}")
    for i, (size, stride) in enumerate(modes):
        coordinate = index if passed == 1 else ("floordiv", index, number(passed))
        if i + 1 < len(modes):
            coordinate = ("mod", coordinate, number(size))
        tree = ("+", tree, ("*", coordinate, number(stride)))
        passed *= size
    return tree


def map_of(layout, count=None):
    size = layout.size() if count is None else count
    return Map([("d0", 0, size - 1)], results=[tree_of(layout, ("var", "d0"))])


# --- a map as a layout ---


def numbers_of(tree):
    """Returns (dimension, passed, size, stride) of one summand; size 0: no mod."""
    stride = 1
    if tree[0] == "*" and tree[2][0] == "num":
        tree, stride = tree[1], tree[2][1]
    size, passed = 0, 1
    if tree[0] == "mod" and tree[2][0] == "num":
        tree, size = tree[1], tree[2][1]
    if tree[0] == "floordiv" and tree[2][0] == "num":
        tree, passed = tree[1], tree[2][1]
    if tree[0] != "var":
        raise NotOffered("no layout")
    return passed, size, stride


def summands(tree):
    if tree[0] == "+":
        return summands(tree[1]) + summands(tree[2])
    return [] if tree == number(0) else [numbers_of(tree)]


def layout_of(one):
    """Converts a map from one dimension, starting at 0, to one result; all modes must be
    present, in order."""
    if len(one.variables()) != 1 or len(one.results) != 1 or one.constraints or one.dims[0][1] != 0:
        raise NotOffered("no layout")
    count, passed = one.dims[0][2] + 1, 1
    shape, strides = [], []
    for below, size, stride in summands(one.results[0]):
        size = size or -(-count // passed)
        if below != passed:
            raise NotOffered("modes out of order")
        shape, strides, passed = shape + [size], strides + [stride], passed * size
    if passed != count:
        raise NotOffered("the modes do not fill the domain")
    return Layout(tuple(shape), tuple(strides)) if shape else Layout(count, 0)


def simplify(text):
    return write_map(map_of(pycute.coalesce(layout_of(read_map(text)))))


def compose(consumer, producer):
    first, second = layout_of(read_map(consumer)), layout_of(read_map(producer))
    if first.cosize() > second.size():
        raise NotOffered("the consumer leaves the producer")
    try:
        return write_map(map_of(pycute.composition(second, first)))
    except AssertionError as why:
        raise Rejected("pycute's assertion: it does not compose these") from why


# --- laws, over every small layout ---


def layouts(modes):
    for shape in itertools.product(SIZES, repeat=modes):
        for strides in itertools.product(STRIDES, repeat=modes):
            yield Layout(shape, strides)


def every_layout():
    return itertools.chain(layouts(1), layouts(2))


def is_injective(layout):
    return len({layout(i) for i in range(layout.size())}) == layout.size()


def attempt(make):
    """Returns pycute's result; None if it reports that it has none."""
    try:
        return make()
    except AssertionError:
        return None


def identity(count):
    return write_map(Map([("d0", 0, count - 1)], results=[("var", "d0")]))


def through(first, second, count):
    return write_map(Map([("d0", 0, count - 1)], results=[tree_of(second, tree_of(first, ("var", "d0")))]))


def left_inverse():
    for layout in filter(is_injective, every_layout()):
        inverse = attempt(lambda layout=layout: pycute.left_inverse(layout))
        if inverse is not None:
            yield identity(layout.size()), through(layout, inverse, layout.size())


def right_inverse():
    for layout in every_layout():
        inverse = attempt(lambda layout=layout: pycute.right_inverse(layout))
        if inverse is not None:
            yield identity(inverse.size()), through(inverse, layout, inverse.size())


def coalesce():
    for layout in every_layout():
        yield write_map(map_of(layout)), write_map(map_of(pycute.coalesce(layout)))


def product():
    """An integer means the layout of that size, as in composition and division."""
    for layout, count in itertools.product(layouts(1), SIZES):
        both = [attempt(lambda tile=tile: pycute.logical_product(layout, tile)) for tile in (Layout(count), count)]
        if all(one is not None for one in both):
            yield tuple(write_map(map_of(one)) for one in both)


def image_of(layout):
    """The numbers of a layout, as a set."""
    return write_map(Map(ranges=[("s0", 0, layout.size() - 1)], results=[tree_of(layout, ("var", "s0"))]))


def complement():
    """A layout concatenated with its complement contains each number below its size."""
    for layout in filter(is_injective, every_layout()):
        rest = attempt(lambda layout=layout: pycute.complement(layout, layout.cosize()))
        if rest is not None and all(size > 0 for size, _ in modes_of(rest)):
            both = pycute.make_layout(layout, rest)
            yield image_of(Layout(both.size(), 1)), image_of(both)


def quotients():
    """Yields layouts, injective tiles within them, and the result of logical_divide."""
    for layout, tile in itertools.product(every_layout(), filter(is_injective, layouts(1))):
        if tile.cosize() <= layout.size():
            both = attempt(lambda layout=layout, tile=tile: pycute.logical_divide(layout, tile))
            if both is not None:
                yield layout, tile, both


def quotient():
    """A quotient with as many elements as the layout has the same elements."""
    for layout, _, both in quotients():
        if both.size() == layout.size():
            yield image_of(layout), image_of(both)


def tile_of_quotient():
    for layout, tile, both in quotients():
        yield write_map(map_of(tile)), write_map(map_of(layout)), write_map(map_of(both[0]))


def layout_pairs():
    for second, first in itertools.product(layouts(2), layouts(1)):
        if first.cosize() <= second.size():
            yield second, first


def composition():
    for second, first in layout_pairs():
        both = attempt(lambda second=second, first=first: pycute.composition(second, first))
        if both is not None:
            yield write_map(map_of(first)), write_map(map_of(second)), write_map(map_of(both))


def pairs():
    for second, first in layout_pairs():
        yield (f"{write_map(map_of(first))} ; {write_map(map_of(second))}",)


LAWS = {"left-inverse": left_inverse, "right-inverse": right_inverse, "coalesce": coalesce}
LAWS |= {"product": product, "composition": composition, "pairs": pairs}
LAWS |= {"complement": complement, "quotient": quotient, "tile": tile_of_quotient}


if len(sys.argv) > 1:
    for fields in LAWS[sys.argv[1]]():
        print(*fields, sep="\t")
else:
    serve("pycute", simplify=simplify, compose=compose)
