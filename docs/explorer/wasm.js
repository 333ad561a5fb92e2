// The WebAssembly module of the explorer: memory in, HTML out. It asks its host for the time and for
// nothing else. Used by the page's worker and, in Node, by the test.
"use strict";
const noSuchCall = 52; // WASI: not supported

class Explorer {
  constructor(module) {
    this.module = module;
  }
  start() {
    const memory = () => new DataView(this.instance.exports.memory.buffer);
    const calls = {
      clock_time_get: (clock, precision, at) => (memory().setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true), 0),
      proc_exit: (code) => {
        throw new Error(`the module ended with ${code}`);
      },
    };
    const absent = (name) => () => {
      throw new Error(`${name} is not there in a browser`);
    };
    const imports = {};
    for (const { module, name } of WebAssembly.Module.imports(this.module))
      (imports[module] ??= {})[name] = calls[name] ?? (module === "env" ? absent(name) : () => noSuchCall);
    this.instance = new WebAssembly.Instance(this.module, imports);
  }
  // A module that has ended is not asked again: the next text gets a new one.
  answer(text, all) {
    if (this.instance === undefined) this.start();
    try {
      const { memory, explorer_input, explorer_answer } = this.instance.exports;
      const bytes = new TextEncoder().encode(text.replaceAll("\0", "\ufffd"));
      const at = explorer_input(bytes.length);
      new Uint8Array(memory.buffer, at, bytes.length).set(bytes);
      const begin = explorer_answer(all ? 1 : 0) >>> 0;
      const whole = new Uint8Array(memory.buffer);
      return new TextDecoder().decode(whole.subarray(begin, whole.indexOf(0, begin)));
    } catch (error) {
      this.instance = undefined;
      throw error;
    }
  }
}

if (typeof WorkerGlobalScope !== "undefined") {
  let explorer;
  onmessage = ({ data }) => {
    explorer ??= new Explorer(data.module);
    if (data.text === undefined) return;
    const begin = performance.now();
    let answer;
    try {
      answer = { html: explorer.answer(data.text, data.all) };
    } catch (error) {
      answer = { fault: String(error.message ?? error) };
    }
    postMessage({ ...answer, number: data.number, milliseconds: performance.now() - begin });
  };
}
