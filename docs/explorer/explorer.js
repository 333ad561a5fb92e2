// The explorer: each keystroke asks the module in a worker, and the rows that come back are those of
// the report. The text stands in the address's fragment, so that a link is a case.
"use strict";
const byId = (id) => document.getElementById(id);
const entry = byId("text"), answers = byId("answer"), said = byId("status"), all = byId("all");
const patience = 3000; // milliseconds, after which a newer text ends the work on an older one
const pause = 250; // milliseconds without a keystroke, after which the address has the text: a browser takes 200 addresses in 30 seconds

const bytesOf = (base64) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
const through = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

async function fragmentOf(text) {
  const packed = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  let letters = "";
  for (const byte of packed) letters += String.fromCharCode(byte);
  return `t=${btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}${all.checked ? "&all" : ""}`;
}
async function textOf(fragment) {
  const found = /^#t=([\w-]+)(&all)?$/.exec(fragment);
  if (found === null) return null;
  all.checked = found[2] !== undefined;
  const packed = bytesOf(found[1].replaceAll("-", "+").replaceAll("_", "/"));
  return new TextDecoder().decode(await through(packed, new DecompressionStream("deflate-raw")));
}

class Asker {
  constructor(module, onAnswer) {
    this.module = module;
    this.onAnswer = onAnswer;
    this.number = 0;
    this.source = URL.createObjectURL(new Blob([byId("worker").textContent], { type: "text/javascript" }));
  }
  begin() {
    this.worker = new Worker(this.source);
    this.worker.postMessage({ module: this.module });
    this.worker.onmessage = ({ data }) => this.finish(data);
  }
  ask(text, everything) {
    this.next = { text, all: everything, number: ++this.number };
    if (this.asked === undefined) this.send();
    else if (performance.now() - this.since > patience) this.worker.terminate(), (this.worker = undefined), this.send();
  }
  send() {
    if (this.worker === undefined) this.begin();
    [this.asked, this.next, this.since] = [this.next, undefined, performance.now()];
    this.worker.postMessage(this.asked);
  }
  finish(answer) {
    this.asked = undefined;
    if (this.next !== undefined) this.send();
    else this.onAnswer(answer);
  }
}

// What the reader opened stays open; else the first row that is no pass, or the first.
function keepOpen() {
  const rows = [...answers.querySelectorAll("details.row")];
  const opened = new Set(answers.dataset.opened?.split(" "));
  for (const row of rows) {
    if (row.dataset.opcode === undefined && row.querySelector(".steps") !== null) row.querySelector(".steps").open = true;
    row.addEventListener("toggle", () => openRow(row));
  }
  const kept = rows.filter((row) => opened.has(row.id));
  const first = rows.find((row) => row.classList.contains("refuted")) ?? rows[0];
  for (const row of kept.length > 0 ? kept : first === undefined ? [] : [first]) row.open = true;
}

function show({ html, fault, milliseconds }) {
  const opened = [...answers.querySelectorAll("details.row[open]")].map((row) => row.id);
  answers.dataset.opened = answers.dataset.text === entry.value.slice(0, 40) ? opened.join(" ") : "";
  answers.dataset.text = entry.value.slice(0, 40);
  answers.classList.remove("late");
  if (fault === undefined) answers.innerHTML = html;
  else answers.replaceChildren(htmlElement("p", { class: "error" }, fault));
  const rows = answers.querySelectorAll("details.row"), refuted = answers.querySelectorAll("details.row.refuted").length;
  said.textContent = `${rows.length} row${rows.length === 1 ? "" : "s"}, ${refuted} refuted, ${milliseconds.toFixed(0)} ms`;
  keepOpen();
}

async function moduleOf() {
  const packed = byId("module")?.textContent;
  const bytes = packed ? await through(bytesOf(packed.trim()), new DecompressionStream("gzip")) : await (await fetch("explorer.wasm")).arrayBuffer();
  return WebAssembly.compile(bytes);
}

async function begin() {
  const asker = new Asker(await moduleOf(), show);
  let remembering = 0;
  const ask = (remember = true) => {
    answers.classList.add("late");
    asker.ask(entry.value, all.checked);
    clearTimeout(remembering);
    if (remember) remembering = setTimeout(async () => history.replaceState(null, "", `#${await fragmentOf(entry.value)}`), pause);
  };
  const cases = [...document.querySelectorAll("pre.example")];
  const examples = byId("examples");
  cases.forEach(({ dataset }, i) => examples.append(htmlElement("option", { value: i }, dataset.title)));
  const take = (i) => {
    entry.value = cases[i].textContent;
    byId("about").textContent = cases[i].dataset.file;
  };
  examples.addEventListener("change", () => {
    if (examples.value === "") return;
    take(examples.value);
    ask();
  });
  entry.addEventListener("input", () => ((byId("about").textContent = examples.value = ""), ask()));
  all.addEventListener("change", () => ask());
  byId("tools").addEventListener("submit", (event) => event.preventDefault());
  byId("link").addEventListener("click", async () => {
    history.replaceState(null, "", `#${await fragmentOf(entry.value)}`);
    await navigator.clipboard?.writeText(location.href);
    said.textContent = "the address of this page is the link";
  });
  const arrive = async () => {
    const linked = await textOf(location.hash).catch(() => null);
    if (linked !== null) entry.value = linked;
    else if (byId("given") !== null) (entry.value = byId("given").textContent), (byId("about").textContent = byId("given").dataset.file);
    else if (cases.length > 0) take(0), (examples.value = "0");
    ask(linked === null && location.hash !== "");
  };
  addEventListener("hashchange", arrive);
  await arrive();
}

begin().catch((error) => (said.textContent = `the explorer did not start: ${error.message}`));
