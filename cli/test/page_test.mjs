// The page of `affirm report` in a real browser.  page_test.mjs PAGE MARKED   (MARKED: a page whose first row has a witness)
import { resolve } from "node:path";
import { Browser } from "./browser.mjs";
import { checkPage, Faults } from "./page_checks.mjs";

const [page, marked] = process.argv.slice(2).map((path) => `file://${resolve(path)}`);
const faults = new Faults(), browser = await Browser.start();
const count = (selector) => browser.evaluate(`document.querySelectorAll(${JSON.stringify(selector)}).length`);

await browser.open(`${page}#r0`);
await browser.until(`document.querySelector("#r0 figure svg") !== null`);
faults.expect((await browser.evaluate(`document.getElementById("shown").textContent`)) === "2 of 2 rows", "the filters did not start");
faults.expect((await count(".relation rect.cell")) === 12, "the linked row has not twelve cells");
faults.expect((await count(".relation rect.cell.read")) === 1, "the first element does not light up one other");
await checkPage(browser, "report", faults);

await browser.open(`${marked}#r0`);
await browser.until(`document.querySelector("#r0 figure svg") !== null`);
faults.expect((await count(".relation .ring")) > 0 && (await count(".relation .mark-missing")) === 1, "the witness is not marked");
faults.expect(await browser.evaluate(`document.body.textContent.includes("(2, 1) is related to (1, 2)")`), "the witness is not said");
await browser.end();
faults.end("the page is as it should be");
