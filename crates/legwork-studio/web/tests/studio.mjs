// Opens the studio in a browser without a screen and uses it as a person would.
// node tests/studio.mjs STUDIO.html LEGWORK [FOLDER]: the page, the program to compare with, a folder for screenshots.
// The environment variable CHROMIUM names another browser. Figures are printed; nothing here is judged by a clock.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { address, colours, launch, picture, watch } from "./browser.mjs";
import { person } from "./person.mjs";

const [file, program, folder] = process.argv.slice(2);
assert(file && program, "give the page and the program");
const work = mkdtempSync(join(tmpdir(), "studio-"));
if (folder) mkdirSync(folder, { recursive: true });
const browser = await launch();
const legwork = (...words) => execFileSync(program, words, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

const { open, tab, canvas, drawn, pick, pull, values, place, sheet, agrees } = person(browser, file, legwork);
const began = performance.now();
const done = (text) => console.log(`${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  ${text}`);

// ---- The first visit: a robot that moves, three things to try; still, if the reader wants no motion.
{
  const { page, context, faults } = await open({ reducedMotion: "no-preference" });
  assert.equal(await page.locator(".welcome .try").count(), 3);
  assert((await colours(canvas(page))) > 20, "the robot is not drawn");
  await page.getByRole("button", { name: "Stop" }).waitFor();
  const before = await place(page);
  await page.waitForFunction((before) => document.querySelector(".place").textContent !== before, before);
  if (folder) await page.screenshot({ path: join(folder, "visit-1440.png") });
  const started = await page.locator(".stage").getAttribute("data-started");
  assert.deepEqual(faults, []);
  await context.close();
  const calm = await open();
  await calm.page.waitForTimeout(300);
  assert.equal(await calm.page.getByRole("button", { name: "Play path" }).count(), 1, "it moves though the reader wants no motion");
  await calm.context.close();
  done(`first visit; first torque after ${Number(started).toFixed(0)} ms`);
}

// ---- Every robot: opened, dragged, its numbers those of the program.
{
  const { page, context, faults } = await open();
  await page.getByRole("button", { name: "Got it" }).click();
  const robots = JSON.parse(legwork("robots", "--json")).robots;
  let [numbers, costs] = [0, {}];
  for (const { name } of robots) {
    await pick(page, name);
    assert((await colours(canvas(page))) > 20, `${name}: blank`);
    const [before, looks] = [await values(page), await picture(canvas(page))];
    if (name === "agile-eye") {
      // It only turns: by its slider.
      await page.getByRole("slider", { name: "roll of the platform" }).focus();
      for (let k = 0; k < 3; k++) await page.keyboard.press("ArrowRight");
      await drawn(page);
    } else await pull(page, 14, -9);
    assert.notDeepEqual(await values(page), before, `${name}: dragging does not move the platform`);
    assert.notEqual(await picture(canvas(page)), looks, `${name}: the picture stays`);
    numbers += await agrees(page, name);
    costs[name] = Number(await page.locator(".cost").getAttribute("data-middle"));
  }
  assert.deepEqual(faults, []);
  await context.close();
  done(`${robots.length} robots opened, dragged; ${numbers} numbers as the program prints them`);
  const shown = ["delta-direct-drive", "gough-stewart", "3-rps", "quattro"].filter((name) => costs[name]).map((name) => `${name} ${costs[name].toFixed(1)}`);
  done(`drag to picture, middle [ms]: ${shown.join(", ")}`);
}

// ---- Handles and keys.
{
  const { page, context, faults } = await open();
  await page.getByRole("button", { name: "Got it" }).click();
  await canvas(page).focus();
  const x = async () => Number((await values(page))[0]);
  const before = await x();
  await page.keyboard.press("ArrowRight");
  await drawn(page);
  assert((await x()) > before, "keys do not move the platform");
  // Out of reach: the library says why, and the last pose stays.
  await page.locator(".panel .row .control input").first().fill("3");
  await page.keyboard.press("Enter");
  await page.locator(".reach:visible").waitFor();
  assert.match(await page.locator(".reach").textContent(), /\w/);
  // A motor moves the platform.
  await page.getByRole("button", { name: "Home" }).click();
  await drawn(page);
  const home = await place(page);
  await page.locator(".motor input[type=range]").first().focus();
  await page.keyboard.press("ArrowRight");
  await drawn(page);
  assert.notEqual(await place(page), home, "a motor does not move the platform");
  // NaN and words in a field: a message at the field, and the pose stays.
  const field = page.locator(".panel .row .control input").first();
  const held = await place(page);
  for (const rubbish of ["NaN", "abc", "1e999", "Infinity"]) {
    await field.fill(rubbish);
    await page.keyboard.press("Enter");
    await drawn(page);
    assert.equal(await field.getAttribute("aria-invalid"), "true", `${rubbish} is taken`);
    assert.match(await page.locator(".panel .row .fault:visible").first().textContent(), /\w/);
    assert.equal(await place(page), held, `${rubbish} moves the platform`);
  }
  await field.fill("0.05");
  await page.keyboard.press("Enter");
  await drawn(page);
  assert.equal(await field.getAttribute("aria-invalid"), "false");
  assert.equal((await values(page))[0], "0.05");
  // The equation behind a torque, with its numbers.
  await page.getByRole("button", { name: "motor torque" }).click();
  assert.match(await page.locator("dialog[open] .formula").first().textContent(), /=/);
  if (folder) await page.screenshot({ path: join(folder, "equation-1440.png") });
  await page.keyboard.press("Escape");
  // Ellipsoids.
  await page.getByText("Ellipsoids", { exact: true }).click();
  const plain = await picture(canvas(page));
  await page.getByRole("checkbox", { name: "velocity" }).check();
  await drawn(page);
  assert.notEqual(await picture(canvas(page)), plain, "the ellipsoid is not drawn");
  // Modes: as ghosts and as a list.
  await page.getByText("Modes", { exact: true }).click();
  await page.getByRole("checkbox", { name: /ghosts/ }).check();
  const modes = page.locator(".modes .mode");
  await modes.first().waitFor();
  assert((await modes.count()) >= 8, `${await modes.count()} modes`);
  const other = page.locator('.modes .mode[aria-pressed="false"]').first();
  const name = await other.textContent();
  await other.click();
  await drawn(page);
  await page.locator('.modes .mode[aria-pressed="true"]', { hasText: name }).first().waitFor();
  await agrees(page, `mode ${name}`);
  if (folder) await page.screenshot({ path: join(folder, "modes-1440.png") });
  assert.deepEqual(faults, []);
  await context.close();
  done("keys, reach, motors, NaN at its field, equation, ellipsoid, modes");
}

// ---- Editing: wrongly, rightly, undone; saved; a link.
{
  const { page, context, faults } = await open();
  await page.getByRole("button", { name: "Got it" }).click();
  const before = await sheet(page);
  await tab(page, "Robot");
  const row = page.locator('.row[data-path="mass.platform"]');
  const mass = row.locator("input[type=text]");
  for (const wrong of ["-1 kg", "0.3 mm", "NaN", "much"]) {
    await mass.fill(wrong);
    await page.keyboard.press("Enter");
    await row.locator(".fault:visible").waitFor();
    assert.match(await row.locator(".fault").textContent(), /\w/);
  }
  assert.deepEqual(await sheet(page), before, "a wrong mass changes the torques");
  if (folder) await page.screenshot({ path: join(folder, "fault-1440.png") });
  await mass.fill("0.8 kg");
  await page.keyboard.press("Enter");
  await row.locator(".fault").waitFor({ state: "hidden" });
  const heavy = await sheet(page);
  assert.notDeepEqual(heavy, before, "a right mass does not change the torques");
  const [saved] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save", exact: true }).click()]);
  const toml = join(work, "edited.toml");
  await saved.saveAs(toml);
  assert.match(readFileSync(toml, "utf8"), /0\.8 kg/);
  legwork("show", toml);
  // The link has the edited robot.
  await page.getByRole("button", { name: "Link" }).click();
  await page.waitForFunction(() => location.hash.length > 20);
  const second = await open({}, new URL(page.url()).hash);
  assert.deepEqual(await sheet(second.page), heavy, "the link shows other numbers");
  assert.deepEqual(second.faults, []);
  await second.context.close();
  const broken = await open({}, "#rubbish");
  assert.match(await broken.page.locator(".banner.fault").textContent(), /no link/);
  await broken.context.close();
  await canvas(page).focus();
  await page.keyboard.press("Control+z");
  await drawn(page);
  assert.deepEqual(await sheet(page), before, "undo does not undo");
  await page.keyboard.press("Control+Shift+z");
  await drawn(page);
  assert.deepEqual(await sheet(page), heavy, "redo does not redo");
  assert.deepEqual(faults, []);
  await context.close();
  done("a mass edited wrongly and rightly, undone, saved, linked");
}

// ---- Files: rubbish is refused in words, and the robot before it stays.
{
  const { page, context, faults } = await open();
  const before = await sheet(page);
  const legs = Array.from({ length: 10_000 }, (_, k) => `[[leg]]\nname = "leg${k}"\n`).join("\n");
  const files = {
    "empty.toml": "",
    "noise.toml": Buffer.from(Array.from({ length: 5000 }, (_, k) => (k * 7919) % 256)),
    "words.toml": "this is no robot",
    "family.toml": 'name = "x"\nfamily = "unheard-of"\n',
    "nan.toml": legwork("show", "delta-direct-drive", "--toml").replace("0.27 kg", "nan kg"),
    "large.toml": Buffer.alloc(5_000_000, 97),
  };
  for (const [name, buffer] of Object.entries(files)) {
    await page.locator('input[aria-label="Robot file"]').setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(buffer) });
    const said = page.locator("dialog[open] .equations, .banner.fault:visible");
    await said.first().waitFor();
    assert.match(await said.first().textContent(), /\w{3}/, name);
    if (await page.locator("dialog[open]").count()) await page.keyboard.press("Escape");
    assert.deepEqual(await sheet(page), before, `${name} changes the robot`);
  }
  // Ten thousand legs take long to be read: the page lives meanwhile, and reading can be stopped.
  await page.locator('input[aria-label="Robot file"]').setInputFiles({ name: "legs.toml", mimeType: "text/plain", buffer: Buffer.from(`name = "many"\nfamily = "custom"\n${legs}`) });
  const said = page.locator("dialog[open] .equations");
  const stop = page.locator(".reading button:visible");
  await said.or(stop).first().waitFor();
  if (await stop.count()) {
    await pull(page, 20, 10);
    assert.notDeepEqual(await sheet(page), before, "the page stands still while a file is read");
    await page.locator(".reading button, dialog[open] header button").last().click();
    await said.waitFor();
  }
  await page.keyboard.press("Escape");
  // One that is right is opened.
  await page.locator('input[aria-label="Robot file"]').setInputFiles({ name: "mine.toml", mimeType: "text/plain", buffer: Buffer.from(legwork("show", "five-bar", "--toml").replace('"five-bar"', '"my-five-bar"')) });
  await page.locator(".robot-name", { hasText: "my-five-bar" }).waitFor();
  assert.deepEqual(faults, []);
  await context.close();
  done(`${Object.keys(files).length} rubbish files refused, one file opened`);
}

// ---- A pick-and-place cycle: run, scrubbed, compared, taken away, read back.
{
  const { page, context, faults } = await open({ acceptDownloads: true });
  await page.getByRole("button", { name: "Got it" }).click();
  await tab(page, "Motion");
  await page.getByRole("combobox", { name: "path", exact: true }).selectOption("pick-and-place");
  await page.getByRole("textbox", { name: "payload carried" }).fill("rubbish");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  const fault = page.locator(".panel .fault:visible");
  await fault.first().waitFor();
  assert.match(await fault.first().textContent(), /rubbish/);
  await page.getByRole("textbox", { name: "payload carried" }).fill("200 g");
  await page.getByRole("textbox", { name: "frequency" }).fill("20 Hz");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.locator(".dock .transport").waitFor();
  const time = () => page.locator(".transport").evaluate((bar) => Number(bar.dataset.time));
  await drawn(page);
  const start = await picture(canvas(page));
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
  // A second run with other gains, beside the first.
  await page.getByRole("textbox", { name: "frequency" }).fill("8 Hz");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.locator(".dock h2", { hasText: "2 runs side by side" }).waitFor();
  await page.locator(".dock .lines").first().waitFor();
  if (folder) await page.screenshot({ path: join(folder, "compare-1440.png") });
  // The fastest timing needs limits; the motors are sized.
  await page.getByRole("textbox", { name: "torque limit" }).fill("20");
  await page.getByRole("button", { name: "Fastest timing" }).click();
  await page.locator(".dock h2", { hasText: "plan" }).waitFor();
  await page.getByRole("button", { name: "Size motors" }).click();
  await page.locator(".dock h2", { hasText: "size" }).waitFor();
  if (folder) await page.screenshot({ path: join(folder, "size-1440.png") });
  // Only the first run again: what is taken away is that.
  await page.getByRole("button", { name: "Remove run 4 size" }).click();
  await page.getByRole("button", { name: "Remove run 3 plan" }).click();
  await page.getByRole("button", { name: "Remove run 2 follow" }).click();
  await tab(page, "Take away");
  const section = page.locator("details.part", { hasText: "Run 1 follow" });
  const files = {};
  for (const format of ["CSV", "Parquet", "MCAP", "Report"]) {
    const downloads = [];
    const hear = (download) => downloads.push(download);
    page.on("download", hear);
    const [first] = await Promise.all([page.waitForEvent("download"), section.getByRole("button", { name: format, exact: true }).click()]);
    await page.getByText(/^Saved /).waitFor();
    await page.waitForTimeout(200);
    page.off("download", hear);
    files[format] = [];
    for (const one of downloads.length > 0 ? downloads : [first]) {
      const path = join(work, one.suggestedFilename());
      await one.saveAs(path);
      files[format].push(path);
    }
  }
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
  // Code.
  const [code] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "C99" }).click()]);
  assert.match(code.suggestedFilename(), /\.[ch]$/);
  if (folder) await page.screenshot({ path: join(folder, "take-1440.png") });
  assert.deepEqual(faults, []);
  await context.close();
  done("pick-and-place run, scrubbed, compared, sized, taken away, read back to the same bits");
}

// ---- Fields: slices, a stack, the size of the workspace; the page lives meanwhile.
{
  const { page, context, faults } = await open();
  await page.getByRole("button", { name: "Got it" }).click();
  await tab(page, "Workspace");
  await page.getByRole("combobox", { name: "quantity" }).selectOption("condition");
  await page.getByRole("combobox", { name: "poses" }).selectOption("317");
  const start = Date.now();
  await page.evaluate(() => {
    window.pictures = -1;
    const count = () => requestAnimationFrame(count, window.pictures++);
    count();
  });
  await page.getByRole("button", { name: "Compute" }).click();
  await page.locator(".dock .heat canvas").waitFor();
  const [spent, pictures] = [Date.now() - start, await page.evaluate(() => window.pictures)];
  assert(pictures > 2, "the page stands still while a map is computed");
  const map = page.locator(".dock .heat canvas");
  assert((await colours(map)) > 20, "the map is blank");
  await map.focus();
  await page.keyboard.press("ArrowRight");
  assert.match(await page.locator(".dock .readout").first().textContent(), /x .*y .*\d/);
  if (folder) await page.screenshot({ path: join(folder, "map-1440.png") });
  await page.getByRole("combobox", { name: "poses" }).selectOption("21");
  await page.getByRole("combobox", { name: "stack" }).selectOption("5");
  await page.getByRole("button", { name: "Compute" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".dock .heat canvas").length === 5);
  if (folder) await page.screenshot({ path: join(folder, "stack-1440.png") });
  // A long one is stopped, and the next one works.
  await page.getByRole("combobox", { name: "poses" }).selectOption("317");
  await page.getByRole("combobox", { name: "stack" }).selectOption("9");
  await page.getByRole("button", { name: "Compute" }).click();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByText("Stopped.").waitFor();
  await page.getByRole("button", { name: "Size of the workspace" }).click();
  await page.locator(".dock h2", { hasText: "Size of the workspace" }).waitFor({ timeout: 120_000 });
  if (folder) await page.screenshot({ path: join(folder, "volume-1440.png") });
  assert.deepEqual(faults, []);
  await context.close();
  done(`a map of 100 489 poses in ${spent} ms with ${pictures} pictures meanwhile; stack, stop, volume`);
}

// ---- A worker that traps or dies loses its task and nothing else; so does a call here.
{
  const { page, context, faults } = await open();
  await page.getByRole("button", { name: "Got it" }).click();
  await pull(page, 20, 10);
  const before = await sheet(page);
  await tab(page, "Workspace");
  await page.getByRole("combobox", { name: "poses" }).selectOption("21");
  await page.getByRole("button", { name: "Compute" }).click();
  await page.locator(".dock .heat canvas").waitFor();
  // A module whose every call traps, in the place of the library's.
  await page.evaluate(async () => {
    const name = (text) => [text.length, ...new TextEncoder().encode(text)];
    const section = (id, bytes) => [id, bytes.length, ...bytes];
    const exports = [["memory", 2, 0], ["alloc", 0, 0], ["call", 0, 1], ["answer", 0, 2], ["answer_length", 0, 2]];
    const module = await WebAssembly.compile(
      new Uint8Array([
        0, 97, 115, 109, 1, 0, 0, 0,
        ...section(1, [3, 0x60, 1, 0x7f, 1, 0x7f, 0x60, 0, 0, 0x60, 0, 1, 0x7f]),
        ...section(3, [3, 0, 1, 2]),
        ...section(5, [1, 0, 1]),
        ...section(7, [exports.length, ...exports.flatMap(([text, kind, index]) => [...name(text), kind, index])]),
        ...section(10, [3, 4, 0, 0x41, 0, 0x0b, 3, 0, 0, 0x0b, 4, 0, 0x41, 0, 0x0b]),
      ]),
    );
    for (const worker of window.workers) worker.postMessage({ module });
  });
  await page.getByRole("button", { name: "Compute" }).click();
  const said = page.locator(".panel .fault:visible");
  await said.waitFor();
  assert.match(await said.textContent(), /unreachable/);
  await page.getByRole("button", { name: "Compute" }).click();
  await said.waitFor({ state: "hidden" });
  await page.locator(".progress").last().waitFor({ state: "hidden" });
  assert.equal(await page.locator(".panel .fault:visible").count(), 0, "new workers do not compute");
  // One that the browser ends.
  await page.getByRole("combobox", { name: "poses" }).selectOption("317");
  await page.getByRole("button", { name: "Compute" }).click();
  await page.evaluate(() => window.workers.at(-1).dispatchEvent(new ErrorEvent("error", { message: "out of memory", cancelable: true })));
  await said.waitFor();
  assert.match(await said.textContent(), /out of memory/);
  await page.getByRole("combobox", { name: "poses" }).selectOption("21");
  await page.getByRole("button", { name: "Compute" }).click();
  await said.waitFor({ state: "hidden" });
  await tab(page, "Pose");
  assert.deepEqual(await sheet(page), before, "a trap changes the pose");
  await page.evaluate(() => (window.trapNext = true));
  await pull(page, 6, 3);
  await pull(page, 6, 3);
  assert.notDeepEqual(await sheet(page), before, "after a trap here the platform stays where it is");
  await agrees(page, "after a trap");
  assert.deepEqual(faults, []);
  await context.close();
  done("traps and dead workers lose nothing but their task");
}

// ---- Two tabs, and memory over some hundred drags.
{
  const { page, context, faults } = await open();
  await page.getByRole("button", { name: "Got it" }).click();
  const other = await context.newPage();
  const faultsToo = watch(other, file);
  await other.goto(address(file));
  await other.locator('.stage[data-ready="true"]').waitFor();
  await pick(other, "gough-stewart");
  assert.equal(await page.locator(".robot-name").textContent(), "delta-direct-drive");
  assert.deepEqual(faultsToo, []);
  await other.close();
  await page.bringToFront();
  const client = await context.newCDPSession(page);
  const heap = async () => {
    await client.send("HeapProfiler.collectGarbage");
    return (await client.send("Runtime.getHeapUsage")).usedSize;
  };
  const round = async (count) => {
    const box = await canvas(page).boundingBox();
    const at = (await canvas(page).getAttribute("data-platform")).split(" ").map(Number);
    await page.mouse.move(box.x + at[0], box.y + at[1]);
    await page.mouse.down();
    for (let k = 0; k < count; k++) await page.mouse.move(box.x + at[0] + 30 * Math.sin(k / 9), box.y + at[1] + 20 * Math.sin(k / 7));
    await page.mouse.move(box.x + at[0], box.y + at[1]);
    await drawn(page);
    await page.mouse.up();
    await drawn(page);
  };
  await round(200);
  const before = await heap();
  await round(400);
  const after = await heap();
  assert(after - before < 1_000_000, `the heap grows by ${after - before} bytes in 400 drags`);
  assert.deepEqual(faults, []);
  done(`two tabs; the heap after 400 drags: ${((after - before) / 1e3).toFixed(0)} kB more`);
  await context.close();
}

// ---- Other screens: nothing is wider than they are; light and dark.
for (const [width, height, scheme] of [[1440, 900, "dark"], [1024, 768, "light"], [1024, 768, "dark"], [390, 844, "light"], [390, 844, "dark"]]) {
  const { page, context, faults } = await open({ viewport: { width, height }, colorScheme: scheme, hasTouch: width < 600 });
  for (const name of ["Pose", "Robot", "Motion", "Workspace", "Take away"]) {
    await tab(page, name);
    await drawn(page);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert(wide <= width, `${name}: ${wide} pixels wide on a screen of ${width}`);
    if (folder) await page.screenshot({ path: join(folder, `${name.toLowerCase().replace(" ", "-")}-${width}-${scheme}.png`), fullPage: width < 600 });
  }
  await tab(page, "Motion");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.locator(".dock .transport").waitFor();
  await drawn(page);
  assert((await colours(canvas(page))) > 20, `blank at ${width} pixels`);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert(wide <= width, `a run: ${wide} pixels wide on a screen of ${width}`);
  if (folder) await page.screenshot({ path: join(folder, `run-${width}-${scheme}.png`), fullPage: width < 600 });
  // Whatever can be used has a name.
  const nameless = await page.evaluate(() =>
    [...document.querySelectorAll("button, input, select, [role=slider]")].filter((one) => one.offsetParent && !(one.getAttribute("aria-label") || one.textContent.trim() || one.labels?.length || one.title)).map((one) => one.outerHTML.slice(0, 120)),
  );
  assert.deepEqual(nameless, []);
  assert.deepEqual(faults, []);
  await context.close();
}
done("1440, 1024 and 390 pixels, light and dark");

// ---- The page is one file that can be mailed; said last, so that all else is seen of a page that is too large.
{
  const size = statSync(file).size;
  done(`one file of ${(size / 1e6).toFixed(2)} MB`);
  assert(size <= 3_000_000, `${size} bytes`);
}

await browser.close();
rmSync(work, { recursive: true });
