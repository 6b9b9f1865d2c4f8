/** The panel of motions: a path and its timing, regulators and machine; runs that are kept, compared and played. */

import type { Lines, Report } from "../view/document";
import { button, h } from "../view/dom";
import type { Dock } from "./dock";
import { Refusal } from "./engine";
import { Form } from "./form";
import type { Choices, Request, TaskAnswer } from "./messages";
import type { Session } from "./session";
import { meter, part, tick } from "./ui";

/** A request that is filled in by hand: what is typed is checked by the library. */
export type Asked = Request & Record<string, unknown>;

export interface Run {
  name: string;
  request: Asked;
  answer: TaskAnswer;
  shown: boolean;
}

type Task = "follow" | "plan" | "size";

export class MotionPanel {
  readonly element = h("div", { class: "panel" });
  runs: Run[] = [];
  private form = new Form();
  private list = h("div", { class: "runs-list" });
  private progress = h("div", { class: "progress", hidden: "" });
  private fault = h("p", { class: "fault", role: "alert", hidden: "" });
  private stop: AbortController | null = null;
  private count = 0;
  private shape = "";
  private changed: (() => void)[] = [];
  /** Where motors are taken from when they are sized. */
  private motors: "sample" | { text: string } = "sample";

  constructor(private readonly session: Session, private readonly dock: Dock, private readonly choices: Choices) {
    session.onRobot(() => this.build());
  }

  onRuns(act: () => void): void {
    this.changed.push(act);
  }

  /** What the form asks for. */
  request(task: Task): Asked {
    const request = fit(this.form.read({ task }), task) as Asked;
    return task === "size" ? { ...request, motors: this.motors } : request;
  }

  private build(): void {
    const { robot } = this.session;
    const shape = JSON.stringify([robot.name, robot.coordinates.map((one) => one.name), robot.has_masses]);
    if (shape === this.shape) return;
    this.shape = shape;
    this.stop?.abort();
    this.runs = [];
    this.form = new Form();
    const { form, choices } = this;
    if (!robot.has_masses) {
      this.element.replaceChildren(h("p", { class: "hint" }, "The file of this robot has no masses: nothing can be simulated. Add a [mass] table, or take another robot."));
      return;
    }
    const where = robot.coordinates.map((one) => one.name).join(" ");
    const here = (path: string) => button("here", () => form.fill(path, this.session.state.values.map((value) => Number(value.toFixed(6))).join(", ")), { class: "quiet", title: "Where the platform is now" });
    const from = form.text("from", "path.from", "", `${where}, or as usual`, "list");
    const to = form.text("to", "path.to", "", `${where}, or as usual`, "list");
    from.querySelector(".control")!.append(here("path.from"));
    to.querySelector(".control")!.append(here("path.to"));
    const table = h("input", { type: "file", accept: ".toml", hidden: "", "aria-label": "Motor table" });
    const motors = button("Motor table …", () => table.click(), { class: "quiet", title: "A TOML file with [[motor]] tables, instead of the sample" });
    table.addEventListener("change", () => {
      void table.files?.[0]?.text().then((text) => {
        this.motors = { text };
        motors.textContent = table.files?.[0]?.name ?? "Motor table …";
      });
    });
    const run = button("Run", () => void this.run("follow"), { class: "main" });
    const fastest = button("Fastest timing", () => void this.run("plan"), { title: "The fastest motion on this path under the limits of the motors" });
    const size = button("Size motors", () => void this.run("size"), { title: "What the cycle asks of the motors, and which of a table can do it" });
    this.element.replaceChildren(
      part(
        "Path",
        true,
        form.select("path", "path.kind", choices.paths, "as usual for this robot"),
        from,
        to,
        form.text("by way of", "path.via", "", `${where}; ${where}`, "places"),
        form.text("height", "path.height", "", "such as 60 mm"),
        form.text("payload carried", "carry", "", "on the way there, such as 500 g"),
        form.flag("There and back", "back"),
        form.text("cycles", "cycles", "", "1"),
        form.text("pause at the ends", "pause", "", "0 ms"),
      ),
      part(
        "Timing",
        true,
        form.select("law", "law.shape", choices.laws, "as usual for this robot"),
        form.text("move time", "law.move_time", "", "such as 300 ms"),
        form.text("peak acceleration", "law.peak", "", "such as 80 m/s^2", "list"),
        form.flag("As fast as the limits allow", "fastest", "Instead of a law: the fastest timing under the limits"),
        form.text("torque limit", "limits.torque_limit", "", "of the robot file; such as 20 N m"),
        form.text("speed limit", "limits.speed_limit", "", "of the robot file; such as 10 rad/s"),
      ),
      part(
        "Regulators",
        true,
        form.several("Regulators", "controller.regulators", choices.regulators, ["pd", "model"]),
        form.text("frequency", "controller.frequency", "", "such as 20 Hz"),
        form.text("damping", "controller.damping", "", "0.7"),
        form.text("gain K_p", "controller.kp", "", "from the frequency"),
        form.text("gain K_d", "controller.kd", "", "from the frequency and damping"),
        form.text("gain K_i", "controller.ki", "", "none"),
        form.text("period", "controller.period", "", "1 ms"),
        form.text("sample", "sample", "", "every period", "plain"),
      ),
      part(
        "Machine and model error",
        false,
        form.text("lag of the motors", "plant.lag", "", "2 ms"),
        form.text("encoder step", "plant.encoder", "", "none; such as 0.01 deg"),
        form.text("encoder noise", "plant.noise", "", "none; such as 0.002 deg"),
        form.text("encoder delay", "plant.delay", "", "none; such as 0.5 ms"),
        form.text("machine: masses off by", "plant.model_error.mass", "%", "0", "share"),
        form.text("machine: lengths off by", "plant.model_error.length", "%", "0", "share"),
        form.text("machine: friction off by", "plant.model_error.friction", "%", "0", "share"),
        form.text("known: masses off by", "controller.known_error.mass", "%", "0", "share"),
        form.text("known: motors off by", "controller.known_error.motor_inertia", "%", "0", "share"),
        form.flag("The regulator does not know the load", "controller.ignores_loads"),
        form.flag("Limits of the file hold", "plant.file_limits"),
      ),
      h("div", { class: "acts" }, run, fastest, size, motors, table),
      this.progress,
      this.fault,
      this.list,
    );
    this.showRuns();
  }

  /** Puts values into the form and runs it: for the first visit. */
  start(values: Record<string, string>): void {
    for (const [path, value] of Object.entries(values)) this.form.fill(path, value);
    void this.run("follow");
  }

  private async run(task: Task): Promise<void> {
    this.stop?.abort();
    const stop = new AbortController();
    this.stop = stop;
    this.fault.hidden = true;
    const request = this.request(task);
    const robot = this.session.robotOfRequest;
    const name = `${this.count + 1}`;
    const share = meter(this.progress, `Run ${name}: ${task}`, () => stop.abort());
    try {
      const answer = await this.session.engine.run({ ask: "task", request, report: true }, stop.signal, share);
      this.count++;
      this.runs.push({ name: `${name} ${task}`, request: { ...request, robot }, answer, shown: true });
      // Other tasks have other plots: only those of one kind are compared.
      for (const one of this.runs) one.shown &&= one.request.task === task;
      while (this.runs.length > 8) this.runs.shift();
      this.showRuns();
      this.play();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const words = this.form.refuse(error.failure);
      this.fault.hidden = words == null;
      this.fault.textContent = words ?? "";
    } finally {
      if (this.stop === stop) this.progress.hidden = true;
    }
  }

  private play(): void {
    const shown = this.runs.filter((run) => run.shown && run.answer.report);
    if (shown.length === 0) return this.dock.close();
    this.dock.runs(
      shown.length === 1 ? `Run ${shown[0]!.name}` : `${shown.length} runs side by side`,
      shown.map((run) => ({ name: run.name, report: run.answer.report as unknown as Report })),
      (plot) => this.bands(plot, shown),
    );
  }

  /** The limits of torque and speed: those that were asked for, else those of the file. */
  private bands(plot: Lines, shown: Run[]): Lines["bands"] {
    const { motors } = this.session.robot;
    const asked = (key: string) => shown.map((run) => (run.request.limits as Record<string, unknown> | undefined)?.[key]).find((limit) => typeof limit === "number");
    const band = (limits: (number | null)[], name: string) => {
      const known = limits.filter((limit) => limit != null);
      return known.length === 0 ? [] : [{ low: -Math.min(...known), high: Math.min(...known), name }];
    };
    if (/^(motor|command)/i.test(plot.title) && motors.every((motor) => motor.effort_unit === plot.y.unit)) {
      const limit = asked("torque_limit");
      return band(limit == null ? motors.map((motor) => motor.max_effort ?? null) : [limit], "largest effort");
    }
    if (/speeds/.test(plot.title) && motors.every((motor) => `${motor.unit}/s` === plot.y.unit)) {
      const limit = asked("speed_limit");
      return band(limit == null ? motors.map((motor) => motor.max_speed ?? null) : [limit], "largest speed");
    }
    return [];
  }

  private showRuns(): void {
    const rows = this.runs.map((run) => {
      const show = tick(`Run ${run.name}`, run.shown, (on) => {
        run.shown = on;
        this.play();
      });
      const drop = button("Remove", () => {
        this.runs = this.runs.filter((one) => one !== run);
        this.showRuns();
        this.play();
      }, { class: "quiet", "aria-label": `Remove run ${run.name}` });
      const table = run.answer.printed ? h("pre", { class: "summary", tabindex: "0", role: "group", "aria-label": `Numbers of run ${run.name}` }, run.answer.printed) : null;
      return h("div", { class: "run-card" }, h("div", { class: "line" }, show, drop), table, ...run.answer.notes.map((note) => h("p", { class: "hint" }, note)));
    });
    this.list.replaceChildren(...(rows.length > 0 ? [h("h4", {}, "Runs"), ...rows.reverse()] : []));
    for (const act of this.changed) act();
  }
}

/** Leaves out what a task has no place for. */
function fit(request: Record<string, unknown>, task: Task): Record<string, unknown> {
  const none = { follow: [], plan: ["controller", "plant", "law", "fastest", "back", "cycles", "sample"], size: ["controller", "plant", "back", "cycles", "sample"] }[task];
  for (const key of none) delete request[key];
  // Limits are those of the fastest timing.
  if (task !== "plan" && !request.fastest) delete request.limits;
  return request;
}
