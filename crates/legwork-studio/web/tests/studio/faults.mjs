// What goes wrong, and what must not grow.

import assert from "node:assert/strict";
import { address, watch } from "../browser.mjs";

/** What a page weighs, and how it is dragged about. */
async function weighed({ canvas, drawn }, page, context) {
  const client = await context.newCDPSession(page);
  const heap = async () => {
    await client.send("HeapProfiler.collectGarbage");
    return (await client.send("Runtime.getHeapUsage")).usedSize;
  };
  /** Of all instances of the library in the page itself. */
  const memory = () => page.evaluate(() => window.memories.reduce((sum, memory) => sum + memory.buffer.byteLength, 0));
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
  return { heap, memory, round };
}

/** A worker that traps or dies loses its task and nothing else; so does a call here. */
export async function faults(kit) {
  const { open, tab, pull, sheet, agrees, done } = kit;
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
  assert.match(await said.textContent(), /The library failed in this task: unreachable. Nothing else is lost/);
  await page.getByRole("button", { name: "Compute" }).click();
  await said.waitFor({ state: "hidden" });
  await page.locator(".progress").last().waitFor({ state: "hidden" });
  assert.equal(await page.locator(".panel .fault:visible").count(), 0, "new workers do not compute");
  // One that the browser ends.
  await page.getByRole("combobox", { name: "poses" }).selectOption("317");
  // In one go: a small map may be there before anybody could end its worker.
  await page.getByRole("button", { name: "Compute" }).evaluate((button) => {
    button.click();
    for (const worker of window.workers) worker.dispatchEvent(new ErrorEvent("error", { message: "out of memory", cancelable: true }));
  });
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

/** Two tabs, and memory over some hundred drags. */
export async function memory(kit) {
  const { open, canvas, drawn, pick, done, file } = kit;
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
  const { heap, round } = await weighed(kit, page, context);
  await round(200);
  const before = await heap();
  await round(400);
  const after = await heap();
  assert(after - before < 1_000_000, `the heap grows by ${after - before} bytes in 400 drags`);
  assert.deepEqual(faults, []);
  done(`two tabs; the heap after 400 drags: ${((after - before) / 1e3).toFixed(0)} kB more`);
  await context.close();
}

/** Ten minutes of dragging, or as many as are asked for: the memory stays as it is. */
export async function long(kit, minutes) {
  const { open, pick, done } = kit;
  const { page, context, faults } = await open();
  await page.getByRole("button", { name: "Got it" }).click();
  const { heap, memory, round } = await weighed(kit, page, context);
  const robots = ["delta-direct-drive", "gough-stewart", "3-rps"];
  // Everything that is made once is made.
  for (const name of robots) {
    await pick(page, name);
    await round(200);
  }
  const [before, library] = [await heap(), await memory()];
  const end = performance.now() + minutes * 60_000;
  let drags = 0;
  for (let k = 0; performance.now() < end; k++) {
    await pick(page, robots[k % robots.length]);
    await round(1000);
    drags += 1000;
  }
  await pick(page, robots.at(-1));
  const [after, libraryAfter] = [await heap(), await memory()];
  done(`${minutes} minutes, ${drags} drags: script ${(before / 1e6).toFixed(1)} to ${(after / 1e6).toFixed(1)} MB, library ${(library / 1e6).toFixed(1)} to ${(libraryAfter / 1e6).toFixed(1)} MB`);
  assert(after - before < 2_000_000, `the heap grows by ${after - before} bytes`);
  assert(libraryAfter - library < 2_000_000, `the library grows by ${libraryAfter - library} bytes`);
  assert.deepEqual(faults, []);
  await context.close();
}

/** A page that is left computing for an hour, or as many minutes as are asked for: looked at once a minute, the run has come on,
 * the platform can be moved and the numbers are those of the program; at the end the run is stopped and the next one is there. */
export async function computing(kit, minutes) {
  const { open, tab, pick, place, pull, agrees, done } = kit;
  const { page, context, faults } = await open();
  await page.getByRole("button", { name: "Got it" }).click();
  const { heap, memory } = await weighed(kit, page, context);
  // A mechanism: of others so many samples of a controller as are allowed do not take an hour.
  await pick(page, "tricept");
  await tab(page, "Motion");
  await page.getByRole("checkbox", { name: "There and back" }).check();
  const field = (name) => page.getByRole("textbox", { name, exact: true });
  await field("sample").fill("10 s");
  await field("cycles").fill(String(Math.ceil(1300 * minutes)));
  await page.getByRole("button", { name: "Run", exact: true }).click();
  const said = () => page.locator(".progress:visible").first().textContent();
  const share = () => page.locator(".progress:not([hidden]) progress").evaluateAll((meters) => Math.max(...meters.map((meter) => meter.value)));
  await page.waitForFunction(() => [...document.querySelectorAll(".progress progress")].some((meter) => meter.value > 0));
  await tab(page, "Pose");
  await pull(page, 15, 10);
  const [before, library] = [await heap(), await memory()];
  const began = performance.now();
  const spent = () => (performance.now() - began) / 60_000;
  let looks = 0;
  for (let last = await share(); spent() < minutes; looks++) {
    await page.waitForTimeout(Math.min(60_000, 60_000 * (minutes - spent()) + 1_000));
    const now = await share();
    assert(now > last && now < 1, `after ${spent().toFixed(1)} minutes the run is at ${now}, a minute before at ${last}`);
    last = now;
    const stood = await place(page);
    await pull(page, looks % 2 ? 12 : -12, looks % 3 ? 8 : -8);
    assert.notEqual(await place(page), stood, "the page stands still while it computes");
    await agrees(page, `after ${spent().toFixed(0)} minutes of computing`);
    if (looks % 10 === 9) done(`computing for ${spent().toFixed(0)} minutes: ${(100 * now).toFixed(1)} %`);
  }
  const [after, libraryAfter] = [await heap(), await memory()];
  const minutesSpent = spent().toFixed(1);
  await tab(page, "Motion");
  const words = await said();
  assert.match(words, /\d %, .* left/, words);
  await page.locator(".progress:visible button", { hasText: "Stop" }).click();
  await page.locator(".panel > .fault", { hasText: "Stopped." }).waitFor();
  await field("cycles").fill("");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.locator(".dock .transport").waitFor();
  assert(after - before < 2_000_000, `the heap grows by ${after - before} bytes`);
  assert(libraryAfter - library < 2_000_000, `the library grows by ${libraryAfter - library} bytes`);
  assert.deepEqual(faults, []);
  done(`${minutesSpent} minutes of computing, ${looks} looks: script ${(before / 1e6).toFixed(1)} to ${(after / 1e6).toFixed(1)} MB; stopped, and the next run is there`);
  await context.close();
}
