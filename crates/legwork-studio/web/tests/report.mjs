// Opens reports in a browser without a screen and uses them as a person would.
// node tests/report.mjs FILE.html[:KIND,KIND]...; a page must have the kinds of blocks that are named after it, and
// whatever its document has must be on it. The environment variable CHROMIUM names another browser.

import assert from "node:assert/strict";
import { address, colours, launch, picture, watch } from "./browser.mjs";

const asked = process.argv.slice(2).map((word) => {
  const [file, kinds] = word.split(/:(?=[a-z,]+$)/);
  return { file, kinds: kinds?.split(",") ?? [] };
});
assert(asked.length > 0, "give the reports to open");
const browser = await launch();

/** Puts the time of the page into the hands of the test: frames and timers of the page happen when `pass` is called, and
 * at no other time, however busy the machine is. */
function takeTheClock() {
  const frame = window.requestAnimationFrame.bind(window);
  let [now, count] = [0, 0];
  const [frames, timers] = [new Map(), new Map()];
  performance.now = () => now;
  window.requestAnimationFrame = (act) => (frames.set(++count, act), count);
  window.cancelAnimationFrame = (number) => frames.delete(number);
  window.setTimeout = (act, wait = 0, ...rest) => (timers.set(++count, { act: () => act(...rest), at: now + (Number(wait) || 0) }), count);
  window.clearTimeout = (number) => timers.delete(number);
  /** So many milliseconds later: timers that are due in their order, then one frame. */
  window.pass = (milliseconds) => {
    now += milliseconds;
    const due = [...timers].filter(([, { at }]) => at <= now).sort(([, a], [, b]) => a.at - b.at);
    for (const [number] of due) {
      const timer = timers.get(number);
      timers.delete(number);
      timer?.act();
    }
    const waiting = [...frames.values()];
    frames.clear();
    for (const act of waiting) act(now);
  };
  /** Two frames of the browser: sizes are measured and everything is painted. */
  window.painted = () => new Promise((done) => frame(() => frame(done)));
}

/** Opens a report and counts what it must not do. */
async function open(file, options) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  await page.addInitScript(takeTheClock);
  const faults = watch(page, file);
  await page.goto(address(file));
  await page.locator("h1").waitFor();
  return { page, faults, close: () => context.close() };
}

/** What stands for a kind of block on the page. */
const PLACES = { animation: ".stage", lines: ".lines", heat: ".heat", cloud: ".cloud", table: "figure table", multiples: ".multiples" };

/** How many blocks of each kind the document has, those in others too. */
const contents = (page) =>
  page.evaluate(() => {
    const counts = {};
    const count = (blocks) => {
      for (const block of blocks) {
        counts[block.kind] = (counts[block.kind] ?? 0) + 1;
        if (block.blocks) count(block.blocks);
      }
    };
    for (const section of JSON.parse(document.getElementById("report").textContent).sections) count(section.blocks);
    return counts;
  });

/** Every block of the document is on the page, has an area, and is not wider than the screen. */
async function isWhole(page, file, kinds, width) {
  const counts = await contents(page);
  for (const kind of kinds) assert(counts[kind] > 0, `${file}: has no ${kind}`);
  for (const [kind, place] of Object.entries(PLACES)) {
    const boxes = await page.locator(place).evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
    assert.equal(boxes.length, counts[kind] ?? 0, `${file}: ${kind} in the document and on the page`);
    assert(boxes.every((box) => box.width > 20 && box.height > 20), `${file}: a ${kind} without area`);
  }
  assert.equal(await page.locator("figure table tbody tr").count() > 0, (counts.table ?? 0) > 0, `${file}: tables without rows`);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert(wide <= width, `${file}: ${wide} pixels wide on a screen of ${width}`);
  return counts;
}

const time = (page) => page.locator(".transport").evaluate((bar) => Number(bar.dataset.time));
/** Time goes on for the page. */
const pass = (page, milliseconds) => page.evaluate((milliseconds) => window.pass(milliseconds), milliseconds);
/** Two frames later everything asked for is drawn. */
const drawn = (page) =>
  page.evaluate(async () => {
    for (let k = 0; k < 2; k++) {
      await window.painted();
      window.pass(16);
    }
    await window.painted();
  });

async function moves(page, file) {
  const canvas = page.locator(".stage canvas");
  await drawn(page);
  assert((await colours(canvas)) > 20, `${file}: the robot is not drawn`);
  const start = await picture(canvas);

  // Play moves it as fast as it says, pause keeps it.
  await page.getByRole("combobox", { name: "Speed" }).selectOption("0.1");
  await page.getByRole("button", { name: "Play" }).click();
  const begin = await time(page);
  await pass(page, 200);
  const played = (await time(page)) - begin;
  assert(Math.abs(played - 0.02) < 1e-9, `${file}: a tenth of 200 ms is ${played} s`);
  await page.getByRole("button", { name: "Pause" }).click();
  await drawn(page);
  const paused = await time(page);
  assert((await picture(canvas)) !== start, `${file}: play does not move the robot`);
  await pass(page, 5000);
  assert.equal(await time(page), paused, `${file}: pause does not hold`);

  // The slider goes to the end and back, also by keys.
  const scrub = page.getByRole("slider", { name: "Time" });
  await scrub.focus();
  await page.keyboard.press("Home");
  await drawn(page);
  assert.equal(await picture(canvas), start, `${file}: the start does not look like the start`);
  await page.keyboard.press("End");
  const end = await time(page);
  assert(end > paused, `${file}: the slider does not reach the end`);

  // Keys turn the view.
  await drawn(page);
  const before = await picture(canvas);
  await canvas.focus();
  await page.keyboard.press("ArrowLeft");
  await drawn(page);
  assert((await picture(canvas)) !== before, `${file}: keys do not turn the view`);
}

async function plots(page, file, isMoving) {
  for (const canvas of await page.locator(".lines canvas").all()) {
    assert((await colours(canvas)) > 8, `${file}: a plot is blank`);
  }
  const plot = page.locator(".lines").first();
  await plot.scrollIntoViewIfNeeded();
  // Pointing at a plot sets the time, and the legend shows values.
  const over = plot.locator(".u-over");
  const box = await over.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + 20);
  await drawn(page);
  if (isMoving) {
    const ends = await page.evaluate(() => document.querySelector(".transport input").value);
    assert(Math.abs(Number(ends) - 5000) < 200, `${file}: the plot does not set the time (${ends})`);
  }
  assert.match(await plot.locator(".legend output").first().textContent(), /\d/);
  // A stretch is zoomed in all plots of the same axis, and back: on the page of a run in all, else in the section.
  const linked = isMoving ? page : page.locator("section", { has: plot }).first();
  const reset = linked.locator(".lines figcaption button:visible");
  assert.equal(await reset.count(), 0);
  await page.mouse.move(box.x + 0.3 * box.width, box.y + 30);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.6 * box.width, box.y + 30, { steps: 4 });
  await page.mouse.up();
  assert.equal(await reset.count(), await linked.locator(".lines").count(), `${file}: zoom is not linked`);
  await reset.first().click();
  assert.equal(await reset.count(), 0);
  // A curve can be hidden.
  const curve = plot.locator(".legend button").first();
  await curve.click();
  assert.equal(await curve.getAttribute("aria-pressed"), "false");
  await curve.click();
}

/** A run is hidden in the picture and in every plot at once. */
async function runs(page, file) {
  // Where the robot should be is drawn in the picture alone.
  const stage = page.locator(".animation .legend button", { hasNotText: /^reference$/ });
  if ((await stage.count()) === 0) return;
  const canvas = page.locator(".stage canvas");
  const name = (await stage.first().textContent()).trim();
  const same = page.locator(".legend button", { hasText: new RegExp(`^${name}$`) });
  assert((await same.count()) > 1, `${file}: the plots do not name the run ${name}`);
  await canvas.scrollIntoViewIfNeeded();
  await page.keyboard.press("End");
  await drawn(page);
  const before = await picture(canvas);
  await stage.first().click();
  await drawn(page);
  assert((await picture(canvas)) !== before, `${file}: the run ${name} cannot be hidden`);
  for (const one of await same.all()) assert.equal(await one.getAttribute("aria-pressed"), "false");
  await same.last().click();
  for (const one of await same.all()) assert.equal(await one.getAttribute("aria-pressed"), "true");
}

async function maps(page, file) {
  for (const canvas of await page.locator(".heat canvas, .cloud canvas").all()) {
    await canvas.scrollIntoViewIfNeeded();
    assert((await colours(canvas)) > 3, `${file}: a map is blank`);
  }
  const map = page.locator(".heat canvas").first();
  if ((await map.count()) === 0) return;
  await map.focus();
  await page.keyboard.press("ArrowRight");
  const figure = map.locator("xpath=ancestor::figure[contains(@class, 'card')]");
  assert.match(await figure.locator(".readout").first().textContent(), /x .*y .*\d/);
  assert((await page.locator(".ramp").count()) > 0, `${file}: nothing says what the colours mean`);
}

for (const { file, kinds } of asked) {
  const start = performance.now();
  for (const [width, height, scheme] of [[1280, 900, "light"], [390, 844, "dark"]]) {
    const { page, faults, close } = await open(file, { viewport: { width, height }, colorScheme: scheme, hasTouch: width < 600 });
    await drawn(page);
    const counts = await isWhole(page, file, kinds, width);
    assert.equal(await page.locator(".transport").count(), counts.animation ? 1 : 0, `${file}: play is there where a robot is`);
    if (width > 600) {
      if (counts.animation) await moves(page, file);
      if (counts.lines) await plots(page, file, counts.animation > 0);
      if (counts.animation) await runs(page, file);
      await maps(page, file);
      await page.getByRole("button", { name: /Copy command/ }).click();
      const copied = page.locator(".source button", { hasText: "Copied" });
      await copied.waitFor();
      await pass(page, 2000);
      assert.equal(await copied.count(), 0, `${file}: "Copied" stays`);
    } else {
      for (const canvas of await page.locator(".stage canvas, .plot canvas").all()) {
        assert((await colours(canvas)) > 3, `${file}: blank at phone width`);
      }
    }
    assert.deepEqual(faults, [], file);
    await close();
  }
  // Without scripts there is a word about it.
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(address(file));
  assert.match(await page.locator(".noscript").textContent(), /does not run scripts/);
  await context.close();
  console.log(`${file}: holds, ${((performance.now() - start) / 1000).toFixed(1)} s`);
}
await browser.close();
