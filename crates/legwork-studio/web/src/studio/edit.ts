/** The panel of the robot itself: its numbers with fields and sliders, and its file. */

import { button, h } from "../view/dom";
import { Refusal } from "./engine";
import type { EditableNumber, FileProblem } from "./messages";
import { inWords, type Session } from "./session";
import { Row, copied, field, part } from "./ui";

/** A slider goes from a quarter to four times the number it began with. */
const SPAN = 4;

export class EditPanel {
  readonly element = h("div", { class: "panel" });
  private rows = new Map<string, { row: Row; slider: HTMLInputElement | null; number: EditableNumber }>();
  private shape = "";
  private file = h("div", {});
  private about = h("div", { class: "about" });
  private problems = h("div", { class: "problems", role: "alert" });

  constructor(private readonly session: Session) {
    session.onRobot(() => this.show());
  }

  /** What the library says of a file that it cannot open: each problem with its line. */
  static listed(problems: FileProblem[]): HTMLElement[] {
    return problems.slice(0, 40).map((one) => {
      const place = one.line == null ? null : h("span", { class: "unit" }, `line ${one.line}: `);
      return h("div", { class: "problem" }, h("p", {}, place, one.what), one.text ? h("pre", {}, one.text) : null, one.hint ? h("p", { class: "hint" }, one.hint) : null);
    });
  }

  private show(): void {
    const { robot } = this.session;
    this.problems.replaceChildren();
    const shape = [robot.name, ...robot.numbers.map((one) => one.path)].join();
    if (shape !== this.shape) this.build(shape);
    for (const number of robot.numbers) {
      const found = this.rows.get(number.path);
      if (!found) continue;
      found.number = number;
      found.row.refuse(null);
      found.row.input.value = number.text;
      if (found.slider && document.activeElement !== found.slider) found.slider.value = String(number.number);
    }
    this.file.replaceChildren(copied("Robot file", robot.text));
    this.about.replaceChildren(
      h("p", {}, robot.meaning),
      ...[robot.note, robot.source ? `Source: ${robot.source}` : null].map((text) => h("p", { class: "hint" }, text)),
      ...robot.doubts.map((text) => h("p", { class: "hint warn" }, text)),
    );
  }

  private build(shape: string): void {
    this.shape = shape;
    this.rows.clear();
    const tables = new Map<string, HTMLElement[]>();
    for (const number of this.session.robot.numbers) {
      const row = this.number(number);
      tables.set(number.table, [...(tables.get(number.table) ?? []), row]);
    }
    const parts = [...tables].map(([table, rows], k) => part(table === "" ? "Robot" : table, k < 3, ...rows));
    const save = button("Save file", () => document.dispatchEvent(new CustomEvent("studio-save")), { class: "quiet" });
    this.element.replaceChildren(this.about, this.problems, ...parts, part("File", false, h("div", { class: "line" }, save), this.file), part("In words", false, h("pre", { class: "summary", tabindex: "0" }, this.session.robot.summary)));
  }

  private number(number: EditableNumber): HTMLElement {
    const input = field();
    const start = number.number;
    const slider = start > 0 ? h("input", { type: "range", min: String(start / SPAN), max: String(start * SPAN), step: "any", "aria-label": `${number.path}, slider` }) : null;
    const row = new Row((number.key || number.path).replaceAll("_", "_\u200b"), input, number.written_unit ? "" : number.unit, number.meaning, slider);
    row.element.dataset.path = number.path;
    this.rows.set(number.path, { row, slider, number });
    const change = (value: string, goesOn = false) => {
      const now = this.rows.get(number.path)!.number;
      if (value === now.text) return row.refuse(null);
      try {
        this.session.edit(now, value, goesOn);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        this.refuse(number.path, error);
      }
    };
    input.addEventListener("change", () => change(input.value.trim()));
    let [pulled, waiting] = [false, false];
    slider?.addEventListener("input", () => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => {
        waiting = false;
        const digits = Number(Number(slider.value).toPrecision(3));
        change(String(digits), pulled);
        pulled = true;
      });
    });
    slider?.addEventListener("change", () => requestAnimationFrame(() => (pulled = false)));
    return row.element;
  }

  /** The words stand at the field they are about; what is about no field stands above all. */
  private refuse(path: string, error: Refusal): void {
    const { failure } = error;
    const at = failure.problems.filter((one) => one.field != null && this.rows.has(one.field));
    if (at.length === 0) return this.rows.get(path)!.row.refuse(inWords(failure));
    for (const one of at) this.rows.get(one.field!)!.row.refuse([one.what, one.hint].filter((text) => text).join(" "));
    // A field that was typed into never stays without a word.
    if (!at.some((one) => one.field === path)) this.rows.get(path)!.row.refuse(failure.what);
  }
}
