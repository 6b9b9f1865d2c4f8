// Robots in hand: opened, dragged, moved by keys and motors; what is shown beside them.

import assert from "node:assert/strict";
import { join } from "node:path";
import { colours, picture } from "../browser.mjs";

/** Every robot: opened, dragged, its numbers those of the program. */
export async function robots(kit) {
  const { open, canvas, pick, pull, values, agrees, drawn, legwork, done } = kit;
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
  kit.figures.drag = Object.values(costs);
  const shown = ["delta-direct-drive", "gough-stewart", "3-rps", "quattro"].filter((name) => costs[name]).map((name) => `${name} ${costs[name].toFixed(1)}`);
  done(`drag to picture, middle [ms]: ${shown.join(", ")}`);
}

/** Handles and keys. */
export async function pose(kit) {
  const { open, canvas, values, drawn, place, pull, agrees, done, folder } = kit;
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
  assert.match(await page.locator(".reach").textContent(), /^Out of reach\. .*last place in reach.*mm/);
  // The same by hand: a line goes to where the platform should be.
  await page.getByRole("button", { name: "Home" }).click();
  await drawn(page);
  assert.equal(await page.locator(".reach:visible").count(), 0);
  await pull(page, 480, -40, 12);
  await page.locator(".reach:visible").waitFor();
  if (folder) await page.screenshot({ path: join(folder, "reach-1440.png") });
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
  // The equation behind each number, with the numbers of now.
  for (const [word, formula] of [["motor torque", "τ = A q̈"], ["gravity", "G = "], ["inertia", "A = "], ["angle q", "= L_B"], ["speed qd", "J q̇"], ["parallel", "det"], ["condition", "cond"]]) {
    await page.getByRole("button", { name: word }).first().click();
    assert(((await page.locator("dialog[open] .formula").first().textContent()) ?? "").includes(formula), `${word}: not its equation`);
    if (word === "motor torque") {
      const filled = await page.locator("dialog[open] .filled").first().textContent();
      const torque = Number(await page.locator(".sheet tbody tr", { hasText: "motor torque" }).locator("td").first().textContent());
      assert(filled.includes(Number(torque.toPrecision(3)).toString().slice(0, 4)), `${filled} has not ${torque}`);
      if (folder) await page.screenshot({ path: join(folder, "equation-1440.png") });
    }
    await page.keyboard.press("Escape");
  }
  // The poles move with the platform.
  const poles = () => page.locator(".poles canvas").getAttribute("aria-label");
  const stood = await poles();
  await canvas(page).focus();
  await page.keyboard.press("PageUp");
  await drawn(page);
  assert.notEqual(await poles(), stood, "the poles stay where they are");
  // Ellipsoids.
  await page.getByText("Ellipsoids", { exact: true }).click();
  for (const name of ["velocity", "force", "inertia"]) {
    const plain = await picture(canvas(page));
    await page.getByRole("checkbox", { name }).check();
    await drawn(page);
    assert.notEqual(await picture(canvas(page)), plain, `the ellipsoid of ${name} is not drawn`);
  }
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
  // A ghost in the picture is clicked: another mode.
  await page.waitForFunction(() => document.querySelector(".view canvas").dataset.ghosts);
  const own = () => page.locator('.modes .mode[aria-pressed="true"]').first().textContent();
  const [stands, box] = [await own(), await canvas(page).boundingBox()];
  const ghosts = (await canvas(page).getAttribute("data-ghosts")).split(",").map((at) => at.split(" ").map(Number));
  for (const [x, y] of ghosts) {
    await page.mouse.click(box.x + x, box.y + y);
    await drawn(page);
    await page.waitForFunction(() => document.querySelector(".view canvas").dataset.ghosts);
    if ((await own()) !== stands) break;
  }
  assert.notEqual(await own(), stands, "no ghost can be clicked");
  if (folder) await page.screenshot({ path: join(folder, "modes-1440.png") });
  assert.deepEqual(faults, []);
  await context.close();
  done("keys, reach, motors, NaN at its field, equation, ellipsoid, modes");
}
