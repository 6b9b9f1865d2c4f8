// The library as a browser runs it, held against the program: node ci/studio.mjs WASM PROGRAM READ_BACK FOLDER
// Every digit of `legwork torque` for a robot of each family; recordings read back to the bit.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [wasm, program, readBack, folder] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const module = new WebAssembly.Module(readFileSync(wasm));
const imports = WebAssembly.Module.imports(module).map(({ module, name }) => `${module}.${name}`);
if (imports.join() !== "page.progress") throw new Error(`the library wants ${imports.join(", ") || "nothing"}`);

class Session {
  constructor() {
    this.own = new WebAssembly.Instance(module, { page: { progress() {} } }).exports;
  }
  ask(message) {
    const bytes = new TextEncoder().encode(JSON.stringify(message));
    const at = this.own.alloc(bytes.length);
    new Uint8Array(this.own.memory.buffer, at, bytes.length).set(bytes);
    this.own.call();
    const answer = new Uint8Array(this.own.memory.buffer, this.own.answer(), this.own.answer_length());
    this.text = new TextDecoder().decode(answer);
    const found = JSON.parse(this.text);
    if (found.error) throw new Error(`${message.ask}: ${found.error.what}`);
    return found.ok;
  }
}

const legwork = (words) => execFileSync(program, words, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });

// The same text from the page and from the program, away from home and in motion.
const session = new Session();
let robots = 0;
const families = new Set();
for (const robot of session.ask({ ask: "robots" }).filter((robot) => robot.masses)) {
  const sheet = session.ask({ ask: "open", name: robot.name });
  const values = sheet.home_values.map((home, k) => (sheet.coordinates[k].is_free ? home + 0.0071 / (k + 2) : home));
  const twist = sheet.velocities.map((_, k) => 0.05 / (k + 1));
  const state = session.ask({ ask: "state", values, twist, acceleration: twist, parts: ["text"] });
  if (state.refused) continue;
  let printed;
  try {
    printed = legwork(state.torque.command.split(" ").slice(1));
  } catch {
    throw new Error(`the program refuses: ${state.torque.command}`);
  }
  if (printed !== state.torque.text) {
    throw new Error(`${state.torque.command}\nthe page:\n${state.torque.text}\nthe program:\n${printed}`);
  }
  robots++;
  families.add(robot.family);
}
console.log(`${robots} robots of ${families.size} families: the page says what \`legwork torque\` prints, to every digit`);
if (families.size < 8) throw new Error(`only ${[...families].join(", ")}`);

// To the bit where no trigonometry is involved: platforms that are not turned, on motors that slide. Of the others it is told how
// many agree to the bit: sines of a browser and of a processor differ in the last one.
const [same, other] = [[], []];
for (const robot of session.ask({ ask: "robots" }).filter((robot) => robot.masses)) {
  const sheet = session.ask({ ask: "open", name: robot.name });
  const values = sheet.home_values.map((home, k) => (sheet.coordinates[k].is_free && !sheet.coordinates[k].turns ? home + 0.0071 / (k + 2) : home));
  const twist = sheet.velocities.map((_, k) => 0.05 / (k + 1));
  const state = session.ask({ ask: "state", values, twist, acceleration: twist, parts: ["text"] });
  if (state.refused) continue;
  const printed = JSON.parse(legwork([...state.torque.command.split(" ").slice(1), "--json"]));
  const numbers = [[state.q, printed.q], [state.qd, printed.qd], [state.qdd, printed.qdd], [state.efforts.motor, printed.motor_effort]];
  const isSame = numbers.every(([ours, theirs]) => ours.length === theirs.length && ours.every((x, k) => Object.is(x, theirs[k]) || (x === 0 && theirs[k] === 0)));
  (isSame ? same : other).push(robot.name);
}
console.log(`to the bit: ${same.join(", ")}; to every printed digit: ${other.join(", ") || "none"}`);
for (const name of ["gough-stewart", "custom-gough-stewart"]) if (!same.includes(name)) throw new Error(`${name}: the page has other bits than the program`);

// A recording in each format, and the samples that the page had.
session.ask({ ask: "open", name: "delta-industrial" });
const request = { task: "simulate", duration: "200 ms", from: { position: [0.15, -0.1, -0.72] }, keep_samples: true };
const files = [];
for (const recording of ["csv", "parquet", "mcap"]) {
  const answer = session.ask({ ask: "task", request, recording });
  writeFileSync(join(folder, "answer.json"), session.text); // as it came: JavaScript would lose the sign of zero
  for (const file of answer.files) writeFileSync(join(folder, file.name), Buffer.from(file.base64, "base64"));
  files.push(join(folder, answer.files[0].name));
}
process.stdout.write(execFileSync(readBack, [join(folder, "answer.json"), ...files], { encoding: "utf8" }));
