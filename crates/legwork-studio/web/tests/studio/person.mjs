// What a person does with the studio, in steps that the test is written in.

import assert from "node:assert/strict";
import { address, watch } from "../browser.mjs";

/** Lets a test reach the workers and the memory of the page, the curves that it shows, and make one call of the page's own
 * instance fail. */
function spy() {
  window.workers = [];
  window.memories = [];
  window.reports = [];
  const Real = Worker;
  window.Worker = class extends Real {
    constructor(...words) {
      super(...words);
      window.workers.push(this);
      this.addEventListener("message", ({ data }) => {
        if (data.answer?.includes('"report":{')) window.reports.push(JSON.parse(data.answer).ok.report);
        if (window.reports.length > 2) window.reports.shift();
      });
    }
  };
  const instantiate = WebAssembly.instantiate;
  WebAssembly.instantiate = async (...words) => {
    // What unpacks the library is made of bytes.
    if (!(words[0] instanceof WebAssembly.Module)) return instantiate(...words);
    const { exports } = await instantiate(...words);
    window.memories.push(exports.memory);
    const call = () => {
      if (window.trapNext) {
        window.trapNext = false;
        throw new WebAssembly.RuntimeError("unreachable");
      }
      exports.call();
    };
    return { exports: { ...exports, call } };
  };
}

/** The steps on a page, in a browser, compared with the program. */
export function person(browser, file, legwork) {
  async function open(options = {}, hash = "") {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce", ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(120_000); // a busy machine is no fault
    await page.addInitScript(spy);
    const faults = watch(page, file);
    await page.goto(address(file) + hash);
    await page.locator('.stage[data-ready="true"]').waitFor();
    return { page, context, faults };
  }

  const tab = (page, name) => page.getByRole("tab", { name }).click();
  const canvas = (page) => page.locator(".view canvas");
  /** Two pictures later everything asked for is drawn. */
  const drawn = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)))));
  const pick = async (page, name) => {
    await page.locator(".robot-pick").click();
    await page.getByRole("searchbox", { name: "Search robots" }).fill(name);
    await page.locator(".robot-card", { has: page.locator("b", { hasText: new RegExp(`^${name}$`) }) }).click();
    await page.locator(".robot-name", { hasText: name }).waitFor();
    await drawn(page);
  };
  /** Takes the platform by its ball and pulls it some pixels. */
  async function pull(page, dx, dy, steps = 6) {
    const box = await canvas(page).boundingBox();
    const at = (await canvas(page).getAttribute("data-platform")).split(" ").map(Number);
    await page.mouse.move(box.x + at[0], box.y + at[1]);
    await page.mouse.down();
    await page.mouse.move(box.x + at[0] + dx, box.y + at[1] + dy, { steps });
    await drawn(page);
    await page.mouse.up();
    await drawn(page);
  }
  const values = (page) => page.locator(".panel .row .control input, .panel .follows output").evaluateAll((all) => all.map((one) => one.value ?? one.textContent));
  const place = (page) => page.locator(".place").textContent();
  /** The printed numbers of the page, row by row. */
  const sheet = (page) =>
    page.locator(".sheet tbody tr").evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent)));

  /** The program prints the same digits for the command that the page gives. */
  async function agrees(page, name) {
    const shown = await sheet(page);
    assert(shown.length > 0 && shown[0].length > 0, `${name}: no numbers`);
    await tab(page, "Take away");
    const command = await page.locator('pre[aria-label="Command"]').first().textContent();
    await tab(page, "Pose");
    const words = command.trim().split(/\s+/).map((word) => word.replace(/^'(.*)'$/, "$1"));
    assert.equal(words[0], "legwork");
    // A wide table is printed in pieces, each with the names of its rows.
    const text = legwork(...words.slice(1));
    const rows = new Map();
    for (const line of text.split("\n")) {
      // A row that only names the motors has no name of its own.
      const words = line.trim().split(/\s{2,}/);
      const [name, ...cells] = /^\s{10}/.test(line) ? [`heads ${words[0].startsWith("motor")}`, ...words] : words;
      rows.set(name, [...(rows.get(name) ?? []), ...cells]);
    }
    const printed = new Set([...rows.values()].map((cells) => cells.join("  ")));
    for (const cells of shown) assert(printed.has(cells.join("  ")), `${name}: the program does not print ${cells.join("  ")} for ${command}\n${text}`);
    return shown.flat().length;
  }
  return { open, tab, canvas, drawn, pick, pull, values, place, sheet, agrees };
}
