// A motion: composed, run, watched, compared, taken away.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { address, colours, picture, watch } from "../browser.mjs";
import { downloaded } from "./downloads.mjs";

/** Something is refused, and its field says so. */
async function refusedAt(page, name, words) {
  const input = page.getByRole("textbox", { name, exact: true });
  await page.waitForFunction((input) => input.getAttribute("aria-invalid") === "true", await input.elementHandle());
  const fault = page.locator(`#${await input.getAttribute("aria-describedby")}`);
  await fault.waitFor();
  assert.match(await fault.textContent(), words);
}

/** A pick-and-place cycle: run, scrubbed, compared, taken away, read back. */
export async function motion(kit) {
  const { open, tab, canvas, drawn, pull, place, legwork, done, work, folder } = kit;
  const { page, context, faults } = await open({ acceptDownloads: true });
  await page.getByRole("button", { name: "Got it" }).click();
  await tab(page, "Motion");
  await page.getByRole("combobox", { name: "path", exact: true }).selectOption("pick-and-place");
  await page.getByRole("textbox", { name: "payload carried" }).fill("rubbish");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  // What is refused is said at its field, in the library's words.
  await refusedAt(page, "payload carried", /rubbish/);
  await page.getByRole("textbox", { name: "payload carried" }).fill("");
  for (const [name, value] of [["lag of the motors", "-2 ms"], ["frequency", "20 kg"], ["height", "60 s"], ["from", "0.1, nonsense, -0.3"], ["move time", "-1 s"]]) {
    await page.locator("[role=tabpanel]:not([hidden])").getByLabel(name, { exact: true }).evaluate((input, value) => (input.value = value), value);
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await refusedAt(page, name, /\w{3}/);
    await page.getByRole("textbox", { name, exact: true }).fill("");
  }
  await page.getByRole("textbox", { name: "payload carried" }).fill("200 g");
  await page.getByRole("textbox", { name: "frequency" }).fill("20 Hz");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.locator(".dock .transport").waitFor();
  const time = () => page.locator(".transport").evaluate((bar) => Number(bar.dataset.time));
  await drawn(page);
  const start = await picture(canvas(page));
  // Where the robot should be is drawn over where it is, and can be hidden, here and in the plots.
  const wish = page.locator('.dock [aria-label="Runs"] button', { hasText: "reference" });
  await wish.click();
  await drawn(page);
  assert.notEqual(await picture(canvas(page)), start, "the reference is not in the picture");
  assert.equal(await page.locator(".dock .lines .legend button[aria-pressed=false]", { hasText: "reference" }).count(), await page.locator(".dock .lines .legend button", { hasText: "reference" }).count());
  await wish.click();
  await page.getByRole("slider", { name: "Time" }).focus();
  await page.keyboard.press("End");
  await drawn(page);
  const end = await time();
  assert(end > 0, "the slider does not reach the end");
  assert.notEqual(await picture(canvas(page)), start, "scrubbing does not move the robot");
  await page.getByRole("button", { name: "One picture back" }).click();
  assert((await time()) < end, "frame by frame does not go back");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.waitForFunction(() => document.querySelector(".play").dataset.state === "playing" || Number(document.querySelector(".transport").dataset.time) > 0);
  const plots = await page.locator(".dock .lines").count();
  assert(plots >= 5, `${plots} plots`);
  for (const plot of (await page.locator(".dock .lines canvas").all()).slice(0, 4)) assert((await colours(plot)) > 8, "a plot is blank");
  assert((await page.locator(".dock .lines .legend", { hasText: "reference" }).count()) >= 1, "no reference beside the actual");
  if (folder) await page.screenshot({ path: join(folder, "run-1440.png") });
  // The line that is given runs in the program, and says the same.
  const printed = await page.locator('pre[aria-label^="Numbers of run 1"]').textContent();
  await tab(page, "Take away");
  const line = (await page.locator("details.part", { hasText: "Run 1 follow" }).locator('pre[aria-label="Command"]').textContent()).trim();
  assert.match(line, /^legwork simulate delta-direct-drive --path pick-and-place --carry 0\.2 .*--frequency 20/);
  const said = legwork(...line.split(/\s+/).slice(1));
  assert.equal(said.trim(), printed.trim(), `${line} says something else than the page`);
  await tab(page, "Motion");
  // A second run with other gains on another machine, beside the first.
  await page.getByRole("textbox", { name: "frequency" }).fill("8 Hz");
  for (const [name, value] of [["lag of the motors", "2 ms"], ["encoder step", "0.05 deg"], ["machine: masses off by", "10"]]) await page.getByRole("textbox", { name, exact: true }).fill(value);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.locator(".dock h2", { hasText: "2 runs side by side" }).waitFor();
  await page.locator(".dock .lines").first().waitFor();
  assert.notEqual(await page.locator('pre[aria-label^="Numbers of run 2"]').textContent(), printed, "gains and machine change nothing");
  if (folder) await page.screenshot({ path: join(folder, "compare-1440.png") });
  // The fastest timing needs limits; the motors are sized.
  await page.getByRole("textbox", { name: "torque limit" }).fill("20");
  await page.getByRole("button", { name: "Fastest timing" }).click();
  await page.locator(".dock h2", { hasText: "plan" }).waitFor();
  await page.getByRole("button", { name: "Size motors" }).click();
  await page.locator(".dock h2", { hasText: "size" }).waitFor();
  if (folder) await page.screenshot({ path: join(folder, "size-1440.png") });
  // With motors of one's own, and with a table that is none.
  const table = page.locator('input[aria-label="Motor table"]');
  const motor = '[[motor]]\nname = "my-motor"\nrated_torque = 5\npeak_torque = 40\nrated_speed = "3000 rpm"\nmax_speed = "6000 rpm"\nrotor_inertia = 1e-4\ngear_ratios = [1, 3, 5, 10]\n';
  await table.setInputFiles({ name: "mine.toml", mimeType: "text/plain", buffer: Buffer.from(motor) });
  await page.getByRole("button", { name: "mine.toml" }).waitFor();
  await page.getByRole("button", { name: "Size motors" }).click();
  await page.locator('pre[aria-label^="Numbers of run 5"]', { hasText: "my-motor" }).waitFor();
  await table.setInputFiles({ name: "none.toml", mimeType: "text/plain", buffer: Buffer.from("[[motor]]\nname = 7") });
  await page.getByRole("button", { name: "none.toml" }).waitFor();
  await page.getByRole("button", { name: "Size motors" }).click();
  await page.locator(".panel > .fault:visible").waitFor();
  assert.match(await page.locator(".panel > .fault:visible").textContent(), /motor/);
  // A long run tells how far it is; the page lives meanwhile, and the run can be stopped.
  await page.getByRole("textbox", { name: "cycles" }).fill("400");
  await page.getByRole("checkbox", { name: "There and back" }).check();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  const meter = page.locator(".progress:visible progress");
  await meter.waitFor();
  await page.waitForFunction(() => [...document.querySelectorAll(".progress progress")].some((meter) => meter.value > 0));
  await page.getByRole("button", { name: "Close the results" }).click();
  const [share, stood] = [await meter.evaluate((meter) => meter.value), await place(page)];
  await pull(page, 15, 10);
  await page.waitForFunction((share) => [...document.querySelectorAll(".progress progress")].some((meter) => meter.value > share), share);
  assert.notEqual(await place(page), stood, "the page stands still while a run is computed");
  await page.locator(".progress:visible button", { hasText: "Stop" }).click();
  await page.locator(".panel > .fault", { hasText: "Stopped." }).waitFor();
  await page.getByRole("textbox", { name: "cycles" }).fill("");
  // Only the first run again: what is taken away is that.
  await page.getByRole("button", { name: "Remove run 5 size" }).click();
  await page.getByRole("button", { name: "Remove run 4 size" }).click();
  await page.getByRole("button", { name: "Remove run 3 plan" }).click();
  await page.getByRole("button", { name: "Remove run 2 follow" }).click();
  await tab(page, "Take away");
  const section = page.locator("details.part", { hasText: "Run 1 follow" });
  const files = {};
  for (const format of ["CSV", "Parquet", "MCAP", "Report", "SVG"]) {
    files[format] = await downloaded(page, section, format, work);
  }
  assert.match(readFileSync(files.SVG[0], "utf8"), /<svg[^]*Position error of the platform[^]*model: position_error/);
  // The program reads them back: the same columns and the same numbers in every format.
  const numbers = (path) => legwork("joint-states", path);
  const recordings = (format) => files[format].filter((path) => path.endsWith(`.${format.toLowerCase()}`));
  for (const format of ["CSV", "Parquet", "MCAP"]) assert(recordings(format).length >= 1, `${format}: nothing was saved`);
  for (let k = 0; k < recordings("CSV").length; k++) {
    const read = ["CSV", "Parquet", "MCAP"].map((format) => numbers(recordings(format)[k]));
    assert(read[0].length > 1000, "a recording without rows");
    assert.equal(read[1], read[0], "Parquet and CSV have other bits");
    assert.equal(read[2], read[0], "MCAP and CSV have other bits");
  }
  const report = await context.newPage();
  const reportFaults = watch(report, files.Report[0]);
  await report.goto(address(files.Report[0]));
  await report.locator(".lines canvas").first().waitFor();
  assert((await report.locator(".stage canvas").count()) === 1, "the report has no robot");
  if (folder) await report.screenshot({ path: join(folder, "report-1440.png") });
  assert.deepEqual(reportFaults, []);
  await report.close();
  // The request as a file runs in the program.
  const toml = join(work, "request.toml");
  writeFileSync(toml, await section.locator('pre[aria-label="Request file"]').textContent());
  legwork("run", toml);
  assert.match(await section.locator('pre[aria-label="Python"]').textContent(), /^import pylegwork as lw/);
  // Code.
  for (const [language, ending] of [["C99", /\.[ch]$/], ["Rust", /\.rs$/], ["Structured Text", /\.st$/]]) {
    const code = await downloaded(page, page.locator("details.part", { hasText: "Code for a controller" }), language, work);
    for (const file of code) assert.match(file, ending);
  }
  if (folder) await page.screenshot({ path: join(folder, "take-1440.png") });
  assert.deepEqual(faults, []);
  await context.close();
  done("pick-and-place run, scrubbed, compared, sized, taken away, read back to the same bits");
}
