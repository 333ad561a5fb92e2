// Both sides of a rule while one letter varies: the left side as circles, the right side as dots
// inside them. A cross marks values at which the sides differ, a ring the values that refute the
// rule.
"use strict";
const sidesStep = 16, sidesHeight = 160;

function drawSides(figure, { letter, fixed: all, at, left, right, witness, holds }) {
  const fixed = all.split(", ").filter((one) => !one.startsWith(`${letter}=`)).join(", ");
  const low = Math.min(...left, ...right), high = Math.max(...left, ...right);
  const width = (at[at.length - 1] - at[0]) * sidesStep, height = high === low ? 0 : Math.min(sidesHeight, Math.max(32, (high - low) * sidesStep));
  const x = (value) => (value - at[0]) * sidesStep, y = (value) => (high === low ? 0 : ((high - value) / (high - low)) * height);
  const svg = svgElement("svg", { width: Math.max(width, 80) + 90, height: height + 60, viewBox: `-60 -20 ${Math.max(width, 80) + 90} ${height + 60}`, role: "img" }, figure);
  svg.setAttribute("aria-label", `both sides for ${letter} from ${at[0]} to ${at[at.length - 1]}, ${fixed}`);
  const axis = (text, left, top, anchor) => (svgElement("text", { class: "axis", x: left, y: top, "text-anchor": anchor }, svg).textContent = text);
  svgElement("path", { class: "sides-axis", d: `M-10,${-10} V${height + 12} H${width + 10}` }, svg);
  axis(holds ? "holds" : high, -14, y(holds ? 1 : high) + 4, "end");
  if (high !== low) axis(holds ? "does not" : low, -14, y(low) + 4, "end");
  axis(`${letter} from ${at[0]} to ${at[at.length - 1]}`, 0, height + 28, "start");
  let differ = 0;
  at.forEach((value, i) => {
    const words = holds ? ["does not hold", "holds"] : null;
    const said = `${letter} = ${value}: left ${words ? words[left[i]] : left[i]}, right ${words ? words[right[i]] : right[i]}`;
    const group = svgElement("g", {}, svg);
    svgElement("title", {}, group).textContent = said;
    svgElement("circle", { class: "side-left", cx: x(value), cy: y(left[i]), r: 6 }, group);
    svgElement("circle", { class: "side-right", cx: x(value), cy: y(right[i]), r: 3 }, group);
    if (left[i] === right[i]) return;
    differ++;
    const middle = (y(left[i]) + y(right[i])) / 2;
    svgElement("path", { class: "mark-missing", d: `M${x(value) - 4},${middle - 4} l8,8 m0,-8 l-8,8` }, group);
    if (value === witness) svgElement("circle", { class: "ring", cx: x(value), cy: y(left[i]), r: 9 }, group);
  });
  const verdict = differ === 0 ? "the sides agree at every value that is drawn" : `the sides differ at ${differ} of ${at.length} values`;
  figure.append(htmlElement("p", { class: "dim" }, `Circles: the left side. Dots: the right side. ${letter} runs${fixed === "" ? "" : `; ${fixed}`}. Here ${verdict}; a picture proves nothing.`));
}
