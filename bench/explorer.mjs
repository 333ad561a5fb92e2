// Measures the cost of a keystroke in the explorer.  node bench/explorer.mjs EXPLORER MODULE ROOT [LINES [STEP]]
//   EXPLORER: build/explorer/index.html, MODULE: build/explorer/module/explorer.wasm
// Types texts of at most LINES lines (40) of corpus/modules, corpus/rewrites, corpus/foreign and the examples letter by letter (each STEPth letter, 1), then
// changes each of the first 100 digits of the whole text once.
// The time by the clock ends when the rows and the picture are in the document. The processor time ends when they are painted; it is that of the module in Node,
// all its threads, plus that of the page's main thread. Later work in slices of 12 ms, shades and overviews, is not counted: a keystroke stops it.
import { readFileSync, readdirSync } from "node:fs";
import { resolve } from "node:path";
import vm from "node:vm";
import { Browser } from "../cli/test/browser.mjs";

const [, , page, modulePath, root, mostLines = "40", step = "1"] = process.argv;
const most = 50; // milliseconds
const Explorer = vm.runInThisContext(`${readFileSync(`${root}/docs/explorer/wasm.js`, "utf8")}; Explorer`);
const explorer = new Explorer(await WebAssembly.compile(readFileSync(modulePath)));
const browser = await Browser.start();
await browser.look({ width: 1280 });
await browser.send("Performance.enable", { timeDomain: "threadTicks" });
const processor = async () => (await browser.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration").value * 1000;
await browser.open(`file://${resolve(page)}`);
const answered = `/\\d+ ms$/.test(document.getElementById("status").textContent)`;
await browser.until(answered);

await browser.evaluate("void (workInSlices = () => {})");
const texts = (await browser.evaluate(`[...document.querySelectorAll("pre.example")].map((one) => [one.dataset.title, one.textContent])`)).map(([name, text]) => [name, text]);
for (const part of ["modules", "rewrites", "foreign"])
  for (const name of readdirSync(`${root}/corpus/${part}`).sort())
    if (name.endsWith(".hlo")) texts.push([`${part}/${name}`, readFileSync(`${root}/corpus/${part}/${name}`, "utf8")]);

function* keystrokes(text) {
  for (let i = 1; i < text.length; i += Number(step)) yield text.slice(0, i);
  yield text;
  const digits = [...text.matchAll(/\d/g)].slice(0, 100);
  for (const { index } of digits) yield `${text.slice(0, index)}${(Number(text[index]) + 1) % 10}${text.slice(index + 1)}`;
}
async function strike(text) {
  const before = await processor();
  const [clock, rows] = await browser.evaluate(`(async () => {
    const entry = document.getElementById("text"), status = document.getElementById("status"), begin = performance.now();
    status.textContent = "asked", entry.value = ${JSON.stringify(text)}, entry.dispatchEvent(new Event("input"));
    await new Promise((done) => { const observer = new MutationObserver(() => ${answered} && (observer.disconnect(), done())); observer.observe(status, { childList: true }); });
    const isDrawn = () => [...document.querySelectorAll("#answer details.row[open]")].every((row) => row.dataset.drawn !== undefined);
    while (!isDrawn()) await new Promise((done) => setTimeout(done));
    const clock = performance.now() - begin;
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    return [clock, document.querySelectorAll("#answer details.row").length];
  })()`);
  const thread = (await processor()) - before, used = process.cpuUsage();
  try { explorer.answer(text, false); } catch {}
  const { user, system } = process.cpuUsage(used);
  return { clock, rows, thread, module: (user + system) / 1000 };
}
const found = [], worst = [];
for (const [name, text] of texts) {
  if (text.split("\n").length > Number(mostLines)) continue;
  const of = [];
  for (const one of keystrokes(text)) of.push(await strike(one));
  const slowest = of.reduce((a, b) => (a.module + a.thread > b.module + b.thread ? a : b));
  worst.push({ name, ...slowest });
  found.push(...of);
}
const at = (values, part) => values.sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))].toFixed(1);
const line = (name, values) => console.log(`${name}: median ${at(values, 0.5)}, 99th of a hundred ${at(values, 0.99)}, worst ${at(values, 1)} ms; ${values.filter((value) => value >= most).length} of ${values.length} take ${most} ms or more`);
console.log(`${worst.length} texts, ${found.length} keystrokes, of which ${found.filter(({ rows }) => rows > 0).length} have rows`);
line("by the clock", found.map(({ clock }) => clock));
line("of processors", found.map(({ thread, module }) => thread + module));
line("of the module alone", found.map(({ module }) => module));
for (const { name, clock, thread, module } of worst.sort((a, b) => b.thread + b.module - a.thread - a.module).slice(0, 8))
  console.log(`  ${name}: ${module.toFixed(1)} of the module, ${thread.toFixed(1)} of the page, ${clock.toFixed(1)} by the clock`);
for (const words of new Set(browser.console)) console.log(`  the console says: ${words}`);
await browser.end();
