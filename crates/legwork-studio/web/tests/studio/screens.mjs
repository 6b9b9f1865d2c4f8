// Other screens and other places.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { colours } from "../browser.mjs";

/** Nothing is wider than the screen, in light and in dark. */
export async function screens(kit) {
  const { open, tab, canvas, drawn, done, folder } = kit;
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
}

/** What readers of screens and people with weak eyes need, by the rules of WCAG 2.2 AA and by good practice, in light and dark. */
export async function reader(kit) {
  const { open, tab, done } = kit;
  const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  let [rules, views] = [0, 0];
  for (const colorScheme of ["light", "dark"]) {
    const { page, context, faults } = await open({ colorScheme });
    // The page's own rules let nobody add a script but the browser's tools.
    await page.evaluate(axe);
    const check = async (what) => {
      const { violations, passes } = await page.evaluate(() => window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
      const words = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join("; ")}`);
      assert.deepEqual(words, [], `${what}, ${colorScheme}`);
      rules += passes.length;
      views++;
    };
    await check("the first visit");
    await page.getByRole("button", { name: "Got it" }).click();
    for (const name of ["Pose", "Robot", "Motion", "Workspace", "Take away"]) {
      await tab(page, name);
      await page.evaluate(() => document.querySelectorAll(".panel details").forEach((part) => (part.open = true)));
      await page.locator(".modes[aria-busy=false]").waitFor({ state: "attached" });
      await check(name);
    }
    await tab(page, "Motion");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.locator(".dock .transport").waitFor();
    await check("a run");
    await tab(page, "Workspace");
    await page.getByRole("button", { name: "Compute" }).click();
    await page.locator(".dock .heat canvas").waitFor();
    await check("a map");
    await page.getByRole("button", { name: "Keys" }).click();
    await check("keys");
    await page.keyboard.press("Escape");
    await page.locator(".robot-pick").click();
    await page.locator(".robot-card").first().waitFor();
    await check("robots");
    await page.keyboard.press("Escape");
    await tab(page, "Pose");
    await page.getByRole("button", { name: "motor torque" }).first().click();
    await check("equations");
    assert.deepEqual(faults, []);
    await context.close();
  }
  done(`${views} views without a fault for readers of screens; ${rules} rules hold`);
}

/** In a notebook: a frame that may run scripts and save files, and nothing else. */
export async function notebook(kit) {
  const { browser, file, done } = kit;
  const context = await browser.newContext({ viewport: { width: 1100, height: 900 }, reducedMotion: "reduce" });
  const page = await context.newPage();
  const faults = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && !message.text().includes("GPU stall") && faults.push(message.text()));
  page.on("pageerror", (error) => faults.push(error.message));
  await page.setContent("<!doctype html><p>A cell of a notebook</p>");
  await page.evaluate((text) => {
    const frame = Object.assign(document.createElement("iframe"), { srcdoc: text, style: "width: 100%; height: 820px; border: 0" });
    frame.setAttribute("sandbox", "allow-scripts allow-downloads");
    document.body.append(frame);
  }, readFileSync(file, "utf8"));
  const frame = page.frameLocator("iframe");
  await frame.locator('.stage[data-ready="true"]').waitFor();
  await frame.getByRole("button", { name: "Got it" }).click();
  const place = () => frame.locator(".place").textContent();
  const before = await place();
  await frame.locator(".view canvas").focus();
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => true);
  for (let k = 0; (await place()) === before; k++) assert(k < 1000, "keys do not move the platform in a notebook");
  await frame.getByRole("tab", { name: "Motion" }).click();
  await frame.getByRole("button", { name: "Run", exact: true }).click();
  await frame.locator(".dock .transport").waitFor();
  await frame.getByRole("button", { name: "Link" }).click();
  assert.match(await frame.locator(".banner:visible").textContent(), /link|address/);
  assert.deepEqual(faults, []);
  await context.close();
  done("in a notebook's frame: moved, run");
}
