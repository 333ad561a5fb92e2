// Takes the pictures of the pages anew.  node docs/pictures/take.mjs BUILD   (BUILD: with the explorer and affirm_pad_excess_off_by_one)
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Browser } from "../../cli/test/browser.mjs";

const here = dirname(fileURLToPath(import.meta.url)), build = resolve(process.argv[2]), scratch = mkdtempSync(join(tmpdir(), "affirm-pictures-"));
const affirm = join(build, "affirm"), broken = join(build, "affirm_pad_excess_off_by_one"), browser = await Browser.start();
process.env.SOURCE_DATE_EPOCH = "1795392000";
process.chdir(scratch);
const modules = {
  "pad.hlo": "ENTRY e {\n  p = f32[4,3] parameter(0)\n  q = f32[] parameter(1)\n  ROOT r = f32[4,3] pad(p, q), padding=1_-1x0_0\n}\n",
  "large.hlo": "ENTRY e {\n  a = f32[32,56,56,64] parameter(0)\n  k = f32[3,3,64,64] parameter(1)\n  ROOT b = f32[32,28,28,64] convolution(a, k), window={size=3x3 stride=2x2 pad=1_0x1_0}, dim_labels=b01f_01io->b01f\n}\n",
  "unknown.hlo": 'ENTRY e {\n  p = f32[4,6] parameter(0)\n  ROOT c = f32[4] custom-call(p), custom_call_target="somebody_elses"\n}\n',
};
for (const [name, text] of Object.entries(modules)) writeFileSync(name, text);
const isSampled = `[...document.querySelectorAll("canvas.overview")].every((canvas) => canvas.dataset.sampled === "yes")`;
const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

async function report(name, program, files, look, { row, top = false, zoomed = false }) {
  spawnSync(program, ["report", "--page", `${name}.html`, ...files]);
  await browser.look(look);
  await browser.open(`file://${scratch}/${name}.html#${row}`);
  await browser.until(`document.querySelector("#${row} figure") !== null`);
  if (zoomed) await browser.evaluate(`document.querySelectorAll(".overview-in")[1].click()`);
  if (top) await browser.evaluate("scrollTo(0, 0)");
  await browser.until(isSampled);
  await wait(300);
  await browser.picture(join(here, `${name}.png`));
}
async function explorer(name, look, text) {
  writeFileSync("given", text ?? "");
  if (text !== undefined) execFileSync(affirm, ["explore", "--page", "explorer.html", "given"]);
  await browser.look(look);
  await browser.open(`file://${text === undefined ? join(build, "explorer/index.html") : join(scratch, "explorer.html")}`);
  await browser.until(`/\\d+ ms$/.test(document.getElementById("status").textContent) && document.querySelector("#answer .row") !== null && ${isSampled}`);
  await wait(300);
  await browser.picture(join(here, `${name}.png`));
}

await report("report-dark", broken, ["pad.hlo"], { width: 1000, height: 900, dark: true }, { row: "r0", top: true });
await report("report-large", affirm, ["large.hlo"], { width: 1200, height: 900 }, { row: "r0" });
await report("report-zoomed", affirm, ["large.hlo"], { width: 1200, height: 900 }, { row: "r0", zoomed: true });
await report("report-unknown", affirm, ["unknown.hlo"], { width: 800, height: 560 }, { row: "r0" });
await report("report-print", broken, ["pad.hlo"], { width: 800, height: 900, print: true }, { row: "r0", top: true });
await explorer("explorer", { width: 900, height: 560 });
await explorer("explorer-phone", { width: 400, height: 900, dark: true });
await explorer("explorer-map", { width: 900, height: 560 }, "(d0, d1) -> ((d0 * 8 + d1) floordiv 8, (d0 * 8 + d1) mod 8), domain: d0 in [0, 3], d1 in [0, 7]\n");
await browser.end();
rmSync(scratch, { recursive: true });
