// A tensor that is larger than its window, as a whole: its last two dimensions, the others summed, in
// at most 32 by 32 fields, darker where more pairs of a sample end. A click moves the window.
"use strict";
const overviewSide = 32, fieldSize = 5, pointsAPass = 12, mostPasses = 8, milliseconds = 60;

class Overview {
  constructor(sizes) {
    const rank = sizes.length;
    this.axes = [rank >= 2 ? rank - 2 : null, rank >= 1 ? rank - 1 : null];
    [this.height, this.width] = this.axes.map((axis) => (axis === null ? 1 : sizes[axis]));
    this.rows = Math.min(this.height, overviewSide);
    this.columns = Math.min(this.width, overviewSide);
    this.counts = new Float64Array(this.rows * this.columns);
    this.sizes = sizes;
  }
  // One element of each field, another one each time; the same ones whenever the page is opened.
  *someElements(pass) {
    const next = someNumbers(pass);
    for (let i = 0; i < this.rows; i++)
      for (let k = 0; k < this.columns; k++) {
        const index = this.sizes.map((size) => Math.floor(next() * size));
        const within = (at, fields, size) => Math.min(size - 1, Math.floor(((at + next()) * size) / fields));
        if (this.axes[0] !== null) index[this.axes[0]] = within(i, this.rows, this.height);
        if (this.axes[1] !== null) index[this.axes[1]] = within(k, this.columns, this.width);
        yield index;
      }
  }
  add(index) {
    const [i, k] = this.axes.map((axis) => (axis === null ? 0 : index[axis]));
    if (index.some((at, d) => at < 0 || at >= this.sizes[d])) return;
    this.counts[Math.floor((i * this.rows) / this.height) * this.columns + Math.floor((k * this.columns) / this.width)]++;
  }
  show(tensor) {
    const { view, figure } = tensor;
    const zoomX = fieldSize, zoomY = this.rows === 1 ? 2 * fieldSize : fieldSize;
    const canvas = htmlElement("canvas", { class: "overview", width: this.columns * zoomX, height: this.rows * zoomY, role: "img" });
    const names = this.axes.filter((axis) => axis !== null).map((axis) => `d${axis}`).join(" and ");
    canvas.setAttribute("aria-label", `where pairs of a sample end, over ${names || "the scalar"}; the window is framed`);
    const paint = canvas.getContext("2d"), most = Math.max(1, ...this.counts), style = getComputedStyle(document.documentElement);
    paint.fillStyle = style.getPropertyValue("--grid");
    paint.fillRect(0, 0, canvas.width, canvas.height);
    paint.fillStyle = style.getPropertyValue("--map");
    this.counts.forEach((count, at) => {
      if (count === 0) return;
      paint.globalAlpha = 0.2 + (0.6 * Math.log1p(count)) / Math.log1p(most);
      paint.fillRect((at % this.columns) * zoomX, Math.floor(at / this.columns) * zoomY, zoomX, zoomY);
    });
    paint.globalAlpha = 1;
    paint.strokeStyle = style.getPropertyValue("--focus");
    paint.lineWidth = 2;
    const [top, left, high, wide] = [...this.axes.map((axis) => (axis === null ? 0 : view.starts[axis])), ...this.axes.map((axis) => (axis === null ? 1 : view.spans[axis]))];
    const scaleX = canvas.width / this.width, scaleY = canvas.height / this.height;
    paint.strokeRect(left * scaleX + 1, top * scaleY + 1, Math.max(4, wide * scaleX - 2), Math.max(4, high * scaleY - 2));
    canvas.addEventListener("click", (event) => {
      const box = canvas.getBoundingClientRect();
      const at = [((event.clientY - box.top) / box.height) * this.height, ((event.clientX - box.left) / box.width) * this.width];
      this.axes.forEach((axis, i) => {
        if (axis !== null) view.starts[axis] = Math.max(0, Math.min(this.sizes[axis] - view.spans[axis], Math.floor(at[i]) - (view.spans[axis] >> 1)));
      });
      tensor.draw();
    });
    figure.append(htmlElement("p", { class: "dim" }, `all of ${names || "it"}; darker: more pairs of a sample`), canvas);
  }
}

// Both sides at once: which elements of a sample are related to anything, and to what.
function drawOverviews(relation, from, to) {
  const clipped = [from, to].filter((tensor) => tensor.view.clipped().length > 0);
  if (clipped.length === 0) return;
  for (const tensor of [from, to]) tensor.overview = new Overview(tensor.view.sizes);
  const end = performance.now() + milliseconds;
  for (let pass = 0; pass < mostPasses && performance.now() < end; pass++)
    for (const index of from.overview.someElements(pass)) {
      const { items } = relation.image(index, { most: pointsAPass, spread: true });
      if (items.length > 0) from.overview.add(index);
      for (const item of items) to.overview.add(item.index);
    }
  for (const tensor of [from, to]) {
    if (!clipped.includes(tensor)) tensor.overview = undefined;
    tensor.draw();
  }
}
