// Requirements on every page of affirm in a real browser: an empty console, a layout that fits a
// phone and a desktop, light and dark, control by the keyboard alone, and no finding of axe-core if
// AFFIRM_AXE names its file or npm has installed it.
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";

export class Faults {
  items = [];
  expect(holds, what) {
    if (!holds) this.items.push(what);
  }
  end(what) {
    for (const fault of this.items) console.log(fault);
    if (this.items.length > 0) console.log(`${this.items.length} faults`), process.exit(1);
    console.log(what);
  }
}

// Everything visible that can have the focus.
const focusable = `[...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")].filter((one) => one.checkVisibility() && !one.disabled)`;

async function checkKeyboard(browser, name, faults) {
  await browser.evaluate(`${focusable}.forEach((one, i) => (one.dataset.stop = i)); document.activeElement.blur(); scrollTo(0, 0); true`);
  const count = await browser.evaluate(`${focusable}.length`), reached = new Set();
  for (let i = 0; i < count + 3; i++) {
    await browser.press("Tab");
    reached.add(await browser.evaluate("document.activeElement.dataset.stop ?? ''"));
  }
  reached.delete("");
  faults.expect(reached.size === count, `${name}: the Tab key reaches ${reached.size} of ${count}`);
}

function axePath() {
  if (process.env.AFFIRM_AXE) return process.env.AFFIRM_AXE;
  try {
    return createRequire(import.meta.url).resolve("axe-core/axe.min.js");
  } catch {
    return null;
  }
}

// On a phone and a desktop, in light, dark and print.
async function checkAxe(browser, name, faults) {
  const path = axePath();
  if (path === null) return void console.log(`${name}: axe-core is skipped: AFFIRM_AXE does not name it, and npm has not installed it: ci/pages`);
  faults.expect(existsSync(path), `AFFIRM_AXE: ${path} is not there`);
  if (!existsSync(path)) return;
  await browser.evaluate(`${readFileSync(path, "utf8")}; true`);
  const looks = [400, 1280].flatMap((width) => [{ width }, { width, dark: true }, { width, print: true }]);
  for (const look of looks) {
    await browser.look(look);
    const { passes, violations } = await browser.evaluate(`axe.run().then(({ passes, violations }) => ({ passes: passes.length,
      violations: violations.map(({ id, nodes }) => id + ": " + nodes.slice(0, 3).map(({ html }) => html.slice(0, 120)).join(" | ")) }))`);
    const where = `${name}, ${look.width} pixels${look.dark ? ", dark" : ""}${look.print ? ", print" : ""}`;
    faults.expect(passes > 5, `${where}: axe-core looked at ${passes} rules alone`);
    for (const violation of violations) faults.items.push(`${where}: axe-core: ${violation}`);
  }
  console.log(`${name}: axe-core was asked at ${looks.length} sizes and media`);
}

export async function checkPage(browser, name, faults) {
  for (const width of [400, 1280])
    for (const dark of [false, true]) {
      await browser.look({ width, dark });
      const wide = await browser.evaluate("document.documentElement.scrollWidth");
      faults.expect(wide <= width, `${name}: at ${width} pixels the page is ${wide} wide`);
      const [ink, page] = await browser.evaluate(`[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]`);
      const light = (colour) => /\d+/.exec(colour)[0] > 127;
      faults.expect(light(page) !== dark && light(ink) === dark, `${name}: ${dark ? "dark" : "light"} is ${ink} on ${page}`);
    }
  await browser.look({ width: 1280 });
  await checkKeyboard(browser, name, faults);
  await checkAxe(browser, name, faults);
  await browser.look({ width: 800, print: true });
  faults.expect(await browser.evaluate(`[...document.querySelectorAll("form, input, select, button:not(#matrix button)")].every((one) => !one.checkVisibility())`), `${name}: controls are printed`);
  faults.expect(await browser.evaluate(`[...document.querySelectorAll("#matrix button")].every((one) => one.checkVisibility())`), `${name}: the numbers of the matrix are not printed`);
  await browser.look({ width: 1280 });
  for (const line of browser.console) faults.items.push(`${name}: the console says: ${line}`);
  browser.console = [];
}
