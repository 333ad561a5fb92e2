// A tensor as a grid. Ranks 1 to 4 are nested grids. Further dimensions, and sizes larger than the
// window, have sliders, and an overview shows the position of the window.
"use strict";
const cellSize = 18, cellGap = 2, blockGap = 12, margin = 36;
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

// The shown elements of a tensor: a window of at most `most` cells, the minor dimensions first.
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
  // Offsets in pixels: dimensions alternate between horizontal and vertical; the minor one is
  // horizontal.
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
  // `isUnknown`: every element has a question mark, since the relation is unknown. `onRedrawn`:
  // called after the window moved, when elements must be highlighted again.
  constructor(title, sizes, { onFocus, onMove = () => {}, onRedrawn = () => {}, witness, isUnknown = false }) {
    this.view = new View(sizes);
    this.isUnknown = isUnknown;
    this.onFocus = onFocus;
    this.onMove = onMove;
    this.onRedrawn = onRedrawn;
    this.witness = witness;
    this.cells = new Map();
    this.title = title;
    this.figure = htmlElement("div", { class: "tensor" });
    this.draw();
  }
  redraw() {
    this.draw();
    this.onRedrawn();
  }
  draw() {
    this.onMove();
    this.cells.clear();
    this.figure.replaceChildren(htmlElement("p", { class: "dim" }, `${this.title} [${this.view.sizes.join(", ")}]`));
    const origin = this.view.offset(this.view.starts);
    const width = Math.max(origin.width, cellSize) + margin + 20, height = Math.max(origin.height, cellSize) + margin + 20;
    this.svg = svgElement("svg", { width, height, viewBox: `${-margin} ${-margin} ${width} ${height}`, role: "img", "aria-label": `${this.title}, shape ${this.view.sizes.join(" by ") || "scalar"}` }, this.figure);
    this.drawCells();
    this.drawAxes(origin);
    if (this.witness && this.view.has(this.witness)) this.ring(this.witness);
    this.whole = this.figure.appendChild(htmlElement("div"));
    this.overview?.show(this);
    for (const i of this.view.clipped()) this.drawSlider(i);
  }
  // Builds one text, since creating a thousand cells one by one takes longer than a keystroke may.
  // A cell names its element when the pointer is over it.
  drawCells() {
    const indices = new Map(), elements = [];
    let text = "";
    for (const index of this.view.elements()) {
      const { x, y } = this.view.offset(index);
      elements.push([...index]);
      text += `<rect class="cell" x="${x}" y="${y}" width="${cellSize}" height="${cellSize}" rx="2"/>`;
      if (this.isUnknown) text += `<text class="unknown" x="${x + cellSize / 2}" y="${y + cellSize - 5}">?</text>`;
    }
    this.svg.innerHTML = text;
    [...this.svg.querySelectorAll("rect")].forEach((cell, i) => (this.cells.set(elements[i].join(), cell), indices.set(cell, elements[i])));
    const look = ({ target }) => {
      const index = indices.get(target);
      if (index === undefined) return;
      if (target.firstChild === null) svgElement("title", {}, target).textContent = indexText(index);
      this.onFocus(this, index);
    };
    this.svg.addEventListener("pointerover", look);
    this.svg.addEventListener("click", look);
  }
  // The names of the dimensions (horizontal ones above the grid, vertical ones below it), and
  // numbers along the two minor ones.
  drawAxes(origin) {
    const { sizes, starts, spans } = this.view, rank = sizes.length;
    const say = (text, x, y, anchor) => (svgElement("text", { class: "axis", x, y, "text-anchor": anchor }, this.svg).textContent = text);
    const names = [rank - 1, rank - 2].map((minor) => [minor, minor - 2].filter((i) => i >= Math.max(0, rank - 4) && (i === minor || spans[i] > 1)).map((i) => (i === minor ? `d${i}` : `blocks d${i}`)));
    if (rank >= 1) say(`${names[0].join(", ")} →`, 0, -22, "start");
    if (rank >= 2) say(`${names[1].join(", ")} ↓`, -margin + 2, origin.height + 15, "start");
    for (const [level, most] of [[0, 6], [1, 8]]) {
      const i = rank - 1 - level;
      if (i < 0 || (level === 0 ? sizes.slice(0, -1) : sizes.slice(0, -2)).includes(0)) continue;
      const step = spans[i] <= most ? 1 : 5;
      for (let k = 0; k < spans[i]; k += step) {
        const at = k * (cellSize + cellGap);
        if (level === 0) say(starts[i] + k, at + cellSize / 2, -6, "middle");
        else say(starts[i] + k, -5, at + cellSize - 5, "end");
      }
    }
  }
  drawSlider(i) {
    const { starts, spans, sizes } = this.view;
    const slider = htmlElement("input", { type: "range", class: `window-d${i}`, min: 0, max: sizes[i] - spans[i], value: starts[i] });
    const label = htmlElement("label", { class: "controls" }, `d${i}: ${starts[i]} to ${starts[i] + spans[i] - 1} of ${sizes[i]} `, slider);
    slider.addEventListener("change", () => {
      starts[i] = Number(slider.value);
      this.redraw();
      this.figure.querySelector(`.window-d${i}`).focus();
    });
    this.figure.append(label);
  }
  ring(index) {
    const { x, y } = this.view.offset(index);
    svgElement("circle", { class: "ring", cx: x + cellSize / 2, cy: y + cellSize / 2, r: cellSize / 2 + 3 }, this.svg);
  }
  // A triangle that points away from the frame, on the side of the first dimension in which the
  // index is outside.
  beyond(index, nearest) {
    const { sizes, starts, spans } = this.view, s = cellSize;
    const out = Math.max(0, index.findIndex((at, i) => at !== nearest[i])), sign = index[out] < 0 ? -1 : 1;
    const edge = nearest.map((at, i) => (i > out && (i - out) % 2 === 0 ? starts[i] + (sign > 0 ? spans[i] - 1 : 0) : at));
    const { x, y } = this.view.offset(edge);
    return (sizes.length - 1 - out) % 2 === 0
      ? `M${sign > 0 ? x + s + 2 : x - 2},${y + s / 2 - 6} v12 l${9 * sign},-6 z`
      : `M${x + s / 2 - 6},${sign > 0 ? y + s + 2 : y - 2} h12 l-6,${9 * sign} z`;
  }
  // `taking`: the elements that are related to anything; null: not yet known.
  clear(taking) {
    for (const [key, cell] of this.cells) cell.setAttribute("class", taking?.has(key) ? "cell part" : "cell");
    this.svg.querySelectorAll(".mark").forEach((mark) => mark.remove());
  }
  shade(taking) {
    for (const [key, cell] of this.cells) if (taking.has(key) && cell.getAttribute("class") === "cell") cell.setAttribute("class", "cell part");
  }
  light(index, kind) {
    if (this.view.has(index)) this.cells.get(index.join())?.setAttribute("class", `cell ${kind}`);
  }
  // Marks an element. Missing: a cross. Superfluous: a diamond. Read by the operation: a dot.
  // Outside the tensor: a triangle outside the frame, beside the nearest element. The witness has a
  // ring. An element outside the window is skipped, unless the window follows.
  mark(index, kind, follows = false, isWitness = false) {
    const nearest = index.map((at, i) => Math.max(0, Math.min(this.view.sizes[i] - 1, at)));
    if (!this.view.has(nearest)) {
      if (!follows) return;
      this.view.moveTo(nearest), this.draw();
    }
    const { x, y } = this.view.offset(nearest), s = cellSize;
    const paths = {
      outside: kind === "outside" ? this.beyond(index, nearest) : "",
      missing: `M${x + 3},${y + 3} l${s - 6},${s - 6} m0,${6 - s} l${6 - s},${s - 6}`,
      extra: `M${x + s / 2},${y + 2} l${s / 2 - 2},${s / 2 - 2} l${2 - s / 2},${s / 2 - 2} l${2 - s / 2},${2 - s / 2} z`,
      real: `M${x + s / 2 - 3},${y + s / 2} a3,3 0 1 0 6,0 a3,3 0 1 0 -6,0 z`,
    };
    const drawn = svgElement("path", { class: `mark mark-${kind}`, d: paths[kind] }, this.svg);
    if (isWitness) {
      const [, left, top, way] = /^M([-\d.]+),([-\d.]+) (.)/.exec(paths[kind]);
      svgElement("circle", { class: "mark ring", cx: Number(left) + (way === "v" ? 3 : 6), cy: Number(top) + (way === "v" ? 6 : 3), r: 10 }, this.svg);
    }
    svgElement("title", {}, drawn).textContent = `${kind === "real" ? "read" : kind}: ${indexText(index)}`;
  }
}
