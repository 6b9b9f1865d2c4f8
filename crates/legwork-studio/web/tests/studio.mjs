// Opens the studio in a browser without a screen and uses it as a person would.
// node tests/studio.mjs STUDIO.html LEGWORK READ_BACK [FOLDER] [--only=NAME,NAME] [--every] [--robots=NAME,NAME] [--long[=MINUTES]] [--computing[=MINUTES]]:
// the page, the program to compare with, the example that reads recordings back, a folder for screenshots; only some of the
// steps; all steps with every robot that has masses instead of one of each family, or with these; ten minutes of dragging
// besides; an hour of computing besides.
// The environment variable CHROMIUM names another browser. Figures are printed; nothing here is judged by a clock.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch } from "./browser.mjs";
import { families } from "./studio/families.mjs";
import { computing, faults, long, memory } from "./studio/faults.mjs";
import { editing, rubbish } from "./studio/file.mjs";
import { motion } from "./studio/motion.mjs";
import { person } from "./studio/person.mjs";
import { pose, robots } from "./studio/pose.mjs";
import { notebook, reader, screens } from "./studio/screens.mjs";
import { space } from "./studio/space.mjs";
import { speed } from "./studio/speed.mjs";
import { visit } from "./studio/visit.mjs";

const options = process.argv.slice(2).filter((word) => word.startsWith("--"));
const [file, program, readBack, folder] = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const option = (name) => options.find((word) => word.split("=")[0] === `--${name}`)?.split("=")[1];
assert(file && program && readBack, "give the page, the program and what reads recordings back");
const work = mkdtempSync(join(tmpdir(), "studio-"));
if (folder) mkdirSync(folder, { recursive: true });
const browser = await launch();
const legwork = (...words) => execFileSync(program, words, { cwd: work, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: 2 ** 28 });

const began = performance.now();
const done = (text) => console.log(`${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  ${text}`);
const kit = { ...person(browser, file, legwork), browser, file, legwork, readBack, work, folder, done, every: options.includes("--every"), named: option("robots")?.split(","), figures: {} };

const only = option("only")?.split(",");
for (const step of [visit, robots, families, pose, editing, rubbish, motion, space, faults, memory, notebook, screens, reader, speed]) {
  if (!only || only.includes(step.name)) await step(kit);
}
if (options.some((word) => word.startsWith("--long"))) await long(kit, Number(option("long") ?? 10));
if (options.some((word) => word.startsWith("--computing"))) await computing(kit, Number(option("computing") ?? 60));

// The page is one file that can be mailed; said last, so that all else is seen of a page that is too large.
const size = statSync(file).size;
done(`one file of ${(size / 1e6).toFixed(2)} MB`);
await browser.close();
rmSync(work, { recursive: true });
assert(size <= 3_000_000, `${size} bytes`);
