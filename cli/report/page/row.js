// A row that opens: its picture, and its maps for other tools. The report and the explorer share it.
"use strict";
const numbers = (text) => (text === "" ? [] : text.split(",").map(Number));

function rowData(row) {
  const { from, to, fromName, toName, direction, witness, reads } = row.dataset;
  return {
    from: numbers(from), to: numbers(to), fromName, toName, direction,
    reads: reads === undefined ? null : reads.split(";").map((list) => (list === "" ? [] : list.split(" ").map(Number))),
    maps: [...row.querySelectorAll(":scope > p > code.map")].map((code) => code.textContent),
    witness: witness ? JSON.parse(witness) : null,
  };
}

function drawExports(row, maps) {
  const output = htmlElement("pre", { tabindex: 0, "aria-label": "the maps for another tool" });
  const choice = htmlElement("select", {}, ...Object.keys(exporters).map((name) => htmlElement("option", {}, name)));
  const copy = htmlElement("button", { type: "button" }, "copy");
  const fill = () => (output.textContent = maps.map((text) => exporters[choice.value](parseMap(text), text)).join("\n"));
  choice.addEventListener("change", fill);
  copy.addEventListener("click", () => navigator.clipboard?.writeText(output.textContent));
  fill();
  row.append(htmlElement("p", { class: "controls" }, htmlElement("label", {}, "maps as ", choice), " ", copy), output);
}

// What lies between the root of a fusion and a parameter: each has a picture of its own.
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

function openRow(row) {
  if (!row.open || row.dataset.drawn) return;
  row.dataset.drawn = "yes";
  for (const step of row.querySelectorAll("details.step")) step.addEventListener("toggle", () => openStep(step));
  if (row.dataset.sides !== undefined) row.append(htmlElement("figure")), drawSides(row.lastChild, JSON.parse(row.dataset.sides));
  if (row.dataset.from === undefined || row.dataset.verdict === "undefined") return; // without a map nothing is related
  const data = rowData(row);
  const figure = htmlElement("figure");
  row.append(figure);
  try {
    drawRelation(figure, data);
    if (data.maps.length > 0) drawExports(row, data.maps);
  } catch (error) {
    figure.append(htmlElement("p", { class: "dim" }, `no picture: ${error.message}`));
  }
}
