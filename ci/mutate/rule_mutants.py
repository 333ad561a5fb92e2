"""Mutants of the engine's rules, each judged by `affirm prove` as a rule of its own. A mutant that is proved must have a certificate that affirm-check accepts.

Operators: conjunct (a guard removed), relation (`<` and `<=` exchanged), constant (a number or letter changed by one), letter (replaced by another of
its kind), bound (lo and hi exchanged), sign (`+` and `-` exchanged, a minus removed), operator (floordiv for ceildiv, min for max, mod for floordiv),
result (the ends of an interval exchanged, one side replaced by the other).
"""
import bisect, collections, json, pathlib, re, subprocess, tempfile
from program import fail

TOKEN = re.compile(r"=>|==|!=|<=|>=|[<>]|\d+|[A-Za-z_]\w*|\S")
CONSTANT, EXPRESSION = re.compile(r"[abckmn]\d*$"), re.compile(r"[uvwxyz]\d*$")
RELATIONS = {"<": ["<=", "!="], "<=": ["<", "!="], ">": [">=", "!="], ">=": [">", "!="], "==": ["<=", ">="], "!=": ["<=", ">="]}
OPERATORS = {"floordiv": ["ceildiv"], "ceildiv": ["floordiv"], "mod": ["floordiv"], "min": ["max"], "max": ["min"], "*": ["+"]}


def rules_of(path):
    """Returns name, line, statement and guards of each rule, as lists of tokens."""
    found, lines = [], path.read_text().splitlines()
    for number, line in enumerate(lines, 1):
        words = line.split()
        if words[:1] == ["rule"]:
            found.append([words[1], number, "", ""])
            part = 2
        elif found and line.startswith(" "):
            if words[0].endswith(":"):
                part = None
            elif words[0] == "when":
                part, line = 3, line.strip()[5:]
            if part:
                found[-1][part] += " " + line.strip()
    for name, line, statement, guards in found:
        yield name, line, TOKEN.findall(statement), split(TOKEN.findall(guards))


def split(tokens):
    """Splits guards at commas outside parentheses."""
    parts, depth = [[]], 0
    for token in tokens:
        depth += (token == "(") - (token == ")")
        if token == "," and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return [part for part in parts if part]


def changes_of(tokens, letters, is_left):
    """Yields operator and tokens of each change at one position. Letters of the left side are unchanged, so that it binds the
    same letters."""
    for i, token in enumerate(tokens):
        before = tokens[i - 1] if i else "("

        def put(*words):
            return tokens[:i] + list(words) + tokens[i + 1 :]

        for other in RELATIONS.get(token, []):
            yield "relation", put(other)
        for other in OPERATORS.get(token, []):
            yield "operator", put(other)
        if token == "+":
            yield "sign", put("-")
        if token == "-":
            yield "sign", put() if before in ("(", ",", "[", "=>", "<", "<=", ">", ">=", "==", "!=") else put("+")
        if token in ("lo", "hi"):
            yield "bound", put("hi" if token == "lo" else "lo")
        if token.isdigit():
            yield "constant", put(str(int(token) + 1))
            yield "constant", put("(", str(int(token) - 1), ")") if int(token) else put("(", "-", "1", ")")
        is_letter = CONSTANT.match(token) or EXPRESSION.match(token)
        if is_letter and not is_left:
            kind = CONSTANT if CONSTANT.match(token) else EXPRESSION
            for other in sorted(letters):
                if other != token and kind.match(other):
                    yield "letter", put(other)
            inside = before == "(" and i > 1 and tokens[i - 2] in ("lo", "hi")
            if not inside:
                yield "constant", put("(", token, "+", "1", ")")
                yield "constant", put("(", token, "-", "1", ")")


def mutants_of(path):
    for name, line, statement, guards in rules_of(path):
        arrow = statement.index("=>")
        left, right = statement[:arrow], statement[arrow + 1 :]
        letters = {t for t in left if CONSTANT.match(t) or EXPRESSION.match(t)}

        def mutant(operator, left, right, guards):
            text = " ".join(left) + "  =>  " + " ".join(right)
            if guards:
                text += "\n  when " + ", ".join(" ".join(guard) for guard in guards)
            return {"rule": name, "file": path, "line": line, "operator": operator, "text": text}

        for i in range(len(guards)):
            yield mutant("conjunct", left, right, guards[:i] + guards[i + 1 :])
            for operator, changed in changes_of(guards[i], letters, False):
                yield mutant(operator, left, right, guards[:i] + [changed] + guards[i + 1 :])
        for operator, changed in changes_of(right, letters, False):
            yield mutant(operator, left, changed, guards)
        for operator, changed in changes_of(left, letters, True):
            yield mutant(operator, changed, right, guards)
        for side in (left, right):
            if side[-1] == "]":
                begin = len(side) - 1 - side[::-1].index("[")
                first, second = split(side[begin + 1 : -1])
                exchanged = side[:begin] + ["["] + second + [","] + first + ["]"]
                yield mutant("result", exchanged if side is left else left, exchanged if side is right else right, guards)
        arguments = split(left[2:-1]) if left[:2] in (["min", "("], ["max", "("]) else []
        if right in arguments:
            yield mutant("result", left, arguments[1 - arguments.index(right)], guards)


def all_mutants(root):
    seen = set()
    for path in sorted((root / "core/rules").glob("*.rules")):
        originals = {(name, " ".join(s) + "|".join(" ".join(g) for g in gs)) for name, _, s, gs in rules_of(path)}
        assert originals
        for mutant in mutants_of(path):
            key = mutant["rule"], mutant["text"]
            if key not in seen:
                seen.add(key)
                yield mutant


def rows_of(printed, texts):
    """Returns the row of each rule: its verdict, or `rejected` if its text is stated to be bad input."""
    first, said = [1], {}
    for text in texts:
        first.append(first[-1] + text.count("\n") + 1)
    for row in (json.loads(line) for line in printed.splitlines() if line.startswith("{")):
        if "verdict" in row:
            said[row["rule"]] = row
        elif row.get("answer") == "bad input":
            said[f"m{bisect.bisect(first, row['line']) - 1:05}"] = {"verdict": "rejected"}
    return said


def judged(build, mutants):
    """Yields each mutant with its verdict: refuted, proved with a certificate, proved without one, unknown, or rejected (not a rule)."""
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        texts = [f"rule m{i:05}\n  {m['text']}\n" for i, m in enumerate(mutants)]
        (scratch / "mutants.rules").write_text("\n".join(texts))
        words = [str(build / "affirm"), "prove", "--no-store", "--json", "--certificate", str(scratch / "proofs"), str(scratch / "mutants.rules")]
        done = subprocess.run(words, text=True, capture_output=True)
        said = rows_of(done.stdout, texts)
        if done.returncode < 0 or len(said) < len(mutants):
            missing = next((mutant["text"] for i, mutant in enumerate(mutants) if f"m{i:05}" not in said), "none")
            fail(f"affirm prove ends with {done.returncode} and gives a row to {len(said)} of {len(mutants)} rules; the first without a row: {missing}\n{done.stderr[-400:]}")
        for i, mutant in enumerate(mutants):
            row = said[f"m{i:05}"]
            verdict = row["verdict"].lower()
            if verdict == "proved":
                rule, proof = scratch / "one.rules", scratch / "proofs" / f"m{i:05}.cert"
                rule.write_text(texts[i])
                is_accepted = proof.exists() and subprocess.run([str(build / "affirm-check"), str(rule), str(proof)], capture_output=True).returncode == 0
                verdict = "true" if is_accepted else "proved"
            yield dict(mutant, verdict=verdict, values=row.get("values"), method=row.get("method"))


def table(results):
    rows = collections.defaultdict(collections.Counter)
    for result in results:
        for key in (result["operator"], "all"):
            rows[key][result["verdict"]] += 1
    lines = ["| operator | mutants | refuted | true, with a certificate | proved without one | unknown | no rule |", "|---|---|---|---|---|---|---|"]
    for key in sorted(rows, key=lambda name: (name == "all", name)):
        row = rows[key]
        lines.append(f"| {key} | {sum(row.values())} | {row['refuted']} | {row['true']} | {row['proved']} | {row['unknown']} | {row['rejected']} |")
    return "\n".join(lines)
