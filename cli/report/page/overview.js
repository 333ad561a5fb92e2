// An overview of a tensor that is larger than its window: two dimensions, the others summed, in at
// most 32 by 32 fields. A field is darker if more pairs of a sample end there. A click moves the
// window. Zooming shows a part in finer fields, and other dimensions can be chosen.
"use strict";
const overviewSide = 32, fieldSize = 5, pointsAPass = 12, mostPasses = 8, mostPassesOfPart = 64;
const mostSampling = { whole: 100, part: 600 }; // milliseconds of work

class Overview {
  // `onChange`: called when another part or other dimensions must be shown.
  constructor(sizes, onChange = () => {}) {
    const rank = sizes.length;
    this.sizes = sizes;
    this.onChange = onChange;
    this.choose([rank >= 2 ? rank - 2 : null, rank >= 1 ? rank - 1 : null]);
  }
  // Selects the vertical and the horizontal dimension, and shows all of both.
  choose(axes) {
    this.axes = axes;
    this.setPart(axes.map(() => 0), this.extents());
  }
  extents() {
    return this.axes.map((axis) => (axis === null ? 1 : this.sizes[axis]));
  }
  isWhole() {
    return this.extents().every((size, i) => size === (i === 0 ? this.height : this.width));
  }
  setPart(starts, [height, width]) {
    [this.starts, this.height, this.width] = [starts, height, width];
    this.rows = Math.min(height, overviewSide);
    this.columns = Math.min(width, overviewSide);
    this.clear();
  }
  clear() {
    this.counts = new Float64Array(this.rows * this.columns);
    this.isSampled = false;
    this.wanted = null; // the fields whose elements are sampled; null: all
  }
  // Shows half or twice as much of both dimensions, centred on the window.
  zoom(factor, view) {
    const wanted = this.extents().map((size, i) => Math.max(1, Math.min(size, Math.round((i === 0 ? this.height : this.width) * factor))));
    const starts = this.axes.map((axis, i) => {
      const middle = axis === null ? 0 : view.starts[axis] + (view.spans[axis] >> 1);
      return Math.max(0, Math.min(this.extents()[i] - wanted[i], middle - (wanted[i] >> 1)));
    });
    this.setPart(starts, wanted);
  }
  // Yields one element of each field with the field's number. Each pass yields other elements, and
  // they are the same whenever the page is opened.
  *someElements(pass) {
    const next = someNumbers(pass);
    for (let i = 0; i < this.rows; i++)
      for (let k = 0; k < this.columns; k++) {
        if (this.wanted !== null && !this.wanted.has(i * this.columns + k)) continue;
        const index = this.sizes.map((size) => Math.floor(next() * size));
        const within = (at, fields, size) => Math.min(size - 1, Math.floor(((at + next()) * size) / fields));
        if (this.axes[0] !== null) index[this.axes[0]] = this.starts[0] + within(i, this.rows, this.height);
        if (this.axes[1] !== null) index[this.axes[1]] = this.starts[1] + within(k, this.columns, this.width);
        yield [index, i * this.columns + k];
      }
  }
  // Counts the element; false if it is outside the shown part.
  add(index) {
    const [i, k] = this.axes.map((axis, which) => (axis === null ? 0 : index[axis] - this.starts[which]));
    if (index.some((at, d) => at < 0 || at >= this.sizes[d]) || i < 0 || k < 0 || i >= this.height || k >= this.width) return false;
    this.counts[Math.floor((i * this.rows) / this.height) * this.columns + Math.floor((k * this.columns) / this.width)]++;
    return true;
  }
  // Pairs per element of a field: the sizes of fields may differ by a row or a column. On the
  // sampled side each field has equally many sampled elements.
  densities() {
    if (this.isSource) return this.counts;
    const spans = (fields, size) => Array.from({ length: fields }, (one, i) => Math.ceil(((i + 1) * size) / fields) - Math.ceil((i * size) / fields));
    const high = spans(this.rows, this.height), wide = spans(this.columns, this.width);
    return this.counts.map((count, at) => count / (high[Math.floor(at / this.columns)] * wide[at % this.columns]));
  }
  // Paints the picture again whenever the sample grows.
  paint() {
    const { canvas, view } = this, paint = canvas.getContext("2d"), most = Math.max(1, ...this.counts), densities = this.densities(), densest = Math.max(...densities), style = getComputedStyle(document.documentElement);
    const zoomX = fieldSize, zoomY = this.rows === 1 ? 2 * fieldSize : fieldSize;
    paint.fillStyle = style.getPropertyValue("--grid");
    paint.fillRect(0, 0, canvas.width, canvas.height);
    paint.fillStyle = style.getPropertyValue("--map");
    densities.forEach((density, at) => {
      if (density === 0) return;
      paint.globalAlpha = 0.2 + (0.6 * Math.log1p((most * density) / densest)) / Math.log1p(most);
      paint.fillRect((at % this.columns) * zoomX, Math.floor(at / this.columns) * zoomY, zoomX, zoomY);
    });
    paint.globalAlpha = 1;
    paint.strokeStyle = style.getPropertyValue("--focus");
    paint.lineWidth = 2;
    const [top, left, high, wide] = [...this.axes.map((axis, i) => (axis === null ? 0 : view.starts[axis] - this.starts[i])), ...this.axes.map((axis) => (axis === null ? 1 : view.spans[axis]))];
    const scaleX = canvas.width / this.width, scaleY = canvas.height / this.height;
    paint.strokeRect(left * scaleX + 1, top * scaleY + 1, Math.max(4, wide * scaleX - 2), Math.max(4, high * scaleY - 2));
    const part = this.axes.flatMap((axis, i) => (axis === null ? [] : [`d${axis} ${this.starts[i]} to ${this.starts[i] + (i === 0 ? this.height : this.width) - 1}`])).join(", ");
    canvas.dataset.sampled = this.isSampled ? "yes" : "no";
    this.caption.textContent = `${this.isWhole() ? `all of ${this.names() || "it"}` : part}; darker: more pairs of a sample (${this.counts.reduce((sum, count) => sum + count, 0)} here)`;
  }
  names() {
    return this.axes.filter((axis) => axis !== null).map((axis) => `d${axis}`).join(" and ");
  }
  show(tensor) {
    const { view } = tensor;
    const canvas = htmlElement("canvas", { class: "overview", width: this.columns * fieldSize, height: this.rows * (this.rows === 1 ? 2 : 1) * fieldSize, role: "img" });
    canvas.setAttribute("aria-label", `where pairs of a sample end, over ${this.names() || "the scalar"}; the window is framed`);
    Object.assign(this, { view, canvas, caption: htmlElement("p", { class: "dim" }) });
    this.paint();
    canvas.addEventListener("click", (event) => {
      const box = canvas.getBoundingClientRect();
      const at = [((event.clientY - box.top) / box.height) * this.height, ((event.clientX - box.left) / box.width) * this.width];
      this.axes.forEach((axis, i) => {
        if (axis !== null) view.starts[axis] = Math.max(0, Math.min(this.sizes[axis] - view.spans[axis], this.starts[i] + Math.floor(at[i]) - (view.spans[axis] >> 1)));
      });
      tensor.redraw();
    });
    tensor.whole.replaceChildren(this.caption, canvas, this.controls(tensor));
  }
  // Buttons and choices. The one that was used keeps the focus when the picture is drawn again.
  controls(tensor) {
    const change = (name, work) => () => {
      work();
      this.onChange();
      tensor.figure.querySelector(`.overview-${name}`)?.focus();
    };
    const button = (name, words, factor, isUseless) => {
      const made = htmlElement("button", { type: "button", class: `overview-${name}` }, words);
      made.disabled = isUseless;
      made.addEventListener("click", change(name, () => this.zoom(factor, tensor.view)));
      return made;
    };
    const line = htmlElement("p", { class: "controls" }, button("in", "zoom in", 0.5, this.height * this.width === 1), " ", button("out", "zoom out", 2, this.isWhole()));
    if (this.sizes.length > 2)
      ["down", "across"].forEach((words, i) => {
        const choice = htmlElement("select", { class: `overview-${words}` }, ...this.sizes.map((size, d) => htmlElement("option", { value: d }, `d${d}`)));
        choice.value = this.axes[i];
        choice.addEventListener("change", change(words, () => {
          const axes = [...this.axes], chosen = Number(choice.value);
          if (axes[1 - i] === chosen) axes[1 - i] = axes[i];
          axes[i] = chosen;
          this.choose(axes);
        }));
        line.append(" ", htmlElement("label", {}, `${words} `, choice));
      });
    return line;
  }
}

// Samples both sides: which elements are related to anything, and to what. Once a part is shown,
// only those fields are sampled further that had an element related to the part.
function* sample(relation, from, to) {
  const isPart = !from.isWhole() || !to.isWhole(), hits = new Set();
  from.isSource = true;
  for (let pass = 0; pass < (isPart ? mostPassesOfPart : mostPasses); pass++) {
    for (const [index, field] of from.someElements(pass)) {
      const { items } = relation.image(index, { most: pointsAPass, spread: true });
      if (items.length > 0 && from.wanted === null) from.counts[field]++; // while all fields are sampled equally
      for (const item of items) if (to.add(item.index)) hits.add(field);
      yield false;
    }
    yield true; // a pass that is cut off would make its first fields darker
    if (isPart && pass === 1) from.wanted = hits;
  }
}

function drawOverviews(relation, from, to, onChange) {
  const clipped = [from, to].filter((tensor) => tensor.view.clipped().length > 0);
  if (clipped.length === 0) return;
  const both = [from, to].map((tensor) => (tensor.overview ??= new Overview(tensor.view.sizes, onChange)));
  for (const overview of both) overview.clear();
  for (const tensor of [from, to]) {
    if (!clipped.includes(tensor)) tensor.overview = undefined;
    tensor.overview?.show(tensor);
  }
  const points = (relation.sample = sample(relation, ...both));
  workInSlices(points, {
    most: both.every((overview) => overview.isWhole()) ? mostSampling.whole : mostSampling.part,
    isWanted: () => from.figure.isConnected && relation.sample === points,
    after: (isDone) => {
      for (const { overview } of clipped) (overview.isSampled = isDone), overview.paint();
    },
  });
}
