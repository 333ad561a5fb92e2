// Measures pages in a real browser: bytes, rows, pictures, and milliseconds by the clock and, after a slash, of processor time of the page's thread.
//   node bench/pages.mjs PAGE...
// The page itself counts a picture when the row is opened: of a relation, of two tensors without one, of a rule's sides, or none. A picture of
// a relation helps if the current element is marked, and its related elements are marked or are said to be none.
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { Browser } from "../cli/test/browser.mjs";

const browser = await Browser.start();
await browser.look({ width: 1280 });
await browser.send("Performance.enable", { timeDomain: "threadTicks" });
const processor = async () => (await browser.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration").value * 1000;

// Opens some rows one after another and removes what opening added, so that the page never contains more than one picture.
const rowsAtOnce = 100;
const drawSome = (begin) => `(() => {
  const seen = { relation: 0, tensors: 0, sides: 0, none: [], unmarked: [], slowest: 0 };
  for (const row of rows.slice(${begin}, ${begin + rowsAtOnce})) {
    const inside = new Set(row.children), start = performance.now();
    row.open = true, openRow(row);
    const took = performance.now() - start;
    if (took > seen.slowest) (seen.slowest = took), (seen.slowestRow = row.id + " " + row.data.text.slice(0, 100));
    const figure = row.querySelector(":scope > figure"), { drawn } = row.dataset;
    drawn === "none" ? seen.none.push(row.data.opcode + ": " + row.data.text.slice(0, 100)) : seen[drawn]++;
    if (drawn === "relation") {
      const said = figure.querySelector(".said").textContent, other = figure.querySelectorAll(".tensor")[1];
      const isMarked = figure.querySelector(".cell.focus") !== null && (other.querySelector(".cell.read, .cell.some, .mark") !== null || /(related to|comes from) nothing/.test(said));
      if (!isMarked && !/has no element$/.test(said)) seen.unmarked.push(row.id + ": " + said);
    }
    row.open = false;
    for (const child of [...row.children]) if (!inside.has(child)) child.remove();
  }
  return seen;
})()`;
async function drawAll(count) {
  const all = { relation: 0, tensors: 0, sides: 0, none: [], unmarked: [], slowest: 0 };
  for (let begin = 0; begin < count; begin += rowsAtOnce) {
    const some = await browser.evaluate(drawSome(begin));
    for (const kind of ["relation", "tensors", "sides"]) all[kind] += some[kind];
    for (const kind of ["none", "unmarked"]) all[kind].push(...some[kind]);
    if (some.slowest > all.slowest) [all.slowest, all.slowestRow] = [some.slowest, some.slowestRow];
  }
  return all;
}
// Milliseconds of a filter, a new order or a search, until its frame is painted.
async function timesOfFilters() {
  const choices = await browser.evaluate(`["verdict", "opcode", "file", "rule", "sort"].flatMap((name) => {
    const last = [...filters.elements[name].options].at(-1).value;
    return last === "" ? [] : [[name, name, last], ["all", name, ""]];
  })`);
  const searches = ["t", "tr", "trans", ""].map((words) => [`search '${words}'`, "text", words]), times = [];
  for (const [what, name, value] of [...choices, ...searches]) {
    const before = await processor();
    const clock = await browser.evaluate(`(async () => {
      const entry = filters.elements.${name}, begin = performance.now();
      entry.value = ${JSON.stringify(value)}, entry.dispatchEvent(new Event("input", { bubbles: true }));
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
      return performance.now() - begin;
    })()`);
    times.push(`${what} ${Math.round(clock)}/${Math.round((await processor()) - before)}`);
  }
  return times;
}

for (const page of process.argv.slice(2)) {
  const before = await processor();
  await browser.open(`file://${resolve(page)}`);
  const paint = await browser.evaluate(`new Promise((done) => { const look = () => { const [first] = performance.getEntriesByName("first-contentful-paint"); first ? done(Math.round(first.startTime)) : setTimeout(look, 5); }; look(); })`);
  const now = await processor(), loading = now < before ? now : now - before, count = await browser.evaluate("rows.length");
  console.log(`${page}: ${statSync(page).size} bytes, ${count} rows, first paint after ${paint}/${Math.round(loading)} ms`);
  console.log(`  milliseconds: ${(await timesOfFilters()).join(", ")}`);
  const seen = await drawAll(count), helping = count - seen.none.length - seen.unmarked.length;
  console.log(`  pictures: ${seen.relation} of relations, ${seen.tensors} of tensors without a relation, ${seen.sides} of rules, ${seen.none.length} rows without; ${helping} of ${count} help, ${((100 * helping) / count).toFixed(2)} %; the slowest row, ${seen.slowestRow}, opens in ${Math.round(seen.slowest)} ms`);
  for (const line of seen.none.slice(0, 20)) console.log(`  without: ${line}`);
  for (const line of seen.unmarked.slice(0, 20)) console.log(`  not marked: ${line}`);
  for (const line of browser.console) console.log(`  the console says: ${line}`);
  browser.console = [];
}
await browser.end();
