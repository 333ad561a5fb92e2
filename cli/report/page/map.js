// Indexing maps in the page: parsed from their text, evaluated, and printed for other tools. The
// evaluator only draws relations and judges nothing. It never rounds: integers that a Number cannot
// hold exactly are BigInts.
"use strict";
const floordiv = (x, c) => (x >= 0n ? x / c : -((c - 1n - x) / c));
const operators = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  floordiv,
  "/": floordiv,
  ceildiv: (x, c) => -floordiv(-x, c),
  mod: (x, c) => x - c * floordiv(x, c),
  min: (a, b) => (a < b ? a : b),
  max: (a, b) => (a > b ? a : b),
};

// Parses a text to { dims, ranges, runtimes, results, constraints, empty }; throws Error with a
// position.
function parseMap(text) {
  if (/^\s*KNOWN EMPTY/.test(text)) return { empty: true, dims: [], ranges: [], runtimes: [], results: [], constraints: [] };
  const [whole] = text.trimEnd().split(/\s*runtime variables:/), found = [...whole.matchAll(/\s*(->|[A-Za-z_][\w]*|\d+|[-+*/()[\]{},:])/gy)];
  const end = found.reduce((length, [token]) => length + token.length, 0);
  if (end < whole.length) throw new Error(`"${whole.slice(end, end + 20).trim()}" is no part of a map`);
  const tokens = found.map(([, token]) => token);
  let at = 0;
  const fail = (wanted) => {
    throw new Error(`${wanted} expected before "${tokens.slice(at, at + 4).join(" ")}"`);
  };
  const take = (token) => (tokens[at] === token ? (at++, true) : false);
  const need = (token) => take(token) || fail(token);
  const names = (open, close) => {
    const found = [];
    if (!take(open)) return found;
    while (!take(close)) {
      if (at >= tokens.length) fail(close);
      if (!take(",")) found.push({ name: tokens[at++] });
    }
    return found;
  };
  const integer = () => {
    const sign = take("-") ? -1n : 1n;
    if (!/^\d+$/.test(tokens[at] ?? "")) fail("a number");
    return sign * BigInt(tokens[at++]);
  };
  const interval = () => {
    need("in"), need("[");
    const lo = integer();
    need(",");
    const hi = integer();
    need("]");
    return { lo, hi };
  };
  const factor = () => {
    if (take("-")) {
      const right = factor();
      return right.value !== undefined ? { value: -right.value } : { op: "*", left: { value: -1n }, right };
    }
    if (take("(")) {
      const inside = sum();
      need(")");
      return inside;
    }
    const token = tokens[at++];
    if (token === undefined) fail("an expression");
    if (/^\d+$/.test(token)) return { value: BigInt(token) };
    if ((token === "min" || token === "max") && take("(")) {
      let whole = sum();
      while (take(",")) whole = { op: token, left: whole, right: sum() };
      need(")");
      return whole;
    }
    return { name: token };
  };
  const chain = (next, words) => () => {
    let left = next();
    while (words.includes(tokens[at])) left = { op: tokens[at++], left, right: next() };
    return left;
  };
  const term = chain(factor, ["*", "floordiv", "/", "ceildiv", "mod"]);
  const sum = chain(term, ["+", "-"]);
  const map = { dims: names("(", ")"), ranges: names("[", "]"), runtimes: names("{", "}"), results: [], constraints: [] };
  need("->"), need("(");
  while (!take(")")) map.results.push(sum()), take(",");
  take(","), take("domain") && need(":");
  for (const variable of [...map.dims, ...map.ranges, ...map.runtimes]) {
    take(",");
    if (tokens[at++] !== variable.name) fail(`bounds of ${variable.name}`);
    Object.assign(variable, interval());
  }
  while (at < tokens.length) {
    if (take(",")) continue;
    const expr = sum();
    map.constraints.push({ expr, ...interval() });
  }
  return map;
}

function evaluate(expr, values) {
  if (expr.value !== undefined) return expr.value;
  if (expr.name !== undefined) return values[expr.name];
  return operators[expr.op](evaluate(expr.left, values), evaluate(expr.right, values));
}

// If all parts of an expression stay within this range over the whole domain, Numbers are exact and
// many times as fast.
const mostExact = 2 ** 50;
const isExact = ({ lo, hi }) => lo >= -mostExact && hi <= mostExact;
const ofEnds = (ends) => ({ lo: Math.min(...ends), hi: Math.max(...ends) });
const numberOperators = {
  "+": (a, b) => ({ lo: a.lo + b.lo, hi: a.hi + b.hi, run: (at) => a.run(at) + b.run(at) }),
  "-": (a, b) => ({ lo: a.lo - b.hi, hi: a.hi - b.lo, run: (at) => a.run(at) - b.run(at) }),
  "*": (a, b) => ({ ...ofEnds([a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi]), run: (at) => a.run(at) * b.run(at) }),
  floordiv: (a, { lo: c }) => ({ lo: Math.floor(a.lo / c), hi: Math.floor(a.hi / c), run: (at) => Math.floor(a.run(at) / c) }),
  ceildiv: (a, { lo: c }) => ({ lo: Math.ceil(a.lo / c), hi: Math.ceil(a.hi / c), run: (at) => Math.ceil(a.run(at) / c) }),
  mod: (a, { lo: c }) => ({ lo: 0, hi: c - 1, run: (at) => { const x = a.run(at); return x - c * Math.floor(x / c); } }),
  min: (a, b) => ({ lo: Math.min(a.lo, b.lo), hi: Math.min(a.hi, b.hi), run: (at) => Math.min(a.run(at), b.run(at)) }),
  max: (a, b) => ({ lo: Math.max(a.lo, b.lo), hi: Math.max(a.hi, b.hi), run: (at) => Math.max(a.run(at), b.run(at)) }),
};
numberOperators["/"] = numberOperators.floordiv;

// Compiles an expression to a function of a list of Numbers, one a variable, with its bounds; null
// if Numbers may round.
function exactExpr(expr, variables) {
  let made;
  if (expr.value !== undefined) {
    const value = Number(expr.value);
    made = { lo: value, hi: value, run: () => value };
  } else if (expr.name !== undefined) {
    const i = variables.findIndex(({ name }) => name === expr.name);
    made = i < 0 ? null : { lo: Number(variables[i].lo), hi: Number(variables[i].hi), run: (at) => at[i] };
  } else {
    const left = exactExpr(expr.left, variables), right = exactExpr(expr.right, variables);
    if (left === null || right === null) return null;
    const divides = expr.op === "floordiv" || expr.op === "/" || expr.op === "ceildiv" || expr.op === "mod";
    if (divides && !(right.lo === right.hi && right.lo > 0)) return null;
    made = numberOperators[expr.op](left, right);
  }
  return made !== null && isExact(made) ? made : null;
}

// Compiles a map to functions of a list of its variables' values: Numbers, or BigInts if Numbers
// may round.
function runnableMap(map) {
  const variables = [...map.dims, ...map.ranges, ...map.runtimes];
  const exact = exprsOf(map).map((expr) => exactExpr(expr, variables));
  const isAllExact = exact.every((one) => one !== null) && variables.every(isExact);
  const ofBig = (expr) => (at) => evaluate(expr, Object.fromEntries(variables.map(({ name }, i) => [name, at[i]])));
  const runs = isAllExact ? exact.map(({ run }) => run) : exprsOf(map).map(ofBig);
  const number = isAllExact ? Number : (value) => value;
  return {
    isExact: isAllExact,
    number,
    results: runs.slice(0, map.results.length),
    constraints: map.constraints.map(({ lo, hi }, i) => ({ run: runs[map.results.length + i], lo: number(lo), hi: number(hi) })),
  };
}

function* boxPoints(variables) {
  const values = variables.map((variable) => variable.lo);
  if (variables.some((variable) => variable.lo > variable.hi)) return;
  for (;;) {
    yield values;
    let i = variables.length - 1;
    while (i >= 0 && ++values[i] > variables[i].hi) values[i] = variables[i].lo, i--;
    if (i < 0) return;
  }
}

// Random numbers from 0 to 1, the same for the same seed.
function someNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

// `count` points spread over the box; `number` converts an integer to the type of the coordinates.
function* somePoints(variables, count, seed, number) {
  if (variables.some((variable) => variable.lo > variable.hi)) return;
  const next = someNumbers(seed);
  for (let i = 0; i < count; i++)
    yield variables.map(({ lo, hi }) => lo + number(BigInt(Math.floor(next() * Number(hi - lo + number(1n))))));
}

// An index to compare and to print: a text where a Number would round. It is then outside any tensor.
const indexNumber = (at) => (Number.isSafeInteger(Number(at)) ? Number(at) : String(at));

// Calls see(index) with the results at each point of an element until it returns true. Visits at
// most `most` points. If there are more, the result is false, and `spread` selects points of the
// whole box instead of the first ones. `fixed` has values of runtime variables by name. The
// compiled functions are cached with the map: code that changes a bound must delete `runnable`.
function visitImage(map, element, { most = 20000, fixed = {}, spread = false }, see) {
  if (map.empty || element.length !== map.dims.length) return true;
  if (map.dims.some(({ lo, hi }, i) => element[i] < lo || element[i] > hi)) return true;
  const { number, results, constraints } = (map.runnable ??= runnableMap(map));
  const inner = [...map.ranges, ...map.runtimes].map(({ name, lo, hi }) => {
    const value = fixed[name] ?? null;
    if (value === null) return { lo: number(lo), hi: number(hi) };
    return value < lo || value > hi ? { lo: number(1n), hi: number(0n) } : { lo: number(value), hi: number(value) };
  });
  const volume = inner.reduce((product, { lo, hi }) => product * Number(hi - lo + number(1n)), 1), first = element.length;
  const values = [...element.map((at) => number(BigInt(at))), ...inner.map(({ lo }) => lo)];
  const seed = () => element.reduce((mixed, at) => Math.imul(mixed, 31) + at, 7);
  let visited = 0;
  for (const point of spread && volume > most ? somePoints(inner, most, seed(), number) : boxPoints(inner)) {
    if (visited++ >= most) break;
    for (let i = 0; i < point.length; i++) values[first + i] = point[i];
    if (!constraints.every(({ run, lo, hi }) => { const value = run(values); return value >= lo && value <= hi; })) continue;
    if (see(results.map((run) => indexNumber(run(values)))) === true) break;
  }
  return volume <= most;
}

// Whether all runtime variables of the map have fixed values.
const isDecided = (map, fixed = {}) => map.runtimes.every(({ name }) => fixed[name] !== undefined);

// A key that is equal only for equal indices. It is a number if that is exact, since thousands of
// texts take longer than a keystroke may.
const keyRadix = [1, 2 ** 52, 2 ** 26, 2 ** 17, 2 ** 13, 2 ** 10];
function keyOf(index) {
  const radix = keyRadix[index.length];
  let key = 0;
  for (const at of index) {
    if (!(at >= 0 && at < radix)) return index.join();
    key = key * radix + at;
  }
  return key;
}

// All results for one element, and whether each occurs for all values of the runtime variables:
// { items: [{ index, always }], complete }.
function imageOf(map, element, options = {}) {
  const found = new Map();
  const complete = visitImage(map, element, options, (index) => void found.set(keyOf(index), index));
  const always = isDecided(map, options.fixed);
  return { items: [...found.values()].map((index) => ({ index, always })), complete };
}

// The value of an expression without variables, else null.
function numberOf(expr) {
  if (expr.value !== undefined || expr.name !== undefined) return expr.value ?? null;
  const left = numberOf(expr.left), right = numberOf(expr.right);
  return left === null || right === null ? null : operators[expr.op](left, right);
}
const hasPart = (expr, isSought) => isSought(expr) || (expr.op !== undefined && (hasPart(expr.left, isSought) || hasPart(expr.right, isSought)));
const exprsOf = (map) => [...map.results, ...map.constraints.map(({ expr }) => expr)];

const shown = {
  text: { floordiv: "floordiv", ceildiv: "ceildiv", mod: "mod", "/": "floordiv" },
  python: { floordiv: "//", "/": "//", mod: "%" },
  isl: {},
};
// C has no literal for the lowest int64: the digits after its sign are beyond int64, and unsigned.
const integerText = (value, style) => (style === "c" && value === -(2n ** 63n) ? "(-9223372036854775807 - 1)" : `${value}`);
function exprText(expr, style) {
  if (expr.value !== undefined) return expr.value < 0n ? `(${integerText(expr.value, style)})` : integerText(expr.value, style);
  if (expr.name !== undefined) return expr.name;
  const left = exprText(expr.left, style), right = exprText(expr.right, style);
  if (style === "isl" && expr.op === "*") { // isl accepts a number as the only factor, and first: it rejects x * (-2)
    const isLeft = numberOf(expr.left) !== null;
    return `(${numberOf(isLeft ? expr.left : expr.right)} * ${isLeft ? right : left})`;
  }
  if (expr.op === "min" || expr.op === "max") return `${expr.op}(${left}, ${right})`;
  if (style === "isl" || style === "c") {
    const divisor = style === "c" ? right : numberOf(expr.right) ?? right; // isl divides by a plain number
    if (expr.op === "floordiv" || expr.op === "/") return style === "c" ? `floordiv(${left}, ${right})` : `floor((${left})/${divisor})`;
    if (expr.op === "ceildiv") return style === "c" ? `-floordiv(-(${left}), ${right})` : `ceil((${left})/${divisor})`;
    if (expr.op === "mod") return style === "c" ? `(${left} - ${right} * floordiv(${left}, ${right}))` : `((${left}) mod ${divisor})`;
  }
  if (style === "python" && expr.op === "ceildiv") return `-(-${left} // ${right})`;
  return `(${left} ${shown[style]?.[expr.op] ?? expr.op} ${right})`;
}

const variablesOf = (map) => [...map.dims, ...map.ranges, ...map.runtimes].map(({ name }) => name);
// The bounds of the domain: [lowest, expression, highest].
const boundsOf = (map, style) => [
  ...[...map.dims, ...map.ranges, ...map.runtimes].map(({ name, lo, hi }) => [lo, name, hi]),
  ...map.constraints.map(({ expr, lo, hi }) => [lo, exprText(expr, style), hi]),
].map(([lo, expr, hi]) => (style === "c" ? [integerText(lo, style), expr, integerText(hi, style)] : [lo, expr, hi]));

// Prints the map for another tool; `text` is what affirm printed.
const exporters = {
  text: (map, text) => text,
  XLA: (map, text) => text.replaceAll(" floordiv ", " / "),
  // In MLIR the domain is a set of its own. Only a symbol may be a factor of a dimension, min and max
  // are not affine, and a number is written without its sign.
  MLIR: (map) => {
    if (map.empty) return "affine_map<() -> ()>\naffine_set<() : (1 == 0)>";
    const isDim = ({ name }) => map.dims.some((dim) => dim.name === name);
    const has = (isSought) => exprsOf(map).some((expr) => hasPart(expr, isSought));
    if (has(({ op }) => op === "min" || op === "max")) return "min and max are no affine expressions";
    if (has(({ op, left, right }) => op === "*" && hasPart(left, isDim) && hasPart(right, isDim))) return "MLIR has no product of two dimensions";
    const ends = [...map.dims, ...map.ranges, ...map.runtimes, ...map.constraints].flatMap(({ lo, hi }) => [lo, hi]);
    if (ends.some((end) => end <= -(2n ** 63n)) || has(({ value }) => value >= 2n ** 63n)) return "MLIR cannot write -9223372036854775808";
    const list = (variables) => variables.map((variable) => variable.name).join(", "), symbols = [...map.ranges, ...map.runtimes];
    const space = `(${list(map.dims)})${symbols.length ? `[${list(symbols)}]` : ""}`;
    const bounds = boundsOf(map, "text").map(([lo, expr, hi]) => `${expr} - ${lo < 0n ? `(${lo})` : lo} >= 0, ${hi < 0n ? `(${hi})` : hi} - ${expr} >= 0`);
    return `affine_map<${space} -> (${map.results.map((result) => exprText(result, "text")).join(", ")})>\naffine_set<${space} : (${bounds.join(", ") || "0 == 0"})>`;
  },
  // As `affirm emit --form isl` writes them; range variables exist, runtime variables are parameters.
  // isl has no name twice, so the results have names of their own beside `exists`.
  isl: (map) => {
    if (map.empty) return "{ [] -> [] : 1 = 0 }";
    if (exprsOf(map).some((expr) => hasPart(expr, ({ op, left, right }) => op === "*" && numberOf(left) === null && numberOf(right) === null))) return "isl has no product of two variables";
    const list = (variables) => variables.map(({ name }) => name).join(", ");
    const results = map.results.map((result) => exprText(result, "isl")), exists = map.ranges.length > 0;
    const equal = exists ? results.map((result, i) => `e${i} = ${result}`) : [];
    const bounds = boundsOf(map, "isl").map(([lo, expr, hi]) => `${lo} <= ${expr} <= ${hi}`);
    const body = [...equal, ...bounds].join(" and ");
    return `${map.runtimes.length ? `[${list(map.runtimes)}] -> ` : ""}{ [${list(map.dims)}] -> [${(exists ? results.map((_, i) => `e${i}`) : results).join(", ")}]` +
      `${body ? " : " : ""}${exists ? `exists ${list(map.ranges)} : ` : ""}${body} }`;
  },
  // A function of all variables: the results, or None outside the domain.
  Python: (map, text, number = 0) => {
    if (map.empty) return `def map${number}(*variables):\n    return None`;
    const inside = boundsOf(map, "python").map(([lo, expr, hi]) => `${lo} <= ${expr} <= ${hi}`).join(" and ") || "True";
    return `def map${number}(${variablesOf(map).join(", ")}):\n    return (${map.results.map((result) => `${exprText(result, "python")},`).join(" ")}) if ${inside} else None`;
  },
  // A function that also returns the results; true inside the domain.
  C: (map, text, number = 0) => {
    const helpers = "#include <stdbool.h>\n#include <stdint.h>\nstatic inline int64_t floordiv(int64_t a, int64_t c) { return a / c - (a % c < 0); }\n" +
      "static inline int64_t min(int64_t a, int64_t b) { return a < b ? a : b; }\nstatic inline int64_t max(int64_t a, int64_t b) { return a > b ? a : b; }\n";
    const head = (names) => `${number === 0 ? helpers : ""}static inline bool map${number}(${[...names.map((name) => `int64_t ${name}`), "int64_t *results"].join(", ")}) {\n`;
    if (map.empty) return `${head([])}  return false;\n}`;
    const inside = boundsOf(map, "c").map(([lo, expr, hi]) => `${lo} <= ${expr} && ${expr} <= ${hi}`).join(" && ") || "true";
    return `${head(variablesOf(map))}${map.results.map((result, i) => `  results[${i}] = ${exprText(result, "c")};\n`).join("")}  return ${inside};\n}`;
  },
};
