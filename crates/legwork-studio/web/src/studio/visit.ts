/** The first visit: a robot that moves, and three things to try. */

import { button, h } from "../view/dom";
import type { Along } from "./messages";
import type { Session } from "./session";
import type { Stage } from "./stage";

/** Moves the platform along its usual path until somebody takes it in hand. */
export class Walk {
  private way: Along | null = null;
  private start = 0;
  private heard: (() => void)[] = [];

  constructor(private readonly session: Session, private readonly stage: Stage | null) {
    session.onFrame(() => this.step());
    session.onRobot(() => this.stop());
  }

  get isWalking(): boolean {
    return this.way != null;
  }

  /** Called when it begins and when it ends. */
  onChange(act: () => void): void {
    this.heard.push(act);
  }

  async begin(): Promise<void> {
    const { robot } = this.session;
    let way: Along;
    try {
      way = await this.session.engine.run({ ask: "along" });
    } catch (error) {
      // A robot without masses has no motion of its own.
      return this.session.sayRefusal(error);
    }
    if (this.session.robot !== robot || way.times.length < 2) return;
    this.way = way;
    this.start = performance.now();
    const places = ["x", "y", "z"].map((name) => robot.coordinates.findIndex((one) => one.name === name));
    this.stage?.path(way.values.map((place) => places.map((k, i) => (k < 0 ? robot.home.position[i]! : place[k]!)) as [number, number, number]));
    for (const act of this.heard) act();
    this.session.picture();
  }

  stop(): void {
    if (!this.way) return;
    this.way = null;
    this.stage?.path(null);
    // Whoever takes it finds it at rest.
    this.session.again();
    for (const act of this.heard) act();
  }

  /** There and back in four seconds, or as slowly as it is. */
  private step(): void {
    const { way, session } = this;
    if (!way) return;
    const [first, last] = [way.times[0]!, way.times.at(-1)!];
    const slow = Math.max(1, 4 / (last - first));
    const time = first + (((performance.now() - this.start) / 1000 / slow) % (last - first));
    const next = way.times.findIndex((one) => one >= time);
    const k = Math.max(next, 0);
    session.move({ values: way.values[k]!, twist: way.twists[k]!, acceleration: way.accelerations[k]! }, null);
  }
}

/** Three things to try; gone for good when it is closed. */
export function welcome(tries: { title: string; text: string; act: () => void }[]): HTMLElement {
  const card = h("aside", { class: "welcome", "aria-label": "Three things to try" });
  const close = button("Got it", () => card.remove(), { class: "quiet" });
  const list = h("ol", {}, ...tries.map(({ title, text, act }) => {
    const one = h("button", { type: "button", class: "try" }, h("b", {}, title), h("span", {}, text));
    one.addEventListener("click", act);
    return h("li", {}, one);
  }));
  card.append(h("header", {}, h("h2", {}, "Three things to try"), close), list);
  return card;
}
