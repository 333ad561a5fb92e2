// The rows of the page are <details> elements, readable without a script. This file adds filters,
// the matrix of operations, pictures in opened rows, and links to rows.
"use strict";
const rows = [...document.querySelectorAll("details.row")];
const groups = [...document.querySelectorAll("#rows > .group")], groupRows = groups[0]?.children.length ?? 0;
const filters = document.querySelector("form.filters");
const unfoldedAtOnce = 20;

// Rows are divided into groups. The browser lays out only visible groups, so each group must know
// how many of its rows are shown.
function sizeGroups() {
  for (const group of [...groups, placing.rest]) {
    let count = 0;
    for (const { data } of group.children) count += data.shown;
    if (group.hidden !== (count === 0)) group.hidden = count === 0;
    if (group.shown !== count) (group.shown = count), group.style.setProperty("--rows", count);
  }
}

function applyFilters() {
  const { verdict, opcode, direction, file, rule, text } = Object.fromEntries(new FormData(filters));
  const words = text.toLowerCase().split(/\s+/).filter((word) => word !== "");
  const chosen = rule && rowsOfRule(rule);
  let count = 0;
  for (const row of rows) {
    const { data } = row;
    const shown =
      (!verdict || data.verdict === verdict) && (!opcode || data.opcode === opcode) && (!direction || data.direction === direction) &&
      (!file || data.file === file) && (!rule || chosen.has(row)) && words.every((word) => data.text.includes(word));
    if (data.shown !== shown) row.hidden = !(data.shown = shown);
    count += shown;
  }
  sizeGroups();
  document.getElementById("shown").textContent = `${count} of ${rows.length} rows`;
}

// The rows about a rule, and the rows with a step by that rule.
const isOfRule = ({ data }) => data.opcode === "rule" || data.opcode === "negative example";
function rowsOfRule(name) {
  const found = new Set(rows.filter((row) => isOfRule(row) && row.data.name === name));
  for (const link of document.querySelectorAll("details.row a")) if (link.getAttribute("href") === `#rule-${name}`) found.add(link.closest("details.row"));
  return found;
}

// Rows of a new order are placed group by group: the visible ones at once, the rest in slices, so
// that no frame waits for all of them.
const { compare } = new Intl.Collator("en", { numeric: true });
const placing = { order: [], next: Infinity, rest: htmlElement("div", { class: "group" }), milliseconds: 25, timer: 0 };
function orderOf(value) {
  const order = rows.map((row, i) => i);
  if (value === "") return order;
  const words = [...new Set(rows.map(({ data }) => data[value]))].sort(compare), ranks = new Map(words.map((word, rank) => [word, rank]));
  const rankOf = rows.map(({ data }) => ranks.get(data[value]));
  return order.sort((a, b) => rankOf[a] - rankOf[b] || a - b);
}
function placeGroup(i) {
  const wanted = placing.order.slice(i * groupRows, (i + 1) * groupRows).map((k) => rows[k]), isWanted = new Set(wanted);
  placing.rest.append(...[...groups[i].children].filter((row) => !isWanted.has(row)));
  groups[i].append(...wanted);
}
function placeRows(milliseconds) {
  clearTimeout(placing.timer);
  const end = performance.now() + milliseconds;
  while (placing.next < groups.length && performance.now() < end) placeGroup(placing.next++);
  sizeGroups();
  if (placing.next < groups.length) placing.timer = setTimeout(placeRows, 0, placing.milliseconds);
}
function sortRows() {
  Object.assign(placing, { order: orderOf(filters.elements.sort.value), next: 0 });
  placeRows(placing.milliseconds);
}

function fold(open) {
  const chosen = rows.filter((row) => row.open !== open && !(open && row.hidden));
  for (const row of open ? chosen.slice(0, unfoldedAtOnce) : chosen) row.open = open;
}

function fillChoices(name, values) {
  const choices = [...new Set(values)].sort();
  filters.elements[name].parentNode.hidden = choices.length < 2;
  for (const value of choices) filters.elements[name].append(htmlElement("option", { value }, value));
}

// Turns the numbers of the matrix into buttons that show their rows.
function beginMatrix() {
  const matrix = document.getElementById("matrix");
  for (const cell of matrix.querySelectorAll("td[data-verdict]")) {
    const { opcode, direction } = cell.parentNode.dataset;
    const button = htmlElement("button", { type: "button", class: cell.className }, cell.textContent);
    button.addEventListener("click", () => {
      for (const [name, value] of Object.entries({ verdict: cell.dataset.verdict, opcode, direction })) filters.elements[name].value = value;
      applyFilters();
      filters.scrollIntoView();
    });
    cell.replaceChildren(button);
  }
  matrix.prepend(htmlElement("p", { class: "dim controls" }, "A number shows its rows."));
}

function openLinked() {
  const row = document.getElementById(location.hash.slice(1));
  if (!row?.matches("details.row")) return;
  row.hidden = !(row.data.shown = true);
  sizeGroups();
  row.open = true;
  row.scrollIntoView();
}

for (const row of rows) {
  const { verdict, opcode, direction, file } = row.dataset;
  const summary = row.querySelector("summary");
  row.data = { shown: true, verdict, opcode, direction, file, text: summary.textContent.toLowerCase(), name: summary.childNodes[1].textContent.trim() };
  row.addEventListener("toggle", () => openRow(row));
}
if (filters) {
  for (const name of ["verdict", "opcode", "direction", "file"]) fillChoices(name, rows.map((row) => row.data[name]));
  fillChoices("rule", [...document.querySelectorAll("section.rule")].map(({ id }) => id.slice("rule-".length)).concat(rows.filter(isOfRule).map((row) => row.data.name)));
  filters.hidden = false;
  document.getElementById("rows").append(placing.rest);
  addEventListener("beforeprint", () => placeRows(Infinity));
  filters.addEventListener("input", ({ target }) => (target.name === "sort" ? sortRows() : applyFilters()));
  document.getElementById("unfold").addEventListener("click", () => fold(true));
  document.getElementById("fold").addEventListener("click", () => fold(false));
  filters.addEventListener("submit", (event) => event.preventDefault());
  applyFilters();
  beginMatrix();
}
for (const section of document.querySelectorAll("section.rule[data-sides]")) drawSides(section.appendChild(htmlElement("figure")), JSON.parse(section.dataset.sides));
// The page's address links to the row that was opened last.
addEventListener("click", ({ target }) => {
  const row = target.closest("summary")?.parentNode;
  if (row?.matches("details.row")) history.replaceState(null, "", `#${row.id}`);
});
addEventListener("hashchange", openLinked);
openLinked();
