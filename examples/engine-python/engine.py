# An engine over a pipe: --engine-cmd 'python3 examples/engine-python/engine.py' (docs/formats.md). It takes maps as they are for simplified.
import sys


def unescape(field):
    pieces = field.split("\\\\")
    return "\\".join(piece.replace("\\n", "\n").replace("\\t", "\t") for piece in pieces)


def escape(text):
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t")


def simplify(map_text):
    return map_text


for line in sys.stdin:
    number, verb, *fields = map(unescape, line.rstrip("\n").split("\t"))
    answer = ["not-offered"]
    if verb == "hello":
        answer = ["engine", "1", "identity 1.0", "simplify"]
    elif verb == "simplify":
        answer = ["answer", simplify(fields[0])]
    print(number, *map(escape, answer), sep="\t", flush=True)
