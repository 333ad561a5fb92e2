// The rows of the page stand in its HTML as <details>, so that they read without script. This file
// adds filters, the matrix of operations, pictures when a row opens, and links to rows.
"use strict";
const rows = [...document.querySelectorAll("details.row")];
const filters = document.querySelector("form.filters");
function applyFilters() {
  const { verdict, opcode, direction, file, text } = Object.fromEntries(new FormData(filters));
  const words = text.toLowerCase().split(/\s+/).filter((word) => word !== "");
  let count = 0;
  for (const row of rows) {
    const { data } = row;
    const shown =
      (!verdict || data.verdict === verdict) && (!opcode || data.opcode === opcode) && (!direction || data.direction === direction) &&
      (!file || data.file === file) && words.every((word) => data.text.includes(word));
    if (row.hidden === shown) row.hidden = !shown;
    count += shown;
  }
  document.getElementById("shown").textContent = `${count} of ${rows.length} rows`;
}

function fillChoices(name, values) {
  for (const value of [...new Set(values)].sort()) filters.elements[name].append(htmlElement("option", { value }, value));
}

function drawMatrix() {
  const verdicts = [...new Set(rows.map((row) => row.data.verdict))].sort();
  const counts = new Map();
  for (const { data } of rows) {
    const key = `${data.opcode} ${data.direction}`;
    if (!counts.has(key)) counts.set(key, { opcode: data.opcode, direction: data.direction, by: {} });
    const by = counts.get(key).by;
    by[data.verdict] = (by[data.verdict] ?? 0) + 1;
  }
  const table = htmlElement("table");
  table.append(htmlElement("caption", { class: "dim" }, "rows by operation and direction; a number filters"));
  table.append(htmlElement("tr", {}, htmlElement("th", { scope: "col" }, "operation"), ...verdicts.map((verdict) => htmlElement("th", { scope: "col" }, verdict))));
  for (const key of [...counts.keys()].sort()) {
    const { opcode, direction, by } = counts.get(key);
    const line = htmlElement("tr", {}, htmlElement("th", { scope: "row" }, key));
    for (const verdict of verdicts) {
      const cell = htmlElement("td");
      if (by[verdict]) {
        const button = htmlElement("button", { type: "button" }, String(by[verdict]));
        button.addEventListener("click", () => {
          Object.assign(filters.elements.verdict, { value: verdict });
          Object.assign(filters.elements.opcode, { value: opcode });
          Object.assign(filters.elements.direction, { value: direction });
          applyFilters();
          filters.scrollIntoView();
        });
        cell.append(button);
      }
      line.append(cell);
    }
    table.append(line);
  }
  document.getElementById("matrix").append(table);
}

function openLinked() {
  const row = document.getElementById(location.hash.slice(1));
  if (row?.matches("details.row")) (row.hidden = false), (row.open = true), row.scrollIntoView();
}

for (const row of rows) {
  const { verdict, opcode, direction, file } = row.dataset;
  row.data = { verdict, opcode, direction, file, text: row.querySelector("summary").textContent.toLowerCase() };
  row.addEventListener("toggle", () => openRow(row));
}
if (filters) {
  for (const name of ["verdict", "opcode", "direction", "file"]) fillChoices(name, rows.map((row) => row.data[name]));
  filters.hidden = false;
  filters.addEventListener("input", applyFilters);
  filters.addEventListener("submit", (event) => event.preventDefault());
  applyFilters();
  drawMatrix();
}
for (const section of document.querySelectorAll("section.rule[data-sides]")) drawSides(section.appendChild(htmlElement("figure")), JSON.parse(section.dataset.sides));
addEventListener("hashchange", openLinked);
openLinked();
