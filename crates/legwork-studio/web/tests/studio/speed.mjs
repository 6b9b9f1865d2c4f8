// How long tasks take in a worker of the page and in the program, in the same run. Figures, no test: machines differ.

/** The best of some times [ms]. */
const best = (times) => Math.min(...times);

export async function speed(kit) {
  const { open, pick, legwork, done } = kit;
  const { page, context } = await open();
  await page.getByRole("button", { name: "Got it" }).click();
  /** What a worker of the page needs for a message, from asking to the answer. */
  const here = (name, message, times) =>
    page.evaluate(
      async ([name, message, times]) => {
        const worker = window.workers.at(-1);
        const ask = (message) =>
          new Promise((done) => {
            const hear = ({ data }) => {
              if (!("answer" in data)) return;
              worker.removeEventListener("message", hear);
              done(data.answer);
            };
            worker.addEventListener("message", hear);
            worker.postMessage({ text: JSON.stringify(message) });
          });
        await ask({ ask: "open", name });
        const spent = [];
        for (let k = 0; k < times; k++) {
          const begin = performance.now();
          const answer = await ask(message);
          spent.push(performance.now() - begin);
          if (answer.startsWith('{"error"')) throw new Error(answer);
        }
        return spent;
      },
      [name, message, times],
    );
  // A worker is there after something was asked of one.
  await pick(page, "delta-direct-drive");
  await page.getByRole("button", { name: "Play path" }).click();
  await page.getByRole("button", { name: "Stop" }).click();
  const wall = (...words) => {
    const begin = performance.now();
    const text = legwork(...words);
    return { text, spent: performance.now() - begin };
  };
  const start = best(Array.from({ length: 5 }, () => wall("--version").spent));
  /** What the program says that it took, or else how long it was there, without its start. */
  const native = (...words) => {
    const { text, spent } = wall(...words, "--json");
    const { run_time: told } = JSON.parse(text);
    return told == null ? spent - start : 1e3 * told;
  };
  const rows = [
    ["four regulators, 20 cycles", "delta-direct-drive", { ask: "task", request: { task: "follow", cycles: 20, back: true } }, ["simulate", "delta-direct-drive", "--cycles", "20", "--back"]],
    ["two regulators of a hexapod", "gough-stewart", { ask: "task", request: { task: "follow", controller: { regulators: ["pd", "model"] } } }, ["simulate", "gough-stewart", "--regulator", "pd", "model"]],
    ["fastest timing", "delta-industrial", { ask: "task", request: { task: "plan", limits: { torque_limit: 60 } } }, ["plan", "delta-industrial", "--torque-limit", "60"]],
    ["a map of 40 401 poses", "delta-direct-drive", { ask: "task", request: { task: "map", quantities: ["condition"], x: "-0.2..0.2/201", y: "-0.2..0.2/201", z: -0.5 } }, ["map", "delta-direct-drive", "condition", "--x", "-0.2..0.2/201", "--y", "-0.2..0.2/201", "--z", "-0.5", "--threads", "1"]],
  ];
  for (const [what, robot, message, words] of rows) {
    const ours = best(await here(robot, message, 5));
    const theirs = best(Array.from({ length: 3 }, () => native(...words)));
    done(`${what}: ${ours.toFixed(1)} ms here, ${theirs.toFixed(1)} ms in the program, ratio ${(ours / theirs).toFixed(2)}`);
  }
  await context.close();
}
