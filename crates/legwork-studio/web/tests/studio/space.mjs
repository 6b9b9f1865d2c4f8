// Fields over the workspace.

import assert from "node:assert/strict";
import { join } from "node:path";
import { colours, picture } from "../browser.mjs";

/** Fields: slices, a stack, the size of the workspace; the page lives meanwhile. */
export async function space(kit) {
  const { open, tab, canvas, drawn, place, done, folder } = kit;
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
  assert((await page.locator(".dock .heat .bar, .dock .bar, .dock .scale").count()) >= 1 || (await page.locator(".dock canvas").count()) > 1, "no legend");
  // A click on the map takes the robot there.
  const stood = await place(page);
  const size = await map.boundingBox();
  await page.mouse.click(size.x + 0.45 * size.width, size.y + 0.4 * size.height);
  await drawn(page);
  assert.notEqual(await place(page), stood, "a click on the map does not move the robot");
  // What is typed wrongly is said at its field.
  const through = page.getByRole("textbox", { name: "at z" });
  await through.fill("deep");
  await page.getByRole("button", { name: "Compute" }).click();
  await page.waitForFunction(() => [...document.querySelectorAll("input[aria-invalid=true]")].some((one) => one.value === "deep"));
  await through.fill("");
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
  const drawnBody = await picture(canvas(page));
  if (folder) await page.screenshot({ path: join(folder, "volume-1440.png") });
  await page.getByRole("button", { name: "Clear" }).click();
  await drawn(page);
  assert.notEqual(await picture(canvas(page)), drawnBody, "the volume is not drawn");
  assert.deepEqual(faults, []);
  await context.close();
  done(`a map of 100 489 poses in ${spent} ms with ${pictures} pictures meanwhile; stack, stop, volume`);
}
