// A relation as two tensors side by side. The focused element highlights its related elements on
// the other side: elements of the map are filled, elements that the operation reads have a dot if
// the reads are known. Elements in only one of the two have a mark of their own.
"use strict";

// Limits on visited points: for an element, for each element tried in the other direction, and for
// each element of a whole window.
const workSlice = 12; // milliseconds
const mostPoints = { ofElement: 4096, ofTry: 1024, ofPart: 200 };

// The pairs of the shown windows, in both directions, by evaluating every shown element once.
// `most` is the limit for all maps together.
class Relation {
  constructor(maps) {
    this.maps = maps;
    this.fixed = {}; // values of runtime variables
  }
  image(element, { most = mostPoints.ofElement, spread = false } = {}) {
    if (this.maps.length === 1) return imageOf(this.maps[0], element, { most, spread, fixed: this.fixed });
    const items = new Map();
    let complete = true;
    for (const map of this.maps) {
      const image = imageOf(map, element, { most: Math.ceil(most / this.maps.length), spread, fixed: this.fixed });
      complete &&= image.complete;
      for (const item of image.items) {
        const key = keyOf(item.index), before = items.get(key);
        items.set(key, { index: item.index, always: item.always || before?.always === true });
      }
    }
    return { items: [...items.values()], complete };
  }
  preimage(element, view) {
    const items = [], most = Math.ceil(mostPoints.ofTry / this.maps.length), isWanted = (index) => index.every((at, i) => at === element[i]);
    let complete = view.clipped().length === 0;
    for (const index of view.elements()) {
      let found = null;
      for (const map of this.maps) {
        let hits = false;
        const isWhole = visitImage(map, index, { most, fixed: this.fixed }, (result) => (hits = isWanted(result)));
        complete &&= isWhole;
        if (hits) found = { index: [...index], always: found?.always === true || isDecided(map, this.fixed) };
      }
      if (found !== null) items.push(found);
    }
    return { items, complete };
  }
}

const flatOf = (index, sizes) => index.reduce((flat, at, i) => flat * sizes[i] + at, 0);
function indexOf(flat, sizes) {
  const index = sizes.map(() => 0);
  for (let i = sizes.length - 1; i >= 0; i--) (index[i] = flat % sizes[i]), (flat = Math.floor(flat / sizes[i]));
  return index;
}

// What the operation reads, if the row has it: numbers of operand elements for each output element.
class Reads {
  constructor(lists, row) {
    [this.lists, this.row] = [lists, row];
  }
  // The elements related to one element of the side that the maps start from, or of the other side.
  of(index, forward) {
    const { from, to, direction } = this.row;
    const sizes = forward ? from : to, others = forward ? to : from, flat = flatOf(index, sizes);
    const isOutput = forward === (direction === "o2i");
    const found = isOutput ? this.lists[flat] : this.lists.flatMap((list, output) => (list.includes(flat) ? [output] : []));
    return found.map((at) => indexOf(at, others));
  }
}

// The elements of both sides, in the shown part, that are related to anything. If an element is
// related to too many, the other side is left unknown. Yields between elements.
function* takingPart(relation, from) {
  const taking = { from: new Set(), to: new Set(), isComplete: true };
  for (const index of from.view.elements()) {
    const { items, complete } = relation.image(index, { most: mostPoints.ofPart, spread: true });
    taking.isComplete &&= complete;
    if (items.length > 0) taking.from.add(index.join());
    if (taking.isComplete) for (const item of items) taking.to.add(item.index.join());
    yield;
  }
  if (!taking.isComplete) taking.to.clear();
  return taking;
}

// Runs the steps in slices after the next frame, so that no keystroke waits. `isWanted` is called
// before each slice; `after` is called after each, with whether the work is done. After `most`
// milliseconds the work ends at the next step that yields true.
function workInSlices(steps, { most = Infinity, isWanted, after }) {
  let left = most;
  const slice = () => {
    if (!isWanted()) return;
    const begin = performance.now();
    let step = { done: false };
    let isOver = false;
    while (!isOver && performance.now() - begin < workSlice) {
      step = steps.next();
      isOver = step.done || (step.value === true && left - (performance.now() - begin) <= 0);
    }
    left -= performance.now() - begin;
    after(isOver, step.value);
    if (!isOver) setTimeout(slice);
  };
  requestAnimationFrame(() => setTimeout(slice));
}

const listText = (items) =>
  items.length === 0 ? "nothing" : items.slice(0, 8).map((item) => indexText(item.index)).join(", ") + (items.length > 8 ? ` and ${items.length - 8} more` : "");

// A slider for each runtime variable: all values, or one.
function runtimeSliders(relation, changed) {
  const bounds = new Map();
  for (const { name, lo, hi } of relation.maps.flatMap((map) => map.runtimes)) {
    const known = bounds.get(name);
    bounds.set(name, { lo: known && known.lo < lo ? known.lo : lo, hi: known && known.hi > hi ? known.hi : hi });
  }
  return [...bounds].map(([name, { lo, hi }]) => {
    const slider = htmlElement("input", { type: "range", min: Number(lo) - 1, max: Number(hi), value: Number(lo) - 1 });
    const said = htmlElement("span", {}, "any value ");
    slider.addEventListener("input", () => {
      const value = BigInt(slider.value);
      if (value < lo) delete relation.fixed[name];
      else relation.fixed[name] = value;
      said.textContent = value < lo ? "any value " : `= ${value} `;
      changed();
    });
    return htmlElement("label", { class: "controls" }, `${name} `, said, slider);
  });
}

// Entries that change the bounds of each map's variables: the picture follows, the row's map is
// unchanged.
function boundEntries(relation, changed) {
  const lines = relation.maps.flatMap((map) => [...map.dims, ...map.ranges].map((variable) => {
    const entry = (end) => {
      const input = htmlElement("input", { type: "text", inputmode: "numeric", size: 5, value: String(variable[end]), "aria-label": `${end === "lo" ? "lower" : "upper"} bound of ${variable.name}` });
      input.addEventListener("change", () => {
        const isNumber = /^-?\d{1,18}$/.test(input.value.trim());
        input.setAttribute("aria-invalid", String(!isNumber));
        if (isNumber) (variable[end] = BigInt(input.value.trim())), delete map.runnable, changed();
      });
      return input;
    };
    return htmlElement("p", { class: "controls" }, `${variable.name} in [`, entry("lo"), ", ", entry("hi"), "]");
  }));
  if (lines.length === 0) return [];
  return [htmlElement("details", { class: "bounds" }, htmlElement("summary", {}, "change a bound"), ...lines)];
}

// Corners of the maps' domains that are outside the tensor.
function domainBeyond(maps, sizes) {
  const corners = [];
  for (const { dims, empty } of maps) {
    if (empty || dims.length !== sizes.length) continue;
    if (dims.some(({ lo }) => lo < 0n)) corners.push(dims.map(({ lo }) => indexNumber(lo)));
    if (dims.some(({ hi }, i) => hi >= BigInt(sizes[i]))) corners.push(dims.map(({ hi }) => indexNumber(hi)));
  }
  return corners;
}

// The meaning of the marks that this row can have.
function legendOf(row, hasRuntimes, isBeyond) {
  const entries = [["read", row.reads ? "in the map" : "related"]];
  if (hasRuntimes) entries.push(["some", "for some values of the runtime variables"]);
  if (row.reads) entries.push(["real", "really read"], ["missing", "read, and not in the map"], ["extra", "in the map, and not read"]);
  else if (row.witness) entries.push([row.witness.kind, { missing: "read, and not in the map", extra: "in the map, and not read", outside: "outside the tensor" }[row.witness.kind]]);
  if (isBeyond && !entries.some(([kind]) => kind === "outside")) entries.push(["outside", "outside the tensor"]);
  const list = htmlElement("ul", { class: "legend marks" });
  for (const [kind, words] of entries) {
    const line = htmlElement("li"), svg = svgElement("svg", { width: 34, height: 22, viewBox: "-2 -2 34 22", "aria-hidden": "true" }, line);
    const sample = { view: { sizes: [1], starts: [0], spans: [1], has: () => true, offset: () => ({ x: 0, y: 0 }) }, beyond: Tensor.prototype.beyond, svg };
    svgElement("rect", { class: `cell ${kind === "read" || kind === "some" ? kind : kind === "real" ? "read" : kind === "extra" ? "extra" : ""}`, width: cellSize, height: cellSize, rx: 2 }, svg);
    if (kind !== "read" && kind !== "some") Tensor.prototype.mark.call(sample, [kind === "outside" ? 1 : 0], kind);
    line.append(words);
    list.append(line);
  }
  return list;
}

// An entry for an element of a tensor: typed, or changed with the arrow keys. `go` receives the
// typed index.
function elementEntry(name, sizes, go) {
  const entry = htmlElement("input", { class: "element", type: "text", "aria-label": `element of ${name}`, size: 14 });
  const typed = () => (entry.value.trim() === "" ? [] : entry.value.split(/[ ,()]+/).filter((word) => word !== "").map(Number));
  entry.addEventListener("change", () => go(typed()));
  entry.addEventListener("keydown", (event) => {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const found = typed(), index = found.length === sizes.length ? found : sizes.map(() => 0);
    for (let i = index.length - 1; i >= 0; i--) {
      index[i] += step;
      if (index[i] >= 0 && index[i] < sizes[i]) break;
      index[i] = step > 0 ? 0 : sizes[i] - 1;
    }
    go(index);
  });
  return entry;
}

// row: { from, to, fromName, toName, direction, maps, witness: { from, to, kind }?, reads? }
function drawRelation(figure, row) {
  const relation = new Relation(row.maps.map(parseMap));
  const reads = row.reads && new Reads(row.reads, row);
  let beyond = row.beyond ? [row.beyond] : domainBeyond(relation.maps, row.from);
  let taking = null, steps = null; // the related elements, until a window moves; the work that finds them
  let shown = null; // the focused element
  const said = htmlElement("p", { class: "said", "aria-live": "polite" });
  const markReal = (items, real, other) => {
    const inMap = new Set(items.map((item) => item.index.join())), inReads = new Set(real.map((index) => index.join()));
    for (const index of real) other.mark(index, inMap.has(index.join()) ? "real" : "missing");
    for (const { index } of items) if (!inReads.has(index.join())) other.light(index, "extra"), other.mark(index, "extra");
    const lacks = real.filter((index) => !inMap.has(index.join())).length, more = items.filter(({ index }) => !inReads.has(index.join())).length;
    if (real.length + items.length === 0) return ", and nothing is read";
    return lacks + more === 0 ? "; all of it is read, and nothing else" : `; ${lacks} read and not in the map, ${more} in the map and not read`;
  };
  // `follows`: the other side's window moves to elements outside it, or to the witness.
  const show = (tensor, index, follows = true) => {
    const forward = tensor === from, other = forward ? to : from;
    shown = [tensor, index];
    from.clear(taking?.from), to.clear(taking?.to);
    const { items, complete } = forward ? relation.image(index) : relation.preimage(index, from.view);
    for (const corner of beyond) from.mark(corner, "outside", false, corner === row.beyond);
    tensor.light(index, "focus");
    let outside = 0;
    for (const item of items) {
      const inside = item.index.every((at, i) => at >= 0 && at < other.view.sizes[i]);
      outside += !inside;
      if (!inside) other.mark(item.index, "outside", follows);
      else other.light(item.index, item.always ? "read" : "some");
    }
    const compared = reads ? markReal(items, reads.of(index, forward), other) : "";
    if (row.witness && !reads && forward && index.join() === row.witness.from.join()) other.mark(row.witness.to, row.witness.kind, follows);
    const verb = forward ? "is related to" : "comes from";
    said.textContent = `${indexText(index)} ${verb} ${listText(items)}${complete ? "" : " (of what was tried)"}${outside > 0 ? `, ${outside === items.length ? "" : `${outside} of them `}outside of ${other.title}` : ""}${compared}`;
    for (const [side, entry] of entries) entry.value = side === tensor ? index.join(", ") : "";
    if (taking === null && steps === null) findTaking();
  };
  const findTaking = () => {
    const found = (steps = takingPart(relation, from));
    figure.dataset.shaded = "no";
    workInSlices(found, {
      isWanted: () => steps === found && from.figure.isConnected,
      after: (isDone, value) => {
        if (!isDone) return;
        [taking, steps] = [value, null];
        from.shade(taking.from), to.shade(taking.to);
        figure.dataset.shaded = "yes";
      },
    });
  };
  const onMove = () => (taking = steps = null), onRedrawn = () => shown && show(...shown, false), onFocus = (tensor, index) => show(tensor, index);
  const from = new Tensor(row.fromName, row.from, { onFocus, onMove, onRedrawn, witness: row.witness?.from });
  const to = new Tensor(row.toName, row.to, { onFocus, onMove, onRedrawn, witness: row.witness?.kind === "outside" ? null : row.witness?.to });
  const isElement = (index, name, sizes) => {
    const is = index.length === sizes.length && index.every((at, i) => Number.isInteger(at) && at >= 0 && at < sizes[i]);
    if (!is) said.textContent = `an element of ${name} is ${sizes.length} numbers below ${sizes.join(", ")}`;
    return is;
  };
  const go = (index) => {
    if (!isElement(index, row.fromName, row.from)) return;
    if (!from.view.has(index)) from.view.moveTo(index), from.draw();
    const first = relation.image(index).items[0];
    if (first && !to.view.has(first.index)) to.view.moveTo(first.index.map((at, i) => Math.max(0, Math.min(row.to[i] - 1, at)))), to.draw();
    show(from, index);
  };
  const goBack = (index) => {
    if (!isElement(index, row.toName, row.to)) return;
    if (!to.view.has(index)) to.view.moveTo(index), to.draw();
    show(to, index);
  };
  const entries = new Map([[from, elementEntry(row.fromName, row.from, go)], [to, elementEntry(row.toName, row.to, goBack)]]);
  const changed = () => (onMove(), drawOverviews(relation, from, to, changed), onRedrawn());
  const sliders = runtimeSliders(relation, changed);
  const bounds = boundEntries(relation, () => ((beyond = domainBeyond(relation.maps, row.from)), changed()));
  drawOverviews(relation, from, to, changed);
  figure.append(
    htmlElement("div", { class: "relation" }, from.figure, to.figure),
    htmlElement("p", { class: "controls" }, ...[...entries].flatMap(([side, entry]) => [htmlElement("label", {}, `element of ${side.title}: `, entry), " "]), "(arrow keys step)"),
    ...sliders,
    ...bounds,
    said,
  );
  const start = row.witness?.from ?? (row.beyond ?? row.from.map(() => 0)).map((at, i) => Math.max(0, Math.min(row.from[i] - 1, at)));
  if (row.from.every((size) => size > 0)) go(start.map(Number));
  else said.textContent = `${row.fromName} has no element`;
  if (row.beyond) said.prepend(`${indexText(row.beyond)} is in the map's domain, and outside of ${row.fromName}; `);
  figure.append(legendOf(row, sliders.length > 0, beyond.length > 0 || from.figure.parentNode.querySelector(".mark-outside") !== null));
}

// Draws both tensors of a row without a relation. A question mark differs from an element that
// reads nothing.
function drawUnrelated(figure, row) {
  const said = htmlElement("p", { class: "said", "aria-live": "polite" }, "? What these elements are related to is not known.");
  const onFocus = (tensor, index) => (said.textContent = `? What ${indexText(index)} of ${tensor.title} is related to is not known.`);
  const sides = [[row.fromName, row.from], [row.toName, row.to]].map(([name, sizes]) => new Tensor(name, sizes, { onFocus, isUnknown: true }).figure);
  figure.append(htmlElement("div", { class: "relation" }, ...sides), said);
}
