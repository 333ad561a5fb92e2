// A chart of horizontal bars, a group of bars for each row of a table, on a linear or logarithmic
// scale. A missing number has a dash instead of a bar.
"use strict";
const barHeight = 9, groupGap = 8, labelWidth = 300, barsWidth = 420, chartTop = 58;

const shortNumber = (value) => (value >= 1e6 ? `${+(value / 1e6).toPrecision(3)} M` : value >= 1e4 ? `${+(value / 1e3).toPrecision(3)} k` : String(+value.toPrecision(3)));

// chart: { title, scale: "linear" | "log", series: [name], rows: [{ label, values: [number | null] }] }
function drawChart(parent, { title, scale, series, rows }) {
  const values = rows.flatMap((row) => row.values).filter((value) => value !== null);
  const most = Math.max(...values), least = scale === "log" ? Math.min(...values.filter((value) => value > 0)) / 2 : 0;
  const at = (value) => (scale === "log" ? Math.log(value / least) / Math.log(most / least) : value / most) * barsWidth;
  const groupHeight = series.length * barHeight + groupGap;
  const width = labelWidth + barsWidth + 70, height = chartTop + rows.length * groupHeight + 8;
  const svg = svgElement("svg", { xmlns: svgNamespace, width, height, viewBox: `0 0 ${width} ${height}`, role: "img", class: "chart" }, parent);
  svgElement("title", {}, svg).textContent = title;
  svgElement("text", { class: "heading", x: 8, y: 20 }, svg).textContent = scale === "log" ? `${title} (logarithmic)` : title;
  series.forEach((name, k) => {
    svgElement("rect", { class: `s${k}`, x: 8 + k * 170, y: 32, width: 12, height: 12 }, svg);
    svgElement("text", { x: 26 + k * 170, y: 42 }, svg).textContent = name;
  });
  rows.forEach(({ label, values: row }, i) => {
    const top = chartTop + i * groupHeight;
    svgElement("text", { class: "label", x: labelWidth - 8, y: top + (series.length * barHeight) / 2 + 4 }, svg).textContent = label.length > 42 ? `${label.slice(0, 41)}…` : label;
    row.forEach((value, k) => {
      const y = top + k * barHeight, length = value === null ? 0 : Math.max(1, Math.round(at(value) * 10) / 10);
      if (value !== null) svgElement("rect", { class: `s${k}`, x: labelWidth, y, width: length, height: barHeight - 1 }, svg);
      svgElement("text", { class: "value", x: labelWidth + length + 4, y: y + barHeight - 2 }, svg).textContent = value === null ? "–" : shortNumber(value);
    });
  });
  return svg;
}
