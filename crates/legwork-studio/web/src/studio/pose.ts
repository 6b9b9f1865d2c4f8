/** The panel of a pose: where the platform and the motors are, what that takes, and how near a singularity it is. */

import { button, h } from "../view/dom";
import { Refusal } from "./engine";
import type { Modes, Motor, PrintedRow, StateSheet } from "./messages";
import { Poles } from "./poles";
import { inWords, span, type Session } from "./session";
import type { Stage } from "./stage";
import { Row, Sheet, field, keepingFocus, named, part, refill, tick } from "./ui";

type Explain = (words: string, quantity: string) => void;

/** Digits of a coordinate in its field: a micrometre, a microradian. */
const shown = (value: number) => String(Number(value.toFixed(6)));

export class PosePanel {
  readonly element = h("div", { class: "panel" });
  private updates: ((state: StateSheet) => void)[] = [];
  private ghostsOn = false;
  private modes = h("div", { class: "modes", "aria-busy": "false" });
  /** Whether a worker looks for modes, and whether they are wanted anew when it is done. */
  private looking = false;
  private stale = false;
  /** What each button of the list does now. */
  private choices: (() => void)[] = [];
  private poles = new Poles();
  private later = 0;
  private shape = "";
  /** Modes are asked for when this part is open or ghosts are shown. */
  private modesPart: HTMLDetailsElement | null = null;

  constructor(private readonly session: Session, private readonly stage: Stage | null, private readonly explain: Explain, private readonly hands: () => void) {
    session.onRobot(() => {
      // What is in the list belongs to another robot.
      if (!session.isEdit) this.forgetModes();
      keepingFocus(this.element, () => this.build());
    });
    session.onState(() => this.update());
  }

  private build(): void {
    const { robot } = this.session;
    const shape = JSON.stringify([robot.name, robot.coordinates, robot.motors, robot.has_masses]);
    if (shape === this.shape) return;
    this.shape = shape;
    this.updates = [];
    this.poles.forget();
    this.modesPart = part("Modes", false, this.modeTools(), this.modes);
    this.modesPart.addEventListener("toggle", () => void this.askModes());
    refill(
      this.element,
      part("Platform", true, this.place(), ...this.coordinates()),
      part("Motors", true, ...this.motors()),
      part(robot.has_masses ? "Torques" : "Joints", true, this.torques(), this.loads()),
      part("Distance to singularities", true, this.measures()),
      part("Ellipsoids", false, this.ellipsoids()),
      this.modesPart,
      part("Poles of this pose", robot.has_masses, this.polesOfPose()),
      part("Motion of the platform", false, ...this.movement()),
    );
  }

  private update(): void {
    for (const act of this.updates) act(this.session.state);
    // Ghosts of another pose are wrong: they come back when the robot rests.
    this.stage?.ghost([]);
    this.stale = this.looking;
    if (this.wantsModes) this.modes.setAttribute("aria-busy", "true");
    clearTimeout(this.later);
    this.later = window.setTimeout(() => void this.askModes(), 120);
  }

  private place(): HTMLElement {
    const words = h("output", { class: "place" });
    this.updates.push((state) => (words.textContent = state.place));
    const home = button("Home", () => {
      this.hands();
      this.session.move({ values: this.session.robot.home_values });
    }, { class: "quiet", title: "Where the file says home is (H)" });
    return h("div", { class: "line" }, words, home);
  }

  private coordinates(): HTMLElement[] {
    const { session } = this;
    return session.robot.coordinates.map((one, k) => {
      if (!one.is_free) return this.follows(one.name, one.unit, k);
      const slider = h("input", { type: "range", min: String(one.from), max: String(one.to), step: "any", "aria-label": `${one.name} of the platform` });
      const input = field();
      const row = new Row(one.name, input, one.unit, one.turns ? "Turn about an axis of the base, such as 5 deg" : "Position in the base, such as 50 mm", slider);
      slider.addEventListener("input", (event) => {
        this.hands();
        row.refuse(null);
        session.move({ values: session.state.values.with(k, Number(slider.value)) }, event.timeStamp);
      });
      input.addEventListener("change", () => {
        this.hands();
        const value = this.read(row, one.name, one.unit);
        if (value != null) session.move({ values: session.state.values.with(k, value) });
      });
      this.updates.push((state) => {
        const value = state.values[k]!;
        slider.value = String(value);
        slider.setAttribute("aria-valuetext", `${shown(value)} ${one.unit}`);
        if (document.activeElement !== input || !row.fault.hidden) input.value = row.fault.hidden ? shown(value) : input.value;
      });
      return row.element;
    });
  }

  /** What was typed, in SI; the library reads it, with its unit, and says at the field why not. */
  private read(row: Row, name: string, unit: string): number | null {
    try {
      const value = this.session.engine.ask({ ask: "number", text: row.input.value.trim(), name, unit });
      row.refuse(null);
      return value;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      row.refuse(inWords(error.failure));
      return null;
    }
  }

  /** A coordinate that follows from the others. */
  private follows(name: string, unit: string, k: number): HTMLElement {
    const value = h("output", { class: "value" });
    this.updates.push((state) => (value.textContent = shown(state.values[k]!)));
    return h("div", { class: "row follows" }, h("span", {}, name), h("span", { class: "hint" }, "follows from the others"), h("span", { class: "control" }, value, h("span", { class: "unit" }, unit)));
  }

  /** A bar for each motor: its limits, where it is, and a handle to move it. */
  private motors(): HTMLElement[] {
    const { session } = this;
    const [units, efforts] = [h("span", { class: "unit" }), h("span", { class: "unit" })];
    this.updates.push((state) => {
      units.textContent = named(printedRow(state, JOINT)?.name ?? "")[1];
      efforts.textContent = named(printedRow(state, EFFORT)?.name ?? "")[1];
    });
    const head = h("div", { class: "motor motor-head" }, h("span", {}), h("span", {}), units, h("span", {}), efforts);
    const bars = session.robot.motors.map((motor, k) => {
      const [low, high] = span(motor);
      const slider = h("input", { type: "range", min: String(low), max: String(high), step: "any", "aria-label": motor.name });
      const value = h("output", { class: "value" });
      const effort = h("i", { class: "fill" });
      const torque = h("output", { class: "value" });
      const gauge = h("div", { class: "gauge", title: motor.max_effort == null ? "No limit is in the file" : "Share of the largest torque or force of the file" }, effort);
      slider.addEventListener("input", (event) => {
        this.hands();
        session.move({ q: session.state.q.with(k, Number(slider.value)) }, event.timeStamp);
      });
      const row = h("div", { class: "motor" }, h("span", { class: "name" }, motor.name), slider, value, gauge, torque);
      this.updates.push((state) => {
        slider.value = String(state.q[k]!);
        row.classList.toggle("outside", state.outside_limits.includes(k));
        value.textContent = printedRow(state, JOINT)?.cells[k] ?? shown(state.q[k]!);
        slider.setAttribute("aria-valuetext", `${value.textContent} ${motor.unit}`);
        torque.textContent = printedRow(state, EFFORT)?.cells[k] ?? "";
        this.fill(effort, state, k, motor);
      });
      return row;
    });
    const limits = session.robot.motors.some((motor) => motor.min != null || motor.max != null) ? "Each slider ends at the limits that the robot file gives to its motor." : "The robot file gives no limits to the motors, so each slider ends where the robot does.";
    return [head, ...bars, this.cones(), h("p", { class: "hint" }, limits)];
  }

  /** How far the rods lean in the cones of their joints. */
  private cones(): HTMLElement {
    const holder = h("div", { class: "cones" });
    let bars: HTMLElement[] = [];
    this.updates.push(({ leans, largest_lean: most }) => {
      holder.hidden = most == null || leans.length === 0;
      if (most == null) return;
      if (bars.length !== leans.length) {
        bars = leans.map(() => h("i", { class: "fill" }));
        holder.replaceChildren(h("span", { class: "name" }, "rods in their cones"), ...bars.map((bar, k) => h("div", { class: "gauge cone", title: `Rod ${k + 1}: its lean, as a share of the largest` }, bar)));
      }
      leans.forEach((lean, k) => {
        bars[k]!.style.width = `${100 * Math.min(lean / most, 1)}%`;
        bars[k]!.classList.toggle("full", lean > most);
      });
    });
    return holder;
  }

  private fill(bar: HTMLElement, state: StateSheet, k: number, motor: Motor): void {
    const all = state.efforts?.motor ?? [];
    const now = all[k];
    const largest = Math.max(...all.map((one) => Math.abs(one)), 1e-12);
    // Without a limit in the file the bars compare the motors with each other.
    const share = now == null ? 0 : Math.min(state.efforts?.share[k] ?? Math.abs(now) / largest, 1);
    bar.style.width = `${50 * share}%`;
    bar.style.left = now != null && now < 0 ? `${50 - 50 * share}%` : "50%";
    bar.classList.toggle("full", motor.max_effort != null && share >= 1);
  }

  private torques(): HTMLElement {
    const sheet = new Sheet("Joints and torques of this pose", this.explain);
    const notes = h("div", {});
    this.updates.push((state) => {
      sheet.show(state.torque ?? state.report);
      notes.replaceChildren(...state.notes.map((note) => h("p", { class: "hint warn" }, note)));
    });
    return h("div", {}, sheet.element, notes);
  }

  private loads(): HTMLElement {
    const { session } = this;
    if (!session.robot.has_masses) return h("p", { class: "hint" }, "The file has no masses, so there are no torques.");
    const input = field("0 kg");
    input.value = session.version.payload ?? "";
    const row = new Row("payload", input, "", "On the platform, such as 500 g");
    input.addEventListener("change", () => {
      try {
        session.vary({ payload: input.value.trim() || null });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        row.refuse(inWords(error.failure));
      }
    });
    return row.element;
  }

  private measures(): HTMLElement {
    const list = h("dl", { class: "measures" });
    let names = "";
    let cells: HTMLElement[] = [];
    this.updates.push(({ singularity }) => {
      if (singularity.map((one) => one.name).join() !== names) {
        names = singularity.map((one) => one.name).join();
        cells = singularity.map(() => h("dd", {}));
        list.replaceChildren(...singularity.flatMap((one, k) => [h("dt", {}, button(one.name, () => this.explain(one.name, one.name), { class: "word", title: "The equation behind it" })), cells[k]!]));
      }
      singularity.forEach((one, k) => {
        cells[k]!.textContent = one.text;
        cells[k]!.classList.toggle("near", one.is_near);
      });
    });
    return list;
  }

  private ellipsoids(): HTMLElement {
    const holder = h("div", {});
    let names = "";
    let outputs: HTMLElement[] = [];
    this.updates.push(({ ellipsoids }) => {
      if (ellipsoids.map((one) => one.name).join() !== names) {
        names = ellipsoids.map((one) => one.name).join();
        outputs = ellipsoids.map(() => h("output", { class: "value wide" }));
        holder.replaceChildren(
          ...ellipsoids.map((one, k) => h("div", { class: `line ellipsoid ${one.name}` }, tick(one.name, false, (on) => this.stage?.showEllipsoid(one.name, on), one.meaning), outputs[k]!, h("span", { class: "unit" }, one.unit))),
        );
        for (const one of ["velocity", "force", "inertia"]) this.stage?.showEllipsoid(one, false);
        if (ellipsoids.length === 0) holder.append(h("p", { class: "hint" }, "There are none here."));
      }
      ellipsoids.forEach((one, k) => (outputs[k]!.textContent = one.axes.map((axis) => axis.length.toPrecision(4)).join("  ")));
    });
    const equation = button("The equations behind them", () => this.explain("velocity", "velocity"), { class: "word" });
    return h("div", {}, holder, h("p", { class: "hint" }, "Half axes at the platform point; each is drawn as large as can be seen."), equation);
  }

  private modeTools(): HTMLElement {
    return tick("Show the others as ghosts to click", this.ghostsOn, (on) => {
      this.ghostsOn = on;
      void this.askModes();
    });
  }

  private get wantsModes(): boolean {
    return this.modesPart?.open || this.ghostsOn;
  }

  private forgetModes(): void {
    delete this.modes.dataset.shape;
    this.modes.replaceChildren();
  }

  /** A worker looks for them: those of some robots take seconds. One at a time, and those of a pose that is left are not
   * shown. */
  private async askModes(): Promise<void> {
    if (!this.wantsModes) return this.stage?.ghost([]);
    if (this.looking) {
      this.stale = true;
      return;
    }
    this.looking = true;
    this.stale = false;
    this.modes.setAttribute("aria-busy", "true");
    if (this.modes.childElementCount === 0) this.modes.replaceChildren(h("p", { class: "hint" }, "Looking for all ways to stand …"));
    try {
      const modes = await this.session.engine.run({ ask: "modes", values: this.session.state.values, assembly: this.modesPart?.open ?? false });
      if (!this.stale) this.showModes(modes);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.forgetModes();
      this.modes.append(h("p", { class: "hint" }, inWords(error.failure)));
    } finally {
      this.looking = false;
      if (this.stale) void this.askModes();
      else this.modes.setAttribute("aria-busy", "false");
    }
  }

  private showModes(modes: Modes): void {
    const go = (act: () => void) => () => {
      this.hands();
      try {
        act();
      } catch (error) {
        this.session.sayRefusal(error);
      }
    };
    const working = modes.working.map((one) => ({ ...one, act: go(() => this.session.vary({ mode: one.mode })) }));
    const assembly = (modes.assembly ?? []).map((one) => ({
      ...one,
      act: go(() => {
        if (one.mode != null && one.mode !== this.session.state.mode) this.session.vary({ mode: one.mode });
        this.session.move({ pose: one.pose });
      }),
    }));
    const notes = (one: (typeof assembly)[number]) => (!one.is_named ? "The free coordinates of the platform do not lead there: they name another posture too" : one.is_singular ? "At a singularity" : one.is_reached_from_home ? "Reached from home" : "Not reached from home without a singularity");
    const all = [
      ...working.map((one) => ({ text: one.mode, own: one.is_own, note: one.outside_limits.length > 0 ? "Outside the limits of its motors" : "Go there", isOpen: true, act: one.act })),
      ...assembly.map((one) => ({ text: one.place, own: one.is_here, note: notes(one), isOpen: one.is_named, act: one.act })),
    ];
    this.choices = all.map(({ act }) => act);
    const shape = JSON.stringify([all.map(({ text }) => text), modes.assembly != null, modes.statement]);
    const buttons = () => [...this.modes.querySelectorAll<HTMLElement>(".mode")];
    if (shape !== this.modes.dataset.shape) {
      // Who chooses with keys stays where he is in the list.
      const place = buttons().indexOf(document.activeElement as HTMLElement);
      const choose = (k: number) => button(all[k]!.text, () => this.choices[k]!(), { class: "mode" });
      this.modes.dataset.shape = shape;
      this.modes.replaceChildren(
        h("h4", {}, `Working modes: same platform, other joints (${working.length})`),
        h("div", { class: "choices" }, ...working.map((_, k) => choose(k))),
        h("h4", {}, `Assembly modes: same motors, another platform${modes.assembly ? ` (${assembly.length})` : ""}`),
        h("div", { class: "choices" }, ...assembly.map((_, k) => choose(working.length + k))),
        h("p", { class: "hint" }, modes.statement),
      );
      if (place >= 0) buttons()[place]?.focus();
    }
    buttons().forEach((one, k) => {
      one.setAttribute("aria-pressed", String(all[k]!.own));
      one.title = all[k]!.note;
      (one as HTMLButtonElement).disabled = !all[k]!.isOpen && !all[k]!.own;
    });
    if (!this.ghostsOn) return this.stage?.ghost([]);
    const others = [...working.filter((one) => !one.is_own), ...assembly.filter((one) => !one.is_here && one.is_named)];
    const ghosts = others.filter((one) => one.skeleton).map((one) => ({ skeleton: one.skeleton!, act: one.act }));
    this.stage?.ghost(ghosts.slice(0, 24));
  }

  private polesOfPose(): HTMLElement {
    this.updates.push((state) => this.poles.show(state));
    return h("div", {}, this.poles.element, button("The equation behind it", () => this.explain("poles", "poles"), { class: "word" }));
  }

  private movement(): HTMLElement[] {
    const { session } = this;
    const rows = (["twist", "acceleration"] as const).flatMap((kind) =>
      session.robot.velocities.map((name, k) => {
        const unit = `${name.startsWith("w") ? "rad" : "m"}/s${kind === "twist" ? "" : "^2"}`;
        const input = field("0");
        input.value = session.movement[kind]?.[k] ? String(session.movement[kind][k]) : "";
        const row = new Row(`${kind === "twist" ? "speed" : "acceleration of"} ${name}`, input, unit);
        input.addEventListener("change", () => {
          if (input.value.trim() === "") input.value = "0";
          const value = this.read(row, kind === "twist" ? name : `the acceleration of ${name}`, unit);
          if (value == null) return;
          const all = session.movement[kind] ?? session.robot.velocities.map(() => 0);
          session.movement[kind] = all.with(k, value);
          session.again();
        });
        return row.element;
      }),
    );
    return [h("p", { class: "hint" }, "Zero everywhere gives the torques that hold; with speed or acceleration those that move."), ...rows];
  }
}

/** Names of rows as the program prints them. */
const JOINT = /^(angle|length|position|joint|q)/;
const EFFORT = /^motor (torque|force|effort)/;

/** A row as the program prints it. */
function printedRow(state: StateSheet, name: RegExp): PrintedRow | undefined {
  return (state.torque ?? state.report)?.rows.find((one) => name.test(one.name.trim()));
}
