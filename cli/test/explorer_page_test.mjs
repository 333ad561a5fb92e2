// The explorer in a real browser.  explorer_page_test.mjs PAGE TEXT   (PAGE: written by `affirm
// explore` for a file with this text)
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Browser } from "./browser.mjs";
import { checkPage, Faults } from "./page_checks.mjs";

const [page, text] = process.argv.slice(2);
const faults = new Faults(), browser = await Browser.start();
const answered = `/\\d+ ms$/.test(document.getElementById("status").textContent)`;
const status = () => browser.evaluate(`document.getElementById("status").textContent`);
const verdicts = () => browser.evaluate(`[...document.querySelectorAll("#answer details.row")].map((row) => row.dataset.verdict).join(" ")`);
const type = async (words) => {
  await browser.evaluate(`(() => { const entry = document.getElementById("text"); document.getElementById("status").textContent = "asked";
    entry.value = ${JSON.stringify(words)}; entry.dispatchEvent(new Event("input")); })()`);
  await browser.until(answered);
};

await browser.open(`file://${resolve(page)}`);
await browser.until(answered);
faults.expect((await browser.evaluate(`document.getElementById("text").value.trim()`)) === readFileSync(text, "utf8").trim(), "the given file is not in the page");
faults.expect((await verdicts()) === "exact exact", `the given file has verdicts ${await verdicts()}`);
faults.expect((await browser.evaluate(`document.querySelectorAll(".relation rect.cell").length`)) === 12, "the open row has not twelve cells");

await type("(d0) -> (d0 mod 8), domain: d0 in [0, 7]");
faults.expect((await verdicts()) === "proved", `a map has verdicts ${await verdicts()}`);
faults.expect(await browser.evaluate(`document.querySelector("#answer ol a[href='#rule-mod-known']") !== null && document.getElementById("rule-mod-known") !== null`), "the step does not link to its rule");
await type("rule wrong\n  x mod c => x\n  when c > 0, 0 <= lo(x), hi(x) <= c\nrule right\n  x mod c => x\n  when c > 0, 0 <= lo(x), hi(x) < c\n");
faults.expect((await verdicts()) === "refuted not proved here", `the rules have verdicts ${await verdicts()}`);
faults.expect(await browser.evaluate(`document.getElementById("answer").textContent.includes("Not proved here: affirm prove")`), "what sampling leaves open is not said");
await type("ENTRY e {\n  p = f32[2,3] parameter(0)\n  ROOT t = f32[3,3] transpose(p), dimensions={1,0}\n}");
faults.expect(await browser.evaluate(`document.querySelector("#answer .error[data-line='3']") !== null`), "an error has not its line");

// A link contains the case.
await type("(d0) -> (d0 floordiv 3), domain: d0 in [0, 8]");
await browser.until(`location.hash.startsWith("#t=")`);
const link = await browser.evaluate("location.href");
await browser.open(link);
await browser.until(answered);
faults.expect((await browser.evaluate(`document.getElementById("text").value`)) === "(d0) -> (d0 floordiv 3), domain: d0 in [0, 8]", "the link has another text");

// Many keystrokes, one address change: a browser accepts 200 in 30 seconds, and complains on its
// console about more.
await browser.evaluate(`(() => { const entry = document.getElementById("text"), set = history.replaceState.bind(history);
  window.addresses = 0, (history.replaceState = (...given) => (addresses++, set(...given)));
  for (let i = 0; i < 250; i++) (entry.value += " "), entry.dispatchEvent(new Event("input")); })()`);
await browser.until("addresses > 0");
faults.expect((await browser.evaluate("addresses")) === 1, "each keystroke writes an address");

// Each example is a defect: one of its rows is refuted.
const examples = await browser.evaluate(`[...document.querySelectorAll("pre.example")].map((one) => one.dataset.title)`);
faults.expect(examples.length >= 10, `${examples.length} examples are few`);
for (const [i, title] of examples.entries()) {
  await browser.evaluate(`(() => { const choice = document.getElementById("examples"); document.getElementById("status").textContent = "asked";
    choice.value = "${i}"; choice.dispatchEvent(new Event("change")); })()`);
  await browser.until(answered);
  faults.expect(!/ 0 refuted/.test(await status()), `${title}: nothing is refuted`);
  console.log(`${title}: ${await status()}`);
}
await checkPage(browser, "explorer", faults);
await browser.end();
faults.end("the explorer is as it should be");
