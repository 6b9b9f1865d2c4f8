/** The poles of the present pose in their plane; what is right of the axis grows. */

import { Chart } from "../view/chart";
import { css, h, onTheme, onWidth } from "../view/dom";
import type { PolePlace, Stability, StateSheet } from "./messages";

/** What the poles say together. */
const WORDS: Record<Stability, string> = {
  grows: "Unstable: a small motion grows",
  stays: "On the edge: a small motion neither grows nor dies out",
  "dies-out": "Stable: a small motion dies out",
};

export class Poles {
  private chart = new Chart("real [1/s]", "imaginary [rad/s]", true);
  readonly verdict = h("output", { class: "verdict-line" });
  readonly element: HTMLElement;
  private poles: PolePlace[] = [];
  /** Where the poles have been, a short while back. */
  private trail: { re: number; im: number }[] = [];

  constructor() {
    const holder = h("div", { class: "plot" }, this.chart.canvas);
    this.chart.canvas.setAttribute("role", "img");
    this.element = h("div", { class: "poles" }, this.verdict, holder);
    onWidth(holder, (width) => {
      this.chart.resize(width, Math.round(Math.min(0.55 * width, 220)));
      this.draw();
    });
    onTheme(() => this.draw());
  }

  forget(): void {
    this.trail = [];
  }

  show(state: StateSheet): void {
    this.element.classList.toggle("unstable", state.stability === "grows");
    this.verdict.textContent = state.stability == null ? "No poles: this robot has no masses, or is singular here." : `${WORDS[state.stability]} while the motors keep their torques.`;
    this.trail.push(...this.poles);
    if (this.trail.length > 600) this.trail.splice(0, this.trail.length - 600);
    this.poles = state.poles ?? [];
    this.chart.canvas.setAttribute("aria-label", `Poles: ${this.poles.map(({ re, im }) => `${re.toFixed(2)} ${im < 0 ? "−" : "+"} ${Math.abs(im).toFixed(2)} j`).join(", ")}`);
    this.draw();
  }

  private draw(): void {
    const { chart, poles } = this;
    let size = 1e-3;
    for (const { re, im } of [...poles, ...this.trail]) size = Math.max(size, Math.abs(re), Math.abs(im));
    // Round steps, so that the frame does not breathe with every pose.
    const power = 10 ** Math.floor(Math.log10(1.15 * size));
    const edge = ([1, 1.5, 2, 3, 5, 7.5].find((k) => k * power >= 1.15 * size) ?? 10) * power;
    const { width, height } = chart.inner;
    const wide = height > 0 ? Math.max(1, width / height) : 1;
    chart.box = { x: [-edge * wide, edge * wide], y: [-edge, edge] };
    chart.draw(() => {
      const { pen } = chart;
      const { left, top, width, height } = chart.inner;
      const zero = chart.toX(0);
      pen.fillStyle = css("--unstable");
      pen.fillRect(zero, top, left + width - zero, height);
      pen.strokeStyle = css("--soft");
      pen.lineWidth = 0.8;
      pen.beginPath();
      pen.moveTo(zero, top);
      pen.lineTo(zero, top + height);
      pen.moveTo(left, chart.toY(0));
      pen.lineTo(left + width, chart.toY(0));
      pen.stroke();
      pen.fillStyle = css("--accent");
      pen.globalAlpha = 0.25;
      for (const { re, im } of this.trail) pen.fillRect(chart.toX(re) - 1, chart.toY(im) - 1, 2, 2);
      pen.globalAlpha = 1;
      pen.lineWidth = 2;
      for (const { re, im, grows } of poles) {
        const [x, y] = [chart.toX(re), chart.toY(im)];
        pen.strokeStyle = css(grows ? "--bad" : "--accent");
        pen.beginPath();
        pen.moveTo(x - 4, y - 4);
        pen.lineTo(x + 4, y + 4);
        pen.moveTo(x + 4, y - 4);
        pen.lineTo(x - 4, y + 4);
        pen.stroke();
      }
    });
  }
}
