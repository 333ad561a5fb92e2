"""Judge certificates of rules: python3 check.py RULES CERTIFICATE; written from certificates.md alone."""
import functools, math, re, sys

TOKEN = (r"rule(?![A-Za-z0-9_])(?:[ \t\r\n]|#[^\n]*)*(?P<name>[^ \t\r\n#]+)|[ \t\r\n]|#[^\n]*|(?P<number>[0-9]+)|"
         r"(?P<tag>(?:order|example):[^\n]*|(?:scope|near-miss):)|(?P<word>[A-Za-z_][A-Za-z0-9_]*|=>|==|!=|<=|>=|[()\[\],;.:|=+\-*/<>])|(?P<bad>.)")
KINDS = {"I": (int, ".*"), "N": (tuple, ".*"), "W": (str, "[A-Za-z_].*"), "L": (str, "[abckmnuvwxyz][0-9]*"), "U": (str, "[u-z][0-9]*")}
TWO, PRODUCTS = "( E ) ( E )", ("*", "/", "floordiv", "floorDiv", "ceildiv", "ceilDiv", "mod")
TAGS, STATEMENTS = ("o:", "e:", "s:", "n:"), ("rule", "constant", "expression")
CLAUSES = {"floordiv": ("A B q", TWO, "-B >= 0 | A - B*q >= 0, B - 1 - A + B*q >= 0"), "poly": ("A h", "( E )", "h - A = 0"),
           "gcd": ("A B g a b s t", TWO, "g >= 0, A - g*a = 0, B - g*b = 0, s*a + t*b - 1 = 0"),
           "positive": ("A p", "( E )", "p = 0, -A >= 0 | p - A = 0, A >= 0"),
           "product": ("p r", TWO, "-p - 1 >= 0 | -r - 1 >= 0 | p*r >= 0"), "integer": ("p", "( E )", "p >= 0 | -p - 1 >= 0"),
           "split": ("M d k", TWO + " E", "-M >= 0 | d - k >= 0, M*d - k*M >= 0 | k - 1 - d >= 0, (k - 1)*M - M*d >= 0"),
           "zero": ("e t", TWO, "e - 1 >= 0 | -e - 1 >= 0 | e*t = 0"),
           "==": ("L R", "", "L - R = 0"), "!=": ("L R", "", "L - R - 1 >= 0 | R - L - 1 >= 0"), ">=": ("L R", "", "L - R >= 0"),
           "<=": ("L R", "", "R - L >= 0"), "<": ("L R", "", "R - L - 1 >= 0"), ">": ("L R", "", "L - R - 1 >= 0")}
DEFINED, TAUTOLOGIES, COMPARISONS = list(CLAUSES)[:4], list(CLAUSES)[4:8], list(CLAUSES)[8:]
def need(condition, reason):
    """Refuse for the reason given unless the condition is true."""
    if not condition: raise ValueError(reason)
def add(p, q, k=1):
    """Return the polynomial p + k*q; a polynomial maps a sorted tuple of atoms to a coefficient that is not 0."""
    return {m: p.get(m, 0) + k * q.get(m, 0) for m in {**p, **q} if p.get(m, 0) + k * q.get(m, 0)}
def number(p):
    """Return the value of a polynomial that is a number, else None."""
    return p.get((), 0) if not any(p) else None
def instance(kind, *polynomials):
    """Return the options of a clause of this kind for the polynomials of its words: lists of (polynomial, relation)."""
    return Reader(CLAUSES[kind][2], values=dict(zip(CLAUSES[kind][0].split(), polynomials))).options()
class Reader:
    """A position in the tokens of a text; expressions are read as polynomials, by the known definitions."""
    def __init__(self, text, values=()):
        """Split the text into int, str, tags and names ("name", text); values are the polynomials of words."""
        need("\0" not in text, "a byte 0")
        self.list, self.at, self.values, self.known, self.divisors = [], 0, dict(values), {}, []
        for match in re.finditer(TOKEN, text):
            kind, text = match.lastgroup, match[match.lastgroup or 0]
            need(kind != "bad" and (kind != "number" or text == "0" or text[0] != "0"), f"unexpected {text!r}")
            if kind == "number": self.list.append(int(text))
            elif kind: self.list += dict(name=["rule", ("name", text)], tag=[text[0] + ":"], word=[text])[kind]
        self.list.append(None)
    def have(self, *wanted):
        """Consume the next token and return it if it is one of those wanted, else return None."""
        self.at += (token := self.list[self.at]) in wanted
        return token if token in wanted else None
    def read(self, pattern, depth=0):
        """Read what a pattern lists: Expression, Integer, Letter, Name, Word or a token itself; return the values."""
        values = []
        for item in pattern.split():
            token, (kind, fits) = self.list[self.at], KINDS.get(item, (str, re.escape(item)))
            if item != "E":
                need(isinstance(token, kind) and re.fullmatch(fits, str(token)), f"token {self.at}: {token!r}, not {item}")
                self.at += 1
            values += [self.expr(depth)] if item == "E" else [token] if item in KINDS else []
        return values
    def expr(self, depth=0, level=0):
        """Read a sum (level 0) or a product (level 1), from left to right, and append its divisors to the list of them."""
        out = (operand := self.factor if level else lambda depth: self.expr(depth, 1))(depth)
        while sign := self.have(*PRODUCTS) if level else self.have("+", "-"):
            sign, right = sign.lower().replace("/", "floordiv"), operand(depth)
            self.divisors += [right] if sign in PRODUCTS[2:] else []
            out = self.apply(sign, out, right)
        return out
    def factor(self, depth):
        """Read a factor, at most 400 parentheses, calls and signs deep."""
        need(depth <= 400, "an expression is nested too deeply")
        if isinstance(self.list[self.at], int): return add({}, {(): self.read("I")[0]})
        if self.have("-"): return add({}, self.factor(depth + 1), -1)
        if self.list[self.at] == "(": return self.read("( E )", depth + 1)[0]
        if call := self.have("min", "max", "gcd"): return self.apply(call, *self.read("( E , E )", depth + 1))
        if call := self.have("lo", "hi"): return {(f"{call}({self.read('( U )')[0]})",): 1}
        return self.values[self.read("W")[0]] if self.list[self.at] in self.values else {tuple(self.read("L")): 1}
    def apply(self, operation, a, b):
        """Return the polynomial of an operation on two."""
        d, na, nb = add(a, b, -1), number(a), number(b)
        simple = {"+": lambda: add(a, b), "-": lambda: d,
                  "*": lambda: functools.reduce(add, ({(*sorted(m + n),): a[m] * b[n]} for m in a for n in b), {}),
                  "mod": lambda: add(a, self.apply("*", b, self.apply("floordiv", a, b)), -1),
                  "ceildiv": lambda: add({}, self.apply("floordiv", add({}, a, -1), b), -1),
                  "min": lambda: add(add(a, b), self.apply("max", a, b), -1)}
        if operation == "gcd" and not d: return self.apply("max", a, add({}, a, -1))
        if operation in simple: return simple[operation]()
        if operation == "floordiv" and (not a or nb == 1 or na is not None and (nb or 0) > 0):
            return a if not a or nb == 1 else add({}, {(): na // nb})
        if operation == "max" and number(d) is not None: return a if number(d) > 0 else b
        n = math.gcd(*d.values())
        wanted = {"max": ([{m: v // k for m, v in d.items()}] for k in (n, -n)), "gcd": ([a, b], [b, a])}.get(operation, [[a, b]])
        for rest, choice in zip((b, a), wanted):
            for (_, word), (kind, *polynomials) in self.known.items():
                if kind == operation.replace("max", "positive") and polynomials[:len(choice)] == choice:
                    return add(rest, {(word,): 1}, n) if operation == "max" else {(word,): 1}
        raise ValueError(f"the definition for a {operation} is missing")
    def options(self):
        """Read the options of a clause: lists of facts (polynomial, relation)."""
        out, mark = [], "|"
        while not out or (mark := self.have("|", ",")):
            out += [[]] if mark == "|" else []
            out[-1].append((self.expr(), self.have(">=", "=")))
            need(out[-1][-1][1] and self.read("I") == [0], "a fact compares an expression with 0 by >= or =")
        return out
    def rule(self):
        """Read a rule: its sides, their divisors, its guards (divisors, left, comparison, right)."""
        (_, name), self.divisors, guards = self.read("rule N")[0], [], []
        sides = [self.read(mark + " E") + (self.read("[ E , E ]") if self.have("in") else []) for mark in ("", "=>")]
        every = self.divisors
        while self.have("," if guards else "when"):
            self.divisors = []
            guards.append((self.divisors, self.expr(), self.have(*COMPARISONS), self.expr()))
        need(len(sides[0]) == len(sides[1]) and all(guard[2] for guard in guards), f"{name} has an incomplete side or guard")
        tag, self.divisors = "s:", []
        while self.list[self.at] not in (*STATEMENTS, None):
            need(tag != "s:" or self.list[self.at] in TAGS, f"{self.list[self.at]!r} in rule {name}")
            tag, more, self.at = self.list[self.at], True, self.at + 1
            while tag == "s:" and more:
                value, low, high = self.read("E in [ E , E ]")
                guards, more = guards + [([], value, ">=", low), ([], high, ">=", value)], self.have(",")
        return sides, every, guards
    def refutation(self, clauses, facts, depth):
        """Read a refutation and check it; facts are those that may be summed, by label, and ("case", label) for each case."""
        need(depth <= 400, "refutations are nested too deeply")
        if self.have("cases"):
            label = self.read("I")[0]
            need(len(clauses.get(label, ())) > 1 and ("case", label) not in facts, f"no cases of {label}")
            for option in clauses[label]: self.refutation(clauses, {**facts, label: option, ("case", label): []}, depth + 1)
            return
        (label, n), total, more = (None, None) if self.have("sum") else self.read("I round I"), {}, True
        while more:
            sign, factor = self.have("-"), self.read("I *")[0]
            key = self.have("goal", "low", "high") or self.read("I")[0]
            i = self.read("I")[0] if self.have(".") else 1
            need(1 <= i <= len(facts.get(key, ())) and not (sign and facts[key][i - 1][1] != "="), f"no {factor} * {key}.{i}")
            total, more = add(total, facts[key][i - 1][0], -factor if sign else factor), self.have("+")
        if n is None: need((number(total) or 0) < 0, f"the sum before token {self.at} is no number below 0")
        else:
            need(label not in (*clauses, *facts) and n > 0 and not any(v % n for m, v in total.items() if m), f"round {label}")
            rounded = [({m: v // n for m, v in total.items() if v // n}, ">=")]
            need(self.read(":") == [] and self.options() == [rounded], f"another fact is rounded before token {self.at}")
            self.refutation(clauses, {**facts, label: rounded}, depth + 1)
    def judge(self, rules, start):
        """Read a certificate behind its name and check that it proves the rule that begins at a token of the rules."""
        self.values, self.known, clauses = {}, {}, {}
        while self.have("define"):
            words = []
            while not self.have("="): words += self.read("W")
            kind = self.have(*DEFINED)
            need(kind and len(words) == (5 if kind == "gcd" else 1), f"{words} cannot be defined so")
            operands = self.read(CLAUSES[kind][1])
            for word in words:
                need(re.fullmatch("(?!%s$).*[0-9]" % KINDS["L"][1], word) and word not in self.values, f"no name: {word}")
                self.values[word] = {(word,): 1}
            self.known["define", words[0]] = kind, *operands, *map(self.values.get, words)
        rules.at, rules.known = start, self.known
        sides, every, guards = rules.rule()
        (left, *ends), (right, *_) = sides
        known = {**self.known, **{("guard", i): (g[2], g[1], g[3]) for i, g in enumerate(guards, 1)}}
        known.update({("guard", i, "divisor", j): (">", d, {}) for i, g in enumerate(guards, 1) for j, d in enumerate(g[0], 1)})
        for x in {t for t in self.list if isinstance(t, str) and re.match(r"[u-z][0-9]*\Z", t)}:
            known["lower", x], known["upper", x] = ("<=", {(f"lo({x})",): 1}, {(x,): 1}), ("<=", {(x,): 1}, {(f"hi({x})",): 1})
        every = [d for i, d in enumerate(every) if d not in every[:i] and (number(d) is None or number(d) < 1)]
        wanted = [("divisor", i, ("goal", "<=", d, {})) for i, d in enumerate(every, 1)]
        if not ends:
            wanted += [("left", "above", ("goal", ">", left, right)), ("left", "below", ("goal", "<", left, right))]
        for side, (m, low, high), (n, p, q) in (("right", *sides), ("left", *sides[::-1])) if ends else ():
            inside = ("low", "<=", low, m), ("high", "<=", m, high)
            wanted += [(side, "low", *inside, ("goal", "<", n, p)), (side, "high", *inside, ("goal", "<", q, n))]
        for first, second, *facts in wanted:
            while not self.have("refute"):
                label, reason = self.read("I")[0], self.have(*TAUTOLOGIES)
                stated = tuple(self.list[self.at:self.list.index(":", self.at)])
                need(label not in clauses and (reason or stated in known), f"clause {label}: label or reason")
                self.at += 0 if reason else len(stated)
                options = instance(reason, *self.read(CLAUSES[reason][1])) if reason else instance(*known[stated])
                need(self.read(":") == [] and self.options() == options, f"clause {label} says something else")
                clauses[label] = options
            need(self.have(first) and self.have(second), f"this is not the obligation {first} {second}")
            force = {label: options[0] for label, options in clauses.items() if len(options) == 1}
            for key, *fact in facts:
                need(self.read(key + " :") == [] and self.options() == instance(*fact), f"{key} of {first} {second} is another")
                force[key] = instance(*fact)[0]
            self.refutation(clauses, force, 1)
            known.update({(first, second): (">", facts[0][2], {})} if first == "divisor" else {})
        self.read("end")
def main(paths, name="?"):
    """Judge the certificates of a file and return the exit status."""
    try:
        rules, reader = (Reader(open(path, encoding="latin-1", newline="").read()) for path in paths)
        while name == "?" or reader.list[reader.at]:
            version, (_, name) = reader.read("certificate I rule N")
            starts = [i for i, token in enumerate(rules.list) if token == "rule" and rules.list[i + 1] == ("name", name)]
            need(version == 1 and len(starts) == 1 and rules.list[0] in STATEMENTS, f"version {version}, {len(starts)} such rules")
            reader.judge(rules, starts[0])
            print(f"accepted {name}")
    except Exception as error:
        print(f"rejected {name}: {str(error) or type(error).__name__}")
        return 3 if isinstance(error, OSError) else 1
    return 0
if __name__ == "__main__":
    sys.setrecursionlimit(20000)
    sys.set_int_max_str_digits(0)
    sys.exit(main(sys.argv[1:]) if len(sys.argv) == 3 else "usage: check.py RULES CERTIFICATE")
