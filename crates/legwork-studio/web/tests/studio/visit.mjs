// The first visit to the page.

import assert from "node:assert/strict";
import { join } from "node:path";
import { colours } from "../browser.mjs";

/** The first visit: a robot that moves, three things to try; still, if the reader wants no motion. */
export async function visit(kit) {
  const { open, canvas, place, done, folder } = kit;
  const { page, context, faults } = await open({ reducedMotion: "no-preference" });
  assert.equal(await page.locator(".welcome .try").count(), 3);
  assert((await colours(canvas(page))) > 20, "the robot is not drawn");
  await page.getByRole("button", { name: "Stop" }).waitFor();
  const before = await place(page);
  await page.waitForFunction((before) => document.querySelector(".place").textContent !== before, before);
  // The torques are those of the motion, not of a rest.
  const row = (name) => page.locator(".sheet tbody tr", { hasText: name }).locator("td");
  await page.waitForFunction(() => [...document.querySelectorAll(".sheet tbody tr")].some((row) => /inertia/.test(row.textContent) && [...row.querySelectorAll("td")].some((cell) => Number(cell.textContent) !== 0)));
  if (folder) await page.screenshot({ path: join(folder, "visit-1440.png") });
  await page.getByRole("button", { name: "Stop" }).click();
  await page.waitForFunction(() => [...document.querySelectorAll(".sheet tbody tr")].every((row) => !/inertia/.test(row.textContent) || [...row.querySelectorAll("td")].every((cell) => Number(cell.textContent) === 0)));
  assert((await row("gravity").count()) >= 1);
  const started = await page.locator(".stage").getAttribute("data-started");
  assert.deepEqual(faults, []);
  await context.close();
  const calm = await open();
  // A path to play would be asked of a worker: there is none.
  assert.equal(await calm.page.evaluate(() => window.workers.length), 0, "it moves though the reader wants no motion");
  assert.equal(await calm.page.getByRole("button", { name: "Play path" }).count(), 1);
  await calm.context.close();
  done(`first visit; first torque after ${Number(started).toFixed(0)} ms`);
}
