// One robot of each family, from the first look to the recording: every step of a person with every family.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { colours, picture } from "../browser.mjs";
import { downloaded } from "./downloads.mjs";

/** The first robot with masses of each family, or of all of them; of mechanisms also one that goes in three directions. */
function chosen(legwork, every, named) {
  const robots = JSON.parse(legwork("robots", "--json")).robots.filter((robot) => robot.masses);
  const first = robots.filter((robot, k) => robots.findIndex(({ family }) => family === robot.family) === k || robot.name === "quattro");
  return named ? robots.filter(({ name }) => named.includes(name)) : every ? robots : first;
}

/** Opened, dragged, its mode switched, a mass edited, a cycle run, scrubbed, compared and taken away. */
export async function families(kit) {
  const { open, pick, legwork, done, every, named } = kit;
  const { page, context, faults } = await open({ acceptDownloads: true });
  await page.getByRole("button", { name: "Got it" }).click();
  const told = { modes: 0, alone: [], cycles: 0, lines: [], rows: 0 };
  const robots = chosen(legwork, every, named);
  for (const { name } of robots) {
    await pick(page, name);
    await moved(kit, page, name);
    if (await switched(kit, page, name)) told.modes++;
    else told.alone.push(name);
    await edited(kit, page, name);
    if (await cycled(kit, page, name)) told.cycles++;
    else told.lines.push(name);
    told.rows += await taken(kit, page, name);
    assert.deepEqual(faults, [], name);
  }
  await context.close();
  const count = new Set(robots.map(({ family }) => family)).size;
  done(`${robots.length} robots of ${count} families: dragged and sped up, ${told.modes} in another mode${told.alone.length ? ` (${told.alone.join(", ")}: none that can be gone to)` : ""}, a mass edited`);
  done(`  ${told.cycles} cycles of pick-and-place${told.lines.length ? ` (${told.lines.join(", ")} along its own path)` : ""}, scrubbed, compared; ${told.rows} rows read back in three formats, to the bit`);
}

/** Dragged, and then sped up besides, so that every mass counts. */
async function moved({ canvas, drawn, pull, values, agrees }, page, name) {
  assert((await colours(canvas(page))) > 20, `${name}: blank`);
  const before = await values(page);
  if (await page.locator(".row:has(label:text-is('x'))").count()) await pull(page, 14, -9);
  else {
    await page.getByRole("slider", { name: "roll of the platform" }).focus();
    await page.keyboard.press("ArrowRight");
    await drawn(page);
  }
  assert.notDeepEqual(await values(page), before, `${name}: dragging does not move the platform`);
  await agrees(page, name);
  const movement = page.locator("details.part", { has: page.locator("h3", { hasText: "Motion of the platform" }) });
  if (!(await movement.evaluate((part) => part.open))) await movement.locator("summary").click();
  for (const field of (await movement.locator("input").all()).slice(-2)) {
    await field.fill("0.7");
    await page.keyboard.press("Enter");
  }
  await drawn(page);
  await agrees(page, `${name} sped up`);
}

/** Another mode, if there is one: of the legs, or with the same motors. */
async function switched({ drawn, agrees, sheet, place }, page, name) {
  const modes = page.locator("details.part", { has: page.locator("h3", { hasText: /^Modes$/ }) });
  if (!(await modes.evaluate((part) => part.open))) await modes.locator("summary").click();
  await page.locator(".modes[aria-busy=false] h4").first().waitFor();
  const before = [await sheet(page), await place(page)];
  const others = await page.locator('.modes .mode[aria-pressed="false"]:enabled').allTextContents();
  for (const wanted of others.slice(0, 5)) {
    await modes.getByRole("button", { name: wanted, exact: true }).press("Enter");
    const fault = page.locator(".banner.fault:visible, .reach:visible");
    await page.locator(".place", { hasNotText: before[1] }).or(page.locator('.modes .mode[aria-pressed="true"]', { hasText: wanted })).or(fault).first().waitFor();
    await drawn(page);
    // A posture that its free coordinates do not name is not reached, and the page says so.
    if (await fault.count()) continue;
    assert.notDeepEqual([await sheet(page), await place(page)], before, `${name}: another mode is the same`);
    await agrees(page, `${name} in another mode`);
    await modes.locator("summary").click();
    return true;
  }
  await modes.locator("summary").click();
  return false;
}

/** A mass, wrongly and rightly; the program reads the file that is saved. */
async function edited({ tab, drawn, sheet, agrees, work, pick }, page, name) {
  // From the mode of the file and its home.
  await pick(page, "irb360-1600");
  await pick(page, name);
  const [before, row] = [await sheet(page), page.locator('.row[data-path*="mass"]').first()];
  await tab(page, "Robot");
  const path = await row.getAttribute("data-path");
  await row.evaluate((row) => (row.closest("details").open = true));
  const mass = row.locator("input[type=text]");
  const text = await mass.inputValue();
  for (const wrong of ["-1 kg", "NaN"]) {
    await mass.fill(wrong);
    await page.keyboard.press("Enter");
    await row.locator(".fault:visible").waitFor();
    assert.equal(await mass.getAttribute("aria-invalid"), "true");
    assert.deepEqual(await sheet(page), before, `${name}: ${wrong} for ${path} changes the torques`);
  }
  await mass.fill(text.replace(/^[\d.eE+-]+/, (number) => String(2 * Number(number))));
  await page.keyboard.press("Enter");
  await row.locator(".fault").waitFor({ state: "hidden" });
  await tab(page, "Pose");
  const movement = page.locator("details.part", { has: page.locator("h3", { hasText: "Motion of the platform" }) });
  for (const field of (await movement.locator("input").all()).slice(-2)) {
    await field.fill("0.7");
    await page.keyboard.press("Enter");
  }
  await drawn(page);
  const [saved] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save", exact: true }).click()]);
  await saved.saveAs(join(work, saved.suggestedFilename()));
  const heavy = await sheet(page);
  await agrees(page, `${name} with another mass`);
  await page.getByRole("button", { name: "Undo" }).click();
  await drawn(page);
  assert.notDeepEqual(await sheet(page), heavy, `${name}: ${path} changes nothing`);
}

/** Pick-and-place, where there is a way across; scrubbed, and with more damping beside it. */
async function cycled({ tab, canvas, drawn }, page, name) {
  await tab(page, "Motion");
  const path = page.getByRole("combobox", { name: "path", exact: true });
  await path.selectOption("pick-and-place");
  const run = page.getByRole("button", { name: "Run", exact: true });
  const bar = page.locator(".dock .transport");
  await run.click();
  const fault = page.locator("[role=tabpanel]:visible .fault:visible");
  await bar.or(fault.first()).first().waitFor();
  const isCycle = (await fault.count()) === 0;
  if (!isCycle) {
    // A platform that only goes up and down, or only turns.
    assert.match(await fault.first().textContent(), /\w{3}/, name);
    await path.selectOption("");
    await run.click();
    await bar.waitFor();
  }
  await drawn(page);
  const start = await picture(canvas(page));
  const time = page.getByRole("slider", { name: "Time" });
  await time.focus();
  for (const key of ["Home", "PageUp", "PageUp", "PageUp"]) await page.keyboard.press(key);
  await drawn(page);
  assert.notEqual(await picture(canvas(page)), start, `${name}: scrubbing does not move the robot`);
  await page.getByRole("textbox", { name: "damping" }).fill("1");
  await run.click();
  await page.locator(".dock h2", { hasText: "2 runs side by side" }).waitFor();
  await page.getByRole("button", { name: "Remove run", exact: false }).first().click();
  await page.locator(".dock h2", { hasText: "Run 1" }).or(page.locator(".dock h2", { hasText: /^Run \d+/ })).first().waitFor();
  return isCycle;
}

/** In the page: all curves of the run before the last one. Plots have single precision. */
function shownCurves() {
  const unpacked = ({ f32 }) => Array.from(new Float32Array(Uint8Array.from(atob(f32), (letter) => letter.charCodeAt(0)).buffer));
  const plots = window.reports[0].sections.flatMap(({ blocks }) => blocks).filter(({ kind }) => kind === "lines");
  return plots.flatMap(({ curves, y: { unit } }) => curves.map(({ name, run, y }) => ({ name, run, unit, values: unpacked(y) })));
}

/** The columns of a recording as the program reads it, each number as its bits. */
const columnsOf = (readBack, path) =>
  new Map(
    execFileSync(readBack, ["--bits", path], { encoding: "utf8", maxBuffer: 2 ** 28 })
      .trim()
      .split("\n")
      .map((line) => [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)]),
  );

const numberOf = (bits) => new Float64Array(BigUint64Array.of(BigInt(`0x${bits}`)).buffer)[0];

/** Whether two recordings of one request are the same motion. Sines of a browser and of a processor differ in the last bit, and a
 * regulated motion carries that on. */
function assertSame(ours, theirs, name) {
  assert.deepEqual([...theirs.keys()], [...ours.keys()], name);
  for (const [column, text] of ours) {
    const [a, b] = [text, theirs.get(column)].map((bits) => bits.split(" ").map(numberOf));
    assert.equal(b.length, a.length, `${name}: ${column}`);
    const size = Math.max(...a.map(Math.abs), 1e-3);
    const off = Math.max(...a.map((x, k) => Math.abs(x - b[k])));
    assert(off <= 1e-6 * size, `${name}: ${column} differs by ${off} from the program's own`);
  }
}

/** The recordings have the same bits in each format when the program reads them; the plots show these numbers; and the program
 * records the same motion when it runs the request that the page shows. Gives the number of rows. */
async function taken({ tab, legwork, readBack, work }, page, name) {
  await tab(page, "Take away");
  const section = page.locator("details.part", { hasText: /Run \d+ follow/ });
  const curves = await page.evaluate(shownCurves);
  const files = {};
  for (const format of ["CSV", "Parquet", "MCAP"]) {
    files[format] = (await downloaded(page, section, format, work)).filter((path) => path.endsWith(`.${format.toLowerCase()}`));
    assert.equal(files[format].length, 2, `${name}: ${format}`);
  }
  // The program runs the same request itself.
  const request = await section.locator('pre[aria-label="Request file"]').textContent();
  writeFileSync(join(work, "request.toml"), `out = "program.csv"\n${request}`);
  legwork("run", "request.toml");
  let rows = 0;
  for (const [k, path] of files.CSV.entries()) {
    const read = columnsOf(readBack, path);
    assert.deepEqual(columnsOf(readBack, files.Parquet[k]), read, `${name}: Parquet and CSV have other bits`);
    assert.deepEqual(columnsOf(readBack, files.MCAP[k]), read, `${name}: MCAP and CSV have other bits`);
    const run = /run-?(.*)\.csv$/.exec(path)[1];
    assertSame(read, columnsOf(readBack, join(work, `program-${run}.csv`)), `${name}, ${run}`);
    let compared = 0;
    for (const curve of curves.filter((curve) => read.has(curve.name) && curve.run === run)) {
      // Plots have millimetres and degrees.
      const factor = { mm: 1e3, deg: 180 / Math.PI }[curve.unit] ?? 1;
      const numbers = read.get(curve.name).split(" ").map(numberOf);
      assert.deepEqual(numbers.map((x) => Math.fround(x * factor)), curve.values, `${name}: ${curve.name} of ${path} is not what the page shows`);
      compared++;
      rows = numbers.length;
    }
    assert(compared > 6, `${name}: of ${path} only ${compared} columns are shown`);
  }
  await page.getByRole("button", { name: "Close the results" }).click();
  await tab(page, "Pose");
  return rows;
}
