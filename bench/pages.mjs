// The figures of pages in a real browser: bytes, rows, pictures, and milliseconds by the clock and, after a slash, of the page's processor.
//   node bench/pages.mjs PAGE...
// A picture is counted by the page itself when the row is opened: of a relation, of two tensors without one, of a rule's sides, or none. One of
// a relation helps where the element that is looked at is marked, and what it is related to is marked or is said to be nothing.
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { Browser } from "../cli/test/browser.mjs";

const browser = await Browser.start();
await browser.look({ width: 1280 });
await browser.send("Performance.enable", { timeDomain: "threadTicks" });
const processor = async () => (await browser.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration").value * 1000;

// One row after the other, so that the page never holds more than one picture.
const drawAll = `(() => {
  const seen = { relation: 0, tensors: 0, sides: 0, none: 0, unmarked: [], slowest: 0 };
  for (const row of rows) {
    const begin = performance.now();
    row.open = true, openRow(row);
    const took = performance.now() - begin;
    if (took > seen.slowest) (seen.slowest = took), (seen.slowestRow = row.id);
    const figure = row.querySelector(":scope > figure"), { drawn } = row.dataset;
    seen[drawn]++;
    if (drawn === "relation") {
      const said = figure.querySelector(".said").textContent, other = figure.querySelectorAll(".tensor")[1];
      const isMarked = figure.querySelector(".cell.focus") !== null && (other.querySelector(".cell.read, .cell.some, .mark") !== null || /(related to|comes from) nothing/.test(said));
      if (!isMarked && !/has no element$/.test(said)) seen.unmarked.push(row.id + ": " + said);
    }
    figure?.remove(), (row.open = false);
  }
  return seen;
})()`;
// A choice or a search until its frame is painted.
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
  const seen = await browser.evaluate(drawAll), helping = count - seen.none - seen.unmarked.length;
  console.log(`  pictures: ${seen.relation} of relations, ${seen.tensors} of tensors without a relation, ${seen.sides} of rules, ${seen.none} rows without; ${helping} of ${count} help, ${((100 * helping) / count).toFixed(2)} %; the slowest row, ${seen.slowestRow}, opens in ${Math.round(seen.slowest)} ms`);
  for (const line of seen.unmarked.slice(0, 5)) console.log(`  not marked: ${line}`);
  for (const line of browser.console) console.log(`  the console says: ${line}`);
  browser.console = [];
}
await browser.end();
