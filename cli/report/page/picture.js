// A tensor as a grid. Rank 1 to 4 are nested grids; further dimensions, and sizes past the window,
// have sliders, and an overview shows where the window is.
"use strict";
const cellSize = 18, cellGap = 2, blockGap = 12;
const svgNamespace = "http://www.w3.org/2000/svg";

function svgElement(name, attributes, parent) {
  const made = document.createElementNS(svgNamespace, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  parent?.append(made);
  return made;
}
function htmlElement(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}
const indexText = (index) => `(${index.join(", ")})`;

// Which elements of a tensor are shown: a window of at most `most` cells, the minor dimensions first.
class View {
  constructor(sizes, most = 1024) {
    this.sizes = sizes;
    this.starts = sizes.map(() => 0);
    this.spans = sizes.map(() => 1);
    let cells = 1;
    const isLarge = sizes.reduce((product, size) => product * size, 1) > most; // then two fit side by side
    for (let i = sizes.length - 1; i >= 0 && sizes.length - i <= 4; i--) {
      this.spans[i] = Math.max(1, Math.min(sizes[i], Math.floor(most / cells), i < sizes.length - 2 ? 12 : isLarge ? 24 : 48));
      cells *= this.spans[i];
    }
  }
  clipped() {
    return this.sizes.map((size, i) => i).filter((i) => this.spans[i] < this.sizes[i]);
  }
  has(index) {
    return index.every((at, i) => at >= this.starts[i] && at < this.starts[i] + this.spans[i]);
  }
  moveTo(index) {
    index.forEach((at, i) => {
      if (at < this.starts[i] || at >= this.starts[i] + this.spans[i])
        this.starts[i] = Math.max(0, Math.min(this.sizes[i] - this.spans[i], at - (this.spans[i] >> 1)));
    });
  }
  // Offsets in pixels: dimensions alternate between across and down, the minor one across.
  offset(index) {
    const at = { x: 0, y: 0 }, extent = { x: cellSize, y: cellSize };
    let axis = "x";
    for (let i = this.sizes.length - 1, level = 0; i >= 0; i--, level++) {
      const gap = level < 2 ? cellGap : blockGap;
      at[axis] += (index[i] - this.starts[i]) * (extent[axis] + gap);
      extent[axis] = this.spans[i] * (extent[axis] + gap) - gap;
      axis = axis === "x" ? "y" : "x";
    }
    return { ...at, width: extent.x, height: extent.y };
  }
  *elements() {
    if (this.sizes.some((size) => size === 0)) return;
    const index = [...this.starts];
    for (;;) {
      yield index;
      let i = index.length - 1;
      while (i >= 0 && ++index[i] >= this.starts[i] + this.spans[i]) index[i] = this.starts[i], i--;
      if (i < 0) return;
    }
  }
}

class Tensor {
  constructor(title, sizes, onFocus, onMove, witness) {
    this.view = new View(sizes);
    this.onFocus = onFocus;
    this.onMove = onMove;
    this.witness = witness;
    this.cells = new Map();
    this.title = title;
    this.figure = htmlElement("div", { class: "tensor" });
    this.draw();
  }
  draw() {
    this.onMove();
    this.cells.clear();
    this.figure.replaceChildren(htmlElement("p", { class: "dim" }, `${this.title} [${this.view.sizes.join(", ")}]`));
    const origin = this.view.offset(this.view.starts);
    const width = Math.max(origin.width, cellSize) + 40, height = Math.max(origin.height, cellSize) + 40;
    this.svg = svgElement("svg", { width, height, viewBox: `-20 -20 ${width} ${height}`, role: "img", "aria-label": `${this.title}, shape ${this.view.sizes.join(" by ") || "scalar"}` }, this.figure);
    for (const index of this.view.elements()) this.drawCell([...index]);
    this.drawAxes(origin);
    if (this.witness && this.view.has(this.witness)) this.ring(this.witness);
    this.overview?.show(this);
    for (const i of this.view.clipped()) this.drawSlider(i);
  }
  drawCell(index) {
    const { x, y } = this.view.offset(index);
    const cell = svgElement("rect", { class: "cell", x, y, width: cellSize, height: cellSize, rx: 2 }, this.svg);
    svgElement("title", {}, cell).textContent = indexText(index);
    cell.addEventListener("pointerenter", () => this.onFocus(this, index));
    cell.addEventListener("click", () => this.onFocus(this, index));
    this.cells.set(index.join(), cell);
  }
  drawAxes(origin) {
    const rank = this.view.sizes.length;
    if (rank >= 1) svgElement("text", { class: "axis", x: 0, y: -6 }, this.svg).textContent = `d${rank - 1} →`;
    if (rank >= 2) svgElement("text", { class: "axis", x: -18, y: origin.height + 14 }, this.svg).textContent = `d${rank - 2} ↓`;
  }
  drawSlider(i) {
    const { starts, spans, sizes } = this.view;
    const slider = htmlElement("input", { type: "range", min: 0, max: sizes[i] - spans[i], value: starts[i] });
    const label = htmlElement("label", { class: "controls" }, `d${i}: ${starts[i]} to ${starts[i] + spans[i] - 1} of ${sizes[i]} `, slider);
    slider.addEventListener("change", () => {
      starts[i] = Number(slider.value);
      this.draw();
    });
    this.figure.append(label);
  }
  ring(index) {
    const { x, y } = this.view.offset(index);
    svgElement("circle", { class: "ring", cx: x + cellSize / 2, cy: y + cellSize / 2, r: cellSize / 2 + 3 }, this.svg);
  }
  clear(taking) {
    for (const [key, cell] of this.cells) cell.setAttribute("class", taking.has(key) ? "cell part" : "cell");
    this.svg.querySelectorAll(".mark").forEach((mark) => mark.remove());
  }
  light(index, kind) {
    this.cells.get(index.join())?.setAttribute("class", `cell ${kind}`);
  }
  // Missing: a cross. Superfluous: a diamond. Really read: a dot. Outside the tensor: a triangle
  // beyond the nearest edge. What is not in the window is left out, unless the window shall follow.
  mark(index, kind, follows = false) {
    const nearest = index.map((at, i) => Math.max(0, Math.min(this.view.sizes[i] - 1, at)));
    if (!this.view.has(nearest)) {
      if (!follows) return;
      this.view.moveTo(nearest), this.draw();
    }
    const { x, y } = this.view.offset(nearest), s = cellSize;
    const paths = {
      outside: `M${x + s + 4},${y + s / 2} l10,-6 v12 z`,
      missing: `M${x + 3},${y + 3} l${s - 6},${s - 6} m0,${6 - s} l${6 - s},${s - 6}`,
      extra: `M${x + s / 2},${y + 2} l${s / 2 - 2},${s / 2 - 2} l${2 - s / 2},${s / 2 - 2} l${2 - s / 2},${2 - s / 2} z`,
      real: `M${x + s / 2 - 3},${y + s / 2} a3,3 0 1 0 6,0 a3,3 0 1 0 -6,0 z`,
    };
    const drawn = svgElement("path", { class: `mark mark-${kind}`, d: paths[kind] }, this.svg);
    svgElement("title", {}, drawn).textContent = `${kind === "real" ? "read" : kind}: ${indexText(index)}`;
  }
}
