// Drives a headless Chromium over its debugging pipe: opens pages, evaluates scripts, presses keys,
// takes screenshots, records the console.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const flags = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
  "--disable-sync", "--hide-scrollbars", "--remote-debugging-pipe",
];

export class Browser {
  static async start() {
    const browser = new Browser();
    browser.directory = mkdtempSync(join(tmpdir(), "affirm-browser-"));
    browser.child = spawn("chromium", [...flags, `--user-data-dir=${browser.directory}`, "about:blank"], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    browser.waiting = new Map();
    browser.listeners = [];
    browser.console = [];
    browser.number = 0;
    let pending = "";
    browser.child.stdio[4].setEncoding("utf8").on("data", (data) => {
      const parts = (pending + data).split("\0");
      pending = parts.pop();
      for (const part of parts) browser.take(JSON.parse(part));
    });
    browser.child.on("error", (error) => browser.lose(error));
    browser.child.on("exit", () => browser.lose(new Error("the browser ended")));
    browser.child.stdio[3].on("error", () => {});
    const { targetInfos } = await browser.send("Target.getTargets");
    const { sessionId } = await browser.send("Target.attachToTarget", { targetId: targetInfos.find(({ type }) => type === "page").targetId, flatten: true });
    browser.session = sessionId;
    for (const domain of ["Page", "Runtime", "Log"]) await browser.send(`${domain}.enable`);
    return browser;
  }
  lose(error) {
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }
  take(message) {
    if (message.id !== undefined) {
      const { resolve, reject } = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      message.error === undefined ? resolve(message.result) : reject(new Error(message.error.message));
      return;
    }
    const { method, params } = message;
    if (method === "Runtime.consoleAPICalled") this.console.push(params.args.map(({ value, description }) => value ?? description).join(" "));
    if (method === "Runtime.exceptionThrown") this.console.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    if (method === "Log.entryAdded") this.console.push(params.entry.text);
    this.listeners = this.listeners.filter((listener) => !listener(method));
  }
  send(method, params = {}) {
    const id = ++this.number;
    this.child.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId: this.session })}\0`);
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }
  event(name) {
    return new Promise((resolve) => this.listeners.push((method) => method === name && (resolve(), true)));
  }
  // A page whose address differs only in its fragment is loaded again.
  async open(address) {
    if (this.at !== undefined) {
      const blank = this.event("Page.loadEventFired");
      await this.send("Page.navigate", { url: "about:blank" });
      await blank;
    }
    this.at = address;
    const loaded = this.event("Page.loadEventFired");
    await this.send("Page.navigate", { url: address });
    await loaded;
  }
  async evaluate(expression) {
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }
  // Resolves once the condition holds; the time limit of the test ends a wait that never does.
  async until(condition) {
    await this.evaluate(`new Promise((done) => { const look = () => ((${condition}) ? done(true) : setTimeout(look, 20)); look(); })`);
  }
  async press(key, modifiers = 0) {
    const codes = { Tab: 9, Enter: 13, " ": 32, ArrowUp: 38, ArrowDown: 40, ArrowLeft: 37, ArrowRight: 39 };
    const text = { Enter: "\r", " ": " " }[key];
    const event = { key, code: key === " " ? "Space" : key, windowsVirtualKeyCode: codes[key], modifiers, text };
    await this.send("Input.dispatchKeyEvent", { type: text === undefined ? "rawKeyDown" : "keyDown", ...event });
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", ...event });
  }
  async look({ width, height = 900, dark = false, print = false }) {
    await this.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
    await this.send("Emulation.setEmulatedMedia", { media: print ? "print" : "screen", features: [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }] });
  }
  async picture(path, whole = false) {
    const { data } = await this.send("Page.captureScreenshot", { format: "png", captureBeyondViewport: whole });
    writeFileSync(path, Buffer.from(data, "base64"));
  }
  async end() {
    const ended = new Promise((resolve) => this.child.once("exit", resolve));
    this.send("Browser.close").catch(() => {});
    setTimeout(() => this.child.kill("SIGKILL"), 5000).unref();
    await ended;
    rmSync(this.directory, { recursive: true, force: true, maxRetries: 5 });
  }
}
