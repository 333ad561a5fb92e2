#!/bin/sh
# The page of `affirm report`: its evaluator compared with known relations (node), and its behaviour in a real browser (chromium), if installed.
# Skipped with status 77 without node.
#   page_test.sh AFFIRM ROOT
set -eu
affirm=$1
root=$2
command -v node >/dev/null || { echo "skipped: node is not installed"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

cat "$root/cli/report/page/map.js" "$root/cli/report/page/relation.js" "$root/cli/report/page/row.js" - >maps.js <<'END'
const failures = [];
const expect = (text, element, wanted) => {
  const found = imageOf(parseMap(text), element).items.map((item) => item.index.join(" ")).sort().join("; ");
  if (found !== wanted) failures.push(`${text} at ${element}: ${found}, wanted ${wanted}`);
};
expect("(d0) -> (d0 floordiv 3, d0 mod 3), domain: d0 in [-4, 4]", [-4], "-2 2");
expect("(d0) -> (d0 floordiv 3, d0 mod 3), domain: d0 in [-4, 4]", [-3], "-1 0");
expect("(d0) -> (d0 ceildiv 3), domain: d0 in [-4, 4]", [4], "2");
expect("(d0)[s0] -> (d0 * 2 - s0), domain: d0 in [0, 3], s0 in [0, 2], d0 + s0 in [0, 3]", [2], "3; 4");
expect("(d0) -> (min(d0, 2), max(d0, 1)), domain: d0 in [0, 3]", [3], "2 3");
expect("(d0) -> (min(d0, 2), max(d0, 1)), domain: d0 in [0, 3]", [0], "0 1");
expect("(d0)[]{rt0} -> (d0 + rt0), domain: d0 in [0, 1], rt0 in [0, 1] runtime variables: rt0: i; (d0) -> ()", [1], "1; 2");
expect("(d0) -> (d0), domain: d0 in [0, 3]", [4], "");
expect("KNOWN EMPTY", [0], "");
expect("(d0) -> (d0 * 9007199254740993, -d0 * 9223372036854775807), domain: d0 in [0, 9223372036854775807]", [1], "9007199254740993 -9223372036854775807");
const corner = String(domainBeyond([parseMap("(d0) -> (d0), domain: d0 in [0, 9223372036854775807]")], [4]));
if (corner !== "9223372036854775807") failures.push(`the last element of a domain is ${corner}`);
expect("(min, runtime)[max] -> (min(min, max) + runtime), domain: min in [0, 3], runtime in [0, 3], max in [1, 2]", [3, 1], "2; 3");
expect("(d0) -> (d0 * 9007199254740993 floordiv 9007199254740993), domain: d0 in [0, 9]", [7], "7");
const some = parseMap("(d0)[s0]{rt0} -> (d0 + s0 + rt0), domain: d0 in [0, 3], s0 in [0, 1], rt0 in [0, 9]");
const at = (value, options) => imageOf(some, [1], { fixed: { rt0: value }, ...options }).items.map(({ index, always }) => `${index} ${always}`).join("; ");
if (at(4n) !== "5 true; 6 true") failures.push(`with a runtime variable of 4: ${at(4n)}`);
if (!some.runnable.isExact) failures.push("small numbers are not computed with Numbers");
// Numbers and BigInts say the same, and Numbers are not taken where they may round.
for (const text of ["(d0, d1)[s0] -> (d0 floordiv 3 - s0, (d0 + d1) mod 4, -d1 ceildiv 3), domain: d0 in [-4, 4], d1 in [0, 5], s0 in [0, 2], d0 + s0 in [-3, 3], d1 mod 2 in [0, 0]",
  "(d0, d1)[s0] -> (min(d0, s0) * max(d1, -3), (d0 * d1 - s0) ceildiv 7), domain: d0 in [-9, 9], d1 in [-6, 5], s0 in [0, 3], d0 * s0 in [-20, 11]"]) {
  const map = parseMap(text), big = { ...map, runnable: { ...runnableMap({ ...map, constraints: [{ expr: { value: 2n ** 60n }, lo: 0n, hi: 2n ** 61n }, ...map.constraints] }) } };
  big.runnable.results = big.runnable.results.slice(0, map.results.length);
  if (big.runnable.isExact) failures.push("a constant of 2^60 is taken for a Number");
  for (const [d0, d1] of boxPoints([{ lo: -10, hi: 10 }, { lo: -7, hi: 6 }])) {
    const [fast, slow] = [map, big].map((one) => JSON.stringify(imageOf(one, [d0, d1])));
    if (fast !== slow) failures.push(`${text} at ${d0}, ${d1}: ${fast} by Numbers, ${slow} by BigInts`);
  }
}
for (const text of ["(d0) -> (d0 * 1073741824 * 1073741825 floordiv 1073741824), domain: d0 in [0, 9]", "(d0) -> (d0), domain: d0 in [0, 1125899906842625]", "(d0) -> (8 floordiv d0), domain: d0 in [1, 8]",
  "(d0, d1) -> ((d0 - d1) * 2199023255552), domain: d0 in [0, 1024], d1 in [0, 1024]", "(d0, d1) -> (d0 * d1), domain: d0 in [-134217728, 0], d1 in [0, 134217728]"])
  if (runnableMap(parseMap(text)).isExact) failures.push(`${text}: Numbers may round, or divide by a variable`);
const narrow = new Relation([parseMap("(d0)[s0] -> (d0 * 2 + s0), domain: d0 in [0, 3], s0 in [0, 1]"), parseMap("(d0) -> (7 - d0), domain: d0 in [0, 3]")]);
const whole = { clipped: () => [], elements: () => boxPoints([{ lo: 0, hi: 3 }]) };
const preimage = narrow.preimage([6], whole).items.map(({ index }) => index.join()).join(" ");
if (preimage !== "1 3") failures.push(`6 comes from ${preimage}, not from 1 and 3`);
const wide = rowData({ dataset: { from: "4", to: "4", witness: '{"from":[9223372036854775807],"to":[1],"kind":"missing"}' }, querySelectorAll: () => [] });
if (String(wide.beyond) !== "9223372036854775807" || wide.witness !== null) failures.push(`a point beyond the tensor is ${wide.beyond}`);
// Of a larger tensor the shown window is tried.
const part = narrow.preimage([6], { clipped: () => [0], elements: () => boxPoints([{ lo: 1, hi: 2 }]) });
if (part.complete || part.items.map(({ index }) => index.join()).join(" ") !== "1") failures.push(`in a window of 1 and 2, 6 comes from ${JSON.stringify(part)}`);
if (at(10n) !== "") failures.push(`with a runtime variable outside its bounds: ${at(10n)}`);
// Indices have the same key when they are the same, and not else.
const indices = [[], [3], [0, 3], [0, 3, 0], [2 ** 26, 1], [2 ** 26 - 1, 1], [1, 2 ** 26], [0, 2 ** 27], [1, 0], [-1, 0], [0, -1], [0, 0, 0, 2 ** 13], [0, 0, 1, 0], [0, 0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 1, 0]];
for (const rank of [0, 1, 2, 3, 4, 7]) {
  const some = indices.filter(({ length }) => length === rank);
  if (new Set(some.map(keyOf)).size !== some.length || some.some((index) => keyOf([...index]) !== keyOf(index))) failures.push(`keys of rank ${rank}: ${some.map(keyOf).join("; ")}`);
}
const spread = imageOf(some, [1], { most: 5, spread: true });
if (spread.complete || spread.items.length > 5 || spread.items.some(({ index }) => index[0] < 1 || index[0] > 11)) failures.push("a sample of an image is no sample");
const reads = new Reads([[3], [2], [], [0, 2]], { from: [2, 2], to: [4], direction: "o2i" });
if (String(reads.of([1, 1], true)) !== "0,2" || String(reads.of([2], false)) !== "0,1,1,1") failures.push(`what is really read: ${reads.of([1, 1], true)} and ${reads.of([2], false)}`);
const turned = new Reads([[3], [2], [], [0, 2]], { from: [4], to: [2, 2], direction: "i2o" });
if (String(turned.of([2], true)) !== "0,1,1,1" || String(turned.of([1, 1], false)) !== "0,2") failures.push(`what is really read, turned: ${turned.of([2], true)}`);
const map = parseMap("(d0)[s0] -> (d0 floordiv 2 + s0), domain: d0 in [0, 3], s0 in [0, 1], d0 mod 2 in [0, 0]");
const isl = exporters.isl(map);
if (isl !== "{ [d0] -> [e0] : exists s0 : e0 = (floor((d0)/2) + s0) and 0 <= d0 <= 3 and 0 <= s0 <= 1 and 0 <= ((d0) mod 2) <= 0 }") failures.push(isl);
if (exporters.isl(parseMap("(d0, d1) -> (d0 * d1), domain: d0 in [0, 1], d1 in [0, 1]")) !== "isl has no product of two variables") failures.push("a product of two variables is written for isl");
// For isl, if it is installed: each line is a map, and the same relation as the line after it.
const forIsl = [
  ["() -> (7)", "{ [] -> [7] }"], ["KNOWN EMPTY", "{ [] -> [] : false }"], ["() -> ()", "{ [] -> [] }"],
  ["()[s0] -> (s0), domain: s0 in [0, 1]", "{ [] -> [0]; [] -> [1] }"],
  ["(d0)[]{rt0} -> (d0 + rt0), domain: d0 in [0, 1], rt0 in [0, 1]", "[rt0] -> { [0] -> [rt0] : 0 <= rt0 <= 1; [1] -> [rt0 + 1] : 0 <= rt0 <= 1 }"],
  ["(d0)[s0, s1]{rt0} -> (s1 * -2 - d0, s0 ceildiv 2 + rt0), domain: d0 in [0, 0], s0 in [0, 2], s1 in [1, 1], rt0 in [0, 3]", "[rt0] -> { [0] -> [-2, rt0] : 0 <= rt0 <= 3; [0] -> [-2, rt0 + 1] : 0 <= rt0 <= 3 }"],
  ["(d0) -> (-d0, d0 * (2 + 3), min(d0, 3 - d0), max(d0, 1)), domain: d0 in [-1, 0], d0 + 1 in [0, 0]", "{ [-1] -> [1, -5, -1, 1] }"]];
require("fs").writeFileSync("isl.txt", forIsl.map(([text, wanted]) => `${exporters.isl(parseMap(text))}\n${wanted}\n`).join(""));
for (const wrong of ["(d0) -> (d0", "(d0) -> (d0), domain: d1 in [0, 1]", "(d0) -> (), domain: d0 in [0 1]", "(d0) -> (d0), domain: d0 in [0, 1]; d0 in [0, 9]"])
  try {
    parseMap(wrong);
    failures.push(`${wrong} was read`);
  } catch {}
// The exports as programs: what each says of points within and around the domain is what the evaluator says. `run` prints a line a point.
const texts = ["(d0, d1)[s0] -> (d0 floordiv 3 - s0, (d0 + d1) mod 4, -d1 ceildiv 3), domain: d0 in [-4, 4], d1 in [0, 5], s0 in [0, 2], d0 + s0 in [-3, 3], d1 mod 2 in [0, 0]",
  "(d0)[]{rt0} -> (min(d0, 2, rt0) * -3, max(d0 - 1, -rt0)), domain: d0 in [0, 3], rt0 in [0, 1]", "KNOWN EMPTY", "() -> (7)", "(d0) -> (), domain: d0 in [1, 1]"];
const programs = { Python: [], C: [] }, points = [];
texts.forEach((text, i) => {
  const map = parseMap(text), wide = [...map.dims, ...map.ranges, ...map.runtimes].map(({ name, lo, hi }) => ({ name, lo: lo - 2n, hi: hi + 2n }));
  for (const style in programs) programs[style].push(exporters[style](map, text, i));
  for (const point of boxPoints(wide)) {
    const values = Object.fromEntries(wide.map(({ name }, k) => [name, point[k]]));
    const inside = !map.empty && wide.every(({ lo, hi }, k) => point[k] >= lo + 2n && point[k] <= hi - 2n) && map.constraints.every(({ expr, lo, hi }) => evaluate(expr, values) >= lo && evaluate(expr, values) <= hi);
    points.push({ map: i, at: point.join(", "), said: inside ? map.results.map((result) => evaluate(result, values)).join(" ") : "outside", results: map.results.length });
  }
});
const files = require("fs"), lines = (of) => points.map(of).join("\n");
files.writeFileSync("said.wanted", lines(({ said }) => said) + "\n");
files.writeFileSync("said.py", `${programs.Python.join("\n")}\ndef run(said):\n    print("outside" if said is None else " ".join(map(str, said)))\n${lines(({ map, at }) => `run(map${map}(${at}))`)}\n`);
files.writeFileSync("said.c", `${programs.C.join("\n")}\n#include <stdio.h>\nstatic void run(bool inside, int count, const int64_t *r) {\n  if (!inside) printf("outside");\n  for (int i = 0; inside && i < count; i++) printf(i > 0 ? " %lld" : "%lld", (long long)r[i]);\n  puts("");\n}\n` +
  `int main(void) {\n  int64_t r[4];\n  bool inside;\n${lines(({ map, at, results }) => `inside = map${map}(${at ? `${at}, ` : ""}r); run(inside, ${results}, r);`)}\n}\n`);
const lowest = exporters.C(parseMap("(d0) -> (max(d0, -9223372036854775808)), domain: d0 in [-9223372036854775808, 9223372036854775807]"));
if (lowest.includes("9223372036854775808") || !lowest.includes("(-9223372036854775807 - 1) <= d0")) failures.push(`for C: ${lowest}`);
const mlir = exporters.MLIR(parseMap(texts[0]), texts[0]);
if (mlir.split("\n")[0] !== "affine_map<(d0, d1)[s0] -> (((d0 floordiv 3) - s0), ((d0 + d1) mod 4), (((-1) * d1) ceildiv 3))>" || !mlir.endsWith("(d1 mod 2) - 0 >= 0, 0 - (d1 mod 2) >= 0)>")) failures.push(mlir);
const forMlir = [...texts.filter((text) => !/min/.test(text)), "(d0)[s0]{rt0} -> (d0 * (s0 + 1), rt0 * rt0, -(s0 ceildiv 2) * -3), domain: d0 in [0, 1], s0 in [0, 1], rt0 in [0, 1]", "()[s0] -> (s0), domain: s0 in [-9223372036854775807, 1]"];
require("fs").writeFileSync("exports.mlir", forMlir.map((text) => `"map"() { ${exporters.MLIR(parseMap(text)).split("\n").map((part, i) => `part${i} = ${part}`).join(", ")} } : () -> ()\n`).join(""));
for (const [text, wanted] of [["(d0) -> (-min(d0, 1)), domain: d0 in [0, 1]", "min and max"], ["(d0) -> (d0), domain: d0 in [0, 1], 2 * max(d0, 1) in [0, 9]", "min and max"],
  ["(d0, d1)[s0] -> ((d0 + s0) * (d1 mod 2)), domain: d0 in [0, 1], d1 in [0, 1], s0 in [0, 1]", "no product"], ["(d0) -> (d0), domain: d0 in [-9223372036854775808, 1]", "cannot write"]])
  if (!exporters.MLIR(parseMap(text)).includes(wanted)) failures.push(`for MLIR: ${exporters.MLIR(parseMap(text))}`);
if (failures.length > 0) console.log(failures.join("\n")), process.exit(1);
END
node maps.js
# For MLIR, if it is installed: each line has two attributes that it parses.
mlir=$(command -v mlir-opt || ls /usr/lib/llvm-*/bin/mlir-opt 2>/dev/null | tail -n 1)
if [ -n "$mlir" ]; then "$mlir" --allow-unregistered-dialect exports.mlir >/dev/null; else echo "skipped: mlir-opt is not here"; fi
if command -v python3 >/dev/null; then
  python3 said.py >said.found && cmp said.wanted said.found || { echo "the export for Python is another relation"; exit 1; }
  python3 - isl.txt <<'END' || exit 1
import ctypes, ctypes.util, sys
name = ctypes.util.find_library("isl")
if name is None: print("skipped: isl is not here"), sys.exit(0)
isl = ctypes.CDLL(name)
def function(of, result, *arguments):
    made = getattr(isl, of)
    made.restype, made.argtypes = result, arguments
    return made
pointer = ctypes.c_void_p
context = function("isl_ctx_alloc", pointer)()
read, same = function("isl_map_read_from_str", pointer, pointer, ctypes.c_char_p), function("isl_map_is_equal", ctypes.c_int, pointer, pointer)
lines = open(sys.argv[1]).read().splitlines()
wrong = [f"isl: {found}, wanted {wanted}" for found, wanted in zip(lines[::2], lines[1::2])
         if not (maps := [read(context, text.encode()) for text in (found, wanted)]) or None in maps or same(*maps) != 1]
sys.exit("\n".join(wrong) or 0)
END
fi
compiler=$(command -v cc || command -v clang-22 || true)
if [ -n "$compiler" ]; then
  "$compiler" -std=c17 -Wall -Werror -Wno-unused-function -o said said.c && ./said >said.found && cmp said.wanted said.found || { echo "the export for C is another relation"; exit 1; }
fi

printf 'ENTRY e {\n  p = f32[2,3] parameter(0)\n  ROOT t = f32[3,2] transpose(p), dimensions={1,0}\n}\n' >t.hlo
"$affirm" report --page page.html t.hlo
# Without a script every row shows its maps.
[ "$(grep -c '<code class="map">' page.html)" -eq 2 ] || { echo "rows without maps"; exit 1; }
# A row with a missing read: the page must mark it at the witness.
sed 's/id="r0" data-verdict/id="r0" data-witness='"'"'{"from":[2,1],"to":[1,2],"kind":"missing"}'"'"' data-verdict/' page.html >marked.html
# A point of the domain that is not an element.
sed 's/id="r0" data-verdict/id="r0" data-witness='"'"'{"from":[3,1],"to":[],"kind":"missing"}'"'"' data-verdict/' page.html >beyond.html

# The reads that the oracle knows are shown beside maps that contain more.
printf 'p = f32[4] parameter(0)\nROOT r = f32[4] reverse(p), dimensions={0}\nOutput 0 operand 0:\n(d0)[s0] -> (s0), domain: d0 in [0, 3], s0 in [0, 3]\n' >more.txt
"$affirm" explore --rows more.txt >rows
grep -q 'data-verdict="over-approximation".* data-reads="3;2;1;0"' rows || { cat rows; echo "what is really read does not stand in the row"; exit 1; }
# An operand whose maps the text leaves out has a row of its own, which is no pass; input to output only beside such maps.
sed 's/^ROOT.*/q = f32[4] parameter(1)\nROOT r = f32[4] add(p, q)/' more.txt >less.txt
"$affirm" explore --rows less.txt >rows && status=0 || status=$?
[ $status -eq 2 ] && [ "$(grep -c 'the text has no block for it' rows)" -eq 1 ] && grep -q 'data-verdict="not judged"><summary><b>not judged</b> Output 0 operand 1<' rows || { cat rows; echo "an operand without maps has no row: status $status"; exit 1; }
printf 'Operand 0 output 0:\n(d0) -> (d0), domain: d0 in [0, 3]\n' >>less.txt
"$affirm" explore --rows less.txt >rows || true
[ "$(grep -c 'the text has no block for it' rows)" -eq 2 ] && grep -q '</b> Operand 1 output 0<' rows || { cat rows; echo "an inverse without maps has no row"; exit 1; }
# A page with a large tensor, with a runtime variable, and with reads that differ from the map at every element.
printf 'ENTRY e {\n  p = f32[8,400,400] parameter(0)\n  ROOT s = f32[8,100,400] slice(p), slice={[0:8],[0:100],[0:400]}\n}\n' >large.hlo
printf 'ENTRY e {\n  p = f32[9] parameter(0)\n  i = s32[] parameter(1)\n  ROOT s = f32[3] dynamic-slice(p, i), dynamic_slice_sizes={3}\n}\n' >at.hlo
printf 'fused {\n  a = f32[6,4] parameter(0)\n  b = f32[4] parameter(1)\n  t = f32[4,6] transpose(a), dimensions={1,0}\n  c = f32[4,6] broadcast(b), dimensions={0}\n  ROOT s = f32[4,6] add(t, c)\n}\nENTRY e {\n  p = f32[6,4] parameter(0)\n  q = f32[4] parameter(1)\n  ROOT f = f32[4,6] fusion(p, q), kind=kLoop, calls=fused\n}\n' >fused.hlo
# Without a relation: an operation without semantics.
printf 'ENTRY e {\n  p = f32[2,3] parameter(0)\n  ROOT c = f32[3] custom-call(p), custom_call_target="strange"\n}\n' >strange.hlo
printf 'fused {\n  u = f32[4,6] parameter(0)\n  v = f32[24] reshape(u)\n  ROOT w = f32[4,6] reshape(v)\n}\nENTRY e {\n  p = f32[4,6] parameter(0)\n  ROOT b = f32[4,6] fusion(p), kind=kLoop, calls=fused\n}\n' >steps.hlo
"$affirm" report --page pictures.html --direction o2i --operand 0 large.hlo at.hlo t.hlo fused.hlo strange.hlo steps.hlo || [ $? = 2 ]
grep -q '<p>No relation is known: the engine has none for custom-call' pictures.html || { echo "a row without a relation does not name the operation"; exit 1; }
# Instructions that are not between the root and the row's parameter are left out.
[ "$(grep -c 'class="step".*data-to-name="[ast]"' pictures.html)" -eq 3 ] && [ "$(grep -c 'class="step".*data-to-name="[uvw]"' pictures.html)" -eq 3 ] && [ "$(grep -c 'class="step"' pictures.html)" -eq 6 ] || { echo "the way through a fusion is not its three instructions"; exit 1; }
# The path is the same in a row from input to output.
"$affirm" report --page turned.html --direction i2o --operand 0 fused.hlo
[ "$(grep -c 'class="step" data-direction="o2i".*data-to-name="[ast]"' turned.html)" -eq 3 ] || { echo "a row from input to output has no way through its fusion"; exit 1; }
sed -i 's/id="r2" data-verdict/id="r2" data-reads="5;4;3;2;1;0" data-verdict/' pictures.html

# A true rule, and one that a remainder refutes.
printf 'rule right\n  x mod c => x\n  when c > 0, 0 <= lo(x), hi(x) < c\n  near-miss: c > 0, 0 <= lo(x), hi(x) <= c\nrule wrong\n  -x floordiv c => -(x floordiv c)\n  when c > 0\n' >some.rules
"$affirm" report --page rules.html some.rules >out 2>err && { echo "a false rule is no failure"; exit 1; }

# More rows than one group contains.
{
  printf 'ENTRY e {\n  x0 = f32[2,3] parameter(0)\n'
  i=1
  while [ $i -le 150 ]; do
    [ $((i % 2)) = 1 ] && printf '  x%d = f32[2,3] negate(x%d)\n' $i $((i - 1)) || printf '  x%d = f32[2,3] reverse(x%d), dimensions={0}\n' $i $((i - 1))
    i=$((i + 1))
  done
  printf '  ROOT last = f32[2,3] negate(x150)\n}\n'
} >many.hlo
"$affirm" report --page many.html --all --direction o2i many.hlo
[ "$(grep -c '^<div class="group" style="--rows:\(64\|23\)">' many.html)" -eq 3 ] || { echo "151 rows do not stand in groups of 64, 64 and 23"; exit 1; }
size=$(wc -c <many.html)
[ "$size" -lt 300000 ] || { echo "the page of 151 rows has $size bytes"; exit 1; }

# Two runs; the newer run's map leaves the operand.
"$affirm" check --json --direction o2i t.hlo >older.json
sed 's/"answer":"exact"/"answer":"wrong"/; s/-> (d1, d0)/-> (d1, d0 + 9)/' older.json >newer.json
"$affirm" report --page compared.html --compare older.json newer.json && { echo "a wrong map is no failure"; exit 1; }

command -v chromium >/dev/null || { echo "skipped: the browser's part: chromium is not installed"; exit 0; }
timeout 300 node "$root/cli/test/page_test.mjs" page.html marked.html pictures.html rules.html many.html compared.html beyond.html
