// The robot file: edited, saved, linked; and files that are none.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Editing: wrongly, rightly, undone; saved; a link. */
export async function editing(kit) {
  const { open, tab, canvas, drawn, sheet, pull, legwork, done, work, folder } = kit;
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
  // In a tab beside it, with the mode, the load, the pose and the view of a person.
  await tab(page, "Pose");
  await pull(page, 25, -18);
  await page.getByRole("textbox", { name: "payload" }).fill("150 g");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Top" }).click();
  await drawn(page);
  await page.getByRole("button", { name: "Link" }).click();
  await page.locator(".banner", { hasText: "The link is in" }).waitFor();
  const third = await context.newPage();
  await third.goto(page.url());
  await third.locator('.stage[data-ready="true"]').waitFor();
  await drawn(third);
  const seen = async (page) => [await sheet(page), (await canvas(page).getAttribute("data-platform")).split(" ").map((x) => Number(x).toFixed(1))];
  assert.deepEqual(await seen(third), await seen(page), "the link shows another robot or from elsewhere");
  await third.close();
  await page.bringToFront();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("button", { name: "Home" }).click();
  await drawn(page);
  assert.deepEqual(await sheet(page), heavy, "home is elsewhere");
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

/** Files: rubbish is refused in words, and the robot before it stays. */
export async function rubbish(kit) {
  const { open, tab, drawn, sheet, legwork, done } = kit;
  const { page, context, faults } = await open();
  const before = await sheet(page);
  const custom = legwork("show", "custom-gough-stewart", "--toml");
  const leg = custom.indexOf("[[leg]]");
  const next = custom.indexOf("[[leg]]", leg + 1);
  const lean = custom.slice(leg, next < 0 ? undefined : next).replace(/#.*$/gm, "").replace(/\n+/g, "\n");
  const files = {
    "empty.toml": "",
    "noise.toml": Buffer.from(Array.from({ length: 5000 }, (_, k) => (k * 7919) % 256)),
    "words.toml": "this is no robot",
    "family.toml": 'name = "x"\nfamily = "unheard-of"\n',
    "nan.toml": legwork("show", "delta-direct-drive", "--toml").replace("0.27 kg", "nan kg"),
    "large.toml": Buffer.alloc(5_000_000, 97),
    "empty-legs.toml": `name = "many"\nfamily = "custom"\n${"[[leg]]\n".repeat(10_000)}`,
    "legs.toml": custom.slice(0, leg) + lean.repeat(Math.min(10_000, Math.floor(3_900_000 / lean.length))),
  };
  for (const [name, buffer] of Object.entries(files)) {
    await page.locator('input[aria-label="Robot file"]').setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(buffer) });
    const said = page.locator(name === "large.toml" ? ".banner.fault:visible" : "dialog[open] .equations");
    await said.waitFor();
    assert.match(await said.textContent(), name.endsWith("legs.toml") ? /\d{4,5} tables \[\[leg\]\], and there can be 24 at most/ : /\w{3}/, name);
    if (await page.locator("dialog[open]").count()) await page.keyboard.press("Escape");
    assert.deepEqual(await sheet(page), before, `${name} changes the robot`);
  }
  // One that is right is opened.
  await page.locator('input[aria-label="Robot file"]').setInputFiles({ name: "mine.toml", mimeType: "text/plain", buffer: Buffer.from(legwork("show", "five-bar", "--toml").replace('"five-bar"', '"my-five-bar"')) });
  await page.locator(".robot-name", { hasText: "my-five-bar" }).waitFor();
  // Its commands are those for the file, which is saved under its own name.
  await tab(page, "Take away");
  assert.match(await page.locator('pre[aria-label="Command"]').first().textContent(), /^legwork torque mine\.toml /);
  const [saved] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save", exact: true }).click()]);
  assert.equal(saved.suggestedFilename(), "mine.toml");
  assert.deepEqual(faults, []);
  await context.close();
  done(`${Object.keys(files).length} rubbish files refused, one file opened`);
}
