// Draws the picture of an opened row, and its maps for other tools. Shared by the report and the
// explorer.
"use strict";
const numbers = (text) => (text === "" ? [] : text.split(",").map(Number));

function rowData(row) {
  const { from, to, fromName, toName, direction, reads } = row.dataset;
  let witness = row.dataset.witness ? JSON.parse(row.dataset.witness.replace(/-?\d{16,}/g, '"$&"')) : null; // see indexNumber
  const sizes = numbers(to);
  let beyond = null; // a point of the domain that is not an element
  if (witness?.from.length === numbers(from).length && witness.from.some((at, i) => at < 0 || at >= numbers(from)[i])) [beyond, witness] = [witness.from, null];
  if (witness?.from.length !== numbers(from).length || witness.to.length !== sizes.length) witness = null;
  if (witness?.to.some((at, i) => at < 0 || at >= sizes[i])) witness.kind = "outside";
  return {
    from: numbers(from), to: sizes, fromName, toName, direction,
    reads: reads === undefined ? null : reads.split(";").map((list) => (list === "" ? [] : list.split(" ").map(Number))),
    maps: [...row.querySelectorAll(":scope > p > code.map")].map((code) => code.textContent),
    witness, beyond,
  };
}

function copyButton(from) {
  const button = htmlElement("button", { type: "button" }, "copy");
  button.addEventListener("click", () => navigator.clipboard?.writeText(from.textContent).then(() => (button.textContent = "copied")));
  return button;
}

function drawExports(row, maps, before) {
  const output = htmlElement("pre", { tabindex: 0, "aria-label": "the maps for another tool" });
  const choice = htmlElement("select", {}, ...Object.keys(exporters).map((name) => htmlElement("option", {}, name)));
  const fill = () => (output.textContent = maps.map((text, i) => exporters[choice.value](parseMap(text), text, i)).join("\n"));
  choice.addEventListener("change", fill);
  fill();
  row.insertBefore(htmlElement("p", { class: "controls" }, htmlElement("label", {}, "maps as ", choice), " ", copyButton(output)), before);
  row.insertBefore(output, before);
}

// An instruction between the root of a fusion and a parameter: each has a picture of its own.
function openStep(step) {
  if (!step.open || step.dataset.drawn || step.dataset.from === undefined) return;
  step.dataset.drawn = "yes";
  const figure = htmlElement("figure");
  step.append(figure);
  try {
    drawRelation(figure, rowData(step));
  } catch (error) {
    figure.append(htmlElement("p", { class: "dim" }, `no picture: ${error.message}`));
  }
}

// Adds to each step's link the file and line of its rule, and whether it is refuted; adds a button
// to the replaying command.
function drawReferences(row) {
  for (const link of row.querySelectorAll("a[href^='#rule-']")) {
    const section = document.getElementById(link.getAttribute("href").slice(1)), place = section?.querySelector("p.dim");
    if (place) link.after(htmlElement("span", { class: "dim" }, ` ${place.textContent}`));
    if (section?.classList.contains("refuted")) link.after(htmlElement("span", { class: "refuted" }, " ", htmlElement("b", {}, "refuted")));
  }
  for (const replay of row.querySelectorAll(":scope > p.replay > code")) replay.after(" ", copyButton(replay));
}

// data-drawn of an opened row names the kind of its picture.
function openRow(row) {
  if (!row.open || row.dataset.drawn) return;
  row.dataset.drawn = "none";
  drawReferences(row);
  for (const step of row.querySelectorAll("details.step")) step.addEventListener("toggle", () => openStep(step));
  if (row.dataset.sides !== undefined) row.append(htmlElement("figure")), drawSides(row.lastChild, JSON.parse(row.dataset.sides)), (row.dataset.drawn = "sides");
  if (row.dataset.from === undefined) return;
  const figure = htmlElement("figure");
  // If the row compares two runs, the picture is that of the newer run, which comes last.
  const after = row.querySelector(":scope > details.steps") ?? [...row.querySelectorAll(":scope > p.replay")].at(-1) ?? null;
  row.insertBefore(figure, after);
  try {
    const data = rowData(row);
    const isUnrelated = row.dataset.verdict === "undefined";
    isUnrelated ? drawUnrelated(figure, data) : drawRelation(figure, data);
    row.dataset.drawn = isUnrelated ? "tensors" : "relation";
    if (data.maps.length > 0) drawExports(row, data.maps, after);
  } catch (error) {
    figure.append(htmlElement("p", { class: "dim" }, `no picture: ${error.message}`));
  }
}
