// The page of `affirm report` in a real browser.  page_test.mjs PAGE MARKED PICTURES RULES MANY
// COMPARED BEYOND
// MARKED: the first row has a witness. PICTURES: rows with a large slice, with a runtime offset,
// and with reads that no map contains. MANY: 151 rows, half of them negations. COMPARED: two runs;
// the newer run's map leaves the operand.
import { resolve } from "node:path";
import { Browser } from "./browser.mjs";
import { checkPage, Faults } from "./page_checks.mjs";

const [page, marked, pictures, rules, many, compared, beyond] = process.argv.slice(2).map((path) => `file://${resolve(path)}`);
const faults = new Faults(), browser = await Browser.start();
const count = (selector) => browser.evaluate(`document.querySelectorAll(${JSON.stringify(selector)}).length`);

await browser.open(`${page}#r0`);
await browser.until(`document.querySelector("#r0 figure svg") !== null`);
faults.expect((await browser.evaluate(`document.getElementById("shown").textContent`)) === "2 of 2 rows", "the filters did not start");
faults.expect((await count(".relation rect.cell")) === 12, "the linked row has not twelve cells");
faults.expect((await count(".relation rect.cell.read")) === 1, "the first element does not light up one other");
// An element under the pointer highlights its related elements on the other side, and names itself.
for (const [side, at, said] of [[0, 3, "(1, 1) is related to (1, 1)"], [1, 5, "(1, 2) comes from (2, 1)"]]) {
  await browser.evaluate(`document.querySelectorAll("#r0 .tensor")[${side}].querySelectorAll("rect.cell")[${at}].dispatchEvent(new Event("pointerover", { bubbles: true }))`);
  faults.expect((await browser.evaluate(`document.querySelector("#r0 .said").textContent`)) === said, `pointed at, side ${side} says ${await browser.evaluate(`document.querySelector("#r0 .said").textContent`)}`);
  faults.expect((await browser.evaluate(`document.querySelectorAll("#r0 .tensor")[${1 - side}].querySelectorAll(".cell.read").length`)) === 1, `pointed at, side ${side} lights no element of the other`);
}
faults.expect((await browser.evaluate(`document.querySelector("#r0 .tensor:last-child .cell.focus title").textContent`)) === "(1, 2)", "an element that is pointed at does not name itself");
await checkPage(browser, "report", faults);

// Without script: the matrix, and each row with its maps. The page requests nothing, and its policy
// would block it: a foreign image is rejected.
await browser.send("Emulation.setScriptExecutionDisabled", { value: true });
await browser.open(page);
faults.expect((await browser.evaluate(`[...document.querySelectorAll("#matrix tr")].map((line) => line.textContent).join("; ")`)) === "operationexact; transpose, input to output1; transpose, output to input1", "without script there is no matrix");
faults.expect(await browser.evaluate(`[...document.querySelectorAll("details.row")].every((row) => row.checkVisibility() && row.querySelector("code.map") !== null) && !document.querySelector("form").checkVisibility()`), "without script the rows are not sections with maps, or there are filters without use");
await browser.send("Emulation.setScriptExecutionDisabled", { value: false });
await browser.open(page);
faults.expect((await browser.evaluate(`performance.getEntriesByType("resource").length`)) === 0, "the page loads something");
faults.expect(await browser.evaluate(`new Promise((done) => { document.addEventListener("securitypolicyviolation", () => done(true)); const image = new Image(); image.onload = () => done(false); image.src = "data:image/gif;base64,R0lGODlhAQABAAAAACw="; setTimeout(() => done(false), 5000); })`), "the page may load from elsewhere");
browser.console = [];

await browser.open(`${marked}#r0`);
await browser.until(`document.querySelector("#r0 figure svg") !== null`);
faults.expect((await count(".relation .ring")) > 0 && (await count(".relation .mark-missing")) === 1, "the witness is not marked");
faults.expect(await browser.evaluate(`document.body.textContent.includes("(2, 1) is related to (1, 2)")`), "the witness is not said");

await browser.open(`${beyond}#r0`);
await browser.until(`document.querySelector("#r0 figure svg") !== null`);
faults.expect((await count("#r0 .tensor:first-child .mark-outside")) === 1 && (await count("#r0 .tensor:first-child .ring")) === 1 && (await count("#r0 .tensor:last-child .ring")) === 0, "a point that is no element is not ringed outside of the frame");
faults.expect((await browser.evaluate(`document.querySelector("#r0 .said").textContent`)) === "(3, 1) is in the map's domain, and outside of t; (2, 1) is related to (1, 2)", `of a point that is no element it is said: ${await browser.evaluate(`document.querySelector("#r0 .said").textContent`)}`);

// The overview of a slice of the first quarter of rows: only that quarter is dark.
const open = async (row) => {
  await browser.open(`${pictures}#${row}`);
  await browser.until(`document.querySelector("#${row} figure svg") !== null`);
};
const sampled = () => browser.until(`document.querySelectorAll("#r0 canvas[data-sampled=yes]").length === 2`);
await open("r0");
faults.expect((await count("#r0 canvas.overview")) === 2, "a large tensor has no overview");
await sampled();
const fields = await browser.evaluate(`(() => { const canvas = document.querySelectorAll("#r0 canvas.overview")[1], paint = canvas.getContext("2d");
  const column = paint.getImageData(canvas.width - 8, 0, 1, canvas.height).data;
  return [0.05, 0.2, 0.3, 0.9].map((at) => column[4 * Math.floor(canvas.height * at)]); })()`);
faults.expect(fields[0] < 180 && fields[1] < 180 && fields[2] === 227 && fields[3] === 227, `the overview is ${fields.join(" ")}`);
await browser.evaluate(`(() => { const canvas = document.querySelectorAll("#r0 canvas.overview")[0], box = canvas.getBoundingClientRect();
  canvas.dispatchEvent(new MouseEvent("click", { clientX: box.left + box.width / 2, clientY: box.top + box.height / 2 })); })()`);
faults.expect(await browser.evaluate(`document.querySelector("#r0 .tensor").textContent.includes("d2: 188 to 211 of 400")`), "a click does not move the window");

// Zoomed in: the window's half of the operand in finer fields, whose upper half is dark. Other
// dimensions; all of it again. The used control keeps the focus, and highlighted elements are
// highlighted again after the window moved.
const tensor = (side) => `document.querySelectorAll("#r0 .relation > .tensor")[${side}]`;
const shades = async (at) => (await sampled(), browser.evaluate(`(() => { const canvas = ${tensor(1)}.querySelector("canvas"), copy = document.createElement("canvas");
  [copy.width, copy.height] = [canvas.width, canvas.height];
  const paint = copy.getContext("2d", { willReadFrequently: true });
  paint.drawImage(canvas, 0, 0);
  const column = paint.getImageData(canvas.width - 8, 0, 1, canvas.height).data;
  return ${JSON.stringify(at)}.map((at) => column[4 * Math.floor(canvas.height * at)] < 180 ? "dark" : "light").join(" "); })()`));
const caption = async () => (await sampled(), browser.evaluate(`${tensor(1)}.querySelector("canvas").previousElementSibling.textContent`));
const focused = () => browser.evaluate("document.activeElement.className");
const use = async (selector) => (await browser.evaluate(`${tensor(1)}.querySelector("${selector}").focus()`), await browser.press("Enter"));
// Fields of one and of two rows are equally dark if each row is read equally.
const spread = await browser.evaluate(`(() => { const overview = new Overview([56, 32]);
  for (let i = 0; i < 56; i++) for (let k = 0; k < 32; k++) overview.add([i, k]);
  return [...new Set(overview.densities())].join(); })()`);
faults.expect(spread === "1", `a relation that is everywhere alike has densities ${spread}`);
// A pass that is cut off would leave some fields with one element less.
const passes = await browser.evaluate(`document.querySelector("#r0 canvas.overview").parentNode.textContent.match(/\\((\\d+) here\\)/)[1]`);
faults.expect(passes > 0 && passes % (32 * 32) === 0, `the sample has ${passes} elements, no whole number of passes`);
await use(".overview-in");
faults.expect(/^d1 0 to 199, d2 0 to 199; darker: more pairs of a sample \([1-9]\d* here\)$/.test(await caption()), `zoomed in, the overview says: ${await caption()}`);
faults.expect((await shades([0.05, 0.45, 0.55, 0.95])) === "dark dark light light", `zoomed in, the overview is ${await shades([0.05, 0.45, 0.55, 0.95])}`);
faults.expect((await focused()) === "overview-in", `after zooming in the focus is on ${await focused()}`);
const alike = await browser.evaluate(`new Set(${tensor(0)}.querySelector("canvas").getContext("2d").getImageData(${tensor(0)}.querySelector("canvas").width - 8, 0, 1, 160).data.filter((one, i) => i % 4 === 0)).size`);
faults.expect(alike === 1, `zoomed in on the operand, the output has ${alike} shades`);
await use(".overview-in");
faults.expect((await shades([0.05, 0.95])) === "dark dark", "zoomed in twice, there is more than the first quarter");
await use(".overview-out"), await use(".overview-out");
faults.expect((await caption()).startsWith("all of d1 and d2; ") && (await shades([0.2, 0.3])) === "dark light", `zoomed out, the overview says: ${await caption()}`);
await browser.evaluate(`(() => { const choice = ${tensor(1)}.querySelector(".overview-across"); choice.value = "0"; choice.dispatchEvent(new Event("change")); })()`);
faults.expect((await caption()).startsWith("all of d1 and d0; ") && (await shades([0.2, 0.3])) === "dark light", `of other dimensions the overview says: ${await caption()}`);
for (const d of [1, 2]) await browser.evaluate(`(() => { const slider = ${tensor(0)}.querySelector("input.window-d${d}"); slider.focus(); slider.value = 0; slider.dispatchEvent(new Event("change")); })()`);
faults.expect((await focused()) === "window-d2", `after a window has moved the focus is on ${await focused()}`);
faults.expect((await count("#r0 .cell.focus")) === 1 && (await count("#r0 .tensor:last-child .cell.read")) === 1, "after a window has moved nothing is lit");

// A runtime variable with all values, and with one.
await open("r1");
faults.expect((await count("#r1 .relation .cell.some")) === 7 && (await count("#r1 .relation .cell.read")) === 0, "the first element has not seven possible ones");
await browser.evaluate(`(() => { const slider = document.querySelector("#r1 label.controls input[type=range]"); slider.value = 2; slider.dispatchEvent(new Event("input")); })()`);
faults.expect((await count("#r1 .relation .cell.some")) === 0 && (await count("#r1 .relation .cell.read")) === 1, "with one value of the runtime variable there is not one element");
faults.expect(await browser.evaluate(`document.querySelector("#r1 .said").textContent.startsWith("(0) is related to (2)")`), "the element of that value is not (2)");

// Three layers: what is read, what the map contains, and what either lacks.
await open("r2");
faults.expect((await count("#r2 .relation .mark-missing")) === 1 && (await count("#r2 .relation .mark-extra")) === 1 && (await count("#r2 .relation .mark-real")) === 0, "a read that the map lacks is not marked");
faults.expect(await browser.evaluate(`document.querySelector("#r2 .said").textContent.endsWith("1 read and not in the map, 1 in the map and not read")`), "what the map lacks is not said");

// Through a fusion: an instruction on the path has a picture when it is opened.
await open("r3");
await browser.evaluate(`(() => { document.querySelector("#r3 details.steps").open = true; document.querySelector("#r3 details.step").open = true; })()`);
await browser.until(`document.querySelector("#r3 details.step figure svg") !== null`);
faults.expect((await count("#r3 details.step .relation")) === 1, "an instruction inside a fusion has no picture");
// Without a relation: both tensors have a question mark in each element, and no element is marked
// as read or as related.
await open("r4");
faults.expect((await count("#r4 .relation svg text.unknown")) === 9 && (await count("#r4 .relation rect.cell")) === 9, "the tensors of a row without a relation are not drawn");
faults.expect((await count("#r4 .cell.part, #r4 .cell.read, #r4 .cell.focus")) === 0, "a row without a relation looks like one with a relation");
await browser.evaluate(`document.querySelector("#r4 .cell").dispatchEvent(new Event("pointerover", { bubbles: true }))`);
faults.expect((await browser.evaluate(`document.querySelector("#r4 .said").textContent`)).endsWith("(0) of c is related to is not known."), "an element without a relation is not said to be unknown");

// A step names the location of its rule, and whether it is refuted, as the rule's section does.
await browser.open(pictures);
await browser.evaluate(`document.querySelector("section.rule").classList.add("refuted")`);
await browser.evaluate(`document.getElementById("r5").open = true`);
await browser.until(`document.querySelector("#r5 figure svg") !== null`);
const references = await browser.evaluate(`[...document.querySelectorAll("#r5 ol > li")].map((step) => step.textContent).join(" ; ")`);
faults.expect(/ ; \S+ refuted core\/rules\/\w+\.rules:\d+/.test(references), `a step does not say where its rule stands and that it is refuted: ${references}`);

// Rows by operation and by rule; folded and unfolded; the address names the opened row.
const order = () => browser.evaluate(`[...document.querySelectorAll("details.row")].map((row) => row.dataset.opcode).join(" ")`);
const choose = (name, value) => browser.evaluate(`(() => { const entry = filters.elements.${name}; entry.value = "${value}"; entry.dispatchEvent(new Event("input", { bubbles: true })); })()`);
const shown = () => browser.evaluate(`document.getElementById("shown").textContent`);
await choose("sort", "opcode");
faults.expect((await order()) === "custom-call dynamic-slice fusion fusion slice transpose", `the order by operation is ${await order()}`);
faults.expect((await browser.evaluate(`document.querySelector("#matrix tr:nth-child(2) th").textContent`)) === "custom-call, output to input", "the matrix does not begin with what is worst");
await choose("sort", "");
faults.expect((await order()).startsWith("custom-call slice"), "the first order does not come back");
await choose("opcode", "slice");
faults.expect((await shown()) === "1 of 6 rows", "the filter of operations does not choose one row");
await browser.evaluate(`document.getElementById("fold").click(), document.getElementById("unfold").click()`);
faults.expect((await browser.evaluate(`rows.filter((row) => row.open).map((row) => row.id).join()`)) === "r0", "unfolding does not open the rows that are shown, and them alone");
await choose("opcode", "");
await browser.evaluate(`[...document.querySelectorAll("#matrix button")].find((button) => button.closest("tr").dataset.opcode === "fusion").click()`);
faults.expect((await shown()) === "2 of 6 rows", `a number of the matrix shows ${await shown()}`);
for (const name of ["verdict", "opcode", "direction"]) await choose(name, "");
await browser.evaluate(`document.querySelector("#r2 summary").click()`);
faults.expect((await browser.evaluate("location.hash")) === "#r2", "the address does not name the row that was opened");
faults.expect((await browser.evaluate(`document.querySelector("#r2 p.replay").textContent`)) === "replay: affirm check t.hlo --instruction t --direction o2i --output 0 --operand 0 copy", "a row has no command that replays it, or no button to copy it");

// An element outside the tensor is drawn outside the frame, on each of its four sides and of
// blocks.
const strays = await browser.evaluate(`[[-1, 0], [3, 2], [1, -1], [0, 4], [-1, 0, 1, 1], [1, 2, 0, 0], [0, 1, -2, 1], [0, 0, 1, 9]].flatMap((index) => {
  const sizes = index.length === 2 ? [3, 4] : [2, 2, 3, 3], tensor = new Tensor("x", sizes, { onFocus() {} });
  document.body.append(tensor.figure);
  tensor.mark(index, "outside");
  const mark = tensor.svg.querySelector(".mark").getBBox(), cells = [...tensor.cells.values()].map((cell) => cell.getBBox());
  const over = cells.filter((cell) => mark.x < cell.x + cell.width && cell.x < mark.x + mark.width && mark.y < cell.y + cell.height && cell.y < mark.y + mark.height).length;
  tensor.figure.remove();
  return over > 0 ? [index.join() + " over " + over] : [];
})`);
faults.expect(strays.length === 0, `marks of what is outside lie on cells: ${strays.join("; ")}`);
await checkPage(browser, "pictures", faults);

// A changed bound: the row's map contains one element of three, then none.
await browser.open(`${page}#r0`);
await browser.until(`document.querySelector("#r0 figure svg") !== null`);
await browser.evaluate(`(() => { const entry = document.querySelector("#r0 details.bounds input"); entry.value = "1"; entry.dispatchEvent(new Event("change")); })()`);
faults.expect(await browser.evaluate(`document.querySelector("#r0 .said").textContent === "(0, 0) is related to nothing"`), "a changed bound does not change the picture");
await browser.until(`document.querySelector("#r0 figure").dataset.shaded === "yes"`);
faults.expect((await count("#r0 .relation .tensor:first-child rect.part")) === 4, "the elements within the changed bound are not shown");
await browser.evaluate(`(() => { const entry = document.querySelector("#r0 details.bounds input"); entry.value = "x"; entry.dispatchEvent(new Event("change")); })()`);
faults.expect((await browser.evaluate(`document.querySelector("#r0 details.bounds input").getAttribute("aria-invalid")`)) === "true", "a bound that is no number is taken");

// Both sides of rules: one pair agrees everywhere, the other differs at the ringed values among
// others.
await browser.open(`${rules}#r1`);
await browser.until(`document.querySelector("#r1 figure svg") !== null`);
faults.expect((await count("#r1 .side-left")) === 41 && (await count("#r1 .ring")) === 1 && (await count("#r1 .mark-missing")) > 0, "the refuted rule's sides are not drawn");
await browser.evaluate(`location.hash = "r0"`);
await browser.until(`document.querySelector("#r0 figure svg") !== null`);
faults.expect((await count("#r0 .side-right")) > 1 && (await count("#r0 .mark-missing")) === 0, "the proved rule's sides do not agree");
await choose("rule", "wrong");
faults.expect((await shown()) === "1 of 2 rows", "the filter of rules does not choose the rule's row");
await checkPage(browser, "rules", faults);

// For two runs the picture is the newer run's, below its map. Elements outside the tensor are
// reported, and either side accepts an element.
await browser.open(`${compared}#r0`);
await browser.until(`document.querySelector("#r0 figure svg") !== null`);
const parts = await browser.evaluate(`[...document.querySelectorAll("#r0 > h3, #r0 > figure, #r0 > p.replay")].map((one) => one.matches("h3") ? one.textContent : one.tagName).join(" ")`);
faults.expect(parts === "before: exact P after: wrong FIGURE P", `the parts of two runs are ${parts}`);
const said = () => browser.evaluate(`document.querySelector("#r0 .said").textContent`);
faults.expect((await said()) === "(0, 0) is related to (0, 9), outside of operand 0.0", `of what leaves the tensor it is said: ${await said()}`);
faults.expect((await count("#r0 .mark-outside")) > 1 && (await count("#r0 p.replay button")) === 2, "what leaves the tensor is not marked, or a command has no button");
await browser.open(`${page}#r0`);
await browser.until(`document.querySelector("#r0 figure svg") !== null`);
await browser.evaluate(`document.querySelectorAll("#r0 input.element")[1].focus()`);
await browser.press("ArrowUp");
faults.expect((await said()) === "(0, 1) comes from (1, 0)" && (await count("#r0 .tensor:first-child .cell.read")) === 1, `of an element of the operand it is said: ${await said()}`);

// Groups of rows: a filter leaves no empty group, all rows return, and sorting works across groups.
await browser.open(`${many}#r150`);
const inGroups = () => browser.evaluate(`groups.map((group) => (group.hidden ? "-" : group.style.getPropertyValue("--rows") + "/" + [...group.children].filter((row) => !row.hidden).length)).join(" ")`);
const placed = () => browser.until("placing.next >= groups.length");
faults.expect((await inGroups()) === "64/64 64/64 23/23", `151 rows stand in groups of ${await inGroups()}`);
faults.expect(await browser.evaluate(`document.getElementById("r150").open && document.getElementById("r150").getBoundingClientRect().top < innerHeight`), "the link to the last row does not lead to it");
await choose("opcode", "reverse");
faults.expect((await inGroups()) === "32/32 32/32 11/11" && (await shown()) === "75 of 151 rows", `reversals stand in groups of ${await inGroups()}`);
await choose("text", "x100 ");
faults.expect((await inGroups()) === "- 1/1 -", `one row stands in groups of ${await inGroups()}`);
await choose("text", "");
await choose("opcode", "");
faults.expect((await inGroups()) === "64/64 64/64 23/23", `all rows stand in groups of ${await inGroups()}`);
await choose("sort", "opcode");
await placed();
faults.expect((await order()) === Array.from({ length: 151 }, (one, i) => (i < 76 ? "negate" : "reverse")).join(" "), `the order of many rows by operation is ${await order()}`);
faults.expect((await count("#rows > .group:last-child > *")) === 0, "rows are left beside the groups");
await choose("sort", "");
await browser.look({ width: 1280, print: true });
await browser.evaluate(`dispatchEvent(new Event("beforeprint"))`);
faults.expect((await browser.evaluate(`[...document.querySelectorAll("details.row")].map((row) => row.id).join()`)) === Array.from({ length: 151 }, (one, i) => `r${i}`).join(), "the first order of many rows does not come back before a print");
await browser.look({ width: 1280 });
await browser.end();
faults.end("the page is as it should be");
