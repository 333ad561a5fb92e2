// The explorer's module in Node: every text of the corpus gets the rows that the command prints,
// and every module the maps and verdicts of `affirm check`.
// explorer_test.mjs MODULE ROOT TEXTS ROWS CHECKED SHARDS
import { readFileSync, readdirSync } from "node:fs";
import { gzipSync } from "node:zlib";
import vm from "node:vm";

const [, , modulePath, root, textsPath, rowsPath, checkedPath, shards] = process.argv;
const bytes = readFileSync(modulePath);
const packed = gzipSync(bytes, { level: 9 }).length;
console.log(`the module has ${bytes.length} bytes, ${packed} compressed`);
const faults = [];
if (packed >= 3_000_000) faults.push(`${packed} bytes compressed are too many`);

const Explorer = vm.runInThisContext(`${readFileSync(`${root}/docs/explorer/wasm.js`, "utf8")}; Explorer`);
const explorer = new Explorer(await WebAssembly.compile(bytes));
// The module's imports are judges that a browser lacks, never a function of core, of the oracle, or
// of the code that asks them about graphs.
const headers = ["core", "oracle", "judge/graphs"].flatMap((part) => readdirSync(`${root}/${part}`, { recursive: true }).map((name) => `${part}/${name}`));
const declared = headers.filter((name) => name.endsWith(".h") && !name.startsWith("core/adapters/")).map((name) => readFileSync(`${root}/${name}`, "utf8")).join("\n");
for (const { module, name } of WebAssembly.Module.imports(explorer.module))
  if (module === "env" && new RegExp(`\\b${name}\\(`).test(declared)) faults.push(`the module wants ${name} of its host`);
if (!/\boracle_create\(/.test(declared)) faults.push("the headers of the oracle were not read");
const plain = (html) => html.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
const wanted = new Map(readFileSync(rowsPath, "utf8").split(/^<!-- (?=.* -->$)/m).slice(1).map((part) => [part.slice(0, part.indexOf(" -->\n")).split("/").pop(), part.slice(part.indexOf(" -->\n") + 5)]));

// For each module, the command's judgements in order. A verdict without the oracle is open here,
// and one of whose runtime values the oracle tries a sample.
const checked = new Map();
for (const line of readFileSync(checkedPath, "utf8").split("\n").filter((line) => line.startsWith("{"))) {
  const row = JSON.parse(line);
  if (row.answer === undefined || row.maps === undefined) continue;
  const name = row.file.split("/").pop();
  if (!checked.has(name)) checked.set(name, []);
  checked.get(name).push({ answer: row.answer, by: row.judges, maps: row.maps });
}

let rows = 0, compared = 0, open = 0, slowest = [0, ""];
for (const name of readdirSync(textsPath).sort()) {
  const begin = performance.now();
  const html = explorer.answer(readFileSync(`${textsPath}/${name}`, "utf8"), false);
  const took = performance.now() - begin;
  if (took > slowest[0]) slowest = [took, name];
  rows += html.split('<details class="row ').length - 1;
  if (html !== wanted.get(name)) faults.push(`${name}: the rows are not those of affirm explore --rows`);
  if (!checked.has(name)) continue;
  const whole = html.replace(/<details class="step"[^]*?<\/details>/g, ""); // maps on the path through a fusion do not belong to a row
  const own = whole.split('<details class="row ').slice(1).map((row) => ({
    answer: /data-verdict="([^"]*)"/.exec(row)[1],
    sampled: row.includes("oracle: no fault in a sample of"),
    maps: [...row.matchAll(/<code class="map">([^]*?)<\/code>/g)].map((found) => plain(found[1])),
  }));
  const command = checked.get(name);
  if (own.length !== command.length) faults.push(`${name}: ${own.length} rows, affirm check has ${command.length}`);
  for (let i = 0; i < Math.min(own.length, command.length); i++) {
    compared++;
    const { answer, by, maps } = command[i];
    if (own[i].maps.join() !== maps.join()) faults.push(`${name}: row ${i} has other maps than affirm check`);
    if (own[i].answer === answer) continue;
    if (own[i].answer === "not judged" && (by === "smt" || (by === "oracle+smt" && own[i].sampled))) open++;
    else faults.push(`${name}: row ${i} is ${own[i].answer}, of affirm check ${answer} (${by})`);
  }
}
console.log(`${wanted.size} texts, ${rows} rows as the command prints them; ${compared} judgements as those of affirm check, ${open} more are open without a solver`);
console.log(`slowest: ${slowest[1]}, ${slowest[0].toFixed(0)} ms`);
if (wanted.size * shards < 800) faults.push(`${wanted.size} texts of one of ${shards} shards are few`);
if (compared * shards < 1000) faults.push(`${compared} judgements are few`);
// A text after one that ended the module gets an answer.
explorer.instance = { exports: { ...explorer.instance.exports, explorer_answer: () => { throw new Error("ended"); } } };
try { explorer.answer("(d0) -> (d0), domain: d0 in [0, 3]", false); faults.push("a module that ended gave an answer"); } catch {}
if (!explorer.answer("(d0) -> (d0), domain: d0 in [0, 3]", false).includes('data-verdict="proved"')) faults.push("after a module that ended there is no answer");
for (const fault of faults.slice(0, 20)) console.log(fault);
if (faults.length > 0) console.log(`${faults.length} faults`), process.exit(1);
