// Draws the figures recorded in bench/*.md as SVG charts, with the drawing code of the pages.
//   node bench/charts/charts.mjs ROOT            writes bench/charts/NAME.svg
//   node bench/charts/charts.mjs ROOT --check    exit status 1 if a chart differs from that of its table
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import vm from "node:vm";

const [, , root, check] = process.argv;
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
// The part of a document that the drawing code uses.
class Element {
  constructor(name) {
    [this.name, this.attributes, this.children, this.textContent] = [name, [], [], ""];
  }
  setAttribute(key, value) {
    this.attributes.push(` ${key}="${escaped(String(value))}"`);
  }
  append(...children) {
    this.children.push(...children);
  }
  get text() {
    const inside = escaped(this.textContent) + this.children.map((child) => (typeof child === "string" ? child : child.text)).join("");
    return `<${this.name}${this.attributes.join("")}${inside ? `>${inside}</${this.name}` : "/"}>\n`;
  }
}
const context = vm.createContext({ document: { createElementNS: (space, name) => new Element(name) } });
for (const part of ["picture.js", "chart.js"]) vm.runInContext(readFileSync(`${root}/cli/report/page/${part}`, "utf8"), context);

const style = `<style>
svg { background: #fff; } text { font: 12px system-ui, sans-serif; fill: #1c2126; } .heading { font-size: 14px; font-weight: 600; } .label { text-anchor: end; }
.value { font-size: 9px; fill: #59636e; } .s0 { fill: #1f5fa8; } .s1 { fill: #c9780a; } .s2 { fill: #7a1fa2; } .s3 { fill: #1a7f4b; }
@media (prefers-color-scheme: dark) { svg { background: #14181c; } text { fill: #e3e8ed; } .value { fill: #a3aebb; } .s0 { fill: #7db4f0; } .s1 { fill: #f0b95a; } .s2 { fill: #d6a3f0; } .s3 { fill: #62c990; } }
</style>
`;

// The first table below the line that begins with the section's heading. Bars separate its cells; in a section that begins with a parenthesis, two spaces do.
function tableOf(text, section) {
  const lines = text.split("\n"), heading = lines.findIndex((line) => line.startsWith(section));
  const hasBars = !section.startsWith("("), isRow = (line) => (hasBars ? line.startsWith("|") : /\S  /.test(line));
  const begin = lines.findIndex((line, i) => i > heading && isRow(line)), end = lines.findIndex((line, i) => i > begin && !isRow(line));
  const rows = lines.slice(begin + (hasBars ? 2 : 1), end === -1 ? undefined : end);
  return rows.map((line) => (hasBars ? line.split("|").slice(1, -1).map((cell) => cell.trim()) : line.split(/ {2,}/)));
}
// The number at position `at` of a cell such as `1,004, 0.91 s, 4/5` or `221 (one map), then 24`; null if the cell begins with no digit.
function numberOf(cell, at) {
  if (!/^\d/.test(cell)) return null;
  return Number([...cell.matchAll(/\d{1,3}(,\d{3})+(?!\d)(\.\d+)?|\d+(\.\d+)?/g)][at][0].replaceAll(",", ""));
}

let faults = 0;
for (const { chart, file, section, title, scale, label, series } of JSON.parse(readFileSync(`${root}/bench/charts/charts.json`, "utf8"))) {
  const rows = tableOf(readFileSync(`${root}/${file}`, "utf8"), section).map((cells) => ({
    label: label.map((i) => cells[i]).join(" "),
    values: series.map(([, column, at]) => numberOf(cells[column], at)),
  }));
  if (rows.length < 3) console.log(`${chart}: ${file} has no table under ${section}`), faults++;
  const holder = new Element("div");
  context.drawn = { title, scale, series: series.map(([name]) => name), rows };
  context.holder = holder;
  vm.runInContext("drawChart(holder, drawn)", context);
  const svg = holder.children[0];
  svg.children.splice(1, 0, style);
  const path = `${root}/bench/charts/${chart}.svg`;
  if (check !== "--check") writeFileSync(path, svg.text);
  else if (!existsSync(path) || readFileSync(path, "utf8") !== svg.text) console.log(`${chart}.svg is not the chart of its table in ${file}: node bench/charts/charts.mjs .`), faults++;
}
if (faults > 0) process.exit(1);
console.log(check === "--check" ? "every chart is that of its table" : "charts are written");
