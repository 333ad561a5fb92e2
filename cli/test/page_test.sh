#!/bin/sh
# The page of `affirm report`: its own evaluator against known relations (node), and what a real browser makes of it (chromium), where they are
# installed. Skipped, with status 77, where node is not.
#   page_test.sh AFFIRM ROOT
set -eu
affirm=$1
root=$2
command -v node >/dev/null || { echo "skipped: node is not installed"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

cat "$root/cli/report/page/map.js" - >maps.js <<'END'
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
expect("(d0) -> (d0 * 9007199254740993 floordiv 9007199254740993), domain: d0 in [0, 9]", [7], "7");
const map = parseMap("(d0)[s0] -> (d0 floordiv 2 + s0), domain: d0 in [0, 3], s0 in [0, 1], d0 mod 2 in [0, 0]");
const isl = exporters.isl(map);
if (isl !== "{ [d0] -> [(floor((d0)/2) + s0)] : exists s0 : 0 <= d0 <= 3 and 0 <= s0 <= 1 and 0 <= ((d0) mod 2) <= 0 }") failures.push(isl);
for (const wrong of ["(d0) -> (d0", "(d0) -> (d0), domain: d1 in [0, 1]", "(d0) -> (), domain: d0 in [0 1]"])
  try {
    parseMap(wrong);
    failures.push(`${wrong} was read`);
  } catch {}
if (failures.length > 0) console.log(failures.join("\n")), process.exit(1);
END
node maps.js

printf 'ENTRY e {\n  p = f32[2,3] parameter(0)\n  ROOT t = f32[3,2] transpose(p), dimensions={1,0}\n}\n' >t.hlo
"$affirm" report --page page.html t.hlo
# Without script every row has its maps.
[ "$(grep -c '<code class="map">' page.html)" -eq 2 ] || { echo "rows without maps"; exit 1; }
# A row says that a read is missing: the page must mark it at the witness.
sed 's/id="r0" data-verdict/id="r0" data-witness='"'"'{"from":[2,1],"to":[1,2],"kind":"missing"}'"'"' data-verdict/' page.html >marked.html

command -v chromium >/dev/null || { echo "skipped: the browser's part: chromium is not installed"; exit 0; }
timeout 300 node "$root/cli/test/page_test.mjs" page.html marked.html
