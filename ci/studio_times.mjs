// How long the library takes in a browser's engine beside natively, in one run: node ci/studio_times.mjs WASM TIMES, where TIMES is
// `session_times` of crate legwork-web, built as the program is. Figures, no test: both share a machine with others.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [wasm, native] = process.argv.slice(2);
const module = new WebAssembly.Module(readFileSync(wasm));
const none = Object.fromEntries(WebAssembly.Module.imports(module).map(({ module, name }) => [module, { [name]() {} }]));

const map = (x) => ({ ask: "field", request: { quantities: ["condition"], x: `-${x}mm..${x}mm/100`, y: `-${x}mm..${x}mm/100` }, from: 0, to: 100 });
const state = (values) => ({ ask: "state", values, parts: ["text", "hold", "ellipsoids", "poles"] });
const task = (request) => ({ ask: "task", request });
const list = [
  ["state of a Delta", "delta-direct-drive", state([0.01, 0.02, -0.25]), 3000],
  ["state of a hexapod", "gough-stewart", state([0.01, 0.02, 0.8, 0, 0, 0.1]), 3000],
  ["map of 10^4 poses, Delta", "delta-direct-drive", map(50), 20],
  ["map of 10^4 poses, hexapod", "gough-stewart", map(100), 7],
  ["four regulators, Delta", "delta-direct-drive", task({ task: "follow" }), 20],
  ["four regulators, hexapod", "gough-stewart", task({ task: "follow" }), 3],
  ["simulate, Delta", "delta-direct-drive", task({ task: "simulate", duration: "1 s", efforts: "hold-start", solver: { integrator: "rk4", step: "1 ms" } }), 100],
  ["simulate, hexapod", "gough-stewart", task({ task: "simulate", duration: "1 s", efforts: "hold-start", solver: { integrator: "rk4", step: "1 ms" } }), 100],
  ["fastest timing, Delta", "delta-direct-drive", task({ task: "plan", limits: { torque_limit: 12 } }), 20],
  ["linearize, hexapod", "gough-stewart", task({ task: "linearize" }), 200],
  ["code for a Delta", "delta-direct-drive", { ask: "code", what: ["inverse-dynamics"], language: "c" }, 5],
].map(([what, robot, ask, times]) => ({ what, open: { ask: "open", name: robot }, ask, times }));

function here({ open, ask, times }) {
  const own = new WebAssembly.Instance(module, none).exports;
  const call = (message) => {
    const bytes = new TextEncoder().encode(JSON.stringify(message));
    const at = own.alloc(bytes.length); // may move the memory
    new Uint8Array(own.memory.buffer, at, bytes.length).set(bytes);
    const begin = performance.now();
    own.call();
    const time = performance.now() - begin;
    const answer = new TextDecoder().decode(new Uint8Array(own.memory.buffer, own.answer(), own.answer_length()));
    if (answer.startsWith('{"error"')) throw new Error(`${JSON.stringify(message)}: ${answer}`);
    return time;
  };
  call(open);
  return Math.min(...Array.from({ length: times }, () => call(ask)));
}

const file = join(mkdtempSync(join(tmpdir(), "legwork-")), "list.json");
writeFileSync(file, JSON.stringify(list));
const natively = JSON.parse(execFileSync(native, [file], { encoding: "utf8" }));
list.forEach((entry, k) => {
  const time = here(entry);
  console.log(`${entry.what.padEnd(28)}${time.toFixed(3).padStart(10)} ms${natively[k].toFixed(3).padStart(10)} ms natively, ratio ${(time / natively[k]).toFixed(2)}`);
});
