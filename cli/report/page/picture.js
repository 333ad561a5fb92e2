// A relation as two tensors side by side. An element that has focus lights up what it is related to
// on the other side. Rank 1 to 4 are nested grids; further dimensions, and sizes past the window,
// have sliders.
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
    for (let i = sizes.length - 1; i >= 0 && sizes.length - i <= 4; i--) {
      this.spans[i] = Math.max(1, Math.min(sizes[i], Math.floor(most / cells), i >= sizes.length - 2 ? 48 : 12));
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
  // Missing: a cross. Superfluous: a diamond. Outside the tensor: a triangle at the nearest edge.
  mark(index, kind) {
    const nearest = index.map((at, i) => Math.max(0, Math.min(this.view.sizes[i] - 1, at)));
    if (!this.view.has(nearest)) this.view.moveTo(nearest), this.draw();
    const { x, y } = this.view.offset(nearest), s = cellSize;
    const outside = kind === "outside";
    const path = outside
      ? `M${x + s + 4},${y + s / 2} l10,-6 v12 z`
      : kind === "missing"
        ? `M${x + 3},${y + 3} l${s - 6},${s - 6} m0,${6 - s} l${6 - s},${s - 6}`
        : `M${x + s / 2},${y + 2} l${s / 2 - 2},${s / 2 - 2} l${2 - s / 2},${s / 2 - 2} l${2 - s / 2},${2 - s / 2} z`;
    const drawn = svgElement("path", { class: `mark mark-${kind}`, d: path }, this.svg);
    svgElement("title", {}, drawn).textContent = `${kind}: ${indexText(index)}`;
  }
}

// The pairs of the shown windows, both directions, by evaluating every shown element once.
class Relation {
  constructor(maps) {
    this.maps = maps;
  }
  image(element, most) {
    const items = new Map();
    let complete = true;
    for (const map of this.maps) {
      const image = imageOf(map, element, most);
      complete &&= image.complete;
      for (const item of image.items) {
        const before = items.get(item.index.join());
        items.set(item.index.join(), { index: item.index, always: item.always || before?.always === true });
      }
    }
    return { items: [...items.values()], complete };
  }
  preimage(element, view) {
    const wanted = element.join(), items = [];
    for (const index of view.elements()) {
      const found = this.image(index).items.find((item) => item.index.join() === wanted);
      if (found) items.push({ index: [...index], always: found.always });
    }
    return { items, complete: view.clipped().length === 0 };
  }
}

// The elements of both sides that are related to anything, of the part that is shown.
function takingPart(relation, from) {
  const taking = { from: new Set(), to: new Set() };
  for (const index of from.view.elements()) {
    const { items } = relation.image(index, 200);
    if (items.length > 0) taking.from.add(index.join());
    for (const item of items) taking.to.add(item.index.join());
  }
  return taking;
}

const listText = (items) =>
  items.length === 0 ? "nothing" : items.slice(0, 8).map((item) => indexText(item.index)).join(", ") + (items.length > 8 ? ` and ${items.length - 8} more` : "");

// row: { from, to, fromName, toName, maps, witness: { from, to, kind }? }
function drawRelation(figure, row) {
  const relation = new Relation(row.maps.map(parseMap));
  let taking = null; // until a window moves
  const said = htmlElement("p", { class: "said", "aria-live": "polite" });
  const show = (tensor, index) => {
    const forward = tensor === from, other = forward ? to : from;
    taking ??= takingPart(relation, from);
    from.clear(taking.from), to.clear(taking.to);
    const { items, complete } = forward ? relation.image(index) : relation.preimage(index, from.view);
    tensor.light(index, "focus");
    for (const item of items) {
      const inside = item.index.every((at, i) => at >= 0 && at < other.view.sizes[i]);
      if (!inside) other.mark(item.index, "outside");
      else other.light(item.index, item.always ? "read" : "some");
    }
    if (row.witness && forward && index.join() === row.witness.from.join()) other.mark(row.witness.to, row.witness.kind);
    const verb = forward ? "is related to" : "comes from";
    said.textContent = `${indexText(index)} ${verb} ${listText(items)}${complete ? "" : " (of the part that is shown)"}`;
    entry.value = index.join(", ");
  };
  const moved = () => (taking = null);
  const from = new Tensor(row.fromName, row.from, show, moved, row.witness?.from);
  const to = new Tensor(row.toName, row.to, show, moved, row.witness?.kind === "outside" ? null : row.witness?.to);
  const entry = htmlElement("input", { class: "element", type: "text", "aria-label": `element of ${row.fromName}`, size: 14 });
  const go = (index) => {
    if (index.length !== row.from.length || index.some((at, i) => !Number.isInteger(at) || at < 0 || at >= row.from[i])) {
      said.textContent = `an element of ${row.fromName} is ${row.from.length} numbers below ${row.from.join(", ")}`;
      return;
    }
    if (!from.view.has(index)) from.view.moveTo(index), from.draw();
    const first = relation.image(index).items[0];
    if (first && !to.view.has(first.index)) to.view.moveTo(first.index.map((at, i) => Math.max(0, Math.min(row.to[i] - 1, at)))), to.draw();
    show(from, index);
  };
  const typed = () => (entry.value.trim() === "" ? [] : entry.value.split(/[ ,()]+/).filter((word) => word !== "").map(Number));
  entry.addEventListener("change", () => go(typed()));
  entry.addEventListener("keydown", (event) => {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const index = typed();
    for (let i = index.length - 1; i >= 0; i--) {
      index[i] += step;
      if (index[i] >= 0 && index[i] < row.from[i]) break;
      index[i] = step > 0 ? 0 : row.from[i] - 1;
    }
    go(index);
  });
  figure.append(
    htmlElement("div", { class: "relation" }, from.figure, to.figure),
    htmlElement("p", { class: "controls" }, htmlElement("label", {}, `element of ${row.fromName}: `, entry), " (arrow keys step)"),
    said,
  );
  const start = row.witness?.from ?? row.from.map(() => 0);
  if (row.from.every((size) => size > 0)) go(start.map(Number));
}
