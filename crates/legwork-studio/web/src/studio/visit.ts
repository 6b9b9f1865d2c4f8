/** The first visit: a robot that moves, and three things to try. */

import { button, h } from "../view/dom";
import type { Along } from "./messages";
import type { Session } from "./session";
import type { Stage } from "./stage";

/** Moves the platform along its usual path until somebody takes it in hand. */
export class Walk {
  private along: Along | null = null;
  private start = 0;
  private k = 0;
  private heard: (() => void)[] = [];

  constructor(private readonly session: Session, private readonly stage: Stage | null) {
    session.onFrame(() => this.step());
    session.onRobot(() => this.stop());
  }

  get isWalking(): boolean {
    return this.along != null;
  }

  /** Called when it begins and when it ends. */
  onChange(act: () => void): void {
    this.heard.push(act);
  }

  async begin(): Promise<void> {
    const { robot } = this.session;
    let along: Along;
    try {
      along = await this.session.engine.run<Along>({ ask: "along", count: 240 });
    } catch {
      // A robot without masses or without a path of its own stands still.
      return;
    }
    if (this.session.robot !== robot || along.poses.length < 2) return;
    this.along = along;
    this.start = performance.now();
    this.stage?.path(along.poses.map((pose) => pose.position));
    for (const act of this.heard) act();
    this.session.picture();
  }

  stop(): void {
    if (!this.along) return;
    this.along = null;
    this.session.movement = { twist: null, acceleration: null };
    this.stage?.path(null);
    for (const act of this.heard) act();
    this.session.again();
  }

  /** As fast as it is, and as slow as can be followed: once there and back in two seconds at least. */
  private step(): void {
    const { along, session } = this;
    if (!along) return;
    const [first, last] = [along.times[0]!, along.times.at(-1)!];
    const length = last - first;
    const slow = Math.max(1, 3 / length);
    const time = ((performance.now() - this.start) / 1000 / slow) % length;
    this.k = Math.min(along.times.findIndex((one) => one - first >= time), along.poses.length - 1);
    if (this.k < 0) this.k = 0;
    session.movement = { twist: along.twists[this.k] ?? null, acceleration: along.accelerations[this.k] ?? null };
    session.move({ pose: along.poses[this.k]! }, null);
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
