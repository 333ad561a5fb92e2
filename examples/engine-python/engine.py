"""The parts of an engine in Python: maps as trees, and the protocol over a pipe (docs/formats.md).

A tree is ("num", n), ("var", name), or (OPERATION, left, right) with one of the operations below.
An engine passes functions to serve(). Run by itself, this file serves an engine that returns maps unchanged.
"""
import re
import sys
from dataclasses import dataclass, field

OPERATIONS = ("+", "*", "floordiv", "ceildiv", "mod", "min", "max")


class NotOffered(Exception):
    """The engine does not offer this operation at all."""


class Rejected(Exception):
    """The engine offers this operation, but fails here: a limit, an overflow."""


@dataclass
class Map:
    dims: list = field(default_factory=list)  # of (name, lo, hi)
    ranges: list = field(default_factory=list)
    runtimes: list = field(default_factory=list)
    results: list = field(default_factory=list)  # trees
    constraints: list = field(default_factory=list)  # of (tree, lo, hi)

    def variables(self):
        return self.dims + self.ranges + self.runtimes


def number(value):
    return ("num", int(value))


def fold(tree, variable, constant, operation):
    """Evaluates the tree in another algebra: variable(name), constant(n), operation(word, left, right)."""
    if tree[0] == "var":
        return variable(tree[1])
    if tree[0] == "num":
        return constant(tree[1])
    return operation(tree[0], fold(tree[1], variable, constant, operation), fold(tree[2], variable, constant, operation))


# --- parsing ---

TOKEN = re.compile(r"\s*(->|\d+|[a-z]+\d*|.)")


class Reader:
    def __init__(self, text):
        self.tokens = TOKEN.findall(text)
        self.at = 0

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, word):
        if self.peek() != word:
            return False
        self.at += 1
        return True

    def want(self, word):
        if not self.take(word):
            raise NotOffered(f"no plain map: {word} is missing")

    def next(self):
        self.at += 1
        return self.tokens[self.at - 1] if self.at <= len(self.tokens) else ""

    def names(self, opening, closing):
        found = []
        if not self.take(opening):
            return found
        while not self.take(closing):
            found.append(self.next())
            if not self.take(",") and self.peek() != closing:
                raise NotOffered("no plain map")
        return found

    def factor(self):
        word = self.next()
        if word == "-":
            inner = self.factor()
            return number(-inner[1]) if inner[0] == "num" else ("*", inner, number(-1))
        if word == "(":
            inner = self.sum()
            self.want(")")
            return inner
        if word in ("min", "max"):
            self.want("(")
            left = self.sum()
            self.want(",")
            right = self.sum()
            self.want(")")
            return (word, left, right)
        return number(word) if word.isdigit() else ("var", word)

    def term(self):
        left = self.factor()
        while self.peek() in ("*", "floordiv", "ceildiv", "mod"):
            word = self.next()
            left = (word, left, self.factor())
        return left

    def sum(self):
        left = self.term()
        while self.peek() in ("+", "-"):
            word, right = self.next(), self.term()
            left = ("+", left, right if word == "+" else ("*", right, number(-1)))
        return left

    def bound(self):
        sign = -1 if self.take("-") else 1
        return sign * int(self.next())

    def interval(self):
        tree = self.sum()
        self.want("in")
        self.want("[")
        lo = self.bound()
        self.want(",")
        hi = self.bound()
        self.want("]")
        return tree, lo, hi


def read_map(text):
    reader = Reader(text)
    kinds = [reader.names("(", ")"), reader.names("[", "]"), reader.names("{", "}")]
    reader.want("->")
    reader.want("(")
    results = []
    while not reader.take(")"):
        results.append(reader.sum())
        reader.take(",")
    bounds, constraints = {}, []
    if reader.take(","):
        reader.want("domain")
        reader.want(":")
    while reader.peek():
        tree, lo, hi = reader.interval()
        if tree[0] == "var" and tree[1] not in bounds:
            bounds[tree[1]] = (lo, hi)
        else:
            constraints.append((tree, lo, hi))
        reader.take(",")
    lists = [[(name, *bounds[name]) for name in names] for names in kinds]
    return Map(*lists, results, constraints)


# --- printing ---


def write_tree(tree):
    if tree[0] == "num":
        if not -(2**63) < tree[1] < 2**63:
            raise Rejected("a constant leaves int64")
        return str(tree[1])
    if tree[0] == "var":
        return tree[1]
    left, right = write_tree(tree[1]), write_tree(tree[2])
    return f"{tree[0]}({left}, {right})" if tree[0] in ("min", "max") else f"({left} {tree[0]} {right})"


def write_map(one):
    names = [", ".join(name for name, _, _ in kind) for kind in (one.dims, one.ranges, one.runtimes)]
    text = f"({names[0]})" + (f"[{names[1]}]" if names[1] else "") + ("{" + names[2] + "}" if names[2] else "")
    text += f" -> ({', '.join(map(write_tree, one.results))})"
    domain = [f"{name} in [{lo}, {hi}]" for name, lo, hi in one.variables()]
    domain += [f"{write_tree(tree)} in [{lo}, {hi}]" for tree, lo, hi in one.constraints]
    return text + (", domain: " + ", ".join(domain) if domain else "")


# --- shared by all algebras of expressions ---


def replace(tree, values):
    return fold(tree, lambda name: values[name], number, lambda word, left, right: (word, left, right))


def composed(consumer, producer):
    """Returns the composition of both maps, unsimplified."""
    counts = len(consumer.ranges), len(consumer.runtimes)
    renamed = [(f"s{counts[0] + i}", *one[1:]) for i, one in enumerate(producer.ranges)]
    runtimes = [(f"rt{counts[1] + i}", *one[1:]) for i, one in enumerate(producer.runtimes)]
    values = {name: result for (name, _, _), result in zip(producer.dims, consumer.results, strict=True)}
    values |= {old[0]: ("var", new[0]) for old, new in zip(producer.ranges + producer.runtimes, renamed + runtimes)}
    constraints = consumer.constraints + [(values[name], lo, hi) for name, lo, hi in producer.dims]
    constraints += [(replace(tree, values), lo, hi) for tree, lo, hi in producer.constraints]
    results = [replace(tree, values) for tree in producer.results]
    return Map(consumer.dims, consumer.ranges + renamed, consumer.runtimes + runtimes, results, constraints)


def simplified(one, simplify_tree):
    """Simplifies each tree separately by simplify_tree(tree, the map's variables)."""
    variables = one.variables()
    results = [simplify_tree(tree, variables) for tree in one.results]
    constraints = [(simplify_tree(tree, variables), lo, hi) for tree, lo, hi in one.constraints]
    return Map(one.dims, one.ranges, one.runtimes, results, constraints)


# --- the protocol ---


def unescape(text):
    return re.sub(r"\\(.)", lambda found: {"n": "\n", "t": "\t"}.get(found[1], found[1]), text)


def escape(text):
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t")


def serve(name, **verbs):
    """verbs: simplify(text) and compose(consumer, producer), on texts; analyse(direction, instruction, output, operand, leaf, module)."""
    for line in sys.stdin:
        count, verb, *fields = map(unescape, line.rstrip("\n").split("\t"))
        try:
            if verb == "hello":
                answer = ["engine", "1", name, " ".join(verbs)]
            elif verb in verbs:
                answer = ["answer", verbs[verb](*fields)]
            else:
                answer = ["not-offered"]
        except NotOffered as why:
            answer = ["not-offered", str(why)]
        except Rejected as why:
            answer = ["rejected", str(why)]
        print(count, *map(escape, answer), sep="\t", flush=True)


def serve_algebra(name, simplify_tree):
    """Serves an engine of trees: simplify and compose use simplify_tree(tree, variables)."""
    serve(
        name,
        simplify=lambda text: write_map(simplified(read_map(text), simplify_tree)),
        compose=lambda consumer, producer: write_map(simplified(composed(read_map(consumer), read_map(producer)), simplify_tree)),
    )


if __name__ == "__main__":
    serve("identity 1.0", simplify=lambda text: text)
